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

class PollBranches::Mask {
 public:
  explicit Mask(const PollTreeView& tree) : tree_(tree), bytes_(agent_bytes(tree.tree) / 8 * 8 + 8) {}

  void add_memory(const std::uint32_t* node) { add_memory(node, memory_bytes(node, tree_.polled_of(node))); }
  // The first bytes of it.
  void add_memory(const std::uint32_t* node, std::uint32_t bytes) {
    add(offset_bytes(tree_.part<PartKind::poll_memory>()) + tree_.polled_of(node).memory, bytes);
  }
  void add_status(const std::uint32_t* node) {
    const std::uint32_t number = node_number(node);
    unsigned char& four = bytes_[offset_bytes(tree_.part<PartKind::statuses>()) + number / 4];
    four = static_cast<unsigned char>(four | 3u << number % 4 * 2);
  }
  void add_entry(std::uint32_t entry) {
    entries_.push_back(entry);
    add(offset_bytes(tree_.part<PartKind::entries>()) + 8 * entry, 8);
    add(offset_bytes(tree_.part<PartKind::entry_types>()) + 3 * entry, 3);
  }
  void add_cursor() { add(offset_bytes(tree_.part<PartKind::cursor>()), sizeof(std::uint32_t)); }

  const std::vector<std::uint32_t>& entries() const { return entries_; }  // some of them more than once
  Places places() const {
    Places places;
    for (std::uint32_t at = 0; at < bytes_.size(); at += 8) {
      if (const std::uint64_t mask = load_u64(&bytes_[at]); mask != 0) places.push_back({at, mask});
    }
    return places;
  }

 private:
  void add(std::uint32_t offset, std::uint32_t count) { std::fill_n(bytes_.begin() + offset, count, 0xFF); }

  const PollTreeView& tree_;
  std::vector<unsigned char> bytes_;
  std::vector<std::uint32_t> entries_;
};

PollBranches::PollBranches(const PollUses& uses)
    : tree_(uses.tree()),
      has_plain_entries_(tree_.record.named_count == 0 && tree_.part<PartKind::write_counts>().count == 0),
      numbers_(tree_.unit.node_count) {
  find_cleared(uses);
  for (std::uint32_t i = 0; i < tree_.entry_count(); ++i) {
    Mask mask(tree_);
    mask.add_entry(i);
    entries_.push_back(mask.places());
  }
  if (is_plain()) add_below(tree_.root());
}

void PollBranches::find_cleared(const PollUses& uses) {
  Mask mask(tree_);
  mask.add_cursor();
  for (std::uint32_t i = 0; i < tree_.unit.node_count; ++i) mask.add_status(tree_.node(i));
  for (const ClearedMemory& cleared : uses.cleared()) mask.add_memory(cleared.node, cleared.bytes);
  cleared_ = mask.places();
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
  Mask mask(tree_);
  const std::uint32_t first = node_number(root);
  const std::uint32_t count = nodes_within(root);
  for (std::uint32_t i = first; i < first + count; ++i) {
    const std::uint32_t* const node = tree_.node(i);
    if (!may_be_in_branch(node)) return;
    if (is_asking(opcode_of(node))) branch.asking.push_back(node);
    add_entries(node, mask);
    mask.add_memory(node);
    mask.add_status(node);
  }
  if (count == 1 || branch.asking.empty()) return;
  branch.places = mask.places();
  branches_.push_back(std::move(branch));
  std::fill_n(numbers_.begin() + first, count, static_cast<std::uint32_t>(branches_.size()));
}

// Is all that it does known from its memory, its children's statuses, its entries and answers?
bool PollBranches::is_known(const std::uint32_t* node) const {
  const PollPart part = known_of(opcode_of(node)).part;
  const bool is_known = part == PollPart::plain || part == PollPart::lists || part == PollPart::repeats ||
                        part == PollPart::counts || part == PollPart::fails;
  return is_known && !shape_of(opcode_of(node)).looks_for_writes;
}

