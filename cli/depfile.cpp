// Rules for make and ninja. See depfile.h.
#include "cli/depfile.h"

#include <utility>

namespace espalier::cli {
namespace {

// Can make and ninja both read this name, if it is escaped? In make, ';' begins a shell command, '=' an assignment and
// '|' order-only sources, '*' and '?' are wildcards, '%' in a target makes a pattern, "a(b)" is b in an archive, and
// '&' before ':' has a special meaning; ninja ends a name at '<', '>', '^' or '`'. Neither supports a line break in a
// name, and they disagree on a '\' before an escaped character.
bool can_be_named(std::string_view path, bool is_target) {
  constexpr std::string_view kUnnamed = ";=|*?<>^`";
  constexpr std::string_view kEscaped = " #:";
  if (path.empty() || std::string_view("\\)&").find(path.back()) != std::string_view::npos) return false;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const auto byte = static_cast<unsigned char>(path[i]);
    if (byte < 0x20 || byte == 0x7F || kUnnamed.find(path[i]) != std::string_view::npos) return false;
    if (path[i] == '\\' && kEscaped.find(path[i + 1]) != std::string_view::npos) return false;
  }
  return !is_target || path.find('%') == std::string_view::npos;
}

// '$' is doubled; a space, '#' and ':' get a '\' in front. At the beginning, '~' is a home folder in make, and a name
// such as .IGNORE is a special target.
std::string escaped_for_make(std::string_view path) {
  const bool is_special = path.front() == '~' || path.front() == '.';
  std::string result = is_special && !path.starts_with("./") && !path.starts_with("../") ? "./" : "";
  for (const char c : path) {
    if (c == ' ' || c == '#' || c == ':') result += '\\';
    if (c == '$') result += '$';
    result += c;
  }
  return result;
}

}  // namespace

bool depfile(const std::vector<std::string>& targets, const std::vector<std::string>& sources, std::string* rule,
             std::string* unnamed) {
  for (const auto* names : {&targets, &sources}) {
    for (const std::string& name : *names) {
      if (can_be_named(name, names == &targets)) continue;
      *unnamed = name;
      return false;
    }
  }
  std::string text;
  for (const std::string& target : targets) text.append(text.empty() ? "" : " ").append(escaped_for_make(target));
  text += ':';
  for (const std::string& source : sources) text.append(" \\\n  ").append(escaped_for_make(source));
  text += '\n';
  // A separate rule for each source, so that make continues when a file is gone. With '%' it would be a pattern rule.
  for (const std::string& source : sources) {
    if (can_be_named(source, true)) text.append("\n").append(escaped_for_make(source)).append(":\n");
  }
  *rule = std::move(text);
  return true;
}

}  // namespace espalier::cli
