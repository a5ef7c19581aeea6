// Ticks nodes with several children. See walk.h.
#include <bitset>

#include "format/node.h"
#include "format/opcodes/poll.h"
#include "poll/nodes.h"
#include "poll/place.h"
#include "poll/walk.h"

namespace espalier {

using namespace poll_ports;
using layout::PollPortKind;

namespace {

// The child with this index; null if there is none, which happens only with a damaged block.
const std::uint32_t* child_or_null(const std::uint32_t* node, std::uint32_t index) {
  const std::uint32_t* const end = end_of<opcode::poll_action>(node);
  const std::uint32_t* child = first_child(node);
  for (; index > 0 && child != end; --index) child = end_of<opcode::poll_action>(child);
  return child == end ? nullptr : child;
}

// Which children of a parallel node are done, and which of these have succeeded: two bits each.
class DoneBits {
 public:
  DoneBits(unsigned char* memory, std::uint32_t child_count) : memory_(memory), child_count_(child_count) {}
  bool is_done(std::uint32_t child) const { return (bits_of(child) & 1) != 0; }
  void add(std::uint32_t child, bool has_succeeded) const {
    const unsigned bits = has_succeeded ? 3 : 1;
    memory_[child / 4] = static_cast<unsigned char>(memory_[child / 4] | bits << child % 4 * 2);
  }
  void clear() const { std::memset(memory_, 0, (child_count_ + 3) / 4); }

  struct Done {
    std::int64_t ok = 0;
    std::int64_t bad = 0;
  };
  Done count() const {
    constexpr std::uint64_t kDone = 0x5555555555555555;
    const std::size_t byte_count = (child_count_ + 3) / 4;
    std::size_t done = 0;
    std::size_t ok = 0;
    for (std::size_t i = 0; i < byte_count; i += sizeof(std::uint64_t)) {
      std::uint64_t bits = 0;
      const std::size_t left = byte_count - i;
      std::memcpy(&bits, memory_ + i, left < sizeof bits ? left : sizeof bits);
      done += std::bitset<64>(bits & kDone).count();
      ok += std::bitset<64>(bits >> 1 & bits & kDone).count();
    }
    return {static_cast<std::int64_t>(ok), static_cast<std::int64_t>(done - ok)};
  }

 private:
  unsigned bits_of(std::uint32_t child) const { return memory_[child / 4] >> child % 4 * 2 & 3; }

