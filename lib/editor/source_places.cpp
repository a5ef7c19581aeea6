// Places in C++. See source_places.h.
#include "editor/source_places.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "system/filesystem.h"
#include "text/decode.h"

namespace espalier::editor {
namespace {

namespace fs = system::filesystem;

constexpr std::size_t kMaxSourceBytes = std::size_t{8} << 20;
constexpr std::uint32_t kMostLines = 1U << 30;

bool is_of_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// "GoTo" of "robot::GoTo<robot::Pose>".
std::string last_part(std::string_view class_name) {
  class_name = class_name.substr(0, class_name.find('<'));
  const std::size_t colon = class_name.rfind(':');
  return std::string(colon == std::string_view::npos ? class_name : class_name.substr(colon + 1));
}

// Text by lines, as they are counted from 1.
class SourceText {
 public:
  explicit SourceText(std::string_view text) : text_(text) {
    for (std::size_t at = 0; at < text.size(); ++at) {
      if (text[at] == '\n') begins_.push_back(at + 1);
    }
  }

  // The name in the line, else where a class of this name is defined, else in the nearest line.
  [[nodiscard]] std::optional<Range> find(std::string_view name, std::uint32_t line) const {
    std::optional<Range> best;
    std::pair<bool, std::uint32_t> least;  // whether it is a mere mention; the distance in lines
    for (std::size_t at = text_.find(name); at != std::string_view::npos; at = text_.find(name, at + 1)) {
      if (!is_whole(at, name)) continue;
      const std::uint32_t found = line_of(at);
      const std::uint32_t distance = found > line ? found - line : line - found;
      const std::pair order{distance != 0 && !defines_class(at), distance};
      if (best && order >= least) continue;
      best = range(at, at + name.size());
      least = order;
    }
    return best;
  }

  // All of the line but the blanks at its ends, if it or the one before has this word; nothing: it does not.
  [[nodiscard]] std::optional<Range> line_with(std::string_view word, std::uint32_t line) const {
    if (line == 0 || line > begins_.size()) return std::nullopt;
    const std::size_t before = begins_[line - std::min(line, 2U)];
    std::size_t begin = begins_[line - 1];
    std::size_t end = line < begins_.size() ? begins_[line] : text_.size();
    if (text_.substr(before, end - before).find(word) == std::string_view::npos) return std::nullopt;
    while (begin < end && is_blank(text_[begin])) ++begin;
    while (end > begin && is_blank(text_[end - 1])) --end;
    return range(begin, end);
  }

  [[nodiscard]] std::uint32_t line_of(std::size_t at) const {
    return static_cast<std::uint32_t>(std::upper_bound(begins_.begin(), begins_.end(), at) - begins_.begin());
  }

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
  static Range range(std::size_t begin, std::size_t end) {
    return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
  }
  [[nodiscard]] bool is_whole(std::size_t at, std::string_view name) const {
    const std::size_t end = at + name.size();
    const bool continues = end < text_.size() && is_of_word(name.back()) && is_of_word(text_[end]);
    return !continues && !(at > 0 && is_of_word(name.front()) && is_of_word(text_[at - 1]));
  }
  [[nodiscard]] bool defines_class(std::size_t at) const {
    while (at > 0 && is_blank(text_[at - 1])) --at;
    const std::string_view before = text_.substr(0, at);
    return before.ends_with("class") || before.ends_with("struct");
  }

  std::string_view text_;
  std::vector<std::size_t> begins_ = {0};
};

// How a name is written in C++. Where it may be a constant, which word stands beside it then.
struct Spelling {
  std::string name;
  std::string_view beside_constant = {};
};

std::optional<SourcePlace> find(const LiveProject& project, FileId file, std::string_view at,
                                const Spelling& spelling) {
  const std::optional<WrittenPlace> written = written_place(project, file, at);
  if (!written) return std::nullopt;
  std::string bytes;
  std::string error;
  if (!project.files().read(written->path, kMaxSourceBytes, bytes, error) || bytes.size() > kMaxSourceBytes)
    return std::nullopt;
  SourcePlace place{{written->path, text::decode(bytes).text}, {}};
  const SourceText source(place.file.text);
  std::optional<Range> range = source.find(spelling.name, written->line);
  const bool is_there = range && source.line_of(range->begin) == written->line;
  if (!is_there && !spelling.beside_constant.empty()) {
    if (const auto line = source.line_with(spelling.beside_constant, written->line)) range = line;
  }
  if (!range) return std::nullopt;
  place.range = *range;
  return place;
}

}  // namespace

std::optional<WrittenPlace> written_place(const LiveProject& project, FileId file, std::string_view at) {
  const std::size_t colon = at.rfind(':');
  if (colon == std::string_view::npos) return std::nullopt;
  WrittenPlace place;
  const char* const end = at.data() + at.size();
  const auto [stop, fault] = std::from_chars(at.data() + colon + 1, end, place.line);
  if (fault != std::errc() || stop != end) return std::nullopt;
  const fs::path folder = fs::path(project.path_of(file)).parent_path();
  place.path = (folder / at.substr(0, colon)).lexically_normal().generic_string();
  const bool is_there = place.line > 0 && place.line < kMostLines && project.files().is_file(place.path);
  return is_there ? std::optional(std::move(place)) : std::nullopt;
}

std::optional<SourcePlace> node_in_source(const LiveProject& project, const dialects::HostDeclaration& node) {
  const std::string name = last_part(node.class_name);
  const Spelling spelling = name.empty() ? Spelling{'"' + node.name + '"', "egister"} : Spelling{name};
  return find(project, node.span.file, node.at, spelling);
}

std::optional<SourcePlace> port_in_source(const LiveProject& project, const dialects::HostDeclaration& node,
                                          const dialects::HostAttribute& port) {
  return find(project, node.span.file, port.at, {'"' + port.name + '"', "Port"});
}

}  // namespace espalier::editor
