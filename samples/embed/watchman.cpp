// Runs one watchman on the asset of samples/dragengine: watchman DRAGENGINE.espb
// What rule trees need beyond main.cpp: actions and conditions of the host, texts of rules, a jump when the game
// hears something, and a position that is saved by its id and restored.
#include <cstdio>
#include <cstring>
#include <espalier/espalier.hpp>
#include <string>
#include <vector>

#include "asset_file.h"
#include "dragengine_ids.h"

namespace {

constexpr std::uint64_t kWalk_us = 3'000'000;

struct Museum {
  std::uint64_t there_at_us = 0;
  bool is_noise_known = false;
  bool is_intruder_seen = false;
  std::string log;
};

Museum& museum_of(const espalier::Call* call) { return *static_cast<Museum*>(call->host->user); }

// ---- Actions. Parameters of a rule are texts.

void begin_walk(const espalier::Call* call) {
  espalier::Parameter target = {};
  if (espalier::find_parameter(call, "target", &target) != espalier::Status::ok) return;
  Museum& museum = museum_of(call);
  museum.there_at_us = call->host->clock_us + kWalk_us;
  museum.log.append(museum.log.empty() ? "" : ", ").append("to the ").append(target.text);
}

espalier_result walk(const espalier::Call* call) {
  const bool is_there = call->host->clock_us >= museum_of(call).there_at_us;
  return is_there ? espalier::Result::success : espalier::Result::running;
}

void turn_back(const espalier::Call* call) { museum_of(call).log += " (turns back)"; }

espalier_result succeed(const espalier::Call*) { return espalier::Result::success; }

// ---- Conditions: what rules ask.

bool is_intruder_seen(const espalier::Call* call) { return museum_of(call).is_intruder_seen; }
bool is_noise_known(const espalier::Call* call) { return museum_of(call).is_noise_known; }

espalier::Behavior action(espalier_result (*tick)(const espalier::Call* call)) {
  espalier::Behavior result;
  result.tick = tick;
  return result;
}

espalier::Behavior condition(bool (*ask)(const espalier::Call* call)) {
  espalier::Behavior result;
  result.ask = ask;
  return result;
}

// Actions and conditions are separate sets of names. A condition that is not bound here is false.
bool bind(const espalier::Asset& asset, std::vector<espalier::Behavior>& actions,
          std::vector<espalier::Behavior>& conditions) {
  espalier::Behavior walking = action(walk);
  walking.enter = begin_walk;
  walking.interrupt = turn_back;
  const espalier::Binding bindings[] = {
      {"walk.to", walking},          {"turn.to", action(succeed)},     {"raise.alarm", action(succeed)},
      {"sit.down", action(succeed)}, {"timer.start", action(succeed)}, {"timer.wait", action(succeed)}};
  const espalier::Binding asked[] = {
      {"intruder.seen", condition(is_intruder_seen)}, {"noise.known", condition(is_noise_known)}, {"tired", {}}};
  actions.resize(espalier::behavior_count(asset));
  conditions.resize(espalier::host_condition_count(asset));
  return espalier::bind(asset, bindings, std::size(bindings), actions.data(), nullptr, 0, nullptr) ==
             espalier::Status::ok &&
         espalier::bind_conditions(asset, asked, std::size(asked), conditions.data(), nullptr, 0, nullptr) ==
             espalier::Status::ok;
}

}  // namespace

int main(int count, char** words) {
  std::size_t size_bytes = 0;
  const std::vector<std::uint64_t> bytes = read_file(count > 1 ? words[1] : "dragengine.espb", size_bytes);
  espalier::Asset asset;
  espalier::Tree tree;
  std::vector<espalier::Behavior> actions;
  std::vector<espalier::Behavior> conditions;
  if (espalier::open(bytes.data(), size_bytes, &asset) != espalier::Status::ok ||
      espalier::find_tree(asset, "watchman", &tree) != espalier::Status::ok ||
      !dragengine::matches_asset(bytes.data()) || !bind(asset, actions, conditions)) {
    std::fprintf(stderr, "watchman: this is not the asset that this program was built with\n");
    return 1;
  }

  Museum museum;
  espalier::Host host;
  host.behaviors = actions.data();
  host.conditions = conditions.data();
  host.user = &museum;
  std::vector<std::uint64_t> agent((espalier::agent_bytes(tree) + 7) / 8);
  espalier::start(tree, agent.data());
  const auto run_seconds = [&](int seconds) {
    for (int frame = 0; frame < seconds * 10; ++frame) {
      host.clock_us += 100'000;
      (void)espalier::update(tree, agent.data(), host);
    }
  };

  run_seconds(2);

  // A position is the id of the current rule and what has happened to it: it is right for the next version of the tree
  // too, as long as that has such a rule.
  espalier::Position on_his_round;
  if (espalier::save_position(tree, agent.data(), &on_his_round) != espalier::Status::ok) return 1;
  const std::string rule = on_his_round.id;

  // The game has heard something. What runs is interrupted at once; the rule is run at the next update.
  museum.is_noise_known = true;
  espalier::jump(tree, agent.data(), dragengine::watchman::rules::noise, host);
  run_seconds(2);

  museum.is_noise_known = false;
  if (espalier::restore_position(tree, agent.data(), on_his_round) != espalier::Status::ok) return 1;
  run_seconds(2);

  std::printf("The watchman went %s; the position that was put back: rule %s\n", museum.log.c_str(), rule.c_str());
}
