// One tree of deciders: from its file to IR, with everything that is wrong in it.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "dialects/attributes.h"
#include "dialects/decider/elements.h"
#include "dialects/dialect.h"
#include "dialects/reporter.h"
#include "ir/tree.h"
#include "runtime/decide/layout.h"
#include "text/name_index.h"

namespace espalier::dialects::decider {

std::uint32_t size_of(const auto& container) { return static_cast<std::uint32_t>(container.size()); }

// The names of what espalier.json declares, for hints in all trees.
struct HostNames {
  explicit HostNames(const Options& options);
  text::NameIndex decide_functions;
  text::NameIndex behavior_flags;
};

class TreeReader {
 public:
  TreeReader(const Options& options, HostNames& host_names, text::Findings& findings)
      : options_(options), host_names_(host_names), reporter_(findings) {}

  // The tree; nothing when it has errors. That its name is the only one of its kind is the caller's to see to. A reader
  // reads one tree.
  [[nodiscard]] std::optional<ir::Tree> read(const File& file);

 private:
  // What a section declares, by name.
  struct Names {
    std::unordered_map<std::string, std::uint32_t> numbers;
    std::vector<Span> spans;  // of the names
    bool may_lack = false;    // one has no name, which has been told: what is not found may be that
  };
  enum class Standing : std::uint8_t { root, shared, child, misplaced };
  struct Place {
    Standing standing = Standing::misplaced;
    Opcode policy = Opcode::count;  // child: of its group; count: not known
  };
  struct NamedDecider {
    Span span;  // of its name
    Standing standing;
    std::uint32_t shared = 0;  // its number among those
  };
  struct SharedDecider {
    ir::Node node;
    Attribute every;  // a false one where there is none, or a faulty one
  };
  // A DeciderRef, looked up when all deciders are known.
  struct Reference {
    Attribute name;
    Opcode policy;                      // of its group; count: not known
    std::optional<std::uint32_t> from;  // the shared decider that contains it
    std::uint32_t to = 0;               // the one that it names
  };
  // Of an attribute's value. `text` begins at its byte `begin`.
  struct Word {
    std::string_view text;
    std::uint32_t begin = 0;
    [[nodiscard]] std::uint32_t end() const { return begin + static_cast<std::uint32_t>(text.size()); }
  };

  // tree_reader.cpp
  void read_parts(const Element& root);
  std::uint8_t report_stray(const Element& element);
  void read_shared(const Element& section);
  void set_aside(const Element& element);
  void excuse(const Element& element);
  void read_misplaced(const Element& element);
  void warn_of_text(const Element& element);

  // declarations.cpp
  void collect_entries(const Element& section, Section which);
  void read_declarations();
  void read_flag(const Element& element);
  void read_stimulus(const Element& element);
  void read_behavior(const Element& element);
  void read_signal(const Element& element);
  std::optional<std::uint32_t> declare(Section section, const Attribute& name);
  std::vector<std::string_view> declared(Section section) const;
  std::optional<std::uint32_t> find(Section section, std::string_view name, Span span);
  void check_leaf(const Element& element);

  // deciders.cpp
  ir::Node read_decider(const Element& element, Kind kind, const Place& place);
  ir::Node read_alone(const Element& element, Kind kind, const Place& place);
  ir::Node read_reference(const Element& element, const Place& place);
  void read_children(const Element& element, ir::Node& node);
  void read_unknown(const Element& element, const Element& parent, const Place& place);
  void refuse_children(const Element& element);
  void add_name(const Attribute& name, Standing standing);
  Opcode read_policy(const Attribute& policy);
  void read_behavior_of(const Attributes& attributes, Opcode opcode, ir::Decider& decider);
  void read_decide(const Attributes& attributes, Kind kind, const Place& place, ir::Decider& decider);
  void read_preconditions(const Attributes& attributes, const Place& place, ir::Decider& decider);
  std::uint32_t read_weight(const Attribute& weight, const Place& place);
  void refuse_for_root(const Attributes& attributes);

  // lists.cpp
  std::vector<Word> words_of(const Attribute& attribute, const Names* known);
  bool read_list(const Attribute& attribute, Section section, bool is_all, ir::WantedList& list);
  bool is_conjunction(const Attribute& attribute, const Word& word, Section section, bool is_all);
  Word read_sign(const Attribute& attribute, const std::vector<Word>& words, std::size_t& i, Section section,
                 bool& present);
  void check_words(Section section, bool is_all, const ir::WantedList& list);
  void check_any(const ir::WantedList& all, const ir::WantedList& any);
  std::uint32_t read_behavior_flags(const Attribute& attribute);

  // values.cpp
  std::optional<std::uint32_t> read_whole(const Attribute& attribute, std::uint32_t least, std::uint32_t most);
  std::optional<std::uint64_t> read_seconds_us(const Attribute& attribute);
  bool read_boolean(const Attribute& attribute);
  void report_empty(const Attribute& attribute);
  void warn_of_undeclared(Rule rule, std::string_view what, const std::optional<std::vector<std::string>>& declared,
                          text::NameIndex& names, std::string_view name, Span span);

  // references.cpp
  void resolve_references();
  void find_shared();
  void report_unknown(const Reference& reference);
  void warn_of_every(const Reference& reference);
  text::Finding& report_every(const Attribute& every, Opcode policy);
  void sort_shared();
  void number_references(ir::Node& node);
  void check_size();
  layout::Decider measure(const ir::Node& node, const std::vector<layout::Decider>& sizes);

  ir::Deciding& deciding() { return tree_.as<ir::Deciding>(); }
  const ir::Deciding& deciding() const { return tree_.as<ir::Deciding>(); }

  const Options& options_;
  HostNames& host_names_;
  Reporter reporter_;
  ir::Tree tree_;
  std::vector<Element> entries_[kSectionCount];
  std::vector<Element> misplaced_;  // where none can be understood; told already
  Names names_[kSectionCount];
  // Of elements that could not be read: what is called so is not told to be unknown.
  std::unordered_set<std::string> excused_;
  std::unordered_map<std::string, NamedDecider> deciders_;
  std::unordered_map<std::string, std::uint32_t> signal_numbers_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Span> assigned_;  // where a signal first sets a stimulus
  std::vector<SharedDecider> shared_;
  std::vector<Reference> references_;
  std::vector<std::uint32_t> shared_numbers_;    // in Deciding::shared
  std::optional<std::uint32_t> reading_shared_;  // the one that is being read
  bool may_lack_shared_ = false;                 // one has no name, which has been told
  bool has_too_many_behavior_flags_ = false;
  std::uint32_t node_count_ = 0;
};

}  // namespace espalier::dialects::decider
