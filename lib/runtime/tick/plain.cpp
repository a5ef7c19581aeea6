// Walking through plain nodes. See plain.h.
#include "tick/plain.h"

namespace espalier {
namespace {

inline bool is_list(Opcode opcode) { return opcode == Opcode::tick_sequence || opcode == Opcode::tick_selector; }

// Goes up from a node that has ended, as long as its parent is a list: to the next child that begins, or to the last
// node that has ended, and returns false. `end`: the word after the node and its descendants.
inline bool find_next(const std::uint32_t* first, bool has_succeeded, std::uint32_t end, std::uint32_t* word,
                      std::uint32_t* old_word) {
  constexpr auto kSelector = static_cast<std::uint32_t>(Opcode::tick_selector);
  static_assert(static_cast<std::uint32_t>(Opcode::tick_sequence) == kSelector - 1);
  for (;;) {
    const std::uint32_t up = words_to_parent(first + *word);
    const std::uint32_t parent = *word - up;
    // A sequence goes on after 1, success, and a selector after 0. Any other number: the parent is not a list.
    const std::uint32_t goes_on = kSelector - opcode_number(first + parent);
    if (up == 0 || goes_on > 1) return false;
    if (*word == *old_word) *old_word = parent;
    const std::uint32_t end_of_parent =
        parent + extent_of<Opcode::tick_sequence, Opcode::tick_selector>(first + parent);
    if (goes_on == static_cast<std::uint32_t>(has_succeeded) && end != end_of_parent) {
      *word = end;
      return true;
    }
    *word = parent;
    end = end_of_parent;
  }
}

}  // namespace

TickMove walk_plain(const TickAgent& agent, HostCaller& caller, unsigned char* place, TickMove move,
                    TickPosition* position) {
  static_assert(own_words(Opcode::tick_sequence) == own_words(Opcode::tick_selector));
  const Behavior* const behaviors = caller.host().behaviors;
  if (behaviors == nullptr) return move;
  const std::uint32_t* const first = agent.nodes[0];
  const std::uint32_t unit_word = agent.unit_word;
  const std::uint32_t* const memory_sizes = agent.memory_sizes;
  const bool is_narrow = agent.is_narrow;
  std::uint32_t word = position->word;
  std::uint32_t old_word = position->old_word;
  bool has_succeeded = position->result == Result::success;
  bool begins = move == TickMove::begin;
  std::uint32_t end = word + extent_of(first + word);
  for (;; begins = true) {
    if (begins) {
      while (is_list(opcode_of(first + word))) word += own_words(Opcode::tick_sequence);
      move = TickMove::begin;
      if (opcode_of(first + word) != Opcode::tick_action) break;
      const std::uint32_t behavior = operand<OperandKind::behavior, Opcode::tick_action>(first + word);
      if (memory_sizes != nullptr) {
        if (memory_sizes[behavior] != 0) break;
        caller.forget_memory();
      }
      is_narrow ? store_u16(place, word) : store_u32(place, word);
      const BoundBehavior bound = caller.plain_behavior(behaviors[behavior], behavior, unit_word + word);
      bound.enter();
      const Result result = bound.tick(Result::success);
      move = TickMove::rest;
      if (result == Result::running) break;
      has_succeeded = result == Result::success;
      end = word + own_words(Opcode::tick_action);
      bound.leave();
    }
    move = TickMove::give;
    if (!find_next(first, has_succeeded, end, &word, &old_word)) break;
  }
  *position = {word, old_word, has_succeeded ? Result::success : Result::failure};
  return move;
}

}  // namespace espalier
