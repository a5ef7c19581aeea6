// Runs the agents of an asset with a host that does anything at random, records it, and plays it back:
//   recorded_runs ASSET SEED FRAMES [FILE]
//   recorded_runs ASSET hour
// After each frame every block has to have the same bytes in both. Exit status 1 where one has not. FILE gets a run of
// the first tree that a trace can tell: nothing happens inside of calls, and all functions are there. With `hour`, how
// many bytes an hour of ten updates a second takes, where actions go on for ten seconds, conditions change after five,
// and an event comes every two.
#include <espalier/recording.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <espalier/espalier.hpp>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace espalier;

struct Random {
  std::uint64_t state;

  std::uint64_t next() {
    state += 0x9E3779B97F4A7C15;
    std::uint64_t bits = state;
    bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9;
    bits = (bits ^ bits >> 27) * 0x94D049BB133111EB;
    return bits ^ bits >> 31;
  }
  std::uint32_t below(std::uint32_t count) { return static_cast<std::uint32_t>(next() % count); }
  bool chance(std::uint32_t in) { return below(in) == 0; }
};

// Why a recording ends before its run.
enum class Ending { none, write_fails, unknown_agent };

// How the run is recorded, and which functions the host has.
struct Form {
  std::uint32_t ring_segments = 0;
  std::uint32_t segment_bytes = 0;
  std::uint32_t flags = 0;
  bool updates_all = false;
  bool is_watched = false;
  bool is_plain = false;  // a trace can tell it
  Ending ending = Ending::none;
};

using Frames = std::vector<std::vector<unsigned char>>;  // the blocks at the end of each

struct File {
  std::vector<unsigned char> bytes;
  std::size_t most_bytes = SIZE_MAX;  // then it takes no more
};

struct Agent {
  Tree tree;
  std::vector<std::uint64_t> block;
};

struct Run {
  Random random{0};
  std::uint64_t seed = 0;
  const Asset* asset = nullptr;
  Host host;
  espalier_recorder* recorder = nullptr;
  std::vector<Agent> agents;
  std::vector<Behavior> other_behaviors;
  Frames frames;
  std::uint32_t depth = 0;
  bool is_plain = false;
  Ending ending = Ending::none;
};

[[noreturn]] void fail(const std::string& text) {
  std::printf("%s\n", text.c_str());
  std::exit(1);
}

// ---- What the host does

espalier_value random_value(Random& random) {
  static const char* const kTexts[] = {"a", "left", "1", "a longer text than eight bytes", ""};
  espalier_value value;
  value.kind = static_cast<espalier_value_kind>(1 + random.below(4));
  value.whole = static_cast<std::int64_t>(random.below(5));
  value.real = random.below(5) / 2.0;
  if (value.kind != ESPALIER_VALUE_TEXT) return value;
  value.text = kTexts[random.below(5)];
  value.text_bytes = static_cast<std::uint32_t>(std::strlen(value.text));
  return value;
}

void input(Run& run, std::uint32_t number, Tree tree, void* block, const Host& host);

// A function may update another agent.
void update_other(Run& run, const Call& call) {
  const auto number = static_cast<std::uint32_t>((call.agent_number + 1) % run.agents.size());
  Agent& other = run.agents[number];
  if (espalier_scratch_bytes(other.tree) != 0) return;  // the calling agent uses it
  Host host = run.random.chance(2) ? *call.host : run.host;
  if (run.random.chance(2)) {  // with other tables, which have the same functions or none
    host = run.host;
    host.behaviors = run.other_behaviors.data();
  }
  host.first_agent = number;
  espalier_update(other.tree, other.block.data(), &host);
}

