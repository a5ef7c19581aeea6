// One update of an agent of trees that store their results: an evaluation from the root, depth first, and resets, which
// go backwards. Nothing recurses: nodes refer to their parents, and instances of trees are nested at most
// layout::kMaxTreeLevels deep.
#include "format/node.h"
#include "format/opcodes/store.h"
#include "store/calls.h"
#include "store/cursor.h"
#include "store/path.h"
#include "store/places.h"
#include "store/resets.h"
#include "store/seats.h"
#include "store/store.h"

namespace espalier {
namespace {

class StoreWalk {
 public:
  StoreWalk(HostCaller& caller, const Watcher* watcher)
      : asset_(*caller.call().tree.asset),
        host_(caller.host()),
        header_(caller.call().agent),
        cursor_(caller.call().tree, caller.call().agent),
        calls_(caller, watcher),
        path_(StoreInstance::of(caller.call().tree, caller.call().agent)),
        seats_(asset_, path_, header_, host_),
        places_(host_),
        resets_(calls_, path_, seats_, places_, host_),
        monitors_(instance().agent()),
        level_total_(instance().record().level_count) {}

  Result update() {
    const std::uint32_t* root = instance().root();
    const std::uint32_t* cause = header_.restarts() ? root : header_.seats() > 0 ? seats_.find_left() : nullptr;
    if (cause == nullptr) cause = ask_monitors();
    if (cause != nullptr) {
      calls_.watch(NodeStepKind::restart, cause);
      reset_all();
    }
    passed_each_ = false;
    const std::uint32_t* node = !calls_.is_watched() ? instance().node(cursor_.number()) : root;
    Result result = Result::running;
    node = go_down(node, &result);
    return end_update(go_on(node, 0, root, result));
  }

  // Ends an update that has called the action at the cursor, which gave this result: not running.
  Result update_after(const std::uint32_t* action, Result result) {
    calls_.behavior(action, {}).leave();
    if (result != Result::success) result = Result::failure;
    give(action, result);
    return end_update(go_on(action, 0, instance().root(), result));
  }

  // See go_on_storing().
  Result go_on_from(const std::uint32_t* asked) {
    for (const std::uint32_t* node = asked; !is_root(node);) {
      node = parent_of(node);
      if (looks(node)) ++lookers_;
    }
    instance().set_stored(asked, Stored::running);  // it has begun, and is asked again
    Result result = Result::running;
    const std::uint32_t* const node = go_down(asked, &result);
    return end_update(go_on(node, 0, instance().root(), result));
  }

  void reset_all() {
    path_.go_home();
    monitors_.clear();
    resets_.reset(instance().root());
    header_.begin_anew();
    cursor_.clear();
  }

  // Resets the trees that run in a slot, in reverse order.
  void reset_slot(std::uint32_t slot) {
    cursor_.clear();
    while (const std::uint32_t* node = path_.find_last_of_slot(slot)) resets_.reset(node);
  }

 private:
  const StoreInstance& instance() const { return path_.instance(); }

  // ---- Evaluating

  std::uint32_t link_of(const std::uint32_t* monitor) const { return MonitorList::link_of(instance(), monitor); }

  // Evaluates a node of the present instance with all its descendants, and returns its result.
  Result evaluate(const std::uint32_t* top) {
    const std::uint32_t depth = path_.depth();
    Result result = Result::running;
    const std::uint32_t* node = go_down(top, &result);
    return go_on(node, depth, top, result);
  }

  // A node below `top`, which is at this depth, has this result: goes up until a parent has another child to evaluate,
  // evaluates that, and so on. Returns the result of `top`.
  Result go_on(const std::uint32_t* node, std::uint32_t top_depth, const std::uint32_t* top, Result result) {
    for (;;) {
      const bool is_top = node == top && path_.depth() == top_depth;
      if (!is_top && !calls_.is_watched()) node = pass_plain(node, &result);
      if (result == Result::running && lookers_ == 0) {
        rest_ = path_.own_node(node);
        path_.go_back_to(top_depth);
        return result;
      }
      if (is_top) {
        rest_ = node;
        return result;
      }
      const std::uint32_t* next = go_up(&node, &result);
      if (next != nullptr) node = go_down(next, &result);
    }
  }

