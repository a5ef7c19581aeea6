// Random selection trees: see the header.
#include "runtime_random_trees.h"
#include "payloads.h"

#include <utility>

#include "codegen/compile.h"
#include "runtime/format/opcodes/select.h"
#include "unit.h"

namespace espalier::test {

std::uint64_t Random::next() {
  state += 0x9E3779B97F4A7C15;
  std::uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

std::uint32_t Random::below(std::uint32_t count) {
  return static_cast<std::uint32_t>(((next() >> 32) * std::uint64_t{count}) >> 32);
}

bool Random::chance(std::uint32_t percent) { return below(100) < percent; }

namespace {

// Appends the terms of a random expression; gives the index of its last.
std::uint32_t add_terms(Random& random, std::uint32_t variable_count, std::vector<ir::Term>& terms,
                        std::uint32_t depth) {
  constexpr ir::TermKind kBinary[] = {ir::TermKind::conjunction, ir::TermKind::conjunction, ir::TermKind::disjunction,
                                      ir::TermKind::exclusive,   ir::TermKind::equal,       ir::TermKind::unequal};
  const auto add = [&](const ir::Term& term) {
    terms.push_back(term);
    return static_cast<std::uint32_t>(terms.size() - 1);
  };
  if (depth == 0 || random.chance(30)) {
    const std::uint32_t operand = random.chance(4) ? add({ir::TermKind::constant, random.below(2)})
                                                   : add({ir::TermKind::variable, random.below(variable_count)});
    return random.chance(30) ? add({ir::TermKind::negation, operand}) : operand;
  }
  const std::uint32_t left = add_terms(random, variable_count, terms, depth - 1);
  const std::uint32_t right = add_terms(random, variable_count, terms, depth - 1);
  const std::uint32_t both = add({kBinary[random.below(6)], left, right});
  return random.chance(10) ? add({ir::TermKind::negation, both}) : both;
}

// a or (b and (c or ...)): every operator waits for the one inside it.
void add_chain(Random& random, std::uint32_t variable_count, std::vector<ir::Term>& terms, std::uint32_t length) {
  std::vector<std::uint32_t> operands;
  for (std::uint32_t i = 0; i < length; ++i) operands.push_back(add_terms(random, variable_count, terms, 0));
  std::uint32_t result = operands.back();
  for (std::uint32_t i = length - 1; i > 0; --i) {
    const ir::TermKind kind = i % 3 == 0   ? ir::TermKind::exclusive
                              : i % 3 == 1 ? ir::TermKind::conjunction
                                           : ir::TermKind::disjunction;
    terms.push_back({kind, operands[i - 1], result});
    result = static_cast<std::uint32_t>(terms.size() - 1);
  }
}

}  // namespace

ir::ConditionIndex random_condition(Random& random, DraftTree& tree, std::uint32_t max_depth) {
  const auto variable_count = static_cast<std::uint32_t>(tree.variables.size());
  ir::Condition made;
  if (random.chance(2)) {
    add_chain(random, variable_count, made.terms, 2 + random.below(100));
  } else {
    add_terms(random, variable_count, made.terms, random.below(max_depth + 1));
  }
  tree.conditions.push_back(std::move(made));
  return static_cast<ir::ConditionIndex>(tree.conditions.size() - 1);
}

ir::Signal random_signal(Random& random, DraftTree& tree, std::uint32_t max_depth, std::string name) {
  ir::Signal made;
  made.name = std::move(name);
  const std::uint32_t count = 1 + random.below(4);
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t variable = random.below(static_cast<std::uint32_t>(tree.variables.size()));
    made.assignments.push_back({variable, random_condition(random, tree, max_depth), {}});
  }
  return made;
}

namespace {

class Builder {
 public:
  Builder(Random& random, const TreeShape& shape) : random_(random), shape_(shape), nodes_left_(shape.max_nodes) {}

  DraftTree build(std::string name) {
    tree_.name = std::move(name);
    const std::uint32_t variable_count = 1 + random_.below(shape_.max_variables);
    for (std::uint32_t i = 0; i < variable_count; ++i) {
      tree_.variables.push_back({"v" + std::to_string(i), random_.chance(25), {}});
    }
    const std::uint32_t signal_count = random_.below(5);
    for (std::uint32_t i = 0; i < signal_count; ++i) {
      tree_.signals.push_back(random_signal(random_, tree_, shape_.max_condition, "s" + std::to_string(i)));
    }
    tree_.root = node(shape_.max_depth);
    return std::move(tree_);
  }

