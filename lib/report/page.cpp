// The lines of a story. See page.h.
#include "report/page.h"

#include <algorithm>

#include "report/line_view.h"

namespace espalier::report {
namespace {

constexpr std::size_t kTimeWidth = 9;
constexpr std::size_t kAgentWidth = 10;  // "agent 12  "
constexpr std::size_t kWordsWidth = 36;

// Seconds with three decimals, or more if needed.
std::string time_text(std::uint64_t time_us) {
  constexpr std::size_t kDigits = 3;
  std::string text = replay::seconds_text(time_us);
  std::size_t point = text.find('.');
  if (point == std::string::npos) {
    point = text.size();
    text += '.';
  }
  const std::size_t digits = text.size() - point - 1;
  return text + std::string(digits < kDigits ? kDigits - digits : 0, '0');
}

std::size_t width_of(std::string_view words) {
  return std::count_if(words.begin(), words.end(), [](char letter) { return (letter & 0xC0) != 0x80; });
}

std::string spaces(std::size_t count) { return std::string(count, ' '); }

}  // namespace

void Page::open(std::uint64_t time_us, std::uint32_t agent) {
  flush();
  is_open_ = true;
  time_us_ = time_us;
  agent_ = agent;
}

void Page::say(std::string_view words, Style style) {
  text_ += styled(words, style);
  width_ += width_of(words);
}

void Page::extend_detail(std::string_view first, const std::string& words) {
  details_.back() += std::string(details_.back().empty() ? first : ", ") + words;
}

void Page::note(const replay::Event& event) {
  last_kind_ = event.kind;
  last_name_ = event.subject;
}

replay::EventKind Page::last_kind(const replay::Event& event) const {
  return is_open_ && time_us_ == event.time_us && agent_ == event.agent ? last_kind_ : replay::EventKind::count;
}

// Details begin on the next line if the words reach into their column.
void Page::flush() {
  if (!is_open_) return;
  if (last_kind_ == replay::EventKind::signal && details_.back().empty()) details_.back() = no_effect_;
  // Written at once: each write of a stream has its price.
  const std::string time = time_text(time_us_);
  std::string line = spaces(time.size() < kTimeWidth ? kTimeWidth - time.size() : 0);
  line.append(time).append("  ").append(styled(agent_text(), Style::dim)).append(text_);
  bool is_after = width_ + 2 <= kWordsWidth;
  for (const std::string& detail : details_) {
    if (detail.empty()) continue;
    if (is_after) {
      line.append(kWordsWidth - width_, ' ');
    } else {
      line.append("\n").append(indent() + kWordsWidth, ' ');
    }
    line += styled(detail, Style::dim);
    is_after = false;
  }
  line += '\n';
  out_ << line;
  is_open_ = false;
  last_kind_ = replay::EventKind::count;
  last_name_.clear();
  text_.clear();
  width_ = 0;
  details_.clear();
}

std::string Page::agent_text() const {
  if (!names_agents_) return {};
  const std::string agent = "agent " + std::to_string(agent_);
  return agent + spaces(agent.size() < kAgentWidth ? kAgentWidth - agent.size() : 1);
}

std::size_t Page::indent() const { return std::max(kTimeWidth, time_text(time_us_).size()) + 2 + agent_text().size(); }

void Page::say_below(std::string_view words, Style style) {
  flush();
  out_ << spaces(indent()) << styled(words, style) << '\n';
}

void Page::say_below(std::uint64_t time_us, std::uint32_t agent, std::string_view words, Style style) {
  flush();
  time_us_ = time_us;
  agent_ = agent;
  say_below(words, style);
}

void Page::say_at_margin(std::string_view words, Style style) {
  flush();
  out_ << styled(words, style) << '\n';
}

std::string Page::styled(std::string_view words, Style style) const {
  constexpr std::string_view kCodes[] = {"",         "\x1b[1m",  "\x1b[2m",  "\x1b[1;32m", "\x1b[36m",
                                         "\x1b[33m", "\x1b[31m", "\x1b[34m", "\x1b[97m"};
  std::string shown = visible(words);
  if (!has_color_ || style == Style::plain || shown.empty()) return shown;
  return std::string(kCodes[static_cast<unsigned>(style)]) + shown + "\x1b[0m";
}

}  // namespace espalier::report
