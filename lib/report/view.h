// Views in a story: the active branch of an agent after an update.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "report/branch.h"
#include "report/page.h"

namespace espalier::report {

enum class ViewMode : std::uint8_t {
  changes,  // after an update that changed anything except times
  always,   // after each update
  never,
};

class Views {
 public:
  Views(Page& page, ViewMode mode) : page_(page), mode_(mode) {}

  bool are_shown() const { return mode_ != ViewMode::never; }
  // The next update of this agent shows a view.
  void forget(std::uint32_t index) {
    last_.erase(index);
    states_.erase(index);
  }
  // Is everything that a view of the agent is made of as it was at the last call? Then none is due. `also`: something
  // that the agent's memory does not say.
  bool is_unchanged(const AgentView& agent, std::uint32_t index, bool also = false);
  // Writes a view of an agent if one is due. The first of `lines` has the time and the agent before it. `below`
  // follows them; it does not count as a change.
  void update(const AgentView& agent, std::uint32_t index, const std::vector<NodeLine>& lines,
              const std::vector<std::string>& below = {});

 private:
  // Notes what the agent's view is now. True: it is another than before.
  bool is_new(std::uint32_t index, const std::vector<NodeLine>& lines);

  Page& page_;
  ViewMode mode_;
  std::map<std::uint32_t, std::uint64_t> last_;                 // by agent: a hash of what was active, without times
  std::map<std::uint32_t, std::vector<unsigned char>> states_;  // by agent: its memory, and what it sees of others
  std::vector<unsigned char> state_;                            // the memory of the next one
};

}  // namespace espalier::report
