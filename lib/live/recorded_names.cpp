// See recorded_names.h.
#include "live/recorded_names.h"

#include <algorithm>

#include "replay/strategy.h"

namespace espalier::live {

const std::string& AskerNames::of(const Asker& asker) {
  std::string& name = names_[asker];
  if (!name.empty()) return name;
  name = plain(asker);
  if (words_[{asker.tree, name}].size() < 2) return name;
  const replay::NodePaths& paths = paths_of(asker.tree);
  const auto places = std::count_if(paths.nodes().begin(), paths.nodes().end(),
                                    [&](const replay::PlacedNode& node) { return node.word == asker.word; });
  const std::string path = places == 1 ? paths.path_of(asker.word) : std::string();
  has_shared_ = has_shared_ || path.empty();
  const bool is_there = !path.empty() && (other_ == nullptr || others_of(asker.tree).contains(path));
  if (is_there) name += '@' + path;
  return name;
}

std::string AskerNames::plain(const Asker& asker) const {
  if (asker.asked == Asked::script) return replay::script_name(asset_, asker.word);
  return std::string(asker.asked == Asked::behavior ? behavior_name(asset_, asker.number)
                                                    : host_condition_name(asset_, asker.number));
}

const replay::NodePaths& AskerNames::paths_of(std::uint32_t tree) {
  const auto found = paths_.find(tree);
  return found != paths_.end() ? found->second : paths_.try_emplace(tree, espalier::tree(asset_, tree)).first->second;
}

const AskerNames::Paths& AskerNames::others_of(std::uint32_t tree) {
  const auto [found, is_new] = others_.try_emplace(tree);
  Tree same;
  if (is_new && find_tree(*other_, tree_name(espalier::tree(asset_, tree)), &same) == espalier::Status::ok) {
    const replay::NodePaths paths(same);
    for (const replay::PlacedNode& node : paths.nodes()) found->second.insert(paths.path_of(node));
  }
  return found->second;
}

}  // namespace espalier::live
