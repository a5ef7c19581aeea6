// Hashes of rows of bytes, and sets of them.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace espalier::explore {

// XXH3. Two different rows of those that a search looks at have the same 96 bits less often than a computer errs.
struct Hash {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  bool operator==(const Hash&) const = default;
};
Hash hash_of(const void* bytes, std::size_t size);
std::uint64_t short_hash_of(const void* bytes, std::size_t size);

// So many points of updates are kept by a search, as many as it has states between these two; and the most by each of
// its threads. Others are looked at again.
inline constexpr std::size_t kFewPoints = std::size_t{1} << 18;
inline constexpr std::size_t kMostPoints = std::size_t{1} << 20;

class HashSet {
 public:
  std::size_t size() const { return count_; }
  // Of the table, which is what the set takes.
  std::size_t bytes() const { return table_.capacity() * sizeof(Entry); }
  bool contains(const Hash& hash) const { return !table_.empty() && table_[place_of(Entry(hash))].low != 0; }
  // False: it was there.
  bool insert(const Hash& hash) {
    if (count_ * 4 >= table_.size() * 3) grow();
    Entry& place = table_[place_of(Entry(hash))];
    if (place.low != 0) return false;
    place = Entry(hash);
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

  // 96 bits of a hash; free places are 0.
  struct Entry {
    Entry() = default;
    explicit Entry(const Hash& hash)
        : low(static_cast<std::uint32_t>(hash.low) | 1),
          middle(static_cast<std::uint32_t>(hash.high)),
          high(static_cast<std::uint32_t>(hash.high >> 32)) {}
    bool operator==(const Entry&) const = default;
    std::uint32_t low = 0, middle = 0, high = 0;
  };

  // Of an entry, or of where it would be.
  std::size_t place_of(const Entry& entry) const {
    std::size_t place = std::size_t{entry.high} * table_.size() >> 32;
    while (table_[place].low != 0 && !(table_[place] == entry)) place = place + 1 == table_.size() ? 0 : place + 1;
    return place;
  }
  void grow() {
    std::vector<Entry> old(std::max(kLeast, table_.size() + table_.size() / 2));
    old.swap(table_);
    for (const Entry& entry : old) {
      if (entry.low != 0) table_[place_of(entry)] = entry;
    }
  }

  std::vector<Entry> table_;  // at most three quarters full
  std::size_t count_ = 0;
};

}  // namespace espalier::explore
