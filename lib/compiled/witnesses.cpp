// The traces that show what findings say can happen. See witnesses.h.
#include "compiled/witnesses.h"

#include <algorithm>
#include <map>
#include <optional>

#include "codegen/compile.h"
#include "explore/expected_lines.h"
#include "explore/explore.h"
#include "explore/witness.h"
#include "ir/store_needs.h"
#include "runtime/format/opcodes/rule.h"
#include "runtime/format/opcodes/store.h"
#include "runtime/format/opcodes/tick.h"

namespace espalier::compiled {
namespace {

// Lint is run often, and most claims are shown within a few steps: when some trees have taken long in vain, the others
// get less.
constexpr explore::Budget kOfTree = {.states = 2000, .threads = 1, .choices = 256};
constexpr explore::Budget kOfTreeThen = {.states = 100, .threads = 1, .choices = 32};
constexpr std::uint32_t kMostInVain = 5;
// In large projects the first ones have traces, so that the work stays small.
constexpr std::size_t kMostTrees = 64;
constexpr std::size_t kMostClaims = 64;  // of one tree

using FindingsByTree = std::map<std::string, std::vector<text::Finding*>>;

explore::SourcePlace place_of(const text::Sources& sources, text::Span span) {
  const text::Position position = sources[span.file].position(span.begin);
  return {sources[span.file].path(), position.line, position.column};
}

// An action that does not answer whatever it likes.
void add_declared(const ir::Node& node, const text::Sources& sources, std::vector<explore::ResultsOfNode>& declared) {
  constexpr auto kFails = static_cast<ir::Results>(1u << ESPALIER_FAILURE);
  constexpr auto kSucceeds = static_cast<ir::Results>(1u << ESPALIER_SUCCESS);
  ir::Results results = ir::kAnyResult;
  if (node.opcode == opcode::tick_action || node.opcode == opcode::store_action) {
    results = node.as<ir::Behavior>().results;
  } else if (node.opcode == opcode::rule_action) {
    const ir::Rule& rule = node.as<ir::Rule>();
    results = static_cast<ir::Results>(rule.results | (rule.conditions.empty() ? 0 : kFails));
    if ((node.flags & kDoesNotFail) != 0 && (results & kFails) != 0) results |= kSucceeds;
  }
  if (results != ir::kAnyResult) declared.push_back({place_of(sources, node.span), results});
}

// The kinds of events that show a claim: what happens to nodes, unless that is a long list.
std::vector<std::string> events_of(const text::Claim& claim, EngineId engine) {
  const bool runs_away = std::any_of(claim.nodes.begin(), claim.nodes.end(),
                                     [](const text::Claim::At& at) { return at.happens == text::Happens::runs_away; });
  if (runs_away) return {"error"};
  if (engine == EngineId::decide) return {};
  return {"begin", "complete"};
}

// Shows claims about one tree. False: not all of them.
bool show(const Asset& asset, const explore::NodesByPlace& nodes, const ir::Tree& source,
          const std::vector<text::Finding*>& findings, const text::Sources& sources, const explore::Options& options) {
  Tree tree;
  if (espalier::find_tree(asset, source.name, &tree) != Status::ok) return false;
  std::vector<explore::Claim> claims;
  for (const text::Finding* finding : findings) {
    explore::Claim& claim = claims.emplace_back();
    for (const text::Claim::At& at : finding->claim->nodes) {
      claim.nodes.push_back({at.happens, place_of(sources, at.node)});
    }
  }
  std::vector<explore::ResultsOfNode> declared;
  for (const ir::Node& node : source.nodes.all()) add_declared(node, sources, declared);
  const std::vector<std::optional<explore::Trace>> shown = explore::show_claims(tree, nodes, claims, declared, options);
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (!shown[i]) continue;
    const explore::Trace& trace = *shown[i];
    const std::vector<std::string> events = events_of(*findings[i]->claim, source.engine());
    findings[i]->witness = text::Witness{findings[i]->claim->shows,
                                         trace.steps,
                                         trace.tree,
                                         trace.agent_count,
                                         trace.seed,
                                         events,
                                         explore::last_expectations(asset, trace, events)};
  }
  return std::all_of(shown.begin(), shown.end(), [](const auto& trace) { return trace.has_value(); });
}

}  // namespace

void add_witnesses(project::Project& project) {
  FindingsByTree by_tree;
  for (text::Finding& finding : project.findings.all()) {
    if (!finding.claim || finding.witness) continue;
    if (by_tree.size() == kMostTrees && !by_tree.contains(finding.claim->tree)) continue;
    std::vector<text::Finding*>& of_tree = by_tree[finding.claim->tree];
    if (of_tree.size() < kMostClaims) of_tree.push_back(&finding);
  }
  if (by_tree.empty()) return;
  // Trees with errors are left out, and trees that store may need them in their slots.
  const bool has_all = !project.findings.has_errors();
  std::vector<std::uint32_t> wanted;
  for (std::uint32_t i = 0; i < project.ir.trees.size(); ++i) {
    const ir::Tree& tree = project.ir.trees[i];
    if (by_tree.contains(tree.name) && (has_all || tree.engine() != EngineId::store)) wanted.push_back(i);
  }
  if (wanted.empty()) return;
  ir::leave_reached(project.ir, ir::store_needs(project.ir), wanted);
  const ir::Project& trees = project.ir;
  const text::Sources& sources = project.snapshot.sources;
  text::Findings faults;
  std::size_t size_bytes = 0;
  const std::vector<std::uint64_t> words = codegen::compile(trees, sources, {}, faults, &size_bytes);
  Asset asset;
  if (words.empty() || open(words.data(), size_bytes, &asset) != Status::ok) return;
  explore::Options options;
  options.signal_only = project.snapshot.configuration.dialects.signal_only;
  const explore::NodesByPlace nodes(asset);
  std::uint32_t in_vain = 0;
  for (const ir::Tree& tree : trees.trees) {
    const auto found = by_tree.find(tree.name);
    if (found == by_tree.end()) continue;
    options.budget = in_vain < kMostInVain ? kOfTree : kOfTreeThen;
    if (!show(asset, nodes, tree, found->second, sources, options)) ++in_vain;
  }
}

}  // namespace espalier::compiled
