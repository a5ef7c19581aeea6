// import --against: see import_against.h.
#include "cli/import_against.h"

#include <espalier/debugging.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <span>
#include <sstream>
#include <vector>

#include "cli/beside.h"
#include "cli/command_line.h"
#include "codegen/dump/written_conditions.h"
#include "live/against.h"
#include "live/events.h"
#include "live/findings.h"
#include "live/trace.h"
#include "live/values.h"
#include "replay/event.h"
#include "replay/names.h"
#include "report/output_form.h"
#include "report/replays.h"
#include "text/json.h"
#include "text/names.h"
#include "text/visible.h"

namespace espalier::cli {
namespace {

// What is told of one update.
std::vector<std::string> story_of(const CompiledTree& compiled, const live::FittedRun& run, std::size_t number) {
  codegen::WrittenConditions conditions(compiled.project.ir, compiled.project.snapshot.sources);
  report::ReplayForm form;
  form.story.conditions = &conditions;
  form.story.is_inferred = live::inferred_values(*compiled.tree, run);
  form.tells_warnings = false;
  const replay::ReplayOptions options;
  report::SteppedStory story(compiled.file.asset, "log", options, form);
  std::istringstream trace(live::trace_of(*compiled.tree, run, {}, false));
  std::string told;
  std::size_t update = 0;
  std::uint64_t line_number = 0;
  for (std::string line; update <= number && std::getline(trace, line);) {
    const report::StepReport report = story.run(line, {"log", ++line_number});
    if (update == number && line_number > 1) told += report.story;
    if (line.starts_with("{\"tick\"") || line.starts_with("{\"halt\"")) ++update;
  }
  std::vector<std::string> lines;
  std::istringstream text(told);
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

std::string time_text(const live::Update& update) { return replay::seconds_text(update.clock_us) + " s"; }

void write_words(const ImportOptions& options, const CompiledTree& compiled, const live::FittedRun& run,
                 const CompiledTree& now, const live::OtherVersion& other) {
  const report::FormScope scope(std::cout, report::OutputForm::text);
  const std::size_t count = other.run.updates.size();
  const std::string against = text::quote(options.against);
  const std::string same = against + (other.first_other_input ? " calls the same nodes in " : " does the same in ");
  if (other.first_other_input) {
    std::cout << "from " << time_text(other.run.updates[*other.first_other_input]) << " on, nodes of " << against
              << " read something else: " << text::visible(other.other_input + ", not " + other.log_input) << '\n';
  }
  if (other.others.empty()) {
    std::cout << same << "all " << count << (count == 1 ? " update" : " updates") << '\n';
  } else {
    const std::uint32_t first = other.others.front();
    std::uint32_t shown = first;
    std::vector<std::string> left = story_of(compiled, run, shown);
    std::vector<std::string> right = story_of(now, other.run, shown);
    // Conditions that are not asked there are in no story. What follows from that is, at the latest, in the last
    // update.
    if (left == right && other.others.back() != first) {
      shown = other.others.back();
      left = story_of(compiled, run, shown);
      right = story_of(now, other.run, shown);
    }
    std::cout << same << first << (first == 1 ? " update" : " updates");
    if (shown != first || left == right)
      std::cout << ", calls other nodes from " << time_text(other.run.updates[first]) << " on";
    if (left == right) {
      std::cout << ", to the same effect\n";
    } else {
      std::cout << (shown == first ? ", and something else at " : ", and does something else at ")
                << time_text(other.run.updates[shown]) << ":\n\n";
      left.insert(left.begin(), text::visible(options.log));
      right.insert(right.begin(), text::visible(options.against));
      write_beside(std::move(left), std::move(right));
      std::cout << '\n';
    }
  }
  if (other.unknown) {
    const bool is_at_once = now.tree->nodes()[*other.unknown].is_at_once;
    std::cout << "at " << time_text(other.run.updates.back()) << " it calls "
              << text::visible(live::words_of_node(*now.tree, *other.unknown))
              << ", of which the log has no answer then" << (is_at_once ? " (taken to fail)" : " (taken to run)")
              << ": what follows is not known\n";
  } else if (other.ends_apart) {
    const auto words_of = [](Result status) {
      return status == Result::running ? std::string("runs on")
                                       : "ends with " + std::string(replay::result_name(status));
    };
    const live::Update& last = other.run.updates.back();
    std::cout << "at " << time_text(last) << " it " << words_of(last.status) << ", and the log's tree "
              << words_of(run.updates[count - 1].status) << ": what follows is not known\n";
  } else if (!other.others.empty()) {
    const std::size_t left = count - other.others.front() - 1;
    if (left != 0) std::cout << "the log has all answers that it needs in the " << left << " updates after that\n";
  }
  for (const std::string& taken : other.taken) std::cout << text::visible(taken) << '\n';
}

// ---- JSON

constexpr std::size_t kMostListedUpdates = 1000;  // updates that differ

// The events of these updates, each list as JSON.
std::map<std::uint32_t, std::string> events_of(const CompiledTree& compiled, const live::FittedRun& run,
                                               std::int64_t first_us, std::span<const std::uint32_t> updates) {
  std::map<std::uint32_t, std::string> lists;
  const live::EventWriter writer(*compiled.tree, run, first_us);
  live::each_event(*compiled.tree, run, false, [&](std::uint32_t update, const replay::Event& event) {
    if (!std::binary_search(updates.begin(), updates.end(), update)) return;
    const std::string json = writer.json_of(update, event);
    if (!json.empty()) lists[update] += (lists[update].empty() ? "" : ", ") + json;
  });
  return lists;
}

std::string side_json(const live::Update& update, const std::string& events) {
  return "{\"status\": \"" + std::string(replay::result_name(update.status)) + "\", \"events\": [" + events + "]}";
}

// What it asks that the log does not tell, and what is taken for the answer.
std::string unanswered_json(const CompiledTree& now, std::uint32_t node) {
  const live::LoggedNode& asked = now.tree->nodes()[node];
  const espalier_place place = espalier_node_place(now.tree->tree().asset, asked.word);
  std::string json = "{\"uid\": " + std::to_string(node + 1) + ", \"name\": " + text::json_string(asked.name);
  if (place.line != 0)
    json += ", \"file\": " + text::json_string(place.file) + ", \"line\": " + std::to_string(place.line);
  return json + ", \"taken\": \"" + (asked.is_at_once ? "failure" : "running") + "\"}";
}

std::string differences_json(const CompiledTree& compiled, const live::FittedRun& run, std::int64_t first_us,
                             const CompiledTree& now, const live::OtherVersion& other) {
  const auto begin_of = [&](std::string_view kind, std::uint32_t number) {
    const std::uint64_t clock_us = other.run.updates[number].clock_us;
    return "{\"difference\": \"" + std::string(kind) + "\", \"update\": " + std::to_string(number) +
           ", \"t\": " + replay::seconds_text(clock_us) +
           ", \"at\": " + std::to_string(first_us + static_cast<std::int64_t>(clock_us));
  };
  std::string json;
  if (other.first_other_input) {
    json += begin_of("input", *other.first_other_input) + ", \"old\": " + text::json_string(other.log_input) +
            ", \"new\": " + text::json_string(other.other_input) + "}\n";
  }
  const std::span<const std::uint32_t> listed =
      std::span(other.others).first(std::min(kMostListedUpdates, other.others.size()));
  std::map<std::uint32_t, std::string> old_events = events_of(compiled, run, first_us, listed);
  std::map<std::uint32_t, std::string> new_events = events_of(now, other.run, first_us, listed);
  for (const std::uint32_t number : listed) {
    json += begin_of("update", number) + ", \"old\": " + side_json(run.updates[number], old_events[number]) +
            ", \"new\": " + side_json(other.run.updates[number], new_events[number]);
    const bool is_last = number + 1 == other.run.updates.size();
    if (is_last && other.unknown) json += ", \"no_answer\": " + unanswered_json(now, *other.unknown);
    json += "}\n";
  }
  return json;
}

std::string summary_json(const ImportOptions& options, const live::OtherVersion& other) {
  const std::size_t count = other.run.updates.size();
  const std::size_t same = other.others.empty() ? count : other.others.front();
  std::string json = "{\"path\": " + text::json_string(options.against) + ", \"updates\": " + std::to_string(count) +
                     ", \"same\": " + std::to_string(same) + ", \"different\": " + std::to_string(other.others.size());
  json += ", \"ends\": ";
  json += other.unknown ? "\"no-answer\"" : other.ends_apart ? "\"status\"" : "\"log\"";
  return json + ", \"taken\": " + replay::json_list(other.taken) + '}';
}

}  // namespace

int write_against(const ImportOptions& options, const Imported& imported) {
  const auto& [log, compiled, run, nearest] = imported;
  CompiledTree now;
  if (const int status = compile_other_version(origin_of(options), options.against, *log, compiled, now); status != kOk)
    return status;
  const live::OtherVersion other = live::run_other_version(*compiled.tree, run, *now.tree);
  if (options.format == "human") {
    write_words(options, compiled, run, now, other);
    return kOk;
  }
  const report::FormScope scope(std::cout, report::OutputForm::json);
  std::cout << differences_json(compiled, run, live::first_us_of(*log, run), now, other)
            << live::json_of(*compiled.tree, *log, run, nearest, summary_json(options, other)) << '\n';
  return kOk;
}

}  // namespace espalier::cli
