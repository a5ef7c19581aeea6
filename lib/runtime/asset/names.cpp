// Names and ids of an asset, and binding behaviours to the host's functions by name.
#include <cstring>

#include "asset/view.h"
#include "core/check.h"

namespace espalier {
namespace {

using layout::SectionId;

// Where the names of one kind are. The names of an asset are all records of the section. The names of a tree are
// consecutive records: their first index and count are in the tree's record, the record of its engine, or a part.
struct Kind {
  std::uint8_t section;
  std::uint8_t name_offset;
  bool is_any_case = false;              // case does not matter...
  EngineId exact_in = EngineId::select;  // ...except in trees of this engine
  // The section of the record with the fields for the first index and the count; `parts`: the tree's part of the kind
  // `part`; 0: the names belong to the asset.
  std::uint8_t owners = 0;
  std::uint8_t first_offset = 0;
  std::uint8_t count_offset = 0;
  EngineId engine = EngineId::select;
  PartKind part = PartKind::variables;
};

constexpr std::uint8_t number(SectionId id) { return static_cast<std::uint8_t>(id); }

// ORDER: the same as espalier_kind.
constexpr Kind kKinds[] = {
    {number(SectionId::trees), offsetof(layout::Tree, name), true, EngineId::store},
    {number(SectionId::behaviors), offsetof(layout::Behavior, name)},
    {number(SectionId::host_conditions), offsetof(layout::HostCondition, name)},
    {number(SectionId::scripts), offsetof(layout::Script, text)},
    {number(SectionId::slots), offsetof(layout::Slot, name)},
    {number(SectionId::variables), offsetof(layout::Variable, name), true, EngineId::decide, number(SectionId::parts)},
    {number(SectionId::signals), offsetof(layout::Signal, name), false, EngineId::select, number(SectionId::trees),
     offsetof(layout::Tree, first_signal), offsetof(layout::Tree, signal_count)},
    {number(SectionId::timestamps), offsetof(layout::Timestamp, name), false, EngineId::select,
     number(SectionId::parts), 0, 0, EngineId::tick, PartKind::timestamps},
    {number(SectionId::rule_ids), 0, false, EngineId::select, number(SectionId::rule_trees),
     offsetof(layout::RuleTree, first_id), offsetof(layout::RuleTree, rule_count), EngineId::rule},
    {number(SectionId::stimuli), offsetof(layout::Stimulus, name), false, EngineId::select, number(SectionId::parts), 0,
     0, EngineId::decide, PartKind::stimuli},
    {number(SectionId::behavior_flags), offsetof(layout::BehaviorFlag, name), false, EngineId::select,
     number(SectionId::decider_trees), offsetof(layout::DeciderTree, first_behavior_flag),
     offsetof(layout::DeciderTree, behavior_flag_count), EngineId::decide},
    {number(SectionId::preludes), offsetof(layout::Prelude, text)},
    {number(SectionId::preludes), offsetof(layout::Prelude, file)},
    {number(SectionId::poll_entries), offsetof(layout::PollEntry, name), false, EngineId::select,
     number(SectionId::parts), 0, 0, EngineId::poll, PartKind::entries},
};
static_assert(sizeof kKinds / sizeof kKinds[0] == ESPALIER_ENTRIES + 1);

std::uint32_t word_at(const unsigned char* record, std::uint32_t offset) {
  std::uint32_t word = 0;
  std::memcpy(&word, record + offset, sizeof word);
  return word;
}

const unsigned char* record_at(const Asset& asset, std::uint8_t section, std::uint32_t index) {
  const AssetSection found = section_of(asset, static_cast<SectionId>(section));
  return static_cast<const unsigned char*>(found.records) + std::size_t{index} * found.record_bytes;
}

// The records with names of one kind.
struct Names {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

Names names_of(const Tree& tree, const Kind& kind) {
  const Asset& asset = *tree.asset;
  if (kind.owners == 0) return {0, record_count(asset, static_cast<SectionId>(kind.section))};
  if (kind.owners == number(SectionId::parts)) {
    const layout::Part* part = find_part(tree, kind.part);
    return part == nullptr ? Names{} : Names{part->first_name, part->count};
  }
  const layout::Tree& record = tree_record(tree);
  const auto* owner = reinterpret_cast<const unsigned char*>(&record);
  if (kind.owners != number(SectionId::trees)) {
    if (engine_id_of(tree) != kind.engine) return {};
    owner = record_at(asset, kind.owners, record.record);
  }
  return {word_at(owner, kind.first_offset), word_at(owner, kind.count_offset)};
}

const char* name_of(const Tree& tree, const Kind& kind, std::uint32_t index) {
  return name_at(*tree.asset, word_at(record_at(*tree.asset, kind.section, index), kind.name_offset));
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

// Is the tree's root in this file, which is the end of its path from a folder on? Assets without debug data name none.
bool is_in_file(const Tree& tree, const char* file, std::size_t file_bytes) {
  const layout::NodeLocation* const place = find_location(*tree.asset, unit_record(tree).first_word);
  if (place == nullptr) return false;
  const char* const path = array<char>(*tree.asset, SectionId::debug_names) +
                           records<layout::File>(*tree.asset, SectionId::files)[place->file].name;
  const std::size_t path_bytes = std::strlen(path);
  if (path_bytes < file_bytes) return false;
  const char* const end = path + (path_bytes - file_bytes);
  return (end == path || end[-1] == '/') && is_same_name(file, file_bytes, end, true);
}

// The only tree that has the name behind "file: " and is in that file.
Status find_tree_of_file(Tree tree, const char* name, std::size_t name_bytes, std::uint32_t* index) {
  std::uint32_t found = layout::kNone;
  const std::uint32_t tree_count = record_count(*tree.asset, SectionId::trees);
  for (tree.index = 0; tree.index < tree_count; ++tree.index) {
    const char* const own = name_at(*tree.asset, tree_record(tree).name);
    const std::size_t own_bytes = std::strlen(own);
    if (name_bytes <= own_bytes + layout::kAfterFileBytes) continue;
    const std::size_t file_bytes = name_bytes - own_bytes - layout::kAfterFileBytes;
    const bool is_exact = engine_id_of(tree) == kKinds[ESPALIER_TREES].exact_in;
    if (std::memcmp(name + file_bytes, layout::kAfterFile, layout::kAfterFileBytes) != 0 ||
        !is_same_name(name + (name_bytes - own_bytes), own_bytes, own, is_exact) || !is_in_file(tree, name, file_bytes))
      continue;
    if (found != layout::kNone) return Status::not_found;
    found = tree.index;
  }
  if (found == layout::kNone) return Status::not_found;
  *index = found;
  return Status::ok;
}

}  // namespace

bool is_same_name(const char* name, std::size_t name_bytes, const char* other, bool is_exact) {
  for (std::size_t i = 0; i < name_bytes; ++i) {
    if (other[i] == '\0' || (is_exact ? name[i] != other[i] : lower(name[i]) != lower(other[i]))) return false;
  }
  return other[name_bytes] == '\0';
}

const layout::Part* find_part(const Tree& tree, PartKind kind) {
  const EngineParts rows(engine_id_of(tree));
  const std::uint32_t index = rows.find(kind);
  return index < rows.size() ? parts_of(*tree.asset, tree_record(tree)) + index : nullptr;
}

// Node locations are sorted by word.
const layout::NodeLocation* find_location(const Asset& asset, std::uint32_t node_word) {
  const auto places = records<layout::NodeLocation>(asset, SectionId::node_locations);
  std::uint32_t begin = 0;
  std::uint32_t end = record_count(asset, SectionId::node_locations);
  while (begin < end) {
    const std::uint32_t middle = begin + (end - begin) / 2;
    if (places[middle].word == node_word) return &places[middle];
    if (places[middle].word < node_word) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return nullptr;
}

const char* node_debug_name(const Asset& asset, std::uint32_t node_word) {
  const layout::NodeLocation* place = find_location(asset, node_word);
  return place == nullptr ? "" : array<char>(asset, SectionId::debug_names) + place->name;
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
      return "the asset is truncated or has trailing bytes";
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
    case ESPALIER_DIVERGED:
      return "a tree does not do what was recorded";
  }
  return "unknown status";
}

uint32_t espalier_count(espalier_tree tree, espalier_kind kind) {
  if (!Check(__func__).kind(tree, kind)) return 0;
  return names_of(tree, kKinds[kind]).count;
}

const char* espalier_name(espalier_tree tree, espalier_kind kind, uint32_t id) {
  if (!Check(__func__).id(tree, kind, id)) return "";
  return name_of(tree, kKinds[kind], names_of(tree, kKinds[kind]).first + id);
}

espalier_status espalier_find(espalier_tree tree, espalier_kind kind, const char* name, uint32_t* id) {
  if (!Check(__func__).kind(tree, kind).given(name, "the name is null")) return ESPALIER_NOT_FOUND;
  return espalier_find_n(tree, kind, name, std::strlen(name), id);
}

espalier_status espalier_find_n(espalier_tree tree, espalier_kind kind, const char* name, size_t name_bytes,
                                uint32_t* id) {
  if (!Check(__func__).kind(tree, kind).given(id, "the id is null")) return ESPALIER_NOT_FOUND;
  if (kind == ESPALIER_RULES && name_bytes == 0) return ESPALIER_NOT_FOUND;
  const Kind& row = kKinds[kind];
  const Names names = names_of(tree, row);
  Tree named = tree;
  for (std::uint32_t i = 0; i < names.count; ++i) {
    if (kind == ESPALIER_TREES) named.index = i;
    const bool is_exact = !row.is_any_case || engine_id_of(named) == row.exact_in;
    if (!is_same_name(name, name_bytes, name_of(tree, row, names.first + i), is_exact)) continue;
    *id = i;
    return ESPALIER_OK;
  }
  if (kind != ESPALIER_TREES) return ESPALIER_NOT_FOUND;
  return static_cast<espalier_status>(find_tree_of_file(tree, name, name_bytes, id));
}

espalier_status espalier_bind(const espalier_asset* asset, const espalier_binding* bindings, size_t binding_count,
                              espalier_behavior* table, uint32_t* missing, size_t missing_capacity,
                              uint32_t* missing_count) {
  if (!Check(__func__).asset(asset).given(table, "the table is null")) return ESPALIER_MISSING_BINDING;
  return bind_names(asset, espalier_behavior_count(asset), espalier_behavior_name, bindings, binding_count, table,
                    missing, missing_capacity, missing_count);
}

espalier_status espalier_bind_conditions(const espalier_asset* asset, const espalier_binding* bindings,
                                         size_t binding_count, espalier_behavior* table, uint32_t* missing,
                                         size_t missing_capacity, uint32_t* missing_count) {
  if (!Check(__func__).asset(asset).given(table, "the table is null")) return ESPALIER_MISSING_BINDING;
  return bind_names(asset, espalier_condition_count(asset), espalier_condition_name, bindings, binding_count, table,
                    missing, missing_capacity, missing_count);
}
