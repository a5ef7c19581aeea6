// The bytes of the states that a search has found, by number. Long states differ from one another in few places, so
// each piece of them is kept once, as in SPIN's collapse compression: Holzmann, "State Compression in SPIN", 1997.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "explore/hash.h"

namespace espalier::explore {

class KeptStates {
 public:
  // `size`: bytes of each state.
  explicit KeptStates(std::size_t size);

  // As the next number, from 0 on.
  void add(const unsigned char* state);
  bool is(std::uint32_t number, const unsigned char* state) const;
  // Copies a state.
  void read(std::uint32_t number, unsigned char* state) const;
  // Begins to read what is() will look at.
  void fetch(std::uint32_t number) const;
  // That all of them take.
  std::size_t bytes() const;

 private:
  static constexpr std::size_t kPieceBytes = 64;
  static constexpr std::size_t kLeastPieces = 8;  // of shorter states the numbers of the pieces would take too much
  static constexpr std::size_t kBlockRows = 4096;

  // Rows of bytes of one size, in blocks that never move and of which little is unused.
  class Rows {
   public:
    explicit Rows(std::size_t size) : size_(size) {}
    unsigned char* add();
    const unsigned char* operator[](std::uint32_t number) const {
      return blocks_[number / kBlockRows].get() + number % kBlockRows * size_;
    }
    std::uint32_t count() const { return count_; }
    std::size_t bytes() const { return blocks_.size() * kBlockRows * size_; }

   private:
    std::size_t size_;
    std::vector<std::unique_ptr<unsigned char[]>> blocks_;
    std::uint32_t count_ = 0;
  };

  bool is_in_pieces() const { return piece_count_ != 0; }
  std::uint32_t number_of_piece(const unsigned char* piece);
  const unsigned char* piece(const std::uint32_t* numbers, std::size_t i) const { return pieces_[numbers[i]]; }
  const std::uint32_t* numbers_of(std::uint32_t state) const {
    return reinterpret_cast<const std::uint32_t*>(rows_[state]);
  }

  std::size_t size_;
  std::size_t piece_count_;  // of a state; 0: states are kept whole
  Rows rows_;                // of states, or of the numbers of their pieces
  Rows pieces_;              // the last of a state is filled up with zeros
  NumberTable table_;        // of pieces
};

}  // namespace espalier::explore
