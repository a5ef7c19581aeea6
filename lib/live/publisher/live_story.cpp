// Live stories. See live_story.h.
#include "live/publisher/live_story.h"

#include <algorithm>
#include <utility>

#include "replay/event.h"
#include "runtime/format/node.h"
#include "runtime/format/opcodes/poll.h"
#include "text/visible.h"

namespace espalier::live {
namespace {

std::uint64_t since(std::int64_t first_us, std::int64_t at_us) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(0, at_us - first_us));
}

bool is_done(Status status) { return status == Status::success || status == Status::failure; }

// Of an action that ended between two looks, there is no status that it ran.
std::string words_of(Status before, Status now) {
  switch (now) {
    case Status::running:
      return "begins";
    case Status::success:
      return "succeeds";
    case Status::failure:
      return "fails";
    case Status::idle:
      break;
  }
  return before == Status::running ? "is halted" : "is reset";
}

}  // namespace

std::string timed_line(std::int64_t at_us, std::int64_t first_us, const std::string& words) {
  constexpr std::size_t kTimeWidth = 10;
  std::string time = replay::seconds_text(since(first_us, at_us));
  time.insert(0, time.size() < kTimeWidth ? kTimeWidth - time.size() : 0, ' ');
  return time + "  " + words;
}

LiveStory::LiveStory(const LoggedTree& tree, StoryOptions options) : tree_(tree), options_(std::move(options)) {
  const PollTreeView& view = tree.view();
  for (const LoggedNode& logged : tree.nodes()) {
    const std::uint32_t* const at = view.nodes + logged.word;
    const Opcode opcode = opcode_of(at);
    Node& node = nodes_.emplace_back();
    const std::string path(view.name(view.board(view.polled_of(at).board).path));
    node.name = (path.empty() ? path : path + '/') + std::string(logged.name);
    node.is_leaf = view.polled_of(at).child_count == 0;
    node.is_condition = opcode == opcode::poll_condition || opcode == opcode::poll_script_condition;
    const auto is_named = [&](const std::string& name) { return name == logged.name || name == node.name; };
    node.is_wanted = options_.only.empty() || std::any_of(options_.only.begin(), options_.only.end(), is_named);
  }
}

void LiveStory::set(const std::vector<NodeStatus>& statuses) {
  constexpr unsigned kWentIdle = 10;
  for (const NodeStatus& each : statuses) {
    if (!has(each.uid)) continue;
    Node& node = nodes_[each.uid - 1u];
    node.status = each.status < kStatusCount ? static_cast<Status>(each.status) : Status::idle;
    const unsigned last = each.status >= kWentIdle ? each.status - kWentIdle : each.status;
    if (last < kStatusCount && is_done(static_cast<Status>(last))) node.answer = static_cast<Status>(last);
  }
}

bool LiveStory::matters(const Node& node, std::uint16_t uid, Status before, Status now) const {
  if (!node.is_wanted) return false;
  if (now == Status::idle) return before == Status::running && node.is_leaf && !options_.hides_idle;
  if (uid == 1 && options_.only.empty()) return is_done(now);
  if (node.is_condition) return !options_.hides_conditions && is_done(now) && now != node.answer;
  return (node.is_leaf || !options_.only.empty()) && now != before;
}

std::string LiveStory::words(const Change& change) {
  if (!has(change.uid)) return {};
  Node& node = nodes_[change.uid - 1u];
  const Status before = std::exchange(node.status, change.status);
  const bool is_told = matters(node, change.uid, before, change.status);
  if (is_done(change.status)) node.answer = change.status;
  return is_told ? text::visible(node.name) + ' ' + std::string(words_of(before, change.status)) : std::string();
}

std::string LiveStory::line(const Change& change, std::int64_t first_us) {
  const std::string told = words(change);
  if (told.empty()) return {};
  return timed_line(change.at_us, first_us, told);
}

std::string LiveStory::events(const Change& change, std::int64_t first_us) {
  if (!has(change.uid)) return {};
  Node& node = nodes_[change.uid - 1u];
  const Status before = std::exchange(node.status, change.status);
  const bool repeats = node.is_condition && change.status == node.answer;
  if (is_done(change.status)) node.answer = change.status;
  const bool is_hidden = !node.is_wanted || (node.is_condition && (options_.hides_conditions || repeats)) ||
                         (change.status == Status::idle && options_.hides_idle);
  if (is_hidden || change.status == before) return {};
  const LoggedNode& logged = tree_.nodes()[change.uid - 1u];
  std::string lines;
  const auto add = [&](replay::EventKind kind, std::string_view value = {}) {
    replay::Event event;
    event.time_us = since(first_us, change.at_us);
    event.agent = options_.agent;
    event.kind = kind;
    event.node = {&tree_.view().asset, logged.word};
    event.subject = logged.name;
    event.value = value;
    std::string json = replay::event_json(event);
    json.pop_back();
    lines += json + ", \"uid\": " + std::to_string(change.uid) + ", \"at\": " + std::to_string(change.at_us) + "}\n";
  };
  using replay::EventKind;
  const std::string_view result = change.status == Status::success ? "success" : "failure";
  if (node.is_condition) {
    if (is_done(change.status)) add(EventKind::ask, change.status == Status::success ? "true" : "false");
  } else if (logged.asks) {
    const bool is_running = before == Status::running;
    if (change.status != Status::idle && !is_running) add(EventKind::enter);
    if (is_done(change.status)) add(EventKind::tick, result);
    if (is_done(change.status)) add(EventKind::leave);
    if (change.status == Status::idle && is_running) add(EventKind::interrupt);
  } else if (is_done(change.status)) {
    add(EventKind::complete_node, result);
  } else if (change.status == Status::running) {
    add(EventKind::begin_node);
  } else if (before == Status::running) {
    add(EventKind::interrupt_node);
  }
  return lines;
}

std::vector<std::string> LiveStory::running_names() const {
  std::vector<std::string> names;
  for (const Node& node : nodes_) {
    if (node.is_leaf && node.status == Status::running) names.push_back(node.name);
  }
  return names;
}

std::vector<std::uint32_t> LiveStory::running_words() const {
  std::vector<std::uint32_t> words;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i].is_leaf && nodes_[i].status == Status::running) words.push_back(tree_.nodes()[i].word);
  }
  return words;
}

std::string LiveStory::running() const {
  std::string text;
  for (const std::string& name : running_names()) text += (text.empty() ? "" : ", ") + text::visible(name);
  return text;
}

}  // namespace espalier::live
