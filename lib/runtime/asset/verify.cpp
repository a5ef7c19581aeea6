// Verifies everything except nodes: names, conditions, trees, agents' images and debug data.
#include "asset/verify.h"

#include <cstring>

#include "core/engine.h"

namespace espalier {
namespace {

using layout::SectionId;

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
  return check_names() && check_parameters() && check_conditions() && check_links() && check_engine_records() &&
         check_units() && check_trees() && check_all_taken() && check_debug();
}

const Engine* Verifier::find_engine(const void* record, EngineId engine_id) {
  const Engine* engine = espalier::find_engine(asset_, engine_id);
  if (engine != nullptr) return engine;
  fail(record, "its trees need an engine that was not given");
  fault_.status = Status::missing_engine;
  return nullptr;
}

bool Verifier::take(SectionId id, std::uint32_t first, std::uint32_t count) {
  std::uint32_t& next = next_[static_cast<std::size_t>(id)];
  if (first != next || count > record_count(asset_, id) - next) return false;
  next += count;
  return true;
}

bool Verifier::check_engine_records() {
  for (std::uint32_t i = 0; i < kEngineCount; ++i) {
    const Engine* engine = espalier::find_engine(asset_, static_cast<EngineId>(i));
    if (engine != nullptr && engine->check_records != nullptr && !(this->*engine->check_records)()) return false;
  }
  return true;
}

// First checks that what trees refer to exists: their units, and the next record of their engine.
bool Verifier::check_links() {
  const layout::Tree* trees = array<layout::Tree>(asset_, SectionId::trees);
  for (std::uint32_t i = 0; i < tree_count(asset_); ++i) {
    const layout::Tree& tree = trees[i];
    if (tree.engine >= kEngineCount || tree.dialect >= static_cast<std::uint8_t>(layout::Dialect::count) ||
        tree.reserved != 0) {
      return fail(&tree, "unknown engine or dialect");
    }
    if (tree.unit >= record_count(asset_, SectionId::units)) return fail(&tree, "unit index out of range");
    const SectionId section = layout::engine_section(static_cast<EngineId>(tree.engine));
    if (section == SectionId::none ? tree.record != 0 : !take(section, tree.record, 1)) {
      return fail(&tree, "tree records are not consecutive");
    }
    if (!check_parts(tree)) return false;
  }
  return true;
}

// Parts are at the positions that follow from parts.def, and so do not overlap; their names exist.
bool Verifier::check_parts(const layout::Tree& tree) {
  const EngineParts rows(static_cast<EngineId>(tree.engine));
  if (!take(SectionId::parts, tree.first_part, rows.size())) return fail(&tree, "parts are not consecutive");
  const layout::Part* parts = parts_of(asset_, tree);
  std::uint64_t end = 0;
  for (std::uint32_t i = 0; i < rows.size(); ++i) {
    const layout::Part& part = parts[i];
    const PartInfo& row = rows[i];
    const bool is_known_size = part.bits == row.bits || (row.wide_bits != 0 && part.bits == row.wide_bits);
    if (part.kind != static_cast<std::uint8_t>(row.kind) || part.reserved != 0 || !is_known_size) {
      return fail(&part, "a part is not one of its engine's");
    }
    if (row.is_one && part.count != 1) return fail(&part, "a part that occurs once has another count");
    if (part.offset_bits != aligned_bits(end, row.alignment_bits)) return fail(&part, "a part has the wrong offset");
    end = end_bits(part);
    if (end > std::uint64_t{8} * layout::kMaxDecideBytes) return fail(&part, "an agent is too large");
    if (!check_part_names(rows, parts, i)) return fail(&part, "a part has the wrong names");
  }
  const std::uint32_t alignment = agent_alignment(static_cast<EngineId>(tree.engine));
  const std::uint32_t most =
      static_cast<EngineId>(tree.engine) == EngineId::decide || static_cast<EngineId>(tree.engine) == EngineId::poll
          ? layout::kMaxDecideBytes
          : layout::kMaxAgentBytes;
  const std::uint64_t own_bytes = aligned_bits(end, 8 * alignment) / 8;
  const bool has_size = tree.agent_bytes == own_bytes || (has_one_behavior(static_cast<EngineId>(tree.engine)) &&
                                                          tree.agent_bytes == own_bytes + layout::kTimesBytes);
  return (has_size && tree.agent_bytes <= most) || fail(&tree, "an agent's size is wrong");
}

// Names of a tree are owned by the first of its parts that use them; names of the asset can be used by all trees.
bool Verifier::check_part_names(const EngineParts& rows, const layout::Part* parts, std::uint32_t index) {
  const auto names = static_cast<SectionId>(rows[index].names);
  const layout::Part& part = parts[index];
  if (names == SectionId::none) return part.first_name == 0;
  if (section_info(names).owner == layout::Owner::free) {
    return part.first_name == 0 && part.count <= record_count(asset_, names);
  }
  for (std::uint32_t i = 0; i < index; ++i) {
    if (rows[i].names == rows[index].names)
      return part.first_name == parts[i].first_name && part.count == parts[i].count;
  }
  return take(names, part.first_name, part.count);
}

bool Verifier::check_all_taken() {
  for (std::size_t id = 1; id < static_cast<std::size_t>(SectionId::count); ++id) {
    const auto section = static_cast<SectionId>(id);
    if (section_info(section).owner == layout::Owner::owned && next_[id] != record_count(asset_, section)) {
      return fail(section_of(asset_, section).records, "records are not referenced by anything");
    }
  }
  return true;
}

bool Verifier::check_names() {
  const std::uint32_t size_bytes = record_count(asset_, SectionId::names);
  const char* names = array<char>(asset_, SectionId::names);
  if (!ends_in_nul(names, size_bytes)) return fail(names, "the names do not end in NUL");
  const auto behaviors = records<layout::Behavior>(asset_, SectionId::behaviors);
  const std::uint32_t behavior_total = behavior_count(asset_);
  for (std::uint32_t i = 0; i < behavior_total; ++i) {
    if (!is_name(behaviors[i].name)) return fail(&behaviors[i], "name offset out of range");
  }
  const std::uint32_t* memory_sizes = array<std::uint32_t>(asset_, SectionId::memory_sizes);
  if (memory_sizes != nullptr && record_count(asset_, SectionId::memory_sizes) != behavior_total) {
    return fail(memory_sizes, "the memory does not match the behaviours");
  }
  for (std::uint32_t i = 0; memory_sizes != nullptr && i < behavior_total; ++i) {
    if (memory_sizes[i] > layout::kMaxMemoryBytes) return fail(&memory_sizes[i], "a behaviour has too much memory");
  }
  const std::uint32_t* timed = array<std::uint32_t>(asset_, SectionId::timed_behaviors);
  if (timed != nullptr && record_count(asset_, SectionId::timed_behaviors) != behavior_total) {
    return fail(timed, "the times do not match the behaviours");
  }
  for (std::uint32_t i = 0; timed != nullptr && i < behavior_total; ++i) {
    if (timed[i] > 1) return fail(&timed[i], "a behaviour's flag for times is wrong");
    const std::uint32_t memory_bytes = memory_sizes == nullptr ? 0 : memory_sizes[i];  // 0: no action that ticks
    const bool has_place = memory_bytes == 0 || (memory_bytes >= layout::kTimesBytes && memory_bytes % 8 == 0);
    if (timed[i] == 1 && !has_place) return fail(&timed[i], "a behaviour has no memory for its times");
  }
  const std::uint16_t* leaves = array<std::uint16_t>(asset_, SectionId::leaves);
  for (std::uint32_t i = 0; i < record_count(asset_, SectionId::leaves); ++i) {
    if (leaves[i] >= behavior_total) return fail(&leaves[i], "behaviour index out of range");
  }
  return true;
}

// Records that nodes of several engines use, and all records with names. Checked regardless of the engines given.
bool Verifier::check_parameters() {
  const layout::Parameter* parameters = array<layout::Parameter>(asset_, SectionId::parameters);
  for (std::uint32_t i = 0; i < record_count(asset_, SectionId::parameters); ++i) {
    const bool is_end =
        i + 1 < record_count(asset_, SectionId::parameters) || (parameters[i].type & layout::kLastParameter) != 0;
    if (!is_end || !is_parameter(parameters[i])) return fail(&parameters[i], "a parameter is wrong");
  }
  for (const SectionId id : {SectionId::scripts, SectionId::scopes, SectionId::host_conditions, SectionId::slots}) {
    const auto named = records<std::uint32_t>(asset_, id);  // a name is the first field
    for (std::uint32_t i = 0; i < record_count(asset_, id); ++i) {
      if (!is_name(named[i])) return fail(&named[i], "name offset out of range");
    }
  }
  const auto preludes = records<layout::Prelude>(asset_, SectionId::preludes);
  for (std::uint32_t i = 0; i < record_count(asset_, SectionId::preludes); ++i) {
    if (!is_name(preludes[i].text) || !is_name(preludes[i].file)) return fail(&preludes[i], "name offset out of range");
  }
  return true;
}

bool Verifier::is_parameter(const layout::Parameter& parameter) const {
  if (!is_name(name_of(parameter))) return false;
  const std::uint32_t type = type_of(parameter);
  if (type == layout::kLongParameter) return has_records(SectionId::numbers, parameter.value, 1);
  if (type > static_cast<std::uint32_t>(ParameterType::script)) return false;
  switch (static_cast<ParameterType>(type)) {
    case ParameterType::text:
    case ParameterType::event:
    case ParameterType::script:
      return is_name(parameter.value);
    case ParameterType::whole:
      return true;
    case ParameterType::boolean:
      return parameter.value <= 1;
    case ParameterType::choice:
      return has_records(SectionId::numbers, parameter.value, 1) &&
             array<std::uint64_t>(asset_, SectionId::numbers)[parameter.value] >> 32 <
                 record_count(asset_, SectionId::names);
    case ParameterType::number:
      return has_records(SectionId::numbers, parameter.value, 1);
    case ParameterType::vector:
      return has_records(SectionId::numbers, parameter.value, 3);
  }
  return false;
}

bool Verifier::check_conditions() {
  for (std::uint32_t i = 0; i < record_count(asset_, SectionId::conditions); ++i) {
    if (!check_condition(i)) return false;
  }
  return true;
}

bool Verifier::check_condition(std::uint32_t index) {
  const layout::Condition& condition = array<layout::Condition>(asset_, SectionId::conditions)[index];
  if (condition.test_count == 0 || !take(SectionId::tests, condition.first_test, condition.test_count)) {
    return fail(&condition, "tests are not consecutive");
  }
  std::uint32_t bits = 0;
  std::uint32_t variable_total = 0;
  for (std::uint32_t i = 0; i < condition.test_count; ++i) {
    const layout::Test& test = array<layout::Test>(asset_, SectionId::tests)[condition.first_test + i];
    const auto op = static_cast<layout::TestOp>(test.test);
    const auto combine = static_cast<layout::CombineOp>(test.combine);
    if (op > layout::TestOp::combine || combine > layout::CombineOp::aside)
      return fail(&test, "test index out of range");
    if ((i == 0) != (combine == layout::CombineOp::set)) return fail(&test, "a condition does not begin exactly once");
    if ((test.value & ~test.mask) != 0) return fail(&test, "a test expects bits outside its mask");
    if (test.mask == 0 && test.word != 0) return fail(&test, "a test without bits reads a word");
    if (op == layout::TestOp::combine) {
      if (bits == 0 || combine == layout::CombineOp::aside || test.mask != 0) return fail(&test, "no result was saved");
      --bits;
    } else if (combine == layout::CombineOp::aside && ++bits > layout::kMaxBits) {
      return fail(&test, "too many results are saved");
    }
    const std::uint32_t width = test.mask == 0 ? 0 : test.word * 32u + bit_width(test.mask);
    if (width > variable_total) variable_total = width;
  }
  if (bits != 0) return fail(&condition, "a saved result is never used");
  if (variable_total != condition.variable_count)
    return fail(&condition, "a condition's list of variables does not match its tests");
  return true;
}

bool Verifier::check_trees() {
  const auto trees = array<layout::Tree>(asset_, SectionId::trees);
  for (std::uint32_t i = 0; i < tree_count(asset_); ++i) {
    const Engine* engine = find_engine(&trees[i], static_cast<EngineId>(trees[i].engine));
    if (engine == nullptr || !check_tree_records(i) || !check_image(trees[i]) || !(this->*engine->check_tree)(i) ||
        !check_signals(trees[i])) {
      return false;
    }
  }
  for (std::uint32_t i = 0; i < kEngineCount; ++i) {
    const Engine* engine = espalier::find_engine(asset_, static_cast<EngineId>(i));
    if (engine != nullptr && engine->check_all != nullptr && !(this->*engine->check_all)()) return false;
  }
  return true;
}

bool Verifier::check_tree_records(std::uint32_t index) {
  const layout::Tree& tree = array<layout::Tree>(asset_, SectionId::trees)[index];
  if (!is_name(tree.name)) return fail(&tree, "name offset out of range");
  const layout::Unit& unit = records<layout::Unit>(asset_, SectionId::units)[tree.unit];
  const auto engine_id = static_cast<EngineId>(tree.engine);
  if (engine_of_unit(tree.unit) != engine_id || unit.tree != (is_shared_unit(engine_id) ? layout::kNone : index) ||
      unit.leaf_count != tree.leaf_count || unit.variable_count > parts_of(asset_, tree)[0].count) {
    return fail(&tree, "a tree does not fit its unit");
  }
  if (tree.leaf_count > layout::kMaxNodes) return fail(&tree, "a tree has too many leaves");
  if (!take(SectionId::signals, tree.first_signal, tree.signal_count) ||
      !take(SectionId::leaves, tree.first_leaf, tree.leaf_count)) {
    return fail(&tree, "tree records are not consecutive");
  }
  const layout::Part& part = parts_of(asset_, tree)[0];
  const auto variables = records<layout::Variable>(asset_, SectionId::variables) + part.first_name;
  for (std::uint32_t i = 0; i < part.count; ++i) {
    if (!is_name(variables[i].name) || variables[i].initial > 1) return fail(&variables[i], "a variable is wrong");
  }
  return true;
}

// An image must have the initial content that parts.def specifies, and zeros between the parts. Without an image, all
// initial content must be zeros.
bool Verifier::check_image(const layout::Tree& tree) {
  const EngineParts rows(static_cast<EngineId>(tree.engine));
  const layout::Part* parts = parts_of(asset_, tree);
  const bool has_image = tree.image != layout::kNone;
  const auto size_bytes = static_cast<std::uint32_t>(aligned_bits(tree.agent_bytes, layout::kAlignment));
  if (has_image && !take(SectionId::images, tree.image, size_bytes)) {
    return fail(&tree, "images are not consecutive");
  }
  const unsigned char* image = array<unsigned char>(asset_, SectionId::images) + (has_image ? tree.image : 0);
  const auto variables = records<layout::Variable>(asset_, SectionId::variables) + parts[0].first_name;
  std::uint64_t bit = 0;
  for (std::uint32_t i = 0; i <= rows.size(); ++i) {
    const bool is_part = i < rows.size();
    const std::uint64_t begin = is_part ? parts[i].offset_bits : std::uint64_t{8} * size_bytes;
    const std::uint64_t end = is_part ? end_bits(parts[i]) : begin;
    const PartStart start = is_part ? rows[i].start : PartStart::zeros;
    if (!has_image && start == PartStart::zeros) continue;
    if (start == PartStart::own && has_image) bit = end;
    for (; bit < end || bit < begin; ++bit) {
      const bool starts_set =
          bit >= begin && (start == PartStart::ones || (start == PartStart::initial &&
                                                        variables[static_cast<std::size_t>(bit - begin)].initial != 0));
      const bool is_set = has_image && (image[bit / 8] >> (bit % 8) & 1) != 0;
      if (is_set == starts_set) continue;
      const void* place = has_image ? static_cast<const void*>(image + bit / 8) : &tree;
      return fail(place, "the initial block has a running node");
    }
  }
  return true;
}

bool Verifier::check_signals(const layout::Tree& tree) {
  const auto signals = records<layout::Signal>(asset_, SectionId::signals) + tree.first_signal;
  const layout::Assignment* assignments = array<layout::Assignment>(asset_, SectionId::assignments);
  const bool sets_stimuli = static_cast<EngineId>(tree.engine) == EngineId::decide;  // the tree's record was checked
  const layout::Part* parts = parts_of(asset_, tree);
  const std::uint32_t variable_count = parts[0].count;
  const std::uint32_t target_count =
      sets_stimuli ? part_of<EngineId::decide, PartKind::stimuli>(parts).count : variable_count;
  for (std::uint32_t i = 0; i < tree.signal_count; ++i) {
    const layout::Signal& signal = signals[i];
    if (!is_name(signal.name)) return fail(&signal, "name offset out of range");
    if (!take(SectionId::assignments, signal.first_assignment, signal.assignment_count)) {
      return fail(&signal, "assignments are not consecutive");
    }
    for (std::uint32_t j = 0; j < signal.assignment_count; ++j) {
      const layout::Assignment& assignment = assignments[signal.first_assignment + j];
      if (assignment.variable >= target_count || (sets_stimuli && assignment.condition != 0) ||
          !is_condition(assignment.condition) || variables_of(assignment.condition) > variable_count) {
        return fail(&assignment, "an assignment uses a variable or timestamp that its tree does not have");
      }
    }
  }
  return true;
}

// Updates never use debug data, but code that prints it does not check it.
bool Verifier::check_debug() {
  const AssetSection& files = section_of(asset_, SectionId::files);
  const AssetSection& names = section_of(asset_, SectionId::debug_names);
  const bool has_places = section_of(asset_, SectionId::node_locations).records != nullptr;
  const bool has_texts = section_of(asset_, SectionId::behavior_texts).records != nullptr;
  if (files.records == nullptr && names.records == nullptr && !has_places && !has_texts) return true;
  if (files.records == nullptr || names.records == nullptr || !has_places) {
    return fail(first_byte(asset_), "debug data is incomplete");
  }
  if (!ends_in_nul(static_cast<const char*>(names.records), names.count))
    return fail(names.records, "the names do not end in NUL");
  const auto texts = records<layout::BehaviorText>(asset_, SectionId::behavior_texts);
  for (std::uint32_t i = 0; i < record_count(asset_, SectionId::behavior_texts); ++i) {
    const layout::BehaviorText& text = texts[i];
    const bool in_order = text.behavior < behavior_count(asset_) && (i == 0 || texts[i - 1].behavior < text.behavior);
    if (!in_order || text.text >= names.count) return fail(&text, "a documentation text belongs to no behaviour");
  }
  for (std::uint32_t i = 0; i < files.count; ++i) {
    const layout::File& file = records<layout::File>(asset_, SectionId::files)[i];
    if (file.name >= names.count) return fail(&file, "name offset out of range");
  }
  // Transitions have places after those of nodes.
  const std::uint64_t word_total = std::uint64_t{record_count(asset_, SectionId::nodes)} +
                                   record_count(asset_, SectionId::transitions) +
                                   record_count(asset_, SectionId::event_transitions);
  const auto places = records<layout::NodeLocation>(asset_, SectionId::node_locations);
  const std::uint32_t place_total = record_count(asset_, SectionId::node_locations);
  for (std::uint32_t i = 0; i < place_total; ++i) {
    const layout::NodeLocation& place = places[i];
    const bool in_order = place.word < word_total && (i == 0 || places[i - 1].word < place.word);
    if (!in_order || place.name >= names.count || place.file >= files.count)
      return fail(&place, "a node's location is wrong");
  }
  return true;
}

}  // namespace espalier
