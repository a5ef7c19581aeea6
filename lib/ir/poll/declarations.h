// The nodes that a file may use: those of the library and of Nav2, and what models and espalier.json declare.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ir/poll/releases.h"
#include "ir/poll/types.h"
#include "ir/results.h"
#include "runtime/format/kinds.h"
#include "runtime/format/records.h"
#include "runtime/poll/port_role.h"
#include "text/source.h"

namespace espalier::ir::poll {

enum class NodeKind : std::uint8_t { action, condition, control, decorator, subtree };

// "Action"; the tag of the explicit form.
[[nodiscard]] std::string_view tag_of(NodeKind kind);
[[nodiscard]] std::optional<NodeKind> kind_of_tag(std::string_view tag);

constexpr bool is_leaf(NodeKind kind) { return kind == NodeKind::action || kind == NodeKind::condition; }

using Direction = layout::PollDirection;

// What happens if a port has neither an attribute nor a default.
enum class Missing : std::uint8_t {
  nothing,    // of a host's node: a note for inputs
  allowed,    // the host's node does without it
  refused,    // the library refuses the tree
  at_a_tick,  // it throws when the node is ticked
};

// Which node of the library, where rules depend on it: built.h has a constant for each row of runtime/poll/nodes.def.
enum class Built : std::uint8_t {};
namespace built {
inline constexpr Built none{0};  // a node of the host
inline constexpr Built subtree{1};
}  // namespace built
// Whose rules a node of the host follows of which nothing else is known: a control those of a Sequence.
[[nodiscard]] Built built_of_host(NodeKind kind);

// How the runtime runs it; of built::none: not.
struct BuiltOpcode {
  Opcode opcode = kNoOpcode;
  std::uint8_t flags = 0;
};
[[nodiscard]] BuiltOpcode opcode_of(Built built);

// Finds things in a list by their names: few one by one, many by a sorted order that is made when it is first needed.
// Kept beside the list. A list that grows, or whose names change, gets a new order; it must not be one that another
// thread reads, unless it is short.
class NameOrder {
 public:
  // The first with the name; null if there is none.
  template <typename Things>
  [[nodiscard]] auto find(const Things& things, std::string_view name) const -> decltype(things.data()) {
    if (things.size() <= kFew) {
      const auto found =
          std::find_if(things.begin(), things.end(), [&](const auto& each) { return each.name == name; });
      return found == things.end() ? nullptr : &*found;
    }
    if (order_.size() != things.size()) {
      order_.resize(things.size());
      std::iota(order_.begin(), order_.end(), 0U);
      std::stable_sort(order_.begin(), order_.end(),
                       [&](std::uint32_t a, std::uint32_t b) { return things[a].name < things[b].name; });
    }
    const auto found =
        std::lower_bound(order_.begin(), order_.end(), name,
                         [&](std::uint32_t each, std::string_view key) { return things[each].name < key; });
    return found == order_.end() || things[*found].name != name ? nullptr : &things[*found];
  }

 private:
  static constexpr std::size_t kFew = 64;
  mutable std::vector<std::uint32_t> order_;
};

struct Port {
  std::string name;
  Type type;
  Direction direction = Direction::inout;
  std::optional<std::string> otherwise = {};
  Missing missing = Missing::nothing;
  PortRole role = PortRole::plain;
  std::string doc = {};
  std::string at = {};          // where C++ declares it: "src/go_to.hpp:31"; empty: not known
  bool has_type = true;         // false: nothing says which it has
  bool gives_type = true;       // false: a model's is taken; of a port in espalier.json or a host file
  bool gives_direction = true;  // the same
  Nav2Releases releases = {};   // which have it; of a port of Nav2's
  text::Span span = {};         // of its name in espalier.json or a host file
};

// What a node can be declared to give, as espalier.json writes it.
inline constexpr std::string_view kResultWords[] = {"success", "failure", "running", "skipped"};
inline constexpr Results kResultOfWord[] = {kSucceeds, kFails, kRuns, kSkips};
[[nodiscard]] std::vector<std::string> words_of(Results results);

// Who says what a node is. The library does not read models, which editors write: what they say may be old, or of
// another program.
enum class DeclaredBy : std::uint8_t {
  nobody,   // it has every port
  hint,     // a model of another file of the package
  model,    // a model that holds in the file
  program,  // the library, espalier.json or C++
};

// A node as trees see it.
struct Declaration {
  std::string name;
  NodeKind kind = NodeKind::action;
  Built built = built::none;   // of a host's control: the one whose rules it follows
  bool is_of_library = false;  // or of Nav2; else of the host
  DeclaredBy by = DeclaredBy::program;
  bool is_open = false;  // it may have ports that are not listed
  bool is_sync = false;
  bool has_as = false;           // of a host's control: espalier.json says whose rules it follows
  Results results = 0;           // that it may give; 0: those of its kind
  bool gives_kind = true;        // false: a model's is taken; of a node in espalier.json or a host file
  bool fails_from_idle = false;  // whenever it begins anew it fails: it succeeds only if it is ticked again
  bool is_built_in = false;      // of a framework, as the program declares it: its kind says what it gives
  std::vector<Port> ports;       // in the order of the declaration
  text::Span span = {};          // of the declaration, if it is in a file
  std::string at = {};           // where C++ declares it: "src/go_to.hpp:12"; empty: not known
  std::string class_name = {};   // of C++: "robot::GoTo"; empty: not known
  std::string doc = {};
  std::vector<std::string> uses = {};  // things of the robot that one action at a time may use: "base"
  // Of the library's: the numbers of children for which it works; else it throws when it is ticked.
  std::uint32_t least = 0;
  std::uint32_t most = std::numeric_limits<std::uint32_t>::max();
  bool is_of_nav2 = false;
  Nav2Releases releases = {};  // which have it; of a node of Nav2's
  NameOrder order = {};        // of the ports

