// What exploration needs to know of an engine: one row each. No other code checks which engine it is.
#pragma once
#include <cstdint>
#include <espalier/espalier.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "explore/hash.h"
#include "explore/places.h"
#include "explore/results.h"
#include "explore/world.h"
#include "runtime/format/kinds.h"

namespace espalier::explore {

// By what a node's question is found when it is asked.
enum class NodeAsks : std::uint8_t { behavior, condition, script };

// 8 bytes of a block: a time of the clock plus `added`.
struct TimeField {
  unsigned char* bytes = nullptr;
  std::uint64_t added = 0;
};

// What settle() adds the times to, with rooms that it uses from one state to the next. They are no variables of
// threads: programs by MinGW-w64 end a thread's variables after their memory.
struct Settling {
  struct Node {
    const std::uint32_t* node = nullptr;
    std::uint32_t number = 0;
    std::uint64_t time_us = 0;
  };
  std::vector<TimeField> times;
  std::vector<Node> nodes;
  std::vector<std::uint32_t> words;
  std::vector<unsigned char> bytes;
  std::vector<std::uint64_t> rests_us;
};

// A precondition over decision flags: all of those in `mask` are as in `value`, or any.
struct FlagTest {
  std::uint64_t mask = 0;
  std::uint64_t value = 0;
  bool is_any = false;
  bool operator==(const FlagTest&) const = default;
};

// What a host may write to entries and outputs.
enum class HostWrites : std::uint8_t { nothing, numbers, texts };

struct Input;  // given.h
struct Slice;  // slice.h
struct SliceQuestion;

// A way in which a branch may end: what its bytes are then, and what it has answered.
struct BranchEnd {
  std::vector<std::uint64_t> words = {};  // of its places
  std::uint8_t status = 0;
  std::uint8_t fault = 0;                 // with which the update fails there; 0: it does not
  std::vector<std::uint64_t> marks = {};  // of all the ways that end so
  bool operator==(const BranchEnd&) const = default;
};

// A branch is a part of a tree that runs beside others. What it does in an update depends on the bytes of a block that
// are its own and on the answers of the host, and changes no others: it is walked once for all states in which these
// bytes are equal. The functions are of a tree of which each node is asked about once in an update.
struct BranchRow {
  // The number of the branch that a node is in; kNoValue: in none.
  std::uint32_t (*branch_of)(const Side& side, std::uint32_t word) = nullptr;
  // For which it asks the host, of World::names(), once for each node; empty: there is no such branch.
  std::vector<std::uint32_t> (*names)(const Side& side, std::uint32_t branch) = nullptr;
  // Its own bytes.
  const Places& (*places)(const Side& side, std::uint32_t branch) = nullptr;
  // Adds what else a branch does depends on, from where the host is asked: what is told of it by `rest`
  // (EngineRow::rest_of_update).
  void (*add_key)(const Side& side, std::uint32_t branch, const std::string& rest, std::string& key) = nullptr;
  // Goes on from there until the branch has answered. False: it does not, or changes other bytes than its own.
  // `before`: the block as it is now.
  bool (*walk)(const Side& side, std::uint32_t branch, unsigned char* block, const unsigned char* before,
               const std::string& rest, const Host& host, const Watcher& watcher, BranchEnd& end) = nullptr;
  // Does the rest of the update after the branch has ended so. `visits`: what it has looked at, for places_of(); null:
  // nobody asks.
  Result (*leave)(const Side& side, std::uint32_t branch, unsigned char* block, const std::string& rest,
                  const BranchEnd& end, const Host& host, const Watcher& watcher, Visits* visits) = nullptr;
  // The same from where the host is asked: asks again.
  Result (*go_on)(const Side& side, unsigned char* block, const std::string& rest, const Host& host,
                  const Watcher& watcher, Visits* visits) = nullptr;
  // Does an update, which may end with `stopped`: see EngineRow::go_on.
  Result (*begin)(const Side& side, unsigned char* block, const Host& host, const Watcher& watcher,
                  Visits* visits) = nullptr;
  // Is it known of this tree what its updates look at?
  bool (*is_known)(const Side& side) = nullptr;
  // All bytes that what was looked at depends on, or changes, from one block to the other. None: that is not known.
  std::optional<Places> (*places_of)(const Side& side, const Visits& visits, const unsigned char* before,
                                     const unsigned char* after) = nullptr;
};

struct EngineRow {
  // The functions of behaviours and conditions, and the host's own. Call::host->user is a Run, see run.h.
  Behavior behavior = {};
  Behavior condition = {};
  Host host = {};
  // Calls visit for each node of the tree that may call a behaviour or ask a condition or script, and what is asked.
  using VisitQuestion =
      std::function<void(const Question& question, std::uint32_t id, NodeAsks asks, std::uint32_t word)>;
  void (*questions)(const Tree& tree, const VisitQuestion& visit) = nullptr;
  // Calls visit for each test of decision flags. Null: there are none.
  void (*flag_tests)(const Tree& tree, const std::function<void(const FlagTest& test)>& visit) = nullptr;
  // Can the tree with this index be put into a slot of an agent, so that it may run there? Null: the agents have none.
  bool (*may_inject)(const Tree& tree, std::uint32_t slot, std::uint32_t injected) = nullptr;
  // Was the node idle before this question? Null: nothing depends on it.
  bool (*was_idle)(const Side& side, unsigned char* block, std::uint32_t word) = nullptr;
  // How many agents it takes to reach what one alone cannot, and how many of them are explored. Null: one is enough.
  struct Agents {
    std::uint32_t needed = 1;
    std::uint32_t explored = 1;
  };
  Agents (*agents)(const Tree& tree) = nullptr;
  // Are the states of this tree found as functions (select/selecting.h)? Null: never.
  bool (*uses_formulas)(const Tree& tree, Method method) = nullptr;
  // Finds the conditions of differences between two versions, if they have any. Null: they have none.
  void (*find_conditions)(const World& world, const Options& options, std::vector<Difference>& differences) = nullptr;
  bool has_signals = false;    // that change its agents
  bool has_variables = false;  // that the host may set
  bool has_flags = false;      // its variables are decision flags
  bool has_jumps = false;
  // Halts an agent, whose nodes may begin others then. Null: the host may not.
  void (*halt)(const Tree& tree, void* block, const Host& host, const Watcher& watcher) = nullptr;
  // The same for an agent that hears nothing of it, and of which no node begins or ends then. False: nothing is done.
  // Null: there is none.
  bool (*halt_quietly)(const Side& side, unsigned char* block) = nullptr;
  // Of each time that settle() lists, is all that matters whether it has ended? See Facts::has_free_times. Null: no.
  bool (*has_ends_alone)(const Side& side) = nullptr;
  // Each question in an update may get another answer, see Choices::wide; else only each node's.
  bool asks_anew = false;
  // Does all that follows in an update of an agent depend only on where a step is told, and on what this adds to `key`
  // (unless that is null) of the agent? Other steps only change `failed`, which is kept for it during the update. Where
  // updates come to the same point with the same key, one of them is followed. Null: there are no such steps.
  bool (*is_point)(const Side& side, const unsigned char* block, const DecideStep& step,
                   std::vector<std::uint64_t>& failed, std::string* key) = nullptr;
  // The same where the host is asked: false where the rest of the update depends on more than the block, the answers
  // and what this adds to `key`. Null: that is so everywhere.
  bool (*rest_of_update)(const Call& call, std::string& key) = nullptr;
  // Do ways through an update meet at such points so often that wide choices are tried before all plain ones?
  bool meets_often = false;
  // Does the rest of an update from there on: asks again. `rest` is what rest_of_update() has added; the block is as it
  // was then. Null: updates always begin anew.
  Result (*go_on)(const Side& side, unsigned char* block, const std::string& rest, const Host& host,
                  const Watcher& watcher) = nullptr;
  // May go_on() end where the host is asked, with `stopped`, if Run::gives_up()?
  bool gives_up = false;
  // Null: there are none.
  const BranchRow* branches = nullptr;
  // See slice.h. Null: there are none.
  std::unique_ptr<const Slice> (*slice)(const Tree& tree, const SliceQuestion& question,
                                        const HostFacts& host) = nullptr;
  // Fills what the other functions need of a side. May be null.
  void (*prepare)(Side& side, const Facts& facts) = nullptr;
  // What the node of a call is given. Null: nothing. And what that depends on besides the node, as bytes that are
  // appended; null: on nothing.
  void (*inputs)(const Side& side, const Call& call, std::vector<Input>& inputs) = nullptr;
  void (*input_state)(const Side& side, const Call& call, std::string& state) = nullptr;
  // Calls visit for each input of a host's node that an entry of a blackboard gives: with the node's name for the host,
  // the input's, and the entry's as in `variables` of a trace. Null: there are none.
  using VisitInput = std::function<void(std::string_view name, std::string_view input, std::string_view entry)>;
  void (*input_entry)(const Tree& tree, std::uint32_t word, const VisitInput& visit) = nullptr;
  // Gives the entries of two versions names, see Side::entry_names. Null: there are no entries.
  void (*name_entries)(Side& before, Side& after, const HostFacts& host) = nullptr;
  // The values that a host may write to entries and outputs. Null: there are none.
  HostValues (*host_values)(const Side& side, const HostFacts& host) = nullptr;
  // How many of the first bytes of a block may ever be used, or looked at. Null: all.
  std::uint32_t (*used_bytes)(const Side& side, HostWrites writes) = nullptr;
  // Times from now on, in microseconds, at which a wait, a timeout or a comparison of this agent changes its answer;
  // and 0 where an update before all of them is a plain choice.
  void (*waits)(const Side& side, const unsigned char* block, const unsigned char* shared,
                std::vector<std::uint64_t>& waits_us) = nullptr;
  // All durations of the tree, in microseconds. Null: there are none.
  void (*durations)(const Side& side, std::vector<std::uint64_t>& durations_us) = nullptr;
  // The state of an agent's random numbers. Null: no tree of the engine draws any.
  std::uint64_t (*generator)(const Side& side, const unsigned char* block) = nullptr;
  // After `passed_us` went by: makes the block's times relative to kNow again, and clears what cannot matter any more,
  // so that equal states have equal bytes. Adds the times: with the durations, states whose times differ in nothing
  // that can matter become equal, see regions.h.
  void (*settle)(const Side& side, unsigned char* block, const unsigned char* shared, std::uint64_t passed_us,
                 Settling& settling) = nullptr;
  // The same after the host has written an entry of a block that was settled, and no time has passed. False: settle()
  // is needed. Null: always.
  bool (*settle_entry)(const Side& side, unsigned char* block, std::uint32_t entry) = nullptr;
  // Clears the value of an entry; the result tells it, and its entry, from all others. What the host writes to the
  // entry replaces the value and does not depend on it. Null: there are no entries.
  Hash (*take_value)(const Side& side, unsigned char* block, std::uint32_t entry) = nullptr;
  // What a write of an entry changes, and what it depends on; then settle_entry() does no more either. Null: it is more
  // than that, or there are no entries.
  const Places* (*entry_places)(const Side& side, std::uint32_t entry) = nullptr;
  // As settle(), for what agents share, after their blocks. May be null.
  void (*settle_shared)(const Side& side, unsigned char* state, std::uint64_t passed_us, Settling& settling) = nullptr;
};

const EngineRow& row_of(EngineId engine);

}  // namespace espalier::explore
