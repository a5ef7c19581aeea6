// A machine with its scripts, for tests.
#pragma once
#include <cstdint>
#include <espalier/espalier.hpp>
#include <string>
#include <vector>

#include "script/machine.h"

namespace espalier::test {

// An asset whose scripts are these, in order. `asset` is a view of `words`; neither may move.
struct Scripts {
  explicit Scripts(const std::vector<std::string>& texts);
  Scripts(const Scripts&) = delete;
  Scripts& operator=(const Scripts&) = delete;

  std::vector<std::uint64_t> words;
  Asset asset;
};

// Runs one script for one agent, number 0, whose name is "first".
script::Outcome run_alone(const std::string& text, const script::Limits& limits = {});

// "true", "false", or the error: "error: ...".
std::string told(const script::Outcome& outcome);

}  // namespace espalier::test
