// The story of synchronized trees: what begins and ends, with what led there: what the host has answered, which gate
// was full and who is in it, which group had no place; who waits, and for whom; what makes a tree begin anew, and what
// that resets. Then what runs, with who is in which gate and has which role. An update in which nothing begins or ends
// is passed over in silence, as are monitors that are asked again and stay quiet.
#include <algorithm>

#include "codegen/dump/listing.h"
#include "replay/store_view.h"
#include "replay/story.h"
#include "report/line_view.h"

namespace espalier::replay {
namespace {

using report::visible;

constexpr std::size_t kMaxCrowd = 64;         // agents, of which each can be named
constexpr std::size_t kCauseBytes = 60;       // of one line
constexpr std::size_t kMaxCauses = 8;         // lines
constexpr std::size_t kMaxResetColumns = 72;  // of what is reset, on one line

// The monitor around a node, or null.
const std::uint32_t* monitor_around(const Asset& asset, std::uint32_t word) {
  const std::uint32_t* node = store_node(asset, word);
  while (opcode_of(node) != Opcode::store_monitor) {
    if (is_root(node)) return nullptr;
    node = parent_of(node);
  }
  return node;
}

}  // namespace

// ---- Events

void Story::tell_synchronized(const Event& event) {
  if (event.kind == EventKind::error) return tell_slot_error(event);
  if (!options_.events.empty()) return tell_ticking(event);
  if (event.kind == EventKind::ask) return note_ask(event);
  if (event.kind == EventKind::status) return end_update(event);
  const bool is_reset = event.kind == EventKind::interrupt || event.kind == EventKind::reset;
  if (is_reset && join_resets(event)) return;
  tell_ticking(event);
  if (event.value == "running") return;
  tell_causes();
}

// "interrupts Run, resets Shout, Look": one line for what ends together.
bool Story::join_resets(const Event& event) {
  const EventKind last = last_kind(event);
  const bool is_more = last == EventKind::interrupt || last == EventKind::reset;
  if (!is_more || words_.width > kMaxResetColumns) return false;
  say(", ");
  if (last != event.kind) say(event.kind == EventKind::reset ? "resets " : "interrupts ");
  say(visible(event.name));
  last_kind_ = event.kind;
  last_name_ = event.name;
  return true;
}

// A tree that did not go into a slot, or would be too deep there.
void Story::tell_slot_error(const Event& event) {
  open(event.time_us, event.agent);
  last_kind_ = event.kind;
  const std::string slot = visible(event.details.front());
  if (event.name == "inject") {
    say("cannot have " + visible(event.details.back()) + " in slot " + slot, Style::bad);
    details_.push_back(event.reason);
    return;
  }
  const Tree& tree = session_.tree();
  const std::uint32_t level_count =
      records<layout::StoreTree>(*tree.asset, layout::SectionId::store_trees)[tree_record(tree).record].level_count;
  say("slot " + slot + " is too deep", Style::bad);
  details_.push_back("more than " + std::to_string(level_count) + " trees within one another");
  tell_causes();
}

// ---- Updates

void Story::begin_update(std::uint32_t agent) {
  if (!is_shown(agent) || !options_.events.empty()) return;
  is_told_ = false;
  causes_.clear();
  untold_.clear();
  monitor_answers_.clear();
  last_node_ = {NodeStepKind::complete, 0, 0};
  entered_ = std::nullopt;
  monitor_word_ = std::nullopt;
  seats_ = seats_of(view(agent));
}

void Story::end_update(const Event& event) {
  if (entered_) tell_wait(event.agent);
  statuses_[event.agent] = event.name;
  untold_ = is_told_ ? std::vector<Cause>() : std::move(causes_);
  causes_.clear();
}

// Other nodes run than before, and nothing was told of it: as when a barrier has opened.
void Story::tell_silent_change(std::uint32_t agent) {
  if (is_told_) return;
  open(session_.time_us(), agent);
  say("goes on");
  causes_ = std::move(untold_);
  tell_causes();
}

AgentView Story::view(std::uint32_t agent) const {
  AgentView view{session_.tree(), session_.block(agent), session_.shared(), session_.time_us(), {}};
  if (!session_.stores() || session_.agent_count() > kMaxCrowd) return view;
  for (std::uint32_t i = 0; i < session_.agent_count(); ++i) {
    view.crowd.push_back(session_.agent(i) != nullptr ? session_.block(i) : nullptr);
  }
  return view;
}

void Story::node(std::uint32_t agent, const NodeStep& step) {
  if (!is_shown(agent) || !options_.events.empty()) return;
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

void Story::note_beginning(std::uint32_t agent, std::uint32_t node_word) {
  const Asset& asset = *session_.tree().asset;
  const std::uint32_t* node = store_node(asset, node_word);
  switch (opcode_of(node)) {
    case Opcode::store_monitor:
      monitor_word_ = node_word;
      return;
    case Opcode::store_role:
      return tell_role(agent, node_word);
    case Opcode::store_group:
      seats_.erase(std::remove_if(seats_.begin(), seats_.end(),
                                  [&](const SeatView& seat) { return seat.node_word == node_word; }),
                   seats_.end());
      entered_ = node_word;
      return;
    case Opcode::store_barrier:
      entered_ = node_word;
      return;
    default:
      break;
  }
  const std::uint32_t* monitor = monitor_around(asset, node_word);
  if (monitor != nullptr && first_child(monitor) == node) monitor_answers_.clear();
}

// A group or barrier was entered, and does not end at once. Of a group that is bound the role is told next.
void Story::tell_wait(std::uint32_t agent) {
  const std::uint32_t word = *std::exchange(entered_, std::nullopt);
  const AgentView seen = view(agent);
  const Asset& asset = *seen.tree.asset;
  const bool is_group = opcode_of(store_node(asset, word)) == Opcode::store_group;
  std::string others;
  if (is_group) {
    const std::optional<SeatView> seat = seat_in(seen, word);
    if (!seat || seat->state != GroupState::waits) return;
    others = others_text(seen, word);
  } else {
    others = barrier_text(seen, word);
  }
  open(session_.time_us(), agent);
  say(is_group ? "waits in " : "waits at ");
  say(visible(store_node_place(asset, word)), Style::enter);
  if (!others.empty()) details_.push_back(visible(others));
  tell_causes();
}

// A role begins, or is done before the others of its group are.
void Story::tell_role(std::uint32_t agent, std::uint32_t role_word) {
  const AgentView seen = view(agent);
  const Asset& asset = *seen.tree.asset;
  const std::uint32_t group_word = role_word - words_to_parent(store_node(asset, role_word));
  const std::optional<SeatView> seat = seat_in(seen, group_word);
  const bool is_done = seat && seat->state == GroupState::done;
  if (!seat || (seat->state != GroupState::works && !is_done)) return;
  open(session_.time_us(), agent);
  say(is_done ? "is done as " : "is ");
  say(visible(role_name(asset, group_word, seat->role)), Style::enter);
  say(" of " + visible(store_node_place(asset, group_word)));
  if (const std::string others = others_text(seen, group_word); !others.empty()) details_.push_back(visible(others));
  tell_causes();
}

void Story::tell_restart(std::uint32_t agent, std::uint32_t node_word) {
  const Asset& asset = *session_.tree().asset;
  open(session_.time_us(), agent);
  say(visible(store_node_place(asset, node_word)), Style::signal);
  const bool is_monitor = opcode_of(store_node(asset, node_word)) == Opcode::store_monitor;
  say(is_monitor ? " interrupts" : " was left by another agent");
  if (!monitor_answers_.empty()) details_.push_back(std::exchange(monitor_answers_, {}));
  details_.emplace_back("the tree begins anew");
  is_told_ = true;
}

// A parallel that is done has reset what still ran in it.
void Story::explain_interruption(const NodeStep& step, std::uint32_t interrupted_word) {
  const Asset& asset = *session_.tree().asset;
  const std::uint32_t* node = store_node(asset, step.node_word);
  const bool is_inside = interrupted_word > step.node_word && interrupted_word < step.node_word + extent_of(node);
  if (opcode_of(node) != Opcode::store_parallel || !is_inside || !is_open_) return;
  const bool has_succeeded = step.value == static_cast<std::uint32_t>(Result::success);
  details_.push_back(visible(store_node_place(asset, step.node_word)) + (has_succeeded ? " succeeds" : " fails"));
}

void Story::note_result(std::uint32_t agent, const NodeStep& step, bool is_just_begun) {
  const Asset& asset = *session_.tree().asset;
  const std::uint32_t* node = store_node(asset, step.node_word);
  const Opcode opcode = opcode_of(node);
  const bool has_succeeded = step.value == static_cast<std::uint32_t>(Result::success);
  const bool is_too_deep = opcode == Opcode::store_child && is_open_ && last_kind_ == EventKind::error;
  if (opcode == Opcode::store_monitor) monitor_word_ = std::nullopt;
  if (opcode == Opcode::store_role) tell_role(agent, step.node_word);
  if (is_just_begun && !has_succeeded) {
    if (!is_too_deep) note_cause(refusal_text(view(agent), step.node_word), true);
  } else if (!is_just_begun && opcode == Opcode::store_group) {
    const auto is_it = [&](const SeatView& seat) { return seat.node_word == step.node_word; };
    const auto before = std::find_if(seats_.begin(), seats_.end(), is_it);
    note_cause(ending_text(view(agent), before != seats_.end() ? std::optional(*before) : std::nullopt, step.node_word,
                           has_succeeded),
               true);
  } else if (!is_just_begun && opcode == Opcode::store_barrier) {
    note_cause(store_node_place(asset, step.node_word) + " opens", true);
  }
  if (is_root(node) && is_root_done(view(agent))) tell_end(agent, has_succeeded);
}

// A tree that does nothing but fail, or succeed, is told of once.
void Story::tell_end(std::uint32_t agent, bool has_succeeded) {
  const auto before = statuses_.find(agent);
  const bool is_news =
      is_told_ || before == statuses_.end() || before->second != (has_succeeded ? "success" : "failure");
  if (!is_news) return;
  open(session_.time_us(), agent);
  say("the tree ");
  has_succeeded ? say("succeeds") : say("fails", Style::bad);
  tell_causes();
}

// ---- What led to what is told next

// Monitors that are asked again and stay quiet lead to nothing.
void Story::note_ask(const Event& event) {
  const std::string answer = event.name + " is " + event.value;
  const Asset& asset = *session_.tree().asset;
  const std::uint32_t* monitor = monitor_around(asset, last_node_.node_word);
  if (monitor == nullptr || monitor_word_) return note_cause(answer, false);
  if (monitor_answers_.size() > kCauseBytes) return;
  monitor_answers_ += (monitor_answers_.empty() ? "" : ", ") + visible(answer);
}

void Story::note_cause(const std::string& cause, bool is_own_line) {
  if (cause.empty() || causes_.size() > kMaxCauses) return;
  const std::string shown = visible(cause);
  const bool is_joined = !is_own_line && !causes_.empty() && !causes_.back().is_own_line &&
                         causes_.back().text.size() + shown.size() < kCauseBytes;
  if (is_joined) {
    causes_.back().text += ", " + shown;
  } else {
    causes_.push_back({causes_.size() == kMaxCauses ? "..." : shown, is_own_line});
  }
}

void Story::tell_causes() {
  is_told_ = true;
  if (!is_open_) return;
  for (Cause& cause : causes_) details_.push_back(std::move(cause.text));
  causes_.clear();
}

}  // namespace espalier::replay
