// Records a run of a courier robot, on the asset of samples/btcpp: recorded BTCPP.espb RUN.esprec
// Then `espalier replay RUN.esprec -v` tells what it did, and `espalier import RUN.esprec --format trace` makes a test
// of it.
#include <espalier/recording.h>

#include <cstdio>
#include <espalier/espalier.hpp>
#include <fstream>
#include <string>
#include <vector>

#include "asset_file.h"

namespace {

// Each action of this robot takes three updates; the fifth one that ends has failed.
struct Robot {
  int update_count = 0;
  int end_count = 0;
};

void begin(const espalier::Call* call) { static_cast<Robot*>(call->host->user)->update_count = 0; }

espalier_result act(const espalier::Call* call) {
  Robot& robot = *static_cast<Robot*>(call->host->user);
  if (++robot.update_count < 3) return espalier::Result::running;
  return ++robot.end_count % 5 == 0 ? espalier::Result::failure : espalier::Result::success;
}

// Appends to the file. The recorder calls it at least once a second.
bool append(void* user, const void* bytes, size_t size_bytes) {
  auto& file = *static_cast<std::ofstream*>(user);
  file.write(static_cast<const char*>(bytes), static_cast<std::streamsize>(size_bytes)).flush();
  return file.good();
}

}  // namespace

int main(int count, char** words) {
  std::size_t size_bytes = 0;
  const std::vector<std::uint64_t> bytes = read_file(count > 1 ? words[1] : "btcpp.espb", size_bytes);
  espalier::Asset asset;
  espalier::Tree courier;
  if (espalier::open(bytes.data(), size_bytes, &asset) != espalier::Status::ok ||
      espalier::find_tree(asset, "Courier", &courier) != espalier::Status::ok) {
    std::fprintf(stderr, "recorded: this is not the asset of samples/btcpp\n");
    return 1;
  }
  std::vector<espalier::Behavior> actions(espalier::behavior_count(asset));
  for (espalier::Behavior& action : actions) {
    action.enter = begin;
    action.tick = act;
  }
  Robot robot;
  espalier::Host host;
  host.behaviors = actions.data();
  host.user = &robot;
  std::vector<std::uint64_t> block(espalier::agent_bytes(courier) / 8 + 1);
  espalier::start(courier, block.data());

  std::ofstream file(count > 2 ? words[2] : "run.esprec", std::ios::binary);
  espalier_recorder* recorder = nullptr;
  espalier_recorder_options options;
  options.flags = ESPALIER_RECORD_ASSET | ESPALIER_RECORD_HASHES;
  options.write = append;
  options.user = &file;
  std::vector<std::uint64_t> memory(espalier_recorder_bytes(&asset, 1, &options) / 8 + 1);
  if (espalier_recorder_begin(&asset, 1, &options, memory.data(), &recorder) != ESPALIER_OK) return 1;
  espalier_recorder_agent(recorder, 0, courier, block.data(), nullptr, nullptr);
  host.recorder = recorder;

  constexpr int kFrames = 600;
  for (int frame = 0; frame < kFrames; ++frame) {
    host.clock_us += 100'000;
    espalier_recorder_frame(recorder, host.clock_us);
    (void)espalier::update(courier, block.data(), host);
  }
  espalier_recorder_end(recorder);
  std::printf("One minute was recorded, with the asset, in %lld bytes\n", static_cast<long long>(file.tellp()));
}
