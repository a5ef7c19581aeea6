// Lines that script the program. See host_line.h.
#include "live/host_line.h"

#include <algorithm>

#include "text/json.h"

namespace espalier::live {

void add_member(std::string& members, std::string_view name, std::string_view value) {
  members += (members.empty() ? "" : ", ") + text::json_string(name) + ": ";
  members += value;
}

std::string answer_with_outputs(const std::string& answer, const std::string& outputs) {
  return outputs.empty() ? answer : "{\"answer\": " + answer + ", \"out\": {" + outputs + "}}";
}

void add_answers(std::string& members, std::string_view name, const std::vector<std::string>& list,
                 std::string& scripted) {
  if (std::all_of(list.begin(), list.end(), [&](const std::string& each) { return each == scripted; })) return;
  std::string answers;
  for (const std::string& each : list) answers += (answers.empty() ? "" : ", ") + each;
  add_member(members, name, list.size() > 1 ? '[' + answers + ']' : answers);
  scripted = list.back();
}

}  // namespace espalier::live
