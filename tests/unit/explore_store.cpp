// Covers of small random trees that store their results are what brute force over their model finds.
#include <algorithm>
#include <sstream>

#include "explore_brute_force.h"
#include "runtime_store_trees.h"
#include "unit.h"

namespace explore_store {

using namespace espalier::test;
using espalier::test::Random;

class SmallStore {
 public:
  explicit SmallStore(Random& random) : random_(random) {}

  ModelStoreProject make() {
    has_slots_ = random_.chance(25);
    has_groups_ = random_.chance(35);
    return make_trees();
  }

  // A tree of which slices are made: without slots, groups, monitors, and what is evaluated in each update.
  ModelStoreProject make_with_parts() {
    has_parts_ = true;
    return make_trees();
  }

 private:
  ModelStoreProject make_trees() {
    tree_count_ = has_slots_ ? 2 : 1;
    for (std::uint32_t i = 0; i < tree_count_; ++i) {
      budget_ = i > 0 ? 2 : has_groups_ ? 4 : has_parts_ ? 6 + random_.below(7) : 2 + random_.below(5);
      ModelStoreTree tree;
      tree.name = "T" + std::to_string(i);
      tree.max_depth = 1 + random_.below(3);
      tree.root = i > 0 && random_.chance(50) ? leaf(false) : node(0, false, false);
      project_.trees.push_back(std::move(tree));
    }
    for (const ModelStoreTree& tree : project_.trees) add_slots(tree.root);
    return std::move(project_);
  }

  std::string name(const char* prefix) { return prefix + std::to_string(random_.below(has_parts_ ? 4 : 2)); }

  ModelStoreNode leaf(bool is_in_monitor) {
    ModelStoreNode made;
    made.kind = random_.chance(is_in_monitor ? 90 : 35) ? StoreKind::condition : StoreKind::action;
    made.name = name(made.kind == StoreKind::condition ? "c" : "a");
    return made;
  }

  ModelStoreNode node(std::uint32_t depth, bool is_in_role, bool is_in_monitor) {
    if (budget_ > 0) --budget_;
    const bool is_leaf = budget_ == 0 || depth > 4 || (depth > 0 && random_.chance(30));
    if (is_leaf && is_in_role && !is_in_monitor && random_.chance(40)) {
      ModelStoreNode barrier;
      barrier.kind = StoreKind::barrier;
      barrier.name = "x";
      return barrier;
    }
    if (is_leaf && has_slots_ && !is_in_monitor && random_.chance(50)) return child_tree();
    if (is_leaf) return leaf(is_in_monitor);
    ModelStoreNode made;
    made.kind = kind(is_in_role, is_in_monitor);
    std::uint32_t count = 1;
    if (made.kind == StoreKind::sequence || made.kind == StoreKind::selector || made.kind == StoreKind::parallel) {
      count = 1 + random_.below(3);
    }
    if (made.kind == StoreKind::parallel) {
      made.succeeds_with_any = random_.chance(50);
      made.fails_with_all = random_.chance(50);
    } else if (made.kind == StoreKind::repeat) {
      made.is_each_update = !has_parts_ && random_.chance(40);
      if (!made.is_each_update) made.count = random_.below(3);
      made.until_failure = !made.is_each_update && random_.chance(40);
    } else if (made.kind == StoreKind::gate) {
      made.count = 1;
    } else if (made.kind == StoreKind::cooldown) {
      made.is_global = random_.chance(40);
      made.starts_at_entry = random_.chance(40);
      made.time_us = 250'000 * std::uint64_t{random_.below(3)};
    } else if (made.kind == StoreKind::group) {
      return group(std::move(made), depth);
    } else if (made.kind == StoreKind::child_tree) {
      return child_tree();
    }
    is_in_monitor = is_in_monitor || made.kind == StoreKind::monitor;
    for (; count > 0; --count) made.children.push_back(node(depth + 1, is_in_role, is_in_monitor));
    return made;
  }

