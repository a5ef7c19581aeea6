// What is shown of findings: what nobody sees is not worked out.
#pragma once
#include <cstdint>

namespace espalier::lint {

enum class Shown : std::uint8_t {
  nothing,         // nothing is looked for
  warning_counts,  // warnings lack their words, and notes may be missing
  words,           // all but the traces that show them
  all,
};

}  // namespace espalier::lint
