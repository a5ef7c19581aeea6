// Random trees that tick: see the header.
#include "runtime_ticking_trees.h"
#include "payloads.h"
#include "runtime/format/opcode_words.h"
#include "runtime/format/opcodes/tick.h"

#include <utility>

namespace espalier::test {
namespace {

constexpr std::uint64_t kAlwaysOpen = std::uint64_t{1} << 53;

class TickingBuilder {
 public:
  TickingBuilder(Random& random, const TickingShape& shape)
      : random_(random), shape_(shape), nodes_left_(shape.max_nodes) {}

  DraftTree build(std::string name) {
    tree_.name = std::move(name);
    ir::Ticking& ticking = tree_.parts.emplace<ir::Ticking>();
    ticking.stays_stopped = random_.chance(20);
    const std::uint32_t variable_count = 1 + random_.below(shape_.max_variables);
    for (std::uint32_t i = 0; i < variable_count; ++i) {
      tree_.variables.push_back({"v" + std::to_string(i), random_.chance(40), {}});
    }
    const std::uint32_t signal_count = 2 + random_.below(4);
    for (std::uint32_t i = 0; i < signal_count; ++i) {
      const std::string signal_name = "s" + std::to_string(i);
      if (random_.chance(60)) {
        tree_.signals.push_back(random_signal(random_, tree_, 2, signal_name));
      } else {
        tree_.signals.push_back({signal_name, {}, {}});
      }
    }
    const std::uint32_t timestamp_count = random_.below(4);
    for (std::uint32_t i = 0; i < timestamp_count; ++i) {
      ticking.timestamps.push_back({"t" + std::to_string(i), any_signal(), std::nullopt, {}});
      if (random_.chance(50)) ticking.timestamps.back().exclusive_to = random_.below(timestamp_count);
    }
    tree_.root = node(shape_.max_depth);
    return std::move(tree_);
  }

 private:
  std::uint32_t any_signal() { return random_.below(static_cast<std::uint32_t>(tree_.signals.size())); }
  std::uint32_t up_to(std::uint32_t maximum) { return 1 + random_.below(maximum); }

  Draft make(Opcode opcode, Operands operands, std::vector<Draft> children = {}) {
    Draft made = node_of(opcode, opcode_name(opcode), std::move(operands), std::move(children));
    if (opcode == opcode::tick_action || opcode == opcode::tick_wrapper) {
      constexpr std::uint32_t kMemoryBytes[] = {0, 3, 8, 0, 21, 1};  // by the number of the action
      const std::uint32_t number = random_.below(6);
      set_behavior(made, (opcode == opcode::tick_action ? "Act" : "Wrap") + std::to_string(number));
      if (opcode == opcode::tick_action) made.as<ir::Behavior>().memory_bytes = kMemoryBytes[number];
    }
    return made;
  }
  Draft make(Opcode opcode, std::vector<Draft> children = {}) { return make(opcode, {}, std::move(children)); }
  Draft with_condition(Draft made) {
    set_condition(made, random_condition(random_, tree_, 2));
    return made;
  }

  std::string script() {
    if (random_.chance(15)) return "";
    return "return " + std::to_string(random_.below(4));
  }
  std::string log_text() { return random_.chance(30) ? "" : "text " + std::to_string(random_.below(5)); }

  // Whole microseconds up to two seconds; some are edges.
  std::uint64_t duration() {
    if (random_.chance(10)) return 0;
    if (random_.chance(3)) return 0xFFFFFFFFFFFFFFFF - random_.below(2);
    return 100000 * random_.below(20);
  }

  Operands compared_time(std::uint32_t result) {
    const std::vector<ir::Timestamp>& timestamps = tree_.as<ir::Ticking>().timestamps;
    const std::uint32_t flags = result | 4 * random_.below(4);
    ir::TimeTest test;
    test.threshold_us = random_.chance(10) ? 0 - std::uint64_t{100000} : 100000 * random_.below(15);
    if (!timestamps.empty() && random_.chance(85)) {
      test.timestamp = random_.below(static_cast<std::uint32_t>(timestamps.size()));
    }
    return {test, flags};
  }

  Operands flags_and_signal(std::uint32_t flags) { return {ir::Event{any_signal()}, flags}; }

