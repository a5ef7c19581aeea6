// The reasons of a line of a story. Each is told once in an update. Of too many, those in the middle are left out: the
// first come from what has the highest priority, and the last have led to what happened.
#pragma once
#include <cstddef>
#include <deque>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/page.h"

namespace espalier::report {

// The first and the last of many.
template <typename T>
class Ends {
 public:
  Ends(std::size_t first, std::size_t last) : most_first_(first), most_last_(last) {}

  void add(T item) {
    if (first_.size() < most_first_) return first_.push_back(std::move(item));
    last_.push_back(std::move(item));
    if (last_.size() <= most_last_) return;
    last_.pop_front();
    ++left_out_;
  }
  void clear() {
    first_.clear();
    last_.clear();
    left_out_ = 0;
  }
  [[nodiscard]] bool empty() const { return first_.empty(); }
  [[nodiscard]] const T& back() const { return last_.empty() ? first_.back() : last_.back(); }
  [[nodiscard]] T& back() { return last_.empty() ? first_.back() : last_.back(); }
  // Calls `each` with every item, in order, and `gap` in between with the number of those that are left out.
  template <typename Each, typename Gap>
  void visit(Each each, Gap gap) const {
    for (const T& item : first_) each(item);
    if (left_out_ > 0) gap(left_out_);
    for (const T& item : last_) each(item);
  }

 private:
  std::size_t most_first_;
  std::size_t most_last_;
  std::vector<T> first_;
  std::deque<T> last_;
  std::size_t left_out_ = 0;
};

// Reasons as words: "Flee: Alarm is true, Calm is false".
class Reasons {
 public:
  // An update begins, in which nothing has been told.
  void begin();
  // `who` it is a reason of; empty: nobody's.
  void note(std::string_view who, std::string_view words);
  // They have led to nothing.
  void forget() { noted_.clear(); }
  [[nodiscard]] bool empty() const { return noted_.empty(); }
  // As details of the open line. Reasons of one that follow each other are on one line, as far as they fit.
  void tell(Page& page);

 private:
  using Reason = std::pair<std::string, std::string>;  // whose it is, and its words
  Ends<Reason> noted_{5, 3};
  std::set<Reason> told_;
};

}  // namespace espalier::report
