// Ticks and halts the nodes of one agent. Functions call themselves for the nodes below, at most kMaxPollDepth times.
#pragma once
#include "core/host_call.h"
#include "core/watch.h"
#include "poll/blackboard.h"

namespace espalier {

class PollWalk {
 public:
  PollWalk(const Tree& view, const PollTreeView& tree, void* block, const Host& host, const Watcher* watcher)
      : tree_(tree),
        agent_(tree, block),
        board_(tree_, agent_),
        host_(host),
        caller_(view, block, host_),
        watcher_(watcher) {}

  Result update();
  // Halts the tree: every node, whether it runs or not.
  void halt_tree();

 private:
  using Node = const std::uint32_t*;

  // ---- Any node
  PollStatus execute(Node node);
  PollStatus precondition(Node node);
  bool run_hook(Node node, layout::PollHook hook);
  bool asks(Node node, layout::PollHook hook, bool* truth);
  void halt(Node node);
  void halted(Node node);
  void halt_try_catch(Node node);
  void reset(Node node);
  void reset_children(Node node);
  void set_status(Node node, PollStatus status);
  PollStatus fail(Node node, PollFault fault);
  bool has_failed() const { return fault_ != PollFault::none; }
  void run(Node node) { set_status(node, PollStatus::running); }
  bool is_idle(Node node) const { return agent_.status(node) == PollStatus::idle; }

  // ---- Ports: false: it cannot be read, and the update fails
  bool read(Node node, std::uint32_t port, PollValue* value);
  bool read_whole(Node node, std::uint32_t port, std::int64_t* whole);
  bool try_read(Node node, std::uint32_t port, PollValue* value, char* buffer) const;

  // ---- Kinds of nodes
  PollStatus tick(Node node);
  PollStatus tick_in_order(Node node, PollStatus goes_on, bool has_memory);
  PollStatus tick_reactive(Node node, PollStatus goes_on);
  PollStatus tick_parallel(Node node);
  PollStatus tick_parallel_all(Node node);
  PollStatus tick_if(Node node);
  PollStatus tick_while(Node node);
  PollStatus tick_switch(Node node);
  std::uint32_t chosen_case(Node node);
  PollStatus tick_try_catch(Node node);
  PollStatus tick_pipeline(Node node);
  PollStatus tick_recovery(Node node);
  PollStatus tick_round_robin(Node node);
  PollStatus tick_nonblocking(Node node);
  PollStatus tick_persistent(Node node);
  PollStatus tick_changed(Node node);
  PollStatus tick_repeat(Node node, PollStatus counted);
  PollStatus tick_timeout(Node node);
  PollStatus tick_delay(Node node);
  PollStatus tick_run_once(Node node);
  PollStatus tick_precondition(Node node);
  PollStatus tick_loop(Node node);
  PollStatus take_element(Node node, bool* has_element);
  PollStatus tick_updated(Node node);
  PollStatus tick_rate(Node node);
  PollStatus tick_trigger(Node node);
  PollStatus tick_gate(Node node);
  PollStatus tick_script_condition(Node node);
  PollStatus tick_set(Node node);
  PollStatus tick_unset(Node node);
  PollStatus tick_sleep(Node node);
  PollStatus tick_action(Node node);
  PollStatus tick_sync_action(Node node);
  PollStatus tick_condition(Node node);
  bool was_updated(Node node);
  std::uint32_t watched_entry(Node node) const;
  PollStatus answer(Node node, Result result);

  // ---- Timers
  void set_timer(Node node, std::uint64_t milliseconds);
  void clear_timer(Node node);
  void fire_due();
  void fire(Node node);
  std::uint32_t next_order() const;
  Node timer_node(std::uint32_t timer) const;

  const PollTreeView& tree_;
  const PollAgent agent_;
  const Blackboard board_;
  Host host_;
  HostCaller caller_;
  const Watcher* const watcher_;
  bool signal_ = false;
  PollFault fault_ = PollFault::none;
  Node fault_node_ = nullptr;
};

}  // namespace espalier
