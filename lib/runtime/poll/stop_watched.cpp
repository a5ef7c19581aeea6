// Apart from poll.cpp, so that programs that do not watch pay nothing. Those that explore halt often: most nodes of a
// tree need no walk.
#include "poll/nodes.h"
#include "poll/poll.h"
#include "poll/walk.h"

namespace espalier {

// Nothing of the node runs, and its children are idle.
bool PollWalk::halts_at_once(Node node) {
  const PollHalt halt = shape_of(opcode_of(node)).halt;
  if (!is_idle(node) || halt == PollHalt::itself || tree_.polled_of(node).on_halted != 0) return false;
  const Node end = end_of(node);
  for (Node child = first_child(node); child != end; child = end_of(child)) {
    if (!is_idle(child)) return false;
  }
  if (halt == PollHalt::clears) clear_memory(node);
  if (halt == PollHalt::clears_first) *agent_.memory(node) = 0;
  return true;
}

void PollWalk::stop_watched() {
  const PollFault fault = halt_tree_but([this](Node node) { return halts_at_once(node); });
  if (fault != PollFault::none) log_fault(fault);
}

void stop_polling_watched(const Tree& tree, void* block, const Host& host, const Watcher& watcher) {
  const PollTreeView view(tree);
  PollWalk(tree, view, block, host, &watcher).stop_watched();
}

}  // namespace espalier
