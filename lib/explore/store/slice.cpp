// Which parts of a tree that stores its results can be left out, and the tree without them. No action, no time and
// nothing that agents share of such a part is kept outside of it.
#include "explore/store/slice.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/dump/disassemble.h"
#include "explore/parts.h"
#include "explore/possible_results.h"
#include "runtime/asset/view.h"
#include "runtime/format/node.h"
#include "runtime/format/opcodes/store.h"
#include "runtime/store/cursor.h"
#include "runtime/store/nodes.h"
#include "runtime/store/tree.h"

namespace espalier::explore {
namespace {

using layout::SectionId;

class StoreSlicer {
 public:
  StoreSlicer(const Tree& tree, const SliceQuestion& question, const HostFacts& host)
      : tree_(tree), asset_(*tree.asset), question_(question), nodes_(nodes_of(asset_)) {
    const ByNode<Possible> possible = possible_nodes(tree, host);
    const layout::Unit& unit = unit_record(tree);
    const std::uint32_t* const end = root() + unit.word_count;
    for (const std::uint32_t* node = root(); node != end; node = next_node(node)) {
      SlicedNode& own = parts_.nodes.emplace_back();
      own.word = word_of(node);
      own.parent = is_root(node) ? 0 : node_number(parent_of(node));
      own.results = possible.find(own.word)->results;
    }
    parts_.count();
  }

  // False: nothing can be left out.
  bool find_parts() {
    if (!may_add_behaviors(asset_)) return false;
    for (std::uint32_t i = 0; i < parts_.nodes.size(); ++i) {
      if (!may_be_left_out(at(i), parts_.nodes[i])) return false;
    }
    const PartRules rules = {.joins = [this](std::uint32_t parent) { return may_join(at(parent)); },
                             .may_join = [](std::uint32_t) { return true; },
                             .has_room = [this](const SlicedPart& part) { return has_room(part); }};
    parts_.find(rules, question_);
    return !parts_.all().empty();
  }

  std::unique_ptr<const Slice> make(const HostFacts& host) const {
    auto slice = std::make_unique<Slice>(tree_, host, parts_.all().size());
    auto* const words = own_records<std::uint32_t>(*slice, SectionId::nodes, 0);
    const std::uint32_t first = add_parts(*slice, SectionId::behaviors);
    for (std::uint32_t part = 0; part < slice->part_count; ++part)
      write_part(parts_.all()[part], first + part, name_of_part(part), words, *slice);
    return slice;
  }

 private:
  const std::uint32_t* root() const { return nodes_ + unit_record(tree_).first_word; }
  std::uint32_t word_of(const std::uint32_t* node) const { return static_cast<std::uint32_t>(node - nodes_); }
  const std::uint32_t* at(std::uint32_t number) const { return nodes_ + parts_.nodes[number].word; }

  // False: the tree has a node of a kind that no part may be beside.
  bool may_be_left_out(const std::uint32_t* node, SlicedNode& own) const {
    own.is_needed = question_.words.contains(own.word) || question_.names(codegen::node_debug(asset_, own.word).name);
    if (has_operand<OperandKind::behavior, EngineId::store>(node)) {
      own.is_needed |= question_.names(behavior_name(asset_, operand<OperandKind::behavior, EngineId::store>(node)));
    } else if (has_operand<OperandKind::host_condition, EngineId::store>(node)) {
      own.is_needed |=
          question_.names(host_condition_name(asset_, operand<OperandKind::host_condition, EngineId::store>(node)));
    }
    const StoreRow& row = store_row(opcode_of(node));
    own.is_needed |= row.times > 0 || has_operand<OperandKind::shared_value, EngineId::store>(node);
    return row.may_be_watched || StoreCursor::passes_on(node);
  }

  // ---- Parts

  static bool is_leaf(const std::uint32_t* node) {
    return opcode_of(node) == opcode::store_action || opcode_of(node) == opcode::store_condition;
  }

  // The action that stands for a part is in the place of its first leaf. Nodes above that become store_invert, which
  // has the same size as most of them. Null: one has another size.
  const std::uint32_t* first_leaf(const std::uint32_t* node) const {
    while (!is_leaf(node)) {
      if (own_words(node) != own_words<opcode::store_invert>()) return nullptr;
      node = first_child(node);
    }
    return node;
  }

  // Does a list go on after several children as after one that gives what they give together?
  bool may_join(const std::uint32_t* list) const {
    const Opcode opcode = opcode_of(list);
    if (opcode == opcode::store_parallel) return !has_flag(list, kFailsWithAll) && !has_flag(list, kSucceedsWithAny);
    return opcode == opcode::store_sequence || opcode == opcode::store_selector;
  }

  bool has_room(const SlicedPart& part) const {
    return !is_leaf(at(part.first)) && first_leaf(at(part.first)) != nullptr;
  }

  // ---- The tree without them

  static void set_opcode(std::uint32_t* node, Opcode opcode) {
    *node = (*node & 0xFFFF0000u) | static_cast<std::uint32_t>(opcode);
  }

  // Nodes of the part that are not on the way to its action are never evaluated.
  void write_part(const SlicedPart& part, std::uint32_t behavior, const std::string& name, std::uint32_t* words,
                  Slice& slice) const {
    const std::uint32_t* const last = at(part.end() - 1);
    const auto extent = static_cast<std::uint32_t>(last + own_words(last) - at(part.first));
    words[parts_.nodes[part.first].word + own_words<opcode::store_invert>() - 1] = extent;
    bool is_inverted = false;
    const std::uint32_t* node = at(part.first);
    for (; !is_leaf(node); node = first_child(node)) {
      set_opcode(words + word_of(node), opcode::store_invert);
      is_inverted = !is_inverted;
    }
    std::uint32_t* const action = words + word_of(node);
    set_opcode(action, opcode::store_action);
    action[operand_word(opcode::store_action, OperandKind::behavior)] = behavior;
    action[operand_word(opcode::store_action, OperandKind::parameter)] = 0;
    const ir::Results results = parts_.results_of(part);
    std::vector<std::string>& answers = slice.host.answers[name];
    if (ir::can(results, is_inverted ? ir::kFails : ir::kSucceeds)) answers.emplace_back("success");
    if (ir::can(results, ir::kRuns)) answers.emplace_back("running");
    if (ir::can(results, is_inverted ? ir::kSucceeds : ir::kFails)) answers.emplace_back("failure");
    // What is declared of the action whose place it has is not said of it.
    const codegen::NodeDebug place = codegen::node_debug(asset_, word_of(node));
    slice.host.results.erase({std::string(place.file), place.line, place.column});
  }

  const Tree tree_;
  const Asset& asset_;
  const SliceQuestion& question_;
  const std::uint32_t* const nodes_;
  Parts parts_;
};

}  // namespace

std::unique_ptr<const Slice> slice_storing(const Tree& tree, const SliceQuestion& question, const HostFacts& host) {
  StoreSlicer slicer(tree, question, host);
  return slicer.find_parts() ? slicer.make(host) : nullptr;
}

}  // namespace espalier::explore
