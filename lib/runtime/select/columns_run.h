// One update of a block of agents: runs the code of column_code.h on vectors of one width. `Path` names the vector, so
// that this can be compiled for several processors; everything is inlined into functions that are (columns.cpp).
#pragma once
#include <type_traits>

#include "select/column_code.h"

namespace espalier {

template <typename Path>
class ColumnRun {
 public:
  [[gnu::always_inline]] inline ColumnRun(const espalier_columns& columns, unsigned char* block, unsigned char* work)
      : columns_(columns), block_(block), work_(work) {}

  [[gnu::always_inline]] inline void run() {
    Vector left[kParts];
    Vector inside[kParts];
    Vector chosen[kParts];
    Vector* const changed = at(block_, columns_.changed_plane * kPlaneBytes);
    for (std::size_t i = 0; i < kParts; ++i) left[i] = inside[i] = changed[i];
    if (is_empty(left)) return clear(at(block_, columns_.switched_plane * kPlaneBytes));
    for (std::uint32_t i = 0; i < columns_.leaf_planes; ++i) clear(slot(kLeafSlot + i));
    const std::uint32_t* const code = code_of(columns_).words;
    const std::uint32_t* next = code;
    std::uint32_t aside = kAsideSlot;  // the next free one
    for (;;) {
      ColumnWord word;
      std::memcpy(&word, next, sizeof word);
      const std::uint32_t* const own = choose(word, next + 1, inside, chosen);
      switch (word.op) {
        case ColumnOp::leaf:
          for (std::size_t i = 0; i < kParts; ++i) {
            inside[i] &= ~chosen[i];
            left[i] &= ~chosen[i];
          }
          if ((own[0] & 1) != 0) set_lowest(chosen);
          flip(own[0], left);
          next = own + 1;
          break;
        case ColumnOp::enter: {
          next = own + 2;
          if (is_empty(chosen)) {
            flip(own[0], left);
            next = code + own[1];
            break;
          }
          Vector* const kept = slot(aside++);
          for (std::size_t i = 0; i < kParts; ++i) {
            kept[i] = inside[i];
            inside[i] = chosen[i];
          }
          break;
        }
        case ColumnOp::leave: {
          const Vector* const kept = slot(--aside);
          for (std::size_t i = 0; i < kParts; ++i) inside[i] = kept[i] & left[i];
          next = own;
          break;
        }
        case ColumnOp::test:
          combine(static_cast<layout::CombineOp>(own[0]), slot(own[1]), chosen);
          next = own + 3;
          break;
        case ColumnOp::machine: {
          begin_machine(own, inside, chosen);
          Vector* const kept = slot(aside++);
          for (std::size_t i = 0; i < kParts; ++i) kept[i] = inside[i];
          next = own + 6;
          break;
        }
        case ColumnOp::state: {
          Vector* const pending = slot(own[0] + kPendingSet);
          for (std::size_t i = 0; i < kParts; ++i) inside[i] = pending[i];
          clear(pending);
          next = is_empty(inside) ? code + own[1] : own + 2;
          break;
        }
        case ColumnOp::transition: {
          Vector* const pending = slot(own[0] + kPendingSet);
          Vector* const visited = slot(own[0] + kVisitedSet);
          Vector* const settled = slot(own[0] + kSettledSet);
          for (std::size_t i = 0; i < kParts; ++i) {
            inside[i] &= ~chosen[i];
            settled[i] |= chosen[i] & visited[i];
            pending[i] |= chosen[i] & ~visited[i];
            visited[i] |= chosen[i];
          }
          next = own + 1;
          break;
        }
        case ColumnOp::settle: {
          Vector* const settled = slot(own[0] + kSettledSet);
          for (std::size_t i = 0; i < kParts; ++i) settled[i] |= inside[i];
          next = own + 1;
          break;
        }
        case ColumnOp::repeat: {
          clear(chosen);
          for (std::uint32_t state = 0; state < own[1]; ++state) {
            const Vector* const pending = slot(own[0] + state * kStateSets + kPendingSet);
            for (std::size_t i = 0; i < kParts; ++i) chosen[i] |= pending[i];
          }
          next = is_empty(chosen) ? own + 3 : code + own[2];
          break;
        }
        case ColumnOp::keep:
          keep_states(own, slot(aside - 1));
          next = own + 4;
          break;
        case ColumnOp::settled: {
          const Vector* const settled = slot(own[0] + kSettledSet);
          for (std::size_t i = 0; i < kParts; ++i) inside[i] = settled[i];
          next = own + 3;
          if (is_empty(inside)) {
            flip(own[1], left);
            next = code + own[2];
          }
          break;
        }
        default:  // end
          if (own[0] != 0) set_lowest(left);
          return store_leaves(changed, left);
      }
    }
  }

