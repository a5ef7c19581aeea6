// A host for the tests of trees that store their results: it answers each agent from its lists and records all calls in
// the words of traces. The runtime and the model each get one with the same lists, so both must record the same.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace espalier::test {

enum class StoreResult : std::uint8_t { none, running, success, failure };

inline bool is_completed(StoreResult result) {
  return result == StoreResult::success || result == StoreResult::failure;
}

std::string word_of(StoreResult result);

class StoreHost {
 public:
  using Agent = std::uint32_t;

  // The answers of an agent's conditions and actions, one per call; the last one repeats. Without a list: success.
  std::map<std::pair<Agent, std::string>, std::vector<StoreResult>> answers;
  std::vector<std::string> events;
  // Called with the name when an agent is asked or ticked, before it answers, and with each event that is reported. It
  // may update and stop other agents.
  std::function<void(Agent, const std::string& name_or_event)> meanwhile;

  void tell(Agent agent, const std::string& event);
  bool ask(Agent agent, const std::string& condition);
  StoreResult tick(Agent agent, const std::string& action);

 private:
  StoreResult next(Agent agent, const std::string& name);
};

}  // namespace espalier::test
