// Conditions that are constant by what the node before has just written: a Script that sets 'done', and then a
// '_skipIf="done"'. See analysis.h.
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "lint/poll/analysis.h"

#include "ir/poll/built.h"
#include "rules/btcpp.h"

namespace espalier::lint {
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
bool is_instant(const WrittenNode& node) {
  return node.built() == built::script || node.built() == built::set_blackboard ||
         node.built() == built::always_success || node.built() == built::script_condition;
}

bool has_condition(const WrittenNode& node) { return !node.scripts.empty() && is_condition(node.scripts.front().hook); }

class NeighbourCheck {
 public:
  explicit NeighbourCheck(const PollAnalysis& analysis) : analysis_(analysis), project_(analysis.project) {}

  void check(const WrittenNode& parent) {
    const bool is_in_order = parent.built() == built::sequence || parent.built() == built::reactive_sequence;
    if (!is_in_order || !parent.is_of_library()) return;
    Written written;
    for (const WrittenNode& child : parent.children()) {
      if (!written.values.empty()) check_conditions(child, written);
      follow(child, written);
    }
  }

 private:
  void check_conditions(const WrittenNode& node, const Written& written) {
    const bool is_asked = node.built() == built::script_condition || node.built() == built::precondition;
    for (const WrittenScript& script : node.scripts) {
      const bool is_own = script.hook == kOwnHook && is_asked && !has_condition(node);
      if (!is_condition(script.hook) && !is_own) continue;
      const std::optional<bool> truth = check_condition(script, written);
      // While the node runs, others can write.
      if (truth && (script.hook != Hook::while_true || !*truth)) report(script, *truth, written);
    }
  }

  // What is constant anyway has been reported.
  std::optional<bool> check_condition(const WrittenScript& script, const Written& written) const {
    if (script.script.statements.size() != 1 || script.checked.truth) return std::nullopt;
    return check_script(script.script, project_.enums, true, &written.values).truth;
  }

  void report(const WrittenScript& script, bool truth, const Written& written) {
    const ScriptUse& use = script.checked.uses.front();
    const auto place = written.places.find(use.name);
    text::Finding& finding = analysis_.report(
        rules::BTC_constant_condition, script.span,
        std::string("the condition is always ") + (truth ? "true" : "false") + " here, by what is written just before");
    if (place != written.places.end() && finding.related.empty())
      finding.related.push_back({place->second, quote(use.name) + " is written here"});
  }

  static void follow(const WrittenNode& node, Written& written) {
    if (!is_instant(node) || has_condition(node)) written.clear();
    if (node.built() == built::set_blackboard) written.clear();  // of an entry by a name that may be in another one
    if (has_condition(node) || node.is_subtree()) return;
    if (node.built() == built::script) add(node.script(kOwnHook), written);
    if (can_be_skipped(node)) return;
    add(node.script(Hook::on_success), written);
    add(node.script(Hook::post), written);
  }

  // A node of the host, or what is below it, may be skipped, and then runs no script.
  static bool can_be_skipped(const WrittenNode& node) {
    if (!node.is_leaf()) return true;
    if (node.built() != built::none) return false;
    return !node.declaration->is_declared() || ir::can(node.declaration->results, ir::kSkips);
  }

  static void add(const WrittenScript* script, Written& written) {
    if (script == nullptr) return;
    for (const auto& [name, value] : script->checked.assigned) {
      written.values.erase(std::string(name));
      written.places.erase(std::string(name));
      if (!value) continue;
      written.values.emplace(name, *value);
      written.places.emplace(name, script->span);
    }
  }

  const PollAnalysis& analysis_;
  const WrittenProject& project_;
};

}  // namespace

void analyse_neighbours(const PollAnalysis& analysis) {
  NeighbourCheck check(analysis);
  for_each_node(analysis.project, [&](const WrittenNode& node) { check.check(node); });
}

}  // namespace espalier::lint
