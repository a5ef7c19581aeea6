// Verifies trees of deciders: their units, the records with sums over descendants, preconditions, stimuli, agents.
#include "asset/verify_unit.h"
#include "decide/tree.h"
#include "format/node.h"
#include "format/opcodes/decide.h"

namespace espalier {
namespace {

bool is_share(const std::uint32_t* node) { return opcode_of(node) == opcode::decide_share; }
bool delegates(const std::uint32_t* node) { return has_flag(node, kDelegates); }
std::uint32_t unit_of(const std::uint32_t* share) { return operand<OperandKind::unit, opcode::decide_share>(share); }

// The sums over a node's children, which may be shared units. Relies on nodes and their deciders.
DeciderSums sums_of(const Asset& asset, const std::uint32_t* node) {
  const std::uint32_t* nodes = array<std::uint32_t>(asset, layout::SectionId::nodes);
  const auto units = records<layout::Unit>(asset, layout::SectionId::units);
  const auto deciders = array<layout::Decider>(asset, layout::SectionId::deciders);
  DeciderSums sums;
  for (const std::uint32_t* child : children_of(node)) {
    const std::uint32_t* own = is_share(child) ? nodes + units[unit_of(child)].first_word : child;
    sums.add(deciders[decider_record(own)]);
  }
  return sums;
}

class DecideHooks {
 public:
  static const char* open(UnitReader& reader) {
    return is_share(reader.node()) ? nullptr : check_decider(reader.asset, reader.node());
  }

  static const char* close(UnitReader& reader) {
    const std::uint32_t* node = reader.node();
    if (is_share(node) || sums_hold(reader.asset, node)) return nullptr;
    return "the totals of a decider do not match its children";
  }

 private:
  static const layout::Decider& decider_of(const Asset& asset, const std::uint32_t* node) {
    return array<layout::Decider>(asset, layout::SectionId::deciders)[decider_record(node)];
  }

  static const char* check_decider(const Asset& asset, const std::uint32_t* node) {
    const layout::Decider& decider = decider_of(asset, node);
    if (decider.precondition > record_count(asset, layout::SectionId::preconditions)) {
      return "precondition index out of range";
    }
    if (decider.decide > host_condition_count(asset)) return "condition index out of range";
    if (decider.behavior > behavior_count(asset)) return "behaviour index out of range";
    if (decider.every_us > layout::kMaxTimeUs || (decider.every_us == 0) != (decider.timer == layout::kNone)) {
      return "a decider's time is wrong";
    }
    if (delegates(node) && decider.decide != 0) return "a decider both delegates and decides";
    if (decider.behavior == 0 && (decider.behavior_flags != 0 || decider.memory_bytes != 0)) {
      return "a decider has memory for no behaviour";
    }
    if (decider.behavior == 0 && opcode_of(node) == opcode::decide_behavior) return "a decider activates nothing";
    if (decider.behavior != 0 && keeps_times(asset, decider.behavior - 1) &&
        (decider.memory_bytes < layout::kTimesBytes || decider.memory_bytes % 8 != 0)) {
      return "a decider has no memory for its times";
    }
    if (decider.block_bytes > layout::kMaxBlockBytes || decider.reserved != 0) return "a decider's flags are wrong";
    return nullptr;
  }

