// Runs the scripts of a tree that polls: instructions for a stack of values (format/records.h, PollOp).
#pragma once
#include "poll/blackboard.h"

namespace espalier {

// The bytes of the texts that one script can join.
inline constexpr std::size_t kScriptTexts = std::size_t{2} * layout::kMaxTextBytes;

class ScriptRun {
 public:
  ScriptRun(const PollTreeView& tree, const Blackboard& board) : tree_(tree), board_(board) {}

  // `script`: its number in the tree.
  PollFault run(std::uint32_t script);
  // The truth of the value of its last statement.
  PollFault run(std::uint32_t script, bool* truth);
  // After a fault: the name of the entry that it is about; empty: it is about none, or about several.
  std::string_view culprit() const { return culprit_ == 0 ? std::string_view() : name_of(culprit_); }

 private:
  // A value, in less memory: all of them are on the stack of the program.
  struct Slot {
    union {
      std::int64_t whole;
      double real;
      const char* text;
    };
    std::uint32_t text_bytes;
    ValueKind kind;
    PollType made_as;
    std::uint16_t source;  // the key that the value was loaded by, plus 1; 0: none, or a larger one
  };
  static_assert(sizeof(Slot) <= 16);

  PollFault step(const layout::Instruction& instruction, std::uint32_t* next);
  PollFault calculate(layout::PollOp op);
  PollFault join();
  PollFault compare(std::uint32_t comparison, bool* holds);
  PollFault assign(layout::PollOp op, std::uint32_t key);
  PollFault truth_of(const PollValue& value, bool* truth) const;
  bool push(const PollValue& value);
  // The same for the value of a key.
  bool push(const PollValue& value, std::uint32_t key);
  static std::uint16_t source_of(std::uint32_t key) {
    return key < UINT16_MAX ? static_cast<std::uint16_t>(key + 1) : std::uint16_t{0};
  }
  std::string_view name_of(std::uint32_t source) const { return tree_.name(tree_.keys[source - 1].name); }
  // A fault of the operand that is so many below the top, or of a key.
  PollFault blame(std::uint32_t below, PollFault fault) {
    culprit_ = depth_ > below ? slots_[depth_ - 1 - below].source : std::uint32_t{0};
    return fault;
  }
  PollFault blame_key(std::uint32_t key, PollFault fault) {
    culprit_ = key + 1;
    return fault;
  }
  // The value on the stack that is so many below the top.
  PollValue value(std::uint32_t below) const;
  void set_value(std::uint32_t below, const PollValue& value);
  const char* keep(std::string_view text);

  const PollTreeView& tree_;
  const Blackboard& board_;
  std::uint32_t depth_ = 0;
  std::size_t used_ = 0;
  std::uint32_t culprit_ = 0;  // a key, plus 1
  Slot slots_[layout::kMaxScriptValues];
  char texts_[kScriptTexts];
};

}  // namespace espalier
