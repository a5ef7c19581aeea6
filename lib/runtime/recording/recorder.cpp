// What is recorded, and how it is written. See recorder.h.
#include "recording/recorder.h"

#include <new>

namespace espalier::recording {
namespace {

constexpr std::uint32_t kDefaultSegmentBytes = 65536;
constexpr std::uint32_t kDefaultFlush_ms = 1000;

std::uint32_t segment_bytes(const espalier_recorder_options& options) {
  return options.segment_bytes == 0 ? kDefaultSegmentBytes : options.segment_bytes;
}

std::uint32_t block_capacity(std::uint32_t agent_count) {
  std::uint32_t capacity = 4;
  while (capacity < std::uint64_t{4} * agent_count) capacity *= 2;
  return capacity;
}

// Of the tables of so many behaviours or conditions.
std::size_t function_bytes(std::uint32_t count) {
  return round_up(sizeof(Behavior) * count) + kFunctionCount * round_up(sizeof(OwnFunctions::Any) * count);
}

// What agents begin with; null: zeros.
const unsigned char* image_of(const Tree& tree) {
  const std::uint32_t image = tree_record(tree).image;
  return image == layout::kNone ? nullptr : array<unsigned char>(*tree.asset, layout::SectionId::images) + image;
}

}  // namespace

// ---- Memory

std::size_t Recorder::size_bytes(const Asset& asset, std::uint32_t agent_count,
                                 const espalier_recorder_options& options) {
  const std::size_t rooms = options.ring_segments == 0 ? 1 : options.ring_segments;
  return round_up(sizeof(Recorder)) + round_up(Agents::size_bytes(asset, agent_count)) +
         function_bytes(behavior_count(asset)) + function_bytes(host_condition_count(asset)) +
         round_up(block_capacity(agent_count) * sizeof(SeenBlock)) + round_up(rooms * sizeof(Room)) +
         rooms * round_up(segment_bytes(options));
}

Recorder* Recorder::begin(const Asset& asset, std::uint32_t agent_count, const espalier_recorder_options& options,
                          unsigned char* memory) {
  auto* const recorder = new (memory) Recorder();
  const auto take = [&](std::size_t size_bytes) {
    unsigned char* const bytes = memory;
    memory += round_up(size_bytes);
    return bytes;
  };
  take(sizeof(Recorder));
  recorder->calls = &kRecorderCalls;
  recorder->asset_ = &asset;
  recorder->options_ = options;
  recorder->redaction_ = {options.redact, options.redact_count, options.redact_salt};
  recorder->records_memory_ = (options.flags & (ESPALIER_RECORD_MEMORY | ESPALIER_RECORD_HASHES)) != 0;
  recorder->agents_.begin(asset, agent_count, take(Agents::size_bytes(asset, agent_count)));
  recorder->seen_.answers = recorder->agents_.answers();
  recorder->seen_.decisions = recorder->agents_.decisions();
  const auto take_table = [&](std::uint32_t count) {
    auto* const table = reinterpret_cast<Behavior*>(take(sizeof(Behavior) * count));
    for (std::uint32_t i = 0; i < count; ++i) new (table + i) Behavior();
    return table;
  };
  recorder->behaviors_ = take_table(behavior_count(asset));
  recorder->conditions_ = take_table(host_condition_count(asset));
  const auto take_own = [&](OwnFunctions& own, std::uint32_t count) {
    for (OwnFunctions::Any*& functions : own.of)
      functions = reinterpret_cast<OwnFunctions::Any*>(take(sizeof(OwnFunctions::Any) * count));
  };
  take_own(recorder->seen_.own[0], behavior_count(asset));
  take_own(recorder->seen_.own[1], host_condition_count(asset));
  recorder->block_capacity_ = block_capacity(agent_count);
  recorder->blocks_ = reinterpret_cast<SeenBlock*>(take(sizeof(SeenBlock) * recorder->block_capacity_));
  std::memset(static_cast<void*>(recorder->blocks_), 0, sizeof(SeenBlock) * recorder->block_capacity_);
  recorder->room_count_ = options.ring_segments == 0 ? 1 : options.ring_segments;
  recorder->rooms_ = reinterpret_cast<Room*>(take(sizeof(Room) * recorder->room_count_));
  for (std::uint32_t i = 0; i < recorder->room_count_; ++i) {
    new (recorder->rooms_ + i) Room(take(segment_bytes(options)), segment_bytes(options));
  }
  recorder->room_ = recorder->rooms_;
  if (options.ring_segments == 0) {
    recorder->write_head();
    recorder->room_->used_bytes = sizeof(Segment) + 1;
  }
  recorder->reset(0);
  return recorder;
}

// ---- Bytes

void Recorder::put_byte(unsigned byte) {
  if (room_->used_bytes == room_->capacity_bytes) {
    if (options_.ring_segments != 0) {
      room_->is_broken = true;
      return;
    }
    flush(false);
  }
  room_->bytes[room_->used_bytes++] = static_cast<unsigned char>(byte);
}

void Recorder::put(std::uint64_t number) {
  unsigned char bytes[kNumberBytes];
  put_bytes(bytes, put_number(bytes, number));
}

void Recorder::put_bytes(const void* bytes, std::size_t size_bytes) {
  const auto* const each = static_cast<const unsigned char*>(bytes);
  for (std::size_t i = 0; i < size_bytes; ++i) put_byte(each[i]);
}

void Recorder::put_op(Op op, unsigned number) {
  if (seen_.hit_count() == 0 && last_op_ != nullptr) {
    *last_op_ |= kIsFollowed;
  } else {
    put(seen_.hit_count());
  }
  seen_.set_hit_count(0);
  put_byte(static_cast<unsigned>(op) | number << kNumberShift);
  last_op_ = room_->is_broken ? nullptr : room_->bytes + room_->used_bytes - 1;
}

void Recorder::put_agent_number(std::uint32_t agent) {
  put(zigzag(static_cast<std::int64_t>(agent) - static_cast<std::int64_t>(agent_)));
  agent_ = agent;
}

void Recorder::put_real(std::uint64_t bits, unsigned zero_bytes) {
  for (unsigned i = bytes_with(zero_bytes); i > 0; --i) put_byte(static_cast<unsigned char>(bits >> (64 - 8 * i)));
}

void Recorder::put_value(const espalier_value& value, bool is_boolean) {
  const unsigned first = static_cast<unsigned>(value.kind) | (is_boolean ? 0x10u : 0u);
  if (value.kind == ESPALIER_VALUE_REAL) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value.real, sizeof bits);
    const unsigned zeros = zero_bytes_of(bits);
    put_byte(first | zeros << kZerosShift);
    return put_real(bits, zeros);
  }
  put_byte(first);
  if (value.kind == ESPALIER_VALUE_WHOLE || value.kind == ESPALIER_VALUE_UNSIGNED) put(zigzag(value.whole));
  if (value.kind != ESPALIER_VALUE_TEXT) return;
  put(value.text_bytes);
  put_bytes(value.text, value.text_bytes);
}

