// See live.h.
#include "serving/live.h"

#include "format/kinds.h"
#include "poll/tree.h"

namespace espalier::serving {
namespace {

constexpr std::uint32_t kMostNodes = 0xFFFF;

// The record of a tree; its parts lie within their sections.
bool find_record(const Tree& tree, layout::LiveTree* record) {
  const Asset& asset = *tree.asset;
  if (tree.index >= record_count(asset, SectionId::live_trees)) return false;
  *record = records<layout::LiveTree>(asset, SectionId::live_trees)[tree.index];
  const std::uint32_t node_total = record_count(asset, SectionId::live_nodes);
  const std::uint32_t byte_total = record_count(asset, SectionId::live_xml);
  return record->node_count <= kMostNodes && record->first_node <= node_total &&
         record->node_count <= node_total - record->first_node && record->xml <= byte_total &&
         record->xml_bytes <= byte_total - record->xml;
}

// Can the place be looked up in an agent's block?
bool is_place(const Tree& tree, std::uint32_t place) {
  const EngineId engine = engine_id_of(tree);
  if (engine == EngineId::select) return place == layout::kNone || place < tree_record(tree).leaf_count;
  if (engine != EngineId::poll) return true;
  const layout::Unit& unit = unit_record(tree);
  return place >= unit.first_word && (place - unit.first_word) % kPolledWords == 0 &&
         (place - unit.first_word) / kPolledWords < unit.node_count;
}

}  // namespace

bool find_live_tree(const Tree& tree, LiveTree* live) {
  layout::LiveTree record = {};
  if (!find_record(tree, &record)) return false;
  const Asset& asset = *tree.asset;
  live->nodes = array<layout::LiveNode>(asset, SectionId::live_nodes) + record.first_node;
  live->node_count = record.node_count;
  live->xml = std::string_view(array<char>(asset, SectionId::live_xml) + record.xml, record.xml_bytes);
  for (std::uint32_t i = 0; i < record.node_count; ++i) {
    const layout::LiveNode& node = live->nodes[i];
    if (node.uid == 0 || node.uid > record.node_count || node.parent >= node.uid || !is_place(tree, node.place))
      return false;
  }
  return true;
}

std::uint32_t most_live_nodes(const Asset& asset) {
  std::uint32_t most = 0;
  for (std::uint32_t i = 0; i < record_count(asset, SectionId::live_trees); ++i) {
    layout::LiveTree record = {};
    if (find_record({&asset, i}, &record) && record.node_count > most) most = record.node_count;
  }
  return most;
}

}  // namespace espalier::serving
