// Shared deciders: what references stand for, cycles, and sizes that sharing multiplies. See tree_reader.h.
#include <algorithm>
#include <set>
#include <utility>

#include "dialects/decider/tree_reader.h"
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

// Sets shared_numbers_ and Deciding::shared: each behind those that it refers to.
void TreeReader::sort_shared() {
  enum class State : std::uint8_t { unseen, open, done };
  std::vector<std::vector<std::size_t>> uses(shared_.size());
  for (std::size_t i = 0; i < references_.size(); ++i) {
    if (references_[i].from) uses[*references_[i].from].push_back(i);
  }
  std::vector<State> states(shared_.size(), State::unseen);
  std::set<std::pair<std::uint32_t, std::uint32_t>> told;
  std::vector<Step> steps;
  shared_numbers_.resize(shared_.size());
  for (std::uint32_t start = 0; start < shared_.size(); ++start) {
    if (states[start] == State::unseen) steps.push_back({start});
    while (!steps.empty()) {
      Step& step = steps.back();
      states[step.shared] = State::open;
      if (step.next == uses[step.shared].size()) {
        states[step.shared] = State::done;
        shared_numbers_[step.shared] = static_cast<std::uint32_t>(deciding().shared.size());
        deciding().shared.push_back(std::move(shared_[step.shared].node));
        steps.pop_back();
        continue;
      }
      step.use = uses[step.shared][step.next++];
      const std::uint32_t to = references_[step.use].to;
      if (states[to] == State::open && told.emplace(step.shared, to).second) report_cycle(steps, to);
      if (states[to] == State::unseen) steps.push_back({to});
    }
  }
}

// The cycle that the last step closes by leading to `back`; told where its first decider leads on.
void TreeReader::report_cycle(const std::vector<Step>& steps, std::uint32_t back) {
  std::size_t begin = steps.size() - 1;
  while (steps[begin].shared != back) --begin;
  std::size_t first = begin;
  for (std::size_t i = begin; i < steps.size(); ++i) {
    if (steps[i].shared < steps[first].shared) first = i;
  }
  const std::size_t count = steps.size() - begin;
  std::string cycle;
  std::vector<text::Related> related;
  for (std::size_t i = 0; i < std::min(count, kMaxShown); ++i) {
    const Attribute& use = references_[steps[begin + (first - begin + i) % count].use].name;
    cycle += ", " + std::string(use.value());
    if (i > 0) related.push_back({use.value_span(), "and from there to " + quote(use.value())});
  }
  if (count > kMaxShown) cycle += ", ...";
  const std::string name(references_[steps[begin + (first - begin + count - 1) % count].use].name.value());
  text::Finding& finding = reporter_.report(Rule::DEC_reference_cycle, references_[steps[first].use].name.value_span(),
                                            "the shared decider leads to itself: " + name + cycle);
  if (finding.related.empty()) finding.related = std::move(related);
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
