// Whether flags are set back when what sets them is interrupted. See cleaning.h.
#include "explore/property/cleaning.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <string>
#include <vector>

#include "codegen/dump/disassemble.h"
#include "explore/allowance.h"
#include "explore/find.h"
#include "explore/slice.h"
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

// What becomes of the entry in a tree, or in a slice of it.
class Cleaning {
 public:
  Cleaning(const Tree& tree, const SetBackEntry& entry, const HostFacts& host, const Options& options)
      : tree_(tree),
        entry_(entry),
        world_({{tree, 1, &host.results}}, options.signal_only, 0,
               {.host = facts_without(tree, entry, host), .expected = {expected(entry)}}) {
    // The last thing that happened to the part in an update.
    tracker_.node = [this](Moment& moment, const NodeStep& step) {
      if (step.node_word == entry_.part) moment.notes.assign(1, static_cast<std::uint64_t>(step.kind));
    };
    tracker_.updated = [this](Moment& moment) {
      if (moment.notes.empty() || runs(tree_, moment.block, entry_.part) || !is_set(tree_, moment.block, entry_))
        return;
      const auto kind = static_cast<NodeStepKind>(static_cast<std::uint32_t>(moment.notes.front()));
      moment.mark(kind == NodeStepKind::interrupt ? kInterruptedPart : kEnded);
    };
    observer_.tracker = &tracker_;
    observer_.after = [this](Run& run, const Step& step, unsigned char* state) {
      const Side& side = world_.sides().front();
      const bool is_interrupted =
          step.kind == StepKind::halt && runs(tree_, World::block(side, run.before(), 0), entry_.part);
      if (is_interrupted && is_set(tree_, World::block(side, state, 0), entry_)) run.mark(kInterruptedPart);
      return true;
    };
  }
  Cleaning(const Cleaning&) = delete;

  Findings find(std::uint64_t wanted_marks, const Budget& budget) const {
    return find_all(world_, observer_, wanted_marks, budget);
  }
  const std::string& limit() const { return world_.limit(); }

 private:
  const Tree tree_;
  const SetBackEntry& entry_;
  const World world_;
  Tracker tracker_;
  Observer observer_;
};

// The marks that no run of a slice shows.
std::set<std::uint64_t> never_marked(const Tree& tree, const SetBackEntry& entry, const Options& options,
                                     bool keeps_tests, Allowance& left, Proof& proof) {
  constexpr std::uint64_t kSliced = 8;  // parts of the budget
  const SliceQuestion question{.texts = {entry.name}, .words = {entry.part, entry.setter}, .keeps_tests = keeps_tests};
  const auto slice = slice_of(tree, question, options.host);
  if (slice == nullptr) return {};
  const auto begin = std::chrono::steady_clock::now();
  const Findings found = Cleaning(slice->of_tree(), entry, slice->host, options).find(2, left.part(kSliced));
  left.use(found.paid_count, begin);
  proof.state_count = found.state_count;
  proof.used_count += found.paid_count;
  std::set<std::uint64_t> never;
  for (const std::uint64_t mark : {kEnded, kInterruptedPart}) {
    if (found.is_complete && !found.marks.contains(mark)) never.insert(mark);
  }
  return never;
}

}  // namespace

Proof prove_set_back(const Tree& tree, const SetBackEntry& entry, const std::string& name, const Options& options) {
  constexpr std::uint64_t kFirstLook = 64;  // parts of the budget
  Proof proof{.property = name, .tree = std::string(tree_name(tree))};
  const Cleaning cleaning(tree, entry, options.host, options);
  Allowance left(options.budget);
  std::set<std::uint64_t> never;
  const auto look = [&](const Budget& budget) {
    const auto begin = std::chrono::steady_clock::now();
    Findings found = cleaning.find(2 - never.size(), budget);
    left.use(found.paid_count, begin);
    proof.state_count = found.state_count;
    proof.used_count += found.paid_count;
    return found;
  };
  // What few states do not tell, a part of the tree may.
  Findings found = look(left.part(kFirstLook));
  const auto is_open = [&] { return !found.is_complete && !found.marks.contains(kEnded); };
  for (const bool keeps_tests : {false, true}) {
    if (is_open() && never.empty()) never = never_marked(tree, entry, options, keeps_tests, left, proof);
  }
  if (never.contains(kInterruptedPart) && never.contains(kEnded)) {
    proof.result = Truth::holds;
    return proof;
  }
  if (is_open()) found = look(left.part());
  proof.is_told = !found.marks.contains(kEnded);
  if (!proof.is_told) return proof;
  if (!found.is_complete) {
    proof.hint = cleaning.limit();
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
