// Values of attributes that are numbers, times or booleans. One that is none of its kind is reported as `rule`, with
// what was meant.
#pragma once
#include <cstdint>
#include <optional>

#include "dialects/decider/old_reporter.h"

namespace espalier::dialects::decider {

[[nodiscard]] std::optional<std::uint32_t> read_whole(const Attribute& attribute, std::uint32_t least,
                                                      std::uint32_t most, Rule rule, Reporter& reporter);
// From 0 to 1,000,000 seconds, as microseconds.
[[nodiscard]] std::optional<std::uint64_t> read_seconds_us(const Attribute& attribute, Rule rule, Reporter& reporter);
// False for one that is not there, and for one that means nothing.
[[nodiscard]] bool read_boolean(const Attribute& attribute, Rule rule, Reporter& reporter);

}  // namespace espalier::dialects::decider
