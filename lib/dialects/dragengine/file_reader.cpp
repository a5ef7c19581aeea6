// The elements of a file and their attributes; what stands in rules beside rules has files of its own. See
// file_reader.h.
#include "dialects/dragengine/file_reader.h"

#include <algorithm>
#include <utility>

#include "dialects/reading/encoding.h"
#include "dialects/reading/stray_text.h"
#include "text/names.h"

namespace espalier::dialects::dragengine {
namespace {

using text::quote;

// Of one file. Thousands of wrong names among thousands of right ones would take minutes to guess.
constexpr std::size_t kMaxComparedNames = 2'000'000;

constexpr std::string_view kName = "name";
constexpr std::string_view kId = "id";
constexpr std::string_view kLoop = "loop";
constexpr std::string_view kDoNotFail = "doNotFail";

bool begins_with(std::string_view text, std::string_view begin) { return text.substr(0, begin.size()) == begin; }

}  // namespace

RuleFile FileReader::read(const File& file) {
  RuleFile result;
  result.file = file;
  const Element root = file.document->root();
  check_document(*file.document);
  check_attributes(root, {});
  Parts none;
  read_below(root, {nullptr, root.name(), Holds::rules}, result.rules, none);
  result.has_errors = has_errors_;
  result.has_faulty_rules = has_faulty_rules_;
  return result;
}

void FileReader::check_document(const text::XmlDocument& document) {
  const Span begin{document.file(), 0, 0};
  const bool is_wide_encoding = document.encoding() != "UTF-8" && begins_with(document.encoding(), "UTF");
  if (document.has_byte_order_mark() || is_wide_encoding) {
    report(Rule::DRA_encoding, begin,
           document.has_byte_order_mark()
               ? "the file begins with a byte order mark: the engine refuses it"
               : "the file is " + std::string(document.encoding()) + ": the engine cannot read it",
           "save it as UTF-8 without a byte order mark");
  } else if (document.encoding() != "UTF-8") {
    const Span place = first_beyond_ascii(document);
    if (place.begin != place.end) {
      report(Rule::DRA_encoding, place,
             "the file is " + std::string(document.encoding()) +
                 " and the engine takes its bytes as UTF-8: from here on names are not what they seem",
             "save it as UTF-8");
    }
  }
  const Span subset = document.internal_subset();
  if (subset.begin != subset.end) {
    report(Rule::DRA_internal_subset, subset, "the DOCTYPE has an internal subset: the engine refuses the file",
           "remove what stands in '[...]'");
  }
}

// ---- Elements -----------------------------------------------------------------------------------

void FileReader::read_below(const Element& element, const Place& place, std::vector<FileRule>& rules, Parts& parts) {
  const bool holds_rules = place.holds == Holds::rules || place.holds == Holds::list;
  const bool holds_parts = place.holds == Holds::parts || place.holds == Holds::list;
  for (Element child = element.first_child(); child; child = child.next_sibling()) {
    const RuleElement* const kind = find_rule_element(child.name());
    if (kind != nullptr && holds_rules) {
      rules.push_back(read_rule(child, *kind, place.list));
    } else if (is_part(child.name()) && holds_parts) {
      read_part(child, child.name(), parts);
    } else {
      read_misplaced(child, place, parts);
    }
  }
  if (place.is_understood) warn_of_text(element);
}

FileRule FileReader::read_rule(const Element& element, const RuleElement& kind, const FileRule* list) {
  FileRule rule = read_rule_alone(element, kind, list);
  if (kind.holds == Holds::path) {
    read_path(element, rule);
    return rule;
  }
  Parts parts;
  std::vector<FileRule> children;
  const bool has_id = !rule.id.empty();
  read_below(element, {has_id ? &rule : list, element.name(), kind.holds}, children, parts);
  rule.children = std::move(children);
  finish_rule(parts, rule);
  return rule;
}

// Its name and attributes. Apart, so that rules within rules take little stack.
FileRule FileReader::read_rule_alone(const Element& element, const RuleElement& kind, const FileRule* list) {
  FileRule rule;
  rule.opcode = kind.opcode;
  rule.name = element.name();
  rule.span = element.span();
  rule.flags = kind.flags;
  const bool is_action = kind.opcode == Opcode::rule_action;
  check_attributes(element, kind.attributes, is_action ? kName : std::string_view());
  auto flag = [&](std::string_view name, std::uint32_t bit) {
    const bool is_known = std::find(kind.attributes.begin(), kind.attributes.end(), name) != kind.attributes.end();
    const Attribute attribute = is_known ? element.attribute(name) : Attribute();
    if (attribute && read_boolean(attribute)) rule.flags |= static_cast<std::uint8_t>(bit);
  };
  flag(kLoop, kBeginsAnew);
  flag(kDoNotFail, kDoesNotFail);
  if (const Attribute id = element.attribute(kId)) read_id(id, list, rule);
  if (kind.name == kOtherSubtree) {
    text::Finding& finding =
        report(Rule::DRA_subtree_spelling, element.span(),
               quote(kOtherSubtree) + " is mostly written " + quote(kSubtree), "write " + quote(kSubtree));
    finding.fixes = {text::make_fix(element.span(), kOtherSubtree, std::string(kSubtree), text::FixGrade::safe)};
    const Span end = element.end_span();
    if (end.begin != end.end) finding.fixes[0].edits.push_back({end, std::string(kSubtree)});
  }
  if (!is_action) return rule;
  const Attribute name = element.attribute(kName);
  rule.rule.behavior = name.value();
  rule.action_span = name ? name.value_span() : Span();
  if (name && name.value().empty()) report(Rule::DRA_bad_value, name.value_span(), "the name of an action is empty");
  return rule;
}

// An element that may not stand there. What stands in it is read for its own faults, as what it was meant to be.
void FileReader::read_misplaced(const Element& element, const Place& place, Parts& parts_around) {
  const std::vector<std::string_view> candidates = elements_below(place.holds);
  const std::string near = text::nearest(text::local_name(element.name()), candidates);
  const RuleElement* kind = find_rule_element(element.name());
  if (place.is_understood) {
    std::string message = "there is no element " + quote(element.name()) + " here";
    std::string hint;
    if (kind != nullptr) {
      message = quote(place.name) + " holds no rules";
      hint = "put " + quote(element.name()) + " behind it, in the list around";
    } else if (is_part(element.name())) {
      message = quote(element.name()) + " belongs to a rule";
      hint = "put it in one";
    } else {
      if (may_guess(candidates.size())) hint = text::element_hint(element.name(), near);
    }
    report(Rule::DRA_unknown_element, element.span(), std::move(message), std::move(hint));
    has_faulty_rules_ = true;
  }
  if (is_part(element.name())) return;
  if (is_part(near)) {
    read_part(element, near, parts_around);
    return;
  }
  std::vector<FileRule> rules;
  if (kind == nullptr) kind = find_rule_element(near);
  if (kind != nullptr) {
    static_cast<void>(read_rule(element, *kind, place.list));
    return;
  }
  Parts parts;
  FileRule unknown;
  if (const Attribute id = element.attribute(kId)) read_id(id, place.list, unknown);
  const bool has_id = !unknown.id.empty();
  read_below(element, {has_id ? &unknown : place.list, element.name(), Holds::list, false}, rules, parts);
}

// ---- Attributes ---------------------------------------------------------------------------------

void FileReader::check_attributes(const Element& element, std::span<const std::string_view> known,
                                  std::string_view required) {
  const bool lacks_required = !required.empty() && !element.attribute(required);
  std::vector<std::string_view> lacking;  // one of them may be meant
  for (const std::string_view name : known) {
    if (!element.attribute(name)) lacking.push_back(name);
  }
  std::string hint;
  for (const Attribute& attribute : element.attributes()) {
    const std::string_view name = attribute.name();
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const std::string meant = may_guess(lacking.size()) ? text::nearest(name, lacking) : "";
    if (lacks_required && meant == required && hint.empty()) {
      hint = quote(name) + " is not read: did you mean " + quote(required) + "?";
      continue;
    }
    report(Rule::DRA_unknown_attribute, attribute.name_span(),
           quote(element.name()) + " has no attribute " + quote(name) + ": it is not read",
           meant.empty() ? std::string() : "did you mean " + quote(meant) + "?");
  }
  if (!lacks_required) return;
  report(Rule::DRA_missing_attribute, element.span(), quote(element.name()) + " needs the attribute " + quote(required),
         std::move(hint));
}

// The id within the file. One that begins with a dot continues that of the list around it.
void FileReader::read_id(const Attribute& attribute, const FileRule* list, FileRule& rule) {
  const std::string_view written = attribute.value();
  const Span span = attribute.value_span();
  if (written.empty()) {
    report(Rule::DRA_bad_value, span, "the id of " + quote(rule.name) + " is empty", "a rule may be without an id");
    return;
  }
  const bool is_relative = written[0] == '.' && list != nullptr;
  id_bytes_ += written.size() + (is_relative ? list->id.size() : 0);
  if (id_bytes_ > kMaxIdBytes) {
    if (has_too_many_ids_) return;  // nor is anything else said of ids
    has_too_many_ids_ = true;
    report(Rule::DRA_too_many_rules, span,
           "the ids of the file up to here have " + std::to_string(id_bytes_) + " bytes; " +
               std::to_string(kMaxIdBytes) + " are the most");
    return;
  }
  rule.id_span = span;
  rule.id = written;
  if (is_relative) {
    rule.id = list->id + rule.id;
    rule.takes_prefix = list->takes_prefix;
  } else if (written[0] == '.') {
    rule.takes_prefix = false;
    report(Rule::DRA_relative_id_without_parent, span,
           "no list around it has an id that " + quote(written) + " could be put behind: the id keeps its dot",
           "give the list around it an id, or leave the dot out");
  }
  const auto [first, is_new] = ids_.try_emplace(rule.id, span);
  if (is_new) return;
  report(Rule::DRA_duplicate_id, span, "the id " + quote(rule.id) + " is there already")
      .related.push_back({first->second, "first given here"});
}

bool FileReader::read_boolean(const Attribute& attribute) {
  const std::string_view value = attribute.value();
  if (value == "true") return true;
  if (value == "false") return false;
  const bool means_true = text::equal_any_case(value, "true") || text::equal_any_case(value, "yes") || value == "1";
  const std::string meant = means_true ? "true" : "false";
  report(Rule::DRA_boolean_spelling, attribute.value_span(),
         quote(value) + " is neither true nor false: the engine takes it as false", "write " + quote(meant))
      .fixes = {
      text::make_fix(attribute.value_span(), value, meant, means_true ? text::FixGrade::unsafe : text::FixGrade::safe)};
  return false;
}

// ---- What all of them use -----------------------------------------------------------------------

void FileReader::warn_of_text(const Element& element) { warn_of_stray_text(element, Rule::DRA_stray_text, findings_); }

text::Finding& FileReader::report(Rule rule, Span span, std::string message, std::string hint) {
  has_errors_ = has_errors_ || rules::info(rule).severity == rules::Severity::error;
  return findings_.add(rule, span, std::move(message), std::move(hint));
}

bool FileReader::may_guess(std::size_t candidate_count) {
  compared_names_ += candidate_count;
  return compared_names_ <= kMaxComparedNames;
}

std::string FileReader::guess(std::string_view name, const std::vector<std::string_view>& candidates) {
  return may_guess(candidates.size()) ? text::did_you_mean(name, candidates) : std::string();
}

}  // namespace espalier::dialects::dragengine
