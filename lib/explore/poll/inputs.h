// What the host's nodes of trees that poll are given: literals, and entries of blackboards with what they hold.
#pragma once
#include <string>
#include <vector>

#include "explore/engine.h"
#include "explore/given.h"

namespace espalier::explore {

void read_ports(const Side& side, const Call& call, std::vector<Input>& inputs);
// Appends what the inputs of the node depend on: the entries of its ports, and what is known of their values.
void add_port_state(const Side& side, const Call& call, std::string& state);

// See EngineRow::input_entry.
void visit_port_entries(const Tree& tree, std::uint32_t word, const EngineRow::VisitInput& visit);

// Gives the entries of two versions names: those that are used alike have the same ones, whatever they are called.
void name_entries(Side& before, Side& after, const HostFacts& host);

}  // namespace espalier::explore
