// Agents of trees that poll: updates that are watched visit each node on its own, others pass through most of them at
// once, and both must do the same; so must scripts that are run with a stack and without one.
#include <espalier/polling.h>

#include <string>
#include <vector>

#include "runtime/poll/script.h"
#include "runtime_assets.h"
#include "runtime_poll_asset.h"
#include "unit.h"

namespace runtime_polling {

using namespace espalier;

namespace {

// A host whose answers follow from the seed, the update and the node.
struct Answers {
  std::uint64_t seed = 0;
  std::uint32_t update = 0;
  std::vector<std::string> told = {};

  void tell(const char* what, const Call* call) { told.push_back(what + (" " + std::to_string(call->node_word))); }
};

Answers& answers_of(const Call* call) { return *static_cast<Answers*>(call->host->user); }

espalier_result answer(const Call* call) {
  Answers& answers = answers_of(call);
  answers.tell("tick", call);
  test::Random random{answers.seed * 1'000'003 + answers.update * 1009 + call->node_word};
  for (std::uint32_t port = 0; port < espalier_port_count(call) && random.below(3) == 0; ++port) {
    espalier_value value;
    char buffer[ESPALIER_NUMBER_TEXT];
    if (espalier_read_port(call, port, &value, buffer)) {
      answers.tell(("read " + std::to_string(value.kind) + " " + std::to_string(value.whole)).c_str(), call);
    }
    value.kind = ESPALIER_VALUE_WHOLE;
    value.whole = random.below(4);
    if (!espalier_write_port(call, port, &value)) answers.tell("not written", call);
  }
  const std::uint32_t drawn = random.below(100);
  return drawn < 25 ? Result::running : drawn < 60 ? Result::success : drawn < 95 ? Result::failure : Result::skipped;
}

// Some write what no number can take: the update then ends with an error.
void leave(const Call* call) {
  Answers& answers = answers_of(call);
  answers.tell("leave", call);
  test::Random random{answers.seed * 7'000'003 + answers.update * 1013 + call->node_word};
  if (espalier_port_count(call) == 0 || random.below(4) != 0) return;
  espalier_value value;
  value.kind = ESPALIER_VALUE_TEXT;
  value.text = "none";
  value.text_bytes = 4;
  if (!espalier_write_port(call, 0, &value)) answers.tell("not written", call);
}

void log_text(const Call* call, const char* text) {
  constexpr std::uint32_t kMostWords = 100'000;
  CHECK(call->node_word < kMostWords);  // a node's
  answers_of(call).tell(text, call);
}

struct Agent {
  Agent(const Asset& asset, const Tree& its_tree, std::uint64_t seed) : tree(its_tree), block(agent_bytes(tree) / 8) {
    answers.seed = seed;
    Behavior behavior;
    behavior.enter = [](const Call* call) { answers_of(call).tell("enter", call); };
    behavior.leave = leave;
    behavior.interrupt = [](const Call* call) { answers_of(call).tell("interrupt", call); };
    behavior.tick = answer;
    behaviors.assign(behavior_count(asset), behavior);
    conditions.assign(host_condition_count(asset), behavior);
    host.behaviors = behaviors.data();
    host.conditions = conditions.data();
    host.user = &answers;
    host.log = log_text;
    start(tree, block.data());
  }
  Agent(const Agent&) = delete;
  Agent& operator=(const Agent&) = delete;

  // Entries, and the statuses of all nodes. What a node keeps beside these matters only for what it does later.
  std::string state() const {
    std::string text;
    const auto append = [](void* user, const char* piece, std::size_t size_bytes) {
      static_cast<std::string*>(user)->append(piece, size_bytes);
    };
    print(tree, block.data(), {}, append, &text);
    return text;
  }

