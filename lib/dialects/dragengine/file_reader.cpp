// The elements of a file and their attributes; parts of rules are in parts.cpp. See file_reader.h.
#include "dialects/dragengine/file_reader.h"

#include <utility>

#include "dialects/reading/checks.h"
#include "text/names.h"

namespace espalier::dialects::dragengine {

RuleFile FileReader::read(const File& file) {
  RuleFile result;
  result.file = file;
  const Element root = file.document->root();
  const ElementRow& row = *find_row(kRootElement);
  check_document(*file.document);
  check_attributes(root, row, table(), reporter_);
  Parts none;
  read_content(root, {nullptr, row}, result.rules, none);
  result.has_errors = reporter_.has_errors() || root.is_damaged();
  result.has_faulty_rules = has_faulty_rules_;
  return result;
}

void FileReader::check_document(const text::XmlDocument& document) {
  const std::string encoding(document.encoding());
  const bool is_utf_8 = encoding == "UTF-8";
  const bool is_wide = !is_utf_8 && encoding.substr(0, 3) == "UTF";
  if (document.has_byte_order_mark() || is_wide) {
    reporter_.report(Rule::DRA_not_plain_utf8, Span{document.file(), 0, 0},
                     document.has_byte_order_mark() ? "the engine refuses a file that begins with a byte order mark"
                                                    : "the engine cannot read " + encoding,
                     "save it as UTF-8 without a byte order mark");
  } else if (const Span place = first_beyond_ascii(document); !is_utf_8 && place.begin != place.end) {
    reporter_.report(Rule::DRA_not_plain_utf8, place, "the engine reads this file as UTF-8, but it is " + encoding,
                     "save it as UTF-8");
  }
  const Span subset = document.internal_subset();
  if (subset.begin == subset.end) return;
  reporter_.report(Rule::DRA_internal_subset, subset, "the engine refuses a DOCTYPE with an internal subset",
                   "remove '[...]'");
}

// ---- Elements -----------------------------------------------------------------------------------

void FileReader::read_content(const Element& element, const Place& place, std::vector<FileRule>& rules, Parts& parts) {
  for (Element child = element.first_child(); child; child = child.next_sibling()) {
    const ElementRow* const kind = find_row(child.name());
    if (kind == nullptr || !may_hold(place.parent, *kind)) {
      read_misplaced(child, place, parts);
    } else if (is_rule(kind)) {
      rules.push_back(read_rule(child, *kind, place.list));
    } else {
      read_part(child, *kind, parts);
    }
  }
  if (place.is_understood && !place.has_value_in_text)
    warn_of_stray_text(element, Rule::DRA_stray_text, reporter_.findings());
}

FileRule FileReader::read_rule(const Element& element, const ElementRow& kind, const FileRule* list) {
  Place place{list, kind};
  FileRule rule = read_attributes(element, kind, list, place);
  if (kind.content.text) {
    read_path(element, rule);
    return rule;
  }
  Parts parts;
  std::vector<FileRule> children;
  if (!rule.id.empty()) place.list = &rule;
  read_content(element, place, children, parts);
  rule.children = std::move(children);
  finish_rule(parts, rule);
  return rule;
}

// A separate function, so that nested rules take little stack.
FileRule FileReader::read_attributes(const Element& element, const ElementRow& kind, const FileRule* list,
                                     Place& place) {
  const Attributes attributes(element, kind, table(), reporter_);
  place.has_value_in_text = attributes.is_value_in_text();
  FileRule rule;
  rule.opcode = kind.opcode;
  rule.name = element.name();
  rule.span = element.span();
  rule.flags = kind.flags;
  if (read_boolean(attributes["loop"])) rule.flags |= static_cast<std::uint8_t>(kBeginsAnew);
  if (read_boolean(attributes["doNotFail"])) rule.flags |= static_cast<std::uint8_t>(kDoesNotFail);
  if (const Attribute& id = attributes["id"]) read_id(id, list, rule);
  if (!kind.written_for.empty()) check_spelling(element, kind.written_for, Rule::DRA_subtree_spelling, reporter_);
  if (kind.opcode != Opcode::rule_action) return rule;
  const Attribute& name = attributes["name"];
  rule.rule.behavior = name.value();
  rule.action_span = name ? name.value_span() : Span();
  return rule;
}

// An element that is not allowed at its place. Its content is read as what it was meant to be, to report faults in it.
void FileReader::read_misplaced(const Element& element, const Place& place, Parts& parts_around) {
  const ElementRow* const known = find_row(element.name());
  const ElementRow* meant = known;
  if (place.is_understood) {
    has_faulty_rules_ = true;
    meant = report_misplaced(element, known, place.parent);
  } else if (known == nullptr) {
    meant = find_row(reporter_.nearest(text::local_name(element.name()), table().names_in(place.parent)));
  }
  if (is_part(meant)) {
    if (known == nullptr) read_part(element, *meant, parts_around);
  } else if (is_rule(meant)) {
    static_cast<void>(read_rule(element, *meant, place.list));
  } else {
    Parts parts;
    std::vector<FileRule> rules;
    FileRule unknown;
    unknown.name = element.name();
    if (const Attribute id = element.attribute("id")) read_id(id, place.list, unknown);
    read_content(element, {unknown.id.empty() ? place.list : &unknown, any_list(), false}, rules, parts);
  }
}

// What it was meant to be; null: unknown.
const ElementRow* FileReader::report_misplaced(const Element& element, const ElementRow* known,
                                               const ElementRow& parent) {
  if (known == nullptr) return report_unknown_element(element, element.parent(), parent, table(), reporter_);
  const std::string hint = is_rule(known) ? "put it after " + quote(element.parent().name()) + ", in the list around it"
                           : is_part(known) ? "put it in a rule"
                                            : "";
  report_unexpected_element(element, element.parent(), parent, table(), reporter_, kInPlace, hint);
  return known;
}

// ---- Attributes ---------------------------------------------------------------------------------

// The id within the file. An id that begins with a dot continues the id of the list that contains the rule.
void FileReader::read_id(const Attribute& attribute, const FileRule* list, FileRule& rule) {
  const std::string_view written = attribute.value();
  const Span span = attribute.value_span();
  if (written.empty()) {
    reporter_.report(Rule::DRA_bad_value, span, "attribute 'id' of " + quote(rule.name) + " is empty",
                     "give it a value, or remove it");
    return;
  }
  const bool is_relative = written[0] == '.' && list != nullptr;
  id_bytes_ += written.size() + (is_relative ? list->id.size() : 0);
  if (id_bytes_ > kMaxIdBytes) {
    if (has_too_many_ids_) return;  // nothing more is reported for ids
    has_too_many_ids_ = true;
    reporter_.report(Rule::DRA_too_many_rules, span,
                     "too many bytes in the ids of the file: " + std::to_string(id_bytes_) + ", at most " +
                         std::to_string(kMaxIdBytes));
    return;
  }
  rule.id_span = span;
  rule.id = written;
  if (is_relative) {
    rule.id = list->id + rule.id;
    rule.takes_prefix = list->takes_prefix;
  } else if (written[0] == '.') {
    rule.takes_prefix = false;
    reporter_.report(Rule::DRA_relative_id_without_parent, span,
                     "no list around the rule has an id that " + quote(written) + " could continue: it keeps its dot",
                     "give the list around it an id, or remove the dot");
  }
  ids_.declare(rule.id, 0, span, reporter_);
}

bool FileReader::read_boolean(const Attribute& attribute) {
  const std::string_view value = attribute.value();
  if (!attribute || value == "true" || value == "false") return value == "true";
  const bool means_true = text::equal_any_case(value, "true") || text::equal_any_case(value, "yes") || value == "1";
  const std::string meant = means_true ? "true" : "false";
  reporter_
      .report(Rule::DRA_boolean_spelling, attribute.value_span(),
              quote(value) + " is not a valid value of " + quote(attribute.name()) + ": the engine takes it as 'false'",
              "use " + quote(meant))
      .fixes = {
      text::make_fix(attribute.value_span(), value, meant, means_true ? text::FixGrade::unsafe : text::FixGrade::safe)};
  return false;
}

}  // namespace espalier::dialects::dragengine
