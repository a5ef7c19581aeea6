// Uses an installed espalier from C++17: outside_cpp GUARD.espb. Prints the behaviour before and after a signal.
#include <array>
#include <cstdio>
#include <espalier/espalier.hpp>
#include <fstream>

namespace {

std::array<std::uint64_t, 8192> bytes;

void print_behavior(const espalier::Asset& asset, const espalier::Tree& tree, const void* agent) {
  const std::string_view name = espalier::behavior_name(asset, espalier::current_behavior(tree, agent));
  std::printf("%.*s\n", static_cast<int>(name.size()), name.data());
}

}  // namespace

int main(int count, char** words) {
  std::ifstream file(count == 2 ? words[1] : "", std::ios::binary);
  file.read(reinterpret_cast<char*>(bytes.data()), sizeof bytes);
  espalier::Asset asset;
  const auto status = espalier::open(bytes.data(), static_cast<std::size_t>(file.gcount()), &asset);
  if (status != espalier::Status::ok) return std::fprintf(stderr, "%s\n", espalier::status_text(status)), 1;
  espalier::Tree tree;
  std::uint32_t on_enemy_seen = 0;
  std::array<std::uint64_t, 8> agent{};
  if (espalier::find_tree(asset, "Guard", &tree) != espalier::Status::ok) return 1;
  if (espalier::find_signal(tree, "OnEnemySeen", &on_enemy_seen) != espalier::Status::ok) return 1;
  if (espalier::agent_bytes(tree) > sizeof agent) return 1;

  espalier::start(tree, agent.data());
  espalier::update(tree, agent.data(), {});
  print_behavior(asset, tree, agent.data());
  espalier::signal(tree, agent.data(), on_enemy_seen, {});
  espalier::update(tree, agent.data(), {});
  print_behavior(asset, tree, agent.data());
}
