// How many bytes recordings take.
#pragma once
#include <espalier/espalier.hpp>

namespace recorded {

// Prints the bytes of an hour of an agent, and how often they are written, one of so many of the asset's first tree.
// `at_random`: numbers that the program tells change to any other one, not by one.
void record_hour(const espalier::Asset& asset, bool at_random, std::uint32_t agent_count);

}  // namespace recorded
