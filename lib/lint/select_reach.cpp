// Reachable states of an agent, and shortest traces. See select_reach.h.
#include "lint/select_reach.h"

#include <utility>

#include "lint/signal_only.h"
#include "text/json.h"

namespace espalier::lint {

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
  model.set_start(result.system.start);
  for (std::uint32_t i = 0; i < tree.signals.size(); ++i) {
    result.steps.push_back({TraceStep::Kind::signal, i, false});
    result.system.steps.push_back(model.signal(i));
  }
  for (std::uint32_t i = 0; i < tree.variables.size(); ++i) {
    if (!is_writable(tree, i, facts)) continue;
    result.steps.push_back({TraceStep::Kind::write, i, false});
    result.system.steps.push_back(model.change(i));
  }
  result.steps.push_back({});
  result.system.steps.push_back(model.tick());
  return result;
}

SelectReach::SelectReach(SelectModel& model, const Facts& facts)
    : model_(model), system_(system_of(model, facts)), reachability_(model.diagrams, system_.system) {}

Trace SelectReach::trace_to(logic::Function target) {
  logic::Way way = reachability_.way_to(target);
  Trace trace{way.answer};
  for (std::size_t i = 0; i < way.steps.size(); ++i) {
    TraceStep step = system_.steps[way.steps[i]];
    if (step.kind == TraceStep::Kind::write) step.value = !way.states[i][model_.numbers.variables[step.index]];
    trace.steps.push_back(step);
  }
  if (!way.states.empty()) trace.state = std::move(way.states.back());
  return trace;
}

Trace SelectReach::trace_to_tick(logic::Function evaluates_in) {
  Trace trace = trace_to(model_.diagrams.conjunction(model_.needs_evaluation(), evaluates_in));
  if (trace.answer != logic::Answer::yes) return trace;
  trace.selected = model_.selected_in(trace.state);
  trace.steps.push_back({});
  trace.state = reachability_.after(trace.state, system_.steps.size() - 1);
  return trace;
}

}  // namespace espalier::lint
