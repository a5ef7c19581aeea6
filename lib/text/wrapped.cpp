// Lines of a width. See wrapped.h.
#include "text/wrapped.h"

#include <algorithm>

namespace espalier::text {

std::string wrapped(std::string_view text, std::size_t width, std::size_t indent) {
  std::string result;
  const auto add_line = [&](std::string_view line) {
    result.append(result.empty() || line.empty() ? 0 : indent, ' ').append(line) += '\n';
  };
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    while (line.size() > width && !line.starts_with(' ')) {
      std::size_t space = line.rfind(' ', width);
      if (space == std::string_view::npos) space = std::min(line.find(' '), line.size());
      add_line(line.substr(0, space));
      line.remove_prefix(std::min(space + 1, line.size()));
    }
    add_line(line);
  }
  return result.empty() ? "\n" : result;
}

}  // namespace espalier::text
