// What a peer sends to a server (espalier/serving.h): any bytes, in pieces. The first byte says how long these are.
#include <espalier/polling.h>
#include <espalier/serving.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <espalier/espalier.hpp>
#include <vector>

#include "samples/embed/asset_file.h"

namespace {

using namespace espalier;

struct Program {
  Program() : words(read_file(SERVED_ASSET, size_bytes)) {
    if (open(words.data(), size_bytes, &asset) != Status::ok || find_tree(asset, "Main", &agent_tree) != Status::ok) {
      std::fprintf(stderr, "cannot read %s\n", SERVED_ASSET);
      std::exit(1);
    }
    options.now_us = [](void* user) { return ++*static_cast<std::uint64_t*>(user); };
    options.user = &now_us;
    options.peer_count = 2;
    options.request_bytes = 1024;
    memory.resize(espalier_server_bytes(&asset, &options) / 8);
    block.resize(agent_bytes(agent_tree) / 8 + 1);
  }

  std::size_t size_bytes = 0;
  std::vector<std::uint64_t> words;
  Asset asset;
  Tree agent_tree;
  std::uint64_t now_us = 0;
  espalier_server_options options;
  std::vector<std::uint64_t> memory;
  std::vector<std::uint64_t> block;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Program program;
  if (size == 0) return 0;
  espalier_server* server = nullptr;
  if (espalier_server_begin(program.agent_tree, nullptr, 0, &program.options, program.memory.data(), &server) !=
      ESPALIER_OK)
    std::abort();
  Host host;
  start(program.agent_tree, program.block.data());
  espalier_server_connect(server, 0);
  const std::size_t step = data[0] + std::size_t{1};
  char taken[256];
  for (std::size_t at = 1; at < size; at += step) {
    if (espalier_server_feed(server, 0, data + at, std::min(step, size - at)) != ESPALIER_OK) break;
    while (espalier_server_take(server, 0, taken, std::min(step, sizeof taken)) != 0) {
    }
    if (espalier_server_holds(server)) continue;
    host.clock_us += 100'000;
    espalier_update_watched(program.agent_tree, program.block.data(), &host,
                            espalier_server_watcher(server, program.block.data()));
    espalier_server_update(server, program.block.data(), &host);
  }
  return 0;
}
