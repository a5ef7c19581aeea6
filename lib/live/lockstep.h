// Runs a tree in lockstep with a log of its run: each call of the program is answered with what the log says of that
// node next, and each change of a status must be the log's next one. Where the log leaves a choice (is a leaf that runs
// on asked in this update, or done in it? which value did it write?), all are tried and those that fit are kept: what
// they have in common is certain.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "live/formats/log.h"
#include "live/logged_tree.h"

namespace espalier::live {

struct Beginning;

// What a leaf answered. `node`: its number; `outputs`: 1 + the number of its LoggedNode::outputs, 0: it wrote nothing.
struct LeafAnswer {
  std::uint16_t node = 0;
  std::uint8_t result = 0;  // espalier_result
  std::uint32_t outputs = 0;
  std::uint32_t fitting = 0;  // all its outputs that fit: bits 1 << number; none: what it wrote was sampled or recorded
  bool is_value_unknown() const { return (fitting & (fitting - 1)) != 0; }
};

// What an entry of the tree's own blackboard had to hold before an update.
struct EntrySet {
  std::string entry;
  explore::EntryValue value;
  bool is_open = false;  // other values fit as well
};

// An update that changed something, or a halt of the whole tree by the program.
struct Update {
  std::uint32_t first_change = 0;  // in the log
  std::uint32_t change_count = 0;
  std::uint64_t clock_us = 0;  // since the log's first change
  std::vector<EntrySet> sets = {};
  std::uint32_t first_answer = 0;  // in FittedRun::answers
  std::uint32_t answer_count = 0;
  Result status = Result::running;
  bool is_halt = false;
  bool is_certain = true;   // no other way fits
  bool lacks_end = false;   // the log ends, or goes on with another goal, before the update does
  bool has_thrown = false;  // an exception ended it
};

// The first change of a log that its tree cannot make.
struct Misfit {
  std::uint32_t change = 0;           // its number
  std::uint32_t node = 0;             // what the tree would do: the node's number, and its status
  std::optional<Status> status = {};  // none: the tree asks the program there
  bool changes_nothing = false;       // instead: the tree runs on as it did
  std::string recorded = {};          // of a recorder's log: what differs, in words
  std::string place = {};             // and where
};

// A node that was called last in an update that an exception ended, or the end of the program.
struct Thrown {
  std::uint32_t update = 0;  // in FittedRun::updates
  std::uint32_t node = 0;
};

struct FittedRun {
  std::vector<Update> updates = {};
  std::vector<LeafAnswer> answers = {};
  std::uint32_t first_change = 0;  // those before are left out: the log begins in the middle of a run
  // The agent's block before the first change, if it is not as the tree begins.
  std::vector<std::uint64_t> start = {};
  bool begins_within_run = false;  // then its root runs
  bool is_start_unknown = false;   // it may have been like that, or otherwise: nothing is certain
  std::optional<Misfit> misfit = {};
  std::string limit = {};           // why not all ways were tried; empty: they were
  bool leaves_out_ways = false;     // there are more than are followed: nothing is certain
  bool leaves_out_samples = false;  // the log does not fit with them
  bool is_recorded = false;         // by a recorder: see follow.h
  std::vector<Thrown> thrown = {};  // in recorded updates that have no result
};

// `log.names` and `log.changes` are of this tree. `may_have_run`: the tree may have run before the log begins, which
// then may begin in the middle of a run; otherwise such a log is told from the next run on, as if the tree began there.
[[nodiscard]] FittedRun fit(const LoggedTree& tree, const Log& log, bool may_have_run);
// Goes on from what an agent may be like after the updates before. `origin_us`: where its clock is 0, since 1970.
// `ends`: gets what it may be like after the last change; none: the changes do not fit, or end within an update.
[[nodiscard]] FittedRun go_on(const LoggedTree& tree, const Log& log, std::int64_t origin_us,
                              const std::vector<Beginning>& beginnings, std::vector<Beginning>* ends);
// fit() with the values of the log's samples, which the tree gets, unless the log fits only without them. What a
// recorder wrote is followed instead, as nothing is left to infer: see follow.h.
[[nodiscard]] FittedRun fit_with_samples(LoggedTree& tree, const Log& log, bool may_have_run);

}  // namespace espalier::live
