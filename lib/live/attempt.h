// One update in lockstep with a log, with a choice at each point that the log leaves open: choices are numbered, and an
// update is run again for each combination. See lockstep.h.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "live/lockstep.h"
#include "live/samples.h"

namespace espalier::live {

// Changes that are closer are most likely of the same update; changes that are further apart than the second are of
// different ones.
inline constexpr std::int64_t kSameUpdate_us = 1'000;
inline constexpr std::int64_t kOtherUpdate_us = 5'000;

inline Status status_of(Result result) {
  return result == Result::running ? Status::running : result == Result::success ? Status::success : Status::failure;
}

inline espalier_result result_of(Status status) {
  return status == Status::running ? ESPALIER_RUNNING : status == Status::success ? ESPALIER_SUCCESS : ESPALIER_FAILURE;
}

class Attempt {
 public:
  // `samples`: what nodes wrote for sure; may be null. `is_of_version_3`: only what the program answered, in its order,
  // and the results of the root are compared: nodes of BehaviorTree.CPP 3 change in another order. The log has
  // messages.
  Attempt(const LoggedTree& tree, const Log& log, const SampledValues* samples, bool is_of_version_3);
  Attempt(const Attempt&) = delete;
  Attempt& operator=(const Attempt&) = delete;

  // Before the first combination of choices. `is_less_likely`: with what times make unlikely.
  void begin(bool is_less_likely);
  // The next combination. False: there is none.
  bool next();
  // Runs an update of the agent from a change of the log on. `halted_early`: nodes that a timer halted while the one
  // before ran; the tree, whose clock stands still while it is updated, halts them in this one.
  void run(void* block, std::uint64_t clock_us, std::uint32_t cursor, const std::vector<std::uint32_t>& halted_early);
  // A number below `count`, which is at least 1.
  std::size_t choose(std::size_t count);

  // What came of run(): the change after the last one that was made.
  std::uint32_t cursor() const { return cursor_; }
  const std::optional<Misfit>& misfit() const { return misfit_; }
  Result result() const { return result_; }
  const std::vector<LeafAnswer>& answers() const { return answers_; }
  const std::vector<std::uint32_t>& halted_early() const { return halted_early_; }
  // The update ended because this entry has no value; empty: it did not.
  const std::string& missing_entry() const { return missing_entry_; }
  bool is_beyond_end() const { return is_beyond_end_; }    // the log ends before it
  bool is_doubtful() const { return is_doubtful_; }        // times do not tell whether it ends where it does
  bool is_less_likely() const { return is_less_likely_; }  // it has a choice that times make unlikely
  // Since begin(): were there such choices, that were not tried?
  bool has_less_likely() const { return has_less_likely_; }

 private:
  static Attempt& of(const Call* call);
  espalier_result ask(const Call* call);
  // ---- Of version 3: version_3.cpp
  void find_answers();
  espalier_result ask_version_3(std::uint32_t number, espalier_result before, const Call* call);
  std::uint32_t next_answer();
  Status status_before(std::uint32_t number) const;
  void end_message();
  // ----
  espalier_result answer(const Call* call, std::uint32_t number, espalier_result result);
  void change(std::uint32_t word, Status status);
  std::uint32_t count_of_changes(std::uint32_t number, Status status) const;
  void fail(std::uint32_t number, std::optional<Status> status);
  bool is_boundary() const;
  std::uint32_t count_of_early_halts() const;
  void take_early_halts(std::uint32_t count);

  const LoggedTree& tree_;
  const Log& log_;
  const SampledValues* const samples_;
  const bool is_of_version_3_;
  std::vector<std::uint8_t> kinds_;                  // of version 3: by name of the log, what nodes have it (Kind)
  std::vector<std::vector<std::uint32_t>> changes_;  // and by node, if no other one has its name, its changes
  std::vector<Behavior> behaviors_;
  std::vector<Behavior> conditions_;
  std::vector<std::uint8_t> choices_;
  std::vector<std::uint8_t> counts_;
  std::size_t choice_ = 0;
  bool tries_less_likely_ = false;
  bool has_less_likely_ = false;
  // Of the update that runs:
  void* block_ = nullptr;
  std::uint32_t first_ = 0;
  std::uint32_t cursor_ = 0;
  std::uint64_t clock_us_ = 0;
  std::optional<Misfit> misfit_;
  Result result_ = Result::running;
  std::vector<LeafAnswer> answers_;
  std::vector<std::uint32_t> halted_early_;
  std::string missing_entry_;
  bool is_beyond_end_ = false;
  bool is_doubtful_ = false;
  bool is_less_likely_ = false;
};

}  // namespace espalier::live
