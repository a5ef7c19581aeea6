// espalier dap: a debugger for behaviour, for editors, on standard input and output. Exit status 0 when the editor has
// ended it, else 1.
#include <iostream>
#include <memory>
#include <string>

#include "cli/attached.h"
#include "cli/cli.h"
#include "cli/debugged_run.h"

namespace espalier::cli {
namespace {

std::optional<debug::LiveOptions> live_options(const std::string& text) {
  const std::optional<Address> address = read_address(text);
  if (!address) return std::nullopt;
  return debug::LiveOptions{.address = text, .host = address->host, .port = address->port};
}

// The trees that a program had, one after the other, stay as long as its history.
const live::LoggedTree* compile_program(const std::vector<std::string>& paths, const std::string& xml,
                                        std::vector<std::unique_ptr<CompiledTree>>& trees, std::string* why) {
  live::Log log;
  log.tree_xml = xml;
  CommonOptions common;
  common.paths = paths;
  common.quiet = true;
  const LogOrigin origin{common, {.format = "human", .verb = "dap"}, debug::kProgramXml, {}, {}, live::Origin::program};
  CompiledTree& compiled = *trees.emplace_back(std::make_unique<CompiledTree>());
  std::vector<live::LogFault> faults;
  const int status = compile_tree_of(origin, log, compiled, faults);
  for (const live::LogFault& fault : faults) *why += (why->empty() ? "" : "\n") + fault.message;
  if (status == kOk && compiled.tree && !has_errors(faults)) return &*compiled.tree;
  if (why->empty()) *why = "the trees have errors: 'espalier lint' or 'espalier attach' shows them";
  return nullptr;
}

}  // namespace

void add_dap(CLI::App& program, int& status) {
  CLI::App* verb = program.add_subcommand("dap", "serves editors by the Debug Adapter Protocol: debugs runs of trees");
  verb->footer(
      "Editors start it. A launch names the trees and a run of them: a trace, a recording or a robot's log:\n"
      "  {\"type\": \"espalier\", \"request\": \"launch\", \"project\": \"trees/\", \"trace\": \"guard.trace.jsonl\"}\n"
      "Attaching names a program of BehaviorTree.CPP 4 that runs:\n"
      "  {\"type\": \"espalier\", \"request\": \"attach\", \"address\": \"tcp://localhost:1667\"}");
  verb->callback([&status] {
    DebuggedRuns debugged;
    std::vector<std::unique_ptr<CompiledTree>> trees;
    debug::Runs runs;
    runs.load = [&](const debug::Launch& launch, debug::History& history, debug::History& without) {
      return load_run(launch, debugged, history, without);
    };
    runs.explain = [&](const debug::History& history, std::size_t count) {
      const debug::Moment& moment = history.moments()[count - 1];
      return story_at(history, count, moment.agent, moment.time_us, debugged);
    };
    runs.read_address = live_options;
    runs.compile = [&](const std::vector<std::string>& paths, const std::string& xml, std::string* why) {
      return compile_program(paths, xml, trees, why);
    };
    status = serve_editor([&](const WriteFrame& write) { return debug::serve(runs, std::cin, write); });
  });
}

}  // namespace espalier::cli