  static bool sums_hold(const Asset& asset, const std::uint32_t* node) {
    const layout::Decider& decider = decider_of(asset, node);
    layout::Decider expected = decider;
    if (!sums_of(asset, node).finish(opcode_of(node), delegates(node), &expected)) return false;
    return std::memcmp(&expected, &decider, sizeof expected) == 0;
  }
};

// Counts the agent state that a tree's deciders need, node by node, and compares it with the records.
class DeciderCounts {
 public:
  // Returns null, or what is wrong.
  const char* add(const std::uint32_t* node, const layout::Decider& decider) {
    const Opcode opcode = opcode_of(node);
    if (decider.timer != layout::kNone && decider.timer != timers_++) return "times are not consecutive";
    const std::uint32_t state = opcode == opcode::decide_sequential ? sequentials_
                                : opcode == opcode::decide_shuffle  ? order_bytes_
                                                                    : 0;
    if (decider.state != state) return "a decider's state has the wrong offset";
    if (opcode == opcode::decide_sequential) ++sequentials_;
    if (opcode == opcode::decide_shuffle) order_bytes_ += 1 + decider.child_count;
    if (opcode == opcode::decide_shuffle || opcode == opcode::decide_random) generators_ = 1;
    return nullptr;
  }
  void add_choice(std::uint64_t scratch_bytes) {
    if (scratch_bytes > scratch_bytes_) scratch_bytes_ = static_cast<std::uint32_t>(scratch_bytes);
  }
  // `root`: the tree's own decider.
  bool are_those_of(const layout::DeciderTree& record, const layout::Part* parts, const layout::Decider& root) const {
    return scratch_bytes_ == record.scratch_bytes && count<PartKind::generator>(parts) == generators_ &&
           count<PartKind::timers>(parts) == timers_ && count<PartKind::ran_last>(parts) == sequentials_ &&
           count<PartKind::orders>(parts) == order_bytes_ && count<PartKind::path>(parts) == root.level_count &&
           count<PartKind::memory>(parts) == root.path_bytes;
  }

 private:
  template <PartKind kind>
  static std::uint32_t count(const layout::Part* parts) {
    return part_of<EngineId::decide, kind>(parts).count;
  }

