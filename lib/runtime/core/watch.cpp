// Watched updates, apart from agent.cpp so that a game that never watches does not link them.
#include "core/watch.h"
#include "decide/decide.h"
#include "decide/walk.h"
#include "rule/run.h"
#include "select/update.h"
#include "store/store.h"
#include "store/walk.h"
#include "tick/walk.h"

namespace espalier {
namespace {

// Of trees that tick, and of rules.
struct NodeWatch {
  const Watcher* watcher;
  void node(const NodeStep& step) const { tell_node(watcher, step); }
  const Watcher* changes() const { return watcher; }
};

struct Watch {
  const Watcher* watcher;
  void step(const Step& step) const { tell_step(watcher, step); }
};

// Each in a function of its own, so that no update needs the stack of all.
Result watch_selecting(const Tree& tree, void* block, const Host& host, const Watcher& watcher) {
  auto* agent = static_cast<unsigned char*>(block);
  if (!needs_evaluation(tree_record(tree), agent)) return Result::running;
  return evaluate(tree, agent, host, Watch{&watcher});
}

Result watch_ticking(const Tree& tree, void* block, const Host& host, const Watcher& watcher) {
  return TickWalk<NodeWatch>(tree, host, {&watcher}).update(block);
}

Result watch_rules(const Tree& tree, void* block, const Host& host, const Watcher& watcher) {
  return RuleRun<NodeWatch>(tree, RuleTree(tree), block, host, {&watcher}).update();
}

Result watch_deciders(const Tree& tree, void* block, const Host& host, const Watcher& watcher) {
  const DeciderTree deciders(tree);
  const DeciderScratch scratch(deciders, host);
  if (scratch.bytes() == nullptr) return Result::error;
  return DeciderWalk<DecideWatch>(tree, deciders, block, host, scratch.bytes(), {&watcher}).update();
}

Result watch_storing(const Tree& tree, void* block, const Host& host, const Watcher& watcher) {
  if (!has_shared_block(tree, host)) return Result::error;
  return StoreWalk<NodeWatch>(tree, block, host, {&watcher}).update();
}

using WatchedUpdate = Result (*)(const Tree& tree, void* block, const Host& host, const Watcher& watcher);

// ORDER: that of Family.
constexpr WatchedUpdate kWatchedUpdates[] = {watch_selecting, watch_ticking, watch_rules, watch_deciders,
                                             watch_storing};

}  // namespace

}  // namespace espalier

espalier_result espalier_update_watched(espalier_tree tree, void* block, const espalier_host* host,
                                        const espalier_watcher* watcher) {
  const auto family = static_cast<std::size_t>(espalier::family_of(tree));
  return espalier::kWatchedUpdates[family](tree, block, *host, *watcher);
}
