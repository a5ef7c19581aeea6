// Covers, proofs and diffs of small random trees that poll are what brute force finds, which runs agents as a replay
// does and keeps apart all states that may differ.
#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "explore/search.h"
#include "explore_brute_force.h"
#include "payloads.h"
#include "replay/strategy.h"
#include "runtime/format/opcode_words.h"
#include "runtime/format/opcodes/poll.h"
#include "runtime/poll/memory.h"
#include "runtime/poll/poll.h"
#include "runtime/poll/tree.h"
#include "unit.h"

namespace explore_polling {

using namespace espalier;
using namespace espalier::test;
using espalier::test::Random;
using layout::PollDirection;
using layout::PollHook;
using layout::PollOp;
using layout::PollType;

// Scripts of all trees.
constexpr std::uint32_t kIsOne = 0;      // k == 1
constexpr std::uint32_t kMakeOne = 1;    // k := 1
constexpr std::uint32_t kMakeOther = 2;  // k := 2

struct PollingTree {
  DraftProject project;
  std::shared_ptr<Compiled> compiled = nullptr;  // once it was needed

  const Asset& asset() {
    if (!compiled) {
      compiled = std::make_shared<Compiled>();
      test::compile(project, *compiled);
    }
    return compiled->asset;
  }
};

class SmallPolling {
 public:
  SmallPolling(Random& random, std::uint32_t most, std::uint32_t name_count = 2)
      : random_(random), budget_(1 + random.below(most)), name_count_(name_count) {}

  PollingTree make() { return make(node(0)); }

  // Two branches side by side, of which much is known by itself.
  PollingTree make_branches() {
    constexpr Opcode kKinds[] = {opcode::poll_parallel, opcode::poll_parallel_all, opcode::poll_nonblocking};
    const std::uint32_t kind = random_.below(3);
    std::vector<Port> counts = {{PollType::int32, random_.chance(50) ? "2" : "1"}, {PollType::int32, "1"}};
    counts.resize(2 - kind);
    return make(made(kKinds[kind], {branch(), branch()}, counts));
  }

  PollingTree make(Draft root) {
    DraftTree tree;
    tree.name = "T";
    ir::Polling polling;
    polling.is_main = true;
    polling.text_bytes = 8;
    polling.boards.resize(1);
    polling.boards[0].keys.push_back({"k", 0, std::nullopt, true});
    polling.entries.push_back({"k", 0, random_.chance(50), PollType::int32, "0"});
    const auto push = [](std::int64_t whole) {
      ir::PollInstruction code;
      code.op = PollOp::push_whole;
      code.whole = whole;
      return code;
    };
    const auto code = [](PollOp op) {
      ir::PollInstruction result;
      result.op = op;
      return result;
    };
    polling.scripts = {{code(PollOp::load), push(1), code(PollOp::compare)},
                       {push(1), code(PollOp::create)},
                       {push(2), code(PollOp::create)}};
    tree.root = std::move(root);
    tree.parts = std::move(polling);
    PollingTree made;
    made.project.trees.push_back(std::move(tree));
    return made;
  }

  Draft leaf() {
    switch (random_.below(10)) {
      case 0:
        return made(opcode::poll_sleep, {}, {milliseconds()});
      case 1:
        return scripted(opcode::poll_script, {}, 1 + random_.below(2));
      case 2:
        return scripted(opcode::poll_script_condition, {}, kIsOne);
      case 3:
        return hosted(opcode::poll_sync_action, "s0", {});
      case 4:
      case 5:
        return hosted(opcode::poll_condition, "c" + std::to_string(random_.below(name_count_)), {});
      default:
        return hosted(opcode::poll_action, "a" + std::to_string(random_.below(name_count_)), {});
    }
  }

 private:
  struct Port {
    PollType type;
    std::string literal;  // empty: the entry
  };

  Port milliseconds() { return {PollType::uint32, random_.chance(50) ? "100" : "250"}; }

  static Draft made(Opcode opcode, std::vector<Draft> children, const std::vector<Port>& ports = {},
                    std::uint32_t flags = 0) {
    Draft result;
    result.opcode = opcode;
    result.name = "n";
    result.flags = static_cast<std::uint8_t>(flags);
    ir::PolledNode polled;
    for (const Port& each : ports) {
      ir::PollPort port;
      port.name = "p" + std::to_string(polled.ports.size());
      port.type = each.type;
      if (each.literal.empty()) {
        port.key = 0;
      } else {
        port.literal = each.literal;
      }
      polled.ports.push_back(std::move(port));
    }
    result.payload = std::move(polled);
    result.children = std::move(children);
    return result;
  }

