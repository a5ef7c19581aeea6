// In which order the library reads a file and what it includes: an included file comes before the trees of the file
// that includes it, and each is read once.
#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace espalier::dialects::btcpp {

// Files are numbers. Orders are found when they are asked for.
class LoadOrders {
 public:
  // `includes`: of each file, in the order of its elements. It must outlive this.
  explicit LoadOrders(const std::vector<std::vector<std::size_t>>& includes);

  // The file, which is the last one, and all that it includes, itself or through others.
  [[nodiscard]] std::span<const std::size_t> of(std::size_t file);
  // Is it one of these?
  [[nodiscard]] bool has(std::size_t file, std::size_t other);
  [[nodiscard]] bool is_alone(std::size_t file) const { return includes_[file].empty(); }

 private:
  void find(std::size_t file);

  const std::vector<std::vector<std::size_t>>& includes_;
  std::vector<std::vector<std::size_t>> orders_;  // of each file; empty: not asked for
  std::vector<std::vector<std::size_t>> sorted_;
};

}  // namespace espalier::dialects::btcpp
