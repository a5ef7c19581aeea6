// The functions of the interface that a recorded host is given to, and those of recording.h.
#include "core/engine.h"
#include "recording/recorder.h"

namespace espalier::recording {
namespace recorded {
namespace {

Result update_prepared(const espalier_prepared* prepared, void* block, const espalier_host* host) {
  Recorder& recorder = recorder_of(*host);
  Recorder::Frame frame(recorder, *host);
  const Host& seen =
      frame.host(recorder.begin_update(host->first_agent, 1, static_cast<unsigned char*>(block), 0, host->clock_us));
  if (espalier_internal_leaf(prepared, block) < prepared->internal_numbers[1]) return Result::running;
  return prepared->internal_evaluate(prepared, block, &seen);
}

Result update(espalier_tree tree, void* block, const espalier_host* host, const espalier_watcher* watcher) {
  if (watcher == nullptr) {
    espalier_prepared prepared;
    espalier_prepare(tree, &prepared);
    return update_prepared(&prepared, block, host);
  }
  Recorder& recorder = recorder_of(*host);
  Recorder::Frame frame(recorder, *host);
  const Host& seen =
      frame.host(recorder.begin_update(host->first_agent, 1, static_cast<unsigned char*>(block), 0, host->clock_us));
  return engine_of(tree).update(tree, {block, seen}, watcher);
}

void update_all(espalier_tree tree, void* blocks, size_t stride_bytes, size_t count, const espalier_host* host) {
  if (count == 0) return;
  Recorder& recorder = recorder_of(*host);
  Recorder::Frame frame(recorder, *host);
  Host& own = frame.host(recorder.begin_update(host->first_agent, static_cast<std::uint32_t>(count),
                                               static_cast<unsigned char*>(blocks), stride_bytes, host->clock_us));
  engine_of(tree).update(tree, {blocks, stride_bytes, count, &own}, nullptr);
}

// An input of an agent, at the clock of its host.
bool begin_input(Recorder& recorder, Op op, unsigned number, void* block, const Host& host) {
  recorder.tell_clock(host.clock_us);
  return recorder.begin_input(op, number, host.first_agent, block);
}

void signal(espalier_tree tree, void* block, uint32_t signal, const espalier_host* host, const void* data,
            const espalier_watcher* watcher) {
  Recorder& recorder = recorder_of(*host);
  Recorder::Frame frame(recorder, *host);
  recorder.tell_clock(host->clock_us);
  const bool is_recorded = recorder.begin_signal(signal, host->first_agent, block);
  const Engine& engine = engine_of(tree);
  if (engine.signal != nullptr) engine.signal(tree, block, signal, frame.host(is_recorded), data, watcher);
}

void stop(espalier_tree tree, void* block, const espalier_host* host) {
  Recorder& recorder = recorder_of(*host);
  Recorder::Frame frame(recorder, *host);
  const bool is_recorded = begin_input(recorder, Op::stop, 0, block, *host);
  engine_of(tree).stop(tree, block, frame.host(is_recorded));
}

void jump(espalier_tree tree, void* block, uint32_t rule, const espalier_host* host,
          decltype(espalier_jump)* function) {
  Recorder& recorder = recorder_of(*host);
  Recorder::Frame frame(recorder, *host);
  const bool is_recorded = begin_input(recorder, Op::jump, 0, block, *host);
  if (is_recorded) recorder.put(rule == kNoRule ? 0 : std::uint64_t{1} + rule);
  function(tree, block, rule, &frame.host(is_recorded));
}

espalier_status inject(espalier_tree tree, void* block, uint32_t slot, uint32_t injected, bool immediate,
                       const espalier_host* host, decltype(espalier_inject)* function) {
  Recorder& recorder = recorder_of(*host);
  Recorder::Frame frame(recorder, *host);
  const bool is_recorded = begin_input(recorder, Op::inject, immediate ? 1 : 0, block, *host);
  if (is_recorded) {
    recorder.put(slot);
    recorder.put(injected == kNoTree ? 0 : std::uint64_t{1} + injected);
  }
  return function(tree, block, slot, injected, immediate, &frame.host(is_recorded));
}

void write(const espalier_call* call, uint32_t port, const espalier_value* value) {
  recorder_of(*call->host).tell_write(*call, port, *value, false);
}

void write_boolean(const espalier_call* call, uint32_t port, bool value) {
  espalier_value whole = {};
  whole.kind = ESPALIER_VALUE_WHOLE;
  whole.whole = value ? 1 : 0;
  recorder_of(*call->host).tell_write(*call, port, whole, true);
}

}  // namespace
}  // namespace recorded

const RecorderCalls kRecorderCalls = {
    recorded::update, recorded::update_prepared, recorded::update_all, recorded::signal,       recorded::stop,
    recorded::jump,   recorded::inject,          recorded::write,      recorded::write_boolean};

}  // namespace espalier::recording

using namespace espalier;
using recording::Op;
using recording::Recorder;
using recording::StimulusOp;

namespace {

Recorder& as_recorder(espalier_recorder* recorder) { return *static_cast<Recorder*>(recorder); }
const Recorder& as_recorder(const espalier_recorder* recorder) { return *static_cast<const Recorder*>(recorder); }

void record_data(Recorder& recorder, const espalier_stimulus_data* data) {
  recorder.put(data == nullptr ? 0 : std::uint64_t{1} + data->size_bytes);
  if (data != nullptr) recorder.put_bytes(data->bytes, data->size_bytes);
}

bool begin_stimulus(espalier_recorder* recorder, StimulusOp op, std::uint32_t agent, void* block,
                    std::uint32_t stimulus) {
  if (!as_recorder(recorder).begin_input(Op::stimulus, static_cast<unsigned>(op), agent, block)) return false;
  as_recorder(recorder).put(stimulus);
  return true;
}

}  // namespace

