// The words of explored.h.
#include "report/explored.h"

#include "report/json_text.h"
#include "report/line_view.h"

namespace espalier::report {
namespace {

std::string pairs_words(const Json& object, const std::string& between);

// An answer that writes outputs: "success with weight 10".
std::string value_words(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_object() && value.contains("answer") && value.contains("out"))
    return value_words(value.at("answer")) + " with " + pairs_words(value.at("out"), " ");
  if (!value.is_array()) return json_line(value);
  std::string words;
  for (const Json& item : value) words += (words.empty() ? "" : ", ") + value_words(item);
  return words.empty() ? "none" : words;
}

// "Alerted true, Hurt false"
std::string pairs_words(const Json& object, const std::string& between) {
  std::string words;
  for (const auto& [name, value] : object.items()) {
    words.append(words.empty() ? "" : ", ").append(name).append(between).append(value_words(value));
  }
  return words;
}

std::string words_of(const Json& step) {
  const auto has = [&](const char* key) { return step.contains(key); };
  const auto text = [&](const char* key) { return value_words(step.at(key)); };
  std::string words;
  if (has("tick")) {
    const double seconds = step.at("tick").is_number() ? step.at("tick").get<double>() : 0;
    constexpr double kUsual = 0.1;
    words = seconds == kUsual ? "tick" : "tick " + text("tick") + " s";
  } else if (has("set")) {
    words = "set " + pairs_words(step.at("set"), " ");
  } else if (has("host")) {
    words = pairs_words(step.at("host"), " answers ");
  } else if (has("stimulus")) {
    words = (step.value("clear", false) ? "clear stimulus " : "stimulus ") + text("stimulus");
  } else if (has("halt")) {
    words = "halt";
  } else if (has("jump")) {
    words = step.at("jump").is_null() ? "reset" : "jump to " + text("jump");
  } else if (has("inject") && step.at("inject").is_object()) {
    const Json& inject = step.at("inject");
    const bool is_emptied = !inject.contains("tree") || inject.at("tree").is_null();
    const std::string slot = inject.contains("slot") ? value_words(inject.at("slot")) : "";
    words = is_emptied ? "empty slot " + slot : "inject " + value_words(inject.at("tree")) + " into " + slot;
  } else {
    words = pairs_words(Json{{step.begin().key(), step.begin().value()}}, " ");
  }
  if (has("agent")) words += " (agent " + text("agent") + ')';
  return words;
}

}  // namespace

std::string step_words(std::string_view line) {
  const Json step = Json::parse(line, nullptr, false);
  return step.is_object() && !step.empty() ? words_of(step) : std::string(line);
}

std::string steps_words(std::span<const std::string> steps) {
  std::string words;
  for (std::size_t i = 0; i < steps.size();) {
    std::size_t end = i + 1;
    while (end < steps.size() && steps[end] == steps[i]) ++end;
    words += (words.empty() ? "" : ", ") + step_words(steps[i]);
    if (end - i > 1) words += " (" + std::to_string(end - i) + " times)";
    i = end;
  }
  return words.empty() ? "nothing" : words;
}

std::string grouped(std::uint64_t number) {
  constexpr std::size_t kDigits = 3;
  std::string text = std::to_string(number);
  for (std::size_t i = text.size(); i > kDigits; i -= kDigits) text.insert(i - kDigits, 1, ',');
  return text;
}

std::string place_text(const explore::SourcePlace& place) {
  std::string text = place.file;
  if (place.line != 0) text += ':' + std::to_string(place.line);
  if (place.line != 0 && place.column != 0) text += ':' + std::to_string(place.column);
  return text;
}

}  // namespace espalier::report
