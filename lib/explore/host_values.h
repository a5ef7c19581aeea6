// The values that a host may write to entries of blackboards: those that make a difference to a tree.
#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "replay/names.h"

namespace espalier::explore {

using EntryValue = replay::TraceValue;

// What a value is compared with.
struct Literals {
  std::vector<double> numbers = {};
  std::vector<std::string> texts = {};
  bool is_boolean = false;  // true and false are written as such
  bool is_text = false;     // only texts are written
  bool is_whole = false;    // only whole numbers
  bool is_natural = false;  // only those that are not negative
  bool is_any = false;      // numbers and texts: it makes a difference which of them it is
  void add(const Literals& other);
};

// Values that differ in all comparisons: the literals, and one or two between each two of them. At least one.
std::vector<EntryValue> representatives(const Literals& literals);
// As a trace has it.
std::string text_of(const EntryValue& value);

struct HostValues {
  std::map<std::string, Literals> entries = {};  // of the tree's own blackboard, by name, that the tree looks at
  std::map<std::pair<std::string, std::string>, Literals> outputs = {};  // by the node's name and the port's
  std::string limit = {};  // why other values may make a difference; empty: none does
};

}  // namespace espalier::explore
