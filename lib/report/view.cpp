// Views in a story. See view.h.
#include "report/view.h"

#include <functional>
#include <utility>

#include "report/line_view.h"

namespace espalier::report {
namespace {

constexpr std::size_t kMaxLines = 200;
constexpr std::size_t kLineWidth = 5;
// Columns before the names of nodes.
constexpr const char* kIndent = "      ";

std::size_t hash_of(const std::vector<NodeLine>& lines) {
  std::string all;
  for (const NodeLine& line : lines) {
    all += std::to_string(line.line) + ' ' + std::to_string(line.depth) + ' ' + line.name + '\n' + line.text + '\n';
  }
  return std::hash<std::string>()(all);
}

// "   12   - Sequence - text"
std::string text_of(const NodeLine& node) {
  std::string text = node.line != 0 ? std::to_string(node.line) : "";
  text.insert(0, text.size() < kLineWidth ? kLineWidth - text.size() : 0, ' ');
  text += ' ';
  for (std::size_t depth = 0; depth <= node.depth; ++depth) text += depth % 2 == 0 ? "  " : "- ";
  text += visible(node.name);
  if (!node.text.empty()) text += " - " + visible(node.text);
  if (!node.time.empty()) text += (node.text.empty() ? " - " : ", ") + visible(node.time);
  return text;
}

Page::Style style_of(const NodeLine& node) {
  if (node.is_running) return Page::Style::running;
  return node.text.empty() && node.time.empty() ? Page::Style::dim : Page::Style::text;
}

}  // namespace

void Views::update(const AgentView& agent, std::uint32_t index, const std::vector<NodeLine>& lines,
                   const std::vector<std::string>& below) {
  const bool is_due = is_new(index, lines) || mode_ == ViewMode::always;
  if (!are_shown() || !is_due || lines.empty()) return;
  page_.open(agent.time_us, index);
  page_.say(text_of(lines.front()), style_of(lines.front()));
  for (std::size_t i = 1; i < lines.size() && i < kMaxLines; ++i) {
    page_.say_below(text_of(lines[i]), style_of(lines[i]));
  }
  const auto say = [&](const std::string& words) { page_.say_below(kIndent + visible(words), Page::Style::dim); };
  if (lines.size() > kMaxLines) say("and " + std::to_string(lines.size() - kMaxLines) + " more");
  for (const std::string& words : below) say(words);
  page_.flush();
}

bool Views::is_new(std::uint32_t index, const std::vector<NodeLine>& lines) {
  const std::size_t hash = lines.empty() ? 0 : hash_of(lines);
  const auto [last, is_first] = last_.try_emplace(index, 0);
  return std::exchange(last->second, hash) != hash;
}

}  // namespace espalier::report
