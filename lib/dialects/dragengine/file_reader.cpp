// The elements of a file and their attributes; parts of rules: parameters, conditions, their mode, and the path of a
// subtree. See file_reader.h.
#include "dialects/dragengine/file_reader.h"

#include <algorithm>
#include <initializer_list>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "dialects/dragengine/elements.h"
#include "dialects/reading/attributes.h"
#include "dialects/reading/checks.h"
#include "dialects/reading/name_table.h"
#include "dialects/reading/values.h"
#include "rules/dragengine.h"
#include "runtime/format/opcodes/rule.h"
#include "runtime/include/espalier/espalier.hpp"
#include "text/characters.h"
#include "text/names.h"

namespace espalier::dialects::dragengine {
namespace {

const ParameterRules kParameterRules{rules::DRA_deprecated,
                                     rules::DRA_bad_value,
                                     rules::DRA_missing_parameter,
                                     rules::DRA_parameter_never_read,
                                     rules::DRA_recommended_parameter,
                                     true};

// Adds a piece; `*is_apart`: a blank comes before the next piece.
void append_collapsed(std::string_view piece, std::string& text, bool* is_apart) {
  for (const char c : piece) {
    if (text::is_space(c)) {
      *is_apart = true;
      continue;
    }
    if (*is_apart && !text.empty()) text += ' ';
    *is_apart = false;
    text += c;
  }
}

bool is_failure(const FileRule& rule) {
  return rule.opcode == opcode::rule_result && rule.flags == static_cast<std::uint8_t>(Result::failure);
}

class FileReader {
 public:
  FileReader(HostRules& hosts, text::Findings& findings) : hosts_(hosts), reporter_(findings, table()) {}

  RuleFile read(const File& file) {
    RuleFile result;
    const Element root = file.document->root();
    result.file = file;
    result.file.document = nullptr;
    result.shown_path = file.document->source().path();
    result.root = root.span();
    const ElementRow& row = *find_row(kRootElement);
    check_document(*file.document);
    check_attributes(root, row, reporter_);
    Parts none;
    read_content(root, {nullptr, row}, result.rules, none);
    result.has_errors = reporter_.has_errors() || root.is_damaged();
    result.is_doubtful = reporter_.is_doubtful();
    result.has_faulty_rules = has_faulty_rules_;
    return result;
  }

 private:
  // The text of an element: trimmed, blanks collapsed.
  struct RuleText {
    std::string text;
    Span span;              // from the first to the last non-blank character; for an empty text, of the element's name
    bool is_split = false;  // the engine reads only the first piece, which is not all of the text
  };
  // A parameter of a rule as it is written; one set serves its action and its conditions.
  struct Parameter {
    std::string_view name;
    Span name_span;
    RuleText value;
  };
  // The contents of a rule other than rules; they are checked when all are known.
  struct Parts {
    std::vector<Parameter> parameters;
    std::vector<RuleText> conditions;
    Element first_parameter;
    Element first_condition;  // even if it has no name
    layout::QueryMode ask_mode = layout::QueryMode::all_true;
    bool has_faulty_mode = false;
    Element mode;                  // the last one
    bool lacks_parameter = false;  // the name of one is missing
    bool lacks_condition = false;
  };
  // Where an element is.
  struct Context {
    const FileRule* list;       // the nearest one in this file that has an id; null: none
    const ElementRow& parent;   // as which the element around it is read
    bool is_understood = true;  // false: the element around it is unknown
    bool has_value_in_text = false;
  };

  void check_document(const text::XmlDocument& document) {
    const std::string encoding(document.encoding());
    const std::optional<OtherEncoding> other = find_other_encoding(document);
    if (document.has_byte_order_mark() || (other && other->is_wide)) {
      reporter_.report(rules::DRA_not_plain_utf8, Span{document.file(), 0, 0},
                       document.has_byte_order_mark() ? "the engine refuses a file that begins with a byte order mark"
                                                      : "the engine cannot read " + encoding,
                       "save it as UTF-8 without a byte order mark");
    } else if (other) {
      reporter_.report(rules::DRA_not_plain_utf8, other->place,
                       "the engine reads this file as UTF-8, but it is " + encoding, "save it as UTF-8");
    }
    const Span subset = document.internal_subset();
    if (subset.begin == subset.end) return;
    reporter_.report(rules::DRA_internal_subset, subset, "the engine refuses a DOCTYPE with an internal subset",
                     "remove '[...]'");
  }

