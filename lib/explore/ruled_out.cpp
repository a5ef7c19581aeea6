// Slices for items, for all undecided ones together and then for each node. See ruled_out.h.
#include "explore/ruled_out.h"

#include <chrono>
#include <map>

#include "explore/allowance.h"
#include "explore/search.h"
#include "explore/slice.h"

namespace espalier::explore {
namespace {

constexpr std::size_t kMostNodes = 64;  // that are looked at by themselves

using ItemsOfNodes = std::map<std::uint32_t, std::vector<std::size_t>>;  // by word

class RulingOut {
 public:
  RulingOut(const Tree& tree, const Tracker& tracker, const Options& options, const Budget& budget,
            std::vector<Item>& items)
      : tree_(tree), tracker_(tracker), options_(options), left_(budget), items_(items) {}

  void run() {
    if (tracker_.words.empty()) return;
    const ItemsOfNodes all = undecided();
    if (all.empty()) return;
    look_at(all, 2, {.keeps_tests = true});
    for (const Look look : {Look{}, Look{.keeps_tests = true, .is_free = true}, Look{.is_free = true}}) {
      if (const ItemsOfNodes some = undecided(); !some.empty()) look_at(some, kPartOfMore, look);
    }
    const ItemsOfNodes rest = undecided();
    std::uint64_t parts = std::min(kMostNodes, rest.size());
    for (auto node = rest.begin(); node != rest.end() && parts > 0; ++node, --parts)
      look_at({*node}, parts, {.keeps_tests = true});
  }

 private:
  // `is_free`: with times as Facts::has_free_times has them.
  struct Look {
    bool keeps_tests = false, is_free = false;
  };
  static constexpr std::uint64_t kPartOfMore = 8;

  ItemsOfNodes undecided() const {
    ItemsOfNodes of_nodes;
    for (std::size_t i = 0; i < items_.size(); ++i) {
      const Item& item = items_[i];
      if (item.reached == Reached::undecided && item.is_possible && item.may_begin)
        of_nodes[tracker_.words[i]].push_back(i);
    }
    return of_nodes;
  }

  void look_at(const ItemsOfNodes& of_nodes, std::uint64_t parts, Look look) {
    const Budget budget = left_.part(parts);
    if (budget.is_interrupted()) return;
    const auto begin = std::chrono::steady_clock::now();
    if (look.is_free && !World({{tree_, 1}}, {}).may_have_free_times()) return;
    SliceQuestion question{.has_free_times = look.is_free, .keeps_tests = look.keeps_tests};
    for (const auto& [word, items] : of_nodes) question.words.insert(word);
    const auto slice = slice_of(tree_, question, options_.host);
    if (slice == nullptr) return;
    Facts facts{.host = slice->host};
    facts.has_free_times = look.is_free;
    const World world({{slice->of_tree(), 1, &slice->host.results}}, options_.signal_only, 0, facts);
    const Observer observer{.tracker = &tracker_};
    Search search(world, observer, Choices::wide, Answers::free, budget);
    search.run();
    left_.use(search.paid_count(), begin);
    if (!search.is_complete()) return;
    for (const auto& [word, items] : of_nodes) {
      for (const std::size_t item : items) {
        if (!search.marks().contains(item)) items_[item].reached = Reached::no;
      }
    }
  }

  const Tree& tree_;
  const Tracker& tracker_;
  const Options& options_;
  Allowance left_;
  std::vector<Item>& items_;
};

}  // namespace

void rule_out(const Tree& tree, const Tracker& tracker, const Options& options, const Budget& budget,
              std::vector<Item>& items) {
  RulingOut(tree, tracker, options, budget, items).run();
}

}  // namespace espalier::explore
