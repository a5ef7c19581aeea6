// Ticks nodes with one child. See walk.h.
#include "format/node.h"
#include "poll/nodes.h"
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

// Nodes that only change the result of their child: what they give after each.
PollWalk::Move PollWalk::changed(Node node, Event event, PollStatus success, PollStatus failure, PollStatus skipped) {
  if (event == Event::begin) {
    run(node);
    return execute(first_child(node));
  }
  if (!is_completed(status_)) return give(status_ == PollStatus::skipped ? skipped : status_);
  set_idle(child_);
  return give(status_ == PollStatus::success ? success : failure);
}

PollWalk::Move PollWalk::poll_invert(Node node, Event event) {
  return changed(node, event, PollStatus::failure, PollStatus::success, PollStatus::skipped);
}

PollWalk::Move PollWalk::poll_force(Node node, Event event) {
  const auto result = static_cast<PollStatus>(flags_of(node) & 3);
  return changed(node, event, result, result, PollStatus::skipped);
}

PollWalk::Move PollWalk::poll_keep_running(Node node, Event event) {
  return changed(node, event, PollStatus::running, PollStatus::failure, PollStatus::running);
}

// `counted`: the result of the child after which it begins again. Its frame has the limit, and whether the child was
// idle.
PollWalk::Move PollWalk::repeat(Node node, Event event, PollStatus counted) {
  const bool is_retry = counted == PollStatus::failure;
  unsigned char* const memory = agent_.memory(node);
  std::uint32_t count = load_u32(memory);
  const auto goes_on = [&] {
    const auto limit = static_cast<std::int32_t>(frame().value);
    return limit == -1 || std::int64_t{count} < limit;
  };
  if (event == Event::begin) {
    std::int64_t limit = 0;
    if (!read_whole(node, kCycles, &limit)) return Move::end;
    frame().value = static_cast<std::uint32_t>(limit);
    run(node);
  } else {
    if (status_ == PollStatus::running) return give(status_);
    if (status_ == PollStatus::skipped) {
      if (needs_halt(child_)) return reset_one_and_give(child_, status_);
      set_idle(child_);
      return give(status_);
    }
    if (status_ != counted) {
      store_u32(memory, 0);
      set_idle(child_);
      return give(status_);
    }
    store_u32(memory, ++count);
    char buffer[kNumberText];
    PollValue value = {};
    if (is_retry && try_read(node, kCycles, &value, buffer)) frame().value = static_cast<std::uint32_t>(value.whole);
    set_idle(child_);
    if (frame().first != 0 && goes_on()) {
      progress_.has_signal = true;
      return give(PollStatus::running);
    }
  }
  if (!goes_on()) {
    store_u32(memory, 0);
    return give(counted);
  }
  const Node child = first_child(node);
  frame().first = is_idle(child) ? 1 : 0;
  return execute(child);
}

PollWalk::Move PollWalk::poll_repeat(Node node, Event event) { return repeat(node, event, PollStatus::success); }

PollWalk::Move PollWalk::poll_retry(Node node, Event event) { return repeat(node, event, PollStatus::failure); }

// Its child has answered: one that is completed ends the time, too.
PollWalk::Move PollWalk::end_timed(Node node) {
  if (is_completed(status_)) {
    clear_timer(node);
    set_idle(child_);
  }
  return give(status_);
}

PollWalk::Move PollWalk::poll_timeout(Node node, Event event) {
  if (event != Event::begin) return end_timed(node);
  std::int64_t milliseconds = 0;
  if (!read_whole(node, kMilliseconds, &milliseconds)) return Move::end;
  if ((timer_state(node) & kTimerStarted) == 0) {
    set_timer_state(node, kTimerStarted);
    run(node);
    if (milliseconds > 0) set_timer(node, static_cast<std::uint64_t>(milliseconds));
  }
  if ((timer_state(node) & kTimerFired) != 0) {
    clear_timer(node);
    return give(PollStatus::failure);
  }
  return execute(first_child(node));
}

PollWalk::Move PollWalk::poll_delay(Node node, Event event) {
  if (event != Event::begin) return end_timed(node);
  std::int64_t milliseconds = 0;
  if (!read_whole(node, kMilliseconds, &milliseconds)) return Move::end;
  if ((timer_state(node) & kTimerStarted) == 0) {
    set_timer_state(node, kTimerStarted);
    run(node);
    set_timer(node, static_cast<std::uint64_t>(milliseconds));
  }
  if ((timer_state(node) & kTimerFired) == 0) return give(PollStatus::running);
  return execute(first_child(node));
}

