// Lines below a first line with a fault. See assumed_runs.h.
#include "replay/assumed_runs.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "replay/names.h"
#include "rules/traces.h"
#include "text/json.h"
#include "text/names.h"

namespace espalier::replay {

using rules::Rule;
using text::JsonKind;
using text::JsonValue;

namespace {

constexpr std::size_t kMostTrees = 32;  // of a project, in each of which the lines are checked
constexpr double kMostAgents = 10'000;  // of a run
constexpr KindSet kAllKinds = {.bits = ~std::uint32_t{0}};

bool is_text(const JsonValue& value) { return value.kind == JsonKind::string; }

bool are_texts(const JsonValue& value) {
  return value.kind == JsonKind::list && std::all_of(value.values.begin(), value.values.end(), is_text);
}

bool is_same(const LineFault& a, const LineFault& b) { return a.rule == b.rule && a.span == b.span; }

// Keeps those that the others have as well; their message then names no tree.
template <typename Faults, typename FaultOf>
void keep_common(Faults& faults, const Faults& others, const FaultOf& fault_of) {
  std::erase_if(faults, [&](const auto& each) {
    return std::none_of(others.begin(), others.end(),
                        [&](const auto& other) { return is_same(fault_of(each), fault_of(other)); });
  });
  for (auto& each : faults) {
    std::string& message = fault_of(each).message;
    message.erase(std::min(message.find(" of tree '"), message.size()));
  }
}

}  // namespace

struct AssumedRuns::First {
  std::vector<std::string> trees = {};  // none: which is not known
  std::optional<std::uint32_t> agents = {};
  std::optional<KindSet> kinds = {};  // that expected events are of
  bool is_whole = false;              // what it does not say has its default
};

// A misspelt key is that for which it is meant.
AssumedRuns::First AssumedRuns::read(const Line& first, bool is_object) {
  First known;
  if (!is_object || first.object.find("trace") == nullptr) return known;
  const std::vector<std::string_view> keys = {"trace", "tree",   "file",   "agents", "seed",
                                              "name",  "events", "errors", "comment"};
  std::vector<std::string> seen;
  known.is_whole = true;
  for (std::size_t i = 0; i < first.object.keys.size(); ++i) {
    const JsonValue& value = first.object.values[i];
    const std::string key = text::nearest(first.object.keys[i].name, keys);
    const bool is_repeated = std::find(seen.begin(), seen.end(), key) != seen.end();
    seen.push_back(key);
    if (key.empty()) known.is_whole = false;
    if (key == "tree" && is_text(value)) known.trees = {value.string};
    if (key == "tree" && are_texts(value)) {
      for (const JsonValue& name : value.values) known.trees.push_back(name.string);
    }
    if (key == "agents" && value.kind == JsonKind::number && value.number >= 1 && value.number <= kMostAgents)
      known.agents = static_cast<std::uint32_t>(value.number);
    if (key == "events" && are_texts(value)) {
      known.kinds.emplace();
      for (const JsonValue& kind : value.values) {
        if (!known.kinds->add(kind.string)) known.kinds = kAllKinds;
      }
    }
    if (key == "tree" && is_repeated) known.trees.clear();
    if (key == "agents" && is_repeated) known.agents.reset();
    if (key == "events" && is_repeated) known.kinds = kAllKinds;
  }
  const auto says = [&](std::string_view key) { return std::find(seen.begin(), seen.end(), key) != seen.end(); };
  if (known.is_whole && !says("agents")) known.agents = 1;
  if (known.is_whole && !says("events")) known.kinds = kinds_expected_by_default();
  return known;
}

AssumedRuns::Run::Run(const Asset& asset, const ReplayOptions& options)
    : session(asset, options, listener()), expectations(session) {}

Listener AssumedRuns::Run::listener() {
  Listener listener;
  listener.severity = [](Rule) { return std::optional(rules::Severity::warning); };
  listener.warning = [this](const LineFault& fault) { found.warnings.push_back(fault); };
  listener.unknown_host = [this](LineFault fault, const std::string& name, const std::string& input) {
    found.unknown_hosts.push_back({std::move(fault), name, input});
  };
  listener.run_fault = [](const RunFault&) {};
  listener.failure = [](const LineFailure&) {};
  return listener;
}

AssumedRuns::AssumedRuns(const Asset& asset, const ReplayOptions& options, const Line& first, bool is_object) {
  const First known = read(first, is_object);
  knows_agents_ = known.agents.has_value() || known.trees.size() > 1;
  const auto is_tree = [&](const std::string& name) { return trees_called(asset, name).size() == 1; };
  if (!known.trees.empty()) {  // one that is not known may be of another project
    if (std::all_of(known.trees.begin(), known.trees.end(), is_tree)) add_run(asset, options, known, known.trees);
    return;
  }
  if (tree_count(asset) > kMostTrees) return;
  for (const std::string_view name : tree_names(asset)) add_run(asset, options, known, {std::string(name)});
}

void AssumedRuns::add_run(const Asset& asset, const ReplayOptions& options, const First& first,
                          const std::vector<std::string>& trees) {
  auto run = std::make_unique<Run>(asset, options);
  std::string header =
      "{\"trace\": 1, \"tree\": " + (trees.size() == 1 ? text::json_string(trees[0]) : json_list(trees));
  if (trees.size() == 1) header += ", \"agents\": " + std::to_string(first.agents.value_or(1));
  Line line;
  if (read_line(header + '}', line) || run->session.begin(line)) return;
  run->session.log().expect(first.kinds.value_or(kAllKinds));
  runs_.push_back(std::move(run));
}

AssumedRuns::Found AssumedRuns::check_in(Run& run, const Line& line) const {
  run.found = {};
  Line any_agent;
  const Line* checked = &line;
  if (!knows_agents_ && line.agent && run.session.agents().trees().size() == 1) {  // all agents have the same names
    any_agent = line;
    any_agent.agent.reset();
    checked = &any_agent;
  }
  if (line.kind == LineKind::expect) {
    run.found.faults = run.expectations.check_names(*checked);
  } else {
    if (auto fault = run.session.check(*checked)) run.found.faults.push_back(std::move(*fault));
    for (LineFault& other : run.session.take_other_faults()) run.found.faults.push_back(std::move(other));
  }
  return std::move(run.found);
}

AssumedRuns::Found AssumedRuns::check(const Line& line) {
  Found found;
  if (line.kind == LineKind::trace || is_passed_over(line.kind)) return found;
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    Found own = check_in(*runs_[i], line);
    if (i == 0) {
      found = std::move(own);
      continue;
    }
    const auto itself = [](auto& fault) -> auto& { return fault; };
    keep_common(found.faults, own.faults, itself);
    keep_common(found.warnings, own.warnings, itself);
    keep_common(
        found.unknown_hosts, own.unknown_hosts, [](auto& host) -> auto& { return host.fault; });
  }
  const bool has_fault = !found.faults.empty();
  if (!knows_agents_) {
    std::erase_if(found.faults, [](const LineFault& fault) { return fault.rule == rules::TRC_no_such_agent; });
  }
  if (has_fault && (line.kind == LineKind::spawn || line.kind == LineKind::destroy)) knows_agents_ = false;
  if (has_fault && line.kind == LineKind::reload) runs_.clear();
  return found;
}

bool AssumedRuns::knows_host(const std::string& name, const std::string& input) {
  return std::any_of(runs_.begin(), runs_.end(), [&](const auto& run) { return run->session.knows_host(name, input); });
}

}  // namespace espalier::replay
