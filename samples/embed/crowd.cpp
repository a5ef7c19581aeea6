// A million guards on the asset of samples/guard, updated as a crowd: crowd GUARD.espb
// See main.cpp for agents that have blocks of their own and call behaviours.
#include <cstdio>
#include <espalier/espalier.hpp>
#include <vector>

#include "asset_file.h"
#include "guard_ids.h"

namespace {

constexpr std::size_t kBlockCount = 1024;

// Blocks are at multiples of 64.
struct alignas(64) Line {
  std::uint64_t words[8];
};

}  // namespace

int main(int count, char** words) {
  std::size_t size_bytes = 0;
  const std::vector<std::uint64_t> bytes = read_file(count > 1 ? words[1] : "guard.espb", size_bytes);
  espalier::Asset asset;
  espalier::Tree tree;
  if (espalier::open(bytes.data(), size_bytes, &asset) != espalier::Status::ok ||
      espalier::find_tree(asset, "Guard", &tree) != espalier::Status::ok || !guard::matches_asset(bytes.data())) {
    std::fprintf(stderr, "crowd: this is not the asset that this program was built with\n");
    return 1;
  }

  // The tree is translated once. Blocks have 1,024 agents each.
  std::vector<std::uint64_t> code(espalier::columns_bytes(tree) / sizeof(std::uint64_t));
  if (code.empty()) return 1;
  const espalier::Columns columns = espalier::make_columns(tree, code.data());
  const std::size_t block_lines = columns.block_bytes / sizeof(Line);
  std::vector<Line> blocks(kBlockCount * block_lines);
  std::vector<Line> work(columns.work_bytes / sizeof(Line));
  espalier::start_columns(columns, blocks.data(), kBlockCount);
  espalier::update_columns(columns, blocks.data(), kBlockCount, work.data());

  // Every 1,000th guard sees an enemy.
  for (std::size_t agent = 0; agent < kBlockCount * espalier::kColumnAgents; agent += 1000) {
    void* const block = &blocks[agent / espalier::kColumnAgents * block_lines];
    espalier::set_in_column(columns, block, agent % espalier::kColumnAgents, guard::Guard::variables::EnemyVisible,
                            true);
  }
  espalier::update_columns(columns, blocks.data(), kBlockCount, work.data());

  // Only blocks in which an agent has another leaf are looked at.
  std::size_t attacking = 0;
  std::vector<std::uint16_t> leaves(espalier::kColumnAgents);
  for (std::size_t i = 0; i < kBlockCount; ++i) {
    void* const block = &blocks[i * block_lines];
    const std::uint64_t* switched = espalier::plane(block, columns.switched_plane);
    std::uint64_t any = 0;
    for (std::size_t word = 0; word < espalier::kColumnAgents / 64; ++word) any |= switched[word];
    if (any == 0) continue;
    espalier::column_leaves(columns, block, leaves.data());
    for (const std::uint16_t leaf : leaves) {
      attacking += espalier::leaf_behavior(tree, leaf) == guard::behaviors::Attack ? 1 : 0;
    }
  }
  std::printf("%zu guards of %.1f bits: %zu guards attacking now\n", kBlockCount * espalier::kColumnAgents,
              8.0 * columns.block_bytes / espalier::kColumnAgents, attacking);
}
