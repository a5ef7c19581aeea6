// Verifying what trees of rules have: units of rules, what rules ask, how units make up trees, agents' images.
#include <cstring>

#include "asset/verify.h"
#include "asset/verify_node.h"
#include "rule/tree.h"

namespace espalier {
namespace {

// Reads one unit, front to back. Nodes are of one size and know their parents, so that no list of those around is kept.
class RuleReader {
 public:
  RuleReader(const Asset& asset, std::uint32_t unit)
      : asset_(asset),
        units_(records<layout::Unit>(asset, layout::SectionId::units)),
        unit_(unit),
        nodes_(array<std::uint32_t>(asset, layout::SectionId::nodes) + units_[unit].first_word),
        next_use_(units_[unit].first_use) {}

  // Null when all is well; else why not, with the word at fault in word().
  const char* read() {
    const layout::Unit& unit = units_[unit_];
    if (unit.word_count % kRuleWords != 0 || unit.word_count / kRuleWords > layout::kMaxRules + 1) {
      return "a unit of rules has another size";
    }
    for (word_ = 0; word_ < unit.word_count; word_ += kRuleWords) {
      if (const char* reason = read_node(nodes_ + word_)) return reason;
    }
    word_ = 0;
    const bool sums_hold = unit.node_count == unit.word_count / kRuleWords && unit.leaf_count == 0 &&
                           unit.state_bytes == 0 && unit.variable_count == 0 && unit.region_count == 0 &&
                           next_use_ - unit.first_use == unit.use_count;
    return sums_hold ? nullptr : "a unit's sums do not agree with its nodes";
  }

  std::uint32_t word() const { return units_[unit_].first_word + word_; }

 private:
  const char* read_node(const std::uint32_t* node) {
    if (const char* reason = places_.read(node, word_, units_[unit_].word_count)) return reason;
    const OpcodeInfo& info = opcode_info(opcode_of(node));
    if ((opcode_of(node) == Opcode::rule_file) != (word_ == 0)) return "a node stands below one that cannot have it";
    if (node[0] >> 16 != 0) return "a node's state lies elsewhere than it must";
    for (std::uint32_t i = 0; i < info.operand_count; ++i) {
      const char* reason =
          info.operands[i] == OperandKind::use ? check_use(node[kNodeHeaderWords + i]) : check_operand(asset_, node, i);
      if (reason != nullptr) return reason;
    }
    return nullptr;
  }

  const char* check_use(std::uint32_t operand) {
    if (operand != next_use_ || operand - units_[unit_].first_use >= units_[unit_].use_count) {
      return "uses do not follow one another";
    }
    const layout::Use& use = array<layout::Use>(asset_, layout::SectionId::uses)[operand];
    if (use.unit >= unit_) return "a unit may only use units before it";
    const std::uint32_t* root = array<std::uint32_t>(asset_, layout::SectionId::nodes) + units_[use.unit].first_word;
    if (opcode_of(root) != Opcode::rule_file) return "a unit may only use units of its engine";
    if (use.rule != word_ / kRuleWords - 1) return "a use does not know its rule";
    ++next_use_;
    return nullptr;
  }

