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

// Of another hash, or of two numbers: other ones have other ones. By the last steps of MurmurHash3, public domain.
inline Hash mixed(const Hash& hash) {
  const auto mix = [](std::uint64_t bits) {
    bits = (bits ^ bits >> 33) * 0xFF51AFD7ED558CCD;
    bits = (bits ^ bits >> 33) * 0xC4CEB9FE1A85EC53;
    return bits ^ bits >> 33;
  };
  const std::uint64_t high = mix(hash.high + 0x9E3779B97F4A7C15);
  const std::uint64_t low = mix(hash.low ^ high);
  return {low, mix(high + low)};
}

// Only finds rows that are compared then.
inline std::uint64_t hash_of_words(const std::uint64_t* words, std::size_t count) {
  constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15;
  std::uint64_t hash = 0;
  for (std::size_t i = 0; i < count; ++i) {
    hash = (hash ^ words[i]) * kFactor;
    hash ^= hash >> 32;
  }
  return hash * kFactor;
}

// So many points of updates are kept by a search, as many as it has states between these two; and the most by each of
// its threads. Others are looked at again.
inline constexpr std::size_t kFewPoints = std::size_t{1} << 18;
inline constexpr std::size_t kMostPoints = std::size_t{1} << 20;

class HashSet {
 public:
  std::size_t size() const { return count_; }
  // Of the table, which is what the set takes.
  std::size_t bytes() const { return table_.capacity() * sizeof(Entry); }
  // Begins to read where contains() or insert() will look.
  void fetch(const Hash& hash) const {
    if (!table_.empty()) __builtin_prefetch(&table_[first_place_of(Entry(hash))]);
  }
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

  std::size_t first_place_of(const Entry& entry) const {
    return static_cast<std::size_t>(std::uint64_t{entry.high} * table_.size() >> 32);
  }
  // Of an entry, or of where it would be.
  std::size_t place_of(const Entry& entry) const {
    std::size_t place = first_place_of(entry);
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

// Rows of bytes that are kept elsewhere, found by their hashes: each has a number, from 0 on.
class NumberTable {
 public:
  // Begins to read where the row with this hash would be.
  void fetch(std::uint64_t hash) const { __builtin_prefetch(&table_[first_place_of(hash)]); }
  // 1 + the number of the first row there, which may have another hash; 0: none is.
  std::uint32_t first(std::uint64_t hash) const { return table_[first_place_of(hash)].number; }
  // The row with this hash that `is_it` accepts by its number: 1 + its number; 0: there is none.
  template <typename IsIt>
  std::uint32_t find(std::uint64_t hash, const IsIt& is_it) const {
    return table_[place_of(hash, is_it)].number;
  }
  // The same, where it can be added: 0 stands for 1 + its number, which is to be stored there.
  template <typename IsIt>
  std::uint32_t& find_or_add(std::uint64_t hash, std::uint32_t count, const IsIt& is_it) {
    if (std::size_t{count} * 4 >= table_.size() * 3) grow();
    Entry& entry = table_[place_of(hash, is_it)];
    if (entry.number == 0) entry.hash = part_of(hash);
    return entry.number;
  }
  std::size_t bytes() const { return table_.capacity() * sizeof(Entry); }

 private:
  // A part of the hash; and 1 + the number, 0: a free place.
  struct Entry {
    std::uint32_t hash = 0;
    std::uint32_t number = 0;
  };

  static std::uint32_t part_of(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32); }
  std::size_t first_place_of(std::uint64_t hash) const { return part_of(hash) & (table_.size() - 1); }
  template <typename IsIt>
  std::size_t place_of(std::uint64_t hash, const IsIt& is_it) const {
    std::size_t place = first_place_of(hash);
    for (; table_[place].number != 0; place = (place + 1) & (table_.size() - 1)) {
      const Entry& entry = table_[place];
      if (entry.hash == part_of(hash) && is_it(entry.number - 1)) break;
    }
    return place;
  }
  void grow() {
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

  std::vector<Entry> table_;  // at most three quarters full
};

}  // namespace espalier::explore
