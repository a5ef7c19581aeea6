// Whether flags are set back when what sets them is interrupted. See cleaning.h.
#include "explore/property/cleaning.h"

#include <algorithm>
#include <string>
#include <vector>

#include "codegen/dump/disassemble.h"
#include "explore/find.h"
#include "explore/tracker.h"
#include "replay/names.h"
#include "runtime/poll/tree.h"
#include "text/json.h"
#include "text/names.h"

namespace espalier::explore {
namespace {

// Marks: the part has ended by itself, or was interrupted, and the entry is still set.
constexpr std::uint64_t kEnded = 0;
constexpr std::uint64_t kInterruptedPart = 1;

// What the tree sets and sets back is not the program's to write.
HostFacts facts_without(const Tree& tree, const SetBackEntry& entry, HostFacts facts) {
  if (!facts.entries) {
    const PollTreeView view(tree);
    std::vector<std::string>& names = facts.entries.emplace();
    for (std::uint32_t i = 0; i < view.fixed_entry_count(); ++i) {
      if (view.entries[i].board == 0) names.emplace_back(view.name(view.entries[i].name));
    }
    std::sort(names.begin(), names.end());
  }
  std::erase(*facts.entries, entry.name);
  return facts;
}

ExpectedEntry expected(const SetBackEntry& entry) {
  const std::size_t slash = entry.name.rfind('/');
  const std::size_t name = slash == std::string::npos ? 0 : slash + 1;
  return {.path = name == 0 ? "" : entry.name.substr(0, slash), .name = entry.name.substr(name), .value = entry.value};
}

}  // namespace

Proof prove_set_back(const Tree& tree, const SetBackEntry& entry, const std::string& name, const Options& options) {
  const World world({{tree, 1, &options.host.results}}, options.signal_only, 0,
                    {.host = facts_without(tree, entry, options.host), .expected = {expected(entry)}});
  Tracker tracker;
  // The last thing that happened to the part in an update.
  tracker.node = [&](Moment& moment, const NodeStep& step) {
    if (step.node_word == entry.part) moment.notes.assign(1, static_cast<std::uint64_t>(step.kind));
  };
  tracker.updated = [&](Moment& moment) {
    if (moment.notes.empty() || runs(tree, moment.block, entry.part) || !is_set(tree, moment.block, entry)) return;
    const auto kind = static_cast<NodeStepKind>(static_cast<std::uint32_t>(moment.notes.front()));
    moment.mark(kind == NodeStepKind::interrupt ? kInterruptedPart : kEnded);
  };
  Observer observer;
  observer.tracker = &tracker;
  observer.after = [&](Run& run, const Step& step, unsigned char* state) {
    const Side& side = world.sides().front();
    const bool is_interrupted =
        step.kind == StepKind::halt && runs(tree, World::block(side, run.before(), 0), entry.part);
    if (is_interrupted && is_set(tree, World::block(side, state, 0), entry)) run.mark(kInterruptedPart);
    return true;
  };
  const Findings found = find_all(world, observer, 2, options.budget);
  Proof proof{.property = name, .tree = std::string(tree_name(tree))};
  proof.state_count = found.state_count;
  proof.used_count = found.paid_count;
  proof.is_told = !found.marks.contains(kEnded);
  if (!proof.is_told) return proof;
  if (!found.is_complete) {
    proof.hint = world.limit();
    return proof;
  }
  const auto mark = found.marks.find(kInterruptedPart);
  proof.result = mark == found.marks.end() ? Truth::holds : Truth::fails;
  if (mark == found.marks.end()) return proof;
  proof.trace = mark->second.trace;
  proof.expectation =
      "{\"expect\": {\"variables\": {" + text::json_string(entry.name) + ": {\"not\": " + text_of(entry.value) + "}}}}";
  const codegen::NodeDebug setter = codegen::node_debug(*tree.asset, entry.setter);
  proof.hint_place = {std::string(setter.file), setter.line, setter.column};
  proof.hint = text::quote(entry.name) + ", which is set here, is not set back when " +
               text::quote(replay::node_text(*tree.asset, entry.part)) + " is interrupted";
  return proof;
}

}  // namespace espalier::explore
