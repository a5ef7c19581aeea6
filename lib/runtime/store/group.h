// A group in the shared block: the agents that wait or are bound, their roles, and their arrivals at barriers. Each
// function holds the group's lock for a few dozen steps and calls no functions of the host.
#pragma once
#include "asset/view.h"
#include "store/layout.h"

namespace espalier {

// Can all of `count` agents be given different roles, each one of its bits? Augmenting paths (Kuhn); there are at
// most 16.
class RoleMatching {
 public:
  bool can_seat(const std::uint16_t* wanted, std::uint32_t count) {
    for (std::uint32_t role = 0; role < layout::kMaxRoles; ++role) owner_[role] = kNobody;
    for (std::uint32_t agent = 0; agent < count; ++agent) {
      if (!seat(wanted, agent)) return false;
    }
    return true;
  }

 private:
  static constexpr std::uint8_t kNobody = 0xFF;

  // Finds a chain of agents that begins with this one: each takes the role of the next, and the last takes a free role.
  bool seat(const std::uint16_t* wanted, std::uint32_t agent) {
    std::uint8_t came_from[layout::kMaxRoles];  // the agent that would take this role
    std::uint8_t waiting[layout::kMaxRoles + 1];
    std::uint32_t waiting_count = 0;
    std::uint32_t seen = 0;
    waiting[waiting_count++] = static_cast<std::uint8_t>(agent);
    for (std::uint32_t i = 0; i < waiting_count; ++i) {
      for (std::uint32_t role = 0; role < layout::kMaxRoles; ++role) {
        if ((wanted[waiting[i]] >> role & 1) == 0 || (seen >> role & 1) != 0) continue;
        seen |= 1u << role;
        came_from[role] = waiting[i];
        if (owner_[role] != kNobody) {
          waiting[waiting_count++] = owner_[role];
          continue;
        }
        hand_over(role, came_from, agent);
        return true;
      }
    }
    return false;
  }

  // Each agent of the chain takes its new role, and its old one goes to the previous agent.
  void hand_over(std::uint32_t role, const std::uint8_t* came_from, std::uint32_t first) {
    for (;;) {
      const std::uint8_t agent = came_from[role];
      std::uint32_t old = 0;
      while (old < layout::kMaxRoles && owner_[old] != agent) ++old;
      owner_[role] = agent;
      if (agent == first) return;
      role = old;
    }
  }

  std::uint8_t owner_[layout::kMaxRoles];
};

enum class GroupState : std::uint8_t {
  waits,
  left,      // it has stopped waiting
  works,     // its role is not done
  done,      // its role is done, other roles are not
  broken,    // the group fails for the remaining agents
  restarts,  // the trees of the remaining agents are reset at their next updates
  completed,
};

// The state of a group for an agent that has a seat in it.
struct GroupView {
  GroupState state = GroupState::waits;
  std::uint32_t role = 0;  // works, done: the agent's role
  bool succeeds = false;   // completed: have all roles succeeded?
};

class StoreGroup {
 public:
  StoreGroup(const layout::Group& group, void* shared)
      : group_(group),
        shared_(*reinterpret_cast<SharedGroup*>(static_cast<unsigned char*>(shared) + group.shared_offset)),
        seats_(reinterpret_cast<SharedSeat*>(&shared_ + 1)),
        arrivals_(reinterpret_cast<std::uint16_t*>(seats_ + group.role_count)) {}

  bool is_bound() {
    const Lock lock(shared_);
    return shared_.is_bound != 0;
  }
  std::uint32_t inside_count() {
    const Lock lock(shared_);
    return shared_.taken_count;
  }

  bool is_taken(std::uint32_t seat) {
    const Lock lock(shared_);
    return seats_[seat].is_taken != 0;
  }

