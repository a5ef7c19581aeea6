// What espalier.json declares about a game's nodes: behaviours of the host, with their attributes. Read by lib/project,
// used by the readers of dialects that have such nodes. Declarations become rows of an element table, so that they get
// the same checks and a place in the XSD.
#pragma once
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dialects/reading/element_table.h"
#include "dialects/reading/values.h"
#include "ir/tree.h"

namespace espalier::dialects {

// The engines that modular trees are written for, the newest first.
enum class GameEngine : std::uint8_t { cryengine_5_6, cryengine_5_3, lumberyard_1 };
inline constexpr std::string_view kEngineWords[] = {"cryengine-5.6", "cryengine-5.3",
                                                    "lumberyard-1"};  // espalier.json's
inline constexpr std::string_view kEngineNames[] = {"CRYENGINE 5.6", "CRYENGINE 5.3", "Lumberyard 1"};
constexpr std::string_view name_of(GameEngine engine) { return kEngineNames[static_cast<unsigned>(engine)]; }

// Bit 1 << Engine.
using EngineSet = std::uint8_t;
inline constexpr EngineSet kAllEngines = 7;
constexpr bool contains(EngineSet engines, GameEngine engine) {
  return (engines >> static_cast<unsigned>(engine) & 1) != 0;
}

struct HostAttribute {
  std::string name;
  ir::ParameterType type = ir::ParameterType::text;
  bool is_required = false;              // by the engines in `required_in`
  bool is_presence = false;              // only its presence matters, not its value
  bool is_recommended = false;           // the engine warns when it is missing
  bool is_offered = false;               // editors write it with the element, as most uses need it
  std::optional<std::string> otherwise;  // the default as written in XML, checked against the type
  // choice; whole, number: words that are allowed in place of a number; boolean: "true" and "false", if every engine
  // reads these words
  std::vector<std::string> words;
  std::optional<double> minimum;  // whole, number
  std::optional<double> maximum;
  std::string doc;
  EngineSet engines = kAllEngines;  // that read it
  EngineSet required_in = kAllEngines;
  EngineSet deprecated_in = 0;
  // Results that the node gives only if this attribute, or its default, is on: not 0, and if it is a number, not
  // negative. If several attributes name a result, one that is on is enough.
  ir::Results gives = 0;
  ir::Span span = {};   // of its key in espalier.json or a host file
  std::string at = {};  // where the program's source declares it: "src/go_to.hpp:31", relative to that file
};

enum class HostChildren : std::uint8_t {
  none,
  one,
  many,
  raw,  // elements of the host that are not nodes
};

enum class HostAs : std::uint8_t {
  pass,  // one
  keep,  // one: it keeps running when the child succeeds
  sequence,
  selector,
  parallel,
};

struct HostDeclaration {
  std::string name;
  std::string doc;
  std::vector<HostAttribute> attributes;
  HostChildren children = HostChildren::none;
  HostAs as = HostAs::pass;
  bool reads_logs = true;
  ir::Results results = ir::kAnyResult;
  std::vector<std::string> uses = {};  // things that one action at a time may use: "base"
  ir::SharedNames sends;               // null: any event
  ir::SharedNames sets;                // null: any variable
  std::uint32_t memory_bytes = 0;
  bool has_times = false;
  ir::SharedText text;  // how its nodes are printed; null: with their attributes
  bool is_deprecated = false;
  EngineSet engines = kAllEngines;  // that have it
  bool is_built_in = false;         // declared by a file that is a part of the program
  ir::Span span;                    // of its key in espalier.json or a host file
  std::string class_name = {};      // of the program's source: "robot::GoTo"; empty: not known
  std::string at = {};              // where that declares it, as of an attribute
};

// The declaration of a name in a list sorted by name; null if there is none.
const HostDeclaration* find_declaration(std::span<const HostDeclaration> sorted, std::string_view name);

// Null: it has no such attribute.
const HostAttribute* find_attribute(const HostDeclaration& host, std::string_view attribute);

// ---- Rows of declarations -----------------------------------------------------------------------

// The row of a declaration and the data it points to. The declaration must outlive it. Not copyable: rows point into
// it.
class HostRow {
 public:
  // `groups` and `holds` are the dialect's groups that the element belongs to and may contain. `engine`: the one whose
  // attributes are read.
  HostRow(const HostDeclaration& host, Groups groups, Groups holds, GameEngine engine = GameEngine::cryengine_5_6);
  HostRow(const HostRow&) = delete;
  HostRow& operator=(const HostRow&) = delete;

  [[nodiscard]] const ElementRow& row() const { return row_; }
  ElementRow& row() { return row_; }

 private:
  std::vector<AttributeRow> attributes_;
  std::deque<std::vector<std::string_view>> words_;
  ElementRow row_;
};

// What a project declares, for its schemas: rows of new elements, and rows that replace those of a table. The
// declarations must outlive it.
class DeclaredRows {
 public:
  void add(const HostDeclaration& host, Groups groups, Groups holds, GameEngine engine = GameEngine::cryengine_5_6);
  // A node that is known but not declared: it may have any attributes with any values, and `content`.
  void add_known(const HostDeclaration& host, Groups groups, const Content& content);
  // Replaces the table's rows of `element`: the attribute, or with an empty name the text, must be one of `names`.
  void limit(const ElementTable& table, std::string_view element, std::string_view attribute,
             const std::vector<std::string_view>& names);

  [[nodiscard]] std::span<const ElementRow> rows() const { return rows_; }

 private:
  std::deque<HostRow> hosts_;
  std::deque<std::vector<AttributeRow>> attributes_;
  std::deque<std::vector<std::string_view>> words_;
  std::vector<ElementRow> rows_;
};

// The value of a declared attribute. `words` receives the allowed words and must outlive the result.
[[nodiscard]] Value value_of(const HostAttribute& attribute, std::vector<std::string_view>& words,
                             bool exact_booleans = false);

// Reads `text` as a value of a declared attribute, like read_value() with value_of().
[[nodiscard]] std::optional<ir::Parameter> read_value(const HostAttribute& attribute, std::string_view text,
                                                      ValueFault& fault, NumberText numbers = NumberText::plain,
                                                      bool exact_booleans = false);

}  // namespace espalier::dialects
