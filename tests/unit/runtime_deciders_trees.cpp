// Random decider trees: see the header.
#include "runtime_deciders_trees.h"

namespace espalier::test {
namespace {

// Shared deciders are made from the last one to the first: the children of a shared group may name later ones.
class DeciderMaker {
 public:
  explicit DeciderMaker(Random& random) : random_(random) {}

  ModelDeciderTree make() {
    tree_.name = "T";
    tree_.max_redecides = random_.chance(50) ? 16 : random_.chance(80) ? 1 + random_.below(5) : 255;
    is_large_ = random_.chance(6);
    for (std::uint32_t i = is_large_ ? 64 : random_.below(4); i > 0; --i)
      tree_.flags.push_back("F" + std::to_string(i));
    const std::uint64_t timeouts_us[] = {0, 300000, 1000000, 2500000};
    for (std::uint32_t i = is_large_ ? 64 : random_.below(4); i > 0; --i) {
      tree_.stimuli.push_back({"S" + std::to_string(i), timeouts_us[random_.below(4)]});
    }
    for (std::uint32_t i = tree_.stimuli.empty() ? 0 : random_.below(5); i > 0; --i) {
      tree_.signals.push_back({"On" + std::to_string(random_.below(3)), below(tree_.stimuli.size())});
    }
    for (std::uint32_t i = 1 + random_.below(6); i > 0; --i) {
      tree_.behaviors.push_back(
          {"b" + std::to_string(i), random_.chance(50) ? 0 : random_.below(is_large_ ? 300 : 12)});
    }
    delegate_percent_ = random_.chance(50) && !is_large_ ? 20 : 60;
    budget_ = 3 + random_.below(is_large_ ? 400 : random_.chance(80) ? 12 : 40);
    const std::uint32_t shared_count = random_.below(5);
    for (std::uint32_t i = 0; i < shared_count; ++i) {
      tree_.shared.insert(tree_.shared.begin(), random_.chance(50) ? group(3) : behavior_decider());
    }
    tree_.root = group(4);
    ModelDecider& root = tree_.deciders[tree_.root];
    root.decide.clear();
    root.block_bytes = 0;
    root.delegates = root.decides_on_redecide = false;
    root.every_us.reset();
    root.flags_all = root.flags_any = root.stimuli_all = root.stimuli_any = {};
    return std::move(tree_);
  }

 private:
  std::size_t below(std::size_t count) { return random_.below(static_cast<std::uint32_t>(count)); }

  // A word may occur twice, and in a list where any word is enough also with both signs. In a list where all are
  // required that could never hold, which is an error to readers.
  std::vector<ModelWord> words(std::size_t count, bool all) {
    std::vector<ModelWord> list;
    if (count == 0 || !random_.chance(12)) return list;
    for (std::uint32_t i = 1 + random_.below(2); i > 0; --i) {
      ModelWord word = {below(count), random_.chance(60)};
      if (all && !list.empty() && list[0].index == word.index) word.is_wanted = list[0].is_wanted;
      list.push_back(word);
    }
    return list;
  }

  ModelDecider any_decider() {
    ModelDecider made;
    made.behavior_flags = 0;
    if (random_.chance(60)) made.decide = "d" + std::to_string(random_.below(5));
    if (random_.chance(40)) made.block_bytes = random_.below(is_large_ ? 65 : 10);
    const std::uint64_t delays_us[] = {0, 100000, 1000000, 2000000};
    if (random_.chance(20)) made.every_us = delays_us[random_.below(4)];
    made.flags_all = words(tree_.flags.size(), true);
    made.flags_any = words(tree_.flags.size(), false);
    made.stimuli_all = words(tree_.stimuli.size(), true);
    made.stimuli_any = words(tree_.stimuli.size(), false);
    return made;
  }
  void set_behavior(ModelDecider& made) {
    made.behavior = below(tree_.behaviors.size());
    if (random_.chance(30))
      made.behavior_flags = is_large_ ? static_cast<std::uint32_t>(random_.next()) : random_.below(8);
  }
  std::size_t add(ModelDecider made) {
    made.name = "D" + std::to_string(tree_.deciders.size());
    tree_.deciders.push_back(std::move(made));
    return tree_.deciders.size() - 1;
  }

  std::size_t behavior_decider() {
    ModelDecider made = any_decider();
    set_behavior(made);
    return add(std::move(made));
  }

  std::size_t group(std::uint32_t depth) {
    ModelDecider made = any_decider();
    made.policy = static_cast<ModelPolicy>(random_.below(5));
    made.delegates = random_.chance(delegate_percent_);
    if (made.delegates) made.decide.clear();
    made.decides_on_redecide = !made.decide.empty() && random_.chance(50);
    if (random_.chance(40)) set_behavior(made);
    const std::uint32_t count = 1 + random_.below(random_.chance(is_large_ ? 60 : 90) ? 4 : is_large_ ? 40 : 9);
    for (std::uint32_t i = 0; i < count; ++i) {
      ModelChild child;
      if (!tree_.shared.empty() && random_.chance(30)) {
        child.decider = tree_.shared[below(tree_.shared.size())];
      } else {
        const bool is_group = depth > 0 && budget_ > 0 && random_.chance(45);
        if (budget_ > 0) --budget_;
        child.decider = is_group ? group(depth - 1) : behavior_decider();
      }
      if (made.policy == ModelPolicy::random && random_.chance(60)) {
        child.weight = random_.chance(95) ? 1 + random_.below(9) : 65535;
      }
      made.children.push_back(child);
    }
    return add(std::move(made));
  }

  Random& random_;
  ModelDeciderTree tree_;
  bool is_large_ = false;  // up to the limits of each kind
  std::uint32_t delegate_percent_ = 0;
  std::uint32_t budget_ = 0;
};

}  // namespace

ModelDeciderTree random_deciders(Random& random) { return DeciderMaker(random).make(); }

}  // namespace espalier::test
