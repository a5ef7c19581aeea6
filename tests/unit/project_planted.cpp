// Finds the places of slips. See project_planted.h.
#include "project_planted.h"

#include <algorithm>
#include <map>
#include <set>

#include "dialects/dialect.h"
#include "dialects/reading/element_table.h"
#include "text/names.h"

namespace project_planted {
namespace {

using dialects::AttributeRow;
using dialects::ElementRow;
using text::Attribute;
using text::Element;
using text::Span;

constexpr std::size_t kLeastLetters = 5;
constexpr std::size_t kLeastOfName = 6;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Two letters swapped, one doubled or one lost, never the first; empty if the word is too short. Which one depends on
// `number`.
std::string misspelt(std::string_view word, std::size_t number, std::size_t least = kLeastLetters) {
  if (word.size() < least || !std::all_of(word.begin(), word.end(), [](char c) { return is_letter(c) || c == '_'; })) {
    return {};
  }
  std::string result(word);
  const std::size_t at = 1 + number % (word.size() - 2);
  const auto place = result.begin() + static_cast<std::ptrdiff_t>(at);
  if (number % 3 == 0 && text::lower_case(word.substr(at, 1)) != text::lower_case(word.substr(at + 1, 1))) {
    std::swap(result[at], result[at + 1]);
  } else if (number % 3 == 1) {
    result.insert(place, *place);
  } else {
    result.erase(place);
  }
  return result;
}

class Planter {
 public:
  explicit Planter(const text::XmlDocument& document)
      : document_(document), dialect_(*dialects::find_owner(document.root_name())), table_(dialect_.table()) {}

  std::vector<Slip> all() {
    const Element root = document_.root();
    collect(root);
    const ElementRow* const row = table_.find(root.name());
    if (row != nullptr) visit(root, *row);
    return std::move(slips_);
  }

 private:
  // Names that the file declares, and all words of the table.
  void collect(const Element& element) {
    const ElementRow* const row = table_.find(element.name());
    for (const Attribute& attribute : element.attributes()) {
      const AttributeRow* const known = row == nullptr ? nullptr : row_of(*row, attribute.name());
      if (known != nullptr && known->naming.use == dialects::NameUse::declares) {
        declared_.insert({known->naming.kind, std::string(attribute.value())});
      }
      if (known != nullptr && known->naming.kind == dialects::NameKind::variable)
        variables_.insert(std::string(attribute.value()));
    }
    for (const Element& child : element.children()) collect(child);
  }

  const AttributeRow* row_of(const ElementRow& row, std::string_view name) const {
    if (const AttributeRow* const own = dialects::find_attribute(table_, row, name)) return own;
    if (row.common != dialects::Common::read) return nullptr;
    const auto found = std::find_if(table_.common.begin(), table_.common.end(),
                                    [&](const AttributeRow& each) { return table_.is_same(each.name, name); });
    return found == table_.common.end() ? nullptr : &*found;
  }

  static bool has_end(const Element& element) { return element.end_span().begin != element.end_span().end; }
  std::uint32_t line(Span span) const { return document_.source().position(span.begin).line; }

  void add(Kind kind, const Element& element, std::vector<text::Edit> edits, std::string_view word) {
    Slip slip{kind, std::move(edits), std::string(word), {line(element.span())}};
    for (const text::Edit& edit : slip.edits) slip.lines.push_back(line(edit.span));
    if (element.parent() && kind != Kind::value) slip.lines.push_back(line(element.parent().span()));
    slips_.push_back(std::move(slip));
  }

  void rename(Kind kind, const Element& element, const std::string& name) {
    if (name.empty() || table_.find(name) != nullptr) return;
    std::vector<text::Edit> edits = {{element.span(), name}};
    if (has_end(element)) edits.push_back({element.end_span(), name});
    add(kind, element, std::move(edits), element.name());
  }

  void visit(const Element& element, const ElementRow& row) {
    ++number_;
    rename(element.parent() ? Kind::element : Kind::root, element, misspelt(element.name(), number_));
    visit_tags(element);
    for (const Attribute& attribute : element.attributes()) {
      if (const AttributeRow* const known = row_of(row, attribute.name())) visit(element, row, attribute, *known);
    }
    for (const Element& child : element.children()) {
      const ElementRow* const below = table_.find_in(row, child.name());
      if (below != nullptr && dialects::may_hold(row, *below)) visit(child, *below);
    }
  }

