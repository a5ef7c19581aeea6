// One update of a tree, whose calls of the program are answered from a recording. See follow.h.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "live/lockstep.h"

namespace espalier::live {

// A tick of a recording.
struct TickPlace {
  std::uint32_t update = 0;  // in Log::updates
  std::uint32_t tick = 0;    // of that update
};

class RecordedUpdateRun {
 public:
  RecordedUpdateRun(LoggedTree& tree, const Log& log);
  RecordedUpdateRun(const RecordedUpdateRun&) = delete;
  RecordedUpdateRun& operator=(const RecordedUpdateRun&) = delete;

  // Updates an agent; the calls are answered from a tick on. The one with the number `thrower`, from 0, and those
  // behind it have no answer: an exception ended the program's update there. `is_late`: nodes whose ticks are not
  // recorded tell their results in the update after the one in which they have them.
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;
  void run(void* block, std::uint64_t clock_us, TickPlace from, bool is_late = false, std::uint32_t thrower = kNone);

  // What came of it. The ticks before this one were made; those of the same update behind it were not.
  TickPlace place() const { return place_; }
  Result result() const { return result_; }
  const std::vector<LeafAnswer>& answers() const { return answers_; }
  // The node that was called where the program's update ended without a result.
  std::optional<std::uint32_t> thrower() const { return thrower_; }
  bool is_beyond_end() const { return is_beyond_end_; }  // the recording has no update that the tree needs
  // The tree called another node than the program: what differs, in words. Empty: it did not.
  const std::string& misfit() const { return misfit_; }
  std::uint32_t misfit_node() const { return misfit_node_; }
  std::uint32_t misfit_call() const { return misfit_call_; }  // its number

  // The first tick of a node of the program that was not made, in the update where it is; kNone: there is none.
  std::uint32_t first_left() const;
  // How many updates in which no node of the program was ticked are taken for parts of one.
  static constexpr std::uint32_t kMostSilent = 64;
  // Is it an update in which no node of the program was ticked?
  bool is_silent(std::uint32_t update) const;
  // The entry of the tree; kNone: it does not have it. `entry`: in Log::entries.
  std::uint32_t entry_of(std::uint32_t entry) const { return entries_[entry]; }
  // Is it connected with an output of the node?
  bool is_output(std::uint32_t node, std::uint32_t entry) const { return port_of(node, entry) != nullptr; }
  bool has_untold() const { return !changes_of_untold_.empty(); }
  bool is_untold(std::uint32_t node) const { return changes_of_untold_.contains(node); }

 private:
  static RecordedUpdateRun& of(const Call* call) { return *static_cast<RecordedUpdateRun*>(call->host->user); }
  espalier_result answer(const Call* call);
  espalier_result answer_gate(std::uint32_t number);
  std::optional<std::uint32_t> take(std::uint32_t number);
  espalier_result answer_unknown(std::uint32_t number);
  espalier_result answer_untold(const Call* call, std::uint32_t number);
  void write_outputs(const Call* call, std::uint32_t tick, LeafAnswer& given);
  const char* port_of(std::uint32_t node, std::uint32_t entry) const;
  const RecordedUpdate& update() const { return log_.updates[place_.update]; }
  const RecordedTick& tick() const { return log_.ticks[update().first_tick + place_.tick]; }
  bool is_gate(std::uint32_t number) const;
  bool is_answered(std::uint32_t number) const {
    return tree_.nodes()[number].asks && !is_gate(number) && !is_untold(number);
  }

  LoggedTree& tree_;
  const Log& log_;
  std::vector<Behavior> behaviors_;
  std::vector<Behavior> conditions_;
  std::vector<std::uint32_t> entries_;
  std::map<std::uint32_t, std::vector<std::uint32_t>> changes_of_untold_;  // by node, in Log::changes
  // Of the update that runs:
  TickPlace place_;
  std::uint32_t silent_count_ = 0;  // updates since the last tick that was taken
  std::uint32_t throws_at_ = kNone;
  bool is_late_ = false;
  std::uint32_t call_count_ = 0;
  Result result_ = Result::running;
  std::vector<LeafAnswer> answers_;
  std::optional<std::uint32_t> thrower_;
  bool is_beyond_end_ = false;
  std::string error_;
  std::uint32_t failed_ = 0;  // the node of the error
  std::string misfit_;
  std::uint32_t misfit_node_ = 0;
  std::uint32_t misfit_call_ = 0;
};

}  // namespace espalier::live