// What a function does besides answering.
void act(const Call* call) {
  Run& run = *static_cast<Run*>(call->host->user);
  Random& random = run.random;
  ++run.depth;
  for (std::uint32_t port = 0; port < espalier_port_count(call); ++port) {
    if (random.chance(3)) continue;
    espalier_value value = random_value(random);
    if (run.is_plain) {
      // Whatever its type, a port takes it.
      value.kind = ESPALIER_VALUE_WHOLE;
      espalier_write_port(call, port, &value);
    } else if (random.chance(4)) {
      espalier_write_port_boolean(call, port, value.whole > 2);
    } else {
      const Call copy = *call;
      espalier_write_port(random.chance(2) ? call : &copy, port, &value);
    }
  }
  if (!run.is_plain && random.chance(20) && call->host->log != nullptr) call->host->log(call, "from a function");
  if (call->memory_bytes > 0 && !run.is_plain && random.chance(2))
    std::memset(call->memory, static_cast<int>(random.below(3)), call->memory_bytes);
  if (call->activation != nullptr && call->activation->block_bytes > 0)
    std::memset(call->activation->block, static_cast<int>(random.below(3)), call->activation->block_bytes);
  if (run.depth == 1 && !run.is_plain && random.chance(8))
    input(run, call->agent_number, call->tree, call->agent, *call->host);
  if (run.depth == 1 && !run.is_plain && random.chance(30)) update_other(run, *call);
  --run.depth;
}

void tell(const Call* call) { act(call); }
bool ask(const Call* call) {
  act(call);
  return static_cast<Run*>(call->host->user)->random.chance(2);
}
espalier_result tick(const Call* call) {
  act(call);
  const std::uint32_t dice = static_cast<Run*>(call->host->user)->random.below(8);
  return dice == 0 ? ESPALIER_SUCCESS : dice == 1 ? ESPALIER_FAILURE : ESPALIER_RUNNING;
}
espalier_result ask_poll(const Call* call) {
  act(call);
  const std::uint32_t dice = static_cast<Run*>(call->host->user)->random.below(9);
  return dice == 0 ? ESPALIER_SKIPPED : dice < 5 ? ESPALIER_SUCCESS : ESPALIER_FAILURE;
}
double decide(const Call* call) {
  Random& random = static_cast<Run*>(call->host->user)->random;
  if (call->activation != nullptr && call->activation->block_bytes > 0)
    std::memset(call->activation->block, static_cast<int>(random.below(3)), call->activation->block_bytes);
  return random.below(3) / 2.0;
}
// As tick(), with other results.
espalier_result tick_otherwise(const Call* call) {
  act(call);
  const std::uint32_t dice = static_cast<Run*>(call->host->user)->random.below(8);
  return dice < 4 ? ESPALIER_SUCCESS : dice == 4 ? ESPALIER_FAILURE : ESPALIER_RUNNING;
}
bool run_script(const Call* call, std::uint32_t) { return static_cast<Run*>(call->host->user)->random.chance(2); }
void log(const Call*, const char*) {}
void queue(const Call*, std::uint32_t, espalier_receivers) {}

Behavior random_behavior(Random& random, bool has_all) {
  Behavior functions;
  if (has_all) {
    functions.enter = functions.leave = functions.interrupt = functions.reset = functions.event = functions.deactivate =
        tell;
    functions.tick = tick;
    functions.allow = functions.is_bound = functions.activate = functions.ask = ask;
    functions.decide = decide;
    return functions;
  }
  if (!random.chance(4)) functions.enter = tell;
  if (!random.chance(4)) functions.leave = tell;
  if (!random.chance(6)) functions.tick = random.chance(6) ? ask_poll : tick;
  if (!random.chance(4)) functions.interrupt = tell;
  if (!random.chance(4)) functions.reset = tell;
  if (!random.chance(4)) functions.event = tell;
  if (!random.chance(2)) functions.allow = ask;
  if (!random.chance(4)) functions.is_bound = ask;
  if (!random.chance(2)) functions.activate = ask;
  if (!random.chance(4)) functions.deactivate = tell;
  if (!random.chance(4)) functions.ask = ask;
  if (!random.chance(4)) functions.decide = decide;
  return functions;
}

