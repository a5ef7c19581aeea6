// Which deciders a run activates. See tracker.h.
#include <map>
#include <memory>
#include <tuple>

#include "codegen/dump/disassemble.h"
#include "explore/tracker.h"
#include "runtime/decide/tree.h"

namespace espalier::explore {
namespace {

// A decider at one of its places.
struct DeciderPlace {
  std::uint64_t item = 0;
  std::map<std::uint64_t, std::size_t> below;  // places of a group's children, by the number of their nodes
};

using DeciderPlaces = std::vector<DeciderPlace>;  // the root's is the first

// Adds places in the order of the file, through shared deciders.
class DeciderOutline {
 public:
  DeciderOutline(const DeciderTree& tree, Tracker& tracker, DeciderPlaces& places)
      : tree_(tree), tracker_(tracker), places_(places) {
    add(tree.root(), {});
    number_paths();
  }

 private:
  std::size_t add(const Placed& placed, const std::string& path) {
    const codegen::NodeDebug debug = codegen::node_debug(tree_.asset, tree_.word_of(placed));
    const std::string own_path = path + (path.empty() ? "" : "/") + std::string(debug.name);
    const std::size_t place = places_.size();
    places_.push_back({tracker_.items.size(), {}});
    tracker_.items.push_back({.kind = ItemKind::decider, .name = std::string(debug.name)});
    tracker_.items.back().place = {std::string(debug.file), debug.line, debug.column};
    tracker_.items.back().path = own_path;
    for (const std::uint32_t* child = placed.first_child(); placed.is_group() && child != placed.end();
         child = end_of_decider(child)) {
      const std::size_t below = add(tree_.placed(child), own_path);
      places_[place].below[tree_.number_of(child)] = below;
    }
    return place;
  }

  // Only a decider with several places needs a path. If a group has several of them, they are numbered.
  void number_paths() {
    std::map<std::tuple<std::string, std::uint32_t, std::uint32_t>, std::uint32_t> counts;
    const auto key = [](const Item& item) { return std::tuple(item.place.file, item.place.line, item.place.column); };
    for (const Item& item : tracker_.items) ++counts[key(item)];
    std::map<std::string, std::uint32_t> numbers;
    for (Item& item : tracker_.items) {
      if (counts[key(item)] == 1) {
        item.path.clear();
      } else if (const std::uint32_t number = ++numbers[item.path]; number > 1) {
        item.path += '[' + std::to_string(number) + ']';
      }
    }
  }

  const DeciderTree& tree_;
  Tracker& tracker_;
  DeciderPlaces& places_;
};

// The level of the path is active.
void mark_level(Moment& moment, const DeciderPlaces& places, std::uint32_t level) {
  const DeciderTree tree(moment.tree);
  const DeciderAgent agent(tree, const_cast<void*>(moment.block));
  std::size_t place = 0;
  for (std::uint32_t i = 1; i <= level; ++i) place = places[place].below.at(agent.number_at(i));
  moment.mark(places[place].item);
}

}  // namespace

// Only deciders with a behaviour report that they are activated. All that are active later switch to a child, fail, or
// are active when the update ends.
Tracker track_deciders(const Tree& view) {
  Tracker tracker;
  const auto places = std::make_shared<DeciderPlaces>();
  const DeciderOutline outline(DeciderTree(view), tracker, *places);
  static_cast<void>(outline);
  // A note: a decider has refused, and fails next.
  tracker.decide = [places](Moment& moment, const DecideStep& step) {
    switch (step.kind) {
      case DecideStepKind::refused:
        moment.notes.push_back(step.depth);
        return;
      case DecideStepKind::failed:
        if (moment.notes.empty()) return mark_level(moment, *places, step.depth);
        moment.notes.clear();
        return;
      case DecideStepKind::activated:
      case DecideStepKind::switches:
        return mark_level(moment, *places, step.depth);
      case DecideStepKind::end: {
        const std::uint32_t count = active_count(moment.tree, moment.block);
        if (count > 0) mark_level(moment, *places, count - 1);
        return;
      }
      default:
        return;
    }
  };
  return tracker;
}

}  // namespace espalier::explore
