// Views in a story. See view.h.
#include "report/view.h"

#include <cstdint>
#include <functional>
#include <utility>

#include "report/line_view.h"

namespace espalier::report {
namespace {

constexpr std::size_t kMaxLines = 200;
constexpr std::size_t kLineWidth = 5;
constexpr std::size_t kMaxStates = 1000;         // agents of which the memory is kept
constexpr std::size_t kMaxStateBytes = 1 << 14;  // of one agent
// Columns before the names of nodes.
constexpr const char* kIndent = "      ";

std::uint64_t hash_of(const std::vector<NodeLine>& lines) {
  constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15u;  // odd, and its bits are mixed
  const std::hash<std::string> hash;
  std::uint64_t all = lines.size();
  for (const NodeLine& line : lines) {
    for (const std::size_t part : {std::size_t{line.line}, line.depth, hash(line.name), hash(line.text)}) {
      all = (all ^ part) * kFactor;
      all ^= all >> 32;
    }
  }
  return all;
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

bool Views::is_unchanged(const AgentView& agent, std::uint32_t index, bool also) {
  if (mode_ != ViewMode::changes || index >= kMaxStates) return false;
  bool is_small = true;
  state_.clear();
  const auto add = [&](const void* bytes, std::size_t size_bytes) {
    const auto* const first = static_cast<const unsigned char*>(bytes);
    is_small = is_small && state_.size() + size_bytes <= kMaxStateBytes;
    if (is_small) state_.insert(state_.end(), first, first + size_bytes);
  };
  const auto asset = reinterpret_cast<std::uintptr_t>(agent.tree.asset);
  add(&asset, sizeof asset);
  add(&agent.tree.index, sizeof agent.tree.index);
  add(&also, sizeof also);
  add(agent.block, agent_bytes(agent.tree));
  add(agent.shared, shared_bytes(agent.tree));
  for (std::uint32_t i = 0; i < agent.crowd.size(); ++i) {
    const auto& [tree, block] = agent.crowd[i];
    if (block == nullptr || block == agent.block) continue;
    add(&i, sizeof i);
    add(block, agent_bytes(tree));
  }
  std::vector<unsigned char>& last = states_[index];
  if (!is_small) state_.clear();
  last.swap(state_);
  return !last.empty() && last == state_;
}

bool Views::is_new(std::uint32_t index, const std::vector<NodeLine>& lines) {
  const std::uint64_t hash = lines.empty() ? 0 : hash_of(lines);
  const auto [last, is_first] = last_.try_emplace(index, 0);
  return std::exchange(last->second, hash) != hash;
}

}  // namespace espalier::report
