// Flattens trees of deciders. See flatten.h.
#include <algorithm>

#include "codegen/excess.h"
#include "codegen/flatten.h"
#include "codegen/node_writer.h"
#include "runtime/decide/layout.h"
#include "runtime/format/opcodes/decide.h"

namespace espalier::codegen {
namespace {

// There are no contradictions: the reader reports them.
layout::MaskTest test_of_all(const ir::WantedList& list) {
  layout::MaskTest test = {};
  for (const ir::Wanted& word : list.words) {
    const std::uint64_t bit = std::uint64_t{1} << word.index;
    test.mask |= bit;
    if (word.present) test.value |= bit;
  }
  return test;
}

// A test for a bit and for its absence is always true, and is left out.
layout::MaskTest test_of_any(const ir::WantedList& list) {
  std::uint64_t present = 0;
  std::uint64_t absent = 0;
  for (const ir::Wanted& word : list.words) (word.present ? present : absent) |= std::uint64_t{1} << word.index;
  if ((present & absent) != 0) return {};
  return {present | absent, present};
}

layout::Precondition precondition_of(const ir::Decider& decider) {
  return {test_of_all(decider.flags_all), test_of_any(decider.flags_any), test_of_all(decider.stimuli_all),
          test_of_any(decider.stimuli_any)};
}

void mark_shared(const ir::Node& unit, std::vector<bool>& is_used) {
  for (const ir::Node& node : ir::nodes_from(unit)) {
    if (const auto* share = node.as_if<ir::DeciderShare>()) is_used[share->shared] = true;
  }
}

// Writes the units of one tree, and counts for its record.
class DeciderTreeWriter {
 public:
  DeciderTreeWriter(Pools& pools, const ir::Tree& source, std::uint32_t tree)
      : pools_(pools),
        sections_(pools.sections),
        source_(source),
        deciding_(source.as<ir::Deciding>()),
        needs_(sections_.agents[tree]),
        shared_(source.nodes.shared_count()),
        tree_(tree) {}

  Excess write() {
    record_.max_redecides = deciding_.max_redecides;
    record_.first_unit = count32(sections_.units.size());
    record_.first_decider = count32(sections_.deciders.size());
    write_stimuli();
    write_behavior_flags();
    for (const std::uint32_t shared : stored_shared(source_))
      shared_[shared] = write_unit(source_.nodes.shared(shared));
    const UnitRoot root = write_unit(source_.root());
    record_.decider_count = count32(sections_.deciders.size()) - record_.first_decider;
    if (excess_.node == nullptr) size_agent(sections_.deciders[root.decider]);
    sections_.trees[tree_].unit = root.unit;
    sections_.trees[tree_].record = count32(sections_.decider_trees.size());
    sections_.decider_trees.push_back(record_);
    return excess_;
  }

 private:
  // The index of a unit, and the record of its root.
  struct UnitRoot {
    std::uint32_t unit = 0;
    std::uint32_t decider = 0;
  };

  void exceed(const ir::Node& node, Excess::Kind kind) {
    if (excess_.node == nullptr) excess_ = {&node, kind};
  }

  void write_stimuli() {
    for (const PartKind kind : {PartKind::stimuli, PartKind::stimulus_data, PartKind::data_sizes}) {
      needs_[kind] = {count32(deciding_.stimuli.size()), count32(sections_.stimuli.size())};
    }
    for (const ir::Stimulus& stimulus : deciding_.stimuli) {
      const std::uint32_t timeout = stimulus.timeout_us == 0 ? layout::kNone : needs_[PartKind::timeouts].count++;
      sections_.stimuli.push_back({stimulus.timeout_us, pools_.names.add(stimulus.name), timeout});
    }
  }

  void write_behavior_flags() {
    record_.first_behavior_flag = count32(sections_.behavior_flags.size());
    record_.behavior_flag_count = count32(deciding_.behavior_flags.size());
    for (const std::string& name : deciding_.behavior_flags) {
      sections_.behavior_flags.push_back({pools_.names.add(name)});
    }
  }

  UnitRoot write_unit(const ir::Node& root) {
    NodeWriter writer(pools_, tree_);
    const std::uint32_t decider = write_node(writer, root);
    return {writer.finish(), decider};
  }

