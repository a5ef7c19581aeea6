// What is claimed of small random trees that tick is what brute force over their model finds.
#include <algorithm>
#include <sstream>

#include "explore_brute_force.h"
#include "payloads.h"
#include "repeat.h"
#include "replay/strategy.h"
#include "runtime/format/opcodes/tick.h"
#include "runtime_ticking_model.h"
#include "runtime_ticking_trees.h"
#include "unit.h"

namespace explore_ticking {

using namespace espalier::test;
using espalier::test::Random;
namespace ir = espalier::ir;
using espalier::Opcode;
namespace opcode = espalier::opcode;
using espalier::Result;

// As the host of an exploration sees them: all behaviours have all functions and one of so many names, no wait is
// longer by chance, and each node is in a line of its own.
void simplify(Draft& node, std::uint32_t name_count, std::uint32_t& line) {
  node.span = {0, line, line};
  ++line;
  if (auto* behavior = std::get_if<ir::Behavior>(&node.payload)) {
    std::string name = behavior->name;
    const std::size_t digit = name.find_first_of("0123456789");
    name.at(digit) = static_cast<char>('A' + static_cast<std::uint32_t>(name.at(digit) - '0') % name_count);
    behavior->name = std::move(name);
    behavior->memory_bytes = 0;
  } else if (auto* wait = std::get_if<ir::Duration>(&node.payload)) {
    wait->random_us = 0;
  }
  for (Draft& child : node.children) simplify(child, name_count, line);
}

std::size_t count_nodes(const Draft& node) {
  std::size_t count = 1;
  for (const Draft& child : node.children) count += count_nodes(child);
  return count;
}

constexpr std::uint32_t kLines = 200;

DraftTree small_tree(Random& random) {
  TickingShape shape;
  shape.max_nodes = 3 + random.below(6);
  shape.max_depth = 3 + random.below(2);
  shape.max_variables = 2;
  shape.max_children = 3;
  shape.log_percent = 5;
  for (;;) {
    DraftTree tree = random_ticking_tree(random, shape, "T");
    std::uint32_t line = 0;
    simplify(tree.root, 2, line);
    if (count_nodes(tree.root) <= 14) return tree;
  }
}

// One of which slices are made.
DraftTree tree_with_parts(Random& random) {
  TickingShape shape;
  shape.max_nodes = 6 + random.below(9);
  shape.max_depth = 3 + random.below(3);
  shape.max_variables = 2;
  shape.max_children = 4;
  shape.parallel_percent = 40;
  shape.log_percent = 5;
  DraftTree tree = random_ticking_tree(random, shape, "T");
  std::uint32_t line = 0;
  simplify(tree.root, 4, line);
  return tree;
}

void compile_tree(const DraftTree& tree, Compiled& compiled) {
  DraftProject project;
  project.trees.push_back(tree);
  compile(project, compiled, false, repeat("\n", kLines));
}

void collect(Draft& node, std::vector<Draft*>& nodes) {
  nodes.push_back(&node);
  for (Draft& child : node.children) collect(child, nodes);
}

// Another version, with the same names and the same random numbers.
void mutate(Random& random, DraftTree& tree) {
  std::vector<Draft*> nodes;
  collect(tree.root, nodes);
  Draft& node = *nodes[random.below(static_cast<std::uint32_t>(nodes.size()))];
  switch (random.below(5)) {
    case 0:
      if (auto* behavior = std::get_if<ir::Behavior>(&node.payload)) {
        std::string name = behavior->name;
        name.back() = name.back() == 'A' ? 'B' : 'A';
        behavior->name = std::move(name);
      }
      return;
    case 1:
      if (node.opcode == opcode::tick_sequence || node.opcode == opcode::tick_selector) {
        node.opcode = node.opcode == opcode::tick_selector ? opcode::tick_sequence : opcode::tick_selector;
      } else if (node.opcode == opcode::tick_parallel) {
        node.flags = static_cast<std::uint8_t>(random.below(4));
      } else if (node.opcode == opcode::tick_wait) {
        node.as<ir::Duration>().time_us += 100'000;
      }
      return;
    case 2:
      if (node.opcode == opcode::tick_time) {
        node.as<ir::TimeTest>().threshold_us += 200'000;
      } else if (node.opcode == opcode::tick_guard || node.opcode == opcode::tick_case) {
        set_condition(node, random_condition(random, tree, 2));
      }
      return;
    default:
      if (node.children.size() < 2 || node.opcode == opcode::tick_machine) return;
      std::swap(node.children[0], node.children[1]);
      return;
  }
}

// The items of a node.
struct Items {
  std::size_t begun = 0;
  std::size_t transitions = 0;
};

// An agent of the model, and its host. `other`: a version whose names it hears, too.
struct TickAgentModel : ModelAgents {
  const DraftTree& tree;
  DiceHost host{1, 0};
  ModelPlaces places;
  TickingModel model;
  struct Name {
    std::string name;
    bool is_action = false;
    auto operator<=>(const Name&) const = default;
  };
  std::vector<Name> names;
  std::map<std::string, std::size_t> present;
  std::vector<const Draft*> nodes;  // by number
  std::map<const Draft*, const Draft*> parents;
  std::map<const Draft*, Items> items;
  std::vector<std::size_t> queue;                  // signals
  std::map<std::size_t, std::uint64_t> bounds_us;  // of timestamps: the longest time that matters
  ModelDraws* draws_now = nullptr;
  std::string status;
  bool is_impossible = false;

