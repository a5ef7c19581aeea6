// All that happens in a run, so that a debugger can be at any moment of it, and go back: the run is replayed once, and
// what it tells is kept.
#pragma once
#include <cstddef>
#include <cstdint>
#include <espalier/espalier.hpp>
#include <istream>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "replay/replay.h"
#include "replay/timeline.h"

namespace espalier::debug {

enum class MomentKind : std::uint8_t {
  // Of a node.
  begin,
  success,
  failure,
  skipped,
  halted,
  // Of an agent.
  set,         // a variable or an entry of a blackboard: `name`, `value`
  answer,      // the program answers: `name`, `value`
  input,       // a node gets an input: `name`, `value`
  signal,      // `name`
  error,       // of an update: `name` is its text
  log,         // `name`
  unscripted,  // the trace has no answer of the program: `name` is the message
  drift,       // of a log: what follows cannot be of this tree; `name` is the message
  update_begins,
  update_ends,
  tree,          // another one than before, or another version: `row` is its title, `value` the version
  decided,       // a condition of a node decided before it was ticked: `name` is its attribute, such as "_skipIf"
  ticked_again,  // a node that runs: a program stands still before it
  // Of the trace.
  failed,  // an expectation: `name` is the message
  event,   // what traces can expect: `name` is its words. Only LineHistory keeps it
  line     // a line of it is over. The same
};

inline constexpr std::uint32_t kNoRow = 0xFFFFFFFF;

struct Moment {
  std::uint64_t time_us = 0;
  std::uint32_t agent = 0;
  std::uint32_t row = kNoRow;  // of History::rows()
  std::uint32_t name = 0;      // of History::text(); of a node: only LineHistory sets it
  std::uint32_t value = 0;     // the same; of a node: the version of its tree
  MomentKind kind = MomentKind::begin;

  [[nodiscard]] bool is_completion() const { return kind >= MomentKind::success && kind <= MomentKind::halted; }
  [[nodiscard]] bool is_of_node() const { return kind <= MomentKind::halted; }
  // Is it no step, but what lies between them?
  [[nodiscard]] bool is_between() const {
    return kind == MomentKind::update_begins || kind == MomentKind::update_ends || kind == MomentKind::tree ||
           kind == MomentKind::event || kind == MomentKind::line;
  }
};

// What holds after some of the moments.
struct AgentNow {
  std::vector<std::uint32_t> active = {};               // rows, in the order in which they began
  std::map<std::uint32_t, MomentKind> results = {};     // of rows: the last one
  std::map<std::uint32_t, std::uint32_t> values = {};   // of variables and entries, texts by texts
  std::map<std::uint32_t, std::uint32_t> answers = {};  // of the program, the same
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> inputs = {};  // the last ones, by row and text
  std::uint32_t update_count = 0;
  std::uint32_t title = kNoRow;  // the row of its tree; none: nothing has happened to it
  std::uint32_t version = 0;     // of its tree
};
using Now = std::map<std::uint32_t, AgentNow>;  // by agent

struct Place {
  std::string_view file = {};
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

// What a run is replayed from.
struct Replayed {
  const Asset* asset = nullptr;  // it outlives the history, as those that the trace reloads
  std::string path = {};         // of the trace
  replay::ReplayOptions options = {};
  std::vector<std::string> lines = {};  // of the trace, without their endings
};

class History {
 public:
  // A replay of a trace tells this what happens. The assets must outlive the history.
  [[nodiscard]] replay::Observer begin(const Asset& asset, const std::string& path,
                                       const replay::ReplayOptions& options);
  // Replays a trace. The assets must outlive it. False: the trace cannot be run to its end; what was run is kept.
  bool record(const Asset& asset, std::istream& trace, const std::string& path, const replay::ReplayOptions& options);
  // The run as it would have been with another line of the trace where so many moments had happened, or after the
  // update that went on then. `at`: so many moments happened before this line.
  [[nodiscard]] History forked(std::size_t count, const std::string& line, std::size_t* at) const;
  [[nodiscard]] const Replayed& source() const { return source_; }
  // The lines of the trace up to the update with the last of so many moments, and what follows: a line that updates
  // several times is cut in two. `before` has at least the first line.
  struct Cut {
    std::vector<std::string> before;
    std::vector<std::string> after;
  };
  [[nodiscard]] Cut cut_at(std::size_t count) const;
  // The same, up to a time.
  [[nodiscard]] Cut cut_until(std::uint64_t time_us) const;
  // By which a line of a trace advances the clock.
  [[nodiscard]] static std::uint64_t passed_us(const std::string& line);
  // The number of the line of the trace, from 0, with the last of so many moments.
  [[nodiscard]] std::size_t line_at(std::size_t count) const;
  // The rows of a tree's nodes, by their words: they are known from now on, though nothing has happened to them.
  const std::map<std::uint32_t, std::uint32_t>& know(const Tree& tree);
  // What a program tells while it runs, in place of a trace: first that an agent has this tree from now on. Returns the
  // rows of its nodes, by their words.
  const std::map<std::uint32_t, std::uint32_t>& begin_tree(const Tree& tree, std::uint32_t agent,
                                                           std::uint64_t time_us);
  void add(Moment moment);
  // Of the last moment, of a node: the words of its event.
  void name_last(std::uint32_t name) { moments_.back().name = name; }
  // The number of a text that moments have.
  std::uint32_t number_of(std::string_view text);