  // Returns the index of the decider's record; for a decide_share that of the shared decider.
  std::uint32_t write_node(NodeWriter& writer, const ir::Node& node) {
    if (record_.node_count == layout::kMaxNodes) exceed(node, Excess::Kind::count);
    if (excess_.node != nullptr) return record_.first_decider;
    ++record_.node_count;
    const auto* share = node.as_if<ir::DeciderShare>();
    const std::uint32_t index = share != nullptr ? shared_[share->shared].decider : count32(sections_.deciders.size());
    writer.open(node, node.opcode,
                [&](OperandKind kind) { return kind == OperandKind::unit ? shared_[share->shared].unit : index; });
    if (share == nullptr) add_decider(writer, node, index);
    writer.close();
    return index;
  }

  // Writes the record of a decider whose node is open, and the nodes below.
  void add_decider(NodeWriter& writer, const ir::Node& node, std::uint32_t index) {
    const ir::Decider& source = ir::decider_of(node);
    sections_.deciders.push_back(own_record(node, source));
    DeciderSums sums;
    for (const ir::Node& child : node.children()) {
      const std::uint32_t below = write_node(writer, child);
      if (excess_.node != nullptr) return;
      sums.add(sections_.deciders[below]);
    }
    finish(node, source, sums, sections_.deciders[index]);
  }

  // The fields that do not depend on the nodes below.
  layout::Decider own_record(const ir::Node& node, const ir::Decider& source) {
    layout::Decider decider = {};
    decider.every_us = source.every_us;
    decider.timer = source.every_us == 0 ? layout::kNone : needs_[PartKind::timers].count++;
    decider.precondition = pools_.add_precondition(precondition_of(source));
    if (!source.decide.empty()) decider.decide = pools_.host_condition(source.decide) + 1;
    if (!source.behavior.empty()) {
      decider.behavior = pools_.behavior(source.behavior) + 1;
      decider.behavior_flags = source.behavior_flags;
      const std::uint32_t bytes = ir::memory_with_times(source.memory_bytes, pools_.keeps_times(decider.behavior - 1));
      if (bytes > layout::kMaxMemoryBytes) exceed(node, Excess::Kind::memory);
      decider.memory_bytes = static_cast<std::uint16_t>(bytes);
    }
    decider.block_bytes = static_cast<std::uint16_t>(source.block_bytes);
    if (node.opcode == opcode::decide_sequential) decider.state = needs_[PartKind::ran_last].count++;
    if (node.opcode == opcode::decide_shuffle) {
      decider.state = needs_[PartKind::orders].count;
      needs_[PartKind::orders].count += 1 + count32(node.children().size());
    }
    if (node.opcode == opcode::decide_shuffle || node.opcode == opcode::decide_random) {
      needs_[PartKind::generator].count = 1;
    }
    return decider;
  }

  void finish(const ir::Node& node, const ir::Decider& source, const DeciderSums& sums, layout::Decider& decider) {
    const bool fits = sums.finish(node.opcode, source.delegates, &decider);
    const std::uint64_t choosing_bytes = sums.choosing_bytes(node.opcode);
    if (node.opcode != opcode::decide_behavior) {
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

  void size_agent(const layout::Decider& root) {
    needs_[PartKind::path].count = root.level_count;
    needs_[PartKind::memory].count = root.path_bytes;
    const std::uint64_t agent_bytes = lay_out_agent(EngineId::decide, needs_).size_bytes;
    if (agent_bytes > layout::kMaxDecideBytes) exceed(source_.root(), Excess::Kind::agent);
  }

  Pools& pools_;
  Sections& sections_;
  const ir::Tree& source_;
  const ir::Deciding& deciding_;
  AgentNeeds& needs_;
  std::vector<UnitRoot> shared_;  // by number
  const std::uint32_t tree_;
  layout::DeciderTree record_ = {};
  Excess excess_;
};

}  // namespace

std::vector<std::uint32_t> stored_shared(const ir::Tree& tree) {
  if (tree.nodes.shared_count() == 0) return {};
  std::vector<bool> is_used(tree.nodes.shared_count());
  mark_shared(tree.root(), is_used);
  for (std::size_t i = is_used.size(); i-- > 0;) {
    if (is_used[i]) mark_shared(tree.nodes.shared(i), is_used);
  }
  std::vector<std::uint32_t> stored;
  for (std::uint32_t i = 0; i < is_used.size(); ++i) {
    if (is_used[i]) stored.push_back(i);
  }
  return stored;
}

bool write_deciders(const ir::Project& project, Pools& pools, text::Findings& findings) {
  bool fits = true;
  for_each_tree(project, EngineId::decide, [&](const ir::Tree& source, std::uint32_t tree) {
    const Excess excess = DeciderTreeWriter(pools, source, tree).write();
    if (excess.node == nullptr) return;
    report(source, excess, findings);
    fits = false;
  });
  return fits;
}

}  // namespace espalier::codegen