  explicit TickAgentModel(const DraftTree& of, const DraftTree* other = nullptr)
      : tree(of), model(of, 1, host, places) {
    std::set<Name> all;
    for (const DraftTree* each : {&tree, other == nullptr ? &tree : other}) add_names(each->root, all);
    names.assign(all.begin(), all.end());
    for (const Name& name : names) {
      if (name.is_action) behaviors.push_back(name.name);
    }
    add_nodes(tree.root, nullptr);
    std::size_t next = 0;
    for (const Draft* node : nodes) {
      if (node->opcode == opcode::tick_branch || node->opcode == opcode::tick_log) continue;
      items[node] = {next, next + 1};
      next += node->opcode == opcode::tick_case    ? 1
              : node->opcode == opcode::tick_state ? 1 + node->as<ir::EventTransitions>().transitions.size()
                                                   : 3;
      const auto* test = node->as_if<ir::TimeTest>();
      if (test == nullptr || !test->timestamp) continue;
      std::uint64_t& bound_us = bounds_us[*test->timestamp];
      if (test->threshold_us < std::uint64_t{1} << 62) bound_us = std::max(bound_us, test->threshold_us + 2);
    }
    host.answer_instead = [this](Told what, std::uint32_t number) { return answer(what, *nodes[number]); };
    // Chances are 1, 2 or 3 of 4.
    model.opens_instead = [this](std::uint64_t chance) { return draw(4, *draws_now) < chance >> 51; };
    model.watch_transition = [this](const Draft& from, std::size_t transition) {
      reached.insert(items.at(&from).transitions + transition);
    };
    lines = [this] { return find_lines(); };
    waits = [this] { return find_waits(); };
    text = [this](const ModelLine& line) { return text_of_line(line); };
    run = [this](const ModelLine& line, ModelDraws& draws) { run_line(line, draws); };
    state = [this] { return state_text(); };
    view = [this](std::size_t) { return view_now(); };
  }
  TickAgentModel(const TickAgentModel&) = delete;

  void add_nodes(const Draft& node, const Draft* parent) {
    nodes.push_back(&node);
    parents[&node] = parent;
    for (const Draft& child : node.children) add_nodes(child, &node);
  }

  static std::string name_of(const Draft& node) {
    if (const auto* behavior = std::get_if<ir::Behavior>(&node.payload)) return behavior->name;
    if (!node.as_if<ir::Scripts>()) return {};
    const char* type = node.opcode == opcode::tick_script_guard     ? "LuaGate"
                       : node.opcode == opcode::tick_script_wrapper ? "LuaWrapper"
                       : node.flags == 0                            ? "ExecuteLua"
                                                                    : "AssertLua";
    return type + ('@' + std::to_string(node.span.begin + 1));
  }
  static void add_names(const Draft& node, std::set<Name>& names) {
    if (!name_of(node).empty()) names.insert({name_of(node), node.opcode == opcode::tick_action});
    for (const Draft& child : node.children) add_names(child, names);
  }

