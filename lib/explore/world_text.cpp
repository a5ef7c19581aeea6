// Steps and answers of a world as lines of traces. See world.h.
#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <string>

#include "explore/world.h"
#include "replay/event.h"
#include "text/json.h"

namespace espalier::explore {

std::optional<Answer> answer_of(const HostName& name, const text::JsonValue& written) {
  const auto allowed = [&](Answer answer) {
    const bool is_known = std::find(name.answers.begin(), name.answers.end(), answer) != name.answers.end();
    return is_known ? std::optional(answer) : std::nullopt;
  };
  switch (written.kind) {
    case text::JsonKind::boolean:
      return written.boolean ? Answer::success : Answer::failure;
    case text::JsonKind::number:
      if (!name.is_decided) return written.number != 0 ? Answer::success : Answer::failure;
      if (written.number <= 0) return Answer::failure;
      // Where values are not compared, any that accepts is like another.
      if (written.number == 1 || !allowed(Answer::two)) return Answer::success;
      return written.number == 2 ? allowed(Answer::two) : std::nullopt;
    case text::JsonKind::string:
      // A behaviour of a decider goes on while it is running.
      if (written.string == "running") return allowed(name.is_activated ? Answer::success : Answer::running);
      if (written.string == "success") return name.is_activated ? Answer::failure : Answer::success;
      if (written.string == "failure") return Answer::failure;
      if (written.string == "refuse") return allowed(Answer::refuse);
      if (written.string == "skipped") return allowed(Answer::skipped);
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

std::string text_of(const HostName& name, Answer answer) {
  const auto number = static_cast<std::uint32_t>(answer);
  if (number >= kFirstWithOutputs) {
    const WrittenAnswer& written = name.written[number - kFirstWithOutputs];
    std::string outputs;
    for (const replay::TraceOutput& output : written.outputs) {
      outputs += (outputs.empty() ? "" : ", ") + text::json_string(output.port) + ": " + text_of(output.value);
    }
    return "{\"answer\": " + text_of(name, written.word) + ", \"out\": {" + outputs + "}}";
  }
  if (name.is_decided && !name.is_called && !name.is_activated) {
    return answer == Answer::failure ? "0" : answer == Answer::two ? "2" : "1";
  }
  const bool has_words = name.is_called || name.is_activated;
  switch (answer) {
    case Answer::success:
      return name.is_activated ? "\"running\"" : has_words ? "\"success\"" : "true";
    case Answer::running:
      return "\"running\"";
    case Answer::failure:
      return has_words ? "\"failure\"" : "false";
    case Answer::refuse:
      return "\"refuse\"";
    case Answer::two:
      return "2";
    case Answer::skipped:
      return "\"skipped\"";
    case Answer::none:
      break;
  }
  return "true";
}

namespace {

std::string listed_answers(const HostName& name, std::span<const Answer> answers) {
  std::string text;
  for (const Answer answer : answers) text += (text.empty() ? "" : ", ") + text_of(name, answer);
  return text;
}

}  // namespace

std::string World::line(const Step& step, const std::string& key, const std::string& value) const {
  std::string text = '{' + text::json_string(key) + ": " + value;
  if (step.is_immediate) text += ", \"immediate\": true";
  const bool is_plain_tick = step.kind == StepKind::tick && step.agent == kAllAgents;
  if (!is_plain_tick && agent_count() > 1) {
    text += ", \"agent\": " + (step.agent == kAllAgents ? "\"all\"" : std::to_string(step.agent));
  }
  return text + '}';
}

std::string World::host_text(std::uint32_t agent, std::uint32_t name, std::span<const Answer> answers) const {
  const Step step{.kind = StepKind::host, .agent = static_cast<std::uint8_t>(agent)};
  const std::string words = listed_answers(names_[name], answers);
  return line(
      step, "host",
      '{' + text::json_string(names_[name].name) + ": " + (answers.size() > 1 ? '[' + words + ']' : words) + '}');
}

std::string World::host_text(const std::map<std::uint32_t, Answer>& answers) const {
  std::string words;
  for (const auto& [name, answer] : answers) {
    words += (words.empty() ? "" : ", ") + text::json_string(names_[name].name) + ": " + text_of(names_[name], answer);
  }
  return line({.kind = StepKind::host, .agent = kAllAgents}, "host", '{' + words + '}');
}

std::string World::text(const Step& step) const {
  const auto quoted = [](const std::string& name) { return text::json_string(name); };
  switch (step.kind) {
    case StepKind::signal:
      return line(step, "signal", quoted(signals_[step.id]));
    case StepKind::set:
      return line(step, "set", '{' + quoted(variables_[step.id]) + (step.value != 0 ? ": true}" : ": false}"));
    case StepKind::write:
      return line(step, "set", '{' + quoted(entries_[step.id]) + ": " + text_of(entry_value(step)) + '}');
    case StepKind::halt:
      return line(step, "halt", "true");
    case StepKind::flags: {
      std::string names;
      for (std::size_t i = 0; i < variables_.size(); ++i) {
        if ((step.value >> i & 1) != 0) names += (names.empty() ? "" : ", ") + quoted(variables_[i]);
      }
      return line(step, "flags", '[' + names + ']');
    }
    case StepKind::stimulus: {
      const std::string value = quoted(stimuli_[step.id]) + (step.value != 0 ? "" : ", \"clear\": true");
      return line(step, "stimulus", value);
    }
    case StepKind::jump:
      return line(step, "jump", step.id == kReset ? "null" : quoted(rules_[step.id]));
    case StepKind::inject: {
      const std::string tree = step.value == kNoValue ? "null" : quoted(trees_[static_cast<std::size_t>(step.value)]);
      return line(step, "inject", "{\"slot\": " + quoted(slots_[step.id]) + ", \"tree\": " + tree + '}');
    }
    case StepKind::host: {
      const auto answer = static_cast<Answer>(step.value);
      return host_text(step.agent, step.id, {&answer, 1});
    }
    case StepKind::tick:
      return line(step, "tick", replay::seconds_text(step.time_us));
    case StepKind::nothing:
      return lines_without_effect_[step.id];
    case StepKind::end:
      break;
  }
  return {};
}

}  // namespace espalier::explore
