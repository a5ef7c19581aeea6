// One modular tree: from its file to IR, with all its findings.
#pragma once
#include <array>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "dialects/dialect.h"
#include "dialects/modular/elements.h"
#include "dialects/modular/options.h"
#include "dialects/reading/attributes.h"
#include "dialects/reading/host.h"
#include "dialects/reading/name_table.h"
#include "dialects/reading/numbers.h"
#include "dialects/reading/reporter.h"
#include "ir/draft.h"
#include "ir/tree.h"
#include "text/name_index.h"

namespace espalier::dialects::modular {

inline constexpr const char* kPutInOne = "put them in one node, such as 'Sequence'";

// What the name of an element says, in every tree of a project.
struct ElementName {
  const ElementRow* core = nullptr;           // the engine's node
  const HostDeclaration* declared = nullptr;  // the host's node, as declared
  const HostDeclaration* known = nullptr;     // the engines' own artificial intelligence; null if hosts are declared
  bool is_reserved = false;                   // it belongs elsewhere: see place_of()
  bool is_core_in_any_case = false;           // a core node's, but for case and prefix
  bool is_raw = false;                        // its descendants are elements of the game, not nodes
  bool is_raw_section = false;                // the same, as a section of a tree
  // Asked for only sometimes, and slow to find: the core node that is meant; the core or known node that is meant.
  std::optional<std::string> near_core = {};
  std::optional<std::string> near = {};
};

// The names that all trees of a project can use, collected once. The options must outlive it.
struct ProjectNames {
  explicit ProjectNames(const Options& options);
  std::unordered_set<std::string_view> events;  // declared, the engine's, and those that hosts send
  text::NameIndex event_names;                  // the first two, for hints
  text::NameIndex node_names;                   // core nodes and declared hosts
  std::deque<HostRow> host_rows;                // of the declared hosts, in their order
  std::vector<std::string_view> guessed_names;  // core nodes and those of the engines' own artificial intelligence
  std::shared_ptr<ir::Names> names = std::make_shared<ir::Names>();  // in the trees that a thread reads

  // Call this before each of `count` files.
  void begin_file(std::size_t count);

  // The facts of a name, looked up once.
  ElementName& element(std::string_view name);
  const std::string& near_core(std::string_view name);
  const std::string& near(std::string_view name);

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view name) const { return std::hash<std::string_view>()(name); }
  };
  const ModularOptions& options_;
  std::unordered_map<std::string, ElementName, Hash, std::equal_to<>> elements_;
};

class TreeReader {
 public:
  TreeReader(const Options& options, ProjectNames& project, text::Findings& findings);

  // Returns the tree, or nothing if it has errors. The caller checks that its name is unique. A reader reads only one
  // tree.
  [[nodiscard]] std::optional<ir::Tree> read(const File& file);

 private:
  // The children of an element that holds at most one of each name.
  struct Parts {
    std::array<Element, 6> first;  // of each name; false if there is none
    std::vector<Element> strays;   // with other names
  };

  // tree_reader.cpp
  void read_sections(const Element& root, const ElementRow& row);
  const ElementRow* meant_part(const Element& element, const ElementRow& row);
  void lose(const ElementRow& part);
  Parts read_parts(const Element& parent, const ElementRow& row);
  void report_strays(const Element& parent, const ElementRow& row, const Parts& parts, Rule missing);
  void read_root(const Element& section);
  const ElementRow* expect(const Element& element, const ElementRow& parent);
  void check_empty(const Element& element);
  void report_unread(const Element& element, std::string hint = {});
  void report_text(const Element& root);
  void report_own_names();
  void report_unchecked();

  // declarations.cpp
  void read_events(const Element& section);
  void read_event_name(const Element& element, const ElementRow& row, std::vector<Attribute>& names);
  void read_game_events(const Element& section, const ElementRow& row, std::vector<Attribute>& names);
  void read_variables(const Element& section);
  void read_signals(const Element& section);
  void read_timestamps(const Element& section);
  void check_tag(const Element& element, const ElementRow& row);
  std::uint32_t event(std::string_view name, Span span);
  std::optional<std::uint32_t> variable(std::string_view name, Rule unknown, Span span);
  std::optional<std::uint32_t> timestamp(const Attribute& name);
  std::optional<ir::ConditionIndex> read_condition(const Attribute& attribute);
  // Of the attribute `condition`.
  ir::Guard read_guard(const Attributes& attributes) { return {read_condition(attributes.filled("condition"))}; }
  void mark_variables(const Attribute& misspelt);

