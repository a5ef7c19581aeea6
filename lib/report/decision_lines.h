// What a run decides that no status shows, a line each: which nodes are skipped, fail or succeed without being ticked,
// and why, and what nodes write to entries. For programs that are watched while they run, of trees that poll.
#pragma once
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "replay/event.h"

namespace espalier::report {

class DecisionLines {
 public:
  // `name_of`: a node, by its word.
  explicit DecisionLines(std::function<std::string(std::uint32_t)> name_of) : name_of_(std::move(name_of)) {}

  // Is a value inferred, as StoryOptions::is_inferred?
  void set_inferred(std::function<bool(std::uint64_t, std::uint32_t)> is_inferred) {
    is_inferred_ = std::move(is_inferred);
  }
  // Events with the steps of updates (replay::Observer::watches).
  void event(const replay::Event& event);
  // The lines since the last call: "north/Greet is skipped: _skipIf is true: round = 0  (patrol.xml:20)", "Script
  // writes mode = patrol".
  std::vector<std::string> take() { return std::exchange(lines_, {}); }

 private:
  void tell_skip(const replay::Event& event, const NodeStep& step);
  void tell_write(const replay::Event& event);

  const std::function<std::string(std::uint32_t)> name_of_;
  std::function<bool(std::uint64_t, std::uint32_t)> is_inferred_;
  using Skips = std::set<std::pair<std::uint32_t, std::uint32_t>>;  // node and reason
  Skips skipped_before_;                                            // in the last update: told once
  Skips skipped_;
  std::set<std::string, std::less<>> inferred_;  // entries
  std::vector<std::string> lines_;
};

}  // namespace espalier::report