  // Faults of the trace, as text.
  [[nodiscard]] const std::vector<std::string>& faults() const { return faults_; }

  [[nodiscard]] const std::vector<Moment>& moments() const { return moments_; }
  [[nodiscard]] const std::vector<replay::TimelineRow>& rows() const { return tree_.rows; }
  // Where a row stands in a version of its tree: each asset is one. Line 0: nowhere.
  [[nodiscard]] const Place& place(std::uint32_t version, std::uint32_t row) const;
  [[nodiscard]] const Place& place(const Moment& of_node) const { return place(of_node.value, of_node.row); }
  [[nodiscard]] std::uint32_t version_count() const { return static_cast<std::uint32_t>(places_.size()); }
  [[nodiscard]] std::string_view text(std::uint32_t number) const { return texts_[number]; }
  [[nodiscard]] const std::vector<std::uint32_t>& agents() const { return agents_; }

  // Some count up to this one, after which it is kept what held; 0: at the beginning.
  [[nodiscard]] std::size_t checkpoint_before(std::size_t count) const;
  // What holds after the first `count` moments.
  [[nodiscard]] Now at(std::size_t count) const;
  // The same, from what held after fewer of them.
  void advance(Now& now, std::size_t from, std::size_t count) const {
    for (std::size_t i = from; i < count; ++i) apply(now, moments_[i]);
  }
  // The row of a node that holds an agent's attention then: of the last moment, or the one that began last. None: no
  // node is active.
  [[nodiscard]] std::uint32_t row_at(std::size_t count, std::uint32_t agent, const Now& now) const;

 private:
  // Moments from one to the next: at() goes through so many at most. Of many agents more, as there is more to keep.
  static constexpr std::size_t kBetweenCheckpoints = 4096;
  static constexpr std::size_t kBetweenCheckpointsOfAgent = 64;

  void take(const replay::Event& event);
  void take_decision(const replay::Event& event, std::string_view attribute);
  static void apply(Now& now, const Moment& moment);

  [[nodiscard]] const std::pair<std::size_t, Now>* find_checkpoint(std::size_t count) const;
  [[nodiscard]] Cut cut_behind(std::size_t number, std::uint64_t updates) const;
  [[nodiscard]] std::uint64_t clock_before(std::size_t line) const;

  Replayed source_;
  std::vector<std::size_t> line_begins_;    // the counts of moments at which they began
  replay::Timeline tree_;                   // its rows
  std::vector<std::vector<Place>> places_;  // by version and row
  std::map<const Asset*, std::uint32_t> versions_;
  std::map<const Asset*, std::map<std::uint32_t, std::uint32_t>> rows_of_;
  std::map<std::pair<const Asset*, std::uint32_t>, std::uint32_t> titles_;
  std::map<std::uint32_t, std::pair<std::uint32_t, std::uint32_t>> tree_of_agent_;  // the last title and version
  std::vector<std::string> texts_ = {""};
  std::map<std::string, std::uint32_t, std::less<>> numbers_;
  std::vector<Moment> moments_;
  std::vector<std::uint32_t> agents_;
  std::set<std::uint32_t> known_agents_;
  std::vector<std::pair<std::size_t, Now>> checkpoints_;  // after so many moments
  std::vector<std::string> faults_;
  Now last_;  // while it is recorded
};

// Where two runs differ first in what can be seen: what leaves do, what the program answers, which values change, and
// the results of trees.
struct Difference {
  std::size_t count = 0;        // the last of so many moments of the one is different
  std::size_t other_count = 0;  // of the other
  bool is_over = false;         // nothing more happens in the one
  bool other_is_over = false;   // nor in the other
};
[[nodiscard]] std::optional<Difference> first_difference(const History& run, const History& other);

}  // namespace espalier::debug
