// A replay told to people: time, signal, what changed, why the behaviour changed.
#pragma once
#include <ostream>
#include <string>

#include "replay/session.h"

namespace espalier::replay {

class Story {
 public:
  Story(const Session& session, const ReplayOptions& options, std::ostream& out)
      : session_(session), options_(options), out_(out) {}

  void begin(const std::string& path);
  void event(const Event& event);
  // After the events of an update that selected another leaf.
  void change(const Update& update);
  // Writes what is held back; before anything else is written, and at the end.
  void flush();

 private:
  bool is_shown(std::uint32_t agent) const { return !options_.agent || *options_.agent == agent; }
  bool is_written(EventKind kind) const { return kinds_.has(kind); }
  void write(std::uint64_t time_us, std::uint32_t agent, const std::string& text);
  void write_reason(const Step& step, const char* word);
  std::string node_text(const Step& step) const;
  std::string dim(const std::string& text) const;
  std::string bold(const std::string& text) const;

  const Session& session_;
  const ReplayOptions& options_;
  std::ostream& out_;
  KindSet kinds_ = all_kinds();
  std::string line_;  // a line that may still grow
  std::uint64_t line_time_us_ = 0;
  std::uint32_t line_agent_ = 0;
  EventKind last_kind_ = EventKind::status;
};

}  // namespace espalier::replay
