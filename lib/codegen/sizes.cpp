// Sizes as text. See sizes.h.
#include "codegen/sizes.h"

#include "codegen/listing.h"
#include "runtime/tick_agent.h"

namespace espalier::codegen {
namespace {

std::string counted(std::uint64_t count, const char* what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

// A part of an agent's block: its name and bytes.
struct Part {
  const char* name;
  std::uint32_t bytes;
};

std::vector<Part> parts_of(const Tree& tree) {
  constexpr std::uint32_t kLeafBytes = 2;
  constexpr std::uint32_t kStatusBytes = 1;
  constexpr std::uint32_t kNumberBytes = 8;  // a time, or the state of the random numbers
  const layout::Tree& record = tree_record(tree);
  const Part variables = {"variables", (record.variable_count + 7) / 8};
  if (!is_ticking(tree)) return {variables, {"leaf", kLeafBytes}, {"states", record.state_bytes}};
  const layout::Ticking& ticking = ticking_record(tree);
  return {variables,
          {"status", kStatusBytes},
          {"cursor", ticking.cursor_bytes},
          {"scopes", ticking.held_offset == layout::kNone ? 0 : (scope_count(*tree.asset) + 7) / 8},
          {"generator", ticking.generator_offset == layout::kNone ? 0 : kNumberBytes},
          {"timestamps", ticking.timestamp_count * kNumberBytes},
          {"nodes", record.state_bytes}};
}

std::string tree_line(const Tree& tree) {
  const layout::Tree& record = tree_record(tree);
  std::string line = "tree ";
  append_quoted(line, tree_name(tree));
  line += ": " + counted(record.agent_bytes, "byte") + " an agent (";
  std::uint32_t unused_bytes = record.agent_bytes;
  for (const Part& part : parts_of(tree)) {
    line += std::string(part.name) + " " + std::to_string(part.bytes) + ", ";
    unused_bytes -= part.bytes;
  }
  line += "unused " + std::to_string(unused_bytes) + "), " + std::to_string(record.shared_bytes) +
          " shared by all agents; " + counted(unit_at(*tree.asset, record.unit).node_count, "node");
  if (!is_ticking(tree)) {
    line += ", " + std::to_string(record.leaf_count) + (record.leaf_count == 1 ? " leaf" : " leaves");
  }
  return line + "\n";
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
  if (const std::size_t bytes = group_bytes(asset); bytes > 0) {
    text += "group: " + counted(bytes, "byte") + " shared by the agents of a group, for " +
            counted(scope_count(asset), "scope") + "\n";
  }
  return text;
}

}  // namespace espalier::codegen