// Something that reaches an agent from outside.
void input(Run& run, std::uint32_t number, Tree tree, void* block, const Host& host) {
  Random& random = run.random;
  espalier_recorder* const recorder = run.recorder;
  const auto one_of = [&](espalier_kind kind, std::uint32_t* id) {
    const std::uint32_t count = espalier_count(tree, kind);
    if (count != 0) *id = random.below(count);
    return count != 0;
  };
  std::uint32_t id = 0;
  Host own = host;
  own.first_agent = number;
  espalier_stimulus_data data;
  data.size_bytes = random.below(17);
  std::memset(data.bytes, static_cast<int>(random.below(4)), data.size_bytes);
  const bool is_decide = espalier_count(tree, ESPALIER_STIMULI) > 0;
  switch (random.below(9)) {
    case 0:
    case 1:
      if (one_of(ESPALIER_SIGNALS, &id)) espalier_signal(tree, block, id, &own, nullptr);
      break;
    case 2:
      if (one_of(ESPALIER_VARIABLES, &id)) espalier_record_set(recorder, number, tree, block, id, random.chance(2));
      break;
    case 3: {
      const espalier_value value = random_value(random);
      if (run.depth != 0 || !one_of(ESPALIER_ENTRIES, &id)) break;  // between updates alone: polling.h
      if (random.chance(4)) {
        espalier_record_entry_boolean(recorder, number, tree, block, id, random.chance(2));
      } else {
        espalier_record_entry(recorder, number, tree, block, id, &value);
      }
      break;
    }
    case 4:
      if (is_decide) espalier_record_flags(recorder, number, tree, block, random.below(8));
      break;
    case 5:
      if (is_decide && one_of(ESPALIER_STIMULI, &id))
        espalier_record_stimulus(recorder, number, tree, block, id, own.clock_us, random.chance(2) ? &data : nullptr);
      break;
    case 6:
      if (is_decide && one_of(ESPALIER_STIMULI, &id))
        espalier_record_stimulus_for(recorder, number, tree, block, id, own.clock_us, 1000000, &data);
      break;
    case 7:
      if (is_decide && one_of(ESPALIER_STIMULI, &id)) espalier_record_clear_stimulus(recorder, number, tree, block, id);
      break;
    default:
      if (run.depth != 0) break;  // these may not be called for the agent that is updated
      if (one_of(ESPALIER_RULES, &id)) {
        espalier_jump(tree, block, random.chance(5) ? kNoRule : id, &own);
      } else if (espalier_shared_bytes(tree) > 0 && one_of(ESPALIER_SLOTS, &id)) {
        espalier_inject(tree, block, id, random.chance(4) ? kNoTree : random.below(tree_count(*run.asset)),
                        random.chance(2), &own);
      } else if (espalier_count(tree, ESPALIER_ENTRIES) > 0) {
        std::uint32_t entry = 0;
        espalier_record_name_entry(recorder, number, tree, block, "named", &entry);
      }
  }
}

// ---- The run

void keep_blocks(Run& run) {
  std::vector<unsigned char> all;
  for (const Agent& agent : run.agents) {
    const auto* const bytes = reinterpret_cast<const unsigned char*>(agent.block.data());
    all.insert(all.end(), bytes, bytes + espalier_agent_bytes(agent.tree));
  }
  run.frames.push_back(std::move(all));
}

void begin_agent(Run& run, std::uint32_t number) {
  Agent& agent = run.agents[number];
  espalier_start(agent.tree, agent.block.data());
  espalier_seed(agent.tree, agent.block.data(), run.seed + (std::uint64_t{number} << 32));
  if (run.ending == Ending::unknown_agent && number == 1) return;
  espalier_recorder_agent(run.recorder, number, agent.tree, agent.block.data(), run.host.shared, run.host.group);
}

