// The state of agents of synchronized trees, as values and as text for people: places in gates, seats and roles in
// groups, barriers; and why a node fails on entry.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/branch.h"
#include "runtime/store/group.h"

namespace espalier::report {

// The seat of an agent in a group.
struct SeatView {
  std::uint32_t node_word = 0;  // the group
  GroupState state = GroupState::waits;
  std::uint32_t role = 0;  // while it works or is done
  std::uint64_t arrived_us = 0;
};

std::vector<SeatView> seats_of(const AgentView& agent);
std::optional<SeatView> seat_in(const AgentView& agent, std::uint32_t group_word);
// Does the root of the agent's own tree have a result?
bool is_root_done(const AgentView& agent);

// "Gate Grenade", "Action Throw", "Monitor HeardNoise": the element and what identifies it, as far as the asset has it.
std::string store_node_name(const Asset& asset, std::uint32_t node_word);
// The same, with the place in the file if it has no name: "Cooldown (squad.xml:18)".
std::string store_node_place(const Asset& asset, std::uint32_t node_word);
// The name of the role with this number: "Decoy", or "role 1".
std::string role_name(const Asset& asset, std::uint32_t group_word, std::uint32_t role);

// The roles of the other agents: "agent 1 is Decoy". Empty if none can be named.
std::string others_text(const AgentView& agent, std::uint32_t group_word);
// For a barrier at which the agent waits: "for Decoy and Driver".
std::string barrier_text(const AgentView& agent, std::uint32_t barrier_word);
// Why a node failed as it was entered; empty if its children or the host report the reason.
std::string refusal_text(const AgentView& agent, std::uint32_t node_word);
// How the group ended in which the agent had this seat before.
std::string ending_text(const AgentView& agent, const std::optional<SeatView>& before, std::uint32_t group_word,
                        bool has_succeeded);

}  // namespace espalier::report
