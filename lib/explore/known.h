// What is known of an expectation without exploring: gates and groups hold no more agents than they say.
#pragma once
#include <optional>

#include "replay/compiled_expectation.h"

namespace espalier::explore {

// The value that it has in all states; none: it must be explored.
std::optional<bool> known_value(const replay::Check& check, const Asset& asset);

}  // namespace espalier::explore
