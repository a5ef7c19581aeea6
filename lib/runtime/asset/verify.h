// The state that all parts of the verifier share, such as the position and reason of the first fault.
#pragma once
#include <cstdint>
#include <espalier/espalier.hpp>

#include "asset/view.h"
#include "format/kinds.h"
#include "format/records.h"
#include "format/short_condition.h"

namespace espalier {

// Tests whether an asset's first 4 bytes are its magic number, in a byte order that this host can read.
Fault check_byte_order(const unsigned char* magic, bool is_host_little_endian);

// Checks an asset part by part. Its sections are known to be within the bytes and in order. Each check is linear,
// allocates nothing and relies only on earlier checks. If a check returns false, fault() has the position and reason.
class Verifier {
 public:
  explicit Verifier(const Asset& asset) : asset_(asset) {}

  [[nodiscard]] bool check();
  const Fault& fault() const { return fault_; }
  const Asset& asset() const { return asset_; }

  // Assigns records [first, first + count) to their owner. False if they do not follow those of the previous owner, or
  // do not exist.
  [[nodiscard]] bool take(layout::SectionId id, std::uint32_t first, std::uint32_t count);
  // Determined by the unit's first node, which may have any content. If its opcode does not exist, the result is
  // `select`, and the verification of that engine rejects the node.
  EngineId engine_of_unit(std::uint32_t unit) const;

  // `condition` is an operand.
  bool is_condition(std::uint32_t condition) const {
    return is_short(condition) ? is_valid_short(condition)
                               : condition <= record_count(asset_, layout::SectionId::conditions);
  }
  std::uint32_t variables_of(std::uint32_t condition) const {
    if (is_short(condition)) return short_variable_count(condition);
    if (condition == 0) return 0;
    return array<layout::Condition>(asset_, layout::SectionId::conditions)[condition - 1].variable_count;
  }

  // An operand of this kind that is below needs no other check, except by hooks.
  std::uint32_t operand_limit(OperandKind kind) const { return operand_limits_[static_cast<std::size_t>(kind)]; }

  // The checks of the engines: see Engine. Each relies on earlier checks.
  const char* check_selecting_unit(std::uint32_t unit, std::uint32_t* word);  // select/verify.cpp
  [[nodiscard]] bool check_selecting_tree(std::uint32_t tree);
  const char* check_ticking_unit(std::uint32_t unit, std::uint32_t* word);  // tick/verify.cpp
  [[nodiscard]] bool check_ticking_tree(std::uint32_t tree);
  [[nodiscard]] bool check_queries();  // rule/verify.cpp
  const char* check_rule_unit(std::uint32_t unit, std::uint32_t* word);
  [[nodiscard]] bool check_rule_tree(std::uint32_t tree);
  [[nodiscard]] bool check_preconditions();  // decide/verify.cpp
  const char* check_decider_unit(std::uint32_t unit, std::uint32_t* word);
  [[nodiscard]] bool check_decider_tree(std::uint32_t tree);
  [[nodiscard]] bool check_groups();  // store/verify.cpp
  [[nodiscard]] bool take_monitor(std::uint32_t word);
  const layout::TimedNode* take_timed(std::uint32_t word);
  const char* check_store_unit(std::uint32_t unit, std::uint32_t* word);
  [[nodiscard]] bool check_store_tree(std::uint32_t tree);
  [[nodiscard]] bool check_rooms();
  const char* check_poll_unit(std::uint32_t unit, std::uint32_t* word);  // poll/verify.cpp
  [[nodiscard]] bool check_poll_tree(std::uint32_t tree);
  [[nodiscard]] bool check_poll_enums();

 private:
  // Checks of all assets: asset/verify.cpp, asset/verify_unit.cpp
  [[nodiscard]] bool check_names();
  [[nodiscard]] bool check_parameters();
  [[nodiscard]] bool is_parameter(const layout::Parameter& parameter) const;
  [[nodiscard]] bool check_conditions();
  [[nodiscard]] bool check_condition(std::uint32_t index);
  [[nodiscard]] bool check_links();
  [[nodiscard]] bool check_engine_records();
  void set_operand_limits();
  [[nodiscard]] bool check_units();
  [[nodiscard]] bool check_trees();
  [[nodiscard]] bool check_tree_records(std::uint32_t index);
  [[nodiscard]] bool check_parts(const layout::Tree& tree);
  [[nodiscard]] bool check_part_names(const EngineParts& rows, const layout::Part* parts, std::uint32_t index);
  [[nodiscard]] bool check_image(const layout::Tree& tree);
  [[nodiscard]] bool check_signals(const layout::Tree& tree);
  [[nodiscard]] bool check_all_taken();
  [[nodiscard]] bool check_debug();
  // The host's engine with this id. If it was not given, reports that as the fault and returns null.
  const Engine* find_engine(const void* record, EngineId engine_id);

  // Parts of the engines' checks.
  [[nodiscard]] bool check_instances(const layout::Tree& tree, const layout::RuleTree& record);
  [[nodiscard]] bool check_rule_agent(const layout::Tree& tree, const layout::RuleTree& record);
  [[nodiscard]] bool check_deciders(std::uint32_t index, const layout::DeciderTree& record);
  [[nodiscard]] bool check_stimuli(const layout::Tree& tree, const layout::DeciderTree& record);
  [[nodiscard]] bool check_slots();
  [[nodiscard]] bool check_needs(const layout::Tree& tree, const layout::StoreTree& record);
  [[nodiscard]] bool add_room(const layout::StoreTree& record, const std::uint32_t* child, std::uint32_t own_bytes,
                              std::uint64_t* needs);
  std::uint32_t need_at(const layout::StoreTree& record, std::uint32_t level_count) const;
  [[nodiscard]] bool take_child_room(std::uint32_t word);
  [[nodiscard]] bool check_poll_boards(const layout::Tree& tree, const layout::PollTree& record,
                                       std::uint32_t* key_count);
  [[nodiscard]] bool check_poll_scripts(const layout::PollTree& record, std::uint32_t key_count);
  [[nodiscard]] bool check_poll_port(const layout::PollPort& port, std::uint32_t key_count) const;
  const char* check_poll_node(const std::uint32_t* node, const layout::PollTree& record, std::uint32_t key_count);
  std::uint64_t shared_store_bytes() const;

  // `record` is the address of the invalid bytes.
  bool fail(const void* record, const char* reason) {
    const auto offset = static_cast<const unsigned char*>(record) - first_byte(asset_);
    fault_ = {Status::malformed, reason, static_cast<std::uint64_t>(offset)};
    return false;
  }
  // Do records [first, first + count) exist?
  bool has_records(layout::SectionId id, std::uint32_t first, std::uint32_t count) const {
    const std::uint32_t total = record_count(asset_, id);
    return first <= total && count <= total - first;
  }
  // May several trees use a unit of this engine?
  static bool is_shared_unit(EngineId engine_id) {
    return engine_id == EngineId::select || engine_id == EngineId::rule;
  }
  bool is_name(std::uint32_t offset) const { return offset < record_count(asset_, layout::SectionId::names); }
  const Asset& asset_;
  Fault fault_;
  // For each section, where the records of the next owner must begin.
  std::uint32_t next_[static_cast<std::size_t>(layout::SectionId::count)] = {};
  std::uint32_t operand_limits_[static_cast<std::size_t>(OperandKind::polled) + 1] = {};
  std::uint32_t next_shared_value_ = 0;   // of the next tree that stores
  std::uint64_t shared_store_bytes_ = 0;  // of all trees that store; computed with the first of them
};

}  // namespace espalier
