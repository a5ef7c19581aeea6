// Which nodes can certainly run.
#pragma once
#include <cstdint>

#include "lint/poll/analysis.h"

namespace espalier::lint {

// Who is believed that a node is an action, which can run.
enum class RunsBy : std::uint8_t {
  program,    // its declarations, and the library
  models,     // models and tags too
  framework,  // and the name: nodes of a framework that the project uses without declaring them are known
};

// A leaf that nobody declares may be a condition.
class SureRuns {
 public:
  explicit SureRuns(const WrittenProject& project, RunsBy by) : project_(project), runs_(project), by_(by) {}
  [[nodiscard]] bool surely_runs(const WrittenNode& node);

 private:
  const WrittenProject& project_;
  OfTrees<bool> runs_;
  const RunsBy by_;
};

}  // namespace espalier::lint