  static Draft scripted(Opcode opcode, std::vector<Draft> children, std::uint32_t script,
                        const std::vector<Port>& ports = {}) {
    Draft result = made(opcode, std::move(children), ports);
    changed(result).script = script;
    return result;
  }

  Draft hosted(Opcode opcode, const std::string& name, std::vector<Draft> children) {
    Draft result = made(opcode, std::move(children));
    ir::PolledNode& polled = changed(result);
    polled.host = name;
    polled.is_condition = opcode == opcode::poll_condition || opcode == opcode::poll_gate;
    if (name == "a0") {
      ir::PollPort port;
      port.name = "out";
      port.type = PollType::int32;
      port.direction = PollDirection::output;
      port.key = 0;
      polled.ports.push_back(std::move(port));
    }
    if (random_.chance(12)) polled.hooks[static_cast<std::size_t>(PollHook::skip_if)] = kIsOne;
    if (random_.chance(8)) polled.hooks[static_cast<std::size_t>(PollHook::on_halted)] = kMakeOne;
    if (random_.chance(8)) polled.hooks[static_cast<std::size_t>(PollHook::post)] = kMakeOther;
    return result;
  }

  static ir::PolledNode& changed(Draft& node) { return std::get<ir::PolledNode>(node.payload); }

  Draft branch() {
    constexpr Opcode kLists[] = {opcode::poll_sequence, opcode::poll_fallback, opcode::poll_reactive_sequence,
                                 opcode::poll_reactive_fallback};
    std::vector<Draft> steps;
    while (steps.size() < 2) {
      Draft step = leaf();
      if (step.opcode != opcode::poll_sleep) steps.push_back(std::move(step));
    }
    Draft list = made(kLists[random_.below(4)], std::move(steps));
    if (random_.chance(25)) return made(opcode::poll_invert, {std::move(list)});
    return list;
  }

  Draft node(std::uint32_t depth) {
    if (budget_ > 0) --budget_;
    if (budget_ == 0 || depth > 3 || (depth > 0 && random_.chance(25))) return leaf();
    const auto children = [&](std::uint32_t count) {
      std::vector<Draft> result;
      for (; count > 0; --count) result.push_back(node(depth + 1));
      return result;
    };
    const std::uint32_t some = 1 + random_.below(3);
    switch (random_.below(22)) {
      case 0:
      case 1:
        return made(opcode::poll_sequence, children(some), {}, random_.below(2));
      case 2:
        return made(opcode::poll_fallback, children(some), {}, random_.below(2));
      case 3:
        return made(opcode::poll_sequence_with_memory, children(some));
      case 4:
        return made(opcode::poll_reactive_sequence, children(some));
      case 5:
        return made(opcode::poll_reactive_fallback, children(some));
      case 6:
        return made(opcode::poll_parallel, children(some), {{PollType::int32, "1"}, {PollType::int32, "1"}});
      case 7:
        return made(opcode::poll_parallel_all, children(some), {{PollType::int32, "1"}});
      case 8:
        return made(opcode::poll_if_then_else, children(2 + random_.below(2)));
      case 9:
        return made(opcode::poll_while_do_else, children(2 + random_.below(2)));
      case 10:
        return made(opcode::poll_switch, children(3),
                    {{PollType::text, ""}, {PollType::text, "1"}, {PollType::text, "2"}});
      case 11:
        return made(opcode::poll_try_catch, children(2), {{PollType::boolean, "true"}});
      case 12:
        return made(opcode::poll_recovery, children(2), {{PollType::int32, "1"}});
      case 13:
        return made(random_.chance(50) ? opcode::poll_pipeline : opcode::poll_nonblocking, children(2));
      case 14:
        return made(opcode::poll_invert, children(1));
      case 15:
        return made(opcode::poll_retry, children(1), {{PollType::int32, "2"}});
      case 16:
        return made(opcode::poll_repeat, children(1), {{PollType::int32, "2"}});
      case 17:
        return made(opcode::poll_timeout, children(1), {milliseconds()});
      case 18:
        return made(opcode::poll_delay, children(1), {milliseconds()});
      case 19:
        return random_.chance(50) ? made(opcode::poll_run_once, children(1), {{PollType::boolean, "false"}})
                                  : made(opcode::poll_trigger, children(1));
      case 20:
        return random_.chance(50) ? made(opcode::poll_rate, children(1), {{PollType::real64, "4"}})
                                  : hosted(opcode::poll_gate, "g0", children(1));
      default:
        return random_.chance(50)
                   ? made(opcode::poll_updated, children(1), {{PollType::any, ""}}, random_.below(2))
                   : scripted(opcode::poll_precondition, children(1), kIsOne, {{PollType::status, "FAILURE"}});
    }
  }

