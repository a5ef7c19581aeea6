// A replay told to people, made from its events: time, signal, what changed, and why. What that means differs from
// engine to engine: see tellers.h.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "replay/session.h"
#include "report/page.h"

namespace espalier::report {

struct StoryOptions {
  bool color = false;
  unsigned verbose = 0;                     // steps of deciders up to this output level are told, 0 to 5
  std::vector<std::string> events = {};     // kinds that are told; empty: all, but what says little
  std::optional<std::uint32_t> agent = {};  // who is told of; none: all
};

struct Tellers;

class Story {
 public:
  // All must outlive the story. `path`: of the trace.
  Story(const replay::Session& session, std::string_view path, const StoryOptions& options, std::ostream& out);
  ~Story();
  void event(const replay::Event& event);
  // Writes what is held back; before anything else is written, and at the end.
  void flush() { page_.flush(); }

 private:
  void tell_act(const replay::Event& event);

  const replay::Session& session_;
  const StoryOptions& options_;
  Page page_;
  std::unique_ptr<Tellers> teller_;
};

}  // namespace espalier::report
