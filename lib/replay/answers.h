// What the host answers, as a trace scripts it: one answer a call, the last one stays.
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
  success,  // and true, and a number other than 0
  failure,  // and false, and 0
  refuse,   // selection trees: the behaviour does not start; trees of rules: nothing is bound to the name
};

class Answers {
 public:
  // One answer, or a list of them. A fault when the host cannot answer so.
  [[nodiscard]] std::optional<LineFault> read(const text::JsonValue& answers, bool may_refuse);
  Answer take();
  Answer next() const { return (*list_)[next_]; }

 private:
  std::shared_ptr<const std::vector<Answer>> list_;  // of all agents that a line is for
  std::size_t next_ = 0;
};

// By the name that the host is asked for.
using AnswersByName = std::map<std::string, Answers, std::less<>>;

}  // namespace espalier::replay
