// The program, as a recording has it. See recorded_update.h.
#include "live/recorded_update.h"

#include <espalier/polling.h>
#include <espalier/watching.h>

#include <algorithm>

#include "live/findings.h"
#include "replay/strategy.h"
#include "runtime/asset/view.h"
#include "runtime/format/opcodes/poll.h"

namespace espalier::live {
namespace {

constexpr std::string_view kWholeTree = "@";  // the path of the blackboard above the main tree's

espalier_result result_of(const RecordedTick& tick) {
  if (tick.is_skipped) return ESPALIER_SKIPPED;
  return tick.status == Status::running   ? ESPALIER_RUNNING
         : tick.status == Status::success ? ESPALIER_SUCCESS
                                          : ESPALIER_FAILURE;
}

}  // namespace

RecordedUpdateRun::RecordedUpdateRun(LoggedTree& tree, const Log& log) : tree_(tree), log_(log) {
  Behavior behavior;
  behavior.tick = [](const Call* call) { return of(call).answer(call); };
  behaviors_.assign(behavior_count(*tree.tree().asset), behavior);
  conditions_.assign(host_condition_count(*tree.tree().asset), behavior);
  for (const RecordedEntry& entry : log.entries) {
    const std::string path = entry.path == kWholeTree ? std::string() : entry.path;
    std::uint32_t id = kNone;
    if (espalier_find_entry(tree.tree(), path.c_str(), entry.name.c_str(), &id) != ESPALIER_OK) id = kNone;
    entries_.push_back(id);
  }
  for (const std::uint16_t uid : log.untold) changes_of_untold_[uid - 1u];
  for (std::uint32_t i = 0; i < log.changes.size() && !log.untold.empty(); ++i) {
    const auto node = changes_of_untold_.find(log.changes[i].uid - 1u);
    if (node != changes_of_untold_.end()) node->second.push_back(i);
  }
}

void RecordedUpdateRun::run(void* block, std::uint64_t clock_us, TickPlace from, bool is_late, std::uint32_t thrower) {
  place_ = from;
  silent_count_ = 0;
  throws_at_ = thrower;
  is_late_ = is_late;
  call_count_ = 0;
  answers_.clear();
  thrower_.reset();
  is_beyond_end_ = false;
  error_.clear();
  misfit_.clear();
  Host host;
  host.behaviors = behaviors_.data();
  host.conditions = conditions_.data();
  host.user = this;
  host.clock_us = clock_us;
  host.log = [](const Call* call, const char* text) {
    of(call).error_ = text;
    of(call).failed_ = of(call).tree_.number_of(call->node_word);
  };
  espalier_watcher watcher;
  watcher.user = this;
  watcher.node = [](void* user, const espalier_node_step* step) {
    RecordedUpdateRun& self = *static_cast<RecordedUpdateRun*>(user);
    const std::uint32_t number = self.tree_.number_of(step->node_word);
    if (step->kind == ESPALIER_NODE_COMPLETE && self.is_gate(number)) static_cast<void>(self.take(number));
  };
  result_ = static_cast<Result>(espalier_update_watched(tree_.tree(), block, &host, &watcher));
  if (result_ != Result::error || !misfit_.empty() || thrower_) return;
  for (std::uint32_t i = 0; i < kMostSilent && first_left() == kNone && update().end == RecordedUpdate::End::result &&
                            is_silent(place_.update + 1);
       ++i) {
    place_ = {place_.update + 1, 0};
  }
  const std::uint32_t next = place_.update + 1;
  const bool is_last = next == log_.updates.size() || log_.updates[next].end == RecordedUpdate::End::halt;
  if (first_left() == kNone && (is_last || update().end == RecordedUpdate::End::none)) {  // it threw there, too
    thrower_ = failed_;
    return;
  }
  misfit_ = "the tree's update ends with an error: " + error_;
  misfit_call_ = kNone;
}

bool RecordedUpdateRun::is_gate(std::uint32_t number) const {
  return opcode_of(tree_.view().nodes + tree_.nodes()[number].word) == opcode::poll_gate;
}

std::uint32_t RecordedUpdateRun::first_left() const {
  for (std::uint32_t i = place_.tick; i < update().tick_count; ++i) {
    const std::uint32_t number = log_.ticks[update().first_tick + i].uid - 1u;
    if (number >= tree_.nodes().size() || is_answered(number)) return i;
  }
  return kNone;
}

bool RecordedUpdateRun::is_silent(std::uint32_t number) const {
  if (number >= log_.updates.size() || log_.updates[number].end == RecordedUpdate::End::halt) return false;
  const RecordedUpdate& update = log_.updates[number];
  const auto first = log_.ticks.begin() + update.first_tick;
  return std::none_of(first, first + update.tick_count, [&](const RecordedTick& tick) {
    return tick.uid > tree_.nodes().size() || is_answered(tick.uid - 1u);
  });
}

// The next tick, which is of this node, in Log::ticks. None: it is not, and it was said why.
std::optional<std::uint32_t> RecordedUpdateRun::take(std::uint32_t number) {
  const bool is_asked_of_gate = is_gate(number);
  if (!misfit_.empty() || thrower_ || is_beyond_end_) return std::nullopt;
  while (true) {
    if (place_.tick == update().tick_count) {
      if (is_asked_of_gate) return std::nullopt;
      if (update().end == RecordedUpdate::End::none) {
        thrower_ = number;
        return std::nullopt;
      }
      // The root is ticked again in the same update.
      const bool is_last = place_.update + 1 == log_.updates.size();
      if (is_last || log_.updates[place_.update + 1].end == RecordedUpdate::End::halt) {
        is_beyond_end_ = true;
        return std::nullopt;
      }
      if (silent_count_++ == kMostSilent) {
        misfit_ = "the recording has " + std::to_string(kMostSilent) +
                  " updates in which no node of the program is ticked, but the tree ticks " +
                  words_of_node(tree_, number) + " there";
        misfit_node_ = number;
        misfit_call_ = call_count_ - 1;
        return std::nullopt;
      }
      place_ = {place_.update + 1, 0};
      continue;
    }
    const std::uint32_t node = tick().uid - 1u;
    const bool is_known = node < tree_.nodes().size();
    if (node == number) {
      silent_count_ = 0;
      return update().first_tick + place_.tick++;
    }
    if (is_known && !is_answered(node)) {
      ++place_.tick;
      continue;
    }
    misfit_ = "the recording says that " +
              (is_known ? words_of_node(tree_, node) : "node " + std::to_string(node + 1)) +
              " was ticked, but the tree ticks " + words_of_node(tree_, number) + " there";
    misfit_node_ = number;
    misfit_call_ = call_count_ - 1;
    return std::nullopt;
  }
}

espalier_result RecordedUpdateRun::answer_unknown(std::uint32_t number) {
  const bool runs = thrower_ || !tree_.nodes()[number].is_at_once;
  LeafAnswer& given = answers_.emplace_back();
  given.node = static_cast<std::uint16_t>(number);
  given.result = static_cast<std::uint8_t>(runs ? ESPALIER_RUNNING : ESPALIER_SUCCESS);
  return static_cast<espalier_result>(given.result);
}

// It is open if its child was ticked, which comes first.
espalier_result RecordedUpdateRun::answer_gate(std::uint32_t number) {
  const std::uint32_t end = number + nodes_within(tree_.view().nodes + tree_.nodes()[number].word);
  std::uint32_t at = place_.tick;
  const auto node_at = [&](std::uint32_t i) { return log_.ticks[update().first_tick + i].uid - 1u; };
  while (at < update().tick_count && (node_at(at) < number || node_at(at) >= end)) ++at;
  const bool is_closed = at < update().tick_count && node_at(at) == number;
  LeafAnswer& given = answers_.emplace_back();
  given.node = static_cast<std::uint16_t>(number);
  given.result =
      static_cast<std::uint8_t>(is_closed ? result_of(log_.ticks[update().first_tick + at]) : ESPALIER_SUCCESS);
  return static_cast<espalier_result>(given.result);
}

// It has a result as soon as its status says so.
espalier_result RecordedUpdateRun::answer_untold(const Call* call, std::uint32_t number) {
  const std::vector<std::uint32_t>& changes = changes_of_untold_[number];
  const bool is_new = espalier_node_status(tree_.tree(), call->agent, call->node_word) != ESPALIER_RUNNING;
  const std::uint32_t first = update().first_change;
  const std::uint32_t end = first + (is_late_ && !is_new ? 0 : update().change_count);
  const auto behind = std::lower_bound(changes.begin(), changes.end(), end);
  const auto last = behind == changes.begin() ? changes.end() : behind - 1;
  const bool is_told = last != changes.end() && !(is_late_ && is_new);
  LeafAnswer& given = answers_.emplace_back();
  given.node = static_cast<std::uint16_t>(number);
  const Status status = is_told ? log_.changes[*last].status : Status::running;
  given.result = static_cast<std::uint8_t>(status == Status::success   ? ESPALIER_SUCCESS
                                           : status == Status::failure ? ESPALIER_FAILURE
                                                                       : ESPALIER_RUNNING);
  return static_cast<espalier_result>(given.result);
}

espalier_result RecordedUpdateRun::answer(const Call* call) {
  const std::uint32_t number = tree_.number_of(call->node_word);
  if (is_gate(number)) return answer_gate(number);
  if (is_untold(number)) return answer_untold(call, number);
  if (call_count_++ == throws_at_ && !thrower_) thrower_ = number;
  const std::optional<std::uint32_t> tick = take(number);
  const bool is_thrown = tick && log_.ticks[*tick].status == Status::idle && !log_.ticks[*tick].is_skipped;
  if (is_thrown) thrower_ = number;
  if (!tick || is_thrown) return answer_unknown(number);
  LeafAnswer given;
  given.node = static_cast<std::uint16_t>(number);
  given.result = static_cast<std::uint8_t>(result_of(log_.ticks[*tick]));
  write_outputs(call, *tick, given);
  answers_.push_back(given);
  return static_cast<espalier_result>(given.result);
}

void RecordedUpdateRun::write_outputs(const Call* call, std::uint32_t tick, LeafAnswer& given) {
  const auto first = log_.writes.begin() + update().first_write;
  const auto end = first + update().write_count;
  auto write = std::lower_bound(first, end, tick,
                                [](const RecordedWrite& each, std::uint32_t number) { return each.tick < number; });
  replay::TraceOutputs outputs;
  for (; write != end && write->tick == tick; ++write) {
    const char* const port = write->is_of_tick && write->value ? port_of(given.node, write->entry) : nullptr;
    if (port != nullptr) outputs.push_back({port, *write->value});
  }
  if (outputs.empty()) return;
  given.outputs = tree_.number_of_outputs(given.node, outputs);
  static_cast<void>(replay::write_outputs(call, outputs));
}

// The name of the output; null: there is none.
const char* RecordedUpdateRun::port_of(std::uint32_t node, std::uint32_t entry) const {
  const PollTreeView& view = tree_.view();
  const std::uint32_t* const at = view.nodes + tree_.nodes()[node].word;
  for (std::uint32_t i = 0; i < view.polled_of(at).port_count && entries_[entry] != kNone; ++i) {
    const layout::PollPort& port = view.port_of(at, i);
    const bool is_key = static_cast<layout::PollPortKind>(port.kind) == layout::PollPortKind::key;
    if (!is_key || static_cast<layout::PollDirection>(port.direction) == layout::PollDirection::input) continue;
    for (std::uint32_t key = port.value; key != layout::kNone; key = view.keys[key].next) {
      if (view.keys[key].entry == entries_[entry]) return view.name(port.name).data();
    }
  }
  return nullptr;
}

}  // namespace espalier::live
