// Runs 1,000 guards on the asset of samples/guard: guards GUARD.espb
// Everything a game does with espalier is here: open, bind, start, signal, update. For modular trees see also
// sentries.cpp. espalier compile writes guard_ids.h.
#include <cstdio>
#include <espalier/espalier.hpp>
#include <vector>

#include "asset_file.h"
#include "guard_ids.h"

namespace {

constexpr std::size_t kAgentCount = 1000;
constexpr int kFrameCount = 600;  // ten seconds

// What behaviours know of the game. Here they only count.
struct Game {
  int attacking = 0;
  int attacks_begun = 0;
};

void begin_attack(const espalier::Call* call) {
  Game& game = *static_cast<Game*>(call->host->user);
  ++game.attacking;
  ++game.attacks_begun;
}

void end_attack(const espalier::Call* call) { --static_cast<Game*>(call->host->user)->attacking; }

void ignore(const espalier::Call*) {}

}  // namespace

int main(int count, char** words) {
  std::size_t size_bytes = 0;
  const std::vector<std::uint64_t> bytes = read_file(count > 1 ? words[1] : "guard.espb", size_bytes);

  // Checked once. After this no update can leave the asset or the agent's block.
  espalier::Asset asset;
  if (const espalier::Status status = espalier::open(bytes.data(), size_bytes, &asset);
      status != espalier::Status::ok) {
    std::fprintf(stderr, "guards: %s\n", espalier::status_text(status));
    return 1;
  }
  espalier::Tree tree;
  if (espalier::find_tree(asset, "Guard", &tree) != espalier::Status::ok || !guard::matches_asset(bytes.data())) {
    std::fprintf(stderr, "guards: this is another asset than the one this program was built with\n");
    return 1;
  }

  // Names become functions once. All missing ones are reported, not just the first that is needed.
  const espalier::Binding bindings[] = {
      {"Patrol", {ignore}}, {"Search", {ignore}}, {"Attack", {begin_attack, end_attack}}};
  std::vector<espalier::Behavior> behaviors(espalier::behavior_count(asset));
  std::vector<std::uint32_t> missing(behaviors.size());
  std::uint32_t missing_count = 0;
  const espalier::Status bound = espalier::bind(asset, bindings, std::size(bindings), behaviors.data(), missing.data(),
                                                missing.size(), &missing_count);
  for (std::uint32_t i = 0; i < missing_count; ++i) {
    std::fprintf(stderr, "guards: nothing is bound to '%s'\n", espalier::behavior_name(asset, missing[i]).data());
  }
  if (bound != espalier::Status::ok) return 1;

  // Agents are blocks of bytes, here in one array.
  const std::size_t stride_words = espalier::agent_bytes(tree) / sizeof(std::uint64_t);
  std::vector<std::uint64_t> agents(kAgentCount * stride_words);
  const auto block = [&](std::size_t agent) { return &agents[agent * stride_words]; };
  for (std::size_t agent = 0; agent < kAgentCount; ++agent) espalier::start(tree, block(agent));

  // Looked up once for all updates. Tables make the updates of agents that have changed faster.
  espalier::Prepared prepared = espalier::prepare(tree);
  std::vector<std::uint64_t> tables(espalier::tables_bytes(tree) / sizeof(std::uint64_t));
  if (!tables.empty()) espalier::make_tables(&prepared, tables.data());

  // Each frame one guard sees an enemy, one loses sight of it, and one calms down.
  namespace on = guard::Guard::signals;
  Game game;
  espalier::Host host{behaviors.data(), &game};
  for (int frame = 0; frame < kFrameCount; ++frame) {
    const auto number = static_cast<std::size_t>(frame);
    espalier::signal(tree, block(number * 7 % kAgentCount), on::OnEnemySeen, host);
    if (frame >= 60) espalier::signal(tree, block((number - 60) * 7 % kAgentCount), on::OnEnemyLost, host);
    if (frame >= 120) espalier::signal(tree, block((number - 120) * 7 % kAgentCount), on::OnCalmDown, host);
    host.clock_us += 16'667;
    espalier::update_all(prepared, agents.data(), espalier::agent_bytes(tree), kAgentCount, host);
  }
  std::printf("%zu guards of %zu bytes, %d frames: %d attacks begun, %d guards attacking now\n", kAgentCount,
              espalier::agent_bytes(tree), kFrameCount, game.attacks_begun, game.attacking);
}
