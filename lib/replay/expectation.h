// `expect` lines: compares expected values with actual ones.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "replay/compiled_expectation.h"
#include "replay/session.h"

namespace espalier::replay {

class Expectations {
 public:
  explicit Expectations(Session& session);

  // Checks an `expect` line for every agent that it applies to. `failures` gets the mismatches, with spans in `text`,
  // the line. Returns the faults of a line that expects something that is not available, or a name that no tree has: it
  // would never match, or always under `not`. With `may_be_unknown` such names only fail.
  [[nodiscard]] std::vector<LineFault> check(std::string_view text, const Line& line, bool may_be_unknown,
                                             std::vector<Failure>* failures);
  // Only its faults.
  [[nodiscard]] std::vector<LineFault> check_names(const Line& line);

 private:
  // Compiles each key for each tree, and calls `compare` for each agent.
  using Compare = std::function<void(const Check& check, std::optional<std::uint32_t> agent)>;
  std::vector<LineFault> compile(const Line& line, const Compare& compare);
  std::vector<ObservedAgent> all_agents() const;
  // No agent: a key of all agents.
  void compare(const Check& check, const Observed& observed, std::optional<std::uint32_t> agent);
  void fail(const Check& check, const Observed& observed, std::optional<std::uint32_t> agent);

  Session& session_;
  ExpectationCompiler compiler_;
  std::string_view text_;  // of the line being checked
  std::vector<Failure>* failures_ = nullptr;
};

}  // namespace espalier::replay