  std::vector<ir::Parameter> parameters() {
    std::vector<ir::Parameter> made(random_.chance(70) ? 0 : up_to(3));
    for (ir::Parameter& parameter : made) {
      parameter.name = "p" + std::to_string(random_.below(5));
      parameter.type = static_cast<ParameterType>(random_.below(8));
      parameter.text = "word " + std::to_string(random_.below(5));
      parameter.whole = static_cast<std::int64_t>(random_.next());
      if (parameter.type == ParameterType::boolean) parameter.whole &= 1;
      if (parameter.type == ParameterType::choice) parameter.whole &= 255;
      for (double& number : parameter.numbers) number = random_.below(1000) / 8.0;
    }
    return made;
  }
  Operands with_parameters(std::uint32_t flags = 0) {
    ir::Behavior behavior;
    behavior.parameters = parameters();
    return {std::move(behavior), flags};
  }

  // ---- Leaves

  Draft leaf() {
    switch (random_.below(18)) {
      case 0:
        return make(opcode::tick_result, with_flags(random_.below(3)));
      case 1:
        return make(opcode::tick_message, {ir::Texts{{log_text()}}});
      case 2:
      case 3: {
        const std::uint32_t result = 1 + random_.below(2);
        const std::uint64_t time_us = duration();
        return make(opcode::tick_wait, {ir::Duration{time_us, random_.chance(70) ? 0 : duration()}, result});
      }
      case 4:
        return make(opcode::tick_wait_event, flags_and_signal(1 + random_.below(2)));
      case 5:
      case 6:
        return with_condition(make(opcode::tick_condition, with_flags(random_.below(2))));
      case 7:
        return make(opcode::tick_time, compared_time(random_.below(2)));
      case 8:
      case 9:
        return make(opcode::tick_send, flags_and_signal(random_.chance(25) ? 0 : 2));
      case 10:
        return make(opcode::tick_queue, flags_and_signal((random_.chance(25) ? 0 : 2) | 4 * random_.below(3)));
      case 11: {
        const std::uint32_t decides = random_.below(2);
        return make(opcode::tick_script, {ir::Scripts{{script()}}, decides});
      }
      default:
        return make(opcode::tick_action, with_parameters());
    }
  }

  // ---- Nodes with children

  std::vector<Draft> some(std::uint32_t depth, std::uint32_t maximum) {
    std::vector<Draft> made;
    const std::uint32_t count = up_to(maximum);
    while (made.empty() || (made.size() < count && nodes_left_ > 0)) made.push_back(node(depth - 1));
    return made;
  }

  std::vector<Draft> below(Opcode opcode, std::uint32_t depth, std::uint32_t maximum) {
    std::vector<Draft> made = some(depth, maximum);
    for (Draft& each : made) {
      std::vector<Draft> only;
      only.push_back(std::move(each));
      each = make(opcode, std::move(only));
      each.name.clear();
    }
    return made;
  }

  Draft parallel(std::uint32_t depth) {
    const std::uint32_t flags = random_.below(4);
    const std::uint32_t maximum = random_.chance(3) ? 32 : shape_.max_children;
    return make(opcode::tick_parallel, with_flags(flags), below(opcode::tick_branch, depth, maximum));
  }

  Draft priority(std::uint32_t depth) {
    Draft made = make(opcode::tick_priority, below(opcode::tick_case, depth, shape_.max_children));
    for (Draft& each : made.children) {
      if (random_.chance(85)) set_condition(each, random_condition(random_, tree_, 2));
    }
    return made;
  }

  Draft machine(std::uint32_t depth) {
    Draft made = make(opcode::tick_machine, below(opcode::tick_state, depth, shape_.max_children));
    const auto count = static_cast<std::uint32_t>(made.children.size());
    for (std::uint32_t i = 0; i < count; ++i) {
      made.children[i].label = "State" + std::to_string(i);
      auto& transitions = made.children[i].as<ir::EventTransitions>().transitions;
      transitions.resize(random_.below(4));
      for (ir::EventTransition& transition : transitions) transition = {any_signal(), random_.below(count), {}};
    }
    return made;
  }

  Draft loop(std::uint32_t depth) {
    const std::uint32_t flags = random_.below(2);
    const std::uint32_t count = random_.chance(30) ? 0 : random_.chance(5) ? 255 : up_to(4);
    return make(opcode::tick_loop, {ir::Limit{count, {}}, flags}, some(depth, 1));
  }

