// See runtime_rules_model.h.
#include "runtime_rules_model.h"
#include "payloads.h"
#include "runtime/format/opcodes/rule.h"

#include <algorithm>
#include <deque>

namespace espalier::test {
namespace {

// Files are made from the last one to the first: a file's subtrees name later files.
class RuleMaker {
 public:
  RuleMaker(Random& random, const RuleShape& shape) : random_(random), shape_(shape), files_(shape.file_count + 1) {}

  Draft make() {
    for (std::uint32_t file = shape_.file_count; file > 0; --file) {
      file_ = file;
      next_begin_ = 0;
      files_[file].clear();
      const std::uint32_t count = random_.below(shape_.max_children);
      for (std::uint32_t i = 0; i < count; ++i) files_[file].push_back(rule(std::min(2u, shape_.max_depth)));
    }
    file_ = 0;
    Draft root = node(opcode::rule_file, {ir::RuleFile{file_}});
    root.children.push_back(rule(shape_.max_depth));
    return place(root, "");
  }

 private:
  Draft node(Opcode opcode, Operands operands) {
    Draft result = node_of(opcode, opcode == opcode::rule_file ? "" : "rule", std::move(operands));
    result.span = {file_, next_begin_, next_begin_ + 1};
    ++next_begin_;
    ++made_;
    return result;
  }

  Draft rule(std::uint32_t depth) {
    ir::Rule own;
    std::string id;
    std::uint32_t flags = 0;
    if (random_.chance(60)) id = "r" + std::to_string(made_);
    for (std::uint32_t count = random_.chance(40) ? 1 + random_.below(3) : 0; count > 0; --count) {
      own.conditions.push_back("C" + std::to_string(random_.below(shape_.name_count)));
    }
    own.mode = static_cast<layout::QueryMode>(random_.below(4));
    if (random_.chance(20)) own.parameters.push_back({"p", ParameterType::text, "v"});
    if (random_.chance(25)) flags = kDoesNotFail;
    const std::uint32_t kind = random_.below(depth == 0 ? 6 : 12);
    if (kind < 4) {
      own.behavior = "A" + std::to_string(random_.below(shape_.name_count));
      return node(opcode::rule_action, {std::move(own), flags, std::move(id)});
    }
    if (kind == 4) {
      flags = random_.below(3);
      if (flags == static_cast<std::uint32_t>(Result::failure)) own.conditions.clear();
      return node(opcode::rule_result, {std::move(own), flags, std::move(id)});
    }
    if (kind == 5) return node(opcode::rule_yield, {std::move(own), 0, std::move(id)});
    if (random_.chance(25)) flags |= kBeginsAnew;
    if (kind < 8 && file_ < shape_.file_count) {
      const ir::RuleFile file = {file_ + 1 + random_.below(shape_.file_count - file_)};
      return node(opcode::rule_subtree, {file, flags, std::move(id)});
    }
    const Opcode opcode = random_.chance(50) ? opcode::rule_sequence : opcode::rule_choice;
    Draft list = node(opcode, {std::move(own), flags, std::move(id)});
    for (std::uint32_t count = random_.below(shape_.max_children + 1); count > 0; --count)
      list.children.push_back(rule(depth - 1));
    return list;
  }

  // The rules of the files of subtrees at their places, with separate ids.
  Draft place(const Draft& source, const std::string& prefix) {
    Draft result = source;
    result.children.clear();
    if (!result.label.empty()) result.label = prefix + result.label;
    const bool is_subtree = source.opcode == opcode::rule_subtree;
    const std::string below = is_subtree ? prefix + std::to_string(made_) + '.' : prefix;
    ++made_;
    const std::vector<Draft>& children = is_subtree ? files_[source.as<ir::RuleFile>().file] : source.children;
    for (const Draft& child : children) result.children.push_back(place(child, below));
    return result;
  }

