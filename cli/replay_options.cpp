// The options of replay. See replay_options.h.
#include "cli/replay_options.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iostream>
#include <limits>

#include "cli/command_line.h"
#include "cli/pictures.h"
#include "cli/shard.h"
#include "cli/watch.h"
#include "replay/event.h"
#include "report/debug_lines.h"
#include "report/output_form.h"
#include "report/pictures/pictures.h"
#include "text/names.h"

namespace espalier::cli {
namespace {

std::optional<report::ViewMode> view_of(const std::string& name) {
  if (name.empty()) return std::nullopt;
  if (name == "always") return report::ViewMode::always;
  return name == "never" ? report::ViewMode::never : report::ViewMode::changes;
}

constexpr double kLatest_s = 1e12;

std::uint64_t microseconds(double time_s) { return static_cast<std::uint64_t>(std::llround(time_s * 1e6)); }

std::string time_fault(const std::string& text) {
  double time_s = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), time_s);
  const bool is_right = error == std::errc() && end == text.data() + text.size() && time_s >= 0 && time_s <= kLatest_s;
  return is_right ? std::string() : text::quote(text) + " is no time in seconds, such as 1.5";
}

}  // namespace

int check_options(const ReplayOptions& options) {
  for (const std::string& kind : options.events) {
    if (replay::is_kind_name(kind)) continue;
    const std::string hint = text::did_you_mean(kind, replay::kind_names());
    return fail("unknown event kind " + text::quote(kind), hint);
  }
  const std::vector<std::string>& paths = options.common.paths;
  const auto input_count =
      std::count(options.traces.begin(), options.traces.end(), "-") + std::count(paths.begin(), paths.end(), "-");
  if (input_count > 1) return fail("standard input can be read only once");
  if (options.record && (options.format != "jsonl" || options.traces.size() > 1 || options.update)) {
    return fail("--record needs one trace and --format jsonl");
  }
  const bool is_timeline = options.format == "chrome";
  if (options.format == "html" && options.output.empty()) return fail("--format html needs -o FILE");
  if (!options.output.empty() && options.format != "html" && !is_timeline)
    return fail("-o needs --format html or chrome");
  if ((options.format == "html" || is_timeline) &&
      (options.traces.size() > 1 || options.update || !options.shard.empty())) {
    return fail("--format " + options.format + " needs one trace, and cannot be used with --update or --shard");
  }
  if (options.profile && options.format != "human" && options.format != "html")
    return fail("--profile takes --format html or none", "it is a table for people, or a picture");
  if (options.profile &&
      (options.traces.size() > 2 || tells_all(options) || options.update || !options.shard.empty())) {
    return fail("--profile needs one trace, or two to compare",
                "it takes the place of the story: options of the story, '--update' and '--shard' do not go with it");
  }
  const bool has_levels = options.format == "human" || options.format == "debug";
  if (options.level && (!has_levels || options.update)) return fail("--verbose LEVEL needs --format human or debug");
  if (options.from_s && options.to_s && *options.from_s > *options.to_s) return fail("--from is later than --to");
  if (!options.against.empty() && (options.traces.size() != 1 || options.format != "human" || tells_all(options) ||
                                   options.profile || options.verify || !options.shard.empty())) {
    return fail("--against takes one trace or recording, and no options of stories");
  }
  if (!options.view.empty() && (options.format != "human" || options.update)) {
    return fail("--view needs --format human");
  }
  if (options.update && std::count(options.traces.begin(), options.traces.end(), "-") > 0) {
    return fail("standard input cannot be updated", "name the trace's file");
  }
  return kOk;
}

bool tells_all(const ReplayOptions& options) {
  return options.common.verbose || options.level || options.agent || options.from_s || options.to_s ||
         !options.events.empty() || !options.view.empty();
}

replay::ReplayOptions replay_options(const ReplayOptions& options, const AssetFile& file) {
  replay::ReplayOptions result;
  result.strict = options.strict;
  result.max_updates = options.max_updates;
  result.swaps = replay::read_swap_limit(options.thrash);
  result.severities.insert(file.severities.begin(), file.severities.end());
  result.answers = file.answers;
  result.declared_nodes = file.declared_nodes;
  return result;
}

report::ReplayForm form_of(const ReplayOptions& options) {
  report::ReplayForm result;
  result.format = options.profile ? report::ReplayFormat::made : report::replay_format(options.format);
  result.story.color = use_color(options.common, system::Stream::output);
  result.story.verbose =
      options.level.value_or(result.format == report::ReplayFormat::debug ? report::kMaxDebugLevel : 0);
  result.story.events = options.events;
  result.story.agent = options.agent;
  if (options.from_s) result.story.from_us = microseconds(*options.from_s);
  if (options.to_s) result.story.to_us = microseconds(*options.to_s);
  result.story.view = view_of(options.view);
  result.record = options.record;
  result.writes_findings = result.format == report::ReplayFormat::jsonl;
  result.tells_warnings = !options.common.quiet;
  result.tells_passed = !options.common.quiet;
  if (result.format == report::ReplayFormat::junit) return result;  // the document has all messages
  result.message_color = use_color(options.common, system::Stream::errors);
  result.message_links = use_links(options.common, system::Stream::errors);
  result.tell = [is_colored = result.message_color](const std::string& message) {
    std::cout << std::flush;
    const report::FormScope form(std::cerr, is_colored ? report::OutputForm::colored : report::OutputForm::text);
    std::cerr << message;
  };
  return result;
}

