// The words that messages of all dialects have in common, by their short names.
#pragma once
#include "text/wording.h"

namespace espalier::dialects {

using text::count_of;
using text::did_you_mean;
using text::expected_one_of;
using text::list_of;
using text::names_of;
using text::quote;
using text::shown;
using text::too_many;
using text::with_commas;

}  // namespace espalier::dialects
