// Whether a tree can always return to where it began. See returning.h.
#include "explore/property/returning.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "explore/allowance.h"
#include "explore/find.h"
#include "explore/shown.h"
#include "runtime/asset/view.h"
#include "text/names.h"

namespace espalier::explore {
namespace {

constexpr std::uint64_t kMark = 0;
constexpr std::size_t kMostKeptWays = 8'000'000;  // of which each takes 8 bytes

// What an update shows: the behaviours, in an order that means nothing unless the tree has one.
using Picture = std::vector<std::uint32_t>;

class Returning {
 public:
  Returning(const Tree& tree, const Options& options)
      : tree_(tree),
        budget_(options.budget),
        world_({{tree, 1, &options.host.results}}, options.signal_only, 0, {.host = options.host}) {}

  Proof prove() {
    Proof proof{.property = "can-return", .tree = std::string(tree_name(tree_))};
    find_first_pictures();
    Allowance left(budget_);
    const auto begin = std::chrono::steady_clock::now();
    const bool is_complete = find_ways(left.part(2));
    proof.state_count = states_.size();
    proof.used_count = paid_count();
    if (!is_complete) {
      proof.hint = world_.limit();
      return proof;
    }
    std::unordered_set<std::string> stuck = stuck_states();
    if (stuck.empty()) {
      proof.result = Truth::holds;
      return proof;
    }
    proof.result = Truth::fails;
    left.use(proof.used_count, begin);
    Observer observer;
    observer.sees_before = true;
    observer.after = [&](Run& run, const Step& step, unsigned char*) {
      if (!is_stuck(run.before(), stuck)) return is_followed(step);
      run.mark(kMark);
      return false;
    };
    const Findings found = find_all(world_, observer, 1, left.part());
    proof.used_count += found.paid_count;
    if (const auto mark = found.marks.find(kMark); mark != found.marks.end()) {
      proof.trace = without_last_step(mark->second.trace);
      proof.hint = "from here on no update shows " + names_of_first() + ", as the first one does";
    }
    return proof;
  }

 private:
  // What the program does to begin anew is no way back.
  static bool is_followed(const Step& step) {
    return step.kind != StepKind::halt && step.kind != StepKind::jump && step.kind != StepKind::inject;
  }

  Picture picture_of(const Run& run, unsigned char* state) const {
    Shown shown;
    look(run.seen(0, 0, state), &shown);
    if (!has_order_of_shown(tree_)) std::sort(shown.behaviors.begin(), shown.behaviors.end());
    return shown.behaviors;
  }

  void find_first_pictures() {
    Observer observer;
    observer.after = [&](Run& run, const Step& step, unsigned char* state) {
      if (step.kind == StepKind::tick) first_.insert(picture_of(run, state));
      return true;
    };
    std::vector<unsigned char> state(world_.state_bytes());
    world_.start(state.data());
    Run run(world_, observer, Choices::wide, Answers::free, budget_);
    static_cast<void>(run.expand(state.data(), 1, [](const Run::Next&) {}));
    if (first_.size() > 1) first_.erase(Picture());  // that nothing runs says little
  }

  std::uint64_t paid_count() const { return std::max<std::uint64_t>(states_.size(), work_ / budget_.work_a_state()); }

