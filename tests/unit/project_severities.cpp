// Severities of findings: those of their rules.
#include "project/severities.h"

#include "rules/dragengine.h"
#include "rules/modular.h"
#include "unit.h"

namespace project_severities {

using namespace espalier;
using project::set_severities_of_rules;
using rules::Rule;
using rules::Severity;

TEST_CASE("a finding has the severity of its rule, whatever whoever made it gave it") {
  text::Findings findings;
  findings.add(text::Finding{rules::DRA_unknown_element, Severity::note, {0, 1, 2}, "an error"});
  findings.add(text::Finding{rules::DRA_unreachable_rule, Severity::note, {0, 2, 3}, "a warning"});
  findings.add(text::Finding{rules::DRA_only_for_jumps, Severity::error, {0, 3, 4}, "a note"});
  set_severities_of_rules({}, findings);
  CHECK(findings.all()[0].severity == Severity::error);
  CHECK(findings.all()[1].severity == Severity::warning);
  CHECK(findings.all()[2].severity == Severity::note);
}

TEST_CASE("an error that the project lowers is a warning") {
  text::Findings findings;
  findings.add(rules::MBT_unknown_variable, {0, 1, 2}, "lowered");
  findings.add(rules::MBT_unknown_state, {0, 2, 3}, "not lowered");
  set_severities_of_rules({rules::MBT_unknown_variable}, findings);
  CHECK(findings.all()[0].severity == Severity::warning);
  CHECK(findings.all()[1].severity == Severity::error);
}

}  // namespace project_severities