  // What go_up() and go_down() do where a sequence or selector goes on with a child that is an action without memory
  // and times or a condition: begins with a node that has this result, and ends with the last one that has one.
  const std::uint32_t* pass_plain(const std::uint32_t* node, Result* result) {
    static_assert(own_words<opcode::store_action>() == own_words<opcode::store_condition>());
    const Behavior* const behaviors = host_.behaviors;
    if (node == instance().root() || behaviors == nullptr) return node;
    const std::uint32_t* const list = parent_of(node);
    const Opcode opcode = opcode_of(list);
    if (opcode != opcode::store_sequence && opcode != opcode::store_selector) return node;
    const Result goes_on = opcode == opcode::store_sequence ? Result::success : Result::failure;
    const std::uint32_t* const end = end_of<opcode::store_sequence, opcode::store_selector>(list);
    const std::uint32_t* next = end_of(node);
    if (*result != goes_on || next == end) return node;
    const StoredResults results = instance().results();
    const bool may_have_memory = instance().may_have_memory();
    Result last = goes_on;
    calls_.forget_memory();
    do {
      const Stored stored = results[node_number(next)];
      const bool is_action = opcode_of(next) == opcode::store_action;
      if ((!is_action && opcode_of(next) != opcode::store_condition) || stored == Stored::running) break;
      if (stored != Stored::none) {
        last = to_result(stored);
      } else {
        if (is_action && may_have_memory && instance().has_memory(next)) break;
        last = is_action ? run_new(behaviors, next) : calls_.ask_plain(next) ? Result::success : Result::failure;
        results.give(node_number(next), to_stored(last));
      }
      node = next;
      next += own_words<opcode::store_action>();
    } while (last == goes_on && next != end);
    *result = last;
    return node;
  }
  // An action that begins and has no memory and times.
  Result run_new(const Behavior* behaviors, const std::uint32_t* action) {
    const BoundBehavior bound = calls_.plain_behavior(behaviors, action);
    bound.enter();
    const Result answer = bound.tick(Result::success);
    if (answer == Result::running) return answer;
    bound.leave();
    return answer == Result::success ? answer : Result::failure;
  }

  // The root has this result.
  Result end_update(Result result) {
    if (result == Result::running) {
      cursor_.set(resting_node());
    } else {
      reset_all();
    }
    return result;
  }

  // See StoreCursor.
  const std::uint32_t* resting_node() const {
    if (passed_each_) return instance().root();
    const std::uint32_t* rests = rest_;
    if (header_.seats() == 0) return rests;
    for (const std::uint32_t* node = rest_; !is_root(node); node = parent_of(node)) {
      if (opcode_of(parent_of(node)) == opcode::store_group) rests = parent_of(node);
    }
    return rests;
  }

  // Does the node keep its result, so that it is not evaluated?
  bool stands(const std::uint32_t* node) const {
    const Stored stored = instance().stored(node);
    if (!is_done(stored) || is_each(node)) return false;
    calls_.watch(NodeStepKind::skip, node, static_cast<std::uint32_t>(to_result(stored)));
    return true;
  }

  // Goes down through running sequences and selectors, to their first child that is evaluated.
  const std::uint32_t* pass_running(const std::uint32_t* node) {
    for (;;) {
      const Opcode opcode = opcode_of(node);
      const bool is_list = opcode == opcode::store_sequence || opcode == opcode::store_selector;
      if (!is_list || instance().stored(node) != Stored::running) return node;
      const std::uint32_t* last = end_of<opcode::store_sequence, opcode::store_selector>(node);
      node += own_words<opcode::store_sequence>();
      for (const std::uint32_t* next = end_of(node); next != last && stands(node); next = end_of(node)) node = next;
    }
  }

  // Goes down to a node that has a result, and returns both.
  const std::uint32_t* go_down(const std::uint32_t* node, Result* result) {
    for (;;) {
      node = pass_running(node);
      const Stored stored = instance().stored(node);
      if (stands(node)) {
        *result = to_result(stored);
        return node;
      }
      const std::uint32_t* child = begin(node, stored == Stored::none, result);
      if (child == nullptr) {
        give(node, *result);
        return node;
      }
      // Not for a store_child, whose result is already stored: its next node is the root of its tree.
      if (stored != Stored::running && child != instance().root()) instance().set_stored(node, Stored::running);
      if (looks(node)) ++lookers_;
      node = child;
    }
  }

