// The story of synchronized trees: what starts and stops, with the reasons: the host's answers, which gate was full and
// who is in it, which group had no place; who waits, and for whom; what makes a tree restart, and what that resets.
// Then the active nodes, with the agents in gates and their roles. Updates in which nothing starts or ends are not
// shown, and neither are monitors that are asked again without an effect. See tellers.h.
#include <algorithm>
#include <cstring>

#include "codegen/dump/listing.h"
#include "report/line_view.h"
#include "report/store_nodes.h"
#include "report/tellers.h"
#include "runtime/format/opcodes/store.h"

namespace espalier::report {
namespace {

constexpr std::size_t kCauseBytes = 60;       // of one line
constexpr std::size_t kMaxCauses = 8;         // lines
constexpr std::size_t kMaxResetColumns = 72;  // of what is reset, on one line

// The monitor around a node, or null.
const std::uint32_t* monitor_around(const Asset& asset, std::uint32_t word) {
  const std::uint32_t* node = store_node(asset, word);
  while (opcode_of(node) != opcode::store_monitor) {
    if (is_root(node)) return nullptr;
    node = parent_of(node);
  }
  return node;
}

}  // namespace

// ---- Events

void StoreTeller::event(const Event& event) {
  switch (event.kind) {
    case EventKind::begin:
      return begin();
    case EventKind::step:
      return step(event.agent, std::get<NodeStep>(*event.step));
    case EventKind::end:
      return end(event.agent);
    default:
      if (telling_.kinds.has(event.kind)) tell(event);
  }
}

void StoreTeller::tell(const Event& event) {
  if (event.kind == EventKind::error) return tell_slot_error(event);
  if (telling_.is_filtered) return plain_.tell(event);
  if (event.kind == EventKind::ask) return note_ask(event);
  if (event.kind == EventKind::status) return note_status(event);
  const bool is_reset = event.kind == EventKind::interrupt || event.kind == EventKind::reset;
  if (is_reset && join_resets(event)) return;
  plain_.tell(event);
  if (event.value != "running") tell_causes();
}

// "interrupts Run, resets Shout, Look": one line for everything that ends together.
bool StoreTeller::join_resets(const Event& event) {
  Page& page = telling_.page;
  const EventKind last = page.last_kind(event);
  const bool is_more = last == EventKind::interrupt || last == EventKind::reset;
  if (!is_more || page.width() > kMaxResetColumns) return false;
  page.say(", ");
  if (last != event.kind) page.say(event.kind == EventKind::reset ? "resets " : "interrupts ");
  page.say(event.subject);
  page.note(event);
  return true;
}

// A tree that was not put into a slot, or would be nested too deeply there.
void StoreTeller::tell_slot_error(const Event& event) {
  Page& page = telling_.page;
  page.open(event.time_us, event.agent);
  page.note(event);
  const std::string slot = visible(event.details.front());
  if (event.subject == "inject") {
    page.say("cannot have " + visible(event.details.back()) + " in slot " + slot, Style::bad);
    return page.add_detail(event.cause.front());
  }
  const Tree& tree = telling_.agent().tree;
  const std::uint32_t level_count =
      records<layout::StoreTree>(*tree.asset, layout::SectionId::store_trees)[tree_record(tree).record].level_count;
  page.say("slot " + slot + " is too deep", Style::bad);
  page.add_detail("more than " + std::to_string(level_count) + " trees within one another");
  tell_causes();
}

// ---- Updates

void StoreTeller::begin() {
  if (telling_.is_filtered) return;
  is_told_ = false;
  causes_.clear();
  untold_.clear();
  monitor_answers_.clear();
  noted_.clear();
  last_node_ = {NodeStepKind::complete, 0, 0};
  entered_ = std::nullopt;
  monitor_word_ = std::nullopt;
  const AgentView& seen = telling_.agent();
  seats_ = seats_of(seen);
  const auto* const words = static_cast<const std::uint64_t*>(seen.block);
  block_.assign(words, words + agent_bytes(seen.tree) / sizeof *words);
}

void StoreTeller::note_status(const Event& event) {
  if (entered_) tell_wait(event.agent);
  statuses_[event.agent] = event.subject;
  untold_ = is_told_ ? std::vector<Cause>() : std::move(causes_);
  causes_.clear();
}

void StoreTeller::end(std::uint32_t agent) {
  // The active nodes may have changed without a line, for example because a barrier opened.
  if (!telling_.is_filtered && !is_told_ && has_other_nodes()) {
    open(agent);
    telling_.page.say("goes on");
    causes_ = std::move(untold_);
    tell_causes();
  }
  if (!views_.are_shown()) return;
  const AgentView& seen = telling_.agent();
  if (!views_.is_unchanged(seen, agent)) views_.update(seen, agent, store_lines(seen));
}

// Has the update changed which nodes are active?
bool StoreTeller::has_other_nodes() const {
  const AgentView& seen = telling_.agent();
  if (std::memcmp(seen.block, block_.data(), block_.size() * sizeof block_[0]) == 0) return false;
  return active_nodes(seen.tree, seen.block) != active_nodes(seen.tree, block_.data());
}

void StoreTeller::step(std::uint32_t agent, const NodeStep& step) {
  if (telling_.is_filtered || step.kind == NodeStepKind::skip || step.kind == NodeStepKind::reset) return;
  const NodeStep last = std::exchange(last_node_, step);
  const bool is_just_begun = last.kind == NodeStepKind::begin && last.node_word == step.node_word;
  if (entered_ && !(is_just_begun && step.kind == NodeStepKind::complete)) tell_wait(agent);
  entered_ = std::nullopt;
  if (step.kind == NodeStepKind::restart) return tell_restart(agent, step.node_word);
  if (step.kind == NodeStepKind::begin) return note_beginning(agent, step.node_word);
  if (step.kind != NodeStepKind::complete) return;
  if (last.kind == NodeStepKind::interrupt) explain_interruption(step, last.node_word);
  note_result(agent, step, is_just_begun);
}

void StoreTeller::note_beginning(std::uint32_t agent, std::uint32_t node_word) {
  const Asset& asset = *telling_.agent().tree.asset;
  const std::uint32_t* node = store_node(asset, node_word);
  switch (opcode_of(node)) {
    case opcode::store_monitor:
      monitor_word_ = node_word;
      return;
    case opcode::store_role:
      return tell_role(agent, node_word);
    case opcode::store_group:
      seats_.erase(std::remove_if(seats_.begin(), seats_.end(),
                                  [&](const SeatView& seat) { return seat.node_word == node_word; }),
                   seats_.end());
      entered_ = node_word;
      return;
    case opcode::store_barrier:
      entered_ = node_word;
      return;
    default:
      break;
  }
  const std::uint32_t* monitor = monitor_around(asset, node_word);
  if (monitor != nullptr && first_child(monitor) == node) monitor_answers_.clear();
}

// A group or barrier was entered, and does not end at once. For a bound group the role follows.
void StoreTeller::tell_wait(std::uint32_t agent) {
  const std::uint32_t word = *std::exchange(entered_, std::nullopt);
  const AgentView& seen = telling_.agent();
  const Asset& asset = *seen.tree.asset;
  const bool is_group = opcode_of(store_node(asset, word)) == opcode::store_group;
  std::string others;
  if (is_group) {
    const std::optional<SeatView> seat = seat_in(seen, word);
    if (!seat || seat->state != GroupState::waits) return;
    others = others_text(seen, word);
  } else {
    others = barrier_text(seen, word);
  }
  open(agent);
  telling_.page.say(is_group ? "waits in " : "waits at ");
  telling_.page.say(store_node_place(asset, word), Style::enter);
  if (!others.empty()) telling_.page.add_detail(others);
  tell_causes();
}

// A role begins, or is done before the other roles of its group.
void StoreTeller::tell_role(std::uint32_t agent, std::uint32_t role_word) {
  const AgentView& seen = telling_.agent();
  const Asset& asset = *seen.tree.asset;
  const std::uint32_t group_word = role_word - words_to_parent(store_node(asset, role_word));
  const std::optional<SeatView> seat = seat_in(seen, group_word);
  const bool is_done = seat && seat->state == GroupState::done;
  if (!seat || (seat->state != GroupState::works && !is_done)) return;
  open(agent);
  telling_.page.say(is_done ? "is done as " : "is ");
  telling_.page.say(role_name(asset, group_word, seat->role), Style::enter);
  telling_.page.say({" of ", store_node_place(asset, group_word)});
  if (const std::string others = others_text(seen, group_word); !others.empty()) telling_.page.add_detail(others);
  tell_causes();
}

void StoreTeller::tell_restart(std::uint32_t agent, std::uint32_t node_word) {
  const Asset& asset = *telling_.agent().tree.asset;
  open(agent);
  telling_.page.say(store_node_place(asset, node_word), Style::signal);
  const bool is_monitor = opcode_of(store_node(asset, node_word)) == opcode::store_monitor;
  telling_.page.say(is_monitor ? " interrupts" : " was left by another agent");
  std::string answers;
  for (const std::string& answer : monitor_answers_) {
    answers += (answers.empty() ? "" : ", ") + visible(answer);
    noted_.insert(answer);
  }
  if (!answers.empty()) telling_.page.add_detail(answers);
  monitor_answers_.clear();
  telling_.page.add_detail("the tree restarts");
  is_told_ = true;
}

// A parallel that is done has reset what was still running in it, and a repeat that is evaluated at each update what
// was running after it.
void StoreTeller::explain_interruption(const NodeStep& step, std::uint32_t interrupted_word) {
  const Asset& asset = *telling_.agent().tree.asset;
  const std::uint32_t* node = store_node(asset, step.node_word);
  const bool is_repeat = opcode_of(node) == opcode::store_repeat && has_flag(node, kEachUpdate) && !is_root(node);
  const std::uint32_t* first = is_repeat ? end_of(node) : node;
  const std::uint32_t* last = end_of(is_repeat ? parent_of(node) : node);
  const std::uint32_t* interrupted = store_node(asset, interrupted_word);
  const bool may_reset = is_repeat || opcode_of(node) == opcode::store_parallel;
  if (!may_reset || interrupted < first || interrupted >= last || !telling_.page.is_open()) return;
  const bool has_succeeded = step.value == static_cast<std::uint32_t>(Result::success);
  telling_.page.add_detail({store_node_place(asset, step.node_word), has_succeeded ? " succeeds" : " fails"});
}

void StoreTeller::note_result(std::uint32_t agent, const NodeStep& step, bool is_just_begun) {
  const Asset& asset = *telling_.agent().tree.asset;
  const std::uint32_t* node = store_node(asset, step.node_word);
  const Opcode opcode = opcode_of(node);
  const bool has_succeeded = step.value == static_cast<std::uint32_t>(Result::success);
  const bool is_too_deep = opcode == opcode::store_child && telling_.page.tells(EventKind::error);
  if (opcode == opcode::store_monitor) monitor_word_ = std::nullopt;
  if (opcode == opcode::store_role) tell_role(agent, step.node_word);
  if (is_just_begun && !has_succeeded) {
    if (!is_too_deep) note_cause(refusal_text(telling_.agent(), step.node_word), true);
  } else if (!is_just_begun && opcode == opcode::store_group) {
    const auto is_it = [&](const SeatView& seat) { return seat.node_word == step.node_word; };
    const auto before = std::find_if(seats_.begin(), seats_.end(), is_it);
    note_cause(ending_text(telling_.agent(), before != seats_.end() ? std::optional(*before) : std::nullopt,
                           step.node_word, has_succeeded),
               true);
  } else if (!is_just_begun && opcode == opcode::store_barrier) {
    note_cause(store_node_place(asset, step.node_word) + " opens", true);
  }
  if (is_root(node) && is_root_done(telling_.agent())) tell_root_result(agent, has_succeeded);
}

// A tree that fails, or succeeds, in every update is reported once.
void StoreTeller::tell_root_result(std::uint32_t agent, bool has_succeeded) {
  const auto before = statuses_.find(agent);
  const bool is_news =
      is_told_ || before == statuses_.end() || before->second != (has_succeeded ? "success" : "failure");
  if (!is_news) return;
  open(agent);
  telling_.page.say("the tree ");
  has_succeeded ? telling_.page.say("succeeds") : telling_.page.say("fails", Style::bad);
  tell_causes();
}

// ---- Reasons for the next line

// Monitors that are asked again without an effect are not reasons.
void StoreTeller::note_ask(const Event& event) {
  const Asset& asset = *telling_.agent().tree.asset;
  const std::uint32_t* monitor = monitor_around(asset, last_node_.node_word);
  const bool is_cause = monitor == nullptr || monitor_word_;
  answer_.assign(event.subject).append(" is ").append(event.value);
  if (is_cause) return note_cause(answer_, false);
  if (monitor_answers_.size() < kMaxCauses) monitor_answers_.push_back(answer_);
}

void StoreTeller::note_cause(std::string_view cause, bool is_own_line) {
  if (cause.empty() || causes_.size() > kMaxCauses || !noted_.insert(std::string(cause)).second) return;
  std::string shown;
  append_visible(shown, cause);
  const bool is_joined = !is_own_line && !causes_.empty() && !causes_.back().is_own_line &&
                         causes_.back().text.size() + shown.size() < kCauseBytes;
  if (is_joined) {
    causes_.back().text.append(", ").append(shown);
  } else {
    causes_.push_back({causes_.size() == kMaxCauses ? "..." : std::move(shown), is_own_line});
  }
}

void StoreTeller::open(std::uint32_t agent) { telling_.page.open(telling_.agent().time_us, agent); }

void StoreTeller::tell_causes() {
  is_told_ = true;
  if (!telling_.page.is_open()) return;
  for (const Cause& cause : causes_) telling_.page.add_detail(cause.text);
  causes_.clear();
}

}  // namespace espalier::report
