// The dialect-neutral project: readers make it from XML, and all later steps work on it. Plain open data, easy to build
// by hand.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "ir/declarations.h"
#include "ir/nodes.h"
#include "ir/poll.h"

namespace espalier::ir {
namespace poll {
class Placing;
struct WrittenProject;
struct WrittenTree;
}  // namespace poll

// ---- Data of trees of one engine -------------------------------------------------------

struct Selecting {};

struct Ticking {
  std::vector<Timestamp> timestamps;
  bool stays_stopped = false;                            // once the root has a result
  std::optional<std::vector<std::string>> known_events;  // declared ones; none if nothing declares any
};

// The root is a rule_file.
struct Ruling {
  std::uint32_t run_limit = 0;  // runs in one update
  bool is_used = false;         // a subtree of another file names its file
};

// The tree's variables are the decision flags; an Assignment's `variable` is a stimulus, its `condition` means nothing.
struct Deciding {
  std::vector<Stimulus> stimuli;
  std::vector<std::string> behavior_flags;  // in the order of their first use
  std::vector<DeclaredBehavior> declared_behaviors;
  std::uint32_t max_redecides = 0;
};

// A store_role's first of two children is its condition.
struct Storing {
  std::uint32_t max_depth = 0;
  std::optional<std::uint32_t> agent_count;  // `agents`: how many there will be at most, for analyses
};

struct Polling {
  std::vector<PollBoard> boards;  // that of the tree first
  std::vector<PollEntry> entries;
  std::vector<std::vector<PollInstruction>> scripts;
  std::uint32_t text_bytes = 0;   // that a text can have
  std::uint32_t named_count = 0;  // entries that an agent can have whose names are in other entries
  bool has_one_round = false;
  bool is_main = false;  // the tree that a project runs unless another one is named
};

// ---- Trees --------------------------------------------------------------------------------------

// All of a tree but its nodes.
struct TreeHead {
  std::string name;                        // "nav/follow.xml: MainTree" where a project has several of the name
  std::string file = {};                   // its path below the project's folder, if other files may have its name
  std::optional<layout::Dialect> dialect;  // what it was written in; none if it was made by hand
  Span span;                               // of the name
  std::vector<Variable> variables;
  std::vector<Signal> signals;
  std::vector<Condition> conditions;
  std::variant<Selecting, Ticking, Ruling, Deciding, Storing, Polling> parts;  // in the order of EngineId
  // A slip that is no error has been reported: what the tree does is not what was meant, and nothing is claimed of it.
  bool is_doubtful = false;

  EngineId engine() const { return static_cast<EngineId>(parts.index()); }
  // The parts, which must be of this engine.
  template <typename Parts>
  const Parts& as() const {
    return std::get<Parts>(parts);
  }
  template <typename Parts>
  Parts& as() {
    return std::get<Parts>(parts);
  }
};

struct Tree : TreeHead {
  // A tree of deciders has its shared ones here too, used or not, each after the shared deciders that it uses.
  Nodes nodes;
  // Of trees that poll and were read: poll::with_nodes() makes the nodes, and the parts but `is_main`, when they are
  // needed, since each place of a subtree has a copy of it. Null: they are here.
  std::shared_ptr<const poll::Placing> placing = {};
  const poll::WrittenTree* written = nullptr;

  const Node& root() const { return nodes.root(); }
};

// The name without its file.
[[nodiscard]] std::string_view own_name(const TreeHead& tree);

// Null if it is always true or never read.
template <typename AnyNode>
const Condition* condition_of(const TreeHead& tree, const AnyNode& node) {
  const std::optional<ConditionIndex> condition = condition_of(node);
  return condition ? &tree.conditions[*condition] : nullptr;
}

// What all store_child nodes of one slot agree on.
struct Slot {
  std::string name;
  std::optional<std::vector<std::string>> accepts;  // trees, in the order of the file; none: all trees of the project
  std::optional<std::uint32_t> budget_bytes;        // none: the size of the largest tree that it accepts
  Span span;                                        // of the first node that declares it
};

// The trees that have no errors; sorted by name when reading is done.
// A file of Lua that an agent's scripts can use: it runs before the first of them.
struct Prelude {
  std::string file;  // as configured
  std::string text;
};

// A text that a host has declared.
using SharedText = std::shared_ptr<const std::string>;

// What the host has declared about a behaviour, for all its nodes.
struct HostBehavior {
  bool keeps_times = false;        // since when a node is active, and when it was called last
  std::uint32_t memory_bytes = 0;  // of each of its actions, in the agent's block
  SharedText text = {};            // how its nodes are printed; null: with their parameters
};

struct Project {
  std::vector<Tree> trees;
  std::vector<Slot> slots;               // of trees of the engine store, sorted by name
  std::vector<std::string> events = {};  // that the game or its actions may raise in any tree, sorted
  std::vector<Prelude> preludes = {};    // of trees of the engine tick, in the order in which they run
  std::map<std::string, HostBehavior, std::less<>> behaviors = {};  // those with one of its members
  std::vector<PollEnum> enums = {};                                 // of trees of the engine poll, sorted by name
  bool lacks_trees = false;  // some have errors or are doubtful: what other trees do is not known
  // Trees that poll, as they are written; null: there are none. Of these, `trees` gets those that can be compiled.
  std::shared_ptr<const poll::WrittenProject> written = {};
};

// Names trees by their files too where several have the same name, and only there; sorts them by name.
void tell_apart(Project& project);

// What a project says beside its trees.
inline Project without_trees(const Project& project) {
  return {{}, {}, project.events, project.preludes, project.behaviors, project.enums};
}

// The name of the behaviour that a node calls; empty if it calls none.
[[nodiscard]] std::string_view behavior_of(const Node& node);
inline bool keeps_times(const Project& project, const Node& node) {
  const auto found = project.behaviors.find(behavior_of(node));
  return found != project.behaviors.end() && found->second.keeps_times;
}

// The bytes of a behaviour's memory, at the end of which are its times if it keeps them.
constexpr std::uint32_t memory_with_times(std::uint32_t memory_bytes, bool keeps_times) {
  return keeps_times ? (memory_bytes + 7) / 8 * 8 + layout::kTimesBytes : memory_bytes;
}
// The same of what a node calls.
inline std::uint32_t memory_with_times(const Project& project, const Node& node) {
  const auto found = project.behaviors.find(behavior_of(node));
  if (found == project.behaviors.end()) return 0;
  return memory_with_times(found->second.memory_bytes, found->second.keeps_times);
}

}  // namespace espalier::ir
