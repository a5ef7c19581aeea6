// One update of an agent of deciders: a walk from the root down the active path, until a child takes over or a decider
// fails. The rules are those of Spore's behaviour trees, as their authors have published them.
#include "decide/choose.h"
#include "decide/decide.h"

namespace espalier {
namespace {

// The active path of an agent. Adds and removes levels, and calls the host's functions for them.
class DeciderPath {
 public:
  DeciderPath(const DeciderTree& tree, DeciderHost& host, const Watcher* watcher)
      : tree_(tree), host_(host), watcher_(watcher) {}

  // A level of the path.
  struct Level {
    Placed placed;
    std::uint32_t depth = 0;
    unsigned char* place = nullptr;  // of its decider block and memory

    unsigned char* end() const { return place + level_bytes(*placed.decider); }
  };

  Level top() const { return {host_.agent().level(0), 0, host_.agent().memory()}; }
  Level below(const Level& level) const { return {host_.agent().level(level.depth + 1), level.depth + 1, level.end()}; }
  Level above(const Level& level) const {
    const Placed placed = host_.agent().level(level.depth - 1);
    return {placed, level.depth - 1, level.place - level_bytes(*placed.decider)};
  }
  // Goes on from a level to the last one, if an update does nothing on the way.
  Level pass_idle(const Level& level) const {
    const DeciderAgent& agent = host_.agent();
    if (watcher_ != nullptr || agent.idle_from() != level.depth + 1) return level;
    const std::uint32_t last = agent.level_count() - 1;
    return {agent.level(last), last, level.place};
  }
  bool is_last(const Level& level) const { return level.depth + 1 == host_.agent().level_count(); }

  // Adds a decider at the end of the path. `block` is the decider block of its answer; null: all 0. False if its
  // behaviour refuses; it was then never active.
  bool activate(const Level& level, const unsigned char* block) {
    const layout::Decider& decider = *level.placed.decider;
    host_.agent().set_level(level.depth, level.placed.placement, host_.clock_us());
    host_.agent().set_level_count(level.depth + 1);
    if (level_bytes(decider) > 0) std::memset(level.place, 0, level_bytes(decider));
    if (block != nullptr && decider.block_bytes > 0) std::memcpy(level.place, block, decider.block_bytes);
    last_refused_ = !host_.activate(level.placed, level.place);
    if (decider.behavior != 0) watch(last_refused_ ? DecideStepKind::refused : DecideStepKind::activated, level);
    return !last_refused_;
  }

  // Deactivates all levels from `count` on, the deepest first.
  void deactivate(std::uint32_t count) {
    const std::uint32_t level_count = host_.agent().level_count();
    if (level_count <= count) return;
    Level level = top();
    while (!is_last(level)) level = below(level);
    for (;; level = above(level)) {
      if (!last_refused_) {
        host_.deactivate(level.placed, level.place, level.depth);
        if (level.placed.decider->behavior != 0) watch(DecideStepKind::deactivated, level);
      }
      last_refused_ = false;
      host_.agent().set_level_count(level.depth);
      if (level.depth == count) return;
    }
  }

  void watch(DecideStepKind kind, const Level& level, const Placed* other = nullptr, double value = 0) const {
    if (watcher_ == nullptr) return;
    tell(*watcher_, tree_, kind, level.depth, level.placed.node, other != nullptr ? other->node : nullptr, value);
  }

 private:
  const DeciderTree& tree_;
  DeciderHost& host_;
  const Watcher* const watcher_;
  bool last_refused_ = false;  // the behaviour of the last level is not active
};

class DeciderWalk {
 public:
  DeciderWalk(const Tree& view, const DeciderTree& tree, void* block, const Host& host, unsigned char* scratch,
              const Watcher* watcher)
      : tree_(tree),
        host_(view, tree, block, host),
        path_(tree, host_, watcher),
        chooser_(tree, host_, failed_, scratch, watcher) {}

  Result update() {
    host_.agent().age_stimuli(host_.clock_us());
    const Level root = {tree_.root(), 0, host_.agent().memory()};
    path_.watch(DecideStepKind::begin, root);
    const Result result = walk(path_.pass_idle(root), true);
    path_.watch(DecideStepKind::end, root, nullptr, static_cast<double>(result));
    return result;
  }

  // Ends an update that has ticked the last level, which has failed: see walk_deciders().
  Result update_after() { return walk(path_.pass_idle({tree_.root(), 0, host_.agent().memory()}), false); }

 private:
  using Level = DeciderPath::Level;

