// Shows an asset, its trees and the first call of each agent by the views of espalier.natvis, which
// tests/debugger/natvis.py makes C++ of.
#include <espalier/espalier.hpp>

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

// Writes values as a debugger does, but for addresses.
struct Views {
  static void text(const char* words) { std::fputs(words, stdout); }
  static void indent(int depth) { std::printf("%*s", 2 * depth, ""); }
  static void write(const char* words) { text(words); }
  static void write(bool value) { text(value ? "true" : "false"); }
  static void write(std::uint64_t value) { std::printf("%llu", static_cast<unsigned long long>(value)); }
  static void write(std::uint32_t value) { write(std::uint64_t{value}); }
  static void write(unsigned char value) { write(std::uint64_t{value}); }
  static void write(const void* address) { text(address == nullptr ? "null" : "an address"); }
  static void write(const espalier_tree& tree) { std::printf("tree number %u", tree.index); }
};

#include "natvis_views.h"

bool g_is_shown = false;

void show(const espalier_call* call) {
  if (!g_is_shown) View_espalier_call(*call).show();
  g_is_shown = true;
}
espalier_result tick(const espalier_call* call) {
  show(call);
  return ESPALIER_RUNNING;
}
bool activate(const espalier_call* call) {
  show(call);
  return true;
}
double decide(const espalier_call*) { return 1; }
bool ask(const espalier_call*) { return true; }

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) return 1;
  std::ifstream file(arguments[1], std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  std::vector<std::uint64_t> words(bytes.size() / 8 + 1);
  bytes.copy(reinterpret_cast<char*>(words.data()), bytes.size());
  espalier::Asset asset;
  View_espalier_asset(asset).show();
  View_espalier_tree(espalier::Tree()).show();
  if (espalier::open(words.data(), bytes.size(), &asset) != espalier::Status::ok) return 1;
  View_espalier_asset(asset).show();
  espalier::Behavior all;
  all.enter = show;
  all.tick = tick;
  all.activate = activate;
  all.ask = ask;
  all.decide = decide;
  const std::vector<espalier::Behavior> table(1000, all);
  std::vector<std::uint64_t> shared(1000);
  std::vector<std::uint64_t> group(1000);
  espalier::Host host;
  host.behaviors = host.conditions = table.data();
  host.shared = shared.data();
  host.group = group.data();
  host.clock_us = 2'000'000;
  for (std::uint32_t i = 0; i < espalier::tree_count(asset); ++i) {
    const espalier::Tree tree = espalier::tree(asset, i);
    View_espalier_tree(tree).show();
    View_espalier_place(espalier::node_place(asset, espalier::rule_count(tree) > 0 ? espalier::rule_node(tree, 0) : 0))
        .show();
    std::vector<std::uint64_t> block(espalier::agent_bytes(tree) / 8 + 1);
    espalier::start_shared(tree, shared.data());
    espalier::start_group(asset, group.data());
    espalier::start(tree, block.data());
    g_is_shown = false;
    host.first_agent = i + 7;
    espalier::update(tree, block.data(), host);
  }
  return 0;
}
