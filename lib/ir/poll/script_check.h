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

#include "ir/poll/releases.h"
#include "ir/poll/script.h"
#include "text/finding.h"

namespace espalier::ir::poll {

// Names for numbers, which come before entries of the same name.
using Enumeration = std::map<std::string, double, std::less<>>;

// What a program says of its trees that poll.
struct ProgramFacts {
  Enumeration enums;
  std::optional<std::vector<std::string>> entries;  // of main trees that the program writes, sorted; none: any
  bool has_nav2 = false;                            // espalier.json declares Nav2's nodes, for this release
  Nav2Release nav2_release = Nav2Release::main;
  bool has_text_literals = false;   // those of SubTrees are texts, as before 4.9.1
  bool takes_equal_paths = false;   // two SubTrees may have one path, as before 4.8.4
  bool ticks_exactly_once = false;  // a signal does not make an update start again from the root
  std::uint32_t text_bytes = 64;    // the longest text that an entry of a compiled tree can hold
  std::uint32_t named_entries = 8;  // that an agent of such a tree can have whose names nothing but other entries has
};

enum class EntryUse : std::uint8_t { read, create, assign };

// What an entry certainly holds.
struct Constant {
  double number = 0;
  bool is_whole = false;
  std::optional<std::string> text = {};  // else it is a number
};
using Constants = std::map<std::string, Constant, std::less<>>;

struct ScriptUse {
  std::string_view name;  // in the script's expressions
  EntryUse use = EntryUse::read;
  std::uint32_t begin = 0;  // bytes of the script
  std::uint32_t end = 0;
  bool is_joined = false;              // read: as a text
  bool is_operand = false;             // read: where a text throws
  bool is_kept = false;                // assign: the value before matters, as for '+='
  bool is_text = false;                // create, assign: the value is certainly a text
  bool is_number = false;              // the same, a number
  std::optional<Constant> value = {};  // the same: what is assigned or, as for '+=', added
};

struct ScriptFinding : ScriptFault {
  text::Rule rule;
};

struct CheckedScript {
  std::vector<ScriptUse> uses;  // in the order in which they happen
  std::vector<ScriptFinding> findings;
  std::optional<bool> truth;  // of a condition that is always true or always false
  std::map<std::string_view, std::optional<Constant>>
      assigned;  // entries, and what they hold after it; none: not known
};

// The script must have no fault, and outlive the result. `constants`: what entries hold; null: nothing is known.
[[nodiscard]] CheckedScript check_script(const Script& script, const Enumeration& enumeration, bool is_condition,
                                         const Constants* constants = nullptr);
// Does a script take the text for a number, where it stands beside one?
[[nodiscard]] bool is_number_text(std::string_view text, const Enumeration& enumeration);
// Is it "true" or "false"? Editors write these into conditions.
[[nodiscard]] bool is_plain_truth(std::string_view script);

}  // namespace espalier::ir::poll
