// Runs the scripts of an asset for the agents of one replay: an environment for each agent, limits for each run, errors
// as values. The Lua state is created when the first script runs, an agent's environment when its first script runs.
//
//   Machine machine(asset, seed);
//   machine.add_agent(0, "0");
//   const Outcome outcome = machine.run(0, script);    // script: of the asset, below script_count(asset)
//
// An agent's first script is preceded by the preludes of the asset. A global that neither they nor the sandbox define
// is looked up in the host's functions, and so is a field of `entity`.
//
// Scripts can use the global `entity`, a table that lives as long as the agent; and of Lua 5.4 the basic functions,
// `string`, `table`, `math` and `utf8`, except what has access to the outside, loads bytecode or cannot be limited:
// there is no `os`, `io`, `package`, `require`, `debug`, `coroutine`, `dofile`, `collectgarbage` or `string.pack`.
// `print` does nothing. Every run gives the same results: `pairs` visits numbers, then strings in their order, then
// tables and functions in the order of their creation; `tostring` numbers tables instead of giving their address;
// `math.random` draws from a generator for the scripts of this agent, which is seeded with the seed and the agent's
// number.
#pragma once
#include <cstdint>
#include <espalier/espalier.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "script/host.h"
#include "script/limits.h"

namespace espalier::script {

class State;

// The outcome of a script.
struct Outcome {
  bool truth = false;                // its first result is true, or a number other than 0
  std::optional<std::string> error;  // one line, with the script's own line when it has several; then truth is false
  std::string hint = {};             // for the error; may be empty
  std::uint64_t step_count = 0;      // steps that it took, and the preludes that ran before it
  std::vector<std::string> prelude_errors = {};  // of those
};

// The state of one agent's scripts, saved for restore(). Copies refer to the same snapshot.
class Snapshot {
 private:
  friend class Machine;
  std::shared_ptr<const int> tables_;  // null: no script had run; else a reference in the Lua state
  std::uint64_t random_ = 0;
  std::size_t longest_string_bytes_ = 0;
  std::size_t largest_block_bytes_ = 0;
  std::uint32_t generation_ = 0;  // of the preludes that had run
};

class Machine {
 public:
  // The bytes of the asset must not move until use() is called with another asset.
  explicit Machine(const Asset& asset, std::uint64_t seed = 1, const Limits& limits = {},
                   const HostFunctions& host = {});
  ~Machine();
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  // From now on scripts are those of `asset`; agents keep their state. Preludes that differ run again, in each agent
  // before its next script.
  void use(const Asset& asset);

  // Starts an agent with an empty state, even if there was an agent with this number before.
  void add_agent(std::uint32_t agent, std::string_view name);
  void remove_agent(std::uint32_t agent);
  // An agent that was not added is treated as one without a name.
  Outcome run(std::uint32_t agent, std::uint32_t script);

  // Everything that the agent's scripts can reach: variables, tables, upvalues of functions. Empty: it does not fit in
  // the memory limit of scripts.
  std::optional<Snapshot> save(std::uint32_t agent);
  // Restores a snapshot of this agent. False: not enough memory.
  bool restore(std::uint32_t agent, const Snapshot& snapshot);

 private:
  struct Agent;
  struct Script;
  struct Call;
  Agent& agent(std::uint32_t index);
  Outcome run_chunk(std::uint32_t index, std::uint32_t chunk);
  std::string_view text_of(std::uint32_t chunk) const;
  // Creates the state if necessary. Null: not enough memory.
  State* state();
  void forget(Agent& agent);
  Outcome failure(std::uint32_t script, std::string_view text) const;

  Asset asset_;
  std::uint64_t seed_;
  Limits limits_;
  HostFunctions host_;
  std::shared_ptr<State> state_;
  std::vector<Agent> agents_;
  std::vector<Script> scripts_;        // by their number in the asset, then the preludes
  std::vector<std::string> preludes_;  // their sources
  std::vector<std::string> prelude_files_;
  std::uint32_t first_prelude_ = 0;  // in scripts_
  std::uint32_t generation_ = 0;     // of the preludes
};

}  // namespace espalier::script
