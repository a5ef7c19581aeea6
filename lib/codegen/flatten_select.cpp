// Flattens trees that select. See flatten.h.
#include <algorithm>

#include "codegen/flatten.h"
#include "codegen/node_writer.h"
#include "runtime/format/node.h"

namespace espalier::codegen {
namespace {

// The cost of a node in the asset in addition to its words, in words: its debug data.
constexpr std::uint32_t kLocationWords = sizeof(layout::NodeLocation) / 4;
constexpr std::uint32_t kUnitWords = sizeof(layout::Unit) / 4;

struct Subtree {
  const ir::Node* node;
  std::uint32_t condition;  // operand
  std::vector<layout::Transition> transitions;
  std::vector<std::uint32_t> children;  // subtrees
  std::uint32_t use_count = 0;          // in different subtrees, and as roots
  std::uint32_t word_count = 0;         // of all nodes below, without sharing; so are the next two
  std::uint32_t node_count = 0;
  std::uint32_t leaf_count = 0;
  std::uint32_t unit = layout::kNone;
  bool is_root = false;
  bool is_written = false;
};

// The span identifies the place in the file; the behaviour of a leaf may differ, it belongs to the tree, not the unit.
std::string key_of(const Subtree& subtree) {
  std::string key;
  key.reserve(64 + subtree.node->name.size() + 8 * subtree.transitions.size() + 4 * subtree.children.size());
  append_bytes(key, subtree.node->opcode);
  append_bytes(key, subtree.node->span);
  append_bytes(key, subtree.condition);
  append_bytes(key, count32(subtree.transitions.size()));
  for (const layout::Transition& transition : subtree.transitions) append_bytes(key, transition);
  for (std::uint32_t child : subtree.children) append_bytes(key, child);
  key += subtree.node->name;
  return key;
}

// Storing a subtree once must save space: each use then costs a share node, and the whole costs a unit.
bool is_stored_once(const Subtree& subtree) {
  if (subtree.is_root) return true;
  if (subtree.node->opcode == Opcode::select_state || subtree.use_count < 2) return false;
  const std::uint64_t size = subtree.word_count + std::uint64_t{subtree.node_count} * kLocationWords;
  const std::uint64_t share_size = own_words(Opcode::select_share) + kLocationWords;
  return subtree.use_count * size > size + kUnitWords + subtree.use_count * share_size;
}

// Writes one unit: the nodes of a subtree, with a select_share for each part that is stored once.
class SelectUnitWriter {
 public:
  SelectUnitWriter(Pools& pools, const std::vector<Subtree>& subtrees)
      : sections_(pools.sections), subtrees_(subtrees), writer_(pools, layout::kNone) {}

  std::uint32_t write(std::uint32_t root) {
    write_node(subtrees_[root], 0);
    return writer_.finish();
  }

 private:
  void write_node(const Subtree& subtree, std::uint32_t region_depth) {
    const OpcodeInfo& info = opcode_info(subtree.node->opcode);
    const std::uint32_t word =
        writer_.open(*subtree.node, subtree.node->opcode, [&](OperandKind kind) { return operand(kind, subtree); });
    layout::Unit& unit = writer_.unit();
    if (info.agent_bytes > 0) writer_.set_state(word, unit.state_bytes);
    unit.state_bytes += info.agent_bytes;
    if (subtree.node->opcode == Opcode::select_leaf) ++unit.leaf_count;
    const std::uint32_t inside = region_depth + (info.children == Children::states ? 1 : 0);
    unit.region_count = std::max(unit.region_count, inside);
    for (const std::uint32_t child : subtree.children) {
      if (subtrees_[child].unit == layout::kNone) {
        write_node(subtrees_[child], inside);
      } else {
        write_share(subtrees_[child], inside);
      }
    }
    writer_.close();
  }

  void write_share(const Subtree& subtree, std::uint32_t region_depth) {
    layout::Unit& unit = writer_.unit();
    const std::uint32_t word = writer_.open(*subtree.node, Opcode::select_share, [&](OperandKind kind) {
      if (kind == OperandKind::condition) return 0u;  // the unit's root has it
      return kind == OperandKind::unit ? subtree.unit : unit.leaf_count;
    });
    writer_.set_state(word, unit.state_bytes);
    writer_.close();
    const layout::Unit& shared = sections_.units[subtree.unit];
    unit.node_count += shared.node_count - 1;
    unit.leaf_count += shared.leaf_count;
    unit.state_bytes += shared.state_bytes;
    unit.region_count = std::max(unit.region_count, region_depth + 1 + shared.region_count);
    unit.variable_count = std::max(unit.variable_count, shared.variable_count);
  }

