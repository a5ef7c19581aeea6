// Crowds in the vectors of the processor, and the same agents one by one: column_runs ASSET
// Variables change at random, and after each update every agent has to have the same bytes in both. Prints a hash of
// all blocks of each tree: it is the same on all processors.
#include <espalier/columns.h>

#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <espalier/espalier.hpp>
#include <fstream>
#include <iterator>
#include <vector>

namespace {

constexpr int kUpdates = 50;
constexpr std::uint64_t kFnvPrime = 0x100000001B3;

struct alignas(64) Line {
  unsigned char bytes[64];
};

std::uint64_t random_state = 1;
std::uint64_t random() {
  random_state = random_state * 6364136223846793005u + 1442695040888963407u;
  return random_state >> 33;
}

// Words as numbers, so that the order of their bytes does not matter.
std::uint64_t hash_of(std::uint64_t hash, const void* bytes, std::size_t size_bytes) {
  for (std::size_t at = 0; at + 8 <= size_bytes; at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, static_cast<const unsigned char*>(bytes) + at, 8);
    hash = (hash ^ word) * kFnvPrime;
  }
  return hash;
}

bool run(espalier::Tree tree) {
  std::vector<std::uint64_t> code(espalier::columns_bytes(tree) / 8);
  if (code.empty()) return true;
  const espalier::Columns columns = espalier::make_columns(tree, code.data());
  std::vector<Line> block(columns.block_bytes / sizeof(Line));
  std::vector<Line> work(columns.work_bytes / sizeof(Line));
  espalier::start_columns(columns, block.data(), 1);

  const std::size_t stride = espalier::agent_bytes(tree);
  std::vector<std::uint64_t> alone(espalier::kColumnAgents * stride / 8);
  for (std::size_t i = 0; i < espalier::kColumnAgents; ++i) espalier::start(tree, &alone[i * stride / 8]);
  std::vector<std::uint64_t> stored = alone;
  std::vector<std::uint8_t> values(espalier::kColumnAgents);
  std::uint64_t hash = 0xCBF29CE484222325;
  for (int update = 0; update < kUpdates; ++update) {
    for (std::uint32_t variable = 0; variable < columns.changed_plane; ++variable) {
      for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = random() % 3 == 0;
        espalier::set(tree, &alone[i * stride / 8], variable, values[i] != 0);
      }
      espalier::set_column(columns, block.data(), variable, values.data());
    }
    espalier::update_columns(columns, block.data(), 1, work.data());
    espalier::update_all(tree, alone.data(), stride, espalier::kColumnAgents, espalier::Host());
    espalier::store_columns(columns, block.data(), stored.data(), stride, espalier::kColumnAgents);
    if (stored != alone) {
      std::printf("%s: agents differ after update %d\n", espalier::tree_name(tree).data(), update);
      return false;
    }
    hash = hash_of(hash, block.data(), columns.block_bytes);
  }
  std::printf("%s: %016" PRIx64 "\n", espalier::tree_name(tree).data(), hash);
  return true;
}

}  // namespace

int main(int count, char** words) {
  if (count != 2) return 2;
  std::ifstream stream(words[1], std::ios::binary);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  std::vector<std::uint64_t> aligned(bytes.size() / 8 + 1);
  std::memcpy(aligned.data(), bytes.data(), bytes.size());
  espalier::Asset asset;
  espalier::Fault fault;
  if (espalier::open(aligned.data(), bytes.size(), &asset, &fault) != espalier::Status::ok) {
    std::printf("%s\n", fault.reason);
    return 1;
  }
  bool holds = true;
  for (std::uint32_t i = 0; i < espalier::tree_count(asset); ++i) holds = run(espalier::tree(asset, i)) && holds;
  return holds ? 0 : 1;
}
