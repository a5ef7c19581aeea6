// What a log says of its nodes before one of its changes: what each may have been, and when it changes next. For logs
// that do not begin as their trees do (beginning.h).
#pragma once
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "live/formats/log.h"
#include "live/logged_tree.h"

namespace espalier::live {

// Sets of statuses: bits 1 << status.
using Statuses = std::uint8_t;
constexpr Statuses set_of(Status status) { return static_cast<Statuses>(1U << static_cast<unsigned>(status)); }
inline constexpr Statuses kIdle = set_of(Status::idle);
inline constexpr Statuses kRuns = set_of(Status::running);
inline constexpr Statuses kSucceeded = set_of(Status::success);
inline constexpr Statuses kFailed = set_of(Status::failure);
inline constexpr Statuses kDone = kSucceeded | kFailed;
inline constexpr Statuses kAnyStatus = kIdle | kRuns | kDone;

class FirstStatuses {
 public:
  static constexpr std::uint32_t kNoChange = 0xFFFFFFFF;

  // Before the change `first`. Both must outlive this.
  FirstStatuses(const LoggedTree& tree, const Log& log, std::uint32_t first);

  Statuses allowed(std::uint32_t node) const { return allowed_[node]; }
  // The first change of a node, or of some nodes in a row, up to the end of the run; kNoChange: there is none.
  std::uint32_t first_change(std::uint32_t node) const { return firsts_[node]; }
  std::uint32_t first_change(std::uint32_t node, std::uint32_t count) const;
  // The first change with which a node becomes one of these.
  std::uint32_t first_change_to(std::uint32_t node, Statuses statuses);
  // The last change before another one with which a node becomes idle.
  std::uint32_t last_idle(std::uint32_t node, std::uint32_t before);
  // Since the change `first`, in us.
  std::uint64_t time_of(std::uint32_t change) const;

 private:
  void find_first_changes();
  Statuses allowed_before(std::uint32_t node) const;
  bool is_sampled(std::uint32_t node) const;
  bool is_alone(std::uint32_t node) const;

  const LoggedTree& tree_;
  const Log& log_;
  const std::uint32_t first_;
  std::uint32_t end_ = 0;   // of the run
  bool ends_idle_ = false;  // is its end in the log?
  std::vector<std::uint32_t> firsts_;
  std::vector<Statuses> before_;  // what each node became last before `first`; none: nothing
  std::vector<Statuses> allowed_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> found_;  // by node, and what was asked for
};

}  // namespace espalier::live
