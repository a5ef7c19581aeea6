// Which branches a tree that polls has, and how they are walked. See branches.h.
#include "explore/poll/branches.h"

#include <algorithm>
#include <cstring>

#include "explore/poll/nodes.h"
#include "explore/poll/progress_of.h"
#include "explore/poll/uses.h"
#include "runtime/format/opcodes/poll.h"
#include "runtime/poll/memory.h"
#include "runtime/poll/nodes.h"
#include "runtime/poll/walk.h"

namespace espalier::explore {
namespace {

using layout::PollHook;
using layout::PollOp;

using Branch = PollBranches::Branch;

// Does each update tick all children of the node that are not done?
bool ticks_all(const std::uint32_t* node) {
  const Opcode opcode = opcode_of(node);
  return opcode == opcode::poll_parallel || opcode == opcode::poll_parallel_all || opcode == opcode::poll_nonblocking;
}

bool is_action(Opcode opcode) { return opcode == opcode::poll_action || opcode == opcode::poll_sync_action; }
bool is_asking(Opcode opcode) {
  return is_action(opcode) || opcode == opcode::poll_condition || opcode == opcode::poll_gate;
}

}  // namespace

PollBranches::PollBranches(const PollTreeView& tree) : tree_(tree), numbers_(tree.unit.node_count) {
  const bool is_plain =
      tree.record.timer_count == 0 && tree.record.named_count == 0 && tree.part<PartKind::write_counts>().count == 0;
  if (is_plain) add_below(tree.root());
}

std::uint32_t PollBranches::branch_of(std::uint32_t word) const {
  return numbers_[node_number(tree_.nodes + word)] - 1;  // kNoValue: none
}

// The smallest ones: those of nodes that have no other such node below them.
void PollBranches::add_below(const std::uint32_t* node) {
  const std::uint32_t first = node_number(node);
  bool has_other = false;
  for (std::uint32_t i = first + 1; i < first + nodes_within(node); ++i) {
    has_other = has_other || ticks_all(tree_.node(i));
  }
  for (const std::uint32_t* const child : children_of(node)) {
    if (has_other) {
      add_below(child);
    } else if (ticks_all(node)) {
      add(child);
    }
  }
}

void PollBranches::add(const std::uint32_t* root) {
  Branch branch = {.root = root};
  std::set<std::uint32_t> entries;
  const std::uint32_t first = node_number(root);
  const std::uint32_t count = nodes_within(root);
  for (std::uint32_t i = first; i < first + count; ++i) {
    const std::uint32_t* const node = tree_.node(i);
    if (!may_be_in_branch(node)) return;
    if (is_asking(opcode_of(node))) branch.asking.push_back(node);
    add_entries(node, entries);
  }
  if (count == 1 || branch.asking.empty()) return;
  add_places(branch, entries);
  branches_.push_back(std::move(branch));
  std::fill_n(numbers_.begin() + first, count, static_cast<std::uint32_t>(branches_.size()));
}

// All that it does is known from its memory, its entries and answers, and it is ticked once in an update.
bool PollBranches::may_be_in_branch(const std::uint32_t* node) const {
  const PollExplored& known = known_of(opcode_of(node));
  const bool is_known = known.part == PollPart::plain || known.part == PollPart::lists ||
                        known.part == PollPart::counts || known.part == PollPart::fails;
  const bool is_passed_once =
      known.passes == PollPasses::once || (known.passes == PollPasses::unless_signals && !has_flag(node, kSignals));
  return is_known && is_passed_once && !shape_of(opcode_of(node)).looks_for_writes;
}

void PollBranches::add_entries(const std::uint32_t* node, std::set<std::uint32_t>& entries) const {
  const layout::Polled& polled = tree_.polled_of(node);
  for (std::uint32_t i = 0; i < layout::kHookCount; ++i) {
    if (const std::uint32_t script = hook_of(polled, static_cast<PollHook>(i)); script != 0)
      add_script(script - 1, entries);
  }
  if (polled.script != 0) add_script(polled.script - 1, entries);
  for (std::uint32_t i = 0; i < polled.port_count; ++i) {
    if (const PollPort& port = tree_.port_of(node, i); is_key(port)) add_key(port.value, entries);
  }
}

void PollBranches::add_script(std::uint32_t script, std::set<std::uint32_t>& entries) const {
  const layout::PollScript record =
      records<layout::PollScript>(tree_.asset, SectionId::poll_scripts)[tree_.record.first_script + script];
  const auto* const code = array<layout::Instruction>(tree_.asset, SectionId::poll_code) + record.first_instruction;
  for (std::uint32_t i = 0; i < record.instruction_count; ++i) {
    const auto op = static_cast<PollOp>(code[i].op);
    if (op == PollOp::load || (op >= PollOp::create && op <= PollOp::assign_divide)) add_key(code[i].operand, entries);
  }
}

// A name may stand for one of several entries.
void PollBranches::add_key(std::uint32_t key, std::set<std::uint32_t>& entries) const {
  for (; key != layout::kNone; key = tree_.keys[key].next) entries.insert(tree_.keys[key].entry);
}

void PollBranches::add_places(Branch& branch, const std::set<std::uint32_t>& entries) const {
  std::vector<unsigned char> masks(agent_bytes(tree_.tree) / 8 * 8 + 8);
  const auto add = [&](std::uint32_t offset, std::uint32_t count) { std::fill_n(masks.begin() + offset, count, 0xFF); };
  for (const std::uint32_t entry : entries) {
    add(offset_bytes(tree_.part<PartKind::entries>()) + 8 * entry, 8);
    add(offset_bytes(tree_.part<PartKind::entry_types>()) + 3 * entry, 3);
  }
  const std::uint32_t memory = offset_bytes(tree_.part<PartKind::poll_memory>());
  const std::uint32_t statuses = offset_bytes(tree_.part<PartKind::statuses>());
  const std::uint32_t first = node_number(branch.root);
  for (std::uint32_t i = first; i < first + nodes_within(branch.root); ++i) {
    const layout::Polled& polled = tree_.polled_of(tree_.node(i));
    add(memory + polled.memory, memory_bytes(tree_.node(i), polled));
    unsigned char& four = masks[statuses + i / 4];
    four = static_cast<unsigned char>(four | 3u << i % 4 * 2);
  }
  for (std::uint32_t at = 0; at < masks.size(); at += 8) {
    if (const std::uint64_t mask = load_u64(&masks[at]); mask != 0) branch.places.push_back({at, mask});
  }
}

namespace {

const Branch& branch_at(const Side& side, std::uint32_t number) { return *side.branches->branch(number); }

std::uint32_t branch_of(const Side& side, std::uint32_t word) { return side.branches->branch_of(word); }

// None has an entry that may hold a text.
std::vector<std::uint32_t> names_of_branch(const Side& side, std::uint32_t number) {
  const PollTreeView& tree = side.uses->tree();
  const layout::Part& texts = tree.part<PartKind::texts>();
  const bool has_texts = texts.count != 0 && end_bits(texts) <= std::uint64_t{8} * side.block_bytes;
  const Branch* const branch = side.branches->branch(number);
  std::vector<std::uint32_t> names;
  if (has_texts || branch == nullptr) return names;
  for (const std::uint32_t* const node : branch->asking) {
    const std::uint32_t host = tree.polled_of(node).host;
    names.push_back(is_action(opcode_of(node)) ? side.behavior_names[host] : side.condition_names[host]);
  }
  return names;
}

std::uint32_t levels_above(const std::uint32_t* node, const std::uint32_t* above) {
  std::uint32_t count = 0;
  for (; node != above; node = parent_of(node)) ++count;
  return count;
}

void add_bytes(const Branch& branch, const unsigned char* block, std::string& bytes) {
  for (const PollBranches::Place& place : branch.places) {
    const std::uint64_t own = load_u64(block + place.offset) & place.mask;
    bytes.append(reinterpret_cast<const char*>(&own), sizeof own);
  }
}

void write_bytes(const Branch& branch, unsigned char* block, const std::string& bytes) {
  const auto* own = reinterpret_cast<const unsigned char*>(bytes.data());
  for (const PollBranches::Place& place : branch.places) {
    unsigned char* const at = block + place.offset;
    store_u64(at, (load_u64(at) & ~place.mask) | load_u64(own));
    own += sizeof(std::uint64_t);
  }
}

// The frames of the branch's nodes are the last ones.
void add_key_of_branch(const Side& side, std::uint32_t number, const unsigned char* block, const std::string& rest,
                       std::string& key) {
  const Branch& branch = branch_at(side, number);
  const std::uint32_t word = word_of_progress(rest);
  const std::uint32_t frame_count = 1 + levels_above(side.uses->tree().nodes + word, branch.root);
  key.append(reinterpret_cast<const char*>(&word), sizeof word);
  key.append(rest, rest.size() - frame_count * sizeof(PollFrame), std::string::npos);
  add_bytes(branch, block, key);
}

bool walk_branch(const Side& side, std::uint32_t number, unsigned char* block, const unsigned char* before,
                 const std::string& rest, const Host& host, const Watcher& watcher, BranchEnd& end) {
  const PollTreeView& tree = side.uses->tree();
  const Branch& branch = branch_at(side, number);
  PollProgress asked;
  const std::uint32_t* const node = tree.nodes + read_progress(rest, asked);
  PollWalk walk(side.tree, tree, block, host, &watcher);
  const PollStatus status = walk.go_on_within(asked, node, branch.root);
  if (status == PollStatus::error && walk.fault() == PollFault::none) return false;
  end.status = static_cast<std::uint8_t>(status);
  end.fault = static_cast<std::uint8_t>(walk.fault());
  add_bytes(branch, block, end.bytes);
  std::vector<unsigned char> changed(before, before + side.block_bytes);
  write_bytes(branch, changed.data(), end.bytes);
  return std::memcmp(changed.data(), block, changed.size()) == 0;
}

Result leave_branch(const Side& side, std::uint32_t number, unsigned char* block, const std::string& rest,
                    const BranchEnd& end, const Host& host, const Watcher& watcher) {
  const PollTreeView& tree = side.uses->tree();
  const Branch& branch = branch_at(side, number);
  write_bytes(branch, block, end.bytes);
  PollProgress asked;
  const std::uint32_t* const node = tree.nodes + read_progress(rest, asked);
  asked.depth -= levels_above(node, branch.root);
  PollWalk walk(side.tree, tree, block, host, &watcher);
  return end.fault == 0 ? walk.go_on_after(asked, branch.root, static_cast<PollStatus>(end.status))
                        : walk.go_on_failed(asked, branch.root, static_cast<PollFault>(end.fault));
}

Result begin_polling(const Side& side, unsigned char* block, const Host& host, const Watcher& watcher) {
  return PollWalk(side.tree, side.uses->tree(), block, host, &watcher).begin_explored();
}

}  // namespace

const BranchRow kPollBranches = {.branch_of = branch_of,
                                 .names = names_of_branch,
                                 .add_key = add_key_of_branch,
                                 .walk = walk_branch,
                                 .leave = leave_branch,
                                 .begin = begin_polling};

}  // namespace espalier::explore
