// Checks of elements. See elements.h.
#include "dialects/reading/elements.h"

#include <utility>

#include "dialects/reading/wording.h"
#include "text/names.h"

namespace espalier::dialects {

using text::quote;

const ElementRow* report_unknown_element(const Element& element, const Element& parent, const ElementRow& parent_row,
                                         const ElementTable& table, Reporter& reporter, UseIndex use,
                                         std::string hint) {
  std::string near;
  if (const std::string_view meaning = table.meaning_of(element.name()); !meaning.empty()) {
    hint = meaning;
  } else {
    near = reporter.nearest(text::local_name(element.name()), table.names_in(parent_row));
    if (!near.empty()) hint = text::element_hint(element.name(), near);
  }
  reporter.report(table.rules.unknown_element, Where(element.span(), use),
                  "unknown element " + quote(element.name()) + " in " + quote(parent.name()), std::move(hint));
  return near.empty() ? nullptr : table.find_in(parent_row, near);
}

text::Finding& report_unexpected_element(const Element& element, const Element& parent, const ElementRow& parent_row,
                                         const ElementTable& table, Reporter& reporter, UseIndex use,
                                         std::string hint) {
  if (hint.empty()) hint = expected_one_of(table.names_in(parent_row));
  return reporter.report(table.rules.unexpected_element, Where(element.span(), use),
                         "unexpected element " + quote(element.name()) + " in " + quote(parent.name()),
                         std::move(hint));
}

void check_spelling(const Element& element, std::string_view usual, Rule rule, Reporter& reporter) {
  if (element.name() == usual) return;
  add_renaming(reporter.report(rule, element.span(), "unusual spelling of element " + quote(element.name()),
                               "usual spelling: " + quote(usual)),
               element, usual);
}

void add_renaming(text::Finding& finding, const Element& element, std::string_view name) {
  finding.fixes = {text::make_fix(element.span(), element.name(), std::string(name), text::FixGrade::safe)};
  const Span end = element.end_span();
  if (end.begin != end.end) finding.fixes[0].edits.push_back({end, std::string(name)});
}

}  // namespace espalier::dialects
