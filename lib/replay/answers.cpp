// Scripted answers. See answers.h.
#include "replay/answers.h"

#include <utility>

#include "rules/traces.h"

namespace espalier::replay {
namespace {

using rules::Rule;
using text::JsonKind;
using text::JsonValue;

LineFault form_fault(const JsonValue& value, const AnswerForms& forms) {
  LineFault fault{rules::TRC_wrong_value, value.span, "not a valid answer of a behaviour"};
  if (!forms.has_words) {
    fault.message = "not a valid answer of a Decide function";
    fault.hint = "answers are numbers, true (1) and false (0)";
    return fault;
  }
  if (!forms.has_running) fault.message = "not a valid answer of a condition";
  if (!forms.has_refusal && value.string == "refuse") fault.message = "the actions of this tree can fail, not refuse";
  fault.hint = std::string("answers are ") + (forms.has_running ? "\"running\", " : "") + "\"success\", \"failure\", " +
               (forms.has_refusal ? "\"refuse\", " : "") + (forms.has_skipped ? "\"skipped\", " : "") +
               "true, false and numbers";
  if (forms.has_ports) fault.hint += R"(, or {"answer": ..., "out": {"port": value}, "unread": ["port"]})";
  return fault;
}

}  // namespace

std::optional<TraceValue> trace_value(const JsonValue& value) {
  switch (value.kind) {
    case JsonKind::boolean:
      return TraceValue{TraceValue::Kind::boolean, value.boolean ? 1.0 : 0.0};
    case JsonKind::number:
      return TraceValue{value.is_whole ? TraceValue::Kind::whole : TraceValue::Kind::real, value.number, value.string};
    case JsonKind::string:
      return TraceValue{TraceValue::Kind::text, 0, value.string};
    default:
      return std::nullopt;
  }
}

// {"answer": A, "out": {"port": value}, "unread": ["port"]}
std::optional<Answers::Scripted> Answers::parse_with_ports(const JsonValue& value, const AnswerForms& forms) {
  const JsonValue* const answer = value.find("answer");
  if (answer == nullptr) return std::nullopt;
  std::optional<Scripted> scripted = parse(*answer, forms);
  if (!scripted) return std::nullopt;
  for (std::size_t i = 0; i < value.keys.size(); ++i) {
    const std::string& key = value.keys[i].name;
    const JsonValue& ports = value.values[i];
    if (key == "answer") continue;
    if (key == "unread" && ports.kind == JsonKind::list) {
      UnreadPorts unread;
      for (const JsonValue& port : ports.values) {
        if (port.kind != JsonKind::string) return std::nullopt;
        unread.push_back(port.string);
      }
      scripted->unread = std::make_shared<const UnreadPorts>(std::move(unread));
    } else if (key == "out" && ports.kind == JsonKind::object) {
      TraceOutputs outputs;
      for (std::size_t k = 0; k < ports.keys.size(); ++k) {
        std::optional<TraceValue> written = trace_value(ports.values[k]);
        if (!written) return std::nullopt;
        outputs.push_back({ports.keys[k].name, std::move(*written)});
      }
      scripted->outputs = std::make_shared<const TraceOutputs>(std::move(outputs));
    } else {
      return std::nullopt;
    }
  }
  return scripted;
}

std::optional<Answers::Scripted> Answers::parse(const JsonValue& value, const AnswerForms& forms) {
  static const std::pair<std::string_view, Scripted> kWords[] = {{"running", {Answer::running, 1}},
                                                                 {"success", {Answer::success, 1}},
                                                                 {"failure", {Answer::failure, 0}},
                                                                 {"refuse", {Answer::refuse, 0}},
                                                                 {"skipped", {Answer::skipped, 0}}};
  const auto truth = [&](double number) { return Scripted{number != 0 ? forms.yes : Answer::failure, number}; };
  if (value.kind == JsonKind::boolean) return truth(value.boolean ? 1 : 0);
  if (value.kind == JsonKind::number) {
    Scripted scripted = truth(value.number);
    scripted.is_number = true;
    return scripted;
  }
  if (value.kind == JsonKind::object && forms.has_ports) return parse_with_ports(value, forms);
  if (value.kind != JsonKind::string || !forms.has_words) return std::nullopt;
  for (const auto& [word, scripted] : kWords) {
    if (word != value.string) continue;
    const bool is_known = scripted.word == Answer::refuse    ? forms.has_refusal
                          : scripted.word == Answer::running ? forms.has_running
                          : scripted.word == Answer::skipped ? forms.has_skipped
                                                             : true;
    if (is_known) return scripted;
  }
  return std::nullopt;
}

std::optional<LineFault> Answers::read(const JsonValue& answers, const AnswerForms& forms) {
  if (answers.kind != JsonKind::list) {
    const std::optional<Scripted> scripted = parse(answers, forms);
    if (!scripted) return form_fault(answers, forms);
    only_ = *scripted;
    return std::nullopt;
  }
  std::vector<Scripted> list;
  for (const JsonValue& answer : answers.values) {
    const std::optional<Scripted> scripted = parse(answer, forms);
    if (!scripted) return form_fault(answer, forms);
    list.push_back(*scripted);
  }
  if (list.empty()) return LineFault{rules::TRC_wrong_value, answers.span, "an empty list of answers"};
  list_ = std::make_shared<const std::vector<Scripted>>(std::move(list));
  return std::nullopt;
}

script::Value Answers::take_value() {
  const Scripted& scripted = take_scripted();
  script::Value value;
  value.kind = scripted.is_number ? script::ValueKind::number : script::ValueKind::boolean;
  value.number = scripted.number;
  value.boolean = scripted.word != Answer::failure;
  return value;
}

std::uint8_t Answers::words() const {
  const auto bit = [](const Scripted& scripted) { return 1u << static_cast<unsigned>(scripted.word); };
  if (list_ == nullptr) return static_cast<std::uint8_t>(bit(only_));
  unsigned words = 0;
  for (const Scripted& scripted : *list_) words |= bit(scripted);
  return static_cast<std::uint8_t>(words);
}

const Answers::Scripted& Answers::take_scripted() {
  if (list_ == nullptr) return only_;
  const Scripted& scripted = (*list_)[next_];
  if (next_ + 1 < list_->size()) ++next_;
  return scripted;
}

}  // namespace espalier::replay
