// What goes wrong in a run. See error.h.
#include "explore/property/error.h"

#include <sstream>
#include <utility>

#include "codegen/dump/disassemble.h"
#include "explore/explore.h"
#include "replay/session.h"

namespace espalier::explore {
namespace {

bool ends_update(replay::RunFaultKind kind) {
  return kind == replay::RunFaultKind::update_failed || kind == replay::RunFaultKind::run_away ||
         kind == replay::RunFaultKind::agent_stopped;
}

SourcePlace place_of(replay::NodeOf node) {
  if (node.asset == nullptr) return {};
  const codegen::NodeDebug debug = codegen::node_debug(*node.asset, node.word);
  return {std::string(debug.file), debug.line, debug.column};
}

}  // namespace

std::optional<RunError> last_error(const Asset& asset, const Trace& trace) {
  std::optional<RunError> error;
  const replay::ReplayOptions options;
  replay::Listener listener;
  listener.severity = [](rules::Rule) { return std::nullopt; };
  listener.warning = [](const replay::LineFault&) {};
  listener.unknown_host = [](const replay::LineFault&, const std::string&, const std::string&) {};
  listener.failure = [](const replay::LineFailure&) {};
  listener.run_fault = [&](const replay::RunFault& fault) {
    if (ends_update(fault.kind)) error = {fault.message, place_of(fault.node)};
  };
  replay::Session session(asset, options, std::move(listener));
  std::istringstream lines(text_of(trace));
  bool is_first = true;
  for (std::string text; std::getline(lines, text); is_first = false) {
    error.reset();
    replay::Line line;
    if (replay::read_line(text, line) || (is_first ? session.begin(line) : session.run(line))) return std::nullopt;
  }
  return error;
}

}  // namespace espalier::explore
