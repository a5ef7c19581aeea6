// Parts of a block, and rows of words that are found by what is there.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "explore/hash.h"

namespace espalier::explore {

// Eight bytes of a block from `offset` on, and those of their bits that are meant.
struct Place {
  std::uint32_t offset = 0;
  std::uint64_t mask = 0;
  bool operator==(const Place&) const = default;
};
using Places = std::vector<Place>;

// By number of a node, as the engine has it: what an update has done with it.
using Visits = std::vector<unsigned char>;

inline std::uint64_t word_at(const unsigned char* bytes) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

// What is at some places of a block.
inline void read_words(const Places& places, const unsigned char* block, std::uint64_t* words) {
  for (const Place& place : places) *words++ = word_at(block + place.offset) & place.mask;
}
inline void write_words(const Places& places, unsigned char* block, const std::uint64_t* words) {
  for (const Place& place : places) {
    const std::uint64_t word = (word_at(block + place.offset) & ~place.mask) | *words++;
    std::memcpy(block + place.offset, &word, sizeof word);
  }
}

// Those of both.
Places joined(const Places& places, const Places& others);

// Different rows of words of one size, each with a number, from 0 on.
class WordRows {
 public:
  explicit WordRows(std::size_t size) : size_(size) {}
  std::size_t size() const { return size_; }
  std::uint32_t count() const { return count_; }
  // 1 + the number of a row; 0: there is none.
  std::uint32_t find(const std::uint64_t* row) const {
    if (count_ == 0) return 0;
    return table_.find(hash_of_row(row), [&](std::uint32_t number) { return is(number, row); });
  }
  // One that is not there gets the next number.
  void add(const std::uint64_t* row) {
    table_.find_or_add(hash_of_row(row), count_, [](std::uint32_t) { return false; }) = count_ + 1;
    ++count_;
    words_.insert(words_.end(), row, row + size_);
  }

 private:
  std::uint64_t hash_of_row(const std::uint64_t* row) const { return hash_of_words(row, size_); }
  bool is(std::uint32_t number, const std::uint64_t* row) const {
    return std::memcmp(words_.data() + number * size_, row, size_ * sizeof *row) == 0;
  }

  std::size_t size_;
  std::uint32_t count_ = 0;
  NumberTable table_;
  std::vector<std::uint64_t> words_;
};

}  // namespace espalier::explore
