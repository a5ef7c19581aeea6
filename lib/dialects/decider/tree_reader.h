// One tree of deciders: from its file to IR, with all its findings.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "dialects/decider/elements.h"
#include "dialects/dialect.h"
#include "dialects/reading/attributes.h"
#include "dialects/reading/checks.h"
#include "dialects/reading/name_table.h"
#include "dialects/reading/values.h"
#include "ir/draft.h"
#include "ir/tree.h"
#include "rules/decider.h"
#include "runtime/format/records.h"
#include "text/name_index.h"

namespace espalier::dialects::decider {

// Names that a tree declares by use, unless espalier.json lists them.
class HostNames {
 public:
  using Declared = std::optional<std::vector<std::string>>;  // sorted
  HostNames(std::string_view thing, Rule undeclared, const Declared& declared);
  void check(std::string_view name, Span span, Reporter& reporter);
  void begin_file(std::size_t count) { names_.allow(text::NameIndex::steps_of_file(count)); }

 private:
  std::string_view thing_;
  Rule undeclared_;
  const Declared& declared_;
  text::NameIndex names_;
};

// The host's names in all trees of a project.
struct Hosts {
  explicit Hosts(const Options& options);
  // Call this before each of `count` files.
  void begin_file(std::size_t count) {
    decide_functions.begin_file(count);
    behavior_flags.begin_file(count);
  }
  HostNames decide_functions;
  HostNames behavior_flags;
  std::shared_ptr<ir::Names> names = std::make_shared<ir::Names>();  // in the trees that a thread reads
};

class TreeReader {
 public:
  TreeReader(Hosts& hosts, text::Findings& findings)
      : hosts_(hosts), reporter_(findings, table()), drafts_(hosts.names) {}

  // Returns the tree, or nothing if it has errors. The caller checks that its name is unique. A reader reads only one
  // tree.
  [[nodiscard]] std::optional<ir::Tree> read(const File& file);

 private:
  enum class Standing : std::uint8_t { root, shared, child, misplaced };
  struct Context {
    Standing standing = Standing::misplaced;
    Opcode policy = kNoOpcode;  // child: of its group; kNoOpcode if unknown
  };
  struct NamedDecider {
    Standing standing;
    std::uint32_t shared = 0;  // its number among those
  };
  struct SharedDecider {
    ir::Draft* node = nullptr;
    Attribute every;  // false if it is missing or faulty
  };
  // A DeciderRef, looked up when all deciders are known.
  struct Reference {
    Attribute name;
    Opcode policy;                      // of its group; kNoOpcode if unknown
    std::optional<std::uint32_t> from;  // the shared decider that contains it
    std::uint32_t to = 0;               // the one that it names
  };

  // tree_reader.cpp
  void read_parts(const Element& root);
  Row read_unknown_part(const Element& element);
  void read_shared(const Element& section);
  void set_aside(const Element& element);
  void excuse(const Element& element);
  void read_misplaced(const Element& element);

  // declarations.cpp
  void collect_entries(const Element& section, Row which);
  void read_declarations();
  void read_entry(const Element& element, Row kind);
  void read_signal(const Element& element, const Attribute& name, const Attribute& stimulus);
  bool declare(Row entry, const Attribute& name);
  std::optional<std::uint32_t> find(Row entry, std::string_view name, Span span);
  NameTable& names(Row entry) { return names_[entry - kFlag]; }
  std::vector<Element>& entries(Row entry) { return entries_[entry - kFlag]; }

  // deciders.cpp
  ir::Draft& read_decider(const Element& element, Row kind, const Context& place);
  ir::Draft& read_attributes(const Element& element, Row kind, const Context& place);
  ir::Draft& read_reference(const Element& element, const Context& place);
  void read_children(const Element& element, ir::Draft& node);
  void read_unexpected(const Element& element, Row parent_row, const Context& place);
  void refuse_children(const Element& element, Row kind);
  void add_name(const Attribute& name, Standing standing);
  Opcode read_policy(const Attribute& policy);
  void read_behavior_of(const Attributes& attributes, Opcode opcode, ir::Decider& decider);
  void read_decide(const Attributes& attributes, Row kind, const Context& place, ir::Decider& decider);
  void read_preconditions(const Attributes& attributes, const Context& place, ir::Decider& decider);
  std::uint32_t read_weight(const Attributes& attributes, const Context& place);
  void refuse_for_root(const Attributes& attributes);
  void report_empty(const Attribute& attribute);

  // lists.cpp
  std::vector<Word> names_in(const Attribute& attribute, const NameTable* known);
  bool read_list(const Attribute& attribute, Row entry, bool is_all, ir::WantedList& list);
  bool is_conjunction(const Attribute& attribute, const Word& word, Row entry, bool is_all);
  Word read_sign(const Attribute& attribute, const std::vector<Word>& words, std::size_t& i, Row entry, bool& present);
  void check_words(Row entry, bool is_all, const ir::WantedList& list);
  void check_any(const ir::WantedList& all, const ir::WantedList& any);
  std::uint32_t read_behavior_flags(const Attribute& attribute);
  const std::string& text_of(Row entry, std::uint32_t number) {
    return entry == kFlag ? tree_.variables[number].name : deciding().stimuli[number].name;
  }

  // references.cpp
  void resolve_references();
  void find_shared();
  void check_every(const Reference& reference);
  text::Finding& report_every(const Attribute& every, Opcode policy);
  void sort_shared();
  void number_references(ir::Draft& node);
  void check_size();
  layout::Decider measure(const ir::Draft& node, const std::vector<layout::Decider>& sizes);

  ir::Deciding& deciding() { return tree_.as<ir::Deciding>(); }

  Hosts& hosts_;
  Reporter reporter_;
  ir::Tree tree_;
  ir::Drafts drafts_;
  ir::Draft* root_ = nullptr;
  std::vector<ir::Draft*> shared_nodes_;  // each after those that it refers to
  std::vector<Element> entries_[kEntryOfSection];
  std::vector<Element> misplaced_;  // elements whose meaning is unknown; reported already
  // By entry. A signal's name may be declared several times.
  NameTable names_[4] = {NameTable({"flag", rules::DEC_duplicate_name, rules::DEC_unknown_flag}),
                         NameTable({"stimulus", rules::DEC_duplicate_name, rules::DEC_unknown_stimulus}),
                         NameTable({"signal", rules::DEC_duplicate_name, rules::DEC_unknown_stimulus}),
                         NameTable({"behaviour", rules::DEC_duplicate_name, rules::DEC_unknown_behavior})};
  std::unordered_set<std::string> excused_;  // names in misplaced elements: they are not reported as unknown
  std::map<std::pair<std::uint32_t, std::uint32_t>, Span> assigned_;  // where a signal first sets a stimulus
  NameTable decider_names_{{"decider", rules::DEC_duplicate_name, rules::DEC_unknown_decider}};
  NameTable shared_names_{{"decider", rules::DEC_duplicate_name, rules::DEC_unknown_decider}};
  std::vector<NamedDecider> named_;  // by number of decider_names_
  std::vector<SharedDecider> shared_;
  std::vector<Reference> references_;
  std::vector<std::uint32_t> shared_numbers_;    // in the tree
  std::optional<std::uint32_t> reading_shared_;  // the one that is being read
  bool has_too_many_behavior_flags_ = false;
  std::uint32_t node_count_ = 0;
};

}  // namespace espalier::dialects::decider
