// The element table of a dialect: the elements, their contents, and the values of their attributes. The reader's
// checks, the XSD and the tables of the manual (reference.h) are made from it. Tables are constexpr data; a row of a
// node that a project declares is made at run time (host.h).
#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/format/kinds.h"
#include "text/finding.h"
#include "text/names.h"
#include "text/wording.h"

namespace espalier::dialects {

// The words of messages.
using text::count_of;
using text::did_you_mean;
using text::expected_one_of;
using text::list_of;
using text::names_of;
using text::quote;
using text::shown;
using text::too_many;
using text::with_commas;

using rules::Rule;

// ---- Values -------------------------------------------------------------------------------------

enum class ValueType : std::uint8_t {
  text,          // anything
  name,          // any text that is not empty
  whole,         // a whole number in the range
  number,        // a number in the range, as the table's `numbers` says
  seconds,       // a decimal number of seconds in the range
  boolean,       // "true" or "false"
  any_boolean,   // a number, or one of these words in any case
  word,          // one of the words
  names,         // names with blanks between them, at least one
  wanted_names,  // the same; '!' before one asks for its absence
  vector,        // three numbers with commas
  event,
  condition,
  script,
};

// How numbers are written: as read_decimal() and read_whole() take them, or as C's atof and atoi do (numbers.h).
enum class NumberText : std::uint8_t { plain, as_by_atof };

struct Value {
  ValueType type = ValueType::text;
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  std::span<const std::string_view> words = {};  // word; whole, number: allowed in place of a number
  bool any_case = false;                         // words in any case
  bool may_be_empty = false;                     // an empty value is not reported as missing: it is checked elsewhere
};

inline constexpr Value kText{};
inline constexpr Value kName{ValueType::name};
inline constexpr Value kBoolean{ValueType::boolean};
inline constexpr Value kNames{ValueType::names};
inline constexpr Value kWantedNames{ValueType::wanted_names};
inline constexpr Value kEvent{ValueType::event};
inline constexpr Value kCondition{ValueType::condition};
inline constexpr Value kScript{ValueType::script};
inline constexpr double kMaxSeconds = 1'000'000;
inline constexpr Value kSeconds{ValueType::seconds, 0, kMaxSeconds};
constexpr Value whole(double least, double most) { return {ValueType::whole, least, most}; }
constexpr Value one_of(std::span<const std::string_view> words, bool any_case = false) {
  return {ValueType::word, 0, 0, words, any_case};
}

// ---- Attributes ---------------------------------------------------------------------------------

// What happens if an attribute is missing, or is empty although its value may not be.
enum class Need : std::uint8_t {
  optional,
  recommended,    // the engine warns
  taken_as_none,  // an error that may be lowered: the engine takes it as empty
  required,
  one_of,   // at least one of the attributes with one_of is required
  ignored,  // allowed, but reported as ignored with `doc` as the hint; not in the XSD
};

// ---- Names, for editors: what a value names. Conditions name variables, and events signals, without being told.

enum class NameKind : std::uint8_t {
  none,
  tree,
  block,
  variable,
  signal,
  node,
  state,
  timestamp,
  flag,
  stimulus,
  decider,
  function,  // of the host, which decides
  behavior,
  behavior_flag,
  action,
  condition,  // of the host
  parameter,
  rule,
  file,  // a path of another tree's file
  gate,
  barrier,
  slot,
  scope,      // shared by the agents of a group
  host_node,  // of whatever kind
  count,
};

enum class NameUse : std::uint8_t { reads, writes, declares };

// Where a name means the same: in the nearest element around it that opens such a scope, else in the whole project.
enum class NameScope : std::uint8_t { project, tree, part };

struct Naming {
  NameKind kind = NameKind::none;
  NameUse use = NameUse::reads;
  NameScope scope = NameScope::project;
  bool any_case = false;
};

// A kind of name of a dialect.
struct NameType {
  NameKind kind;
  NameScope scope = NameScope::project;
  bool any_case = false;
};
inline constexpr NameType kSignalName{NameKind::signal};
inline constexpr NameType kVariableName{NameKind::variable, NameScope::tree, true};

struct AttributeRow {
  std::string_view name;
  Need need = Need::optional;
  Value value = kText;
  std::string_view doc = {};             // one line for the manual and for editors
  std::string_view otherwise = {};       // the default, as it would be written; empty if there is none
  std::string_view read_elsewhere = {};  // the engine that reads it, if this one does not; empty if this one does
  Naming naming = {};
  std::string_view usual = {};  // a value that nearly all files give it, for hints; empty if there is none
  bool is_offered = false;      // editors write it with the element, though it may be missing
  bool is_declared = false;     // by the project, which may have misspelt it
};

constexpr AttributeRow with_name(AttributeRow row, const NameType& type, NameUse use) {
  row.naming = {type.kind, use, type.scope, type.any_case};
  return row;
}
constexpr AttributeRow declares(const NameType& type, const AttributeRow& row) {
  return with_name(row, type, NameUse::declares);
}
constexpr AttributeRow reads(const NameType& type, const AttributeRow& row) {
  return with_name(row, type, NameUse::reads);
}
constexpr AttributeRow writes(const NameType& type, const AttributeRow& row) {
  return with_name(row, type, NameUse::writes);
}
// What a value names: as its row says, or as its type implies.
[[nodiscard]] constexpr Naming naming_of(const Value& value, const Naming& naming) {
  if (value.type == ValueType::condition) return {NameKind::variable, NameUse::reads, NameScope::tree, true};
  if (value.type == ValueType::event && naming.kind == NameKind::none) return {NameKind::signal};
  return naming;
}

// ---- Elements -----------------------------------------------------------------------------------

// Sets of elements that are allowed at the same places: bits that each dialect numbers as it likes.
using Groups = std::uint32_t;

enum class Shape : std::uint8_t {
  any,        // in any order
  each_once,  // in any order, each element at most once
  guarded,    // one, optionally after `guard`; or only `guard`
  raw,        // elements of the host: nothing is known about them
};

// The content of an element.
struct Content {
  Groups groups = 0;  // the allowed elements
  std::uint32_t least = 0;
  std::uint32_t most = kUnbounded;  // in all
  Shape shape = Shape::any;
  std::string_view guard = {};     // guarded: the element that is allowed before the one
  std::string_view required = {};  // each_once: the required element; empty if none is
  // Descendants at any depth are of these groups too; 0: of any. For nodes below a monitor, which may only ask.
  Groups within = 0;
  std::optional<Value> text = {};  // for an element that holds text: its value
  Naming naming = {};              // of that text

