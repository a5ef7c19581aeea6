// The searches that an answer takes. See find.h.
#include "explore/find.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "explore/allowance.h"
#include "explore/dives.h"

namespace espalier::explore {
namespace {

class Searches {
 public:
  Searches(const World& world, const Observer& observer, std::uint64_t wanted_marks, const Budget& budget, bool dives)
      : world_(world),
        observer_(observer),
        wanted_marks_(wanted_marks),
        dives_allowed_(dives && budget.states >= kLeastToDive),
        has_time_(budget.milliseconds != 0),
        for_traces_(part_for_traces(budget)),
        left_(budget) {}

  Findings run() {
    if (find_near()) return std::move(findings_);
    find_plain();
    const bool is_found = is_over(*plain_) || (wide_ != nullptr && is_over(*wide_));
    const bool may_dive = dives_allowed_ && !is_found && !plain_->has_enough();
    if (may_dive) dive();
    // Where a search by distance had found little, it goes on only now, and what is left is for dives again.
    if (may_dive && is_poor() && found_count() < wanted_marks_) {
      plain_ = search(Choices::plain, Answers::free, wanted_marks_, kHalf);
      if (found_count() < wanted_marks_) dive();
    }
    const bool lacks_marks = !plain_->has_enough() && (wanted_marks_ == 0 || found_count() < wanted_marks_);
    if (lacks_marks && wide_ == nullptr) wide_ = search(Choices::wide, Answers::free, wanted_marks_, kHalf);
    take_shortest(Choices::plain, plain_, wide_ != nullptr ? kHalf : kAll);
    if (wide_ != nullptr) take_shortest(Choices::wide, wide_, kAll);
    if (dives_) take_dives();
    const Search& all = wide_ != nullptr ? *wide_ : *plain_;
    findings_.is_complete = (is_over(all) && findings_.marks.size() >= all.marks().size()) ||
                            (wanted_marks_ != 0 && findings_.marks.size() >= wanted_marks_);
    return std::move(findings_);
  }

 private:
  // Parts of what is left of the budget: what can be reached at all comes before the shortest traces.
  static constexpr std::uint64_t kNearLook = 1024;
  static constexpr std::uint64_t kFirstLook = 64;
  static constexpr std::uint64_t kSecondLook = 16;
  static constexpr std::uint64_t kHalf = 2;
  // A search by distance of fewer states tells nothing of what it does not reach.
  static constexpr std::uint64_t kLeastToDive = 10'000;
  static constexpr std::uint64_t kAll = 1;

  // What is found has a trace, even if the budget is used up; but not for any price.
  static Budget part_for_traces(Budget budget) {
    constexpr std::uint64_t kParts = 5;
    budget.states = budget.cost_a_state != 0 ? budget.states / kParts : UINT64_MAX;
    if (budget.milliseconds != 0) budget.milliseconds = std::max<std::uint64_t>(1, budget.milliseconds / kParts);
    return budget;
  }
  // Calls `make` for what takes a trace. False: nothing is left for it.
  template <class Source, class Make>
  bool pay_for_trace(Source& source, const Make& make) {
    if (for_traces_.is_used_up()) return false;
    const auto begin = std::chrono::steady_clock::now();
    const std::uint64_t paid_before = source.paid_count();
    make();
    for_traces_.use(source.paid_count() - paid_before, begin);
    use(source.paid_count() - paid_before, begin);
    return true;
  }

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
    const bool has_points = world_.sides().size() == 1 && world_.agent_count() == 1 && side.engine->meets_often;
    const std::uint64_t parts = has_points ? kFirstLook : dives_allowed_ ? kSecondLook : kHalf;
    plain_ = search(Choices::plain, Answers::free, wanted_marks_, parts);
    if (parts == kHalf || is_over(*plain_)) return;
    if (dives_allowed_ && is_poor()) {
      if (has_points) plain_ = search(Choices::plain, Answers::free, wanted_marks_, kSecondLook);
      if (is_over(*plain_) || is_poor()) return;
    }
    if (has_points) {
      wide_ = search(Choices::wide, Answers::free, wanted_marks_, kHalf);
      if (is_over(*wide_)) return;
    }
    plain_ = search(Choices::plain, Answers::free, wanted_marks_, kHalf);
  }

  // What a search by distance does not come to.
  void dive() {
    const auto begin = std::chrono::steady_clock::now();
    const Budget budget = left_.part(kHalf);
    if (!dives_) dives_.emplace(world_, observer_, budget);
    const auto known_count = found_count() - dives_new_count();
    dives_->run(
        wanted_marks_ - known_count, [&](std::uint64_t mark) { return is_known(mark); }, budget);
    use(dives_->paid_count(), begin);
  }

