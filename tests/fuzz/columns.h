// A crowd's columns, and prepared updates with and without tables: they select what an update of one agent selects.
// columns.h, selecting.h
#pragma once
#include <algorithm>
#include <memory>
#include <vector>

#include "fuzz.h"

namespace fuzz {

class Columns {
 public:
  Columns(const espalier::Tree& tree, std::uint64_t seed) : tree_(tree), dice_{seed}, agents_(agent_bytes(tree)) {
    table_.resize(behavior_count(*tree.asset));
    host_.behaviors = table_.data();
    start(tree_, agents_.data());
    prepared_ = prepare(tree_);
    if (leaf_count(tree_) <= kMostLeaves && variable_count(tree_) <= kMostVariables) make_tables();
    if (const std::size_t bytes = columns_bytes(tree_); bytes > 0 && bytes <= kMostBytes) make_columns(bytes);
  }

  void play() {
    for (int step = 0; step < 8; ++step) {
      if (const std::uint32_t count = variable_count(tree_); count > 0) {
        const std::uint32_t variable = dice_.below(count);
        const bool value = dice_.below(2) == 0;
        set(tree_, agents_.data(), variable, value);
        if (has_columns_) set_in_column(columns_, block(), kAgent, variable, value);
      }
      update(prepared_, agents_.data(), host_);
      if (has_columns_) compare();
    }
  }

 private:
  static constexpr std::uint32_t kMostLeaves = 64;
  static constexpr std::uint32_t kMostVariables = 16;
  static constexpr std::size_t kMostBytes = 1 << 20;
  static constexpr std::uint32_t kAgent = 77;  // of the block, which has others
  struct alignas(64) Line {
    unsigned char bytes[64];
  };

  static std::vector<Line> lines(std::size_t size_bytes) { return std::vector<Line>(size_bytes / sizeof(Line) + 1); }
  void* block() { return block_.data(); }

  void make_tables() {
    const std::size_t bytes = tables_bytes(tree_);
    if (bytes == 0 || bytes > kMostBytes) return;
    tables_.resize(bytes / 8 + 1);
    espalier::make_tables(&prepared_, tables_.data());
  }

  void make_columns(std::size_t bytes) {
    code_.resize(bytes / 8 + 1);
    columns_ = espalier::make_columns(tree_, code_.data());
    if (columns_.block_bytes > kMostBytes || columns_.work_bytes > kMostBytes) return;
    has_columns_ = true;
    block_ = lines(columns_.block_bytes);
    work_ = lines(columns_.work_bytes);
    start_columns(columns_, block(), 1);
  }

  void compare() {
    update_columns(columns_, block(), 1, work_.data());
    std::vector<std::uint16_t> leaves(ESPALIER_COLUMN_AGENTS);
    column_leaves(columns_, block(), leaves.data());
    require(leaves[kAgent] == std::min(current_leaf(tree_, agents_.data()), leaf_count(tree_)));
    std::vector<unsigned char> stored(agents_.size() * (kAgent + 1));
    for (std::uint32_t i = 0; i <= kAgent; ++i) start(tree_, stored.data() + i * agents_.size());
    store_columns(columns_, block(), stored.data(), agents_.size(), kAgent + 1);
    const unsigned char* const agent = stored.data() + kAgent * agents_.size();
    require(check_agent(tree_, agent) == espalier::Status::ok);
    require(current_leaf(tree_, agent) == current_leaf(tree_, agents_.data()));
    load_columns(columns_, block(), stored.data(), agents_.size(), kAgent + 1);
  }

  espalier::Tree tree_;
  Dice dice_;
  std::vector<unsigned char> agents_;
  std::vector<espalier::Behavior> table_;
  espalier::Host host_;
  espalier::Prepared prepared_;
  std::vector<std::uint64_t> tables_;
  std::vector<std::uint64_t> code_;
  espalier::Columns columns_;
  bool has_columns_ = false;
  std::vector<Line> block_;
  std::vector<Line> work_;
};

}  // namespace fuzz
