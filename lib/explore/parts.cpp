// The largest parts without what is needed. See parts.h.
#include "explore/parts.h"

#include <algorithm>

namespace espalier::explore {

void Parts::count() {
  for (std::size_t i = nodes.size(); i-- > 1;) nodes[nodes[i].parent].count += nodes[i].count;
}

void Parts::find(const PartRules& rules, const SliceQuestion& question) {
  find_again(rules);
  if (question.has_free_times) return;
  // Where nothing that is left waits for a time, it does not matter which times pass.
  bool measures_time = question.measures_time;
  for (std::uint32_t i = 0; i < nodes.size(); ++i) measures_time |= nodes[i].has_timer && !is_left_out_[i];
  if (!measures_time) return;
  for (SlicedNode& node : nodes) node.is_needed |= node.has_timer;
  find_again(rules);
}

ir::Results Parts::results_of(const SlicedPart& part) const {
  ir::Results results = 0;
  for (std::uint32_t i = part.first; i < part.end(); i += nodes[i].count) results = ir::both(results, nodes[i].results);
  return results;
}

std::set<std::uint32_t> Parts::looked_at() const {
  std::set<std::uint32_t> looked_at;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (!is_left_out_[i]) looked_at.insert(nodes[i].looked_at.begin(), nodes[i].looked_at.end());
  }
  return looked_at;
}

// The part that begins with this node.
SlicedPart Parts::part_at(std::uint32_t first, const PartRules& rules, const std::vector<bool>& has_needed) const {
  const std::uint32_t parent = nodes[first].parent;
  SlicedPart part{first, nodes[first].count};
  if (first == 0 || !rules.joins(parent) || !rules.may_join(first)) return part;
  const std::uint32_t end = parent + nodes[parent].count;
  while (part.end() < end && !has_needed[part.end()] && rules.may_join(part.end())) {
    part.count += nodes[part.end()].count;
    ++part.child_count;
  }
  return part;
}

// What writes what the others look at is needed.
void Parts::find_again(const PartRules& rules) {
  for (bool has_more = true; has_more;) {
    std::vector<bool> has_needed(nodes.size());
    for (std::size_t i = nodes.size(); i-- > 0;) {
      if (nodes[i].is_needed) has_needed[i] = true;
      if (has_needed[i]) has_needed[nodes[i].parent] = true;
    }
    parts_.clear();
    is_left_out_.assign(nodes.size(), false);
    for (std::uint32_t i = 0; i < nodes.size();) {
      const SlicedPart part = has_needed[i] ? SlicedPart{i, 1} : part_at(i, rules, has_needed);
      const bool is_worthwhile = part.count > 1 || !nodes[i].written.empty();
      if (has_needed[i] || !is_worthwhile || !rules.has_room(part)) {
        ++i;
        continue;
      }
      parts_.push_back(part);
      for (; i < part.end(); ++i) is_left_out_[i] = true;
    }
    has_more = false;
    const std::set<std::uint32_t> looked_at = this->looked_at();
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      SlicedNode& node = nodes[i];
      if (!is_left_out_[i] || node.is_needed) continue;
      node.is_needed = std::any_of(node.written.begin(), node.written.end(),
                                   [&](std::uint32_t entry) { return looked_at.contains(entry); });
      has_more |= node.is_needed;
    }
  }
}

}  // namespace espalier::explore
