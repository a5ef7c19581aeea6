// A replay as one page: the tree, the story as a time line, the running branch of each agent, variables.
#pragma once
#include <memory>
#include <ostream>
#include <span>
#include <string>
#include <string_view>

#include "replay/replay.h"
#include "report/pictures/pictures.h"

namespace espalier::report {

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
