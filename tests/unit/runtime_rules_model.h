// Random trees of rules, and a slow model of how they run: the rules of the engine's page, word for word, on a tree of
// pointers. The runtime is compared with it step by step.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "payloads.h"
#include "runtime_random_trees.h"

namespace espalier::test {

struct RuleShape {
  std::uint32_t max_depth = 4;  // lists within lists
  std::uint32_t max_children = 4;
  std::uint32_t name_count = 4;  // of actions, and of conditions
  std::uint32_t file_count = 4;  // of subtrees
};

// A project with one tree "T" whose subtrees represent files that may be used several times.
DraftProject random_rules(Random& random, const RuleShape& shape = {});

// The answers of a host: the same for the runtime and the model, by the number of conditions before.
struct RuleAnswers {
  std::uint64_t seed = 0;
  std::uint64_t asked = 0;
  std::vector<std::string> journal;
  // If set: these answer, everything is bound, and no call jumps.
  std::function<bool(const std::string& condition)> ask_instead;
  std::function<Result(const std::string& action)> call_instead;

  bool is_bound(const std::string& action);
  bool ask(const std::string& condition);
  Result call(const std::string& action);
  // Does the last call jump, and where to?
  bool jumps(std::uint32_t rule_count, std::uint32_t* rule);

 private:
  std::uint32_t draw(std::uint32_t count);
};

struct ModelRule {
  const Draft* node = nullptr;
  ModelRule* parent = nullptr;
  std::uint32_t place = 0;   // among its parent's children
  std::uint32_t number = 0;  // as the runtime counts
  std::vector<std::unique_ptr<ModelRule>> children;
};

class RuleModel {
 public:
  RuleModel(const DraftTree& tree, RuleAnswers& answers);
  RuleModel(const RuleModel&) = delete;

  // If set: called with each rule that is run.
  std::function<void(const ModelRule& rule)> watch;

  Result update();
  void jump(std::uint32_t rule);
  void stop();
  std::uint32_t rule_count() const { return static_cast<std::uint32_t>(by_number_.size()); }
  std::uint32_t current() const { return current_->number; }
  const ModelRule& rule(std::uint32_t number) const { return *by_number_[number]; }
  const std::string& id() const { return current_->node->label; }
  bool is_running() const;
  bool is_stopped = false;
  bool has_run_away = false;
  bool first_run = true;
  Result status = Result::stopped;

 private:
  void number_rules();
  void set_current(ModelRule* rule);
  bool holds(const ModelRule& rule);
  Result run(ModelRule& rule);
  Result run_action(ModelRule& rule);
  Result run_list(ModelRule& list, Result result);
  Result end(Result result, bool stops, bool runs_away);

  const DraftTree& tree_;
  RuleAnswers& answers_;
  std::unique_ptr<ModelRule> root_;
  std::vector<ModelRule*> by_number_;
  ModelRule* current_ = nullptr;
  bool in_call_ = false;
};

}  // namespace espalier::test