  // From the root, or the first level that does something. Not `goes_on`: it is the last one, and has failed.
  Result walk(Level level, bool goes_on) {
    bool is_new = host_.agent().level_count() == 0;
    const DeciderAnswer* answer = nullptr;  // already chosen by the group, if it delegates, when it was asked
    if (is_new) goes_on = path_.activate(level, nullptr);
    for (;;) {
      if (goes_on) goes_on = tick(level);
      if (goes_on && !level.placed.is_group()) {
        if (!is_new && host_.agent().idle_from() == 0) host_.agent().find_idle();
        return Result::running;
      }
      if (goes_on && !is_new && !path_.is_last(level)) {
        const Level active = path_.below(level);
        answer = look_at(level, active.placed);
        if (answer == nullptr) {
          level = path_.pass_idle(active);
          continue;
        }
      } else {
        if (goes_on && answer == nullptr) {
          answer = chooser_.choose(level.placed, level.depth);
          const bool has_accepted = is_new && level.depth > 0;
          if (answer == nullptr && has_accepted) path_.watch(DecideStepKind::breach, level);
        }
        if (!goes_on || answer == nullptr) {
          const Result result = decide_again(&level, &answer);
          if (result != Result::running) return result;
        }
      }
      goes_on = switch_to(&level, &answer);
      is_new = true;
    }
  }

  bool tick(const Level& level) {
    if (level.placed.decider->behavior == 0) return true;
    const bool goes_on = host_.tick(level.placed, level.place, level.depth);
    path_.watch(DecideStepKind::ticked, level, nullptr, goes_on ? 1 : 0);
    return goes_on;
  }

  // The answer of the child that takes over from the active child of a group, or null.
  const DeciderAnswer* look_at(const Level& group, const Placed& active) {
    path_.watch(DecideStepKind::visited, group, &active);
    const DeciderAnswer* answer = chooser_.take_over(group.placed, group.depth, active.placement);
    if (answer == nullptr) path_.watch(DecideStepKind::goes_on, group, &active);
    return answer;
  }

  // Switches a group to the child of an answer. Then `level` is the child's level, and `answer` is what the child has
  // chosen when it was asked, or null. False if the child refuses.
  bool switch_to(Level* level, const DeciderAnswer** answer) {
    const Placed child = tree_.placed(std::uint64_t{(*answer)->number});
    path_.watch(DecideStepKind::switches, *level, &child);
    path_.deactivate(level->depth + 1);
    chooser_.set_ran(level->placed, child.placement);
    *level = {child, level->depth + 1, level->end()};
    const unsigned char* block = chooser_.block_of(*answer);
    *answer = child.has(kDelegates) ? chooser_.next_of(*answer, *child.decider) : nullptr;
    return path_.activate(*level, block);
  }

  // `level` has failed: it is masked, and its group decides again or also fails. If the result is running, `level` is
  // a group above that has chosen `answer`.
  Result decide_again(Level* level, const DeciderAnswer** answer) {
    for (;;) {
      path_.watch(DecideStepKind::failed, *level);
      if (level->depth == 0) return end(Result::failure);
      const Placed masked = level->placed;
      *level = path_.above(*level);
      if (failed_.count == tree_.record.max_redecides) {
        path_.watch(DecideStepKind::overrun, *level);
        return end(Result::error);
      }
      failed_.numbers[failed_.count++] = static_cast<std::uint16_t>(tree_.number_of(masked.placement));
      path_.watch(DecideStepKind::decides_again, *level, &masked);
      if (!accepts_again(*level)) continue;
      *answer = chooser_.choose(level->placed, level->depth);
      if (*answer != nullptr) return Result::running;
    }
  }

  bool accepts_again(const Level& group) {
    if (!group.placed.has(kDecidesAgain) || group.placed.decider->decide == 0) return true;
    alignas(8) unsigned char block[layout::kMaxBlockBytes];
    const double value = host_.decide(group.placed, block);
    path_.watch(DecideStepKind::decided, group, nullptr, value);
    return value > 0;
  }

  Result end(Result result) {
    path_.deactivate(0);
    return result;
  }

  const DeciderTree& tree_;
  DeciderHost host_;
  FailedChildren failed_;
  DeciderPath path_;
  DeciderChooser chooser_;
};

// The scratch memory of one update: on the stack if that is large enough, else the host's, which may be null.
class DeciderScratch {
 public:
  DeciderScratch(const DeciderTree& tree, const Host& host)
      : bytes_(tree.record.scratch_bytes <= kStackScratchBytes ? own_ : static_cast<unsigned char*>(host.scratch)) {}
  DeciderScratch(const DeciderScratch&) = delete;
  DeciderScratch& operator=(const DeciderScratch&) = delete;

  unsigned char* bytes() const { return bytes_; }

 private:
  unsigned char* const bytes_;
  alignas(8) unsigned char own_[kStackScratchBytes];
};

}  // namespace

Result walk_deciders(const Tree& view, const DeciderTree& tree, void* block, const Host& host, const Watcher* watcher,
                     bool has_failed) {
  const DeciderScratch scratch(tree, host);
  if (scratch.bytes() == nullptr) return Result::error;
  DeciderWalk walk(view, tree, block, host, scratch.bytes(), watcher);
  return has_failed ? walk.update_after() : walk.update();
}

void deactivate(const Tree& view, void* block, const Host& host, std::uint32_t level_count) {
  const DeciderTree tree(view);
  DeciderHost functions(view, tree, block, host);
  DeciderPath(tree, functions, nullptr).deactivate(level_count);
}

}  // namespace espalier