  StoreKind kind(bool is_in_role, bool is_in_monitor) {
    constexpr StoreKind kBelowMonitors[] = {StoreKind::sequence, StoreKind::selector, StoreKind::parallel,
                                            StoreKind::invert,   StoreKind::succeed,  StoreKind::fail};
    if (is_in_monitor) return kBelowMonitors[random_.below(6)];
    if (has_groups_ && !is_in_role && random_.chance(40)) return StoreKind::group;
    if (has_slots_ && random_.chance(25)) return StoreKind::child_tree;
    if (random_.chance(has_parts_ ? 75 : 45)) return kBelowMonitors[random_.below(3)];
    if (has_parts_) return random_.chance(30) ? StoreKind::repeat : kBelowMonitors[random_.below(6)];
    constexpr StoreKind kKinds[] = {StoreKind::invert,  StoreKind::succeed, StoreKind::fail,     StoreKind::repeat,
                                    StoreKind::monitor, StoreKind::gate,    StoreKind::cooldown, StoreKind::monitor};
    return kKinds[random_.below(8)];
  }

  ModelStoreNode group(ModelStoreNode made, std::uint32_t depth) {
    constexpr StoreLeave kLeaves[] = {StoreLeave::fail, StoreLeave::reset, StoreLeave::ignore};
    made.on_leave = kLeaves[random_.below(3)];
    if (random_.chance(40)) made.time_us = 500'000 * std::uint64_t{random_.below(2)};
    for (std::uint32_t i = 1 + random_.below(2); i > 0; --i) {
      ModelStoreNode role;
      role.kind = StoreKind::role;
      if (random_.chance(25)) {
        role.children.push_back(leaf(true));
        role.children.back().kind = StoreKind::condition;
        role.children.back().name = "c0";
      }
      role.children.push_back(node(depth + 1, true, false));
      made.children.push_back(std::move(role));
    }
    return made;
  }

  ModelStoreNode child_tree() {
    ModelStoreNode made;
    made.kind = StoreKind::child_tree;
    made.name = "s0";
    if (random_.chance(50)) made.default_tree = "T1";
    return made;
  }
  void add_slots(const ModelStoreNode& node) {
    for (const ModelStoreNode& child : node.children) add_slots(child);
    if (node.kind != StoreKind::child_tree || project_.find_slot(node.name) != nullptr) return;
    project_.slots.push_back({node.name, std::vector<std::string>{"T1"}, {}});
    if (random_.chance(30)) project_.slots.back().accepts.reset();
  }

  Random& random_;
  ModelStoreProject project_;
  bool has_slots_ = false;
  bool has_groups_ = false;
  bool has_parts_ = false;
  std::uint32_t tree_count_ = 1;
  std::uint32_t budget_ = 0;
};

void visit_nodes(const ModelStoreNode& node, const std::function<void(const ModelStoreNode&)>& visit) {
  visit(node);
  for (const ModelStoreNode& child : node.children) visit_nodes(child, visit);
}

// As many as the largest group has roles, and one more than may be in a gate.
std::uint32_t agents_of(const ModelStoreProject& project) {
  std::size_t count = 1;
  for (const ModelStoreTree& tree : project.trees) {
    visit_nodes(tree.root, [&](const ModelStoreNode& node) {
      if (node.kind == StoreKind::group) count = std::max(count, node.children.size());
      const bool is_global = node.kind == StoreKind::cooldown && node.is_global;
      if (is_global || node.kind == StoreKind::gate) count = std::max<std::size_t>(count, 2);
    });
  }
  return static_cast<std::uint32_t>(count);
}

// Agents of the first tree, their host, and its items.
struct Crowd : ModelAgents {
  const ModelStoreProject& project;
  StoreHost host;
  StoreModel model;
  std::vector<std::pair<std::string, bool>> names;  // of the host: is it an action?
  std::map<std::pair<std::uint32_t, std::size_t>, std::size_t> present;
  std::vector<std::string> statuses;                   // of the agents
  std::map<const ModelStoreNode*, std::size_t> items;  // the first one of each node