 private:
  using Vector = typename Path::Vector;
  static constexpr std::size_t kParts = kPlaneBytes / sizeof(Vector);

  [[gnu::always_inline]] static inline Vector* at(unsigned char* memory, std::size_t offset) {
    return reinterpret_cast<Vector*>(memory + offset);
  }
  [[gnu::always_inline]] inline Vector* slot(std::uint32_t number) const {
    return at(work_, std::size_t{number} * kPlaneBytes);
  }

  [[gnu::always_inline]] static inline void clear(Vector* plane) {
    for (std::size_t i = 0; i < kParts; ++i) plane[i] = Vector{};
  }
  [[gnu::always_inline]] static inline bool is_empty(const Vector* set) {
    Vector all = set[0];
    for (std::size_t i = 1; i < kParts; ++i) all |= set[i];
    std::uint64_t words[sizeof(Vector) / 8];
    std::memcpy(words, &all, sizeof words);
    for (std::size_t i = 1; i < sizeof(Vector) / 8; ++i) words[0] |= words[i];
    return words[0] == 0;
  }

  // The agents inside for which a condition holds. Returns the end of its literals.
  [[gnu::always_inline]] inline const std::uint32_t* choose(const ColumnWord& word, const std::uint32_t* literals,
                                                            const Vector* inside, Vector* chosen) const {
    for (std::size_t i = 0; i < kParts; ++i) chosen[i] = inside[i];
    const std::uint32_t* const unset = literals + word.set_count;
    for (; literals != unset; ++literals) {
      const Vector* const plane = at(block_, *literals);
      for (std::size_t i = 0; i < kParts; ++i) chosen[i] &= plane[i];
    }
    const std::uint32_t* const end = unset + word.unset_count;
    for (; literals != end; ++literals) {
      const Vector* const plane = at(block_, *literals);
      for (std::size_t i = 0; i < kParts; ++i) chosen[i] &= ~plane[i];
    }
    if (word.sense == ColumnSense::not_all) {
      for (std::size_t i = 0; i < kParts; ++i) chosen[i] ^= inside[i];
    } else if (word.sense == ColumnSense::tested) {
      const Vector* const tested = slot(word.op == ColumnOp::test ? end[2] : kTestSlot);
      for (std::size_t i = 0; i < kParts; ++i) chosen[i] = inside[i] & tested[i];
    }
    return end;
  }

  [[gnu::always_inline]] static inline void combine(layout::CombineOp op, Vector* result, const Vector* value) {
    switch (op) {
      case layout::CombineOp::both:
        for (std::size_t i = 0; i < kParts; ++i) result[i] &= value[i];
        break;
      case layout::CombineOp::either:
        for (std::size_t i = 0; i < kParts; ++i) result[i] |= value[i];
        break;
      case layout::CombineOp::differ:
        for (std::size_t i = 0; i < kParts; ++i) result[i] ^= value[i];
        break;
      case layout::CombineOp::same:
        for (std::size_t i = 0; i < kParts; ++i) result[i] = ~(result[i] ^ value[i]);
        break;
      default:
        for (std::size_t i = 0; i < kParts; ++i) result[i] = value[i];
        break;
    }
  }

  [[gnu::always_inline]] inline void set_lowest(const Vector* agents) const {
    Vector* const plane = slot(kLeafSlot);
    for (std::size_t i = 0; i < kParts; ++i) plane[i] |= agents[i];
  }