  static constexpr std::uint32_t kUnbounded = std::numeric_limits<std::uint32_t>::max();
};
inline constexpr Content kNothing{0, 0, 0};

// What an element does with the attributes that its table has for all nodes (ElementTable::common).
enum class Common : std::uint8_t {
  none,    // they are unknown
  unread,  // they are allowed, but reported as ignored
  read,
};

struct ElementRow {
  std::string_view name;
  Groups groups = 0;  // that it belongs to
  Content content = kNothing;
  std::span<const AttributeRow> attributes = {};
  std::string_view doc = {};      // one line for the manual and for editors
  Opcode opcode = kNoOpcode;      // of its node, if it has one
  std::uint8_t flags = 0;         // of its node; only those that do not depend on attributes
  bool takes_parameters = false;  // any other attribute is a parameter for the host
  Common common = Common::none;
  // If the row is another spelling that the engine takes too: the usual one. Else empty.
  std::string_view written_for = {};
  // The scopes of names that it opens. One of a tree is opened only where none is open.
  bool opens_tree = false;
  bool opens_part = false;
};

constexpr ElementRow opens_tree(ElementRow row) {
  row.opens_tree = true;
  return row;
}
constexpr ElementRow opens_part(ElementRow row) {
  row.opens_part = true;
  return row;
}

// A name from other kinds of trees, and a hint for its users. Case is ignored.
struct Meaning {
  std::string_view name;
  std::string_view hint;
};

// What an XSD can say about unique names and references to them: xs:unique, or with `is_key` xs:key; with `refers`, the
// name of such a key, xs:keyref.
struct Identity {
  std::string_view name;
  std::string_view elements;   // an XPath below the root element
  std::string_view attribute;  // the one that holds the name
  bool is_key = false;
  std::string_view refers = {};
};

// The rules as which the common checks report. Optional ones are none if the dialect does not use them.
struct TableRules {
  Rule unknown_element;
  Rule unexpected_element;
  Rule unknown_attribute;
  Rule missing_attribute;
  Rule stray_text;
  Rule bad_value;
  std::optional<Rule> empty_attribute = {};  // none: missing_attribute
  std::optional<Rule> recommended_attribute = {};
  std::optional<Rule> empty_name = {};  // Need::taken_as_none
  std::optional<Rule> repeated_attribute = {};
  std::optional<Rule> element_case = {};
  std::optional<Rule> attribute_case = {};
  std::optional<Rule> ignored_attribute = {};  // Common::unread
};

struct ElementTable {
  std::string_view dialect;              // "synchronized"
  std::string_view doc;                  // describes a tree of the dialect in one line
  std::span<const ElementRow> elements;  // those of root elements first
  std::size_t root_count = 1;
  // By the number of their bits: "nodes"; empty if they have no names.
  std::span<const std::string_view> group_names = {};
  bool any_case = false;  // names of elements and attributes
  NumberText numbers = NumberText::plain;
  std::span<const AttributeRow> common = {};  // further attributes of rows with Common::read
  std::span<const Meaning> meanings = {};
  std::span<const Identity> identities = {};
  TableRules rules;
  NameKind unknown_elements = NameKind::action;  // what their names are, if the host has nodes
  std::optional<Rule> misspelt_attribute = {};   // whose value is lost; none: rules.unknown_attribute

  // ---- Looking up. Null or empty if there is none.

  [[nodiscard]] const ElementRow* find(std::string_view element) const;
  // The first row with the name that is allowed in `parent`, else the first with the name.
  [[nodiscard]] const ElementRow* find_in(const ElementRow& parent, std::string_view element) const;
  // The first row allowed in `parent`, in its usual spelling.
  [[nodiscard]] const ElementRow* first_in(const ElementRow& parent) const;
  // The names of the elements allowed in `parent`, in their usual spelling.
  [[nodiscard]] std::vector<std::string_view> names_in(const ElementRow& parent) const;
  [[nodiscard]] std::string_view meaning_of(std::string_view element) const;
  // Elements that have the attribute: "'Gate' and 'Group' have it"; empty if there are none or more than three.
  [[nodiscard]] std::string owners_of(std::string_view attribute) const;
  // As names are compared.
  [[nodiscard]] bool is_same(std::string_view a, std::string_view b) const {
    return any_case ? text::equal_any_case(a, b) : text::is_same_name(a, b);
  }
};

[[nodiscard]] constexpr bool may_hold(const ElementRow& parent, const ElementRow& child) {
  return (parent.content.groups & child.groups) != 0;
}
// The row of an attribute; null if there is none with this name.
[[nodiscard]] const AttributeRow* find_attribute(const ElementTable& table, const ElementRow& element,
                                                 std::string_view attribute);

}  // namespace espalier::dialects
