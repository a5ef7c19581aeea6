// Checks of scripts without running them: syntax, and what works differently in the engines, which use Lua 5.1.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace espalier::script {

// The syntax error of a chunk, in one line; nullopt if it has none. Includes the line if the script has several.
std::optional<std::string> check_syntax(std::string_view script);

// What to write where a chunk has a syntax error: 'return' before an expression, or Lua's own operator in place of
// another language's. Empty if neither makes it valid.
std::string syntax_hint(std::string_view script);

// Something that works differently in Lua 5.1 and Lua 5.4.
struct PortabilityNote {
  std::uint32_t begin = 0;  // byte range in the script
  std::uint32_t end = 0;
  std::string message;
  std::string hint;  // what works in both
};

// In the order of the script. Covers names and operators, but not strings and comments, nor names that the script
// assigns or tests before it uses them.
std::vector<PortabilityNote> portability_notes(std::string_view script);

// Where the comment begins that no line end, only the end of the script ends; nullopt if there is none.
std::optional<std::uint32_t> find_open_comment(std::string_view script);

// Does the script return what is certainly neither true, false nor nil: a number, a text, arithmetic? False if that is
// not certain.
bool returns_no_boolean(std::string_view script);

// The full names of functions that the script calls and may not define: "Print", "AI.Signal"; "entity.Hide" for
// `entity:Hide()`. Each once, in their order.
std::vector<std::string> called_names(std::string_view script);

// The names of the signals that the script sends with `AI.Signal(filter, number, NAME, entity)`; nullopt: it may send
// others too, whose names its text does not tell.
std::optional<std::vector<std::string>> sent_signals(std::string_view script);

}  // namespace espalier::script
