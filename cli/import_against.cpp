// import --against: see import_against.h.
#include "cli/import_against.h"

#include <algorithm>
#include <iostream>
#include <sstream>
#include <vector>

#include "cli/beside.h"
#include "cli/command_line.h"
#include "codegen/dump/written_conditions.h"
#include "live/against.h"
#include "live/findings.h"
#include "live/trace.h"
#include "live/values.h"
#include "replay/event.h"
#include "replay/names.h"
#include "report/output_form.h"
#include "report/replays.h"
#include "text/names.h"
#include "text/visible.h"

namespace espalier::cli {
namespace {

// What is told of one update.
std::vector<std::string> story_of(const CompiledTree& compiled, const live::FittedRun& run, std::size_t number) {
  codegen::WrittenConditions conditions(compiled.project.ir, compiled.project.snapshot.sources);
  report::ReplayForm form;
  form.story.conditions = &conditions;
  form.story.is_inferred = [&, sampled = live::sampled_outputs(run)](std::uint64_t time_us, std::uint32_t word) {
    return !sampled.contains({time_us, compiled.tree->number_of(word)});
  };
  form.tells_warnings = false;
  const replay::ReplayOptions options;
  report::SteppedStory story(compiled.file.asset, "log", options, form);
  std::istringstream trace(live::trace_of(*compiled.tree, run, {}));
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

}  // namespace

int write_against(const ImportOptions& options, const live::Log& log, const CompiledTree& compiled,
                  const live::FittedRun& run) {
  CompiledTree now;
  if (const int status = compile_other_version(origin_of(options), options.against, log, compiled, now); status != kOk)
    return status;
  const live::OtherVersion other = live::run_other_version(*compiled.tree, run, *now.tree);
  const report::FormScope scope(std::cout, report::OutputForm::text);
  const std::size_t count = other.run.updates.size();
  const std::string against = text::quote(options.against);
  const std::string same = against + (other.first_other_input ? " calls the same nodes in " : " does the same in ");
  if (other.first_other_input) {
    std::cout << "from " << time_text(other.run.updates[*other.first_other_input]) << " on, nodes of " << against
              << " read something else: " << text::visible(other.other_input) << '\n';
  }
  if (!other.first_other) {
    std::cout << same << "all " << count << (count == 1 ? " update" : " updates") << '\n';
  } else {
    const std::uint32_t first = *other.first_other;
    std::cout << same << first << (first == 1 ? " update" : " updates") << ", and something else at "
              << time_text(other.run.updates[first]) << ":\n\n";
    std::vector<std::string> left = story_of(compiled, run, first);
    std::vector<std::string> right = story_of(now, other.run, first);
    left.insert(left.begin(), text::visible(options.log));
    right.insert(right.begin(), text::visible(options.against));
    write_beside(std::move(left), std::move(right));
    std::cout << '\n';
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
  } else if (other.first_other) {
    const std::size_t left = count - *other.first_other - 1;
    if (left != 0) std::cout << "the log has all answers that it needs in the " << left << " updates after that\n";
  }
  for (const std::string& taken : other.taken) std::cout << text::visible(taken) << '\n';
  return kOk;
}

}  // namespace espalier::cli
