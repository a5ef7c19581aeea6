// States whole or in pieces. See kept_states.h.
#include "explore/kept_states.h"

#include <algorithm>
#include <cstring>

#include "explore/hash.h"

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
  if (std::size_t{pieces_.count()} * 4 >= table_.size() * 3) grow();
  const std::uint64_t hash = short_hash_of(piece, kPieceBytes);
  const auto part = static_cast<std::uint32_t>(hash >> 32);
  const std::size_t mask = table_.size() - 1;
  std::size_t place = part & mask;
  for (; table_[place].number != 0; place = (place + 1) & mask) {
    const Entry& entry = table_[place];
    if (entry.hash == part && std::memcmp(pieces_[entry.number - 1], piece, kPieceBytes) == 0) return entry.number - 1;
  }
  std::memcpy(pieces_.add(), piece, kPieceBytes);
  table_[place] = {part, pieces_.count()};
  return pieces_.count() - 1;
}

void KeptStates::grow() {
  std::vector<Entry> old(std::max<std::size_t>(1024, table_.size() * 2));
  old.swap(table_);
  const std::size_t mask = table_.size() - 1;
  for (const Entry& entry : old) {
    if (entry.number == 0) continue;
    std::size_t place = entry.hash & mask;
    while (table_[place].number != 0) place = (place + 1) & mask;
    table_[place] = entry;
  }
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

std::size_t KeptStates::bytes() const { return rows_.bytes() + pieces_.bytes() + table_.capacity() * sizeof(Entry); }

}  // namespace espalier::explore