  // A script without an answer would run: a trace has to answer for it before.
  std::uint32_t answer(Told what, const Draft& node) {
    const auto [known, is_new] = present.try_emplace(name_of(node), 0);
    if (is_new && what == Told::script) is_impossible = true;
    const std::size_t given = known->second;
    if (what != Told::update) return given == 0 ? 1 : 0;
    constexpr Result kAnswers[] = {Result::success, Result::running, Result::failure};
    return static_cast<std::uint32_t>(kAnswers[given]);
  }

  std::vector<ModelLine> find_lines() const {
    std::vector<ModelLine> found;
    for (std::size_t i = 0; i < tree.signals.size(); ++i) found.push_back({.kind = ModelLine::signal, .id = i});
    for (std::size_t i = 0; i < tree.variables.size(); ++i) {
      for (const std::size_t value : {1, 0}) found.push_back({.kind = ModelLine::set, .id = i, .value = value});
    }
    for (std::size_t name = 0; name < names.size(); ++name) {
      for (std::size_t value = 0; value < (names[name].is_action ? 3u : 2u); ++value)
        found.push_back({.kind = ModelLine::host, .id = name, .value = value});
    }
    return found;
  }

  std::set<std::uint64_t> find_waits() const {
    std::set<std::uint64_t> found;
    for (const auto& [node, own] : model.state().active) {
      if (node->opcode == opcode::tick_wait && own.end_us != ~std::uint64_t{0})
        found.insert(own.end_us - std::min(own.end_us, model.clock_us));
    }
    for (const Draft* node : nodes) {
      const auto* test = node->as_if<ir::TimeTest>();
      if (test == nullptr || !test->timestamp) continue;
      const ModelTimestamp& timestamp = model.state().timestamps[*test->timestamp];
      if (timestamp.kind != ModelTimestamp::Kind::set) continue;
      const auto bound_us = static_cast<std::int64_t>(test->threshold_us);
      const std::int64_t change_us = (node->flags & 4) != 0 ? bound_us : bound_us + 1;  // `less`, `greater`
      const std::int64_t left_us = change_us - static_cast<std::int64_t>(model.clock_us - timestamp.time_us);
      if (change_us > 0 && left_us > 0) found.insert(static_cast<std::uint64_t>(left_us));
    }
    return found;
  }

