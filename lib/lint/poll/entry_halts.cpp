// Scripts that run when nodes are halted. See entry_facts.h.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lint/poll/entry_facts.h"

#include "rules/btcpp.h"

namespace espalier::lint {
namespace {

// What an entry holds, as far as it is certain.
struct Held {
  enum class Kind : std::uint8_t { nothing, unknown, text, number, own };
  Kind kind = Kind::nothing;
  std::optional<Constant> constant = {};  // of a text or number that is known
  bool is_whole = false;                  // a number without a fraction, which it cannot get
};

Held held_constant(const Constant& constant) {
  if (constant.text) return {Held::Kind::text, constant, false};
  return {Held::Kind::number, constant, constant.is_whole};
}

Held held_type(const Type& type) {
  switch (type.kind) {
    case TypeKind::text:
      return {Held::Kind::text};
    case TypeKind::boolean:
    case TypeKind::whole:
      return {Held::Kind::number, {}, true};
    case TypeKind::real:
      return {Held::Kind::number};
    case TypeKind::own:
      return {Held::Kind::own};
    default:
      return {Held::Kind::unknown};
  }
}

// What nodes put there, if all of them put values of one kind. A text may be converted to the type of the entry.
Held held_later(const Entry& entry) {
  const Puts& puts = entry.puts;
  const int kinds = (puts.text ? 1 : 0) + (puts.number ? 1 : 0) + (puts.own ? 1 : 0);
  const bool is_converted = entry.is_made && puts.text && entry.type.is_kept() && entry.type.kind != TypeKind::text;
  if (kinds != 1 || puts.is_other || is_converted) return {Held::Kind::unknown};
  if (puts.text) return {Held::Kind::text};
  if (puts.own) return {Held::Kind::own};
  return {Held::Kind::number, {}, puts.is_whole};
}

Constant literal_of(const Entry& entry) {
  if (!entry.type.is_number()) return {0, false, entry.literal_text};
  double number = 0;
  std::from_chars(entry.literal_text.data(), entry.literal_text.data() + entry.literal_text.size(), number);
  return {number, entry.type.kind == TypeKind::whole, {}};
}

bool is_made_by_unknown_port(const Entry& entry) {
  return entry.is_made && !entry.is_literal && !entry.by_untyped_port && entry.type.kind == TypeKind::untyped;
}

class HaltCheck {
 public:
  HaltCheck(EntryFacts& facts, const PollAnalysis& analysis)
      : facts_(facts), analysis_(analysis), project_(analysis.project) {}

  void check() {
    find_listed();
    for (const HaltedScript& halted : facts_.halted) check(*halted.script, *halted.board);
  }

 private:
  // The program writes these of the main tree first.
  void find_listed() {
    for (auto& [name, entry] : facts_.boards.front().entries) {
      if (project_.has_listed(name)) held_.emplace(&entry, held_type(entry.type));
    }
  }

  // Before the first update, when only ports and literals have made entries. The scripts run in the order of nodes.
  void check(const WrittenScript& script, Board& board) {
    const auto throws = [](const ScriptFinding& each) { return each.rule == rules::BTC_script_type; };
    const auto& known = script.checked.findings;
    if (std::any_of(known.begin(), known.end(), throws)) return;  // whatever the entries hold, which is reported
    const Constants constants = constants_of(script, board);
    for (const ScriptUse& use : script.checked.uses) {
      if (check_use(script, use, facts_.resolve(board, use.name))) return;
    }
    if (constants.empty()) return;
    const CheckedScript checked = check_script(script.script, project_.enums, false, &constants);
    const auto found = std::find_if(checked.findings.begin(), checked.findings.end(), throws);
    if (found == checked.findings.end()) return;
    report(script, found->begin, found->end, found->message.substr(0, found->message.find(": the library throws")));
  }

  // What the script finds in entries that are named once.
  Constants constants_of(const WrittenScript& script, Board& board) {
    Constants constants;
    std::map<const Entry*, std::string_view> names;
    for (const ScriptUse& use : script.checked.uses) {
      const Entry& entry = facts_.resolve(board, use.name);
      const Held held = held_by(entry);
      const auto [name, is_new] = names.emplace(&entry, use.name);
      if (!is_new && name->second != use.name) return {};
      if (held.constant) constants.emplace(use.name, *held.constant);
    }
    return constants;
  }

  Held held_by(const Entry& entry) const {
    if (const auto found = held_.find(&entry); found != held_.end()) return found->second;
    return entry.is_literal ? held_constant(literal_of(entry)) : Held{};
  }

