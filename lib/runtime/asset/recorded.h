// Which completed nodes a history of an agent keeps: what the agent did.
#pragma once
#include "asset/view.h"

namespace espalier {

// Not those that no element of the XML has, and not the conditions of a monitor, which are asked again in each update.
bool is_recorded(const Asset& asset, std::uint32_t node_word);

}  // namespace espalier
