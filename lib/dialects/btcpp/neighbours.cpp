// Conditions that are constant by what the node before has just written: a Script that sets 'done', and then a
// '_skipIf="done"'. See project.h.
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "dialects/btcpp/project.h"

#include "rules/btcpp.h"

namespace espalier::dialects::btcpp {
namespace {

struct Written {
  Constants values;
  std::map<std::string, Span, std::less<>> places;

  void clear() {
    values.clear();
    places.clear();
  }
};

// Nothing but instants lie between these: what one of them writes, the next one finds.
bool is_instant(const ReadNode& node) {
  return node.built() == Built::script || node.built() == Built::set_blackboard ||
         node.built() == Built::always_success || node.built() == Built::script_condition;
}

bool has_condition(const ReadNode& node) {
  for (std::size_t i = 0; i < kConditionCount; ++i) {
    if (node.script(static_cast<Hook>(i)).attribute) return true;
  }
  return false;
}

class NeighbourCheck {
 public:
  NeighbourCheck(const ReadProject& project, Reporter& reporter) : project_(project), reporter_(reporter) {}

  void check(const ReadNode& parent) {
    const bool is_in_order = parent.built() == Built::sequence || parent.built() == Built::reactive_sequence;
    const bool is_known = !parent.is_subtree() && parent.declaration->row != nullptr;
    Written written;
    for (const ReadNode& child : parent.children) {
      check(child);
      if (!is_in_order || !is_known) continue;
      if (!written.values.empty()) check_conditions(child, written);
      follow(child, written);
    }
  }

 private:
  void check_conditions(const ReadNode& node, const Written& written) {
    for (std::size_t i = 0; i < kConditionCount; ++i) {
      const auto hook = static_cast<Hook>(i);
      const std::optional<bool> truth = check_condition(node.script(hook), written);
      // While the node runs, others can write.
      if (truth && (hook != Hook::while_true || !*truth)) report(node.script(hook), *truth, written);
    }
    const bool is_asked = node.built() == Built::script_condition || node.built() == Built::precondition;
    if (!is_asked || has_condition(node)) return;
    if (const auto truth = check_condition(node.script(Hook::own), written))
      report(node.script(Hook::own), *truth, written);
  }

  // What is constant anyway has been reported.
  std::optional<bool> check_condition(const ReadScript& script, const Written& written) const {
    if (!script.attribute || script.script.statements.size() != 1 || script.checked.truth) return std::nullopt;
    return check_script(script.script, project_.enumeration, true, &written.values).truth;
  }

  void report(const ReadScript& script, bool truth, const Written& written) {
    const ScriptUse& use = script.checked.uses.front();
    const auto place = written.places.find(use.name);
    text::Finding& finding = reporter_.report(
        rules::BTC_constant_condition, script.attribute.value_span(),
        std::string("the condition is always ") + (truth ? "true" : "false") + " here, by what is written just before");
    if (place != written.places.end() && finding.related.empty())
      finding.related.push_back({place->second, quote(use.name) + " is written here"});
  }

  static void follow(const ReadNode& node, Written& written) {
    if (!is_instant(node) || has_condition(node)) written.clear();
    if (node.built() == Built::set_blackboard) written.clear();  // of an entry by a name that may be in another one
    if (has_condition(node) || node.is_subtree()) return;
    if (node.built() == Built::script) add(node.script(Hook::own), written);
    if (can_be_skipped(node)) return;
    add(node.script(Hook::on_success), written);
    add(node.script(Hook::post), written);
  }

  // A node of the host, or what is below it, may be skipped, and then runs no script.
  static bool can_be_skipped(const ReadNode& node) {
    if (!node.children.empty()) return true;
    if (node.built() != Built::none) return false;
    return !node.declaration->is_declared || (node.declaration->results & kSkipped) != 0;
  }

  static void add(const ReadScript& script, Written& written) {
    for (const auto& [name, value] : script.checked.assigned) {
      written.values.erase(std::string(name));
      written.places.erase(std::string(name));
      if (!value) continue;
      written.values.emplace(name, *value);
      written.places.emplace(name, script.attribute.value_span());
    }
  }

  const ReadProject& project_;
  Reporter& reporter_;
};

}  // namespace

void check_neighbours(const ReadProject& project, Reporter& reporter) {
  NeighbourCheck check(project, reporter);
  for (const ReadTree& tree : project.trees) {
    if (tree.root != nullptr && !tree.has_errors) check.check(*tree.root);
  }
}

}  // namespace espalier::dialects::btcpp
