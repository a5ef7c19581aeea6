// Runs 10,000 sheep for a minute: game SHEEP.espb
#include <cstdio>
#include <espalier/espalier.hpp>
#include <fstream>
#include <vector>

#include "sheep_ids.h"

struct Game {
  int fleeing = 0;
  int meals = 0;
};

Game& game_of(const espalier::Call* call) { return *static_cast<Game*>(call->host->user); }

// Actions have eight bytes of memory: here the time at which they are done.
void begin(const espalier::Call* call) { *espalier::memory_as<std::uint64_t>(call) = call->host->clock_us + 5'000'000; }
espalier_result go_on(const espalier::Call* call) {
  const bool is_done = call->host->clock_us >= *espalier::memory_as<std::uint64_t>(call);
  return is_done ? espalier::Result::success : espalier::Result::running;
}
void end_meal(const espalier::Call* call) { ++game_of(call).meals; }

void begin_flight(const espalier::Call* call) { ++game_of(call).fleeing; }
espalier_result flee(const espalier::Call*) { return espalier::Result::running; }
void end_flight(const espalier::Call* call) { --game_of(call).fleeing; }

int main(int, char** words) {
  std::ifstream file(words[1], std::ios::binary | std::ios::ate);
  const auto size_bytes = static_cast<std::size_t>(file.tellg());
  std::vector<std::uint64_t> bytes((size_bytes + 7) / 8);  // read in place, at a multiple of 8 bytes
  file.seekg(0).read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size_bytes));

  espalier::Asset asset;
  espalier::Tree tree;
  if (espalier::open(bytes.data(), size_bytes, &asset) != espalier::Status::ok) return 1;
  if (espalier::find_tree(asset, "sheep", &tree) != espalier::Status::ok) return 1;

  const espalier::Binding bindings[] = {{"Eat", {begin, end_meal, go_on}},
                                        {"Rest", {begin, nullptr, go_on}},
                                        {"Flee", {begin_flight, end_flight, flee, end_flight}}};
  espalier::Behavior behaviors[3];
  if (espalier::bind(asset, bindings, 3, behaviors, nullptr, 0, nullptr) != espalier::Status::ok) return 1;

  constexpr std::size_t kSheepCount = 10'000;
  const std::size_t words_each = espalier::agent_bytes(tree) / 8;
  std::vector<std::uint64_t> sheep(kSheepCount * words_each);
  for (std::size_t i = 0; i < kSheepCount; ++i) espalier::start(tree, &sheep[i * words_each]);

  Game game;
  espalier::Host host;
  host.behaviors = behaviors;
  host.user = &game;
  for (int frame = 0; frame < 3600; ++frame) {
    if (frame == 1800) {  // a wolf comes to every second sheep
      for (std::size_t i = 0; i < kSheepCount; i += 2) {
        espalier::signal(tree, &sheep[i * words_each], sheep::sheep::signals::OnWolfSeen, host);
      }
    }
    host.clock_us += 16'667;
    espalier::update_all(tree, sheep.data(), espalier::agent_bytes(tree), kSheepCount, host);
  }
  std::printf("%d meals, %d sheep flee\n", game.meals, game.fleeing);
}
