// Flattens trees of rules. See flatten.h.
#include "codegen/flatten.h"
#include "codegen/node_writer.h"
#include "runtime/format/opcodes/rule.h"

namespace espalier::codegen {
namespace {

// The rules of one file: a rule_file, or the rule_subtree that uses the file.
struct ListOfFile {
  const ir::Node* list;
  std::uint32_t parent;  // number of the rule_subtree; layout::kNone: of the tree's own file
  std::uint32_t first_rule = 0;
  std::uint32_t first_below = 0;
};

// Calls visit(rule) for the rules of one file in preorder, without those below its subtrees.
template <typename Visit>
void for_each_rule(const ir::Node& list, const Visit& visit) {
  for (const ir::Node& rule : list.children()) {
    visit(rule);
    if (rule.opcode != opcode::rule_subtree) for_each_rule(rule, visit);
  }
}

text::FileId file_of(const ir::Node& list) { return list.as<ir::RuleFile>().file; }

using Units = std::unordered_map<text::FileId, std::uint32_t>;

// Writes one unit, the rules of a file; the units of its subtrees are already written. Returns its index.
class RuleUnitWriter {
 public:
  RuleUnitWriter(Pools& pools, const Units& units)
      : sections_(pools.sections), units_(units), writer_(pools, layout::kNone) {}

  std::uint32_t write(const ir::Node& list) {
    write_node(list, opcode::rule_file);
    return writer_.finish();
  }

 private:
  void write_node(const ir::Node& node, Opcode opcode) {
    const std::uint32_t word = writer_.open(node, opcode, [&](OperandKind) { return add_use(node); });
    if (opcode == opcode::rule_file) sections_.origins.back() = {word, nullptr, {file_of(node), 0, 0}};
    if (opcode != opcode::rule_subtree) {
      for (const ir::Node& child : node.children()) write_node(child, child.opcode);
    }
    writer_.close();
  }

  std::uint32_t add_use(const ir::Node& subtree) {
    const std::uint32_t rule = writer_.unit().node_count - 2;  // without the rule_file and itself
    sections_.references.push_back({units_.at(file_of(subtree)), rule});
    return count32(sections_.references.size()) - 1;
  }

  Sections& sections_;
  const Units& units_;
  NodeWriter writer_;
};

// Writes the units that are not written yet, and the records of the tree.
void write_rule_tree(const ir::Tree& source, std::uint32_t tree, Pools& pools, Units& units) {
  Sections& sections = pools.sections;
  layout::RuleTree record = {};
  record.run_limit = source.as<ir::Ruling>().run_limit;
  record.flags = source.as<ir::Ruling>().is_used ? layout::kIsUsed : 0;
  record.first_instance = count32(sections.unit_instances.size());
  record.first_id = count32(sections.rule_ids.size());
  std::vector<ListOfFile> places = {{&source.root(), layout::kNone}};
  for (std::size_t i = 0; i < places.size(); ++i) {
    places[i].first_rule = record.rule_count;
    places[i].first_below = count32(places.size());
    for_each_rule(*places[i].list, [&](const ir::Node& rule) {
      sections.rule_ids.push_back(pools.names.add(rule.label));
      if (rule.opcode == opcode::rule_subtree) places.push_back({&rule, record.rule_count});
      ++record.rule_count;
    });
  }
  // A use comes before the places that it leads to, so going backwards finds every unit before its users.
  for (std::size_t i = places.size(); i-- > 0;) {
    const text::FileId file = file_of(*places[i].list);
    if (!units.contains(file)) units[file] = RuleUnitWriter(pools, units).write(*places[i].list);
  }
  for (const ListOfFile& place : places) {
    const std::uint32_t unit = units.at(file_of(*place.list));
    sections.unit_instances.push_back({place.first_rule, unit, place.parent, place.first_below});
  }
  record.instance_count = count32(places.size());
  AgentNeeds& needs = sections.agents[tree];
  needs[PartKind::current_rule].start = record.rule_count > 0 ? 0 : layout::kNoRule;
  needs[PartKind::status].start = layout::kFirstRun | static_cast<unsigned>(Result::stopped);
  sections.trees[tree].unit = sections.unit_instances[record.first_instance].unit;
  sections.trees[tree].record = count32(sections.rule_trees.size());
  sections.rule_trees.push_back(record);
}

}  // namespace

void write_rules(const ir::Project& project, Pools& pools) {
  Units units;
  for_each_tree(project, EngineId::rule,
                [&](const ir::Tree& source, std::uint32_t tree) { write_rule_tree(source, tree, pools, units); });
}

}  // namespace espalier::codegen
