// Which parts of a tree that polls can be left out, and the tree without them. A part matters to the rest also by the
// times at which the tree may be updated, by errors, and by signals, which make an update start again.
#include "explore/poll/slice.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <string>
#include <string_view>

#include "explore/parts.h"
#include "explore/poll/nodes.h"
#include "explore/poll/uses.h"
#include "explore/possible_results.h"
#include "runtime/asset/view.h"
#include "runtime/format/node.h"
#include "runtime/format/opcodes/poll.h"
#include "runtime/poll/nodes.h"
#include "runtime/poll/tree.h"

namespace espalier::explore {
namespace {

using ir::can;
using ir::kFails;
using ir::kRuns;
using ir::kSkips;
using ir::kSucceeds;
using ir::Results;
using layout::PollDirection;
using layout::PollHook;
using layout::PollOp;
using layout::PollPortKind;

class PollSlicer {
 public:
  PollSlicer(const Tree& tree, const SliceQuestion& question, const HostFacts& host)
      : tree_(tree), question_(question), possible_(possible_nodes(tree, host)) {}

  // False: nothing can be left out.
  bool find_parts() {
    if (tree_.record.named_count != 0) return false;
    for (std::uint32_t i = 0; i < tree_.unit.node_count; ++i) {
      if (!add_node(tree_.node(i))) return false;
    }
    const PartRules rules = {
        .joins = [this](std::uint32_t parent) { return may_join(parent); },
        .may_join = [this](std::uint32_t node) { return !can(parts_.nodes[node].results, kSkips); },
        .has_room = [](const SlicedPart&) { return true; }};
    parts_.find(rules, question_);
    return !parts_.all().empty();
  }

  std::unique_ptr<const Slice> make(const HostFacts& host) const {
    auto slice = std::make_unique<Slice>(tree_.tree, host, parts_.all().size());
    auto* const words = own_records<std::uint32_t>(*slice, SectionId::nodes, 0);
    auto* const polled = own_records<unsigned char>(*slice, SectionId::polled, 0);
    auto* const ports = own_records<PollPort>(*slice, SectionId::poll_ports, 0);
    std::vector<std::uint64_t> numbers;
    const std::uint32_t first = add_parts(*slice, SectionId::host_conditions);
    for (std::uint32_t part = 0; part < slice->part_count; ++part) {
      const SlicedPart& own = parts_.all()[part];
      for (std::uint32_t i = own.first; i < own.end(); ++i) silence(words, polled, i);
      const std::uint32_t word = tree_.word_of(tree_.node(own.first));
      words[word] = header(own.first, opcode::poll_condition);
      words[word + kPolledWords - 1] = own.count * kPolledWords;
      polled_at(polled, own.first).host = first + part;
      if (own.child_count > 1) join_children(parts_.nodes[own.first].parent, own.child_count, polled, ports, numbers);
      add_answers(own, name_of_part(part), slice->host);
    }
    const std::uint32_t numbers_begin = record_count(tree_.asset, SectionId::numbers);
    auto* const all_numbers =
        own_records<std::uint64_t>(*slice, SectionId::numbers, static_cast<std::uint32_t>(numbers.size()));
    std::copy(numbers.begin(), numbers.end(), all_numbers + numbers_begin);
    return slice;
  }

 private:
  // ---- What nodes need

  static PollPortKind kind_of(const PollPort& port) { return static_cast<PollPortKind>(port.kind); }

  // A name may stand for one of several entries.
  void add_key(std::uint32_t key, std::set<std::uint32_t>& entries) const {
    for (; key != layout::kNone; key = tree_.keys[key].next) entries.insert(tree_.keys[key].entry);
  }

  void add_script(std::uint32_t script, SlicedNode& node) const {
    const layout::PollScript record =
        records<layout::PollScript>(tree_.asset, SectionId::poll_scripts)[tree_.record.first_script + script];
    const auto* code = array<layout::Instruction>(tree_.asset, SectionId::poll_code) + record.first_instruction;
    for (std::uint32_t i = 0; i < record.instruction_count; ++i) {
      const auto op = static_cast<PollOp>(code[i].op);
      const bool is_written = op >= PollOp::create && op <= PollOp::assign_divide;
      if (is_written) add_key(code[i].operand, node.written);
      if (is_written || op == PollOp::load) add_key(code[i].operand, node.looked_at);
    }
    node.may_fail = true;
  }

