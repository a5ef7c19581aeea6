// Checks that readers make. See checks.h.
#include "dialects/reading/checks.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "dialects/reading/synonyms.h"
#include "rules/xml.h"
#include "text/characters.h"
#include "text/names.h"

namespace espalier::dialects {
namespace {

// The first line in `span` that marks a side of a merge conflict; an empty span if there is none.
Span conflict_in(std::string_view source, Span span) {
  for (std::size_t at = span.begin; at < span.end;) {
    const std::string_view marker = text::conflict_marker(source, at);
    const auto begin = static_cast<std::uint32_t>(at);
    if (!marker.empty()) return {span.file, begin, begin + static_cast<std::uint32_t>(marker.size())};
    const std::size_t line_end = source.find_first_of("\r\n", at);
    at = line_end == std::string_view::npos ? line_end : line_end + 1;
  }
  return {span.file, span.begin, span.begin};
}

Span first_line(std::string_view source, Span span) {
  const std::size_t line_end = source.find_first_of("\r\n", span.begin);
  if (line_end < span.end) span.end = static_cast<std::uint32_t>(line_end);
  return span;
}

// Are all children allowed in an element that is read as `row`?
bool holds_content(const ElementTable& table, const ElementRow& row, const Element& element) {
  for (Element child = element.first_child(); child; child = child.next_sibling()) {
    const ElementRow* const child_row = table.find_in(row, child.name());
    if (child_row == nullptr || !may_hold(row, *child_row)) return false;
  }
  return true;
}

// The same of the attributes of the children.
bool knows_attributes(const ElementTable& table, const ElementRow& row, const Element& element) {
  for (Element child = element.first_child(); child; child = child.next_sibling()) {
    const ElementRow& child_row = *table.find_in(row, child.name());
    if (child_row.takes_parameters) continue;
    for (const Attribute& attribute : child.attributes()) {
      if (find_attribute(table, child_row, attribute.name()) == nullptr) return false;
    }
  }
  return true;
}

// What was meant by a name that is not similar to it: another word for the same, or what the content shows.
const ElementRow* other_name(const Element& element, const ElementRow& parent, Reporter& reporter) {
  const ElementTable& table = reporter.table();
  const ElementRow* const by_content = meant_by_content(element, parent, reporter);
  if (by_content != nullptr || !reporter.may_translate()) return by_content;
  const std::string_view word = synonym_of_element(element.name(), table.names_in(parent));
  return word.empty() ? nullptr : table.find_in(parent, word);
}

}  // namespace

// ---- Elements -----------------------------------------------------------------------------------

const ElementRow* report_unknown_element(const Element& element, const ElementRow& parent, Reporter& reporter,
                                         std::string hint, UseIndex use) {
  const ElementTable& table = reporter.table();
  const std::vector<std::string_view> names = table.names_in(parent);
  const std::string_view local = text::local_name(element.name());
  const auto is_same = [&](std::string_view name) { return text::equal_any_case(name, local); };
  const bool has_same = std::any_of(names.begin(), names.end(), is_same);
  const ElementRow* other = nullptr;  // whose name is not similar
  std::string near;
  if (const std::string_view meaning = table.meaning_of(element.name()); !meaning.empty() && !has_same) {
    hint = meaning;
  } else {
    near = reporter.nearest(local, names);
    if (near.empty()) other = other_name(element, parent, reporter);
    if (!near.empty() || other != nullptr) hint = text::element_hint(element.name(), other ? other->name : near);
  }
  text::Finding& finding = reporter.report(
      table.rules.unknown_element, Where(element.span(), use),
      "unknown element " + quote(element.name()) + " in " + quote(element.parent().name()), std::move(hint));
  if (near.empty() && other != nullptr) reporter.excuse(element);
  if (near.empty()) return other;
  reporter.propose_name(finding, element, near);
  return table.find_in(parent, near);
}

const ElementRow* meant_by_content(const Element& element, const ElementRow& parent, Reporter& reporter) {
  const ElementTable& table = reporter.table();
  const ElementRow* const known = table.find(element.name());
  if (!element.first_child() || (known != nullptr && holds_content(table, *known, element))) return nullptr;
  const bool has_attributes = !element.attributes().empty();
  std::vector<const ElementRow*> meant;
  const ElementRow* plural = nullptr;  // 'Deciders', of 'Decider', which a root group could hold too
  for (const ElementRow& row : table.elements) {
    const bool is_part = row.opcode == kNoOpcode && row.written_for.empty() && row.content.shape != Shape::raw;
    if (!is_part || !may_hold(parent, row) || !holds_content(table, row, element)) continue;
    meant.push_back(&row);
    const bool is_plural = row.attributes.empty() && !has_attributes && text::is_near(element.name(), row.name, 1);
    if (is_plural) plural = &row;
  }
  if (meant.size() > 1 && plural == nullptr) {
    std::erase_if(meant, [&](const ElementRow* row) { return !knows_attributes(table, *row, element); });
  }
  return meant.size() == 1 ? meant.front() : plural;
}

text::Finding& report_unexpected_element(const Element& element, const ElementRow& parent, Reporter& reporter,
                                         std::string hint, UseIndex use) {
  const ElementTable& table = reporter.table();
  if (hint.empty()) hint = expected_one_of(table.names_in(parent));
  return reporter.report(table.rules.unexpected_element, Where(element.span(), use),
                         "unexpected element " + quote(element.name()) + " in " + quote(element.parent().name()),
                         std::move(hint));
}

void check_spelling(const Element& element, std::string_view usual, Rule rule, Reporter& reporter) {
  if (element.name() == usual) return;
  text::Finding& finding = reporter.report(rule, element.span(), "unusual spelling of element " + quote(element.name()),
                                           "usual spelling: " + quote(usual));
  // The root element may be the game's own.
  if (element.parent()) add_renaming(finding, element, usual, text::FixGrade::safe);
}

void add_renaming(text::Finding& finding, const Element& element, std::string_view name, text::FixGrade grade) {
  const Span end = element.end_span();
  const std::string_view source = element.document().source().text();
  const std::string_view end_name = source.substr(end.begin, end.end - end.begin);
  if (!end_name.empty() && end_name != element.name()) return;  // another tag stands there, which is a fault of its own
  finding.fixes = {text::make_fix(element.span(), element.name(), std::string(name), grade)};
  if (!end_name.empty()) finding.fixes[0].edits.push_back({end, std::string(name)});
}

// ---- Names ----

std::string_view called_in(std::string_view name) {
  const std::size_t open = name.find('(');
  const bool is_call = open != 0 && open != std::string_view::npos && name.back() == ')';
  return is_call ? name.substr(0, open) : std::string_view();
}

bool report_call(Rule rule, const Attribute& name, Reporter& reporter) {
  const std::string_view called = called_in(name.value());
  if (called.empty()) return false;
  reporter.report(rule, name.value_span(), quote(name.value()) + " is taken as a name, with its parentheses",
                  "write the name alone: " + quote(called));
  return true;
}

// ---- Text ---------------------------------------------------------------------------------------

Span visible(std::string_view source, Span span) {
  while (span.begin < span.end && text::is_space(source[span.begin])) ++span.begin;
  while (span.begin < span.end && text::is_space(source[span.end - 1])) --span.end;
  return span;
}

bool marks_merge(std::string_view source, Span span) {
  const Span marker = conflict_in(source, span);
  return marker.begin != marker.end;
}

void warn_of_stray_text(const Element& element, Reporter& reporter) {
  if (!element.has_text()) return;
  const std::string_view source = element.document().source().text();
  Span first_marker;
  for (const text::TextPiece& piece : element.text()) {
    Span span = visible(source, piece.span);
    if (span.begin == span.end) continue;
    const Span marker = conflict_in(source, span);
    const bool is_marker = marker.begin != marker.end;
    if (is_marker && first_marker != Span()) continue;
    span = is_marker ? marker : first_line(source, span);
    if (is_marker) first_marker = span;
    reporter.findings().add(reporter.table().rules.stray_text, span,
                            "nothing reads the text in " + quote(element.name()),
                            std::string(is_marker ? kMergeHint : std::string_view()));
  }
}

// ---- Encodings ----------------------------------------------------------------------------------

std::optional<OtherEncoding> find_other_encoding(const text::XmlDocument& document) {
  if (document.encoding() == "UTF-8") return std::nullopt;
  if (document.encoding().substr(0, 3) == "UTF") return OtherEncoding{{document.file(), 0, 0}, true};
  const std::string_view text = document.source().text();
  const auto is_beyond = [](char c) { return static_cast<unsigned char>(c) > 127; };
  const auto at = static_cast<std::size_t>(std::find_if(text.begin(), text.end(), is_beyond) - text.begin());
  if (at == text.size()) return std::nullopt;
  const std::size_t end = at + text::character_length(text, at);
  return OtherEncoding{{document.file(), static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(end)}, false};
}

void warn_of_encoding(const text::XmlDocument& document, text::Findings& findings) {
  const std::optional<OtherEncoding> other = find_other_encoding(document);
  if (!other) return;
  const std::string encoding(document.encoding());
  findings.add(rules::XML_not_utf8, other->place,
               other->is_wide
                   ? "the file is " + encoding + ": the engine reads only UTF-8, and refuses it"
                   : "the file is " + encoding + ", and the engine takes it as UTF-8, whatever its declaration " +
                         "says: it refuses the file, or reads other characters",
               "convert the file to UTF-8");
}

}  // namespace espalier::dialects
