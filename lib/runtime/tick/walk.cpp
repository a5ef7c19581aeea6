// One update of an agent whose tree ticks: the walk of the engine tick (opcodes.def). It is iterative: it continues at
// the present node of each region, goes down into nodes that begin, and up with results. When it returns from a branch,
// the state of the region around the parallel is known for all parallels except one, for which it is stored (Begun).
#include "core/random.h"
#include "core/watch.h"
#include "format/node.h"
#include "format/opcodes/tick.h"
#include "tick/leave.h"
#include "tick/plain.h"
#include "tick/tick.h"

namespace espalier {
namespace {

class TickWalk {
 public:
  TickWalk(const TickAgent& agent, HostCaller& caller, const Watcher* watcher)
      : agent_(agent),
        watcher_(watcher),
        caller_(caller),
        walks_plain_(watcher == nullptr && caller.host().behaviors != nullptr && agent.is_narrow) {}

  Result update() {
    const unsigned status = agent_.status();
    if ((status & layout::kStopped) != 0) return Result::stopped;
    const std::uint32_t present = agent_.cursor(kRootRegion);
    looks_ = (status & (layout::kChanged | layout::kTransitionWaits)) != 0;
    if (status != 0) agent_.set_status(0);
    return run(present == kNoWord ? begin_root() : resume(kRootRegion, present));
  }

  // Ends an update that has called the action at the cursor: see walk_ticking_after().
  Result update_after(std::uint32_t action, Result result) {
    word_ = action;
    result_ = result;
    enter_region(kRootRegion, action);
    return run(end_action(agent_.behavior(action, caller_)));
  }

 private:
  using Move = TickMove;

  // The outermost parallel that has begun in this update and is being updated, and the state of the region that
  // contains it. Outer parallels were active before the update. No node inside it was active, so no loop has looped.
  struct Begun {
    std::uint32_t parallel = kNoWord;
    std::uint32_t old_word = kNoWord;
    std::uint32_t looped = kNoWord;
  };

  Result run(Move move) {
    for (;;) {
      switch (move) {
        case Move::begin:
          move = begin();
          break;
        case Move::give:
          move = give();
          break;
        case Move::rest:
          move = rest();
          break;
        case Move::end:
          return result_;
      }
    }
  }

  // See walk_plain(). Either the node at word_ is a list that begins, or it has ended in a list.
  Move pass_plain(Move move) {
    TickPosition position = {word_, old_word_, result_};
    move = walk_plain(agent_, caller_, place_, move, &position);
    word_ = position.word;
    old_word_ = position.old_word;
    result_ = position.result;
    return move;
  }

  // ---- Down

  Move begin_root() {
    enter_region(kRootRegion, kNoWord);
    word_ = 0;
    return Move::begin;
  }

  Move begin() {
    std::uint32_t word = word_;
    for (;;) {
      const std::uint32_t* node = agent_.nodes[word];
      const Opcode opcode = opcode_of(node);
      if (watcher_ != nullptr) tell(*watcher_, agent_, NodeStepKind::begin, word);
      if (opcode == opcode::tick_action) {  // most nodes are this or one of the next two: faster than the switch
        word_ = word;
        set_present(word);
        return update_action(node, true);
      }
      word_ = word;
      if (is_list(opcode)) {
        if (walks_plain_) return pass_plain(Move::begin);
        word += own_words<opcode::tick_sequence>();
        continue;
      }
      switch (opcode) {
        case opcode::tick_suppress:
        case opcode::tick_case:
        case opcode::tick_state:
          break;
        case opcode::tick_loop:
          if (operand<OperandKind::count, opcode::tick_loop>(node) != 0) *agent_.state_of(node) = 0;
          break;
        case opcode::tick_log:
          set_present(word_);
          log(operand<OperandKind::text, opcode::tick_log>(node));
          break;
        case opcode::tick_priority:
          return enter_case(word_, holding_case(word_));
        case opcode::tick_machine:
          *agent_.state_of(node) = TickAgent::kNothingWaits;
          break;
        case opcode::tick_parallel:
          begin_parallel(node);
          return next_branch(word_, agent_.nodes.first_child(word_));
        case opcode::tick_script_wrapper:
          set_present(word_);
          run_script(agent_, word_, operand<OperandKind::script, opcode::tick_script_wrapper>(node), caller_);
          break;
        case opcode::tick_wrapper:
          if (!enter_wrapper()) return fail();
          break;
        case opcode::tick_guard:
        case opcode::tick_chance_guard:
        case opcode::tick_time_guard:
        case opcode::tick_limit:
        case opcode::tick_scope:
        case opcode::tick_script_guard:
          if (!is_open(node)) return fail();
          break;
        default:
          return begin_leaf(node);
      }
      word = word_ + own_words(opcode);
    }
  }

