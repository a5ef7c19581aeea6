// .editorconfig. See editor_config.h.
#include "project/editor_config.h"

#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

#include "project/gitignore.h"
#include "system/filesystem.h"
#include "text/names.h"

namespace espalier::project {
namespace {

namespace fs = system::filesystem;

constexpr std::size_t kMaxFileBytes = std::size_t{1} << 20;
constexpr std::size_t kMaxGlobs = 256;  // that the braces of one section stand for
constexpr std::size_t kMaxGlobBytes = 1024;

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

std::optional<int> whole(std::string_view text) {
  int number = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (fault != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// ---- Globs

// The place of the '}' that closes the '{' at `begin`, and of the commas between; none: it is never closed.
std::vector<std::size_t> parts_of_braces(std::string_view glob, std::size_t begin) {
  std::vector<std::size_t> places;
  int depth = 0;
  for (std::size_t at = begin; at < glob.size(); ++at) {
    if (glob[at] == '\\') {
      ++at;
    } else if (glob[at] == '{') {
      ++depth;
    } else if (glob[at] == ',' && depth == 1) {
      places.push_back(at);
    } else if (glob[at] == '}' && --depth == 0) {
      places.push_back(at);
      return places;
    }
  }
  return {};
}

// "{1..3}" as its numbers; nothing if it is no range.
std::vector<std::string> range_of(std::string_view text) {
  const std::size_t dots = text.find("..");
  if (dots == std::string_view::npos) return {};
  const std::optional<int> first = whole(text.substr(0, dots));
  const std::optional<int> last = whole(text.substr(dots + 2));
  if (!first || !last || *last < *first || std::int64_t{*last} - *first >= std::int64_t{kMaxGlobs}) return {};
  std::vector<std::string> numbers;
  for (int number = *first; number <= *last; ++number) numbers.push_back(std::to_string(number));
  return numbers;
}

// The globs without braces that a glob stands for. Of more than kMaxGlobs, only these.
std::vector<std::string> without_braces(std::string_view glob) {
  std::vector<std::string> done;
  std::vector<std::string> open = {std::string(glob)};
  while (!open.empty() && done.size() + open.size() <= kMaxGlobs) {
    const std::string next = std::move(open.back());
    open.pop_back();
    std::size_t begin = 0;
    std::vector<std::size_t> places;
    for (; begin < next.size() && places.empty(); ++begin) {
      if (next[begin] == '\\') {
        ++begin;
      } else if (next[begin] == '{') {
        places = parts_of_braces(next, begin);
      }
    }
    if (places.empty()) {
      done.push_back(next);
      continue;
    }
    const std::string before = next.substr(0, begin - 1);
    const std::string after = next.substr(places.back() + 1);
    std::vector<std::string> choices;
    if (places.size() == 1) {
      const std::string inside = next.substr(begin, places[0] - begin);
      choices = range_of(inside);
      if (choices.empty()) choices.push_back("\\{" + inside + "\\}");  // these characters
    } else {
      for (const std::size_t place : places) {
        choices.push_back(next.substr(begin, place - begin));
        begin = place + 1;
      }
    }
    for (const std::string& choice : choices) open.push_back(before + choice + after);
  }
  return done;
}

// A glob without braces as segments; "a**b" within a segment goes over folders too.
std::vector<std::string> segments_of(std::string_view glob) {
  std::vector<std::string> segments;
  const bool is_anchored = glob.find('/') != std::string_view::npos;
  if (!is_anchored) segments.emplace_back("**");
  if (!glob.empty() && glob.front() == '/') glob.remove_prefix(1);
  for (std::size_t begin = 0; begin <= glob.size();) {
    const std::size_t end = std::min(glob.find('/', begin), glob.size());
    std::string segment(glob.substr(begin, end - begin));
    const std::size_t stars = segment.find("**");
    if (stars != std::string::npos && segment.size() > 2) {
      if (stars > 0) segments.push_back(segment.substr(0, stars) + '*');
      segments.emplace_back("**");
      if (stars + 2 < segment.size()) segments.push_back('*' + segment.substr(stars + 2));
    } else {
      segments.push_back(std::move(segment));
    }
    begin = end + 1;
  }
  return segments;
}

// ---- Files

struct Property {
  std::string name, value;
};

// The text of one file. Properties of the sections that match, in order.
struct Read {
  bool is_root = false;
  std::vector<Property> properties;
};

Read read_text(std::string_view text, std::string_view relative_path) {
  Read read;
  bool has_section = false;
  bool is_ours = false;
  if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line.front() == '#' || line.front() == ';') continue;
    if (line.front() == '[' && line.back() == ']') {
      has_section = true;
      is_ours = section_matches(line.substr(1, line.size() - 2), relative_path);
      continue;
    }
    const std::size_t equal = line.find('=');
    if (equal == std::string_view::npos) continue;
    Property property{text::lower_case(trimmed(line.substr(0, equal))),
                      text::lower_case(trimmed(line.substr(equal + 1)))};
    if (!has_section && property.name == "root") read.is_root = property.value == "true";
    if (is_ours) read.properties.push_back(std::move(property));
  }
  return read;
}

void apply(const Property& property, EditorConfig& config, std::optional<std::uint32_t>& tab_width) {
  const std::optional<int> number = whole(property.value);
  const auto within = [&](std::uint32_t most) {
    const bool is_so = number && *number >= 1 && *number <= static_cast<int>(most);
    return is_so ? std::optional(static_cast<std::uint32_t>(*number)) : std::nullopt;
  };
  if (property.name == "indent_style") {
    config.uses_tabs.reset();
    if (property.value == "tab" || property.value == "space") config.uses_tabs = property.value == "tab";
  } else if (property.name == "indent_size") {
    config.indent_size = property.value == "tab" ? tab_width : within(kMaxIndent);
  } else if (property.name == "tab_width") {
    tab_width = within(kMaxIndent);
  } else if (property.name == "max_line_length") {
    config.line_length = property.value == "off" ? std::optional(kNoLineLength) : within(kMaxLineLength);
  }
}

}  // namespace

bool section_matches(std::string_view glob, std::string_view relative_path) {
  if (glob.size() > kMaxGlobBytes) return false;
  for (const std::string& each : without_braces(glob)) {
    IgnorePattern pattern;
    pattern.segments = segments_of(each);
    if (matches(pattern, relative_path, false)) return true;
  }
  return false;
}

EditorConfig editor_config_of(const std::string& path, const Files& files) {
  std::error_code error;
  const fs::path absolute = fs::absolute(path, error).lexically_normal();
  std::vector<Read> all;  // the nearest first
  for (fs::path folder = absolute.parent_path();; folder = folder.parent_path()) {
    std::string text;
    std::string reason;
    if (files.read((folder / ".editorconfig").generic_string(), kMaxFileBytes, text, reason)) {
      all.push_back(read_text(text, absolute.lexically_relative(folder).generic_string()));
    }
    if ((!all.empty() && all.back().is_root) || !folder.has_relative_path()) break;
  }
  EditorConfig config;
  std::optional<std::uint32_t> tab_width;
  for (auto read = all.rbegin(); read != all.rend(); ++read) {
    for (const Property& property : read->properties) apply(property, config, tab_width);
  }
  return config;
}

}  // namespace espalier::project