size_t espalier_recorder_bytes(const espalier_asset* asset, uint32_t agent_count,
                               const espalier_recorder_options* options) {
  return Recorder::size_bytes(*asset, agent_count, *options);
}

espalier_status espalier_recorder_begin(const espalier_asset* asset, uint32_t agent_count,
                                        const espalier_recorder_options* options, void* memory,
                                        espalier_recorder** recorder) {
  constexpr std::uint32_t kLeastBytes = 1024;
  const std::uint32_t size_bytes = options->segment_bytes;
  const bool is_ring = options->ring_segments != 0;
  const bool is_size =
      size_bytes == 0 || (size_bytes >= kLeastBytes && (is_ring || size_bytes <= recording::kMostPayloadBytes));
  // Hashes are of the values themselves.
  if (options->redact_count != 0 && (options->flags & ESPALIER_RECORD_HASHES) != 0) return ESPALIER_TOO_LARGE;
  if (!is_size || options->ring_segments == 1 || (!is_ring && options->write == nullptr)) return ESPALIER_TOO_LARGE;
  *recorder = Recorder::begin(*asset, agent_count, *options, static_cast<unsigned char*>(memory));
  return ESPALIER_OK;
}

void espalier_recorder_agent(espalier_recorder* recorder, uint32_t agent, espalier_tree tree, const void* block,
                             const void* shared, const void* group) {
  as_recorder(recorder).put_agent(agent, tree, static_cast<const unsigned char*>(block), shared, group);
}

void espalier_recorder_frame(espalier_recorder* recorder, uint64_t clock_us) {
  as_recorder(recorder).begin_frame(clock_us);
}

size_t espalier_recorder_save(const espalier_recorder* recorder, void* bytes, size_t size_bytes) {
  return as_recorder(recorder).save(static_cast<unsigned char*>(bytes), size_bytes);
}

void espalier_recorder_end(espalier_recorder* recorder) { as_recorder(recorder).end(); }

const char* espalier_recorder_fault(const espalier_recorder* recorder) { return as_recorder(recorder).fault(); }

void espalier_record_set(espalier_recorder* recorder, uint32_t agent, espalier_tree tree, void* block,
                         uint32_t variable, bool value) {
  if (as_recorder(recorder).begin_input(Op::set, value ? 1 : 0, agent, block)) as_recorder(recorder).put(variable);
  espalier_set(tree, block, variable, value);
}

bool espalier_record_entry(espalier_recorder* recorder, uint32_t agent, espalier_tree tree, void* block, uint32_t entry,
                           const espalier_value* value) {
  if (as_recorder(recorder).begin_input(Op::entry, 0, agent, block)) {
    as_recorder(recorder).put_entry(tree, block, entry, *value, false);
  }
  return espalier_set_entry(tree, block, entry, value);
}

bool espalier_record_entry_boolean(espalier_recorder* recorder, uint32_t agent, espalier_tree tree, void* block,
                                   uint32_t entry, bool value) {
  if (as_recorder(recorder).begin_input(Op::entry, 0, agent, block)) {
    espalier_value whole = {};
    whole.kind = ESPALIER_VALUE_WHOLE;
    whole.whole = value ? 1 : 0;
    as_recorder(recorder).put_entry(tree, block, entry, whole, true);
  }
  return espalier_set_entry_boolean(tree, block, entry, value);
}

espalier_status espalier_record_name_entry(espalier_recorder* recorder, uint32_t agent, espalier_tree tree, void* block,
                                           const char* name, uint32_t* entry) {
  if (as_recorder(recorder).begin_input(Op::more, static_cast<unsigned>(recording::MoreOp::name), agent, block)) {
    const std::size_t size_bytes = std::strlen(name);
    as_recorder(recorder).put(size_bytes);
    as_recorder(recorder).put_bytes(name, size_bytes);
  }
  return espalier_name_entry(tree, block, name, entry);
}

void espalier_record_flags(espalier_recorder* recorder, uint32_t agent, espalier_tree tree, void* block,
                           uint64_t flags) {
  if (as_recorder(recorder).begin_input(Op::flags, 0, agent, block)) as_recorder(recorder).put(flags);
  espalier_set_flags(tree, block, flags);
}

void espalier_record_stimulus(espalier_recorder* recorder, uint32_t agent, espalier_tree tree, void* block,
                              uint32_t stimulus, uint64_t clock_us, const espalier_stimulus_data* data) {
  if (begin_stimulus(recorder, StimulusOp::set, agent, block, stimulus)) {
    as_recorder(recorder).put(clock_us);
    record_data(as_recorder(recorder), data);
  }
  espalier_set_stimulus(tree, block, stimulus, clock_us, data);
}

espalier_status espalier_record_stimulus_for(espalier_recorder* recorder, uint32_t agent, espalier_tree tree,
                                             void* block, uint32_t stimulus, uint64_t clock_us, uint64_t timeout_us,
                                             const espalier_stimulus_data* data) {
  if (begin_stimulus(recorder, StimulusOp::set_for, agent, block, stimulus)) {
    as_recorder(recorder).put(clock_us);
    as_recorder(recorder).put(timeout_us);
    record_data(as_recorder(recorder), data);
  }
  return espalier_set_stimulus_for(tree, block, stimulus, clock_us, timeout_us, data);
}

void espalier_record_clear_stimulus(espalier_recorder* recorder, uint32_t agent, espalier_tree tree, void* block,
                                    uint32_t stimulus) {
  begin_stimulus(recorder, StimulusOp::clear, agent, block, stimulus);
  espalier_clear_stimulus(tree, block, stimulus);
}