  Move fail() {
    result_ = Result::failure;
    return Move::give;
  }

  // Is the guard open? Tested once.
  bool is_open(const std::uint32_t* node) {
    switch (opcode_of(node)) {
      case opcode::tick_guard:
        return holds(agent_.asset, operand<OperandKind::condition, opcode::tick_guard>(node), agent_.bytes);
      case opcode::tick_chance_guard:
        return draw_chance(agent_.number(operand<OperandKind::number, opcode::tick_chance_guard>(node)));
      case opcode::tick_time_guard:
        return compares(node);
      case opcode::tick_limit:
        return count_in(caller_.host().shared, operand<OperandKind::limit, opcode::tick_limit>(node),
                        operand<OperandKind::maximum, opcode::tick_limit>(node));
      case opcode::tick_scope:
        return take_scope(agent_, node, caller_.host());
      default:
        set_present(word_);
        return run_script(agent_, word_, operand<OperandKind::script, opcode::tick_script_guard>(node), caller_);
    }
  }

  bool enter_wrapper() {
    set_present(word_);
    const BoundBehavior bound = agent_.behavior(word_, caller_);
    bound.enter();
    if (bound.allow()) return true;
    bound.leave();
    return false;
  }

  std::uint64_t draw(espalier_draw_kind kind, std::uint64_t limit) {
    return choose_bits(watcher_, kind, limit, next_random(agent_.generator()));
  }

  bool draw_chance(std::uint64_t chance) {
    if (!draws_chance(chance)) return chance != 0;
    return draw(ESPALIER_DRAW_CHANCE, chance) >> 11 <= chance;
  }

  // Does the time since a timestamp was set compare as the node says?
  bool compares(const std::uint32_t* node) const {
    const std::uint32_t flags = flags_of(node);
    const std::uint32_t timestamp = operand<OperandKind::timestamp, opcode::tick_time_guard, opcode::tick_time>(node);
    const std::uint64_t set = timestamp == layout::kNone ? layout::kNeverSet : load_u64(agent_.time_at(timestamp));
    if (set == layout::kNeverSet) return (flags & kTimeNeverSet) != 0;
    if (set == layout::kCleared) return false;
    const auto elapsed_us = static_cast<std::int64_t>(caller_.host().clock_us - set);
    const auto bound_us = static_cast<std::int64_t>(
        agent_.number(operand<OperandKind::number, opcode::tick_time_guard, opcode::tick_time>(node)));
    return (flags & kTimeIsLess) != 0 ? elapsed_us < bound_us : elapsed_us > bound_us;
  }

  // ---- Leaves

  Move begin_leaf(const std::uint32_t* node) {
    set_present(word_);
    switch (opcode_of(node)) {
      case opcode::tick_message:
        log(operand<OperandKind::text, opcode::tick_message>(node));
        result_ = Result::success;
        return Move::give;
      case opcode::tick_wait:
        store_u64(agent_.state_of(node), end_of_wait(node));
        break;
      case opcode::tick_wait_event:
        *agent_.state_of(node) = 0;
        break;
      case opcode::tick_send:
        tell_node(watcher_, NodeStepKind::send, agent_.unit_word + word_,
                  operand<OperandKind::signal, opcode::tick_send>(node));
        raise(agent_, operand<OperandKind::signal, opcode::tick_send>(node), caller_.host(), nullptr, watcher_);
        break;
      case opcode::tick_queue:
        tell_node(watcher_, NodeStepKind::send, agent_.unit_word + word_,
                  operand<OperandKind::signal, opcode::tick_queue>(node));
        caller_.queue(agent_.unit_word + word_, operand<OperandKind::signal, opcode::tick_queue>(node),
                      static_cast<Receivers>(flags_of(node) >> kReceiversShift));
        break;
      default:
        break;
    }
    return update_leaf(node);
  }

