// The view of a verified asset. See listing.h.
#include "codegen/dump/listing.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "codegen/dump/disassemble.h"
#include "runtime/format/node.h"
#include "runtime/format/opcode.h"
#include "text/visible.h"

namespace espalier::codegen {
namespace {

using layout::SectionId;

// The names in the table, for printing.
struct OperandWords {
  const char* words[kMaxOperands];
};

struct OperandTable {
  OperandWords rows[static_cast<std::size_t>(kOpcodeCount)];  // by number
};

constexpr OperandTable operand_table() {
  OperandTable table = {};
#define OP(number, name, engine, children, agent, flags, a, b, c, d, e, meaning) \
  table.rows[number] = {{#a, #b, #c, #d, #e}};
#include "runtime/format/opcodes.def"
#undef OP
  return table;
}

constexpr OperandTable kOperandTable = operand_table();

std::string_view debug_name(const Asset& asset, std::uint32_t offset_bytes) {
  return array<char>(asset, SectionId::debug_names) + offset_bytes;
}

// Adds that the users of `other` use a unit too. Variables from `limit` on do not matter to it.
void merge_names(VariableNames& names, const VariableNames& other, std::uint32_t limit) {
  if (other.tree == layout::kNone) return;
  std::vector<std::uint32_t> unequal;
  std::set_union(names.unequal.begin(), names.unequal.end(), other.unequal.begin(), other.unequal.end(),
                 std::back_inserter(unequal));
  if (names.tree != layout::kNone && names.tree != other.tree) {
    std::vector<std::uint32_t> found;
    for (std::uint32_t i = 0; i < limit; ++i) {
      if (variable_name({names.asset, names.tree}, i) != variable_name({names.asset, other.tree}, i))
        found.push_back(i);
    }
    std::vector<std::uint32_t> all;
    std::set_union(unequal.begin(), unequal.end(), found.begin(), found.end(), std::back_inserter(all));
    unequal = std::move(all);
  }
  names.unequal.assign(unequal.begin(), std::lower_bound(unequal.begin(), unequal.end(), limit));
  names.tree = std::min(names.tree, other.tree);
}

// Elements whose nodes have a name of their own in its place.
struct NamedElement {
  Opcode opcode;
  std::string_view element;
};
constexpr NamedElement kNamedElements[] = {{opcode::select_priority, "Priority"},
                                           {opcode::select_leaf, "Leaf"},
                                           {opcode::select_machine, "StateMachine"},
                                           {opcode::select_state, "State"},
                                           {opcode::store_sequence, "Sequence"},
                                           {opcode::store_selector, "Selector"},
                                           {opcode::store_parallel, "Parallel"},
                                           {opcode::store_condition, "Condition"},
                                           {opcode::store_action, "Action"},
                                           {opcode::store_invert, "Invert"},
                                           {opcode::store_succeed, "Succeed"},
                                           {opcode::store_fail, "Fail"},
                                           {opcode::store_repeat, "Repeat"},
                                           {opcode::store_monitor, "Monitor"},
                                           {opcode::store_gate, "Gate"},
                                           {opcode::store_cooldown, "Cooldown"},
                                           {opcode::store_cooldown_all, "Cooldown"},
                                           {opcode::store_group, "Group"},
                                           {opcode::store_role, "Role"},
                                           {opcode::store_barrier, "Barrier"},
                                           {opcode::store_child, "ChildTree"},
                                           {opcode::decide_behavior, "Decider"},
                                           {opcode::decide_share, "DeciderRef"},
                                           {opcode::decide_prioritized, "Group"},
                                           {opcode::decide_sequential, "Group"},
                                           {opcode::decide_random, "Group"},
                                           {opcode::decide_shuffle, "Group"},
                                           {opcode::decide_scored, "Group"},
                                           {opcode::poll_action, "Action"},
                                           {opcode::poll_sync_action, "Action"},
                                           {opcode::poll_condition, "Condition"},
                                           {opcode::poll_gate, "Decorator"},
                                           {opcode::poll_subtree, "SubTree"}};

}  // namespace

std::string_view element_of(Opcode opcode) {
  const auto* const row = std::find_if(std::begin(kNamedElements), std::end(kNamedElements),
                                       [&](const NamedElement& each) { return each.opcode == opcode; });
  return row == std::end(kNamedElements) ? std::string_view() : row->element;
}

bool is_leaf(const NodeView& node) { return node.opcode == opcode::select_leaf; }

std::uint32_t NodeView::own_words() const { return espalier::own_words(opcode); }

const std::uint32_t* shared_unit(const NodeView& node) {
  return node.opcode == opcode::select_share ? operand(node, OperandKind::unit) : nullptr;
}

NodeView node_at(const Asset& asset, std::uint32_t word) {
  const std::uint32_t* node = array<std::uint32_t>(asset, SectionId::nodes) + word;
  return {word, extent_of(node), opcode_of(node), flags_of(node), state_offset_of(node), node + kNodeHeaderWords};
}

const std::uint32_t* operand(const NodeView& node, OperandKind kind) {
  const OpcodeInfo& info = opcode_info(node.opcode);
  for (std::uint32_t i = 0; i < info.operand_count; ++i) {
    if (info.operands[i] == kind) return node.operands + i;
  }
  return nullptr;
}

std::string_view operand_name(Opcode opcode, std::uint32_t operand) {
  return kOperandTable.rows[static_cast<std::size_t>(opcode)].words[operand];
}

std::uint32_t memory_bytes_of(const Asset& asset, const NodeView& node) {
  const std::uint32_t* sizes = array<std::uint32_t>(asset, SectionId::memory_sizes);
  return sizes == nullptr || node.opcode != opcode::tick_action ? 0 : sizes[*operand(node, OperandKind::behavior)];
}

bool has_agent_offset(const Asset& asset, const NodeView& node) {
  const OpcodeInfo& info = opcode_info(node.opcode);
  if (node.opcode == opcode::tick_action) return memory_bytes_of(asset, node) > 0;
  return (info.agent_bytes > 0 && info.engine != EngineId::store) || node.opcode == opcode::select_share;
}

std::string VariableNames::name(std::uint32_t variable) const {
  const bool is_agreed = tree != layout::kNone && !std::binary_search(unequal.begin(), unequal.end(), variable);
  return is_agreed ? std::string(variable_name({asset, tree}, variable)) : "v" + std::to_string(variable);
}

// Units are used only by trees and by units with a larger index, so one pass from the last to the first visits all
// users of a unit before the unit.
std::vector<VariableNames> names_by_unit(const Asset& asset) {
  const std::uint32_t unit_total = record_count(asset, SectionId::units);
  std::vector<VariableNames> names(unit_total, VariableNames{&asset, layout::kNone, {}});
  for (std::uint32_t i = 0; i < tree_count(asset); ++i) {
    const std::uint32_t unit = tree_record({&asset, i}).unit;
    merge_names(names[unit], {&asset, i, {}}, unit_record(asset, unit).variable_count);
  }
  for (std::uint32_t unit = unit_total; unit-- > 0;) {
    visit_unit(asset, unit, [&](const NodeView& node, std::size_t) {
      const std::uint32_t* used = operand(node, OperandKind::unit);
      if (used != nullptr) merge_names(names[*used], names[unit], unit_record(asset, *used).variable_count);
    });
  }
  return names;
}

NodeDebug node_debug(const Asset& asset, std::uint32_t node_word) {
  const layout::NodeLocation* place = find_location(asset, node_word);
  if (place == nullptr) return {};
  return {debug_name(asset, place->name),
          debug_name(asset, records<layout::File>(asset, SectionId::files)[place->file].name), place->line,
          place->column};
}

// A path consists of what authors call nodes: not of the State around a node, nor of the place where a unit is used,
// whose root has the name.
std::vector<std::string> leaf_paths(const Tree& tree) {
  std::vector<std::string> paths;
  if (is_stripped(*tree.asset)) return paths;
  std::string path;
  std::vector<std::size_t> lengths;  // of the path above each open node
  visit_tree(tree, [&](const NodeView& node, std::size_t depth, std::uint32_t) {
    if (depth < lengths.size()) path.resize(lengths[depth]);
    lengths.resize(depth);
    lengths.push_back(path.size());
    if (node.opcode == opcode::select_state || node.opcode == opcode::select_share) return;
    if (!path.empty()) path += '/';
    path += node_debug(*tree.asset, node.word).name;
    if (is_leaf(node)) paths.push_back(path);
  });
  return paths;
}

const layout::Header& header_of(const Asset& asset) {
  return *reinterpret_cast<const layout::Header*>(first_byte(asset));
}

const layout::Section& section_at(const Asset& asset, std::uint32_t index) {
  return reinterpret_cast<const layout::Section*>(first_byte(asset) + sizeof(layout::Header))[index];
}

const layout::StoreTree& store_record(const Tree& tree) {
  return records<layout::StoreTree>(*tree.asset, SectionId::store_trees)[tree_record(tree).record];
}

std::uint32_t scope_count(const Asset& asset) { return record_count(asset, SectionId::scopes); }

std::string_view scope_name(const Asset& asset, std::uint32_t scope) {
  return name_at(asset, records<layout::Scope>(asset, SectionId::scopes)[scope].name);
}

void append_quoted(std::string& out, std::string_view name) {
  out += '"';
  for (std::size_t at = 0; at < name.size();) {
    const text::Character character = text::character_at(name, at);
    const bool is_shown = character.is_valid && !text::is_hidden(character.code);
    if (character.code == '"' || character.code == '\\') out += '\\';
    for (const char c : name.substr(at, character.size_bytes)) {
      const auto byte = static_cast<unsigned char>(c);
      if (is_shown) {
        out += c;
      } else {
        append_hex(out += "\\x", &byte, 1);
      }
    }
    at += character.size_bytes;
  }
  out += '"';
}

std::string quoted_text(std::string_view text) {
  std::string out;
  append_quoted(out, text);
  return out;
}

void append_number(std::string& out, std::uint64_t number) { out += std::to_string(number); }

void append_hex(std::string& out, const unsigned char* bytes, std::size_t count) {
  constexpr char kDigits[] = "0123456789abcdef";
  for (std::size_t i = 0; i < count; ++i) {
    out += kDigits[bytes[i] >> 4];
    out += kDigits[bytes[i] & 15];
  }
}

std::string hash_text(std::uint64_t hash) {
  std::string text;
  for (int shift = 56; shift >= 0; shift -= 8) {
    const unsigned char byte = static_cast<unsigned char>(hash >> shift);
    append_hex(text, &byte, 1);
  }
  return text;
}

}  // namespace espalier::codegen
