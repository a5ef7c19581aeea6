// Children that are never evaluated, and monitors that are never evaluated again. See analysis.h.
#include <algorithm>
#include <map>

#include "lint/facts.h"
#include "lint/store/analysis.h"
#include "rules/synchronized.h"
#include "runtime/format/opcodes/store.h"

namespace espalier::lint {
namespace {

// ---- Reach --------------------------------------------------------------------------------------

// Why nothing after it is evaluated.
bool blocks(Fate fate, Results next) {
  return fate == Fate::never || fate == (next == kSucceeds ? Fate::fails : Fate::succeeds);
}

void report_unreachable(StoreAnalysis& analysis, PlaceIndex place, PlaceIndex blocker, Results next) {
  const StoreOutline& outline = analysis.outline;
  const Rule rule =
      blocks(outline.fates[blocker], next) ? rules::SYN_unreachable_child : rules::SYN_unreachable_by_results;
  Finding finding =
      never_reached(rule, outline.span(place), analysis.name(place), blockers_from(outline, blocker, next));
  finding.hint = "move it before " + analysis.name(blocker) + ", or remove it";
  analysis.findings.add(std::move(finding));
}

// Reports consequences of fates first, then those that follow only from results.
void look_at_row(StoreAnalysis& analysis, PlaceIndex row) {
  const StoreOutline& outline = analysis.outline;
  const std::span<const PlaceIndex> children = outline.places[row].children;
  const Results next = StoreOutline::goes_on(outline.opcode(row));
  for (std::size_t i = 0; i + 1 < children.size(); ++i) {
    const PlaceIndex child = children[i];
    if (can(outline.gives(child), next) || !blocks(outline.fates[child], next)) continue;
    return report_unreachable(analysis, children[i + 1], child, next);
  }
  const PlaceIndex blocked = first_blocked(outline, row);
  if (blocked != kNoPlace) report_unreachable(analysis, blocked, children[outline.places[blocked].number - 1], next);
}

// ---- Monitors -----------------------------------------------------------------------------------

// The nodes of one slot.
struct SlotUse {
  struct Child {
    std::size_t tree;  // index in outlines
    PlaceIndex place;
  };
  std::vector<Child> children;
  bool accepts_all = true;
  std::vector<std::size_t> accepts;  // indices in outlines
};

std::vector<SlotUse> slot_uses(const ir::Project& project, std::span<const StoreOutline> outlines) {
  std::map<std::string_view, std::size_t> tree_of;
  std::map<std::string_view, SlotUse> use_of;
  for (std::size_t tree = 0; tree < outlines.size(); ++tree) {
    const StoreOutline& outline = outlines[tree];
    tree_of.emplace(outline.tree.name, tree);
    for (PlaceIndex place = 0; place < outline.places.size(); ++place) {
      if (outline.opcode(place) == opcode::store_child) {
        use_of[outline.node(place).as<ir::ChildTree>().slot].children.push_back({tree, place});
      }
    }
  }
  for (const ir::Slot& slot : project.slots) {
    const auto use = use_of.find(slot.name);
    if (use == use_of.end() || !slot.accepts) continue;
    use->second.accepts_all = false;
    for (const std::string& name : *slot.accepts) {
      const auto tree = tree_of.find(name);
      if (tree != tree_of.end()) use->second.accepts.push_back(tree->second);
    }
  }
  std::vector<SlotUse> uses;
  uses.reserve(use_of.size());
  for (auto& [name, use] : use_of) uses.push_back(std::move(use));
  return uses;
}

// For each tree, the results with which it can end as a child tree while the agent's own tree keeps running. The node
// of a child tree may itself end with them in a tree that is a child.
std::vector<Results> results_that_go_on(const ir::Project& project, std::span<const StoreOutline> outlines) {
  const std::vector<SlotUse> uses = slot_uses(project, outlines);
  std::vector<Results> goes_on(outlines.size());
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    unsigned of_all = 0;
    std::vector<Results> of_tree(outlines.size());
    for (const SlotUse& use : uses) {
      unsigned of_slot = 0;
      for (const SlotUse::Child& child : use.children) {
        for (const Results end : {kFails, kSucceeds}) {
          const Results given = outlines[child.tree].at_root(child.place, end);
          if ((given & (kRuns | goes_on[child.tree])) != 0) of_slot |= end;
        }
      }
      if (use.accepts_all) of_all |= of_slot;
      for (const std::size_t tree : use.accepts) of_tree[tree] = static_cast<Results>(of_tree[tree] | of_slot);
    }
    for (std::size_t tree = 0; tree < outlines.size(); ++tree) {
      const auto now = static_cast<Results>(of_tree[tree] | of_all);
      has_changed = has_changed || now != goes_on[tree];
      goes_on[tree] = now;
    }
  }
  return goes_on;
}

// The children of rows that can be evaluated in the update in which one before them succeeds or fails.
std::vector<PlaceIndex> evaluated_after(const StoreOutline& outline, PlaceIndex place) {
  std::vector<PlaceIndex> found;
  for (PlaceIndex at = place; outline.places[at].parent != kNoPlace; at = outline.places[at].parent) {
    const PlaceIndex row = outline.places[at].parent;
    if (!StoreOutline::is_row(outline.opcode(row))) continue;
    const Results next = StoreOutline::goes_on(outline.opcode(row));
    const std::span<const PlaceIndex> children = outline.places[row].children;
    for (std::size_t i = outline.places[at].number; i + 1 < children.size(); ++i) {
      if (!can(outline.results[children[i]], next)) break;
      found.push_back(children[i + 1]);
    }
  }
  return found;
}

}  // namespace

void analyse_store_reach(StoreAnalysis& analysis) {
  for (PlaceIndex place = 0; place < analysis.outline.places.size(); ++place) {
    if (StoreOutline::is_row(analysis.outline.opcode(place))) look_at_row(analysis, place);
  }
}

void analyse_monitors(const ir::Project& project, std::span<const StoreOutline> outlines, text::Findings& findings) {
  const std::vector<Results> goes_on = results_that_go_on(project, outlines);
  for (std::size_t tree = 0; tree < outlines.size(); ++tree) {
    const StoreOutline& outline = outlines[tree];
    for (PlaceIndex place = 0; place < outline.places.size(); ++place) {
      if (outline.opcode(place) != opcode::store_monitor) continue;
      const Results given = outline.at_root(place, outline.results[place]);
      if ((given & (kRuns | goes_on[tree])) != 0) continue;
      Finding& finding =
          findings.add(rules::SYN_monitor_never_asked, outline.span(place),
                       outline.name(place) +
                           " is never evaluated again: nothing can run after it, so the tree ends in the update that "
                           "reaches it",
                       "move it before what it should interrupt, or remove 'Monitor' around its condition");
      for (const PlaceIndex later : evaluated_after(outline, place)) {
        finding.related.push_back({outline.span(later), outline.name(later) + " after it completes at once"});
      }
    }
  }
}

}  // namespace espalier::lint
