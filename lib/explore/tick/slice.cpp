// Which parts of a tree that ticks can be left out, and the tree without them. The parts of an agent share its
// variables, timestamps, events and places in groups: a part that changes what the rest looks at stays. What they write
// is what the events do that they send: the program may set variables and send events at any time anyway. That
// variables have changed lets all cases be tested again, but finds others only where variables of theirs have changed.
#include "explore/tick/slice.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codegen/dump/disassemble.h"
#include "codegen/dump/listing.h"
#include "explore/parts.h"
#include "explore/possible_results.h"
#include "replay/strategy.h"
#include "runtime/format/node.h"
#include "runtime/format/opcodes/tick.h"
#include "runtime/format/short_condition.h"
#include "runtime/tick/agent.h"

namespace espalier::explore {
namespace {

using codegen::NodeView;
using layout::SectionId;

// What nodes share: each has a number of its own.
enum class Shared : std::uint8_t { variable, timestamp, event, scope, count };

constexpr std::uint32_t number_of(Shared kind, std::uint32_t index) {
  return index * static_cast<std::uint32_t>(Shared::count) + static_cast<std::uint32_t>(kind);
}

class TickSlicer {
 public:
  TickSlicer(const Tree& tree, const SliceQuestion& question, const HostFacts& host)
      : tree_(tree),
        asset_(*tree.asset),
        question_(question),
        first_timestamp_(part_of<EngineId::tick, PartKind::timestamps>(tree).first_name),
        signals_(records<layout::Signal>(asset_, SectionId::signals) + tree_record(tree).first_signal),
        timestamps_(records<layout::Timestamp>(asset_, SectionId::timestamps) + first_timestamp_) {
    for (std::uint32_t i = 0; i < variable_count(tree); ++i) {
      if (question_.names(variable_name(tree, i))) look_at_variable(i, looked_at_by_question_);
    }
    const ByNode<Possible> possible = possible_nodes(tree, host);
    std::vector<std::uint32_t> around;  // by depth
    codegen::visit_tree(tree, [&](const NodeView& node, std::size_t depth, std::uint32_t) {
      around.resize(depth);
      SlicedNode& own = parts_.nodes.emplace_back();
      own.word = node.word;
      own.parent = around.empty() ? 0 : around.back();
      own.results = possible.find(node.word)->results;
      own.is_needed = question_.words.contains(node.word);
      around.push_back(static_cast<std::uint32_t>(parts_.nodes.size() - 1));
      look_at(node, own);
    });
    parts_.count();
  }

