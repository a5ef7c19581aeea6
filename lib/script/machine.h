// Runs the scripts of an asset for the agents of one replay: an environment for each agent, limits for each run, errors
// as values. A state of Lua is made when the first script runs, an agent's environment when its first one does.
//
//   Machine machine(asset, seed);
//   machine.add_agent(0, "0");
//   const Outcome outcome = machine.run(0, script);    // script: of the asset, below script_count(asset)
//
// What scripts find: the global `entity`, a table for the agent's whole life, while a script runs; and of Lua 5.4 the
// basic functions, `string`, `table`, `math` and `utf8`, but for what reaches outside, loads bytecode or cannot be
// limited: no `os`, `io`, `package`, `require`, `debug`, `coroutine`, `dofile`, `collectgarbage`, `string.pack`.
// `print` goes nowhere. What would differ between two runs does not: `pairs` goes through numbers, then strings in
// their order, then tables and functions in the order in which they were made; `tostring` numbers tables instead of
// giving their address; `math.random` draws from a generator of the agent's scripts alone, which begins with the seed
// and the agent's number.
#pragma once
#include <cstdint>
#include <espalier/espalier.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "script/limits.h"

namespace espalier::script {

class State;

// What came of a script.
struct Outcome {
  bool truth = false;                // its first result is true, or a number other than 0
  std::optional<std::string> error;  // one line, with the script's own line when it has several; then truth is false
  std::string hint = {};             // what helps with the error; may be empty
  std::uint64_t step_count = 0;      // that it took
};

// What the scripts of one agent have made, kept for restore(). Copies are of the same snapshot.
class Snapshot {
 private:
  friend class Machine;
  std::shared_ptr<const int> tables_;  // null: no script had run; else where the state keeps them
  std::uint64_t random_ = 0;
  std::size_t longest_string_bytes_ = 0;
  std::size_t largest_block_bytes_ = 0;
};

class Machine {
 public:
  // The asset's bytes must stay where they are, until use() names another one.
  explicit Machine(const Asset& asset, std::uint64_t seed = 1, const Limits& limits = {});
  ~Machine();
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  // From now on scripts are those of `asset`; agents keep what they have.
  void use(const Asset& asset);

  // Begins an agent anew, with nothing of what one of this number had.
  void add_agent(std::uint32_t agent, std::string_view name);
  void remove_agent(std::uint32_t agent);
  // Of an agent that was not added: as of one that was, without a name.
  Outcome run(std::uint32_t agent, std::uint32_t script);

  // Everything that the agent's scripts can reach: variables, tables, what functions have kept. Nothing: it does not
  // fit in the memory of scripts.
  std::optional<Snapshot> save(std::uint32_t agent);
  // Puts back what was saved of this agent. False: there is no memory left.
  bool restore(std::uint32_t agent, const Snapshot& snapshot);

 private:
  struct Agent;
  struct Script;
  struct Call;
  Agent& agent(std::uint32_t index);
  // Makes the state where there is none yet. Null: there is no memory for it.
  State* state();
  void forget(Agent& agent);
  Outcome failure(std::uint32_t script, std::string_view text) const;

  Asset asset_;
  std::uint64_t seed_;
  Limits limits_;
  std::shared_ptr<State> state_;
  std::vector<Agent> agents_;
  std::vector<Script> scripts_;  // by their number in the asset
};

}  // namespace espalier::script