  unsigned char* const memory_;
  const std::uint32_t child_count_;
};

}  // namespace

// Sequences and fallbacks: `goes_on` is the result of a child with which they go on to the next.
PollWalk::Move PollWalk::in_order(Node node, Event event, PollStatus goes_on, bool has_memory) {
  constexpr std::uint8_t kEnds = kFirstOwn;
  constexpr std::uint8_t kIsDone = kFirstOwn + 1;
  const PollStatus ends = goes_on == PollStatus::success ? PollStatus::failure : PollStatus::success;
  const Places places(agent_.memory(node), node);
  Node next = nullptr;
  switch (event) {
    case Event::begin:
      if (is_idle(node)) places.set_skips(0);
      run(node);
      next = child_at_place(node, places.place());
      break;
    case Event::answered:
      if (status_ == PollStatus::running) return give(status_);
      if (status_ == ends) {
        if (!has_memory) return reset_all(kEnds, ends);
        frame().given = ends;
        return reset(child_, kGives);
      }
      next = end_of(child_);
      places.set_place(place_of(node, next));
      if (status_ == PollStatus::skipped) places.set_skips(places.skips() + 1);
      if (next == end_of(node)) {
        next = nullptr;
      } else if (status_ == goes_on && (has_memory || has_flag(node, kSignals)) && frame().first != 0) {
        progress_.has_signal = true;
        return give(PollStatus::running);
      }
      break;
    case Event::reset:
      places.set_place(0);
      if (frame().stage == kIsDone || goes_on == PollStatus::success) places.set_skips(0);
      return give(frame().given);
  }
  if (next == nullptr) {
    return reset_all(kIsDone, places.skips() == child_count_of(node) ? PollStatus::skipped : goes_on);
  }
  frame().first = is_idle(next) ? 1 : 0;
  return execute(next);
}

PollWalk::Move PollWalk::poll_sequence(Node node, Event event) {
  return in_order(node, event, PollStatus::success, false);
}

PollWalk::Move PollWalk::poll_fallback(Node node, Event event) {
  return in_order(node, event, PollStatus::failure, false);
}

PollWalk::Move PollWalk::poll_sequence_with_memory(Node node, Event event) {
  return in_order(node, event, PollStatus::success, true);
}

PollWalk::Move PollWalk::reactive(Node node, Event event, PollStatus goes_on) {
  Node next = nullptr;
  switch (event) {
    case Event::begin:
      run(node);
      frame().first = 0;  // 1: a child was not skipped
      next = first_child(node);
      break;
    case Event::answered:
      if (status_ == PollStatus::skipped) {
        if (needs_halt(child_)) return reset_one(child_, kFirstOwn);
        set_idle(child_);
      } else if (status_ == goes_on) {
        frame().first = 1;
      } else if (status_ == PollStatus::running) {
        frame().except = static_cast<std::uint16_t>(node_number(child_));
        return reset_all_and_give(status_);
      } else {
        return reset_all_and_give(status_);
      }
      next = end_of(child_);
      break;
    case Event::reset:
      next = end_of(child_);
      break;
  }
  if (next != end_of(node)) return execute(next);
  return reset_all_and_give(frame().first != 0 ? goes_on : PollStatus::skipped);
}

PollWalk::Move PollWalk::poll_reactive_sequence(Node node, Event event) {
  return reactive(node, event, PollStatus::success);
}

PollWalk::Move PollWalk::poll_reactive_fallback(Node node, Event event) {
  return reactive(node, event, PollStatus::failure);
}

namespace {

// What a count means: negative ones count from the number of children.
std::int64_t needed(std::int64_t threshold, std::uint32_t child_count) {
  if (threshold >= 0) return threshold;
  const std::int64_t from_end = std::int64_t{child_count} + threshold + 1;
  return from_end > 0 ? from_end : 0;
}

}  // namespace

// Its frame has how many must succeed, in the upper half of the value how many must fail, the index of the child and
// the number of skipped ones.
PollWalk::Move PollWalk::poll_parallel(Node node, Event event) {
  constexpr std::uint8_t kCountsSkips = kFirstOwn;
  constexpr std::uint8_t kEnds = kFirstOwn + 1;
  const std::uint32_t count = child_count_of(node);
  const DoneBits done(agent_.memory(node), count);
  Node child = first_child(node);
  if (event == Event::begin) {
    std::int64_t success_count = 0;
    std::int64_t failure_count = 0;
    if (!read_whole(node, kSuccessCount, &success_count) || !read_whole(node, kFailureCount, &failure_count))
      return Move::end;
    const std::int64_t successes = needed(success_count, count);
    const std::int64_t failures = needed(failure_count, count);
    if (count < successes || count < failures) return fail(node, PollFault::bad_count);
    run(node);
    frame().value = static_cast<std::uint32_t>(successes | failures << 16);
    if (success_count < 0) frame().stage = kCountsSkips;
  } else if (event == Event::reset) {
    done.clear();
    return give(frame().given);
  } else {
    child = child_;
    if (is_completed(status_)) done.add(frame().first, status_ == PollStatus::success);
    if (status_ == PollStatus::skipped) ++frame().second;
  }
  const std::int64_t successes = frame().value & 0xFFFF;
  const std::int64_t failures = frame().value >> 16;
  bool is_answered = event == Event::answered;
  const DoneBits::Done all = done.count();
  for (; child != end_of(node); child = end_of(child), ++frame().first, is_answered = false) {
    if (!is_answered && !done.is_done(frame().first)) return execute(child);
    const bool has_succeeded =
        all.ok >= successes || (frame().stage == kCountsSkips && all.ok + frame().second >= successes);
    if (has_succeeded || count - all.bad < successes || all.bad == failures) {
      return reset_all(kEnds, has_succeeded ? PollStatus::success : PollStatus::failure);
    }
  }
  return give(frame().second == count ? PollStatus::skipped : PollStatus::running);
}

PollWalk::Move PollWalk::poll_parallel_all(Node node, Event event) {
  constexpr std::uint8_t kEnds = kFirstOwn;
  const std::uint32_t count = child_count_of(node);
  const DoneBits done(agent_.memory(node), count);
  Node child = first_child(node);
  if (event == Event::begin) {
    std::int64_t max_failures = 0;
    if (!read_whole(node, kMaxFailures, &max_failures)) return Move::end;
    const std::int64_t failures = needed(max_failures, count);
    if (count < failures) return fail(node, PollFault::bad_count);
    run(node);
    frame().value = static_cast<std::uint32_t>(failures);
  } else if (event == Event::reset) {
    done.clear();
    return give(frame().given);
  } else {
    if (is_completed(status_)) done.add(frame().first, status_ == PollStatus::success);
    if (status_ == PollStatus::skipped) ++frame().second;
    child = end_of(child_);
    ++frame().first;
  }
  for (; child != end_of(node); child = end_of(child), ++frame().first) {
    if (!done.is_done(frame().first)) return execute(child);
  }
  const std::uint32_t skips = frame().second;
  if (skips == count) return give(PollStatus::skipped);
  const DoneBits::Done all = done.count();
  if (skips + all.ok + all.bad < count) return give(PollStatus::running);
  return reset_all(kEnds, all.bad >= frame().value ? PollStatus::failure : PollStatus::success);
}

PollWalk::Move PollWalk::poll_if_then_else(Node node, Event event) {
  constexpr std::uint8_t kEnds = kFirstOwn;
  const std::uint32_t count = child_count_of(node);
  unsigned char* const at = agent_.memory(node);
  switch (event) {
    case Event::begin:
      if (count < 2 || count > 3) return fail(node, PollFault::bad_children);
      run(node);
      break;
    case Event::answered:
      if (status_ == PollStatus::running) return give(status_);
      if (*at != 0) return reset_all(kEnds, status_);
      if (status_ == PollStatus::skipped) return fail(node, PollFault::skipped_child);
      if (status_ == PollStatus::failure && count == 2) return give(status_);
      *at = status_ == PollStatus::success ? 1 : 2;
      break;
    case Event::reset:
      *at = 0;
      return give(frame().given);
  }
  const Node next = child_or_null(node, *at);
  return next == nullptr ? reset_all(kEnds, PollStatus::failure) : execute(next);
}

PollWalk::Move PollWalk::poll_while_do_else(Node node, Event event) {
  const std::uint32_t count = child_count_of(node);
  if (event == Event::begin) {
    if (count < 2 || count > 3) return fail(node, PollFault::bad_children);
    run(node);
    return execute(first_child(node));
  }
  const Node then = end_of(first_child(node));
  const Node otherwise = count == 3 ? end_of(then) : nullptr;
  if (event == Event::reset) return execute(child_ == then ? otherwise : then);
  if (status_ == PollStatus::running) return give(status_);
  if (child_ != first_child(node)) return reset_all_and_give(status_);
  if (status_ == PollStatus::skipped) return fail(node, PollFault::skipped_child);
  const bool is_true = status_ == PollStatus::success;
  if (!is_true && otherwise == nullptr) return reset_all_and_give(status_);
  const Node next = is_true ? then : otherwise;
  const Node other = is_true ? otherwise : then;
  if (other != nullptr && needs_halt(other)) return reset_one(other, kFirstOwn);
  if (other != nullptr) set_idle(other);
  return execute(next);
}

namespace {

// All of a text as a number.
bool is_all_whole(std::string_view text, std::int64_t* whole) {
  std::size_t used = 0;
  return read_whole(text, whole, &used) && used == text.size();
}
bool is_all_number(std::string_view text, double* number) {
  std::size_t used = 0;
  return read_number(text, number, &used) && used == text.size();
}

bool are_equal_cases(const PollTreeView& tree, std::string_view a, std::string_view b) {
  if (a == b) return true;
  double numbers[2] = {};
  std::int64_t wholes[2] = {};
  const std::string_view texts[2] = {a, b};
  bool are_whole = true;
  for (int i = 0; i < 2; ++i) {
    if (tree.find_enum(texts[i], &numbers[i])) {
      wholes[i] = static_cast<std::int64_t>(numbers[i]);
      continue;
    }
    if (!is_all_number(texts[i], &numbers[i])) return false;
    are_whole = are_whole && is_all_whole(texts[i], &wholes[i]);
  }
  return (are_whole && wholes[0] == wholes[1]) || is_close(numbers[0], numbers[1]);
}

}  // namespace

std::uint32_t PollWalk::chosen_case(Node node) const {
  const std::uint32_t case_count = tree_.polled_of(node).port_count - 1;
  char buffer[kNumberText];
  PollValue variable = {};
  if (!try_read(node, kVariable, &variable, buffer)) return case_count;
  for (std::uint32_t i = 0; i < case_count; ++i) {
    char other[kNumberText];
    PollValue value = {};
    if (try_read(node, kVariable + 1 + i, &value, other) && are_equal_cases(tree_, variable.text(), value.text()))
      return i;
  }
  return case_count;
}

// Its memory is 1 + the child that runs; 0: none.
PollWalk::Move PollWalk::poll_switch(Node node, Event event) {
  unsigned char* const running = agent_.memory(node);
  if (event == Event::begin) {
    if (child_count_of(node) != tree_.polled_of(node).port_count) return fail(node, PollFault::bad_children);
    frame().value = chosen_case(node);
    const std::uint32_t before = *running;
    const Node other = before == 0 || before - 1 == frame().value ? nullptr : child_or_null(node, before - 1);
    if (other != nullptr && needs_halt(other)) return reset_one(other, kFirstOwn);
    if (other != nullptr) set_idle(other);
  }
  if (event != Event::answered) return execute(child_at(node, frame().value));
  *running = static_cast<unsigned char>(status_ == PollStatus::running ? 1 + frame().value : 0);
  return is_completed(status_) ? reset_all_and_give(status_) : give(status_);
}

// ---- TryCatch: the place, the number of skipped children, and whether the last child runs

unsigned char* PollWalk::has_caught(Node node) const {
  return agent_.memory(node) + std::size_t{2} * place_bytes(nodes_within(node));
}

PollWalk::Move PollWalk::poll_try_catch(Node node, Event event) {
  constexpr std::uint8_t kCatches = kFirstOwn;
  constexpr std::uint8_t kHasCaught = kFirstOwn + 1;
  constexpr std::uint8_t kIsDone = kFirstOwn + 2;
  if (frame().stage < kFirstOwn && frame().stage >= kCatchResets) return halt_try_catch(event);
  const std::uint32_t count = child_count_of(node);
  const Places places(agent_.memory(node), node);
  unsigned char* const caught = has_caught(node);
  const Node last = child_at(node, count - 1);
  Node next = nullptr;
  switch (event) {
    case Event::begin:
      if (is_idle(node)) {
        places.set_skips(0);
        *caught = 0;
      }
      run(node);
      if (*caught != 0) return execute(last);
      next = child_at_place(node, places.place());
      break;
    case Event::answered:
      if (status_ == PollStatus::running) return give(status_);
      if (*caught != 0) return reset_all(kHasCaught, PollStatus::failure);
      if (status_ == PollStatus::failure) return reset_all(kCatches, status_);
      next = end_of(child_);
      places.set_place(place_of(node, next));
      if (status_ == PollStatus::skipped) places.set_skips(places.skips() + 1);
      break;
    case Event::reset:
      places.set_place(0);
      *caught = frame().stage == kCatches ? 1 : 0;
      if (*caught != 0) return execute(last);
      if (frame().stage == kIsDone) places.set_skips(0);
      return give(frame().given);
  }
  if (next != nullptr && next != last) return execute(next);
  return reset_all(kIsDone, places.skips() == count - 1 ? PollStatus::skipped : PollStatus::success);
}

PollWalk::Move PollWalk::halt_try_catch() {
  const Node node = node_;
  char buffer[kNumberText];
  PollValue catches = {};
  if (*has_caught(node) == 0 && !is_idle(node) && try_read(node, kCatchOnHalt, &catches, buffer) &&
      catches.whole != 0) {
    frame().value = frame().stage;
    frame().except = static_cast<std::uint16_t>(node_number(child_at(node, child_count_of(node) - 1)));
    return reset(first_child(node), kCatchResets);
  }
  clear_memory(node);
  return halt_children();
}

// Its catch part runs once while it is halted; frame().value is the stage that it has otherwise.
PollWalk::Move PollWalk::halt_try_catch(Event event) {
  const Node last = child_at(node_, child_count_of(node_) - 1);
  if (event == Event::reset && frame().stage == kCatchResets) {
    frame().stage = kCatchRuns;
    return execute(last);
  }
  if (event == Event::answered && status_ == PollStatus::running) return reset_one(last, kCatchIsHalted);
  frame().stage = static_cast<std::uint8_t>(frame().value);
  clear_memory(node_);
  return halt_children();
}

// ---- Nav2's

PollWalk::Move PollWalk::poll_pipeline(Node node, Event event) {
  constexpr std::uint8_t kEnds = kFirstOwn;
  const Places last(agent_.memory(node), node);
  Node next = nullptr;
  switch (event) {
    case Event::begin:  // its frame has the number of skipped children
      next = first_child(node);
      break;
    case Event::answered:
      if (status_ == PollStatus::failure) return reset_all(kEnds, status_);
      if (status_ == PollStatus::skipped) ++frame().second;
      if (status_ == PollStatus::running && place_of(node, child_) >= last.place()) {
        last.set_place(place_of(node, child_));
        return give(status_);
      }
      next = end_of(child_);
      break;
    case Event::reset:
      last.set_place(0);
      return give(frame().given);
  }
  if (next != end_of(node)) return execute(next);
  return reset_all(kEnds, frame().second == child_count_of(node) ? PollStatus::skipped : PollStatus::success);
}

// Its memory is the index of the child that runs, and the number of tries. A number of retries that is negative or
// cannot be read is the one that the node begins with.
PollWalk::Move PollWalk::poll_recovery(Node node, Event event) {
  constexpr std::uint8_t kEnds = kFirstOwn;
  constexpr std::uint8_t kHasRecovered = kFirstOwn + 1;
  if (child_count_of(node) != 2) return fail(node, PollFault::bad_children);
  unsigned char* const memory = agent_.memory(node);
  const Node work = first_child(node);
  const Node recovery = end_of(work);
  const bool is_recovering = *memory != 0;
  const std::uint32_t tries = load_u32(memory + 1);
  const auto retries = [&] { return static_cast<std::int32_t>(frame().value); };
  bool has_recovered = false;
  switch (event) {
    case Event::begin: {
      PollValue number = {};
      char buffer[kNumberText];
      const bool is_read = try_read(node, kNumberOfRetries, &number, buffer) && number.whole >= 0;
      frame().value = is_read ? static_cast<std::uint32_t>(number.whole) : 1;
      run(node);
      break;
    }
    case Event::answered:
      if (status_ == PollStatus::running) return give(status_);
      if (!is_recovering) {
        if (status_ != PollStatus::failure || tries >= std::int64_t{retries()}) return reset_all(kEnds, status_);
        set_idle(work);
        *memory = 1;
        return execute(recovery);
      }
      if (status_ == PollStatus::failure) return reset_all(kEnds, status_);
      frame().given = status_;
      if (needs_halt(recovery)) return reset_one(recovery, kHasRecovered);
      set_idle(recovery);
      has_recovered = true;
      break;
    case Event::reset:
      if (frame().stage == kEnds) {
        clear_memory(node);
        if (frame().given == PollStatus::skipped) set_idle(node);  // its own conditions are asked again
        return give(frame().given);
      }
      has_recovered = true;
      break;
  }
  if (has_recovered) {
    *memory = 0;
    if (frame().given == PollStatus::success) store_u32(memory + 1, tries + 1);
    if (frame().given == PollStatus::skipped) return give(PollStatus::failure);
  }
  if (std::int64_t{load_u32(memory + 1)} > retries()) return reset_all(kEnds, PollStatus::failure);
  return execute(*memory == 0 ? work : recovery);
}

// While all its children are skipped it stays idle, and its conditions are asked again.
PollWalk::Move PollWalk::poll_round_robin(Node node, Event event) {
  constexpr std::uint8_t kEnds = kFirstOwn;
  const std::uint32_t count = child_count_of(node);
  const Places places(agent_.memory(node), node);  // the other number is how many have failed
  Node next = child_at_place(node, places.place());
  switch (event) {
    case Event::begin: {
      PollValue wrap = {};
      char buffer[kNumberText];
      const bool is_read = tree_.port_of(node, kWrapAround).kind != static_cast<std::uint8_t>(PollPortKind::key) &&
                           try_read(node, kWrapAround, &wrap, buffer);
      frame().first = is_read && wrap.whole != 0 ? 1 : 0;
      frame().second = 0;  // how many were skipped
      run(node);
      break;
    }
    case Event::answered:
      if (status_ == PollStatus::running) return give(status_);
      next = end_of(child_);
      if (next == end_of(node)) next = frame().first != 0 ? first_child(node) : nullptr;
      if (next != nullptr) places.set_place(place_of(node, next));
      if (status_ == PollStatus::success && next != nullptr) {
        places.set_skips(0);
        return reset_all_and_give(status_);
      }
      if (status_ == PollStatus::failure) places.set_skips(places.skips() + 1);
      if (status_ == PollStatus::skipped) ++frame().second;
      break;
    case Event::reset:
      places.set(0, 0);
      if (frame().given == PollStatus::skipped) set_idle(node);
      return give(frame().given);
  }
  if (next != nullptr && places.skips() + frame().second < count) return execute(next);
  return reset_all(kEnds, frame().second == count ? PollStatus::skipped : PollStatus::failure);
}

PollWalk::Move PollWalk::poll_nonblocking(Node node, Event event) {
  Node next = first_child(node);
  if (event == Event::answered) {
    if (status_ == PollStatus::skipped) return fail(node, PollFault::skipped_child);
    if (status_ == PollStatus::failure) return reset_all_and_give(status_);
    if (status_ == PollStatus::running) frame().first = 1;
    next = end_of(child_);
  }
  if (next != end_of(node)) return execute(next);
  return frame().first != 0 ? give(PollStatus::running) : reset_all_and_give(PollStatus::success);
}

PollWalk::Move PollWalk::poll_persistent(Node node, Event event) {
  constexpr std::uint8_t kEnds = kFirstOwn;
  const PollPort& port = tree_.port_of(node, kCurrentChild);
  const auto write = [&](std::uint32_t at) {
    if (port.kind != static_cast<std::uint8_t>(PollPortKind::key)) return true;
    const PollFault fault = board_.write(port.value, whole_value(at, PollType::int32), PollType::int32);
    if (fault != PollFault::none) refuse(node, fault);
    return fault == PollFault::none;
  };
  switch (event) {
    case Event::begin: {
      std::int64_t index = 0;
      if (!read_whole(node, kCurrentChild, &index)) return Move::end;
      frame().value = static_cast<std::uint32_t>(index);
      run(node);
      break;
    }
    case Event::answered:
      if (status_ == PollStatus::running) return give(status_);
      if (status_ == PollStatus::failure) return reset_all(kEnds, status_);
      if (!write(++frame().value)) return Move::end;
      break;
    case Event::reset:
      return write(0) ? give(frame().given) : Move::end;
  }
  // A negative place is past the end, too.
  if (frame().value < child_count_of(node)) return execute(child_at(node, frame().value));
  return reset_all(kEnds, PollStatus::success);
}

}  // namespace espalier
