// What properties speak of. See about.h.
#include "explore/property/about.h"

#include <algorithm>
#include <charconv>

#include "explore/property/events.h"
#include "replay/answers.h"

namespace espalier::explore {

bool speaks_of(const text::JsonValue& expectation, std::string_view key) {
  const bool is_here = std::any_of(expectation.keys.begin(), expectation.keys.end(),
                                   [&](const text::JsonValue::Key& each) { return each.name == key; });
  return is_here || std::any_of(expectation.values.begin(), expectation.values.end(),
                                [&](const text::JsonValue& value) { return speaks_of(value, key); });
}

namespace {

bool has_text(const text::JsonValue& value) {
  return value.kind == text::JsonKind::string || std::any_of(value.values.begin(), value.values.end(), has_text);
}

// Is an expectation about the data of stimuli?
bool speaks_of_data(const text::JsonValue& expectation) {
  const text::JsonValue* stimuli = expectation.find("stimuli");
  return (stimuli != nullptr && has_text(*stimuli)) ||
         std::any_of(expectation.values.begin(), expectation.values.end(), speaks_of_data);
}

}  // namespace

bool is_blurred(const World& world, const Property& property) {
  for (const Condition* condition : conditions_of(property)) {
    const bool names_flags = world.has_flag_classes() && speaks_of(condition->value, "flags");
    if (names_flags || speaks_of(condition->value, "timestamps") || speaks_of_data(condition->value)) return true;
  }
  return false;
}

// ---- Entries

namespace {

void add_expected(const text::JsonValue& entries, std::vector<ExpectedEntry>& expected) {
  for (std::size_t i = 0; i < entries.keys.size(); ++i) {
    const std::string& key = entries.keys[i].name;
    const text::JsonValue* value = &entries.values[i];
    while (value->kind == text::JsonKind::object && value->find("not") != nullptr) value = value->find("not");
    const std::size_t slash = key.rfind('/');
    const std::size_t name = slash == std::string::npos ? 0 : slash + 1;
    ExpectedEntry entry = {.path = name == 0 ? "" : key.substr(0, slash), .name = key.substr(name)};
    if (const auto wanted = replay::trace_value(*value)) entry.value = *wanted;
    expected.push_back(std::move(entry));
  }
}

void add_expected_in(const text::JsonValue& expectation, std::vector<ExpectedEntry>& expected) {
  for (std::size_t i = 0; i < expectation.values.size(); ++i) {
    const text::JsonValue* value = &expectation.values[i];
    if (expectation.keys.empty() || expectation.keys[i].name != "variables") {
      add_expected_in(*value, expected);
      continue;
    }
    while (value->keys.size() == 1 && value->keys.front().name == "not") value = &value->values.front();
    add_expected(*value, expected);
  }
}

}  // namespace

std::vector<ExpectedEntry> expected_of(const Property& property, const Tree& tree) {
  std::vector<ExpectedEntry> expected = event_entries(property, tree);
  for (const Condition* condition : conditions_of(property)) {
    if (condition->kind != Condition::Kind::step) {
      add_expected_in(condition->value, expected);
    } else if (const text::JsonValue* set = condition->value.find("set")) {
      add_expected(*set, expected);
    }
  }
  return expected;
}

// ---- Conditions

bool speaks_of(const Property& property, std::string_view key) {
  const auto conditions = conditions_of(property);
  return std::any_of(conditions.begin(), conditions.end(),
                     [&](const Condition* condition) { return speaks_of(condition->value, key); });
}

std::vector<const Condition*> steps_of(const Property& property) {
  std::vector<const Condition*> steps = conditions_of(property);
  std::erase_if(steps, [](const Condition* condition) { return condition->kind != Condition::Kind::step; });
  return steps;
}

bool has_data(const Condition& step, const Property& property) {
  return step.value.find("data") != nullptr && speaks_of_data(property.claim.value);
}

// ---- Agents

EventOfAgent split_event(std::string_view event) {
  const std::size_t digits = event.find_first_not_of("0123456789");
  if (digits == 0 || digits == std::string_view::npos || event[digits] != ':') return {.text = event};
  std::uint32_t agent = 0;
  if (std::from_chars(event.data(), event.data() + digits, agent).ec != std::errc()) agent = 0xFFFFFFFF;
  return {.agent = agent, .text = event.substr(digits + 1)};
}

namespace {

AgentSet bit_of(std::uint32_t agent) { return agent < 32 ? AgentSet{1} << agent : 0; }

// `of_list`: that of a list of what different agents do.
AgentSet agents_in(const text::JsonValue& expectation, AgentSet of_list) {
  AgentSet agents = 0;
  for (std::size_t i = 0; i < expectation.keys.size(); ++i) {
    const std::string& key = expectation.keys[i].name;
    const text::JsonValue* value = &expectation.values[i];
    if (key == "not") {
      agents |= agents_in(*value, of_list);
      continue;
    }
    while (value->keys.size() == 1 && value->keys.front().name == "not") value = &value->values.front();
    if (key == "event") {
      agents |= bit_of(split_event(value->string).agent.value_or(0));
    } else if (key == "agents" && value->kind == text::JsonKind::list) {
      agents |= of_list;
    } else if (key == "agents") {
      for (const text::JsonValue::Key& number : value->keys)
        agents |= bit_of(split_event(number.name + ':').agent.value_or(0));
    } else if (key != "inside") {
      agents |= bit_of(0);
    }
  }
  return agents;
}

}  // namespace

AgentSet agents_of(const Condition& condition) {
  const AgentSet agents = condition.kind == Condition::Kind::step ? 0 : agents_in(condition.value, kAnyAgent);
  return agents == 0 ? bit_of(0) : agents;
}

AgentSet named_agents(const Condition& condition) {
  if (condition.kind != Condition::Kind::step) return agents_in(condition.value, 0);
  const text::JsonValue* const agent = condition.value.find("agent");
  if (agent == nullptr || agent->kind != text::JsonKind::number) return 0;
  return bit_of(static_cast<std::uint32_t>(agent->number));
}

}  // namespace espalier::explore
