// Ticks nodes with several children. See walk.h.
#include "poll/ports.h"
#include "poll/walk.h"

namespace espalier {

using namespace poll_ports;

namespace {

// Two counters in a node's word.
struct Counters {
  std::uint32_t index = 0;
  std::uint32_t other = 0;
};

Counters counters_of(const PollAgent& agent, const std::uint32_t* node) {
  const std::uint64_t bits = agent.memory(node);
  return {static_cast<std::uint32_t>(bits), static_cast<std::uint32_t>(bits >> 32)};
}
void set_counters(const PollAgent& agent, const std::uint32_t* node, Counters counters) {
  agent.set_memory(node, counters.index | std::uint64_t{counters.other} << 32);
}

// The child with this index; null if there is none, which happens only with a damaged block.
const std::uint32_t* child_or_null(const std::uint32_t* node, std::uint32_t index) {
  const std::uint32_t* const end = end_of(node);
  const std::uint32_t* child = first_child(node);
  for (; index > 0 && child != end; --index) child = end_of(child);
  return child == end ? nullptr : child;
}

// Which children of a parallel node are done, and which of these have succeeded: two bits each.
class DoneBits {
 public:
  DoneBits(const PollAgent& agent, const std::uint32_t* node) : agent_(agent), node_(node) {}
  bool is_done(std::uint32_t child) const { return (word(child) >> (child % 32 * 2) & 1) != 0; }
  bool has_succeeded(std::uint32_t child) const { return (word(child) >> (child % 32 * 2) & 3) == 3; }
  void add(std::uint32_t child, bool succeeded) const {
    const std::uint64_t bits = succeeded ? 3 : 1;
    agent_.set_memory(node_, word(child) | bits << (child % 32 * 2), child / 32);
  }
  void clear(std::uint32_t child_count) const {
    for (std::uint32_t i = 0; i * 32 < child_count; ++i) agent_.set_memory(node_, 0, i);
  }

 private:
  std::uint64_t word(std::uint32_t child) const { return agent_.memory(node_, child / 32); }

  const PollAgent& agent_;
  const std::uint32_t* const node_;
};

}  // namespace

// Sequences and fallbacks: `goes_on` is the result of a child with which they go on to the next.
PollStatus PollWalk::tick_in_order(Node node, PollStatus goes_on, bool has_memory) {
  const bool is_sequence = goes_on == PollStatus::success;
  const PollStatus ends = is_sequence ? PollStatus::failure : PollStatus::success;
  const std::uint32_t count = tree_.polled_of(node).child_count;
  Counters at = counters_of(agent_, node);
  if (is_idle(node)) at.other = 0;
  set_counters(agent_, node, at);
  run(node);
  const bool may_signal = has_memory || has_flag(node, kSignals);
  for (Node child = child_or_null(node, at.index); at.index < count && child != nullptr; child = end_of(child)) {
    const bool was_idle = is_idle(child);
    const PollStatus status = execute(child);
    if (status == PollStatus::error || status == PollStatus::running) return status;
    if (status == ends) {
      if (has_memory) {
        std::uint32_t index = 0;
        for (const Node each : children_of(node)) {
          if (index++ >= at.index) reset(each);
        }
      } else {
        reset_children(node);
        at.index = 0;
        if (is_sequence) at.other = 0;
        set_counters(agent_, node, at);
      }
      return ends;
    }
    ++at.index;
    if (status == PollStatus::skipped) ++at.other;
    set_counters(agent_, node, at);
    if (status == goes_on && may_signal && was_idle && at.index < count) {
      signal_ = true;
      return PollStatus::running;
    }
  }
  const bool is_skipped = at.other == count;
  reset_children(node);
  set_counters(agent_, node, {});
  return is_skipped ? PollStatus::skipped : goes_on;
}

PollStatus PollWalk::tick_reactive(Node node, PollStatus goes_on) {
  run(node);
  const PollStatus ends = goes_on == PollStatus::success ? PollStatus::failure : PollStatus::success;
  bool are_all_skipped = true;
  for (const Node child : children_of(node)) {
    const PollStatus status = execute(child);
    if (status == PollStatus::error) return status;
    if (status == PollStatus::skipped) {
      reset(child);
      if (has_failed()) return PollStatus::error;
      continue;
    }
    are_all_skipped = false;
    if (status == PollStatus::running) {
      for (const Node other : children_of(node)) {
        if (other != child) reset(other);
        if (has_failed()) return PollStatus::error;
      }
      return status;
    }
    if (status == ends) {
      reset_children(node);
      return ends;
    }
  }
  reset_children(node);
  return are_all_skipped ? PollStatus::skipped : goes_on;
}

namespace {

// What a count means: negative ones count from the number of children.
std::int64_t needed(std::int64_t threshold, std::uint32_t child_count) {
  if (threshold >= 0) return threshold;
  const std::int64_t from_end = std::int64_t{child_count} + threshold + 1;
  return from_end > 0 ? from_end : 0;
}

}  // namespace

PollStatus PollWalk::tick_parallel(Node node) {
  const std::uint32_t count = tree_.polled_of(node).child_count;
  std::int64_t success_count = 0;
  std::int64_t failure_count = 0;
  if (!read_whole(node, kSuccessCount, &success_count) || !read_whole(node, kFailureCount, &failure_count))
    return PollStatus::error;
  const std::int64_t successes = needed(success_count, count);
  const std::int64_t failures = needed(failure_count, count);
  if (count < successes || count < failures) return fail(node, PollFault::bad_count);
  run(node);
  const DoneBits done(agent_, node);
  std::int64_t ok = 0;
  std::int64_t bad = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (done.is_done(i)) ++(done.has_succeeded(i) ? ok : bad);
  }
  std::int64_t skips = 0;
  std::uint32_t index = 0;
  for (const Node child : children_of(node)) {
    if (!done.is_done(index)) {
      const PollStatus status = execute(child);
      if (status == PollStatus::error) return status;
      if (is_completed(status)) {
        done.add(index, status == PollStatus::success);
        ++(status == PollStatus::success ? ok : bad);
      } else if (status == PollStatus::skipped) {
        ++skips;
      }
    }
    ++index;
    const bool has_succeeded = ok >= successes || (success_count < 0 && ok + skips >= successes);
    if (has_succeeded || count - bad < successes || bad == failures) {
      done.clear(count);
      reset_children(node);
      return has_succeeded ? PollStatus::success : PollStatus::failure;
    }
  }
  return skips == count ? PollStatus::skipped : PollStatus::running;
}