  // Can agents use these bytes, which may have any content? True if the lock is free, the count of seats is right,
  // roles exist, and the numbers of waiting and bound agents are possible. Agents' own blocks are not checked here.
  bool can_go_on() const {
    if (shared_.lock.load(std::memory_order_relaxed) != 0 || shared_.is_bound > 1 || shared_.broken > kRestarts) {
      return false;
    }
    std::uint32_t taken_count = 0;
    for (std::uint32_t i = 0; i < group_.role_count; ++i) {
      const SharedSeat& seat = seats_[i];
      const bool is_right = seat.is_taken <= 1 && seat.role < group_.role_count && seat.met >> group_.role_count == 0;
      if (!is_right || shared_.results[i] > 2) return false;
      taken_count += seat.is_taken;
    }
    if (shared_.taken_count != taken_count) return false;
    return shared_.is_bound != 0 ? taken_count > 0 : taken_count < group_.role_count && shared_.broken == 0;
  }

  // Adds an agent that can have these roles. Returns 1 + its seat, or 0 if there is no place for it.
  std::uint32_t enter(std::uint16_t met) {
    const Lock lock(shared_);
    if (shared_.is_bound != 0) return 0;
    std::uint16_t wanted[layout::kMaxRoles + 1];
    std::uint32_t count = 0;
    for (std::uint32_t i = 0; i < group_.role_count; ++i) {
      if (seats_[i].is_taken != 0) wanted[count++] = seats_[i].met;
    }
    wanted[count++] = met;
    if (!RoleMatching().can_seat(wanted, count)) return 0;
    std::uint32_t seat = 0;
    while (seats_[seat].is_taken != 0) ++seat;
    seats_[seat] = {shared_.next_arrival++, met, 0, 1};
    if (++shared_.taken_count == group_.role_count) bind();
    return 1 + seat;
  }

  // `gives_up`: if the agent still waits, it gives its seat back.
  GroupView look(std::uint32_t seat, bool gives_up) {
    const Lock lock(shared_);
    const std::uint32_t role = seats_[seat].role;
    if (shared_.is_bound == 0) {
      if (gives_up) empty(seat);
      return {gives_up ? GroupState::left : GroupState::waits};
    }
    if (shared_.broken != 0) return {shared_.broken == kRestarts ? GroupState::restarts : GroupState::broken};
    bool succeeds = true;
    for (std::uint32_t i = 0; i < group_.role_count; ++i) {
      if (shared_.results[i] == 0) return {shared_.results[role] == 0 ? GroupState::works : GroupState::done, role};
      if (shared_.results[i] == 2) succeeds = false;
    }
    return {GroupState::completed, role, succeeds};
  }
  bool restarts_others() {
    const Lock lock(shared_);
    return shared_.broken == kRestarts;
  }
  void complete(std::uint32_t role, bool has_succeeded) {
    const Lock lock(shared_);
    shared_.results[role] = has_succeeded ? 1 : 2;
  }

  // Gives the seat back. `leaves`: the agent leaves before it has the group's result; the effect depends on OnLeave.
  // Returns whether the agent's tree must be reset because another agent has left.
  bool give_back(std::uint32_t seat, bool leaves) {
    const Lock lock(shared_);
    const std::uint32_t role = seats_[seat].role;
    const bool restarts = shared_.broken == kRestarts;
    if (leaves && shared_.is_bound != 0 && shared_.results[role] == 0 && shared_.broken == 0) {
      const auto on_leave = static_cast<layout::OnLeave>(group_.on_leave);
      if (on_leave == layout::OnLeave::ignore) {
        shared_.results[role] = 2;
      } else {
        shared_.broken = on_leave == layout::OnLeave::reset ? kRestarts : kFails;
      }
    }
    empty(seat);
    return restarts;
  }

  // ---- Barriers