void run_frames(Run& run, std::uint32_t frame_count, const Form& form) {
  Random& random = run.random;
  const Tree tree = run.agents.front().tree;
  Prepared prepared;
  espalier_prepare(tree, &prepared);
  keep_blocks(run);
  for (std::uint32_t frame = 0; frame < frame_count; ++frame) {
    run.host.clock_us += random.chance(10) ? random.below(3000000) : 100000;
    espalier_recorder_frame(run.recorder, run.host.clock_us);
    for (std::uint32_t i = 0; i < run.agents.size(); ++i) {
      Agent& agent = run.agents[i];
      if (random.chance(6)) input(run, i, agent.tree, agent.block.data(), run.host);
      run.host.first_agent = i;
      if (!form.is_plain && random.chance(60)) {
        espalier_stop(agent.tree, agent.block.data(), &run.host);
        if (random.chance(2)) begin_agent(run, i);
      }
      if (form.updates_all) continue;
      const Watcher watcher;
      if (form.is_watched) {
        espalier_update_watched(agent.tree, agent.block.data(), &run.host, &watcher);
      } else if (random.chance(2)) {
        espalier_update_prepared(&prepared, agent.block.data(), &run.host);
      } else {
        espalier_update(agent.tree, agent.block.data(), &run.host);
      }
    }
    run.host.first_agent = 0;
    if (form.updates_all) {
      for (std::uint32_t i = 0; i < run.agents.size(); ++i) {
        run.host.first_agent = i;
        espalier_update_all_prepared(&prepared, run.agents[i].block.data(), 8 * run.agents[i].block.size(), 1,
                                     &run.host);
      }
    }
    keep_blocks(run);
  }
}

bool append(void* user, const void* bytes, size_t size_bytes) {
  auto& file = *static_cast<File*>(user);
  if (size_bytes > file.most_bytes - file.bytes.size()) return false;
  const auto* const first = static_cast<const unsigned char*>(bytes);
  file.bytes.insert(file.bytes.end(), first, first + size_bytes);
  return true;
}

// How many frames were the same.
std::uint64_t compare(const Run& run, const std::vector<unsigned char>& file, bool is_watched, bool has_same_bytes,
                      const std::string& name) {
  std::vector<std::uint64_t> memory(espalier_playback_bytes(file.data(), file.size(), run.asset) / 8 + 1);
  espalier_playback* playback = nullptr;
  Fault fault;
  if (espalier_playback_open(file.data(), file.size(), run.asset, memory.data(), &playback, &fault) != ESPALIER_OK)
    fail(name + ": cannot be opened: " + fault.reason + " at " + std::to_string(fault.offset_bytes));
  std::uint64_t count = 0;
  const Watcher watcher;
  for (;;) {
    const espalier_status status = espalier_playback_step(playback, is_watched ? &watcher : nullptr);
    if (status == ESPALIER_NOT_FOUND) break;
    const std::uint64_t frame = espalier_playback_frame(playback);
    if (status != ESPALIER_OK) fail(name + ": frame " + std::to_string(frame) + ": " + espalier_status_text(status));
    if (frame >= run.frames.size()) fail(name + ": there are too many frames");
    const unsigned char* kept = run.frames[frame].data();
    for (std::uint32_t i = 0; i < run.agents.size(); ++i) {
      const std::size_t size_bytes = espalier_agent_bytes(run.agents[i].tree);
      const void* const block = espalier_playback_block(playback, i, nullptr);
      if (block == nullptr || (has_same_bytes && std::memcmp(block, kept, size_bytes) != 0))
        fail(name + ": frame " + std::to_string(frame) + ": agent " + std::to_string(i) + " has another block");
      kept += size_bytes;
    }
    ++count;
  }
  if (espalier_playback_frame(playback) + 1 < run.frames.size())
    fail(name + ": only " + std::to_string(espalier_playback_frame(playback)) + " frames");
  return count;
}

// ---- Damage

std::uint32_t crc32c(const unsigned char* bytes, std::size_t size_bytes) {
  std::uint32_t crc = 0xFFFFFFFF;
  for (std::size_t i = 0; i < size_bytes; ++i) {
    crc ^= bytes[i];
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ ((crc & 1) != 0 ? 0x82F63B78u : 0u);
  }
  return ~crc;
}

