// Scripts that run when nodes are halted. See entry_checks.h.
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "dialects/btcpp/entry_checks.h"

namespace espalier::dialects::btcpp {
namespace {

class HaltCheck {
 public:
  HaltCheck(EntryFacts& facts, const ReadProject& project, Reporter& reporter)
      : facts_(facts), project_(project), reporter_(reporter) {}

  void check() {
    for (const HaltedScript& halted : facts_.halted()) check(*halted.script, *halted.board);
  }

 private:
  // Before the first update, when only ports and literals have made entries. The scripts run in the order of nodes.
  void check(const ReadScript& script, Board& board) {
    for (const ScriptUse& use : script.checked.uses) {
      Entry& entry = facts_.resolve(board, use.name);
      const bool is_there = entry.is_made || has_value(entry);
      if (use.use != EntryUse::read) {
        if (use.use == EntryUse::assign && !is_there) return report(script, use, "may not be there");
        if (const char* const fault = fault_of_value(entry, use)) return report(script, use, fault);
        given_.insert(&entry);
        continue;
      }
      if (!has_value(entry)) return report(script, use, is_there ? "may have no value" : "may not be there");
    }
  }

  bool has_value(const Entry& entry) const {
    return entry.is_literal || given_.count(&entry) != 0 || is_written_by_host(entry);
  }

  bool is_written_by_host(const Entry& entry) const {
    if (project_.entries == nullptr) return false;
    const auto& of_main = facts_.boards().front().entries;
    return std::any_of(project_.entries->begin(), project_.entries->end(), [&](const std::string& name) {
      const auto found = of_main.find(name);
      return found != of_main.end() && &found->second == &entry;
    });
  }

  // An entry that holds a text keeps that kind.
  static const char* fault_of_value(const Entry& entry, const ScriptUse& use) {
    const bool holds_text = entry.is_literal && !entry.type.is_number();
    return holds_text && use.is_number ? "holds a text" : nullptr;
  }

  void report(const ReadScript& script, const ScriptUse& use, std::string_view why) {
    reporter_.report(Rule::BTC_on_halted_throws, script.attribute.value_span(use.begin, use.end),
                     quote(use.name) + ' ' + std::string(why) +
                         " when the tree is destroyed: then '_onHalted' throws, and the process ends",
                     "the library then runs '_onHalted' of every node, even of idle ones; ':=' creates the entry");
  }

  EntryFacts& facts_;
  const ReadProject& project_;
  Reporter& reporter_;
  std::set<const Entry*> given_;  // by scripts that ran before
};

}  // namespace

void check_halts(EntryFacts& facts, const ReadProject& project, Reporter& reporter) {
  HaltCheck(facts, project, reporter).check();
}

}  // namespace espalier::dialects::btcpp