  // False: nothing can be left out.
  bool find_parts() {
    if (!may_add_behaviors(asset_)) return false;
    const PartRules rules = {.joins = [this](std::uint32_t parent) { return is_list(opcode_at(parent)); },
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
    for (std::uint32_t i = 0; i < parts_.nodes.size(); ++i) {
      const bool is_parallel = !parts_.is_left_out(i) && opcode_at(i) == opcode::tick_parallel;
      if (is_parallel) number_branches(words + parts_.nodes[i].word);
    }
    forget_unread(*slice);
    return slice;
  }

 private:
  // Of a section whose records grow.
  template <typename Record>
  static Record& record_in(const Slice& slice, SectionId id, unsigned char* own, std::uint32_t index) {
    return *reinterpret_cast<Record*>(own + std::size_t{index} * section_of(slice.asset, id).record_bytes);
  }

  // ---- What nodes look at and write

  template <typename Visit>
  void visit_variables(std::uint32_t condition, const Visit& visit) const {
    if (is_short(condition)) {
      for (std::uint32_t i = 0; i < short_count(condition); ++i) visit(short_variable(condition, i));
    } else if (condition != 0) {
      const auto& record = array<layout::Condition>(asset_, SectionId::conditions)[condition - 1];
      const auto* const tests = array<layout::Test>(asset_, SectionId::tests) + record.first_test;
      for (std::uint32_t i = 0; i < record.test_count; ++i) {
        for (std::uint32_t bit = 0; bit < 32; ++bit) {
          if ((tests[i].mask >> bit & 1) != 0) visit(tests[i].word * 32u + bit);
        }
      }
    }
  }

  template <typename Visit>
  void visit_assignments(std::uint32_t signal, const Visit& visit) const {
    const auto* const assignments = array<layout::Assignment>(asset_, SectionId::assignments);
    for (std::uint32_t i = 0; i < signals_[signal].assignment_count; ++i)
      visit(assignments[signals_[signal].first_assignment + i]);
  }

  // And at those from which events set it.
  void look_at_variable(std::uint32_t variable, std::set<std::uint32_t>& looked_at) const {
    if (!looked_at.insert(number_of(Shared::variable, variable)).second) return;
    for (std::uint32_t signal = 0; signal < signal_count(tree_); ++signal) {
      visit_assignments(signal, [&](const layout::Assignment& assignment) {
        if (assignment.variable != variable) return;
        visit_variables(assignment.condition, [&](std::uint32_t other) { look_at_variable(other, looked_at); });
      });
    }
  }

  void look_at_condition(const NodeView& node, SlicedNode& own) const {
    const std::uint32_t condition = *codegen::operand(node, OperandKind::condition);
    visit_variables(condition, [&](std::uint32_t variable) { look_at_variable(variable, own.looked_at); });
    own.is_needed |= question_.keeps_tests && condition != 0;
  }

  void look_at_transitions(const NodeView& state, SlicedNode& own) const {
    const auto* const transitions = array<layout::EventTransition>(asset_, SectionId::event_transitions);
    const std::uint32_t first = *codegen::operand(state, OperandKind::event_transition);
    const std::uint32_t count = *codegen::operand(state, OperandKind::event_transition_count);
    for (std::uint32_t i = first; i < first + count; ++i)
      own.looked_at.insert(number_of(Shared::event, signal_of(transitions[i])));
  }

  void send(const NodeView& node, SlicedNode& own) const {
    const std::uint32_t signal = *codegen::operand(node, OperandKind::signal);
    own.is_needed |= question_.names(signal_name(tree_, signal));
    own.written.insert(number_of(Shared::event, signal));
    visit_assignments(signal, [&](const layout::Assignment& assignment) {
      own.written.insert(number_of(Shared::variable, assignment.variable));
    });
    for (std::uint32_t i = 0; i < timestamp_count(tree_); ++i) {
      if (timestamps_[i].signal != signal) continue;
      own.written.insert(number_of(Shared::timestamp, i));
      if (timestamps_[i].exclusive_to != layout::kNone)
        own.written.insert(number_of(Shared::timestamp, timestamps_[i].exclusive_to));
    }
    own.is_needed |= std::any_of(own.written.begin(), own.written.end(),
                                 [&](std::uint32_t each) { return looked_at_by_question_.contains(each); });
  }

  // What its operands name.
  void look_at(const NodeView& node, SlicedNode& own) const {
    const auto operand = [&](OperandKind kind) { return codegen::operand(node, kind); };
    if (operand(OperandKind::condition)) look_at_condition(node, own);
    if (operand(OperandKind::event_transition)) look_at_transitions(node, own);
    if (const auto signal = operand(OperandKind::signal)) {
      if (node.opcode == opcode::tick_wait_event) {
        own.looked_at.insert(number_of(Shared::event, *signal));
      } else {
        send(node, own);
      }
    }
    if (const auto timestamp = operand(OperandKind::timestamp)) {
      if (*timestamp != layout::kNone) own.looked_at.insert(number_of(Shared::timestamp, *timestamp));
      own.has_timer = true;
    }
    own.has_timer |= node.opcode == opcode::tick_wait;
    if (const auto scope = operand(OperandKind::scope)) {
      own.looked_at.insert(number_of(Shared::scope, *scope));
      own.written.insert(number_of(Shared::scope, *scope));
    }
    if (operand(OperandKind::script)) own.is_needed |= question_.names(replay::script_name(asset_, node.word));
    if (const auto behavior = operand(OperandKind::behavior))
      own.is_needed |= question_.names(behavior_name(asset_, *behavior));
  }

  // ---- Parts

  const std::uint32_t* at(std::uint32_t number) const {
    return array<std::uint32_t>(asset_, SectionId::nodes) + parts_.nodes[number].word;
  }
  Opcode opcode_at(std::uint32_t number) const { return opcode_of(at(number)); }

  static bool is_list(Opcode opcode) {
    return opcode == opcode::tick_sequence || opcode == opcode::tick_selector || opcode == opcode::tick_parallel;
  }

  // A node that stands for several in a list has those that it takes the place of below it, where nothing comes to.
  static constexpr std::uint32_t kCoverWords = own_words<opcode::tick_guard>();
  static constexpr std::uint32_t kActionWords = own_words<opcode::tick_action>();
  bool is_covered(const SlicedPart& part) const {
    return part.first == 0 || is_list(opcode_at(parts_.nodes[part.first].parent));
  }

  std::uint32_t words_of(const SlicedPart& part) const {
    return static_cast<std::uint32_t>(end_of(at(part.end() - 1)) - at(part.first));
  }

  // Nodes fill what is left, which have two or three words.
  bool has_room(const SlicedPart& part) const {
    const Opcode opcode = opcode_at(part.first);
    if (opcode == opcode::tick_case || opcode == opcode::tick_state) return false;
    if (opcode == opcode::tick_branch && part.child_count == 1) return false;
    const std::uint32_t needed = is_covered(part) ? cover_words(opcode) + kActionWords : kActionWords;
    const std::uint32_t words = words_of(part);
    return words >= needed && words != needed + 1;
  }
  // The first of several branches covers the others.
  static std::uint32_t cover_words(Opcode first) {
    return first == opcode::tick_branch ? own_words<opcode::tick_branch>() : kCoverWords;
  }

  // ---- The tree without them

  static void set_node(std::uint32_t* node, Opcode opcode, std::uint32_t words_to_parent) {
    node[0] = static_cast<std::uint32_t>(opcode);
    node[kParentWord] = words_to_parent;
    std::fill(node + kParentWord + 1, node + own_words(opcode), 0);
  }

  void write_part(const SlicedPart& part, std::uint32_t behavior, const std::string& name, std::uint32_t* words,
                  Slice& slice) const {
    std::uint32_t* node = words + parts_.nodes[part.first].word;
    std::uint32_t* const end = node + words_of(part);
    std::uint32_t to_parent = node[kParentWord];
    if (is_covered(part)) {
      if (opcode_of(node) != opcode::tick_branch) set_node(node, opcode::tick_guard, to_parent);
      to_parent = own_words(node);
      node[to_parent - 1] = static_cast<std::uint32_t>(end - node);
      node += to_parent;
    }
    set_node(node, opcode::tick_action, to_parent);
    node[operand_word(opcode::tick_action, OperandKind::behavior)] = behavior;
    const codegen::NodeDebug place = codegen::node_debug(asset_, static_cast<std::uint32_t>(node - words));
    // What is declared of the action whose place it has is not said of it.
    slice.host.results.erase({std::string(place.file), place.line, place.column});
    for (std::uint32_t* rest = node + kActionWords; rest != end;) {
      const Opcode filler = (end - rest) % 2 == 0 ? opcode::tick_result : opcode::tick_message;
      set_node(rest, filler, to_parent + static_cast<std::uint32_t>(rest - node));
      rest += own_words(filler);
    }
    // Of several branches some may have ended, and none may run any more.
    const ir::Results results = ir::both(parts_.results_of(part), ir::if_so(part.child_count > 1, ir::kRuns));
    std::vector<std::string>& answers = slice.host.answers[name];
    if (ir::can(results, ir::kSucceeds)) answers.emplace_back("success");
    if (ir::can(results, ir::kRuns)) answers.emplace_back("running");
    if (ir::can(results, ir::kFails)) answers.emplace_back("failure");
  }

  static void number_branches(std::uint32_t* parallel) {
    std::uint32_t number = 0;
    for (std::uint32_t* branch = parallel + own_words(parallel); branch != parallel + extent_of(parallel);
         branch += extent_of(branch))
      branch[0] = (branch[0] & 0xFFFF00FFu) | number++ << 8;
  }

  // Events do not set what nothing looks at any more, nor does the program.
  void forget_unread(Slice& slice) const {
    std::set<std::uint32_t> read = parts_.looked_at();
    read.insert(looked_at_by_question_.begin(), looked_at_by_question_.end());
    for (std::uint32_t i = 0; i < variable_count(tree_); ++i) {
      if (!read.contains(number_of(Shared::variable, i))) slice.host.unset_variables.emplace(variable_name(tree_, i));
    }
    std::vector<layout::Assignment> kept;
    const std::uint32_t first = record_count(asset_, SectionId::assignments);
    unsigned char* const signals = own_section(slice, SectionId::signals, 0);
    for (std::uint32_t signal = 0; signal < signal_count(tree_); ++signal) {
      const auto begin = static_cast<std::uint32_t>(kept.size());
      visit_assignments(signal, [&](const layout::Assignment& assignment) {
        if (read.contains(number_of(Shared::variable, assignment.variable))) kept.push_back(assignment);
      });
      auto& own =
          record_in<layout::Signal>(slice, SectionId::signals, signals, tree_record(tree_).first_signal + signal);
      own.first_assignment = first + begin;
      own.assignment_count = static_cast<std::uint32_t>(kept.size()) - begin;
    }
    if (!kept.empty()) {
      auto* const assignments =
          own_records<layout::Assignment>(slice, SectionId::assignments, static_cast<std::uint32_t>(kept.size()));
      std::copy(kept.begin(), kept.end(), assignments + first);
    }
    if (timestamp_count(tree_) == 0) return;
    unsigned char* const timestamps = own_section(slice, SectionId::timestamps, 0);
    for (std::uint32_t i = 0; i < timestamp_count(tree_); ++i) {
      if (read.contains(number_of(Shared::timestamp, i))) continue;
      record_in<layout::Timestamp>(slice, SectionId::timestamps, timestamps, first_timestamp_ + i).signal =
          layout::kNone;
    }
  }

  const Tree tree_;
  const Asset& asset_;
  const SliceQuestion& question_;
  const std::uint32_t first_timestamp_;
  const Records<layout::Signal> signals_;
  const Records<layout::Timestamp> timestamps_;
  std::set<std::uint32_t> looked_at_by_question_;
  Parts parts_;
};

}  // namespace

std::unique_ptr<const Slice> slice_ticking(const Tree& tree, const SliceQuestion& question, const HostFacts& host) {
  TickSlicer slicer(tree, question, host);
  return slicer.find_parts() ? slicer.make(host) : nullptr;
}

}  // namespace espalier::explore
