// Hashes of rows of bytes, and sets of them.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace espalier::explore {

// XXH3. Two different rows of those that a search looks at have the same 128 bits less often than a computer errs.
struct Hash {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  bool operator==(const Hash&) const = default;
};
Hash hash_of(const void* bytes, std::size_t size);
std::uint64_t short_hash_of(const void* bytes, std::size_t size);

// So many points of updates are kept, by a search and by each of its threads; others are looked at again.
inline constexpr std::size_t kMostPoints = std::size_t{1} << 20;

class HashSet {
 public:
  std::size_t size() const { return count_; }
  bool contains(const Hash& hash) const { return !table_.empty() && table_[place_of(hash)] == marked(hash); }
  // False: it was there.
  bool insert(const Hash& hash) {
    if (count_ * 2 >= table_.size()) grow();
    Hash& place = table_[place_of(hash)];
    if (place == marked(hash)) return false;
    place = marked(hash);
    ++count_;
    return true;
  }
  // Memory is kept as far as it is likely to be used again.
  void clear() {
    if (count_ > 0)
      table_.assign(std::max<std::size_t>(kLeast, count_ * 16 < table_.size() ? table_.size() / 4 : table_.size()), {});
    count_ = 0;
  }

 private:
  static constexpr std::size_t kLeast = 64;

  // Free places are 0.
  static Hash marked(const Hash& hash) { return {hash.low | 1, hash.high}; }
  std::size_t place_of(const Hash& hash) const {
    std::size_t place = hash.high & (table_.size() - 1);
    while (table_[place].low != 0 && !(table_[place] == marked(hash))) place = (place + 1) & (table_.size() - 1);
    return place;
  }
  void grow() {
    std::vector<Hash> old(std::max(kLeast, table_.size() * 2));
    old.swap(table_);
    for (const Hash& hash : old) {
      if (hash.low != 0) table_[place_of(hash)] = hash;
    }
  }

  std::vector<Hash> table_;  // at most half full
  std::size_t count_ = 0;
};

}  // namespace espalier::explore
