// Sections to bytes. See sections.h.
#include "codegen/sections.h"

#include <cstring>
#include <string_view>

#include "codegen/condition.h"
#include "runtime/asset/hash.h"

namespace espalier::codegen {
namespace {

using layout::SectionId;

// Sections one behind the other, in the order of their ids, and at last the header.
class AssetWriter {
 public:
  template <typename Records>
  void add(SectionId id, const Records& records) {
    const std::size_t size_bytes = records.size() * sizeof(records[0]);
    const bool is_optional = static_cast<std::uint32_t>(id) >= layout::kFirstOptionalSection;
    table_.push_back({static_cast<std::uint32_t>(id), is_optional ? layout::kSectionOptional : 0, 0,
                      static_cast<std::uint32_t>(size_bytes)});
    parts_.emplace_back(reinterpret_cast<const char*>(records.data()), size_bytes);
  }
  template <typename Records>
  void add_used(SectionId id, const Records& records) {
    if (!records.empty()) add(id, records);
  }

  // Empty when the asset would be larger than its 32-bit offsets can tell.
  std::vector<std::uint64_t> finish(std::size_t* size_bytes) {
    std::uint64_t end = sizeof(layout::Header) + table_.size() * sizeof(layout::Section);
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      table_[i].offset_bytes = static_cast<std::uint32_t>(end);
      end = (end + parts_[i].size() + layout::kAlignment - 1) / layout::kAlignment * layout::kAlignment;
    }
    if (end > 0xFFFFFFF8) return {};
    std::vector<std::uint64_t> words(end / sizeof(std::uint64_t));
    char* bytes = reinterpret_cast<char*>(words.data());
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      if (!parts_[i].empty()) std::memcpy(bytes + table_[i].offset_bytes, parts_[i].data(), parts_[i].size());
    }
    std::memcpy(bytes + sizeof(layout::Header), table_.data(), table_.size() * sizeof(layout::Section));
    layout::Header header = {layout::kMagic,
                             layout::kMajorVersion,
                             layout::kMinorVersion,
                             end,
                             0,
                             static_cast<std::uint32_t>(table_.size()),
                             0};
    std::memcpy(bytes, &header, sizeof header);
    header.hash = asset_hash(bytes, end);
    std::memcpy(bytes, &header, sizeof header);
    *size_bytes = end;
    return words;
  }

 private:
  std::vector<layout::Section> table_;
  std::vector<std::string_view> parts_;
};

}  // namespace

std::uint32_t ConditionPool::add(const ir::Condition& condition) {
  const std::vector<layout::Test> tests = compile_condition(condition);
  if (tests.empty()) return 0;
  std::string key(reinterpret_cast<const char*>(tests.data()), tests.size() * sizeof(layout::Test));
  const std::uint32_t next = static_cast<std::uint32_t>(sections_.conditions.size()) + 1;
  const auto [place, is_new] = operands_.emplace(std::move(key), next);
  if (is_new) {
    sections_.conditions.push_back({static_cast<std::uint32_t>(sections_.tests.size()),
                                    static_cast<std::uint32_t>(tests.size()), variable_count(tests)});
    sections_.tests.insert(sections_.tests.end(), tests.begin(), tests.end());
  }
  return place->second;
}

std::vector<std::uint32_t> ConditionPool::add_all(const ir::Tree& tree) {
  std::vector<std::uint32_t> operands;
  operands.reserve(tree.conditions.size());
  for (const ir::Condition& condition : tree.conditions) operands.push_back(add(condition));
  return operands;
}

std::vector<std::uint64_t> write_asset(const Sections& sections, bool strip, std::size_t* size_bytes) {
  AssetWriter writer;
  writer.add(SectionId::trees, sections.trees);
  writer.add(SectionId::units, sections.units);
  writer.add(SectionId::nodes, sections.nodes);
  writer.add(SectionId::conditions, sections.conditions);
  writer.add(SectionId::tests, sections.tests);
  writer.add(SectionId::transitions, sections.transitions);
  writer.add(SectionId::variables, sections.variables);
  writer.add(SectionId::signals, sections.signals);
  writer.add(SectionId::assignments, sections.assignments);
  writer.add(SectionId::behaviors, sections.behaviors);
  writer.add(SectionId::leaves, sections.leaves);
  writer.add(SectionId::images, sections.images);
  writer.add(SectionId::names, sections.names.bytes());
  writer.add_used(SectionId::ticking, sections.ticking);
  writer.add_used(SectionId::timestamps, sections.timestamps);
  writer.add_used(SectionId::event_transitions, sections.event_transitions);
  writer.add_used(SectionId::numbers, sections.numbers);
  writer.add_used(SectionId::parameters, sections.parameters);
  writer.add_used(SectionId::scripts, sections.scripts);
  writer.add_used(SectionId::scopes, sections.scopes);
  writer.add_used(SectionId::rule_trees, sections.rule_trees);
  writer.add_used(SectionId::occurrences, sections.occurrences);
  writer.add_used(SectionId::uses, sections.uses);
  writer.add_used(SectionId::askings, sections.askings);
  writer.add_used(SectionId::questions, sections.questions);
  writer.add_used(SectionId::rule_ids, sections.rule_ids);
  writer.add_used(SectionId::host_conditions, sections.host_conditions);
  writer.add_used(SectionId::decider_trees, sections.decider_trees);
  writer.add_used(SectionId::deciders, sections.deciders);
  writer.add_used(SectionId::preconditions, sections.preconditions);
  writer.add_used(SectionId::stimuli, sections.stimuli);
  writer.add_used(SectionId::behavior_flags, sections.behavior_flags);
  writer.add_used(SectionId::store_trees, sections.store_trees);
  writer.add_used(SectionId::groups, sections.groups);
  writer.add_used(SectionId::barriers, sections.barriers);
  writer.add_used(SectionId::slots, sections.slots);
  writer.add_used(SectionId::accepts, sections.accepts);
  writer.add_used(SectionId::tree_needs, sections.tree_needs);
  writer.add_used(SectionId::slot_rooms, sections.slot_rooms);
  if (!strip) {
    writer.add(SectionId::files, sections.files);
    writer.add(SectionId::node_places, sections.places);
    writer.add(SectionId::debug_names, sections.debug_names.bytes());
  }
  return writer.finish(size_bytes);
}

}  // namespace espalier::codegen
