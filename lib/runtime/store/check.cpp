// Checks blocks and shared blocks with any content of trees that store. Checks everything in a block that updates use
// without checking: the offsets of the trees in it, and the seats in groups.
#include "format/node.h"
#include "format/opcodes/store.h"
#include "store/cursor.h"
#include "store/path.h"
#include "store/store.h"

namespace espalier {
namespace {

// Visits all instances of trees in a block, also those that do not run any more, because they may run again with their
// present content.
class StoreCheck {
 public:
  StoreCheck(const Tree& view, void* block, void* shared)
      : asset_(*view.asset),
        shared_(shared),
        header_(block),
        cursor_(view, block),
        path_(StoreInstance::of(view, block)),
        level_total_(path_.instance().record().level_count) {}

  bool check() {
    if (path_.instance().record().child_count > 0 && !check_slots()) return false;
    if (!check_cursor()) return false;
    following_ = path_.instance().own_bytes();
    const std::uint32_t* node = path_.instance().root();
    for (;;) {
      while (node == path_.instance().end()) {
        if (path_.depth() == 0) return seat_count_ == header_.seats() && check_monitors();
        const std::uint32_t offset = path_.instance().offset();
        node = path_.go_out();
        following_ = offset - path_.instance().offset() + room(node);
        node = next_node(node);
      }
      if (!check_node(node)) return false;
      if (path_.instance().has_room(node)) {
        path_.go_in(node);
        following_ = path_.instance().own_bytes();
        node = path_.instance().root();
        continue;
      }
      if (opcode_of(node) == opcode::store_child) following_ += room(node);
      node = next_node(node);
    }
  }

 private:
  bool is_tree(std::uint32_t tree) const {
    return tree < tree_count(asset_) && engine_id_of(Tree{&asset_, tree}) == EngineId::store;
  }

  bool check_slots() const {
    for (std::uint32_t i = 0; i < slot_count(asset_); ++i) {
      const std::uint32_t stored = header_.slot(i);
      if (stored != 0 && !is_tree(stored - 1)) return false;
    }
    return true;
  }

  bool check_cursor() const {
    const StoreInstance& own = path_.instance();
    if (cursor_.number() >= own.node_count()) return false;
    const std::uint32_t* node = own.node(cursor_.number());
    if (opcode_of(node) == opcode::store_action && cursor_.number() != 0 && own.stored(node) != Stored::running) {
      return false;
    }
    while (!is_root(node)) {
      node = parent_of(node);
      if (own.stored(node) != Stored::running || !StoreCursor::passes_on(node)) return false;
    }
    return true;
  }

  // For the tree in a store_child of this instance: the number of levels, and the room.
  std::uint32_t level_count() const { return level_total_ - (path_.depth() + 1); }
  std::uint32_t room(const std::uint32_t* child) const { return room_of(asset_, slot_of(child), level_count()); }

  // The list returns to its last monitor, and has all monitors that have a link, and no others.
  bool check_monitors() {
    const MonitorList monitors(path_.instance().agent());
    std::uint32_t link = monitors.last();
    if (monitor_count_ == 0) return link == 0;
    for (std::uint32_t i = 0; i < monitor_count_; ++i) {
      if (link == 0 || path_.find_monitor(link) == nullptr) return false;
      link = monitors.next(link);
      if (link == monitors.last() && i + 1 < monitor_count_) return false;
    }
    return link == monitors.last();
  }

  bool check_node(const std::uint32_t* node) {
    const StoreInstance& here = path_.instance();
    const bool runs = here.stored(node) == Stored::running;
    switch (opcode_of(node)) {
      case opcode::store_child: {
        const std::uint32_t tree = here.word(kept_at(node));
        if (tree == 0) return !runs;
        if (!is_tree(tree - 1) || level_count() == 0) return false;
        const std::uint32_t begin = here.offset() + here.room_offset(node, level_count() + 1, following_);
        // The bytes of the room are no other node's.
        return here.word(kept_at(node) + 2) == begin && need_of(asset_, tree - 1, level_count()) <= room(node) &&
               here.find_room(next_node(node), begin, begin + room(node), level_count()) == nullptr;
      }
      case opcode::store_group: {
        const std::uint32_t seat = here.byte(kept_at(node));
        const layout::Group& group = here.group(node);
        if (seat > group.role_count || runs != (seat != 0)) return false;
        if (seat == 0) return true;
        ++seat_count_;
        return shared_ == nullptr || StoreGroup(group, shared_).is_taken(seat - 1);
      }
      case opcode::store_monitor:
        monitor_count_ += here.word(kept_at(node)) != 0 ? 1 : 0;
        return true;
      case opcode::store_gate:
        return !runs || shared_ == nullptr ||
               static_cast<SharedValue*>(shared_)[shared_value_of(node)].load(std::memory_order_relaxed) > 0;
      default:
        return true;
    }
  }

  const Asset& asset_;
  void* const shared_;
  const StoreHeader header_;
  const StoreCursor cursor_;
  StorePath path_;
  const std::uint32_t level_total_;
  std::uint32_t following_ = 0;  // the offset of the next store_child's room in the instance, if rooms do not overlap
  std::uint32_t seat_count_ = 0;
  std::uint32_t monitor_count_ = 0;  // those with a link
};

}  // namespace

// Nothing is written through the pointers.
bool check_storing(const Tree& tree, const void* block, const void* shared) {
  return StoreCheck(tree, const_cast<void*>(block), const_cast<void*>(shared)).check();
}

bool check_shared_store(const Tree& tree, const void* shared) {
  const auto groups = records<layout::Group>(*tree.asset, layout::SectionId::groups);
  for (std::uint32_t i = 0; i < record_count(*tree.asset, layout::SectionId::groups); ++i) {
    if (!StoreGroup(groups[i], const_cast<void*>(shared)).can_go_on()) return false;
  }
  return true;
}

}  // namespace espalier