  // nodes.cpp
  ir::Draft& start(Opcode opcode, std::string_view name, Span span);
  ir::Draft& read_node(const Element& element);
  ir::Draft& read_other(const Element& element, const ElementName& facts);
  void note_own(const Element& element);
  ir::Draft& read_core(const Element& element, const ElementRow& core);
  ir::Draft& read_itself(const Element& element, const ElementRow& core);
  void read_children(const Element& element, const ElementRow& core, ir::Draft& node);
  void append_children(const Element& element, ir::Draft& node);
  void read_for_faults(const Element& parent);
  void check_count(const Element& element, const Content& content);
  void report_superfluous(const Element& element, const Content& content, const Element& child);
  ir::Draft& with_logs(const Element& element, const ElementRow& row, ir::Draft& node);
  void read_cases(const Element& element, const ElementRow& core, ir::Draft& priority);
  ir::Draft& read_case(const Element& element, const ElementRow& row);
  void read_states(const Element& element, const ElementRow& core, ir::Draft& machine);
  ir::Draft& read_state(const Element& element, const ElementRow& row, MachineNames& machine, std::size_t number);
  ir::EventTransitions read_transitions(const Element& section, MachineNames& machine, std::size_t number);

  // operands.cpp
  void read_operands(const ElementRow& core, const Attributes& attributes, ir::Draft& node);
  void read_modes(const ElementRow& core, const Attributes& attributes, ir::Draft& node);
  void read_limit(const ElementRow& core, const Attributes& attributes, ir::Draft& node);
  void read_scope(const ElementRow& core, const Attributes& attributes, ir::Draft& node);
  void read_code(const ElementRow& core, const Attributes& attributes, ir::Draft& node);
  void read_code_around(const ElementRow& core, const Attributes& attributes, ir::Draft& node);
  void read_message(const ElementRow& core, const Attributes& attributes, ir::Draft& node);
  void read_result(const ElementRow& core, const Attributes& attributes, ir::Draft& node);
  void read_event(const ElementRow& core, const Attributes& attributes, ir::Draft& node);
  void read_awaited_event(const ElementRow& core, const Attributes& attributes, ir::Draft& node);
  void read_queued_event(const ElementRow& core, const Attributes& attributes, ir::Draft& node);
  void read_test(const ElementRow& core, const Attributes& attributes, ir::Draft& node);
  void read_gate(const ElementRow& core, const Attributes& attributes, ir::Draft& node);
  void check_equal_to(const Attributes& attributes, const ir::Guard& guard);
  void read_chance_gate(const ElementRow& core, const Attributes& attributes, ir::Draft& node);
  ir::Chance read_chance(const Attribute& chance);
  void read_wait(const ElementRow& core, const Attributes& attributes, ir::Draft& node);
  void read_time(const ElementRow& core, const Attributes& attributes, ir::Draft& node);
  void report_never_been_set(const Attribute& documented);
  bool read_boolean(const Attributes& attributes, std::string_view name);
  void check_boolean_spelling(const Attribute& attribute);
  std::optional<EngineNumber> read_seconds(const Attribute& attribute);
  void report_number(const Attribute& attribute);
  void report_doubtful(const Attribute& attribute, std::string message, std::string hint = {});
  void check_finite(const Attribute& attribute, const EngineNumber& number, std::string_view consequence = {});
  std::string read_script(const Attribute& attribute, Rule rule);
  std::optional<Span> comment_over_code(const Attribute& attribute, const std::vector<ScriptNote>& notes) const;

  // hosts.cpp
  const ElementRow& row_of(const HostDeclaration& host) const;
  ir::Draft& read_declared(const Element& element, const HostDeclaration& host);
  ir::Draft& read_host_itself(const Element& element, const HostDeclaration& host);
  ir::Few<ir::Parameter> read_parameters(const Attributes& attributes, const HostDeclaration& host);
  std::optional<ir::Parameter> read_parameter(const Attribute& attribute, const HostAttribute& declared);
  void read_host_children(const Element& element, const HostDeclaration& host, ir::Draft& node);
  ir::Draft& read_undeclared(const Element& element, const ElementName& facts);
  ir::Draft& read_undeclared_itself(const Element& element, const ElementName& facts);
  void note_unchecked(const Element& element, const HostDeclaration& known, const Attributes& attributes);
  bool is_like(const HostDeclaration& known, const Attributes& attributes) const;

  ir::Ticking& ticking() { return tree_.as<ir::Ticking>(); }
  [[nodiscard]] std::string engine() const { return std::string(name_of(options_.engine)); }

  const ModularOptions& options_;
  ProjectNames& project_;
  Reporter reporter_;
  std::string_view source_;  // of the file
  ir::Tree tree_;
  ir::Drafts drafts_;
  const ir::Draft* root_ = nullptr;
  NameTable variables_;
  NameTable timestamps_;
  std::unordered_map<std::string, std::uint32_t> signal_numbers_;
  text::NameIndex declared_names_;     // of the events in the section Events, for hints
  std::vector<Element> own_elements_;  // taken as the game's nodes, the first of each name
  std::unordered_set<std::string_view> own_names_;
  // The first fault of a node of the engine, where no nodes are declared.
  struct Unchecked {
    Span span;
    std::string what;
  };
  std::optional<Unchecked> unchecked_;
  std::optional<Unchecked> perhaps_unchecked_;         // of what may be another node, too
  std::unordered_set<std::string_view> engine_nodes_;  // without a fault: several show that the tree is the engine's
  bool is_doubtful_ = false;                           // a value of the element that is being read is doubtful
  std::uint32_t node_count_ = 0;
};

}  // namespace espalier::dialects::modular
