// The debug output of a replay: what each update does, one line a step, with its level, its agent, the clock, and an
// indent by depth. Levels, each with all those before it:
//   1  behaviours and actions that start, with their parameters
//   2  those that end, fail or are refused; errors
//   3  updates with their status; signals and variables; actions that continue
//   4  nodes and rules that begin, complete or are interrupted
//   5  answers of conditions and scripts; nodes that are skipped, or reset
// Deciders have steps of their own on these levels: see <espalier/deciders.h>.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/dump/written_conditions.h"
#include "replay/event.h"
#include "replay/names.h"

namespace espalier::report {

inline constexpr unsigned kMaxDebugLevel = 5;

class DebugLines {
 public:
  // Called with each line, without a line break.
  using Write = std::function<void(std::string_view line)>;

  // Lines up to `level` are written.
  explicit DebugLines(unsigned level) : level_(level) {}

  // Writes the line of an event, if it has one. Needs the events of an observer with `watches`.
  void event(const replay::Event& event, const Write& write);

 private:
  void decide_step(const replay::Event& event, const DecideStep& step, const Write& write) const;
  void node_step(const replay::Event& event, const NodeStep& step, const Write& write);
  void rule_step(const replay::Event& event, const NodeStep& step, const Write& write);
  void condition_step(const replay::Event& event, const Step& step, const Write& write);
  void line(const replay::Event& event, unsigned level, std::size_t depth, std::string_view words,
            const Write& write) const;
  // Of the rule that was run last.
  std::size_t rule_depth(const Tree& tree) const;
  // Of a node in its unit; the root has 0.
  std::size_t depth_of(const Asset& asset, std::uint32_t node_word);

  unsigned level_;
  std::uint64_t passed_us_ = 0;                                // in this update: since the agent's last one
  std::map<std::uint32_t, std::uint64_t> last_us_;             // by agent: the time of its last update
  std::uint32_t rule_ = kNoRule;                               // trees of rules: the one that was run last
  std::map<const Asset*, std::vector<std::uint16_t>> depths_;  // by the first words of nodes
};

// A condition that was tested, with its result: "Attack: Alerted and !Hurt is true  (guard.xml:12)".
// `written`: may be null.
std::string condition_step_text(const Tree& tree, const Step& step, codegen::WrittenConditions* written = nullptr);

}  // namespace espalier::report
