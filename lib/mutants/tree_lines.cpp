// Lines of trees. See tree_lines.h.
#include "mutants/tree_lines.h"

#include <algorithm>

#include "codegen/dump/disassemble.h"
#include "codegen/dump/listing.h"

namespace espalier::mutants {
namespace {

// The units of a tree, its own and those that these use, each once.
std::set<std::uint32_t> units_of(const Tree& tree) {
  std::set<std::uint32_t> units;
  std::vector<std::uint32_t> left = {tree_record(tree).unit};
  while (!left.empty()) {
    const std::uint32_t unit = left.back();
    left.pop_back();
    if (!units.insert(unit).second) continue;
    codegen::visit_unit(*tree.asset, unit, [&](const codegen::NodeView& node, std::size_t) {
      if (const std::uint32_t* used = codegen::operand(node, OperandKind::unit)) left.push_back(*used);
      const std::uint32_t* reference = codegen::operand(node, OperandKind::reference);
      if (reference == nullptr) return;
      left.push_back(array<layout::Reference>(*tree.asset, layout::SectionId::references)[*reference].unit);
    });
  }
  return units;
}

// Of each unit, found when it is asked for.
class UnitLines {
 public:
  explicit UnitLines(const Asset& asset) : asset_(asset) {}

  const FileLines& of(std::uint32_t unit) {
    const auto [known, is_new] = lines_.try_emplace(unit);
    FileLines& files = known->second;
    if (!is_new) return files;
    codegen::visit_unit(asset_, unit, [&](const codegen::NodeView& node, std::size_t) {
      const codegen::NodeDebug place = codegen::node_debug(asset_, node.word);
      if (place.line == 0) return;
      Lines& lines = files[std::string(place.file)];
      lines.first = std::min(lines.first, place.line);
      lines.last = std::max(lines.last, place.line);
    });
    return files;
  }

 private:
  const Asset& asset_;
  std::map<std::uint32_t, FileLines> lines_;
};

}  // namespace

TreeLines::TreeLines(const Asset& asset) {
  UnitLines of_units(asset);
  for (std::uint32_t i = 0; i < tree_count(asset); ++i) {
    FileLines& tree = trees_.emplace_back();
    for (const std::uint32_t unit : units_of(espalier::tree(asset, i))) {
      for (const auto& [file, of_unit] : of_units.of(unit)) {
        Lines& lines = tree[file];
        lines.first = std::min(lines.first, of_unit.first);
        lines.last = std::max(lines.last, of_unit.last);
      }
    }
    for (const auto& [file, lines] : tree) beginnings_[file].insert(lines.first);
  }
}

FileLines TreeLines::of(const Tree& tree) const {
  FileLines files = trees_[tree.index];
  for (auto& [file, lines] : files) {
    const std::set<std::uint32_t>& beginnings = beginnings_.find(file)->second;
    const auto next = beginnings.upper_bound(lines.last);
    lines.last = next == beginnings.end() ? std::numeric_limits<std::uint32_t>::max() : *next - 1;
  }
  return files;
}

}  // namespace espalier::mutants