  // Counts an arrival of the role and returns its number, from 1.
  std::uint32_t arrive(std::uint32_t role, std::uint32_t barrier) {
    const Lock lock(shared_);
    return ++arrivals_[role * group_.barrier_count + barrier];
  }
  void take_back(std::uint32_t role, std::uint32_t barrier) {
    const Lock lock(shared_);
    --arrivals_[role * group_.barrier_count + barrier];
  }
  // Has every role that has this barrier and is not done arrived at least as often? `roles` has a bit for each role
  // with the barrier. Counts wrap around to 0 after 65,535; those of different roles are always close together.
  bool is_open(std::uint32_t barrier, std::uint32_t roles, std::uint32_t arrival) {
    const Lock lock(shared_);
    for (std::uint32_t i = 0; i < group_.role_count; ++i) {
      const bool waits_for = (roles >> i & 1) != 0 && shared_.results[i] == 0;
      const auto ahead = static_cast<std::int16_t>(arrivals_[i * group_.barrier_count + barrier] - arrival);
      if (waits_for && ahead < 0) return false;
    }
    return true;
  }

 private:
  static constexpr std::uint8_t kFails = 1;  // SharedGroup::broken
  static constexpr std::uint8_t kRestarts = 2;

  class Lock {
   public:
    explicit Lock(SharedGroup& group) : lock_(group.lock) {
      while (lock_.exchange(1, std::memory_order_acquire) != 0) {
        while (lock_.load(std::memory_order_relaxed) != 0) continue;
      }
    }
    ~Lock() { lock_.store(0, std::memory_order_release); }
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;

   private:
    std::atomic<std::uint32_t>& lock_;
  };

  // Does nothing if the seat is already empty, which happens only if an agent's block was copied to another agent.
  void empty(std::uint32_t seat) {
    if (seats_[seat].is_taken == 0) return;
    seats_[seat] = {};
    if (--shared_.taken_count > 0) return;
    shared_.is_bound = 0;
    shared_.broken = 0;
    shared_.next_arrival = 0;
    std::memset(shared_.results, 0, sizeof shared_.results);
    std::memset(arrivals_, 0, std::size_t{2} * group_.role_count * group_.barrier_count);
  }

  // Assigns the roles in order: each to the agent that came first among those that leave all later roles fillable.
  void bind() {
    std::uint32_t free = (1u << group_.role_count) - 1;  // seats without a role
    for (std::uint32_t role = 0; role < group_.role_count; ++role) {
      std::uint32_t tried = 0;
      for (;;) {
        std::uint32_t first = group_.role_count;
        for (std::uint32_t i = 0; i < group_.role_count; ++i) {
          const bool may = (free >> i & 1) != 0 && (tried >> i & 1) == 0 && (seats_[i].met >> role & 1) != 0;
          if (may && (first == group_.role_count || came_before(i, first))) first = i;
        }
        if (first == group_.role_count) break;  // never: enter() saw that all can be seated
        tried |= 1u << first;
        if (!can_fill(free & ~(1u << first), role + 1)) continue;
        seats_[first].role = static_cast<std::uint8_t>(role);
        free &= ~(1u << first);
        break;
      }
    }
    shared_.is_bound = 1;
  }

  // Arrival numbers may wrap around: they restart at 0 only when the group is empty, which may never happen.
  bool came_before(std::uint32_t seat, std::uint32_t other) const {
    return static_cast<std::int32_t>(seats_[seat].arrival - seats_[other].arrival) < 0;
  }

  // Can these seats fill the roles from this one on?
  bool can_fill(std::uint32_t seats, std::uint32_t first_role) const {
    std::uint16_t wanted[layout::kMaxRoles];
    std::uint32_t count = 0;
    for (std::uint32_t i = 0; i < group_.role_count; ++i) {
      if ((seats >> i & 1) != 0)
        wanted[count++] = static_cast<std::uint16_t>(seats_[i].met >> first_role << first_role);
    }
    return RoleMatching().can_seat(wanted, count);
  }

  const layout::Group& group_;
  SharedGroup& shared_;
  SharedSeat* const seats_;
  std::uint16_t* const arrivals_;
};

}  // namespace espalier
