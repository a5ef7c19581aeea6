// What a replay does differently for each engine: one row for each engine. No other code checks which engine it is.
#pragma once
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "replay/updates.h"

namespace espalier::replay {

struct LineKinds {
  std::uint32_t bits = 0;
  constexpr LineKinds(std::initializer_list<LineKind> kinds) {
    for (const LineKind kind : kinds) bits |= 1u << static_cast<unsigned>(kind);
  }
  constexpr bool has(LineKind kind) const { return (bits >> static_cast<unsigned>(kind) & 1) != 0; }
};

struct Strategy {
  std::string_view kind = {};      // of its trees: "modular"
  std::string_view hosted = {};    // what a `host` line can script: "action, decorator or script"
  std::string_view variable = {};  // "variable"; of deciders "decision flag"
  std::string_view statuses = {};  // what an update can return
  std::string_view runner = {};    // singular for the items of `running`: "action"
  bool has_signals = true;         // its trees list the signals that they know
  bool declares_variables = true;  // setting an undeclared one is a fault of the trace, not of the host
  bool may_settle = false;         // the passing of time alone does not change its agents
  bool keeps_other_sizes = false;  // saved agents stay valid after a reload
  bool has_scripts = false;        // its trees hold Lua
  bool sets_values = false;        // `set` is one of the lines that only these trees accept
  bool forgets_events = true;      // `expect` without events also takes the events before it

  // Of the lines that not all trees accept, those that these trees accept; and a hint for a refused one (null: none).
  LineKinds accepts = {};
  std::string_view (*hint)(LineKind kind) = nullptr;
  // The answers that are valid for a name, which may be that of a behaviour.
  AnswerForms (*forms)(bool may_be_behavior) = nullptr;

  // The functions of each behaviour and of each condition, and the host's own.
  Behavior behavior = {};
  Behavior condition = {};
  Host host = {};
  // A name that takes precedence over a behaviour's own in answers; empty: none. May be null.
  std::string (*full_name)(const Call* call) = nullptr;
  // The node that calls; null: that of the call. May be null.
  NodeOf (*node)(const Call* call) = nullptr;
  // The number of the rule that calls; kNoRule: it is not known. Null for engines without rules.
  std::uint32_t (*rule)(const Call* call) = nullptr;
  // Adds the names of a tree that is new. May be null.
  void (*names)(BoundTree& bound) = nullptr;
  // Adds the inputs of its nodes. Null for engines whose nodes have none.
  void (*inputs)(const Tree& tree, InputsByName& inputs) = nullptr;
  // Is the tree used by other trees? Null for engines whose trees are not named after their files.
  bool (*is_used)(const Tree& tree) = nullptr;

  // Executes a line that only these trees accept, for agents of the current tree. May be null.
  std::optional<LineFault> (*run)(Updates& updates, const Line& line, Indices indices) = nullptr;
  // Delivers a signal that the tree knows to the current agent.
  void (*signal)(Updates& updates, std::uint32_t signal, const void* data) = nullptr;
  // Stops an agent, for which `host` is that of Updates. Null: as the runtime does.
  void (*stop)(const Tree& tree, void* block, const Host& host) = nullptr;
  // Updates the current agent. True: it did nothing at all, so another update with nothing in between would do nothing
  // either.
  bool (*update)(Updates& updates, Agent& agent) = nullptr;
  // Saves the state of the current agent that is not in its block, and restores an agent; false if that is not
  // possible, which is then reported. Null: all state is in the block.
  bool (*save)(Updates& updates, const Line& line, Saved& saved) = nullptr;
  bool (*restore)(Updates& updates, const Line& line, const Saved& saved) = nullptr;
  // The active nodes, root first. Null for engines that report what happens to each node.
  std::vector<std::uint32_t> (*path)(const Updates& updates, const Agent& agent) = nullptr;
  // The running behaviours.
  std::vector<std::uint32_t> (*running)(const AgentView& agent) = nullptr;
  // The current behaviour; kNoBehavior if there is none. Null if `behavior` cannot be expected.
  std::uint32_t (*current)(const AgentView& agent) = nullptr;
};

// poll: writes an entry as a line of a trace does; true and false make one of type `bool` where it has no type yet.
// False: it has another type, or no room for the text.
bool write_entry(const Tree& tree, void* block, std::uint32_t entry, const TraceValue& value);
// poll: writes what an answer gives; false: one of them cannot be written, and the update ends with an error.
bool write_outputs(const Call* call, const TraceOutputs& outputs);
// tick: the name of a node's script, that of its node type, which is known in stripped assets too.
const char* script_name(const Asset& asset, std::uint32_t node_word);

const Strategy& strategy_of(EngineId engine);
// "modular and decider trees": those of the engines for which `has` is true.
std::string trees_text(const std::function<bool(EngineId)>& has);

// The functions of behaviours and conditions in several engines: each emits its event, and answers as the trace scripts
// it.
struct HostCalls {
  static void enter(const Call* call);
  static void leave(const Call* call);
  static void interrupt(const Call* call);
  static espalier_result tick(const Call* call);
  static bool ask(const Call* call);
};

extern const Strategy kSelectStrategy;
extern const Strategy kTickStrategy;
extern const Strategy kRuleStrategy;
extern const Strategy kDecideStrategy;
extern const Strategy kStoreStrategy;
extern const Strategy kPollStrategy;

}  // namespace espalier::replay
