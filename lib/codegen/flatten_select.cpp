// Flattens trees that select. See flatten.h.
#include <algorithm>
#include <functional>
#include <string_view>

#include "codegen/flatten.h"
#include "codegen/node_writer.h"
#include "runtime/format/node.h"
#include "runtime/format/opcodes/select.h"

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
  std::uint64_t hash = 0;
  bool is_root = false;
  bool is_written = false;
};

// The span identifies the place in the file; the behaviour of a leaf may differ, it belongs to the tree, not the unit.
std::uint64_t hash_of(const Subtree& subtree) {
  std::uint64_t hash = static_cast<std::uint64_t>(subtree.node->opcode);
  const auto add = [&](std::uint32_t low, std::uint32_t high) {
    hash = (hash ^ (low | std::uint64_t{high} << 32)) * 0x9E3779B97F4A7C15U;
    hash ^= hash >> 29;
  };
  add(subtree.node->span.file, subtree.node->span.begin);
  add(subtree.node->span.end, subtree.condition);
  for (const layout::Transition& transition : subtree.transitions) add(transition.condition, transition.state);
  for (const std::uint32_t child : subtree.children) add(child, 0);
  // Nodes made by hand may have no spans.
  const std::size_t name = std::hash<std::string_view>()(subtree.node->name);
  add(static_cast<std::uint32_t>(name), 0);
  return hash;
}

bool is_same(const Subtree& a, const Subtree& b) {
  const auto is_same_transition = [](const layout::Transition& left, const layout::Transition& right) {
    return left.condition == right.condition && left.state == right.state;
  };
  return a.hash == b.hash && a.node->opcode == b.node->opcode && a.node->span == b.node->span &&
         a.condition == b.condition && a.children == b.children &&
         std::equal(a.transitions.begin(), a.transitions.end(), b.transitions.begin(), b.transitions.end(),
                    is_same_transition) &&
         a.node->name == b.node->name;
}

// The subtrees, each once, children before parents.
class Subtrees {
 public:
  // The number of this subtree. The first time, it is added, and uses its children.
  std::uint32_t intern(Subtree&& subtree) {
    if (2 * all.size() >= slots_.size()) grow();
    subtree.hash = hash_of(subtree);
    std::uint32_t& slot = slots_[slot_of(subtree)];
    if (slot != layout::kNone) return slot;
    slot = count32(all.size());
    for (const std::uint32_t child : subtree.children) ++all[child].use_count;
    all.push_back(std::move(subtree));
    return slot;
  }

  std::vector<Subtree> all;

 private:
  std::size_t slot_of(const Subtree& subtree) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = subtree.hash & mask;
    while (slots_[at] != layout::kNone && !is_same(all[slots_[at]], subtree)) at = (at + 1) & mask;
    return at;
  }

  void grow() {
    slots_.assign(std::max<std::size_t>(64, 2 * slots_.size()), layout::kNone);
    for (std::uint32_t i = 0; i < all.size(); ++i) slots_[slot_of(all[i])] = i;
  }

  std::vector<std::uint32_t> slots_;  // open addressing, at most half full; their number is a power of two
};

// Storing a subtree once must save space: each use then costs a share node, and the whole costs a unit.
bool is_stored_once(const Subtree& subtree) {
  if (subtree.is_root) return true;
  if (subtree.node->opcode == opcode::select_state || subtree.use_count < 2) return false;
  const std::uint64_t size = subtree.word_count + std::uint64_t{subtree.node_count} * kLocationWords;
  const std::uint64_t share_size = own_words<opcode::select_share>() + kLocationWords;
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
    if (subtree.node->opcode == opcode::select_leaf) writer_.set_leaf(word, unit.leaf_count++);
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
    const std::uint32_t word = writer_.open(*subtree.node, opcode::select_share, [&](OperandKind kind) {
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
        for (const ir::Transition& transition : subtree.node->as<ir::Transitions>().transitions) {
          sections_.transition_spans.push_back(transition.span);
        }
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
    const std::uint32_t root = intern(tree.root(), pools_.conditions_of(tree));
    ++subtrees_.all[root].use_count;
    subtrees_.all[root].is_root = true;
    return root;
  }

  // Returns the unit of a root, after all trees were added.
  std::uint32_t write(std::uint32_t root) {
    write_units_below(root);
    return subtrees_.all[root].unit;
  }

 private:
  // The units that a unit uses come before it.
  void write_units_below(std::uint32_t index) {
    Subtree& subtree = subtrees_.all[index];
    if (subtree.is_written) return;
    subtree.is_written = true;
    for (const std::uint32_t child : subtree.children) write_units_below(child);
    if (is_stored_once(subtree)) subtree.unit = SelectUnitWriter(pools_, subtrees_.all).write(index);
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
    subtree.leaf_count = node.opcode == opcode::select_leaf ? 1 : 0;
    subtree.children.reserve(node.children().size());
    for (const ir::Node& child : node.children()) {
      const std::uint32_t interned = intern(child, conditions);
      subtree.children.push_back(interned);
      const Subtree& below = subtrees_.all[interned];
      subtree.word_count += below.word_count;
      subtree.node_count += below.node_count;
      subtree.leaf_count += below.leaf_count;
    }
    return subtrees_.intern(std::move(subtree));
  }

  Pools& pools_;
  Subtrees subtrees_;
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