  // Lists all states, and the ways between them. False: there are too many.
  bool find_ways(const Budget& budget) {
    Observer observer;
    observer.sees_before = true;
    observer.after = [&](Run& run, const Step& step, unsigned char* state) {
      if (step.kind == StepKind::tick && first_.count(picture_of(run, state)) != 0) run.mark(kMark);
      return is_followed(step);
    };
    Run run(world_, observer, Choices::wide, Answers::free, budget_);
    if (budget.cost_a_state != 0) run.set_costs();
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(budget.milliseconds);
    const auto is_late = [&] {
      const bool is_over = budget.milliseconds != 0 && std::chrono::steady_clock::now() >= end;
      return is_over || budget.is_interrupted();
    };
    run.set_late(is_late);
    std::string bytes(world_.state_bytes(), '\0');
    world_.start(reinterpret_cast<unsigned char*>(bytes.data()));
    add(bytes);
    for (std::uint32_t from = 0; from < states_.size(); ++from) {
      const std::string source = *states_[from];
      bool returns = false;
      run.set_limit(budget.work() - std::min(budget.work(), work_));
      static_cast<void>(
          run.expand(reinterpret_cast<const unsigned char*>(source.data()), 1, [&](const Run::Next& next) {
            returns = returns || !next.marks.empty();
            if (!next.goes_on) return;
            bytes.assign(reinterpret_cast<const char*>(next.state), world_.state_bytes());
            ways_.emplace_back(add(bytes), from);
          }));
      returns_.push_back(returns);
      work_ += run.work();
      const bool is_over = paid_count() > budget.states || ways_.size() > kMostKeptWays;
      if (is_over || run.has_left_out() || is_late()) return false;
    }
    return !world_.leaves_out_steps();
  }

  std::uint32_t add(const std::string& bytes) {
    const auto [known, is_new] = numbers_.try_emplace(bytes, static_cast<std::uint32_t>(states_.size()));
    if (is_new) states_.push_back(&known->first);
    if (is_new && budget_.cost_a_state != 0) work_ += Run::work_to_keep(bytes.size());
    return known->second;
  }

  // Those from which no way leads on to an update that shows what the first one shows.
  std::unordered_set<std::string> stuck_states() {
    std::sort(ways_.begin(), ways_.end());
    std::vector<std::uint32_t> left;
    for (std::uint32_t state = 0; state < states_.size(); ++state) {
      if (returns_[state]) left.push_back(state);
    }
    while (!left.empty()) {
      const std::uint32_t to = left.back();
      left.pop_back();
      for (auto way = std::lower_bound(ways_.begin(), ways_.end(), std::pair(to, std::uint32_t{0}));
           way != ways_.end() && way->first == to; ++way) {
        if (returns_[way->second]) continue;
        returns_[way->second] = true;
        left.push_back(way->second);
      }
    }
    std::unordered_set<std::string> stuck;
    for (std::uint32_t state = 0; state < states_.size(); ++state) {
      if (!returns_[state]) stuck.insert(without_answers(*states_[state]));
    }
    return stuck;
  }

  // The answers of the host are its own.
  std::string without_answers(const std::string& state) const { return state.substr(0, answers_offset()); }
  std::size_t answers_offset() const {
    std::vector<unsigned char> state(world_.state_bytes());
    return static_cast<std::size_t>(world_.answer(state.data(), 0, 0) - state.data());
  }
  bool is_stuck(const unsigned char* state, const std::unordered_set<std::string>& stuck) const {
    return stuck.count(std::string(reinterpret_cast<const char*>(state), answers_offset())) != 0;
  }

  // The last step is one from where it cannot return; its answers come before it.
  static Trace without_last_step(Trace trace) {
    trace.steps.pop_back();
    while (!trace.steps.empty() && trace.steps.back().starts_with("{\"host\"")) trace.steps.pop_back();
    return trace;
  }

  std::string names_of_first() const {
    std::string names;
    for (const Picture& picture : first_) {
      std::string own;
      for (const std::uint32_t behavior : picture) {
        const std::string_view name = behavior_name(*tree_.asset, behavior);
        own += (own.empty() ? "" : " with ") + text::quote(name);
      }
      names += (names.empty() ? "" : " or ") + (own.empty() ? "nothing" : own);
    }
    return names;
  }

  const Tree tree_;
  const Budget budget_;
  const World world_;
  std::set<Picture> first_;
  std::uint64_t work_ = 0;  // see Run::work()
  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::vector<const std::string*> states_;                     // by number
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ways_;  // to a state, from a state
  std::vector<bool> returns_;                                  // by state: to what the first update shows
};

}  // namespace

Proof prove_return(const Tree& tree, const Options& options) { return Returning(tree, options).prove(); }

}  // namespace espalier::explore
