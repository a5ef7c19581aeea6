// Reachable states of an agent, and shortest traces. See reach.h.
#include "lint/select/reach.h"

#include <utility>

#include "lint/signal_only.h"
#include "text/json.h"

namespace espalier::lint {
namespace {

constexpr std::size_t kDiagramSteps = 200'000;

}  // namespace

std::string trace_line(const ir::Tree& tree, const TraceStep& step) {
  switch (step.kind) {
    case TraceStep::Kind::signal:
      return "{\"signal\": " + text::json_string(tree.signals[step.index].name) + '}';
    case TraceStep::Kind::write:
      return "{\"set\": {" + text::json_string(tree.variables[step.index].name) +
             (step.value ? ": true}}" : ": false}}");
    case TraceStep::Kind::tick:
      break;
  }
  return "{\"tick\": 0.1}";
}

bool is_writable(const ir::Tree& tree, std::uint32_t variable, const Facts& facts) {
  return !is_signal_only(tree, variable, facts);
}

SelectSystem system_of(SelectModel& model, const Facts& facts) {
  SelectSystem result;
  const ir::Tree& tree = model.tree;
  model.set_start(result.moves.start);
  result.moves.pending = model.pending();
  for (std::uint32_t i = 0; i < tree.signals.size(); ++i) {
    result.steps.push_back({TraceStep::Kind::signal, i, false});
    result.moves.steps.push_back(model.signal(i));
  }
  for (std::uint32_t i = 0; i < tree.variables.size(); ++i) {
    if (!is_writable(tree, i, facts)) continue;
    result.steps.push_back({TraceStep::Kind::write, i, false});
    result.moves.steps.push_back(model.change(i));
  }
  result.steps.push_back({});
  result.moves.tick = result.moves.steps.size();
  result.moves.steps.push_back(model.tick());
  return result;
}

SelectReach::SelectReach(SelectModel& model, logic::Questions& questions, const Facts& facts, logic::WaysBy by)
    : model_(model),
      system_(system_of(model, facts)),
      ways_(model.circuit, questions, system_.moves, {by, kDiagramSteps}) {}

Trace SelectReach::trace_to(logic::Formula target) {
  logic::Way way = ways_.way_to(target);
  Trace trace{way.answer};
  for (std::size_t i = 0; i < way.steps.size(); ++i) {
    TraceStep step = system_.steps[way.steps[i]];
    if (step.kind == TraceStep::Kind::write) step.value = !way.states[i][model_.numbers.variables[step.index]];
    trace.steps.push_back(step);
  }
  if (!way.states.empty()) trace.state = std::move(way.states.back());
  return trace;
}

Trace SelectReach::trace_to_tick(logic::Formula evaluates_in) {
  Trace trace = trace_to(model_.circuit.conjunction(model_.needs_evaluation(), evaluates_in));
  if (trace.answer != logic::Answer::yes) return trace;
  trace.selected = model_.selected_in(trace.state);
  trace.steps.push_back({});
  trace.state = logic::state_after(model_.circuit, trace.state, system_.moves.steps.back());
  return trace;
}

}  // namespace espalier::lint
