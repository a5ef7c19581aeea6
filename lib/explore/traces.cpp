// Lines of traces. See traces.h.
#include "explore/traces.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "explore/seeds.h"

namespace espalier::explore {
namespace {

// Calls visit(agent, name, answers) for each answer of the host that changes before a step.
class HostAnswers {
 public:
  explicit HostAnswers(const World& world) : world_(world) {}

  template <typename Visit>
  void give(const Edge& edge, const Visit& visit) {
    for (const GivenToAll& to_all : edge.given_to_all) {
      give_to_all(to_all.name, to_all.answer);
      visit(kAllAgents, to_all.name, std::span(&to_all.answer, 1));
    }
    const std::vector<Given>& given = edge.given;
    for (auto own = given.begin(); own != given.end(); ++own) {
      const auto is_same = [&](const Given& other) { return other.agent == own->agent && other.name == own->name; };
      if (std::any_of(given.begin(), own, is_same)) continue;
      std::vector<Answer> answers;
      for (auto other = own; other != given.end(); ++other) {
        if (is_same(*other)) answers.push_back(other->answer);
      }
      const auto [known, is_new] = present_.try_emplace({own->agent, own->name});
      Answer& present = known->second;
      const auto is_present = [&](Answer answer) { return answer == present; };
      if (is_new && world_.names()[own->name].begins_unanswered()) present = Answer::none;
      if (std::all_of(answers.begin(), answers.end(), is_present)) {
        if (is_new) defaults.emplace(own->name, present);
        continue;
      }
      present = own->is_left ? Answer::none : answers.back();
      const auto is_first = [&](Answer answer) { return answer == answers.front(); };
      if (std::all_of(answers.begin(), answers.end(), is_first)) answers.resize(1);
      visit(own->agent, own->name, answers);
    }
  }

  std::map<std::uint32_t, Answer> defaults = {};  // that are given without a line, by name

  void hear(const Step& step) {
    if (step.kind != StepKind::host) return;
    const auto answer = static_cast<Answer>(step.value);
    if (step.agent == kAllAgents) return give_to_all(step.id, answer);
    present_[{step.agent, step.id}] = answer;
  }

 private:
  void give_to_all(std::uint32_t name, Answer answer) {
    for (std::uint32_t agent = 0; agent < world_.agent_count(); ++agent) present_[{agent, name}] = answer;
  }

  const World& world_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Answer> present_;
};

}  // namespace

std::optional<Trace> trace_of(const World& world, std::span<const Edge> edges,
                              const std::function<bool(std::uint64_t seed)>& fits, std::uint64_t* work) {
  Trace trace;
  trace.tree = tree_name(world.sides().back().tree);
  trace.agent_count = world.agent_count();
  std::vector<Draw> draws;
  for (const Edge& edge : edges) draws.insert(draws.end(), edge.draws.begin(), edge.draws.end());
  std::uint64_t tried_count = 0;
  const std::optional<std::uint64_t> seed = find_seed(draws, fits, &tried_count);
  constexpr std::uint64_t kTriesAWork = 4;
  *work += tried_count / kTriesAWork;
  if (!seed) return std::nullopt;
  trace.seed = *seed;
  HostAnswers answers(world);
  for (const Edge& edge : edges) {
    answers.give(edge, [&](std::uint32_t agent, std::uint32_t name, std::span<const Answer> given) {
      trace.steps.push_back(world.host_text(agent, name, given));
    });
    trace.steps.push_back(world.text(edge.step));
    answers.hear(edge.step);
  }
  if (!answers.defaults.empty()) trace.defaults = world.host_text(answers.defaults);
  return trace;
}

}  // namespace espalier::explore