  const Asset& asset_;
  Records<layout::Unit> units_;
  const std::uint32_t unit_;
  const std::uint32_t* nodes_;
  std::uint32_t next_use_;
  std::uint32_t word_ = 0;
  NodePlaces places_{EngineId::rule, layout::kMaxTickDepth};
};

}  // namespace

const char* Verifier::check_rule_unit(std::uint32_t unit, std::uint32_t* word) {
  RuleReader reader(asset_, unit);
  const char* reason = reader.read();
  *word = reader.word();
  return reason;
}

// What nodes of rules lead to, before they are looked at.
bool Verifier::check_askings() {
  const std::uint32_t* questions = array<std::uint32_t>(asset_, layout::SectionId::questions);
  for (std::uint32_t i = 0; i < record_count(asset_, layout::SectionId::questions); ++i) {
    if (questions[i] >= host_condition_count(asset_)) return fail(&questions[i], "there is no such condition");
  }
  const auto askings = records<layout::Asking>(asset_, layout::SectionId::askings);
  for (std::uint32_t i = 0; i < record_count(asset_, layout::SectionId::askings); ++i) {
    const layout::Asking& asking = askings[i];
    if (asking.mode >= static_cast<std::uint32_t>(layout::AskMode::count))
      return fail(&asking, "there is no such mode");
    if (!has_records(layout::SectionId::questions, asking.first_question, asking.question_count)) {
      return fail(&asking, "there are no such questions");
    }
    if (!has_records(layout::SectionId::parameters, asking.first_parameter, asking.parameter_count)) {
      return fail(&asking, "there are no such parameters");
    }
  }
  return true;
}

bool Verifier::check_rule_tree(std::uint32_t tree) {
  const layout::Tree& common = array<layout::Tree>(asset_, layout::SectionId::trees)[tree];
  const auto* record = &records<layout::RuleTree>(asset_, layout::SectionId::rule_trees)[common.record];
  if (record->run_limit == 0 || record->run_limit > layout::kMaxRules || record->flags > layout::kIsUsed) {
    return fail(record, "a tree of rules says what it is not");
  }
  if (record->occurrence_count == 0 ||
      !take(layout::SectionId::occurrences, record->first_occurrence, record->occurrence_count)) {
    return fail(record, "occurrences do not follow one another");
  }
  if (!check_occurrences(common, *record)) return false;
  if (!take(layout::SectionId::rule_ids, record->first_id, record->rule_count)) {
    return fail(record, "ids of rules do not follow one another");
  }
  const std::uint32_t* ids = array<std::uint32_t>(asset_, layout::SectionId::rule_ids) + record->first_id;
  for (std::uint32_t i = 0; i < record->rule_count; ++i) {
    if (!is_name(ids[i])) return fail(&ids[i], "there is no such name");
  }
  return check_rule_agent(common, *record);
}

// Each unit in its place, breadth first: every use of an occurrence's unit has an occurrence, in order.
bool Verifier::check_occurrences(const layout::Tree& tree, const layout::RuleTree& record) {
  const auto occurrences = array<layout::Occurrence>(asset_, layout::SectionId::occurrences) + record.first_occurrence;
  const auto units = records<layout::Unit>(asset_, layout::SectionId::units);
  const auto uses = array<layout::Use>(asset_, layout::SectionId::uses);
  if (occurrences[0].unit != tree.unit || occurrences[0].parent != layout::kNone) {
    return fail(&occurrences[0], "a tree does not begin with its unit");
  }
  const std::uint32_t* file = array<std::uint32_t>(asset_, layout::SectionId::nodes) + units[tree.unit].first_word;
  if (has_children(file) && end_of(first_child(file)) != end_of(file)) {
    return fail(&occurrences[0], "a tree has more than one root");
  }
  std::uint32_t below = 1;
  std::uint32_t rules = 0;
  for (std::uint32_t i = 0; i < record.occurrence_count; ++i) {
    const layout::Occurrence& occurrence = occurrences[i];
    if (i >= below || occurrence.first_rule != rules || occurrence.first_below != below) {
      return fail(&occurrence, "an occurrence does not follow those before it");
    }
    const layout::Unit& unit = units[occurrence.unit];
    if (unit.use_count > record.occurrence_count - below) return fail(&occurrence, "a use does not occur");
    for (std::uint32_t k = 0; k < unit.use_count; ++k) {
      const layout::Use& use = uses[unit.first_use + k];
      if (occurrences[below + k].unit != use.unit || occurrences[below + k].parent != rules + use.rule) {
        return fail(&occurrences[below + k], "a use occurs as another one");
      }
    }
    below += unit.use_count;
    rules += unit.node_count - 1;
    if (rules > layout::kMaxRules) return fail(&occurrence, "a tree has too many rules");
  }
  if (below != record.occurrence_count || rules != record.rule_count) {
    return fail(&record, "a tree's sums do not agree with its units");
  }
  return true;
}

bool Verifier::check_rule_agent(const layout::Tree& tree, const layout::RuleTree& record) {
  const layout::Part* parts = parts_of(asset_, tree);
  const bool is_plain = part_of<EngineId::rule, PartKind::variables>(parts).count == 0 && tree.signal_count == 0 &&
                        tree.leaf_count == 0 && tree.shared_bytes == 0 && tree.image != layout::kNone;
  if (!is_plain) return fail(&tree, "a tree of rules says what it is not");
  const unsigned char* image = array<unsigned char>(asset_, layout::SectionId::images) + tree.image;
  std::uint16_t rule = 0;
  std::memcpy(&rule, image, sizeof rule);
  const unsigned status = image[offset_bytes(part_of<EngineId::rule, PartKind::status>(parts))];
  const bool is_start =
      rule == (record.rule_count > 0 ? 0 : layout::kNoRule) && status == (layout::kFirstRun | layout::kLastStatus);
  return is_start || fail(image, "an agent begins with something that runs");
}

}  // namespace espalier
