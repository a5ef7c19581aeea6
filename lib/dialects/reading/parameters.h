// Parameters that a tree gives to the host's actions and conditions, held against what espalier.json declares of them.
#pragma once
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_set>

#include "dialects/reading/host.h"
#include "dialects/reading/reporter.h"

namespace espalier::dialects {

struct GivenParameter {
  std::string_view name;
  Span name_span;
  std::string_view value;
  Span value_span;
};

// What gets the parameters: an action, a condition.
struct ParameterReader {
  const HostDeclaration* host;
  Span span;  // of its name
};

// Names of parameters that are given.
using ParameterNames = std::unordered_set<std::string_view>;

struct ParameterRules {
  Rule deprecated;
  Rule bad_value;
  Rule missing;
  Rule never_read;
  std::optional<Rule> recommended = {};
  bool exact_booleans = false;  // "true" and "false" only
  // Does a reader need a parameter that it declares as optional, beside those that are given? May be empty.
  std::function<bool(const ParameterReader& reader, const HostAttribute& declared, const ParameterNames& given)>
      is_needed = {};
};

// Every parameter goes to every reader that declares it. One that is missing for several readers is reported once, and
// so is one that is misspelt. `reads_unknown`: nothing is known of some reader, which may read what no other does.
// `lacks_name`: a parameter has no name, which has been reported; it may be one that is missing.
void check_parameters(std::span<const GivenParameter> given, std::span<const ParameterReader> readers,
                      const ParameterRules& rules, Reporter& reporter, bool reads_unknown = false,
                      bool lacks_name = false);

}  // namespace espalier::dialects