  // ---- Elements -----------------------------------------------------------------------------------

  void read_content(const Element& element, const Context& place, ir::Few<FileRule>& rules, Parts& parts) {
    for (Element child = element.first_child(); child; child = child.next_sibling()) {
      const ElementRow* const kind = find_row(child.name());
      if (kind == nullptr || !may_hold(place.parent, *kind)) {
        read_misplaced(child, place, parts);
      } else if (is_rule(kind)) {
        if (rules.empty()) rules.reserve(element.child_count());
        rules.push_back(read_rule(child, *kind, place.list));
      } else {
        read_part(child, *kind, parts);
      }
    }
    if (place.is_understood && !place.has_value_in_text) warn_of_stray_text(element, reporter_);
  }

  FileRule read_rule(const Element& element, const ElementRow& kind, const FileRule* list) {
    Context place{list, kind};
    FileRule rule = read_attributes(element, kind, list, place);
    if (kind.content.text) return rule;
    Parts parts;
    ir::Few<FileRule> children;
    if (!rule.id.empty()) place.list = &rule;
    read_content(element, place, children, parts);
    rule.children = std::move(children);
    finish_rule(parts, rule);
    return rule;
  }

  // A separate function, so that nested rules take little stack.
  [[gnu::noinline]] FileRule read_attributes(const Element& element, const ElementRow& kind, const FileRule* list,
                                             Context& place) {
    const Attributes attributes(element, kind, reporter_);
    place.has_value_in_text = attributes.is_value_in_text();
    FileRule rule;
    rule.opcode = kind.opcode;
    rule.name = hosts_.names.of(element.name());
    rule.span = element.span();
    rule.flags = kind.flags;
    if (read_boolean(attributes["loop"])) rule.flags |= static_cast<std::uint8_t>(kBeginsAnew);
    if (read_boolean(attributes["doNotFail"])) rule.flags |= static_cast<std::uint8_t>(kDoesNotFail);
    if (const Attribute& id = attributes["id"]) read_id(id, list, rule);
    if (!kind.written_for.empty()) check_spelling(element, kind.written_for, rules::DRA_subtree_spelling, reporter_);
    if (kind.content.text) read_path(element, attributes, rule);
    if (kind.opcode != opcode::rule_action) return rule;
    const Attribute& name = attributes["name"];
    rule.rule.behavior = hosts_.names.of(name.value());
    rule.value_span = name ? name.value_span() : Span();
    return rule;
  }

  // An element that is not allowed at its place. Its content is read as what it was meant to be, to report faults in
  // it.
  void read_misplaced(const Element& element, const Context& place, Parts& parts_around) {
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
      ir::Few<FileRule> rules;
      FileRule unknown;
      unknown.name = element.name();
      if (const Attribute id = element.attribute("id")) read_id(id, place.list, unknown);
      read_content(element, {unknown.id.empty() ? place.list : &unknown, any_list(), false}, rules, parts);
    }
  }

  // What it was meant to be; null: unknown.
  const ElementRow* report_misplaced(const Element& element, const ElementRow* known, const ElementRow& parent) {
    if (known == nullptr) return report_unknown_element(element, parent, reporter_);
    const std::string hint = is_rule(known)
                                 ? "put it after " + quote(element.parent().name()) + ", in the list around it"
                             : is_part(known) ? "put it in a rule"
                                              : "";
    report_unexpected_element(element, parent, reporter_, hint);
    return known;
  }

  // ---- Attributes ---------------------------------------------------------------------------------

  // The id within the file. An id that begins with a dot continues the id of the list that contains the rule.
  void read_id(const Attribute& attribute, const FileRule* list, FileRule& rule) {
    const std::string_view written = attribute.value();
    const Span span = attribute.value_span();
    if (written.empty()) {
      reporter_.report(rules::DRA_bad_value, span, "attribute 'id' of " + quote(rule.name) + " is empty",
                       "give it a value, or remove it");
      return;
    }
    const bool is_relative = written[0] == '.' && list != nullptr;
    id_bytes_ += written.size() + (is_relative ? list->id.size() : 0);
    if (id_bytes_ > kMaxIdBytes) {
      if (has_too_many_ids_) return;  // nothing more is reported for ids
      has_too_many_ids_ = true;
      reporter_.report(rules::DRA_too_many_rules, span,
                       too_many("bytes in the ids of the file", id_bytes_, kMaxIdBytes));
      return;
    }
    rule.id_span = span;
    rule.id = written;
    if (is_relative) {
      rule.id = list->id + rule.id;
      rule.takes_prefix = list->takes_prefix;
    } else if (written[0] == '.') {
      rule.takes_prefix = false;
      reporter_.report(rules::DRA_relative_id_without_parent, span,
                       "no list around the rule has an id that " + quote(written) + " could continue: it keeps its dot",
                       "give the list around it an id, or remove the dot");
    }
    ids_.declare(rule.id, 0, span, reporter_);
  }