PollStatus PollWalk::tick_parallel_all(Node node) {
  const std::uint32_t count = tree_.polled_of(node).child_count;
  std::int64_t max_failures = 0;
  if (!read_whole(node, kMaxFailures, &max_failures)) return PollStatus::error;
  const std::int64_t failures = needed(max_failures, count);
  if (count < failures) return fail(node, PollFault::bad_count);
  run(node);
  const DoneBits done(agent_, node);
  std::uint32_t skips = 0;
  std::uint32_t index = 0;
  for (const Node child : children_of(node)) {
    if (!done.is_done(index)) {
      const PollStatus status = execute(child);
      if (status == PollStatus::error) return status;
      if (is_completed(status)) done.add(index, status == PollStatus::success);
      if (status == PollStatus::skipped) ++skips;
    }
    ++index;
  }
  if (skips == count) return PollStatus::skipped;
  std::uint32_t done_count = 0;
  std::int64_t bad = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (!done.is_done(i)) continue;
    ++done_count;
    if (!done.has_succeeded(i)) ++bad;
  }
  if (skips + done_count < count) return PollStatus::running;
  reset_children(node);
  done.clear(count);
  return bad >= failures ? PollStatus::failure : PollStatus::success;
}

PollStatus PollWalk::tick_if(Node node) {
  const std::uint32_t count = tree_.polled_of(node).child_count;
  if (count < 2 || count > 3) return fail(node, PollFault::bad_children);
  run(node);
  std::uint64_t at = agent_.memory(node);
  if (at == 0) {
    switch (const PollStatus status = execute(first_child(node))) {
      case PollStatus::success:
        at = 1;
        break;
      case PollStatus::failure:
        if (count == 2) return PollStatus::failure;
        at = 2;
        break;
      case PollStatus::skipped:
        return fail(node, PollFault::skipped_child);
      default:
        return status;
    }
    agent_.set_memory(node, at);
  }
  const Node branch = child_or_null(node, static_cast<std::uint32_t>(at));
  const PollStatus status = branch == nullptr ? PollStatus::failure : execute(branch);
  if (status == PollStatus::error || status == PollStatus::running) return status;
  reset_children(node);
  agent_.set_memory(node, 0);
  return status;
}

