// Properties that need not be written: `prove --all` proves those that mean something for a tree.
#pragma once
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "explore/properties.h"
#include "explore/results.h"

namespace espalier::explore {

struct ReadyMadeRow {
  std::string_view name;
  std::string_view meaning;
};
std::span<const ReadyMadeRow> ready_made_rows();

// One that means something for a tree, with what proves it.
struct ReadyMade {
  std::string name;
  std::function<Proof(const Options& options)> prove;
  const Property* property = nullptr;  // as it could be written, valid as long as `prove`; null: it could not
};
// The asset must have names, and outlive what is returned; `host` says what its actions use.
std::vector<ReadyMade> ready_made_of(const Tree& tree, const HostFacts& host);

}  // namespace espalier::explore
