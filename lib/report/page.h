// The lines of a story: when, who, what, and details in a column of their own.
#pragma once
#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "replay/event.h"

namespace espalier::report {

class Page {
 public:
  enum class Style : std::uint8_t { plain, bold, dim, enter, signal, set, bad, running, text };

  Page(std::ostream& out, bool has_color) : out_(out), has_color_(has_color) {}

  // Names agents at the beginning of lines from now on.
  void name_agents(bool has_several) { names_agents_ = has_several; }
  // What a signal comes to that has no details when its line ends; empty: nothing is said.
  void set_no_effect(std::string words) { no_effect_ = std::move(words); }

  // Begins a line; the one before ends.
  void open(std::uint64_t time_us, std::uint32_t agent);
  void say(std::string_view words, Style style = Style::plain);
  void add_detail(std::string detail) { details_.push_back(std::move(detail)); }
  // "sets A = true, B = false": to the last detail, which begins with `first` while it is empty.
  void extend_detail(std::string_view first, const std::string& words);
  bool has_details() const { return !details_.empty(); }
  // Remembers what the line tells last.
  void note(const replay::Event& event);
  // The kind that it tells last; `count` when the open line is of another time or agent.
  replay::EventKind last_kind(const replay::Event& event) const;
  bool tells(replay::EventKind kind) const { return is_open_ && last_kind_ == kind; }
  const std::string& last_name() const { return last_name_; }
  bool is_open() const { return is_open_; }
  std::uint32_t agent() const { return agent_; }
  std::size_t width() const { return width_; }
  // Ends the line.
  void flush();
  // A line of its own below what was said.
  void say_below(std::string_view words, Style style = Style::plain);
  // The same at the left margin.
  void say_at_margin(std::string_view words, Style style);
  // The same below a line of this time and agent.
  void say_below(std::uint64_t time_us, std::uint32_t agent, std::string_view words, Style style);

  std::string styled(std::string_view words, Style style) const;

 private:
  std::string agent_text() const;
  // Where words begin.
  std::size_t indent() const;

  std::ostream& out_;
  bool has_color_;
  bool names_agents_ = false;
  std::string no_effect_;
  // The line that may still grow.
  bool is_open_ = false;
  std::uint64_t time_us_ = 0;
  std::uint32_t agent_ = 0;
  replay::EventKind last_kind_ = replay::EventKind::count;
  std::string last_name_;
  std::string text_;
  std::size_t width_ = 0;  // in columns, which colours do not count for
  std::vector<std::string> details_;
};

}  // namespace espalier::report
