// Line coverage as LCOV writes it, which tools such as genhtml show.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace espalier::report {

// The record of one file; its lines in order.
class LcovWriter {
 public:
  explicit LcovWriter(std::string_view file);
  // A line with something to reach, whether it is reached, and each of its branches.
  void add(std::uint32_t line, bool is_hit, const std::vector<bool>& branches);
  // The whole record.
  std::string text() const;

 private:
  std::string file_;
  std::string branches_;
  std::string lines_;
  std::size_t branch_count_ = 0;
  std::size_t taken_count_ = 0;
  std::size_t line_count_ = 0;
  std::size_t hit_count_ = 0;
};

}  // namespace espalier::report
