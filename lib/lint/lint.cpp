// All analyses of all trees. See lint.h.
#include "lint/lint.h"

#include <algorithm>

#include "lint/analysis.h"

namespace espalier::lint {

Finding& Analysis::report(Rule rule, PlaceIndex place, std::string message, std::string hint) {
  return findings.add(rule, span(place), std::move(message), std::move(hint));
}

Finding& Analysis::report_fault(Rule rule, PlaceIndex place, std::string message, std::string hint) {
  is_faulty[place] = true;
  return report(rule, place, std::move(message), std::move(hint));
}

bool Analysis::has_fault_below(PlaceIndex place) const {
  const auto begin = is_faulty.begin();
  return std::find(begin + place, begin + outline.places[place].end, true) != begin + outline.places[place].end;
}

void analyse(const ir::Project& project, const Facts& facts, text::Findings& findings) {
  constexpr void (*kAnalyses[])(Analysis&) = {analyse_values, analyse_effects, analyse_machines,
                                              analyse_events, analyse_names,   analyse_results};
  for (const ir::Tree& tree : project.trees) {
    if (opcode_info(tree.root.opcode).family != Family::tick) continue;
    const Outline outline(tree, facts);
    Analysis analysis{project, outline, findings, std::vector<bool>(outline.places.size())};
    for (const auto run : kAnalyses) run(analysis);
  }
}

}  // namespace espalier::lint