// Anything is read as a recording: what is not one is refused, or ends. Run with sanitizers, too.
void play_damaged(const Run& run, const std::vector<unsigned char>& file, const std::string& name) {
  Random random{run.seed};
  constexpr int kCopies = 40;
  constexpr int kSteps = 500;
  std::size_t first = 0;  // the first segment: the only place where a payload of this checksum begins
  for (std::size_t at = 12; at + 24 < file.size() && first == 0; ++at) {
    std::uint32_t size_bytes = 0;
    std::uint32_t crc = 0;
    std::memcpy(&size_bytes, &file[at], 4);
    std::memcpy(&crc, &file[at + 4], 4);
    if (size_bytes > 2 && size_bytes <= file.size() - at - 24 && crc32c(&file[at + 24], size_bytes) == crc) first = at;
  }
  if (first == 0) fail(name + ": there is no segment");
  for (int copy = 0; copy < kCopies; ++copy) {
    std::vector<unsigned char> damaged = file;
    std::uint32_t size_bytes = 0;
    std::memcpy(&size_bytes, &damaged[first], 4);
    unsigned char* const payload = &damaged[first + 24];
    for (std::uint32_t i = 1 + random.below(4); i > 0; --i) {
      const std::uint32_t at = 1 + random.below(size_bytes - 1);
      payload[at] =
          static_cast<unsigned char>(random.chance(2) ? random.below(256) : payload[at] ^ 1u << random.below(8));
    }
    const std::uint32_t crc = crc32c(payload, size_bytes);
    std::memcpy(&damaged[first + 4], &crc, 4);
    if (random.chance(4)) damaged.resize(random.below(static_cast<std::uint32_t>(damaged.size())));
    if (random.chance(8) && damaged.size() > first) damaged[random.below(static_cast<std::uint32_t>(first))] ^= 0x10;
    // In memory of its exact size, so that sanitizers see what is read beyond it.
    const std::vector<unsigned char> exact(damaged.begin(), damaged.end());
    const std::size_t needed = espalier_playback_bytes(exact.data(), exact.size(), run.asset);
    if (needed == 0 || needed > (std::size_t{1} << 24)) continue;
    std::vector<std::uint64_t> memory((needed + 7) / 8);
    espalier_playback* playback = nullptr;
    if (espalier_playback_open(exact.data(), exact.size(), run.asset, memory.data(), &playback, nullptr) != ESPALIER_OK)
      continue;
    for (int step = 0; step < kSteps && espalier_playback_step(playback, nullptr) == ESPALIER_OK; ++step) {
    }
  }
}

