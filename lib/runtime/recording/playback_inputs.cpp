// What reached agents from outside, in a playback. See playback.h.
#include "core/engine.h"
#include "recording/playback.h"

using namespace espalier;
using namespace espalier::recording;

namespace {

// Is there such an input of the tree?
bool is_known(Op op, const Tree& tree, std::uint64_t given) {
  const EngineId engine_id = engine_id_of(tree);
  switch (op) {
    case Op::signal:
      return given < espalier_count(tree, ESPALIER_SIGNALS);
    case Op::set:
      return given < espalier_count(tree, ESPALIER_VARIABLES);
    case Op::flags:
      return engine_id == EngineId::decide;
    case Op::jump:
      return engine_id == EngineId::rule && given <= espalier_count(tree, ESPALIER_RULES);
    case Op::inject:
      return engine_id == EngineId::store && given < espalier_count(tree, ESPALIER_SLOTS);
    default:
      return false;
  }
}

}  // namespace

bool espalier_playback::run_input(Op op, unsigned number) {
  const bool is_predicted = op == Op::signal && number != 0;
  const std::uint32_t agent = is_predicted ? agent_ = agents_.next_receiver() : take_agent();
  Host host;
  const bool is_called = op == Op::stop || op == Op::jump || op == Op::inject;
  if (!look_at(agent, is_called, &host)) return false;
  AgentEntry& entry = agents_[agent];
  const bool was_busy = entry.is_busy;
  const Tree tree = entry.tree;
  if (op == Op::stop) {
    announce();
    tell_input({op, number, agent});
    entry.is_busy = true;
    espalier_stop(tree, entry.block, &host);
    entry.is_busy = false;
    return !has_diverged_;
  }
  if (op == Op::entry) return run_entry(entry);
  if (op == Op::stimulus) return run_stimulus(entry, number);
  const std::uint64_t given = is_predicted ? number - 1 : reader_.number();
  if (op == Op::signal) agents_.put_receiver(agent);
  const auto id = static_cast<std::uint32_t>(given);
  const std::uint64_t injected = op == Op::inject ? reader_.number() : 0;
  announce();
  if (!is_known(op, tree, given) || injected > tree_count(*asset_)) return fail();
  tell_input({op, number, agent, given, injected});
  entry.is_busy = true;
  switch (op) {
    case Op::signal:
      espalier_signal(tree, entry.block, id, &host, nullptr);
      break;
    case Op::set:
      espalier_set(tree, entry.block, id, number != 0);
      break;
    case Op::flags:
      espalier_set_flags(tree, entry.block, given);
      break;
    case Op::jump:
      espalier_jump(tree, entry.block, given == 0 ? kNoRule : id - 1, &host);
      break;
    case Op::inject:
      espalier_inject(tree, entry.block, id, injected == 0 ? kNoTree : static_cast<std::uint32_t>(injected - 1),
                      number != 0, &host);
      break;
    default:
      return fail();
  }
  entry.is_busy = was_busy;
  return !has_diverged_;
}

bool espalier_playback::run_entry(const AgentEntry& entry) {
  const std::uint64_t number = reader_.number();
  espalier_value value;
  bool is_boolean = false;
  if (!take_value(&value, &is_boolean)) return false;
  announce();
  if (depth_ != 0 || number >= espalier_count(entry.tree, ESPALIER_ENTRIES)) return fail();
  tell_input({Op::entry, 0, agent_, number, 0, &value, is_boolean});
  const auto id = static_cast<std::uint32_t>(number);
  if (is_boolean) {
    espalier_set_entry_boolean(entry.tree, entry.block, id, value.whole != 0);
  } else {
    espalier_set_entry(entry.tree, entry.block, id, &value);
  }
  return true;
}

bool espalier_playback::run_stimulus(const AgentEntry& entry, unsigned number) {
  const auto op = static_cast<StimulusOp>(number);
  const std::uint64_t stimulus = reader_.number();
  std::uint64_t clock_us = 0;
  std::uint64_t timeout_us = 0;
  espalier_stimulus_data data = {};
  std::uint64_t data_bytes = 0;
  if (op != StimulusOp::clear) {
    clock_us = reader_.number();
    if (op == StimulusOp::set_for) timeout_us = reader_.number();
    data_bytes = reader_.number();
    if (data_bytes > 1 + sizeof data.bytes) return fail();
    if (data_bytes != 0) {
      data.size_bytes = static_cast<std::uint32_t>(data_bytes - 1);
      reader_.read(data.bytes, data.size_bytes);
    }
  }
  announce();
  const bool is_there =
      engine_id_of(entry.tree) == EngineId::decide && stimulus < espalier_count(entry.tree, ESPALIER_STIMULI);
  if (!is_there) return fail();
  const auto id = static_cast<std::uint32_t>(stimulus);
  const espalier_stimulus_data* const given = data_bytes == 0 ? nullptr : &data;
  tell_input({Op::stimulus, number, agent_, stimulus, timeout_us, nullptr, false, given});
  if (op == StimulusOp::clear) espalier_clear_stimulus(entry.tree, entry.block, id);
  if (op == StimulusOp::set) espalier_set_stimulus(entry.tree, entry.block, id, clock_us, given);
  if (op == StimulusOp::set_for) espalier_set_stimulus_for(entry.tree, entry.block, id, clock_us, timeout_us, given);
  return true;
}
