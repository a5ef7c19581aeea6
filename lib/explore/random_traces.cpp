// Traces of random steps. See random_traces.h.
#include "explore/random_traces.h"

#include <algorithm>
#include <map>
#include <random>
#include <utility>

#include "explore/poll/random_values.h"
#include "explore/world.h"

namespace espalier::explore {
namespace {

constexpr std::uint32_t kMostUpdates = 8;
constexpr std::uint32_t kMostAtFirst = 32;
constexpr std::uint32_t kMostInList = 4;

class Walker {
 public:
  Walker(const World& world, RandomValues values, std::span<const std::string> ticks, RandomAnswers answers)
      : world_(world), values_(std::move(values)), ticks_(ticks), answers_(answers) {}

  Trace walk(std::uint32_t number) {
    Trace trace;
    trace.tree = tree_name(world_.sides().front().tree);
    trace.agent_count = world_.agent_count();
    trace.seed = number + 1;
    std::map<std::uint32_t, Answer> answers;
    const bool runs_scripts = below(2) == 0;
    for (std::uint32_t name = 0; name < world_.names().size(); ++name) {
      if (!runs_scripts || !world_.names()[name].is_script) answers.emplace(name, answer_of(name));
    }
    if (!answers.empty()) trace.defaults = world_.host_text(answers);
    set_entries(trace.steps);
    const std::uint32_t updates = 1 + below(kMostUpdates);
    for (std::uint32_t i = 0; i < updates; ++i) add_update(i == 0, trace.steps);
    return trace;
  }

 private:
  void add_update(bool is_first, std::vector<std::string>& steps) {
    const auto name_count = static_cast<std::uint32_t>(world_.names().size());
    for (std::uint32_t i = is_first || name_count == 0 ? 0 : below(3); i > 0; --i) {
      const std::uint32_t name = below(name_count);
      add_answer(name, steps);
    }
    const auto step_count = static_cast<std::uint32_t>(world_.steps().size());
    // Many at first: some parts are reached only if much is so.
    const std::uint32_t most = is_first ? std::clamp(step_count, 3u, kMostAtFirst) : 3;
    for (std::uint32_t i = step_count == 0 ? 0 : below(most); i > 0; --i) {
      steps.push_back(world_.text(world_.steps()[below(step_count)]));
    }
    steps.push_back(ticks_[below(static_cast<std::uint32_t>(ticks_.size()))]);
  }

  void add_answer(std::uint32_t name, std::vector<std::string>& steps) {
    std::vector<Answer> answers = {answer_of(name)};
    for (std::uint32_t left = answers_ == RandomAnswers::lists ? below(kMostInList) : 0; left > 0; --left)
      answers.push_back(answer_of(name));
    const auto outputs = values_.outputs.find(world_.names()[name].name);
    if (outputs == values_.outputs.end()) {
      const auto agent = world_.agent_count() == 1 || below(2) == 0 ? std::uint32_t{0} : below(world_.agent_count());
      steps.push_back(world_.host_text(agent, name, answers));
      return;
    }
    const HostName& host = world_.names()[name];
    std::string written;
    for (const auto& [port, value] : outputs->second) {
      if (below(4) != 0) written.append(written.empty() ? "" : ", ").append(text::json_string(port) + ": " + value);
    }
    steps.push_back("{\"host\": {" + text::json_string(host.name) +
                    ": {\"answer\": " + text_of(host, host.word_of(answers[0])) + ", \"out\": {" + written + "}}}}");
  }

  // What nodes read, mostly.
  void set_entries(std::vector<std::string>& steps) {
    std::string written;
    const bool sets_any = below(4) != 0;
    for (const auto& [entry, value] : values_.entries) {
      if (sets_any && below(4) != 0)
        written.append(written.empty() ? "" : ", ").append(text::json_string(entry) + ": " + value);
    }
    if (!written.empty()) steps.push_back("{\"set\": {" + written + "}}");
  }

  Answer answer_of(std::uint32_t name) {
    const std::vector<Answer>& answers = world_.names()[name].answers;
    return answers[below(static_cast<std::uint32_t>(answers.size()))];
  }

  // The same on every machine.
  std::uint32_t below(std::uint32_t count) { return static_cast<std::uint32_t>(random_() % count); }

  const World& world_;
  const RandomValues values_;
  const std::span<const std::string> ticks_;
  const RandomAnswers answers_;
  std::mt19937_64 random_{1};
};

}  // namespace

std::vector<Trace> random_traces(const Tree& tree, const Options& options, std::span<const std::string> ticks,
                                 std::uint32_t count, RandomAnswers answers) {
  const World world({{tree, agents_to_explore(tree), &options.host.results}}, options.signal_only, 0,
                    {options.host, {}});
  Walker walker(world, random_values(tree, options.host), ticks, answers);
  std::vector<Trace> traces;
  traces.reserve(count);
  for (std::uint32_t i = 0; i < count; ++i) traces.push_back(walker.walk(i));
  return traces;
}

}  // namespace espalier::explore
