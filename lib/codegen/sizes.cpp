// Sizes as text. See sizes.h.
#include "codegen/sizes.h"

#include "codegen/listing.h"

namespace espalier::codegen {
namespace {

std::string counted(std::uint64_t count, const char* what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

std::string tree_line(const Tree& tree) {
  constexpr std::uint32_t kLeafBytes = 2;
  const layout::Tree& record = tree_record(tree);
  const std::uint32_t variable_bytes = (record.variable_count + 7) / 8;
  const std::uint32_t used_bytes = variable_bytes + kLeafBytes + record.state_bytes;
  std::string line = "tree ";
  append_quoted(line, tree_name(tree));
  line += ": " + counted(record.agent_bytes, "byte") + " an agent (variables " + std::to_string(variable_bytes) +
          ", leaf " + std::to_string(kLeafBytes) + ", states " + std::to_string(record.state_bytes) + ", unused " +
          std::to_string(record.agent_bytes - used_bytes) + "), " + std::to_string(record.shared_bytes) +
          " shared by all agents; " + counted(unit_at(*tree.asset, record.unit).node_count, "node") + ", " +
          std::to_string(record.leaf_count) + (record.leaf_count == 1 ? " leaf\n" : " leaves\n");
  return line;
}

}  // namespace

std::string sizes_text(const Asset& asset) {
  std::string text;
  std::uint64_t used_count = 0;
  for (std::uint32_t i = 0; i < tree_count(asset); ++i) {
    text += tree_line({&asset, i});
    used_count += unit_at(asset, tree_record({&asset, i}).unit).node_count;
  }
  std::uint64_t stored_count = 0;
  const std::uint32_t unit_total = record_count<layout::Unit>(asset, layout::SectionId::units);
  for (std::uint32_t unit = 0; unit < unit_total; ++unit) {
    visit_unit(asset, unit, [&](const NodeView& node, std::size_t) {
      if (operand(node, OperandKind::unit) == nullptr) ++stored_count;
    });
  }
  text += "asset: " + counted(header_of(asset).size_bytes, "byte") + ", " + counted(tree_count(asset), "tree") + ", " +
          counted(unit_total, "unit") + ", " + counted(behavior_count(asset), "behaviour") + "; " +
          counted(stored_count, "node") + " stored, which stand for " + std::to_string(used_count) + "\n";
  return text;
}

}  // namespace espalier::codegen
