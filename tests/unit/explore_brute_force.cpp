// See the header.
#include "explore_brute_force.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "explore/tracker.h"
#include "replay/names.h"
#include "replay/replay.h"
#include "rules/traces.h"
#include "runtime/asset/view.h"
#include "unit.h"

namespace espalier::test {

void for_random_trees(std::uint32_t usual, const std::function<void(Random& random, std::uint32_t number)>& test) {
  const auto number_of = [](const char* variable, std::uint32_t otherwise) {
    const char* text = std::getenv(variable);
    return text == nullptr ? otherwise : static_cast<std::uint32_t>(std::strtoul(text, nullptr, 10));
  };
  const std::uint32_t first = number_of("ESPALIER_RANDOM_FIRST", 0);
  const std::uint32_t count = number_of("ESPALIER_RANDOM_TREES", usual);
  for (std::uint32_t number = first; number < first + count; ++number) {
    Random random{20261123 + (std::uint64_t{number} << 32)};
    test(random, number);
  }
}

// ---- Brute force

namespace {

std::vector<ModelLine> all_lines(const ModelAgents& agents) {
  std::vector<ModelLine> lines = agents.lines();
  std::set<std::uint64_t> waits = agents.waits();
  if (waits.empty()) waits.insert(100'000);
  for (const std::uint64_t time_us : waits) {
    ModelLine line = {.agent = kAll, .time_us = time_us};
    lines.push_back(line);
    for (line.agent = 0; line.agent < agents.agent_count && agents.agent_count > 1; ++line.agent) lines.push_back(line);
  }
  return lines;
}

std::shared_ptr<ModelAgents> after(const MakeAgents& make, const std::vector<ModelLine>& lines) {
  auto agents = make();
  for (const ModelLine& line : lines) {
    ModelDraws draws = line.draws;
    draws.begin();
    agents->run(line, draws);
  }
  return agents;
}

}  // namespace

BruteForce find_by_brute_force(const MakeAgents& make, std::size_t max_states) {
  BruteForce found;
  std::vector<std::vector<ModelLine>> level = {{}};
  std::set<std::string> known = {make()->state()};
  for (std::uint32_t steps = 1; !level.empty(); ++steps) {
    std::vector<std::vector<ModelLine>> next_level;
    for (const std::vector<ModelLine>& lines : level) {
      for (ModelLine line : all_lines(*after(make, lines))) {
        do {
          const auto agents = after(make, lines);
          line.draws.begin();
          agents->reached.clear();
          agents->run(line, line.draws);
          for (const std::size_t item : agents->reached) found.steps.try_emplace(item, steps);
          if (agents->ends || !known.insert(agents->state()).second) continue;
          next_level.push_back(lines);
          next_level.back().push_back(line);
          if (known.size() > max_states) {
            found.state_count = known.size();
            return found;
          }
        } while (line.draws.next());
      }
    }
    level = std::move(next_level);
  }
  found.state_count = known.size();
  found.is_complete = true;
  return found;
}

// ---- Replays and covers

bool has_wide_choices(const explore::Trace& trace, const ModelAgents& agents) {
  return std::any_of(trace.steps.begin(), trace.steps.end(), [&](const std::string& line) {
    const bool gives_list = line.find("{\"host\"") == 0 && line.find("\": [") != std::string::npos;
    const bool is_at_once =
        line.find("\"tick\": 0}") != std::string::npos || line.find("\"tick\": 0,") != std::string::npos;
    return gives_list || (is_at_once && !agents.is_decider && !agents.may_update_at_once);
  });
}

std::string replayed(const Asset& asset, const Tree& tree, const explore::Trace& trace, std::size_t item) {
  const explore::Tracker tracker = explore::tracker_of(tree, {});
  std::vector<std::uint64_t> marks;
  std::vector<std::uint64_t> notes;
  std::size_t line_count = 0;
  std::size_t reached_at = 0;
  replay::Observer observer;
  observer.watches = true;
  observer.line = [&](std::string_view) { ++line_count; };
  observer.event = [&](const replay::Event& event) {
    if (event.state == nullptr || event.state->tree.index != tree.index) return;
    explore::Moment moment{tree, event.state->block, marks, notes};
    if (event.kind == replay::EventKind::begin) notes.clear();
    if (event.kind == replay::EventKind::end && tracker.updated) tracker.updated(moment);
    std::uint32_t signal = 0;
    if (event.kind == replay::EventKind::signal && tracker.signal &&
        find_signal(tree, event.subject, &signal) == Status::ok)
      tracker.signal(moment, signal);
    if (event.kind == replay::EventKind::step) {
      if (const auto* step = std::get_if<Step>(event.step); step != nullptr && tracker.select)
        tracker.select(moment, *step);
      if (const auto* step = std::get_if<DecideStep>(event.step); step != nullptr && tracker.decide)
        tracker.decide(moment, *step);
      if (const auto* step = std::get_if<NodeStep>(event.step); step != nullptr && tracker.node)
        tracker.node(moment, *step);
    }
    if (reached_at == 0 && std::find(marks.begin(), marks.end(), item) != marks.end()) reached_at = line_count;
    marks.clear();
  };
  constexpr std::string_view kBegin = "{\"trace\": 1";  // updates of such trees may end with an error
  std::istringstream lines(std::string(kBegin) + ", \"errors\": \"allowed\"" + text_of(trace).substr(kBegin.size()));
  text::Sources sources;
  const replay::TraceResult result = replay::replay(asset, lines, "t", {}, sources, observer);
  if (result.is_broken || result.failed_count != 0) return "the trace is broken";
  for (const text::Finding& finding : result.findings.all()) {
    if (finding.rule != rules::TRC_unscripted_host && finding.rule != rules::TRC_subset_rule_breached &&
        finding.rule != rules::TRC_thrash)
      return finding.message;
  }
  const std::size_t last = line_count;  // of the header and all steps
  return reached_at == last ? "" : "reached at line " + std::to_string(reached_at) + " of " + std::to_string(last);
}

namespace {

constexpr std::size_t kMaxStates = 2000;

explore::Options small_options() {
  explore::Options options;
  options.budget.threads = 1;
  options.budget.states = 60'000;
  return options;
}

}  // namespace

namespace {

void compare_cover_with(const explore::Options& options, const BruteForce& found, const Asset& asset,
                        const std::string& tree, const MakeAgents& make, const std::function<std::string()>& text,
                        Compared& compared) {
  const explore::Cover cover = explore::cover(asset, {tree}, options);
  REQUIRE(cover.trees.size() == 1);
  std::uint32_t index = 0;
  while (tree_name(espalier::tree(asset, index)) != tree) ++index;
  std::vector<std::size_t> numbers;  // of the tracker, by item of the cover
  const explore::Tracker tracker = explore::tracker_of(espalier::tree(asset, index), {});
  for (std::size_t i = 0; i < tracker.items.size(); ++i) {
    if (tracker.items[i].is_possible) numbers.push_back(i);
    if (!tracker.items[i].is_possible && found.steps.count(i) != 0)
      FAIL_CHECK(text() << '\n' << tracker.items[i].name << " is no item, but there is a trace");
  }
  REQUIRE(numbers.size() == cover.trees.front().items.size());
  for (std::size_t number = 0; number < numbers.size(); ++number) {
    const std::size_t i = numbers[number];
    const explore::Item& item = cover.trees.front().items[number];
    std::string claim = std::string(name_of(item.kind)) + ' ' + item.name + ' ' + item.path + ": ";
    std::string fault;
    const auto shortest = found.steps.find(i);
    const bool is_found = shortest != found.steps.end();
    if (item.reached == explore::Reached::yes) {
      const explore::Trace& trace = *item.shortest;
      const bool is_wide = has_wide_choices(trace, *make());
      fault = replayed(asset, espalier::tree(asset, index), trace, i);
      claim += "reached by\n" + text_of(trace);
      if (fault.empty() && is_found && shortest->second != item.steps) {
        fault = "there is a trace of " + std::to_string(shortest->second) + " steps";
      }
      if (fault.empty() && !is_found && found.is_complete && !is_wide) fault = "the model does not reach it";
      ++(is_found ? compared.reached : compared.by_wide_choices);
    } else if (item.reached == explore::Reached::no) {
      claim += "unreachable";
      if (is_found) fault = "there is a trace of " + std::to_string(shortest->second) + " steps";
      ++compared.unreachable;
    } else {
      ++compared.undecided;
    }
    if (!fault.empty()) FAIL_CHECK(text() << '\n' << claim << '\n' << fault);
  }
}

}  // namespace

void compare_cover(const Asset& asset, const std::string& tree, const MakeAgents& make,
                   const std::function<std::string()>& text, Compared& compared) {
  const BruteForce found = find_by_brute_force(make, kMaxStates);
  if (!found.is_complete) ++compared.incomplete;
  explore::Options options = small_options();
  compare_cover_with(options, found, asset, tree, make, text, compared);
  // Where ways through an update meet is looked for only where there are many: now everywhere.
  options.budget.few_choices = 0;
  Compared again;
  compare_cover_with(options, found, asset, tree, make, text, again);
}

}  // namespace espalier::test
