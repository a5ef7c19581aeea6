// `expect` lines: compares expected values with actual ones.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "replay/compiled_expectation.h"
#include "replay/session.h"

namespace espalier::replay {

class Expectations {
 public:
  explicit Expectations(Session& session) : session_(session) {}

  // Checks an `expect` line for every agent that it applies to. `failures` gets the mismatches, with spans in `text`,
  // the line. Returns a fault if the line expects something that is not available.
  [[nodiscard]] std::optional<LineFault> check(std::string_view text, const Line& line, std::vector<Failure>* failures);

 private:
  // No agent: a key of all agents.
  void compare(const Check& check, const Observed& observed, std::optional<std::uint32_t> agent);
  void fail(const Check& check, const Observed& observed, std::optional<std::uint32_t> agent);

  Session& session_;
  ExpectationCompiler compiler_;
  std::string_view text_;  // of the line being checked
  std::vector<Failure>* failures_ = nullptr;
};

}  // namespace espalier::replay
