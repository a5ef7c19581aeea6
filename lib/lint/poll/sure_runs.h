// Which nodes can certainly run.
#pragma once
#include "lint/poll/analysis.h"

namespace espalier::lint {

// A leaf that nobody declares may be a condition.
class SureRuns {
 public:
  // `knows_framework`: nodes of a framework that the project uses without declaring them are known too.
  explicit SureRuns(const WrittenProject& project, bool knows_framework = false)
      : project_(project), runs_(project), knows_framework_(knows_framework) {}
  [[nodiscard]] bool surely_runs(const WrittenNode& node);

 private:
  const WrittenProject& project_;
  OfTrees<bool> runs_;
  const bool knows_framework_;
};

}  // namespace espalier::lint
