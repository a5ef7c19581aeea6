// Ticks and halts the nodes of one agent. The walk is iterative: it goes down to a child that is executed or halted,
// and up to the parent when that has answered or is halted. What a node must remember meanwhile is in a frame, one for
// each level of the tree.
#pragma once
#include "core/host_call.h"
#include "core/watch.h"
#include "format/node.h"
#include "format/opcodes/poll.h"
#include "poll/blackboard.h"
#include "poll/memory.h"
#include "poll/progress.h"

namespace espalier {

// What a part of an update has done with a node, by its number. It depends on nothing else than the statuses and the
// memory of these nodes, what their ports and scripts read if they were walked, and the statuses of their children, and
// changes nothing else.
enum class PollVisit : unsigned char {
  none,
  halted,  // at most that, and no script but that of _onHalted was run
  walked
};

class PollWalk {
 public:
  using Node = const std::uint32_t*;

  PollWalk(const Tree& view, const PollTreeView& tree, void* block, const Host& host, const Watcher* watcher)
      : tree_(tree),
        agent_(tree, block),
        board_(tree_, agent_),
        caller_(view, block, host),
        watcher_(watcher),
        rested_(agent_.cursor()) {
    progress_.call.board = &board_;
    agent_.set_cursor(0);
  }

  // `action`: the one that this update has called, if that goes on (kGoesOn); then its answer, and the fault of the
  // call.
  Result update(Node action = nullptr, Result answer = Result::running, PollFault fault = PollFault::none);
  // Does what was left of an update when the host was asked about a node: asks it again, with the block as it was then.
  // The update must have been watched, and this one must be. `stopped`: the host has given it up, and the block is
  // worth nothing.
  Result go_on_from(const PollProgress& asked, Node node, PollVisit* visits = nullptr);
  // An update from its beginning, of a tree without timers, which the host may give up, too. `visits`: see PollVisit;
  // null: nobody asks for them.
  Result begin_explored(PollVisit* visits);
  // Goes on as go_on_from() does, until this node above the other one has answered. `error`: it has not; with a
  // fault(), the update has failed.
  PollStatus go_on_within(const PollProgress& asked, Node node, Node above);
  PollFault fault() const { return progress_.call.fault; }
  // What is left of an update that has failed at this node.
  Result go_on_failed(const PollProgress& asked, Node node, PollFault fault, PollVisit* visits);
  // What is left of an update, of a tree without timers, once this node has answered so. `asked`: see above; its depth
  // is that of the node.
  Result go_on_after(const PollProgress& asked, Node node, PollStatus status, PollVisit* visits);
  // Halts the tree, every node, whether it runs or not, and logs the first error of that.
  void stop();
  void stop_watched();  // the same; nodes that need no walk take none

 private:
  // The next step of the walk.
  enum class Move : std::uint8_t {
    execute,  // node_ is executed
    give,     // node_ has answered status_
    halt,     // node_ is halted
    reset,    // the children of node_ from child_ on are reset
    end       // the first node has answered status_, is halted, or there was an error
  };

  // Why a node that is ticked is looked at.
  enum class Event : std::uint8_t {
    begin,
    answered,  // by child_: status_
    reset      // its children are reset, and its frame has the stage
  };

  // What a node waits for while its children are reset; kinds of nodes have more, from kFirstOwn on.
  enum Stage : std::uint8_t {
    kTicked,
    kGives,          // the status in its frame
    kHalted,         // it is halted
    kDecided,        // its own conditions have decided; the same, then it is skipped
    kCatchResets,    // a poll_try_catch that is halted
    kCatchRuns,      // its last child is executed
    kCatchIsHalted,  // its last child is reset
    kFirstOwn
  };
  static constexpr std::uint8_t kOnlyOne = 0x80;  // with a stage: only one child is reset

  using Frame = PollFrame;

  // As those of format/node.h: all nodes of the engine have one size, and their extent in one place.
  static Node first_child(Node node) { return node + kPolledWords; }
  static Node end_of(Node node) { return espalier::end_of<opcode::poll_action>(node); }
  static Node child_at(Node node, std::uint32_t index) { return espalier::child_at<opcode::poll_action>(node, index); }

