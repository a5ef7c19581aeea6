// The runtime against a model of trees that tick: random trees with random steps run through both, and all calls of a
// host, every result and the visible state of an agent must be the same after each step.
#include <cstring>
#include <memory>
#include <set>

#include "payloads.h"
#include "runtime/asset/view.h"
#include "runtime/format/node.h"
#include "runtime/format/opcode_words.h"
#include "runtime/format/opcodes/tick.h"
#include "runtime/format/records.h"
#include "runtime_ticking_model.h"
#include "runtime_ticking_trees.h"
#include "unit.h"

namespace runtime_ticking {

namespace {

using namespace espalier;
using test::DiceHost;
using test::Note;
using test::Told;

// What all agents share: one group.
struct World {
  explicit World(const Asset& asset) : group(group_bytes(asset) / 8 + 1) { start_group(asset, group.data()); }
  std::vector<std::uint64_t> group;
};

// A tree with the block that its agents share, and its nodes in the order of the file.
struct TreeInUse {
  TreeInUse(const test::DraftTree& source, const Tree& compiled) : ir_tree(source), tree(compiled) {
    shared.resize(shared_bytes(tree) / 8 + 1);
    start_shared(tree, shared.data());
    const auto& unit = records<layout::Unit>(*tree.asset, layout::SectionId::units)[tree_record(tree).unit];
    const auto* unit_words = array<std::uint32_t>(*tree.asset, layout::SectionId::nodes);
    for (std::uint32_t word = unit.first_word; word < unit.first_word + unit.word_count;) {
      numbers.emplace(word, static_cast<std::uint32_t>(numbers.size()));
      words.push_back(word);
      word += own_words(unit_words + word);
    }
    list(ir_tree.root);
  }
  void list(const test::Draft& node) {
    nodes.push_back(&node);
    for (const test::Draft& child : node.children) list(child);
  }
  const test::DraftTree& ir_tree;
  Tree tree;
  std::vector<std::uint64_t> shared;
  std::map<std::uint32_t, std::uint32_t> numbers;  // of nodes by their words
  std::vector<std::uint32_t> words;
  std::vector<const test::Draft*> nodes;
};

// ---- An agent of the runtime

class TickingAgent {
 public:
  TickingAgent(TreeInUse& used, World& world, std::uint64_t seed, DiceHost& dice)
      : used_(used), dice_(dice), block_(agent_bytes(used.tree) / 8) {
    for (std::uint32_t i = 0; i < behavior_count(*used.tree.asset); ++i) {
      table_.push_back(behavior(test::functions_of(behavior_name(*used.tree.asset, i))));
    }
    host_ = {table_.data(), this, 0, 0, used.shared.data(), world.group.data()};
    host_.script = on_script;
    host_.log = on_log;
    host_.queue = on_queue;
    start(used.tree, block_.data());
    espalier::seed(used.tree, block_.data(), seed);
  }
  TickingAgent(const TickingAgent&) = delete;
  TickingAgent& operator=(const TickingAgent&) = delete;

  const void* block() const { return block_.data(); }
  void set_clock(std::uint64_t clock_us) { host_.clock_us = clock_us; }
  void set(std::uint32_t variable, bool value) { espalier::set(used_.tree, block_.data(), variable, value); }
  void raise(std::uint32_t signal) { espalier::signal(used_.tree, block_.data(), signal, host_); }
  void stop() { espalier::stop(used_.tree, block_.data(), host_); }
  // Every other one prepared.
  Result update() {
    is_prepared_ = !is_prepared_;
    return is_prepared_ ? espalier::update(prepare(used_.tree), block_.data(), host_)
                        : espalier::update(used_.tree, block_.data(), host_);
  }
  void update_as_many() { update_all(used_.tree, block_.data(), block_.size() * 8, 1, host_); }
  Result update_watched() {
    const Watcher watcher = {nullptr, this, on_node, on_changed};
    return espalier::update_watched(used_.tree, block_.data(), host_, watcher);
  }
  std::vector<std::uint64_t> saved() const { return block_; }
  void restore(const std::vector<std::uint64_t>& saved) {
    espalier::restore(used_.tree, block_.data(), saved.data(), host_);
  }
  // Moves it to the same tree, in another block.
  void move() {
    std::vector<std::uint64_t> block(block_.size());
    move_agent(used_.tree, block_.data(), host_, used_.tree, block.data(), host_);
    block_ = std::move(block);
  }

