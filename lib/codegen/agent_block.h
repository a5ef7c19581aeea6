// What the agents of a tree need, part by part, and from that where the parts lie in their blocks and how those begin.
// Which parts there are, format/parts.def says.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/format/parts.h"
#include "runtime/format/records.h"

namespace espalier::codegen {

struct PartNeed {
  std::uint32_t count = 0;       // of parts that are there once it is not asked for
  std::uint32_t first_name = 0;  // into the section of its names
  bool is_wide = false;
  std::uint32_t start = 0;  // of parts whose start is their engine's
};

class AgentNeeds {
 public:
  PartNeed& operator[](PartKind kind) { return needs_[static_cast<std::size_t>(kind)]; }
  const PartNeed& operator[](PartKind kind) const { return needs_[static_cast<std::size_t>(kind)]; }

 private:
  std::array<PartNeed, kPartKindCount> needs_;
};

struct AgentBlock {
  std::vector<layout::Part> parts;
  std::uint64_t size_bytes = 0;
};

// A block may be larger than an asset can tell: its offsets are of no use then.
AgentBlock lay_out_agent(EngineId engine, const AgentNeeds& needs);

// The block at its start, up to the alignment of images. Empty: all of it is zeros. `variables`: of all trees.
std::string image_of(EngineId engine, const AgentNeeds& needs, const AgentBlock& block,
                     const std::vector<layout::Variable>& variables);

}  // namespace espalier::codegen
