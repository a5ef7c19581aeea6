// Slots that make agents large because they accept every tree of the project. See analysis.h.
#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "ir/store_needs.h"
#include "lint/store/analysis.h"
#include "rules/synchronized.h"
#include "runtime/format/opcodes/store.h"
#include "text/names.h"

namespace espalier::lint {
namespace {

constexpr std::uint64_t kLargeAgentBytes = 1024;
constexpr std::size_t kMaxLarge = 8;  // findings; each needs several passes over all sizes

std::uint64_t agent_bytes(const ir::Project& project, std::uint32_t tree) {
  const ir::StoreNeeds needs = ir::store_needs(project);
  return needs.agent_bytes(project, tree, std::max(1u, needs.levels_that_fit(project, tree)));
}

template <typename Visit>
void for_each_child_tree(const ir::Node& root, const Visit& visit) {
  for (const ir::Node& node : ir::nodes_from(root)) {
    if (node.opcode == opcode::store_child) visit(node);
  }
}

class SizeAnalysis {
 public:
  SizeAnalysis(const ir::Project& project, const ir::StoreNeeds& needs, text::Findings& findings)
      : project_(project), needs_(needs), findings_(findings), is_reported_(project.slots.size()) {
    for (const ir::Tree& tree : project.trees) {
      if (tree.engine() != EngineId::store) continue;
      for_each_child_tree(tree.root(), [&](const ir::Node& node) {
        const auto& child = node.as<ir::ChildTree>();
        if (!child.default_tree.empty()) defaults_[child.slot].push_back(child.default_tree);
      });
    }
    for (const auto& [name, tree] : needs.trees) {
      if (needs.slots[tree].empty()) without_slots_.emplace_back(name);
    }
    std::sort(without_slots_.begin(), without_slots_.end());
  }

  // Reports the slot of the tree whose list would save most, unless one of its slots was reported with a larger agent.
  void look_at(std::uint32_t tree, std::uint64_t bytes) {
    std::vector<std::uint32_t> open;  // in the order of the file
    for (const std::uint32_t slot : needs_.slots[tree]) {
      const bool is_closed = project_.slots[slot].accepts || project_.slots[slot].budget_bytes;
      if (!is_closed && std::find(open.begin(), open.end(), slot) == open.end()) open.push_back(slot);
    }
    if (open.empty() || std::any_of(open.begin(), open.end(), [&](std::uint32_t slot) { return is_reported_[slot]; })) {
      return;
    }
    std::uint32_t best = open.front();
    std::uint64_t best_bytes = bytes;
    if (!limited_) limited_ = project_;
    for (const std::uint32_t slot : open) {
      limit(*limited_, slot);
      const std::uint64_t with_list = agent_bytes(*limited_, tree);
      limited_->slots[slot] = project_.slots[slot];
      if (with_list >= best_bytes) continue;
      best = slot;
      best_bytes = with_list;
    }
    if (best_bytes >= bytes) return;  // the trees themselves are large
    for (const std::uint32_t slot : open) limit(*limited_, slot);
    report(tree, open, best, bytes, best_bytes, agent_bytes(*limited_, tree));
    limited_->slots = project_.slots;
  }

 private:
  // The slot then accepts trees without slots, and its defaults.
  void limit(ir::Project& project, std::uint32_t slot) const {
    std::vector<std::string> accepts = without_slots_;
    if (const auto found = defaults_.find(project.slots[slot].name); found != defaults_.end()) {
      accepts.insert(accepts.end(), found->second.begin(), found->second.end());
    }
    project.slots[slot].accepts = std::move(accepts);
  }

  void report(std::uint32_t tree, const std::vector<std::uint32_t>& open, std::uint32_t best, std::uint64_t bytes,
              std::uint64_t best_bytes, std::uint64_t all_bytes) {
    const ir::Tree& source = project_.trees[tree];
    const std::size_t with_slots = needs_.trees.size() - without_slots_.size();
    std::string hint = "limit the slot with 'accepts': with its default and trees without slots only, an agent needs " +
                       std::to_string(best_bytes) + " bytes";
    if (open.size() > 1) hint += "; with the same limit for all its slots: " + std::to_string(all_bytes);
    Finding& finding = findings_.add(rules::SYN_large_agent, span_of(source, best),
                                     "an agent of " + text::quote(source.name) + " needs " + std::to_string(bytes) +
                                         " bytes: the slot " + text::quote(project_.slots[best].name) +
                                         " accepts every tree of the project, " + std::to_string(with_slots) + " of " +
                                         std::to_string(needs_.trees.size()) + " with slots again",
                                     std::move(hint));
    for (const std::uint32_t slot : open) {
      is_reported_[slot] = true;
      if (slot != best) finding.related.push_back({span_of(source, slot), "this slot accepts every tree, too"});
    }
  }

  text::Span span_of(const ir::Tree& tree, std::uint32_t slot) const {
    const ir::Node* found = nullptr;
    for_each_child_tree(tree.root(), [&](const ir::Node& node) {
      if (found == nullptr && node.as<ir::ChildTree>().slot == project_.slots[slot].name) found = &node;
    });
    return found->span;
  }

  const ir::Project& project_;
  const ir::StoreNeeds& needs_;
  text::Findings& findings_;
  std::optional<ir::Project> limited_;                             // a copy, to try lists of slots
  std::vector<bool> is_reported_;                                  // by slot
  std::map<std::string_view, std::vector<std::string>> defaults_;  // by slot
  std::vector<std::string> without_slots_;                         // trees
};

}  // namespace

void analyse_store_sizes(const ir::Project& project, text::Findings& findings) {
  const ir::StoreNeeds needs = ir::store_needs(project);
  std::vector<std::pair<std::uint64_t, std::uint32_t>> large;  // with the tree
  for (const auto& [name, tree] : needs.trees) {
    const std::uint64_t bytes = needs.agent_bytes(project, tree, std::max(1u, needs.levels_that_fit(project, tree)));
    // Most of it is room for the trees in its slots, rather than what its own nodes and the number of slots take.
    const bool has_large_rooms = bytes > 2 * needs.agent_bytes(project, tree, 1);
    if (bytes > kLargeAgentBytes && has_large_rooms) large.emplace_back(bytes, tree);
  }
  std::sort(large.begin(), large.end(),
            [](const auto& a, const auto& b) { return a.first != b.first ? a.first > b.first : a.second < b.second; });
  if (large.size() > kMaxLarge) large.resize(kMaxLarge);
  if (large.empty()) return;
  SizeAnalysis analysis(project, needs, findings);
  for (const auto& [bytes, tree] : large) analysis.look_at(tree, bytes);
}

}  // namespace espalier::lint