  std::uint64_t end_of_wait(const std::uint32_t* node) {
    constexpr std::uint64_t kNever = 0xFFFFFFFFFFFFFFFF;
    std::uint64_t wait_us = agent_.number(operand<OperandKind::number, opcode::tick_wait>(node));
    if (const std::uint64_t variation_us = agent_.number(operand<OperandKind::number, opcode::tick_wait>(node, 1));
        variation_us > 0) {
      const double drawn = unit_of(draw(ESPALIER_DRAW_TIME, variation_us));
      const auto more_us = static_cast<std::uint64_t>(drawn * static_cast<double>(variation_us));
      wait_us = more_us < kNever - wait_us ? wait_us + more_us : kNever;
    }
    return wait_us < kNever - caller_.host().clock_us ? caller_.host().clock_us + wait_us : kNever;
  }

  Move update_leaf(const std::uint32_t* node) {
    result_ = leaf_result(node);
    return result_ == Result::running ? Move::rest : Move::give;
  }

  Move end_action(const BoundBehavior& bound) {
    if (result_ != Result::success) result_ = Result::failure;
    bound.leave();
    return Move::give;
  }

  Move update_action(const std::uint32_t* node, bool begins) {
    const std::uint64_t clock_us = caller_.host().clock_us;
    if (begins) agent_.begin_memory(node, clock_us);
    Memory memory;
    const Times times = agent_.times_of(node, &memory);
    const BoundBehavior bound = caller_.behavior(operand<OperandKind::behavior, opcode::tick_action>(node),
                                                 agent_.unit_word + word_, times.of(memory, clock_us));
    if (begins) bound.enter();
    result_ = bound.tick(Result::success);
    if (result_ == Result::running) {
      times.called(clock_us);
      return Move::rest;
    }
    return end_action(bound);
  }

  Result leaf_result(const std::uint32_t* node) {
    switch (opcode_of(node)) {
      case opcode::tick_wait:
        return caller_.host().clock_us >= load_u64(agent_.state_of(node)) ? TickAgent::result_flag(node)
                                                                          : Result::running;
      case opcode::tick_wait_event:
        return *agent_.state_of(node) != 0 ? TickAgent::result_flag(node) : Result::running;
      case opcode::tick_condition:
        return holds(agent_.asset, operand<OperandKind::condition, opcode::tick_condition>(node), agent_.bytes)
                   ? Result::success
                   : TickAgent::result_flag(node);
      case opcode::tick_time:
        return compares(node) ? Result::success : TickAgent::result_flag(node);
      case opcode::tick_script: {
        const bool is_true =
            run_script(agent_, word_, operand<OperandKind::script, opcode::tick_script>(node), caller_);
        const bool decides = (flags_of(node) & kScriptDecides) != 0;
        return is_true || !decides ? Result::success : Result::failure;
      }
      default:
        return TickAgent::result_flag(node);
    }
  }

  // ---- Up

