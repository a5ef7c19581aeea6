// What nodes can give, bottom up, and the findings that follow. See project.h.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dialects/btcpp/elements.h"
#include "dialects/btcpp/node_checks.h"
#include "dialects/btcpp/project.h"
#include "dialects/btcpp/sure_runs.h"
#include "rules/btcpp.h"

namespace espalier::dialects::btcpp {
namespace {

constexpr Outcomes swapped(Outcomes outcomes) {
  Outcomes result = outcomes & (kRunning | kSkipped);
  if ((outcomes & kSuccess) != 0) result |= kFailure;
  if ((outcomes & kFailure) != 0) result |= kSuccess;
  return result;
}

Outcomes outcome_of_status(std::string_view status) {
  if (status == "SUCCESS") return kSuccess;
  if (status == "FAILURE") return kFailure;
  return status == "RUNNING" ? kRunning : kSkipped;
}

// A literal's, or the default's; all if it is an entry.
Outcomes outcome_of_port(const ReadNode& node, std::string_view port, std::string_view otherwise) {
  const ReadPort* const found = node.find_port(port);
  if (found == nullptr) return outcome_of_status(otherwise);
  return found->value.is_pointer ? kCompleted | kRunning | kSkipped : outcome_of_status(found->value.literal());
}

bool is_sequence(Built built) {
  return built == Built::sequence || built == Built::async_sequence || built == Built::sequence_with_memory ||
         built == Built::reactive_sequence || built == Built::pipeline_sequence || built == Built::persistent_sequence;
}
bool is_fallback(Built built) {
  return built == Built::fallback || built == Built::async_fallback || built == Built::reactive_fallback;
}
bool is_reactive(Built built) { return built == Built::reactive_sequence || built == Built::reactive_fallback; }

// A control of the host's runs as a Sequence, which is not what it has to do.
Built known_built(const ReadNode& node) {
  const bool is_guess = node.built() == Built::sequence && node.declaration->is_of_host() && !node.declaration->has_as;
  return is_guess ? Built::none : node.built();
}

// A tree that does nothing stands for one that the program puts in its place.
bool is_stub(const ReadNode& node) {
  const Built built = node.built();
  if (built == Built::always_success || built == Built::always_failure) return true;
  return (built == Built::sequence || built == Built::fallback) && !node.children.empty() &&
         std::all_of(node.children.begin(), node.children.end(), [](const ReadNode& each) { return is_stub(each); });
}
bool is_stub(const ReadTree& tree) { return tree.root != nullptr && is_stub(*tree.root); }

bool is_guarded(const ReadNode& node) {
  return node.script(Hook::skip_if).attribute || node.script(Hook::while_true).attribute;
}

class OutcomeCheck {
 public:
  OutcomeCheck(const ReadProject& project, Reporter& reporter)
      : project_(project), reporter_(reporter), runs_(project) {}

  void check(const ReadTree& tree) { static_cast<void>(outcomes_of(tree)); }

 private:
  Outcomes outcomes_of(const ReadTree& tree) {
    constexpr Outcomes kAny = kCompleted | kRunning | kSkipped;
    if (depth_ > kMaxDepth) return kAny;
    const auto [place, is_new] = by_tree_.try_emplace(&tree, kAny);
    if (!is_new || tree.root == nullptr || tree.has_errors) return place->second;
    const bool was_quiet = std::exchange(is_quiet_, false);
    ++depth_;
    const Outcomes outcomes = outcomes_of(*tree.root);
    --depth_;
    is_quiet_ = was_quiet;
    by_tree_[&tree] = outcomes;
    return outcomes;
  }

  // With the findings in and below the node.
  Outcomes outcomes_of(const ReadNode& node) {
    std::vector<Outcomes> children;
    const bool was_quiet = is_quiet_;
    const std::optional<std::string_view> never = never_begins(node);
    if (never && !node.children.empty() && !is_quiet_) {
      report_never_ticked(node.children[0], node, *never);
      is_quiet_ = true;
    }
    for (const ReadNode& child : node.children) {
      const std::size_t number = children.size();
      if (!is_quiet_ && number > 0 && is_blocked_by(node, children[number - 1])) {
        report_never_ticked(child, node.children[number - 1], known_built(node));
        is_quiet_ = true;  // the ones after it are not ticked either
      }
      children.push_back(outcomes_of(child));
    }
    is_quiet_ = was_quiet;
    if (!is_quiet_ && !never) check_node(node, children);
    return with_hooks(node, own_outcomes(node, children));
  }

  // ---- Never ticked

