// Changes of files. See changes.h.
#include "mutants/changes.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "dialects/reading/element_table.h"
#include "mutants/value_changes.h"
#include "text/attribute_text.h"
#include "text/repair.h"
#include "text/wording.h"

namespace espalier::mutants {
namespace {

using dialects::AttributeRow;
using dialects::ElementRow;
using dialects::ElementTable;
using dialects::Need;
using dialects::ValueType;
using text::Attribute;
using text::Element;
using text::quote;
using text::Span;

// So many other elements are tried in the place of one.
constexpr std::size_t kMostOthers = 4;

bool is_script(ValueType type) { return type == ValueType::condition || type == ValueType::script; }

class Changer {
 public:
  Changer(const text::XmlDocument& document, const dialects::Dialect& dialect)
      : document_(document), text_(document.parsed()->source->text()), table_(dialect.table()) {
    for (const text::Item& item : document.parsed()->items) {
      if (item.kind == text::Item::Kind::element) items_.emplace(item.begin + 1, &item);
    }
  }

  std::vector<Change> run() {
    const Element root = document_.root();
    if (!root) return {};
    learn(root);
    const ElementRow* const row = table_.find(root.name());
    visit_attributes(root, row);
    visit_children(root, row);
    return std::move(changes_);
  }

 private:
  // ---- What there is in the file

  // The values of attributes by what they name, and the names in scripts.
  void learn(const Element& element) {
    for (const Attribute& attribute : element.attributes()) {
      if (script_type(element, attribute)) {
        for (std::string& name : names_in_script(attribute.value())) keep(script_names_, std::move(name));
      } else {
        keep(values_[std::string(attribute.name())], std::string(attribute.value()));
      }
    }
    for (Element child = element.first_child(); child; child = child.next_sibling()) learn(child);
  }

  static void keep(std::vector<std::string>& values, std::string value) {
    constexpr std::size_t kMost = 64;
    const bool is_new = std::find(values.begin(), values.end(), value) == values.end();
    if (is_new && values.size() < kMost) values.push_back(std::move(value));
  }

  [[nodiscard]] const AttributeRow* row_of(const Element& element, const Attribute& attribute) const {
    const ElementRow* const row = table_.find(element.name());
    return row == nullptr ? nullptr : dialects::find_attribute(table_, *row, attribute.name());
  }

  // Attributes of nodes that only the host knows may have scripts too.
  [[nodiscard]] bool script_type(const Element& element, const Attribute& attribute) const {
    const AttributeRow* const row = row_of(element, attribute);
    if (row != nullptr && is_script(row->value.type)) return true;
    const std::string_view name = attribute.name();
    if (name == "code" || name == "condition" || name == "if") return true;
    return std::any_of(table_.common.begin(), table_.common.end(),
                       [&](const AttributeRow& common) { return common.name == name && is_script(common.value.type); });
  }

  // ---- Elements

  void visit_children(const Element& parent, const ElementRow* parent_row) {
    for (Element child = parent.first_child(); child; child = child.next_sibling()) {
      const ElementRow* const row = parent_row == nullptr ? table_.find(child.name()) : find_in(*parent_row, child);
      if (row != nullptr && row->groups != 0 && is_declaration(*row)) continue;
      remove(child);
      unwrap(child);
      if (row == nullptr || !only_declares(*row)) swap_with_next(child);
      if (parent_row != nullptr && row != nullptr) become_another(child, *parent_row, *row);
      visit_attributes(child, row);
      visit_text(child);
      visit_children(child, row);
    }
  }

  [[nodiscard]] const ElementRow* find_in(const ElementRow& parent, const Element& child) const {
    const ElementRow* const row = table_.find_in(parent, child.name());
    return row != nullptr ? row : table_.find(child.name());
  }

  // Does it only say what there is, and for no run?
  [[nodiscard]] static bool is_declaration(const ElementRow& row) {
    return row.name == "TreeNodesModel" || row.name == "include";
  }

