// Values of attributes that make a node useless. See analysis.h.
#include "lint/tick/analysis.h"

#include "rules/modular.h"
#include "runtime/format/opcodes/tick.h"

namespace espalier::lint {
namespace {

void find_fixed_comparisons(TickAnalysis& analysis, Opcode opcode) {
  analysis.each(opcode, [&](PlaceIndex place) {
    if (analysis.is_faulty[place]) return;
    const auto threshold_us = static_cast<std::int64_t>(analysis.node(place).as<ir::TimeTest>().threshold_us);
    const bool is_less = (analysis.node(place).flags & kTimeIsLess) != 0;
    if (is_less && threshold_us <= 0) {
      analysis.report_fault(
          rules::MBT_constant_comparison, place,
          analysis.name(place) + " never holds: 'isLessThan' is 0 or less, and no time since an event is negative");
    } else if (!is_less && threshold_us < 0) {
      analysis.report_fault(rules::MBT_constant_comparison, place,
                            analysis.name(place) + " always holds once the timestamp is set: 'isMoreThan' is below 0");
    }
  });
}

void find_limits(TickAnalysis& analysis) {
  analysis.each(opcode::tick_limit, [&](PlaceIndex place) {
    const std::uint32_t maximum = analysis.node(place).as<ir::Limit>().maximum;
    const std::optional<std::uint32_t> agent_count = analysis.outline.facts.agent_count;
    if (maximum == 0) {
      analysis.report_fault(rules::MBT_limit_zero, place,
                            analysis.name(place) + " admits no agent: 'max' is 0, so it always fails");
    } else if (agent_count && maximum > *agent_count) {
      analysis.report(rules::MBT_limit_no_effect, place,
                      analysis.name(place) + " admits " + std::to_string(maximum) + " agents, but there are at most " +
                          std::to_string(*agent_count));
    }
  });
  analysis.each(opcode::tick_scope, [&](PlaceIndex place) {
    if (analysis.node(place).as<ir::Limit>().maximum != 0) return;
    analysis.report_fault(rules::MBT_limit_zero, place,
                          analysis.name(place) + " admits no agent: 'allowedConcurrentUsers' is 0, so it always fails");
  });
}

void find_nested_scopes(TickAnalysis& analysis) {
  analysis.each(opcode::tick_scope, [&](PlaceIndex place) {
    const std::string& scope = analysis.node(place).as<ir::Limit>().scope;
    PlaceIndex outer = analysis.outline.above(place, opcode::tick_scope);
    while (outer != kNoPlace && !text::equal_any_case(analysis.node(outer).as<ir::Limit>().scope, scope)) {
      outer = analysis.outline.above(outer, opcode::tick_scope);
    }
    if (outer == kNoPlace) return;
    analysis
        .report(rules::MBT_nested_scope, place,
                "the scope " + quote(scope) +
                    " is nested in itself: the inner one releases its place when it ends, while "
                    "the outer one still runs")
        .related.push_back({analysis.span(outer), "the outer one"});
  });
}

}  // namespace

void analyse_values(TickAnalysis& analysis) {
  find_fixed_comparisons(analysis, opcode::tick_time_guard);
  find_fixed_comparisons(analysis, opcode::tick_time);
  find_limits(analysis);
  find_nested_scopes(analysis);
}

}  // namespace espalier::lint
