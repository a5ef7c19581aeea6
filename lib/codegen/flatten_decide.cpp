// Trees of deciders to units. See flatten_decide.h.
#include "codegen/flatten_decide.h"

#include <algorithm>

#include "runtime/decide/layout.h"

namespace espalier::codegen {
namespace {

// No contradiction: the reader has refused that.
layout::MaskTest test_of_all(const ir::WantedList& list) {
  layout::MaskTest test = {};
  for (const ir::Wanted& word : list.words) {
    const std::uint64_t bit = std::uint64_t{1} << word.index;
    test.mask |= bit;
    if (word.present) test.value |= bit;
  }
  return test;
}

// One that asks for a thing and for its absence always holds: that is no test.
layout::MaskTest test_of_any(const ir::WantedList& list) {
  std::uint64_t present = 0;
  std::uint64_t absent = 0;
  for (const ir::Wanted& word : list.words) (word.present ? present : absent) |= std::uint64_t{1} << word.index;
  if ((present & absent) != 0) return {};
  return {present | absent, present};
}

void mark_shared(const ir::Node& node, std::vector<bool>& is_used) {
  if (const auto* share = node.as_if<ir::DeciderShare>()) is_used[share->shared] = true;
  for (const ir::Node& child : node.children) mark_shared(child, is_used);
}

}  // namespace

std::vector<std::uint32_t> stored_shared(const ir::Tree& tree) {
  const std::vector<ir::Node>& shared = tree.as<ir::Deciding>().shared;
  if (shared.empty()) return {};
  std::vector<bool> is_used(shared.size());
  mark_shared(tree.root, is_used);
  for (std::size_t i = shared.size(); i-- > 0;) {
    if (is_used[i]) mark_shared(shared[i], is_used);
  }
  std::vector<std::uint32_t> stored;
  for (std::uint32_t i = 0; i < is_used.size(); ++i) {
    if (is_used[i]) stored.push_back(i);
  }
  return stored;
}

// Writes the units of one tree, and counts what its record tells.
class DeciderFlattener::TreeWriter {
 public:
  TreeWriter(DeciderFlattener& flattener, const ir::Tree& source)
      : flattener_(flattener),
        sections_(flattener.sections_),
        source_(source),
        deciding_(source.as<ir::Deciding>()),
        shared_(deciding_.shared.size()) {}

  Excess write(std::uint32_t tree) {
    tree_ = tree;
    record_.max_redecides = deciding_.max_redecides;
    record_.first_unit = static_cast<std::uint32_t>(sections_.units.size());
    record_.first_decider = static_cast<std::uint32_t>(sections_.deciders.size());
    write_stimuli();
    write_behavior_flags();
    for (const std::uint32_t shared : stored_shared(source_)) shared_[shared] = write_unit(deciding_.shared[shared]);
    const Place root = write_unit(source_.root);
    record_.decider_count = static_cast<std::uint32_t>(sections_.deciders.size()) - record_.first_decider;
    if (excess_.node == nullptr) lay_out_agent(sections_.deciders[root.decider], sections_.trees[tree]);
    sections_.trees[tree].unit = root.unit;
    sections_.trees[tree].record = static_cast<std::uint32_t>(sections_.decider_trees.size());
    sections_.decider_trees.push_back(record_);
    return excess_;
  }

 private:
  // Where a unit is, and the record of its root.
  struct Place {
    std::uint32_t unit = 0;
    std::uint32_t decider = 0;
  };

  std::uint32_t next_word() const { return static_cast<std::uint32_t>(sections_.nodes.size()); }

  void exceed(const ir::Node& node, Excess::Kind kind) {
    if (excess_.node == nullptr) excess_ = {&node, kind};
  }

  void write_stimuli() {
    record_.first_stimulus = static_cast<std::uint32_t>(sections_.stimuli.size());
    record_.stimulus_count = static_cast<std::uint32_t>(deciding_.stimuli.size());
    for (const ir::Stimulus& stimulus : deciding_.stimuli) {
      const std::uint32_t timeout = stimulus.timeout_us == 0 ? layout::kNone : record_.timeout_count++;
      sections_.stimuli.push_back({stimulus.timeout_us, sections_.names.add(stimulus.name), timeout});
    }
  }

  void write_behavior_flags() {
    record_.first_behavior_flag = static_cast<std::uint32_t>(sections_.behavior_flags.size());
    record_.behavior_flag_count = static_cast<std::uint32_t>(deciding_.behavior_flags.size());
    for (const std::string& name : deciding_.behavior_flags) {
      sections_.behavior_flags.push_back({sections_.names.add(name)});
    }
  }

  Place write_unit(const ir::Node& root) {
    layout::Unit unit = sections_.begin_unit(tree_);
    unit_nodes_ = record_.node_count;
    const std::uint32_t decider = write_node(root, unit.first_word, 1);
    unit.word_count = next_word() - unit.first_word;
    unit.node_count = record_.node_count - unit_nodes_;
    sections_.units.push_back(unit);
    return {static_cast<std::uint32_t>(sections_.units.size() - 1), decider};
  }

  static std::uint32_t weight_of(const ir::Node& node) {
    const auto* share = node.as_if<ir::DeciderShare>();
    return share != nullptr ? share->weight : node.as<ir::PlacedDecider>().weight;
  }

