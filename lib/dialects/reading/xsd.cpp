// XML schemas. See reference.h.
//
// Each row becomes a complex type; content that several of them share becomes a group. Below an element that restricts
// its descendants (Content::within), separate types are written for the allowed elements.
#include "dialects/reading/reference.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "text/characters.h"

namespace espalier::dialects {
namespace {

constexpr std::string_view kNumberPattern =
    "[+\\-]?((\\d+\\.?\\d*|\\.\\d+)([eE][+\\-]?\\d+)?|0[xX][0-9a-fA-F]*\\.?[0-9a-fA-F]*([pP][+\\-]?\\d+)?|"
    "[iI][nN][fF]([iI][nN][iI][tT][yY])?|[nN][aA][nN])";

using text::escaped;

// "[aA][lL][lL]": the word in any case.
std::string in_any_case(std::string_view word) {
  std::string pattern;
  for (const char c : word) {
    const char lower = static_cast<char>(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
    if (lower >= 'a' && lower <= 'z') {
      pattern += {'[', lower, static_cast<char>(lower - ('a' - 'A')), ']'};
    } else {
      const bool is_plain = (c >= '0' && c <= '9') || c == '_' || c == ' ';
      if (!is_plain) pattern += '\\';
      pattern += c;
    }
  }
  return pattern;
}

class XsdWriter {
 public:
  XsdWriter(const ElementTable& table, std::span<const ElementRow> declared) : table_(table) {
    for (const ElementRow& row : table.elements) rows_.push_back(&row);
    for (const ElementRow& row : declared) {
      const auto same = std::find_if(rows_.begin(), rows_.end(), [&](const ElementRow* other) {
        return other->name == row.name && other->groups == row.groups;
      });
      same == rows_.end() ? rows_.push_back(&row) : static_cast<void>(*same = &row);
    }
  }

  std::string write() {
    line("<?xml version=\"1.0\" encoding=\"UTF-8\"?>");
    line("<!-- " + escaped(table_.doc) + ". Written by `espalier schema " + std::string(table_.dialect) +
         "`, for editors: it says which");
    line("     elements and attributes are allowed where; `espalier lint` reports everything else. -->");
    open("xs:schema xmlns:xs=\"http://www.w3.org/2001/XMLSchema\" elementFormDefault=\"qualified\"");
    for (std::size_t i = 0; i < table_.root_count; ++i) write_root(*rows_[i]);
    for (std::size_t i = 0; i < types_.size(); ++i) write_type(Type(types_[i]));  // which may add more types and groups
    for (const Group& group : groups_) write_group(group);
    if (has_common_) write_common();
    if (has_nothing_) {
      out_ += '\n';
      open("xs:group name=\"nothing\"");
      line("<xs:sequence><xs:any namespace=\"urn:espalier:nothing\" minOccurs=\"0\"/></xs:sequence>");
      close("xs:group");
    }
    close("xs:schema");
    return std::move(out_);
  }

 private:
  // A row whose content is limited to `within`; 0: no limit.
  struct Type {
    const ElementRow* row;
    Groups within;
    friend bool operator==(const Type& a, const Type& b) { return a.row == b.row && a.within == b.within; }
  };

  // Elements that occur together in several types.
  struct Group {
    Groups groups;
    Groups within;
    friend bool operator==(const Group& a, const Group& b) { return a.groups == b.groups && a.within == b.within; }
  };

  // ---- Lines

  void line(std::string_view text) { out_.append(indent_, ' ').append(text) += '\n'; }
  void open(const std::string& tag) {
    line('<' + tag + '>');
    indent_ += 2;
  }
  void close(std::string_view tag) {
    indent_ -= 2;
    line("</" + std::string(tag) + '>');
  }
  void document(std::string_view doc) {
    if (doc.empty()) return;
    line("<xs:annotation><xs:documentation>" + escaped(doc) + "</xs:documentation></xs:annotation>");
  }
  static std::string attribute(std::string_view name, std::string_view value) {
    return ' ' + std::string(name) + "=\"" + escaped(value) + '"';
  }

  // ---- Names

  // "Sequence"; for a second row with the same name "Group-2"; below a restricting element
  // "Sequence-in-nodes-of-a-monitor".
  std::string type_name(const Type& type) const {
    std::string name(type.row->name);
    std::size_t number = 1;
    for (const ElementRow* const row : rows_) {
      if (row == type.row) break;
      if (row->name == type.row->name) ++number;
    }
    if (number > 1) name += '-' + std::to_string(number);
    return type.within == 0 ? name : name + "-in-" + group_name(type.within);
  }

  std::string name_of(const Group& group) const {
    return group_name(group.groups) + (group.within == 0 ? "" : "-in-" + group_name(group.within));
  }

  std::string group_name(Groups groups) const {
    std::string name;
    for (std::size_t bit = 0; bit < 32; ++bit) {
      if ((groups >> bit & 1) == 0) continue;
      if (!name.empty()) name += '-';
      name += bit < table_.group_names.size() ? table_.group_names[bit] : "group" + std::to_string(bit + 1);
    }
    std::replace(name.begin(), name.end(), ' ', '-');
    return name;
  }

  // ---- Content

  std::vector<const ElementRow*> members(Groups groups, Groups within) const {
    std::vector<const ElementRow*> result;
    for (const ElementRow* const row : rows_) {
      const bool may = (row->groups & groups) != 0 && (within == 0 || (row->groups & within) != 0);
      const bool is_new =
          std::none_of(result.begin(), result.end(), [&](const ElementRow* other) { return other->name == row->name; });
      if (may && is_new) result.push_back(row);
    }
    return result;
  }

  static std::string occurs(std::uint32_t least, std::uint32_t most) {
    std::string text;
    if (least != 1) text += attribute("minOccurs", std::to_string(least));
    if (most != 1) text += attribute("maxOccurs", most == Content::kUnbounded ? "unbounded" : std::to_string(most));
    return text;
  }

  Type use(const ElementRow& row, Groups within) {
    const Type type{&row, row.content.within != 0 ? row.content.within : within};
    if (std::find(types_.begin(), types_.end(), type) == types_.end()) types_.push_back(type);
    return type;
  }

  void element(const ElementRow& row, Groups within, std::string_view occurrence = {}) {
    line("<xs:element" + attribute("name", row.name) + attribute("type", type_name(use(row, within))) +
         std::string(occurrence) + "/>");
  }

  void choice(const std::vector<const ElementRow*>& rows, Groups within, std::string_view occurrence,
              std::string_view left_out = {}) {
    open("xs:choice" + std::string(occurrence));
    for (const ElementRow* const row : rows) {
      if (row->name != left_out) element(*row, within);
    }
    close("xs:choice");
  }

  void write_content(const Content& content, Groups within) {
    const std::vector<const ElementRow*> rows = members(content.groups, within);
    switch (content.shape) {
      case Shape::raw:
        line("<xs:sequence><xs:any processContents=\"skip\" minOccurs=\"0\" maxOccurs=\"unbounded\"/></xs:sequence>");
        return;
      case Shape::each_once:
        open("xs:all");
        for (const ElementRow* const row : rows) {
          element(*row, within, row->name == content.required ? "" : " minOccurs=\"0\"");
        }
        close("xs:all");
        return;
      case Shape::guarded:
        open("xs:choice");
        open("xs:sequence");
        for (const ElementRow* const row : rows) {
          if (row->name == content.guard) element(*row, within);
        }
        choice(rows, within, " minOccurs=\"0\"");
        close("xs:sequence");
        choice(rows, within, {}, content.guard);
        close("xs:choice");
        return;
      case Shape::any:
        write_any(content, within, rows);
        return;
    }
  }

  void write_any(const Content& content, Groups within, const std::vector<const ElementRow*>& rows) {
    constexpr std::size_t kMaxInPlace = 3;
    if (rows.empty()) return write_nothing();
    const std::string occurrence = occurs(content.least, content.most);
    if (rows.size() <= kMaxInPlace) return choice(rows, within, occurrence);
    const Group group{content.groups, within};
    if (std::find(groups_.begin(), groups_.end(), group) == groups_.end()) groups_.push_back(group);
    for (const ElementRow* const row : rows) use(*row, within);
    line("<xs:group" + attribute("ref", name_of(group)) + occurrence + "/>");
  }

  // No element, but white space and comments, which an empty type does not allow: elements of a namespace that has
  // none.
  void write_nothing() {
    has_nothing_ = true;
    line("<xs:group ref=\"nothing\"/>");
  }

  void write_group(const Group& group) {
    out_ += '\n';
    open("xs:group" + attribute("name", name_of(group)));
    choice(members(group.groups, group.within), group.within, {});
    close("xs:group");
  }

  // ---- Types

  void write_root(const ElementRow& row) {
    types_.push_back({&row, 0});
    const std::string tag = "xs:element" + attribute("name", row.name) + attribute("type", row.name);
    if (table_.identities.empty()) {
      line('<' + tag + "/>");
      return;
    }
    open(tag);
    for (const Identity& identity : table_.identities) {
      const std::string kind = !identity.refers.empty() ? "xs:keyref" : identity.is_key ? "xs:key" : "xs:unique";
      open(kind + attribute("name", identity.name) +
           (identity.refers.empty() ? std::string() : attribute("refer", identity.refers)));
      line("<xs:selector" + attribute("xpath", identity.elements) + "/>");
      line("<xs:field" + attribute("xpath", '@' + std::string(identity.attribute)) + "/>");
      close(kind);
    }
    close("xs:element");
  }

  void write_type(const Type& type) {
    const ElementRow& row = *type.row;
    out_ += '\n';
    const bool is_raw = !row.content.text && row.content.shape == Shape::raw;
    open("xs:complexType" + attribute("name", type_name(type)) + (is_raw ? " mixed=\"true\"" : ""));
    document(row.doc);
    if (row.content.text) {
      open("xs:simpleContent");
      const bool is_any = row.content.text->type == ValueType::text;
      open("xs:extension" + attribute("base", is_any ? "xs:string" : std::string(row.name) + "-text"));
    } else {
      write_content(row.content, type.within);
    }
    for (const AttributeRow& each : row.attributes) write_attribute(each);
    if (row.common == Common::read && !table_.common.empty()) {
      has_common_ = true;
      line("<xs:attributeGroup ref=\"common\"/>");
    }
    if (row.takes_parameters || (is_raw && row.attributes.empty()))
      line("<xs:anyAttribute namespace=\"##any\" processContents=\"skip\"/>");
    if (row.content.text) {
      close("xs:extension");
      close("xs:simpleContent");
    }
    close("xs:complexType");
    if (row.content.text && row.content.text->type != ValueType::text) write_text(row);
  }

  // Readers trim the text of elements.
  void write_text(const ElementRow& row) {
    open("xs:simpleType" + attribute("name", std::string(row.name) + "-text"));
    open("xs:restriction base=\"xs:token\"");
    for (const std::string_view word : row.content.text->words) facet("enumeration", word);
    if (row.content.text->words.empty()) facet("minLength", "1");
    close("xs:restriction");
    close("xs:simpleType");
  }

  void write_common() {
    out_ += '\n';
    open("xs:attributeGroup name=\"common\"");
    for (const AttributeRow& each : table_.common) write_attribute(each);
    close("xs:attributeGroup");
  }

  void write_attribute(const AttributeRow& row) {
    if (!row.read_elsewhere.empty() || row.need == Need::ignored) return;
    const bool is_required = row.need == Need::required || row.need == Need::taken_as_none;
    std::string tag = "xs:attribute" + attribute("name", row.name);
    const bool is_any = row.value.type == ValueType::text || (row.need == Need::optional && is_free(row.value));
    if (is_any) tag += " type=\"xs:string\"";
    if (is_required) tag += " use=\"required\"";
    if (!row.otherwise.empty() && !is_required) tag += attribute("default", row.otherwise);
    if (is_any && row.doc.empty()) {
      line('<' + tag + "/>");
      return;
    }
    open(tag);
    document(row.doc);
    if (!is_any) write_value(row.value);
    close("xs:attribute");
  }

  // ---- Values

  // Is any text allowed, including an empty one?
  static bool is_free(const Value& value) {
    return value.type == ValueType::condition || value.type == ValueType::script || value.type == ValueType::event;
  }

  void facet(std::string_view name, std::string_view value) {
    line("<xs:" + std::string(name) + attribute("value", value) + "/>");
  }

  void restriction(std::string_view base, const std::vector<std::pair<std::string_view, std::string>>& facets) {
    open("xs:simpleType");
    open("xs:restriction" + attribute("base", base));
    for (const auto& [name, value] : facets) facet(name, value);
    close("xs:restriction");
    close("xs:simpleType");
  }

  void write_number(const Value& value, std::string_view base) {
    std::vector<std::pair<std::string_view, std::string>> range;
    if (std::isfinite(value.least)) range.emplace_back("minInclusive", shown(value.least));
    if (std::isfinite(value.most)) range.emplace_back("maxInclusive", shown(value.most));
    restriction(base, range);
  }

  // As C's atof reads it: a pattern, which cannot have a range.
  void write_number_text(std::string_view others = {}) {
    restriction("xs:string", {{"pattern", "\\s*(" + std::string(kNumberPattern) + std::string(others) + ")\\s*"}});
  }

  void write_words(const Value& value) {
    std::vector<std::pair<std::string_view, std::string>> words;
    for (const std::string_view word : value.words) {
      words.emplace_back(value.any_case ? "pattern" : "enumeration",
                         value.any_case ? in_any_case(word) : std::string(word));
    }
    restriction("xs:string", words);
  }

  void write_list(std::string_view pattern) {
    open("xs:simpleType");
    open("xs:restriction");
    open("xs:simpleType");
    open("xs:list");
    restriction("xs:token", {{"pattern", std::string(pattern)}});
    close("xs:list");
    close("xs:simpleType");
    facet("minLength", "1");
    close("xs:restriction");
    close("xs:simpleType");
  }

  void write_value(const Value& value) {
    const bool is_plain = table_.numbers == NumberText::plain;
    const bool is_number =
        value.type == ValueType::whole || value.type == ValueType::number || value.type == ValueType::seconds;
    const bool has_words = is_number && !value.words.empty();
    if (has_words) {
      open("xs:simpleType");
      open("xs:union");
      write_words(value);
    }
    switch (value.type) {
      case ValueType::whole:
        write_number(value, "xs:integer");
        break;
      case ValueType::number:
      case ValueType::seconds:
        is_plain ? write_number(value, "xs:decimal") : write_number_text();
        break;
      case ValueType::boolean:
        restriction("xs:string", {{"enumeration", "true"}, {"enumeration", "false"}});
        break;
      case ValueType::any_boolean:
        write_number_text('|' + in_any_case("true") + '|' + in_any_case("false"));
        break;
      case ValueType::word:
        write_words(value);
        break;
      case ValueType::names:
        write_list("\\S+");
        break;
      case ValueType::wanted_names:
        write_list("!?[^!\\s]\\S*");
        break;
      case ValueType::vector: {
        const std::string number = "\\s*" + std::string(kNumberPattern) + "\\s*";
        restriction("xs:string", {{"pattern", number + "," + number + "," + number}});
        break;
      }
      default:
        restriction("xs:string", {{"minLength", "1"}});
    }
    if (!has_words) return;
    close("xs:union");
    close("xs:simpleType");
  }

  const ElementTable& table_;
  std::vector<const ElementRow*> rows_;
  std::vector<Type> types_;  // those that are used, in the order in which they are found
  std::vector<Group> groups_;
  bool has_common_ = false;
  bool has_nothing_ = false;
  std::size_t indent_ = 0;
  std::string out_;
};

}  // namespace

std::string write_xsd(const ElementTable& table, std::span<const ElementRow> declared) {
  return XsdWriter(table, declared).write();
}

}  // namespace espalier::dialects