  static bool is_blocked_by(const ReadNode& parent, Outcomes before) {
    const Built built = known_built(parent);
    if (built == Built::persistent_sequence) return false;  // an entry says where it begins
    if (is_sequence(built)) return (before & (kSuccess | kSkipped)) == 0;
    return is_fallback(built) && (before & (kFailure | kSkipped)) == 0;
  }

  // The condition that keeps a node from ever being ticked, if there is one.
  static std::optional<std::string_view> never_begins(const ReadNode& node) {
    for (std::size_t i = 0; i < kConditionCount; ++i) {
      const ReadScript& script = node.script(static_cast<Hook>(i));
      const std::optional<bool> truth = script.checked.truth;
      const bool stops_at = static_cast<Hook>(i) != Hook::while_true;
      if (truth && *truth == stops_at && !is_plain_truth(script.attribute.value()))
        return name_of(static_cast<Hook>(i));
    }
    return std::nullopt;
  }

  void report_never_ticked(const ReadNode& child, const ReadNode& sibling, Built parent) {
    const std::string why = is_sequence(parent) ? "cannot succeed" : "cannot fail";
    reporter_.report(rules::BTC_never_ticked, child.element.span(),
                     quote(child.name) + " is never ticked, because " + quote(sibling.name) + " before it " + why, {},
                     {sibling.element.span(), quote(sibling.name) + " " + why});
  }
  void report_never_ticked(const ReadNode& child, const ReadNode& parent, std::string_view condition) {
    reporter_.report(rules::BTC_never_ticked, child.element.span(),
                     quote(child.name) + " is never ticked, because " + quote(condition) + " of " + quote(parent.name) +
                         " never lets it begin",
                     {}, {parent.element.span(), "the condition is here"});
  }

  // ---- Other findings

  void check_node(const ReadNode& node, const std::vector<Outcomes>& children) {
    const Built built = known_built(node);
    if (is_reactive(built)) check_reactive(node, children);
    if ((built == Built::if_then_else || built == Built::while_do_else) && !children.empty() &&
        (children[0] & kSkipped) != 0) {
      reporter_.report(rules::BTC_skippable_condition, node.children[0].element.span(),
                       quote(node.children[0].name) + " can be skipped, and then " + quote(node.id) + " throws",
                       "a condition must succeed or fail here");
    }
    if ((built == Built::repeat || built == Built::retry) && children.size() == 1) check_loop(node, children[0]);
    check_superfluous(node);
  }

  void check_reactive(const ReadNode& node, const std::vector<Outcomes>& children) {
    const ReadNode* first = nullptr;
    for (std::size_t i = 0; i < children.size(); ++i) {
      const ReadNode& child = node.children[i];
      check_restarts(node, child);
      if ((children[i] & kRunning) == 0 || !runs_.surely_runs(child)) continue;
      if (first == nullptr) {
        // What runs once never runs again while the other child does, and a decorator of the host's may be there to
        // interrupt it.
        const bool is_gate = child.built() == Built::none && !child.children.empty();
        if (child.built() != Built::run_once && !is_gate) first = &child;
        continue;
      }
      if (is_guarded(*first) && is_guarded(child)) continue;  // perhaps they never run together
      const std::string both =
          first->name == child.name
              ? "two children " + quote(child.name) + " can run: the later one is halted when the other runs again"
              : quote(first->name) + " and " + quote(child.name) + " can both run: " + quote(child.name) +
                    " is halted when " + quote(first->name) + " runs again";
      reporter_.report(rules::BTC_reactive_several_async, child.element.span(), both, hint_for(*first, child),
                       {first->element.span(), quote(first->name) + " can run"});
      return;
    }
  }

  static std::string hint_for(const ReadNode& first, const ReadNode& second) {
    const auto may_be_sync = [](const ReadNode& node) {
      return node.built() == Built::none && node.declaration->kind == NodeKind::action;
    };
    const std::string hint = "keep one child that runs, or use a 'Sequence' or 'Fallback' for them";
    return may_be_sync(first) || may_be_sync(second)
               ? hint + "; if an action never returns RUNNING, declare it in espalier.json with \"as\": \"sync\""
               : hint;
  }

  // A Sequence that can be halted in its middle begins again at its first child.
  void check_restarts(const ReadNode& parent, const ReadNode& child) {
    const bool may_be_halted = &child != &parent.children[0];
    if (!may_be_halted || child.built() != Built::sequence || child.declaration->row == nullptr) return;
    const bool has_middle = std::any_of(child.children.begin() + (child.children.empty() ? 0 : 1), child.children.end(),
                                        [&](const ReadNode& each) { return runs_.surely_runs(each); });
    if (!has_middle) return;
    reporter_.report(
        rules::BTC_restarts_when_halted, child.element.span(),
        "if " + quote(parent.name) + " halts this 'Sequence', it restarts at its first child the next time",
        "a 'SequenceWithMemory' resumes where it was");
  }

