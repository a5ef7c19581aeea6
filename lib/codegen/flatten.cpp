// Trees to units. See flatten.h.
#include "codegen/flatten.h"

#include <algorithm>

#include "runtime/format/opcode.h"

namespace espalier::codegen {
namespace {

// What a node costs in an asset beside its words, in words: its place in the debug data.
constexpr std::uint32_t kPlaceWords = sizeof(layout::NodePlace) / 4;
constexpr std::uint32_t kUnitWords = sizeof(layout::Unit) / 4;

std::uint32_t words_of(Opcode opcode) { return kNodeHeaderWords + opcode_info(opcode).operand_count; }

template <typename Value>
void append_bytes(std::string& key, const Value& value) {
  key.append(reinterpret_cast<const char*>(&value), sizeof value);
}

}  // namespace

std::uint32_t Flattener::add(const ir::Tree& tree) {
  const std::uint32_t root = intern(tree.root, conditions_.add_all(tree));
  ++subtrees_[root].use_count;
  subtrees_[root].is_root = true;
  roots_.push_back(root);
  return static_cast<std::uint32_t>(roots_.size() - 1);
}

std::uint32_t Flattener::intern(const ir::Node& node, const std::vector<std::uint32_t>& operands) {
  Subtree subtree;
  subtree.node = &node;
  const std::optional<ir::ConditionIndex> condition = ir::condition_of(node);
  subtree.condition = condition ? operands[*condition] : 0;
  if (const auto* state = node.as_if<ir::Transitions>()) {
    for (const ir::Transition& transition : state->transitions) {
      subtree.transitions.push_back({operands[transition.condition], transition.target});
    }
  }
  subtree.word_count = words_of(node.opcode);
  subtree.node_count = 1;
  subtree.children.reserve(node.children.size());
  for (const ir::Node& child : node.children) {
    const std::uint32_t interned = intern(child, operands);
    subtree.children.push_back(interned);
    subtree.word_count += subtrees_[interned].word_count;
    subtree.node_count += subtrees_[interned].node_count;
  }
  const auto [place, is_new] = by_key_.emplace(key_of(subtree), static_cast<std::uint32_t>(subtrees_.size()));
  if (is_new) {
    for (std::uint32_t child : subtree.children) ++subtrees_[child].use_count;
    subtrees_.push_back(std::move(subtree));
  }
  return place->second;
}

// The span tells the place in the file; the behaviour of a leaf may differ, it is the tree's and not the unit's.
std::string Flattener::key_of(const Subtree& subtree) {
  std::string key;
  key.reserve(64 + subtree.node->name.size() + 8 * subtree.transitions.size() + 4 * subtree.children.size());
  append_bytes(key, subtree.node->opcode);
  append_bytes(key, subtree.node->span);
  append_bytes(key, subtree.condition);
  append_bytes(key, static_cast<std::uint32_t>(subtree.transitions.size()));
  for (const layout::Transition& transition : subtree.transitions) append_bytes(key, transition);
  for (std::uint32_t child : subtree.children) append_bytes(key, child);
  key += subtree.node->name;
  return key;
}

// Storing once must save room: each use costs a share node then, and the whole a unit.
bool Flattener::is_stored_once(const Subtree& subtree) const {
  if (subtree.is_root) return true;
  if (subtree.node->opcode == Opcode::select_state || subtree.use_count < 2) return false;
  const std::uint64_t size = subtree.word_count + std::uint64_t{subtree.node_count} * kPlaceWords;
  const std::uint64_t share_size = words_of(Opcode::select_share) + kPlaceWords;
  return subtree.use_count * size > size + kUnitWords + subtree.use_count * share_size;
}

// Writes one unit: the nodes of a subtree, where those that are stored once stand as select_share.
class Flattener::UnitWriter {
 public:
  UnitWriter(Flattener& flattener, std::uint32_t root)
      : flattener_(flattener), sections_(flattener.sections_), root_(root) {}

  layout::Unit write() {
    unit_ = sections_.begin_unit(layout::kNone);
    write_node(root_, 0, 0);
    unit_.word_count = next_word() - unit_.first_word;
    return unit_;
  }

 private:
  std::uint32_t next_word() const { return static_cast<std::uint32_t>(sections_.nodes.size()); }

