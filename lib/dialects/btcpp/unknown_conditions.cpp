// Unknown conditions. See unknown_conditions.h.
#include "dialects/btcpp/unknown_conditions.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <vector>

#include "dialects/btcpp/tree_reader.h"
#include "dialects/reading/wording.h"
#include "text/names.h"

namespace espalier::dialects::btcpp {
namespace {

// What editors keep in nodes.
constexpr std::string_view kOfEditors[] = {"_autoremap", "_collapsed", "_description", "_external",   "_favorite",
                                           "_fullpath",  "_hardcoded", "_uid",         "_subtreeOnly"};

// Conditions that other libraries have, or that one would expect.
struct OtherCondition {
  std::string_view name;
  std::string_view hint;
};
constexpr std::string_view kForWhenTrue =
    "use '_skipIf' with the opposite to check when the node begins, '_while' to check also while it runs";
constexpr std::string_view kForWhenFalse =
    "use '_skipIf' to check when the node begins, '_while' with the opposite to check also while it runs";
constexpr OtherCondition kOtherConditions[] = {
    {"_onlyIf", kForWhenTrue},
    {"_if", kForWhenTrue},
    {"_when", kForWhenTrue},
    {"_runIf", kForWhenTrue},
    {"_precondition", kForWhenTrue},
    {"_pre", kForWhenTrue},
    {"_condition", kForWhenTrue},
    {"_guard", kForWhenTrue},
    {"_until", kForWhenFalse},
    {"_unless", kForWhenFalse},
    {"_ifNot", kForWhenFalse},
    {"_skipUnless", kForWhenTrue},
    {"_skip", "did you mean '_skipIf'?"},
    {"_fail", "did you mean '_failureIf'?"},
    {"_failure", "did you mean '_failureIf'?"},
    {"_success", "did you mean '_successIf'?"},
    {"_succeed", "did you mean '_successIf'?"},
    {"_failIf", "did you mean '_failureIf'?"},
    {"_succeedIf", "did you mean '_successIf'?"},
    {"_onFail", "did you mean '_onFailure'?"},
    {"_onSucceed", "did you mean '_onSuccess'?"},
    {"_onHalt", "did you mean '_onHalted'?"},
    {"_onDone", "did you mean '_post'?"},
    {"_finally", "did you mean '_post'?"},
    {"_onComplete", "did you mean '_post'?"},
};

bool is_named_as_condition(std::string_view name) {
  const auto is_known = [&](const OtherCondition& each) { return text::equal_any_case(each.name, name); };
  const std::string lower = text::lower_case(name);
  return std::any_of(std::begin(kOtherConditions), std::end(kOtherConditions), is_known) || lower.starts_with("_on") ||
         lower.ends_with("if") || lower.ends_with("when") || lower.ends_with("while") || lower.ends_with("until");
}

}  // namespace

bool is_unknown_condition(const text::Attribute& attribute) {
  if (std::find(std::begin(kOfEditors), std::end(kOfEditors), attribute.name()) != std::end(kOfEditors)) return false;
  const Script script = parse_script(attribute.value());
  if (script.fault || script.statements.empty() || !script.unseparated.empty()) return false;
  const Operator op = script.expressions[script.statements.front()].op;
  const bool is_value = op == Operator::number || op == Operator::text || op == Operator::name;
  return !is_value || is_named_as_condition(attribute.name());
}

std::string hint_for_condition(std::string_view name) {
  const auto* const known =
      std::find_if(std::begin(kOtherConditions), std::end(kOtherConditions),
                   [&](const OtherCondition& each) { return text::equal_any_case(each.name, name); });
  if (known != std::end(kOtherConditions)) return std::string(known->hint);
  return "the conditions are " + list_of(names_of_hooks());
}

}  // namespace espalier::dialects::btcpp
