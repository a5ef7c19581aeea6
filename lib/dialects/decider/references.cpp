// Shared deciders: what references stand for, cycles, and sizes that sharing multiplies. See tree_reader.h.
#include <algorithm>
#include <utility>

#include "dialects/decider/tree_reader.h"
#include "dialects/reading/use_order.h"
#include "runtime/format/records.h"

namespace espalier::dialects::decider {
namespace {

using text::quote;

constexpr std::size_t kMaxShown = 20;  // related places of one finding

}  // namespace

void TreeReader::resolve_references() {
  find_shared();
  sort_shared();
  if (reporter_.has_errors()) return;
  number_references(tree_.root);
  for (ir::Node& node : deciding().shared) number_references(node);
  check_size();
}

// Leaves the references that have something to stand for.
void TreeReader::find_shared() {
  std::vector<Reference> resolved;
  resolved.reserve(references_.size());
  for (Reference& reference : references_) {
    const auto found = deciders_.find(std::string(reference.name.value()));
    if (found == deciders_.end()) {
      report_unknown(reference);
    } else if (found->second.standing == Standing::shared) {
      reference.to = found->second.shared;
      warn_of_every(reference);
      resolved.push_back(reference);
    } else if (found->second.standing != Standing::misplaced) {
      reporter_.report(Rule::DEC_unknown_decider, reference.name.value_span(),
                       quote(reference.name.value()) + " is no shared decider: it does not stand in 'Deciders'",
                       "move it to 'Deciders', and refer to it from here and from there",
                       {found->second.span, "it stands here"});
    }
  }
  references_ = std::move(resolved);
}

void TreeReader::report_unknown(const Reference& reference) {
  const std::string name(reference.name.value());
  if (excused_.contains(name)) return;
  std::string hint;
  if (reporter_.may_guess(shared_.size())) {
    std::vector<std::string_view> names;
    names.reserve(shared_.size());
    for (const SharedDecider& shared : shared_) names.push_back(shared.node.name);
    hint = text::did_you_mean(name, names);
  }
  if (hint.empty() && may_lack_shared_) return;
  if (shared_.empty()) hint = "shared deciders stand in 'Deciders'";
  reporter_.report(Rule::DEC_unknown_decider, reference.name.value_span(), "no decider is named " + quote(name),
                   std::move(hint));
}

text::Finding& TreeReader::report_every(const Attribute& every, Opcode policy) {
  return reporter_.report(Rule::DEC_every_without_choice, every.name_span(),
                          "'every' counts from when it was asked, and a " + quote(policy_name(policy)) +
                              " group asks children that it does not choose then");
}

// The timer runs from when the decider was asked, also where another child is chosen then.
void TreeReader::warn_of_every(const Reference& reference) {
  const Attribute& every = shared_[reference.to].every;
  if (!every || !asks_without_choosing(reference.policy)) return;
  std::vector<text::Related>& places = report_every(every, reference.policy).related;
  if (places.size() < kMaxShown) places.push_back({reference.name.value_span(), "put into such a group here"});
}

// ---- Order and cycles ---------------------------------------------------------------------------

// Sets shared_numbers_ and Deciding::shared: each after those that it refers to.
void TreeReader::sort_shared() {
  std::vector<Use> uses;
  std::vector<const Attribute*> names;  // of the references
  for (const Reference& reference : references_) {
    if (!reference.from) continue;
    uses.push_back({*reference.from, reference.to});
    names.push_back(&reference.name);
  }
  const auto [order, cycles] = order_by_use(shared_.size(), uses);
  for (const std::vector<std::size_t>& cycle : cycles) {
    std::vector<CycleStep> steps;
    for (const std::size_t use : cycle) steps.push_back({shared_[uses[use].user].node.name, names[use]->value_span()});
    text::Finding& finding =
        reporter_.report(Rule::DEC_reference_cycle, steps[0].use, "reference cycle: " + describe_cycle(steps));
    if (finding.related.empty()) finding.related = places_of_cycle(steps);
  }
  shared_numbers_.resize(shared_.size());
  for (const std::size_t shared : order) {
    shared_numbers_[shared] = size_of(deciding().shared);
    deciding().shared.push_back(std::move(shared_[shared].node));
  }
}

void TreeReader::number_references(ir::Node& node) {
  if (node.opcode == Opcode::decide_share) {
    node.as<ir::DeciderShare>().shared = shared_numbers_[deciders_.find(node.name)->second.shared];
  }
  for (ir::Node& child : node.children) number_references(child);
}

// ---- Sizes --------------------------------------------------------------------------------------

void TreeReader::check_size() {
  if (node_count_ > layout::kMaxNodes) {
    reporter_.report(Rule::DEC_too_large, tree_.span,
                     "the tree has " + std::to_string(node_count_) + " deciders and references; " +
                         std::to_string(layout::kMaxNodes) + " are the most");
    return;
  }
  std::vector<layout::Decider> sizes;
  sizes.reserve(deciding().shared.size());
  for (const ir::Node& node : deciding().shared) sizes.push_back(measure(node, sizes));
  static_cast<void>(measure(tree_.root, sizes));
}

// Its counts, as they are in an asset. The first one that is too large is told.
layout::Decider TreeReader::measure(const ir::Node& node, const std::vector<layout::Decider>& sizes) {
  if (node.opcode == Opcode::decide_share) return sizes[node.as<ir::DeciderShare>().shared];
  DeciderSums sums;
  for (const ir::Node& child : node.children) sums.add(measure(child, sizes));
  const ir::Decider& decider = ir::decider_of(node);
  layout::Decider size = {};
  size.memory_bytes = static_cast<std::uint16_t>(decider.memory_bytes);
  size.block_bytes = static_cast<std::uint16_t>(decider.block_bytes);
  if (reporter_.has_errors() || sums.finish(node.opcode, decider.delegates, &size)) return size;
  std::string message =
      "what is below it takes more than " + std::to_string(layout::kMaxDecideBytes) + " bytes of memory";
  if (size.level_count > layout::kMaxLevels) {
    message = "from here on " + std::to_string(size.level_count) + " deciders stand within one another; " +
              std::to_string(layout::kMaxLevels) + " are the most";
  } else if (size.path_bytes <= layout::kMaxDecideBytes && size.asked_count > layout::kMaxAsked) {
    message = "asking it, or what is below it, asks more than " + std::to_string(layout::kMaxAsked) + " deciders";
  }
  reporter_.report(Rule::DEC_too_large, node.span, std::move(message));
  return size;
}

}  // namespace espalier::dialects::decider
