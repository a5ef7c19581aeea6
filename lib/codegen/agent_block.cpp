// The agent's block. See agent_block.h.
#include "codegen/agent_block.h"

namespace espalier::codegen {
namespace {

// The lowest bit first.
void set_bits(std::string& image, std::uint64_t first_bit, std::uint32_t count, std::uint64_t bits) {
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint64_t bit = first_bit + i;
    if ((bits >> i & 1) != 0) image[bit / 8] = static_cast<char>(image[bit / 8] | 1 << (bit % 8));
  }
}

}  // namespace

AgentBlock lay_out_agent(EngineId engine, const AgentNeeds& needs) {
  AgentBlock block;
  std::uint64_t end = 0;
  for (const PartInfo& row : EngineParts(engine)) {
    const PartNeed& need = needs[row.kind];
    layout::Part part = {};
    part.kind = static_cast<std::uint8_t>(row.kind);
    part.bits = need.is_wide ? row.wide_bits : row.bits;
    part.count = row.is_one ? 1 : need.count;
    part.first_name = need.first_name;
    const std::uint64_t offset_bits = aligned_bits(end, row.alignment_bits);
    part.offset_bits = static_cast<std::uint32_t>(offset_bits);
    end = offset_bits + std::uint64_t{part.bits} * part.count;
    block.parts.push_back(part);
  }
  block.size_bytes = aligned_bits(end, 8 * agent_alignment(engine)) / 8 + (needs.has_times ? layout::kTimesBytes : 0);
  return block;
}

std::string image_of(EngineId engine, const AgentNeeds& needs, const AgentBlock& block,
                     const std::vector<layout::Variable>& variables) {
  const EngineParts rows(engine);
  std::string image(aligned_bits(block.size_bytes, layout::kAlignment), '\0');
  for (std::uint32_t i = 0; i < rows.size(); ++i) {
    const layout::Part& part = block.parts[i];
    if (rows[i].start == PartStart::zeros) continue;
    if (const std::string& content = needs[rows[i].kind].content; !content.empty()) {
      image.replace(part.offset_bits / 8, content.size(), content);
      continue;
    }
    for (std::uint32_t k = 0; k < part.count; ++k) {
      const std::uint64_t start = rows[i].start == PartStart::ones  ? ~std::uint64_t{0}
                                  : rows[i].start == PartStart::own ? needs[rows[i].kind].start
                                                                    : variables[part.first_name + k].initial;
      set_bits(image, part.offset_bits + std::uint64_t{part.bits} * k, part.bits, start);
    }
  }
  return image.find_first_not_of('\0') == std::string::npos ? std::string() : image;
}

}  // namespace espalier::codegen
