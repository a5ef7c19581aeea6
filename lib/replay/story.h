// A replay told to people: time, signal, what changed, why the behaviour changed.
#pragma once
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "replay/session.h"

namespace espalier::replay {

class Story {
 public:
  Story(const Session& session, const ReplayOptions& options, std::ostream& out);

  void begin(std::string_view path);
  void event(const Event& event);
  // After the events of an update that selected another leaf, or whose status is another.
  void change(const Update& update);
  void remark(std::uint32_t agent, const std::string& text);
  // Writes what is held back; before anything else is written, and at the end.
  void flush();

 private:
  enum class Style : std::uint8_t { plain, bold, dim, enter, signal, set, bad };

  // Words with the columns they take, which colours do not count for.
  struct Words {
    std::string text;
    std::size_t width = 0;
  };

  bool is_shown(std::uint32_t agent) const { return !options_.agent || *options_.agent == agent; }
  void open(std::uint64_t time_us, std::uint32_t agent);
  void say(std::string_view words, Style style = Style::plain);
  std::string styled(std::string_view words, Style style) const;
  std::string reason(const Step& step) const;
  void tell_reasons(const Update& update, const std::vector<Step>& steps);

  const Session& session_;
  const ReplayOptions& options_;
  std::ostream& out_;
  KindSet kinds_ = all_kinds();
  // The line that may still grow: what happens, and details behind it, one below the other.
  bool is_open_ = false;
  std::uint64_t time_us_ = 0;
  std::uint32_t agent_ = 0;
  EventKind last_kind_ = EventKind::count;
  Words words_;
  std::vector<std::string> details_;
};

}  // namespace espalier::replay
