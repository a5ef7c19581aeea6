// Shared deciders: what references refer to, cycles, and sizes that sharing multiplies. See tree_reader.h.
#include <algorithm>
#include <utility>

#include "dialects/decider/tree_reader.h"
#include "dialects/reading/use_order.h"
#include "rules/decider.h"
#include "runtime/decide/layout.h"
#include "runtime/format/opcodes/decide.h"
#include "runtime/format/records.h"

namespace espalier::dialects::decider {
namespace {

constexpr std::size_t kMaxPlaces = 20;  // related places of one finding

}  // namespace

void TreeReader::resolve_references() {
  find_shared();
  sort_shared();
  if (reporter_.has_errors() || root_ == nullptr) return;
  number_references(*root_);
  for (ir::Draft* const node : shared_nodes_) number_references(*node);
  check_size();
  tree_.nodes = drafts_.lay_out(*root_, shared_nodes_);
}

// Keeps only the references to shared deciders.
void TreeReader::find_shared() {
  std::vector<Reference> resolved;
  resolved.reserve(references_.size());
  for (Reference& reference : references_) {
    const std::string_view name = reference.name.value();
    const Span span = reference.name.value_span();
    const std::optional<std::uint32_t> number = decider_names_.find(name);
    if (!number) {
      const bool is_excused = excused_.contains(std::string(name));
      const std::string hint = shared_.empty() ? "declare shared deciders in 'Deciders'" : "";
      if (!is_excused) shared_names_.find_or_report(name, span, reporter_, hint);
    } else if (named_[*number].standing == Standing::shared) {
      reference.to = named_[*number].shared;
      check_every(reference);
      resolved.push_back(reference);
    } else if (named_[*number].standing != Standing::misplaced) {
      reporter_.report(rules::DEC_unknown_decider, span, "decider " + quote(name) + " is not shared",
                       "move it to 'Deciders', and refer to it from both places",
                       {decider_names_.span_of(name), "declared here"});
    }
  }
  references_ = std::move(resolved);
}

text::Finding& TreeReader::report_every(const Attribute& every, Opcode policy) {
  return reporter_.report(rules::DEC_every_without_choice, every.name_span(),
                          "'every' counts from when the decider was asked, and a " + quote(policy_name(policy)) +
                              " group also asks children that it does not choose");
}

// The timer runs from when the decider was asked, even if another child is chosen.
void TreeReader::check_every(const Reference& reference) {
  const Attribute& every = shared_[reference.to].every;
  if (!every || !asks_without_choosing(reference.policy)) return;
  std::vector<text::Related>& places = report_every(every, reference.policy).related;
  if (places.size() < kMaxPlaces) places.push_back({reference.name.value_span(), "put into such a group here"});
}

// ---- Order and cycles ---------------------------------------------------------------------------

// Sets shared_numbers_ and the shared nodes: each decider after those that it refers to.
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
    steps.reserve(cycle.size());
    for (const std::size_t use : cycle)
      steps.push_back({shared_[uses[use].user].node->name(), names[use]->value_span()});
    text::Finding& finding =
        reporter_.report(rules::DEC_reference_cycle, steps[0].use, "reference cycle: " + describe_cycle(steps));
    if (finding.related.empty()) finding.related = places_of_cycle(steps);
  }
  shared_numbers_.resize(shared_.size());
  for (const std::size_t shared : order) {
    shared_numbers_[shared] = size_of(shared_nodes_);
    shared_nodes_.push_back(shared_[shared].node);
  }
}

void TreeReader::number_references(ir::Draft& node) {
  if (node.opcode == opcode::decide_share) {
    node.as<ir::DeciderShare>().shared = shared_numbers_[shared_names_.find(node.name()).value_or(0)];
  }
  for (ir::Draft* child = node.first_child(); child != nullptr; child = child->next_sibling())
    number_references(*child);
}

// ---- Sizes --------------------------------------------------------------------------------------

void TreeReader::check_size() {
  if (node_count_ > layout::kMaxNodes) {
    reporter_.report(rules::DEC_too_large, tree_.span,
                     too_many("deciders and references", node_count_, layout::kMaxNodes));
    return;
  }
  std::vector<layout::Decider> sizes;
  sizes.reserve(shared_nodes_.size());
  for (const ir::Draft* const node : shared_nodes_) sizes.push_back(measure(*node, sizes));
  static_cast<void>(measure(*root_, sizes));
}

// Its counts as in an asset. The first one that is too large is reported.
layout::Decider TreeReader::measure(const ir::Draft& node, const std::vector<layout::Decider>& sizes) {
  if (node.opcode == opcode::decide_share) return sizes[node.as<ir::DeciderShare>().shared];
  DeciderSums sums;
  for (const ir::Draft* child = node.first_child(); child != nullptr; child = child->next_sibling()) {
    sums.add(measure(*child, sizes));
  }
  const ir::Decider& decider = ir::decider_of(node);
  layout::Decider size = {};
  size.memory_bytes = static_cast<std::uint16_t>(decider.memory_bytes);
  size.block_bytes = static_cast<std::uint16_t>(decider.block_bytes);
  if (reporter_.has_errors() || sums.finish(node.opcode, decider.delegates, &size)) return size;
  std::string message =
      "too much memory for this decider and those in it: at most " + std::to_string(layout::kMaxDecideBytes) + " bytes";
  if (size.level_count > layout::kMaxLevels) {
    message = too_many("nested deciders", size.level_count, layout::kMaxLevels);
  } else if (size.path_bytes <= layout::kMaxDecideBytes && size.asked_count > layout::kMaxAsked) {
    message = "too many deciders are asked when this one decides: at most " + std::to_string(layout::kMaxAsked);
  }
  reporter_.report(rules::DEC_too_large, node.span, std::move(message));
  return size;
}

}  // namespace espalier::dialects::decider
