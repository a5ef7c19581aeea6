// Verifying everything but the nodes: names, conditions, trees, agents' images and debug data.
#include "verify.h"

#include <cstring>

namespace espalier {
namespace {

// One more than the position of the highest bit that is set; 0 for 0.
std::uint32_t bit_width(std::uint32_t value) {
  std::uint32_t width = 0;
  for (; value != 0; value >>= 1) ++width;
  return width;
}

bool ends_in_nul(const char* bytes, std::uint32_t size_bytes) {
  return size_bytes > 0 && bytes[size_bytes - 1] == '\0';
}

// Are bits [first, first + count) free of bit `bit`?
bool is_outside(std::uint32_t bit, std::uint32_t first, std::uint32_t count) {
  return bit < first || bit - first >= count;
}

}  // namespace

bool Verifier::check() {
  return check_sizes() && check_names() && check_conditions() && check_ticking_records() && check_askings() &&
         check_preconditions() && check_groups() && check_units() && check_trees() && check_debug();
}

bool Verifier::check_sizes() {
  constexpr struct {
    layout::SectionId id;
    std::uint32_t record_bytes;
  } kRecords[] = {
      {layout::SectionId::trees, sizeof(layout::Tree)},
      {layout::SectionId::units, sizeof(layout::Unit)},
      {layout::SectionId::nodes, sizeof(std::uint32_t)},
      {layout::SectionId::conditions, sizeof(layout::Condition)},
      {layout::SectionId::tests, sizeof(layout::Test)},
      {layout::SectionId::transitions, sizeof(layout::Transition)},
      {layout::SectionId::variables, sizeof(layout::Variable)},
      {layout::SectionId::signals, sizeof(layout::Signal)},
      {layout::SectionId::assignments, sizeof(layout::Assignment)},
      {layout::SectionId::behaviors, sizeof(layout::Behavior)},
      {layout::SectionId::leaves, sizeof(std::uint16_t)},
      {layout::SectionId::images, layout::kAlignment},
      {layout::SectionId::ticking, sizeof(layout::Ticking)},
      {layout::SectionId::timestamps, sizeof(layout::Timestamp)},
      {layout::SectionId::event_transitions, sizeof(layout::EventTransition)},
      {layout::SectionId::numbers, sizeof(std::uint64_t)},
      {layout::SectionId::parameters, sizeof(layout::Parameter)},
      {layout::SectionId::scripts, sizeof(layout::Script)},
      {layout::SectionId::scopes, sizeof(layout::Scope)},
      {layout::SectionId::rule_trees, sizeof(layout::RuleTree)},
      {layout::SectionId::occurrences, sizeof(layout::Occurrence)},
      {layout::SectionId::uses, sizeof(layout::Use)},
      {layout::SectionId::askings, sizeof(layout::Asking)},
      {layout::SectionId::questions, sizeof(std::uint32_t)},
      {layout::SectionId::rule_ids, sizeof(std::uint32_t)},
      {layout::SectionId::host_conditions, sizeof(layout::HostCondition)},
      {layout::SectionId::decider_trees, sizeof(layout::DeciderTree)},
      {layout::SectionId::deciders, sizeof(layout::Decider)},
      {layout::SectionId::preconditions, sizeof(layout::Precondition)},
      {layout::SectionId::stimuli, sizeof(layout::Stimulus)},
      {layout::SectionId::behavior_flags, sizeof(layout::BehaviorFlag)},
      {layout::SectionId::store_trees, sizeof(layout::StoreTree)},
      {layout::SectionId::groups, sizeof(layout::Group)},
      {layout::SectionId::barriers, sizeof(layout::Barrier)},
      {layout::SectionId::slots, sizeof(layout::Slot)},
      {layout::SectionId::accepts, sizeof(std::uint32_t)},
      {layout::SectionId::tree_needs, sizeof(std::uint32_t)},
      {layout::SectionId::slot_rooms, sizeof(std::uint32_t)},
  };
  for (const auto& row : kRecords) {
    const std::uint32_t index = static_cast<std::uint32_t>(row.id);
    if (asset_.section_bytes[index] % row.record_bytes != 0) {
      return fail(asset_.sections[index], "a section is not made of whole records");
    }
  }
  return true;
}

bool Verifier::check_names() {
  const std::uint32_t size_bytes = record_count<char>(asset_, layout::SectionId::names);
  const char* names = records<char>(asset_, layout::SectionId::names);
  if (!ends_in_nul(names, size_bytes)) return fail(names, "names do not end");
  const layout::Behavior* behaviors = records<layout::Behavior>(asset_, layout::SectionId::behaviors);
  const std::uint32_t behavior_total = behavior_count(asset_);
  for (std::uint32_t i = 0; i < behavior_total; ++i) {
    if (!is_name(behaviors[i].name)) return fail(&behaviors[i], "there is no such name");
  }
  const std::uint16_t* leaves = records<std::uint16_t>(asset_, layout::SectionId::leaves);
  for (std::uint32_t i = 0; i < record_count<std::uint16_t>(asset_, layout::SectionId::leaves); ++i) {
    if (leaves[i] >= behavior_total) return fail(&leaves[i], "there is no such behaviour");
  }
  return true;
}

bool Verifier::check_conditions() {
  std::uint32_t next_test = 0;
  for (std::uint32_t i = 0; i < record_count<layout::Condition>(asset_, layout::SectionId::conditions); ++i) {
    if (!check_condition(i, &next_test)) return false;
  }
  if (next_test == record_count<layout::Test>(asset_, layout::SectionId::tests)) return true;
  return fail(records<layout::Test>(asset_, layout::SectionId::tests) + next_test, "tests belong to no condition");
}

bool Verifier::check_condition(std::uint32_t index, std::uint32_t* next_test) {
  const layout::Condition& condition = records<layout::Condition>(asset_, layout::SectionId::conditions)[index];
  const std::uint32_t test_total = record_count<layout::Test>(asset_, layout::SectionId::tests);
  if (condition.first_test != *next_test || condition.test_count == 0 ||
      condition.test_count > test_total - *next_test) {
    return fail(&condition, "tests do not follow one another");
  }
  std::uint32_t bits = 0;
  std::uint32_t variable_total = 0;
  for (std::uint32_t i = 0; i < condition.test_count; ++i) {
    const layout::Test& test = records<layout::Test>(asset_, layout::SectionId::tests)[*next_test + i];
    const auto op = static_cast<layout::TestOp>(test.test);
    const auto combine = static_cast<layout::CombineOp>(test.combine);
    if (op > layout::TestOp::combine || combine > layout::CombineOp::aside) return fail(&test, "there is no such test");
    if ((i == 0) != (combine == layout::CombineOp::set)) return fail(&test, "a condition does not begin once");
    if ((test.value & ~test.mask) != 0) return fail(&test, "a test asks for what it masks out");
    if (test.mask == 0 && test.word != 0) return fail(&test, "a test of nothing reads a word");
    if (op == layout::TestOp::combine) {
      if (bits == 0 || combine == layout::CombineOp::aside || test.mask != 0)
        return fail(&test, "nothing was put aside");
      --bits;
    } else if (combine == layout::CombineOp::aside && ++bits > layout::kMaxBits) {
      return fail(&test, "too much is put aside");
    }
    const std::uint32_t width = test.mask == 0 ? 0 : test.word * 32u + bit_width(test.mask);
    if (width > variable_total) variable_total = width;
  }
  if (bits != 0) return fail(&condition, "what was put aside is never used");
  if (variable_total != condition.variable_count)
    return fail(&condition, "a condition reads other variables than it says");
  *next_test += condition.test_count;
  return true;
}

bool Verifier::check_trees() {
  const layout::Tree* trees = records<layout::Tree>(asset_, layout::SectionId::trees);
  layout::Tree next = {};
  std::uint32_t next_assignment = 0;
  std::uint32_t next_timestamp = 0;
  layout::RuleTree next_rules = {};
  layout::DeciderTree next_deciders = {};
  layout::StoreTree next_store = {};
  for (std::uint32_t i = 0; i < tree_count(asset_); ++i) {
    if (!check_tree_records(i, &next) || !check_agent(i)) return false;
    const Family family = family_of_tree(trees[i]);
    if (family == Family::rule && !check_rule_tree(i, &next_rules)) return false;
    if (family == Family::decide && !check_decider_tree(i, &next_deciders)) return false;
    if (family == Family::store && !check_store_tree(i, &next_store)) return false;
    if (!check_signals(trees[i], &next_assignment) || !check_timestamps(trees[i], &next_timestamp)) return false;
  }
  const bool all_used =
      next.first_variable == record_count<layout::Variable>(asset_, layout::SectionId::variables) &&
      next.first_signal == record_count<layout::Signal>(asset_, layout::SectionId::signals) &&
      next.first_leaf == record_count<std::uint16_t>(asset_, layout::SectionId::leaves) &&
      next.image == record_count<char>(asset_, layout::SectionId::images) &&
      next_assignment == record_count<layout::Assignment>(asset_, layout::SectionId::assignments) &&
      next_timestamp == record_count<layout::Timestamp>(asset_, layout::SectionId::timestamps) &&
      next_rules.tree == record_count<layout::RuleTree>(asset_, layout::SectionId::rule_trees) &&
      next_rules.first_occurrence == record_count<layout::Occurrence>(asset_, layout::SectionId::occurrences) &&
      next_rules.first_id == record_count<std::uint32_t>(asset_, layout::SectionId::rule_ids) &&
      next_store.tree == record_count<layout::StoreTree>(asset_, layout::SectionId::store_trees) &&
      next_store.first_group == record_count<layout::Group>(asset_, layout::SectionId::groups) &&
      next_store.first_need == record_count<std::uint32_t>(asset_, layout::SectionId::tree_needs) &&
      next_deciders.tree == record_count<layout::DeciderTree>(asset_, layout::SectionId::decider_trees) &&
      next_deciders.first_decider == record_count<layout::Decider>(asset_, layout::SectionId::deciders) &&
      next_deciders.first_stimulus == record_count<layout::Stimulus>(asset_, layout::SectionId::stimuli) &&
      next_deciders.first_behavior_flag ==
          record_count<layout::BehaviorFlag>(asset_, layout::SectionId::behavior_flags);
  if (!all_used) return fail(trees, "records belong to no tree");
  return check_rooms();
}

// `next` holds where the tree's records must begin, and then where the next tree's must.
bool Verifier::check_tree_records(std::uint32_t index, layout::Tree* next) {
  const layout::Tree& tree = records<layout::Tree>(asset_, layout::SectionId::trees)[index];
  if (!is_name(tree.name)) return fail(&tree, "there is no such name");
  if (tree.unit >= record_count<layout::Unit>(asset_, layout::SectionId::units))
    return fail(&tree, "there is no such unit");
  const layout::Unit& unit = records<layout::Unit>(asset_, layout::SectionId::units)[tree.unit];
  const Family family = family_of_unit(tree.unit);
  if (family_of_tree(tree) != family || (family != Family::rule && unit.record != tree.record) ||
      unit.leaf_count != tree.leaf_count || unit.state_bytes != tree.state_bytes ||
      unit.variable_count > tree.variable_count) {
    return fail(&tree, "a tree does not fit its unit");
  }
  const bool follows = tree.first_variable == next->first_variable && tree.first_signal == next->first_signal &&
                       tree.first_leaf == next->first_leaf && tree.image == next->image;
  if (!follows) return fail(&tree, "trees' records do not follow one another");
  const std::uint32_t image_bytes = has_image(family) ? tree.agent_bytes : 0;
  if (tree.variable_count >
          record_count<layout::Variable>(asset_, layout::SectionId::variables) - tree.first_variable ||
      tree.signal_count > record_count<layout::Signal>(asset_, layout::SectionId::signals) - tree.first_signal ||
      tree.leaf_count > record_count<std::uint16_t>(asset_, layout::SectionId::leaves) - tree.first_leaf ||
      image_bytes > record_count<char>(asset_, layout::SectionId::images) - tree.image) {
    return fail(&tree, "a tree has more records than there are");
  }
  const layout::Variable* variables =
      records<layout::Variable>(asset_, layout::SectionId::variables) + tree.first_variable;
  for (std::uint32_t i = 0; i < tree.variable_count; ++i) {
    if (!is_name(variables[i].name) || variables[i].initial > 1) return fail(&variables[i], "a variable is wrong");
  }
  *next = {0,
           0,
           tree.first_variable + tree.variable_count,
           0,
           tree.first_signal + tree.signal_count,
           0,
           tree.first_leaf + tree.leaf_count,
           0,
           tree.image + (image_bytes + layout::kAlignment - 1) / layout::kAlignment * layout::kAlignment,
           0,
           0,
           0,
           0,
           0,
           0,
           0};
  return true;
}

// The parts of an agent's block lie inside it and apart from one another.
bool Verifier::check_agent(std::uint32_t index) {
  const layout::Tree& tree = records<layout::Tree>(asset_, layout::SectionId::trees)[index];
  const Family family = family_of_tree(tree);
  const bool is_right_size =
      family == Family::rule ? tree.agent_bytes == layout::kRuleAgentBytes : tree.agent_bytes % layout::kAlignment == 0;
  if (!has_image(family)) return true;  // see check_decider_agent(), check_store_tree()
  if (tree.agent_bytes == 0 || tree.agent_bytes > layout::kMaxAgentBytes || !is_right_size) {
    return fail(&tree, "an agent's size is wrong");
  }
  if (tree.leaf_count > layout::kMaxNodes) return fail(&tree, "a tree has too many leaves");
  if (family == Family::tick) return check_ticking_agent(index);
  if (family == Family::rule) return true;  // see check_rule_tree()
  const std::uint32_t bit_total = tree.agent_bytes * 8;
  const std::uint32_t variable_bytes = tree.variable_count / 8 + (tree.variable_count % 8 != 0 ? 1 : 0);
  const bool inside = variable_bytes <= tree.leaf_offset && tree.leaf_offset <= tree.agent_bytes - 2 &&
                      variable_bytes <= tree.state_offset && tree.state_offset <= tree.agent_bytes &&
                      tree.state_bytes <= tree.agent_bytes - tree.state_offset;
  if (!inside) return fail(&tree, "an agent's parts do not lie in its block");
  if (tree.state_offset < tree.leaf_offset + 2 && tree.leaf_offset < tree.state_offset + tree.state_bytes) {
    return fail(&tree, "an agent's parts overlap");
  }
  if (tree.shared_bytes != 0) return fail(&tree, "a tree that selects shares nothing");
  if (tree.dirty_bit != layout::kNone) {
    const std::uint32_t leaf_bit = tree.leaf_offset * 8;
    const bool in_leaf = tree.dirty_bit == leaf_bit + 15;
    const bool in_state = !is_outside(tree.dirty_bit, tree.state_offset * 8, tree.state_bytes * 8);
    if (tree.dirty_bit >= bit_total || tree.dirty_bit < tree.variable_count ||
        !is_outside(tree.dirty_bit, leaf_bit, 15) || (in_leaf && tree.leaf_count > 0x7FFF) ||
        (in_state && tree.dirty_bit % 8 != 7)) {
      return fail(&tree, "the dirty bit is not free");
    }
  }
  const unsigned char* image = records<unsigned char>(asset_, layout::SectionId::images) + tree.image;
  if (load_leaf(tree, image) != leaf_mask(tree)) return fail(image, "an agent begins with a leaf");
  return true;
}

bool Verifier::check_signals(const layout::Tree& tree, std::uint32_t* next_assignment) {
  const layout::Signal* signals = records<layout::Signal>(asset_, layout::SectionId::signals) + tree.first_signal;
  const layout::Assignment* assignments = records<layout::Assignment>(asset_, layout::SectionId::assignments);
  const std::uint32_t assignment_total = record_count<layout::Assignment>(asset_, layout::SectionId::assignments);
  const bool sets_stimuli = family_of_tree(tree) == Family::decide;  // whose record was checked
  const std::uint32_t target_count =
      sets_stimuli
          ? records<layout::DeciderTree>(asset_, layout::SectionId::decider_trees)[tree.record - 1].stimulus_count
          : tree.variable_count;
  for (std::uint32_t i = 0; i < tree.signal_count; ++i) {
    const layout::Signal& signal = signals[i];
    if (!is_name(signal.name)) return fail(&signal, "there is no such name");
    if (signal.first_assignment != *next_assignment || signal.assignment_count > assignment_total - *next_assignment) {
      return fail(&signal, "assignments do not follow one another");
    }
    for (std::uint32_t j = 0; j < signal.assignment_count; ++j) {
      const layout::Assignment& assignment = assignments[*next_assignment + j];
      if (assignment.variable >= target_count || (sets_stimuli && assignment.condition != 0) ||
          !is_condition(assignment.condition) || variables_of(assignment.condition) > tree.variable_count) {
        return fail(&assignment, "an assignment uses what its tree has not");
      }
    }
    *next_assignment += signal.assignment_count;
  }
  return true;
}

// Debug data is never used by updates, but those who print it trust it too.
bool Verifier::check_debug() {
  const layout::File* files = static_cast<const layout::File*>(asset_.debug_sections[0]);
  const layout::NodePlace* places = static_cast<const layout::NodePlace*>(asset_.debug_sections[1]);
  const char* names = static_cast<const char*>(asset_.debug_sections[2]);
  if (files == nullptr && places == nullptr && names == nullptr) return true;
  if (files == nullptr || places == nullptr || names == nullptr) return fail(asset_.bytes, "debug data is not whole");
  const std::uint32_t name_bytes = asset_.debug_section_bytes[2];
  if (!ends_in_nul(names, name_bytes)) return fail(names, "names do not end");
  if (asset_.debug_section_bytes[0] % sizeof(layout::File) != 0)
    return fail(files, "a section is not made of whole records");
  if (asset_.debug_section_bytes[1] % sizeof(layout::NodePlace) != 0) {
    return fail(places, "a section is not made of whole records");
  }
  const std::uint32_t file_total = asset_.debug_section_bytes[0] / static_cast<std::uint32_t>(sizeof(layout::File));
  for (std::uint32_t i = 0; i < file_total; ++i) {
    if (files[i].name >= name_bytes) return fail(&files[i], "there is no such name");
  }
  const std::uint32_t word_total = record_count<std::uint32_t>(asset_, layout::SectionId::nodes);
  const std::uint32_t place_total =
      asset_.debug_section_bytes[1] / static_cast<std::uint32_t>(sizeof(layout::NodePlace));
  for (std::uint32_t i = 0; i < place_total; ++i) {
    const layout::NodePlace& place = places[i];
    const bool in_order = place.word < word_total && (i == 0 || places[i - 1].word < place.word);
    if (!in_order || place.name >= name_bytes || place.file >= file_total)
      return fail(&place, "a node's place is wrong");
  }
  return true;
}

}  // namespace espalier
