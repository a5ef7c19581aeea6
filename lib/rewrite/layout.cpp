// The layout of a file. See layout.h.
#include "rewrite/layout.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "project/editor_config.h"

namespace espalier::rewrite {
namespace {

using text::Item;

std::size_t width_of_blanks(std::string_view blanks) {
  std::size_t width = 0;
  for (const char c : blanks) width += c == '\t' ? kTabWidth : 1;
  return width;
}

// The blanks before markup that begins its line; nothing if something else is before it.
std::optional<std::string_view> blanks_before(std::string_view text, std::uint32_t begin) {
  const std::size_t line = text.substr(0, begin).rfind('\n') + 1;  // 0 if there is none
  const std::string_view blanks = text.substr(line, begin - line);
  if (blanks.find_first_not_of(" \t") != std::string_view::npos) return std::nullopt;
  return blanks;
}

// A tab, none, or as many spaces as people indent by: 1 to 4, or 8.
bool is_unit(std::string_view blanks) {
  constexpr std::size_t kMost = 4;
  constexpr std::size_t kWide = 8;
  return blanks == "\t" || ((blanks.size() <= kMost || blanks.size() == kWide) &&
                            blanks.find_first_not_of(' ') == std::string_view::npos);
}

// The blanks by which most elements are indented beyond their parents; nothing if most are not indented. Of two that
// are as common, the shorter one, so that formatting again finds the same.
std::optional<std::string> own_indent(const text::ParsedXml& parsed) {
  std::map<std::string_view, std::size_t> counts;
  std::vector<std::pair<std::uint32_t, std::optional<std::string_view>>> open;  // elements, and the blanks before them
  for (std::uint32_t index = 0; index < parsed.items.size(); ++index) {
    const Item& item = parsed.items[index];
    if (item.kind != Item::Kind::element) continue;
    while (!open.empty() && parsed.items[open.back().first].next <= index) open.pop_back();
    const std::optional<std::string_view> blanks = blanks_before(parsed.text, item.begin);
    const std::optional<std::string_view> above = open.empty() ? std::nullopt : open.back().second;
    if (blanks && above && blanks->size() >= above->size() && blanks->substr(0, above->size()) == *above) {
      if (const std::string_view unit = blanks->substr(above->size()); is_unit(unit)) ++counts[unit];
    }
    open.emplace_back(index, blanks);
  }
  const auto most = std::max_element(counts.begin(), counts.end(), [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second < b.second : a.first.size() > b.first.size();
  });
  return most == counts.end() || most->first.empty() ? std::nullopt : std::optional(std::string(most->first));
}

std::string indent_of(const text::ParsedXml& parsed, const project::EditorConfig& config) {
  const bool is_told = config.uses_tabs && (*config.uses_tabs || config.indent_size);
  const std::string own = is_told ? "" : own_indent(parsed).value_or("");
  const bool uses_tabs = config.uses_tabs.value_or(own == "\t");
  if (uses_tabs) return "\t";
  if (config.indent_size) return std::string(*config.indent_size, ' ');
  return own.empty() || own == "\t" ? Layout().indent : own;
}

}  // namespace

std::size_t Layout::indent_width() const { return width_of_blanks(indent); }

std::string Layout::attribute_indent() const {
  constexpr std::size_t kLeastColumns = 4;
  std::string blanks = indent;
  while (width_of_blanks(blanks) < kLeastColumns) blanks += indent;
  return blanks;
}

Layout layout_of(const text::ParsedXml& parsed, const std::string& path, const project::Configuration& configuration,
                 const project::Files& files) {
  const project::LayoutOptions& options = configuration.layout;
  project::EditorConfig config;
  if (!options.indent || !options.width) config = project::editor_config_of(path, files);
  Layout layout;
  layout.indent = options.indent ? *options.indent : indent_of(parsed, config);
  layout.width = options.width ? *options.width : config.line_length.value_or(static_cast<std::uint32_t>(layout.width));
  return layout;
}

}  // namespace espalier::rewrite
