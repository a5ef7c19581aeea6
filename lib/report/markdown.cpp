// Text in Markdown. See markdown.h.
#include "report/markdown.h"

#include <algorithm>

#include "text/visible.h"

namespace espalier::report::markdown {
namespace {

// So many backticks that they end no code.
std::string fence_around(std::string_view text, std::size_t least) {
  std::size_t longest = 0;
  std::size_t run = 0;
  for (const char letter : text) {
    run = letter == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return std::string(std::max(longest + 1, least), '`');
}

}  // namespace

std::string plain(std::string_view text) {
  std::string result;
  for (const char letter : text::visible(text)) {
    if (std::string_view("\\`*_{}[]()<>#+!|~@").find(letter) != std::string_view::npos) result += '\\';
    result += letter;
  }
  return result;
}

std::string code(std::string_view text) {
  const std::string fence = fence_around(text, 1);
  const char* const space = fence.size() > 1 ? " " : "";
  return fence + space + text::visible(text) + space + fence;
}

std::string xml_block(std::string_view line, std::size_t indent) {
  const std::string fence = fence_around(line, 3);
  const std::string begin(indent, ' ');
  return begin + fence + "xml\n" + begin + text::visible(line) + '\n' + begin + fence + '\n';
}

}  // namespace espalier::report::markdown
