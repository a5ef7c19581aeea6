// One wording for places that are never reached. See never_reached.h.
#include "lint/never_reached.h"

#include "rules/rules.h"

namespace espalier::lint {

std::string never_reached_because(const std::string& name, std::string_view how, const std::string& because) {
  return name + " is " + std::string(how) + ", because " + because;
}

text::Finding never_reached(text::Rule rule, text::Span span, const std::string& name,
                            std::span<const Blocker> blockers, std::string_view how) {
  const Blocker& first = blockers.front();
  const std::string because = first.name + ' ' + std::string(first.where) + ' ' + first.why;
  text::Finding finding{rule, rules::info(rule).severity, span, never_reached_because(name, how, because)};
  finding.related.push_back({first.span, "it " + first.why});
  for (const Blocker& below : blockers.subspan(1)) {
    finding.related.push_back({below.span, "since " + below.name + ' ' + below.why});
  }
  return finding;
}

}  // namespace espalier::lint
