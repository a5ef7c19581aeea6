// Checks the actions and conditions of the host that a tree names, and the parameters that it gives to them, against
// the declarations in espalier.json.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "dialects/reading/host.h"
#include "dialects/reading/reporter.h"
#include "text/name_index.h"

namespace espalier::dialects {

// The names of both.
[[nodiscard]] std::vector<std::string_view> names_of_hosts(std::span<const HostDeclaration> declared,
                                                           std::span<const HostDeclaration> known = {});

// All actions, or all conditions. Lists are sorted by name and must outlive it.
class HostSet {
 public:
  // `known`: those that are built into the engine.
  // `call`: reports a name that is written as a call, if nothing is declared.
  HostSet(std::string_view thing, Rule unknown, Rule call, std::span<const HostDeclaration> declared,
          std::span<const HostDeclaration> known = {});

  // The declared one, else the engine's; null if nothing is known about it, which is reported if any are declared.
  // `hint`: what was meant, if that is no other name.
  const HostDeclaration* find(std::string_view name, Span span, Reporter& reporter, std::string hint = {});
  // Call this before each of `count` files.
  void begin_file(std::size_t count) { names_.allow(text::NameIndex::steps_of_file(count)); }
  // Is it one of the engine's?
  [[nodiscard]] bool is_known(const HostDeclaration* host) const;

 private:
  std::string_view thing_;
  Rule unknown_;
  Rule call_;
  std::span<const HostDeclaration> declared_;
  std::span<const HostDeclaration> known_;
  text::NameIndex names_;
};

struct GivenParameter {
  std::string_view name;
  Span name_span;
  std::string_view value;
  Span value_span;
};

// What reads the parameters: an action or a condition.
struct ParameterReader {
  const HostDeclaration* host;
  Span span;  // of its name
};

struct ParameterRules {
  Rule deprecated;
  Rule bad_value;
  Rule missing;
  Rule never_read;
  std::optional<Rule> recommended = {};
  bool exact_booleans = false;  // "true" and "false" only
};

// Every parameter goes to every reader that declares it. A parameter that is missing for several readers is reported
// once; so is a misspelt one. `reads_unknown`: nothing is known about some reader, which may read parameters that no
// other reads. `lacks_name`: a parameter has no name, which has been reported; it may be a missing one.
void check_parameters(std::span<const GivenParameter> given, std::span<const ParameterReader> readers,
                      const ParameterRules& rules, Reporter& reporter, bool reads_unknown = false,
                      bool lacks_name = false);

}  // namespace espalier::dialects
