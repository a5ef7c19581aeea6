// Where a run is, and how it moves: from one thing that happens to another, and to breakpoints, in both directions.
// Editors ask for it by messages (adapter.h), people at a prompt by words (prompt.h).
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "debug/breakpoints.h"
#include "debug/condition.h"
#include "debug/history.h"

namespace espalier::debug {

class Run {
 public:
  // Called with what breakpoints tell that stop nowhere.
  using Tell = std::function<void(const std::string& text)>;
  explicit Run(Tell tell) : tell_(std::move(tell)) {}

  // ---- Where it is: so many moments have happened
  [[nodiscard]] History& history() { return history_; }
  [[nodiscard]] const History& history() const { return history_; }
  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] std::size_t end() const { return history_.moments().size(); }
  [[nodiscard]] const Moment& moment_at(std::size_t count) const { return history_.moments()[count - 1]; }
  [[nodiscard]] const Now& now() const;
  // Rows of the active branch, the innermost node first.
  [[nodiscard]] std::vector<std::uint32_t> frames_of(std::uint32_t agent) const;
  [[nodiscard]] FindValue values_of(const AgentNow& agent) const;
  // Of a variable or a condition.
  [[nodiscard]] ConditionValue value_of(const std::string& words, std::uint32_t agent) const;
  // "Attack begins at 1.5 s"
  [[nodiscard]] std::string words() const;
  void move_to(std::size_t count);
  // Another history takes the place of this one. Breakpoints stay.
  void show(History history, std::size_t count);
  // Where another version differs; the run stops there.
  void differ(std::optional<Difference> difference) { difference_ = difference; }

  // ---- Breakpoints
  [[nodiscard]] std::vector<Breakpoint>& breakpoints() { return breakpoints_; }
  [[nodiscard]] const std::vector<Breakpoint>& breakpoints() const { return breakpoints_; }
  // Those of a kind, and of a file, which are given anew.
  void replace(Breakpoint::Kind kind, const std::string& file, std::vector<Breakpoint> breakpoints);
  [[nodiscard]] std::int64_t next_id() { return ++last_id_; }

  // ---- Moves
  using IsThere = std::function<bool(std::size_t count)>;
  struct Move {
    IsThere is_there = {};  // empty: only breakpoints stop it, the beginning and the end
    bool is_back = false;
    bool is_for_breakpoints = true;
  };
  enum class By : std::uint8_t { node, update, moment };
  // To the next thing that happens to an agent.
  [[nodiscard]] Move into(std::uint32_t agent) const;
  // A node that begins is run to its result; after a result the next node at this depth or above begins or ends.
  [[nodiscard]] Move over(std::uint32_t agent, By by) const;
  // To the result of the parent.
  [[nodiscard]] Move out(std::uint32_t agent) const;
  // To where the last node at this depth or above began that had a result: what it did is undone.
  [[nodiscard]] Move back(std::uint32_t agent, By by) const;

  // Where a move leads to is looked for one moment after the other, by these; the run itself stays.
  enum class Reason : std::uint8_t { step, breakpoint, difference, beginning, end };
  struct Stop {
    Reason reason = Reason::step;
    std::size_t count = 0;
    std::vector<const Breakpoint*> hits = {};
  };
  // `at`: so many were looked at; of moves back: those from here on. `is_at_end`: behind the last thing that happened.
  struct Search {
    Move move;
    std::size_t from = 0;
    std::size_t at = 0;
  };
  [[nodiscard]] Search begin(Move move, bool is_at_end) const;
  enum class Looked : std::uint8_t { goes_on, stops, is_at_end };
  // `is_at_end`: all was looked at that has happened so far.
  [[nodiscard]] Looked look(Search& search, Stop& stop);
  // Counts hits of breakpoints with a hit condition, as far as a search back needs them. False: it is late, and not all
  // are counted yet.
  [[nodiscard]] bool count_hits(const Search& search, const std::function<bool()>& is_late);

 private:
  [[nodiscard]] std::size_t depth_of(const Moment& moment) const;
  [[nodiscard]] bool look_forward(Search& search, Stop& stop);
  [[nodiscard]] bool look_back(Search& search, Stop& stop);
  // Do breakpoints stop the run where so many moments have happened, the last one just now?
  [[nodiscard]] bool stops_at(std::size_t count, bool tells, Stop& stop);
  // Do its conditions hold then, too?
  [[nodiscard]] bool is_right_hit(const Breakpoint& breakpoint, std::size_t count);
  [[nodiscard]] bool holds_then(const Breakpoint& breakpoint, std::size_t count);
  [[nodiscard]] std::string with_values(const std::string& text, std::size_t count) const;

  struct Hits {
    std::size_t looked_at = 0;
    std::vector<std::size_t> counts = {};
  };

  Tell tell_;
  History history_;
  std::size_t count_ = 0;
  std::vector<Breakpoint> breakpoints_;
  std::int64_t last_id_ = 0;
  std::map<std::int64_t, Hits> hits_;  // of breakpoints with a hit condition: after which counts
  std::optional<Difference> difference_;
  mutable std::optional<std::pair<std::size_t, Now>> now_;  // after so many moments
  std::pair<std::size_t, Now> looked_at_ = {};              // of conditions: the same
};

}  // namespace espalier::debug