  bool read_boolean(const Attribute& attribute) {
    const std::string_view value = attribute.value();
    if (!attribute || value == "true" || value == "false") return value == "true";
    const auto is_one_of = [&](std::initializer_list<std::string_view> words) {
      return std::any_of(words.begin(), words.end(), [&](auto word) { return text::equal_any_case(value, word); });
    };
    const bool means_true = is_one_of({"true", "yes", "on", "1"});
    const bool means_false = is_one_of({"false", "no", "off", "0"});
    const std::string meant = means_true ? "true" : means_false ? "false" : reporter_.nearest(value, {"true", "false"});
    text::Finding& finding = reporter_.report(
        rules::DRA_boolean_spelling, attribute.value_span(),
        quote(value) + " is not a valid value of " + quote(attribute.name()) + ": the engine takes it as 'false'",
        meant.empty() ? "expected 'true' or 'false'" : "use " + quote(meant));
    if (meant.empty()) return false;
    finding.fixes = {text::make_fix(attribute.value_span(), value, meant,
                                    means_false ? text::FixGrade::safe : text::FixGrade::unsafe)};
    return false;
  }

  // ---- Text ---------------------------------------------------------------------------------------

  RuleText text_of(const Element& element) {
    RuleText result;
    const std::string_view source = element.document().source().text();
    const std::vector<text::TextPiece> pieces = element.text();
    std::size_t first_size = 0;
    bool is_apart = false;
    for (const text::TextPiece& piece : pieces) {
      append_collapsed(piece.text, result.text, &is_apart);
      if (&piece == &pieces.front()) first_size = result.text.size();
      const Span span = visible(source, piece.span);
      if (span.begin == span.end) continue;
      if (result.span == Span()) result.span = span;
      result.span.end = span.end;
    }
    if (result.text.empty()) result.span = element.span();
    result.is_split = first_size != result.text.size();
    return result;
  }

  RuleText read_text(const Element& element) {
    RuleText text = text_of(element);
    const Element child = element.first_child();
    if (text.is_split) {
      report_split(element, text.span);
    } else if (child) {
      reporter_.report(rules::DRA_element_in_text, child.span(),
                       "element " + quote(child.name()) + " in the text of " + quote(element.name()) + " is ignored");
    }
    return text;
  }

  void report_split(const Element& element, Span span) {
    reporter_.report(rules::DRA_split_text, span,
                     "the engine reads only the first piece of the text of " + quote(element.name()),
                     "write it in one piece");
  }

  // An element in a subtree splits its path; the element is reported separately.
  void read_path(const Element& element, const Attributes& attributes, FileRule& rule) {
    const Element first = element.first_child();
    for (Element child = first; child; child = child.next_sibling()) {
      reporter_.report(
          rules::DRA_element_in_subtree, child.span(),
          "unexpected element " + quote(child.name()) + " in " + quote(element.name()) + ": the engine never reads it",
          "put the subtree in a 'sequence' that has it");
    }
    const RuleText text = text_of(element);
    rule.path = text.text;
    rule.value_span = text.span;
    if (first) return;
    if (text.is_split) report_split(element, text.span);
    if (!text.text.empty()) return;
    reporter_.report(rules::DRA_subtree_path, element.span(), "the subtree has no path",
                     text_hint(element, attributes, "write the path as its text"));
  }

  // ---- Elements -----------------------------------------------------------------------------------

  void read_part(const Element& element, const ElementRow& kind, Parts& parts) {
    if (kind.name == kParameter) return read_parameter(element, kind, parts);
    if (kind.name == kCondition) return read_condition(element, kind, parts);
    read_mode(element, kind, parts);
  }

