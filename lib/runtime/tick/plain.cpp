// Walking through plain nodes. See plain.h.
#include "tick/plain.h"

#include "format/node.h"
#include "format/opcodes/tick.h"

namespace espalier {
namespace {

using Words = std::size_t;  // of a node, from the unit's first one

// A list, whose child is walked.
struct List {
  List(const std::uint32_t* first, Words list)
      : word(list),
        end(list + extent_of<opcode::tick_sequence, opcode::tick_selector>(first + list)),
        after(opcode_of(first + list) == opcode::tick_sequence) {}

  Words word;
  Words end;
  bool after;  // its next child begins if one has succeeded; else if one has failed
};

inline bool is_in_list(const std::uint32_t* node) { return !is_root(node) && is_list(opcode_of(parent_of(node))); }

// Goes up from a child of a list that has ended, to the next child that begins, or to the last node that has ended in
// a list, and returns false. `end`: that of the child.
inline bool find_next(const std::uint32_t* first, bool has_succeeded, Words end, Words* word, Words* old_word,
                      List* list) {
  for (;;) {
    if (*word == *old_word) *old_word = list->word;
    *word = end;
    if (has_succeeded == list->after && end != list->end) return true;
    *word = list->word;
    end = list->end;
    if (!is_in_list(first + *word)) return false;
    *list = List(first, *word - words_to_parent(first + *word));
  }
}

}  // namespace

TickMove walk_plain(const TickAgent& agent, HostCaller& caller, unsigned char* place, TickMove move,
                    TickPosition* position) {
  static_assert(own_words<opcode::tick_sequence>() == own_words<opcode::tick_selector>());
  const Behavior* const behaviors = caller.host().behaviors;
  const std::uint32_t* const first = agent.nodes[0];
  const std::uint32_t unit_word = agent.unit_word;
  const std::uint32_t* const memory_sizes = agent.memory_sizes;
  Words word = position->word;
  Words old_word = position->old_word;
  bool has_succeeded = position->result == Result::success;
  const bool is_list_itself = !is_in_list(first + word);  // then it begins
  List list(first, is_list_itself ? word : word - words_to_parent(first + word));
  const Words end = word + extent_of(first + word);
  if (move == TickMove::begin || find_next(first, has_succeeded, end, &word, &old_word, &list)) {
    for (;;) {
      for (; is_list(opcode_of(first + word)); word += own_words<opcode::tick_sequence>()) list = List(first, word);
      move = TickMove::begin;
      if (opcode_of(first + word) != opcode::tick_action) break;
      const std::uint32_t behavior = operand<OperandKind::behavior, opcode::tick_action>(first + word);
      if (memory_sizes != nullptr) {
        if (memory_sizes[behavior] != 0) break;
        caller.forget_memory();
      }
      const auto present = static_cast<std::uint32_t>(word);
      store_u16(place, present);
      const BoundBehavior bound = caller.plain_behavior(behaviors[behavior], behavior, unit_word + present);
      bound.enter();
      const Result result = bound.tick(Result::success);
      move = TickMove::rest;
      if (result == Result::running) break;
      has_succeeded = result == Result::success;
      bound.leave();
      move = TickMove::give;
      const Words after = word + own_words<opcode::tick_action>();
      if (!find_next(first, has_succeeded, after, &word, &old_word, &list)) break;
    }
  }
  *position = {static_cast<std::uint32_t>(word), static_cast<std::uint32_t>(old_word),
               has_succeeded ? Result::success : Result::failure};
  return move;
}

}  // namespace espalier
