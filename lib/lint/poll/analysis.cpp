// All analyses of trees that poll. See analysis.h.
#include "lint/poll/analysis.h"

#include <utility>

namespace espalier::lint {

Finding& PollAnalysis::report(Rule rule, Span span, std::string message, std::string hint) const {
  Finding& finding = findings.add(rule, span, std::move(message), std::move(hint));
  if (finding.related.size() > text::kMaxRelated) finding.related.resize(text::kMaxRelated);
  return finding;
}

Finding& PollAnalysis::report(Rule rule, Span span, std::string message, std::string hint, Related related) const {
  Finding& finding = report(rule, span, std::move(message), std::move(hint));
  text::relate_first(finding, std::move(related));
  return finding;
}

}  // namespace espalier::lint