  // Gives the index of the decider's record; of a decide_share that of what it stands for.
  std::uint32_t write_node(const ir::Node& node, std::uint32_t parent, std::uint32_t weight) {
    const std::uint32_t word = next_word();
    if (record_.node_count == layout::kMaxNodes) exceed(node, Excess::Kind::count);
    if (excess_.node != nullptr) return record_.first_decider;
    const std::uint32_t number = record_.node_count++ - unit_nodes_;
    sections_.origins.push_back({word, &node.name, node.span});
    const std::uint32_t head = static_cast<std::uint32_t>(node.opcode) | number << 16;
    if (node.opcode == Opcode::decide_share) {
      const Place& shared = shared_[node.as<ir::DeciderShare>().shared];
      sections_.nodes.insert(sections_.nodes.end(), {head, kDeciderWords, word - parent, shared.unit, weight});
      return shared.decider;
    }
    const std::uint32_t index = static_cast<std::uint32_t>(sections_.deciders.size());
    const ir::Decider& source = ir::decider_of(node);
    sections_.nodes.insert(sections_.nodes.end(), {head | flags_of(source) << 8, 0, word - parent, index, weight});
    sections_.deciders.push_back(own_record(node, source));
    DeciderSums sums;
    for (const ir::Node& child : node.children) {
      const std::uint32_t below = write_node(child, word, weight_of(child));
      if (excess_.node != nullptr) return index;
      sums.add(sections_.deciders[below]);
    }
    sections_.nodes[word + 1] = next_word() - word;
    finish(node, source, sums, sections_.deciders[index]);
    return index;
  }

  // Where there is no Decide, none is called before deciding again.
  static std::uint32_t flags_of(const ir::Decider& source) {
    const bool decides_again = source.decides_again && !source.decide.empty();
    return (source.delegates ? kDelegates : 0) | (decides_again ? kDecidesAgain : 0);
  }

  // What does not depend on what is below.
  layout::Decider own_record(const ir::Node& node, const ir::Decider& source) {
    layout::Decider decider = {};
    decider.every_us = source.every_us;
    decider.timer = source.every_us == 0 ? layout::kNone : record_.timer_count++;
    decider.precondition = flattener_.add_precondition(source);
    if (!source.decide.empty()) decider.decide = flattener_.host_conditions_.at(source.decide) + 1;
    if (!source.behavior.empty()) {
      decider.behavior = flattener_.behaviors_.at(source.behavior) + 1;
      decider.behavior_flags = source.behavior_flags;
      decider.memory_bytes = static_cast<std::uint16_t>(source.memory_bytes);
    }
    decider.block_bytes = static_cast<std::uint16_t>(source.block_bytes);
    if (node.opcode == Opcode::decide_sequential) decider.state = record_.sequential_count++;
    if (node.opcode == Opcode::decide_shuffle) {
      decider.state = record_.shuffle_bytes;
      record_.shuffle_bytes += 1 + static_cast<std::uint32_t>(node.children.size());
    }
    if (node.opcode == Opcode::decide_shuffle || node.opcode == Opcode::decide_random) record_.draws = 1;
    return decider;
  }

  void finish(const ir::Node& node, const ir::Decider& source, const DeciderSums& sums, layout::Decider& decider) {
    const bool fits = sums.finish(node.opcode, source.delegates, &decider);
    const std::uint64_t choosing_bytes = sums.choosing_bytes(node.opcode);
    if (node.opcode != Opcode::decide_behavior) {
      record_.scratch_bytes = std::max(record_.scratch_bytes, static_cast<std::uint32_t>(choosing_bytes));
    }
    if (fits) return;
    if (decider.level_count > layout::kMaxLevels) {
      exceed(node, Excess::Kind::levels);
    } else if (decider.path_bytes > layout::kMaxDecideBytes) {
      exceed(node, Excess::Kind::memory);
    } else {
      exceed(node, choosing_bytes > layout::kMaxDecideBytes ? Excess::Kind::scratch : Excess::Kind::asked);
    }
  }

  // Agents begin with zeros: there is no image.
  void lay_out_agent(const layout::Decider& root, layout::Tree& tree) {
    tree.agent_bytes = to_8(decider_block(record_, root).end);
    tree.dirty_bit = layout::kNone;
    if (tree.agent_bytes > layout::kMaxDecideBytes) exceed(source_.root, Excess::Kind::agent);
  }

  DeciderFlattener& flattener_;
  Sections& sections_;
  const ir::Tree& source_;
  const ir::Deciding& deciding_;
  std::vector<Place> shared_;  // by index into Deciding::shared
  layout::DeciderTree record_ = {};
  std::uint32_t tree_ = 0;
  std::uint32_t unit_nodes_ = 0;  // nodes of the tree that were written before the present unit
  Excess excess_;
};

Excess DeciderFlattener::add(const ir::Tree& source, std::uint32_t tree) {
  return TreeWriter(*this, source).write(tree);
}

std::uint32_t DeciderFlattener::add_precondition(const ir::Decider& decider) {
  const layout::Precondition tests = {test_of_all(decider.flags_all), test_of_any(decider.flags_any),
                                      test_of_all(decider.stimuli_all), test_of_any(decider.stimuli_any)};
  if ((tests.flags_all.mask | tests.flags_any.mask | tests.stimuli_all.mask | tests.stimuli_any.mask) == 0) return 0;
  std::string key(reinterpret_cast<const char*>(&tests), sizeof tests);
  const auto [place, is_new] =
      preconditions_.emplace(std::move(key), static_cast<std::uint32_t>(sections_.preconditions.size() + 1));
  if (is_new) sections_.preconditions.push_back(tests);
  return place->second;
}

}  // namespace espalier::codegen
