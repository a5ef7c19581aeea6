// A host that answers by dice: see the header.
#include "runtime_ticking_host.h"

namespace espalier::test {

std::string text_of(const Note& note) {
  constexpr const char* kWords[] = {"enter", "update", "gate",  "event", "leave",     "interrupt", "script", "log",
                                    "queue", "memory", "begin", "end",   "cut short", "sends",     "changes"};
  return std::string(kWords[static_cast<std::size_t>(note.what)]) + " " + std::to_string(note.node) + " (" +
         std::to_string(note.value) + ")";
}

std::uint32_t number_in(std::string_view text) {
  std::uint32_t number = 99;
  for (const char letter : text) {
    if (letter >= '0' && letter <= '9') number = static_cast<std::uint32_t>(letter - '0');
  }
  return number;
}

Functions functions_of(std::string_view behavior) {
  const std::uint32_t number = number_in(behavior);
  return {number != 1, number != 2, number != 3 && number != 5, number != 4, number != 5, number != 1};
}

void DiceHost::meddle() {
  constexpr std::uint32_t kMaxDepth = 3;
  if (depth_ == kMaxDepth || !random_.chance(meddle_percent_)) return;
  ++depth_;
  const std::uint32_t count = 1 + random_.below(2);
  for (std::uint32_t i = 0; i < count; ++i) {
    if (random_.chance(40)) {
      const std::uint32_t variable = random_.below(agent.variable_count);
      agent.set(variable, random_.chance(50));
    } else {
      agent.raise(random_.below(agent.signal_count));
    }
  }
  --depth_;
}

void DiceHost::tell(Told what, std::uint32_t node, std::uint32_t value) {
  note(what, node, value);
  meddle();
}

void DiceHost::use(unsigned char* memory, std::size_t size_bytes, std::uint32_t node) {
  if (size_bytes == 0) return;
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < size_bytes; ++i) {
    sum = 31 * sum + memory[i];
    memory[i] = static_cast<unsigned char>(random_.below(256));
  }
  note(Told::memory, node, sum);
}

Result DiceHost::update(std::uint32_t node) {
  if (answer_instead) return static_cast<Result>(answer_instead(Told::update, node));
  const std::uint32_t dice = random_.below(10);
  const Result answer = dice < 4 ? Result::running : dice < 7 ? Result::success : Result::failure;
  tell(Told::update, node, static_cast<std::uint32_t>(answer));
  return answer;
}

bool DiceHost::gate(std::uint32_t node) {
  if (answer_instead) return answer_instead(Told::gate, node) != 0;
  const bool answer = random_.chance(75);
  tell(Told::gate, node, answer ? 1 : 0);
  return answer;
}

bool DiceHost::script(std::uint32_t node, std::uint32_t script) {
  if (answer_instead) return answer_instead(Told::script, node) != 0;
  const bool answer = random_.chance(60);
  tell(Told::script, node, script);
  return answer;
}

}  // namespace espalier::test