  Tree tree;
  Answers answers;
  std::vector<std::uint64_t> block;
  std::vector<Behavior> behaviors;
  std::vector<Behavior> conditions;
  Host host;
};

}  // namespace

TEST_CASE("polling: an update does what one that is watched does") {
  std::uint32_t completed = 0;
  std::uint32_t running = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    INFO("seed " << seed);
    test::Random random{seed};
    test::Compiled compiled;
    test::compile(test::random_plain_polling_project(random), compiled);
    const Tree its_tree = tree(compiled.asset, 0);
    Agent plain(compiled.asset, its_tree, seed);
    Agent watched(compiled.asset, its_tree, seed);
    const Prepared prepared = prepare(its_tree);
    const Watcher watcher;
    for (std::uint32_t i = 0; i < 25; ++i) {
      INFO("update " << i);
      plain.answers.update = watched.answers.update = i;
      plain.host.clock_us += 7'000;
      watched.host.clock_us += 7'000;
      const Result result = i % 2 == 0 ? update(its_tree, plain.block.data(), plain.host)
                                       : update(prepared, plain.block.data(), plain.host);
      REQUIRE(result == update_watched(its_tree, watched.block.data(), watched.host, watcher));
      REQUIRE(plain.answers.told == watched.answers.told);
      REQUIRE(plain.state() == watched.state());
      completed += result == Result::success || result == Result::failure ? 1 : 0;
      running += result == Result::running ? 1 : 0;
    }
    stop(its_tree, plain.block.data(), plain.host);
    stop(its_tree, watched.block.data(), watched.host);
    REQUIRE(plain.answers.told == watched.answers.told);
  }
  CHECK(completed > 1000);
  CHECK(running > 1000);
}

namespace {

// What a script leaves behind.
struct ScriptResult {
  PollFault fault = PollFault::none;
  bool truth = false;
  std::vector<std::uint64_t> block;
};

ScriptResult run_script(const PollTreeView& view, std::vector<std::uint64_t> block, std::uint32_t script,
                        bool asks_truth, bool is_plain) {
  ScriptResult result;
  const PollAgent agent(view, block.data());
  const Blackboard board(view, agent);
  const ScriptCode code(view, script);
  bool* const truth = asks_truth ? &result.truth : nullptr;
  const layout::Instruction* const rest = is_plain ? run_plain_script(view, agent, code, truth) : code.begin;
  if (!is_plain || rest != code.end) result.fault = ScriptRun(view, board).run(code, rest, truth);
  if (result.fault != PollFault::none) result.truth = false;
  result.block = std::move(block);
  return result;
}

}  // namespace

TEST_CASE("polling: a script without a stack does what one with a stack does") {
  std::uint32_t whole_count = 0;
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    INFO("seed " << seed);
    test::Random random{seed};
    test::Compiled compiled;
    test::compile(test::random_plain_polling_project(random), compiled);
    const Tree its_tree = tree(compiled.asset, 0);
    const PollTreeView view(its_tree);
    std::vector<std::uint64_t> block(agent_bytes(its_tree) / 8);
    start(its_tree, block.data());
    for (std::uint32_t i = 0; i < view.fixed_entry_count(); ++i) {
      constexpr double kReals[] = {0, -1.5, 2, 1e17, -0.0};
      constexpr std::int64_t kWholes[] = {0, 3, -2, std::int64_t{1} << 53, INT64_MIN};
      espalier_value value;
      value.kind = random.below(2) == 0 ? ESPALIER_VALUE_WHOLE : ESPALIER_VALUE_REAL;
      value.whole = kWholes[random.below(5)];
      value.real = kReals[random.below(5)];
      if (random.below(4) != 0) espalier_set_entry(its_tree, block.data(), i, &value);
    }
    for (std::uint32_t script = 0; script < view.record.script_count; ++script) {
      for (const bool asks_truth : {false, true}) {
        INFO("script " << script << (asks_truth ? ", asked" : ""));
        const ScriptResult plain = run_script(view, block, script, asks_truth, true);
        const ScriptResult other = run_script(view, block, script, asks_truth, false);
        REQUIRE(plain.fault == other.fault);
        REQUIRE(plain.truth == other.truth);
        REQUIRE(plain.block == other.block);
        const ScriptCode code(view, script);
        std::vector<std::uint64_t> copy = block;
        bool truth = false;
        const PollAgent agent(view, copy.data());
        whole_count += run_plain_script(view, agent, code, asks_truth ? &truth : nullptr) == code.end ? 1 : 0;
      }
    }
  }
  CHECK(whole_count > 500);
}

}  // namespace runtime_polling
