// See beside.h.
#include "cli/beside.h"

#include <algorithm>
#include <iostream>

namespace espalier::cli {
namespace {

// In characters, not bytes.
std::size_t width_of(const std::string& line) {
  return static_cast<std::size_t>(std::count_if(
      line.begin(), line.end(), [](char each) { return (static_cast<unsigned char>(each) & 0xC0) != 0x80; }));
}

}  // namespace

void write_beside(std::vector<std::string> left, std::vector<std::string> right) {
  const std::size_t count = std::max(left.size(), right.size());
  left.resize(count);
  right.resize(count);
  std::size_t width = 0;
  for (const std::string& line : left) width = std::max(width, width_of(line));
  for (std::size_t i = 0; i < count; ++i) {
    const std::string blanks(width - width_of(left[i]), ' ');
    std::cout << left[i] << blanks << (right[i].empty() ? " |" : " | ") << right[i] << '\n';
  }
}

}  // namespace espalier::cli
