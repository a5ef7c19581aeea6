// The functions of a host as its agents call them while they are recorded: each calls the host's own one, and tells the
// recorder what it has answered. And the interface of recording.h.
#include "core/engine.h"
#include "recording/recorder.h"

namespace espalier::recording {
// Recorded.
namespace recorded {
namespace {

Recorder& recorder_of(const Host& host) { return *static_cast<Recorder*>(host.recorder); }
Recorder& recorder_of(const Call& call) { return recorder_of(*call.host); }

template <Table table>
const Behavior& functions_of(const Recorder& recorder, const Call& call) {
  const Host& host = recorder.original();
  return (table == Table::behaviors ? host.behaviors : host.conditions)[call.behavior];
}

// The memory that a call gives to a function: what the function writes there is recorded.
class MemoryWatch {
 public:
  MemoryWatch(Recorder& recorder, const Call& call) : recorder_(recorder), call_(call) {
    if (!recorder.records_memory()) return;
    memory_hash_ = hash_of_memory();
    block_hash_ = hash_of_block();
  }
  void tell() const {
    if (!recorder_.records_memory()) return;
    if (hash_of_memory() != memory_hash_) recorder_.tell_memory(MoreOp::memory, call_.memory, call_.memory_bytes);
    if (hash_of_block() != block_hash_)
      recorder_.tell_memory(MoreOp::block, call_.activation->block, call_.activation->block_bytes);
  }

 private:
  static std::uint64_t hash(const void* bytes, std::uint32_t size_bytes) {
    return bytes == nullptr ? 0 : hash_of(static_cast<const unsigned char*>(bytes), size_bytes, 0);
  }
  std::uint64_t hash_of_memory() const { return hash(call_.memory, call_.memory_bytes); }
  std::uint64_t hash_of_block() const {
    return call_.activation == nullptr ? 0 : hash(call_.activation->block, call_.activation->block_bytes);
  }

