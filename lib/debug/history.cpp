// What happened, and what held then. See history.h.
#include "debug/history.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <utility>
#include <variant>

#include "codegen/dump/disassemble.h"
#include "replay/names.h"
#include "replay/node_paths.h"
#include "rules/traces.h"
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

// What a node's own condition decided: its attribute. Empty: the step is something else.
std::string_view deciding_attribute(const replay::Event& event) {
  const auto* const step = event.step == nullptr ? nullptr : std::get_if<NodeStep>(event.step);
  if (step == nullptr || step->kind != NodeStepKind::skip) return {};
  if (replay::engine_of_tree(event.state->tree) != EngineId::poll) return {};
  constexpr std::pair<std::uint32_t, std::string_view> kAttributes[] = {{ESPALIER_SKIP_FAILURE_IF, "_failureIf"},
                                                                        {ESPALIER_SKIP_SUCCESS_IF, "_successIf"},
                                                                        {ESPALIER_SKIP_SKIP_IF, "_skipIf"},
                                                                        {ESPALIER_SKIP_WHILE, "_while"}};
  const auto* const found = std::find_if(std::begin(kAttributes), std::end(kAttributes),
                                         [&](const auto& each) { return each.first == step->value; });
  return found == std::end(kAttributes) ? std::string_view() : found->second;
}

// A line that updates agents; of other lines `times` is 0.
class Tick {
 public:
  explicit Tick(const std::string& line) {
    if (line.find("\"tick\"") == std::string::npos) return;
    json_ = nlohmann::json::parse(line, nullptr, false);
    if (!json_.is_object() || !json_.contains("tick") || !json_["tick"].is_number()) return;
    constexpr double kMicroseconds = 1e6;
    us = static_cast<std::uint64_t>(std::llround(json_["tick"].get<double>() * kMicroseconds));
    const auto repeated = json_.find("times");
    times = repeated != json_.end() && repeated->is_number_unsigned() ? repeated->get<std::uint64_t>() : 1;
  }
  [[nodiscard]] std::uint64_t whole_us() const { return us * times; }
  // The same with so many updates.
  [[nodiscard]] std::string line(std::uint64_t count) const {
    nlohmann::json changed = json_;
    changed["times"] = count;
    return changed.dump();
  }

  std::uint64_t us = 0;
  std::uint64_t times = 0;

 private:
  nlohmann::json json_;
};

}  // namespace

replay::Observer History::begin(const Asset& asset, const std::string& path, const replay::ReplayOptions& options) {
  source_ = {&asset, path, options, {}};
  replay::Observer observer;
  observer.line = [this](std::string_view line) {
    source_.lines.emplace_back(line);
    line_begins_.push_back(moments_.size());
  };
  observer.watches = true;
  observer.gets_nodes = true;
  observer.gets_inputs = true;
  observer.event = [this](const replay::Event& event) { take(event); };
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
  observer.finding = [this](const text::Finding& finding) {
    faults_.push_back(finding.message);
    if (finding.rule != rules::TRC_unscripted_host || moments_.empty()) return;
    const Moment& last = moments_.back();
    add({.time_us = last.time_us,
         .agent = last.agent,
         .name = number_of(finding.message),
         .kind = MomentKind::unscripted});
  };
  return observer;
}

bool History::record(const Asset& asset, std::istream& trace, const std::string& path,
                     const replay::ReplayOptions& options) {
  text::Sources sources;
  return !replay::replay(asset, trace, path, options, sources, begin(asset, path, options)).is_broken;
}

// ---- Other runs

std::uint64_t History::passed_us(const std::string& line) { return Tick(line).whole_us(); }

std::size_t History::line_at(std::size_t count) const {
  const auto after = std::upper_bound(line_begins_.begin(), line_begins_.end(), count == 0 ? 0 : count - 1);
  return after == line_begins_.begin() ? 0 : static_cast<std::size_t>(after - line_begins_.begin()) - 1;
}

std::uint64_t History::clock_before(std::size_t line) const {
  std::uint64_t clock_us = source_.options.start ? source_.options.start->clock_us : 0;
  for (std::size_t i = 0; i < line; ++i) clock_us += Tick(source_.lines[i]).whole_us();
  return clock_us;
}

