// An agent of a session, and the tree that it has.
#pragma once
#include <cstdint>
#include <espalier/espalier.hpp>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "replay/answers.h"
#include "replay/line.h"
#include "replay/places.h"
#include "replay/replay.h"
#include "replay/swaps.h"
#include "script/machine.h"

namespace espalier::replay {

struct Strategy;

// Why a line cannot be executed.
using Faults = std::optional<LineFault>;

struct AgentState {
  std::vector<std::uint64_t> block;
  std::optional<Result> status;      // of the last update
  bool is_refused = false;           // select: the host refused the selected behaviour
  std::vector<std::uint32_t> queue;  // tick: events for its next update
};

// What `save` keeps of an agent, for `restore`.
struct Saved {
  AgentState state;
  script::Snapshot scripts;  // tick
  Position position;         // rule: only this is restored
};

// The inputs of all nodes of a name.
using InputsByName = std::map<std::string, std::set<std::string, std::less<>>, std::less<>>;

// A tree that agents have, and what they have in common.
struct BoundTree {
  Tree tree;
  const Strategy* strategy = nullptr;
  std::vector<Behavior> behaviors;
  std::vector<Behavior> conditions;  // of the host
  std::vector<std::string_view> behavior_names;
  std::vector<std::string_view> condition_names;
  std::map<std::string, bool, std::less<>> host_names;  // valid names of `host` lines; true: a behaviour
  std::vector<std::uint64_t>* shared = nullptr;         // the block that its agents share
  std::vector<std::uint64_t> scratch;                   // decide: for updates
  std::unique_ptr<const Places> places = nullptr;       // made when a `host` line names a place
  std::optional<InputsByName> inputs;                   // poll: made when a `host` line names one
};

// What the host does to an agent when a signal arrives while a behaviour is active: how the behaviour's own function
// for events acts.
struct Reaction {
  std::string behavior;
  std::string signal;
  std::optional<DataTest> data;  // none: whatever data the signal has
  std::shared_ptr<const std::vector<Line>> acts;
  bool is_running = false;
};

// The nodes of an agent that were completed last, for `print`.
struct Recent {
  Completed entries[16];
  History history;
};

struct Agent {
  BoundTree* bound = nullptr;
  AgentState state;
  AnswersByName answers;
  UnusedEntries unused_entries;
  bool has_placed_answers = false;
  std::uint64_t answer_bytes = 0;  // that answers and reactions take
  std::vector<Reaction> reactions;
  std::unique_ptr<Swaps> swaps;    // null: not counted yet
  std::unique_ptr<Recent> recent;  // null: nothing was completed yet, or there are too many agents

  void* block() { return state.block.data(); }
  [[nodiscard]] const void* block() const { return state.block.data(); }
};

// The places of nodes of a tree, which are made when they are first asked for.
const Places& places_of(BoundTree& bound);

}  // namespace espalier::replay
