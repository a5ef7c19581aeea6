// Matches paths against .gitignore files. See gitignore.h.
#include "project/gitignore.h"

#include <algorithm>
#include <utility>

namespace espalier::project {
namespace {

// Does the class that begins at pattern[at] ("[a-z]") contain `c`? Moves `at` past it. A '[' that is never closed is an
// ordinary character.
bool class_matches(std::string_view pattern, std::size_t& at, char c) {
  std::size_t i = at + 1;
  const bool is_negated = i < pattern.size() && (pattern[i] == '!' || pattern[i] == '^');
  if (is_negated) ++i;
  bool found = false;
  for (const std::size_t first = i; i < pattern.size() && (pattern[i] != ']' || i == first); ++i) {
    if (pattern[i] == '\\' && i + 1 < pattern.size()) ++i;
    const auto low = static_cast<unsigned char>(pattern[i]);
    auto high = low;
    if (i + 2 < pattern.size() && pattern[i + 1] == '-' && pattern[i + 2] != ']') {
      i += 2;
      if (pattern[i] == '\\' && i + 1 < pattern.size()) ++i;
      high = static_cast<unsigned char>(pattern[i]);
    }
    const auto byte = static_cast<unsigned char>(c);
    found |= low <= byte && byte <= high;
  }
  if (i >= pattern.size()) {
    ++at;
    return c == '[';
  }
  at = i + 1;
  return found != is_negated;
}

// One name against one segment: '*', '?', '[...]' and '\'. Only the last '*' needs to be retried, so the number of
// steps is at most the product of the lengths.
bool segment_matches(std::string_view pattern, std::string_view name) {
  std::size_t p = 0;
  std::size_t n = 0;
  std::size_t star = std::string_view::npos;
  std::size_t star_name = 0;
  while (n < name.size()) {
    bool is_match = false;
    std::size_t next = p + 1;
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      star_name = n;
      continue;
    }
    if (p < pattern.size()) {
      if (pattern[p] == '?') {
        is_match = true;
      } else if (pattern[p] == '[') {
        next = p;
        is_match = class_matches(pattern, next, name[n]);
      } else if (pattern[p] == '\\' && p + 1 < pattern.size()) {
        is_match = pattern[p + 1] == name[n];
        next = p + 2;
      } else {
        is_match = pattern[p] == name[n];
      }
    }
    if (is_match) {
      p = next;
      ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++star_name;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

std::vector<std::string_view> split_path(std::string_view path) {
  std::vector<std::string_view> names;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    if (end > begin) names.push_back(path.substr(begin, end - begin));
    begin = end + 1;
  }
  return names;
}

// Whole paths: the same algorithm as in a segment, with "**" for '*' and names for characters.
bool path_matches(const std::vector<std::string>& segments, const std::vector<std::string_view>& names) {
  std::size_t s = 0;
  std::size_t n = 0;
  std::size_t star = std::string_view::npos;
  std::size_t star_name = 0;
  while (n < names.size()) {
    if (s < segments.size() && segments[s] == "**") {
      // At the end "a/**" matches what is in a, not a itself: it takes at least one name.
      if (s + 1 == segments.size()) return true;
      star = s++;
      star_name = n;
    } else if (s < segments.size() && segment_matches(segments[s], names[n])) {
      ++s;
      ++n;
    } else if (star != std::string_view::npos) {
      s = star + 1;
      n = ++star_name;
    } else {
      return false;
    }
  }
  return s == segments.size();
}

// Spaces at the end do not count unless preceded by '\'.
std::string_view without_trailing_spaces(std::string_view line) {
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  while (!line.empty() && line.back() == ' ' && !(line.size() > 1 && line[line.size() - 2] == '\\'))
    line.remove_suffix(1);
  return line;
}

}  // namespace

std::vector<IgnorePattern> parse_gitignore(std::string_view text) {
  if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);
  std::vector<IgnorePattern> patterns;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = without_trailing_spaces(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line[0] == '#') continue;
    IgnorePattern pattern;
    if (line[0] == '!') {
      pattern.is_negated = true;
      line.remove_prefix(1);
    }
    if (!line.empty() && line.back() == '/') {
      pattern.folders_only = true;
      line.remove_suffix(1);
    }
    // A '/' at the beginning or inside anchors a pattern at the file's folder; without one it matches at any depth.
    const bool is_anchored = line.find('/') != std::string_view::npos;
    if (!is_anchored) pattern.segments.emplace_back("**");
    for (const std::string_view segment : split_path(line)) pattern.segments.emplace_back(segment);
    if (pattern.segments.size() == (is_anchored ? 0u : 1u)) continue;
    const char first = pattern.segments.back().front();
    const bool is_literal = std::string_view("*?[\\").find(first) == std::string_view::npos;
    if (is_literal) pattern.last_begins_with = first;
    patterns.push_back(std::move(pattern));
  }
  return patterns;
}

bool matches(const IgnorePattern& pattern, std::string_view relative_path, bool is_folder) {
  if (pattern.folders_only && !is_folder) return false;
  return path_matches(pattern.segments, split_path(relative_path));
}

bool is_ignored(const IgnoreRules* rules, std::string_view absolute_path, bool is_folder) {
  for (; rules != nullptr; rules = rules->above.get()) {
    const std::vector<std::string_view> names = split_path(absolute_path.substr(rules->folder.size()));
    const char last_begins_with = names.empty() ? '\0' : names.back().front();
    for (auto pattern = rules->patterns.rbegin(); pattern != rules->patterns.rend(); ++pattern) {
      if (pattern->folders_only && !is_folder) continue;
      if (pattern->last_begins_with != '\0' && pattern->last_begins_with != last_begins_with) continue;
      if (path_matches(pattern->segments, names)) return !pattern->is_negated;
    }
  }
  return false;
}

}  // namespace espalier::project
