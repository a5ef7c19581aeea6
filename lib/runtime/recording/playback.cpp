// Runs a recording again. See playback.h.
#include "recording/playback.h"

#include <new>

#include "core/check.h"
#include "core/engine.h"
#include "recording/recorder.h"

namespace espalier::recording::played {
namespace {

espalier_playback& playback_of(const Call& call) { return *static_cast<espalier_playback*>(call.host->user); }

// A call of a function of one of the host's tables, or of its own.
std::uint32_t answer(const Call* call, Table table, Function function, AnswerBits bits) {
  return playback_of(*call).answer(*call, table, function, bits, false).number;
}

template <Table table>
void tell(const Call* call) {
  answer(call, table, kOther, kNoAnswer);
}
template <Table table>
espalier_result tick(const Call* call) {
  return static_cast<espalier_result>(answer(call, table, kTicked, kTickAnswer));
}
template <Table table, unsigned shift>
bool ask(const Call* call) {
  return answer(call, table, kOther, {shift, 1}) != 0;
}
template <Table table>
double decide(const Call* call) {
  return playback_of(*call).answer(*call, table, kOther, kNoAnswer, true).decision;
}
bool script(const Call* call, std::uint32_t) { return answer(call, Table::host, kOther, kScriptAnswer) != 0; }
void log(const Call* call, const char*) { tell<Table::host>(call); }
void queue(const Call* call, std::uint32_t signal, espalier_receivers receivers) {
  const Listener* const listener = playback_of(*call).listener();
  if (listener != nullptr && listener->queue != nullptr) listener->queue(listener->user, *call, signal, receivers);
  tell<Table::host>(call);
}
void too_deep(const Call* call, std::uint32_t) { tell<Table::host>(call); }

template <typename Pointer>
Pointer if_there(std::uint64_t bits, unsigned bit, Pointer function) {
  return (bits & bit) != 0 ? function : nullptr;
}

template <Table table>
Behavior behavior_of(std::uint64_t bits) {
  const auto if_in = [bits](FunctionNumber number, auto function) { return if_there(bits, 1U << number, function); };
  Behavior own;
  own.enter = if_in(kEnter, &tell<table>);
  own.leave = if_in(kLeave, &tell<table>);
  own.tick = if_in(kTick, &tick<table>);
  own.interrupt = if_in(kInterrupt, &tell<table>);
  own.reset = if_in(kReset, &tell<table>);
  own.event = if_in(kEvent, &tell<table>);
  own.allow = if_in(kAllow, &ask<table, kAllowAnswer.shift>);
  own.is_bound = if_in(kIsBound, &ask<table, kBoundAnswer.shift>);
  own.activate = if_in(kActivate, &ask<table, kActivateAnswer.shift>);
  own.deactivate = if_in(kDeactivate, &tell<table>);
  own.ask = if_in(kAsk, &ask<table, kAskAnswer.shift>);
  own.decide = if_in(kDecide, &decide<table>);
  return own;
}

// Of all trees of the asset.
std::size_t most_bytes(const Asset& asset, std::size_t (*bytes_of)(Tree)) {
  std::size_t most = 0;
  for (std::uint32_t i = 0; i < tree_count(asset); ++i) {
    if (const std::size_t bytes = bytes_of({&asset, i}); bytes > most) most = bytes;
  }
  return round_up(most);
}
std::size_t most_agent_bytes(const Asset& asset) { return most_bytes(asset, espalier_agent_bytes); }
std::size_t most_scratch_bytes(const Asset& asset) { return most_bytes(asset, espalier_scratch_bytes); }

}  // namespace
}  // namespace espalier::recording::played

using namespace espalier;
using namespace espalier::recording;

// ---- Memory

std::size_t espalier_playback::size_bytes(const File& file, const Needs& needs, const Asset& asset) {
  const std::size_t agent_count = file.facts.agent_count;
  return recording::round_up(sizeof(espalier_playback)) + Agents::size_bytes(asset, file.facts.agent_count) +
         agent_count * played::most_agent_bytes(asset) + recording::round_up(agent_count) +
         sizeof(Behavior) * (behavior_count(asset) + std::size_t{host_condition_count(asset)}) +
         needs.shared_count * (sizeof(SharedBlock) + recording::round_up(needs.shared_bytes)) +
         needs.group_count * (sizeof(SharedBlock) + recording::round_up(needs.group_bytes)) +
         played::most_scratch_bytes(asset) + kTextBytes;
}

