// Scripted answers. See answers.h.
#include "replay/answers.h"

#include <utility>

namespace espalier::replay {
namespace {

using rules::Rule;
using text::JsonKind;
using text::JsonValue;

std::optional<Answer> to_answer(const JsonValue& value) {
  constexpr std::pair<std::string_view, Answer> kWords[] = {{"running", Answer::running},
                                                            {"success", Answer::success},
                                                            {"failure", Answer::failure},
                                                            {"refuse", Answer::refuse}};
  if (value.kind == JsonKind::boolean) return value.boolean ? Answer::success : Answer::failure;
  if (value.kind == JsonKind::number) return value.number != 0 ? Answer::success : Answer::failure;
  if (value.kind != JsonKind::string) return std::nullopt;
  for (const auto& [word, answer] : kWords) {
    if (word == value.string) return answer;
  }
  return std::nullopt;
}

}  // namespace

std::optional<LineFault> Answers::read(const JsonValue& answers, bool may_refuse) {
  std::vector<Answer> list;
  const auto add = [&](const JsonValue& value) -> std::optional<LineFault> {
    const std::optional<Answer> answer = to_answer(value);
    if (answer && (may_refuse || answer != Answer::refuse)) {
      list.push_back(*answer);
      return std::nullopt;
    }
    return LineFault{Rule::TRC_wrong_value, value.span,
                     answer ? "the actions of this tree can fail, not refuse" : "a behaviour cannot answer this",
                     std::string("answers are \"running\", \"success\", \"failure\", ") +
                         (may_refuse ? "\"refuse\", " : "") + "true, false and numbers"};
  };
  if (answers.kind != JsonKind::list) {
    if (auto fault = add(answers)) return fault;
  } else {
    for (const JsonValue& answer : answers.values) {
      if (auto fault = add(answer)) return fault;
    }
    if (list.empty()) return LineFault{Rule::TRC_wrong_value, answers.span, "a list of answers needs at least one"};
  }
  list_ = std::make_shared<const std::vector<Answer>>(std::move(list));
  return std::nullopt;
}

Answer Answers::take() {
  const Answer answer = (*list_)[next_];
  if (next_ + 1 < list_->size()) ++next_;
  return answer;
}

}  // namespace espalier::replay
