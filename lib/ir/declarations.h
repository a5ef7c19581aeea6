// What a tree declares by name, apart from its nodes: variables, signals, timestamps, stimuli, behaviours.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ir/condition.h"

namespace espalier::ir {

struct Variable {
  std::string name;
  bool initial = false;
  Span span;
  bool is_doubtful = false;  // a fault that has been reported may hide its use
};

// Sets `variable` to the value of `condition`.
struct Assignment {
  std::uint32_t variable = 0;
  ConditionIndex condition = 0;
  Span span;
};

// All assignments of one signal, in the order they run.
struct Signal {
  std::string name;
  std::vector<Assignment> assignments;
  Span span;  // first entry
};

struct Timestamp {
  std::string name;
  std::uint32_t signal = 0;                   // of the tree; sets the timestamp
  std::optional<std::uint32_t> exclusive_to;  // timestamp of the tree
  Span span;
  bool is_doubtful = false;  // an attribute of it is misspelt, which has been reported
};

struct Stimulus {
  std::string name;
  std::uint64_t timeout_us = 0;  // 0: it stays until it is cleared
  Span span;                     // of the name
};

// A behaviour that a tree of deciders declares.
struct DeclaredBehavior {
  std::string name;
  std::uint32_t memory_bytes = 0;
  Span span;  // of the name
};

}  // namespace espalier::ir
