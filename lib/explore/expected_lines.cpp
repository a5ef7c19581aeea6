// Expectations of explored traces. See expected_lines.h.
#include "explore/expected_lines.h"

#include <sstream>
#include <string_view>
#include <utility>

#include "explore/explore.h"
#include "replay/event.h"
#include "replay/names.h"
#include "replay/replay.h"

namespace espalier::explore {
namespace {

// What `expect` can say of an agent, with values that are rewritten.
std::string_view wanted_of(EngineId engine) {
  if (engine == EngineId::select) return "\"behavior\": null";
  if (engine == EngineId::decide) return "\"path\": [], \"running\": []";
  if (engine == EngineId::rule) return "\"rule\": null, \"running\": [], \"status\": null";
  return "\"running\": [], \"status\": null";
}

// Adds a line for each agent, with values that are rewritten.
void add_expectations(const Asset& asset, const Trace& trace, const std::string& more,
                      std::vector<std::string>& lines) {
  Tree tree;
  if (espalier::find_tree(asset, trace.tree, &tree) != Status::ok) return;
  const std::string wanted(wanted_of(replay::engine_of_tree(tree)));
  for (std::uint32_t agent = 0; agent < trace.agent_count; ++agent) {
    const std::string whose = trace.agent_count == 1 ? "" : ", \"agent\": " + std::to_string(agent);
    std::string& line = lines.emplace_back("{\"expect\": {");
    line.append(wanted).append(agent == 0 ? more : "").append("}").append(whose).append("}");
  }
}

// What the host sees of trees of an engine: no signals, which the trace itself sends, and nothing of the tree's nodes.
// Errors of trees that tick name lines, which other edits move.
std::vector<std::string> seen_events(EngineId engine) {
  constexpr std::string_view kSeen[] = {"enter", "tick", "leave", "interrupt", "reset", "read",  "decide",
                                        "ask",   "send", "set",   "log",       "error", "refuse"};
  std::vector<std::string> events;
  for (const std::string_view name : kSeen) {
    replay::KindSet kind;
    if (engine == EngineId::tick && name == "error") continue;
    if (kind.add(name) && (kind.bits & replay::kinds_of(engine).bits) != 0) events.emplace_back(name);
  }
  return events;
}

// A trace whose expectations say what happens.
std::string updated(const Asset& asset, const std::string& text, bool* runs = nullptr) {
  std::istringstream lines(text);
  text::Sources sources;
  std::string result;
  const replay::TraceResult done = replay::update_expectations(asset, lines, "trace", {}, sources, {}, &result);
  if (runs != nullptr) *runs = !done.is_broken && done.failed_count == 0;
  return result;
}

std::string with_lines(const Asset& asset, Trace expecting, const std::vector<std::string>& events,
                       bool* runs = nullptr) {
  const std::vector<std::string> steps = std::exchange(expecting.steps, {});
  expecting.events = events;
  if (!expecting.defaults.empty()) expecting.steps.push_back(expecting.defaults);
  for (const std::string& step : steps) {
    expecting.steps.push_back(step);
    // What is halted is seen with the next update, if there is one.
    const bool ends_halted = &step == &steps.back() && step.starts_with("{\"halt\"");
    if (ends_halted || step.starts_with("{\"tick\""))
      add_expectations(asset, expecting, events.empty() ? "" : ", \"events\": []", expecting.steps);
  }
  return updated(asset, text_of(expecting), runs);
}

}  // namespace

std::string with_expectations(const Asset& asset, const Trace& trace, Expected expected) {
  Tree tree;
  const bool has_events = expected == Expected::events && espalier::find_tree(asset, trace.tree, &tree) == Status::ok;
  return with_lines(asset, trace, has_events ? seen_events(replay::engine_of_tree(tree)) : trace.events);
}

std::string with_events(const Asset& asset, const Trace& trace, const std::vector<std::string>& events) {
  Tree tree;
  if (espalier::find_tree(asset, trace.tree, &tree) != Status::ok) return {};
  std::vector<std::string> own;
  for (const std::string& name : events) {
    replay::KindSet kind;
    if (kind.add(name) && (kind.bits & replay::kinds_of(replay::engine_of_tree(tree)).bits) != 0) own.push_back(name);
  }
  bool runs = false;
  std::string text = with_lines(asset, trace, own, &runs);
  return runs ? std::move(text) : std::string();
}

std::string last_expectations(const Asset& asset, const Trace& trace, const std::vector<std::string>& events) {
  Trace expecting = trace;
  expecting.events = events;
  add_expectations(asset, trace, events.empty() ? "" : ", \"events\": []", expecting.steps);
  const std::string text = updated(asset, text_of(expecting));
  // As many lines as there are agents.
  std::size_t begin = text.size() - 1;
  for (std::uint32_t i = 0; i < trace.agent_count; ++i) begin = text.rfind('\n', begin - 1);
  return text.substr(begin + 1, text.size() - begin - 2);
}

}  // namespace espalier::explore
