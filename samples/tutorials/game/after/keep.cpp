// Saves a sheep, restores it, and moves it to the next version of its tree: keep SHEEP.espb NEXT.espb
#include <cstdio>
#include <espalier/espalier.hpp>
#include <fstream>
#include <vector>

int begun = 0;
void begin(const espalier::Call*) { ++begun; }
espalier_result go_on(const espalier::Call*) { return espalier::Result::running; }

// An asset with all that belongs to it: its bytes must stay while it is used.
struct Version {
  std::vector<std::uint64_t> bytes;
  espalier::Asset asset;
  espalier::Tree tree;
  std::vector<espalier::Behavior> behaviors;
  espalier::Host host;
};

bool open(const char* path, Version& version) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  const auto size_bytes = static_cast<std::size_t>(file.tellg());
  version.bytes.resize((size_bytes + 7) / 8);
  file.seekg(0).read(reinterpret_cast<char*>(version.bytes.data()), static_cast<std::streamsize>(size_bytes));
  if (espalier::open(version.bytes.data(), size_bytes, &version.asset) != espalier::Status::ok) return false;
  if (espalier::find_tree(version.asset, "sheep", &version.tree) != espalier::Status::ok) return false;
  const espalier::Behavior action = {begin, nullptr, go_on};
  const espalier::Binding bindings[] = {{"Eat", action}, {"Drink", action}, {"Rest", action}, {"Flee", action}};
  version.behaviors.resize(espalier::behavior_count(version.asset));
  version.host.behaviors = version.behaviors.data();
  return espalier::bind(version.asset, bindings, 4, version.behaviors.data(), nullptr, 0, nullptr) ==
         espalier::Status::ok;
}

void print(const char* when, const Version& version, const std::vector<std::uint64_t>& sheep) {
  espalier_print_options options;
  options.active_only = true;
  char text[1000];
  espalier_print_text(version.tree, sheep.data(), &options, text, sizeof text);
  std::printf("%s: %d begun\n%s", when, begun, text);
}

int main(int, char** words) {
  Version now;
  Version next;
  if (!open(words[1], now) || !open(words[2], next)) return 1;
  std::vector<std::uint64_t> sheep(espalier::agent_bytes(now.tree) / 8);
  espalier::start(now.tree, sheep.data());
  std::uint32_t on_wolf_seen = 0;
  if (espalier::find_signal(now.tree, "OnWolfSeen", &on_wolf_seen) != espalier::Status::ok) return 1;
  espalier::signal(now.tree, sheep.data(), on_wolf_seen, now.host);
  espalier::update(now.tree, sheep.data(), now.host);
  print("A wolf came", now, sheep);

  // A copy of the block is a saved sheep. What comes from a file is checked before it is used.
  const std::vector<std::uint64_t> saved = sheep;
  if (espalier::check_agent(now.tree, saved.data()) != espalier::Status::ok) return 1;
  espalier::start(now.tree, sheep.data());
  espalier::restore(now.tree, sheep.data(), saved.data(), now.host);
  espalier::update(now.tree, sheep.data(), now.host);
  print("Restored", now, sheep);

  // A designer saved the tree: the sheep goes on in the new version.
  std::vector<std::uint64_t> moved(espalier::agent_bytes(next.tree) / 8);
  espalier::move_agent(now.tree, sheep.data(), now.host, next.tree, moved.data(), next.host);
  espalier::update(next.tree, moved.data(), next.host);
  print("In the next version", next, moved);
  espalier::stop(next.tree, moved.data(), next.host);
}
