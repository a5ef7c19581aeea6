// A host for the tests of trees that tick: it answers by dice, modifies the agent that it is called for, and records
// all calls. The runtime and the model each get one with the same dice, so both must record the same.
#pragma once
#include <cstdint>
#include <espalier/espalier.hpp>
#include <functional>
#include <string>
#include <vector>

#include "runtime_random_trees.h"

namespace espalier::test {

enum class Told : std::uint8_t {
  enter,   // of a behaviour's node
  update,  // value: the answer, a Result
  gate,    // value: the answer, 0 or 1
  event,   // value: the signal
  leave,
  interrupt,
  script,     // value: the script's text as a number
  log,        // value: the text as a number
  queue,      // value: the signal, then the receivers in the next bits
  memory,     // of the action that is called next; value: what it was
  begins,     // from here on: reported to a watcher
  completes,  // value: a Result
  interrupted,
  sends,    // value: the signal
  changes,  // node: a variable; value: 0 or 1
};

struct Note {
  Told what;
  std::uint32_t node;  // its number in the order of the file
  std::uint32_t value;
  friend bool operator==(const Note&, const Note&) = default;
};
std::string text_of(const Note& note);

// What a host may do with an agent while it is called for it.
struct Meddling {
  std::function<void(std::uint32_t signal)> raise;
  std::function<void(std::uint32_t variable, bool value)> set;
  std::uint32_t signal_count = 0;
  std::uint32_t variable_count = 0;
};

// The functions that a behaviour has; the same for all with its name.
struct Functions {
  bool enter, leave, interrupt, action, gate, event;
};
Functions functions_of(std::string_view behavior);

class DiceHost {
 public:
  DiceHost(std::uint64_t seed, std::uint32_t meddle_percent) : random_{seed}, meddle_percent_(meddle_percent) {}
  Meddling agent;
  // If set: it answers what it is asked, a Result or whether it is true.
  std::function<std::uint32_t(Told what, std::uint32_t node)> answer_instead;

  void note(Told what, std::uint32_t node, std::uint32_t value = 0) { notes_.push_back({what, node, value}); }
  // Records the memory that comes with a call, which the host then fills with something else.
  void use(unsigned char* memory, std::size_t size_bytes, std::uint32_t node);
  // Records a call; the host may modify the agent.
  void tell(Told what, std::uint32_t node, std::uint32_t value = 0);
  // The same, with an answer.
  Result update(std::uint32_t node);
  bool gate(std::uint32_t node);
  bool script(std::uint32_t node, std::uint32_t script);

  const std::vector<Note>& notes() const { return notes_; }
  void clear() { notes_.clear(); }

 private:
  void meddle();

  Random random_;
  std::uint32_t meddle_percent_;
  std::uint32_t depth_ = 0;  // nesting of the events that it raises
  std::vector<Note> notes_;
};

// The number in a log text or a script, or 99 if there is none.
std::uint32_t number_in(std::string_view text);

}  // namespace espalier::test
