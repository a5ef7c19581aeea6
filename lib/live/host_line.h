// Lines of traces that script the program, and what they are made of:
//   {"host": {"Plan": ["running", {"answer": "success", "out": {"path": "p1"}}]}}
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace espalier::live {

// Adds `"name": value` to the members of an object. `value` is JSON.
void add_member(std::string& members, std::string_view name, std::string_view value);

// An answer, and what it writes: `outputs` are the members of "out"; empty: it writes nothing.
[[nodiscard]] std::string answer_with_outputs(const std::string& answer, const std::string& outputs);

// Adds what a name answers in one update, in the order of its calls, to the members of "host". Nothing is added where
// each answer is the scripted one, which stays until there is another; else `scripted` becomes the last of the list.
void add_answers(std::string& members, std::string_view name, const std::vector<std::string>& list,
                 std::string& scripted);

}  // namespace espalier::live