  Recorder& recorder_;
  const Call& call_;
  std::uint64_t memory_hash_ = 0;
  std::uint64_t block_hash_ = 0;
};

// A function that answers nothing.
template <Table table, void (*Behavior::*function)(const Call*)>
void tell(const Call* call) {
  Recorder& recorder = recorder_of(*call);
  const MemoryWatch memory(recorder, *call);
  const Recorder::Inside inside(recorder, kOther);
  (functions_of<table>(recorder, *call).*function)(call);
  memory.tell();
  recorder.tell_answer(*call, kNoAnswer, 0);
}

template <Table table, bool (*Behavior::*function)(const Call*), unsigned shift>
bool ask(const Call* call) {
  Recorder& recorder = recorder_of(*call);
  const MemoryWatch memory(recorder, *call);
  const Recorder::Inside inside(recorder, kOther);
  const bool answer = (functions_of<table>(recorder, *call).*function)(call);
  memory.tell();
  recorder.tell_answer(*call, {shift, 1}, answer ? 1 : 0);
  return answer;
}

template <Table table>
espalier_result tick(const Call* call) {
  Recorder& recorder = recorder_of(*call);
  const MemoryWatch memory(recorder, *call);
  const Recorder::Inside inside(recorder, kTicked);
  const espalier_result result = functions_of<table>(recorder, *call).tick(call);
  memory.tell();
  recorder.tell_answer(*call, kTickAnswer, static_cast<std::uint32_t>(result));
  return result;
}

template <Table table>
double decide(const Call* call) {
  Recorder& recorder = recorder_of(*call);
  const MemoryWatch memory(recorder, *call);
  const Recorder::Inside inside(recorder, kOther);
  const double decision = functions_of<table>(recorder, *call).decide(call);
  memory.tell();
  recorder.tell_decision(*call, decision);
  return decision;
}

bool script(const Call* call, std::uint32_t number) {
  Recorder& recorder = recorder_of(*call);
  const Recorder::Inside inside(recorder, kOther);
  const bool answer = recorder.original().script(call, number);
  recorder.tell_answer(*call, kScriptAnswer, answer ? 1 : 0);
  return answer;
}

// The host's other functions.
void log(const Call* call, const char* text) {
  Recorder& recorder = recorder_of(*call);
  const Recorder::Inside inside(recorder, kOther);
  recorder.original().log(call, text);
  recorder.tell_answer(*call, kNoAnswer, 0);
}
void queue(const Call* call, std::uint32_t signal, espalier_receivers receivers) {
  Recorder& recorder = recorder_of(*call);
  const Recorder::Inside inside(recorder, kOther);
  recorder.original().queue(call, signal, receivers);
  recorder.tell_answer(*call, kNoAnswer, 0);
}
void too_deep(const Call* call, std::uint32_t slot) {
  Recorder& recorder = recorder_of(*call);
  const Recorder::Inside inside(recorder, kOther);
  recorder.original().too_deep(call, slot);
  recorder.tell_answer(*call, kNoAnswer, 0);
}

template <typename Function>
Function if_any(Function recorded, Function original) {  // else the engine does what it does without one
  return original == nullptr ? nullptr : recorded;
}

template <Table table>
Behavior recorded_of(const Behavior& functions) {
  Behavior own = functions;
  own.enter = if_any(&tell<table, &Behavior::enter>, functions.enter);
  own.leave = if_any(&tell<table, &Behavior::leave>, functions.leave);
  own.tick = if_any(&tick<table>, functions.tick);
  own.interrupt = if_any(&tell<table, &Behavior::interrupt>, functions.interrupt);
  own.reset = if_any(&tell<table, &Behavior::reset>, functions.reset);
  own.event = if_any(&tell<table, &Behavior::event>, functions.event);
  own.allow = if_any(&ask<table, &Behavior::allow, kAllowAnswer.shift>, functions.allow);
  own.is_bound = if_any(&ask<table, &Behavior::is_bound, kBoundAnswer.shift>, functions.is_bound);
  own.activate = if_any(&ask<table, &Behavior::activate, kActivateAnswer.shift>, functions.activate);
  own.deactivate = if_any(&tell<table, &Behavior::deactivate>, functions.deactivate);
  own.ask = if_any(&ask<table, &Behavior::ask, kAskAnswer.shift>, functions.ask);
  own.decide = if_any(&decide<table>, functions.decide);
  return own;
}

}  // namespace
}  // namespace recorded

Behavior recorded_behavior(const Behavior& functions) { return recorded::recorded_of<Table::behaviors>(functions); }
Behavior recorded_condition(const Behavior& functions) { return recorded::recorded_of<Table::conditions>(functions); }

void record_functions(Host* host) {
  host->script = recorded::if_any(&recorded::script, host->script);
  host->log = recorded::if_any(&recorded::log, host->log);
  host->queue = recorded::if_any(&recorded::queue, host->queue);
  host->too_deep = recorded::if_any(&recorded::too_deep, host->too_deep);
}

// ---- Calls of the interface

namespace recorded {
namespace {

Result update_prepared(const espalier_prepared* prepared, void* block, const espalier_host* host) {
  Recorder& recorder = recorder_of(*host);
  const Recorder::Frame frame(recorder, *host);
  recorder.begin_update(host->first_agent, 1, static_cast<unsigned char*>(block), 0, host->clock_us);
  if (espalier_internal_leaf(prepared, block) < prepared->internal_numbers[1]) return Result::running;
  return prepared->internal_evaluate(prepared, block, &frame.host());
}

Result update(espalier_tree tree, void* block, const espalier_host* host, const espalier_watcher* watcher) {
  if (watcher == nullptr) {
    espalier_prepared prepared;
    espalier_prepare(tree, &prepared);
    return update_prepared(&prepared, block, host);
  }
  Recorder& recorder = recorder_of(*host);
  const Recorder::Frame frame(recorder, *host);
  recorder.begin_update(host->first_agent, 1, static_cast<unsigned char*>(block), 0, host->clock_us);
  return engine_of(tree).update(tree, {block, frame.host()}, watcher);
}

void update_all(espalier_tree tree, void* blocks, size_t stride_bytes, size_t count, const espalier_host* host) {
  if (count == 0) return;
  Recorder& recorder = recorder_of(*host);
  const Recorder::Frame frame(recorder, *host);
  recorder.begin_update(host->first_agent, static_cast<std::uint32_t>(count), static_cast<unsigned char*>(blocks),
                        stride_bytes, host->clock_us);
  Host own = frame.host();
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
  const Recorder::Frame frame(recorder, *host);
  if (begin_input(recorder, Op::signal, 0, block, *host)) recorder.put(signal);
  const Engine& engine = engine_of(tree);
  if (engine.signal != nullptr) engine.signal(tree, block, signal, frame.host(), data, watcher);
}

void stop(espalier_tree tree, void* block, const espalier_host* host) {
  Recorder& recorder = recorder_of(*host);
  const Recorder::Frame frame(recorder, *host);
  begin_input(recorder, Op::stop, 0, block, *host);
  engine_of(tree).stop(tree, block, frame.host());
}

void jump(espalier_tree tree, void* block, uint32_t rule, const espalier_host* host,
          decltype(espalier_jump)* function) {
  Recorder& recorder = recorder_of(*host);
  const Recorder::Frame frame(recorder, *host);
  if (begin_input(recorder, Op::jump, 0, block, *host)) recorder.put(rule == kNoRule ? 0 : std::uint64_t{1} + rule);
  function(tree, block, rule, &frame.host());
}

espalier_status inject(espalier_tree tree, void* block, uint32_t slot, uint32_t injected, bool immediate,
                       const espalier_host* host, decltype(espalier_inject)* function) {
  Recorder& recorder = recorder_of(*host);
  const Recorder::Frame frame(recorder, *host);
  if (begin_input(recorder, Op::inject, immediate ? 1 : 0, block, *host)) {
    recorder.put(slot);
    recorder.put(injected == kNoTree ? 0 : std::uint64_t{1} + injected);
  }
  return function(tree, block, slot, injected, immediate, &frame.host());
}

void write(const espalier_call* call, uint32_t port, const espalier_value* value) {
  recorder_of(*call).tell_write(*call, port, *value, false);
}

void write_boolean(const espalier_call* call, uint32_t port, bool value) {
  espalier_value whole = {};
  whole.kind = ESPALIER_VALUE_WHOLE;
  whole.whole = value ? 1 : 0;
  recorder_of(*call).tell_write(*call, port, whole, true);
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
    as_recorder(recorder).put(entry);
    as_recorder(recorder).put_value(*value, false);
  }
  return espalier_set_entry(tree, block, entry, value);
}

bool espalier_record_entry_boolean(espalier_recorder* recorder, uint32_t agent, espalier_tree tree, void* block,
                                   uint32_t entry, bool value) {
  if (as_recorder(recorder).begin_input(Op::entry, 0, agent, block)) {
    espalier_value whole = {};
    whole.kind = ESPALIER_VALUE_WHOLE;
    whole.whole = value ? 1 : 0;
    as_recorder(recorder).put(entry);
    as_recorder(recorder).put_value(whole, true);
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
