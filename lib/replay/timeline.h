// When which node of a run was active, and with which result it ended: tables for people, and timelines for Chrome and
// Perfetto. Made from replays (timeline_recorder.h) and from logs of robots (lib/live).
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <espalier/espalier.hpp>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace espalier::replay {

// How a time in which a node was active ended; `running`: the run ended first.
enum class Ending : std::uint8_t { success, failure, skipped, halted, running, count };

struct NodeRun {
  std::uint32_t row = 0;
  std::uint32_t agent = 0;
  std::uint64_t begin_us = 0;  // since the beginning
  std::uint64_t end_us = 0;    // the same time: it was done at once
  Ending ending = Ending::running;
};

// A node, and what it did in all.
struct TimelineRow {
  static constexpr std::uint32_t kNoParent = 0xFFFFFFFF;

  std::uint32_t parent = kNoParent;  // the row of its parent, before this one; of a title: none
  std::string part = {};             // what tells it from its siblings: "Sequence[2]"; of a title: the name
  std::string name = {};
  std::size_t depth = 0;
  bool is_leaf = false;
  bool is_title = false;           // no node, but the tree of those that follow
  std::uint32_t title = 0;         // the row with that
  std::uint64_t ticked_count = 0;  // updates in which it was active; of a title: of all agents of the tree
  std::array<std::uint64_t, static_cast<std::size_t>(Ending::count)> endings = {};
  std::uint64_t active_us = 0;
  std::uint64_t between_us = 0;  // from one beginning to the next of the same agent, in all
  std::uint64_t between_count = 0;

  [[nodiscard]] bool is_active() const { return endings != decltype(endings){}; }
};

class Timeline {
 public:
  std::vector<TimelineRow> rows = {};  // in the order of the tree
  std::uint64_t begin_us = 0;          // the clock then
  std::uint64_t whole_us = 0;          // until the end
  bool knows_updates = false;
  bool keeps_runs = false;  // for chrome_text()

  // The row with this parent and this part, which is this one if it is new.
  std::uint32_t row_at(TimelineRow row);
  // Rows of a tree whose asset has names, by the words of its nodes: of a node at several places the first one.
  // Versions of a tree share their rows. Returns the row of its title.
  std::uint32_t add_tree(const Tree& tree, std::map<std::uint32_t, std::uint32_t>& rows_of_words);
  // Runs of the same node and agent come in their order.
  void add(const NodeRun& run);
  // By their beginnings, outer ones first.
  [[nodiscard]] std::vector<NodeRun> runs() const;

 private:
  std::vector<NodeRun> runs_;
  std::map<std::pair<std::uint32_t, std::string>, std::uint32_t> by_part_;        // with the parent
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> last_begins_;  // by agent and row
};

// What the table has of a row, a line each, its share first: "share 82 %", "ticked 120".
[[nodiscard]] std::vector<std::string> profile_lines(const Timeline& timeline, std::uint32_t row);
// The share of the updates in which it was active, where these are known, otherwise of time: 0 to 1.
[[nodiscard]] double share_of(const Timeline& timeline, std::uint32_t row);
// A table: a line a node that was active, in the order of the tree.
[[nodiscard]] std::string profile_text(const Timeline& timeline);
// The same of two runs, side by side: nodes are the same if they stand at the same place. Those that only the second
// one has come last.
[[nodiscard]] std::string profiles_text(const Timeline& first, const Timeline& second);
// Trace events, in a list of JSON: a slice a time that a node was active, a process an agent.
[[nodiscard]] std::string chrome_text(const Timeline& timeline);

}  // namespace espalier::replay