  void write_node(std::uint32_t index, std::uint32_t number, std::uint32_t region_depth) {
    const Subtree& subtree = flattener_.subtrees_[index];
    if (index != root_ && subtree.unit != layout::kNone) {
      write_share(subtree, region_depth);
      return;
    }
    const OpcodeInfo& info = opcode_info(subtree.node->opcode);
    const std::uint32_t word = next_word();
    const std::uint32_t flags = info.flags == FlagsKind::number ? number : 0;
    const std::uint32_t state = info.agent_bytes > 0 ? unit_.state_bytes : 0;
    open_node(subtree.node->opcode, flags, state, subtree);
    const std::uint32_t leaves_before = unit_.leaf_count;
    for (std::uint32_t i = 0; i < info.operand_count; ++i)
      sections_.nodes.push_back(operand(info.operands[i], subtree));
    sections_.transitions.insert(sections_.transitions.end(), subtree.transitions.begin(), subtree.transitions.end());
    for (const layout::Transition& transition : subtree.transitions) read_condition(transition.condition);
    ++unit_.node_count;
    unit_.state_bytes += info.agent_bytes;
    if (subtree.node->opcode == Opcode::select_leaf) ++unit_.leaf_count;
    const std::uint32_t inside = region_depth + (info.children == Children::states ? 1 : 0);
    unit_.region_count = std::max(unit_.region_count, inside);
    for (std::uint32_t i = 0; i < subtree.children.size(); ++i) write_node(subtree.children[i], i, inside);
    close_node(word, info, leaves_before);
  }

  void write_share(const Subtree& subtree, std::uint32_t region_depth) {
    const layout::Unit& shared = sections_.units[subtree.unit];
    const std::uint32_t word = next_word();
    open_node(Opcode::select_share, 0, unit_.state_bytes, subtree);
    sections_.nodes.insert(sections_.nodes.end(), {0, subtree.unit, unit_.leaf_count});
    sections_.nodes[word + 1] = next_word() - word;
    unit_.node_count += shared.node_count;
    unit_.leaf_count += shared.leaf_count;
    unit_.state_bytes += shared.state_bytes;
    unit_.region_count = std::max(unit_.region_count, region_depth + 1 + shared.region_count);
    unit_.variable_count = std::max(unit_.variable_count, shared.variable_count);
  }

  void open_node(Opcode opcode, std::uint32_t flags, std::uint32_t state, const Subtree& subtree) {
    sections_.origins.push_back({next_word(), &subtree.node->name, subtree.node->span});
    sections_.nodes.push_back(static_cast<std::uint32_t>(opcode) | flags << 8 | state << 16);
    sections_.nodes.push_back(0);  // the extent, when it is known
  }

  std::uint32_t operand(OperandKind kind, const Subtree& subtree) {
    switch (kind) {
      case OperandKind::condition:
        return read_condition(subtree.condition);
      case OperandKind::leaf:
        return unit_.leaf_count;
      case OperandKind::transition:
        return static_cast<std::uint32_t>(sections_.transitions.size());
      case OperandKind::transition_count:
        return static_cast<std::uint32_t>(subtree.transitions.size());
      case OperandKind::leaf_count:  // when it is known
      case OperandKind::unit:        // write_share
      case OperandKind::none:
      default:  // these are the other engine's
        break;
    }
    return 0;
  }

  std::uint32_t read_condition(std::uint32_t condition) {
    if (condition == 0) return 0;
    unit_.variable_count = std::max(unit_.variable_count, sections_.conditions[condition - 1].variable_count);
    return condition;
  }

  void close_node(std::uint32_t word, const OpcodeInfo& info, std::uint32_t leaves_before) {
    sections_.nodes[word + 1] = next_word() - word;
    for (std::uint32_t i = 0; i < info.operand_count; ++i) {
      if (info.operands[i] != OperandKind::leaf_count) continue;
      sections_.nodes[word + kNodeHeaderWords + i] = unit_.leaf_count - leaves_before;
    }
  }

  Flattener& flattener_;
  Sections& sections_;
  std::uint32_t root_;
  layout::Unit unit_ = {};
};

void Flattener::write() {
  is_written_.assign(subtrees_.size(), false);
  for (std::uint32_t root : roots_) write_units_below(root);
}

// Units that a unit uses stand before it.
void Flattener::write_units_below(std::uint32_t index) {
  if (is_written_[index]) return;
  is_written_[index] = true;
  for (std::uint32_t child : subtrees_[index].children) write_units_below(child);
  if (!is_stored_once(subtrees_[index])) return;
  const layout::Unit unit = UnitWriter(*this, index).write();
  sections_.units.push_back(unit);
  subtrees_[index].unit = static_cast<std::uint32_t>(sections_.units.size() - 1);
}

}  // namespace espalier::codegen
