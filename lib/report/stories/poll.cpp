// The story of trees that poll: what starts, what ends and how, what is skipped and why, with the inputs that were
// read, the entries that were written and the answers that led to it, then the active branch. See tellers.h.
#include <string>
#include <string_view>
#include <utility>

#include "replay/names.h"
#include "report/line_view.h"
#include "report/skip_reason.h"
#include "report/tellers.h"
#include "runtime/poll/tree.h"

namespace espalier::report {
namespace {

constexpr std::size_t kMaxReadBytes = 200;  // of what was read before a line
constexpr std::size_t kMaxSkips = 1000;     // of all agents, that are remembered

// The port that was read, the first word of `value`; null: none has this name.
const PollPort* read_port(const Event& event) {
  const PollTreeView tree(event.state->tree);
  const std::uint32_t* const node = tree.nodes + event.node.word;
  const std::string_view port = event.value.substr(0, event.value.find(' '));
  for (std::uint32_t i = 0; i < tree.polled_of(node).port_count; ++i) {
    if (tree.name(tree.port_of(node, i).name) == port) return &tree.port_of(node, i);
  }
  return nullptr;
}

bool is_of_entry(const PollPort& port) { return port.kind == static_cast<std::uint8_t>(layout::PollPortKind::key); }

void append(std::string& list, std::string_view words) {
  if (list.size() > kMaxReadBytes) return;
  list.append(list.empty() ? "" : ", ").append(words);
  if (list.size() > kMaxReadBytes) list += ", ...";
}

}  // namespace

void PollTeller::event(const Event& event) {
  switch (event.kind) {
    case EventKind::begin:
      is_inside_ = true;
      noted_.clear();
      return;
    case EventKind::step:
      if (const auto* const node = std::get_if<NodeStep>(event.step)) step(event, *node);
      return;
    case EventKind::end:
      is_inside_ = false;
      return end(event.agent);
    case EventKind::restore:
    case EventKind::reload:
    case EventKind::destroy:
      skipped_.erase(event.agent);
      return views_.forget(event.agent);
    default:
      if (telling_.kinds.has(event.kind)) tell(event);
  }
}

// True: it is shown with the line that follows.
bool PollTeller::note(const Event& event) {
  if (event.kind == EventKind::read) {
    const PollPort* const read = read_port(event);
    if (read != nullptr && (is_of_entry(*read) ? telling_.options.is_inferred != nullptr : read->is_default != 0))
      return true;
    const std::size_t space = event.value.find(' ');
    const std::string port(event.value.substr(0, space));
    append(inputs_, visible(event.cause.empty() ? port + " = " + std::string(event.value.substr(space + 1))
                                                : port + ": " + event.cause.front()));
  } else if (event.kind == EventKind::ask) {
    const std::string inputs = inputs_.empty() ? std::string() : " (" + std::exchange(inputs_, {}) + ')';
    std::string note = visible(event.subject) + inputs + " is " + std::string(event.value);
    if (const auto [words, is_new] = noted_.insert(std::move(note)); is_new) append(notes_, *words);
  } else if (event.kind == EventKind::set && is_inside_) {
    const bool has_line = telling_.page.last_kind(event) != EventKind::count;  // of what led to it
    const bool is_own = telling_.page.is_about(event.node) || event.node.asset == nullptr;
    const std::string writer = is_own ? std::string() : replay::node_text(*event.node.asset, event.node.word) + ' ';
    const bool is_inferred = is_inferred_write(event, telling_.options.is_inferred, inferred_);
    if (is_inferred) inferred_.emplace(event.subject);
    if (!is_inferred) inferred_.erase(std::string(event.subject));
    const std::string_view mark = is_inferred ? kInferred : std::string_view();
    if (has_line) telling_.page.add_detail({writer, "writes ", event.subject, " = ", event.value, mark});
    if (!has_line) append(written_, visible(std::string(event.subject).append(" = ").append(event.value).append(mark)));
  } else {
    return false;
  }
  return true;
}

void PollTeller::tell(const Event& event) {
  if (!telling_.is_filtered && note(event)) return;
  tell_plain(event);
  if (telling_.is_filtered) return;
  if (event.kind == EventKind::status) return forget();  // the update is over
  if (event.value == "running" && written_.empty()) return;
  if (telling_.page.is_open()) add_notes();
}

// A value that is set between updates may be inferred.
void PollTeller::tell_plain(const Event& event) {
  const auto& is_inferred = telling_.options.is_inferred;
  const bool is_given = event.kind == EventKind::set && event.node.asset == nullptr;
  if (!is_given || !is_inferred || !is_inferred(event.time_us, StoryOptions::kNoNode)) return plain_.tell(event);
  inferred_.emplace(event.subject);
  Event marked = event;
  const std::string value = std::string(event.value).append(kInferred);
  marked.value = value;
  plain_.tell(marked);
}

void PollTeller::add_notes() {
  if (!inputs_.empty()) telling_.page.add_detail("reads " + std::exchange(inputs_, {}));
  if (!written_.empty()) telling_.page.add_detail("writes " + std::exchange(written_, {}));
  if (!notes_.empty()) telling_.page.add_detail(std::exchange(notes_, {}));
}

void PollTeller::forget() {
  inputs_.clear();
  written_.clear();
  notes_.clear();
}

// A node that is skipped at every update is told once.
void PollTeller::step(const Event& event, const NodeStep& step) {
  if (telling_.is_filtered || step.kind != NodeStepKind::skip) return;
  const std::string words = skip_words(*event.state, step);
  if (words.empty()) return;
  Skips& skips = skipped_[event.agent];
  skips.now.emplace(step.node_word, step.value);
  if (skips.before.count({step.node_word, step.value}) != 0) return;
  telling_.page.open(event.time_us, event.agent);
  telling_.page.say(words);
  telling_.page.add_detail(skip_reason(*event.state, step, inferred_));
  add_notes();
}

void PollTeller::end(std::uint32_t agent) {
  if (const auto found = skipped_.find(agent); found != skipped_.end()) {
    found->second.before = std::exchange(found->second.now, {});
    if (found->second.before.empty() || skipped_.size() > kMaxSkips) skipped_.erase(found);
  }
  if (!views_.are_shown()) return;
  const AgentView& view = telling_.agent();
  if (!views_.is_unchanged(view, agent)) views_.update(view, agent, active_lines(view));
}

}  // namespace espalier::report