  std::uint32_t generators_ = 0;
  std::uint32_t timers_ = 0;
  std::uint32_t sequentials_ = 0;
  std::uint32_t order_bytes_ = 0;
  std::uint32_t scratch_bytes_ = 0;
};

}  // namespace

const char* Verifier::check_decider_unit(std::uint32_t unit, std::uint32_t* word) {
  return read_unit(*this, unit, DecideHooks(), word);
}

// Checks the preconditions, before the deciders that refer to them.
bool Verifier::check_preconditions() {
  const auto preconditions = array<layout::Precondition>(asset_, layout::SectionId::preconditions);
  for (std::uint32_t i = 0; i < record_count(asset_, layout::SectionId::preconditions); ++i) {
    const layout::Precondition& wanted = preconditions[i];
    for (const layout::MaskTest& test : {wanted.flags_all, wanted.flags_any, wanted.stimuli_all, wanted.stimuli_any}) {
      if ((test.value & ~test.mask) != 0) return fail(&wanted, "a test expects bits outside its mask");
    }
  }
  return true;
}

bool Verifier::check_decider_tree(std::uint32_t index) {
  const layout::Tree& tree = array<layout::Tree>(asset_, layout::SectionId::trees)[index];
  const auto* record = &records<layout::DeciderTree>(asset_, layout::SectionId::decider_trees)[tree.record];
  if (!take(layout::SectionId::behavior_flags, record->first_behavior_flag, record->behavior_flag_count)) {
    return fail(record, "tree records are not consecutive");
  }
  const layout::Part* parts = parts_of(asset_, tree);
  const bool is_within = record->max_redecides >= 1 && record->max_redecides <= layout::kMaxRedecides &&
                         part_of<EngineId::decide, PartKind::stimuli>(parts).count <= layout::kMaxStimuli &&
                         record->behavior_flag_count <= layout::kMaxBehaviorFlags &&
                         part_of<EngineId::decide, PartKind::variables>(parts).count <= layout::kMaxFlags;
  if (!is_within) return fail(record, "a tree of deciders is over a limit");
  return check_deciders(index, *record) && check_stimuli(tree, *record);
}

// The units from first_unit to the tree's own unit must belong to this tree, and so must their deciders.
bool Verifier::check_deciders(std::uint32_t index, const layout::DeciderTree& record) {
  const layout::Tree& tree = array<layout::Tree>(asset_, layout::SectionId::trees)[index];
  const auto units = records<layout::Unit>(asset_, layout::SectionId::units);
  const std::uint32_t* nodes = array<std::uint32_t>(asset_, layout::SectionId::nodes);
  const auto deciders = array<layout::Decider>(asset_, layout::SectionId::deciders);
  const auto preconditions = array<layout::Precondition>(asset_, layout::SectionId::preconditions);
  if (record.first_unit > tree.unit) return fail(&record, "unit index out of range");
  if (opcode_of(nodes + units[tree.unit].first_word) == opcode::decide_behavior) {
    return fail(&tree, "a tree's root is not a group");
  }
  const layout::Part* parts = parts_of(asset_, tree);
  const std::uint64_t known_flags = bits_below(part_of<EngineId::decide, PartKind::variables>(parts).count);
  const std::uint64_t known_stimuli = bits_below(part_of<EngineId::decide, PartKind::stimuli>(parts).count);
  DeciderCounts counts;
  std::uint32_t node_count = 0;
  std::uint32_t decider = record.first_decider;
  for (std::uint32_t i = record.first_unit; i <= tree.unit; ++i) {
    if (units[i].tree != index || engine_of_unit(i) != EngineId::decide) {
      return fail(&units[i], "a unit belongs to another tree");
    }
    node_count += units[i].node_count;
    if (node_count > layout::kMaxNodes) return fail(&record, "a tree has too many nodes");
    const std::uint32_t* node = nodes + units[i].first_word;
    for (const std::uint32_t* end = node + units[i].word_count; node != end; node += kDeciderWords) {
      if (is_share(node)) continue;
      if (decider_record(node) != decider++) return fail(node, "deciders are not consecutive");
      const layout::Decider& own = deciders[decider_record(node)];
      if (const char* reason = counts.add(node, own)) return fail(&own, reason);
      const Opcode opcode = opcode_of(node);
      if (opcode != opcode::decide_behavior) counts.add_choice(sums_of(asset_, node).choosing_bytes(opcode));
      if ((own.behavior_flags & ~bits_below(record.behavior_flag_count)) != 0) {
        return fail(&own, "a decider sets flags that its tree does not have");
      }
      if (own.precondition == 0) continue;
      const layout::Precondition& wanted = preconditions[own.precondition - 1];
      const std::uint64_t flags = wanted.flags_all.mask | wanted.flags_any.mask;
      const std::uint64_t stimuli = wanted.stimuli_all.mask | wanted.stimuli_any.mask;
      if ((flags & ~known_flags) != 0 || (stimuli & ~known_stimuli) != 0) {
        return fail(&own, "a precondition tests flags that its tree does not have");
      }
    }
  }
  if (node_count != record.node_count || decider - record.first_decider != record.decider_count ||
      !counts.are_those_of(record, parts, deciders[decider_record(nodes + units[tree.unit].first_word)])) {
    return fail(&record, "a tree's counts are not those of its deciders");
  }
  return true;
}

bool Verifier::check_stimuli(const layout::Tree& tree, const layout::DeciderTree& record) {
  const layout::Part* parts = parts_of(asset_, tree);
  const layout::Part& part = part_of<EngineId::decide, PartKind::stimuli>(parts);
  const auto stimuli = records<layout::Stimulus>(asset_, layout::SectionId::stimuli) + part.first_name;
  std::uint32_t timeout_count = 0;
  for (std::uint32_t i = 0; i < part.count; ++i) {
    const layout::Stimulus& stimulus = stimuli[i];
    const std::uint32_t timeout = stimulus.timeout_us == 0 ? layout::kNone : timeout_count++;
    if (!is_name(stimulus.name) || stimulus.timeout_us > layout::kMaxTimeUs || stimulus.timeout != timeout) {
      return fail(&stimulus, "a stimulus is wrong");
    }
  }
  const layout::Part& timeouts = part_of<EngineId::decide, PartKind::timeouts>(parts);
  if (timeout_count != timeouts.count) return fail(&timeouts, "the number of timeouts does not match the stimuli");
  const auto flags =
      records<layout::BehaviorFlag>(asset_, layout::SectionId::behavior_flags) + record.first_behavior_flag;
  for (std::uint32_t i = 0; i < record.behavior_flag_count; ++i) {
    if (!is_name(flags[i].name)) return fail(&flags[i], "name offset out of range");
  }
  return (tree.shared_bytes == 0 && tree.leaf_count == 0) || fail(&tree, "a tree of deciders says what it is not");
}

}  // namespace espalier
