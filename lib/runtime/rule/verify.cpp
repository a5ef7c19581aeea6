// Verifies trees of rules: units, queries, the instances of units that make up trees, agents' images.
#include <cstring>

#include "asset/verify_unit.h"
#include "format/node.h"
#include "format/opcodes/rule.h"
#include "rule/tree.h"

namespace espalier {
namespace {

class RuleHooks {
 public:
  static const char* open(UnitReader& reader) {
    const bool is_file = reader.opcode() == opcode::rule_file;
    if (is_file != (reader.parent() == nullptr)) return "a node is not allowed below its parent";
    return reader.opcode() == opcode::rule_subtree ? check_use(reader) : nullptr;
  }
  static const char* close(UnitReader&) { return nullptr; }

 private:
  static const char* check_use(const UnitReader& reader) {
    const layout::Reference& reference = array<layout::Reference>(
        reader.asset,
        layout::SectionId::references)[operand<OperandKind::reference, opcode::rule_subtree>(reader.node())];
    if (const char* reason = reader.check_used_unit(reference.unit)) return reason;
    return reference.rule + 1 == node_number(reader.node()) ? nullptr : "a reference's rule is wrong";
  }
};

}  // namespace

const char* Verifier::check_rule_unit(std::uint32_t unit, std::uint32_t* word) {
  return read_unit(*this, unit, RuleHooks(), word);
}

// What nodes of rules refer to, checked before the nodes.
bool Verifier::check_queries() {
  const std::uint32_t* query_conditions = array<std::uint32_t>(asset_, layout::SectionId::query_conditions);
  for (std::uint32_t i = 0; i < record_count(asset_, layout::SectionId::query_conditions); ++i) {
    if (query_conditions[i] >= host_condition_count(asset_))
      return fail(&query_conditions[i], "condition index out of range");
  }
  const auto queries = records<layout::Query>(asset_, layout::SectionId::queries);
  for (std::uint32_t i = 0; i < record_count(asset_, layout::SectionId::queries); ++i) {
    const layout::Query& query = queries[i];
    if (query.mode >= static_cast<std::uint32_t>(layout::QueryMode::count)) return fail(&query, "unknown mode");
    if (!has_records(layout::SectionId::query_conditions, query.first_condition, query.condition_count)) {
      return fail(&query, "condition index out of range");
    }
    if (!has_records(layout::SectionId::parameters, query.first_parameter, query.parameter_count)) {
      return fail(&query, "parameter index out of range");
    }
  }
  return true;
}

bool Verifier::check_rule_tree(std::uint32_t tree) {
  const layout::Tree& common = array<layout::Tree>(asset_, layout::SectionId::trees)[tree];
  const auto* record = &records<layout::RuleTree>(asset_, layout::SectionId::rule_trees)[common.record];
  if (record->run_limit == 0 || record->run_limit > layout::kMaxRules || record->flags > layout::kIsUsed) {
    return fail(record, "the flags of a tree of rules do not match its nodes");
  }
  if (record->instance_count == 0 ||
      !take(layout::SectionId::unit_instances, record->first_instance, record->instance_count)) {
    return fail(record, "instances are not consecutive");
  }
  if (!check_instances(common, *record)) return false;
  if (!take(layout::SectionId::rule_ids, record->first_id, record->rule_count)) {
    return fail(record, "ids of rules are not consecutive");
  }
  const std::uint32_t* ids = array<std::uint32_t>(asset_, layout::SectionId::rule_ids) + record->first_id;
  for (std::uint32_t i = 0; i < record->rule_count; ++i) {
    if (!is_name(ids[i])) return fail(&ids[i], "name offset out of range");
  }
  return check_rule_agent(common, *record);
}

// Checks the instances of units, breadth first: every reference of an instance's unit has an instance, in order.
bool Verifier::check_instances(const layout::Tree& tree, const layout::RuleTree& record) {
  const auto unit_instances =
      array<layout::UnitInstance>(asset_, layout::SectionId::unit_instances) + record.first_instance;
  const auto units = records<layout::Unit>(asset_, layout::SectionId::units);
  const auto references = array<layout::Reference>(asset_, layout::SectionId::references);
  if (unit_instances[0].unit != tree.unit || unit_instances[0].parent != layout::kNone) {
    return fail(&unit_instances[0], "a tree's first instance is not its unit");
  }
  const std::uint32_t* file = array<std::uint32_t>(asset_, layout::SectionId::nodes) + units[tree.unit].first_word;
  if (has_children(file) && end_of(first_child(file)) != end_of(file)) {
    return fail(&unit_instances[0], "a tree has more than one root");
  }
  std::uint32_t below = 1;
  std::uint32_t rules = 0;
  for (std::uint32_t i = 0; i < record.instance_count; ++i) {
    const layout::UnitInstance& instance = unit_instances[i];
    if (i >= below || instance.first_rule != rules || instance.first_below != below) {
      return fail(&instance, "instances are out of order");
    }
    const layout::Unit& unit = units[instance.unit];
    if (unit.reference_count > record.instance_count - below) return fail(&instance, "a reference has no instance");
    for (std::uint32_t k = 0; k < unit.reference_count; ++k) {
      const layout::Reference& reference = references[unit.first_reference + k];
      if (unit_instances[below + k].unit != reference.unit ||
          unit_instances[below + k].parent != rules + reference.rule) {
        return fail(&unit_instances[below + k], "a reference has another instance");
      }
    }
    below += unit.reference_count;
    rules += unit.node_count - 1;
    if (rules > layout::kMaxRules) return fail(&instance, "a tree has too many rules");
  }
  if (below != record.instance_count || rules != record.rule_count) {
    return fail(&record, "the totals of a tree do not match its units");
  }
  return true;
}

bool Verifier::check_rule_agent(const layout::Tree& tree, const layout::RuleTree& record) {
  const layout::Part* parts = parts_of(asset_, tree);
  const bool is_plain = part_of<EngineId::rule, PartKind::variables>(parts).count == 0 && tree.signal_count == 0 &&
                        tree.leaf_count == 0 && tree.shared_bytes == 0 && tree.image != layout::kNone;
  if (!is_plain) return fail(&tree, "the flags of a tree of rules do not match its nodes");
  const unsigned char* image = array<unsigned char>(asset_, layout::SectionId::images) + tree.image;
  std::uint16_t rule = 0;
  std::memcpy(&rule, image, sizeof rule);
  const unsigned status = image[offset_bytes(part_of<EngineId::rule, PartKind::status>(parts))];
  const bool is_start =
      rule == (record.rule_count > 0 ? 0 : layout::kNoRule) && status == (layout::kFirstRun | layout::kLastStatus);
  return is_start || fail(image, "the initial block has a running node");
}

}  // namespace espalier