  // Node word_ has ended and released what it held: its parent uses result_, and may end too.
  Move give() {
    for (;;) {
      const std::uint32_t child = word_;
      const std::uint32_t* node = agent_.nodes[child];
      if (watcher_ != nullptr)
        tell(*watcher_, agent_, NodeStepKind::complete, child, static_cast<std::uint32_t>(result_));
      const std::uint32_t up = words_to_parent(node);
      if (up == 0) return end_root();
      const Opcode opcode = opcode_of(node - up);
      if (walks_plain_ && is_list(opcode)) return pass_plain(Move::give);
      word_ = child - up;
      const bool was_old = child == old_word_;
      if (was_old) old_word_ = word_;
      const std::uint32_t* parent = agent_.nodes[word_];
      if (is_list(opcode)) {
        const Result goes_on = opcode == opcode::tick_sequence ? Result::success : Result::failure;
        const std::uint32_t extent = extent_of(node);
        const bool is_last = up + extent == extent_of<opcode::tick_sequence, opcode::tick_selector>(parent);
        if (result_ != goes_on || is_last) continue;
        word_ = child + extent;  // there is a next one
        return Move::begin;
      }
      switch (opcode) {
        case opcode::tick_suppress:
          result_ = Result::success;
          break;
        case opcode::tick_loop:
          if (const Move move = take_loop(parent, was_old); move != Move::give) return move;
          break;
        case opcode::tick_log:
          set_present(word_);
          log(operand<OperandKind::text, opcode::tick_log>(parent, result_ == Result::success ? 1 : 2));
          break;
        case opcode::tick_wrapper:
          set_present(word_);
          if (result_ == Result::success && flags_of(parent) == kWrapperKeeps) return Move::rest;
          undo(agent_, word_, caller_, false);
          break;
        case opcode::tick_script_wrapper:
          set_present(word_);
          undo(agent_, word_, caller_, false);
          break;
        case opcode::tick_limit:
        case opcode::tick_scope:
          undo(agent_, word_, caller_, false);
          break;
        case opcode::tick_branch:
          return take_branch();
        default:
          break;
      }
    }
  }

  // The loop's child has ended. If it was running at the end of the last update, it begins again at once, and the
  // result of that round is not counted.
  Move take_loop(const std::uint32_t* loop, bool was_old) {
    const bool until_success = (flags_of(loop) & kLoopsUntilSuccess) != 0;
    if (result_ != (until_success ? Result::failure : Result::success)) return Move::give;
    if (looped_ != word_) {
      if (const std::uint32_t count = operand<OperandKind::count, opcode::tick_loop>(loop); count != 0) {
        unsigned char& counted = *agent_.state_of(loop);
        if (counted + 1u >= count) return Move::give;
        ++counted;
      }
      if (was_old) {
        looped_ = word_;
        word_ += own_words<opcode::tick_loop>();
        return Move::begin;
      }
    }
    set_present(word_);
    return Move::rest;
  }

  Move end_root() {
    agent_.set_cursor(kRootRegion, kNoWord);
    if ((agent_.ticking.flags & layout::kStaysStopped) != 0) agent_.set_status(layout::kStopped);
    return Move::end;
  }

  Move rest() {
    if (region_ != kRootRegion) return next_branch(agent_.nodes.parent_of(region_), agent_.nodes.end_of(region_));
    result_ = Result::running;
    return Move::end;
  }

  // ---- Parallels

  void begin_parallel(const std::uint32_t* node) {
    set_present(word_);
    const std::uint32_t count = agent_.branch_count(word_);
    unsigned char* bits = agent_.state_of(node);
    std::memset(bits, 0, parallel_bytes(count));
    TickAgent::set_bit(bits, count + static_cast<std::uint32_t>(ParallelBit::entering), true);
    ++parallel_depth_;
    if (begun_.parallel == kNoWord) begun_ = {word_, old_word_, looped_};
  }

  // The current region is a branch that has a result.
  Move take_branch() {
    const std::uint32_t parallel = agent_.nodes.parent_of(word_);
    const ParallelBit bit = result_ == Result::success ? ParallelBit::some_succeeded : ParallelBit::some_failed;
    agent_.set_active_branch(word_, false);
    TickAgent::set_bit(agent_.state_of(agent_.nodes[parallel]),
                       agent_.branch_count(parallel) + static_cast<std::uint32_t>(bit), true);
    return next_branch(parallel, agent_.nodes.end_of(word_));
  }

