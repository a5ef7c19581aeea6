// What is known of nodes that can run: of which it is certain that they do, and what a node of the host gives.
#pragma once
#include <cstdint>
#include <map>
#include <vector>

#include "dialects/btcpp/project.h"

namespace espalier::dialects::btcpp {

inline constexpr Outcomes kCompleted = kSuccess | kFailure;

// A decorator or control may make of its children's results what it likes.
[[nodiscard]] Outcomes results_of_host(const Declaration& declaration, const std::vector<Outcomes>& children);

// A leaf that nobody declares may be a condition.
class SureRuns {
 public:
  // `knows_framework`: nodes of a framework that the project uses without declaring them are known too.
  explicit SureRuns(const ReadProject& project, bool knows_framework = false)
      : project_(project), knows_framework_(knows_framework) {}
  [[nodiscard]] bool surely_runs(const ReadNode& node);
  [[nodiscard]] bool surely_runs(const ReadTree* tree);

 private:
  const ReadProject& project_;
  const bool knows_framework_;
  std::map<const ReadTree*, bool> by_tree_;
  std::uint32_t depth_ = 0;  // of subtrees in one another
};

}  // namespace espalier::dialects::btcpp
