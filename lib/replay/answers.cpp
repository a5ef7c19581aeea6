// Scripted answers. See answers.h.
#include "replay/answers.h"

#include <utility>

namespace espalier::replay {
namespace {

using rules::Rule;
using text::JsonKind;
using text::JsonValue;

LineFault form_fault(const JsonValue& value, const AnswerForms& forms) {
  LineFault fault{Rule::TRC_wrong_value, value.span, "not a valid answer of a behaviour"};
  if (!forms.has_words) {
    fault.message = "not a valid answer of a Decide function";
    fault.hint = "answers are numbers, true (1) and false (0)";
    return fault;
  }
  if (!forms.has_running) fault.message = "not a valid answer of a condition";
  if (!forms.has_refusal && value.string == "refuse") fault.message = "the actions of this tree can fail, not refuse";
  fault.hint = std::string("answers are ") + (forms.has_running ? "\"running\", " : "") + "\"success\", \"failure\", " +
               (forms.has_refusal ? "\"refuse\", " : "") + "true, false and numbers";
  return fault;
}

}  // namespace

std::optional<Answers::Scripted> Answers::parse(const JsonValue& value, const AnswerForms& forms) {
  constexpr std::pair<std::string_view, Scripted> kWords[] = {{"running", {Answer::running, 1}},
                                                              {"success", {Answer::success, 1}},
                                                              {"failure", {Answer::failure, 0}},
                                                              {"refuse", {Answer::refuse, 0}}};
  const auto truth = [&](double number) { return Scripted{number != 0 ? forms.yes : Answer::failure, number}; };
  if (value.kind == JsonKind::boolean) return truth(value.boolean ? 1 : 0);
  if (value.kind == JsonKind::number) {
    Scripted scripted = truth(value.number);
    scripted.is_number = true;
    return scripted;
  }
  if (value.kind != JsonKind::string || !forms.has_words) return std::nullopt;
  for (const auto& [word, scripted] : kWords) {
    if (word != value.string) continue;
    const bool is_known = scripted.word == Answer::refuse    ? forms.has_refusal
                          : scripted.word == Answer::running ? forms.has_running
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
  if (list.empty()) return LineFault{Rule::TRC_wrong_value, answers.span, "an empty list of answers"};
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

const Answers::Scripted& Answers::take_scripted() {
  if (list_ == nullptr) return only_;
  const Scripted& scripted = (*list_)[next_];
  if (next_ + 1 < list_->size()) ++next_;
  return scripted;
}

}  // namespace espalier::replay