  // The child to evaluate next; null if the node has a result.
  const std::uint32_t* begin(const std::uint32_t* node, bool is_new, Result* result) {
    if (is_new) calls_.watch(NodeStepKind::begin, node);
    switch (opcode_of(node)) {
      case opcode::store_condition:
        *result = calls_.ask_condition(node) ? Result::success : Result::failure;
        return nullptr;
      case opcode::store_action:
        *result = run_action(node, is_new);
        return nullptr;
      case opcode::store_repeat:
        if (is_new) instance().set_word(kept_at(node), 0);
        if (is_done(instance().stored(first_child(node)))) resets_.reset(first_child(node));
        return first_child(node);
      case opcode::store_monitor:
        if (is_new && monitors_.has(link_of(node)))
          monitors_.remove(link_of(node));  // it was registered before its reset
        return first_child(node);
      case opcode::store_gate:
        return !is_new || places_.count_in(node) ? first_child(node) : fail(result);
      case opcode::store_cooldown:
      case opcode::store_cooldown_all:
        return !is_new || places_.open_cooldown(instance(), node) ? first_child(node) : fail(result);
      case opcode::store_group:
        return begin_group(node, is_new, result);
      case opcode::store_role:
        return last_child(node);  // after its condition
      case opcode::store_barrier:
        if (is_new) seats_.arrive(node);
        *result = seats_.is_open(node) ? Result::success : Result::running;
        return nullptr;
      case opcode::store_child:
        return begin_child(node, is_new, result);
      default:
        return first_child(node);
    }
  }

  static const std::uint32_t* fail(Result* result) {
    *result = Result::failure;
    return nullptr;
  }

  Result run_action(const std::uint32_t* node, bool is_new) {
    Memory memory;
    const Times times = instance().times(node, &memory);
    if (is_new) times.begin(host_.clock_us);
    if (is_new && memory.size_bytes > 0) std::memset(memory.bytes, 0, memory.size_bytes);
    const BoundBehavior bound = calls_.behavior(node, times.of(memory, host_.clock_us));
    if (is_new) bound.enter();
    const Result answer = bound.tick(Result::success);
    times.called(host_.clock_us);
    const Result result = answer == Result::running || answer == Result::success ? answer : Result::failure;
    if (result != Result::running) bound.leave();
    return result;
  }

  // `*node` has this result, which is stored. Sets `*node` to its parent. Returns the next node to evaluate, or null if
  // the parent has a result too. Parents were stored as running on the way down.
  const std::uint32_t* go_up(const std::uint32_t** node, Result* result) {
    if (*node == instance().root()) {
      *node = path_.go_out();
      if (*result != Result::running) give(*node, *result);
      return nullptr;
    }
    const std::uint32_t* child = *node;
    const std::uint32_t* parent = parent_of(child);
    const std::uint32_t* next = end_of(child);
    const bool has_next = next != end_of(parent);
    *node = parent;
    switch (opcode_of(parent)) {
      case opcode::store_sequence:
        if (*result == Result::success && has_next) return next;
        break;
      case opcode::store_selector:
        if (*result == Result::failure && has_next) return next;
        break;
      case opcode::store_parallel:
        if (has_next) return next;
        *result = end_parallel(parent);
        break;
      default:
        if (*result != Result::running || looks(parent)) end_child(parent, result);
        break;
    }
    if (looks(parent)) --lookers_;
    if (*result != Result::running) give(parent, *result);
    return nullptr;
  }

  void give(const std::uint32_t* node, Result result) {
    instance().set_stored(node, to_stored(result));
    if (result != Result::running) calls_.watch(NodeStepKind::complete, node, static_cast<std::uint32_t>(result));
  }

  Result end_parallel(const std::uint32_t* node) {
    const Result result = result_of_parallel(instance(), node);
    if (result != Result::running) resets_.reset_children(node, first_child(node), Stored::running);
    return result;
  }

  // Computes the result of a node whose only child is done; if it looks(), whose child was evaluated.
  void end_child(const std::uint32_t* node, Result* result) {
    switch (opcode_of(node)) {
      case opcode::store_invert:
        *result = *result == Result::success ? Result::failure : Result::success;
        return;
      case opcode::store_succeed:
        *result = Result::success;
        return;
      case opcode::store_fail:
        *result = Result::failure;
        return;
      case opcode::store_repeat:
        if (is_each(node)) return reset_after(node, *result);
        *result = end_round(node, *result);
        return;
      case opcode::store_monitor:
        if (!monitors_.has(link_of(node))) monitors_.append(link_of(node));
        return;
      case opcode::store_gate:
        places_.count_out(node);
        return;
      case opcode::store_cooldown:
      case opcode::store_cooldown_all:
        if (!has_flag(node, kStartsAtEntry)) places_.close_cooldown(instance(), node);
        return;
      case opcode::store_role:
        seats_.complete_role(node, *result == Result::success);
        return;
      case opcode::store_group:
        *result = end_group(node);
        return;
      default:
        return;
    }
  }

