// See recorded_hour.h.
#include "recorded_hour.h"

#include <algorithm>
#include <cstdio>

#include "random_program.h"

namespace recorded {
namespace {

// Steps of 0.1 s, from another one on for each node and agent.
std::uint64_t step_of(const Call* call) {
  return call->clock_us / 100'000 + std::uint64_t{call->node_word} * 7 + std::uint64_t{call->agent_number} * 31;
}
bool ask_slowly(const Call* call) { return step_of(call) / 100 % 2 == 0; }
espalier_result poll_slowly(const Call* call) { return ask_slowly(call) ? ESPALIER_SUCCESS : ESPALIER_FAILURE; }
// Of a step, if what the program tells is random.
std::uint64_t dice_of(const Call* call) { return Random{step_of(call) / 100}.next(); }
bool is_random(const Call* call) { return *static_cast<const bool*>(call->host->user); }

espalier_result tick_slowly(const Call* call) {
  if (step_of(call) % 100 != 0) return ESPALIER_RUNNING;
  if (step_of(call) / 100 % 4 == 0) return ESPALIER_FAILURE;
  for (std::uint32_t port = 0; port < espalier_port_count(call); ++port) {
    espalier_value value;
    value.kind = ESPALIER_VALUE_WHOLE;
    value.whole = static_cast<std::int64_t>(is_random(call) ? (dice_of(call) + port) % 1000 : step_of(call) / 100);
    espalier_write_port(call, port, &value);
  }
  return ESPALIER_SUCCESS;
}
double decide_slowly(const Call* call) {
  if (is_random(call)) return static_cast<double>(dice_of(call)) * 0x1p-64;
  return ask_slowly(call) ? 1 : 0;
}

// A file, and how long something was not written to it.
struct Written {
  File file;
  const Host* host;
  std::uint64_t last_us = 0;
  std::uint64_t longest_us = 0;
};
bool append_in_time(void* user, const void* bytes, std::size_t size_bytes) {
  Written& written = *static_cast<Written*>(user);
  written.longest_us = std::max(written.longest_us, written.host->clock_us - written.last_us);
  written.last_us = written.host->clock_us;
  return append(&written.file, bytes, size_bytes);
}

}  // namespace

void record_hour(const Asset& asset, bool at_random, std::uint32_t agent_count) {
  constexpr std::uint64_t kHour_us = 3'600'000'000;
  const Tree tree = espalier::tree(asset, 0);
  Behavior slow;
  slow.tick = tick_slowly;
  slow.decide = decide_slowly;
  std::vector<Behavior> behaviors(espalier_behavior_count(&asset) + 1, slow);
  slow.tick = poll_slowly;
  slow.ask = ask_slowly;
  std::vector<Behavior> conditions(espalier_condition_count(&asset) + 1, slow);
  const std::size_t block_words = espalier_agent_bytes(tree) / 8 + 1;
  std::vector<std::uint64_t> blocks(agent_count * block_words);
  std::vector<std::uint64_t> shared(espalier_shared_bytes(tree) / 8 + 1);
  std::vector<std::uint64_t> group(espalier_group_bytes(&asset) / 8 + 1);
  std::vector<std::uint64_t> scratch(espalier_scratch_bytes(tree) / 8 + 1);
  espalier_start_shared(tree, shared.data());
  espalier_start_group(&asset, group.data());
  Host host;
  host.behaviors = behaviors.data();
  host.conditions = conditions.data();
  host.shared = shared.data();
  host.group = group.data();
  host.scratch = scratch.data();
  host.user = &at_random;
  host.script = [](const Call* call, std::uint32_t) { return ask_slowly(call); };
  Written written{{}, &host};
  espalier_recorder_options options;
  options.write = append_in_time;
  options.user = &written;
  std::vector<std::uint64_t> memory(espalier_recorder_bytes(&asset, agent_count, &options) / 8 + 1);
  espalier_recorder* recorder = nullptr;
  if (espalier_recorder_begin(&asset, agent_count, &options, memory.data(), &recorder) != ESPALIER_OK)
    fail("no recorder");
  for (std::uint32_t i = 0; i < agent_count; ++i) {
    std::uint64_t* const block = &blocks[i * block_words];
    espalier_start(tree, block);
    espalier_seed(tree, block, i);
    espalier_recorder_agent(recorder, i, tree, block, host.shared, host.group);
  }
  host.recorder = recorder;
  const std::uint32_t signal_count = espalier_count(tree, ESPALIER_SIGNALS);
  for (; host.clock_us < kHour_us; host.clock_us += 100'000) {
    espalier_recorder_frame(recorder, host.clock_us);
    const std::uint64_t second = host.clock_us / 1'000'000;
    for (std::uint32_t i = 0; i < agent_count && host.clock_us % 2'000'000 == 0 && signal_count != 0; ++i) {
      host.first_agent = i;
      espalier_signal(tree, &blocks[i * block_words], static_cast<std::uint32_t>((second + i) % signal_count), &host,
                      nullptr);
    }
    host.first_agent = 0;
    espalier_update_all(tree, blocks.data(), 8 * block_words, agent_count, &host);
  }
  espalier_recorder_end(recorder);
  std::printf("%zu bytes an agent-hour, written every %.1f seconds at least\n", written.file.bytes.size() / agent_count,
              static_cast<double>(written.longest_us) / 1e6);
}

}  // namespace recorded