 private:
  static TickingAgent& of(void* user) { return *static_cast<TickingAgent*>(user); }
  static std::uint32_t number(const Call* call) { return of(call->host->user).used_.numbers.at(call->node_word); }
  static DiceHost& dice(const Call* call) { return of(call->host->user).dice_; }

  // Of a behaviour's call.
  static DiceHost& dice_with_memory(const Call* call) {
    const auto* block = reinterpret_cast<const unsigned char*>(of(call->host->user).block());
    auto* memory = static_cast<unsigned char*>(call->memory);
    const std::size_t block_bytes = agent_bytes(call->tree);
    const bool is_inside = memory == nullptr ? call->memory_bytes == 0
                                             : memory >= block && memory + call->memory_bytes <= block + block_bytes &&
                                                   reinterpret_cast<std::uintptr_t>(memory) % 8 == 0;
    if (!is_inside) FAIL("the memory of node " << number(call) << " is not in the block");
    dice(call).use(memory, call->memory_bytes, number(call));
    return dice(call);
  }

  static void on_enter(const Call* call) {
    of(call->host->user).check_parameters(call);
    dice_with_memory(call).tell(Told::enter, number(call));
  }
  static void on_leave(const Call* call) { dice_with_memory(call).tell(Told::leave, number(call)); }
  static void on_interrupt(const Call* call) { dice_with_memory(call).tell(Told::interrupt, number(call)); }
  static espalier_result on_update(const Call* call) { return dice_with_memory(call).update(number(call)); }
  static bool on_gate(const Call* call) { return dice_with_memory(call).gate(number(call)); }
  static void on_event(const Call* call) { dice_with_memory(call).tell(Told::event, number(call), call->signal); }
  static bool on_script(const Call* call, std::uint32_t script) {
    return dice(call).script(number(call), test::number_in(script_text(*call->tree.asset, script)));
  }
  static void on_log(const Call* call, const char* text) {
    dice(call).tell(Told::log, number(call), test::number_in(text));
  }
  static void on_queue(const Call* call, std::uint32_t signal, espalier_receivers receivers) {
    dice(call).tell(Told::queue, number(call), signal | static_cast<std::uint32_t>(receivers) << 16);
  }
  static void on_node(void* user, const NodeStep* step) {
    constexpr Told kTold[] = {Told::begins, Told::completes, Told::interrupted, Told::sends};
    const TickingAgent& agent = of(user);
    agent.dice_.note(kTold[static_cast<std::size_t>(step->kind)], agent.used_.numbers.at(step->node_word), step->value);
  }
  static void on_changed(void* user, std::uint32_t variable, bool value) {
    of(user).dice_.note(Told::changes, variable, value ? 1 : 0);
  }

  static Behavior behavior(const test::Functions& has) {
    Behavior made;
    if (has.enter) made.enter = on_enter;
    if (has.leave) made.leave = on_leave;
    if (has.interrupt) made.interrupt = on_interrupt;
    if (has.action) made.tick = on_update;
    if (has.gate) made.allow = on_gate;
    if (has.event) made.event = on_event;
    return made;
  }

  void check_parameters(const Call* call) const {
    const test::Draft& node = *used_.nodes[number(call)];
    const ir::Few<ir::Parameter>& expected = node.as<ir::Behavior>().parameters;
    bool same = parameter_count(call) == expected.size();
    for (std::uint32_t i = 0; same && i < expected.size(); ++i) {
      const Parameter found = parameter(call, i);
      same = found.name == expected[i].name && found.type == expected[i].type &&
             (found.whole == expected[i].whole || found.whole == 0) &&
             (found.text == expected[i].text || found.text[0] == '\0') &&
             (found.numbers[0] == expected[i].numbers[0] || found.numbers[0] == 0);
    }
    if (!same) FAIL("the parameters of node " << number(call));
  }