  Random& random_;
  std::uint32_t budget_;
  std::uint32_t name_count_;  // of actions, and of conditions
};

// One agent, its host, and its items.
struct PollingAgent : ModelAgents {
  struct Name {
    std::string name;
    bool is_action = false;
    bool is_sync = false;
    std::uint32_t answer_count() const { return is_action ? (is_sync ? 2 : 3) : 2; }
  };
  static constexpr std::array<double, 3> kValues = {1, 2, 0};  // 1, and what is beyond it

  const Tree tree;
  const PollTreeView polled;
  std::vector<std::uint64_t> block;
  std::uint64_t clock_us = 0;
  std::vector<Name> names;
  std::map<std::size_t, std::size_t> present;
  std::map<std::uint32_t, std::size_t> items;  // the first one of each node, by word
  bool uses_entry = false;
  std::string status;

  explicit PollingAgent(const Asset& asset, const Asset* other) : tree{&asset, 0}, polled(tree) {
    block.resize(agent_bytes(tree) / 8 + 1);
    start(tree, block.data());
    may_update_at_once = true;
    find_names(tree);
    if (other != nullptr) find_names({other, 0});
    std::sort(names.begin(), names.end(), [](const Name& left, const Name& right) { return left.name < right.name; });
    for (const Name& name : names) {
      if (name.is_action) behaviors.push_back(name.name);
    }
    std::size_t next = 0;
    std::set<const std::uint32_t*> cases;
    for (std::uint32_t i = 0; i < polled.unit.node_count; ++i) {
      const std::uint32_t* const node = polled.node(i);
      if (cases.count(node) != 0) ++next;
      items[polled.word_of(node)] = next;
      next += 3;
      if (opcode_of(node) != opcode::poll_switch) continue;
      for (const std::uint32_t* const child : children_of(node)) cases.insert(child);
    }
    lines = [this] { return find_lines(); };
    waits = [this] { return find_waits(); };
    run = [this](const ModelLine& line, ModelDraws&) { run_line(line); };
    state = [this] { return state_text(); };
    text = [this](const ModelLine& line) { return text_of_line(line); };
    view = [this](std::size_t) {
      ModelView seen;
      seen.status = status;
      for (std::uint32_t i = 0; i < polled.unit.node_count; ++i) {
        const std::uint32_t* const node = polled.node(i);
        const bool is_action = opcode_of(node) == opcode::poll_action;
        if (is_action && agent().status(node) == PollStatus::running)
          seen.running.emplace_back(behavior_name(polled.asset, polled.polled_of(node).host));
      }
      seen.shown = seen.running;
      return seen;
    };
  }
  PollingAgent(const PollingAgent&) = delete;

  PollAgent agent() { return PollAgent(polled, block.data()); }

  void find_names(const Tree& of) {
    const PollTreeView view_of(of);
    const auto add = [&](const Name& name) {
      const auto is_same = [&](const Name& each) { return each.name == name.name; };
      if (std::none_of(names.begin(), names.end(), is_same)) names.push_back(name);
    };
    for (std::uint32_t i = 0; i < view_of.unit.node_count; ++i) {
      const std::uint32_t* const node = view_of.node(i);
      const layout::Polled& own = view_of.polled_of(node);
      const Opcode opcode = opcode_of(node);
      if (opcode == opcode::poll_action) add({std::string(behavior_name(*of.asset, own.host)), true, false});
      if (opcode == opcode::poll_sync_action) add({std::string(behavior_name(*of.asset, own.host)), true, true});
      if (opcode == opcode::poll_condition || opcode == opcode::poll_gate)
        add({std::string(host_condition_name(*of.asset, own.host)), false, false});
      uses_entry |= own.skip_if != 0 || opcode == opcode::poll_script_condition ||
                    opcode == opcode::poll_precondition || opcode == opcode::poll_switch ||
                    opcode == opcode::poll_updated;
    }
  }

  // An answer's number: its word, and with `a0` also what it writes.
  std::size_t answers_of(const Name& name) const {
    return name.answer_count() * (name.name == "a0" && uses_entry ? 1 + kValues.size() : 1);
  }

