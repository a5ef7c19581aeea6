// Verifies units: they and the records that belong to their nodes follow one another. See verify_unit.h.
#include "asset/verify_unit.h"

#include "asset/verify_node.h"
#include "core/engine.h"

namespace espalier {
namespace {

using layout::SectionId;

// Records that belong to a node, in the order of the nodes. One operand is the index of the first record, the next is
// the number of records; `none`: exactly one.
struct OwnedRecords {
  OperandKind first;
  OperandKind count;
  SectionId section;
  const char* reason;
};

constexpr OwnedRecords kOwnedRecords[] = {
    {OperandKind::transition, OperandKind::transition_count, SectionId::transitions,
     "transitions do not follow one another"},
    {OperandKind::event_transition, OperandKind::event_transition_count, SectionId::event_transitions,
     "transitions do not follow one another"},
    {OperandKind::reference, OperandKind::none, SectionId::references, "references do not follow one another"},
    {OperandKind::decider, OperandKind::none, SectionId::deciders, "deciders do not follow one another"},
    {OperandKind::group, OperandKind::none, SectionId::groups, "groups do not follow one another"},
};

}  // namespace

UnitReader::UnitReader(Verifier& verifier, std::uint32_t unit_number)
    : asset(verifier.asset()),
      unit(unit_record(asset, unit_number)),
      verifier_(verifier),
      unit_index_(unit_number),
      engine_id_(verifier.engine_of_unit(unit_number)),
      nodes_(array<std::uint32_t>(asset, SectionId::nodes)),
      next_(nodes_ + unit.first_word),
      node_(next_) {}

std::uint32_t UnitReader::max_nodes() const {
  return engine_id_ == EngineId::rule ? layout::kMaxRules + 1 : layout::kMaxNodes;
}

// The depth of deciders is limited by the check of their level_count.
std::uint32_t UnitReader::max_depth() const {
  return engine_id_ == EngineId::select   ? layout::kMaxDepth
         : engine_id_ == EngineId::decide ? layout::kMaxNodes
                                          : layout::kMaxTickDepth;
}

const char* UnitReader::open_node() {
  node_ = next_;
  const std::uint32_t* end = parent_ != nullptr ? end_of(parent_) : nodes_ + unit.first_word + unit.word_count;
  if (const char* reason = check_node(node_, static_cast<std::uint32_t>(end - node_), engine_id_)) return reason;
  if (const char* reason = check_place()) return reason;
  if (const char* reason = numbers_nodes(engine_id_) ? check_number() : nullptr) return reason;
  const std::uint32_t operand_count = info_of(node_).operand_count;
  for (std::uint32_t column = 0; column < operand_count; ++column) {
    if (const char* reason = check_operand(column)) return reason;
  }
  ++node_count;
  next_ = next_node(node_);
  return nullptr;
}

const char* UnitReader::check_place() const {
  if (depth_ == max_depth()) return "nodes are nested too deeply";
  if (parent_ == nullptr && extent_of(node_) != unit.word_count) return "a unit has more than one root";
  if (const char* reason = parent_ == nullptr ? check_root(node_) : nullptr) return reason;
  if (!knows_parent()) return nullptr;
  const auto distance = parent_ == nullptr ? 0 : static_cast<std::uint32_t>(node_ - parent_);
  return words_to_parent(node_) == distance ? nullptr : "a node does not know its parent";
}

const char* UnitReader::check_number() const {
  if (node_number(node_) != node_count) return "a node's number is not its place";
  if (!has_node_words(engine_id_)) return nullptr;
  if (node_count == unit.node_count) return "a unit's sums do not agree with its nodes";
  const std::uint32_t* words = array<std::uint32_t>(asset, SectionId::node_words) + unit.first_node_word;
  return words[node_count] == word() - unit.first_word ? nullptr : "a unit's nodes lie elsewhere than it says";
}

void UnitReader::go_down() {
  ++depth_;
  parent_ = node_;
  if (!knows_parent()) keep(word());
}

void UnitReader::go_up() {
  --depth_;
  node_ = parent_;
  if (knows_parent()) {
    parent_ = is_root(node_) ? nullptr : parent_of(node_);
  } else {
    give_back();
    parent_ = kept_count_ == 0 ? nullptr : nodes_ + kept_[kept_count_ - 1];
  }
}

// Checks operands with the same meaning in all engines. Hooks check the others.
const char* UnitReader::check_operand(std::uint32_t column) {
  const std::uint32_t value = node_[kNodeHeaderWords + column];
  const auto below = [value](std::uint32_t count, const char* reason) { return value < count ? nullptr : reason; };
  const auto count_of = [this](SectionId id) { return record_count(asset, id); };
  switch (info_of(node_).operands[column]) {
    case OperandKind::condition:
      return check_condition(value);
    case OperandKind::leaf:
      return value == leaf_count ? nullptr : "a leaf's number does not follow those before it";
    case OperandKind::unit:
      return check_used_unit(value);
    case OperandKind::host_condition:
      return below(count_of(SectionId::host_conditions), "there is no such condition");
    case OperandKind::number:
      return below(count_of(SectionId::numbers), "there is no such number");
    case OperandKind::count:
      return below(0x100, "a count is too large");
    case OperandKind::maximum:
      return below(0x10000, "a maximum is too large");
    case OperandKind::weight:
      return value == 0 ? "there is no such weight" : below(0x10000, "there is no such weight");
    case OperandKind::scope:
      return below(count_of(SectionId::scopes), "there is no such scope");
    case OperandKind::script:
      return below(count_of(SectionId::scripts) + 1, "there is no such script");
    case OperandKind::text:
      return below(count_of(SectionId::names), "there is no such name");
    case OperandKind::behavior:
      return below(count_of(SectionId::behaviors), "there is no such behaviour");
    case OperandKind::slot:
      return below(count_of(SectionId::slots), "there is no such slot");
    case OperandKind::query:
      return below(count_of(SectionId::queries) + 1, "there is no such query");
    case OperandKind::tree:
      return check_tree(value);
    case OperandKind::parameter: {  // its count is the next operand
      const std::uint32_t total = count_of(SectionId::parameters);
      const std::uint32_t count = node_[kNodeHeaderWords + column + 1];
      return value <= total && count <= total - value ? nullptr : "there are no such parameters";
    }
    default:
      return take_records(column);
  }
}

const char* UnitReader::take_records(std::uint32_t column) {
  const OperandKind kind = info_of(node_).operands[column];
  const std::uint32_t* operand = node_ + kNodeHeaderWords + column;
  for (const OwnedRecords& owned : kOwnedRecords) {
    if (owned.first != kind) continue;
    const std::uint32_t count = owned.count == OperandKind::none ? 1 : operand[1];
    return verifier_.take(owned.section, operand[0], count) ? nullptr : owned.reason;
  }
  return nullptr;
}

const char* UnitReader::check_tree(std::uint32_t tree) const {
  if (tree == 0) return nullptr;
  if (tree > tree_count(asset)) return "there is no such tree";
  const layout::Tree& found = array<layout::Tree>(asset, SectionId::trees)[tree - 1];
  return found.engine == static_cast<std::uint8_t>(engine_id_) ? nullptr : "a slot's tree is of another engine";
}

const char* UnitReader::check_used_unit(std::uint32_t used) const {
  if (used >= unit_index_) return "a unit may only use units before it";
  const bool is_alike = verifier_.engine_of_unit(used) == engine_id_ && unit_record(asset, used).tree == unit.tree;
  return is_alike ? nullptr : "a unit may only use units of its engine and tree";
}

const char* UnitReader::check_condition(std::uint32_t condition) {
  if (condition > record_count(asset, SectionId::conditions)) return "there is no such condition";
  if (condition == 0) return nullptr;
  const std::uint32_t count = array<layout::Condition>(asset, SectionId::conditions)[condition - 1].variable_count;
  if (count > variable_count) variable_count = count;
  return nullptr;
}

const char* UnitReader::check_sums() const {
  const bool holds = node_count == unit.node_count && leaf_count == unit.leaf_count &&
                     state_bytes == unit.state_bytes && region_count == unit.region_count &&
                     variable_count == unit.variable_count;
  return holds ? nullptr : "a unit's sums do not agree with its nodes";
}

bool Verifier::check_units() {
  const std::uint32_t* nodes = array<std::uint32_t>(asset_, SectionId::nodes);
  for (std::uint32_t i = 0; i < record_count(asset_, SectionId::units); ++i) {
    const layout::Unit& unit = unit_record(asset_, i);
    if (unit.word_count == 0 || !take(SectionId::nodes, unit.first_word, unit.word_count)) {
      return fail(&unit, "units do not follow one another");
    }
    const EngineId engine_id = engine_of_unit(i);
    const Engine* engine = find_engine(&unit, engine_id);
    if (engine == nullptr) return false;
    const bool is_owned =
        unit.tree < tree_count(asset_) &&
        array<layout::Tree>(asset_, SectionId::trees)[unit.tree].engine == static_cast<std::uint8_t>(engine_id);
    if (is_shared_unit(engine_id) ? unit.tree != layout::kNone : !is_owned) {
      return fail(&unit, "a unit is of another tree");
    }
    if (!take(SectionId::references, unit.first_reference, 0))
      return fail(&unit, "references do not follow one another");
    if (!take(SectionId::node_words, unit.first_node_word, has_node_words(engine_id) ? unit.node_count : 0)) {
      return fail(&unit, "the nodes of units do not follow one another");
    }
    std::uint32_t word = unit.first_word;
    const char* reason = (this->*engine->check_unit)(i, &word);
    if (reason != nullptr) return fail(nodes + word, reason);
    // The references that its nodes have used.
    if (!take(SectionId::references, unit.first_reference + unit.reference_count, 0)) {
      return fail(&unit, "references do not follow one another");
    }
  }
  return true;
}

}  // namespace espalier
