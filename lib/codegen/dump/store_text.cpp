// Trees that store in words. See store_text.h.
#include "codegen/dump/store_text.h"

#include <algorithm>
#include <iterator>

#include "codegen/dump/node_text.h"
#include "runtime/store/tree.h"

namespace espalier::codegen {
namespace {

using layout::SectionId;

constexpr std::string_view kOnLeave[] = {"fail", "reset", "ignore"};

std::string numbers_text(const std::vector<std::uint32_t>& numbers) {
  std::string text;
  for (const std::uint32_t number : numbers) text += (text.empty() ? "" : " ") + std::to_string(number);
  return text;
}

// As many levels as any tree of the asset may have.
std::uint32_t level_total(const Asset& asset) {
  const auto trees = records<layout::StoreTree>(asset, SectionId::store_trees);
  std::uint32_t most = 1;
  for (std::uint32_t i = 0; i < record_count(asset, SectionId::store_trees); ++i) {
    most = std::max(most, trees[i].level_count);
  }
  return most;
}

}  // namespace

const layout::StoreTree& store_record(const Tree& tree) {
  return records<layout::StoreTree>(*tree.asset, SectionId::store_trees)[tree_record(tree).record];
}

std::vector<std::uint32_t> needs_of(const Tree& tree) {
  std::vector<std::uint32_t> needs;
  const std::uint32_t levels = level_total(*tree.asset);
  for (std::uint32_t level = 1; level <= levels; ++level) needs.push_back(need_of(*tree.asset, tree.index, level));
  return needs;
}

std::vector<std::uint32_t> rooms_of_slot(const Asset& asset, std::uint32_t slot) {
  std::vector<std::uint32_t> rooms;
  const std::uint32_t levels = level_total(asset);
  for (std::uint32_t level = 1; level <= levels; ++level) rooms.push_back(room_of(asset, slot, level));
  return rooms;
}

std::vector<std::uint32_t> accepted_by(const Asset& asset, const layout::Slot& slot) {
  if (slot.accepted_count == layout::kNone) return {};
  const std::uint32_t* accepts = array<std::uint32_t>(asset, SectionId::accepts) + slot.first_accepted;
  return {accepts, accepts + slot.accepted_count};
}

const layout::Group* group_of(const Asset& asset, const NodeView& node) {
  const std::uint32_t* group = operand(node, OperandKind::group);
  return group == nullptr ? nullptr : &records<layout::Group>(asset, SectionId::groups)[*group];
}

const layout::Barrier& barrier_at(const Asset& asset, const layout::Group& group, std::uint32_t barrier) {
  return records<layout::Barrier>(asset, SectionId::barriers)[group.first_barrier + barrier];
}

std::string_view on_leave_name(std::uint32_t on_leave) { return kOnLeave[on_leave]; }

const layout::Barrier& barrier_of(const Asset& asset, const NodeView& node) {
  NodeView around = node;
  bool is_in_role = false;
  while (!is_in_role) {
    is_in_role = around.opcode == Opcode::store_role;
    around = node_at(asset, around.word - *operand(around, OperandKind::parent));
  }
  return barrier_at(asset, *group_of(asset, around), *operand(node, OperandKind::barrier));
}

std::vector<std::string> group_rows(const Asset& asset, const layout::Group& group) {
  std::string row =
      "= roles " + std::to_string(group.role_count) + ", on_leave " + std::string(on_leave_name(group.on_leave));
  if (group.timeout_us != layout::kNoTimeout) row += ", timeout " + seconds_text(group.timeout_us);
  row += ", shared " + std::to_string(shared_group_bytes(group)) + " at " + std::to_string(group.shared_offset);
  std::vector<std::string> rows = {std::move(row)};
  for (std::uint32_t i = 0; i < group.barrier_count; ++i) {
    const layout::Barrier& barrier = barrier_at(asset, group, i);
    std::string roles;
    for (std::uint32_t role = 0; role < group.role_count; ++role) {
      if ((barrier.roles >> role & 1) != 0) roles += " " + std::to_string(role);
    }
    rows.push_back("| barrier " + std::to_string(i) + " " + quoted_text(name_at(asset, barrier.name)) + " of roles" +
                   roles);
  }
  return rows;
}

std::string slot_text(const Asset& asset, std::uint32_t slot) {
  const layout::Slot& record = slot_record(asset, slot);
  std::string text = "accepts";
  if (record.accepted_count == layout::kNone) text += " all";
  for (const std::uint32_t tree : accepted_by(asset, record)) {
    text += " " + std::to_string(tree) + " " + quoted_text(tree_name({&asset, tree}));
  }
  if (record.budget_bytes != layout::kNone) text += ", budget " + std::to_string(record.budget_bytes);
  return text + ", rooms " + numbers_text(rooms_of_slot(asset, slot));
}

}  // namespace espalier::codegen