  Random& random_;
  const RuleShape shape_;
  std::uint32_t file_ = 0;
  std::uint32_t made_ = 0;  // nodes
  std::uint32_t next_begin_ = 0;
  std::vector<std::vector<Draft>> files_;
};

std::string text_of(Result result) {
  if (result == Result::running) return "running";
  return result == Result::success ? "success" : "failure";
}

}  // namespace

DraftProject random_rules(Random& random, const RuleShape& shape) {
  DraftProject project;
  DraftTree& tree = project.trees.emplace_back();
  tree.name = "T";
  tree.parts = ir::Ruling{random.chance(50) ? 100 : 1 + random.below(40), false};
  tree.root = RuleMaker(random, shape).make();
  return project;
}

// ---- Answers

std::uint32_t RuleAnswers::draw(std::uint32_t count) {
  Random random{seed + 0x9E37 * ++asked};
  return random.below(count);
}

bool RuleAnswers::is_bound(const std::string& action) {
  if (call_instead) return true;
  const bool bound = draw(12) != 0;
  journal.push_back((bound ? "bound " : "refuse ") + action);
  return bound;
}

bool RuleAnswers::ask(const std::string& condition) {
  if (ask_instead) return ask_instead(condition);
  const bool answer = draw(3) != 0;
  journal.push_back("ask " + condition + (answer ? " true" : " false"));
  return answer;
}

Result RuleAnswers::call(const std::string& action) {
  if (call_instead) return call_instead(action);
  const auto answer = static_cast<Result>(draw(3));
  journal.push_back("tick " + action + ' ' + text_of(answer));
  return answer;
}

bool RuleAnswers::jumps(std::uint32_t rule_count, std::uint32_t* rule) {
  if (call_instead || draw(20) != 0) return false;
  *rule = draw(rule_count);
  journal.push_back("jump " + std::to_string(*rule));
  return true;
}

// ---- The model

RuleModel::RuleModel(const DraftTree& tree, RuleAnswers& answers) : tree_(tree), answers_(answers) {
  number_rules();
  current_ = by_number_.front();
}

// In the order of the file within a file; the files of subtrees come after it, those of one file together.
void RuleModel::number_rules() {
  struct Content {
    const std::vector<Draft>* rules;
    ModelRule* around;
  };
  std::deque<Content> contents = {{&tree_.root.children, nullptr}};
  const auto add = [&](const auto& self, const Draft& node, ModelRule* parent) -> void {
    auto rule = std::make_unique<ModelRule>();
    rule->node = &node;
    rule->parent = parent;
    rule->number = static_cast<std::uint32_t>(by_number_.size());
    ModelRule* added = rule.get();
    by_number_.push_back(added);
    if (parent == nullptr) {
      root_ = std::move(rule);
    } else {
      rule->place = static_cast<std::uint32_t>(parent->children.size());
      parent->children.push_back(std::move(rule));
    }
    if (node.opcode == opcode::rule_subtree) {
      contents.push_back({&node.children, added});
    } else {
      for (const Draft& child : node.children) self(self, child, added);
    }
  };
  for (; !contents.empty(); contents.pop_front()) {
    const Content content = contents.front();
    for (const Draft& node : *content.rules) add(add, node, content.around);
  }
}

void RuleModel::set_current(ModelRule* rule) {
  current_ = rule;
  first_run = true;
}

bool RuleModel::is_running() const {
  return current_->node->opcode == opcode::rule_action && !first_run && status == Result::running;
}

bool RuleModel::holds(const ModelRule& rule) {
  const ir::Rule* const own = rule.node->as_if<ir::Rule>();
  if (own == nullptr || own->conditions.empty()) return true;
  const ir::Few<ir::Text>& conditions = own->conditions;
  switch (own->mode) {
    case layout::QueryMode::all_true:
      for (const std::string& condition : conditions) {
        if (!answers_.ask(condition)) return false;
      }
      return true;
    case layout::QueryMode::any_true:
      for (const std::string& condition : conditions) {
        if (answers_.ask(condition)) return true;
      }
      return false;
    case layout::QueryMode::any_false:
      for (const std::string& condition : conditions) {
        if (!answers_.ask(condition)) return true;
      }
      return false;
    default:
      for (const std::string& condition : conditions) {
        if (answers_.ask(condition)) return false;
      }
      return true;
  }
}

Result RuleModel::end(Result result, bool stops, bool runs_away) {
  status = result;
  is_stopped = stops;
  has_run_away = runs_away;
  return result;
}

Result RuleModel::update() {
  if (is_stopped) return Result::stopped;
  std::uint32_t n = 0;
  for (;;) {
    ModelRule* rule = current_;
    Result result = run(*rule);
    ++n;
    if (result == Result::running) return end(result, false, false);
    if (n == tree_.as<ir::Ruling>().run_limit) return end(Result::failure, true, true);
    while (current_ == rule) {
      if (rule->parent == nullptr) return end(result, result == Result::failure, false);
      rule = rule->parent;
      result = run_list(*rule, result);
      ++n;
      if (n == tree_.as<ir::Ruling>().run_limit) return end(Result::failure, true, true);
    }
  }
}

Result RuleModel::run(ModelRule& rule) {
  if (watch) watch(rule);
  const bool fails = (rule.node->flags & kDoesNotFail) == 0;
  switch (rule.node->opcode) {
    case opcode::rule_action: {
      const Result result = run_action(rule);
      return result == Result::failure && !fails ? Result::success : result;
    }
    case opcode::rule_result: {
      const auto result = static_cast<Result>(rule.node->flags);
      if (result == Result::failure) return result;
      return holds(rule) ? result : Result::failure;
    }
    case opcode::rule_yield:
      if (!holds(rule)) return Result::failure;
      if (first_run) {
        first_run = false;
        return Result::running;
      }
      return Result::success;
    default:
      if (rule.children.empty() || !holds(rule)) return fails ? Result::failure : Result::success;
      set_current(rule.children.front().get());
      return Result::failure;
  }
}

Result RuleModel::run_action(ModelRule& rule) {
  const std::string& name = rule.node->as<ir::Rule>().behavior;
  const bool was_running = is_running();
  if (!answers_.is_bound(name) || !holds(rule)) {
    if (was_running) answers_.journal.push_back("interrupt " + name);
    return Result::failure;
  }
  if (first_run) answers_.journal.push_back("enter " + name);
  const Result answer = answers_.call(name);
  std::uint32_t target = 0;
  if (answers_.jumps(rule_count(), &target)) {
    in_call_ = true;
    jump(target);
    in_call_ = false;
  }
  first_run = false;
  if (answer == Result::running) {
    if (current_ != &rule) answers_.journal.push_back("interrupt " + name);
  } else {
    answers_.journal.push_back("leave " + name);
  }
  return answer;
}

Result RuleModel::run_list(ModelRule& list, Result result) {
  if (watch) watch(list);
  const Result not_failing = (list.node->flags & kDoesNotFail) != 0 ? Result::success : Result::failure;
  const bool loops = (list.node->flags & kBeginsAnew) != 0;
  const std::size_t place = current_->place;
  ModelRule* next = place + 1 < list.children.size() ? list.children[place + 1].get() : nullptr;
  ModelRule* first = list.children.front().get();
  const auto done = [&](Result with) {
    set_current(&list);
    return with;
  };
  const auto turn = [&](ModelRule* child) {
    set_current(child);
    return result;
  };
  if (list.node->opcode == opcode::rule_choice) {
    if (result == Result::success) {
      if (!loops) return done(Result::success);
      return holds(list) ? turn(first) : done(not_failing);
    }
    return next != nullptr && holds(list) ? turn(next) : done(not_failing);
  }
  if (result == Result::failure) return done(not_failing);
  if (!holds(list)) return done(not_failing);
  if (next != nullptr) return turn(next);
  return loops ? turn(first) : done(Result::success);
}

void RuleModel::jump(std::uint32_t rule) {
  if (!in_call_ && is_running()) answers_.journal.push_back("interrupt " + current_->node->as<ir::Rule>().behavior);
  is_stopped = has_run_away = false;
  set_current(rule == kNoRule ? by_number_.front() : by_number_[rule]);
}

void RuleModel::stop() {
  if (is_running()) answers_.journal.push_back("interrupt " + current_->node->as<ir::Rule>().behavior);
}

}  // namespace espalier::test
