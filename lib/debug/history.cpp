// What happened, and what held then. See history.h.
#include "debug/history.h"

#include <algorithm>
#include <optional>

#include "codegen/dump/disassemble.h"
#include "replay/names.h"
#include "replay/node_paths.h"
#include "text/source.h"

namespace espalier::debug {
namespace {

using replay::EventKind;

std::optional<MomentKind> kind_of(const replay::Event& event) {
  switch (event.kind) {
    case EventKind::begin_node:
      return MomentKind::begin;
    case EventKind::complete_node:
      if (event.value == "success") return MomentKind::success;
      return event.value == "skipped" ? MomentKind::skipped : MomentKind::failure;
    case EventKind::interrupt_node:
      return MomentKind::halted;
    case EventKind::set:
      return MomentKind::set;
    case EventKind::ask:
    case EventKind::tick:
    case EventKind::decide:
      return MomentKind::answer;
    case EventKind::read:
      return MomentKind::input;
    case EventKind::signal:
      return MomentKind::signal;
    case EventKind::error:
      return MomentKind::error;
    case EventKind::log:
      return MomentKind::log;
    case EventKind::begin:
      return MomentKind::update_begins;
    case EventKind::end:
      return MomentKind::update_ends;
    default:
      return std::nullopt;
  }
}

}  // namespace

bool History::record(const Asset& asset, std::istream& trace, const std::string& path,
                     const replay::ReplayOptions& options) {
  replay::Observer observer;
  observer.watches = true;
  observer.gets_nodes = true;
  observer.gets_inputs = true;
  observer.event = [this](const replay::Event& event) { take(event); };
  text::Sources sources;
  observer.failed = [this](const replay::FailedLine& line) {
    for (const replay::Failure& failure : line.failures) {
      std::string words = replay::words_of(failure, line.names_agents);
      if (!failure.expected.empty()) words += ": expected " + failure.expected + ", actual " + failure.actual;
      add({.time_us = line.time_us,
           .agent = failure.agent.value_or(agents_.empty() ? 0 : agents_.front()),
           .name = number_of(words),
           .kind = MomentKind::failed});
    }
  };
  observer.finding = [this](const text::Finding& finding) { faults_.push_back(finding.message); };
  return !replay::replay(asset, trace, path, options, sources, observer).is_broken;
}

void History::take(const replay::Event& event) {
  const std::optional<MomentKind> kind = kind_of(event);
  if (!kind) return;
  Moment moment{.time_us = event.time_us, .agent = event.agent, .kind = *kind};
  const std::map<std::uint32_t, std::uint32_t>& rows = begin_tree(event.state->tree, event.agent, event.time_us);
  if (const auto row = rows.find(event.node.word); event.node.asset != nullptr && row != rows.end())
    moment.row = row->second;
  if (moment.is_of_node() && moment.row == kNoRow) return;  // the file does not have it
  if (moment.kind == MomentKind::input) {                   // "speed 2"
    const std::size_t blank = event.value.find(' ');
    moment.name = number_of(event.value.substr(0, blank));
    moment.value = blank == std::string_view::npos ? 0 : number_of(event.value.substr(blank + 1));
  } else if (!moment.is_of_node()) {
    moment.name = number_of(event.subject);
    moment.value = number_of(event.value);
  }
  add(moment);
}

const std::map<std::uint32_t, std::uint32_t>& History::begin_tree(const Tree& tree, std::uint32_t agent,
                                                                  std::uint64_t time_us) {
  const auto [title, is_new] = titles_.try_emplace({tree.asset, tree.index}, 0);
  if (is_new) {
    std::map<std::uint32_t, std::uint32_t>& rows = rows_of_[tree.asset];
    title->second = tree_.add_tree(tree, rows);
    places_.resize(tree_.rows.size());
    for (const auto& [word, row] : rows) {
      if (word == replay::PlacedNode::kRoot) continue;  // the title of a tree in a slot
      const codegen::NodeDebug debug = codegen::node_debug(*tree.asset, word);
      places_[row] = {debug.file, debug.line, debug.column};
    }
  }
  const auto [last, is_first] = title_of_agent_.try_emplace(agent, kNoRow);
  if (last->second != title->second) {
    last->second = title->second;
    add({.time_us = time_us, .agent = agent, .row = title->second, .kind = MomentKind::tree});
  }
  return rows_of_[tree.asset];
}

void History::add(Moment moment) {
  if (known_agents_.insert(moment.agent).second) agents_.push_back(moment.agent);
  moments_.push_back(moment);
  apply(last_, moment);
  if (moments_.size() % kBetweenCheckpoints == 0) checkpoints_.push_back(last_);
}

void History::apply(Now& now, const Moment& moment) {
  AgentNow& agent = now[moment.agent];
  std::vector<std::uint32_t>& active = agent.active;
  switch (moment.kind) {
    case MomentKind::begin:
      if (std::find(active.begin(), active.end(), moment.row) == active.end()) active.push_back(moment.row);
      return;
    case MomentKind::success:
    case MomentKind::failure:
    case MomentKind::skipped:
    case MomentKind::halted:
      active.erase(std::remove(active.begin(), active.end(), moment.row), active.end());
      agent.results[moment.row] = moment.kind;
      return;
    case MomentKind::set:
      agent.values[moment.name] = moment.value;
      return;
    case MomentKind::answer:
      agent.answers[moment.name] = moment.value;
      return;
    case MomentKind::input:
      agent.inputs[{moment.row, moment.name}] = moment.value;
      return;
    case MomentKind::tree:
      agent.title = moment.row;
      return;
    case MomentKind::update_begins:
      ++agent.update_count;
      return;
    default:
      return;
  }
}

Now History::at(std::size_t count) const {
  const std::size_t checkpoint = count / kBetweenCheckpoints;
  Now now = checkpoint == 0 ? Now() : checkpoints_[checkpoint - 1];
  advance(now, checkpoint * kBetweenCheckpoints, count);
  return now;
}

std::uint32_t History::row_at(std::size_t count, std::uint32_t agent, const Now& now) const {
  for (std::size_t i = count; i-- > 0;) {
    const Moment& moment = moments_[i];
    if (moment.agent != agent) continue;
    if (moment.is_between()) break;
    if (moment.row != kNoRow) return moment.row;
  }
  const auto found = now.find(agent);
  return found == now.end() || found->second.active.empty() ? kNoRow : found->second.active.back();
}

std::uint32_t History::number_of(std::string_view text) {
  if (text.empty()) return 0;
  const auto found = numbers_.find(text);
  if (found != numbers_.end()) return found->second;
  const auto number = static_cast<std::uint32_t>(texts_.size());
  texts_.emplace_back(text);
  numbers_.emplace(std::string(text), number);
  return number;
}

}  // namespace espalier::debug
