// What is known about the host's actions and conditions: those that are built into the engine, and those that
// espalier.json declares.
#pragma once
#include <string_view>
#include <vector>

#include "dialects/dialect.h"
#include "dialects/reading/parameters.h"
#include "ir/node_lists.h"

namespace espalier::dialects::dragengine {

struct HostRules {
  explicit HostRules(const Options& options);
  // Call this before each of `count` files.
  void begin_file(std::size_t count) {
    actions.begin_file(count);
    conditions.begin_file(count);
  }
  // `given`: the parameters of the rule; the results and required parameters of some actions depend on them.
  const HostDeclaration* find_action(std::string_view name, Span span, const std::vector<GivenParameter>& given,
                                     Reporter& reporter);
  HostSet actions;
  HostSet conditions;
  ir::Names names;  // in the files that a thread reads
};

// Adds the names of both kinds, if any are declared.
void declare(const Options& options, DeclaredRows& rows);

}  // namespace espalier::dialects::dragengine
