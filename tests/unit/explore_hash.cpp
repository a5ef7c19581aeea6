// Hashes of rows of bytes, most of which are zeros.
#include "explore/hash.h"

#include <random>
#include <set>
#include <vector>

#include "unit.h"

namespace explore_hash {

using namespace espalier;

std::set<std::uint64_t> all_hashes(const std::vector<std::vector<unsigned char>>& rows) {
  std::set<std::uint64_t> hashes;
  for (const std::vector<unsigned char>& row : rows) {
    hashes.insert(explore::short_hash_of(row.data(), row.size()));
    hashes.insert(explore::hash_of(row.data(), row.size()).high);
  }
  return hashes;
}

TEST_CASE("rows of zeros have a hash for each size") {
  std::vector<std::vector<unsigned char>> rows;
  for (std::size_t size = 1; size < 6000; ++size) rows.emplace_back(size);
  CHECK(all_hashes(rows).size() == 2 * rows.size());
}

TEST_CASE("rows with the same bytes in other places have other hashes") {
  const std::size_t size = GENERATE(as<std::size_t>{}, 8, 64, 65, 72, 248, 2048, 2056, 5000);
  CAPTURE(size);
  std::vector<std::vector<unsigned char>> rows;
  for (std::size_t place = 0; place < size; ++place) rows.emplace_back(size)[place] = 1;
  CHECK(all_hashes(rows).size() == 2 * rows.size());
}

TEST_CASE("the hash of a row does not depend on what was hashed before") {
  std::mt19937_64 random(1);
  for (int i = 0; i < 1'000; ++i) {
    std::vector<unsigned char> row(random() % 5'000 + 1), other(random() % 5'000 + 1, 0xAB);
    for (int k = 0; k < 5; ++k) row[random() % row.size()] = static_cast<unsigned char>(random());
    const explore::Hash hash = explore::hash_of(row.data(), row.size());
    const std::uint64_t short_hash = explore::short_hash_of(row.data(), row.size());
    static_cast<void>(explore::hash_of(other.data(), other.size()));
    const std::vector<unsigned char> copy = row;
    REQUIRE(explore::hash_of(copy.data(), copy.size()) == hash);
    REQUIRE(explore::short_hash_of(copy.data(), copy.size()) == short_hash);
  }
}

}  // namespace explore_hash
