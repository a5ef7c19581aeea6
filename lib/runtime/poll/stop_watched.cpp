// Apart from poll.cpp, so that programs that do not watch pay nothing.
#include "poll/poll.h"
#include "poll/walk.h"

namespace espalier {

void stop_polling_watched(const Tree& tree, void* block, const Host& host, const Watcher& watcher) {
  const PollTreeView view(tree);
  PollWalk(tree, view, block, host, &watcher).stop();
}

}  // namespace espalier