// `expected`: of a recording that ends early, the blocks of a run that was recorded to its end; of others, gets them.
std::uint64_t run_form(const Asset& asset, std::uint32_t tree_index, std::uint64_t seed, std::uint32_t frame_count,
                       const Form& form, const std::string& name, Frames& expected, const char* path = nullptr) {
  const std::uint32_t kAgents = form.is_plain ? 2 : 3;
  Run run;
  run.random.state = run.seed = seed;
  run.asset = &asset;
  run.is_plain = form.is_plain;
  run.ending = form.ending;
  const Tree tree = espalier::tree(asset, tree_index);
  std::vector<Behavior> behaviors(espalier_behavior_count(&asset) + 1);
  for (Behavior& each : behaviors) each = random_behavior(run.random, form.is_plain);
  run.other_behaviors = behaviors;
  for (Behavior& each : run.other_behaviors) {
    if (each.tick != nullptr) each.tick = tick_otherwise;
  }
  std::vector<Behavior> conditions(espalier_condition_count(&asset) + 1);
  for (Behavior& each : conditions) {
    each = random_behavior(run.random, form.is_plain);
    if (form.is_plain) each.tick = ask_poll;
  }
  std::vector<std::uint64_t> shared(espalier_shared_bytes(tree) / 8 + 1);
  std::vector<std::uint64_t> group(espalier_group_bytes(&asset) / 8 + 1);
  std::vector<std::uint64_t> scratch(espalier_scratch_bytes(tree) / 8 + 1);
  espalier_start_shared(tree, shared.data());
  espalier_start_group(&asset, group.data());
  run.host.behaviors = behaviors.data();
  run.host.conditions = !form.is_plain && run.random.chance(9) ? nullptr : conditions.data();
  run.host.user = &run;
  run.host.shared = espalier_shared_bytes(tree) > 0 ? shared.data() : nullptr;
  run.host.group = espalier_group_bytes(&asset) > 0 ? group.data() : nullptr;
  run.host.scratch = scratch.data();
  if (form.is_plain || !run.random.chance(4)) run.host.script = run_script;
  if (form.is_plain || !run.random.chance(4)) run.host.log = log;
  if (!form.is_plain && !run.random.chance(4)) run.host.queue = queue;
  File written;
  std::vector<unsigned char>& file = written.bytes;
  if (form.ending == Ending::write_fails) written.most_bytes = 3000;
  espalier_recorder_options options;
  options.segment_bytes = form.segment_bytes;
  options.ring_segments = form.ring_segments;
  options.flags = form.flags;
  options.write = append;
  options.user = &written;
  std::vector<std::uint64_t> memory(espalier_recorder_bytes(&asset, kAgents, &options) / 8 + 1);
  if (espalier_recorder_begin(&asset, kAgents, &options, memory.data(), &run.recorder) != ESPALIER_OK)
    fail(name + ": cannot be recorded");
  run.host.recorder = run.recorder;
  run.agents.resize(kAgents);
  for (std::uint32_t i = 0; i < kAgents; ++i) {
    run.agents[i].tree = tree;
    run.agents[i].block.resize(espalier_agent_bytes(tree) / 8 + 1);
    begin_agent(run, i);
  }
  run_frames(run, frame_count, form);
  if (form.ending != Ending::none) {
    if (espalier_recorder_fault(run.recorder) == nullptr && form.ending == Ending::unknown_agent)
      fail(name + ": the recorder says nothing of an agent that it was not told of");
    if (run.frames != expected) fail(name + ": its agents do something else");
    return frame_count;
  }
  expected = run.frames;
  if (espalier_recorder_fault(run.recorder) != nullptr)
    fail(name + ": not recorded: " + espalier_recorder_fault(run.recorder));
  espalier_recorder_end(run.recorder);
  if (form.ring_segments != 0) {
    file.resize(espalier_recorder_save(run.recorder, nullptr, 0));
    if (espalier_recorder_save(run.recorder, file.data(), file.size()) != file.size()) fail(name + ": cannot be saved");
  }
  if (path != nullptr)
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(file.data()), static_cast<std::streamsize>(file.size()));
  play_damaged(run, file, name);
  // A watched update keeps no cursor to go on from: then it is the hashes that are compared.
  const bool has_hashes = (form.flags & ESPALIER_RECORD_HASHES) != 0;
  if (has_hashes && !form.is_watched) compare(run, file, true, false, name + ", played with a watcher");
  return compare(run, file, form.is_watched, true, name);
}

// ---- An hour

// Steps of 0.1 s, from another one on for each node and agent.
std::uint64_t step_of(const Call* call) {
  return call->clock_us / 100'000 + std::uint64_t{call->node_word} * 7 + std::uint64_t{call->agent_number} * 31;
}
bool ask_slowly(const Call* call) { return step_of(call) / 100 % 2 == 0; }
espalier_result poll_slowly(const Call* call) { return ask_slowly(call) ? ESPALIER_SUCCESS : ESPALIER_FAILURE; }
espalier_result tick_slowly(const Call* call) {
  if (step_of(call) % 100 != 0) return ESPALIER_RUNNING;
  if (step_of(call) / 100 % 4 == 0) return ESPALIER_FAILURE;
  for (std::uint32_t port = 0; port < espalier_port_count(call); ++port) {
    espalier_value value;
    value.kind = ESPALIER_VALUE_WHOLE;
    value.whole = static_cast<std::int64_t>(step_of(call) / 100);
    espalier_write_port(call, port, &value);
  }
  return ESPALIER_SUCCESS;
}
double decide_slowly(const Call* call) { return ask_slowly(call) ? 1 : 0; }