PollStatus PollWalk::tick_while(Node node) {
  const std::uint32_t count = tree_.polled_of(node).child_count;
  if (count < 2 || count > 3) return fail(node, PollFault::bad_children);
  run(node);
  const Node condition = first_child(node);
  const Node then = end_of(condition);
  const Node otherwise = count == 3 ? end_of(then) : nullptr;
  PollStatus status = execute(condition);
  if (status == PollStatus::error || status == PollStatus::running) return status;
  if (status == PollStatus::skipped) return fail(node, PollFault::skipped_child);
  if (status == PollStatus::success) {
    if (otherwise != nullptr) reset(otherwise);
    status = has_failed() ? PollStatus::error : execute(then);
  } else if (otherwise != nullptr) {
    reset(then);
    status = has_failed() ? PollStatus::error : execute(otherwise);
  }
  if (status == PollStatus::error || status == PollStatus::running) return status;
  reset_children(node);
  return status;
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

std::uint32_t PollWalk::chosen_case(Node node) {
  const std::uint32_t case_count = tree_.polled_of(node).port_count - 1;
  char buffer[kNumberText];
  PollValue variable;
  if (!try_read(node, kVariable, &variable, buffer)) return case_count;
  for (std::uint32_t i = 0; i < case_count; ++i) {
    char other[kNumberText];
    PollValue value;
    if (try_read(node, kVariable + 1 + i, &value, other) && are_equal_cases(tree_, variable.text, value.text)) return i;
  }
  return case_count;
}

PollStatus PollWalk::tick_switch(Node node) {
  if (tree_.polled_of(node).child_count != tree_.polled_of(node).port_count) return fail(node, PollFault::bad_children);
  const std::uint32_t chosen = chosen_case(node);
  const std::uint64_t before = agent_.memory(node);  // 1 + the child that runs
  if (before != 0 && before - 1 != chosen) {
    const Node other = child_or_null(node, static_cast<std::uint32_t>(before - 1));
    if (other != nullptr) reset(other);
    if (has_failed()) return PollStatus::error;
  }
  const PollStatus status = execute(child_at(node, chosen));
  if (status == PollStatus::error) return status;
  agent_.set_memory(node, status == PollStatus::running ? 1 + std::uint64_t{chosen} : 0);
  if (is_completed(status)) reset_children(node);
  return status;
}

// ---- TryCatch: the index, the number of skipped children, and in the highest bit whether the last child runs

namespace {
constexpr std::uint32_t kCaught = 0x80000000;
}

PollStatus PollWalk::tick_try_catch(Node node) {
  const std::uint32_t count = tree_.polled_of(node).child_count;
  Counters at = counters_of(agent_, node);
  if (is_idle(node)) at.other = 0;
  set_counters(agent_, node, at);
  run(node);
  const Node last = child_at(node, count - 1);
  Node child = child_or_null(node, at.index);
  while ((at.other & kCaught) == 0 && at.index < count - 1 && child != nullptr) {
    const PollStatus status = execute(child);
    if (status == PollStatus::error || status == PollStatus::running) return status;
    if (status == PollStatus::failure) {
      reset_children(node);
      if (has_failed()) return PollStatus::error;
      at.index = 0;
      at.other |= kCaught;
    } else {
      ++at.index;
      if (status == PollStatus::skipped) ++at.other;
      child = end_of(child);
    }
    set_counters(agent_, node, at);
  }
  if ((at.other & kCaught) != 0) {
    const PollStatus status = execute(last);
    if (status == PollStatus::error || status == PollStatus::running) return status;
    reset_children(node);
    set_counters(agent_, node, {0, at.other & ~kCaught});
    return PollStatus::failure;
  }
  reset_children(node);
  set_counters(agent_, node, {});
  return at.other == count - 1 ? PollStatus::skipped : PollStatus::success;
}

void PollWalk::halt_try_catch(Node node) {
  const Counters at = counters_of(agent_, node);
  char buffer[kNumberText];
  PollValue catches;
  const bool is_caught = (at.other & kCaught) != 0;
  if (!is_caught && !is_idle(node) && try_read(node, kCatchOnHalt, &catches, buffer) && catches.whole != 0) {
    const Node last = child_at(node, tree_.polled_of(node).child_count - 1);
    for (const Node child : children_of(node)) {
      if (child != last) reset(child);
    }
    if (!has_failed() && execute(last) == PollStatus::running) reset(last);
  }
  set_counters(agent_, node, {});
}

// ---- Nav2's

PollStatus PollWalk::tick_pipeline(Node node) {
  std::uint32_t index = 0;
  std::uint32_t skips = 0;
  for (const Node child : children_of(node)) {
    const PollStatus status = execute(child);
    if (status == PollStatus::error) return status;
    if (status == PollStatus::failure) {
      reset_children(node);
      agent_.set_memory(node, 0);
      return status;
    }
    if (status == PollStatus::skipped) ++skips;
    if (status == PollStatus::running && index >= agent_.memory(node)) {
      agent_.set_memory(node, index);
      return status;
    }
    ++index;
  }
  reset_children(node);
  agent_.set_memory(node, 0);
  return skips == index ? PollStatus::skipped : PollStatus::success;
}

// The index is 1 while the second child runs; the other counter is that of the tries.
PollStatus PollWalk::tick_recovery(Node node) {
  if (tree_.polled_of(node).child_count != 2) return fail(node, PollFault::bad_children);
  std::int64_t retries = 0;
  if (!read_whole(node, kNumberOfRetries, &retries)) return PollStatus::error;
  run(node);
  const Node work = first_child(node);
  const Node recovery = end_of(work);
  Counters at = counters_of(agent_, node);
  const auto end_with = [&](PollStatus status) {
    reset_children(node);
    set_counters(agent_, node, {});
    return status;
  };
  while (at.other <= retries) {
    const PollStatus status = execute(at.index == 0 ? work : recovery);
    if (status == PollStatus::error || status == PollStatus::running) return status;
    if (at.index == 0) {
      if (status != PollStatus::failure) return end_with(status);
      if (at.other >= retries) return end_with(status);
      reset(work);
      at.index = 1;
    } else {
      if (status == PollStatus::failure) return end_with(status);
      reset(recovery);
      at.index = 0;
      if (status == PollStatus::success) ++at.other;
    }
    set_counters(agent_, node, at);
    if (has_failed()) return PollStatus::error;
    if (status == PollStatus::skipped) return PollStatus::failure;
  }
  return end_with(PollStatus::failure);
}

PollStatus PollWalk::tick_round_robin(Node node) {
  const std::uint32_t count = tree_.polled_of(node).child_count;
  PollValue wrap;
  char buffer[kNumberText];
  const bool wraps = tree_.port_of(node, kWrapAround).kind != static_cast<std::uint8_t>(layout::PollPortKind::key) &&
                     try_read(node, kWrapAround, &wrap, buffer) && wrap.whole != 0;
  Counters at = counters_of(agent_, node);
  std::uint32_t skips = 0;
  while (at.other + skips < count) {
    const Node child = child_or_null(node, at.index);
    if (child == nullptr) break;
    const PollStatus status = execute(child);
    if (status == PollStatus::error || status == PollStatus::running) return status;
    ++at.index;
    const bool is_over = at.index == count && !wraps;
    if (at.index == count && wraps) at.index = 0;
    if (status == PollStatus::success && !is_over) {
      set_counters(agent_, node, {at.index, 0});
      reset_children(node);
      return status;
    }
    if (status == PollStatus::failure) ++at.other;
    if (status == PollStatus::skipped) ++skips;
    set_counters(agent_, node, at);
    if (is_over) break;
  }
  reset_children(node);
  set_counters(agent_, node, {});
  return skips == count ? PollStatus::skipped : PollStatus::failure;
}

PollStatus PollWalk::tick_nonblocking(Node node) {
  bool is_running = false;
  for (const Node child : children_of(node)) {
    const PollStatus status = execute(child);
    if (status == PollStatus::error) return status;
    if (status == PollStatus::skipped) return fail(node, PollFault::skipped_child);
    if (status == PollStatus::failure) {
      reset_children(node);
      return status;
    }
    is_running = is_running || status == PollStatus::running;
  }
  if (is_running) return PollStatus::running;
  reset_children(node);
  return PollStatus::success;
}

PollStatus PollWalk::tick_persistent(Node node) {
  const std::uint32_t count = tree_.polled_of(node).child_count;
  const PollPort& port = tree_.port_of(node, kCurrentChild);
  std::int64_t index = 0;
  if (!read_whole(node, kCurrentChild, &index)) return PollStatus::error;
  const auto write = [&](std::int64_t at) {
    if (port.kind != static_cast<std::uint8_t>(layout::PollPortKind::key)) return true;
    const PollFault fault = board_.write(port.value, whole_value(at, PollType::int32), PollType::int32);
    if (fault != PollFault::none) fail(node, fault);
    return fault == PollFault::none;
  };
  run(node);
  while (index >= 0 && index < count) {
    const PollStatus status = execute(child_at(node, static_cast<std::uint32_t>(index)));
    if (status == PollStatus::error || status == PollStatus::running) return status;
    if (status == PollStatus::failure) {
      reset_children(node);
      return write(0) ? status : PollStatus::error;
    }
    if (!write(++index)) return PollStatus::error;
  }
  reset_children(node);
  return write(0) ? PollStatus::success : PollStatus::error;
}

}  // namespace espalier