History::Cut History::cut_behind(std::size_t number, std::uint64_t updates) const {
  const auto next = source_.lines.begin() + static_cast<std::ptrdiff_t>(number) + 1;
  Cut cut{{source_.lines.begin(), next}, {next, source_.lines.end()}};
  if (const Tick tick(cut.before.back()); tick.times > 1 && updates < tick.times) {
    cut.before.back() = tick.line(updates);
    cut.after.insert(cut.after.begin(), tick.line(tick.times - updates));
  }
  return cut;
}

History::Cut History::cut_at(std::size_t count) const {
  const std::size_t number = count == 0 ? 0 : line_at(count);
  const Tick tick(source_.lines[number]);
  if (count == 0 || tick.times == 0) return cut_behind(number, tick.times);
  const std::uint64_t since_us =
      moments_[count - 1].time_us - std::min(clock_before(number), moments_[count - 1].time_us);
  return cut_behind(number, std::clamp<std::uint64_t>(tick.us == 0 ? 1 : since_us / tick.us, 1, tick.times));
}

History::Cut History::cut_until(std::uint64_t time_us) const {
  std::uint64_t clock_us = clock_before(0);
  std::size_t number = 1;
  for (; number < source_.lines.size(); ++number) {
    const Tick tick(source_.lines[number]);
    if (clock_us + tick.whole_us() > time_us) {
      const std::uint64_t updates = time_us < clock_us ? 0 : (time_us - clock_us) / tick.us;
      return updates == 0 ? cut_behind(number - 1, UINT64_MAX) : cut_behind(number, updates);
    }
    clock_us += tick.whole_us();
  }
  return cut_behind(number - 1, UINT64_MAX);
}

History History::forked(std::size_t count, const std::string& line, std::size_t* at) const {
  const Cut cut = cut_at(count);
  std::string text;
  for (const std::string& each : cut.before) text += each + '\n';
  text += line + '\n';
  for (const std::string& each : cut.after) text += each + '\n';
  replay::ReplayOptions options = source_.options;
  options.checks_expectations = false;
  History other;
  std::istringstream trace(text);
  static_cast<void>(other.record(*source_.asset, trace, source_.path, options));
  const std::size_t number = cut.before.size();
  *at = number < other.line_begins_.size() ? other.line_begins_[number] : other.moments_.size();
  return other;
}

std::optional<Difference> first_difference(const History& run, const History& other) {
  // The result of a whole tree counts, whatever its root is called.
  const auto is_result = [](const History& history, const Moment& moment) {
    if (!moment.is_completion() || moment.row == kNoRow) return false;
    const replay::TimelineRow& row = history.rows()[moment.row];
    return !row.is_leaf && row.parent != replay::TimelineRow::kNoParent && history.rows()[row.parent].is_title;
  };
  const auto is_seen = [&](const History& history, const Moment& moment) {
    if (moment.is_between() || moment.kind == MomentKind::input || moment.kind == MomentKind::failed) return false;
    return !moment.is_of_node() || history.rows()[moment.row].is_leaf || is_result(history, moment);
  };
  const auto next = [&](const History& history, std::size_t count) {
    while (count < history.moments().size() && !is_seen(history, history.moments()[count])) ++count;
    return count;
  };
  const auto name_of = [&](const History& history, const Moment& moment) {
    return moment.row == kNoRow || is_result(history, moment) ? std::string_view()
                                                              : std::string_view(history.rows()[moment.row].name);
  };
  const auto is_same = [&](const Moment& a, const Moment& b) {
    return a.time_us == b.time_us && a.agent == b.agent && a.kind == b.kind && name_of(run, a) == name_of(other, b) &&
           run.text(a.name) == other.text(b.name) &&
           (a.is_of_node() || a.kind == MomentKind::decided || run.text(a.value) == other.text(b.value));
  };
  std::size_t i = next(run, 0);
  std::size_t k = next(other, 0);
  while (i < run.moments().size() && k < other.moments().size() && is_same(run.moments()[i], other.moments()[k])) {
    i = next(run, i + 1);
    k = next(other, k + 1);
  }
  if (i == run.moments().size() && k == other.moments().size()) return std::nullopt;
  return Difference{std::min(i + 1, run.moments().size()), std::min(k + 1, other.moments().size()),
                    i == run.moments().size(), k == other.moments().size()};
}

// ---- Moments

