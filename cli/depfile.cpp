// File names for other programs. See depfile.h.
#include "cli/depfile.h"

#include <algorithm>
#include <array>
#include <utility>

#include "text/names.h"

namespace espalier::cli {
namespace {

// Names of devices on Windows, with any extension.
bool is_device_name(std::string_view stem) {
  constexpr std::array kDevices = {"con", "prn", "aux", "nul"};
  const std::string name = text::lower_case(stem.substr(0, stem.find('.')));
  if (std::find(kDevices.begin(), kDevices.end(), name) != kDevices.end()) return true;
  return name.size() == 4 && (name.starts_with("com") || name.starts_with("lpt")) && name[3] >= '1' && name[3] <= '9';
}

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

std::string file_stem(std::string_view tree_name) {
  constexpr std::string_view kForbidden = "/\\:*?\"<>|";
  std::string stem(tree_name);
  for (char& c : stem) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F || kForbidden.find(c) != std::string_view::npos) c = '_';
  }
  // A dot at the beginning hides a file; some systems drop a dot or a space at the end.
  if (stem.empty() || stem.front() == '.' || stem.front() == '-' || is_device_name(stem)) stem.insert(0, "_");
  if (stem.back() == '.' || stem.back() == ' ') stem += '_';
  return stem;
}

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