  void visit_tags(const Element& element) {
    const Span end = element.end_span();
    const Span start = element.span();
    add(Kind::comment, element, {{{start.file, start.end, start.end}, " /* as agreed */"}}, "<!--");
    if (!has_end(element)) return;
    const std::string_view name = element.name();
    if (const std::string slip = misspelt(name, number_); !slip.empty()) add(Kind::tag, element, {{end, slip}}, name);
    if (!element.parent() || element.children().empty()) return;
    add(Kind::unclosed, element, {{{end.file, end.begin - 2, end.end + 1}, ""}}, name);
    slips_.back().lines.push_back(line(end));
    const std::string_view child = element.children().front().name();
    if (name.size() == child.size() + 1 && name.substr(0, child.size()) == child && name.back() == 's') {
      add(Kind::singular, element, {{start, std::string(child)}, {end, std::string(child)}}, name);
    }
  }

  void visit(const Element& element, const ElementRow& row, const Attribute& attribute, const AttributeRow& known) {
    ++number_;
    const std::string_view name = attribute.name();
    const std::string slip = misspelt(name, number_);
    if (!slip.empty() && row_of(row, slip) == nullptr) {
      add(Kind::attribute, element, {{attribute.name_span(), slip}}, known.name);
    }
    const bool has_parameters = row.takes_parameters;
    if (known.need == dialects::Need::required && !has_parameters) {
      add(Kind::other, element, {{attribute.name_span(), "what"}}, known.name);
    }
    const std::string_view value = attribute.value();
    const Span span = attribute.value_span();
    if (span.end - span.begin != value.size()) return;  // with references
    const dialects::ValueType type = known.value.type;
    if (type == dialects::ValueType::word || type == dialects::ValueType::boolean) {
      const std::string wrong = misspelt(value, number_, 4);
      const auto& words = known.value.words;
      const bool is_word = std::any_of(words.begin(), words.end(),
                                       [&](std::string_view word) { return text::equal_any_case(word, wrong); });
      if (!wrong.empty() && !is_word) add(Kind::value, element, {{span, wrong}}, value);
    }
    const dialects::Naming naming = dialects::naming_of(known.value, known.naming);
    const std::string wrong = misspelt(value, number_, kLeastOfName);
    const bool is_reference =
        naming.use != dialects::NameUse::declares && declared_.contains({naming.kind, std::string(value)});
    if (is_reference && !wrong.empty() && !declared_.contains({naming.kind, wrong})) {
      add(Kind::name, element, {{span, wrong}}, value);
    }
    if (type == dialects::ValueType::condition) visit_condition(element, attribute);
  }

  void visit_condition(const Element& element, const Attribute& attribute) {
    const std::string_view value = attribute.value();
    for (std::size_t at = 0; at < value.size();) {
      std::size_t end = at;
      while (end < value.size() && (is_letter(value[end]) || value[end] == '_')) ++end;
      const std::string word(value.substr(at, end - at));
      const std::string wrong = misspelt(word, ++number_, kLeastOfName);
      if (!wrong.empty() && variables_.contains(word) && !variables_.contains(wrong)) {
        const Span span = attribute.value_span(static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(end));
        add(Kind::condition, element, {{span, wrong}}, word);
      }
      at = end + 1;
    }
  }

  const text::XmlDocument& document_;
  const dialects::Dialect& dialect_;
  const dialects::ElementTable& table_;
  std::set<std::pair<dialects::NameKind, std::string>> declared_;
  std::set<std::string> variables_;
  std::vector<Slip> slips_;
  std::size_t number_ = 0;
};

}  // namespace

std::string_view name_of(Kind kind) {
  constexpr std::string_view kNames[] = {"root", "element",   "singular", "attribute", "other",  "value",
                                         "name", "condition", "tag",      "unclosed",  "comment"};
  static_assert(std::size(kNames) == static_cast<std::size_t>(Kind::count));
  return kNames[static_cast<std::size_t>(kind)];
}

std::vector<Slip> slips_of(const text::XmlDocument& document) { return Planter(document).all(); }

std::string planted(std::string_view text, const Slip& slip) {
  std::string result;
  std::size_t at = 0;
  for (const text::Edit& edit : slip.edits) {
    result.append(text.substr(at, edit.span.begin - at)).append(edit.replacement);
    at = edit.span.end;
  }
  return result.append(text.substr(at));
}

}  // namespace project_planted
