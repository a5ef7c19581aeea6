// The layout of agents' blocks: the needs of a tree for each part, and from them the offsets of the parts and the
// initial content. format/parts.def lists the parts.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/format/parts.h"
#include "runtime/format/records.h"

namespace espalier::codegen {

struct PartNeed {
  std::uint32_t count = 0;       // ignored for parts that occur exactly once
  std::uint32_t first_name = 0;  // index into the section of its names
  bool is_wide = false;
  std::uint32_t start = 0;   // the initial value, for parts whose engine sets it
  std::string content = {};  // the initial bytes of the whole part, in place of `start`
};

class AgentNeeds {
 public:
  PartNeed& operator[](PartKind kind) { return needs_[static_cast<std::size_t>(kind)]; }
  const PartNeed& operator[](PartKind kind) const { return needs_[static_cast<std::size_t>(kind)]; }
  bool has_times = false;  // after the parts, see has_one_behavior()

 private:
  std::array<PartNeed, kPartKindCount> needs_;
};

struct AgentBlock {
  std::vector<layout::Part> parts;
  std::uint64_t size_bytes = 0;
};

// If the block is larger than the format allows, the offsets are not valid.
AgentBlock lay_out_agent(EngineId engine, const AgentNeeds& needs);

// The initial block, padded to the alignment of images. Empty: it is all zeros. `variables`: of all trees.
std::string image_of(EngineId engine, const AgentNeeds& needs, const AgentBlock& block,
                     const std::vector<layout::Variable>& variables);

}  // namespace espalier::codegen
