// Writes a replay as a story for people, made from its events: time, signal, what changed, and why. The explanations
// depend on the engine: see tellers.h.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/dump/written_conditions.h"
#include "replay/replay.h"
#include "report/debug_lines.h"
#include "report/page.h"
#include "report/view.h"

namespace espalier::report {

struct StoryOptions {
  bool color = false;
  unsigned verbose = 0;                              // debug lines up to this level are shown, 0 to 5
  std::vector<std::string> events = {};              // kinds that are shown; empty: all except minor ones
  std::optional<std::uint32_t> agent = {};           // whose events are shown; none: all agents
  std::uint64_t from_us = 0;                         // what happens from then on is shown
  std::uint64_t to_us = UINT64_MAX;                  // until then
  codegen::WrittenConditions* conditions = nullptr;  // of the project; null: conditions are shown as the asset has them
  // Is the value that a node of the program writes at a time not known, but inferred? Such values are marked, and what
  // nodes read from entries is left out. `kNoNode`: a value that is set between updates. Empty: all values are known.
  static constexpr std::uint32_t kNoNode = 0xFFFFFFFF;
  std::function<bool(std::uint64_t time_us, std::uint32_t node_word)> is_inferred = {};
  // When the active branch is shown. None: after changes; of selection trees, and with `events`, never.
  std::optional<ViewMode> view = {};

  bool shows(const replay::Event& event) const {
    return (!agent || *agent == event.agent) && event.time_us >= from_us && event.time_us <= to_us;
  }
};

struct Tellers;

class Story {
 public:
  // The options and the stream must outlive the story. `path` is that of the trace.
  Story(const replay::Beginning& beginning, std::string_view path, const StoryOptions& options, std::ostream& out);
  ~Story();
  void event(const replay::Event& event);
  // Writes buffered text. Call it before anything else is written, and at the end.
  void flush();

 private:
  void choose_teller();
  void tell_node(const replay::Event& event);
  void tell_act(const replay::Event& event);
  void tell_print(const replay::Event& event);

  const replay::Event* event_ = nullptr;  // that is being told
  const StoryOptions& options_;
  Page page_;
  DebugLines debug_;
  std::vector<std::string> debug_lines_;  // since the last update, not written yet: they follow its story
  std::unique_ptr<Tellers> tellers_;
  Tree tree_;  // of the current one
};

}  // namespace espalier::report