  PollFault halt_tree();
  // `halts`: halts a node that needs no walk. A template, so that programs that do not watch have nothing of it.
  // Returns the first fault of a script of _onHalted.
  template <typename HaltsAtOnce>
  PollFault halt_tree_but(const HaltsAtOnce& halts) {
    const Node root = tree_.root();
    run(Move::halt, root);
    PollFault first = progress_.call.fault;
    progress_.call.fault = PollFault::none;
    for (std::uint32_t i = 0; i < tree_.unit.node_count; ++i) {
      const Node node = tree_.node(i);
      if (halts(node)) continue;
      run(Move::halt, node);
      if (progress_.call.fault == PollFault::none) continue;
      if (first == PollFault::none) first = progress_.call.fault;
      progress_.call.fault = PollFault::none;
      // What a poll_try_catch catches can fail each time that it is halted; the nodes below it follow.
      if (opcode_of(node) == opcode::poll_try_catch) clear_memory(node);
      set_idle(node);
    }
    set_idle(root);
    return first;
  }
  bool halts_at_once(Node node);
  void take(const PollProgress& asked);
  Move ask_again(Node node);
  PollStatus walk_visiting(Move move, PollVisit* visits);
  Result end_explored(std::uint16_t round, PollVisit* visits = nullptr);
  Move call_again(Node node);
  PollStatus run(Move move, Node node);
  PollStatus walk(Move move);
  PollStatus go_on(Node action, Result result, PollFault fault);
  Move make(Move move) {
    switch (move) {
      case Move::execute:
        return execute_node();
      case Move::give:
        return give_node();
      case Move::halt:
        return halt_node();
      case Move::reset:
        return reset_from_child();
      case Move::end:
        break;
    }
    return Move::end;
  }
  Move execute_node();
  Move give_node();
  Move halt_node();
  Move reset_from_child();
  Move end_reset();
  Move end_halt();
  Move halt_children();
  Move halt_try_catch();
  Move halt_try_catch(Event event);
  // These are functions of their own, as most kinds of nodes call them.
  Move fail(Node node, PollFault fault);
  Frame& frame() { return progress_.frames[progress_.depth]; }

  // ---- Plain nodes: plain.cpp
  // A node with children that has no flags and is of these kinds.
  static bool is_plain(Node node) {
    constexpr auto bit_of = [](Opcode opcode) { return std::uint64_t{1} << static_cast<unsigned>(opcode) % 64; };
    constexpr std::uint64_t kPlain = bit_of(opcode::poll_sequence) | bit_of(opcode::poll_fallback) |
                                     bit_of(opcode::poll_reactive_sequence) | bit_of(opcode::poll_reactive_fallback) |
                                     bit_of(opcode::poll_invert) | bit_of(opcode::poll_subtree);
    const std::uint32_t kind = node[0] & 0xFFFF;
    static_assert(static_cast<unsigned>(opcode::poll_sequence) / 64 ==
                  static_cast<unsigned>(opcode::poll_subtree) / 64);
    return kind / 64 == static_cast<unsigned>(opcode::poll_sequence) / 64 && (kPlain >> kind % 64 & 1) != 0;
  }
  Move walk_plain();
  void hold(Node list, Node child);
  void hold_path(Node top, Node node);
  bool settle(Node list);
  bool answer_leaf(Node leaf);
  Move leave_plain(Node top, Node node);
  Move give_plain(Node top, Node node, PollStatus status);
  Move rest_plain(Node top, Node leaf);

  // ---- What a kind of node does next
  Move execute(Node child) {
    node_ = child;
    progress_.frames[++progress_.depth] = {};
    return Move::execute;
  }
  Move give(PollStatus status) {
    status_ = status;
    return Move::give;
  }
  Move reset(Node child, std::uint32_t stage) {
    child_ = child;
    frame().stage = static_cast<std::uint8_t>(stage);
    return Move::reset;
  }
  Move reset_one(Node child, std::uint32_t stage) { return reset(child, stage | kOnlyOne); }
  Move reset_one_and_give(Node child, PollStatus status) {
    frame().given = status;
    return reset_one(child, kGives);
  }
  Move reset_all(std::uint32_t stage, PollStatus status) {
    frame().given = status;
    return reset(first_child(node_), stage);
  }
  Move reset_all_and_give(PollStatus status) { return reset_all(kGives, status); }
  void clear_memory(Node node) { std::memset(agent_.memory(node), 0, memory_bytes(node, tree_.polled_of(node))); }
  unsigned char* has_caught(Node node) const;
  bool needs_halt(Node node) const { return agent_.status(node) == PollStatus::running; }