  void check_loop(const ReadNode& node, Outcomes child) {
    const bool is_repeat = node.built() == Built::repeat;
    if (literal_number(node, is_repeat ? "num_cycles" : "num_attempts") != -1.0) return;
    const Outcomes again = is_repeat ? kSuccess : kFailure;
    if ((child & kRunning) != 0 || (child & again) == 0) return;
    if (node.script(Hook::while_true).attribute || project_.ticks_exactly_once) return;
    reporter_.report(rules::BTC_runs_away, node.element.span(),
                     quote(node.name) + " loops over a child that is never running: the update does not end while it " +
                         (is_repeat ? "succeeds" : "fails"),
                     "let the child run for some time, or limit the number");
  }

  void check_superfluous(const ReadNode& node) {
    const bool is_plain = node.built() == Built::sequence || node.built() == Built::fallback;
    if (!is_plain || node.declaration->row == nullptr || node.children.size() != 1 ||
        !node.element.attributes().empty())
      return;
    reporter_.report(rules::BTC_superfluous_composite, node.element.span(),
                     "this " + quote(node.id) + " has one child, and does nothing");
  }

  // ---- Outcomes

  Outcomes own_outcomes(const ReadNode& node, const std::vector<Outcomes>& children) {
    switch (known_built(node)) {
      case Built::subtree: {
        const ReadTree* const tree = project_.tree_of(node);
        if (tree == nullptr) return kCompleted | kRunning;  // as a node that nobody declares
        const Outcomes outcomes = outcomes_of(*tree);
        return is_stub(*tree) ? kCompleted | kRunning : outcomes;
      }
      case Built::always_success:
      case Built::script:
      case Built::unset_blackboard:
        return kSuccess;
      case Built::always_failure:
        return kFailure;
      case Built::script_condition: {
        const std::optional<bool> truth = node.script(Hook::own).checked.truth;
        return truth ? *truth ? kSuccess : kFailure : kCompleted;
      }
      case Built::set_blackboard:
      case Built::was_entry_updated:
        return kCompleted;
      case Built::sleep:
        return literal_number(node, "msec") == 0.0 ? kSuccess : kSuccess | kRunning;
      case Built::none:
        return results_of_host(*node.declaration, children);
      default:
        break;
    }
    if (children.empty()) return kCompleted | kRunning | kSkipped;
    return node.declaration->kind == NodeKind::decorator ? of_decorator(node, children[0]) : of_control(node, children);
  }

  static Outcomes of_decorator(const ReadNode& node, Outcomes child) {
    const Outcomes rest = child & (kRunning | kSkipped);
    const bool is_done = (child & kCompleted) != 0;
    switch (node.built()) {
      case Built::inverter:
        return swapped(child);
      case Built::force_success:
        return rest | (is_done ? kSuccess : 0);
      case Built::force_failure:
        return rest | (is_done ? kFailure : 0);
      case Built::keep_running:
        return (child & kFailure) | ((child & ~kFailure) != 0 ? kRunning : 0);
      case Built::repeat:
        return of_loop(child, literal_number(node, "num_cycles"));
      case Built::retry:
        return swapped(of_loop(swapped(child), literal_number(node, "num_attempts")));
      case Built::timeout:
        return child | ((child & kRunning) != 0 && literal_number(node, "msec") != 0.0 ? kFailure : 0);
      case Built::delay:
      case Built::wait_value_update:
      case Built::rate_controller:
        return child | kRunning;
      case Built::run_once:
        return child | (outcome_of_flag(node) ? kSkipped : 0);
      case Built::precondition: {
        const std::optional<bool> truth = node.script(Hook::own).checked.truth;
        const Outcomes otherwise = outcome_of_port(node, "else", "FAILURE");
        if (truth) return *truth ? child : otherwise;
        return child | otherwise;
      }
      case Built::loop:
        return (child & kFailure) | kRunning | outcome_of_port(node, "if_empty", "SUCCESS");
      case Built::skip_unless_updated:
        return child | kSkipped;
      case Built::single_trigger:
        return child | kFailure;
      default:
        return child;
    }
  }

  static bool outcome_of_flag(const ReadNode& node) {
    const ReadPort* const port = node.find_port("then_skip");
    return port == nullptr || port->value.is_pointer || port->value.literal() == "1" ||
           port->value.literal()[0] == 't' || port->value.literal()[0] == 'T';
  }

