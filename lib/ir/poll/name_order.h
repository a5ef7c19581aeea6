// Finds things in a list by their names: few one by one, many by a sorted order that is made when it is first needed.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string_view>
#include <vector>

namespace espalier::ir::poll {

// Kept beside the list. A list that grows, or whose names change, gets a new order; it must not be one that another
// thread reads, unless it is short.
class NameOrder {
 public:
  // The first with the name; null if there is none.
  template <typename Things>
  [[nodiscard]] auto find(const Things& things, std::string_view name) const -> decltype(things.data()) {
    if (things.size() <= kFew) {
      const auto found =
          std::find_if(things.begin(), things.end(), [&](const auto& each) { return each.name == name; });
      return found == things.end() ? nullptr : &*found;
    }
    if (order_.size() != things.size()) {
      order_.resize(things.size());
      std::iota(order_.begin(), order_.end(), 0U);
      std::stable_sort(order_.begin(), order_.end(),
                       [&](std::uint32_t a, std::uint32_t b) { return things[a].name < things[b].name; });
    }
    const auto found =
        std::lower_bound(order_.begin(), order_.end(), name,
                         [&](std::uint32_t each, std::string_view key) { return things[each].name < key; });
    return found == order_.end() || things[*found].name != name ? nullptr : &things[*found];
  }

 private:
  static constexpr std::size_t kFew = 64;
  mutable std::vector<std::uint32_t> order_;
};

}  // namespace espalier::ir::poll
