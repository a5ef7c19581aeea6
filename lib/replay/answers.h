// The host's answers as a trace scripts them: one answer for each call; the last one repeats.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "replay/line.h"
#include "replay/names.h"
#include "script/host.h"

namespace espalier::replay {

enum class Answer : std::uint8_t {
  running,
  success,
  failure,  // also false, and 0
  refuse,   // the behaviour does not start; in trees of rules the name is not bound
  skipped,  // of trees that poll
};

// The answers that are declared for names: bits 1 << Answer, by engine and name. Other names may answer anything.
using DeclaredAnswers = std::map<std::pair<EngineId, std::string>, std::uint8_t>;
inline constexpr std::uint8_t kFailsAnew = 0x80;  // beside them: whenever its node was idle it fails
constexpr bool allows(std::uint8_t answers, Answer answer) {
  return (answers >> static_cast<unsigned>(answer) & 1) != 0;
}

// Nothing if the JSON value is none of these.
std::optional<TraceValue> trace_value(const text::JsonValue& value);

// What an answer writes to an output.
struct TraceOutput {
  std::string port;
  TraceValue value;
};
using TraceOutputs = std::vector<TraceOutput>;
// Inputs that the node does not read when it gives an answer.
using UnreadPorts = std::vector<std::string>;

// The forms of answers that are valid for a name.
struct AnswerForms {
  bool has_words = true;         // otherwise numbers, true and false only
  bool has_refusal = true;       // "refuse" is a valid word
  bool has_running = true;       // "running" is a valid word
  bool has_skipped = false;      // "skipped" is a valid word
  bool has_ports = false;        // {"answer": A, "out": {"port": value}, "unread": ["port"]} is valid
  Answer yes = Answer::success;  // the meaning of true, and of a number other than 0
};

class Answers {
 public:
  // Reads one answer, or a list of answers. Returns a fault if the host cannot give such an answer.
  [[nodiscard]] std::optional<LineFault> read(const text::JsonValue& answers, const AnswerForms& forms);
  Answer take() { return take_scripted().word; }
  // The same, with the outputs that it writes; null: none.
  Answer take(std::shared_ptr<const TraceOutputs>* outputs) {
    const Scripted& scripted = take_scripted();
    *outputs = scripted.outputs;
    return scripted.word;
  }
  // 1 if the answer is true, running or success.
  double take_number() { return take_scripted().number; }
  // As the result of a script's function: a number as a number, anything else as true or false.
  script::Value take_value();
  // All that are scripted: bits 1 << Answer.
  std::uint8_t words() const;
  Answer next() const { return next_scripted().word; }
  // Null: none.
  const UnreadPorts* next_unread() const { return next_scripted().unread.get(); }

 private:
  // An answer in both forms that can be asked for.
  struct Scripted {
    Answer word = Answer::running;
    double number = 0;
    bool is_number = false;
    std::shared_ptr<const TraceOutputs> outputs = nullptr;
    std::shared_ptr<const UnreadPorts> unread = nullptr;
  };
  const Scripted& next_scripted() const { return list_ == nullptr ? only_ : (*list_)[next_]; }
  static std::optional<Scripted> parse_with_ports(const text::JsonValue& value, const AnswerForms& forms);
  static std::optional<Scripted> parse(const text::JsonValue& value, const AnswerForms& forms);
  const Scripted& take_scripted();

  Scripted only_;
  std::shared_ptr<const std::vector<Scripted>> list_;  // in place of `only_`; shared by all agents of a line
  std::size_t next_ = 0;
};

// By the name that the host is asked for.
using AnswersByName = std::map<std::string, Answers, std::less<>>;

}  // namespace espalier::replay