  // Continues a parallel at `branch`, which may be its end.
  Move next_branch(std::uint32_t parallel, std::uint32_t branch) {
    if (branch == agent_.nodes.end_of(parallel)) return end_branches(parallel);
    const std::uint32_t count = agent_.branch_count(parallel);
    const unsigned char* bits = agent_.state_of(agent_.nodes[parallel]);
    if (TickAgent::bit(bits, count + static_cast<std::uint32_t>(ParallelBit::entering))) {
      enter_region(branch, kNoWord);
      word_ = agent_.nodes.first_child(branch);
      agent_.set_active_branch(branch, true);
      set_present(word_);
      return Move::begin;
    }
    branch = agent_.active_branch(parallel, branch);
    return branch == kNoWord ? end_branches(parallel) : resume(branch, agent_.cursor(branch));
  }

  // All branches are updated: the result of the parallel.
  Move end_branches(std::uint32_t parallel) {
    leave_branches(parallel);
    word_ = parallel;
    const std::uint32_t* node = agent_.nodes[parallel];
    unsigned char* bits = agent_.state_of(node);
    const std::uint32_t count = agent_.branch_count(parallel);
    const auto has = [&](ParallelBit bit) { return TickAgent::bit(bits, count + static_cast<std::uint32_t>(bit)); };
    TickAgent::set_bit(bits, count + static_cast<std::uint32_t>(ParallelBit::entering), false);
    const bool none_runs = agent_.branch_inside(parallel) == kNoWord;
    const bool some_succeeded = has(ParallelBit::some_succeeded);
    const bool some_failed = has(ParallelBit::some_failed);
    const std::uint32_t flags = flags_of(node);
    if ((flags & kSucceedsWithAny) != 0 ? some_succeeded : none_runs && !some_failed) {
      result_ = Result::success;
    } else if ((flags & kFailsWithAll) != 0 ? none_runs && !some_succeeded : some_failed) {
      result_ = Result::failure;
    } else {
      return Move::rest;
    }
    const Result result = result_;
    interrupt(agent_, region_, parallel, parallel, caller_, watcher_);
    result_ = result;
    return Move::give;
  }

  // Returns to the region that contains a parallel.
  void leave_branches(std::uint32_t parallel) {
    const std::uint32_t region = --parallel_depth_ == 0 ? kRootRegion : agent_.region_of(parallel);
    if (parallel == begun_.parallel) {
      enter_region(region, begun_.old_word);
      looped_ = begun_.looped;
      begun_ = {};
    } else {
      enter_region(region, begun_.parallel == kNoWord ? parallel : kNoWord);
    }
  }

  // ---- Continuing

  // Updates an active region at its present node, unless one of the node's parents begins another child.
  Move resume(std::uint32_t region, std::uint32_t present) {
    enter_region(region, present);
    word_ = present;
    if (looks_ || (agent_.status() & (layout::kChanged | layout::kTransitionWaits)) != 0) {
      const std::uint32_t changing = changing_parent(present);
      if (changing != kNoWord) return change(changing, present);
    }
    const std::uint32_t* node = agent_.nodes[present];
    const Opcode opcode = opcode_of(node);
    if (opcode == opcode::tick_action) return update_action(node, false);
    if (opcode_info(opcode).children == Children::none) return update_leaf(node);
    if (opcode == opcode::tick_parallel) {
      ++parallel_depth_;
      return next_branch(present, agent_.nodes.first_child(present));
    }
    if (opcode == opcode::tick_priority) return enter_case(present, holding_case(present));
    if (opcode == opcode::tick_machine) return enter_state(present);
    word_ += own_words(opcode);
    return Move::begin;
  }

  // The topmost parent of the present node that must begin another child, or kNoWord.
  std::uint32_t changing_parent(std::uint32_t present) const {
    std::uint32_t changing = kNoWord;
    for (std::uint32_t child = present; !agent_.is_region_top(child);) {
      const std::uint32_t parent = agent_.nodes.parent_of(child);
      const Opcode opcode = agent_.nodes.opcode(parent);
      if (opcode == opcode::tick_priority && holding_case(parent) != child) changing = parent;
      if (opcode == opcode::tick_machine && *agent_.state_of(agent_.nodes[parent]) != TickAgent::kNothingWaits) {
        changing = parent;
      }
      child = parent;
    }
    return changing;
  }

