// What exploration needs to know of an engine: one row each. No other code checks which engine it is.
#pragma once
#include <cstdint>
#include <espalier/espalier.hpp>
#include <functional>
#include <vector>

#include "explore/results.h"
#include "explore/world.h"
#include "runtime/format/opcode.h"

namespace espalier::explore {

// By what a node's question is found when it is asked.
enum class NodeAsks : std::uint8_t { behavior, condition, script };

struct EngineRow {
  // The functions of behaviours and conditions, and the host's own. Call::host->user is a Run, see run.h.
  Behavior behavior = {};
  Behavior condition = {};
  Host host = {};
  // Calls visit for each node of the tree that may call a behaviour or ask a condition or script, and what is asked.
  using VisitQuestion =
      std::function<void(const Question& question, std::uint32_t id, NodeAsks asks, std::uint32_t word)>;
  void (*questions)(const Tree& tree, const VisitQuestion& visit) = nullptr;
  // How many agents it takes to reach what one alone cannot. Null: one does.
  std::uint32_t (*agents)(const Tree& tree) = nullptr;
  // Are the states of this tree functions on diagrams (selecting.h)? Null: never.
  bool (*uses_diagrams)(const Tree& tree, Method method) = nullptr;
  bool has_signals = false;    // that change its agents
  bool has_variables = false;  // that the host may set
  bool has_flags = false;      // its variables are decision flags
  bool has_jumps = false;
  bool has_slots = false;
  // Fills what the other functions need of a side. May be null.
  void (*prepare)(Side& side) = nullptr;
  // Times from now on, in microseconds, at which a wait, a timeout or a comparison of this agent changes its answer.
  void (*waits)(const Side& side, const unsigned char* block, const unsigned char* shared,
                std::vector<std::uint64_t>& waits_us) = nullptr;
  // After `passed_us` went by: makes the block's times relative to kNow again, and clears what cannot matter any more,
  // so that equal states have equal bytes.
  void (*settle)(const Side& side, unsigned char* block, std::uint64_t passed_us) = nullptr;
  // The same for what agents share. May be null.
  void (*settle_shared)(const Side& side, unsigned char* shared, std::uint64_t passed_us) = nullptr;
};

const EngineRow& row_of(EngineId engine);

}  // namespace espalier::explore