void History::take_decision(const replay::Event& event, std::string_view attribute) {
  const std::map<std::uint32_t, std::uint32_t>& rows = begin_tree(event.state->tree, event.agent, event.time_us);
  const auto row = rows.find(std::get<NodeStep>(*event.step).node_word);
  if (row == rows.end()) return;  // the file does not have it
  add({.time_us = event.time_us,
       .agent = event.agent,
       .row = row->second,
       .name = number_of(attribute),
       .kind = MomentKind::decided});
}

void History::take(const replay::Event& event) {
  if (event.kind == EventKind::step) {
    if (const std::string_view attribute = deciding_attribute(event); !attribute.empty())
      take_decision(event, attribute);
    return;
  }
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

const std::map<std::uint32_t, std::uint32_t>& History::know(const Tree& tree) {
  const auto [title, is_new] = titles_.try_emplace({tree.asset, tree.index}, 0);
  const auto version = versions_.try_emplace(tree.asset, version_count()).first->second;
  if (is_new) {
    std::map<std::uint32_t, std::uint32_t>& rows = rows_of_[tree.asset];
    title->second = tree_.add_tree(tree, rows);
    places_.resize(std::max<std::size_t>(places_.size(), version + std::size_t{1}));
    places_[version].resize(tree_.rows.size());
    for (const auto& [word, row] : rows) {
      if (word == replay::PlacedNode::kRoot) continue;  // the title of a tree in a slot
      const codegen::NodeDebug debug = codegen::node_debug(*tree.asset, word);
      places_[version][row] = {debug.file, debug.line, debug.column};
    }
  }
  return rows_of_[tree.asset];
}

const std::map<std::uint32_t, std::uint32_t>& History::begin_tree(const Tree& tree, std::uint32_t agent,
                                                                  std::uint64_t time_us) {
  const std::map<std::uint32_t, std::uint32_t>& rows = know(tree);
  const std::pair now = {titles_.at({tree.asset, tree.index}), versions_.at(tree.asset)};
  if (const auto [last, is_first] = tree_of_agent_.try_emplace(agent, now); is_first || last->second != now) {
    last->second = now;
    add({.time_us = time_us, .agent = agent, .row = now.first, .value = now.second, .kind = MomentKind::tree});
  }
  return rows;
}

void History::add(Moment moment) {
  if (known_agents_.insert(moment.agent).second) agents_.push_back(moment.agent);
  if (moment.is_of_node() || moment.kind == MomentKind::decided) moment.value = last_[moment.agent].version;
  moments_.push_back(moment);
  apply(last_, moment);
  const std::size_t last = checkpoints_.empty() ? 0 : checkpoints_.back().first;
  const std::size_t distance = std::max(kBetweenCheckpoints, kBetweenCheckpointsOfAgent * agents_.size());
  if (moments_.size() - last >= distance) checkpoints_.emplace_back(moments_.size(), last_);
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
      agent.version = moment.value;
      return;
    case MomentKind::update_begins:
      ++agent.update_count;
      return;
    default:
      return;
  }
}

const Place& History::place(std::uint32_t version, std::uint32_t row) const {
  static constexpr Place kNowhere;
  return version < places_.size() && row < places_[version].size() ? places_[version][row] : kNowhere;
}

const std::pair<std::size_t, Now>* History::find_checkpoint(std::size_t count) const {
  const auto after = std::upper_bound(checkpoints_.begin(), checkpoints_.end(), count,
                                      [](std::size_t wanted, const auto& each) { return wanted < each.first; });
  return after == checkpoints_.begin() ? nullptr : &*std::prev(after);
}

std::size_t History::checkpoint_before(std::size_t count) const {
  const auto* const checkpoint = find_checkpoint(count);
  return checkpoint == nullptr ? 0 : checkpoint->first;
}

Now History::at(std::size_t count) const {
  const auto* const checkpoint = find_checkpoint(count);
  Now now = checkpoint == nullptr ? Now() : checkpoint->second;
  advance(now, checkpoint == nullptr ? 0 : checkpoint->first, count);
  return now;
}

std::uint32_t History::row_at(std::size_t count, std::uint32_t agent, const Now& now) const {
  for (std::size_t i = count; i-- > 0;) {
    const Moment& moment = moments_[i];
    if (moment.agent != agent || moment.kind == MomentKind::event) continue;
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