  Draft gate(std::uint32_t depth) {
    switch (random_.below(8)) {
      case 0:
      case 1:
        return with_condition(make(opcode::tick_guard, some(depth, 1)));
      case 2: {
        const std::uint64_t chance = random_.chance(20)   ? kAlwaysOpen
                                     : random_.chance(20) ? 0
                                                          : kAlwaysOpen / 4 * up_to(3);
        return make(opcode::tick_chance_guard, {ir::Chance{chance}}, some(depth, 1));
      }
      case 3:
        return make(opcode::tick_time_guard, compared_time(0), some(depth, 1));
      case 4: {
        const std::uint32_t maximum = random_.below(3);
        return make(opcode::tick_limit, {ir::Limit{maximum, {}}}, some(depth, 1));
      }
      case 5:
      case 6: {
        const std::uint32_t maximum = random_.below(3);
        const std::string scope = (random_.chance(50) ? "Scope" : "scope") + std::to_string(random_.below(3));
        return make(opcode::tick_scope, {ir::Limit{maximum, scope}}, some(depth, 1));
      }
      default: {
        const std::string source = script();
        return make(opcode::tick_script_guard, {ir::Scripts{{source}}}, some(depth, 1));
      }
    }
  }

  Draft wrapper(std::uint32_t depth) {
    if (random_.chance(30)) {
      const ir::Scripts scripts = {{script(), script()}};
      return make(opcode::tick_script_wrapper, {scripts}, some(depth, 1));
    }
    const std::uint32_t keeps = random_.chance(30) ? 1 : 0;
    const Operands operands = with_parameters(keeps);
    return make(opcode::tick_wrapper, operands, some(depth, 1));
  }

  Draft inner(std::uint32_t depth) {
    if (random_.chance(shape_.parallel_percent)) return parallel(depth);
    switch (random_.below(9)) {
      case 0:
      case 1:
        return make(opcode::tick_sequence, some(depth, shape_.max_children));
      case 2:
        return make(opcode::tick_selector, some(depth, shape_.max_children));
      case 3:
        return priority(depth);
      case 4:
        return machine(depth);
      case 5:
        return loop(depth);
      case 6:
        return make(opcode::tick_suppress, some(depth, 1));
      case 7:
        return gate(depth);
      default:
        return wrapper(depth);
    }
  }

  Draft plain_leaf() {
    Draft made = node_of(opcode::tick_action, "Plain", with_parameters());
    set_behavior(made, "Plain" + std::to_string(random_.below(6)));
    return made;
  }
  Draft list(std::uint32_t depth) {
    return make(random_.chance(50) ? opcode::tick_sequence : opcode::tick_selector, some(depth, shape_.max_children));
  }

  Draft node(std::uint32_t depth) {
    nodes_left_ -= nodes_left_ > 0 ? 1 : 0;
    const bool is_leaf = depth <= 1 || nodes_left_ == 0 || (depth < shape_.max_depth && random_.chance(30));
    if (shape_.plain_percent > 0 && random_.chance(shape_.plain_percent)) return is_leaf ? plain_leaf() : list(depth);
    Draft made = is_leaf ? leaf() : inner(depth);
    if (!random_.chance(shape_.log_percent)) return made;
    ir::Texts logs;
    for (ir::Text& text : logs.texts) text = log_text();
    std::vector<Draft> only;
    only.push_back(std::move(made));
    return make(opcode::tick_log, {std::move(logs)}, std::move(only));
  }

  Random& random_;
  const TickingShape& shape_;
  std::uint32_t nodes_left_;
  DraftTree tree_;
};

// ---- Text

std::string text_of(const DraftTree& tree, const std::vector<ir::Term>& terms, std::uint32_t index) {
  const ir::Term& term = terms[index];
  const auto binary = [&](const char* word) {
    return "(" + text_of(tree, terms, term.left) + " " + word + " " + text_of(tree, terms, term.right) + ")";
  };
  switch (term.kind) {
    case ir::TermKind::constant:
      return term.left != 0 ? "true" : "false";
    case ir::TermKind::variable:
      return tree.variables[term.left].name;
    case ir::TermKind::negation:
      return "!" + text_of(tree, terms, term.left);
    case ir::TermKind::conjunction:
      return binary("and");
    case ir::TermKind::disjunction:
      return binary("or");
    case ir::TermKind::exclusive:
      return binary("xor");
    case ir::TermKind::equal:
      return binary("==");
    case ir::TermKind::unequal:
      return binary("!=");
  }
  return "";
}

class Printer {
 public:
  explicit Printer(const DraftTree& tree) : tree_(tree), ticking_(tree.as<ir::Ticking>()) {}

