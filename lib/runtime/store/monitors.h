// The monitors that are registered for an agent: a circular list in order of registration, whose links are the states
// of the monitors. One that is reset stays in the list, without a result, until the list is walked or needs its place.
#pragma once
#include "store/tree.h"

namespace espalier {

// A link is half the offset of a monitor's state from the agent's first byte. A state of 0 is that of a monitor that is
// not in the list. The agent's header has the link of the last one, whose state has that of the first.
class MonitorList {
 public:
  explicit MonitorList(unsigned char* agent) : agent_(agent), header_(agent) {}

  static std::uint32_t link_of(const StoreInstance& instance, const std::uint32_t* monitor) {
    return (instance.offset() + kept_at(monitor)) / 2;
  }
  static std::uint32_t offset_of(std::uint32_t link) { return 2 * link; }

  std::uint32_t last() const { return header_.last_monitor(); }  // 0: the list is empty
  std::uint32_t next(std::uint32_t link) const { return load_u16(agent_ + offset_of(link)); }
  bool has(std::uint32_t link) const { return next(link) != 0; }

  void append(std::uint32_t link) const {
    const std::uint32_t before = last();
    set_next(link, before == 0 ? link : next(before));
    if (before != 0) set_next(before, link);
    header_.set_last_monitor(link);
  }

  // Removes the monitor after this one.
  void remove_after(std::uint32_t before) const {
    const std::uint32_t removed = next(before);
    const std::uint32_t after = next(removed);
    set_next(removed, 0);
    if (removed == before) return header_.set_last_monitor(0);
    set_next(before, after);
    if (removed == last()) header_.set_last_monitor(before);
  }

  // Monitors are removed and appended in the order of the tree, so the search begins where the last one ended.
  void remove(std::uint32_t link) {
    std::uint32_t before = before_removed_ != 0 && has(before_removed_) ? before_removed_ : last();
    while (next(before) != link) before = next(before);
    remove_after(before);
    before_removed_ = before;
  }

  // Calls `visit` with each link, in order. It returns false to end the walk, which returns that link; else 0.
  // Those for which `keep` is false are removed.
  template <typename Keep, typename Visit>
  std::uint32_t walk(const Keep& keep, const Visit& visit) const {
    std::uint32_t before = last();
    const std::uint32_t end = before;
    for (bool is_end = end == 0; !is_end;) {
      const std::uint32_t link = next(before);
      is_end = link == end;
      if (!keep(link)) {
        remove_after(before);
        continue;
      }
      before = link;
      if (!visit(link)) return link;
    }
    return 0;
  }

  // Removes those whose states are among these bytes of the agent, which are then used for something else.
  void remove_within(std::uint32_t begin, std::uint32_t end) {
    before_removed_ = 0;
    walk([&](std::uint32_t link) { return offset_of(link) < begin || offset_of(link) >= end; },
         [](std::uint32_t) { return true; });
  }
  void clear() const {
    walk([](std::uint32_t) { return false; }, [](std::uint32_t) { return true; });
  }

 private:
  void set_next(std::uint32_t link, std::uint32_t value) const { store_u16(agent_ + offset_of(link), value); }

  unsigned char* agent_;
  StoreHeader header_;
  std::uint32_t before_removed_ = 0;
};

}  // namespace espalier
