// What a session does differently for each engine: one row an engine, and no other place asks which engine it is.
#pragma once
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "replay/session.h"

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
  std::string_view hosted = {};    // what a `host` line answers for: "action, decorator or script"
  std::string_view variable = {};  // "variable"; of deciders "decision flag"
  std::string_view statuses = {};  // what an update can return
  std::string_view runner = {};    // of what `running` is a list: "action"
  bool has_signals = true;         // its trees list the signals that they know
  bool declares_variables = true;  // to set another one is a fault of the trace, not of the host
  bool may_settle = false;         // time alone changes nothing in its agents
  bool keeps_other_sizes = false;  // what is saved of an agent outlives the tree
  bool has_scripts = false;        // its trees hold Lua
  bool prints_steps = false;       // its updates have steps that can be printed by level
  bool forgets_events = true;      // an expectation without events takes those before it, too

  // Of the lines that not all trees accept, those that these do; and what helps where one is refused
  // (null: nothing).
  LineKinds accepts = {};
  std::string_view (*hint)(LineKind kind) = nullptr;
  // What the host may answer for a name, which may be a behaviour's.
  AnswerForms (*forms)(bool may_be_behavior) = nullptr;

  // The functions of each behaviour and of each condition, and the host's own.
  Behavior behavior = {};
  Behavior condition = {};
  Host host = {};
  // A name that comes before a behaviour's own in answers; empty: none. May be null.
  std::string (*full_name)(const Call* call) = nullptr;
  // Names and places of a tree that is new to the session. May be null.
  void (*names)(Session& session) = nullptr;
  // Is the tree one that others use, and called as its file is? Null: no tree is.
  bool (*is_used)(const Tree& tree) = nullptr;

  // Runs a line that only these trees accept. May be null.
  std::optional<LineFault> (*run)(Session& session, const Line& line) = nullptr;
  // Gives the current agent a signal that its tree knows.
  void (*signal)(Session& session, std::uint32_t signal, const void* data) = nullptr;
  // Updates the current agent. True: it did nothing at all, so that another update with nothing in between would not
  // either.
  bool (*update)(Session& session, Agent& agent) = nullptr;
  // Keeps what there is of the current agent beside its block, and puts an agent back; false when that is not possible,
  // which is then told. Null: the block is all there is.
  bool (*save)(Session& session, const Line& line, Saved& saved) = nullptr;
  bool (*restore)(Session& session, const Line& line, const Saved& saved) = nullptr;
  // The behaviours that run.
  std::vector<std::uint32_t> (*running)(const AgentView& agent) = nullptr;
  // The behaviour that is current; kNoBehavior: there is none. Null where `behavior` cannot be expected.
  std::uint32_t (*current)(const AgentView& agent) = nullptr;
};

const Strategy& strategy_of(EngineId engine);
// "modular and decider trees": those of the engines that `has` names.
std::string trees_text(const std::function<bool(EngineId)>& has);

// What behaviours and conditions do in several engines: each emits its event, and answers what the trace says.
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

}  // namespace espalier::replay
