// Traces and trees written in a test.
#pragma once
#include <cstdint>
#include <espalier/espalier.hpp>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "codegen/compile.h"
#include "report/replays.h"
#include "selection_reading.h"
#include "unit.h"

// The tree of the examples in the rules.
inline const std::string kGuard = tree_of({
    "<Variables><Variable name='Alerted'/><Variable name='Hurt'/></Variables>",
    "<SignalVariables><Signal name='OnSeen' variable='Alerted' value='true'/></SignalVariables>",
    "<Priority name='Root'>",
    "<Leaf name='Combat' condition='Alerted'/>",
    "<Leaf name='Idle'/>",
    "</Priority>",
});

// Leaves in order, whose behaviours have other names; it selects nothing unless it is awake.
inline const std::string kSniper =
    "<SelectionTree name='Sniper' type='BehaviorSelectionTree'>\n"
    "<Variables><Variable name='Awake'/><Variable name='Close'/></Variables>\n"
    "<SignalVariables><Signal name='OnNoise' variable='Awake' value='true'/></SignalVariables>\n"
    "<Priority name='Root'>\n"
    "<Priority name='Combat' condition='Awake'>\n"
    "<Leaf name='Melee' condition='Close'/>\n"
    "<Leaf name='Shoot'/>\n"
    "</Priority>\n"
    "</Priority>\n"
    "<LeafTranslations><Map node='Melee' target='SniperFlee'/><Map node='Shoot' "
    "target='SniperAim'/></LeafTranslations>\n"
    "</SelectionTree>\n";

// A compiled project, the files of which are called 0.xml, 1.xml, ... It does not move: the asset points into it.
class CompiledTrees {
 public:
  explicit CompiledTrees(const std::vector<std::string>& files, bool strip = false) {
    SelectionReading reading(files);
    REQUIRE(reading.found().empty());
    std::size_t size_bytes = 0;
    words_ = espalier::codegen::compile(reading.project, reading.sources, {strip}, reading.findings, &size_bytes);
    espalier::Fault fault;
    REQUIRE(espalier::open(words_.data(), size_bytes, &asset_, &fault) == espalier::Status::ok);
  }
  CompiledTrees(const CompiledTrees&) = delete;
  CompiledTrees& operator=(const CompiledTrees&) = delete;
  const espalier::Asset& asset() const { return asset_; }

 private:
  std::vector<std::uint64_t> words_;
  espalier::Asset asset_;
};

// How a trace is run.
struct RunOptions {
  espalier::replay::ReplayOptions run = {};
  espalier::report::ReplayForm form = {};
};

// The result of a trace, with its messages.
struct RunResult : espalier::replay::TraceResult {
  std::vector<std::string> mismatches = {};
  std::vector<std::string> errors = {};
  std::vector<std::string> warnings = {};

  void take(const std::string& message) {
    const std::string first = message.substr(0, message.find('\n'));
    auto& list = first.find(": failed: ") != std::string::npos  ? mismatches
                 : first.find(": error: ") != std::string::npos ? errors
                                                                : warnings;
    list.push_back(message);
  }
};

// The result of a trace called "t".
struct Replayed {
  RunResult result;
  std::string output;

  // No mismatches, errors or warnings.
  bool is_clean() const {
    return !result.is_broken && result.failed_count == 0 && result.mismatches.empty() && result.errors.empty() &&
           result.warnings.empty();
  }
  // Mismatches, errors and warnings.
  std::string messages() const {
    std::string all;
    for (const auto* list : {&result.mismatches, &result.errors, &result.warnings}) {
      for (const std::string& message : *list) all += message;
    }
    return all;
  }
};

inline Replayed run_trace(const espalier::Asset& asset, const std::string& trace, const RunOptions& options = {}) {
  std::istringstream in(trace);
  std::ostringstream out;
  Replayed replayed;
  espalier::report::ReplayForm form = options.form;
  form.tell = [&](const std::string& message) { replayed.result.take(message); };
  espalier::text::Sources sources;
  static_cast<espalier::replay::TraceResult&>(replayed.result) =
      espalier::report::replay_trace(asset, in, "t", options.run, form, sources, out).result;
  replayed.output = out.str();
  return replayed;
}

// Against the guard.
inline Replayed run_trace(const std::string& trace, const RunOptions& options = {}) {
  return run_trace(CompiledTrees({kGuard}).asset(), trace, options);
}

// The events of JSON Lines, each as "0.1 0:set Alerted true".
inline Lines events_of(const std::string& output) {
  Lines events;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    const nlohmann::json event = nlohmann::json::parse(line);
    std::string text = event.at("t").dump() + ' ' + event.at("agent").dump() + ':' +
                       event.at("event").get<std::string>() + ' ' + event.at("name").get<std::string>();
    if (event.contains("value")) text += ' ' + event.at("value").dump();
    if (event.contains("result")) text += ' ' + event.at("result").get<std::string>();
    events.push_back(std::move(text));
  }
  return events;
}

inline RunOptions jsonl() {
  RunOptions options;
  options.form.format = espalier::report::ReplayFormat::jsonl;
  return options;
}
