// Runs 100 squads of three on the asset of samples/synchronized: squads SYNCHRONIZED.espb
// What synchronized trees need beyond sentries.cpp: conditions that answer, actions that clean up when they are reset,
// a shared block in which agents meet, trees that the world puts into a slot, and soldiers that fall.
#include <algorithm>
#include <cstdio>
#include <espalier/espalier.hpp>
#include <vector>

#include "asset_file.h"
#include "synchronized_ids.h"

namespace {

constexpr std::size_t kSquadCount = 100;
constexpr std::size_t kSquadSize = 3;
constexpr std::size_t kSoldierCount = kSquadCount * kSquadSize;
constexpr int kFrameCount = 3600;  // sixty seconds

struct Soldier {
  bool lives = true;
  bool hears_noise = false;  // in this frame: what a monitor watches should not last
  bool sees_enemy = false;
  std::uint64_t busy_until_us = 0;
};

// Agents with one shared block have one set of gates, cooldowns and groups: here, a squad.
struct Squad {
  std::vector<std::uint64_t> shared;
  int throwing = 0;
  int seated = 0;
};

struct Game {
  espalier::Tree tree;
  espalier::Host host;
  std::size_t stride_words = 0;
  std::vector<std::uint64_t> blocks;
  std::vector<Soldier> soldiers = std::vector<Soldier>(kSoldierCount);
  std::vector<Squad> squads = std::vector<Squad>(kSquadCount);
  int grenades = 0;
  int most_throwing = 0;
  int most_seated = 0;
  int strikes = 0;
  int interrupted = 0;

  void* block(std::size_t soldier) { return &blocks[soldier * stride_words]; }
  // What an update, an injection or an end of this soldier is given.
  const espalier::Host& host_of(std::size_t soldier) {
    host.shared = squads[soldier / kSquadSize].shared.data();
    host.first_agent = static_cast<std::uint32_t>(soldier);
    return host;
  }
};

Game& game_of(const espalier::Call* call) { return *static_cast<Game*>(call->host->user); }
Soldier& soldier_of(const espalier::Call* call) { return game_of(call).soldiers[call->agent_number]; }
Squad& squad_of(const espalier::Call* call) { return game_of(call).squads[call->agent_number / kSquadSize]; }

// ---- Conditions

bool heard_noise(const espalier::Call* call) { return soldier_of(call).hears_noise; }
bool spotted_enemy(const espalier::Call* call) { return soldier_of(call).sees_enemy; }
bool has_grenade(const espalier::Call*) { return true; }
bool has_knife(const espalier::Call* call) { return call->agent_number % kSquadSize != 0; }

// ---- Actions: one second each. `enter` begins one, `tick` is asked until it answers with a result; then come `leave`
// and, with the tree's end, `reset`. One that runs when it is reset is told so by `interrupt` only.

void begin(const espalier::Call* call) { soldier_of(call).busy_until_us = call->host->clock_us + 1'000'000; }

espalier_result go_on(const espalier::Call* call) {
  const bool is_done = call->host->clock_us >= soldier_of(call).busy_until_us;
  return is_done ? espalier::Result::success : espalier::Result::running;
}

void interrupt(const espalier::Call* call) { ++game_of(call).interrupted; }

void begin_throw(const espalier::Call* call) {
  begin(call);
  Game& game = game_of(call);
  ++game.grenades;
  game.most_throwing = std::max(game.most_throwing, ++squad_of(call).throwing);
}
void end_throw(const espalier::Call* call) { --squad_of(call).throwing; }
void interrupt_throw(const espalier::Call* call) {
  interrupt(call);
  end_throw(call);
}

void end_strike(const espalier::Call* call) { ++game_of(call).strikes; }

// Sitting lasts: a soldier who has sat down gets up when the action is reset.
void sit_down(const espalier::Call* call) {
  game_of(call).most_seated = std::max(game_of(call).most_seated, ++squad_of(call).seated);
}
void get_up(const espalier::Call* call) { --squad_of(call).seated; }

espalier_result warm_hands(const espalier::Call*) { return espalier::Result::running; }

// By name. Every action must be bound.
bool bind_game(const espalier::Asset& asset, std::vector<espalier::Behavior>& actions,
               std::vector<espalier::Behavior>& conditions) {
  espalier::Behavior second{begin, nullptr, go_on, interrupt};
  espalier::Behavior strike{begin, end_strike, go_on, interrupt};
  espalier::Behavior throws{begin_throw, end_throw, go_on, interrupt_throw};
  espalier::Behavior sits;
  sits.enter = sit_down;
  sits.reset = get_up;
  espalier::Behavior warms;
  warms.tick = warm_hands;
  const espalier::Binding acts[] = {{"Investigate", second},  {"LookAround", second},     {"Run", second},
                                    {"Shoot", second},        {"Shout", second},          {"SitDown", sits},
                                    {"Sneak", second},        {"StandAround", second},    {"Strike", strike},
                                    {"ThrowGrenade", throws}, {"WalkToNextPost", second}, {"WarmHands", warms}};
  const auto asked = [](bool (*answer)(const espalier::Call* call)) {
    espalier::Behavior condition;
    condition.ask = answer;
    return condition;
  };
  const espalier::Binding asks[] = {{"HasGrenade", asked(has_grenade)},
                                    {"HasKnife", asked(has_knife)},
                                    {"HeardNoise", asked(heard_noise)},
                                    {"SpottedEnemy", asked(spotted_enemy)}};
  actions.resize(espalier::behavior_count(asset));
  conditions.resize(espalier::host_condition_count(asset));
  std::uint32_t missing = 0;
  std::uint32_t missing_count = 0;
  if (espalier::bind(asset, acts, std::size(acts), actions.data(), &missing, 1, &missing_count) !=
      espalier::Status::ok) {
    std::fprintf(stderr, "squads: nothing is bound to '%s'\n", espalier::behavior_name(asset, missing).data());
    return false;
  }
  if (espalier::bind_conditions(asset, asks, std::size(asks), conditions.data(), &missing, 1, &missing_count) !=
      espalier::Status::ok) {
    std::fprintf(stderr, "squads: nothing answers '%s'\n", espalier::host_condition_name(asset, missing).data());
    return false;
  }
  return true;
}

// A campfire puts its tree into the slot of each soldier of a squad, at once; without one, the slot's own tree is next.
void meet_fire(Game& game, std::size_t squad, std::uint32_t tree, bool at_once) {
  for (std::size_t i = squad * kSquadSize; i < (squad + 1) * kSquadSize; ++i) {
    if (!game.soldiers[i].lives) continue;
    const espalier::Status status =
        espalier::inject(game.tree, game.block(i), synchronized::slots::Activity, tree, at_once, game.host_of(i));
    if (status != espalier::Status::ok) std::fprintf(stderr, "squads: %s\n", espalier::status_text(status));
  }
}

// A soldier who falls gives back everything it holds: its place in a gate, its role in a group. The block can then be
// used again.
void fall(Game& game, std::size_t soldier) {
  espalier::stop(game.tree, game.block(soldier), game.host_of(soldier));
  game.soldiers[soldier] = {};
  game.soldiers[soldier].lives = false;
}

void join(Game& game, std::size_t soldier) {
  espalier::start(game.tree, game.block(soldier));
  game.soldiers[soldier].lives = true;
}

// What happens in a frame.
void play(Game& game, std::size_t frame) {
  game.soldiers[frame * 7 % kSoldierCount].hears_noise = true;
  if (frame % 5 == 0) {
    const std::size_t squad = frame / 5 * 3 % kSquadCount;
    for (std::size_t i = 0; i < kSquadSize; ++i) game.soldiers[squad * kSquadSize + i].sees_enemy = true;
  }
  if (frame % 60 == 0) meet_fire(game, frame / 60, synchronized::trees::Campfire, true);
  if (frame % 60 == 30) meet_fire(game, frame / 60, espalier::kNoTree, false);
  if (frame % 30 == 0) fall(game, frame / 30 * 11 % kSoldierCount);
  if (frame % 30 == 20) join(game, frame / 30 * 11 % kSoldierCount);
}

void update(Game& game) {
  game.host.clock_us += 16'667;
  for (std::size_t i = 0; i < kSoldierCount; ++i) {
    if (!game.soldiers[i].lives) continue;
    espalier::update(game.tree, game.block(i), game.host_of(i));
    game.soldiers[i].hears_noise = false;
    game.soldiers[i].sees_enemy = false;
  }
}

}  // namespace

