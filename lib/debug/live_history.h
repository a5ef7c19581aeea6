// The history of a program that runs: what its publisher tells, as moments. Nothing is inferred of what nodes do, but
// that a node which has a result began, and that an update is over when nothing has changed for some milliseconds.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "debug/history.h"
#include "live/formats/log.h"
#include "live/logged_tree.h"

namespace espalier::debug {

class LiveHistory {
 public:
  // The history must outlive this.
  explicit LiveHistory(History& history) : history_(history) {}

  // The program has this tree from now on, which must outlive the history, and with it nothing that ran before.
  // `main`: its name, by which its blackboard is known.
  void begin_tree(const live::LoggedTree& tree, std::string main);
  // The program's clock, in us since 1970.
  void set_clock(std::int64_t now_us);
  void add(const std::vector<live::Change>& changes);
  // {"PATH": {"ENTRY": value}}. Entries after the 10,000th, or with names of more than 1,000 bytes, are left out.
  void add_entries(const std::string& json);
  // The program stands still before it ticks this node: it begins.
  void hold(std::uint16_t uid);
  // Is an update over at this time? Then it ends.
  void end_update();

  // The rows of the present tree's nodes: that of uid n is number n - 1.
  [[nodiscard]] const std::vector<std::uint32_t>& rows() const { return rows_; }

 private:
  [[nodiscard]] std::uint64_t now_us() const;
  void add(MomentKind kind, std::uint64_t time_us, std::uint32_t row, std::uint32_t name = 0, std::uint32_t value = 0);
  void take(const live::Change& change);
  void leave_held(std::uint32_t row, std::uint64_t time_us);

  History& history_;
  const live::LoggedTree* tree_ = nullptr;
  std::string main_;
  std::vector<std::uint32_t> rows_;
  std::vector<bool> are_active_;                // by uid - 1
  std::optional<std::uint16_t> held_;           // number of a node that began only because the program stood before it
  std::map<std::string, std::size_t> entries_;  // hashes of the values that were told last
  std::int64_t first_us_ = 0;                   // since 1970; 0: it is not known yet
  std::int64_t ahead_us_ = 0;                   // by which the program's clock is ahead of ours
  std::uint64_t last_us_ = 0;                   // time of the last moment
  bool is_in_update_ = false;
};

}  // namespace espalier::debug
