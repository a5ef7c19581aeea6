// A host that answers by lists: see the header.
#include "runtime_store_host.h"

namespace espalier::test {

std::string word_of(StoreResult result) {
  const char* const words[] = {"none", "running", "success", "failure"};
  return words[static_cast<std::size_t>(result)];
}

void StoreHost::tell(Agent agent, const std::string& event) {
  events.push_back(std::to_string(agent) + ':' + event);
  if (meanwhile) meanwhile(agent, event);
}

StoreResult StoreHost::next(Agent agent, const std::string& name) {
  if (meanwhile) meanwhile(agent, name);
  const auto found = answers.find({agent, name});
  if (found == answers.end() || found->second.empty()) return StoreResult::success;
  std::vector<StoreResult>& list = found->second;
  const StoreResult answer = list.front();
  if (list.size() > 1) list.erase(list.begin());
  return answer;
}

bool StoreHost::ask(Agent agent, const std::string& condition) {
  const bool holds = next(agent, condition) == StoreResult::success;
  tell(agent, "ask " + condition + (holds ? " true" : " false"));
  return holds;
}

StoreResult StoreHost::tick(Agent agent, const std::string& action) {
  const StoreResult result = next(agent, action);
  tell(agent, "tick " + action + ' ' + word_of(result));
  return result;
}

}  // namespace espalier::test