  Result end_round(const std::uint32_t* node, Result result) {
    if (result == Result::failure && has_flag(node, kUntilFailure)) return result;
    const std::uint32_t maximum = operand<OperandKind::maximum, EngineId::store>(node);
    if (maximum == 0) return Result::running;
    const std::uint32_t count = instance().word(kept_at(node)) + 1;
    instance().set_word(kept_at(node), count);
    return count >= maximum ? Result::success : Result::running;
  }

  // A node that is evaluated again has this result. If the sequence or selector around it stops here, the children
  // after it that run are reset.
  void reset_after(const std::uint32_t* node, Result result) {
    if (result != Result::running) passed_each_ = true;
    if (is_root(node)) return;
    const std::uint32_t* parent = parent_of(node);
    const Opcode opcode = opcode_of(parent);
    if (opcode != opcode::store_sequence && opcode != opcode::store_selector) return;
    const Result goes_on = opcode == opcode::store_sequence ? Result::success : Result::failure;
    if (result != goes_on) resets_.reset_children(parent, end_of(node), Stored::running);
  }

  // ---- Groups and barriers

  const std::uint32_t* begin_group(const std::uint32_t* node, bool is_new, Result* result) {
    *result = Result::running;
    if (is_new && (!seats_.can_enter(node) || !seats_.enter(node, roles_met(node)))) return fail(result);
    const GroupView view = seats_.look(node, !is_new && seats_.has_waited_long(node));
    switch (view.state) {
      case GroupState::waits:
      case GroupState::done:
      case GroupState::restarts:
        return nullptr;
      case GroupState::works:
        return child_at(node, view.role);
      case GroupState::left:
        seats_.forget(node);
        return fail(result);
      case GroupState::broken:
        resets_.reset_children(node, first_child(node), Stored::none);
        seats_.leave(node, false);
        return fail(result);
      case GroupState::completed:
        *result = complete_group(node, view);
        return nullptr;
    }
    return nullptr;
  }

  // The roles whose conditions hold: a bit for each.
  std::uint16_t roles_met(const std::uint32_t* group) {
    std::uint32_t met = 0;
    std::uint32_t bit = 1;
    for (const std::uint32_t* role : children_of(group)) {
      const std::uint32_t* condition = first_child(role);
      const bool has_condition = end_of(condition) != end_of(role);
      if (!has_condition || calls_.ask_condition(condition)) met |= bit;
      bit <<= 1;
    }
    return static_cast<std::uint16_t>(met);
  }

  // Called when the role of this agent was completed.
  Result end_group(const std::uint32_t* node) {
    const GroupView view = seats_.look(node, false);
    return view.state == GroupState::completed ? complete_group(node, view) : Result::running;
  }

  Result complete_group(const std::uint32_t* node, const GroupView& view) {
    seats_.leave(node, false);
    return view.succeeds ? Result::success : Result::failure;
  }

  // ---- Trees in slots

  const std::uint32_t* begin_child(const std::uint32_t* node, bool is_new, Result* result) {
    if (is_new && !enter_child(node)) return fail(result);
    instance().set_stored(node, Stored::running);
    path_.go_in(node);
    return instance().root();
  }

  bool enter_child(const std::uint32_t* node) {
    const std::uint32_t injected = header_.slot(slot_of(node));
    const std::uint32_t tree = injected != 0 ? injected : operand<OperandKind::tree, EngineId::store>(node);
    if (tree == 0) return false;
    const std::uint32_t level_count = level_total_ - (path_.depth() + 1);  // for the tree that runs there
    // Injected trees that do not fit were refused. A default tree fits below its own tree, but may not fit below a tree
    // that allows more levels.
    if (level_count == 0 || need_of(asset_, tree - 1, level_count) > room_of(asset_, slot_of(node), level_count)) {
      calls_.too_deep(node);
      return false;
    }
    // If the same tree ran there last, the times of its cooldowns are kept; all other state was cleared by its reset.
    if (instance().word(kept_at(node)) == tree) return true;
    std::uint32_t following = instance().own_bytes();
    for (const std::uint32_t* before = instance().root(); before != node; before = next_node(before)) {
      if (opcode_of(before) == opcode::store_child) following += room_of(asset_, slot_of(before), level_count);
    }
    const std::uint32_t offset = instance().offset() + instance().room_offset(node, level_count + 1, following);
    take_room(offset, offset + room_of(asset_, slot_of(node), level_count), level_count);
    const StoreInstance child(asset_, tree - 1, instance().agent(), offset);
    child.clear();
    instance().set_word(kept_at(node), tree);
    instance().set_word(kept_at(node) + 2, offset);
    return true;
  }

