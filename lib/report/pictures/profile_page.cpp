// What nodes did in a run, as colours of their boxes. See pictures.h.
#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "report/pictures/pictures.h"

namespace espalier::report {
namespace {

std::uint8_t heat_of(double share) {
  constexpr double kBounds[] = {0.05, 0.2, 0.5, 0.9};  // of each colour but the first and the last
  std::uint8_t heat = 2;
  for (const double bound : kBounds) heat = static_cast<std::uint8_t>(heat + (share > bound ? 1 : 0));
  return std::min(heat, kMostHeat);
}

}  // namespace

void color_by_profile(std::vector<PictureTree>& trees, const Asset& asset, replay::Timeline timeline) {
  for (std::uint32_t i = 0; i < trees.size(); ++i) {
    std::map<std::uint32_t, std::uint32_t> rows;
    timeline.add_tree({&asset, i}, rows);  // those that it has
    for (PictureNode& node : trees[i].nodes) {
      const auto row = rows.find(node.word);
      if (row == rows.end()) continue;
      const bool was_active = timeline.rows[row->second].is_active();
      node.heat = was_active ? heat_of(replay::share_of(timeline, row->second)) : 1;
      node.note = was_active ? replay::profile_lines(timeline, row->second).front() : "never active";
      node.items = was_active ? replay::profile_lines(timeline, row->second) : std::vector<std::string>{"never active"};
    }
  }
  // Trees that nothing ran, such as those that others hold at their places.
  const auto was_active = [](const PictureTree& tree) {
    return std::any_of(tree.nodes.begin(), tree.nodes.end(), [](const PictureNode& node) { return node.heat > 1; });
  };
  if (std::any_of(trees.begin(), trees.end(), was_active)) std::erase_if(trees, std::not_fn(was_active));
}

}  // namespace espalier::report
