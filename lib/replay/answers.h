// What the host answers, as a trace scripts it: one answer a call; the last one stays.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "replay/line.h"

namespace espalier::replay {

enum class Answer : std::uint8_t {
  running,
  success,
  failure,  // and false, and 0
  refuse,   // the behaviour does not start; in trees of rules nothing is bound to the name
};

// What a name may answer.
struct AnswerForms {
  bool has_words = true;         // else numbers, true and false
  bool has_refusal = true;       // "refuse" is one of the words
  bool has_running = true;       // so is "running"
  Answer yes = Answer::success;  // what true means, and a number other than 0
};

class Answers {
 public:
  // One answer, or a list of them. A fault when the host cannot answer so.
  [[nodiscard]] std::optional<LineFault> read(const text::JsonValue& answers, const AnswerForms& forms);
  Answer take() { return take_scripted().word; }
  // 1 where the answer is true, running or success.
  double take_number() { return take_scripted().number; }
  Answer next() const { return (*list_)[next_].word; }

 private:
  // An answer as both that may be asked for.
  struct Scripted {
    Answer word;
    double number;
  };
  static std::optional<Scripted> parse(const text::JsonValue& value, const AnswerForms& forms);
  const Scripted& take_scripted();

  std::shared_ptr<const std::vector<Scripted>> list_;  // of all agents that a line is for
  std::size_t next_ = 0;
};

// By the name that the host is asked for.
using AnswersByName = std::map<std::string, Answers, std::less<>>;

}  // namespace espalier::replay