  void read_parameter(const Element& element, const ElementRow& kind, Parts& parts) {
    const Attributes attributes(element, kind, reporter_);
    if (!parts.first_parameter) parts.first_parameter = element;
    const Attribute& name = attributes["name"];
    RuleText value = read_text(element);
    if (name) {
      parts.parameters.push_back({name.value(), name.value_span(), std::move(value)});
    } else {
      parts.lacks_parameter = true;
    }
  }

  void read_condition(const Element& element, const ElementRow& kind, Parts& parts) {
    const Attributes attributes(element, kind, reporter_);
    if (!parts.first_condition) parts.first_condition = element;
    RuleText name = read_text(element);
    if (!name.text.empty()) {
      parts.conditions.push_back(std::move(name));
      return;
    }
    reporter_.report(rules::DRA_bad_value, element.span(), "the condition has no name",
                     text_hint(element, attributes, "write the name as its text"));
    parts.lacks_condition = true;
  }

  // For an element without text: that an unknown attribute has it instead is the same fault.
  static std::string text_hint(const Element& element, const Attributes& attributes, std::string_view otherwise) {
    const Attribute& written = attributes.in_place_of_text();
    if (!written) return std::string(otherwise);
    const std::string name(element.name());
    return "unknown attribute " + quote(written.name()) + ": write its value as text, <" + name + '>' +
           std::string(written.value()) + "</" + name + '>';
  }

  void read_mode(const Element& element, const ElementRow& kind, Parts& parts) {
    const Attributes attributes(element, kind, reporter_);
    if (parts.mode) {
      reporter_.report(rules::DRA_repeated_mode, element.span(),
                       "duplicate " + quote(kind.name) + ": the last one counts", {}, {parts.mode.span(), "ignored"});
    }
    parts.mode = element;
    const RuleText word = read_text(element);
    ValueFault fault;
    if (const auto mode = read_value(kind.name, *kind.content.text, word.text, NumberText::plain, fault)) {
      parts.ask_mode = static_cast<layout::QueryMode>(mode->whole);
      return;
    }
    parts.has_faulty_mode = true;
    if (attributes.in_place_of_text()) fault.hint = text_hint(element, attributes, {});
    report_fault(rules::DRA_bad_value, word.span, word.text, std::move(fault), reporter_);
  }

  // ---- What depends on the whole rule -------------------------------------------------------------

  void finish_rule(Parts& parts, FileRule& rule) {
    const bool asks = parts.first_condition && !is_failure(rule);
    if (parts.first_condition && !asks) {
      reporter_.report(rules::DRA_condition_never_asked, parts.first_condition.span(),
                       "'failure' always fails: its conditions are never asked");
    }
    rule.rule.mode = parts.ask_mode;
    if (parts.mode && !asks && !parts.has_faulty_mode) {
      reporter_.report(rules::DRA_mode_without_conditions, parts.mode.span(),
                       "'conditionMode' has no effect: " + quote(rule.name) + " has no condition that is asked");
    }
    if (asks) {
      check_repeated_conditions(parts);
      rule.rule.conditions.reserve(parts.conditions.size());
      for (const RuleText& condition : parts.conditions)
        rule.rule.conditions.push_back(hosts_.names.of(condition.text));
    }
    drop_repeated_parameters(parts);
    if (parts.first_parameter && !asks && rule.opcode != opcode::rule_action) {
      reporter_.report(
          rules::DRA_parameter_never_read, parts.first_parameter.span(),
          "the parameters of " + quote(rule.name) + " are never read: it calls no action and asks no condition");
    } else {
      rule.rule.parameters.reserve(parts.parameters.size());
      for (const Parameter& parameter : parts.parameters) {
        ir::Parameter& taken = rule.rule.parameters.emplace_back();
        taken.name = hosts_.names.of(parameter.name);
        taken.text = hosts_.names.of(parameter.value.text);
      }
    }
    check_hosts(parts, asks, rule);
  }

  // If several have the same name, the last one counts.
  void drop_repeated_parameters(Parts& parts) {
    if (parts.parameters.size() < 2) return;
    std::unordered_map<std::string_view, const Parameter*> last;
    for (const Parameter& parameter : parts.parameters) {
      const auto [earlier, is_new] = last.try_emplace(parameter.name, &parameter);
      if (is_new) continue;
      reporter_.report(rules::DRA_repeated_parameter, parameter.name_span,
                       "duplicate parameter " + quote(parameter.name) + ": the last one counts", {},
                       {earlier->second->name_span, "ignored"});
      earlier->second = &parameter;
    }
    if (last.size() == parts.parameters.size()) return;
    std::vector<Parameter> counting;
    for (Parameter& parameter : parts.parameters) {
      if (last.at(parameter.name) == &parameter) counting.push_back(std::move(parameter));
    }
    parts.parameters = std::move(counting);
  }

