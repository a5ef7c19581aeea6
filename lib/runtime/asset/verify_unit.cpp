// Verifies units: they and the records that belong to their nodes follow one another. See verify_unit.h.
#include "asset/verify_unit.h"

#include "asset/verify_node.h"
#include "core/engine.h"
#include "format/node.h"

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
    {OperandKind::transition, OperandKind::transition_count, SectionId::transitions, "transitions are not consecutive"},
    {OperandKind::event_transition, OperandKind::event_transition_count, SectionId::event_transitions,
     "transitions are not consecutive"},
    {OperandKind::reference, OperandKind::none, SectionId::references, "references are not consecutive"},
    {OperandKind::decider, OperandKind::none, SectionId::deciders, "deciders are not consecutive"},
    {OperandKind::polled, OperandKind::none, SectionId::polled, "node records are not consecutive"},
    {OperandKind::group, OperandKind::none, SectionId::groups, "groups are not consecutive"},
};

}  // namespace

UnitReader::UnitReader(Verifier& verifier, std::uint32_t unit_number)
    : asset(verifier.asset()),
      unit(unit_record(asset, unit_number)),
      verifier_(verifier),
      unit_index_(unit_number),
      engine_id_(verifier.engine_of_unit(unit_number)),
      nodes_(array<std::uint32_t>(asset, SectionId::nodes)),
      max_depth_(max_depth()),
      max_nodes_(max_nodes()),
      next_(nodes_ + unit.first_word),
      node_(next_) {}

std::uint32_t UnitReader::max_nodes() const {
  return engine_id_ == EngineId::rule ? layout::kMaxRules + 1 : layout::kMaxNodes;
}

// The depth of deciders is limited by the check of their level_count.
std::uint32_t UnitReader::max_depth() const {
  return engine_id_ == EngineId::select   ? layout::kMaxDepth
         : engine_id_ == EngineId::decide ? layout::kMaxNodes
         : engine_id_ == EngineId::poll   ? layout::kMaxPollDepth
                                          : layout::kMaxTickDepth;
}

// The header of a node was checked with those of its siblings.
const char* UnitReader::open_node() {
  node_ = next_;
  if (const char* reason = parent_ == nullptr ? open_root() : nullptr) return reason;
  if (const char* reason = has_extent(node_) ? check_children(node_) : nullptr) return reason;
  if (depth_ == max_depth_) return "nodes are nested too deeply";
  if (knows_parent()) {
    const auto distance = parent_ == nullptr ? 0 : static_cast<std::uint32_t>(node_ - parent_);
    if (words_to_parent(node_) != distance) return "a node's parent is wrong";
    if (const char* reason = numbers_nodes(engine_id_) ? check_number() : nullptr) return reason;
  }
  const OpcodeInfo& info = info_of(node_);
  for (std::uint32_t column = 0; column < info.operand_count; ++column) {
    const OperandKind kind = info.operands[column];
    const std::uint32_t value = node_[kNodeHeaderWords + column];
    if (value < verifier_.operand_limit(kind)) continue;
    if (const char* reason = check_operand(column, value)) return reason;
  }
  ++node_count;
  next_ = node_ + kNodeHeaderWords + info.operand_count;
  return nullptr;
}

const char* UnitReader::open_root() const {
  if (const char* reason = check_header(node_, unit.word_count, engine_id_)) return reason;
  if (extent_of(node_) != unit.word_count) return "a unit has more than one root";
  return check_root(node_);
}

