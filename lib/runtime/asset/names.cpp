// Names and ids of an asset, and binding behaviours to the host's functions by name.
#include <cstring>

#include "asset/view.h"

namespace espalier {
namespace {

using layout::SectionId;

// Which names are found without case.
enum class Match : std::uint8_t { exact, any_case_but_store, any_case_but_decide };

// Where the names of one kind are. Of a tree they are a run of records, which the record of its owner tells by an index
// and a count; an asset has all records of the section.
struct Kind {
  SectionId section;
  std::uint32_t record_bytes;
  std::uint32_t name_offset;
  Match match = Match::exact;
  bool is_of_tree = false;
  Family family = Family::select;       // of the trees that have them
  SectionId owners = SectionId::trees;  // `trees`: all trees have them
  std::uint32_t owner_bytes = 0;
  std::uint32_t first_offset = 0;
  std::uint32_t count_offset = 0;
};

// ORDER: that of espalier_kind.
constexpr Kind kKinds[] = {
    {SectionId::trees, sizeof(layout::Tree), offsetof(layout::Tree, name), Match::any_case_but_store},
    {SectionId::behaviors, sizeof(layout::Behavior), offsetof(layout::Behavior, name)},
    {SectionId::host_conditions, sizeof(layout::HostCondition), offsetof(layout::HostCondition, name)},
    {SectionId::scripts, sizeof(layout::Script), offsetof(layout::Script, text)},
    {SectionId::slots, sizeof(layout::Slot), offsetof(layout::Slot, name)},
    {SectionId::variables, sizeof(layout::Variable), offsetof(layout::Variable, name), Match::any_case_but_decide, true,
     Family::select, SectionId::trees, sizeof(layout::Tree), offsetof(layout::Tree, first_variable),
     offsetof(layout::Tree, variable_count)},
    {SectionId::signals, sizeof(layout::Signal), offsetof(layout::Signal, name), Match::exact, true, Family::select,
     SectionId::trees, sizeof(layout::Tree), offsetof(layout::Tree, first_signal),
     offsetof(layout::Tree, signal_count)},
    {SectionId::timestamps, sizeof(layout::Timestamp), offsetof(layout::Timestamp, name), Match::exact, true,
     Family::tick, SectionId::ticking, sizeof(layout::Ticking), offsetof(layout::Ticking, first_timestamp),
     offsetof(layout::Ticking, timestamp_count)},
    {SectionId::rule_ids, sizeof(std::uint32_t), 0, Match::exact, true, Family::rule, SectionId::rule_trees,
     sizeof(layout::RuleTree), offsetof(layout::RuleTree, first_id), offsetof(layout::RuleTree, rule_count)},
    {SectionId::stimuli, sizeof(layout::Stimulus), offsetof(layout::Stimulus, name), Match::exact, true, Family::decide,
     SectionId::decider_trees, sizeof(layout::DeciderTree), offsetof(layout::DeciderTree, first_stimulus),
     offsetof(layout::DeciderTree, stimulus_count)},
    {SectionId::behavior_flags, sizeof(layout::BehaviorFlag), offsetof(layout::BehaviorFlag, name), Match::exact, true,
     Family::decide, SectionId::decider_trees, sizeof(layout::DeciderTree),
     offsetof(layout::DeciderTree, first_behavior_flag), offsetof(layout::DeciderTree, behavior_flag_count)},
};
static_assert(sizeof kKinds / sizeof kKinds[0] == ESPALIER_BEHAVIOR_FLAGS + 1);

const unsigned char* record_at(const Asset& asset, SectionId section, std::uint32_t record_bytes, std::uint32_t index) {
  return records<unsigned char>(asset, section) + std::size_t{record_bytes} * index;
}

std::uint32_t word_at(const unsigned char* record, std::uint32_t offset) {
  std::uint32_t word = 0;
  std::memcpy(&word, record + offset, sizeof word);
  return word;
}

// The record that says which names a tree has. Null: it has none.
const unsigned char* owner_of(const Tree& tree, const Kind& kind) {
  if (kind.owners == SectionId::trees) return record_at(*tree.asset, kind.owners, kind.owner_bytes, tree.index);
  if (family_of(tree) != kind.family) return nullptr;
  return record_at(*tree.asset, kind.owners, kind.owner_bytes, tree_record(tree).record - 1);
}

bool is_exact(const Tree& tree, Match match) {
  return match == Match::exact || (match == Match::any_case_but_store && family_of(tree) == Family::store) ||
         (match == Match::any_case_but_decide && family_of(tree) == Family::decide);
}

using NameOf = const char* (*)(const espalier_asset*, std::uint32_t);

// Fills a table of `total` names.
Status bind_names(const Asset* asset, std::uint32_t total, NameOf name_of, const Binding* bindings,
                  std::size_t binding_count, Behavior* table, std::uint32_t* missing, std::size_t missing_capacity,
                  std::uint32_t* missing_count) {
  std::uint32_t count = 0;
  for (std::uint32_t i = 0; i < total; ++i) {
    std::size_t found = 0;
    while (found < binding_count && std::strcmp(bindings[found].name, name_of(asset, i)) != 0) ++found;
    table[i] = found < binding_count ? bindings[found].behavior : Behavior{};
    if (found < binding_count) continue;
    if (count < missing_capacity) missing[count] = i;
    ++count;
  }
  if (missing_count != nullptr) *missing_count = count;
  return count == 0 ? Status::ok : Status::missing_binding;
}

}  // namespace

// The places of nodes are sorted by their words.
const char* node_debug_name(const Asset& asset, std::uint32_t node_word) {
  const AssetView view(asset);
  const auto* places = static_cast<const layout::NodePlace*>(view.debug_sections[1]);
  std::uint32_t begin = 0;
  std::uint32_t end = view.debug_section_bytes[1] / static_cast<std::uint32_t>(sizeof(layout::NodePlace));
  while (begin < end) {
    const std::uint32_t middle = begin + (end - begin) / 2;
    if (places[middle].word == node_word) return static_cast<const char*>(view.debug_sections[2]) + places[middle].name;
    if (places[middle].word < node_word) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return "";
}

}  // namespace espalier

using namespace espalier;

const char* espalier_status_text(espalier_status status) {
  switch (status) {
    case ESPALIER_OK:
      return "no error";
    case ESPALIER_MISALIGNED:
      return "the asset does not lie at a multiple of 8 bytes";
    case ESPALIER_NOT_AN_ASSET:
      return "this is not a compiled asset";
    case ESPALIER_UNSUPPORTED_VERSION:
      return "the asset is of a version that this runtime cannot read";
    case ESPALIER_WRONG_SIZE:
      return "the asset is cut off or has bytes behind its end";
    case ESPALIER_WRONG_HASH:
      return "the asset was changed after it was written";
    case ESPALIER_MALFORMED:
      return "the asset is malformed";
    case ESPALIER_NOT_FOUND:
      return "there is nothing of this name";
    case ESPALIER_MISSING_BINDING:
      return "a behaviour has no functions";
    case ESPALIER_NO_ID:
      return "the current rule has no id";
    case ESPALIER_NOT_ACCEPTED:
      return "the slot does not take this tree";
    case ESPALIER_TOO_LARGE:
      return "the tree does not fit the slot";
    case ESPALIER_WRONG_BYTE_ORDER:
      return "assets are little-endian, and this host or this asset is not";
    case ESPALIER_DAMAGED_AGENT:
      return "the block is not one of an agent of this tree";
    case ESPALIER_MISSING_ENGINE:
      return "the asset has a tree of an engine that was not given";
  }
  return "unknown status";
}

uint32_t espalier_count(espalier_tree tree, espalier_kind kind) {
  const Kind& row = kKinds[kind];
  if (!row.is_of_tree) {
    return tree.asset->internal_bytes[static_cast<std::uint32_t>(row.section)] / row.record_bytes;
  }
  const unsigned char* owner = owner_of(tree, row);
  return owner == nullptr ? 0 : word_at(owner, row.count_offset);
}

const char* espalier_name(espalier_tree tree, espalier_kind kind, uint32_t id) {
  const Kind& row = kKinds[kind];
  const std::uint32_t first = row.is_of_tree ? word_at(owner_of(tree, row), row.first_offset) : 0;
  return name_at(*tree.asset,
                 word_at(record_at(*tree.asset, row.section, row.record_bytes, first + id), row.name_offset));
}

espalier_status espalier_find(espalier_tree tree, espalier_kind kind, const char* name, uint32_t* id) {
  return espalier_find_n(tree, kind, name, std::strlen(name), id);
}

espalier_status espalier_find_n(espalier_tree tree, espalier_kind kind, const char* name, size_t name_bytes,
                                uint32_t* id) {
  if (kind == ESPALIER_RULES && name_bytes == 0) return ESPALIER_NOT_FOUND;
  const std::string_view wanted(name, name_bytes);
  for (std::uint32_t i = 0; i < espalier_count(tree, kind); ++i) {
    const std::string_view other = espalier_name(tree, kind, i);
    const Tree named = kind == ESPALIER_TREES ? Tree{tree.asset, i} : tree;
    if (is_exact(named, kKinds[kind].match) ? other != wanted : !equal_any_case(other, wanted)) continue;
    *id = i;
    return ESPALIER_OK;
  }
  return ESPALIER_NOT_FOUND;
}

espalier_status espalier_bind(const espalier_asset* asset, const espalier_binding* bindings, size_t binding_count,
                              espalier_behavior* table, uint32_t* missing, size_t missing_capacity,
                              uint32_t* missing_count) {
  return bind_names(asset, espalier_behavior_count(asset), espalier_behavior_name, bindings, binding_count, table,
                    missing, missing_capacity, missing_count);
}

espalier_status espalier_bind_conditions(const espalier_asset* asset, const espalier_binding* bindings,
                                         size_t binding_count, espalier_behavior* table, uint32_t* missing,
                                         size_t missing_capacity, uint32_t* missing_count) {
  return bind_names(asset, espalier_condition_count(asset), espalier_condition_name, bindings, binding_count, table,
                    missing, missing_capacity, missing_count);
}
