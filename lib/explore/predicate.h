// An expectation of a property, compiled for one tree. Checked in every state that is explored.
#pragma once
#include "explore/seen.h"
#include "replay/compiled_expectation.h"

namespace espalier::explore {

class Predicate {
 public:
  // Of a property, for one of its trees_of(). The expectation must outlive the predicate.
  Predicate(const text::JsonValue& expectation, const Tree& tree) {
    replay::ExpectationCompiler compiler;
    is_valid_ = !compiler.compile(expectation, tree, {&tree, 1}, &check_);
  }

  // False: the tree lacks a name.
  bool is_valid() const { return is_valid_; }
  const replay::Check& check() const { return check_; }
  bool holds(const Seen& seen) const {
    return replay::holds(check_, {seen.agent, seen.status, seen.events, seen.events, seen.agents});
  }

 private:
  replay::Check check_;
  bool is_valid_ = false;
};

}  // namespace espalier::explore