void espalier_playback::begin(const unsigned char* bytes, const File& file, const Needs& needs, const Asset& asset,
                              unsigned char* memory) {
  const auto take = [&](std::size_t size_bytes) {
    unsigned char* const taken = memory;
    memory += recording::round_up(size_bytes);
    return taken;
  };
  take(sizeof(espalier_playback));
  asset_ = &asset;
  file_ = file;
  needs_ = needs;
  reader_ = Reader(bytes, file.first_segment, file.end);
  const std::uint32_t count = file.facts.agent_count;
  agents_.begin(asset, count, take(Agents::size_bytes(asset, count)));
  block_bytes_ = played::most_agent_bytes(asset);
  blocks_ = take(block_bytes_ * count);
  is_checked_ = new (take(count)) bool[count == 0 ? 1 : count]();
  behaviors_ = new (take(sizeof(Behavior) * behavior_count(asset))) Behavior[behavior_count(asset)];
  conditions_ = new (take(sizeof(Behavior) * host_condition_count(asset))) Behavior[host_condition_count(asset)];
  const auto take_blocks = [&](std::uint32_t block_count, std::uint32_t each_bytes) {
    auto* const blocks = reinterpret_cast<SharedBlock*>(take(sizeof(SharedBlock) * block_count));
    for (std::uint32_t i = 0; i < block_count; ++i) new (blocks + i) SharedBlock{take(each_bytes), each_bytes};
    for (std::uint32_t i = 0; i < block_count; ++i) std::memset(blocks[i].bytes, 0, each_bytes);
    return blocks;
  };
  shared_ = take_blocks(needs.shared_count, needs.shared_bytes);
  groups_ = take_blocks(needs.group_count, needs.group_bytes);
  scratch_ = take(played::most_scratch_bytes(asset));
  text_ = reinterpret_cast<char*>(take(kTextBytes));
  host_.user = this;
  host_.scratch = scratch_;
  if (!reader_.is_at_end()) announce();
}

// ---- Events

void espalier_playback::announce() {
  hit_count_ = is_followed_ || reader_.is_at_end() ? 0 : reader_.number();
  is_followed_ = false;
}

bool espalier_playback::take_op(Op* op, unsigned* number) {
  const unsigned first = reader_.byte();
  *op = static_cast<Op>(first & 15);
  *number = first >> kNumberShift & kMostNumber;
  is_followed_ = (first & kIsFollowed) != 0;
  return !reader_.is_done() || fail();
}

std::uint32_t espalier_playback::take_agent() {
  agent_ = static_cast<std::uint32_t>(agent_ + static_cast<std::uint64_t>(unzigzag(reader_.number())));
  return agent_;
}

double espalier_playback::take_real(unsigned zero_bytes) {
  std::uint64_t bits = 0;
  for (unsigned i = bytes_with(zero_bytes); i > 0; --i) bits |= std::uint64_t{reader_.byte()} << (64 - 8 * i);
  double real = 0;
  std::memcpy(&real, &bits, sizeof real);
  return real;
}

bool espalier_playback::take_value(espalier_value* value, bool* is_boolean) {
  *value = {};
  const unsigned first = reader_.byte();
  if ((first & 15) > ESPALIER_VALUE_TEXT) return fail();
  value->kind = static_cast<espalier_value_kind>(first & 15);
  *is_boolean = (first & 0x10) != 0;
  if (value->kind == ESPALIER_VALUE_WHOLE || value->kind == ESPALIER_VALUE_UNSIGNED)
    value->whole = unzigzag(reader_.number());
  if (value->kind == ESPALIER_VALUE_REAL) value->real = take_real(first >> kZerosShift);
  if (value->kind == ESPALIER_VALUE_TEXT) {
    const std::uint64_t size_bytes = reader_.number();
    if (size_bytes > kTextBytes) return fail();
    reader_.read(text_, static_cast<std::size_t>(size_bytes));
    value->text = text_;
    value->text_bytes = static_cast<std::uint32_t>(size_bytes);
  }
  return !reader_.is_done() || fail();
}