FindingOptions error_form(const ReplayOptions& options) {
  return {.format = options.format, .verb = "replay", .output = options.output};
}

void add_replay_options(CLI::App& verb, ReplayOptions& options) {
  add_common(verb, options.common);
  takes(
      verb.add_option("-t,--trace", options.traces,
                      "a trace to run, or a folder of *.trace.jsonl; - is standard input. Other arguments that end in "
                      ".jsonl are traces too"),
      "PATH")
      ->allow_extra_args(false);
  takes_one_of(verb.add_option("--format", options.format,
                               "human: stories; debug: steps of updates; jsonl: events; html: a page for a browser; "
                               "chrome: a timeline for Chrome and Perfetto; junit: results; others: findings of "
                               "traces"),
               "FORMAT", "human|debug|jsonl|html|chrome|junit|json|sarif|github|checkstyle")
      ->capture_default_str();
  takes(verb.add_option("-o,--output", options.output, "with --format html or chrome: writes this file"), "FILE");
  verb.add_option(
          "--events", options.events,
          "kinds of events to write, such as enter,leave (default: all); steps adds those of the tree's own nodes")
      ->delimiter(',')
      ->type_name("KIND");
  takes_number(verb.add_option("--agent", options.agent, "reports only this agent"), "INDEX", 0, UINT32_MAX);
  const CLI::Validator is_time(time_fault, "");
  takes(verb.add_option("--from", options.from_s, "reports what happens from this time on, in seconds"), "SECONDS")
      ->check(is_time);
  takes(verb.add_option("--to", options.to_s, "reports what happens until this time"), "SECONDS")->check(is_time);
  takes_one_of(verb.add_option("--view", options.view,
                               "when stories show the active branch (default: changes; of selection trees, and with "
                               "--events, never)"),
               "WHEN", "changes|always|never");
  CLI::Option* update =
      verb.add_flag("--update", options.update, "rewrites the expectations of the traces to match the actual results");
  verb.remove_option(verb.get_option("--quiet"));
  verb.remove_option(verb.get_option("--verbose"));
  verb.add_flag("-q,--quiet", options.common.quiet, "writes only failures");
  verb.add_flag("-v", options.common.verbose,
                "shows the stories of passing traces too; so do --events, --agent, --from, --to and --verbose LEVEL");
  takes_number(verb.add_option(
                   "--verbose", options.level,
                   "also shows the steps of updates, up to a level: 1 what starts, 2 what stops, 3 updates, 4 nodes, "
                   "5 each answer (default: 0 with human, 5 with debug)"),
               "LEVEL", 0, report::kMaxDebugLevel);
  takes_number(verb.add_option("--max-updates", options.max_updates, "largest number of agent updates in a trace"), "N",
               1, std::numeric_limits<std::uint64_t>::max() / 2)
      ->capture_default_str();
  takes(verb.add_option(
            "--reload", options.reloads,
            "allows traces to reload this file or folder, in addition to their own folders and those of PATHS"),
        "PATH")
      ->allow_extra_args(false);
  verb.add_flag("--strict", options.strict,
                "treats warnings about traces as errors, such as behaviours without a scripted answer");
  takes(verb.add_option("--thrash", options.thrash,
                        "warns if two behaviours of an agent replace each other more than N times in this many "
                        "seconds, such as 4/2"),
        "N/SECONDS")
      ->check(CLI::Validator(
          [](const std::string& text) {
            return replay::read_swap_limit(text)
                       ? std::string()
                       : text::quote(text) + " is not a count and seconds above 0, such as 4/2";
          },
          ""));
  CLI::Option* watching = add_watch(verb, options.watch)->excludes(update);
  CLI::Option* step =
      verb.add_flag("--step", options.step,
                    "opens a prompt for the lines of a trace, or to debug the one that --trace names; 'help' there "
                    "lists the commands");
  step->excludes(update)->excludes(watching);
  takes(verb.add_option("--tree", options.tree, "with --step: the tree, if there are several"), "NAME")->needs(step);
  verb.add_flag("--verify", options.verify,
                "plays recordings (.esprec), and says whether each frame is as it was recorded")
      ->excludes(update)
      ->excludes(step)
      ->excludes(watching);
  verb.add_flag(
          "--profile", options.profile,
          "writes a table of the nodes in place of the story: updates in which they were active, results, and how "
          "long they ran; a second trace is compared. With --format html: the tree, coloured by it")
      ->excludes(step)
      ->excludes(watching);
  takes(verb.add_option("--against", options.against,
                        "tells where another version of the trees, with the same signals and answers, first does "
                        "something else"),
        "PATH")
      ->excludes(step)
      ->excludes(update)
      ->excludes(watching);
  verb.add_flag("--record", options.record,
                "with --format jsonl: also writes the lines of the trace, which makes the output a trace");
  add_shard_option(verb, "traces", options.shard);
}

}  // namespace espalier::cli
