// Findings of one tree. See reporter.h.
#include "dialects/modular/reporter.h"

#include <algorithm>
#include <utility>

namespace espalier::dialects::modular {
namespace {

// Of one tree. Thousands of wrong names among thousands of right ones would take minutes to guess.
constexpr std::size_t kMaxComparedNames = 2'000'000;

}  // namespace

text::Finding& Reporter::report(Rule rule, Span span, std::string message, std::string hint) {
  const bool is_error = rules::info(rule).severity == rules::Severity::error;
  has_errors_ = has_errors_ || (is_error && !is_lowered(rule));
  return findings_.add(rule, span, std::move(message), std::move(hint));
}

text::Finding& Reporter::report(Rule rule, Span span, std::string message, std::string hint, text::Related related) {
  text::Finding& finding = report(rule, span, std::move(message), std::move(hint));
  finding.related.push_back(std::move(related));
  return finding;
}

bool Reporter::is_lowered(Rule rule) const {
  return std::find(lowered_.begin(), lowered_.end(), rule) != lowered_.end();
}

bool Reporter::may_guess(std::size_t candidate_count) {
  compared_names_ += candidate_count;
  return compared_names_ <= kMaxComparedNames;
}

}  // namespace espalier::dialects::modular
