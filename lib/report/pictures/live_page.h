// A page that grows: trees of running programs, what happens in them as a story, the running branch and entries. As the
// page of a replay (replay_page.h), whose browser side it shares; what is new is asked for by it again and again.
#pragma once
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "report/pictures/pictures.h"

namespace espalier::report {

class LivePage {
 public:
  explicit LivePage(std::string title) : title_(std::move(title)) {}

  // A program, from 0 on. Its trees come later.
  std::uint32_t add_agent();
  // The trees of an agent's program, from now on; `main`: the index of the one that runs. Open pages are loaded anew.
  void set_trees(std::uint32_t agent, std::vector<PictureTree> trees, std::size_t main,
                 std::vector<PictureSource> sources);
  // What a node does next, which the next line of the story is about; `result`: see NodeResult of pictures.h.
  void note(std::uint32_t agent, std::uint64_t time_us, std::uint32_t word, NodeResult result);
  // A line of the story. `running`: the words of the leaves that run then. Times are from the beginning of the page on.
  void tell(std::uint32_t agent, std::uint64_t time_us, const std::string& text,
            std::span<const std::uint32_t> running);
  // An entry of an agent, as it is then.
  void set_entry(std::uint32_t agent, std::uint64_t time_us, const std::string& entry, const std::string& value);

  // The page, as HTML, with what is known so far.
  std::string html() const;
  // What has come after what the query says that is known: "rows=3&lit=1&changes=0&words=7&sets=1&nodes=5&places=2", as
  // JSON.
  std::string news(std::string_view query) const;

 private:
  struct Agent {
    std::size_t tree = 0;                        // among all trees
    std::map<std::string, std::string> entries;  // as they are now
    std::uint32_t set = UINT32_MAX;              // the running branch
  };
  // Columns of numbers. Each has the same size.
  template <std::size_t count>
  struct Columns {
    std::vector<std::uint64_t> of[count];
    std::size_t size() const { return of[0].size(); }
  };
  template <std::size_t count>
  static void append(std::string& json, std::string_view name, const std::string_view (&keys)[count],
                     const Columns<count>& columns, std::size_t first);
  std::uint64_t word(const std::string& text);
  std::uint32_t set_of(const Agent& agent, std::span<const std::uint32_t> running);
  bool is_full() const;

  const std::string title_;
  std::vector<Agent> agents_;
  std::vector<PictureTree> trees_;  // those that programs had before stay
  std::vector<PictureSource> sources_;
  std::uint32_t tree_changes_ = 0;
  std::vector<std::string> words_;
  std::unordered_map<std::string, std::uint64_t> word_numbers_;
  std::vector<std::string> sets_;  // as JSON
  std::unordered_map<std::string, std::uint32_t> set_numbers_;
  Columns<5> rows_;                  // time, agent, text, step, first
  Columns<3> lit_;                   // step, agent, set
  std::vector<std::string> places_;  // as JSON: the tree and the node
  std::unordered_map<std::string, std::uint64_t> place_numbers_;
  Columns<5> nodes_;    // step, time, agent, place, result
  Columns<6> changes_;  // step, time, agent, variable, value, cause
  std::uint64_t step_ = 0;
  bool has_told_full_ = false;  // that later lines are not kept
};

}  // namespace espalier::report