  void add_ports(const std::uint32_t* at, bool is_host, bool is_looked_at, SlicedNode& node) const {
    for (std::uint32_t i = 0; i < tree_.polled_of(at).port_count; ++i) {
      const PollPort& port = tree_.port_of(at, i);
      if (kind_of(port) != PollPortKind::key) continue;
      const bool is_output = static_cast<PollDirection>(port.direction) != PollDirection::input;
      if (is_output) add_key(port.value, node.written);
      if (is_looked_at) add_key(port.value, node.looked_at);
      node.may_fail |= !is_host;
    }
  }

  // False: what it does to entries is not known.
  bool add_node(const std::uint32_t* at) {
    const layout::Polled& polled = tree_.polled_of(at);
    const Opcode opcode = opcode_of(at);
    SlicedNode& node = parts_.nodes.emplace_back();
    node.word = tree_.word_of(at);
    node.count = nodes_within(at);
    node.parent = at == tree_.root() ? 0 : node_number(parent_of(at));
    const bool is_called = opcode == opcode::poll_action || opcode == opcode::poll_sync_action;
    const bool is_asked = opcode == opcode::poll_condition || opcode == opcode::poll_gate;
    std::string_view name;
    if (is_called) name = behavior_name(tree_.asset, polled.host);
    if (is_asked) name = host_condition_name(tree_.asset, polled.host);
    node.is_needed = question_.words.contains(tree_.word_of(at)) || question_.names(name) ||
                     question_.names(tree_.name(polled.instance)) || polled.on_halted != 0;
    for (std::uint32_t i = 0; i < layout::kHookCount; ++i) {
      if (const std::uint32_t script = hook_of(polled, static_cast<PollHook>(i)); script != 0)
        add_script(script - 1, node);
    }
    if (polled.script != 0) add_script(polled.script - 1, node);
    // What the program is given makes no difference to the tree.
    add_ports(at, is_called || is_asked, node.is_needed || !(is_called || is_asked), node);
    if (!look_at(opcode, at, node)) return false;
    node.is_needed |= question_.keeps_tests && is_test(opcode, polled);
    node.is_needed |= question_.keeps_errors && node.may_fail;
    const auto is_of_question = [&](std::uint32_t entry) {
      return question_.names(tree_.name(tree_.entries[entry].name));
    };
    node.is_needed |= std::any_of(node.written.begin(), node.written.end(), is_of_question);
    return true;
  }

  bool look_at(Opcode opcode, const std::uint32_t* at, SlicedNode& node) const {
    const bool signals = (tree_.record.flags & layout::kOneRound) == 0;
    node.results = possible_.find(tree_.word_of(at))->results;
    node.may_fail |= can(node.results, kSkips);
    switch (known_of(opcode).part) {
      case PollPart::plain:
        return true;
      case PollPart::lists:
        node.is_needed |= signals && has_flag(at, kSignals);
        return true;
      case PollPart::repeats:
        node.is_needed |= signals;
        return true;
      case PollPart::counts:
        node.may_fail |= !has_counts_within(at);
        return true;
      case PollPart::waits: {
        const PollPort& port = tree_.port_of(at, poll_ports::kMilliseconds);
        node.has_timer = true;
        node.is_needed |=
            kind_of(port) != PollPortKind::whole || static_cast<std::int64_t>(tree_.number(port.value)) <= 0;
        return true;
      }
      case PollPart::rate:
        node.has_timer = node.may_fail = true;
        return true;
      case PollPart::sets:
        node.may_fail = true;
        return add_target(at, node);
      case PollPart::fails:
        node.may_fail = true;
        return true;
      case PollPart::stays:
        node.is_needed = node.may_fail = true;
        return true;
      case PollPart::bars:
        return false;
    }
    return false;
  }

  static bool is_test(Opcode opcode, const layout::Polled& polled) {
    return known_of(opcode).is_test || polled.failure_if != 0 || polled.success_if != 0 || polled.skip_if != 0 ||
           polled.while_true != 0;
  }

  // Are the counts of children, all of its numbers, some that there can be?
  bool has_counts_within(const std::uint32_t* at) const {
    const layout::Polled& polled = tree_.polled_of(at);
    const auto most = static_cast<std::int64_t>(polled.child_count);
    for (std::uint32_t i = 0; i < polled.port_count; ++i) {
      const PollPort& port = tree_.port_of(at, i);
      if (kind_of(port) != PollPortKind::whole) return false;
      const auto count = static_cast<std::int64_t>(tree_.number(port.value));
      if (count > most || count < -most) return false;
    }
    return true;
  }

