// Why a node of a tree that polls fails, succeeds or is skipped without being ticked, or is skipped after it was.
#pragma once
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "replay/event.h"
#include "replay/names.h"

namespace espalier::report {

// The name of the script, or "ticked".
std::string_view skip_cause(const NodeStep& step);
// "skips Charge", "fails Charge"; empty if it says no more than another step does. `step` is a skip.
std::string skip_words(const replay::AgentView& agent, const NodeStep& step);
// "_skipIf is true: docked = 1, level = 0.9  (robot.xml:14)": with the entries that the script reads. Those among
// `inferred`, by the keys of events, are marked.
std::string skip_reason(const replay::AgentView& agent, const NodeStep& step,
                        const std::set<std::string, std::less<>>& inferred = {});
// Is what a node writes (an event `set` of an observer that watches) inferred: as it is an output of the program's, or
// computed from entries that are? `is_inferred`: as StoryOptions::is_inferred.
bool is_inferred_write(const replay::Event& event,
                       const std::function<bool(std::uint64_t time_us, std::uint32_t node_word)>& is_inferred,
                       const std::set<std::string, std::less<>>& inferred);
// The entry that a key of the tree stands for now, as events name it: "docked", "north/docked".
std::string entry_key(const replay::AgentView& agent, std::uint32_t key);
inline constexpr std::string_view kInferred = " (inferred)";

}  // namespace espalier::report
