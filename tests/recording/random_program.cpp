// See random_program.h.
#include "random_program.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace recorded {

void fail(const std::string& text) {
  std::printf("%s\n", text.c_str());
  std::exit(1);
}

namespace {

// ---- What the host does

constexpr const char* kNamed = "named";  // an entry that the program makes

espalier_value random_value(Random& random) {
  static const char* const kTexts[] = {"a", "left", "1", kSecret, ""};
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
  if (!other.is_there || espalier_scratch_bytes(other.tree) != 0) return;  // the calling agent uses the scratch memory
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
  if (run.depth == 1 && !run.is_plain && random.chance(30) && !run.is_moving) update_other(run, *call);
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
// As tick(), with other results, also such that do not exist.
espalier_result tick_otherwise(const Call* call) {
  act(call);
  Run& run = *static_cast<Run*>(call->host->user);
  if (!run.is_plain && run.random.chance(20)) return static_cast<espalier_result>(6 + run.random.below(2));
  const std::uint32_t dice = run.random.below(8);
  return dice < 4 ? ESPALIER_SUCCESS : dice == 4 ? ESPALIER_FAILURE : ESPALIER_RUNNING;
}
void log(const Call* call, const char*) {
  Run& run = *static_cast<Run*>(call->host->user);
  if (run.depth == 0 && !run.is_plain && run.random.chance(20) && !run.is_moving) update_other(run, *call);
}
// It may call another function of the host, and update another agent.
bool run_script(const Call* call, std::uint32_t) {
  Run& run = *static_cast<Run*>(call->host->user);
  if (!run.is_plain && run.random.chance(8) && call->host->log != nullptr) call->host->log(call, "from a script");
  ++run.depth;
  if (run.depth == 1 && !run.is_plain && run.random.chance(10) && !run.is_moving) update_other(run, *call);
  --run.depth;
  return run.random.chance(2);
}
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
      if (run.is_plain && *espalier_entry_path(tree, id) != '\0') break;
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
        if (run.is_plain && rule_id(tree, id).empty()) break;
        espalier_jump(tree, block, random.chance(5) ? kNoRule : id, &own);
      } else if (espalier_shared_bytes(tree) > 0 && one_of(ESPALIER_SLOTS, &id)) {
        const bool is_at_once = random.chance(2);  // compilers choose the order of arguments
        const std::uint32_t other = random.chance(4) ? kNoTree : random.below(tree_count(*run.asset));
        espalier_inject(tree, block, id, other, is_at_once, &own);
      } else if (espalier_count(tree, ESPALIER_ENTRIES) > 0) {
        std::uint32_t entry = 0;
        espalier_record_name_entry(recorder, number, tree, block, kNamed, &entry);
      }
  }
}

// ---- The run

void keep_blocks(Run& run) {
  std::vector<unsigned char> all;
  for (const Agent& agent : run.agents) {
    all.push_back(agent.is_there ? 1 : 0);
    if (!agent.is_there) continue;
    const auto* const bytes = reinterpret_cast<const unsigned char*>(agent.block.data());
    all.insert(all.end(), bytes, bytes + espalier_agent_bytes(agent.tree));
  }
  run.frames.push_back(std::move(all));
}

}  // namespace

void tell_agent(Run& run, std::uint32_t number) {
  const Agent& agent = run.agents[number];
  if (run.ending == Ending::unknown_agent && number == 1) return;
  espalier_recorder_agent(run.recorder, number, agent.tree, agent.is_there ? agent.block.data() : nullptr,
                          run.host.shared, run.host.group);
}

void begin_agent(Run& run, std::uint32_t number) {
  Agent& agent = run.agents[number];
  espalier_start(agent.tree, agent.block.data());
  espalier_seed(agent.tree, agent.block.data(), run.seed + (std::uint64_t{number} << 32));
  tell_agent(run, number);
}

namespace {

// Saves the agents, or puts them back: where they share a block, together with that.
void save_or_restore(Run& run) {
  Random& random = run.random;
  Saved& saved = run.saved;
  if (saved.agents.empty() || random.chance(2)) {
    saved = {run.agents, run.shared, run.group};
    return;
  }
  for (std::size_t i = 0; i < run.agents.size(); ++i) {
    if (!run.agents[i].is_there || !saved.agents[i].is_there) return;
  }
  const bool is_together = espalier_shared_bytes(run.agents.front().tree) > 0;
  const std::uint32_t one = random.below(static_cast<std::uint32_t>(run.agents.size()));
  for (std::uint32_t i = 0; i < run.agents.size(); ++i) {
    if (!is_together && i != one) continue;
    if (is_together) {
      run.agents[i].block = saved.agents[i].block;
    } else {
      espalier_restore(run.agents[i].tree, run.agents[i].block.data(), saved.agents[i].block.data(), &run.host);
    }
  }
  if (is_together) run.shared = saved.shared;
  if (is_together) run.group = saved.group;
  for (std::uint32_t i = 0; i < run.agents.size(); ++i) {
    if (is_together || i == one) tell_agent(run, i);
  }
}

// An agent that goes on in a block elsewhere, as it does after a hot reload of the same trees.
void move(Run& run, std::uint32_t number) {
  Agent& agent = run.agents[number];
  if (!agent.is_there) return;
  std::vector<std::uint64_t> block(agent.block.size());
  run.host.first_agent = number;
  run.is_moving = true;
  espalier_move_agent(agent.tree, agent.block.data(), &run.host, agent.tree, block.data(), &run.host);
  run.is_moving = false;
  agent.block.swap(block);
  tell_agent(run, number);
}

}  // namespace