  // The order of declarations decides nothing.
  [[nodiscard]] static bool only_declares(const ElementRow& row) {
    return row.opcode == kNoOpcode && row.content.groups == 0 &&
           std::any_of(row.attributes.begin(), row.attributes.end(), [](const AttributeRow& attribute) {
             return attribute.naming.kind != dialects::NameKind::none &&
                    attribute.naming.use == dialects::NameUse::declares;
           });
  }

  void remove(const Element& element) { add({{extent(element), ""}}, element.span(), name_of(element) + " is gone"); }

  void unwrap(const Element& element) {
    const text::Item* const item = item_of(element);
    if (item == nullptr || item->end_tag == 0 || !element.first_child()) return;
    add({{span(item->begin, item->tag_end), ""}, {span(item->end_tag, item->end), ""}}, element.span(),
        name_of(element) + " is gone, what is in it stays");
  }

  void swap_with_next(const Element& element) {
    const Element next = element.next_sibling();
    if (!next) return;
    const Span first = extent(element);
    const Span second = extent(next);
    if (text_of(first) == text_of(second)) return;
    add({{first, std::string(text_of(second))}, {second, std::string(text_of(first))}}, element.span(),
        name_of(element) + " and " + name_of(next) + " change places");
  }

  // Others that hold elements as this one does.
  void become_another(const Element& element, const ElementRow& parent, const ElementRow& row) {
    if (row.content.groups == 0) return;
    std::size_t count = 0;
    for (const ElementRow& other : table_.elements) {
      const bool fits = &other != &row && dialects::may_hold(parent, other) && other.written_for.empty() &&
                        (other.content.groups & row.content.groups) != 0 && other.name != row.name &&
                        (other.content.most == row.content.most || element.child_count() <= other.content.most);
      if (!fits || count == kMostOthers) continue;
      ++count;
      std::vector<text::Edit> edits = {{element.span(), std::string(other.name)}};
      if (element.end_span().begin != element.end_span().end)
        edits.push_back({element.end_span(), std::string(other.name)});
      add(std::move(edits), element.span(), name_of(element) + " becomes " + quote(other.name));
    }
  }

  // ---- Attributes and texts

  void visit_attributes(const Element& element, const ElementRow* row) {
    for (const Attribute& attribute : element.attributes()) {
      const AttributeRow* const own =
          row == nullptr ? nullptr : dialects::find_attribute(table_, *row, attribute.name());
      if (own == nullptr || own->need != Need::required) drop(element, attribute);
      const bool has_script = script_type(element, attribute);
      if (has_script) negate(element, attribute);
      const std::span<const std::string_view> words =
          own == nullptr ? std::span<const std::string_view>() : own->value.words;
      const std::vector<std::string>& others = has_script ? script_names_ : values_[std::string(attribute.name())];
      for (const ValueChange& change :
           changes_of_value(attribute.value(), has_script ? ValueKind::script : ValueKind::text, others, words)) {
        const std::string_view written = attribute.value().substr(change.begin, change.end - change.begin);
        add({{attribute.value_span(change.begin, change.end), text::escaped_value(change.replacement)}},
            attribute.name_span(),
            words_of(element, attribute) + ": " + quote(written) +
                (change.replacement.empty() ? " is gone" : " becomes " + quote(change.replacement)));
      }
    }
  }

  void drop(const Element& element, const Attribute& attribute) {
    std::uint32_t begin = attribute.name_span().begin;
    while (begin > 0 && (text_[begin - 1] == ' ' || text_[begin - 1] == '\n' || text_[begin - 1] == '\t')) --begin;
    const std::uint32_t end = attribute.value_span().end + 1;
    add({{span(begin, end), ""}}, attribute.name_span(), words_of(element, attribute) + " is gone");
  }

  void negate(const Element& element, const Attribute& attribute) {
    const Span value = attribute.value_span();
    for (const std::string_view negation : {"!(", "not ("}) {
      add({{value, std::string(negation) + std::string(text_of(value)) + ")"}}, attribute.name_span(),
          words_of(element, attribute) + " is negated");
    }
  }

