// The position of a walk in an agent of trees that store their results: the current instance of a tree, and the
// instances that contain it. Also finds nodes in all running instances.
#pragma once
#include "format/node.h"
#include "format/opcodes/store.h"
#include "store/monitors.h"

namespace espalier {

class StorePath {
 public:
  explicit StorePath(const StoreInstance& own) : instance_(own), level_total_(own.record().level_count) {
    levels_[0] = level_of(own, nullptr);
  }

  const StoreInstance& instance() const { return instance_; }
  std::uint32_t depth() const { return depth_; }
  // Enters the instance that runs in a store_child of this one.
  void go_in(const std::uint32_t* child) {
    instance_ = instance_.child(child);
    levels_[++depth_] = level_of(instance_, child);
  }
  // Leaves the instance, and returns the store_child that it runs in.
  const std::uint32_t* go_out() {
    const std::uint32_t* child = levels_[depth_].child;
    go_back_to(depth_ - 1);
    return child;
  }
  void go_back_to(std::uint32_t depth) {
    if (depth == depth_) return;
    depth_ = depth;
    instance_ = instance_.another(levels_[depth].tree, levels_[depth].offset);
  }
  void go_home() { go_back_to(0); }
  // The node of the agent's own tree that this node of the present instance is, or that its tree runs in.
  const std::uint32_t* own_node(const std::uint32_t* node) const { return depth_ == 0 ? node : levels_[1].child; }

  // Finds the first node with a result for which `is_it` is true. A store_child comes before the nodes of the tree that
  // runs in it. While `is_it` is called, and when a node is found, the path is at the node's instance. If there is
  // none, returns null, and the path is at the agent's own tree.
  template <typename IsIt>
  const std::uint32_t* find(const IsIt& is_it) {
    go_home();
    const std::uint32_t* node = next_result(nullptr);
    while (node != nullptr && !is_it(node)) node = next_result(node);
    return node;
  }

  // A path for searches during an evaluation, at the agent's own tree.
  StorePath from_home() const { return StorePath(instance_.another(levels_[0].tree, levels_[0].offset)); }

  // The last store_child that runs a tree in this slot.
  const std::uint32_t* find_last_of_slot(std::uint32_t slot) {
    std::uint32_t count = 0;
    const auto is_of_slot = [&](const std::uint32_t* node) {
      return opcode_of(node) == opcode::store_child && slot_of(node) == slot &&
             instance().stored(node) == Stored::running;
    };
    find([&](const std::uint32_t* node) {
      count += is_of_slot(node) ? 1 : 0;
      return false;
    });
    return find([&](const std::uint32_t* node) { return is_of_slot(node) && --count == 0; });
  }

  // The first group in which the agent has a seat and for which `is_it` is true.
  template <typename IsIt>
  const std::uint32_t* find_seat(const IsIt& is_it) {
    return find([&](const std::uint32_t* node) {
      return opcode_of(node) == opcode::store_group && instance().byte(kept_at(node)) != 0 && is_it(node);
    });
  }

  // Goes to the instance of the monitor with this link (see MonitorList), and returns the monitor; null if there is
  // none.
  const std::uint32_t* find_monitor(std::uint32_t link) {
    const std::uint32_t offset = MonitorList::offset_of(link);
    while (depth_ > 0 && !is_within(instance(), depth_, offset)) go_out();
    for (;;) {
      if (const std::uint32_t* monitor = instance().monitor_at(offset, &next_monitors_)) return monitor;
      const std::uint32_t* child = child_with(offset);
      if (child == nullptr) return nullptr;
      go_in(child);
    }
  }
  // The same; faster if it comes next after the one that was found last, as most do: they are registered in the order
  // of the tree.
  const std::uint32_t* find_next_monitor(std::uint32_t link) {
    const std::uint32_t* next = next_monitor(MonitorList::offset_of(link));
    return next != nullptr ? next : find_monitor(link);
  }

 private:
  // The monitor after the one that was found last, if it is the one with this offset; else null.
  const std::uint32_t* next_monitor(std::uint32_t offset) {
    if (next_monitors_.count == 0) return nullptr;
    const std::uint32_t* next = nodes_of(instance_.asset()) + *next_monitors_.words;
    if (!instance_.is_monitor_at(next, offset)) return nullptr;
    ++next_monitors_.words;
    --next_monitors_.count;
    return next;
  }

  // The first node after this one that has a result, null if there is none; after null the first one of the instance.
  const std::uint32_t* next_result(const std::uint32_t* node);

  // An instance, and the store_child of the containing instance that it runs in. Small, because the path has one for
  // each possible level.
  struct Level {
    const std::uint32_t* child;
    std::uint16_t tree;
    std::uint16_t offset;
  };
  static_assert(layout::kMaxStoreTrees <= 0xFFFF && layout::kMaxAgentBytes <= 0xFFFF);

  static Level level_of(const StoreInstance& instance, const std::uint32_t* child) {
    return {child, static_cast<std::uint16_t>(instance.tree()), static_cast<std::uint16_t>(instance.offset())};
  }

  // Is this byte of the agent in an instance at this depth, with its rooms?
  bool is_within(const StoreInstance& instance, std::uint32_t depth, std::uint32_t offset) const {
    return offset - instance.offset() < instance.need(level_total_ - depth);
  }
  // The store_child of the instance that has run a tree with this byte of the agent; null if there is none.
  const std::uint32_t* child_with(std::uint32_t offset) const {
    for (const std::uint32_t* node = instance().root(); node != instance().end(); node = next_node(node)) {
      if (instance().has_room(node) && is_within(instance().child(node), depth_ + 1, offset)) return node;
    }
    return nullptr;
  }

  StoreInstance instance_;                // that of levels_[depth_]
  std::uint32_t level_total_;             // of the agent's own tree
  Level levels_[layout::kMaxTreeLevels];  // uninitialized beyond depth_
  std::uint32_t depth_ = 0;
  MonitorWords next_monitors_;  // those after the one that was found last
};

}  // namespace espalier