  bool add_target(const std::uint32_t* at, SlicedNode& node) const {
    const PollPort& target = tree_.port_of(at, poll_ports::kTarget);
    if (kind_of(target) != PollPortKind::text) return false;
    const std::uint32_t key = key_named(tree_, tree_.polled_of(at).board, tree_.name(target.value));
    if (key == layout::kNone) return false;
    add_key(key, node.written);
    add_key(key, node.looked_at);
    return true;
  }

  // ---- Parts

  // Does a list go on after several children as after one that gives what they give together?
  bool may_join(std::uint32_t parent) const {
    const std::uint32_t* const at = tree_.node(parent);
    const auto is_whole = [&](std::uint32_t number, std::int64_t wanted) {
      const PollPort& port = tree_.port_of(at, number);
      return kind_of(port) == PollPortKind::whole && static_cast<std::int64_t>(tree_.number(port.value)) == wanted;
    };
    switch (opcode_of(at)) {
      case opcode::poll_sequence:
      case opcode::poll_fallback:
        return !has_flag(at, kSignals) || (tree_.record.flags & layout::kOneRound) != 0;
      case opcode::poll_reactive_sequence:
      case opcode::poll_reactive_fallback:
        return true;
      case opcode::poll_parallel:
        return is_whole(poll_ports::kFailureCount, 1) &&
               (is_whole(poll_ports::kSuccessCount, -1) ||
                is_whole(poll_ports::kSuccessCount, tree_.polled_of(at).child_count));
      case opcode::poll_parallel_all:
        return is_whole(poll_ports::kMaxFailures, 1);
      default:
        return false;
    }
  }

  // ---- The tree without them

  std::uint32_t header(std::uint32_t number, Opcode opcode) const {
    return (tree_.node(number)[0] & 0xFFFF0000u) | static_cast<std::uint32_t>(opcode);
  }

  layout::Polled& polled_at(unsigned char* polled, std::uint32_t number) const {
    const std::uint32_t place = operand<OperandKind::polled, EngineId::poll>(tree_.node(number));
    return *reinterpret_cast<layout::Polled*>(polled + std::size_t{place} *
                                                           section_of(tree_.asset, SectionId::polled).record_bytes);
  }

  // A node that nobody ticks any more.
  void silence(std::uint32_t* words, unsigned char* polled, std::uint32_t number) const {
    words[tree_.word_of(tree_.node(number))] = header(number, opcode::poll_result);
    layout::Polled& record = polled_at(polled, number);
    for (std::uint32_t layout::Polled::*hook : layout::kHooks) record.*hook = 0;
    record.script = record.port_count = record.host = 0;
  }

  // So many children of a node become one. A number that means all of them stays all of them.
  void join_children(std::uint32_t parent, std::uint32_t count, unsigned char* polled, PollPort* ports,
                     std::vector<std::uint64_t>& numbers) const {
    layout::Polled& record = polled_at(polled, parent);
    record.child_count -= count - 1;
    if (opcode_of(tree_.node(parent)) != opcode::poll_parallel) return;
    PollPort& successes = ports[record.first_port + poll_ports::kSuccessCount];
    if (static_cast<std::int64_t>(tree_.number(tree_.port_of(tree_.node(parent), poll_ports::kSuccessCount).value)) < 0)
      return;
    successes.value = record_count(tree_.asset, SectionId::numbers) + static_cast<std::uint32_t>(numbers.size());
    numbers.push_back(record.child_count);
  }

  void add_answers(const SlicedPart& part, const std::string& name, HostFacts& host) const {
    const Results results = parts_.results_of(part);
    std::vector<std::string>& answers = host.answers[name];
    if (can(results, kSucceeds)) answers.emplace_back("success");
    if (can(results, kFails)) answers.emplace_back("failure");
    if (can(results, kRuns)) answers.emplace_back("running");
    if (can(results, kSkips)) answers.emplace_back("skipped");
    const auto first = parts_.nodes.begin() + part.first;
    if (std::any_of(first, first + part.count, [](const SlicedNode& node) { return node.may_fail; }))
      host.ends_updates.insert(name);
  }

  const PollTreeView tree_;
  const SliceQuestion& question_;
  const ByNode<Possible> possible_;
  Parts parts_;
};

}  // namespace

std::unique_ptr<const Slice> slice_polling(const Tree& tree, const SliceQuestion& question, const HostFacts& host) {
  PollSlicer slicer(tree, question, host);
  return slicer.find_parts() ? slicer.make(host) : nullptr;
}

}  // namespace espalier::explore
