// Orders of included files. See load_orders.h.
#include "dialects/btcpp/load_orders.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace espalier::dialects::btcpp {

LoadOrders::LoadOrders(const std::vector<std::vector<std::size_t>>& includes)
    : includes_(includes), orders_(includes.size()), sorted_(includes.size()) {}

void LoadOrders::find(std::size_t file) {
  std::vector<std::size_t>& order = orders_[file];
  std::unordered_set<std::size_t> seen = {file};
  std::vector<std::pair<std::size_t, std::size_t>> open = {{file, 0}};  // and how many of its includes were followed
  while (!open.empty()) {
    auto& [at, next] = open.back();
    if (next == includes_[at].size()) {
      order.push_back(at);
      open.pop_back();
      continue;
    }
    const std::size_t included = includes_[at][next++];
    if (seen.insert(included).second) open.emplace_back(included, 0);
  }
  sorted_[file] = order;
  std::sort(sorted_[file].begin(), sorted_[file].end());
}

std::span<const std::size_t> LoadOrders::of(std::size_t file) {
  if (orders_[file].empty()) find(file);
  return orders_[file];
}

bool LoadOrders::has(std::size_t file, std::size_t other) {
  if (file == other || is_alone(file)) return file == other;
  if (orders_[file].empty()) find(file);
  return std::binary_search(sorted_[file].begin(), sorted_[file].end(), other);
}

}  // namespace espalier::dialects::btcpp