// And is it ticked once in an update?
bool PollBranches::may_be_in_branch(const std::uint32_t* node) const {
  const PollExplored& known = known_of(opcode_of(node));
  const bool is_passed_once =
      known.passes == PollPasses::once || (known.passes == PollPasses::unless_signals && !has_flag(node, kSignals));
  return is_known(node) && known.part != PollPart::repeats && is_passed_once;
}

bool PollBranches::holds_text(const std::vector<std::uint32_t>& entries, const unsigned char* block) const {
  const PollAgent agent(tree_, const_cast<unsigned char*>(block));
  return std::any_of(entries.begin(), entries.end(),
                     [&](std::uint32_t entry) { return agent.kind(entry) == ValueKind::text; });
}

std::optional<Places> PollBranches::places_of(const Visits& visits, const unsigned char* before,
                                              const unsigned char* after) const {
  Mask mask(tree_);
  mask.add_cursor();
  for (std::uint32_t i = 0; i < visits.size(); ++i) {
    const auto visit = static_cast<PollVisit>(visits[i]);
    if (visit == PollVisit::none) continue;
    const std::uint32_t* const node = tree_.node(i);
    if (!is_known(node)) return std::nullopt;
    mask.add_memory(node);
    mask.add_status(node);
    for (const std::uint32_t* const child : children_of(node)) mask.add_status(child);
    if (visit == PollVisit::walked) {
      add_entries(node, mask);
    } else if (const std::uint32_t script = tree_.polled_of(node).on_halted; script != 0) {
      add_script(script - 1, mask);
    }
  }
  if (holds_text(mask.entries(), before) || holds_text(mask.entries(), after)) return std::nullopt;
  return mask.places();
}

void PollBranches::add_entries(const std::uint32_t* node, Mask& mask) const {
  const layout::Polled& polled = tree_.polled_of(node);
  for (std::uint32_t i = 0; i < layout::kHookCount; ++i) {
    if (const std::uint32_t script = hook_of(polled, static_cast<PollHook>(i)); script != 0)
      add_script(script - 1, mask);
  }
  if (polled.script != 0) add_script(polled.script - 1, mask);
  for (std::uint32_t i = 0; i < polled.port_count; ++i) {
    if (const PollPort& port = tree_.port_of(node, i); is_key(port)) add_key(port.value, mask);
  }
}

void PollBranches::add_script(std::uint32_t script, Mask& mask) const {
  const layout::PollScript record =
      records<layout::PollScript>(tree_.asset, SectionId::poll_scripts)[tree_.record.first_script + script];
  const auto* const code = array<layout::Instruction>(tree_.asset, SectionId::poll_code) + record.first_instruction;
  for (std::uint32_t i = 0; i < record.instruction_count; ++i) {
    const auto op = static_cast<PollOp>(code[i].op);
    if (op == PollOp::load || (op >= PollOp::create && op <= PollOp::assign_divide)) add_key(code[i].operand, mask);
  }
}

// A name may stand for one of several entries.
void PollBranches::add_key(std::uint32_t key, Mask& mask) const {
  for (; key != layout::kNone; key = tree_.keys[key].next) mask.add_entry(tree_.keys[key].entry);
}

