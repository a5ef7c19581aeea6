// Watched updates, apart from agent.cpp so that a game that never watches does not link them.
#include "decide.h"
#include "decide_walk.h"
#include "rule_run.h"
#include "store.h"
#include "store_walk.h"
#include "tick_walk.h"
#include "update.h"

namespace espalier {
namespace {

// Of trees that tick, and of rules.
struct NodeWatch {
  const Watcher* watcher;
  void node(const NodeStep& step) const {
    if (watcher->node != nullptr) watcher->node(watcher->user, step);
  }
  ChangeListener changes() const { return {watcher->changed, watcher->user}; }
};

struct Watch {
  const Watcher* watcher;
  void step(const Step& step) const {
    if (watcher->step != nullptr) watcher->step(watcher->user, step);
  }
};

}  // namespace

Result update_watched(const Tree& tree, void* block, const Host& host, const Watcher& watcher) {
  const Family family = family_of(tree);
  if (family == Family::tick) return TickWalk<NodeWatch>(tree, host, {&watcher}).update(block);
  if (family == Family::decide) {
    const DeciderTree deciders(tree);
    const DeciderScratch scratch(deciders, host);
    if (scratch.bytes() == nullptr) return Result::error;
    return DeciderWalk<DecideWatch>(tree, deciders, block, host, scratch.bytes(), {&watcher}).update();
  }
  if (family == Family::store) {
    if (!has_shared_block(tree, host)) return Result::error;
    return StoreWalk<NodeWatch>(tree, block, host, {&watcher}).update();
  }
  if (family == Family::rule) return RuleRun<NodeWatch>(tree, RuleTree(tree), block, host, {&watcher}).update();
  unsigned char* agent = static_cast<unsigned char*>(block);
  if (!needs_evaluation(tree_record(tree), agent)) return Result::running;
  return evaluate(tree, agent, host, Watch{&watcher});
}

}  // namespace espalier
