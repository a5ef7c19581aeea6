// Conditions without what has no effect. See condition_fixes.h.
#include "lint/condition_fixes.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "text/names.h"

namespace espalier::lint {
namespace {

using ir::Term;
using ir::TermKind;
using text::Span;

std::string_view text_at(const Span& span, const text::Sources& sources) {
  return sources[span.file].text().substr(span.begin, span.end - span.begin);
}

bool is_white(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// A term with the parentheses around it, which its range leaves out.
Span with_parentheses(const ir::Condition& condition, const Term& term, const text::Sources& sources) {
  const std::string_view text = sources[condition.span.file].text();
  Span span = condition.span_of(term);
  for (;;) {
    std::uint32_t begin = span.begin;
    std::uint32_t end = span.end;
    while (begin > condition.span.begin && is_white(text[begin - 1])) --begin;
    while (end < condition.span.end && is_white(text[end])) ++end;
    const bool is_inside = begin > condition.span.begin && end < condition.span.end;
    if (!is_inside || text[begin - 1] != '(' || text[end] != ')') return span;
    span.begin = begin - 1;
    span.end = end + 1;
  }
}

bool is_of_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool is_binary(const Term& term) {
  return term.kind != TermKind::constant && term.kind != TermKind::variable && term.kind != TermKind::negation;
}

// The term that has this one as an operand; the number of terms: none has.
std::size_t parent_of(const ir::Condition& condition, std::size_t term) {
  const auto holds = [&](const Term& each) {
    const bool has_operand = each.kind != TermKind::constant && each.kind != TermKind::variable;
    return has_operand && (each.left == term || (is_binary(each) && each.right == term));
  };
  return static_cast<std::size_t>(std::find_if(condition.terms.begin(), condition.terms.end(), holds) -
                                  condition.terms.begin());
}

// With this constant as an operand, is the value of a term that of its other operand?
bool is_other(TermKind kind, bool constant) {
  return constant ? kind == TermKind::conjunction || kind == TermKind::equal
                  : kind == TermKind::disjunction || kind == TermKind::exclusive || kind == TermKind::unequal;
}

// The edits that leave nothing of a term but one of its operands, and no parentheses that only the term needed. None if
// both are the same text.
std::vector<text::Edit> only(const ir::Condition& condition, const Term& outer, const Term& kept,
                             const text::Sources& sources) {
  const std::string_view text = sources[condition.span.file].text();
  const Span inner = with_parentheses(condition, kept, sources);
  Span all = with_parentheses(condition, outer, sources);
  const bool is_one =
      kept.kind == TermKind::variable || kept.kind == TermKind::constant || inner != condition.span_of(kept);
  const bool is_apart = (all.begin == 0 || !is_of_word(text[all.begin - 1])) && !is_of_word(text[all.end]);
  if (!is_one || !is_apart) all = condition.span_of(outer);
  std::vector<text::Edit> edits;
  const bool is_one_reference = condition.span_of(outer) == condition.span_of(kept);  // to an entity with all of it
  if (is_one_reference) return edits;
  if (all.begin < inner.begin) edits.push_back({{all.file, all.begin, inner.begin}, ""});
  if (inner.end < all.end) edits.push_back({{all.file, inner.end, all.end}, ""});
  return edits;
}

// Puts a constant in place of a term, as far up as it decides, and leaves it out where the other operand says all.
text::Fix replaced(const ir::Condition& condition, std::size_t term, bool constant, const text::Sources& sources) {
  const auto literal = [&](const Span& span) {
    return text::make_fix(span, text_at(span, sources), constant ? "true" : "false", text::FixGrade::safe);
  };
  for (;;) {
    const std::size_t parent = parent_of(condition, term);
    if (parent == condition.terms.size()) return literal(condition.span);
    const Term& outer = condition.terms[parent];
    if (is_other(outer.kind, constant)) {
      const Term& kept = condition.terms[outer.left == term ? outer.right : outer.left];
      if (kept.kind == TermKind::constant) {
        constant = kept.left != 0;
        term = parent;
        continue;
      }
      const std::string_view gone = text_at(condition.span_of(condition.terms[term]), sources);
      return {"Remove " + text::quote(gone), text::FixGrade::safe, only(condition, outer, kept, sources)};
    }
    const bool is_decided = outer.kind == TermKind::conjunction || outer.kind == TermKind::disjunction;
    if (outer.kind == TermKind::negation) {
      constant = !constant;
    } else if (!is_decided) {
      return literal(condition.span_of(condition.terms[term]));
    }
    term = parent;
  }
}

}  // namespace

std::optional<text::Fix> fix_without(const ir::Condition& condition, std::size_t term, std::array<bool, 2> by,
                                     std::vector<text::SharedSpans> relied_on, const text::Sources& sources) {
  const auto writes = [](const text::Fix& fix) { return !fix.edits.front().replacement.empty(); };
  std::optional<text::Fix> best;
  for (const bool constant : {true, false}) {
    if (!by[constant]) continue;
    text::Fix fix = replaced(condition, term, constant, sources);
    if (fix.edits.empty()) continue;
    if (!best || (writes(*best) && !writes(fix))) best = std::move(fix);
  }
  if (!best) return std::nullopt;
  best->rests_on = std::move(relied_on);
  best->rests_on.push_back(std::make_shared<const std::vector<Span>>(1, condition.span));
  return best;
}

text::Fix fix_to_true(Span condition, const text::Sources& sources) {
  text::Fix fix = text::make_fix(condition, text_at(condition, sources), "true", text::FixGrade::safe);
  fix.rests_on = {std::make_shared<const std::vector<Span>>(1, condition)};
  return fix;
}

}  // namespace espalier::lint
