// States whole or in pieces. See kept_states.h.
#include "explore/kept_states.h"

#include <cstring>

namespace espalier::explore {

unsigned char* KeptStates::Rows::add() {
  const std::size_t place = count_ % kBlockRows;
  if (place == 0) blocks_.push_back(std::make_unique_for_overwrite<unsigned char[]>(kBlockRows * size_));
  ++count_;
  return blocks_.back().get() + place * size_;
}

KeptStates::KeptStates(std::size_t size)
    : size_(size),
      piece_count_(size >= kLeastPieces * kPieceBytes ? (size + kPieceBytes - 1) / kPieceBytes : 0),
      rows_(piece_count_ != 0 ? piece_count_ * sizeof(std::uint32_t) : size),
      pieces_(kPieceBytes) {}

void KeptStates::add(const unsigned char* state) {
  if (!is_in_pieces()) {
    std::memcpy(rows_.add(), state, size_);
    return;
  }
  unsigned char* row = rows_.add();
  for (std::size_t at = 0; at < size_; at += kPieceBytes, row += sizeof(std::uint32_t)) {
    unsigned char last[kPieceBytes] = {};
    const unsigned char* piece = state + at;
    if (size_ - at < kPieceBytes) piece = static_cast<const unsigned char*>(std::memcpy(last, piece, size_ - at));
    const std::uint32_t number = number_of_piece(piece);
    std::memcpy(row, &number, sizeof number);
  }
}

std::uint32_t KeptStates::number_of_piece(const unsigned char* piece) {
  const auto is_it = [&](std::uint32_t number) { return std::memcmp(pieces_[number], piece, kPieceBytes) == 0; };
  std::uint32_t& number = table_.find_or_add(short_hash_of(piece, kPieceBytes), pieces_.count(), is_it);
  if (number == 0) {
    std::memcpy(pieces_.add(), piece, kPieceBytes);
    number = pieces_.count();
  }
  return number - 1;
}

bool KeptStates::is(std::uint32_t number, const unsigned char* state) const {
  if (!is_in_pieces()) return std::memcmp(rows_[number], state, size_) == 0;
  const std::uint32_t* const numbers = numbers_of(number);
  std::size_t i = 0;
  for (; i + 1 < piece_count_; ++i) {
    if (std::memcmp(piece(numbers, i), state + i * kPieceBytes, kPieceBytes) != 0) return false;
  }
  return std::memcmp(piece(numbers, i), state + i * kPieceBytes, size_ - i * kPieceBytes) == 0;
}

void KeptStates::read(std::uint32_t number, unsigned char* state) const {
  if (!is_in_pieces()) {
    std::memcpy(state, rows_[number], size_);
    return;
  }
  const std::uint32_t* const numbers = numbers_of(number);
  std::size_t i = 0;
  for (; i + 1 < piece_count_; ++i) std::memcpy(state + i * kPieceBytes, piece(numbers, i), kPieceBytes);
  std::memcpy(state + i * kPieceBytes, piece(numbers, i), size_ - i * kPieceBytes);
}

void KeptStates::fetch(std::uint32_t number) const { __builtin_prefetch(rows_[number]); }

std::size_t KeptStates::bytes() const { return rows_.bytes() + pieces_.bytes() + table_.bytes(); }

}  // namespace espalier::explore