  std::vector<ModelLine> find_lines() const {
    std::vector<ModelLine> found;
    for (std::size_t i = 0; uses_entry && i < kValues.size(); ++i)
      found.push_back({.kind = ModelLine::set, .value = i});
    found.push_back({.kind = ModelLine::halt});
    for (std::size_t name = 0; name < names.size(); ++name) {
      for (std::size_t value = 0; value < answers_of(names[name]); ++value)
        found.push_back({.kind = ModelLine::host, .id = name, .value = value});
    }
    return found;
  }

  std::string text_of_line(const ModelLine& line) const {
    if (line.kind == ModelLine::tick) return "{\"tick\": 0.1}";
    if (line.kind == ModelLine::halt) return "{\"halt\": true}";
    if (line.kind == ModelLine::set)
      return "{\"set\": {\"k\": " + std::to_string(static_cast<int>(kValues[line.value])) + "}}";
    constexpr const char* kActions[] = {"\"success\"", "\"failure\"", "\"running\""};
    constexpr const char* kConditions[] = {"true", "false"};
    const Name& name = names[line.id];
    const std::size_t word = line.value % name.answer_count();
    return "{\"host\": {\"" + name.name + "\": " + (name.is_action ? kActions : kConditions)[word] + "}}";
  }

  // What the host answers now; writes outputs.
  espalier_result answer(const Call* call, std::string_view called) {
    const auto own = std::find_if(names.begin(), names.end(), [&](const Name& name) { return name.name == called; });
    const auto found = present.find(static_cast<std::size_t>(own - names.begin()));
    const std::size_t value = found == present.end() ? 0 : found->second;
    const std::size_t written = value / own->answer_count();
    std::uint32_t port = 0;
    if (written > 0 && espalier_find_port(call, "out", &port) == Status::ok) {
      espalier_value output;
      output.kind = ESPALIER_VALUE_WHOLE;
      output.whole = static_cast<std::int64_t>(kValues[written - 1]);
      REQUIRE(espalier_write_port(call, port, &output));
    }
    constexpr espalier_result kResults[] = {ESPALIER_SUCCESS, ESPALIER_FAILURE, ESPALIER_RUNNING};
    return kResults[value % own->answer_count()];
  }

  Host host() {
    static constexpr Behavior kAction = {.tick = [](const Call* call) {
      auto& self = *static_cast<PollingAgent*>(call->host->user);
      return self.answer(call, behavior_name(*call->tree.asset, call->behavior));
    }};
    static constexpr Behavior kCondition = {.tick = [](const Call* call) {
      auto& self = *static_cast<PollingAgent*>(call->host->user);
      return self.answer(call, host_condition_name(*call->tree.asset, call->behavior));
    }};
    static const std::vector<Behavior> kActions(16, kAction);
    static const std::vector<Behavior> kConditions(16, kCondition);
    Host made;
    made.behaviors = kActions.data();
    made.conditions = kConditions.data();
    made.user = this;
    made.clock_us = clock_us;
    return made;
  }

  void run_line(const ModelLine& line) {
    Watcher watcher;
    watcher.user = this;
    watcher.node = [](void* user, const NodeStep* step) { static_cast<PollingAgent*>(user)->see(*step); };
    if (line.kind == ModelLine::halt) {
      stop_polling_watched(tree, block.data(), host(), watcher);
    } else if (line.kind == ModelLine::set) {
      espalier_value value;
      value.kind = ESPALIER_VALUE_WHOLE;
      value.whole = static_cast<std::int64_t>(kValues[line.value]);
      REQUIRE(espalier_set_entry(tree, block.data(), 0, &value));
    } else if (line.kind == ModelLine::host) {
      present[line.id] = line.value;
    } else {
      clock_us += line.time_us;
      const Result result = update_watched(tree, block.data(), host(), watcher);
      status = replay::result_name(result);
    }
  }

  void see(const NodeStep& step) {
    const std::size_t first = items.at(step.node_word);
    if (step.kind == NodeStepKind::begin) {
      reached.insert(first);
      const std::uint32_t* const node = polled.nodes + step.node_word;
      if (node != polled.root() && opcode_of(parent_of(node)) == opcode::poll_switch) reached.insert(first - 1);
    } else if (step.kind == NodeStepKind::complete) {
      reached.insert(first + (step.value == Result::success ? 1 : 2));
    }
  }

