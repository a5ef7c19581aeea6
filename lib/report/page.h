// The lines of a story: time, agent, words, and details in a separate column.
#pragma once
#include <cstdint>
#include <initializer_list>
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

  // From now on, lines begin with the agent's name.
  void name_agents(bool has_several) { names_agents_ = has_several; }
  // The detail of a signal's line that has no other details when it ends; empty: none.
  void set_no_effect(std::string words) { no_effect_ = std::move(words); }

  // Begins a line and ends the previous one.
  void open(std::uint64_t time_us, std::uint32_t agent);
  void say(std::string_view words, Style style = Style::plain) { say({words}, style); }
  // Words that follow each other.
  void say(std::initializer_list<std::string_view> words, Style style = Style::plain);
  void add_detail(std::string_view detail) { add_detail({detail}); }
  void add_detail(std::initializer_list<std::string_view> words);
  // "sets A = true, B = false": appended to the last detail, which begins with `first` if it was empty.
  void extend_detail(std::string_view first, std::initializer_list<std::string_view> words);
  bool has_details() const { return !detail_ends_.empty(); }
  // Remembers the event as the last one of the line.
  void note(const replay::Event& event);
  // The kind of the last event of the line; `count` if the open line has another time or agent.
  replay::EventKind last_kind(const replay::Event& event) const;
  bool tells(replay::EventKind kind) const { return is_open_ && last_kind_ == kind; }
  const std::string& last_name() const { return last_name_; }
  bool is_open() const { return is_open_; }
  // The node of the last line's event; false also if it has none.
  bool is_about(const replay::NodeOf& node) const {
    return last_node_.asset != nullptr && last_node_.word == node.word;
  }
  std::uint32_t agent() const { return agent_; }
  std::size_t width() const { return width_; }
  // Ends the line.
  void flush();
  // A separate line below the previous text.
  void say_below(std::string_view words, Style style = Style::plain);
  // The same without indentation.
  void say_at_margin(std::string_view words, Style style);
  // The same below a line of this time and agent.
  void say_below(std::uint64_t time_us, std::uint32_t agent, std::string_view words, Style style);

  std::string styled(std::string_view words, Style style) const;

 private:
  void append_styled(std::string& to, std::string_view words, Style style) const;
  void append_agent(std::string& to) const;
  // The column where words begin.
  std::size_t indent() const;
  bool is_last_detail_empty() const;
  void write_line(std::size_t indent, std::string_view words, Style style);

  std::ostream& out_;
  bool has_color_;
  bool names_agents_ = false;
  bool is_reacted_to_ = false;  // what is told next follows from the signal that was told last
  std::string no_effect_;
  // The open line, which may still grow.
  bool is_open_ = false;
  std::uint64_t time_us_ = 0;
  std::uint32_t agent_ = 0;
  replay::EventKind last_kind_ = replay::EventKind::count;
  std::string last_name_;
  replay::NodeOf last_node_;
  std::string text_;
  std::size_t width_ = 0;                 // in columns, without colours
  std::string details_;                   // one after the other
  std::vector<std::size_t> detail_ends_;  // of each
  std::string line_;                      // that is being written: its memory is used again
};

}  // namespace espalier::report