 private:
  ir::ConditionIndex condition() { return random_condition(random_, tree_, shape_.max_condition); }

  static std::uint32_t size(const Draft& node) {
    std::uint32_t total = 1;
    for (const Draft& child : node.children) total += size(child);
    return total;
  }

  Draft leaf() {
    const std::string name = "Leaf" + std::to_string(leaf_count_++);
    return node_of(opcode::select_leaf, name, {ir::Leaf{{}, "Behavior" + std::to_string(random_.below(9))}});
  }

  Draft priority(std::uint32_t depth) {
    Draft made = node_of(opcode::select_priority, "Priority");
    const std::uint32_t count = random_.chance(5) ? 0 : 1 + random_.below(5);
    for (std::uint32_t i = 0; i < count && nodes_left_ > 0; ++i) {
      made.children.push_back(node(depth - 1));
      if (random_.chance(80)) set_condition(made.children.back(), condition());
    }
    return made;
  }

  Draft machine(std::uint32_t depth) {
    Draft made = node_of(opcode::select_machine, "Machine");
    const std::uint32_t count = 1 + random_.below(shape_.max_states);
    for (std::uint32_t i = 0; i < count; ++i) {
      Draft state = node_of(opcode::select_state, "State" + std::to_string(i));
      const std::uint32_t transition_count = random_.below(4);
      for (std::uint32_t t = 0; t < transition_count; ++t) {
        state.as<ir::Transitions>().transitions.push_back({random_.below(count), condition(), {}});
      }
      state.children.push_back(nodes_left_ > 0 ? node(depth - 1) : leaf());
      set_condition(state.children.back(), {});  // is never read there
      made.children.push_back(std::move(state));
    }
    return made;
  }

  Draft node(std::uint32_t depth) {
    if (!copies_.empty() && random_.chance(shape_.copy_percent)) {
      const Draft& copy = copies_[random_.below(static_cast<std::uint32_t>(copies_.size()))];
      const std::uint32_t copy_size = size(copy);
      if (copy_size <= nodes_left_) {
        nodes_left_ -= copy_size;
        return copy;
      }
    }
    nodes_left_ -= nodes_left_ > 0 ? 1 : 0;
    if (depth <= 1 || nodes_left_ == 0 || (depth < shape_.max_depth && random_.chance(30))) return leaf();
    Draft made = random_.chance(60) ? priority(depth) : machine(depth);
    if (copies_.size() < 20) copies_.push_back(made);
    return made;
  }

  Random& random_;
  const TreeShape& shape_;
  std::uint32_t nodes_left_;
  std::uint32_t leaf_count_ = 0;
  DraftTree tree_;
  std::vector<Draft> copies_;
};

}  // namespace

DraftTree random_tree(Random& random, const TreeShape& shape, std::string name) {
  return Builder(random, shape).build(std::move(name));
}

TreeShape random_shape(Random& random) {
  TreeShape shape;
  switch (random.below(10)) {
    case 0:
      shape.max_nodes = 300;
      break;
    case 1:
      shape.max_variables = 100;
      break;
    case 2:
      shape.max_states = 32;
      break;
    case 3:
      shape = {120, 60, 12, 2, 3, 5};
      break;
    case 4:
      shape = {5, 2, 2, 3, 1, 0};
      break;
    case 5:
      shape.copy_percent = 50;
      break;
    default:
      break;
  }
  return shape;
}

DraftProject random_project(Random& random) {
  DraftProject project;
  const std::uint32_t tree_count = 1 + random.below(3);
  for (std::uint32_t i = 0; i < tree_count; ++i) {
    project.trees.push_back(random_tree(random, random_shape(random), "Tree" + std::to_string(i)));
  }
  return project;
}

void compile(const ir::Project& project, Compiled& compiled, bool strip, const std::string& text) {
  text::Sources sources;
  sources.add("random.xml", text);
  for (const char* path : {"1.xml", "2.xml", "3.xml", "4.xml"}) sources.add(path, "");  // subtrees of rules
  text::Findings findings;
  codegen::CompileOptions options;
  options.strip = strip;
  compiled.words = codegen::compile(project, sources, options, findings, &compiled.size_bytes);
  for (const text::Finding& finding : findings.all()) FAIL(finding.message);
  Fault fault;
  const Status status = open(compiled.words.data(), compiled.size_bytes, &compiled.asset, &fault);
  INFO(status_text(status) << ": " << (fault.reason == nullptr ? "" : fault.reason) << " at " << fault.offset_bytes);
  REQUIRE(status == Status::ok);
}

}  // namespace espalier::test
