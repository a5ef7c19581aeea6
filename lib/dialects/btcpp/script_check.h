// What can be said of a script without running it: the entries that it uses, and what throws or is constant whatever
// they hold.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dialects/btcpp/script.h"
#include "text/finding.h"

namespace espalier::dialects::btcpp {

// Names for numbers, which come before entries of the same name.
using Enumeration = std::map<std::string, double, std::less<>>;

enum class EntryUse : std::uint8_t { read, create, assign };

struct ScriptUse {
  std::string_view name;  // in the script's expressions
  EntryUse use = EntryUse::read;
  std::uint32_t begin = 0;  // bytes of the script
  std::uint32_t end = 0;
  bool is_joined = false;  // read: as a text
  bool is_text = false;    // create, assign: the value is certainly a text
  bool is_number = false;  // the same, a number
};

struct ScriptFinding {
  text::Rule rule;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::string message;
  std::string hint = {};
};

struct CheckedScript {
  std::vector<ScriptUse> uses;  // in the order in which they happen
  std::vector<ScriptFinding> findings;
  std::optional<bool> truth;  // of a condition that is always true or always false
};

// The script must have no fault, and outlive the result.
[[nodiscard]] CheckedScript check_script(const Script& script, const Enumeration& enumeration, bool is_condition);

}  // namespace espalier::dialects::btcpp