  TreeInUse& used_;
  DiceHost& dice_;
  std::vector<std::uint64_t> block_;
  std::vector<Behavior> table_;
  Host host_;
  bool is_prepared_ = false;
};

// ---- Both

struct Saved {
  std::vector<std::uint64_t> block;
  test::ModelState state;
};

// An agent and its model.
struct Twins {
  Twins(TreeInUse& used, World& world, test::ModelPlaces& places, std::uint64_t seed, std::uint32_t meddle_percent)
      : agent_dice(seed, meddle_percent),
        model_dice(seed, meddle_percent),
        agent(used, world, seed, agent_dice),
        model(used.ir_tree, seed, model_dice, places) {
    const std::uint32_t signal_count = espalier::signal_count(used.tree);  // with those that only the project declares
    const auto variable_count = static_cast<std::uint32_t>(used.ir_tree.variables.size());
    agent_dice.agent = {[this](std::uint32_t signal) { agent.raise(signal); },
                        [this](std::uint32_t variable, bool value) { agent.set(variable, value); }, signal_count,
                        variable_count};
    model_dice.agent = {[this](std::uint32_t signal) { model.raise(signal); },
                        [this](std::uint32_t variable, bool value) { model.set(variable, value); }, signal_count,
                        variable_count};
  }
  DiceHost agent_dice;
  DiceHost model_dice;
  TickingAgent agent;
  test::TickingModel model;
  std::optional<Saved> saved;
};

std::string text_of(const std::vector<Note>& notes) {
  std::string text;
  for (const Note& note : notes) text += "\n    " + test::text_of(note);
  return text;
}

// Events for watchers only are left out if there was no watcher.
std::vector<Note> notes_of(const DiceHost& dice, bool watched) {
  std::vector<Note> notes;
  for (const Note& note : dice.notes()) {
    if (watched || note.what < Told::begins) notes.push_back(note);
  }
  return notes;
}

// The difference between an agent and its model; empty if there is none.
std::string difference(Twins& twins, const TreeInUse& used, bool watched) {
  const std::vector<Note> told = notes_of(twins.agent_dice, watched);
  const std::vector<Note> expected = notes_of(twins.model_dice, watched);
  if (told != expected) return "told:" + text_of(told) + "\n  by the model:" + text_of(expected);
  const Tree& tree = used.tree;
  const void* block = twins.agent.block();
  const test::ModelState& state = twins.model.state();
  for (std::uint32_t i = 0; i < state.variables.size(); ++i) {
    if (variable(tree, block, i) != state.variables[i]) return "variable " + std::to_string(i);
  }
  for (std::uint32_t i = 0; i < state.timestamps.size(); ++i) {
    std::uint64_t time_us = 0;
    const bool is_set = timestamp(tree, block, i, &time_us);
    const bool must_be = state.timestamps[i].kind == test::ModelTimestamp::Kind::set;
    if (is_set != must_be || (is_set && time_us != state.timestamps[i].time_us))
      return "timestamp " + std::to_string(i);
  }
  if (is_stopped(tree, block) != state.is_stopped) return "stopped";
  std::vector<std::uint32_t> active;
  visit_active(
      tree, block,
      [](void* user, std::uint32_t word) { static_cast<std::vector<std::uint32_t>*>(user)->push_back(word); }, &active);
  std::vector<std::uint32_t> expected_active;
  for (std::size_t i = 0; i < used.nodes.size(); ++i) {
    const test::Draft& node = *used.nodes[i];
    const bool is_named =
        node.opcode != opcode::tick_branch && node.opcode != opcode::tick_case && node.opcode != opcode::tick_state;
    const auto found = state.active.find(&node);
    if (found != state.active.end() && is_named) expected_active.push_back(used.words[i]);
    const bool is_active = found != state.active.end();
    if (node.opcode == opcode::tick_machine &&
        present_state(tree, block, used.words[i]) != (is_active ? found->second.present : 0)) {
      return "present state of " + std::to_string(i);
    }
    if (node.opcode == opcode::tick_wait &&
        wait_end_us(tree, block, used.words[i]) != (is_active ? found->second.end_us : 0)) {
      return "end of wait " + std::to_string(i);
    }
  }
  return active == expected_active ? "" : "active nodes";
}

// Nodes that are no machine have no present state, and those that are no Wait have no end.
std::string difference_in_others(const Twins& twins, const TreeInUse& used) {
  for (std::size_t i = 0; i < used.nodes.size(); ++i) {
    const Opcode opcode = used.nodes[i]->opcode;
    const bool has_state =
        opcode != opcode::tick_machine && present_state(used.tree, twins.agent.block(), used.words[i]) != 0;
    const bool has_end = opcode != opcode::tick_wait && wait_end_us(used.tree, twins.agent.block(), used.words[i]) != 0;
    if (has_state || has_end) return "a node has what others have: " + std::to_string(i);
  }
  return "";
}

std::string difference_in_places(const TreeInUse& used, const World& world, const test::ModelPlaces& places) {
  std::uint32_t limit = 0;
  for (const test::Draft* node : used.nodes) {
    if (node->opcode != opcode::tick_limit) continue;
    std::uint16_t inside = 0;
    std::memcpy(&inside, reinterpret_cast<const unsigned char*>(used.shared.data()) + 2 * std::size_t{limit++}, 2);
    const auto found = places.limits.find(node);
    if (inside != (found == places.limits.end() ? 0 : found->second)) return "places of a limit";
  }
  const Asset& asset = *used.tree.asset;
  for (std::uint32_t i = 0; i < record_count(asset, layout::SectionId::scopes); ++i) {
    std::uint16_t inside = 0;
    std::memcpy(&inside, reinterpret_cast<const unsigned char*>(world.group.data()) + 2 * std::size_t{i}, 2);
    std::string name = name_at(asset, records<layout::Scope>(asset, layout::SectionId::scopes)[i].name);
    name[0] = 's';  // lower case
    const auto found = places.scopes.find(name);
    if (inside != (found == places.scopes.end() ? 0 : found->second)) return "places of " + name;
  }
  return "";
}

// ---- Steps

// Counts what happened, so that the test cannot silently test nothing.
struct Tally {
  std::uint64_t updates = 0;
  std::uint64_t running = 0;
  std::uint64_t told[16] = {};
  std::set<Opcode> active;  // opcodes that were active between updates
};

class Run {
 public:
  Run(test::Random& random, const test::DraftProject& project, const Asset& asset, Tally& tally)
      : random_(random), tally_(tally), world_(asset) {
    for (const test::DraftTree& ir_tree : project.trees) {
      Tree tree;
      REQUIRE(find_tree(asset, ir_tree.name, &tree) == Status::ok);
      if (ir_tree.engine() == EngineId::tick) used_.push_back(std::make_unique<TreeInUse>(ir_tree, tree));
    }
    const std::uint32_t meddle_percent = random.chance(50) ? 0 : 5 + random.below(40);
    for (std::uint32_t i = 0; i < 1 + random.below(4) && !used_.empty(); ++i) {
      owners_.push_back(used_[random.below(static_cast<std::uint32_t>(used_.size()))].get());
      twins_.push_back(std::make_unique<Twins>(*owners_.back(), world_, places_, random.next(), meddle_percent));
    }
  }

