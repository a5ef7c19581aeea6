// Verifying everything but the nodes: names, conditions, trees, agents' images and debug data.
#include "asset/verify.h"

#include <cstring>

#include "core/engine.h"

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

}  // namespace

bool Verifier::check() {
  return check_sizes() && check_names() && check_parameters() && check_conditions() && check_engine_records() &&
         check_units() && check_trees() && check_debug();
}

const Engine* Verifier::find_engine(const void* record, Family family) {
  const Engine* engine = asset_.engines[static_cast<std::size_t>(family)];
  if (engine != nullptr) return engine;
  fail(record, "its trees need an engine that is not given");
  fault_.status = Status::missing_engine;
  return nullptr;
}

bool Verifier::check_engine_records() {
  for (const Engine* engine : asset_.engines) {
    if (engine != nullptr && engine->check_records != nullptr && !(this->*engine->check_records)()) return false;
  }
  return true;
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

// What nodes of several engines have: parameters, scripts, scopes, conditions of the host.
bool Verifier::check_parameters() {
  const layout::Parameter* parameters = records<layout::Parameter>(asset_, layout::SectionId::parameters);
  for (std::uint32_t i = 0; i < record_count<layout::Parameter>(asset_, layout::SectionId::parameters); ++i) {
    if (!is_parameter(parameters[i])) return fail(&parameters[i], "a parameter is wrong");
  }
  const layout::Script* scripts = records<layout::Script>(asset_, layout::SectionId::scripts);
  for (std::uint32_t i = 0; i < script_count(asset_); ++i) {
    if (!is_name(scripts[i].text)) return fail(&scripts[i], "there is no such name");
  }
  const layout::Scope* scopes = records<layout::Scope>(asset_, layout::SectionId::scopes);
  for (std::uint32_t i = 0; i < record_count<layout::Scope>(asset_, layout::SectionId::scopes); ++i) {
    if (!is_name(scopes[i].name)) return fail(&scopes[i], "there is no such name");
  }
  const auto* conditions = records<layout::HostCondition>(asset_, layout::SectionId::host_conditions);
  for (std::uint32_t i = 0; i < host_condition_count(asset_); ++i) {
    if (!is_name(conditions[i].name)) return fail(&conditions[i], "there is no such name");
  }
  return true;
}

bool Verifier::is_parameter(const layout::Parameter& parameter) const {
  if (!is_name(parameter.name) || parameter.type > static_cast<std::uint32_t>(ParameterType::script)) return false;
  switch (static_cast<ParameterType>(parameter.type)) {
    case ParameterType::text:
    case ParameterType::event:
    case ParameterType::script:
      return is_name(parameter.value) && parameter.extra == 0;
    case ParameterType::whole:
      return true;
    case ParameterType::boolean:
      return parameter.value <= 1 && parameter.extra == 0;
    case ParameterType::choice:
      return is_name(parameter.extra);
    case ParameterType::number:
      return has_records<std::uint64_t>(layout::SectionId::numbers, parameter.value, 1) && parameter.extra == 0;
    case ParameterType::vector:
      return has_records<std::uint64_t>(layout::SectionId::numbers, parameter.value, 3) && parameter.extra == 0;
  }
  return false;
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
  for (std::uint32_t i = 0; i < tree_count(asset_); ++i) {
    const Engine* engine = find_engine(&trees[i], family_of_tree(trees[i]));
    if (engine == nullptr || !check_tree_records(i, &next) || !check_agent(trees[i]) ||
        !(this->*engine->check_tree)(i) || !check_signals(trees[i], &next_assignment)) {
      return false;
    }
  }
  const bool all_used =
      next.first_variable == record_count<layout::Variable>(asset_, layout::SectionId::variables) &&
      next.first_signal == record_count<layout::Signal>(asset_, layout::SectionId::signals) &&
      next.first_leaf == record_count<std::uint16_t>(asset_, layout::SectionId::leaves) &&
      next.image == record_count<char>(asset_, layout::SectionId::images) &&
      next_assignment == record_count<layout::Assignment>(asset_, layout::SectionId::assignments) &&
      next_.timestamp == record_count<layout::Timestamp>(asset_, layout::SectionId::timestamps) &&
      next_.rules.tree == record_count<layout::RuleTree>(asset_, layout::SectionId::rule_trees) &&
      next_.rules.first_occurrence == record_count<layout::Occurrence>(asset_, layout::SectionId::occurrences) &&
      next_.rules.first_id == record_count<std::uint32_t>(asset_, layout::SectionId::rule_ids) &&
      next_.store.tree == record_count<layout::StoreTree>(asset_, layout::SectionId::store_trees) &&
      next_.store.first_group == record_count<layout::Group>(asset_, layout::SectionId::groups) &&
      next_.store.first_need == record_count<std::uint32_t>(asset_, layout::SectionId::tree_needs) &&
      next_.deciders.tree == record_count<layout::DeciderTree>(asset_, layout::SectionId::decider_trees) &&
      next_.deciders.first_decider == record_count<layout::Decider>(asset_, layout::SectionId::deciders) &&
      next_.deciders.first_stimulus == record_count<layout::Stimulus>(asset_, layout::SectionId::stimuli) &&
      next_.deciders.first_behavior_flag ==
          record_count<layout::BehaviorFlag>(asset_, layout::SectionId::behavior_flags);
  if (!all_used) return fail(trees, "records belong to no tree");
  for (const Engine* engine : asset_.engines) {
    if (engine != nullptr && engine->check_all != nullptr && !(this->*engine->check_all)()) return false;
  }
  return true;
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

// An agent's size. Where its parts lie, its engine checks.
bool Verifier::check_agent(const layout::Tree& tree) {
  const Family family = family_of_tree(tree);
  const bool is_right_size =
      family == Family::rule ? tree.agent_bytes == layout::kRuleAgentBytes : tree.agent_bytes % layout::kAlignment == 0;
  if (!has_image(family)) return true;  // see check_decider_agent(), check_store_tree()
  if (tree.agent_bytes == 0 || tree.agent_bytes > layout::kMaxAgentBytes || !is_right_size) {
    return fail(&tree, "an agent's size is wrong");
  }
  if (tree.leaf_count > layout::kMaxNodes) return fail(&tree, "a tree has too many leaves");
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