void Recorder::tell(Op op, unsigned number, std::uint32_t agent) {
  put_op(op, number);
  put_agent_number(agent);
}

void Recorder::tell_more(MoreOp op) { put_op(Op::more, static_cast<unsigned>(op)); }

// ---- Agents and frames

// 1 + the number of a shared or group block.
std::uint32_t Recorder::number_of(const void* block, bool is_group, bool* is_new) {
  *is_new = false;
  if (block == nullptr) return 0;
  const auto address = reinterpret_cast<std::uintptr_t>(block);
  auto place = static_cast<std::uint32_t>((address >> 3) * 0x9E3779B1u);
  for (;; ++place) {
    SeenBlock& seen = blocks_[place & (block_capacity_ - 1)];
    if (seen.number != 0 && (seen.block != block || seen.is_group != is_group)) continue;
    if (seen.number == 0) {
      *is_new = true;
      seen = {block, ++(is_group ? group_count_ : shared_count_), is_group};
    }
    return seen.number;
  }
}

// The bytes that differ from `before` (null: zeros), with short equal pieces between them.
void Recorder::put_patches(PatchTarget target, std::uint32_t number, const unsigned char* bytes,
                           const unsigned char* before, std::size_t size_bytes) {
  constexpr std::size_t kGap = 8;
  constexpr std::size_t kMost = 4096;
  const auto is_equal = [&](std::size_t at) { return bytes[at] == (before == nullptr ? 0 : before[at]); };
  for (std::size_t begin = 0; begin < size_bytes;) {
    if (is_equal(begin)) {
      ++begin;
      continue;
    }
    std::size_t end = begin + 1;
    for (std::size_t at = end; at < size_bytes && at - end < kGap && at - begin < kMost; ++at) {
      if (!is_equal(at)) end = at + 1;
    }
    tell_more(MoreOp::patch);
    put_byte(static_cast<unsigned>(target));
    put(number);
    put(begin);
    put(end - begin);
    const bool is_redacted = target == PatchTarget::agent && !redaction_.is_empty();
    for (; begin < end; ++begin)
      put_byte(is_redacted ? redaction_.byte_of(agents_[number].tree, bytes, begin) : bytes[begin]);
  }
}

// `is_again`: what it holds in the other blocks may have changed.
void Recorder::tell_agent(std::uint32_t agent, bool is_again) {
  AgentEntry& entry = agents_[agent];
  const Tree& tree = entry.tree;
  const std::size_t shared_bytes = entry.shared_block == nullptr ? 0 : espalier_shared_bytes(tree);
  const std::size_t scope_count = record_count(*asset_, layout::SectionId::scopes);
  const std::size_t group_bytes = entry.group_block == nullptr ? 0 : round_up(sizeof(std::uint16_t) * scope_count);
  bool is_new_shared = false;
  bool is_new_group = false;
  entry.shared = shared_bytes == 0 ? 0 : number_of(entry.shared_block, false, &is_new_shared);
  entry.group = group_bytes == 0 ? 0 : number_of(entry.group_block, true, &is_new_group);
  tell_more(MoreOp::agent);
  put_agent_number(agent);
  put(std::uint64_t{1} + tree.index);
  put(entry.shared);
  put(shared_bytes);
  put(entry.group);
  put(group_bytes);
  put_patches(PatchTarget::agent, agent, entry.block, image_of(tree), espalier_agent_bytes(tree));
  const auto put_other = [&](PatchTarget target, std::uint32_t number, const void* block, std::size_t size_bytes) {
    put_patches(target, number, static_cast<const unsigned char*>(block), nullptr, size_bytes);
  };
  if (entry.shared != 0 && (is_new_shared || is_again))
    put_other(PatchTarget::shared, entry.shared, entry.shared_block, shared_bytes);
  if (entry.group != 0 && (is_new_group || is_again))
    put_other(PatchTarget::group, entry.group, entry.group_block, group_bytes);
}

