// Runs 1,000 creatures on the asset of samples/deciders: creatures DECIDERS.espb
// What decider trees need beyond main.cpp: Decide functions that return numbers, decision flags, stimuli with data,
// and memory that a behaviour has while it is active.
#include <cstdio>
#include <cstring>
#include <espalier/espalier.hpp>
#include <vector>

#include "asset_file.h"
#include "deciders_ids.h"

namespace {

constexpr std::size_t kCreatureCount = 1000;
constexpr int kFrameCount = 3600;  // sixty seconds
constexpr float kWalk_m = 0.05f;   // in a frame

struct Game {
  espalier::Host host;
  int decide_count = 0;
  int berries_eaten = 0;
  int flights = 0;
};

Game& game_of(const espalier::Call* call) { return *static_cast<Game*>(call->host->user); }

// ---- Decide functions: above 0 accepts. A function leaves what it found out in its block for the behaviour.

struct Place {
  float x_m;
  float y_m;
};

double berries_near(const espalier::Call* call) {
  ++game_of(call).decide_count;
  *espalier::block_as<Place>(call) = {3, 4};
  return 1;
}

double yes(const espalier::Call* call) {
  ++game_of(call).decide_count;
  return 1;
}

double no(const espalier::Call* call) {
  ++game_of(call).decide_count;
  return 0;
}

// ---- Behaviours: `activate` starts one, `tick` is called at each update; running continues it.

// The memory of WalkTo: zeroed when it is activated, and kept until it is deactivated.
struct Walk {
  Place to;
  float walked_m;
};

bool begin_walk(const espalier::Call* call) {
  espalier::memory_as<Walk>(call)->to = *espalier::block_as<Place>(call);
  return true;
}

espalier_result walk_on(const espalier::Call* call) {
  Walk& walk = *espalier::memory_as<Walk>(call);
  walk.walked_m += kWalk_m;
  const float way_m2 = walk.to.x_m * walk.to.x_m + walk.to.y_m * walk.to.y_m;
  if (walk.walked_m * walk.walked_m < way_m2) return espalier::Result::running;
  ++game_of(call).berries_eaten;
  espalier::clear_stimulus(call->tree, call->agent, deciders::Creature::stimuli::SmellsFood);
  return espalier::Result::success;
}

// It flees until it has forgotten why.
espalier_result flee_on(const espalier::Call* call) {
  const bool hurts = espalier::stimulus(call->tree, call->agent, deciders::Creature::stimuli::TookHit);
  return hurts ? espalier::Result::running : espalier::Result::success;
}

bool begin_flee(const espalier::Call* call) {
  ++game_of(call).flights;
  return true;
}

template <std::size_t count>
bool tell_missing(const char* what, espalier::Status status, const std::uint32_t (&missing)[count],
                  std::uint32_t missing_count) {
  for (std::uint32_t i = 0; i < missing_count; ++i) {
    std::fprintf(stderr, "creatures: nothing is bound to %s %u\n", what, missing[i]);
  }
  return status == espalier::Status::ok;
}

// By name. A behaviour without functions continues until another one is chosen.
bool bind_game(const espalier::Asset& asset, std::vector<espalier::Behavior>& behaviors,
               std::vector<espalier::Behavior>& functions) {
  espalier::Behavior walk;
  walk.activate = begin_walk;
  walk.tick = walk_on;
  espalier::Behavior flee;
  flee.activate = begin_flee;
  flee.tick = flee_on;
  const espalier::Binding acts[] = {{"WalkTo", walk}, {"Flee", flee},   {"Chew", {}},
                                    {"Growl", {}},    {"OnGuard", {}},  {"Patrol", {}},
                                    {"Rest", {}},     {"IdleWalk", {}}, {"LookAround", {}}};
  espalier::Behavior near_berries;
  near_berries.decide = berries_near;
  espalier::Behavior always;
  always.decide = yes;
  espalier::Behavior never;
  never.decide = no;
  const espalier::Binding decides[] = {{"BerriesNear", near_berries}, {"ShouldFlee", always}, {"CarcassNear", never},
                                       {"IntruderNear", never},       {"IsTired", never},     {"SeesIntruder", never}};
  std::uint32_t missing[16] = {};
  std::uint32_t missing_count = 0;
  behaviors.resize(espalier::behavior_count(asset));
  functions.resize(espalier::host_condition_count(asset));
  const espalier::Status bound =
      espalier::bind(asset, acts, std::size(acts), behaviors.data(), missing, std::size(missing), &missing_count);
  if (!tell_missing("behaviour", bound, missing, missing_count)) return false;
  const espalier::Status decided = espalier::bind_conditions(asset, decides, std::size(decides), functions.data(),
                                                             missing, std::size(missing), &missing_count);
  return tell_missing("Decide function", decided, missing, missing_count);
}

}  // namespace

int main(int count, char** words) {
  std::size_t size_bytes = 0;
  const std::vector<std::uint64_t> bytes = read_file(count > 1 ? words[1] : "deciders.espb", size_bytes);
  espalier::Asset asset;
  espalier::Tree tree;
  if (espalier::open(bytes.data(), size_bytes, &asset) != espalier::Status::ok ||
      espalier::find_tree(asset, "Creature", &tree) != espalier::Status::ok || !deciders::matches_asset(bytes.data())) {
    std::fprintf(stderr, "creatures: this is not the asset that this program was built with\n");
    return 1;
  }
  Game game;
  std::vector<espalier::Behavior> behaviors;
  std::vector<espalier::Behavior> functions;
  if (!bind_game(asset, behaviors, functions)) return 1;
  game.host.behaviors = behaviors.data();
  game.host.conditions = functions.data();
  game.host.user = &game;

  const std::size_t stride_words = espalier::agent_bytes(tree) / sizeof(std::uint64_t);
  std::vector<std::uint64_t> agents(kCreatureCount * stride_words);
  const auto block = [&](std::size_t creature) { return &agents[creature * stride_words]; };
  for (std::size_t creature = 0; creature < kCreatureCount; ++creature) {
    espalier::start(tree, block(creature));
    espalier::seed(tree, block(creature), creature);
  }

  // Each frame one creature smells food, and each second one is hurt. In the second half it is night.
  namespace its = deciders::Creature;
  espalier::StimulusData north;
  std::memcpy(north.bytes, "north", north.size_bytes = 5);
  for (int frame = 0; frame < kFrameCount; ++frame) {
    const auto number = static_cast<std::size_t>(frame);
    espalier::signal(tree, block(number * 7 % kCreatureCount), its::signals::OnScent, game.host, &north);
    if (frame % 60 == 0) espalier::signal(tree, block(number % kCreatureCount), its::signals::OnDamage, game.host);
    if (frame == kFrameCount / 2) {
      for (std::size_t i = 0; i < kCreatureCount; ++i) espalier::set_flags(tree, block(i), its::flags::Night);
    }
    game.host.clock_us += 16'667;
    espalier::update_all(tree, agents.data(), espalier::agent_bytes(tree), kCreatureCount, game.host);
  }
  std::printf("%zu creatures of %zu bytes, %d frames: %d berries eaten, %d flights, %.1f Decides an update\n",
              kCreatureCount, espalier::agent_bytes(tree), kFrameCount, game.berries_eaten, game.flights,
              static_cast<double>(game.decide_count) / kFrameCount / kCreatureCount);
  for (std::size_t i = 0; i < kCreatureCount; ++i) espalier::stop(tree, block(i), game.host);
}
