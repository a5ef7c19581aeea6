// Watched updates, apart from agent.cpp so that a game that never watches does not link them.
#include "update.h"

namespace espalier {
namespace {

struct Watch {
  const Watcher* watcher;
  void step(const Step& step) const {
    if (watcher->step != nullptr) watcher->step(watcher->user, step);
  }
};

}  // namespace

Result update_watched(const Tree& tree, void* block, const Host& host, const Watcher& watcher) {
  unsigned char* agent = static_cast<unsigned char*>(block);
  if (!needs_evaluation(tree_record(tree), agent)) return Result::running;
  return evaluate(tree, agent, host, Watch{&watcher});
}

}  // namespace espalier