void espalier_playback::begin_frame(std::uint64_t clock_us) {
  clock_us_ = clock_us;
  last_ = kFrameNext;
  is_in_frame_ = true;
  ++frame_;
  if (listener_ != nullptr && listener_->frame != nullptr) listener_->frame(listener_->user, clock_us);
}

// Is the next event the begin of a frame?
bool espalier_playback::is_frame_next() {
  if (is_next_predicted()) return agents_.next_after(last_).first == kFrameNext;
  if (reader_.is_at_end()) return true;
  const Position position = reader_.position();
  const unsigned first = reader_.byte();
  reader_.go_to(position);
  return static_cast<Op>(first & 15) == Op::frame;
}

espalier_status espalier_playback::step(const espalier_watcher* watcher) {
  if (has_diverged_) return ESPALIER_DIVERGED;
  const bool is_end = !is_next_predicted() && reader_.is_at_end();
  if (is_end || (file_.frame_count != 0 && frame_ >= file_.frame_count)) return ESPALIER_NOT_FOUND;
  watcher_ = watcher;
  is_in_frame_ = false;
  while (!is_frame_next() || !is_in_frame_) {
    if (!is_next_predicted() && reader_.is_at_end()) break;
    if (!run_next()) return ESPALIER_DIVERGED;
  }
  return ESPALIER_OK;
}

bool espalier_playback::run_next() {
  if (!is_next_predicted()) {
    Op op = Op::none;
    unsigned number = 0;
    return take_op(&op, &number) && run_op(op, number);
  }
  --hit_count_;
  const NextEvent next = agents_.next_after(last_);
  if (next.first == kFrameNext) {
    begin_frame(clock_us_ + step_us_);
    return true;
  }
  last_ = agent_ = next.first;
  return update(next.first, next.count);
}

// Each takes what follows the event's first byte, announces the next event, and then has its effect, in which events
// may come.
bool espalier_playback::run_op(Op op, unsigned number) {
  switch (op) {
    case Op::none:
      announce();
      return true;
    case Op::frame: {
      if (depth_ != 0) return fail();
      step_us_ += static_cast<std::uint64_t>(unzigzag(reader_.number()));
      agents_.next_after(last_) = {};
      announce();
      begin_frame(clock_us_ + step_us_);
      return true;
    }
    case Op::clock:
      clock_us_ += static_cast<std::uint64_t>(unzigzag(reader_.number()));
      announce();
      return true;
    case Op::update: {
      const std::uint32_t first = take_agent();
      const auto count = static_cast<std::uint32_t>(reader_.number());
      announce();
      if (first >= agents_.count()) return fail();
      if (depth_ == 0) {
        agents_.next_after(last_) = {first, count};
        last_ = first;
      }
      return update(first, count);
    }
    case Op::more:
      return run_more(static_cast<MoreOp>(number));
    case Op::answer:
    case Op::decision:
    case Op::write:
      return fail();
    default:
      return run_input(op, number);
  }
}

bool espalier_playback::put_functions() {
  const std::uint64_t host = reader_.number();
  for (std::uint32_t i = 0; i < behavior_count(*asset_); ++i)
    behaviors_[i] = played::behavior_of<Table::behaviors>(reader_.number());
  for (std::uint32_t i = 0; i < host_condition_count(*asset_); ++i)
    conditions_[i] = played::behavior_of<Table::conditions>(reader_.number());
  host_.behaviors = played::if_there(host, kBehaviors, behaviors_);
  host_.conditions = played::if_there(host, kConditions, conditions_);
  host_.script = played::if_there(host, kScript, &played::script);
  host_.log = played::if_there(host, kLog, &played::log);
  host_.queue = played::if_there(host, kQueue, &played::queue);
  host_.too_deep = played::if_there(host, kTooDeep, &played::too_deep);
  announce();
  return depth_ == 0 || fail();
}
