// Locations in the text of trees. See locations.h.
#include "debug/locations.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <ios>
#include <set>
#include <sstream>
#include <string_view>
#include <tuple>
#include <utility>

#include "debug/breakpoints.h"
#include "system/filesystem.h"

namespace espalier::debug {
namespace {

// Of BehaviorTree.CPP's nodes.
constexpr std::array<std::string_view, 4> kConditions = {"_failureIf", "_successIf", "_skipIf", "_while"};

// The text of a file, which is well-formed: a run was made from it.
class Text {
 public:
  explicit Text(const std::string& path) {
    const std::ifstream in(system::native(path), std::ios::binary);
    std::ostringstream text;
    if (in) text << in.rdbuf();
    text_ = text.str();
    lines_.push_back(0);
    for (std::size_t at = 0; (at = text_.find('\n', at)) != std::string::npos;) lines_.push_back(++at);
  }

  // Where the element of a node ends, and its conditions.
  void add_rest(const Location& begin, std::vector<Location>& locations) const {
    const std::size_t at = begin.line > lines_.size() ? text_.size() : lines_[begin.line - 1] + begin.column - 1;
    if (at == 0 || at >= text_.size() || text_[at - 1] != '<') return;  // nodes stand at their element's name
    const std::size_t end = end_of_tag(at);
    if (end >= text_.size()) return;
    locations.push_back(location_of(begin, text_[end - 1] == '/' ? end - 1 : closing_tag(end + 1), Part::result));
    for (std::size_t i = at; i < end; i = after_quotes(i)) {
      for (const std::string_view name : kConditions) {
        const bool is_here = text_.compare(i, name.size(), name) == 0 && is_blank(text_[i - 1]);
        if (!is_here || (text_[i + name.size()] != '=' && !is_blank(text_[i + name.size()]))) continue;
        locations.push_back(location_of(begin, i, Part::condition));
        locations.back().attribute = name;
      }
    }
  }

 private:
  static bool is_blank(char byte) { return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r'; }
  [[nodiscard]] Location location_of(const Location& node, std::size_t place, Part part) const {
    const auto line = std::upper_bound(lines_.begin(), lines_.end(), place) - lines_.begin();
    const std::size_t column = place - lines_[static_cast<std::size_t>(line - 1)] + 1;
    return {
        node.file, static_cast<std::uint32_t>(line), static_cast<std::uint32_t>(column), part, node.line, node.column,
        {}};
  }
  // The next place, behind a text in quotes that begins here.
  [[nodiscard]] std::size_t after_quotes(std::size_t at) const {
    if (text_[at] != '"' && text_[at] != '\'') return at + 1;
    return std::min(text_.find(text_[at], at + 1), text_.size() - 1) + 1;
  }
  // Of its '>'.
  [[nodiscard]] std::size_t end_of_tag(std::size_t at) const {
    while (at < text_.size() && text_[at] != '>') at = after_quotes(at);
    return at;
  }
  // Of the element whose tag ends before here.
  [[nodiscard]] std::size_t closing_tag(std::size_t at) const {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kNoElements = {
        {{"<!--", "-->"}, {"<![CDATA[", "]]>"}, {"<?", "?>"}}};
    std::size_t depth = 0;
    while ((at = text_.find('<', at)) != std::string::npos) {
      const auto is_here = [&](const auto& each) { return text_.compare(at, each.first.size(), each.first) == 0; };
      if (const auto* const other = std::find_if(kNoElements.begin(), kNoElements.end(), is_here);
          other != kNoElements.end()) {
        at = std::min(text_.find(other->second, at), text_.size());
        continue;
      }
      if (text_.compare(at, 2, "</") == 0) {
        if (depth-- == 0) return at;
      }
      const std::size_t end = end_of_tag(at);
      if (end < text_.size() && text_[at + 1] != '/' && text_[end - 1] != '/') ++depth;
      at = end;
    }
    return text_.size() - 1;
  }

  std::string text_;
  std::vector<std::size_t> lines_;  // where they begin
};

}  // namespace

std::vector<Location> locations_of(const History& history, const std::string& file) {
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::string_view>> nodes;
  std::string_view known;  // so that each file is looked at once
  bool is_known_file = false;
  for (std::uint32_t version = 0; version < history.version_count(); ++version) {
    for (std::uint32_t row = 0; row < history.rows().size(); ++row) {
      const Place& place = history.place(version, row);
      if (place.line == 0) continue;
      if (place.file != known) {
        known = place.file;
        is_known_file = is_file(place.file, file);
      }
      if (is_known_file) nodes.emplace(place.line, place.column, place.file);
    }
  }
  std::vector<Location> locations;
  const Text text(file);
  for (const auto& [line, column, name] : nodes) {
    const Location begin{name, line, column, Part::begin, line, column, {}};
    locations.push_back(begin);
    text.add_rest(begin, locations);
  }
  std::sort(locations.begin(), locations.end(), [](const Location& a, const Location& b) {
    return std::pair(a.line, a.column) < std::pair(b.line, b.column);
  });
  return locations;
}

const Location* location_at(const std::vector<Location>& locations, std::uint32_t line, std::uint32_t column) {
  const Location* found = nullptr;
  for (const Location& each : locations) {
    if (each.line != line || (column == 0 && each.part == Part::condition)) continue;
    const bool is_better = found == nullptr || (column != 0 && each.column <= column) ||
                           (column == 0 && found->part != Part::begin && each.part == Part::begin);
    if (is_better) found = &each;
  }
  return found;
}

}  // namespace espalier::debug