  // Takes these bytes of the agent from the store_child nodes of the present instance that have them. The compiler lets
  // rooms overlap only where nobody misses what is reset here; in any other asset it is still safe.
  void take_room(std::uint32_t begin, std::uint32_t end, std::uint32_t level_count) {
    const std::uint32_t* node = instance().root();
    while ((node = instance().find_room(node, begin, end, level_count)) != nullptr) {
      const std::uint32_t other_begin = instance().word(kept_at(node) + 2);
      if (instance().stored(node) == Stored::running) {
        resets_.reset(node);
      } else if (instance().has_child(node)) {
        path_.go_in(node);
        resets_.reset(instance().root());
        path_.go_out();
      }
      monitors_.remove_within(other_begin, other_begin + room_of(asset_, slot_of(node), level_count));
      instance().set_word(kept_at(node), 0);
    }
  }

  // ---- Before the root is evaluated

  // The first of the registered monitors that succeeds now, or null. Later ones are not evaluated.
  const std::uint32_t* ask_monitors() {
    const std::uint32_t* monitor = nullptr;
    const auto is_registered = [&](std::uint32_t link) {
      monitor = path_.find_next_monitor(link);
      return instance().stored(monitor) != Stored::none;
    };
    const std::uint32_t succeeded = monitors_.walk(is_registered, [&](std::uint32_t) {
      const std::uint32_t* child = monitor + own_words<opcode::store_monitor>();
      if (opcode_of(child) == opcode::store_condition && !calls_.is_watched()) {  // mostly: no walk is needed
        const bool holds = calls_.ask_condition(child);
        instance().set_stored(child, holds ? Stored::success : Stored::failure);
        return !holds;
      }
      instance().clear(child);
      return evaluate(child) != Result::success;
    });
    path_.go_home();
    return succeeded == 0 ? nullptr : monitor;
  }

  const Asset& asset_;
  const Host& host_;
  const StoreHeader header_;
  const StoreCursor cursor_;
  StoreCalls calls_;
  StorePath path_;
  const StoreSeats seats_;
  const StorePlaces places_;
  StoreResets resets_;
  MonitorList monitors_;
  const std::uint32_t level_total_;
  std::uint32_t lookers_ = 0;            // parents of the evaluated node for which looks() is true
  const std::uint32_t* rest_ = nullptr;  // of the agent's own tree: the node that the last evaluation ended at
  bool passed_each_ = false;             // has a node for which is_each() is true had a result in this update?
};

// Resets the trees in a slot, or all (kNone).
void reset(const Tree& tree, void* block, std::uint32_t slot, const Host& host) {
  if (!has_shared_block(tree, host)) return;
  HostCaller caller(tree, block, host);
  StoreWalk walk(caller, nullptr);
  slot == layout::kNone ? walk.reset_all() : walk.reset_slot(slot);
}

}  // namespace

Result walk_storing(HostCaller& caller, const Watcher* watcher, bool has_called, Result result) {
  StoreWalk walk(caller, watcher);
  if (!has_called) return walk.update();
  return walk.update_after(nodes_of(*caller.call().tree.asset) + caller.call().node_word, result);
}

Result go_on_storing(const Tree& tree, void* block, const Host& host, const Watcher& watcher,
                     const std::uint32_t* asked) {
  HostCaller caller(tree, block, host);
  return StoreWalk(caller, &watcher).go_on_from(asked);
}

void stop_storing(const Tree& tree, void* block, const Host& host) { reset(tree, block, layout::kNone, host); }

void reset_slot(const Tree& tree, void* block, std::uint32_t slot, const Host& host) { reset(tree, block, slot, host); }

}  // namespace espalier