  // A Repeat. Between two cycles it runs for a moment, in which its parents look again.
  static Outcomes of_loop(Outcomes child, std::optional<double> count) {
    if (count == 0.0) return kSuccess;
    Outcomes result = child & (kFailure | kRunning | kSkipped);
    if ((child & kSuccess) == 0) return result;
    if (count != -1.0) result |= kSuccess;
    if (count != 1.0) result |= kRunning;
    return result;
  }

  static Outcomes of_control(const ReadNode& node, const std::vector<Outcomes>& children) {
    switch (node.built()) {
      case Built::sequence:
      case Built::reactive_sequence:
      case Built::pipeline_sequence:
        return of_sequence(children, false);
      case Built::persistent_sequence:
        return without_skipped(of_sequence(children, false));
      case Built::async_sequence:
      case Built::sequence_with_memory:
        return of_sequence(children, true);
      case Built::fallback:
      case Built::reactive_fallback:
        return swapped(of_sequence(all_swapped(children), false));
      case Built::async_fallback:
        return swapped(of_sequence(all_swapped(children), true));
      case Built::if_then_else:
      case Built::while_do_else:
        return of_choice(children);
      case Built::try_catch:
        return of_try(children);
      default:
        return of_any(children);
    }
  }

  static std::vector<Outcomes> all_swapped(std::vector<Outcomes> children) {
    for (Outcomes& child : children) child = swapped(child);
    return children;
  }
  static Outcomes without_skipped(Outcomes outcomes) {
    return (outcomes & kSkipped) == 0 ? outcomes : static_cast<Outcomes>((outcomes & ~kSkipped) | kSuccess);
  }

  // `is_async`: it runs for a moment between two children.
  static Outcomes of_sequence(const std::vector<Outcomes>& children, bool is_async) {
    Outcomes result = 0;
    bool can_be_skipped = true;
    bool can_succeed = false;
    for (std::size_t i = 0; i < children.size(); ++i) {
      const Outcomes child = children[i];
      result |= child & (kFailure | kRunning);
      if ((child & (kSuccess | kSkipped)) == 0) return result;
      if (is_async && i + 1 < children.size() && (child & kSuccess) != 0) result |= kRunning;
      can_be_skipped = can_be_skipped && (child & kSkipped) != 0;
      can_succeed = can_succeed || (child & kSuccess) != 0;
    }
    return result | (can_succeed ? kSuccess : 0) | (can_be_skipped ? kSkipped : 0);
  }

  static Outcomes of_choice(const std::vector<Outcomes>& children) {
    Outcomes result = children[0] & kRunning;
    if ((children[0] & kSuccess) != 0 && children.size() > 1) result |= children[1];
    if ((children[0] & kFailure) != 0) result |= children.size() > 2 ? children[2] : kFailure;
    return result;
  }

  static Outcomes of_try(const std::vector<Outcomes>& children) {
    const std::vector<Outcomes> tried(children.begin(), children.end() - 1);
    Outcomes result = of_sequence(tried, false);
    if ((result & kFailure) != 0) result = static_cast<Outcomes>(result | (children.back() & kRunning));
    return result;
  }

  // Of controls whose children are ticked whatever the others do.
  static Outcomes of_any(const std::vector<Outcomes>& children) {
    Outcomes result = kCompleted;
    bool can_be_skipped = true;
    for (const Outcomes child : children) {
      result |= child & kRunning;
      can_be_skipped = can_be_skipped && (child & kSkipped) != 0;
    }
    return result | (can_be_skipped ? kSkipped : 0);
  }

  static Outcomes with_hooks(const ReadNode& node, Outcomes own) {
    constexpr Outcomes kGives[] = {kFailure, kSuccess, kSkipped, kSkipped};
    Outcomes before = 0;
    for (std::size_t i = 0; i < kConditionCount; ++i) {
      if (!node.script(static_cast<Hook>(i)).attribute) continue;
      const std::optional<bool> truth = node.script(static_cast<Hook>(i)).checked.truth;
      const bool stops_at = static_cast<Hook>(i) != Hook::while_true;
      if (!truth) {
        before |= kGives[i];
      } else if (*truth == stops_at) {
        return before | kGives[i];
      }
    }
    return before | own;
  }

  const ReadProject& project_;
  Reporter& reporter_;
  std::map<const ReadTree*, Outcomes> by_tree_;
  SureRuns runs_;
  std::uint32_t depth_ = 0;  // of subtrees in one another
  bool is_quiet_ = false;    // in a place that is never ticked, which has been reported
};

}  // namespace

void check_outcomes(const ReadProject& project, Reporter& reporter) {
  OutcomeCheck check(project, reporter);
  for (const ReadTree& tree : project.trees) {
    if (tree.root != nullptr && !tree.has_errors) check.check(tree);
  }
}

}  // namespace espalier::dialects::btcpp