  std::string print() {
    text_ = "tree " + tree_.name + (ticking_.stays_stopped ? ", stays stopped" : "") + "\n";
    for (const ir::Variable& each : tree_.variables) text_ += each.name + (each.initial ? " = true\n" : " = false\n");
    for (const ir::Signal& signal : tree_.signals) {
      text_ += signal.name + ":";
      for (const ir::Assignment& each : signal.assignments) {
        text_ += " " + tree_.variables[each.variable].name + " = " +
                 test::text_of(tree_, tree_.conditions[each.condition]) + ";";
      }
      text_ += "\n";
    }
    for (const ir::Timestamp& each : ticking_.timestamps) {
      text_ += each.name + " set on s" + std::to_string(each.signal);
      if (each.exclusive_to) text_ += " clears t" + std::to_string(*each.exclusive_to);
      text_ += "\n";
    }
    add(tree_.root, 0);
    return text_;
  }

 private:
  void add(const Draft& node, std::uint32_t depth) {
    std::string number = std::to_string(number_++);
    text_ += std::string(4 - std::min<std::size_t>(number.size(), 3), ' ') + number + std::string(2 * depth + 1, ' ') +
             opcode_name(node.opcode);
    if (node.flags != 0) text_ += " flags " + std::to_string(node.flags);
    if (const ir::Condition* condition = condition_of(tree_, node)) text_ += " if " + test::text_of(tree_, *condition);
    if (!node.label.empty()) text_ += " '" + node.label + "'";
    std::visit([&](const auto& payload) { add_payload(payload); }, node.payload);
    text_ += "\n";
    for (const Draft& child : node.children) add(child, depth + 1);
  }

  template <typename Other>
  void add_payload(const Other&) {}
  void add_payload(const ir::Behavior& behavior) { text_ += " " + behavior.name; }
  void add_payload(const ir::Chance& chance) { text_ += " " + std::to_string(chance.number); }
  void add_payload(const ir::Duration& wait) {
    text_ += " " + std::to_string(wait.time_us) + " " + std::to_string(wait.random_us);
  }
  void add_payload(const ir::TimeTest& test) {
    text_ += test.timestamp ? " t" + std::to_string(*test.timestamp) : " no timestamp";
    text_ += " " + std::to_string(test.threshold_us);
  }
  void add_payload(const ir::Limit& limit) { text_ += " '" + limit.scope + "' " + std::to_string(limit.maximum); }
  void add_payload(const ir::Event& event) { text_ += " s" + std::to_string(event.signal); }
  void add_payload(const ir::Texts& logs) {
    for (const std::string& text : logs.texts) text_ += " '" + text + "'";
  }
  void add_payload(const ir::Scripts& scripts) {
    for (const std::string& source : scripts.sources) text_ += " {" + source + "}";
  }
  void add_payload(const ir::EventTransitions& state) {
    for (const ir::EventTransition& each : state.transitions) {
      text_ += " s" + std::to_string(each.signal) + " -> " + std::to_string(each.target);
    }
  }

  const DraftTree& tree_;
  const ir::Ticking& ticking_;
  std::string text_;
  std::uint32_t number_ = 0;
};

}  // namespace

TickingShape random_ticking_shape(Random& random) {
  TickingShape shape;
  switch (random.below(10)) {
    case 0:
      shape.max_nodes = 300;
      break;
    case 1:
      shape.max_depth = 40;
      shape.max_nodes = 80;
      shape.max_children = 2;
      break;
    case 2:
      shape.parallel_percent = 60;
      break;
    case 3:
      shape.max_nodes = 4;
      break;
    case 4:
      shape.max_variables = 40;
      break;
    case 5:
      shape.log_percent = 0;
      break;
    case 6:
      shape.max_nodes = 12;
      break;
    default:
      break;
  }
  return shape;
}

DraftTree random_ticking_tree(Random& random, const TickingShape& shape, std::string name) {
  return TickingBuilder(random, shape).build(std::move(name));
}

DraftProject random_ticking_project(Random& random) {
  DraftProject project;
  if (random.chance(30)) project.events = {"s0", "s9", "t0"};  // trees name the first; none has the others
  const std::uint32_t tree_count = 1 + random.below(3);
  for (std::uint32_t i = 0; i < tree_count; ++i) {
    const std::string name = "Tree" + std::to_string(i);
    const bool selects = tree_count > 1 && random.chance(15);
    project.trees.push_back(selects ? random_tree(random, random_shape(random), name)
                                    : random_ticking_tree(random, random_ticking_shape(random), name));
  }
  return project;
}

std::string text_of(const DraftTree& tree) { return Printer(tree).print(); }

std::string text_of(const DraftTree& tree, const ir::Condition& condition) {
  return text_of(tree, condition.terms, static_cast<std::uint32_t>(condition.terms.size() - 1));
}

}  // namespace espalier::test