  [[nodiscard]] const Port* find_port(std::string_view port) const { return order.find(ports, port); }
  [[nodiscard]] bool is_declared() const { return by != DeclaredBy::nobody; }
  [[nodiscard]] bool is_of_model() const { return by == DeclaredBy::model || by == DeclaredBy::hint; }
  [[nodiscard]] bool may_have_other_ports() const { return is_open || !is_declared(); }
  [[nodiscard]] bool is_of_host() const { return !is_of_library; }
  // Does it fail whenever it begins anew? Not if its declared results exclude failure.
  [[nodiscard]] bool fails_anew() const { return fails_from_idle && (results == 0 || can(results, kFails)); }
};

// What a node gives whose children give these. A decorator or control of the host may make of their results what it
// likes.
[[nodiscard]] Results results_of_host(const Declaration& declaration, std::span<const Results> children = {});

// Those of the library (4.10) and of Nav2, as the rows of runtime/poll/nodes.def.
[[nodiscard]] const std::vector<Declaration>& library_nodes();
[[nodiscard]] const Declaration* find_library_node(std::string_view name);

// Adds those whose names are new.
void add_new_ports(const std::vector<Port>& from, std::vector<Port>& to);

// What a declaration does not say is taken from a model: its kind, types and ports that it lacks.
void fill_from_model(const Declaration& model, Declaration& declaration);
// What C++ or a model does not say of a framework's node is taken from that: what it gives, and inputs that it can do
// without.
void keep_facts(const Declaration& known, Declaration& declaration);
// What a model leaves out of a framework's node is taken from that: what it gives, inputs that it can do without, and
// ports, as models lag behind.
void complete_model(const Declaration& known, Declaration& model);

// A declaration of a subtree's ports.
struct SubtreeModel {
  std::vector<Port> ports;
  text::Span span = {};
  NameOrder order = {};  // of the ports

  [[nodiscard]] const Port* find_port(std::string_view port) const { return order.find(ports, port); }
};

// All that a project may use: these, and those of the library. Names are compared as they are written.
class Declarations {
 public:
  // Declares it. Where a model has it too, that gives what the declaration does not say, and the ports that it lacks.
  void declare(Declaration declaration);
  // Declares it, or adds the ports that the known one does not have.
  void add(const Declaration& declaration);
  [[nodiscard]] const Declaration* find(std::string_view name) const;
  [[nodiscard]] std::vector<std::string_view> names() const;  // sorted
  // Is any declared?
  [[nodiscard]] bool has_declared() const { return has_declared_; }

  // Nodes of a framework, which the project uses without saying so. Nothing is declared by this. They must outlive
  // this.
  void learn(const std::vector<Declaration>& known);
  // Null: it is not known.
  [[nodiscard]] const Declaration* find_known(std::string_view name) const;

  std::map<std::string, SubtreeModel, std::less<>> subtrees;

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view name) const { return std::hash<std::string_view>()(name); }
  };

  std::unordered_map<std::string, Declaration, Hash, std::equal_to<>> by_name_;
  std::map<std::string_view, const Declaration*> known_;
  bool has_declared_ = false;
};

}  // namespace espalier::ir::poll
