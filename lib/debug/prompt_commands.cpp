// The commands of a prompt. See prompt_commands.h.
#include "debug/prompt_commands.h"

#include <charconv>
#include <iomanip>
#include <sstream>

#include "text/json.h"

namespace espalier::debug {
namespace {

std::string json_list_of(Words::const_iterator first, Words::const_iterator last) {
  std::string list;
  for (; first != last; ++first) list += (list.empty() ? "" : ", ") + json_of(*first);
  return '[' + list + ']';
}

// Words after the name of a command, as a line of a trace.
std::string with_data(const char* key, const Words& words) {
  const std::string data = words.size() > 1 ? ", \"data\": " + json_of(words[1]) : "";
  return std::string("{\"") + key + "\": " + text::json_string(words[0]) + data + '}';
}

std::string signal_line(const Words& words) { return with_data("signal", words); }
std::string stimulus_line(const Words& words) { return with_data("stimulus", words); }
std::string set_line(const Words& words) {
  return "{\"set\": {" + text::json_string(words[0]) + ": " + json_of(words[1]) + "}}";
}
std::string flags_line(const Words& words) { return "{\"flags\": " + json_list_of(words.begin(), words.end()) + '}'; }
std::string host_line(const Words& words) {
  const std::string answers = words.size() == 2 ? json_of(words[1]) : json_list_of(words.begin() + 1, words.end());
  return "{\"host\": {" + text::json_string(words[0]) + ": " + answers + "}}";
}
std::string tick_line(const Words& words) {
  const std::string times = words.size() > 1 ? ", \"times\": " + json_of(words[1]) : "";
  return "{\"tick\": " + (words.empty() ? "0.1" : json_of(words[0])) + times + '}';
}
std::string jump_line(const Words& words) { return "{\"jump\": " + json_of(words[0]) + '}'; }
std::string inject_line(const Words& words) {
  return "{\"inject\": {\"slot\": " + text::json_string(words[0]) + ", \"tree\": " + json_of(words[1]) + "}}";
}

constexpr std::size_t kMany = 1000;

constexpr Command kCommands[] = {
    {"signal", "NAME [DATA]", "sends a signal", 1, 2, signal_line, replay::LineKind::signal},
    {"set", "NAME true|false", "sets a variable", 2, 2, set_line, replay::LineKind::set},
    {"flags", "NAME...", "sets the decision flags: these are on, all others off", 0, kMany, flags_line,
     replay::LineKind::flags},
    {"stimulus", "NAME [DATA]", "sets a stimulus", 1, 2, stimulus_line, replay::LineKind::stimulus},
    {"host", "NAME ANSWER...", "what the program answers from now on", 2, kMany, host_line},
    {"jump", "RULE", "makes a rule the current one; null resets the agent", 1, 1, jump_line, replay::LineKind::jump},
    {"inject", "SLOT TREE", "puts a tree into a slot; null empties it", 2, 2, inject_line, replay::LineKind::inject},
    {"tick", "[SECONDS [TIMES]]", "advances the clock, by 0.1 s unless given, and updates the agent", 0, 2, tick_line},
    {"agent", "INDEX|all", "chooses the agent that commands are for; 'tick' updates all", 1, 1, nullptr},
    {"{...}", "", "any line of a trace", 0, 0, nullptr},
    {"next", kCount, "runs the next line of the trace, or the next N", 0, 1, nullptr},
    {"run", "[LINE | EVENT]", "runs on to a line, an event such as 'enter Attack', a breakpoint, a failure, or the end",
     0, kMany, nullptr},
    {"run", "back [NAME]", "goes back to the breakpoint before, or to where NAME was written last", 1, 2, nullptr},
    {"step", "[HOW]",
     "goes to the next thing that happens: a node begins or ends, a value is written; HOW: over, out, update, back, "
     "back update",
     0, 2, nullptr},
    {"goto", "SECONDS", "goes to a time of what was run", 1, 1, nullptr},
    {"break", "[WHERE...]",
     "stops at NODE[:RESULT], FILE:LINE[:COLUMN], write NAME or fault NAME, [if CONDITION] [hit N] [say TEXT]; alone: "
     "lists these",
     0, kMany, nullptr},
    {"clear", "N|all", "removes breakpoints", 1, 1, nullptr},
    {"where", "", "shows where the run is: the active branch at this moment", 0, 0, nullptr},
    {"value", "[NAME | CONDITION]", "shows a value at this moment, or all of them", 0, kMany, nullptr},
    {"recorded", "", "goes back to the run as it was before something was typed in its past", 0, 0, nullptr},
    {"skip", kCount, "skips the next line of the trace, or the next N", 0, 1, nullptr},
    {"list", kCount, "shows the next 10 lines of the trace, or the next N", 0, 1, nullptr},
    {"look", "[all]", "shows the state and the active branch, or the whole tree", 0, 1, nullptr},
    {"back", kBack,
     "takes back the last line that did something, or the last N; or all since NAME was written, or a time", 0, 2,
     nullptr},
    {"who", "wrote NAME", "tells which node has written a variable or an entry last", 2, 2, nullptr},
    {"why", "[NODE]", "tells why the node began or ended last, or what happened last", 0, 1, nullptr},
    {"save", "FILE", "writes what was done as a trace", 1, 1, nullptr},
    {"help", "", "shows this list", 0, 0, nullptr},
    {"quit", "", "ends", 0, 0, nullptr},
};

}  // namespace

std::span<const Command> commands() { return kCommands; }

std::string json_of(const std::string& word) {
  text::JsonFault fault;
  const auto value = text::parse_json(word, 0, fault);
  const bool is_word = !value || value->kind == text::JsonKind::string || value->kind == text::JsonKind::list ||
                       value->kind == text::JsonKind::object;
  return is_word ? text::json_string(word) : word;
}

Words words_of(const std::string& text) {
  Words words;
  std::istringstream in(text);
  for (std::string word; in >> std::quoted(word);) words.push_back(word);
  return words;
}

std::optional<std::size_t> number_of(const std::string& word) {
  std::size_t number = 0;
  const char* const end = word.data() + word.size();
  const auto [rest, fault] = std::from_chars(word.data(), end, number);
  return fault != std::errc() || rest != end || number == 0 ? std::nullopt : std::optional(number);
}

}  // namespace espalier::debug
