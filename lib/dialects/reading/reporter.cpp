// Findings of one tree. See reporter.h.
#include "dialects/reading/reporter.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "dialects/reading/checks.h"
#include "rules/rules.h"
#include "text/characters.h"
#include "text/names.h"

namespace espalier::dialects {
namespace {

// For one tree. Guessing thousands of wrong names among thousands of right ones would take minutes.
constexpr std::size_t kMaxComparedNames = 2'000'000;
constexpr std::size_t kMaxTranslated = 1'000;

}  // namespace

void Reporter::excuse(const Element& element) {
  std::uint32_t end = element.span().end;
  for (const Attribute& attribute : element.attributes()) end = std::max(end, attribute.value_span().end);
  excused_.emplace(element.span(), end);
}

bool Reporter::is_excused(Span span) const {
  if (excused_.empty()) return false;
  const auto next = excused_.upper_bound({span.file, span.begin, UINT32_MAX});
  if (next == excused_.begin()) return false;
  const auto& [name, end] = *std::prev(next);
  return name.file == span.file && span.begin <= end;
}

text::Finding& Reporter::report(Rule rule, Where where, std::string message, std::string hint) {
  if (is_excused(where.span)) {
    unsaid_ = {};
    return unsaid_;
  }
  const rules::Severity severity = rules::info(rule).severity;
  has_errors_ = has_errors_ || (severity == rules::Severity::error && !is_lowered(rule));
  text::Finding finding{rule, severity, where.span, std::move(message), std::move(hint)};
  for (UseIndex at = where.use; at != kInPlace && finding.related.size() < text::kMaxRelated;
       at = uses_[at - 1].outer) {
    const Use& use = uses_[at - 1];
    finding.related.push_back({use.span, "in block " + quote(use.name) + ", referenced here"});
  }
  text::Finding& reported = findings_.add(std::move(finding));
  if (reported.related.size() > text::kMaxRelated) reported.related.resize(text::kMaxRelated);
  return reported;
}

text::Finding& Reporter::report(Rule rule, Where where, std::string message, std::string hint, text::Related related) {
  text::Finding& finding = report(rule, where, std::move(message), std::move(hint));
  text::relate_first(finding, std::move(related));
  return finding;
}

rules::FixGrade Reporter::grade_of(const text::Finding& finding) const {
  const bool is_error = finding.severity == rules::Severity::error && !is_lowered(finding.rule);
  return is_error ? rules::FixGrade::safe : rules::FixGrade::unsafe;
}

void Reporter::propose(text::Finding& finding, std::string_view written, std::string_view meant, Guess::Of of,
                       Span declared) const {
  text::propose(finding, {of, std::string(written), std::string(meant), declared}, grade_of(finding));
}

void Reporter::propose_name(text::Finding& finding, const Element& element, std::string_view meant,
                            Guess::Of of) const {
  if (meant.empty()) return;
  add_renaming(finding, element, meant, grade_of(finding));
  if (finding.fixes.empty()) return;
  finding.fixes.back().guess = text::Guess{of, std::string(element.name()), std::string(meant)};
}

bool Reporter::is_lowered(Rule rule) const {
  return std::find(lowered_.begin(), lowered_.end(), rule) != lowered_.end();
}

UseIndex Reporter::enter(Span span, std::string_view name, UseIndex outer) {
  uses_.push_back({span, name, outer, depth(outer) + 1});
  return static_cast<UseIndex>(uses_.size());
}

bool Reporter::may_guess(std::size_t candidate_count) {
  compared_names_ += candidate_count;
  return compared_names_ <= kMaxComparedNames;
}

bool Reporter::may_translate() { return ++translated_ <= kMaxTranslated; }

std::string Reporter::nearest(std::string_view name, const std::vector<std::string_view>& candidates) {
  return may_guess(candidates.size()) ? text::nearest(name, candidates) : std::string();
}

}  // namespace espalier::dialects
