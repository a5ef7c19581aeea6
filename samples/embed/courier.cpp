// Runs a courier robot on the asset of samples/btcpp, a tree of BehaviorTree.CPP: courier BTCPP.espb
// What such trees need beyond main.cpp: actions that read and write ports, conditions, entries of the blackboard that
// the program reads, and a tree that is halted from outside.
#include <cstdio>
#include <espalier/espalier.hpp>
#include <string>
#include <vector>

#include "asset_file.h"
#include "btcpp_ids.h"

namespace {

constexpr std::uint64_t kWay_us = 3'000'000;

struct Robot {
  bool is_battery_ok = true;
  std::uint64_t there_at_us = 0;
  std::string log;
};

Robot& robot_of(const espalier::Call* call) { return *static_cast<Robot*>(call->host->user); }

void tell(const espalier::Call* call, const std::string& what) {
  std::string& log = robot_of(call).log;
  log.append(log.empty() ? "" : ", ").append(what);
}

// ---- Ports, by name: here all are texts. Numbers: espalier::port<double>(call, "speed").value_or(0.5).

std::string input(const espalier::Call* call, const char* name) {
  char buffer[ESPALIER_NUMBER_TEXT];
  return std::string(espalier::port_text(call, name, buffer).value_or(""));
}

espalier_result succeed_with(const espalier::Call* call, const char* name, const std::string& text) {
  return espalier::set_port(call, name, text) ? espalier::Result::success : espalier::Result::failure;
}

// ---- Nodes. A condition answers by `tick`, like an action.

espalier_result is_battery_ok(const espalier::Call* call) {
  return robot_of(call).is_battery_ok ? espalier::Result::success : espalier::Result::failure;
}

espalier_result take_parcel(const espalier::Call* call) { return succeed_with(call, "room", "room 12"); }

espalier_result find_path(const espalier::Call* call) {
  return succeed_with(call, "path", "the way to " + input(call, "target"));
}

// `enter` when it starts; then `tick` at each update while it answers running.
void begin_way(const espalier::Call* call) {
  robot_of(call).there_at_us = call->host->clock_us + kWay_us;
  tell(call, input(call, "path"));
}

espalier_result follow_way(const espalier::Call* call) {
  const bool is_there = call->host->clock_us >= robot_of(call).there_at_us;
  return is_there ? espalier::Result::success : espalier::Result::running;
}

// A parent that takes another way halts it.
void halt_way(const espalier::Call* call) { tell(call, "halted"); }

espalier_result charge(const espalier::Call* call) {
  robot_of(call).is_battery_ok = true;
  tell(call, "charged");
  return espalier::Result::success;
}

espalier::Behavior node(espalier_result (*tick)(const espalier::Call* call)) {
  espalier::Behavior result;
  result.tick = tick;
  return result;
}

bool bind(const espalier::Asset& asset, std::vector<espalier::Behavior>& nodes,
          std::vector<espalier::Behavior>& conditions) {
  espalier::Behavior following = node(follow_way);
  following.enter = begin_way;
  following.interrupt = halt_way;
  const espalier::Binding actions[] = {{"TakeParcel", node(take_parcel)},
                                       {"FindPath", node(find_path)},
                                       {"FollowPath", following},
                                       {"HandOver", {}},  // without functions it succeeds
                                       {"Charge", node(charge)}};
  const espalier::Binding asked[] = {{"IsBatteryOk", node(is_battery_ok)}};
  nodes.resize(espalier::behavior_count(asset));
  conditions.resize(espalier::host_condition_count(asset));
  return espalier::bind(asset, actions, std::size(actions), nodes.data(), nullptr, 0, nullptr) ==
             espalier::Status::ok &&
         espalier::bind_conditions(asset, asked, std::size(asked), conditions.data(), nullptr, 0, nullptr) ==
             espalier::Status::ok;
}

}  // namespace

int main(int count, char** words) {
  std::size_t size_bytes = 0;
  const std::vector<std::uint64_t> bytes = read_file(count > 1 ? words[1] : "btcpp.espb", size_bytes);
  espalier::Asset asset;
  espalier::Tree tree;
  std::vector<espalier::Behavior> nodes;
  std::vector<espalier::Behavior> conditions;
  std::uint32_t delivered = 0;
  if (espalier::open(bytes.data(), size_bytes, &asset) != espalier::Status::ok ||
      espalier::find_tree(asset, "Courier", &tree) != espalier::Status::ok || !btcpp::matches_asset(bytes.data()) ||
      !bind(asset, nodes, conditions) ||
      espalier::find_entry(tree, "", "delivered", &delivered) != espalier::Status::ok) {
    std::fprintf(stderr, "courier: this is not the asset that this program was built with\n");
    return 1;
  }

  Robot robot;
  espalier::Host host;
  host.behaviors = nodes.data();
  host.conditions = conditions.data();
  host.user = &robot;
  std::vector<std::uint64_t> agent((espalier::agent_bytes(tree) + 7) / 8);
  espalier::start(tree, agent.data());
  const auto run_seconds = [&](int seconds) {
    for (int tick = 0; tick < seconds * 10; ++tick) {  // ten ticks a second, as a robot has them
      host.clock_us += 100'000;
      const espalier_result result = espalier::update(tree, agent.data(), host);
      if (result == espalier::Result::success || result == espalier::Result::failure) return;
    }
  };

  // The battery gets low on the way to the room: the ReactiveSequence halts the way, and the robot goes to its dock.
  run_seconds(1);
  robot.is_battery_ok = false;
  run_seconds(10);
  run_seconds(10);  // the way begins again where it was halted

  const bool is_delivered = espalier::entry<bool>(tree, agent.data(), delivered).value_or(false);
  std::printf("The courier: %s; the parcel is %s\n", robot.log.c_str(), is_delivered ? "delivered" : "not delivered");
  espalier::stop(tree, agent.data(), host);
}
