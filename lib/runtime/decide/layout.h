// Sizes of trees of deciders, which the compiler computes and the verifier checks: how much choosing keeps in scratch
// memory.
//
// While a group chooses, scratch memory has a frame (kFrameBytes), followed by answers of its children: the best one
// (for a decide_random all that accept), and then the one that is being asked. An answer consists of kAnswerBytes, the
// decider block and, for a group that delegates, the answer of the child that it has chosen. While such a group
// chooses, its frame and what follows it are at the place of that answer.
#pragma once
#include <cstdint>

#include "format/node.h"
#include "format/opcodes/decide.h"
#include "format/records.h"

namespace espalier {

// Every node of the engine has this size, so the position of a node follows from its number.
inline constexpr std::uint32_t kDeciderWords = own_words<opcode::decide_behavior>();

namespace detail {
constexpr bool are_deciders_of_one_size() {
  for (const OpcodeRow& row : OpcodesOf<EngineId::decide>::rows) {
    if (words_of_row(row.info) != kDeciderWords || extent_word_of_row(row.info) != kDeciderWords - 1) return false;
  }
  return true;
}
static_assert(are_deciders_of_one_size());
}  // namespace detail

// As end_of(), which works for any node.
inline const std::uint32_t* end_of_decider(const std::uint32_t* node) { return end_of<opcode::decide_behavior>(node); }

inline constexpr std::uint32_t kFrameBytes = 80;
inline constexpr std::uint32_t kAnswerBytes = 16;
inline constexpr std::uint32_t kStackScratchBytes = 2048;  // up to this an update needs no scratch memory of the host
inline constexpr std::uint32_t kStimulusDataBytes = 16;
inline constexpr std::uint64_t kPathNodeMask = 0xFFFF;  // of a path's entry
inline constexpr unsigned kPathClockShift = 16;
inline constexpr unsigned kLevelCountBits = 11;  // of the part level_count; the others: DeciderAgent::idle_from()
inline constexpr std::uint32_t kLevelCountMask = (1u << kLevelCountBits) - 1;
static_assert(layout::kMaxLevels <= kLevelCountMask);

constexpr std::uint32_t to_8(std::uint32_t bytes) { return (bytes + 7) / 8 * 8; }

// A mask with one bit for each flag or stimulus of a tree.
constexpr std::uint64_t bits_below(std::uint32_t count) {
  return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

// The bytes of a level of the path: its decider block and its behaviour's memory.
constexpr std::uint32_t level_bytes(const layout::Decider& decider) {
  return to_8(decider.block_bytes) + to_8(decider.memory_bytes);
}

// Adds up the needs of a group's children, one by one, and then computes the fields of its record.
class DeciderSums {
 public:
  constexpr void add(const layout::Decider& child) {
    ++child_count_;
    level_count_ = larger(level_count_, child.level_count);
    path_bytes_ = larger(path_bytes_, child.path_bytes);
    largest_answer_ = larger(largest_answer_, child.answer_bytes);
    largest_scratch_ = larger(largest_scratch_, child.scratch_bytes);
    all_answers_ += child.answer_bytes;
    asked_count_ += child.asked_count;
  }

  // The scratch memory that the group needs while it chooses.
  constexpr std::uint64_t choosing_bytes(Opcode opcode) const {
    const std::uint64_t kept = opcode == opcode::decide_random   ? all_answers_
                               : opcode == opcode::decide_scored ? largest_answer_
                                                                 : 0;
    return kFrameBytes + kept + largest_scratch_;
  }

  // Sets the counts of `decider` (child_count and the following fields) from its block, memory and what was added.
  // False if one exceeds its limit.
  constexpr bool finish(Opcode opcode, bool delegates, layout::Decider* decider) const {
    const std::uint64_t own = kAnswerBytes + to_8(decider->block_bytes);
    const std::uint64_t path = level_bytes(*decider) + path_bytes_;
    const std::uint64_t answer = own + (delegates ? largest_answer_ : 0);
    const std::uint64_t scratch = own + (delegates ? choosing_bytes(opcode) : 0);
    const std::uint64_t asked = 1 + (delegates ? asked_count_ : 0);
    decider->child_count = child_count_;
    decider->level_count = static_cast<std::uint32_t>(1 + level_count_);
    decider->path_bytes = static_cast<std::uint32_t>(path);
    decider->answer_bytes = static_cast<std::uint32_t>(answer);
    decider->scratch_bytes = static_cast<std::uint32_t>(scratch);
    decider->asked_count = static_cast<std::uint32_t>(asked);
    return level_count_ < layout::kMaxLevels && path <= layout::kMaxDecideBytes &&
           choosing_bytes(opcode) <= layout::kMaxDecideBytes && asked <= layout::kMaxAsked &&
           asked_count_ <= layout::kMaxAsked;
  }

 private:
  static constexpr std::uint64_t larger(std::uint64_t a, std::uint64_t b) { return a > b ? a : b; }

  std::uint32_t child_count_ = 0;
  std::uint64_t level_count_ = 0;
  std::uint64_t path_bytes_ = 0;
  std::uint64_t largest_answer_ = 0;
  std::uint64_t largest_scratch_ = 0;
  std::uint64_t all_answers_ = 0;
  std::uint64_t asked_count_ = 0;
};

}  // namespace espalier