namespace {

const Branch& branch_at(const Side& side, std::uint32_t number) { return *side.branches->branch(number); }

std::uint32_t branch_of(const Side& side, std::uint32_t word) { return side.branches->branch_of(word); }

// May an entry hold one?
bool has_texts(const Side& side) {
  const layout::Part& texts = side.uses->tree().part<PartKind::texts>();
  return texts.count != 0 && end_bits(texts) <= std::uint64_t{8} * side.block_bytes;
}

// None has an entry that may hold a text.
std::vector<std::uint32_t> names_of_branch(const Side& side, std::uint32_t number) {
  const PollTreeView& tree = side.uses->tree();
  const Branch* const branch = side.branches->branch(number);
  std::vector<std::uint32_t> names;
  if (has_texts(side) || branch == nullptr) return names;
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

const Places& places_of_branch(const Side& side, std::uint32_t number) { return branch_at(side, number).places; }

// The frames of the branch's nodes are the last ones.
void add_key_of_branch(const Side& side, std::uint32_t number, const std::string& rest, std::string& key) {
  const std::uint32_t word = word_of_progress(rest);
  const std::uint32_t frame_count = 1 + levels_above(side.uses->tree().nodes + word, branch_at(side, number).root);
  key.append(reinterpret_cast<const char*>(&word), sizeof word);
  key.append(rest, rest.size() - frame_count * sizeof(PollFrame), std::string::npos);
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
  end.words.resize(branch.places.size());
  read_words(branch.places, block, end.words.data());
  std::vector<unsigned char> changed(before, before + side.block_bytes);
  write_words(branch.places, changed.data(), end.words.data());
  return std::memcmp(changed.data(), block, changed.size()) == 0;
}

PollVisit* begin_visits(const PollTreeView& tree, Visits* visits) {
  if (visits == nullptr) return nullptr;
  visits->assign(tree.unit.node_count, static_cast<unsigned char>(PollVisit::none));
  return reinterpret_cast<PollVisit*>(visits->data());
}

Result leave_branch(const Side& side, std::uint32_t number, unsigned char* block, const std::string& rest,
                    const BranchEnd& end, const Host& host, const Watcher& watcher, Visits* visits) {
  const PollTreeView& tree = side.uses->tree();
  const Branch& branch = branch_at(side, number);
  PollProgress asked;
  const std::uint32_t* const node = tree.nodes + read_progress(rest, asked);
  asked.depth -= levels_above(node, branch.root);
  PollWalk walk(side.tree, tree, block, host, &watcher);
  PollVisit* const all = begin_visits(tree, visits);
  return end.fault == 0 ? walk.go_on_after(asked, branch.root, static_cast<PollStatus>(end.status), all)
                        : walk.go_on_failed(asked, branch.root, static_cast<PollFault>(end.fault), all);
}

Result go_on_visiting(const Side& side, unsigned char* block, const std::string& rest, const Host& host,
                      const Watcher& watcher, Visits* visits) {
  PollProgress asked;
  const PollTreeView& tree = side.uses->tree();
  const std::uint32_t* const node = tree.nodes + read_progress(rest, asked);
  return PollWalk(side.tree, tree, block, host, &watcher).go_on_from(asked, node, begin_visits(tree, visits));
}

Result begin_polling(const Side& side, unsigned char* block, const Host& host, const Watcher& watcher, Visits* visits) {
  const PollTreeView& tree = side.uses->tree();
  return PollWalk(side.tree, tree, block, host, &watcher).begin_explored(begin_visits(tree, visits));
}

bool is_known_tree(const Side& side) { return side.branches->is_plain(); }

std::optional<Places> places_of_visits(const Side& side, const Visits& visits, const unsigned char* before,
                                       const unsigned char* after) {
  return side.branches->places_of(visits, before, after);
}

}  // namespace

bool has_plain_entries(const Side& side) { return side.branches->has_plain_entries() && !has_texts(side); }

const Places* places_of_polled_entry(const Side& side, std::uint32_t entry) {
  return has_plain_entries(side) ? side.branches->entry(entry) : nullptr;
}

void halt_polled_nodes(const Side& side, unsigned char* block) {
  for (const Place& place : side.branches->cleared()) {
    unsigned char* const at = block + place.offset;
    store_u64(at, load_u64(at) & ~place.mask);
  }
}

const BranchRow kPollBranches = {.branch_of = branch_of,
                                 .names = names_of_branch,
                                 .places = places_of_branch,
                                 .add_key = add_key_of_branch,
                                 .walk = walk_branch,
                                 .leave = leave_branch,
                                 .go_on = go_on_visiting,
                                 .begin = begin_polling,
                                 .is_known = is_known_tree,
                                 .places_of = places_of_visits};

}  // namespace espalier::explore