void run_frames(Run& run, std::uint32_t frame_count, const Form& form) {
  Random& random = run.random;
  const Tree tree = run.agents.front().tree;
  Prepared prepared;
  espalier_prepare(tree, &prepared);
  keep_blocks(run);
  for (std::uint32_t frame = 0; frame < frame_count; ++frame) {
    run.host.clock_us += random.chance(10) ? random.below(3000000) : 100000;
    espalier_recorder_frame(run.recorder, run.host.clock_us);
    if (!form.is_plain && random.chance(20)) save_or_restore(run);
    if (form.is_moved && random.chance(20)) move(run, random.below(static_cast<std::uint32_t>(run.agents.size())));
    for (std::uint32_t i = 0; i < run.agents.size(); ++i) {
      Agent& agent = run.agents[i];
      run.host.first_agent = i;
      if (!agent.is_there) {
        if (!random.chance(8)) continue;
        agent.is_there = true;
        begin_agent(run, i);
      }
      if (random.chance(6)) input(run, i, agent.tree, agent.block.data(), run.host);
      if (!form.is_plain && random.chance(60)) {
        espalier_stop(agent.tree, agent.block.data(), &run.host);
        agent.is_there = !random.chance(3);
        if (!agent.is_there) tell_agent(run, i);
        if (agent.is_there && random.chance(2)) begin_agent(run, i);
      }
      if (!agent.is_there) continue;
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
        if (!run.agents[i].is_there) continue;
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

void begin_run(Run& run, const Asset& asset, std::uint32_t tree_index, const Form& form, const std::string& name) {
  const std::uint32_t kAgents = form.is_plain ? 2 : 3;
  run.asset = &asset;
  run.is_plain = form.is_plain;
  run.ending = form.ending;
  const Tree tree = espalier::tree(asset, tree_index);
  run.behaviors.resize(espalier_behavior_count(&asset) + 1);
  for (Behavior& each : run.behaviors) each = random_behavior(run.random, form.is_plain);
  run.other_behaviors = run.behaviors;
  for (Behavior& each : run.other_behaviors) {
    if (each.tick != nullptr) each.tick = tick_otherwise;
  }
  run.conditions.resize(espalier_condition_count(&asset) + 1);
  for (Behavior& each : run.conditions) {
    each = random_behavior(run.random, form.is_plain);
    if (form.is_plain) each.tick = ask_poll;
  }
  run.shared.resize(espalier_shared_bytes(tree) / 8 + 1);
  run.group.resize(espalier_group_bytes(&asset) / 8 + 1);
  run.scratch.resize(espalier_scratch_bytes(tree) / 8 + 1);
  espalier_start_shared(tree, run.shared.data());
  espalier_start_group(&asset, run.group.data());
  run.host.behaviors = run.behaviors.data();
  run.host.conditions = !form.is_plain && run.random.chance(9) ? nullptr : run.conditions.data();
  run.host.user = &run;
  run.host.shared = espalier_shared_bytes(tree) > 0 ? run.shared.data() : nullptr;
  run.host.group = espalier_group_bytes(&asset) > 0 ? run.group.data() : nullptr;
  run.host.scratch = run.scratch.data();
  if (form.is_plain || !run.random.chance(4)) run.host.script = run_script;
  if (form.is_plain || !run.random.chance(4)) run.host.log = log;
  if (!form.is_plain && !run.random.chance(4)) run.host.queue = queue;
  if (form.ending == Ending::write_fails) run.file.most_bytes = 3000;
  espalier_recorder_options options;
  options.segment_bytes = form.segment_bytes;
  options.ring_segments = form.ring_segments;
  options.flags = form.flags;
  options.write = append;
  options.user = &run.file;
  for (std::uint32_t i = 0; form.is_redacted && i < espalier_count(tree, ESPALIER_ENTRIES); ++i)
    run.redacted.push_back(espalier_name(tree, ESPALIER_ENTRIES, i));
  if (form.is_redacted) run.redacted.push_back(kNamed);
  options.redact = run.redacted.data();
  options.redact_count = static_cast<std::uint32_t>(run.redacted.size());
  options.redact_salt = run.seed;
  run.memory.resize(espalier_recorder_bytes(&asset, kAgents, &options) / 8 + 1);
  if (espalier_recorder_begin(&asset, kAgents, &options, run.memory.data(), &run.recorder) != ESPALIER_OK)
    fail(name + ": cannot be recorded");
  run.host.recorder = run.recorder;
  run.agents.resize(kAgents);
  for (Agent& agent : run.agents) {
    agent.tree = tree;
    agent.block.resize(espalier_agent_bytes(tree) / 8 + 1);
  }
}

void end_run(Run& run, const Form& form, const std::string& name) {
  if (espalier_recorder_fault(run.recorder) != nullptr)
    fail(name + ": not recorded: " + espalier_recorder_fault(run.recorder));
  espalier_recorder_end(run.recorder);
  run.host.recorder = nullptr;
  if (form.ring_segments == 0) return;
  std::vector<unsigned char>& bytes = run.file.bytes;
  bytes.resize(espalier_recorder_save(run.recorder, nullptr, 0));
  if (espalier_recorder_save(run.recorder, bytes.data(), bytes.size()) != bytes.size())
    fail(name + ": cannot be saved");
}

}  // namespace recorded
