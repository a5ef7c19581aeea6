// A node while its tree is made: it owns what is below it, and everything can still change. A tree lays its nodes out
// when it is given its root: see tree.h.
#pragma once
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "ir/payload.h"

namespace espalier::ir {

// The members are those of Node.
struct Draft {
  Opcode opcode = Opcode::count;
  std::uint8_t flags = 0;
  bool is_doubtful = false;
  Span span;
  std::string name;
  std::string label;
  Payload payload;
  // References are resolved: each place has a copy of a shared block's nodes, with their spans.
  std::vector<Draft> children;

  // The payload, which must be of this kind.
  template <typename Kind>
  const Kind& as() const {
    return std::get<Kind>(payload);
  }
  template <typename Kind>
  Kind& as() {
    return std::get<Kind>(payload);
  }
  // The same; null if it is of another kind.
  template <typename Kind>
  const Kind* as_if() const {
    return std::get_if<Kind>(&payload);
  }
};

}  // namespace espalier::ir