  std::uint32_t operand(OperandKind kind, const Subtree& subtree) {
    switch (kind) {
      case OperandKind::condition:
        return writer_.use_condition(subtree.condition);
      case OperandKind::leaf:
        return writer_.unit().leaf_count;
      case OperandKind::leaf_count:
        return subtree.leaf_count;
      case OperandKind::transition: {
        const std::uint32_t first = count32(sections_.transitions.size());
        for (const layout::Transition& transition : subtree.transitions) {
          writer_.use_condition(transition.condition);
          sections_.transitions.push_back(transition);
        }
        return first;
      }
      case OperandKind::transition_count:
        return count32(subtree.transitions.size());
      default:  // of other engines
        return 0;
    }
  }

  Sections& sections_;
  const std::vector<Subtree>& subtrees_;
  NodeWriter writer_;
};

// First finds the subtrees of all trees; writes units once it is known how often each subtree is used.
class SelectingWriter {
 public:
  explicit SelectingWriter(Pools& pools) : pools_(pools) {}

  // Returns the subtree of the root.
  std::uint32_t add(const ir::Tree& tree) {
    const std::uint32_t root = intern(tree.root, pools_.conditions_of(tree));
    ++subtrees_[root].use_count;
    subtrees_[root].is_root = true;
    return root;
  }

  // Returns the unit of a root, after all trees were added.
  std::uint32_t write(std::uint32_t root) {
    write_units_below(root);
    return subtrees_[root].unit;
  }

 private:
  // The units that a unit uses come before it.
  void write_units_below(std::uint32_t index) {
    if (subtrees_[index].is_written) return;
    subtrees_[index].is_written = true;
    for (const std::uint32_t child : subtrees_[index].children) write_units_below(child);
    if (is_stored_once(subtrees_[index])) subtrees_[index].unit = SelectUnitWriter(pools_, subtrees_).write(index);
  }

  std::uint32_t intern(const ir::Node& node, const std::vector<std::uint32_t>& conditions) {
    Subtree subtree;
    subtree.node = &node;
    const std::optional<ir::ConditionIndex> condition = ir::condition_of(node);
    subtree.condition = condition ? conditions[*condition] : 0;
    if (const auto* state = node.as_if<ir::Transitions>()) {
      for (const ir::Transition& transition : state->transitions) {
        subtree.transitions.push_back({conditions[transition.condition], transition.target});
      }
    }
    subtree.word_count = own_words(node.opcode);
    subtree.node_count = 1;
    subtree.leaf_count = node.opcode == Opcode::select_leaf ? 1 : 0;
    subtree.children.reserve(node.children.size());
    for (const ir::Node& child : node.children) {
      const std::uint32_t interned = intern(child, conditions);
      subtree.children.push_back(interned);
      subtree.word_count += subtrees_[interned].word_count;
      subtree.node_count += subtrees_[interned].node_count;
      subtree.leaf_count += subtrees_[interned].leaf_count;
    }
    const auto [place, is_new] = by_key_.try_emplace(key_of(subtree), count32(subtrees_.size()));
    if (is_new) {
      for (const std::uint32_t child : subtree.children) ++subtrees_[child].use_count;
      subtrees_.push_back(std::move(subtree));
    }
    return place->second;
  }

  Pools& pools_;
  std::vector<Subtree> subtrees_;  // children before parents
  std::unordered_map<std::string, std::uint32_t> by_key_;
};

}  // namespace

void write_selecting(const ir::Project& project, Pools& pools) {
  SelectingWriter writer(pools);
  std::vector<std::uint32_t> roots;
  for_each_tree(project, EngineId::select,
                [&](const ir::Tree& source, std::uint32_t) { roots.push_back(writer.add(source)); });
  auto root = roots.begin();
  for_each_tree(project, EngineId::select, [&](const ir::Tree&, std::uint32_t tree) {
    const std::uint32_t unit = writer.write(*root++);
    pools.sections.trees[tree].unit = unit;
    pools.sections.agents[tree][PartKind::states].count = pools.sections.units[unit].state_bytes;
  });
}

}  // namespace espalier::codegen
