// The program, as a log has it, and the watcher that compares. See attempt.h.
#include "live/attempt.h"

#include <espalier/polling.h>
#include <espalier/watching.h>

#include <algorithm>
#include <string_view>

#include "replay/strategy.h"

namespace espalier::live {
namespace {

// "there is no such entry: 'goal'": the name.
std::string_view named_in(std::string_view fault) {
  const std::size_t end = fault.rfind('\'');
  const std::size_t begin = fault.find('\'');
  if (begin == end) return {};
  std::string_view name = fault.substr(begin + 1, end - begin - 1);
  if (name.starts_with('@')) name.remove_prefix(1);
  return name;
}

bool is_of_missing(std::string_view fault) {
  return fault.starts_with("there is no such entry") || fault.starts_with("an entry has no value");
}

}  // namespace

Attempt::Attempt(const LoggedTree& tree, const Log& log, const SampledValues* samples, bool is_of_version_3)
    : tree_(tree), log_(log), samples_(samples), is_of_version_3_(is_of_version_3) {
  if (is_of_version_3) find_answers();
  Behavior behavior;
  behavior.tick = [](const Call* call) { return of(call).ask(call); };
  behaviors_.assign(behavior_count(*tree.tree().asset), behavior);
  conditions_.assign(host_condition_count(*tree.tree().asset), behavior);
}

Attempt& Attempt::of(const Call* call) { return *static_cast<Attempt*>(call->host->user); }

void Attempt::begin(bool is_less_likely) {
  choices_.clear();
  counts_.clear();
  choice_ = 0;
  tries_less_likely_ = is_less_likely;
  has_less_likely_ = false;
}

bool Attempt::next() {
  choices_.resize(choice_ < choices_.size() ? choice_ : choices_.size());
  counts_.resize(choices_.size());
  while (!choices_.empty() && ++choices_.back() == counts_.back()) {
    choices_.pop_back();
    counts_.pop_back();
  }
  choice_ = 0;
  return !choices_.empty();
}

std::size_t Attempt::choose(std::size_t count) {
  if (count < 2) return 0;
  if (choice_ == choices_.size()) {
    choices_.push_back(0);
    counts_.push_back(static_cast<std::uint8_t>(count));
  }
  return choices_[choice_++];
}

void Attempt::run(void* block, std::uint64_t clock_us, std::uint32_t cursor,
                  const std::vector<std::uint32_t>& halted_early) {
  block_ = block;
  first_ = cursor_ = cursor;
  clock_us_ = clock_us;
  misfit_.reset();
  answers_.clear();
  halted_early_ = halted_early;
  missing_entry_.clear();
  is_beyond_end_ = is_doubtful_ = is_less_likely_ = false;
  Host host;
  host.behaviors = behaviors_.data();
  host.conditions = conditions_.data();
  host.user = this;
  host.clock_us = clock_us;
  host.log = [](const Call* call, const char* text) {
    if (is_of_missing(text)) of(call).missing_entry_ = named_in(text);
  };
  espalier_watcher watcher;
  watcher.user = this;
  watcher.node = [](void* user, const espalier_node_step* step) {
    Attempt& attempt = *static_cast<Attempt*>(user);
    switch (step->kind) {
      case ESPALIER_NODE_BEGIN:  // of a node that is done at once only its result is a change
        if (espalier_node_status(attempt.tree_.tree(), attempt.block_, step->node_word) == ESPALIER_RUNNING)
          attempt.change(step->node_word, Status::running);
        break;
      case ESPALIER_NODE_COMPLETE:
        attempt.change(step->node_word, status_of(static_cast<Result>(step->value)));
        break;
      case ESPALIER_NODE_INTERRUPT:
      case ESPALIER_NODE_RESET:
        attempt.change(step->node_word, Status::idle);
        break;
      default:
        break;
    }
  };
  result_ = static_cast<Result>(espalier_update_watched(tree_.tree(), block, &host, &watcher));
  if (result_ == Result::error && !misfit_) fail(0, std::nullopt);
  if (is_of_version_3_) end_message();
  if (misfit_) return;
  for (const std::uint32_t node : halted_early) {
    if (std::find(halted_early_.begin(), halted_early_.end(), node) == halted_early_.end()) continue;
    if (cursor_ == log_.changes.size()) {
      is_beyond_end_ = true;
    } else {
      fail(node, Status::running);
    }
    return;
  }
}

// Does the next change begin what the program sent after another update?
bool Attempt::is_boundary() const {
  return log_.has_messages && cursor_ > first_ && cursor_ < log_.changes.size() && log_.changes[cursor_].begins_message;
}

// How many of the log's next changes are this one; 0: they are not. Nodes of Nav2 halt themselves before they are done.
std::uint32_t Attempt::count_of_changes(std::uint32_t number, Status status) const {
  const auto is_change = [&](std::size_t at, Status wanted) {
    return at < log_.changes.size() && log_.changes[at].status == wanted && tree_.is_of(log_.changes[at], log_, number);
  };
  if (is_boundary()) return 0;
  if (is_change(cursor_, status)) return 1;
  const bool is_done = status == Status::success || status == Status::failure;
  const bool halts_itself = tree_.nodes()[number].halts_itself && is_done && is_change(cursor_, Status::idle);
  if (!halts_itself ||
      (cursor_ + 1 < log_.changes.size() && log_.has_messages && log_.changes[cursor_ + 1].begins_message))
    return 0;
  return is_change(cursor_ + 1, status) ? 2 : 0;
}

// A timer halts nodes while an update runs: in the log that stands between the changes of this one.
std::uint32_t Attempt::count_of_early_halts() const {
  std::uint32_t count = 0;
  for (std::size_t at = cursor_; !log_.has_messages && log_.has_idle && at < log_.changes.size(); ++at, ++count) {
    const Change& change = log_.changes[at];
    const std::uint32_t number = change.uid - 1u;
    const bool is_halt = change.status == Status::idle && number < tree_.nodes().size() &&
                         tree_.nodes()[number].is_timed &&
                         std::find(halted_early_.begin(), halted_early_.end(), number) == halted_early_.end();
    if (!is_halt || espalier_node_status(tree_.tree(), block_, tree_.nodes()[number].word) == ESPALIER_STOPPED) break;
  }
  return count;
}

void Attempt::take_early_halts(std::uint32_t count) {
  is_doubtful_ = is_doubtful_ || count != 0;
  for (; count > 0; --count, ++cursor_) halted_early_.push_back(log_.changes[cursor_].uid - 1u);
}

void Attempt::fail(std::uint32_t number, std::optional<Status> status) { misfit_ = Misfit{cursor_, number, status}; }

void Attempt::change(std::uint32_t word, Status status) {
  if (misfit_ || is_of_version_3_ || (status == Status::idle && !log_.has_idle)) return;
  const std::uint32_t number = tree_.number_of(word);
  const auto early = std::find(halted_early_.begin(), halted_early_.end(), number);
  if (status == Status::idle && early != halted_early_.end()) {
    halted_early_.erase(early);
    return;
  }
  if (cursor_ == log_.changes.size()) {
    is_beyond_end_ = true;
    return;
  }
  const std::uint32_t before = cursor_;
  std::uint32_t count = count_of_changes(number, status);
  if (count == 0) {
    take_early_halts(count_of_early_halts());
    count = cursor_ == before ? 0 : count_of_changes(number, status);
  }
  if (count == 0) {
    cursor_ = before;
    fail(number, status);
  }
  cursor_ += count;
}

// The leaf's answer: that of the log's next change if it is of this leaf; or, without a change, that of before.
espalier_result Attempt::ask(const Call* call) {
  const std::uint32_t number = tree_.number_of(call->node_word);
  const LoggedNode& node = tree_.nodes()[number];
  if (misfit_) return ESPALIER_SUCCESS;
  const espalier_result before = espalier_node_status(tree_.tree(), call->agent, call->node_word);
  if (is_of_version_3_) return ask_version_3(number, before, call);
  const bool has_before = before != ESPALIER_STOPPED;
  if (const std::uint32_t early = count_of_early_halts(); early != 0 && cursor_ + early < log_.changes.size()) {
    const Change& next = log_.changes[cursor_ + early];
    if (next.status != Status::idle && tree_.is_of(next, log_, number)) take_early_halts(early);
  }
  const bool is_end = cursor_ == log_.changes.size();
  bool is_changed = !is_end && !is_boundary() && tree_.is_of(log_.changes[cursor_], log_, number);
  Status now = {};
  if (is_changed) {
    now = log_.changes[cursor_].status;
    is_changed = now != Status::idle && (now != Status::running || !node.is_at_once) && result_of(now) != before;
  }
  if (is_changed && has_before && cursor_ > first_) {
    const std::int64_t gap = log_.changes[cursor_].at_us - log_.changes[cursor_ - 1].at_us;
    const bool is_later = gap >= kSameUpdate_us;
    const bool is_sure = gap < kSameUpdate_us || gap >= kOtherUpdate_us || log_.has_messages;
    const bool is_now = log_.has_messages || !is_later;
    if (!is_sure) {
      is_doubtful_ = true;
      is_changed = choose(2) == (is_now ? 0 : 1);
    } else if (!tries_less_likely_) {
      has_less_likely_ = true;
      is_changed = is_now;
    } else {
      const bool is_likely = choose(2) == 0;
      is_less_likely_ = is_less_likely_ || !is_likely;
      is_changed = is_likely == is_now;
    }
  }
  if (is_changed) return answer(call, number, result_of(now));
  if (has_before) return answer(call, number, before);
  if (is_end) {
    is_beyond_end_ = true;
    return answer(call, number, node.is_at_once ? ESPALIER_SUCCESS : ESPALIER_RUNNING);
  }
  fail(number, std::nullopt);
  return ESPALIER_SUCCESS;
}

espalier_result Attempt::answer(const Call* call, std::uint32_t number, espalier_result result) {
  const LoggedNode& node = tree_.nodes()[number];
  LeafAnswer& given = answers_.emplace_back();
  given.node = static_cast<std::uint16_t>(number);
  given.result = static_cast<std::uint8_t>(result);
  if (result != ESPALIER_RUNNING && !node.outputs.empty()) {
    given.outputs = samples_ != nullptr ? samples_->outputs_of(number, cursor_) : 0;
    if (given.outputs == 0) {
      given.outputs = static_cast<std::uint32_t>(choose(node.tried_count) + 1);
      given.fitting = std::uint32_t{1} << (given.outputs - 1u);
    }
    static_cast<void>(replay::write_outputs(call, node.outputs[given.outputs - 1u]));
  }
  return result;
}

}  // namespace espalier::live