void record_hour(const Asset& asset) {
  constexpr std::uint32_t kAgents = 100;
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
  std::vector<std::uint64_t> blocks(kAgents * block_words);
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
  host.script = [](const Call* call, std::uint32_t) { return ask_slowly(call); };
  File file;
  espalier_recorder_options options;
  options.write = append;
  options.user = &file;
  std::vector<std::uint64_t> memory(espalier_recorder_bytes(&asset, kAgents, &options) / 8 + 1);
  espalier_recorder* recorder = nullptr;
  if (espalier_recorder_begin(&asset, kAgents, &options, memory.data(), &recorder) != ESPALIER_OK) fail("no recorder");
  for (std::uint32_t i = 0; i < kAgents; ++i) {
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
    for (std::uint32_t i = 0; i < kAgents && host.clock_us % 2'000'000 == 0 && signal_count != 0; ++i) {
      host.first_agent = i;
      espalier_signal(tree, &blocks[i * block_words], static_cast<std::uint32_t>((second + i) % signal_count), &host,
                      nullptr);
    }
    host.first_agent = 0;
    espalier_update_all(tree, blocks.data(), 8 * block_words, kAgents, &host);
  }
  espalier_recorder_end(recorder);
  std::printf("%zu bytes an agent-hour\n", file.bytes.size() / kAgents);
}

}  // namespace

int main(int count, char** words) {
  const bool is_hour = count == 3 && std::string_view(words[2]) == "hour";
  if (count != 4 && count != 5 && !is_hour) fail("recorded_runs ASSET SEED FRAMES [FILE]");
  std::ifstream stream(words[1], std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  std::vector<std::uint64_t> aligned(bytes.size() / 8 + 1);
  std::memcpy(aligned.data(), bytes.data(), bytes.size());
  Asset asset;
  if (espalier_open(aligned.data(), bytes.size(), &asset, nullptr) != ESPALIER_OK) fail("no asset");
  if (is_hour) {
    record_hour(asset);
    return 0;
  }
  const std::uint64_t seed = std::strtoull(words[2], nullptr, 10);
  const auto frames = static_cast<std::uint32_t>(std::strtoul(words[3], nullptr, 10));
  if (count == 5) {
    constexpr Form kPlain = {0, 4096, ESPALIER_RECORD_HASHES | ESPALIER_RECORD_ASSET, false, false, true};
    Frames kept;
    run_form(asset, 0, seed, frames, kPlain, words[1], kept, words[4]);
    return 0;
  }
  constexpr Form kForms[] = {{0, 0, ESPALIER_RECORD_HASHES, false},
                             {0, 1024, ESPALIER_RECORD_MEMORY | ESPALIER_RECORD_ASSET, true},
                             {0, 4096, ESPALIER_RECORD_HASHES, false, true},
                             {3, 65536, ESPALIER_RECORD_HASHES, false}};
  std::uint64_t run_count = 0;
  std::uint64_t frame_count = 0;
  for (std::uint32_t tree = 0; tree < tree_count(asset); ++tree) {
    for (const Form& form : kForms) {
      const std::string name = std::string(words[1]) + ", " + std::string(tree_name(espalier::tree(asset, tree))) +
                               (form.ring_segments != 0 ? ", ring"
                                : form.updates_all      ? ", batches"
                                : form.is_watched       ? ", watched"
                                                        : ", alone");
      Frames kept;
      frame_count += run_form(asset, tree, seed, frames, form, name, kept);
      ++run_count;
      for (const Ending ending : {Ending::write_fails, Ending::unknown_agent}) {
        Form early = form;
        early.ending = ending;
        const char* const why = ending == Ending::write_fails ? ", writing fails" : ", an unknown agent";
        run_form(asset, tree, seed, frames, early, name + why, kept);
      }
    }
  }
  std::printf("%llu runs with %llu frames compared\n", static_cast<unsigned long long>(run_count),
              static_cast<unsigned long long>(frame_count));
}