  // Has a fault been reported?
  bool check_use(const WrittenScript& script, const ScriptUse& use, Entry& entry) {
    const Held held = held_by(entry);
    const bool is_there = entry.is_made || held.kind != Held::Kind::nothing;
    if (!is_there && use.use != EntryUse::create) return report_use(script, use, "may not be there", true);
    if (use.use == EntryUse::read) {
      if (held.kind == Held::Kind::nothing) return report_use(script, use, "may have no value", true);
      if (held.kind == Held::Kind::text && use.is_operand) return report_use(script, use, "holds a string");
      if (held.kind == Held::Kind::own && (use.is_operand || use.is_joined))
        return report_use(script, use, "holds a value of type " + quote(shown(entry.type)));
      return false;
    }
    if (const std::string fault = fault_of(entry, held, use); !fault.empty())
      return report_use(script, use, "holds " + fault);
    if (held.kind == Held::Kind::nothing) {
      if (const std::string fault = fault_of_first(entry, use); !fault.empty()) return report_use(script, use, fault);
      // Once the nodes have been ticked it may hold what they put there.
      const std::string later = is_made_by_unknown_port(entry) ? "" : fault_of(entry, held_later(entry), use);
      if (!later.empty()) return report_later(script, use, entry, "may hold " + later);
    }
    held_[&entry] = held_after(entry, held, use);
    return false;
  }

  // Why the entry cannot take what is assigned: "a string"; empty: it can, or this is not known.
  std::string fault_of(const Entry& entry, const Held& held, const ScriptUse& use) const {
    if (held.kind == Held::Kind::text && use.is_number) return "a string";
    if (held.kind == Held::Kind::own && use.is_number) return "a value of type " + quote(shown(entry.type));
    if (held.kind != Held::Kind::number || !use.value) return {};
    const Constant& value = *use.value;
    if (value.text) {
      if (use.is_kept) return "a number";
      const bool is_converted = entry.type.is_kept() ? check_literal(entry.type, *value.text) != LiteralFault::bad
                                                     : is_number_text(*value.text, project_.enums);
      return is_converted ? "" : "a number, which " + quote(*value.text) + " is not,";
    }
    if (!held.is_whole || use.is_kept || value.number == std::trunc(value.number)) return {};
    return "an integer, which " + text::shown(value.number) + " is not,";
  }

  // The same for an entry without a value: the type of the port that made it says how a text is read.
  std::string fault_of_first(const Entry& entry, const ScriptUse& use) const {
    if (!use.is_text || !use.value || !entry.is_made) return {};
    const std::string type = "is of type " + quote(shown(entry.type));
    if (entry.type.kind == TypeKind::any || entry.type.kind == TypeKind::status) return type + ", which no string is,";
    if (check_literal(entry.type, *use.value->text) != LiteralFault::bad) return {};
    return type + ", which " + quote(*use.value->text) + " is not,";
  }

  static Held held_after(const Entry& entry, const Held& held, const ScriptUse& use) {
    if (held.kind == Held::Kind::number) {
      const bool is_known = !use.is_kept && use.value && !use.value->text;
      return {Held::Kind::number, is_known ? use.value : std::nullopt, held.is_whole};
    }
    if (held.kind == Held::Kind::text) return {Held::Kind::text, use.is_kept ? std::nullopt : use.value};
    if (held.kind != Held::Kind::nothing) return {Held::Kind::unknown};
    const bool is_read_by_type = use.is_text && entry.is_made && entry.type.kind != TypeKind::text;
    if (is_read_by_type && entry.type.kind != TypeKind::untyped) return held_type(entry.type);
    if (use.value) return held_constant(*use.value);
    return {use.is_number ? Held::Kind::number : use.is_text ? Held::Kind::text : Held::Kind::unknown};
  }

  bool report_use(const WrittenScript& script, const ScriptUse& use, const std::string& why, bool is_missing = false) {
    report(script, use.begin, use.end, quote(use.name) + ' ' + why, is_missing);
    return true;
  }

  bool report_later(const WrittenScript& script, const ScriptUse& use, const Entry& entry, const std::string& why) {
    const Puts& puts = entry.puts;
    const std::optional<Moment>& put = puts.text ? puts.text : puts.number ? puts.number : puts.own;
    analysis_.report(rules::BTC_on_halted_throws, script.place(use.begin, use.end), quote(use.name) + ' ' + why + kThen,
                     kEveryNode, {put->span, "it is written here"});
    return true;
  }

  void report(const WrittenScript& script, std::uint32_t begin, std::uint32_t end, const std::string& what,
              bool is_missing = false) {
    analysis_.report(rules::BTC_on_halted_throws, script.place(begin, end), what + kThen,
                     std::string(kEveryNode) + (is_missing ? "; ':=' creates the entry" : ""));
  }

  static constexpr const char* kThen = " when the tree is destroyed: then '_onHalted' throws, and the process ends";
  static constexpr const char* kEveryNode = "the library then runs '_onHalted' of every node, even of idle ones";

  EntryFacts& facts_;
  const PollAnalysis& analysis_;
  const WrittenProject& project_;
  std::map<const Entry*, Held> held_;  // given by the program and by scripts that ran before
};

}  // namespace

void check_halts(EntryFacts& facts, const PollAnalysis& analysis) { HaltCheck(facts, analysis).check(); }

}  // namespace espalier::lint