// Its memory is 0, or the result of the child, which ran once.
PollWalk::Move PollWalk::poll_run_once(Node node, Event event) {
  unsigned char* const memory = agent_.memory(node);
  if (event == Event::begin) {
    PollValue skips = {};
    char buffer[kNumberText];
    if (!try_read(node, kThenSkip, &skips, buffer)) skips.whole = 1;
    const auto before = static_cast<PollStatus>(*memory & 3);
    if (is_completed(before)) return give(skips.whole != 0 ? PollStatus::skipped : before);
    run(node);
    return execute(first_child(node));
  }
  if (is_completed(status_)) {
    *memory = static_cast<unsigned char>(status_);
    set_idle(child_);
  }
  return give(status_);
}

// Its memory is 1 while it is open.
PollWalk::Move PollWalk::poll_precondition(Node node, Event event) {
  unsigned char* const is_open = agent_.memory(node);
  if (event == Event::begin) {
    PollValue otherwise = {};
    if (!read(node, kElse, &otherwise)) return Move::end;
    if (*is_open == 0) {
      bool truth = false;
      if (!ask_script(node, &truth)) return Move::end;
      if (!truth) {
        const PollStatus status = status_of(otherwise);
        return status == PollStatus::error ? fail(node, PollFault::idle_status) : give(status);
      }
      *is_open = 1;
    }
    return execute(first_child(node));
  }
  if (is_completed(status_)) {
    set_idle(child_);
    *is_open = 0;
  }
  return give(status_);
}