  // Empty if the runtime and the model did the same.
  std::string run(std::uint32_t step_count) {
    if (twins_.empty()) return "";
    for (std::uint32_t i = 0; i < step_count; ++i) {
      const std::uint32_t which = random_.below(static_cast<std::uint32_t>(twins_.size()));
      const std::string found = step(which);
      if (!found.empty()) return report(which, found);
    }
    for (std::uint32_t i = 0; i < twins_.size(); ++i) {
      const std::string others = difference_in_others(*twins_[i], *owners_[i]);
      if (!others.empty()) return report(i, others);
      steps_ += "agent " + std::to_string(i) + " stops\n";
      twins_[i]->agent.stop();
      twins_[i]->model.stop();
      const std::string found = compare(i, false);
      if (!found.empty()) return report(i, found);
    }
    for (const auto& [node, inside] : places_.limits) {
      if (inside != 0) return "an agent that has stopped holds a place";
    }
    return "";
  }

 private:
  std::string report(std::uint32_t which, const std::string& found) {
    return test::text_of(owners_[which]->ir_tree) + steps_ + "agent " + std::to_string(which) + " differs: " + found;
  }

  std::string compare(std::uint32_t which, bool watched) {
    Twins& twins = *twins_[which];
    std::string found = difference(twins, *owners_[which], watched);
    for (const auto& used : used_) {
      if (found.empty()) found = difference_in_places(*used, world_, places_);
    }
    for (const Note& note : twins.model_dice.notes()) ++tally_.told[static_cast<std::size_t>(note.what)];
    for (const auto& [node, state] : twins.model.state().active) tally_.active.insert(node->opcode);
    twins.agent_dice.clear();
    twins.model_dice.clear();
    return found;
  }