const char* UnitReader::check_number() const {
  if (node_number(node_) != node_count) return "a node's number is not its position";
  if (!has_node_words(engine_id_)) return nullptr;
  if (node_count == unit.node_count) return "the totals of a unit do not match its nodes";
  const std::uint32_t* words = array<std::uint32_t>(asset, SectionId::node_words) + unit.first_node_word;
  return words[node_count] == word() - unit.first_word ? nullptr : "a unit's nodes are at the wrong offset";
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

// Checks an operand that is not below its limit, see set_operand_limits(). Hooks check what differs between engines.
const char* UnitReader::check_operand(std::uint32_t column, std::uint32_t value) {
  switch (info_of(node_).operands[column]) {
    case OperandKind::condition:
      return check_condition(value);
    case OperandKind::leaf:
      return value == leaf_count ? nullptr : "leaf numbers are not consecutive";
    case OperandKind::unit:
      return check_used_unit(value);
    case OperandKind::host_condition:
      return "condition index out of range";
    case OperandKind::number:
      return "number index out of range";
    case OperandKind::count:
      return "a count is too large";
    case OperandKind::maximum:
      return "a maximum is too large";
    case OperandKind::weight:
      return value - 1 < 0xFFFF ? nullptr : "a weight is out of range";
    case OperandKind::scope:
      return "scope index out of range";
    case OperandKind::script:
      return "script index out of range";
    case OperandKind::text:
      return "name offset out of range";
    case OperandKind::behavior:
      return "behaviour index out of range";
    case OperandKind::slot:
      return "slot index out of range";
    case OperandKind::query:
      return "query index out of range";
    case OperandKind::tree:
      return check_tree(value);
    case OperandKind::parameter:
      return "parameter index out of range";
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
  if (tree > tree_count(asset)) return "tree index out of range";
  const layout::Tree& found = array<layout::Tree>(asset, SectionId::trees)[tree - 1];
  return found.engine == static_cast<std::uint8_t>(engine_id_) ? nullptr : "a slot's tree has another engine";
}

const char* UnitReader::check_used_unit(std::uint32_t used) const {
  if (used >= unit_index_) return "a unit may only use units before it";
  const bool is_alike = verifier_.engine_of_unit(used) == engine_id_ && unit_record(asset, used).tree == unit.tree;
  return is_alike ? nullptr : "a unit may only use units of its engine and tree";
}

const char* UnitReader::check_condition(std::uint32_t condition) {
  if (!verifier_.is_condition(condition)) return "condition index out of range";
  const std::uint32_t count = verifier_.variables_of(condition);
  if (count > variable_count) variable_count = count;
  return nullptr;
}

const char* UnitReader::check_sums() const {
  const bool holds = node_count == unit.node_count && leaf_count == unit.leaf_count &&
                     state_bytes == unit.state_bytes && region_count == unit.region_count &&
                     variable_count == unit.variable_count;
  return holds ? nullptr : "the totals of a unit do not match its nodes";
}

// What most operands are below. 0: an operand of this kind is always checked; ~0: it is not, here.
void Verifier::set_operand_limits() {
  const auto set = [this](OperandKind kind, std::uint32_t limit) {
    operand_limits_[static_cast<std::size_t>(kind)] = limit;
  };
  const auto count_of = [this](SectionId id) { return record_count(asset_, id); };
  for (const OperandKind kind :
       {OperandKind::parent, OperandKind::extent, OperandKind::signal, OperandKind::timestamp, OperandKind::limit,
        OperandKind::transition_count, OperandKind::event_transition_count, OperandKind::leaf_count, OperandKind::state,
        OperandKind::shared_value, OperandKind::barrier, OperandKind::time}) {
    set(kind, ~std::uint32_t{0});
  }
  set(OperandKind::condition, 1);  // always true
  set(OperandKind::tree, 1);       // none
  set(OperandKind::host_condition, count_of(SectionId::host_conditions));
  set(OperandKind::number, count_of(SectionId::numbers));
  set(OperandKind::count, 0x100);
  set(OperandKind::maximum, 0x10000);
  set(OperandKind::scope, count_of(SectionId::scopes));
  set(OperandKind::script, count_of(SectionId::scripts) + 1);
  set(OperandKind::text, count_of(SectionId::names));
  set(OperandKind::behavior, count_of(SectionId::behaviors));
  set(OperandKind::slot, count_of(SectionId::slots));
  set(OperandKind::parameter, count_of(SectionId::parameters) + 1);
  set(OperandKind::query, count_of(SectionId::queries) + 1);
}

bool Verifier::check_units() {
  set_operand_limits();
  const std::uint32_t* nodes = array<std::uint32_t>(asset_, SectionId::nodes);
  for (std::uint32_t i = 0; i < record_count(asset_, SectionId::units); ++i) {
    const layout::Unit& unit = unit_record(asset_, i);
    if (unit.word_count == 0 || !take(SectionId::nodes, unit.first_word, unit.word_count)) {
      return fail(&unit, "units are not consecutive");
    }
    const EngineId engine_id = engine_of_unit(i);
    const Engine* engine = find_engine(&unit, engine_id);
    if (engine == nullptr) return false;
    const bool is_owned =
        unit.tree < tree_count(asset_) &&
        array<layout::Tree>(asset_, SectionId::trees)[unit.tree].engine == static_cast<std::uint8_t>(engine_id);
    if (is_shared_unit(engine_id) ? unit.tree != layout::kNone : !is_owned) {
      return fail(&unit, "a unit belongs to another tree");
    }
    if (!take(SectionId::references, unit.first_reference, 0)) return fail(&unit, "references are not consecutive");
    if (!take(SectionId::node_words, unit.first_node_word, has_node_words(engine_id) ? unit.node_count : 0)) {
      return fail(&unit, "the nodes of units are not consecutive");
    }
    std::uint32_t word = unit.first_word;
    const char* reason = (this->*engine->check_unit)(i, &word);
    if (reason != nullptr) return fail(nodes + word, reason);
    // The references that its nodes have used.
    if (!take(SectionId::references, unit.first_reference + unit.reference_count, 0)) {
      return fail(&unit, "references are not consecutive");
    }
  }
  return true;
}

}  // namespace espalier