  void check_repeated_conditions(const Parts& parts) {
    if (parts.conditions.size() < 2) return;
    NameTable names({"condition", rules::DRA_repeated_condition, rules::DRA_repeated_condition});
    for (const RuleText& condition : parts.conditions) {
      names.declare(condition.text, 0, condition.span, reporter_, "it may be asked twice");
    }
  }

  // Two conditions that read one parameter get the same value, which may be meant for only one of them.
  void check_shared(const Parameter& parameter, std::span<const ParameterReader> conditions) {
    const ParameterReader* first = nullptr;
    for (const ParameterReader& condition : conditions) {
      const auto& declared = condition.host->attributes;
      const bool reads = std::any_of(declared.begin(), declared.end(),
                                     [&](const HostAttribute& each) { return each.name == parameter.name; });
      if (!reads) continue;
      if (first == nullptr) {
        first = &condition;
        continue;
      }
      text::Finding& finding = reporter_.report(
          rules::DRA_shared_parameter, parameter.name_span,
          "conditions " + quote(first->host->name) + " and " + quote(condition.host->name) +
              " both read the parameter " + quote(parameter.name),
          "if they need different values, give the parameter another name in one of them, or use two rules");
      finding.related.push_back({first->span, "reads it"});
      finding.related.push_back({condition.span, "reads it, too"});
      return;
    }
  }

  // A condition is one name. What was meant by an expression?
  static std::string hint_for(const std::string& text) {
    if (!text.empty() && text[0] == '!') {
      return "a condition has no '!': <conditionMode>allFalse</conditionMode> asks that all conditions of the rule are "
             "false";
    }
    for (const std::string_view word : {" and ", " && ", " or ", " || ", "&&", "||"}) {
      if (text.find(word) == std::string::npos) continue;
      const bool is_or = word.find_first_of("o|") != std::string_view::npos;
      return std::string("a condition is one name: write one <condition> for each") +
             (is_or ? ", and <conditionMode>anyTrue</conditionMode>" : "; all of them must be true");
    }
    return {};
  }

  // The action and the conditions get the same parameters.
  void check_hosts(const Parts& parts, bool asks, FileRule& rule) {
    std::vector<GivenParameter> given;
    given.reserve(parts.parameters.size());
    for (const auto& [name, span, value] : parts.parameters) given.push_back({name, span, value.text, value.span});
    const bool is_action = rule.opcode == opcode::rule_action;
    const std::string& action = rule.rule.behavior;
    bool has_unknown = (is_action && action.empty()) || (asks && parts.lacks_condition);
    std::vector<ParameterReader> readers;
    std::unordered_set<const HostDeclaration*> seen;
    const auto add = [&](const HostDeclaration* host, Span span) {
      has_unknown = has_unknown || host == nullptr;
      if (host != nullptr && seen.insert(host).second) readers.push_back({host, span});
    };
    if (is_action && !action.empty()) {
      const HostDeclaration* const host = hosts_.find_action(action, rule.value_span, given, reporter_);
      rule.rule.results = host == nullptr ? ir::kAnyResult : host->results;
      add(host, rule.value_span);
    }
    const std::size_t action_count = readers.size();
    for (const RuleText& condition : parts.conditions) {
      if (!asks) continue;
      add(hosts_.conditions.find(condition.text, condition.span, reporter_, hint_for(condition.text)), condition.span);
    }
    if (readers.empty()) return;
    for (const Parameter& parameter : parts.parameters) {
      check_shared(parameter, std::span(readers).subspan(action_count));
    }
    check_parameters(given, readers, kParameterRules, reporter_, has_unknown, parts.lacks_parameter);
  }

  HostRules& hosts_;
  Reporter reporter_;
  bool has_faulty_rules_ = false;
  NameTable ids_{{"id", rules::DRA_duplicate_id, rules::DRA_duplicate_id}};  // within the file
  std::uint64_t id_bytes_ = 0;                                               // of the ids read so far
  bool has_too_many_ids_ = false;
};

}  // namespace

RuleFile read_file(const File& file, HostRules& hosts, text::Findings& findings) {
  return FileReader(hosts, findings).read(file);
}

}  // namespace espalier::dialects::dragengine