  std::string text_of_line(const ModelLine& line) const {
    constexpr const char* kActions[] = {"\"success\"", "\"running\"", "\"failure\""};
    constexpr const char* kConditions[] = {"true", "false"};
    switch (line.kind) {
      case ModelLine::signal:
        return R"({"signal": ")" + tree.signals[line.id].name + "\"}";
      case ModelLine::set:
        return R"({"set": {")" + tree.variables[line.id].name + "\": " + (line.value != 0 ? "true}}" : "false}}");
      case ModelLine::host:
        return R"({"host": {")" + names[line.id].name +
               "\": " + (names[line.id].is_action ? kActions : kConditions)[line.value] + "}}";
      default:
        return R"({"tick": 0.1})";
    }
  }

  void run_line(const ModelLine& line, ModelDraws& draws) {
    draws_now = &draws;
    host.clear();
    switch (line.kind) {
      case ModelLine::signal:
        model.raise(static_cast<std::uint32_t>(line.id));
        break;
      case ModelLine::set:
        model.set(static_cast<std::uint32_t>(line.id), line.value != 0);
        break;
      case ModelLine::host:
        present[names[line.id].name] = line.value;
        break;
      default:
        model.clock_us += line.time_us;
        for (const std::size_t signal : std::exchange(queue, {})) model.raise(static_cast<std::uint32_t>(signal));
        switch (model.update()) {
          case Result::running:
            status = "running";
            break;
          case Result::success:
            status = "success";
            break;
          case Result::failure:
            status = "failure";
            break;
          default:
            break;
        }
        break;
    }
    for (const Note& note : host.notes()) look_at(note);
    if (!is_impossible) return;
    reached.clear();
    ends = true;
  }

  void look_at(const Note& note) {
    if (note.what == Told::queue) {
      constexpr std::uint32_t kOthers = 2;
      if (note.value >> 16 != kOthers) queue.push_back(note.value & 0xFFFF);
      return;
    }
    if (note.what != Told::begins && note.what != Told::completes) return;
    const Draft* node = nodes[note.node];
    const Draft* parent = parents.at(node);
    const bool begins = note.what == Told::begins;
    if (begins && parent != nullptr && (parent->opcode == opcode::tick_case || parent->opcode == opcode::tick_state))
      reached.insert(items.at(parent).begun);
    const auto own = items.find(node);
    if (own == items.end()) return;
    reached.insert(own->second.begun + (begins ? 0 : static_cast<Result>(note.value) == Result::success ? 1 : 2));
  }

  std::string state_text() const {
    const ModelState& now = model.state();
    std::ostringstream words;
    for (const bool value : now.variables) words << value;
    for (std::size_t i = 0; i < now.timestamps.size(); ++i) {
      const ModelTimestamp& timestamp = now.timestamps[i];
      words << " t" << static_cast<int>(timestamp.kind);
      const auto bound = bounds_us.find(i);
      if (timestamp.kind != ModelTimestamp::Kind::set || bound == bounds_us.end()) continue;
      words << ' ' << std::min(bound->second, model.clock_us - timestamp.time_us);
    }
    words << (now.changed ? " changed" : "") << (now.is_stopped ? " stopped" : "");
    std::map<std::uint32_t, std::string> active;
    for (const auto& [node, own] : now.active) active[model.number_of(*node)] = node_text(*node, own);
    for (const auto& [number, own] : active) words << "; " << number << ' ' << own;
    for (const std::string& scope : now.held_scopes) words << ' ' << scope;
    for (const std::size_t signal : queue) words << " queued " << signal;
    for (const auto& [name, value] : present)
      words << (value == 0 && name.find('@') == std::string::npos ? "" : ' ' + name + ' ' + std::to_string(value));
    return words.str();
  }
  std::string node_text(const Draft& node, const ModelNodeState& own) const {
    std::ostringstream words;
    words << own.present << ' ' << (own.chosen ? static_cast<int>(*own.chosen) : -1) << ' ';
    for (const bool is_left : own.unfinished) words << is_left;
    words << ' ' << own.successes << ' ' << own.failures << ' ' << own.pending << own.transition_waits << own.counted
          << own.child_was_running << own.is_open << own.has_come;
    if (node.opcode == opcode::tick_wait)
      words << ' '
            << (own.end_us == ~std::uint64_t{0} ? own.end_us : own.end_us - std::min(own.end_us, model.clock_us));
    return words.str();
  }

  ModelView view_now() const {
    ModelView seen;
    seen.status = status;
    for (const Draft* node : nodes) {
      if (node->opcode == opcode::tick_action && model.state().active.count(node) != 0)
        seen.running.push_back(node->as<ir::Behavior>().name);
    }
    seen.shown = seen.running;
    for (std::size_t i = 0; i < tree.variables.size(); ++i)
      seen.variables[tree.variables[i].name] = model.state().variables[i];
    return seen;
  }
};

struct RandomTicking {
  static constexpr const char* kTree = "T";
  static DraftTree make(Random& random, Claims) { return small_tree(random); }
  static void mutate(Random& random, DraftTree& tree) { explore_ticking::mutate(random, tree); }
  static void compile(const DraftTree& tree, Compiled& compiled) { compile_tree(tree, compiled); }
  static std::shared_ptr<ModelAgents> agents(const DraftTree& tree, const DraftTree* other) {
    return std::make_shared<TickAgentModel>(tree, other);
  }
  static std::string text(const DraftTree& tree) { return text_of(tree); }
};

TEST_CASE("what is claimed of random trees that tick is what brute force finds") {
  const RandomTest test = GENERATE(RandomTest{Claims::covers, 25, 100, 2}, RandomTest{Claims::proofs, 15, 5, 2},
                                   RandomTest{Claims::diffs, 30, 3, 2});
  compare_random_trees<RandomTicking>(test);
}

TEST_CASE("what slices of random trees that tick never show is what brute force does not find") {
  constexpr std::uint32_t kUsual = 250;
  Compared compared;
  for_random_trees(kUsual, [&](Random& random, std::uint32_t number) {
    const DraftTree tree = tree_with_parts(random);
    Compiled compiled;
    compile_tree(tree, compiled);
    const auto text = [&] { return std::to_string(number) + '\n' + text_of(tree); };
    compare_slices(
        random, compiled.asset, {&compiled.asset, 0}, [&] { return RandomTicking::agents(tree, nullptr); }, text,
        compared);
  });
  CHECK(compared.unreachable > 25);
  CHECK(compared.undecided > 50);
}

}  // namespace explore_ticking
