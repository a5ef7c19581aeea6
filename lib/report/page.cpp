// The lines of a story. See page.h.
#include "report/page.h"

#include <algorithm>

#include "report/line_view.h"

namespace espalier::report {
namespace {

constexpr std::size_t kTimeWidth = 9;
constexpr std::size_t kAgentWidth = 10;  // "agent 12  "
constexpr std::size_t kWordsWidth = 36;
constexpr std::string_view kPlainCode = "\x1b[0m";

constexpr std::string_view code_of(Page::Style style) {
  constexpr std::string_view kCodes[] = {"",         "\x1b[1m",  "\x1b[2m",  "\x1b[1;32m", "\x1b[36m",
                                         "\x1b[33m", "\x1b[31m", "\x1b[34m", "\x1b[97m"};
  return kCodes[static_cast<unsigned>(style)];
}

// Seconds with three decimals, or more if needed.
void append_time(std::string& to, std::uint64_t time_us) {
  constexpr std::size_t kDigits = 3;
  const std::size_t begin = to.size();
  to += replay::seconds_text(time_us);
  std::size_t point = to.find('.', begin);
  if (point == std::string::npos) {
    point = to.size();
    to += '.';
  }
  const std::size_t digits = to.size() - point - 1;
  to.append(digits < kDigits ? kDigits - digits : 0, '0');
}

std::size_t width_of(std::string_view words) {
  return static_cast<std::size_t>(
      std::count_if(words.begin(), words.end(), [](char letter) { return (letter & 0xC0) != 0x80; }));
}

}  // namespace

void Page::open(std::uint64_t time_us, std::uint32_t agent) {
  flush();
  is_open_ = true;
  time_us_ = time_us;
  agent_ = agent;
}

void Page::say(std::initializer_list<std::string_view> words, Style style) {
  const std::size_t begin = text_.size();
  for (const std::string_view part : words) append_visible(text_, part);
  width_ += width_of(std::string_view(text_).substr(begin));
  if (!has_color_ || style == Style::plain || text_.size() == begin) return;
  text_.insert(begin, code_of(style)).append(kPlainCode);
}

void Page::add_detail(std::initializer_list<std::string_view> words) {
  for (const std::string_view part : words) append_visible(details_, part);
  detail_ends_.push_back(details_.size());
}

bool Page::is_last_detail_empty() const {
  const std::size_t count = detail_ends_.size();
  return detail_ends_.back() == (count == 1 ? 0 : detail_ends_[count - 2]);
}

void Page::extend_detail(std::string_view first, std::initializer_list<std::string_view> words) {
  details_ += is_last_detail_empty() ? first : ", ";
  for (const std::string_view part : words) append_visible(details_, part);
  detail_ends_.back() = details_.size();
}

void Page::note(const replay::Event& event) {
  last_kind_ = event.kind;
  last_name_ = event.subject;
  last_node_ = event.node;
  is_reacted_to_ = event.kind == replay::EventKind::signal && !event.cause.empty();
}

replay::EventKind Page::last_kind(const replay::Event& event) const {
  return is_open_ && time_us_ == event.time_us && agent_ == event.agent ? last_kind_ : replay::EventKind::count;
}

// Details begin on the next line if the words reach into their column.
void Page::flush() {
  if (!is_open_) return;
  if (last_kind_ == replay::EventKind::signal && !is_reacted_to_ && is_last_detail_empty()) {
    details_ += no_effect_;
    detail_ends_.back() = details_.size();
  }
  // Written at once: each write of a stream has its price.
  line_.clear();
  append_time(line_, time_us_);
  if (line_.size() < kTimeWidth) line_.insert(0, kTimeWidth - line_.size(), ' ');
  line_ += "  ";
  append_agent(line_);
  line_ += text_;
  bool is_after = width_ + 2 <= kWordsWidth;
  std::size_t begin = 0;
  for (const std::size_t end : detail_ends_) {
    const std::string_view detail = std::string_view(details_).substr(begin, end - begin);
    begin = end;
    if (detail.empty()) continue;
    if (is_after) {
      line_.append(kWordsWidth - width_, ' ');
    } else {
      line_.append("\n").append(indent() + kWordsWidth, ' ');
    }
    append_styled(line_, detail, Style::dim);
    is_after = false;
  }
  line_ += '\n';
  out_.write(line_.data(), static_cast<std::streamsize>(line_.size()));
  is_open_ = false;
  last_kind_ = replay::EventKind::count;
  last_name_.clear();
  text_.clear();
  width_ = 0;
  details_.clear();
  detail_ends_.clear();
}

void Page::append_agent(std::string& to) const {
  if (!names_agents_) return;
  std::string agent = "agent " + std::to_string(agent_);
  agent.append(agent.size() < kAgentWidth ? kAgentWidth - agent.size() : 1, ' ');
  append_styled(to, agent, Style::dim);
}

std::size_t Page::indent() const {
  std::string time;
  append_time(time, time_us_);
  const std::size_t agent_size = std::string_view("agent ").size() + std::to_string(agent_).size();
  const std::size_t agent_width = agent_size < kAgentWidth ? kAgentWidth : agent_size + 1;
  return std::max(kTimeWidth, time.size()) + 2 + (names_agents_ ? agent_width : 0);
}

void Page::write_line(std::size_t indent, std::string_view words, Style style) {
  line_.assign(indent, ' ');
  append_styled(line_, words, style);
  line_ += '\n';
  out_.write(line_.data(), static_cast<std::streamsize>(line_.size()));
}

void Page::say_below(std::string_view words, Style style) {
  flush();
  write_line(indent(), words, style);
}

void Page::say_below(std::uint64_t time_us, std::uint32_t agent, std::string_view words, Style style) {
  flush();
  time_us_ = time_us;
  agent_ = agent;
  say_below(words, style);
}

void Page::say_at_margin(std::string_view words, Style style) {
  flush();
  write_line(0, words, style);
}

void Page::append_styled(std::string& to, std::string_view words, Style style) const {
  const bool has_code = has_color_ && style != Style::plain && !words.empty();
  if (has_code) to += code_of(style);
  append_visible(to, words);
  if (has_code) to += kPlainCode;
}

std::string Page::styled(std::string_view words, Style style) const {
  std::string text;
  append_styled(text, words, style);
  return text;
}

}  // namespace espalier::report
