// The rules of one group of tables: siblings in order, some of them replaced by what is below them.
#pragma once
#include "core/frame.h"
#include "select/cubes.h"

namespace espalier {

class RuleScan {
 public:
  static constexpr std::uint32_t kMaxLevels = 4;

  // Which priorities and shared units are replaced: all on this many levels, and on the next one the first `more`.
  struct Replaced {
    std::uint32_t levels = 0;
    std::uint32_t more = 0;
  };

  // What scans may cost, in steps of CubeList, and how many were taken.
  struct Budget {
    std::uint64_t limit = 0;
    std::uint64_t taken = 0;
    bool is_spent() const { return taken >= limit; }
  };

  RuleScan() = default;
  // `siblings`: `first_word` is the first of them, `end_word` is after the last.
  RuleScan(const PreparedTree& tree, const Frame& siblings, const Replaced& replaced, Budget* budget)
      : tree_(tree), budget_(budget), replaced_(replaced), levels_{siblings} {}

  // Goes to the next rule that can hold. False: there is none, or the budget is spent.
  bool next();

  const std::uint32_t* node() const { return tree_.nodes()[word_]; }
  // That of the unit that contains the node.
  const Frame& frame() const { return levels_[level_]; }
  // Is the node's own condition too large for cubes? Then cubes() are those of the conditions before it.
  bool is_checked() const { return is_checked_; }
  std::uint32_t cube_count() const { return cube_count_; }
  CubeList cubes() const { return {tree_, conditions_, level_ + (is_checked_ ? 0u : 1u)}; }
  std::uint32_t condition() const { return conditions_[level_]; }

 private:
  bool replaces();

  PreparedTree tree_;
  Budget* budget_ = nullptr;
  Replaced replaced_;
  std::uint32_t more_count_ = 0;
  std::uint32_t level_ = 0;
  std::uint32_t word_ = 0;
  std::uint32_t cube_count_ = 0;
  bool is_checked_ = false;
  Frame levels_[kMaxLevels] = {};  // `first_word`: the next sibling
  std::uint32_t conditions_[kMaxLevels] = {};
};

// The siblings below a node of this frame that is a priority or uses a shared unit.
Frame below(const Asset& asset, const Frame& frame, const std::uint32_t* node);

}  // namespace espalier