  // `other`: a version whose names it hears, too.
  Crowd(const ModelStoreProject& of, std::uint32_t count, const ModelStoreProject* other = nullptr)
      : project(of), model(of, host, [](const std::string&, const std::string&, const std::string&) { return true; }) {
    agent_count = count;
    std::set<std::pair<std::string, bool>> all;
    for (const ModelStoreProject* each : {&project, other == nullptr ? &project : other}) {
      for (const ModelStoreTree& tree : each->trees) {
        visit_nodes(tree.root, [&](const ModelStoreNode& node) {
          if (node.kind == StoreKind::action || node.kind == StoreKind::condition)
            all.insert({node.name, node.kind == StoreKind::action});
        });
      }
    }
    names.assign(all.begin(), all.end());
    for (const auto& [name, is_action] : names) {
      if (is_action) behaviors.push_back(name);
    }
    statuses.resize(count);
    std::size_t next = 0;
    std::set<const ModelStoreNode*> conditions_of_roles;
    visit_nodes(project.trees[0].root, [&](const ModelStoreNode& node) {
      if (conditions_of_roles.count(&node) != 0) return;
      if (node.kind == StoreKind::role && node.children.size() == 2) conditions_of_roles.insert(&node.children[0]);
      items[&node] = next;
      next += node.kind == StoreKind::role ? 1 : node.kind == StoreKind::child_tree ? 4 : 3;
    });
    for (std::uint32_t i = 0; i < agent_count; ++i) static_cast<void>(model.spawn(project.trees[0].name));
    model.watch = [this](const ModelStoreNode& node, StoreModel::What what) {
      const auto found = items.find(&node);
      if (found == items.end()) return;
      const bool is_role = node.kind == StoreKind::role;
      if (is_role && what != StoreModel::What::is_bound) return;
      reached.insert(found->second + (is_role                              ? 0
                                      : what == StoreModel::What::begins   ? 0
                                      : what == StoreModel::What::succeeds ? 1
                                      : what == StoreModel::What::fails    ? 2
                                                                           : 3));
    };
    lines = [this] { return find_lines(); };
    waits = [this] { return model.waits(); };
    run = [this](const ModelLine& line, ModelDraws&) { run_line(line); };
    state = [this] {
      std::string words = model.state_text() + "answers ";
      for (const auto& [name, value] : present) {
        if (value != 0)
          words += std::to_string(name.first) + ':' + std::to_string(name.second) + ' ' + std::to_string(value) + ' ';
      }
      return words;
    };
    text = [this](const ModelLine& line) { return text_of_line(line); };
    view = [this](std::size_t agent) {
      ModelView seen;
      seen.status = statuses[agent];
      seen.running = seen.shown = model.running(static_cast<std::uint32_t>(agent));
      return seen;
    };
  }
  Crowd(const Crowd&) = delete;

  std::vector<ModelLine> find_lines() const {
    std::vector<ModelLine> found;
    const auto add = [&](ModelLine line) {
      for (std::size_t agent = 0; agent < agent_count; ++agent) {
        line.agent = agent;
        found.push_back(line);
      }
      line.agent = kAll;
      if (agent_count > 1) found.push_back(line);
    };
    for (std::size_t slot = 0; slot < project.slots.size(); ++slot) {
      for (std::size_t tree = 0; tree <= project.trees.size(); ++tree) {
        for (const bool is_immediate : {false, true})
          add({.kind = ModelLine::inject, .id = slot, .value = tree, .is_immediate = is_immediate});
      }
    }
    for (std::size_t name = 0; name < names.size(); ++name) {
      for (std::size_t value = 0; value < (names[name].second ? 3u : 2u); ++value)
        add({.kind = ModelLine::host, .id = name, .value = value});
    }
    return found;
  }

  std::string text_of_line(const ModelLine& line) const {
    const auto quoted = [](const std::string& name) { return '"' + name + '"'; };
    if (line.kind == ModelLine::tick) return "{\"tick\": 0.1}";
    if (line.kind == ModelLine::inject) {
      const bool is_emptied = line.value == project.trees.size();
      return "{\"inject\": {\"slot\": " + quoted(project.slots[line.id].name) +
             ", \"tree\": " + (is_emptied ? "null" : quoted(project.trees[line.value].name)) + '}' +
             (line.is_immediate ? ", \"immediate\": true}" : "}");
    }
    constexpr const char* kActions[] = {"\"success\"", "\"running\"", "\"failure\""};
    constexpr const char* kConditions[] = {"true", "false"};
    const auto& [name, is_action] = names[line.id];
    return "{\"host\": {" + quoted(name) + ": " + (is_action ? kActions : kConditions)[line.value] + "}}";
  }

