// What answers need. See explore.h.
#include "explore/explore.h"
#include "runtime/asset/view.h"

namespace espalier::explore {

bool has_names(const Asset& asset) { return !is_stripped(asset); }

std::string_view name_of(Compared result) {
  constexpr std::string_view kNames[] = {"same", "different", "added", "removed", "undecided"};
  return kNames[static_cast<std::size_t>(result)];
}

std::string_view name_of(Truth result) {
  constexpr std::string_view kNames[] = {"holds", "fails", "undecided"};
  return kNames[static_cast<std::size_t>(result)];
}

std::vector<std::string> lines_of(const Proof& proof) {
  if (!proof.trace) return {};
  std::vector<std::string> lines = proof.trace->steps;
  if (proof.first_expected)
    lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(*proof.first_expected), R"({"expect": {}})");
  if (!proof.expectation.empty()) lines.push_back(proof.expectation);
  return lines;
}

}  // namespace espalier::explore
