// A courier robot that can be watched while it works, on the asset of samples/btcpp, compiled with --with-xml:
// served BTCPP.espb [PORT [SECONDS]]
// Then `espalier attach tcp://localhost:PORT` tells what it does, and Groot2 shows it. Without SECONDS it works until
// it is ended.
#include <espalier/serving.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <espalier/espalier.hpp>
#include <string>
#include <vector>

#include "asset_file.h"
#include "serving_sockets.h"

namespace {

constexpr std::uint64_t kUpdate_us = 100'000;
constexpr std::uint64_t kWay_us = 4'000'000;

std::uint64_t since_1970_us(void*) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(now).count());
}

// ---- The robot: a way takes four seconds, everything else is done at once.

void begin(const espalier::Call* call) {
  *static_cast<std::uint64_t*>(call->host->user) = call->host->clock_us + kWay_us;
}

espalier_result follow(const espalier::Call* call) {
  const bool is_there = call->host->clock_us >= *static_cast<const std::uint64_t*>(call->host->user);
  return is_there ? espalier::Result::success : espalier::Result::running;
}

// Writes the port, if the node has it.
void write_text(const espalier::Call* call, const char* name, const std::string& text) {
  std::uint32_t port = 0;
  espalier_value value;
  value.kind = ESPALIER_VALUE_TEXT;
  value.text = text.data();
  value.text_bytes = static_cast<std::uint32_t>(text.size());
  if (espalier_find_port(call, name, &port) == ESPALIER_OK) espalier_write_port(call, port, &value);
}

espalier_result act(const espalier::Call* call) {
  write_text(call, "room", "room 12");
  write_text(call, "path", "the way");
  return espalier::Result::success;
}

std::vector<espalier::Behavior> actions_of(const espalier::Asset& asset) {
  std::vector<espalier::Behavior> actions(espalier::behavior_count(asset));
  for (espalier::Behavior& action : actions) action.tick = act;
  std::uint32_t way = 0;
  if (espalier_find(espalier_tree_at(&asset, 0), ESPALIER_BEHAVIORS, "FollowPath", &way) == ESPALIER_OK) {
    actions[way].enter = begin;
    actions[way].tick = follow;
  }
  return actions;
}

}  // namespace

int main(int count, char** words) {
  std::size_t size_bytes = 0;
  const std::vector<std::uint64_t> bytes = read_file(count > 1 ? words[1] : "btcpp.espb", size_bytes);
  espalier::Asset asset;
  espalier::Tree courier;
  if (espalier::open(bytes.data(), size_bytes, &asset) != espalier::Status::ok ||
      espalier::find_tree(asset, "Courier", &courier) != espalier::Status::ok) {
    std::fprintf(stderr, "served: this is not the asset of samples/btcpp\n");
    return 1;
  }
  const std::vector<espalier::Behavior> actions = actions_of(asset);
  std::uint64_t there_at_us = 0;
  espalier::Host host;
  host.behaviors = actions.data();
  host.user = &there_at_us;
  std::vector<std::uint64_t> block(espalier::agent_bytes(courier) / 8 + 1);
  espalier::start(courier, block.data());

  espalier_server* server = nullptr;
  espalier_server_options options;
  options.now_us = since_1970_us;
  options.peer_count = ServingSockets::kPeerCount;
  std::vector<std::uint64_t> memory(espalier_server_bytes(&asset, &options) / 8 + 1);
  if (espalier_server_begin(courier, nullptr, 0, &options, memory.data(), &server) != ESPALIER_OK) {
    std::fprintf(stderr, "served: the asset was compiled without --with-xml\n");
    return 1;
  }
  const int port = count > 2 ? std::atoi(words[2]) : 1667;
  ServingSockets sockets;
  if (!sockets.listen_on(static_cast<std::uint16_t>(port))) {
    std::fprintf(stderr, "served: ports %d and %d are not free\n", port, port + 1);
    return 1;
  }
  std::printf("listening on %d\n", port);
  std::fflush(stdout);

  const std::uint64_t first_us = since_1970_us(nullptr);
  const std::uint64_t end_us = count > 3 ? first_us + 1'000'000 * std::strtoull(words[3], nullptr, 10) : UINT64_MAX;
  for (std::uint64_t next_us = first_us; next_us < end_us;) {
    const std::uint64_t now_us = since_1970_us(nullptr);
    if (now_us < next_us) {
      sockets.move_bytes(server, static_cast<int>((next_us - now_us + 999) / 1000));
      continue;
    }
    next_us += kUpdate_us;
    if (espalier_server_holds(server)) continue;  // a breakpoint: the robot stands still
    host.clock_us += kUpdate_us;
    espalier_update_watched(courier, block.data(), &host, espalier_server_watcher(server, block.data()));
    espalier_server_update(server, block.data(), &host);
  }
}
