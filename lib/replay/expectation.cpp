// Checking `expect` lines. See expectation.h.
#include "replay/expectation.h"

#include <algorithm>

#include "replay/strategy.h"
#include "text/json.h"
#include "text/names.h"

namespace espalier::replay {
namespace {

using text::JsonKind;
using text::JsonValue;

// The whole value in the line, including the quotes of a string.
text::Span whole_span(const JsonValue& value) {
  if (value.kind != JsonKind::string) return value.span;
  return {value.span.file, value.span.begin - 1, value.span.end + 1};
}

// Where the events differ.
std::string note_of_events(const std::vector<std::string>& expected, std::span<const std::string> actual) {
  const auto [differs, is] = std::mismatch(expected.begin(), expected.end(), actual.begin(), actual.end());
  if (differs == expected.end()) return "beyond those expected: " + text::json_string(*is);
  if (is == actual.end()) return "did not happen: " + text::json_string(*differs);
  if (expected.size() <= 1) return {};
  return "the first that differs is number " + std::to_string(is - actual.begin() + 1) + ": " + text::json_string(*is) +
         " instead of " + text::json_string(*differs);
}

// Events whose expected text has the place of their node get that text.
void take_places(const JsonValue& object, const Session& session, std::vector<std::string>& events) {
  const std::vector<KeptEvent>& kept = session.log().since_last();
  for (std::size_t i = 0; i < object.keys.size(); ++i) {
    const JsonValue* value = &object.values[i];
    if (object.keys[i].name == "not" && value->kind == JsonKind::object) take_places(*value, session, events);
    while (value->kind == JsonKind::object && value->find("not") != nullptr) value = value->find("not");
    if (object.keys[i].name == "event") {
      for (std::size_t event = session.log().older_count(); event < events.size(); ++event) {
        if (session.has_place(kept[event], value->string, true)) events[event] = value->string;
      }
    }
    if (object.keys[i].name != "events") continue;
    for (std::size_t event = 0; event < std::min(value->values.size(), events.size()); ++event) {
      const std::string& text = value->values[event].string;
      if (text != events[event] && session.has_place(kept[event], text)) events[event] = text;
    }
  }
}

}  // namespace

Expectations::Expectations(Session& session) : session_(session) {
  compiler_.events_of_run.is_made = [&session](std::string_view name) { return session.is_made(name); };
  compiler_.events_of_run.place_fault = [&session](const PlacedName& placed, text::Span span) {
    return session.place_fault(placed, span);
  };
}

std::vector<LineFault> Expectations::check(std::string_view text, const Line& line, bool may_be_unknown,
                                           std::vector<Failure>* failures) {
  text_ = text;
  failures_ = failures;
  std::vector<std::string> events;
  if (names_key(*line.value, "events") || names_key(*line.value, "event")) {
    events = session_.log().since_last(session_.agents().are_several());
    take_places(*line.value, session_, events);
  }
  const auto last = std::span<const std::string>(events).subspan(events.empty() ? 0 : session_.log().older_count());
  const std::vector<ObservedAgent> agents =
      names_key(*line.value, "agents") ? all_agents() : std::vector<ObservedAgent>();
  std::vector<LineFault> faults = compile(line, [&](const Check& check, std::optional<std::uint32_t> agent) {
    if (!agent) return compare(check, {session_.agents().view_of_all(), std::nullopt, events, last, &agents}, agent);
    compare(check, {session_.agents().view(*agent), session_.agents()[*agent].state.status, events, last}, agent);
  });
  if (!may_be_unknown) faults.insert(faults.end(), compiler_.unknown.begin(), compiler_.unknown.end());
  std::stable_sort(failures->begin(), failures->end(),
                   [](const Failure& a, const Failure& b) { return a.span.begin < b.span.begin; });
  return faults;
}

std::vector<ObservedAgent> Expectations::all_agents() const {
  std::vector<std::uint32_t> living;
  session_.agents().add_living(&living);
  std::vector<ObservedAgent> all;
  for (const std::uint32_t agent : living)
    all.push_back({agent, session_.agents().view(agent), session_.agents()[agent].state.status});
  return all;
}

std::vector<LineFault> Expectations::check_names(const Line& line) {
  std::vector<LineFault> faults = compile(line, [](const Check&, std::optional<std::uint32_t>) {});
  faults.insert(faults.end(), compiler_.unknown.begin(), compiler_.unknown.end());
  return faults;
}

std::vector<LineFault> Expectations::compile(const Line& line, const Compare& compare) {
  compiler_.unknown.clear();
  EventsOfRun& run = compiler_.events_of_run;
  run.assets = session_.agents().assets();
  run.compared = session_.log().expected();
  run.agent_count = session_.agents().count();
  run.has_several_agents = session_.agents().are_several();
  const JsonValue& object = *line.value;
  const std::vector<Tree> trees = session_.agents().trees();
  std::vector<LineFault> faults;
  std::optional<std::vector<std::uint32_t>> agents;
  for (std::size_t i = 0; i < object.keys.size(); ++i) {  // with only keys for all agents, the agent may be destroyed
    if (agents || is_of_all_agents(object.keys[i], object.values[i])) continue;
    if (auto fault = session_.agents().targets(line, &agents.emplace())) return {std::move(*fault)};
  }
  for (std::size_t i = 0; i < object.keys.size(); ++i) {
    const auto compile_for = [&](const Tree& tree, Check* check) {
      auto fault = compiler_.compile_key(object.keys[i], object.values[i], tree, trees, check);
      if (fault) faults.push_back(std::move(*fault));
      return !fault;
    };
    if (!agents || is_of_all_agents(object.keys[i], object.values[i])) {
      if (Check check; compile_for(session_.agents().tree(), &check)) compare(check, std::nullopt);
      continue;
    }
    Check check;
    bool is_compiled = true;
    Tree compiled_for = {};
    for (const std::uint32_t agent : *agents) {
      session_.agents().act_as(agent);
      const Tree tree = session_.agents().tree();
      if (compiled_for.asset != tree.asset || compiled_for.index != tree.index) {
        check = {};
        compiled_for = tree;
        is_compiled = compile_for(tree, &check);
      }
      if (!is_compiled) break;
      compare(check, agent);
    }
  }
  return faults;
}

// The values of an object fail one by one, unless it is negated.
void Expectations::compare(const Check& check, const Observed& observed, std::optional<std::uint32_t> agent) {
  if (check.is_object && !check.is_negated) {
    for (const Check& part : check.parts) compare(part, observed, agent);
  } else if (!holds(check, observed)) {
    fail(check, observed, agent);
  }
}

void Expectations::fail(const Check& check, const Observed& observed, std::optional<std::uint32_t> agent) {
  Failure failure;
  failure.span = whole_span(*check.value);
  failure.key = key_text(check);
  failure.agent = agent;
  failure.expected = text_.substr(failure.span.begin, failure.span.end - failure.span.begin);
  failure.actual = actual_json(check, observed);
  failure.is_negation = check.key == nullptr;
  if (failure.is_negation) failure.expected = "{\"not\": " + failure.expected + '}';
  if (!check.is_negated && failure.key == "events") failure.note = note_of_events(check.texts, observed.events);
  failures_->push_back(std::move(failure));
}

}  // namespace espalier::replay
