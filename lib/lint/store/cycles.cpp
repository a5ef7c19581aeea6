// Child trees whose defaults lead back to their own tree. See analysis.h.
#include <algorithm>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "lint/store/analysis.h"
#include "rules/synchronized.h"
#include "runtime/format/opcodes/store.h"
#include "text/names.h"

namespace espalier::lint {
namespace {

constexpr std::size_t kMaxShown = 8;  // trees of one cycle

// The first child tree of a tree that is reached and has this default.
struct DefaultUse {
  PlaceIndex place;
  std::size_t used;  // index in outlines
};

std::vector<std::vector<DefaultUse>> default_uses(std::span<const StoreOutline> outlines) {
  std::map<std::string_view, std::size_t> number_of;
  for (std::size_t tree = 0; tree < outlines.size(); ++tree) number_of.emplace(outlines[tree].tree.name, tree);
  std::vector<std::vector<DefaultUse>> uses(outlines.size());
  for (std::size_t tree = 0; tree < outlines.size(); ++tree) {
    const StoreOutline& outline = outlines[tree];
    for (PlaceIndex place = 0; place < outline.places.size(); ++place) {
      if (outline.opcode(place) != opcode::store_child || !outline.is_reached[place]) continue;
      const auto found = number_of.find(outline.node(place).as<ir::ChildTree>().default_tree);
      if (found == number_of.end()) continue;
      const auto is_same = [&](const DefaultUse& each) { return each.used == found->second; };
      if (std::none_of(uses[tree].begin(), uses[tree].end(), is_same)) uses[tree].push_back({place, found->second});
    }
  }
  return uses;
}

// A tree on the way that the search follows, and the use by which it goes on.
struct OpenTree {
  std::size_t tree;
  std::size_t next = 0;
  PlaceIndex place = kNoPlace;
};

std::string default_at(const OpenTree& open, std::span<const StoreOutline> outlines) {
  return "the default of slot " + text::quote(outlines[open.tree].node(open.place).as<ir::ChildTree>().slot);
}

// `cycle`: it begins with the tree of the first name, where it is reported.
void report_cycle(std::span<const StoreOutline> outlines, std::span<const OpenTree> cycle, text::Findings& findings) {
  const StoreOutline& first = outlines[cycle.front().tree];
  std::string way;
  for (std::size_t i = 0; i < std::min(cycle.size(), kMaxShown); ++i) way += outlines[cycle[i].tree].tree.name + " -> ";
  way += cycle.size() > kMaxShown ? "..." : first.tree.name;
  Finding& finding = findings.add(
      rules::SYN_default_leads_back, first.span(cycle.front().place),
      default_at(cycle.front(), outlines) + " leads back to its own tree: " + way,
      "use another default, or none: unless the program injects a tree first, the trees nest until 'maxDepth' "
      "ends that with an error");
  for (std::size_t i = 1; i < std::min(cycle.size(), kMaxShown); ++i) {
    const StoreOutline& outline = outlines[cycle[i].tree];
    finding.related.push_back({outline.span(cycle[i].place),
                               default_at(cycle[i], outlines) + " of " + text::quote(outline.tree.name) + " leads on"});
  }
}

}  // namespace

// A depth-first search, in which a tree that is still open closes a cycle.
void analyse_store_cycles(std::span<const StoreOutline> outlines, text::Findings& findings) {
  enum class State : std::uint8_t { unseen, open, done };
  const std::vector<std::vector<DefaultUse>> uses = default_uses(outlines);
  std::vector<State> states(outlines.size(), State::unseen);
  std::vector<OpenTree> open;
  const auto visit = [&](std::size_t tree) {
    states[tree] = State::open;
    open.push_back({tree});
  };
  for (std::size_t start = 0; start < outlines.size(); ++start) {
    if (states[start] == State::unseen) visit(start);
    while (!open.empty()) {
      OpenTree& last = open.back();
      if (last.next == uses[last.tree].size()) {
        states[last.tree] = State::done;
        open.pop_back();
        continue;
      }
      const DefaultUse use = uses[last.tree][last.next++];
      last.place = use.place;
      if (states[use.used] == State::unseen) {
        visit(use.used);
      } else if (states[use.used] == State::open) {
        const auto begin =
            std::find_if(open.begin(), open.end(), [&](const OpenTree& each) { return each.tree == use.used; });
        std::vector<OpenTree> cycle(begin, open.end());
        std::rotate(cycle.begin(),
                    std::min_element(cycle.begin(), cycle.end(),
                                     [](const OpenTree& a, const OpenTree& b) { return a.tree < b.tree; }),
                    cycle.end());
        report_cycle(outlines, cycle, findings);
      }
    }
  }
}

}  // namespace espalier::lint