  void run_line(const ModelLine& line) {
    if (line.kind == ModelLine::tick) model.now_us += line.time_us;
    for (std::uint32_t agent = 0; agent < agent_count; ++agent) {
      if (line.agent != kAll && line.agent != agent) continue;
      if (line.kind == ModelLine::tick) {
        constexpr const char* kWords[] = {"", "running", "success", "failure"};
        statuses[agent] = kWords[static_cast<std::size_t>(model.update(agent))];
      } else if (line.kind == ModelLine::inject) {
        const std::string tree = line.value == project.trees.size() ? "" : project.trees[line.value].name;
        static_cast<void>(model.inject(agent, project.slots[line.id].name, tree, line.is_immediate));
      } else {
        const StoreResult actions[] = {StoreResult::success, StoreResult::running, StoreResult::failure};
        const StoreResult conditions[] = {StoreResult::success, StoreResult::failure};
        present[{agent, line.id}] = line.value;
        host.answers[{agent, names[line.id].first}] = {names[line.id].second ? actions[line.value]
                                                                             : conditions[line.value]};
      }
    }
    host.events.clear();
  }
};

void collect(ModelStoreNode& node, std::vector<ModelStoreNode*>& nodes) {
  nodes.push_back(&node);
  for (ModelStoreNode& child : node.children) collect(child, nodes);
}

// Another version of the first tree, with the same slots and as many roles.
void mutate(Random& random, ModelStoreProject& project) {
  std::vector<ModelStoreNode*> nodes;
  collect(project.trees[0].root, nodes);
  ModelStoreNode& node = *nodes[random.below(static_cast<std::uint32_t>(nodes.size()))];
  switch (node.kind) {
    case StoreKind::action:
    case StoreKind::condition:
      node.name.back() = node.name.back() == '0' ? '1' : '0';
      return;
    case StoreKind::sequence:
    case StoreKind::selector:
      if (node.children.size() > 1 && random.chance(50)) return std::swap(node.children[0], node.children[1]);
      node.kind = node.kind == StoreKind::sequence ? StoreKind::selector : StoreKind::sequence;
      return;
    case StoreKind::parallel:
      node.succeeds_with_any = !node.succeeds_with_any;
      return;
    case StoreKind::invert:
    case StoreKind::succeed:
      node.kind = StoreKind::fail;
      return;
    case StoreKind::cooldown:
      node.starts_at_entry = !node.starts_at_entry;
      return;
    case StoreKind::repeat:
      if (!node.is_each_update) ++node.count;
      return;
    default:
      return;
  }
}

struct RandomStoring {
  static constexpr const char* kTree = "T0";
  static ModelStoreProject make(Random& random, Claims) { return SmallStore(random).make(); }
  static void mutate(Random& random, ModelStoreProject& project) { explore_store::mutate(random, project); }
  static void compile(const ModelStoreProject& project, Compiled& compiled) {
    espalier::test::compile(ir_of(project), compiled);
  }
  static std::shared_ptr<ModelAgents> agents(const ModelStoreProject& project, const ModelStoreProject* other) {
    const std::uint32_t count = std::max(agents_of(project), other != nullptr ? agents_of(*other) : 0);
    return std::make_shared<Crowd>(project, count, other);
  }
  static std::string text(const ModelStoreProject& project) { return text_of(project); }
};

TEST_CASE("what is claimed of random trees that store is what brute force finds") {
  const RandomTest test = GENERATE(RandomTest{Claims::covers, 25, 200, 2}, RandomTest{Claims::proofs, 10, 5, 2},
                                   RandomTest{Claims::diffs, 10, 3, 2});
  compare_random_trees<RandomStoring>(test);
}

TEST_CASE("what slices of random trees that store never show is what brute force does not find") {
  constexpr std::uint32_t kUsual = 300;
  Compared compared;
  for_random_trees(kUsual, [&](Random& random, std::uint32_t number) {
    const ModelStoreProject project = SmallStore(random).make_with_parts();
    Compiled compiled;
    RandomStoring::compile(project, compiled);
    const auto text = [&] { return std::to_string(number) + '\n' + RandomStoring::text(project); };
    compare_slices(
        random, compiled.asset, {&compiled.asset, 0}, [&] { return RandomStoring::agents(project, nullptr); }, text,
        compared);
  });
  CHECK(compared.unreachable > 25);
  CHECK(compared.undecided > 50);
}

}  // namespace explore_store