void Recorder::put_agent(std::uint32_t agent, const Tree& tree, const unsigned char* block, const void* shared,
                         const void* group) {
  if (is_over()) return;
  if (agent >= agents_.count()) return fail("an agent has a number that is too large");
  const bool is_again = agents_[agent].tree.asset != nullptr;
  row_ = {};
  if (block == nullptr) {
    if (!is_again) return;
    agents_.put(agent, {});
    tell_more(MoreOp::agent);
    put_agent_number(agent);
    return put(0);
  }
  if (tree.asset != asset_) return fail("an agent has a tree of another asset");
  agents_.put(agent, tree);
  AgentEntry& entry = agents_[agent];
  entry.block = const_cast<unsigned char*>(block);
  entry.shared_block = const_cast<void*>(shared);
  entry.group_block = const_cast<void*>(group);
  tell_agent(agent, is_again);
}

// All that a playback needs to begin here.
void Recorder::reset(std::uint64_t clock_us) {
  seen_.set_hit_count(0);
  last_op_ = nullptr;
  tell_more(MoreOp::reset);
  put(clock_us);
  put(frame_);
  clock_us_ = flushed_us_ = clock_us;
  step_us_ = 0;
  last_ = kFrameNext;
  agent_ = 0;
  agents_.forget();
  std::memset(static_cast<void*>(blocks_), 0, sizeof(SeenBlock) * block_capacity_);
  shared_count_ = group_count_ = 0;
  tell_functions();
  for (std::uint32_t i = 0; i < agents_.count(); ++i) {
    if (agents_[i].tree.asset != nullptr) tell_agent(i, false);
  }
}

// Everything before is a whole frame.
void Recorder::end_frame() {
  if ((options_.flags & ESPALIER_RECORD_HASHES) != 0 && is_in_frame_) {
    tell_more(MoreOp::hash);
    const std::uint64_t hash = agents_.hash_of_blocks();
    put_bytes(&hash, sizeof hash);
  }
  if (options_.ring_segments == 0) return;
  if (room_->is_broken) return fail_in_ring();
  if (seen_.hit_count() > 0xFFFFFFFF) put_op(Op::none, 0);
  last_op_ = nullptr;  // what is whole does not change
  room_->frame = frame_;
  room_->clock_us = clock_us_;
  room_->whole = std::uint64_t{room_->used_bytes} << 32 | seen_.hit_count();
}

// A segment of the ring that has not even room for the blocks will not have it next time.
void Recorder::fail_in_ring() {
  if (room_->whole == 0) fail("a segment of the ring is too small for the blocks of its agents");
}

bool Recorder::is_flush_due(std::uint64_t clock_us) const {
  const std::uint64_t flush_us = std::uint64_t{1000} * (options_.flush_ms == 0 ? kDefaultFlush_ms : options_.flush_ms);
  return clock_us - flushed_us_ >= flush_us || room_->used_bytes > room_->capacity_bytes / 2;
}

void Recorder::begin_frame(std::uint64_t clock_us) {
  if (is_over()) return;
  if (frame_depth_ != 0) return fail("a frame began during an update");
  end_frame();
  const bool is_ring = options_.ring_segments != 0;
  if (is_ring && !is_over() && (room_->is_broken || room_->used_bytes > room_->capacity_bytes / 4 * 3)) {
    Room* const next = rooms_ + (room_ - rooms_ + 1) % room_count_;
    *next = Room(next->bytes, next->capacity_bytes);
    room_ = next;
    reset(clock_us_);
  }
  if (!is_ring && is_flush_due(clock_us)) {
    put_op(Op::none, 0);
    flush(true);
  }
  NextEvent& next = agents_.next_after(last_);
  if (next.first == kFrameNext && clock_us == clock_us_ + step_us_) {
    seen_.add_hit();
  } else {
    put_op(Op::frame, 0);
    put(zigzag(static_cast<std::int64_t>(clock_us - clock_us_ - step_us_)));
    next = {};
    step_us_ = clock_us - clock_us_;
  }
  clock_us_ = clock_us;
  last_ = kFrameNext;
  is_in_frame_ = true;
  ++frame_;
}

void Recorder::end() {
  if (is_over()) return;
  end_frame();
  if (options_.ring_segments != 0) return fail("it has ended");
  put_op(Op::none, 0);
  flush(true);
  fail("it has ended");
}

}  // namespace espalier::recording
