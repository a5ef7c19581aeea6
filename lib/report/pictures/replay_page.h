// A replay as one page: the tree, the story as a time line, the running branch of each agent, variables.
#pragma once
#include <cstdint>
#include <memory>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "replay/names.h"
#include "replay/replay.h"
#include "report/pictures/pictures.h"

namespace espalier::report {

// The drawn nodes of an agent's running branch in one of the trees of its asset, parents first.
std::vector<std::uint32_t> running_branch(std::span<const PictureTree> trees, std::uint32_t tree,
                                          const replay::AgentView& agent);

// Records a replay while it runs. `trees` are all of the asset, in its order; they and the asset must outlive the page.
class ReplayPage {
 public:
  ReplayPage(const Asset& asset, const std::string& path, std::span<const PictureTree> trees);
  ~ReplayPage();

  // For ReplayForm::also.
  replay::Observer observer();
  // A message, such as a failed expectation, which becomes a part of the story.
  void tell(const std::string& message);
  // After the replay. `sources`: files whose lines are shown.
  void write(std::string_view title, std::span<const PictureSource> sources, std::ostream& out);

 private:
  class Recording;
  std::span<const PictureTree> trees_;
  std::unique_ptr<Recording> recording_;
};

}  // namespace espalier::report
