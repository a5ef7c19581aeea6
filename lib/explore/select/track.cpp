// Which leaves, states and transitions of a tree that selects a run reaches. See tracker.h.
#include <map>
#include <memory>
#include <tuple>
#include <utility>

#include "codegen/dump/disassemble.h"
#include "codegen/dump/listing.h"
#include "explore/tracker.h"
#include "runtime/asset/view.h"
#include "runtime/format/opcodes/select.h"

namespace espalier::explore {
namespace {

// A machine at one of its places.
struct SelectMachine {
  std::uint32_t state_offset = 0;     // of its state, in the agent's block
  std::vector<std::uint64_t> states;  // items, by number
};

// By word and number of leaves before its unit.
using SelectPlace = std::pair<std::uint32_t, std::uint32_t>;

struct SelectItems {
  std::vector<std::uint64_t> leaves;
  std::map<SelectPlace, SelectMachine> machines;
  std::map<SelectPlace, std::uint64_t> transitions;  // the first of a state
};

// Visits nodes in the order of the file, through shared units.
class SelectOutline {
 public:
  SelectOutline(const Tree& tree, Tracker& tracker, SelectItems& items)
      : asset_(*tree.asset), tracker_(tracker), items_(items) {
    states_offset_ = offset_bytes(part_of<EngineId::select, PartKind::states>(tree));
    add_unit(tree_record(tree).unit, 0, 0, {});
    number_paths();
  }

 private:
  std::uint64_t add(ItemKind kind, std::uint32_t word, std::string name, const std::string& path) {
    const codegen::NodeDebug debug = codegen::node_debug(asset_, word);
    tracker_.items.push_back({.kind = kind,
                              .name = std::move(name),
                              .place = {std::string(debug.file), debug.line, debug.column},
                              .path = path});
    return tracker_.items.size() - 1;
  }

  std::string name(std::uint32_t word) const { return std::string(codegen::node_debug(asset_, word).name); }

  void add_unit(std::uint32_t unit, std::uint32_t leaf_base, std::uint32_t state_base, const std::string& path) {
    const layout::Unit& record = unit_record(asset_, unit);
    add_nodes(record.first_word, record.first_word + record.word_count, leaf_base, state_base, path);
  }

  void add_nodes(std::uint32_t word, std::uint32_t end, std::uint32_t leaf_base, std::uint32_t state_base,
                 const std::string& path) {
    while (word < end) {
      const codegen::NodeView node = codegen::node_at(asset_, word);
      const std::string own_path = path + (path.empty() ? "" : "/") + name(word);
      switch (node.opcode) {
        case opcode::select_leaf:
          items_.leaves.push_back(add(ItemKind::leaf, word, name(word), own_path));
          break;
        case opcode::select_share:
          add_unit(*codegen::operand(node, OperandKind::unit), leaf_base + *codegen::operand(node, OperandKind::leaf),
                   state_base + node.agent_offset, path);
          break;
        case opcode::select_machine:
          add_machine(node, leaf_base, state_base, own_path);
          break;
        default:
          add_nodes(word + node.own_words(), word + node.extent, leaf_base, state_base, own_path);
          break;
      }
      word += node.extent;
    }
  }

  void add_machine(const codegen::NodeView& node, std::uint32_t leaf_base, std::uint32_t state_base,
                   const std::string& path) {
    SelectMachine machine{states_offset_ + state_base + node.agent_offset, {}};
    const auto* transitions = array<layout::Transition>(asset_, layout::SectionId::transitions);
    std::vector<std::string> names;
    for (std::uint32_t word = node.word + node.own_words(); word < node.word + node.extent;) {
      names.push_back(name(word));
      word += codegen::node_at(asset_, word).extent;
    }
    for (std::uint32_t word = node.word + node.own_words(); word < node.word + node.extent;) {
      const codegen::NodeView state = codegen::node_at(asset_, word);
      machine.states.push_back(add(ItemKind::state, word, name(word), path + '/' + name(word)));
      const std::uint32_t first = *codegen::operand(state, OperandKind::transition);
      const std::uint32_t count = *codegen::operand(state, OperandKind::transition_count);
      for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t place = record_count(asset_, layout::SectionId::nodes) + first + i;
        const std::uint64_t item =
            add(ItemKind::transition, place, names[transitions[first + i].state], path + '/' + name(word));
        if (i == 0) items_.transitions[{word, leaf_base}] = item;
      }
      add_nodes(word + state.own_words(), word + state.extent, leaf_base, state_base, path);
      word += state.extent;
    }
    items_.machines[{node.word, leaf_base}] = std::move(machine);
  }

  // Only items that share a place with others need their path.
  void number_paths() {
    std::map<std::tuple<ItemKind, std::string, std::uint32_t, std::uint32_t, std::string>, std::uint32_t> counts;
    const auto key = [](const Item& item) {
      return std::tuple(item.kind, item.place.file, item.place.line, item.place.column, item.name);
    };
    for (const Item& item : tracker_.items) ++counts[key(item)];
    for (Item& item : tracker_.items) {
      if (counts[key(item)] == 1) item.path.clear();
    }
  }

  const Asset& asset_;
  Tracker& tracker_;
  SelectItems& items_;
  std::uint32_t states_offset_ = 0;
};

}  // namespace

Tracker track_selecting(const Tree& tree) {
  Tracker tracker;
  const auto items = std::make_shared<SelectItems>();
  const SelectOutline outline(tree, tracker, *items);
  static_cast<void>(outline);
  // Machines that are evaluated are noted; their states are known when the update ends.
  tracker.select = [items](Moment& moment, const espalier::Step& step) {
    if (!step.holds) return;
    if (step.transition >= 0) {
      moment.mark(items->transitions.at({step.node_word, step.leaf_base}) +
                  static_cast<std::uint64_t>(step.transition));
    } else if (items->machines.count({step.node_word, step.leaf_base}) != 0) {
      moment.notes.push_back(std::uint64_t{step.node_word} << 32 | step.leaf_base);
    }
  };
  tracker.updated = [items](Moment& moment) {
    constexpr unsigned char kStateMask = 0x1F;
    const auto* block = static_cast<const unsigned char*>(moment.block);
    for (const std::uint64_t note : moment.notes) {
      const SelectMachine& machine =
          items->machines.at({static_cast<std::uint32_t>(note >> 32), static_cast<std::uint32_t>(note)});
      moment.mark(machine.states[block[machine.state_offset] & kStateMask]);
    }
    const std::uint32_t leaf = current_leaf(moment.tree, block);
    if (leaf != kNoLeaf) moment.mark(items->leaves[leaf]);
  };
  return tracker;
}

}  // namespace espalier::explore
