// Runs 100 sentries on the asset of samples/modular: sentries MODULAR.espb
// What modular trees need beyond main.cpp: actions that take time and are interrupted, values of their nodes, a block
// that all sentries share, and events that one sentry sends to the others.
#include <algorithm>
#include <cstdio>
#include <espalier/espalier.hpp>
#include <vector>

#include "asset_file.h"
#include "modular_ids.h"

namespace {

constexpr std::size_t kSentryCount = 100;
constexpr int kFrameCount = 1200;  // twenty seconds
constexpr std::uint64_t kWalk_us = 3'000'000;

// An event of a tree, on its way to other sentries.
struct Message {
  std::size_t sender;
  std::uint32_t signal;
  espalier::Receivers receivers;
};

struct Game {
  espalier::Tree tree;
  espalier::Host host;
  std::size_t stride_words = 0;
  std::vector<std::uint64_t> blocks;
  std::vector<std::uint64_t> busy_until_us = std::vector<std::uint64_t>(kSentryCount);
  std::vector<Message> messages;
  int shooting = 0;
  int most_shooting = 0;
  int bursts = 0;
  int interrupted = 0;

  void* block(std::size_t sentry) { return &blocks[sentry * stride_words]; }
};

Game& game_of(const espalier::Call* call) { return *static_cast<Game*>(call->host->user); }

// ---- Actions: `enter` starts one, `tick` is called at each update until it returns a result.

void begin_move(const espalier::Call* call) {
  Game& game = game_of(call);
  game.busy_until_us[call->agent_number] = call->host->clock_us + kWalk_us;
}

void begin_shoot(const espalier::Call* call) {
  Game& game = game_of(call);
  espalier::Parameter duration = {};  // in seconds, as the tree has it
  if (espalier::find_parameter(call, "duration", &duration) != espalier::Status::ok) return;
  game.busy_until_us[call->agent_number] = call->host->clock_us + static_cast<std::uint64_t>(duration.numbers[0] * 1e6);
  game.most_shooting = std::max(game.most_shooting, ++game.shooting);
}

espalier_result go_on(const espalier::Call* call) {
  const Game& game = game_of(call);
  const bool is_done = call->host->clock_us >= game.busy_until_us[call->agent_number];
  return is_done ? espalier::Result::success : espalier::Result::running;
}

void end_shoot(const espalier::Call* call) {
  --game_of(call).shooting;
  ++game_of(call).bursts;
}

void interrupt_shoot(const espalier::Call* call) {
  --game_of(call).shooting;
  ++game_of(call).interrupted;
}

// ---- Events from one sentry to others: kept, and raised before the next update.

void queue_message(const espalier::Call* call, std::uint32_t signal, espalier_receivers receivers) {
  game_of(call).messages.push_back({call->agent_number, signal, receivers});
}

void deliver_messages(Game& game) {
  const std::vector<Message> messages = std::move(game.messages);
  game.messages.clear();
  for (const Message& message : messages) {
    for (std::size_t sentry = 0; sentry < kSentryCount; ++sentry) {
      const bool is_sender = sentry == message.sender;
      if (message.receivers == espalier::Receivers::sender && !is_sender) continue;
      if (message.receivers == espalier::Receivers::others && is_sender) continue;
      espalier::signal(game.tree, game.block(sentry), message.signal, game.host);
    }
  }
}

// By name; actions for which the game has nothing to do succeed at once.
std::vector<espalier::Behavior> bind_behaviors(const espalier::Asset& asset) {
  espalier::Behavior move;
  move.enter = begin_move;
  move.tick = go_on;
  espalier::Behavior shoot;
  shoot.enter = begin_shoot;
  shoot.tick = go_on;
  shoot.leave = end_shoot;
  shoot.interrupt = interrupt_shoot;
  const espalier::Binding bindings[] = {
      {"Move", move}, {"Shoot", shoot}, {"QueryTPS", {}}, {"Animate", {}}, {"Repair", {}}};
  std::vector<espalier::Behavior> behaviors(espalier::behavior_count(asset));
  std::vector<std::uint32_t> missing(behaviors.size());
  std::uint32_t missing_count = 0;
  const espalier::Status bound = espalier::bind(asset, bindings, std::size(bindings), behaviors.data(), missing.data(),
                                                missing.size(), &missing_count);
  for (std::uint32_t i = 0; i < missing_count; ++i) {
    std::fprintf(stderr, "sentries: nothing is bound to '%s'\n", espalier::behavior_name(asset, missing[i]).data());
  }
  if (bound != espalier::Status::ok) behaviors.clear();
  return behaviors;
}

}  // namespace

int main(int count, char** words) {
  std::size_t size_bytes = 0;
  const std::vector<std::uint64_t> bytes = read_file(count > 1 ? words[1] : "modular.espb", size_bytes);
  espalier::Asset asset;
  Game game;
  if (espalier::open(bytes.data(), size_bytes, &asset) != espalier::Status::ok ||
      espalier::find_tree(asset, "sentry", &game.tree) != espalier::Status::ok ||
      !modular::matches_asset(bytes.data())) {
    std::fprintf(stderr, "sentries: this is not the asset that this program was built with\n");
    return 1;
  }
  const std::vector<espalier::Behavior> behaviors = bind_behaviors(asset);
  if (behaviors.empty()) return 1;

  // All sentries share the places of LimitConcurrentUsers; those of a group share the ones of GroupScope.
  std::vector<std::uint64_t> shared((espalier::shared_bytes(game.tree) + 7) / 8);
  std::vector<std::uint64_t> group((espalier::group_bytes(asset) + 7) / 8);
  espalier::start_shared(game.tree, shared.data());
  espalier::start_group(asset, group.data());
  game.host.behaviors = behaviors.data();
  game.host.user = &game;
  game.host.shared = shared.data();
  game.host.group = group.data();
  game.host.queue = queue_message;

  game.stride_words = espalier::agent_bytes(game.tree) / sizeof(std::uint64_t);
  game.blocks.resize(kSentryCount * game.stride_words);
  for (std::size_t sentry = 0; sentry < kSentryCount; ++sentry) {
    espalier::start(game.tree, game.block(sentry));
    espalier::seed(game.tree, game.block(sentry), sentry);
  }

  // After five seconds three sentries see an enemy. The others hear of it, and search.
  namespace on = modular::sentry::signals;
  for (int frame = 0; frame < kFrameCount; ++frame) {
    deliver_messages(game);
    for (std::size_t sentry = 0; sentry < 3; ++sentry) {
      if (frame == 300) espalier::signal(game.tree, game.block(sentry), on::OnEnemySeen, game.host);
      if (frame == 600) espalier::signal(game.tree, game.block(sentry), on::OnLostSightOfTarget, game.host);
    }
    game.host.clock_us += 16'667;
    espalier::update_all(game.tree, game.blocks.data(), espalier::agent_bytes(game.tree), kSentryCount, game.host);
  }
  std::printf("%zu sentries of %zu bytes, %d frames: %d bursts, %d interrupted, at most %d shooting at a time\n",
              kSentryCount, espalier::agent_bytes(game.tree), kFrameCount, game.bursts, game.interrupted,
              game.most_shooting);
  for (std::size_t sentry = 0; sentry < kSentryCount; ++sentry) {
    espalier::stop(game.tree, game.block(sentry), game.host);
  }
}
