// One wording for places that are never reached. See never_reached.h.
#include "lint/never_reached.h"

namespace espalier::lint {

text::Finding never_reached(text::Rule rule, text::Span span, const std::string& name,
                            std::span<const Blocker> blockers, std::string_view how) {
  const Blocker& first = blockers.front();
  text::Finding finding{rule, rules::info(rule).severity, span, name + " is "};
  finding.message += how;
  finding.message += ", because " + first.name + ' ';
  finding.message += first.where;
  finding.message += ' ' + first.why;
  finding.related.push_back({first.span, "it " + first.why});
  for (const Blocker& below : blockers.subspan(1)) {
    finding.related.push_back({below.span, "since " + below.name + ' ' + below.why});
  }
  return finding;
}

}  // namespace espalier::lint