PollWalk::Move PollWalk::poll_subtree(Node node, Event event) {
  if (event == Event::begin) {
    if (is_idle(node)) run(node);
    return execute(first_child(node));
  }
  if (is_completed(status_)) set_idle(child_);
  return give(status_);
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

PollWalk::Move PollWalk::poll_loop(Node node, Event event) {
  unsigned char* const memory = agent_.memory(node);
  if (event == Event::begin) {
    if (is_idle(node)) store_u64(memory, 0);
    if ((load_u64(memory) & kLoopChildRuns) == 0) {
      bool has_element = false;
      const PollStatus status = take_element(node, &has_element);
      if (!has_element) return status == PollStatus::error ? Move::end : give(status);
    }
    if (is_idle(node)) run(node);
    return execute(first_child(node));
  }
  const std::uint64_t state = load_u64(memory) & ~kLoopChildRuns;
  store_u64(memory, status_ == PollStatus::running ? state | kLoopChildRuns : state);
  if (is_completed(status_)) set_idle(child_);
  return give(status_ == PollStatus::failure ? status_ : PollStatus::running);
}

// Takes the first element off the queue and writes it; without one returns what the loop answers.
PollStatus PollWalk::take_element(Node node, bool* has_element) {
  const PollPort& queue = tree_.port_of(node, kQueue);
  const std::uint32_t element = flags_of(node) & kElementType;
  const PollType type = element < layout::kFirstHostType ? static_cast<PollType>(element) : PollType::text;
  const bool is_literal = static_cast<PollPortKind>(queue.kind) == PollPortKind::text;
  unsigned char* const memory = agent_.memory(node);
  char* const room = agent_.text(tree_.entry_count() + tree_.polled_of(node).host);
  std::uint64_t state = load_u64(memory);
  if ((state & kLoopHasQueue) == 0) {
    std::size_t size = 0;
    if (is_literal) {
      size = tree_.name(queue.value).size();
    } else {
      PollValue value = {};
      char buffer[kNumberText];
      PollPort as_text = queue;
      as_text.type = static_cast<std::uint8_t>(PollType::any);
      const PollFault fault = board_.read(as_text, &value, buffer);
      if (fault != PollFault::none) return refuse(node, fault);
      if (!value.is_text()) return refuse(node, PollFault::not_a_text);
      size = value.text_bytes;
      std::memcpy(room, value.chars, size);
    }
    state = with_rest(kLoopHasQueue, 0, size);
    const std::string_view text = is_literal ? tree_.name(queue.value) : std::string_view(room, size);
    for (std::size_t at = 0; at < size;) {
      const std::size_t end = text.find(';', at) == std::string_view::npos ? size : text.find(';', at);
      PollValue checked = {};
      if (!from_text(part(text, at, end), type, &checked)) return refuse(node, PollFault::not_convertible);
      at = end + 1;
    }
  }
  LoopRest rest = rest_of(state);
  const std::uint32_t most =
      is_literal ? static_cast<std::uint32_t>(tree_.name(queue.value).size()) : tree_.record.text_bytes;
  if (rest.end > most) rest.end = most;  // only in a damaged block
  if (rest.begin >= rest.end) {
    store_u64(memory, state);
    PollValue otherwise = {};
    if (!read(node, kIfEmpty, &otherwise)) return PollStatus::error;
    const PollStatus status = status_of(otherwise);
    return status == PollStatus::error ? refuse(node, PollFault::idle_status) : status;
  }
  const std::string_view text = is_literal ? tree_.name(queue.value) : std::string_view(room, most);
  const std::size_t found = part(text, 0, rest.end).find(';', rest.begin);
  const std::size_t end = found == std::string_view::npos ? rest.end : found;
  PollValue value = {};
  if (!from_text(part(text, rest.begin, end), type, &value)) {
    return refuse(node, PollFault::not_convertible);
  }
  store_u64(memory, with_rest(kLoopHasQueue, end + 1, rest.end));
  const PollPort& port = tree_.port_of(node, kValue);
  if (static_cast<PollPortKind>(port.kind) == PollPortKind::key) {
    const std::uint32_t written = is_literal ? layout::kNone : board_.written_entry(port.value);
    // The library locks the entry of the queue until the element is written.
    if (written != layout::kNone && written == board_.find(queue.value).entry) return refuse(node, PollFault::locked);
    const PollFault fault = board_.write(port.value, value, type);
    if (fault != PollFault::none) return refuse(node, fault);
  }
  *has_element = true;
  return PollStatus::running;
}

// ---- Nodes that watch an entry

std::uint32_t PollWalk::watched_entry(Node node) const {
  const PollPort& port = tree_.port_of(node, kEntry);
  return static_cast<PollPortKind>(port.kind) == PollPortKind::key ? board_.find(port.value).entry : layout::kNone;
}

// Has the entry been written since it was looked at last? Then it has been looked at. `seen`: the count that it had.
bool PollWalk::was_updated(Node node, unsigned char* seen) {
  const std::uint32_t entry = watched_entry(node);
  if (entry == layout::kNone) return false;
  const std::uint32_t count = board_.count(entry);
  if (count == load_u32(seen)) return false;
  store_u32(seen, count);
  return true;
}

// Its memory is 1 while its child runs, and the count that was seen last.
PollWalk::Move PollWalk::poll_updated(Node node, Event event) {
  unsigned char* const memory = agent_.memory(node);
  if (event == Event::begin) {
    if (*memory == 0 && !was_updated(node, memory + 1)) {
      return give(has_flag(node, kWaits) ? PollStatus::running : PollStatus::skipped);
    }
    return execute(first_child(node));
  }
  *memory = status_ == PollStatus::running ? 1 : 0;
  return give(status_);
}

// ---- Nav2's

// Its memory is when it began, its rate, and 1 before the first tick of its child.
PollWalk::Move PollWalk::poll_rate(Node node, Event event) {
  unsigned char* const memory = agent_.memory(node);
  unsigned char* const is_first = memory + 16;
  if (event == Event::answered) {
    if (status_ == PollStatus::success) store_u64(memory, clock_us());
    return give(status_);
  }
  if (is_idle(node)) {
    PollValue hz = {};
    char buffer[kNumberText];
    if (!try_read(node, kHz, &hz, buffer)) hz.real = 1;
    store_u64(memory, clock_us());
    std::memcpy(memory + 8, &hz.real, sizeof hz.real);
    *is_first = 1;
  }
  run(node);
  const Node child = first_child(node);
  double hz = 0;
  std::memcpy(&hz, memory + 8, sizeof hz);
  // As Nav2 compares them: the time as a float; with a rate that is no number the child is never ticked again.
  const float elapsed_s = static_cast<float>((clock_us() - load_u64(memory)) * 1000) / 1e9F;
  const bool is_due = static_cast<double>(elapsed_s) >= 1 / hz;
  if (*is_first == 0 && !needs_halt(child) && !is_due) return give(PollStatus::running);
  *is_first = 0;
  return execute(child);
}

// Its memory is 1 before the child is done.
PollWalk::Move PollWalk::poll_trigger(Node node, Event event) {
  unsigned char* const memory = agent_.memory(node);
  if (event == Event::answered) {
    if (is_completed(status_)) *memory = 0;
    return give(status_);
  }
  if (is_idle(node)) *memory = 1;
  run(node);
  return *memory == 0 ? give(PollStatus::failure) : execute(first_child(node));
}

PollWalk::Move PollWalk::poll_gate(Node node, Event event) {
  if (event == Event::answered) {
    if (is_completed(status_)) set_idle(child_);
    return give(status_);
  }
  run(node);
  const Node child = first_child(node);
  if (!needs_halt(child)) {
    const Result open =
        caller_.condition(tree_.polled_of(node).host, tree_.word_of(node), {&progress_, 0}).tick(Result::success);
    if (has_failed()) return fail(node, progress_.call.fault);
    if (open != Result::success) return give(PollStatus::running);
  }
  return execute(child);
}

}  // namespace espalier