  // Chooses the case before the old one ends: changes that the host makes meanwhile count at the next update.
  Move change(std::uint32_t changing, std::uint32_t present) {
    const bool is_machine = agent_.nodes.opcode(changing) == opcode::tick_machine;
    const std::uint32_t chosen = is_machine ? kNoWord : holding_case(changing);
    interrupt(agent_, region_, present, changing, caller_, watcher_);
    old_word_ = word_ = changing;
    return is_machine ? enter_state(changing) : enter_case(changing, chosen);
  }

  // The first case whose condition is true, or kNoWord.
  std::uint32_t holding_case(std::uint32_t priority) const {
    const std::uint32_t end = agent_.nodes.end_of(priority);
    for (std::uint32_t each = agent_.nodes.first_child(priority); each != end; each = agent_.nodes.end_of(each)) {
      if (holds(agent_.asset, operand<OperandKind::condition, opcode::tick_case>(agent_.nodes[each]), agent_.bytes))
        return each;
    }
    return kNoWord;
  }

  Move enter_case(std::uint32_t priority, std::uint32_t chosen) {
    word_ = priority;
    if (chosen == kNoWord) return fail();
    word_ = agent_.nodes.first_child(chosen);
    return Move::begin;
  }

  Move enter_state(std::uint32_t machine) {
    unsigned char& waiting = *agent_.state_of(agent_.nodes[machine]);
    const std::uint32_t number = waiting == TickAgent::kNothingWaits ? 0 : waiting;
    waiting = TickAgent::kNothingWaits;
    word_ = agent_.nodes.first_child(agent_.nodes.child_at(machine, number));
    return Move::begin;
  }

  // ---- Helpers

  void enter_region(std::uint32_t region, std::uint32_t old_word) {
    region_ = region;
    place_ = agent_.cursor_place(region);
    if (place_ == nullptr) place_ = nowhere_;
    old_word_ = old_word;
    looped_ = kNoWord;
  }

  // Host functions that are called from now on see this node as the present one.
  void set_present(std::uint32_t word) const { agent_.store_cursor(place_, word); }

  void log(std::uint32_t text) {
    if (text != 0) caller_.log(agent_.unit_word + word_, name_at(agent_.asset, text));
  }

  const TickAgent& agent_;
  const Watcher* const watcher_;
  HostCaller& caller_;
  const bool walks_plain_;  // through lists
  Result result_ = Result::running;
  bool looks_ = false;  // has a variable changed, or does a transition wait?
  std::uint32_t word_ = 0;
  // In the present region, the lowest node that was active when the update began and has not ended since.
  std::uint32_t old_word_ = kNoWord;
  std::uint32_t looped_ = kNoWord;  // the loop whose child has begun for the second time in this update
  std::uint32_t region_ = kRootRegion;
  unsigned char* place_ = nowhere_;  // where its cursor is stored
  unsigned char nowhere_[4] = {};
  std::uint32_t parallel_depth_ = 0;  // parallels that are being updated
  Begun begun_;
};

}  // namespace

Result walk_ticking(const TickAgent& agent, HostCaller& caller, const Watcher* watcher) {
  return TickWalk(agent, caller, watcher).update();
}

Result walk_ticking(const Tree& tree, void* block, const Host& host) {
  HostCaller caller(tree, block, host);
  return walk_ticking(TickAgent(tree, block), caller, nullptr);
}

Result walk_ticking_after(const TickAgent& agent, HostCaller& caller, Result result) {
  return TickWalk(agent, caller, nullptr).update_after(caller.call().node_word - agent.unit_word, result);
}

Result walk_ticking_after(const Call& called, Result result) {
  HostCaller caller(called);
  return walk_ticking_after(TickAgent(called.tree, called.agent), caller, result);
}

}  // namespace espalier