  // Has a search by distance found little?
  bool is_poor() const { return wanted_marks_ != 0 && plain_->marks().size() < wanted_marks_ / 2; }

  // By a search by distance.
  bool is_known(std::uint64_t mark) const {
    return plain_->marks().contains(mark) || (wide_ != nullptr && wide_->marks().contains(mark));
  }

  // Of marks that no search by distance has found.
  std::uint64_t dives_new_count() const {
    if (!dives_) return 0;
    return static_cast<std::uint64_t>(std::count_if(dives_->marks().begin(), dives_->marks().end(),
                                                    [&](const auto& found) { return !is_known(found.first); }));
  }

  std::uint64_t found_count() const {
    std::uint64_t count = plain_->marks().size() + dives_new_count();
    if (wide_ == nullptr) return count;
    for (const auto& [mark, found] : wide_->marks()) count += plain_->marks().contains(mark) ? 0 : 1;
    return count;
  }

  void take_dives() {
    // With a time, some of them stay as long as they were found.
    constexpr std::uint64_t kPartToShorten = 2;
    const std::map<std::uint64_t, std::uint32_t> in_order(dives_->marks().begin(), dives_->marks().end());
    for (const auto& entry : in_order) {
      const std::uint64_t mark = entry.first;
      const std::uint32_t place = entry.second;
      if (findings_.marks.contains(mark)) continue;
      std::optional<Trace> trace;
      const bool shortens = !has_time_ || !for_traces_.is_used_up(kPartToShorten);
      if (!pay_for_trace(*dives_, [&] { trace = dives_->trace(mark, place, shortens); })) break;
      if (!trace) continue;
      const auto steps = static_cast<std::uint32_t>(trace->steps.size());
      findings_.marks[mark] = {
          .steps = steps, .trace = std::move(*trace), .order = place, .is_shortest = false, .show = [] {}};
    }
  }

  std::shared_ptr<Search> search(Choices choices, Answers answers, std::uint64_t wanted, std::uint64_t parts) {
    const auto begin = std::chrono::steady_clock::now();
    auto search = std::make_shared<Search>(world_, observer_, choices, answers, left_.part(parts));
    search->run(wanted);
    use(search->paid_count(), begin);
    findings_.state_count += search->state_count();
    return search;
  }

  void use(std::uint64_t states, std::chrono::steady_clock::time_point begin) {
    left_.use(states, begin);
    findings_.paid_count += states;
  }

  // With free answers, lines for the host are not counted; agents that take turns do not find the shortest traces.
  void take_shortest(Choices choices, const std::shared_ptr<Search>& all, std::uint64_t parts) {
    if (world_.names().empty() && world_.agent_count() == 1) return take(all);
    const std::uint64_t found_count = all->marks().size();
    const bool has_new = std::any_of(all->marks().begin(), all->marks().end(),
                                     [&](const auto& found) { return !findings_.marks.contains(found.first); });
    const bool may_have_more =
        choices == Choices::plain && !all->is_complete() && (wide_ == nullptr || !is_over(*wide_));
    if (has_new || may_have_more) take(search(choices, Answers::kept, found_count, parts));
    if (has_new) take(all);
  }

  // Adds what a search found and is not known yet.
  void take(const std::shared_ptr<const Search>& search) {
    const std::map<std::uint64_t, Search::Found> in_order(search->marks().begin(), search->marks().end());
    for (const auto& entry : in_order) {
      const std::uint64_t mark = entry.first;
      const Search::Found& found = entry.second;
      if (findings_.marks.count(mark) != 0) continue;
      std::optional<Trace> trace;
      std::vector<Edge> path;
      if (!pay_for_trace(*search, [&] { trace = search->trace(mark, found, path); })) break;
      if (!trace) continue;
      const auto steps = static_cast<std::uint32_t>(trace->steps.size());
      Findings::Mark& own = findings_.marks[mark];
      own = {steps, std::move(*trace), found.order, true, [] {}};
      if (!observer_.is_shown) continue;
      own.show = [search, mark, path = std::move(path), seed = own.trace.seed] { search->show(mark, path, seed); };
    }
  }

  const World& world_;
  const Observer& observer_;
  const std::uint64_t wanted_marks_;
  const bool dives_allowed_;
  const bool has_time_;
  Allowance for_traces_;
  Allowance left_;
  Findings findings_;
  std::shared_ptr<Search> plain_, wide_;  // with free answers
  std::optional<Dives> dives_;
};

}  // namespace

Findings find_all(const World& world, const Observer& observer, std::uint64_t wanted_marks, const Budget& budget,
                  bool dives) {
  return Searches(world, observer, wanted_marks, budget, dives).run();
}

}  // namespace espalier::explore
