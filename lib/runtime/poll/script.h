// Runs the scripts of a tree that polls: instructions for a stack of values (format/records.h, PollOp).
#pragma once
#include "poll/blackboard.h"
#include "poll/plain_script.h"

namespace espalier {

// The bytes of the texts that one script can join.
inline constexpr std::size_t kScriptTexts = std::size_t{2} * layout::kMaxTextBytes;

class ScriptRun {
 public:
  ScriptRun(const PollTreeView& tree, const Blackboard& board) : tree_(tree), board_(board) {}

  // From `first` on. `truth` gets that of the value of its last statement; null: it is not needed.
  PollFault run(const ScriptCode& script, const layout::Instruction* first, bool* truth);
  // After a fault: the name of the entry that it is about; empty: it is about none, or about several.
  std::string_view culprit() const { return culprit_ == 0 ? std::string_view() : name_of(culprit_); }

 private:
  PollFault load(std::uint32_t key, PollValue* loaded);
  // Of the two operands from `left` on; the result takes the place of the left one.
  PollFault calculate(layout::PollOp op, PollValue* left);
  PollFault calculate_slowly(layout::PollOp op, PollValue* left);
  PollFault join(PollValue* left);
  PollFault compare(std::uint32_t comparison, const PollValue* left, bool* holds);
  PollFault change(layout::PollOp op, PollValue* operand);
  PollFault assign(layout::PollOp op, std::uint32_t key, PollValue* value, bool is_used);
  PollFault truth_of(const PollValue& value, bool* truth);
  static std::uint16_t source_of(std::uint32_t key) {
    return key < UINT16_MAX ? static_cast<std::uint16_t>(key + 1) : std::uint16_t{0};
  }
  std::string_view name_of(std::uint32_t source) const { return tree_.name(tree_.keys[source - 1].name); }
  // A fault of an operand, or of a key.
  PollFault blame(const PollValue& operand, PollFault fault) {
    culprit_ = operand.source;
    return fault;
  }
  PollFault blame_key(std::uint32_t key, PollFault fault) {
    culprit_ = key + 1;
    return fault;
  }
  const char* keep(std::string_view text);
  PollFault keep(PollValue* text);

  const PollTreeView& tree_;
  const Blackboard& board_;
  std::size_t used_ = 0;
  std::uint32_t culprit_ = 0;  // a key, plus 1
  // Values, above two that are none: those of an operation that has no operands. Without initialisers, as the texts:
  // most is never used.
  PollValue values_[2 + layout::kMaxScriptValues];
  char texts_[kScriptTexts];
};

}  // namespace espalier