  static constexpr std::uint64_t kPeriod_us = 250'000;  // of a rate of 4

  // Of a rate.
  static bool is_first_tick(const PollAgent& own, const std::uint32_t* node) { return own.memory(node)[16] != 0; }

  std::set<std::uint64_t> find_waits() {
    std::set<std::uint64_t> found;
    const PollAgent own = agent();
    for (std::uint32_t i = 0; i < polled.unit.node_count; ++i) {
      const std::uint32_t* const node = polled.node(i);
      if (shape_of(opcode_of(node)).has_timer && (own.timer_state(node) & kTimerSet) != 0)
        found.insert(own.time_us(node) - clock_us);
      if (opcode_of(node) != opcode::poll_rate || own.status(node) == PollStatus::idle) continue;
      const bool is_due = is_first_tick(own, node) || own.status(first_child(node)) == PollStatus::running;
      if (!is_due && own.time_us(node) + kPeriod_us > clock_us) found.insert(own.time_us(node) + kPeriod_us - clock_us);
    }
    if (!found.empty()) found.insert(0);
    return found;
  }

  // All that may matter: times from now on, and which timer was set first.
  std::string state_text() {
    const PollAgent own = agent();
    std::string words;
    const auto add = [&](std::uint64_t number) { words += std::to_string(number) + ' '; };
    std::map<std::uint64_t, std::size_t> orders;
    std::uint64_t count = own.entry(0).count;
    for (std::uint32_t i = 0; i < polled.unit.node_count; ++i) {
      const std::uint32_t* const node = polled.node(i);
      if (shape_of(opcode_of(node)).has_timer && (own.timer_state(node) & kTimerSet) != 0)
        orders[own.timer_state(node) >> kTimerOrder];
    }
    std::size_t next = 0;
    for (auto& [order, place] : orders) place = next++;
    for (std::uint32_t i = 0; i < polled.unit.node_count; ++i) {
      const std::uint32_t* const node = polled.node(i);
      const Opcode opcode = opcode_of(node);
      add(static_cast<std::uint64_t>(own.status(node)));
      if (shape_of(opcode).has_timer) {
        const std::uint32_t flags = own.timer_state(node);
        add(flags & (kTimerFlags | kTimerSet));
        if ((flags & kTimerSet) == 0) continue;
        add(own.time_us(node) - clock_us);
        add(orders.at(flags >> kTimerOrder));
      } else if (opcode == opcode::poll_rate) {
        if (own.status(node) == PollStatus::idle) continue;
        add(is_first_tick(own, node));
        add(std::min(clock_us - own.time_us(node), kPeriod_us));
      } else if (opcode == opcode::poll_updated) {
        add(own.memory(node)[0] & 1);
        add(load_u32(own.memory(node) + 1) == count);
      } else {
        const std::uint32_t byte_count = memory_bytes(node, polled.polled_of(node));
        for (std::uint32_t byte = 0; byte < byte_count; ++byte) add(own.memory(node)[byte]);
      }
    }
    const StoredEntry entry = own.entry(0);
    for (const std::uint64_t part : {entry.bits, std::uint64_t{entry.is_there}, static_cast<std::uint64_t>(entry.kind),
                                     static_cast<std::uint64_t>(entry.type)})
      add(part);
    words += "answers ";
    for (const auto& [name, value] : present) {
      if (value != 0) words += std::to_string(name) + '=' + std::to_string(value) + ' ';
    }
    return words;
  }
};

void collect(Draft& node, std::vector<Draft*>& nodes) {
  nodes.push_back(&node);
  for (Draft& child : node.children) collect(child, nodes);
}

struct RandomPolling {
  static constexpr const char* kTree = "T";
  static PollingTree make(Random& random, Claims claims) {
    return SmallPolling(random, claims == Claims::covers ? 5 : 4).make();
  }
  static void mutate(Random& random, PollingTree& tree) {
    tree.compiled = nullptr;
    std::vector<Draft*> nodes;
    collect(tree.project.trees[0].root, nodes);
    Draft& node = *nodes[random.below(static_cast<std::uint32_t>(nodes.size()))];
    if (node.children.size() > 1 && random.chance(50)) return std::swap(node.children[0], node.children[1]);
    constexpr std::pair<Opcode, Opcode> kOthers[] = {{opcode::poll_sequence, opcode::poll_fallback},
                                                     {opcode::poll_fallback, opcode::poll_reactive_fallback},
                                                     {opcode::poll_reactive_sequence, opcode::poll_sequence},
                                                     {opcode::poll_retry, opcode::poll_repeat},
                                                     {opcode::poll_timeout, opcode::poll_delay},
                                                     {opcode::poll_trigger, opcode::poll_invert},
                                                     {opcode::poll_pipeline, opcode::poll_sequence}};
    for (const auto& [opcode, other] : kOthers) {
      if (node.opcode != opcode) continue;
      node.opcode = other;
      return;
    }
    if (node.children.empty()) node = SmallPolling(random, 1).leaf();
  }
  static void compile(const PollingTree& tree, Compiled& compiled) { test::compile(tree.project, compiled); }
  static std::shared_ptr<ModelAgents> agents(const PollingTree& tree, const PollingTree* other) {
    const Asset* const other_asset = other == nullptr ? nullptr : &const_cast<PollingTree*>(other)->asset();
    return std::make_shared<PollingAgent>(const_cast<PollingTree&>(tree).asset(), other_asset);
  }
  static std::string text(const PollingTree& tree) { return text_of(tree.project.trees[0].root, 0); }
  static std::string text_of(const Draft& node, std::size_t depth) {
    std::string words(2 * depth, ' ');
    words += std::string(opcode_name(node.opcode)) + ' ' + std::get<ir::PolledNode>(node.payload).host;
    words += node.flags != 0 ? " flags\n" : "\n";
    for (const Draft& child : node.children) words += text_of(child, depth + 1);
    return words;
  }
};

TEST_CASE("what is claimed of random trees that poll is what brute force finds") {
  const RandomTest test = GENERATE(RandomTest{Claims::covers, 40, 200, 7}, RandomTest{Claims::proofs, 15, 10, 5},
                                   RandomTest{Claims::diffs, 15, 3, 2});
  compare_random_trees<RandomPolling>(test);
}

struct RandomBranches : RandomPolling {
  static PollingTree make(Random& random, Claims) { return SmallPolling(random, 1).make_branches(); }
};

TEST_CASE("what is claimed of random branches that poll is what brute force finds") {
  const RandomTest test = GENERATE(RandomTest{Claims::covers, 40, 200, 7}, RandomTest{Claims::proofs, 15, 10, 5});
  compare_random_trees<RandomBranches>(test);
}

// Who hears something is told of each way through a branch.
TEST_CASE("branches that are walked once lead to the states that they lead to if each is walked") {
  std::uint64_t compared = 0;
  for_random_trees(300, [&](Random& random, std::uint32_t number) {
    PollingTree tree = SmallPolling(random, 1, 6).make_branches();
    const explore::World world({{.tree = {&tree.asset(), 0}}}, {});
    const explore::Tracker tracker = explore::tracker_of({&tree.asset(), 0}, {});
    const explore::Observer once{.tracker = &tracker};
    const explore::Observer each{.tracker = &tracker, .heard = [](auto&&...) { return explore::kNotKept; }};
    for (const auto choices : {explore::Choices::plain, explore::Choices::wide}) {
      std::vector<std::set<std::uint64_t>> found;
      for (const explore::Observer& observer : {once, each}) {
        explore::Search search(world, observer, choices, explore::Answers::free, {.states = 5'000, .threads = 1});
        search.run(0);
        if (!search.is_complete()) break;
        found.emplace_back().insert(search.state_count() << 32);
        for (const auto& mark : search.marks()) found.back().insert(mark.first);
      }
      INFO(number << '\n' << RandomPolling::text(tree));
      CHECK((found.size() < 2 || found[0] == found[1]));
      compared += found.size() / 2;
    }
  });
  CHECK(compared > 400);
}

TEST_CASE("what slices of random trees that poll never show is what brute force does not find") {
  constexpr std::uint32_t kUsual = 300;
  constexpr std::uint32_t kMostNodes = 12;
  constexpr std::uint32_t kNames = 4;
  Compared compared;
  for_random_trees(kUsual, [&](Random& random, std::uint32_t number) {
    PollingTree tree = SmallPolling(random, kMostNodes, kNames).make();
    const Asset& asset = tree.asset();
    const auto text = [&] { return std::to_string(number) + '\n' + RandomPolling::text(tree); };
    compare_slices(
        random, asset, {&asset, 0}, [&] { return RandomPolling::agents(tree, nullptr); }, text, compared);
  });
  CHECK(compared.unreachable > 25);
  CHECK(compared.undecided > 50);
}

}  // namespace explore_polling
