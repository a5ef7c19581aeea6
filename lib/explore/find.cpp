// The searches that an answer takes. See find.h.
#include "explore/find.h"

#include <chrono>
#include <optional>
#include <utility>

#include "explore/allowance.h"

namespace espalier::explore {
namespace {

class Searches {
 public:
  Searches(const World& world, const Observer& observer, std::uint64_t wanted_marks, const Budget& budget)
      : world_(world), observer_(observer), wanted_marks_(wanted_marks), left_(budget) {}

  Findings run() {
    if (find_near()) return std::move(findings_);
    find_plain();
    const bool lacks_marks = !plain_->has_enough() && (wanted_marks_ == 0 || plain_->marks().size() < wanted_marks_);
    if (lacks_marks && wide_ == nullptr) wide_ = search(Choices::wide, Answers::free, wanted_marks_, kHalf);
    take_shortest(Choices::plain, plain_, lacks_marks ? kHalf : kAll);
    if (lacks_marks) take_shortest(Choices::wide, wide_, kAll);
    const Search& all = wide_ != nullptr ? *wide_ : *plain_;
    findings_.is_complete = is_over(all) && findings_.marks.size() >= all.marks().size();
    return std::move(findings_);
  }

 private:
  // Parts of what is left of the budget: what can be reached at all comes before the shortest traces.
  static constexpr std::uint64_t kNearLook = 1024;
  static constexpr std::uint64_t kFirstLook = 64;
  static constexpr std::uint64_t kHalf = 2;
  static constexpr std::uint64_t kAll = 1;

  bool is_over(const Search& search) const {
    return search.is_complete() || (wanted_marks_ != 0 && search.marks().size() >= wanted_marks_);
  }

  // All that is wanted may lie near the start, where few lines lead: then it is found with the shortest traces.
  bool find_near() {
    if (wanted_marks_ == 0 || world_.names().empty()) return false;
    const auto near = search(Choices::plain, Answers::kept, wanted_marks_, kNearLook);
    if (near->marks().size() >= wanted_marks_) take(near);
    findings_.is_complete = findings_.marks.size() >= wanted_marks_;
    if (!findings_.is_complete) findings_.state_count = 0;  // they are looked at again
    return findings_.is_complete;
  }

  // Where updates have points, wide choices may take far less time: each point is the same however it is reached. If
  // they tell what can be reached at all, it is enough to have looked at plain ones for a while.
  void find_plain() {
    const Side& side = world_.sides().front();
    const bool has_points = world_.sides().size() == 1 && world_.agent_count() == 1 &&
                            (side.engine->is_point != nullptr || side.engine->rest_of_update != nullptr);
    plain_ = search(Choices::plain, Answers::free, wanted_marks_, has_points ? kFirstLook : kHalf);
    if (!has_points || is_over(*plain_)) return;
    wide_ = search(Choices::wide, Answers::free, wanted_marks_, kHalf);
    if (!is_over(*wide_)) plain_ = search(Choices::plain, Answers::free, wanted_marks_, kHalf);
  }

  std::shared_ptr<Search> search(Choices choices, Answers answers, std::uint64_t wanted, std::uint64_t parts) {
    const auto begin = std::chrono::steady_clock::now();
    auto search = std::make_shared<Search>(world_, observer_, choices, answers, left_.part(parts));
    search->run(wanted);
    left_.use(search->paid_count(), begin, search->update_count());
    findings_.update_count += search->update_count();
    findings_.state_count += search->state_count();
    return search;
  }

  // With free answers, lines for the host are not counted; agents that take turns do not find the shortest traces.
  void take_shortest(Choices choices, const std::shared_ptr<Search>& all, std::uint64_t parts) {
    if (world_.names().empty() && world_.agent_count() == 1) return take(all);
    const std::uint64_t found_count = all->marks().size();
    const bool has_new = found_count > findings_.marks.size();
    const bool may_have_more =
        choices == Choices::plain && !all->is_complete() && (wide_ == nullptr || !is_over(*wide_));
    if (has_new || may_have_more) take(search(choices, Answers::kept, found_count, parts));
    if (has_new) take(all);
  }

  // Adds what a search found and is not known yet.
  void take(const std::shared_ptr<const Search>& search) {
    for (const auto& [mark, found] : search->marks()) {
      if (findings_.marks.count(mark) != 0) continue;
      std::optional<Trace> trace = search->trace(mark, found);
      if (!trace) continue;
      const auto steps = static_cast<std::uint32_t>(trace->steps.size());
      findings_.marks[mark] = {steps, std::move(*trace), found.order,
                               [search, mark = mark, found = found] { search->show(mark, found); }};
    }
  }

  const World& world_;
  const Observer& observer_;
  const std::uint64_t wanted_marks_;
  Allowance left_;
  Findings findings_;
  std::shared_ptr<Search> plain_, wide_;  // with free answers
};

}  // namespace

Findings find_all(const World& world, const Observer& observer, std::uint64_t wanted_marks, const Budget& budget) {
  return Searches(world, observer, wanted_marks, budget).run();
}

}  // namespace espalier::explore