  void visit_text(const Element& element) {
    if (element.first_child()) return;
    for (const text::TextPiece& piece : element.text()) {
      // A text with references has other places in the file.
      if (piece.text != text_of(piece.span) || piece.text.find_first_not_of(" \t\r\n") == std::string_view::npos)
        continue;
      const bool has_script = piece.text.find_first_of("=<>()") != std::string_view::npos;
      const std::vector<std::string>& others = has_script ? script_names_ : no_values_;
      for (const ValueChange& change :
           changes_of_value(piece.text, has_script ? ValueKind::script : ValueKind::text, others, {})) {
        add({{span(piece.span.begin + change.begin, piece.span.begin + change.end),
              text::escaped_value(change.replacement)}},
            element.span(),
            "the text of " + name_of(element) + ": " +
                quote(piece.text.substr(change.begin, change.end - change.begin)) + " becomes " +
                quote(change.replacement));
      }
    }
  }

  // ---- Places and words

  [[nodiscard]] Span span(std::uint32_t begin, std::uint32_t end) const { return {document_.file(), begin, end}; }
  [[nodiscard]] const text::Item* item_of(const Element& element) const {
    const auto found = items_.find(element.span().begin);
    return found == items_.end() ? nullptr : found->second;
  }
  [[nodiscard]] Span extent(const Element& element) const {
    const text::Item* const item = item_of(element);
    return item == nullptr ? element.span() : span(item->begin, item->end);
  }
  [[nodiscard]] std::string_view text_of(Span span) const { return text_.substr(span.begin, span.end - span.begin); }
  [[nodiscard]] static std::string name_of(const Element& element) { return quote(element.name()); }
  [[nodiscard]] static std::string words_of(const Element& element, const Attribute& attribute) {
    return quote(attribute.name()) + " of " + name_of(element);
  }

  void add(std::vector<text::Edit> edits, Span place, std::string what) {
    changes_.push_back({std::move(edits), place, std::move(what)});
  }

  const text::XmlDocument& document_;
  const std::string_view text_;
  const ElementTable& table_;
  std::unordered_map<std::uint32_t, const text::Item*> items_;  // elements, by where their names begin
  std::map<std::string, std::vector<std::string>> values_;      // by attribute
  std::vector<std::string> script_names_;
  const std::vector<std::string> no_values_;
  std::vector<Change> changes_;
};

// Does one end of a piece of repaired text lie within what was replaced?
bool is_cut(Span span, const std::vector<text::Replaced>& replaced) {
  return std::any_of(replaced.begin(), replaced.end(), [&](const text::Replaced& piece) {
    const auto is_within = [&](std::uint32_t place) { return place > piece.begin && place < piece.end; };
    return is_within(span.begin) || is_within(span.end);
  });
}

// A piece of repaired text, where the source has it.
Span in_source(Span span, const std::vector<text::Replaced>& replaced) {
  return {span.file, text::place_in_source(replaced, span.begin, false),
          text::place_in_source(replaced, span.end, true)};
}

}  // namespace

std::vector<Change> changes_of(const text::XmlDocument& document, const dialects::Dialect& dialect) {
  const text::ParsedXml& parsed = *document.parsed();
  if (document.is_damaged()) return {};
  const std::vector<text::Replaced>& replaced = parsed.repaired.replaced;
  if (replaced.empty()) return Changer(document, dialect).run();
  // Raw characters were repaired: the repaired text is changed.
  auto plain = text::parse_xml(std::string(parsed.source->path()), parsed.repaired.text, dialect.scan);
  if (plain == nullptr || !plain->has_document || plain->is_damaged || !plain->repaired.replaced.empty()) return {};
  std::vector<Change> changes = Changer({std::move(plain), document.file()}, dialect).run();
  std::erase_if(changes, [&](const Change& change) {
    return std::any_of(change.edits.begin(), change.edits.end(),
                       [&](const text::Edit& edit) { return is_cut(edit.span, replaced); });
  });
  for (Change& change : changes) {
    for (text::Edit& edit : change.edits) edit.span = in_source(edit.span, replaced);
    change.span = in_source(change.span, replaced);
  }
  return changes;
}

}  // namespace espalier::mutants
