// Names and words in expected events. See expected_events.h.
#include "replay/expected_events.h"

#include <algorithm>
#include <charconv>
#include <string>

#include "replay/names.h"
#include "replay/strategy.h"
#include "rules/traces.h"
#include "text/names.h"

namespace espalier::replay {
namespace {

using rules::Rule;

constexpr std::string_view kPollFaults[] = {
#define POLL_FAULT(name, text) text,
#include "runtime/poll/faults.def"
#undef POLL_FAULT
};
constexpr std::string_view kRootSucceeded = "The root node SUCCEEDED.";
constexpr std::string_view kRootFailed = "The root node FAILED.";
constexpr std::string_view kRestarts = " Rebooting the tree next frame.";

// Of a written kind; `count`: there is none.
EventKind kind_called(std::string_view name) {
  for (unsigned i = 0; is_written(static_cast<EventKind>(i)); ++i) {
    if (name_of(static_cast<EventKind>(i)) == name) return static_cast<EventKind>(i);
  }
  return EventKind::count;
}

bool contains(const EventNames::Names& names, std::string_view name) { return names.find(name) != names.end(); }

std::vector<std::string_view> listed_names(const EventNames::Names& names) { return {names.begin(), names.end()}; }

bool is_number(std::string_view value) {
  double number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  return error == std::errc() && end == value.data() + value.size();
}

// What is between `before` and `after`; nothing: the text is not of this form.
std::optional<std::string_view> between(std::string_view text, std::string_view before, std::string_view after) {
  if (!text.starts_with(before) || !text.ends_with(after) || text.size() < before.size() + after.size()) return {};
  return text.substr(before.size(), text.size() - before.size() - after.size());
}

// "Find object" and "path home" of "Find object path home", if the first is a name: names may have blanks.
template <typename IsName>
std::optional<std::pair<std::string_view, std::string_view>> split_at_name(std::string_view words,
                                                                           const IsName& is_name) {
  for (std::size_t blank = words.find(' '); blank != std::string_view::npos; blank = words.find(' ', blank + 1)) {
    if (is_name(words.substr(0, blank))) return std::pair(words.substr(0, blank), words.substr(blank + 1));
  }
  return std::nullopt;
}

}  // namespace

ExpectedEvents::Fault ExpectedEvents::check(const text::JsonValue& event, const EventsOfRun& run) {
  run_ = &run;
  span_ = event.span;
  names_.use(run.assets);
  std::string_view text = event.string;
  std::string_view agent;
  const std::size_t digits = text.find_first_not_of("0123456789");
  if (digits != 0 && digits != std::string_view::npos && text[digits] == ':') {
    agent = text.substr(0, digits);
    text.remove_prefix(digits + 1);
  }
  const std::string_view word = kind_ = text.substr(0, text.find(' '));
  if (word.empty()) {
    const std::size_t blanks = std::min(text.find_first_not_of(' '), text.size());
    const std::string prefix(event.string, 0, event.string.size() - text.size());
    return LineFault{rules::TRC_unknown_name, span_, "the event has no kind",
                     blanks == text.size() ? "write an event as it is shown, such as 'enter NAME'"
                                           : "write " + text::quote(prefix + std::string(text.substr(blanks)))};
  }
  const EventKind kind = kind_called(word);
  if (auto fault = check_kind(word, kind)) return fault;
  if (auto fault = check_words(kind, text.substr(std::min(text.size(), word.size() + 1)))) return fault;
  return check_agent(agent);
}

ExpectedEvents::Fault ExpectedEvents::check_begin(const text::JsonValue& event, const EventsOfRun& run) {
  may_lack_value_ = true;
  Fault fault = check(event, run);
  may_lack_value_ = false;
  return fault;
}

ExpectedEvents::Fault ExpectedEvents::check_kind(std::string_view word, EventKind kind) const {
  if (kind == EventKind::count) return unknown("event kind", word, kind_names());
  const bool is_of_nodes = has_nodes(run_->compared) && kind == EventKind::interrupt;
  if (!run_->compared.has(kind) && !is_of_nodes) {
    return LineFault{rules::TRC_unknown_name, span_,
                     "events of the kind " + text::quote(word) + " are not compared in this trace",
                     "\"events\" of the first line lists those that are"};
  }
  const auto can_have = [&](EngineId engine) { return kinds_of(engine).has(kind); };
  bool can_happen = is_of_nodes || kind == EventKind::signal;  // a trace may send signals to any tree
  for (unsigned i = 0; i < kEngineIds; ++i) {
    can_happen = can_happen || (names_.has(static_cast<EngineId>(i)) && can_have(static_cast<EngineId>(i)));
  }
  if (can_happen) return std::nullopt;
  return LineFault{rules::TRC_unknown_name, span_,
                   trees_text([&](EngineId engine) { return names_.has(engine); }) + " have no events of the kind " +
                       text::quote(word),
                   "they are of " + trees_text(can_have)};
}

ExpectedEvents::Fault ExpectedEvents::check_agent(std::string_view digits) const {
  const auto fault = [&](std::string message, std::string hint) {
    return LineFault{rules::TRC_no_such_agent, span_, std::move(message), std::move(hint)};
  };
  std::uint32_t index = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
  if (!digits.empty() && (error != std::errc() || index >= run_->agent_count)) {
    return fault("unknown agent " + std::string(digits),
                 run_->agent_count == 1
                     ? "there is only agent 0"
                     : "agents count from 0: the last one is " + std::to_string(run_->agent_count - 1));
  }
  if (digits.empty() != run_->has_several_agents || !run_->is_negated) return std::nullopt;
  return digits.empty() ? fault("the event does not say which agent it is of", "write '0:' before its kind")
                        : fault("events of a trace with one agent do not name it", "leave out '0:'");
}

ExpectedEvents::Fault ExpectedEvents::check_words(EventKind kind, std::string_view words) {
  const std::vector<std::string_view> truths = {"true", "false"};
  switch (kind) {
    case EventKind::enter:
    case EventKind::leave:
    case EventKind::reset:
      return check_name("behaviour", words, List::behaviors);
    case EventKind::interrupt:
      if (has_nodes(run_->compared) && knows(List::nodes, words)) return check_name("node", words, List::nodes);
      return check_name("behaviour", words, List::behaviors);
    case EventKind::tick:
      return check_valued("behaviour", words, List::behaviors, results(false));
    case EventKind::refuse:
      if (knows(List::conditions, words)) return check_name("condition", words, List::conditions);
      return check_name("behaviour", words, List::behaviors);
    case EventKind::ask: {
      std::vector<std::string_view> answers = truths;
      if (names_.has(EngineId::poll)) answers.insert(answers.end(), {"running", "skipped"});
      const bool is_decorator = knows(List::behaviors, words.substr(0, words.rfind(' ')));
      return is_decorator ? check_valued("behaviour", words, List::behaviors, answers)
                          : check_valued("condition", words, List::conditions, answers);
    }
    case EventKind::decide:
      return check_valued("decider", words, List::deciders, {});
    case EventKind::set:  // entries of blackboards are made by traces and hosts
      return names_.has(EngineId::poll) ? std::nullopt : check_valued("variable", words, List::variables, truths);
    case EventKind::send:
      return names_.sends_any() ? std::nullopt : check_name("signal", words, List::sent);
    case EventKind::signal:
      return is_made(words) ? std::nullopt : check_name("signal", words, List::signals);
    case EventKind::read:
      return check_input(words);
    case EventKind::status:
      return check_value(words, results(true));
    case EventKind::begin_node:
      return check_name("node", words, List::nodes);
    case EventKind::complete_node:
      return check_valued("node", words, List::nodes, results(false));
    case EventKind::log:
      return check_log(words);
    case EventKind::error:
      return check_error(words);
    case EventKind::print:
      if (words == "active" || words == "all") return std::nullopt;
      return unknown("view", words, {"active", "all"});
    default:
      return std::nullopt;
  }
}

// ---- Names --------------------------------------------------------------------------------------

LineFault ExpectedEvents::unknown(std::string_view what, std::string_view name,
                                  const std::vector<std::string_view>& names) const {
  return {rules::TRC_unknown_name, span_, "unknown " + std::string(what) + ' ' + text::quote(name),
          text::did_you_mean(name, names)};
}

bool ExpectedEvents::knows(List list, std::string_view name) {
  const EventNames::Names& names = names_.names(list);
  const std::optional<PlacedName> placed = read_place(name);
  return contains(names, name) || (placed && contains(names, placed->name));
}

ExpectedEvents::Fault ExpectedEvents::check_place(std::string_view name, const EventNames::Names& names) const {
  if (contains(names, name) || !run_->place_fault) return std::nullopt;
  const std::optional<PlacedName> placed = read_place(name);
  return placed ? run_->place_fault(*placed, span_) : std::nullopt;
}

ExpectedEvents::Fault ExpectedEvents::check_name(const char* what, std::string_view name, List list) {
  const EventNames::Names& names = names_.names(list);
  return knows(list, name) ? check_place(name, names) : unknown(what, name, listed_names(names));
}

// ---- Values -------------------------------------------------------------------------------------

// Those of an update are of the tree, the others of its nodes.
std::vector<std::string_view> ExpectedEvents::results(bool of_update) const {
  std::vector<std::string_view> words;
  for (const Result result : kUpdateResults) {
    const std::string quoted = '"' + std::string(result_name(result)) + '"';
    bool is_possible = false;
    for (unsigned i = 0; i < kEngineIds; ++i) {
      const auto engine = static_cast<EngineId>(i);
      if (!names_.has(engine)) continue;
      const bool is_of_nodes = result != Result::error && (result != Result::skipped || engine == EngineId::poll);
      const bool is_of_update = strategy_of(engine).statuses.find(quoted) != std::string_view::npos;
      is_possible = is_possible || (of_update ? is_of_update : is_of_nodes);
    }
    if (is_possible) words.push_back(result_name(result));
  }
  return words;
}

ExpectedEvents::Fault ExpectedEvents::check_valued(const char* what, std::string_view words, List list,
                                                   const std::vector<std::string_view>& values) {
  const std::size_t blank = words.rfind(' ');
  const std::string_view name = words.substr(0, blank);
  const bool has_value = blank != std::string_view::npos && (knows(list, name) || !knows(list, words));
  if (has_value || !knows(list, words)) {
    if (auto fault = check_name(what, name, list)) return fault;
    return check_value(words.substr(blank + 1), values);
  }
  if (may_lack_value_) return check_name(what, words, list);
  const std::string value = values.empty() ? "1" : std::string(values.front());
  return LineFault{
      rules::TRC_unknown_name, span_, "the event of " + text::quote(words) + " has no value",
      "write it as it is shown, such as " + text::quote(std::string(kind_) + ' ' + std::string(words) + ' ' + value)};
}

ExpectedEvents::Fault ExpectedEvents::check_value(std::string_view value,
                                                  const std::vector<std::string_view>& values) const {
  const bool is_truth = !values.empty() && values.front() == "true";
  if (values.empty() ? is_number(value) : std::find(values.begin(), values.end(), value) != values.end()) return {};
  LineFault fault = unknown(values.empty() ? "number" : is_truth ? "value" : "result", value, values);
  if (fault.hint.empty() && !values.empty()) fault.hint = "expected one of " + listed(values);
  return fault;
}

// "NODE PORT VALUE"; the value may be a text with blanks, or none.
ExpectedEvents::Fault ExpectedEvents::check_input(std::string_view words) {
  const auto is_node = [&](std::string_view name) {
    return knows(List::behaviors, name) || knows(List::conditions, name);
  };
  const auto found = split_at_name(words, is_node);
  if (!found) return unknown("node", words.substr(0, words.find(' ')), listed_names(names_.names(List::behaviors)));
  const auto& [node, rest] = *found;
  const bool is_action = knows(List::behaviors, node);
  if (auto fault = check_place(node, names_.names(is_action ? List::behaviors : List::conditions))) return fault;

  const EventNames::Names& inputs = names_.names(List::inputs);
  const std::optional<PlacedName> placed = read_place(node);
  const bool is_whole = knows(List::behaviors, node) && contains(names_.names(List::behaviors), node);
  const std::string begin = std::string(placed && !is_whole ? placed->name : node) + ' ';
  const auto is_input = [&](std::string_view port) { return contains(inputs, begin + std::string(port)); };
  if (split_at_name(rest, is_input)) return std::nullopt;
  if (is_input(rest) && may_lack_value_) return std::nullopt;
  if (is_input(rest)) {
    return LineFault{rules::TRC_unknown_name, span_, "the event of input " + text::quote(rest) + " has no value",
                     "write it as it is shown, such as " + text::quote("read " + std::string(words) + " home")};
  }
  std::vector<std::string_view> ports;
  for (auto input = inputs.lower_bound(begin); input != inputs.end() && input->starts_with(begin); ++input) {
    ports.push_back(std::string_view(*input).substr(begin.size()));
  }
  return unknown("input", rest.substr(0, rest.find(' ')), ports);
}

// ---- Texts --------------------------------------------------------------------------------------

ExpectedEvents::Fault ExpectedEvents::check_log(std::string_view text) {
  const EventNames::Names& logs = names_.names(List::logs);
  return contains(logs, text) ? std::nullopt : Fault(unknown("text of the log", text, listed_names(logs)));
}

// What the engines report; see the calls of Session::go_wrong().
ExpectedEvents::Fault ExpectedEvents::check_error(std::string_view text) {
  std::vector<std::string_view> known;
  if (names_.has(EngineId::rule)) known.insert(known.end(), {"tree failed", "run-away"});
  if (names_.has(EngineId::decide)) known.emplace_back("redecides");
  const std::string_view fault = text.substr(0, text.find(": '"));  // "an entry has no value: 'goal'"
  if (names_.has(EngineId::poll)) known.insert(known.end(), std::begin(kPollFaults), std::end(kPollFaults));
  const bool is_known = std::find(known.begin(), known.end(), text) != known.end();
  const bool is_of_polling = std::find(std::begin(kPollFaults), std::end(kPollFaults), fault) != std::end(kPollFaults);
  if (is_known || (names_.has(EngineId::poll) && is_of_polling)) return std::nullopt;
  if (names_.has(EngineId::tick) && is_error_of_ticking(text)) return std::nullopt;
  if (names_.has(EngineId::store) && is_error_of_storing(text)) return std::nullopt;
  const std::string whole[] = {std::string(kRootSucceeded).append(kRestarts),
                               std::string(kRootFailed).append(kRestarts)};
  if (names_.has(EngineId::tick)) known.insert(known.end(), {kRootSucceeded, kRootFailed, whole[0], whole[1]});
  LineFault unknown_error = unknown("error", text, known);
  if (unknown_error.hint.empty() && fault != text) unknown_error.hint = text::did_you_mean(fault, known);
  if (unknown_error.hint.empty()) unknown_error.hint = "write the text that a replay shows, with --events error";
  return unknown_error;
}

bool ExpectedEvents::is_error_of_ticking(std::string_view text) {
  for (const std::string_view root : {kRootSucceeded, kRootFailed}) {
    if (!text.starts_with(root)) continue;
    text.remove_prefix(root.size());
    if (text.starts_with(kRestarts)) text.remove_prefix(kRestarts.size());
    return text.empty() || text.starts_with(" (");  // the nodes that completed
  }
  if (const auto variable = between(text, "The variable '", "' is not declared.")) {
    return names_.has_scripts() || is_made(*variable);
  }
  if (const auto event = between(text, "The event '", "' was not handled: no tree is running.")) {
    return is_made(*event) || contains(names_.names(List::signals), *event);
  }
  if (names_.has_preludes()) return true;  // whose errors have any text
  const std::string_view script = text.starts_with('(') ? text.substr(std::min(text.find(") "), text.size())) : text;
  const std::string_view name = script.starts_with(") ") ? script.substr(2) : script;
  return names_.has_scripts() && contains(names_.names(List::conditions), name.substr(0, name.find(": ")));
}

bool ExpectedEvents::is_error_of_storing(std::string_view text) {
  const std::string_view word = text.substr(0, text.find(' '));
  const std::string_view rest = text.substr(std::min(text.size(), word.size() + 1));
  const auto is_slot = [&](std::string_view name) { return contains(names_.names(List::slots), name); };
  const auto is_tree = [&](std::string_view name) { return contains(names_.names(List::trees), name); };
  if (word == "depth") return is_slot(rest);
  if (word != "inject") return false;
  for (std::size_t blank = rest.find(' '); blank != std::string_view::npos; blank = rest.find(' ', blank + 1)) {
    const std::string_view slot = rest.substr(0, blank);
    const std::string_view tree = rest.substr(blank + 1);
    if ((is_slot(slot) || is_made(slot)) && (tree == "None" || is_tree(tree) || is_made(tree))) return true;
  }
  return false;
}

}  // namespace espalier::replay