  void say(std::uint32_t which, const std::string& what) {
    steps_ += "agent " + std::to_string(which) + " " + what + "\n";
  }

  std::string step(std::uint32_t which) {
    Twins& twins = *twins_[which];
    const test::DraftTree& ir_tree = owners_[which]->ir_tree;
    const std::uint32_t dice = random_.below(100);
    if (random_.chance(60)) clock_us_ += 100000 * random_.below(8);
    twins.agent.set_clock(clock_us_);
    twins.model.clock_us = clock_us_;
    bool watched = false;
    if (dice < 15) {
      const std::uint32_t variable = random_.below(static_cast<std::uint32_t>(ir_tree.variables.size()));
      const bool value = random_.chance(50);
      say(which, "sets v" + std::to_string(variable) + (value ? " true" : " false"));
      twins.agent.set(variable, value);
      twins.model.set(variable, value);
    } else if (dice < 35) {
      const std::uint32_t signal = random_.below(twins.agent_dice.agent.signal_count);
      say(which, "hears s" + std::to_string(signal));
      twins.agent.raise(signal);
      twins.model.raise(signal);
    } else if (dice < 37) {
      say(which, "stops");
      twins.agent.stop();
      twins.model.stop();
    } else if (dice < 39) {
      say(which, "is saved");
      twins.saved = Saved{twins.agent.saved(), twins.model.state()};
    } else if (dice < 41 && twins.saved) {
      say(which, "is restored");
      twins.agent.restore(twins.saved->block);
      twins.model.restore(twins.saved->state);
    } else if (dice < 43) {
      say(which, "moves");
      twins.agent.move();
      twins.model.move();
    } else {
      watched = random_.chance(50);
      say(which, std::string("is updated") + (watched ? ", watched" : "") + " at " + std::to_string(clock_us_));
      const std::string found = update(twins, watched);
      if (!found.empty()) return found;
    }
    return compare(which, watched);
  }

  std::string update(Twins& twins, bool watched) {
    const Result expected = twins.model.update();
    ++tally_.updates;
    tally_.running += expected == Result::running ? 1 : 0;
    if (!watched && random_.chance(20)) {
      twins.agent.update_as_many();
      return "";
    }
    const Result result = watched ? twins.agent.update_watched() : twins.agent.update();
    if (result == expected) return "";
    const std::string found = difference(twins, *owner_of(twins), watched);
    return "result " + std::to_string(static_cast<int>(result)) + ", by the model " +
           std::to_string(static_cast<int>(expected)) + "; " + found;
  }

  TreeInUse* owner_of(const Twins& twins) {
    for (std::size_t i = 0; i < twins_.size(); ++i) {
      if (twins_[i].get() == &twins) return owners_[i];
    }
    return nullptr;
  }