  // ---- Any node
  // `name`: of an entry or a port that the fault is about, which outlives the walk.
  PollStatus refuse(Node node, PollFault fault, std::string_view name);
  PollStatus refuse(Node node, PollFault fault);
  void log_fault(PollFault fault);
  PollStatus precondition(Node node);
  bool run_script(Node node, std::uint32_t script, bool* truth);
  // `script`: 0: there is none.
  bool run_hook(Node node, std::uint32_t script) { return script == 0 || run_script(node, script, nullptr); }
  // The truth of the node's own script.
  bool ask_script(Node node, bool* truth) {
    const std::uint32_t script = tree_.polled_of(node).script;
    if (script != 0) return run_script(node, script, truth);
    refuse(node, PollFault::empty_script);
    return false;
  }
  // Those of a completed status_.
  bool run_end_hooks(Node node) {
    const Polled& polled = tree_.polled_of(node);
    return run_hook(node, status_ == PollStatus::success ? polled.on_success : polled.on_failure) &&
           run_hook(node, polled.post);
  }
  void set_status(Node node, PollStatus status);
  void tell_status(Node node, PollStatus before, PollStatus status);
  void set_idle(Node node) { set_status(node, PollStatus::idle); }
  bool has_failed() const { return progress_.call.fault != PollFault::none; }
  void run(Node node) { set_status(node, PollStatus::running); }
  bool is_idle(Node node) const { return agent_.status(node) == PollStatus::idle; }
  std::uint32_t child_count_of(Node node) const { return tree_.polled_of(node).child_count; }

  // ---- Ports: false: it cannot be read, and the update fails
  bool read(Node node, std::uint32_t port, PollValue* value);
  bool read_whole(Node node, std::uint32_t port, std::int64_t* whole);
  bool try_read(Node node, std::uint32_t port, PollValue* value, char* buffer) const;

  // ---- Kinds of nodes: the function of an opcode has its name, and a row in the table is all that declares it
#define OP(number, name, ...) Move name(Node node, Event event);
#include "format/opcodes/poll.def"
#undef OP
  Move tick(Event event);
  Move in_order(Node node, Event event, PollStatus goes_on, bool has_memory);
  Move reactive(Node node, Event event, PollStatus goes_on);
  std::uint32_t chosen_case(Node node) const;
  Move changed(Node node, Event event, PollStatus success, PollStatus failure, PollStatus skipped);
  Move repeat(Node node, Event event, PollStatus counted);
  Move end_timed(Node node);
  PollStatus take_element(Node node, bool* has_element);
  bool was_updated(Node node, unsigned char* seen);
  std::uint32_t watched_entry(Node node) const;
  Move answer(Node node, Result result);
  // Ticks an action that is not completed, which begins if it is idle, and ends unless it runs or the update has
  // failed.
  Result ask(const BoundBehavior& action, PollStatus before) const {
    if (before == PollStatus::idle) action.enter();
    const Result result = action.tick(Result::success);
    const bool ends = result != Result::running && (result != Result::skipped || before == PollStatus::idle);
    if (ends && !has_failed()) action.leave();
    return result;
  }

  // ---- Timers
  void set_timer(Node node, std::uint64_t milliseconds);
  void clear_timer(Node node);
  void fire_due();
  void fire(Node node);
  std::uint32_t next_order(std::uint64_t due_us) const;
  Node timer_node(std::uint32_t timer) const;
  std::uint64_t clock_us() const { return caller_.call().clock_us; }

  std::uint32_t timer_state(Node node) const { return agent_.timer_state(node); }
  void set_timer_state(Node node, std::uint32_t state) const { agent_.set_timer_state(node, state); }

  const PollTreeView& tree_;
  const PollAgent agent_;
  const Blackboard board_;
  HostCaller caller_;
  const Watcher* const watcher_;
  // The cursor that the agent had, while the block is as it was then.
  std::uint32_t rested_;
  PollProgress progress_;
  Node fault_node_ = nullptr;
  std::string_view fault_name_ = {};
  Node node_ = nullptr;
  Node child_ = nullptr;
  PollStatus status_ = PollStatus::idle;
};

}  // namespace espalier
