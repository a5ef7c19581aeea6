// What trees that poll consist of (ir/poll), by its short names.
#pragma once
#include "ir/poll/declarations.h"
#include "ir/poll/script_check.h"
#include "ir/poll/written.h"
#include "text/near_names.h"

namespace espalier::dialects::btcpp {

using namespace ir::poll;
using text::is_near_name;

}  // namespace espalier::dialects::btcpp