  test::Random& random_;
  Tally& tally_;
  World world_;
  test::ModelPlaces places_;
  std::vector<std::unique_ptr<TreeInUse>> used_;
  std::vector<TreeInUse*> owners_;  // of each of the twins
  std::vector<std::unique_ptr<Twins>> twins_;
  std::uint64_t clock_us_ = 0;
  std::string steps_;
};

// ---- Plain nodes

// An agent with all that it uses. Two of the same seed see the same world.
struct Alone {
  Alone(const test::DraftTree& ir_tree, const Tree& tree, std::uint64_t seed)
      : world(*tree.asset), used(ir_tree, tree), dice(seed, 10), agent(used, world, seed, dice) {
    dice.agent = {[this](std::uint32_t signal) { agent.raise(signal); },
                  [this](std::uint32_t variable, bool value) { agent.set(variable, value); },
                  espalier::signal_count(tree), static_cast<std::uint32_t>(ir_tree.variables.size())};
  }
  World world;
  TreeInUse used;
  DiceHost dice;
  TickingAgent agent;
};

test::DraftProject plain_project(test::Random& random) {
  test::TickingShape shape;
  shape.log_percent = 3;
  shape.parallel_percent = 30;
  shape.plain_percent = 60 + 10 * random.below(5);
  shape.max_nodes = random.chance(20) ? 200 : 30;
  test::DraftProject project;
  project.trees.push_back(test::random_ticking_tree(random, shape, "Plain"));
  return project;
}

// Compares an agent that is updated in one of the ways that nobody watches with one that is watched.
std::string run_watched_and_not(test::Random& random, const test::DraftTree& ir_tree, const Tree& tree, Tally& tally) {
  const std::uint64_t seed = random.next();
  Alone plain(ir_tree, tree, seed);
  Alone watched(ir_tree, tree, seed);
  for (std::uint32_t step = 0; step < 40; ++step) {
    if (random.chance(10)) {
      const std::uint32_t signal = random.below(espalier::signal_count(tree));
      plain.agent.raise(signal);
      watched.agent.raise(signal);
    }
    const Result expected = watched.agent.update_watched();
    if (random.chance(25)) {
      plain.agent.update_as_many();
    } else if (plain.agent.update() != expected) {
      return "results of update " + std::to_string(step);
    }
    ++tally.updates;
    tally.running += expected == Result::running ? 1 : 0;
    const std::vector<Note> told = notes_of(plain.dice, false);
    const std::vector<Note> by_watched = notes_of(watched.dice, false);
    if (told != by_watched) return "told:" + text_of(told) + "\n  watched:" + text_of(by_watched);
    if (plain.agent.saved() != watched.agent.saved()) return "bytes after update " + std::to_string(step);
    plain.dice.clear();
    watched.dice.clear();
  }
  return "";
}

}  // namespace

TEST_CASE("a watched agent has the same bytes, calls and results as one that nobody watches") {
  Tally tally;
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    test::Random random{seed};
    const test::DraftProject project = plain_project(random);
    test::Compiled compiled;
    test::compile(project, compiled);
    Tree tree;
    REQUIRE(find_tree(compiled.asset, "Plain", &tree) == Status::ok);
    const std::string found = run_watched_and_not(random, project.trees[0], tree, tally);
    if (!found.empty()) FAIL("seed " << seed << "\n" << test::text_of(project.trees[0]) << found);
  }
  CHECK(tally.running > tally.updates / 3);
  CHECK(tally.running < tally.updates);
}

TEST_CASE("random trees that tick do what the rules say, step by step") {
  const std::uint64_t project_count = rounds_of(2500u);
  Tally tally;
  for (std::uint64_t seed = 1; seed <= project_count; ++seed) {
    test::Random random{seed};
    const test::DraftProject project = test::random_ticking_project(random);
    test::Compiled compiled;
    test::compile(project, compiled, random.chance(50));
    for (int trace = 0; trace < 2; ++trace) {
      const std::string found = Run(random, project, compiled.asset, tally).run(60);
      if (!found.empty()) FAIL("seed " << seed << ", trace " << trace << "\n" << found);
    }
  }
  // The test would show little if trees were seldom running, or if some opcode was never active between updates.
  CHECK(tally.updates > rounds_of(100000u));
  CHECK(tally.running > tally.updates / 3);
  for (std::size_t i = 0; i <= static_cast<std::size_t>(Told::changes); ++i) {
    INFO("note " << i);
    CHECK(tally.told[i] > rounds_of(1000u));
  }
  for (const OpcodeRow& row : OpcodesOf<EngineId::tick>::rows) {
    const bool is_instant = row.opcode == opcode::tick_message || row.opcode == opcode::tick_script;
    if (is_instant) continue;
    INFO(opcode_name(row.opcode));
    CHECK(tally.active.count(row.opcode) == 1);
  }
}

}  // namespace runtime_ticking