  // The number of the leaf goes on for all agents that are left, but not its lowest bit.
  [[gnu::always_inline]] inline void flip(std::uint32_t bits, const Vector* left) const {
    Vector* plane = slot(kLeafSlot);
    while ((bits >>= 1) != 0) {
      plane += kParts;
      if ((bits & 1) == 0) continue;
      for (std::size_t i = 0; i < kParts; ++i) plane[i] ^= left[i];
    }
  }

  // The agents whose leaf before the update is not below a number.
  [[gnu::always_inline]] inline void find_leaf_from(std::uint32_t number, Vector* found) const {
    for (std::size_t i = 0; i < kParts; ++i) found[i] = ~Vector{};
    for (std::uint32_t bit = 0; bit < columns_.leaf_planes; ++bit) {
      const Vector* const plane = at(block_, (columns_.leaf_plane + bit) * kPlaneBytes);
      const bool is_set = (number >> bit & 1) != 0;
      for (std::size_t i = 0; i < kParts; ++i) found[i] = is_set ? found[i] & plane[i] : found[i] | plane[i];
    }
    if (number >> columns_.leaf_planes != 0) clear(found);
  }

  // All agents inside are pending in the state from which they go on; all have visited the state that is stored.
  // `active`: for those whose leaf is in the machine.
  [[gnu::always_inline]] inline void begin_machine(const std::uint32_t* own, const Vector* inside,
                                                   Vector* active) const {
    Vector first[kParts];
    find_leaf_from(own[4], active);
    find_leaf_from(own[5], first);
    for (std::size_t i = 0; i < kParts; ++i) {
      active[i] &= ~first[i] & inside[i];
      first[i] = inside[i];
    }
    for (std::uint32_t state = own[3]; state-- > 0;) {
      Vector* const pending = slot(own[0] + state * kStateSets + kPendingSet);
      Vector* const visited = slot(own[0] + state * kStateSets + kVisitedSet);
      for (std::size_t i = 0; i < kParts; ++i) visited[i] = ~Vector{};
      for (std::uint32_t bit = 0; bit < own[2]; ++bit) {
        const Vector* const plane = at(block_, own[1] + bit * kPlaneBytes);
        const bool is_set = (state >> bit & 1) != 0;
        for (std::size_t i = 0; i < kParts; ++i) visited[i] &= is_set ? plane[i] : ~plane[i];
      }
      for (std::size_t i = 0; i < kParts; ++i) {
        pending[i] = state == 0 ? first[i] : active[i] & visited[i];
        first[i] &= ~pending[i];
      }
      clear(slot(own[0] + state * kStateSets + kSettledSet));
    }
  }

  [[gnu::always_inline]] inline void keep_states(const std::uint32_t* own, const Vector* inside) const {
    for (std::uint32_t bit = 0; bit < own[2]; ++bit) {
      Vector* const plane = at(block_, own[1] + bit * kPlaneBytes);
      for (std::size_t i = 0; i < kParts; ++i) plane[i] &= ~inside[i];
      for (std::uint32_t state = 0; state < own[3]; ++state) {
        if ((state >> bit & 1) == 0) continue;
        const Vector* const settled = slot(own[0] + state * kStateSets + kSettledSet);
        for (std::size_t i = 0; i < kParts; ++i) plane[i] |= settled[i];
      }
    }
  }

  // Agents without a leaf count as changed, so that the next update finds them by the same test.
  [[gnu::always_inline]] inline void store_leaves(Vector* changed, const Vector* left) const {
    Vector switched[kParts] = {};
    for (std::uint32_t bit = 0; bit < columns_.leaf_planes; ++bit) {
      Vector* const plane = at(block_, (columns_.leaf_plane + bit) * kPlaneBytes);
      const Vector* const leaf = slot(kLeafSlot + bit);
      for (std::size_t i = 0; i < kParts; ++i) {
        const Vector difference = (plane[i] ^ leaf[i]) & changed[i];
        plane[i] ^= difference;
        switched[i] |= difference;
      }
    }
    Vector* const told = at(block_, columns_.switched_plane * kPlaneBytes);
    for (std::size_t i = 0; i < kParts; ++i) {
      told[i] = switched[i];
      changed[i] = left[i];
    }
  }

  const espalier_columns& columns_;
  unsigned char* const block_;
  unsigned char* const work_;
};

}  // namespace espalier
