// Ticks nodes with one child. See walk.h.
#include "poll/ports.h"
#include "poll/script.h"
#include "poll/walk.h"

namespace espalier {

using namespace poll_ports;
using layout::PollPortKind;

namespace {

// A status that a port names; `error` for IDLE.
PollStatus status_of(const PollValue& value) {
  constexpr PollStatus kStatuses[] = {PollStatus::error, PollStatus::running, PollStatus::success, PollStatus::failure,
                                      PollStatus::skipped};
  return value.whole >= 0 && value.whole < 5 ? kStatuses[value.whole] : PollStatus::error;
}

}  // namespace

// `counted`: the result of the child after which it begins again.
PollStatus PollWalk::tick_repeat(Node node, PollStatus counted) {
  const bool is_retry = counted == PollStatus::failure;
  const PollStatus ends = is_retry ? PollStatus::success : PollStatus::failure;
  std::int64_t limit = 0;
  if (!read_whole(node, kCycles, &limit)) return PollStatus::error;
  const Node child = first_child(node);
  std::uint64_t count = agent_.memory(node);
  const auto goes_on = [&] { return limit == -1 || static_cast<std::int64_t>(count) < limit; };
  run(node);
  while (goes_on()) {
    const bool was_idle = is_idle(child);
    const PollStatus status = execute(child);
    if (status == PollStatus::error || status == PollStatus::running) return status;
    if (status == ends) {
      agent_.set_memory(node, 0);
      reset(child);
      return ends;
    }
    if (status == PollStatus::skipped) {
      reset(child);
      return status;
    }
    agent_.set_memory(node, ++count);
    if (is_retry) {
      char buffer[kNumberText];
      PollValue value;
      if (try_read(node, kCycles, &value, buffer)) limit = value.whole;
    }
    reset(child);
    if (has_failed()) return PollStatus::error;
    if (was_idle && goes_on()) {
      signal_ = true;
      return PollStatus::running;
    }
  }
  agent_.set_memory(node, 0);
  return counted;
}

PollStatus PollWalk::tick_timeout(Node node) {
  std::int64_t milliseconds = 0;
  if (!read_whole(node, kMilliseconds, &milliseconds)) return PollStatus::error;
  if ((agent_.memory(node, 1) & kTimerStarted) == 0) {
    agent_.set_memory(node, kTimerStarted, 1);
    run(node);
    if (milliseconds > 0) set_timer(node, static_cast<std::uint64_t>(milliseconds));
  }
  if ((agent_.memory(node, 1) & kTimerFired) != 0) {
    clear_timer(node);
    return PollStatus::failure;
  }
  const Node child = first_child(node);
  const PollStatus status = execute(child);
  if (is_completed(status)) {
    clear_timer(node);
    reset(child);
  }
  return status;
}

PollStatus PollWalk::tick_delay(Node node) {
  std::int64_t milliseconds = 0;
  if (!read_whole(node, kMilliseconds, &milliseconds)) return PollStatus::error;
  if ((agent_.memory(node, 1) & kTimerStarted) == 0) {
    agent_.set_memory(node, kTimerStarted, 1);
    run(node);
    set_timer(node, static_cast<std::uint64_t>(milliseconds));
  }
  if ((agent_.memory(node, 1) & kTimerFired) == 0) return PollStatus::running;
  const Node child = first_child(node);
  const PollStatus status = execute(child);
  if (is_completed(status)) {
    clear_timer(node);
    reset(child);
  }
  return status;
}

// The memory is 0, or the result of the child, which ran once.
PollStatus PollWalk::tick_run_once(Node node) {
  PollValue skips;
  if (!read(node, kThenSkip, &skips)) return PollStatus::error;
  const auto before = static_cast<PollStatus>(agent_.memory(node) & 3);
  if (is_completed(before)) return skips.whole != 0 ? PollStatus::skipped : before;
  run(node);
  const Node child = first_child(node);
  const PollStatus status = execute(child);
  if (is_completed(status)) {
    agent_.set_memory(node, static_cast<std::uint64_t>(status));
    reset(child);
  }
  return status;
}

// The memory is 1 while it is open.
PollStatus PollWalk::tick_precondition(Node node) {
  PollValue otherwise;
  if (!read(node, kElse, &otherwise)) return PollStatus::error;
  if (agent_.memory(node) == 0) {
    bool truth = false;
    const std::uint32_t script = tree_.polled_of(node).script;
    const PollFault fault = script == 0 ? PollFault::empty_script : ScriptRun(tree_, board_).run(script - 1, &truth);
    if (fault != PollFault::none) return fail(node, fault);
    if (!truth) {
      const PollStatus status = status_of(otherwise);
      return status == PollStatus::error ? fail(node, PollFault::idle_status) : status;
    }
    agent_.set_memory(node, 1);
  }
  const Node child = first_child(node);
  const PollStatus status = execute(child);
  if (is_completed(status)) {
    reset(child);
    agent_.set_memory(node, 0);
  }
  return status;
}

// ---- Loops

namespace {

// substr() would throw where the runtime cannot.
std::string_view part(std::string_view text, std::size_t begin, std::size_t end) {
  return {text.data() + begin, end - begin};
}
std::uint64_t with_rest(std::uint64_t flags, std::size_t begin, std::size_t end) {
  return flags | std::uint64_t{begin} << 2 | std::uint64_t{end} << 32;
}

}  // namespace

PollStatus PollWalk::tick_loop(Node node) {
  if (is_idle(node)) agent_.set_memory(node, 0);
  const Node child = first_child(node);
  if ((agent_.memory(node) & kLoopChildRuns) == 0) {
    bool has_element = false;
    const PollStatus status = take_element(node, &has_element);
    if (!has_element) return status;
  }
  if (is_idle(node)) run(node);
  const PollStatus status = execute(child);
  if (status == PollStatus::error) return status;
  const std::uint64_t state = agent_.memory(node) & ~kLoopChildRuns;
  agent_.set_memory(node, status == PollStatus::running ? state | kLoopChildRuns : state);
  if (is_completed(status)) reset(child);
  return status == PollStatus::failure ? status : PollStatus::running;
}

// Takes the first element off the queue and writes it; without one returns what the loop answers.
PollStatus PollWalk::take_element(Node node, bool* has_element) {
  const PollPort& queue = tree_.port_of(node, kQueue);
  const std::uint32_t element = flags_of(node);
  const PollType type = element < layout::kFirstHostType ? static_cast<PollType>(element) : PollType::text;
  const bool is_literal = static_cast<PollPortKind>(queue.kind) == PollPortKind::text;
  char* const room = agent_.text(tree_.entry_count() + tree_.polled_of(node).host);
  std::uint64_t state = agent_.memory(node);
  if ((state & kLoopHasQueue) == 0) {
    std::size_t size = 0;
    if (is_literal) {
      size = tree_.name(queue.value).size();
    } else {
      PollValue value;
      char buffer[kNumberText];
      PollPort as_text = queue;
      as_text.type = static_cast<std::uint8_t>(PollType::any);
      const PollFault fault = board_.read(as_text, &value, buffer);
      if (fault != PollFault::none) return fail(node, fault);
      if (!value.is_text()) return fail(node, PollFault::not_a_text);
      std::memcpy(room, value.text.data(), value.text.size());
      size = value.text.size();
    }
    state = with_rest(kLoopHasQueue, 0, size);
    const std::string_view text = is_literal ? tree_.name(queue.value) : std::string_view(room, size);
    for (std::size_t at = 0; at < size;) {
      const std::size_t end = text.find(';', at) == std::string_view::npos ? size : text.find(';', at);
      PollValue checked;
      if (!from_text(part(text, at, end), type, &checked)) return fail(node, PollFault::not_convertible);
      at = end + 1;
    }
  }
  LoopRest rest = rest_of(state);
  const std::uint32_t most =
      is_literal ? static_cast<std::uint32_t>(tree_.name(queue.value).size()) : tree_.record.text_bytes;
  if (rest.end > most) rest.end = most;  // only in a damaged block
  if (rest.begin >= rest.end) {
    agent_.set_memory(node, state);
    PollValue otherwise;
    if (!read(node, kIfEmpty, &otherwise)) return PollStatus::error;
    const PollStatus status = status_of(otherwise);
    return status == PollStatus::error ? fail(node, PollFault::idle_status) : status;
  }
  const std::string_view text = is_literal ? tree_.name(queue.value) : std::string_view(room, most);
  const std::size_t found = part(text, 0, rest.end).find(';', rest.begin);
  const std::size_t end = found == std::string_view::npos ? rest.end : found;
  PollValue value;
  if (!from_text(part(text, rest.begin, end), type, &value)) {
    return fail(node, PollFault::not_convertible);
  }
  agent_.set_memory(node, with_rest(kLoopHasQueue, end + 1, rest.end));
  const PollPort& port = tree_.port_of(node, kValue);
  if (static_cast<PollPortKind>(port.kind) == PollPortKind::key) {
    const PollFault fault = board_.write(port.value, value, type);
    if (fault != PollFault::none) return fail(node, fault);
  }
  *has_element = true;
  return PollStatus::running;
}

// ---- Nodes that watch an entry. Bit 0: inside; the high half: the count that was seen last

std::uint32_t PollWalk::watched_entry(Node node) const {
  const PollPort& port = tree_.port_of(node, kEntry);
  return static_cast<PollPortKind>(port.kind) == PollPortKind::key ? board_.find(port.value).entry : layout::kNone;
}

// Has the entry been written since it was looked at last? Then it has been looked at.
bool PollWalk::was_updated(Node node) {
  const std::uint32_t entry = watched_entry(node);
  if (entry == layout::kNone) return false;
  const std::uint64_t state = agent_.memory(node);
  const std::uint32_t count = board_.count(entry);
  if (count == state >> 32) return false;
  agent_.set_memory(node, (state & 1) | std::uint64_t{count} << 32);
  return true;
}

PollStatus PollWalk::tick_updated(Node node) {
  if ((agent_.memory(node) & 1) == 0 && !was_updated(node)) {
    return has_flag(node, kWaits) ? PollStatus::running : PollStatus::skipped;
  }
  const PollStatus status = execute(first_child(node));
  if (status == PollStatus::error) return status;
  const std::uint64_t state = agent_.memory(node) & ~std::uint64_t{1};
  agent_.set_memory(node, status == PollStatus::running ? state | 1 : state);
  return status;
}

// ---- Nav2's

// The first word is when it began, the second its rate, the third 1 for the first tick.
PollStatus PollWalk::tick_rate(Node node) {
  if (is_idle(node)) {
    PollValue hz;
    if (!read(node, kHz, &hz)) return PollStatus::error;
    std::uint64_t bits = 0;
    std::memcpy(&bits, &hz.real, sizeof bits);
    agent_.set_memory(node, host_.clock_us);
    agent_.set_memory(node, bits, 1);
    agent_.set_memory(node, 1, 2);
  }
  run(node);
  const Node child = first_child(node);
  double hz = 0;
  const std::uint64_t bits = agent_.memory(node, 1);
  std::memcpy(&hz, &bits, sizeof hz);
  const double elapsed_s = static_cast<double>(host_.clock_us - agent_.memory(node)) / 1e6;
  const bool is_due = agent_.memory(node, 2) != 0 || agent_.status(child) == PollStatus::running || elapsed_s >= 1 / hz;
  if (!is_due) return PollStatus::running;
  agent_.set_memory(node, 0, 2);
  const PollStatus status = execute(child);
  if (status == PollStatus::success) agent_.set_memory(node, host_.clock_us);
  return status;
}

// The memory is 1 before the child is done.
PollStatus PollWalk::tick_trigger(Node node) {
  if (is_idle(node)) agent_.set_memory(node, 1);
  run(node);
  if (agent_.memory(node) == 0) return PollStatus::failure;
  const PollStatus status = execute(first_child(node));
  if (is_completed(status)) agent_.set_memory(node, 0);
  return status;
}

PollStatus PollWalk::tick_gate(Node node) {
  run(node);
  const Node child = first_child(node);
  if (agent_.status(child) != PollStatus::running) {
    const Result open =
        caller_.condition(tree_.polled_of(node).host, tree_.word_of(node), {&fault_, 0}).tick(Result::success);
    if (has_failed()) return fail(node, fault_);
    if (open != Result::success) return PollStatus::running;
  }
  const PollStatus status = execute(child);
  if (is_completed(status)) reset(child);
  return status;
}

}  // namespace espalier