int main(int count, char** words) {
  std::size_t size_bytes = 0;
  const std::vector<std::uint64_t> bytes = read_file(count > 1 ? words[1] : "synchronized.espb", size_bytes);
  espalier::Asset asset;
  Game game;
  if (espalier::open(bytes.data(), size_bytes, &asset) != espalier::Status::ok ||
      espalier::find_tree(asset, "Squad", &game.tree) != espalier::Status::ok ||
      !synchronized::matches_asset(bytes.data())) {
    std::fprintf(stderr, "squads: this is not the asset that this program was built with\n");
    return 1;
  }
  std::vector<espalier::Behavior> actions;
  std::vector<espalier::Behavior> conditions;
  if (!bind_game(asset, actions, conditions)) return 1;
  game.host.behaviors = actions.data();
  game.host.conditions = conditions.data();
  game.host.user = &game;

  for (Squad& squad : game.squads) {
    squad.shared.resize(espalier::shared_bytes(game.tree) / sizeof(std::uint64_t));
    espalier::start_shared(game.tree, squad.shared.data());
  }
  game.stride_words = espalier::agent_bytes(game.tree) / sizeof(std::uint64_t);
  game.blocks.resize(kSoldierCount * game.stride_words);
  for (std::size_t i = 0; i < kSoldierCount; ++i) espalier::start(game.tree, game.block(i));

  for (std::size_t frame = 0; frame < kFrameCount; ++frame) {
    play(game, frame);
    update(game);
  }
  for (std::size_t i = 0; i < kSoldierCount; ++i) fall(game, i);
  const bool is_clean = std::all_of(game.squads.begin(), game.squads.end(),
                                    [](const Squad& squad) { return squad.throwing == 0 && squad.seated == 0; });
  std::printf(
      "%zu squads of %zu soldiers of %zu bytes, %d frames: %d grenades, at most %d at a time in a squad; "
      "%d strikes by two; at most %d seats at a fire; %d actions interrupted\n",
      kSquadCount, kSquadSize, espalier::agent_bytes(game.tree), kFrameCount, game.grenades, game.most_throwing,
      game.strikes, game.most_seated, game.interrupted);
  if (!is_clean) std::fprintf(stderr, "squads: something was not cleaned up\n");
  return is_clean ? 0 : 1;
}
