// The interface of the C headers in C++17, under C++ names: the types are those of C, and the functions call those of C
// inline. Their contracts are in espalier.h and in the header of each kind of tree.
//
//   Asset asset;                                     // bytes: the file, read or mapped, at a multiple of 8
//   if (open(bytes, size, &asset) != Status::ok) ... // verified once, trusted after
//   Tree guard;
//   find_tree(asset, "Guard", &guard);
//   Behavior table[N];                               // N = behavior_count(asset)
//   bind(asset, bindings, binding_count, table, nullptr, 0, &missing_count);
//
//   Host host;                                       // all members are zero or null until they are set
//   host.behaviors = table;
//   start(guard, block);                             // block: agent_bytes(guard) bytes, at a multiple of 8
//   signal(guard, block, on_enemy_seen, host);       // ids: find_signal(), or a header made by the compiler
//   update(guard, block, host);                      // calls the behaviours: void enter(const Call* call)
#pragma once
#include "columns.h"
#include "debugging.h"
#include "deciders.h"
#include "espalier.h"
#include "polling.h"
#include "rules.h"
#include "selecting.h"
#include "storing.h"
#include "ticking.h"
#include "watching.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>

namespace espalier {

// ---- Types

using Activation = espalier_activation;
using ActiveDecider = espalier_active_decider;
using Asset = espalier_asset;
using Behavior = espalier_behavior;
using Binding = espalier_binding;
using Call = espalier_call;
using Columns = espalier_columns;
using Completed = espalier_completed;
using DeciderMemory = espalier_decider_memory;
using DecideStep = espalier_decide_step;
using Engine = espalier_engine;
using Fault = espalier_fault;
using History = espalier_history;
using Host = espalier_host;
using NodeStep = espalier_node_step;
using Parameter = espalier_parameter;
using Place = espalier_place;
using Position = espalier_position;
using Prepared = espalier_prepared;
using PrintOptions = espalier_print_options;
using Step = espalier_step;
using StimulusData = espalier_stimulus_data;
using Tree = espalier_tree;
using Watcher = espalier_watcher;

inline constexpr std::size_t kMaxStackBytes = ESPALIER_MAX_STACK_BYTES;
inline constexpr std::size_t kEngineCount = ESPALIER_ENGINE_COUNT;
inline constexpr std::size_t kAgentAlignment = ESPALIER_AGENT_ALIGNMENT;
inline constexpr std::uint32_t kNoBehavior = ESPALIER_NO_BEHAVIOR;
inline constexpr std::uint64_t kNoTime = ESPALIER_NO_TIME;
inline constexpr std::uint32_t kNoLeaf = ESPALIER_NO_LEAF;
inline constexpr std::uint32_t kNoRule = ESPALIER_NO_RULE;
inline constexpr std::uint32_t kNoTree = ESPALIER_NO_TREE;

// A C enumeration with scoped names: Status::ok is ESPALIER_OK, and each converts to the other.
// The host's functions return the C type: espalier_result tick(const Call* call) { return Result::running; }
template <typename Enum>
struct Scoped {
  constexpr Scoped(Enum given = {}) : value(given) {}  // NOLINT(google-explicit-constructor)
  constexpr explicit Scoped(std::uint32_t number) : value(static_cast<Enum>(number)) {}
  constexpr operator Enum() const { return value; }  // NOLINT(google-explicit-constructor)

  Enum value;
};

struct Status : Scoped<espalier_status> {
  using Scoped::Scoped;
  // So that they can be mixed with others in `?:`, as results can.
  static const Status ok, misaligned, not_an_asset, unsupported_version, wrong_size, wrong_hash, malformed, not_found,
      missing_binding, no_id, not_accepted, too_large, wrong_byte_order, damaged_agent, missing_engine, diverged;
};
inline constexpr Status Status::ok = ESPALIER_OK;
inline constexpr Status Status::misaligned = ESPALIER_MISALIGNED;
inline constexpr Status Status::not_an_asset = ESPALIER_NOT_AN_ASSET;
inline constexpr Status Status::unsupported_version = ESPALIER_UNSUPPORTED_VERSION;
inline constexpr Status Status::wrong_size = ESPALIER_WRONG_SIZE;
inline constexpr Status Status::wrong_hash = ESPALIER_WRONG_HASH;
inline constexpr Status Status::malformed = ESPALIER_MALFORMED;
inline constexpr Status Status::not_found = ESPALIER_NOT_FOUND;
inline constexpr Status Status::missing_binding = ESPALIER_MISSING_BINDING;
inline constexpr Status Status::no_id = ESPALIER_NO_ID;
inline constexpr Status Status::not_accepted = ESPALIER_NOT_ACCEPTED;
inline constexpr Status Status::too_large = ESPALIER_TOO_LARGE;
inline constexpr Status Status::wrong_byte_order = ESPALIER_WRONG_BYTE_ORDER;
inline constexpr Status Status::damaged_agent = ESPALIER_DAMAGED_AGENT;
inline constexpr Status Status::missing_engine = ESPALIER_MISSING_ENGINE;
inline constexpr Status Status::diverged = ESPALIER_DIVERGED;

struct Result : Scoped<espalier_result> {
  using Scoped::Scoped;
  static const Result running, failure, success, stopped, error, skipped;
};
inline constexpr Result Result::running = ESPALIER_RUNNING;
inline constexpr Result Result::failure = ESPALIER_FAILURE;
inline constexpr Result Result::success = ESPALIER_SUCCESS;
inline constexpr Result Result::stopped = ESPALIER_STOPPED;
inline constexpr Result Result::error = ESPALIER_ERROR;
inline constexpr Result Result::skipped = ESPALIER_SKIPPED;

struct ParameterType : Scoped<espalier_parameter_type> {
  using Scoped::Scoped;
  static constexpr espalier_parameter_type text = ESPALIER_PARAMETER_TEXT, whole = ESPALIER_PARAMETER_WHOLE,
                                           number = ESPALIER_PARAMETER_NUMBER, boolean = ESPALIER_PARAMETER_BOOLEAN,
                                           choice = ESPALIER_PARAMETER_CHOICE, vector = ESPALIER_PARAMETER_VECTOR,
                                           event = ESPALIER_PARAMETER_EVENT, script = ESPALIER_PARAMETER_SCRIPT;
};

struct Receivers : Scoped<espalier_receivers> {
  using Scoped::Scoped;
  static constexpr espalier_receivers sender = ESPALIER_SENDER, group = ESPALIER_GROUP, others = ESPALIER_OTHERS;
};

struct NodeStepKind : Scoped<espalier_node_step_kind> {
  using Scoped::Scoped;
  static constexpr espalier_node_step_kind begin = ESPALIER_NODE_BEGIN, complete = ESPALIER_NODE_COMPLETE,
                                           interrupt = ESPALIER_NODE_INTERRUPT, send = ESPALIER_NODE_SEND,
                                           restart = ESPALIER_NODE_RESTART, skip = ESPALIER_NODE_SKIP,
                                           reset = ESPALIER_NODE_RESET;
};

struct DecideStepKind : Scoped<espalier_decide_step_kind> {
  using Scoped::Scoped;
  static constexpr espalier_decide_step_kind activated = ESPALIER_DECIDE_ACTIVATED,
                                             deactivated = ESPALIER_DECIDE_DEACTIVATED,
                                             refused = ESPALIER_DECIDE_REFUSED, failed = ESPALIER_DECIDE_FAILED,
                                             decides_again = ESPALIER_DECIDE_DECIDES_AGAIN,
                                             overrun = ESPALIER_DECIDE_OVERRUN, begin = ESPALIER_DECIDE_BEGIN,
                                             ticked = ESPALIER_DECIDE_TICKED, end = ESPALIER_DECIDE_END,
                                             visited = ESPALIER_DECIDE_VISITED, goes_on = ESPALIER_DECIDE_GOES_ON,
                                             switches = ESPALIER_DECIDE_SWITCHES, masked = ESPALIER_DECIDE_MASKED,
                                             every_failed = ESPALIER_DECIDE_EVERY_FAILED,
                                             flags_all_failed = ESPALIER_DECIDE_FLAGS_ALL_FAILED,
                                             flags_any_failed = ESPALIER_DECIDE_FLAGS_ANY_FAILED,
                                             stimuli_all_failed = ESPALIER_DECIDE_STIMULI_ALL_FAILED,
                                             stimuli_any_failed = ESPALIER_DECIDE_STIMULI_ANY_FAILED,
                                             decided = ESPALIER_DECIDE_DECIDED, asked = ESPALIER_DECIDE_ASKED,
                                             chosen = ESPALIER_DECIDE_CHOSEN, refused_all = ESPALIER_DECIDE_REFUSED_ALL,
                                             breach = ESPALIER_DECIDE_BREACH;
};

inline const char* status_text(Status status) { return espalier_status_text(status); }

// ---- Assets

[[nodiscard]] inline Status open(const void* bytes, std::size_t size_bytes, Asset* asset, Fault* fault = nullptr) {
  return espalier_open(bytes, size_bytes, asset, fault);
}
[[nodiscard]] inline Status open_with(const Engine* const* engines, std::size_t engine_count, const void* bytes,
                                      std::size_t size_bytes, Asset* asset, Fault* fault = nullptr) {
  return espalier_open_with(engines, engine_count, bytes, size_bytes, asset, fault);
}
inline const Engine* select_engine() { return espalier_select_engine(); }
inline const Engine* tick_engine() { return espalier_tick_engine(); }
inline const Engine* rule_engine() { return espalier_rule_engine(); }
inline const Engine* decide_engine() { return espalier_decide_engine(); }
inline const Engine* store_engine() { return espalier_store_engine(); }
inline const Engine* poll_engine() { return espalier_poll_engine(); }
inline const Engine* select_reload_engine() { return espalier_select_reload_engine(); }
inline const Engine* tick_reload_engine() { return espalier_tick_reload_engine(); }
inline const Engine* rule_reload_engine() { return espalier_rule_reload_engine(); }
inline const Engine* decide_reload_engine() { return espalier_decide_reload_engine(); }
inline const Engine* store_reload_engine() { return espalier_store_reload_engine(); }
inline const Engine* poll_reload_engine() { return espalier_poll_reload_engine(); }

// ---- Names

[[nodiscard]] inline Status find(const Tree& tree, espalier_kind kind, std::string_view name, std::uint32_t* id) {
  return espalier_find_n(tree, kind, name.data(), name.size(), id);
}
inline Tree tree(const Asset& asset, std::uint32_t index) { return {&asset, index}; }
[[nodiscard]] inline Status find_tree(const Asset& asset, std::string_view name, Tree* tree) {
  std::uint32_t index = 0;
  const Status status = find({&asset, 0}, ESPALIER_TREES, name, &index);
  if (status == Status::ok) *tree = {&asset, index};
  return status;
}
inline std::string_view tree_name(const Tree& tree) { return espalier_tree_name(tree); }
inline std::uint32_t tree_count(const Asset& asset) { return espalier_count({&asset, 0}, ESPALIER_TREES); }
inline std::uint32_t behavior_count(const Asset& asset) { return espalier_count({&asset, 0}, ESPALIER_BEHAVIORS); }
inline std::string_view behavior_name(const Asset& asset, std::uint32_t behavior) {
  return espalier_name({&asset, 0}, ESPALIER_BEHAVIORS, behavior);
}
inline std::uint32_t host_condition_count(const Asset& asset) {
  return espalier_count({&asset, 0}, ESPALIER_CONDITIONS);
}
inline std::string_view host_condition_name(const Asset& asset, std::uint32_t host_condition) {
  return espalier_name({&asset, 0}, ESPALIER_CONDITIONS, host_condition);
}
inline std::uint32_t script_count(const Asset& asset) { return espalier_count({&asset, 0}, ESPALIER_SCRIPTS); }
inline std::string_view script_text(const Asset& asset, std::uint32_t script) {
  return espalier_name({&asset, 0}, ESPALIER_SCRIPTS, script);
}
// The files that run before an agent's first script, in order.
inline std::uint32_t prelude_count(const Asset& asset) { return espalier_count({&asset, 0}, ESPALIER_PRELUDES); }
inline std::string_view prelude_text(const Asset& asset, std::uint32_t prelude) {
  return espalier_name({&asset, 0}, ESPALIER_PRELUDES, prelude);
}
inline std::string_view prelude_file(const Asset& asset, std::uint32_t prelude) {
  return espalier_name({&asset, 0}, ESPALIER_PRELUDE_FILES, prelude);
}
inline std::uint32_t slot_count(const Asset& asset) { return espalier_count({&asset, 0}, ESPALIER_SLOTS); }
inline std::string_view slot_name(const Asset& asset, std::uint32_t slot) {
  return espalier_name({&asset, 0}, ESPALIER_SLOTS, slot);
}
[[nodiscard]] inline Status find_slot(const Asset& asset, std::string_view name, std::uint32_t* slot) {
  return find({&asset, 0}, ESPALIER_SLOTS, name, slot);
}
inline std::uint32_t variable_count(const Tree& tree) { return espalier_count(tree, ESPALIER_VARIABLES); }
inline std::string_view variable_name(const Tree& tree, std::uint32_t variable) {
  return espalier_name(tree, ESPALIER_VARIABLES, variable);
}
[[nodiscard]] inline Status find_variable(const Tree& tree, std::string_view name, std::uint32_t* variable) {
  return find(tree, ESPALIER_VARIABLES, name, variable);
}
inline std::uint32_t signal_count(const Tree& tree) { return espalier_count(tree, ESPALIER_SIGNALS); }
inline std::string_view signal_name(const Tree& tree, std::uint32_t signal) {
  return espalier_name(tree, ESPALIER_SIGNALS, signal);
}
[[nodiscard]] inline Status find_signal(const Tree& tree, std::string_view name, std::uint32_t* signal) {
  return find(tree, ESPALIER_SIGNALS, name, signal);
}
inline std::uint32_t timestamp_count(const Tree& tree) { return espalier_count(tree, ESPALIER_TIMESTAMPS); }
inline std::string_view timestamp_name(const Tree& tree, std::uint32_t timestamp) {
  return espalier_name(tree, ESPALIER_TIMESTAMPS, timestamp);
}
[[nodiscard]] inline Status find_timestamp(const Tree& tree, std::string_view name, std::uint32_t* timestamp) {
  return find(tree, ESPALIER_TIMESTAMPS, name, timestamp);
}
inline std::uint32_t rule_count(const Tree& tree) { return espalier_count(tree, ESPALIER_RULES); }
inline std::string_view rule_id(const Tree& tree, std::uint32_t rule) {
  return espalier_name(tree, ESPALIER_RULES, rule);
}
[[nodiscard]] inline Status find_rule(const Tree& tree, std::string_view name, std::uint32_t* rule) {
  return find(tree, ESPALIER_RULES, name, rule);
}
inline std::uint32_t stimulus_count(const Tree& tree) { return espalier_count(tree, ESPALIER_STIMULI); }
inline std::string_view stimulus_name(const Tree& tree, std::uint32_t stimulus) {
  return espalier_name(tree, ESPALIER_STIMULI, stimulus);
}
[[nodiscard]] inline Status find_stimulus(const Tree& tree, std::string_view name, std::uint32_t* stimulus) {
  return find(tree, ESPALIER_STIMULI, name, stimulus);
}
inline std::uint32_t behavior_flag_count(const Tree& tree) { return espalier_count(tree, ESPALIER_BEHAVIOR_FLAGS); }
inline std::string_view behavior_flag_name(const Tree& tree, std::uint32_t behavior_flag) {
  return espalier_name(tree, ESPALIER_BEHAVIOR_FLAGS, behavior_flag);
}
[[nodiscard]] inline Status find_behavior_flag(const Tree& tree, std::string_view name, std::uint32_t* behavior_flag) {
  return find(tree, ESPALIER_BEHAVIOR_FLAGS, name, behavior_flag);
}

// ---- Behaviours

[[nodiscard]] inline Status bind(const Asset& asset, const Binding* bindings, std::size_t binding_count,
                                 Behavior* table, std::uint32_t* missing, std::size_t missing_capacity,
                                 std::uint32_t* missing_count) {
  return espalier_bind(&asset, bindings, binding_count, table, missing, missing_capacity, missing_count);
}
[[nodiscard]] inline Status bind_conditions(const Asset& asset, const Binding* bindings, std::size_t binding_count,
                                            Behavior* table, std::uint32_t* missing, std::size_t missing_capacity,
                                            std::uint32_t* missing_count) {
  return espalier_bind_conditions(&asset, bindings, binding_count, table, missing, missing_capacity, missing_count);
}
inline std::uint32_t parameter_count(const Call* call) { return espalier_parameter_count(call); }
inline Parameter parameter(const Call* call, std::uint32_t index) { return espalier_parameter_at(call, index); }
[[nodiscard]] inline Status find_parameter(const Call* call, const char* name, Parameter* parameter) {
  return espalier_find_parameter(call, name, parameter);
}

// The memory of the behaviour that is called, as a T; null: it has none, or less than a T needs.
template <typename T>
T* memory_as(const Call* call) {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>,
                "memory is copied and dropped as bytes");
  return static_cast<T*>(espalier_memory_of(call, sizeof(T), alignof(T)));
}

// The block that `decide` fills for the behaviour that is chosen (deciders.h), as a T; null: there is none, or less
// than a T needs.
template <typename T>
T* block_as(const Call* call) {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>, "blocks are copied as bytes");
  const Activation* const activation = call->activation;
  if (activation == nullptr || activation->block == nullptr || activation->block_bytes < sizeof(T)) return nullptr;
  return reinterpret_cast<std::uintptr_t>(activation->block) % alignof(T) == 0 ? static_cast<T*>(activation->block)
                                                                               : nullptr;
}

// ---- Agents

inline std::size_t agent_bytes(const Tree& tree) { return espalier_agent_bytes(tree); }
inline std::size_t scratch_bytes(const Tree& tree) { return espalier_scratch_bytes(tree); }
inline std::size_t shared_bytes(const Tree& tree) { return espalier_shared_bytes(tree); }
inline void start_shared(const Tree& tree, void* block) { espalier_start_shared(tree, block); }
inline void start(const Tree& tree, void* block) { espalier_start(tree, block); }
inline void seed(const Tree& tree, void* block, std::uint64_t seed) { espalier_seed(tree, block, seed); }
inline void stop(const Tree& tree, void* block, const Host& host) { espalier_stop(tree, block, &host); }
inline bool variable(const Tree& tree, const void* block, std::uint32_t variable) {
  return espalier_variable(tree, block, variable);
}
inline void set(const Tree& tree, void* block, std::uint32_t variable, bool value) {
  espalier_set(tree, block, variable, value);
}
inline void signal(const Tree& tree, void* block, std::uint32_t signal, const Host& host, const void* data = nullptr) {
  espalier_signal(tree, block, signal, &host, data);
}
inline Result update(const Tree& tree, void* block, const Host& host) { return espalier_update(tree, block, &host); }
inline void update_all(const Tree& tree, void* blocks, std::size_t stride_bytes, std::size_t count, const Host& host) {
  espalier_update_all(tree, blocks, stride_bytes, count, &host);
}
inline Prepared prepare(const Tree& tree) {
  Prepared prepared;
  espalier_prepare(tree, &prepared);
  return prepared;
}
inline Result update(const Prepared& prepared, void* block, const Host& host) {
  return espalier_update_prepared(&prepared, block, &host);
}
inline void update_all(const Prepared& prepared, void* blocks, std::size_t stride_bytes, std::size_t count,
                       const Host& host) {
  espalier_update_all_prepared(&prepared, blocks, stride_bytes, count, &host);
}
inline bool is_stopped(const Tree& tree, const void* block) { return espalier_is_stopped(tree, block); }
inline void visit_active(const Tree& tree, const void* block, void (*visit)(void* user, std::uint32_t node_word),
                         void* user) {
  espalier_visit_active(tree, block, visit, user);
}
inline void restore(const Tree& tree, void* block, const void* saved, const Host& host) {
  espalier_restore(tree, block, saved, &host);
}
[[nodiscard]] inline Status check_agent(const Tree& tree, const void* block, const void* shared = nullptr) {
  return espalier_check_agent(tree, block, shared);
}
[[nodiscard]] inline Status check_shared(const Tree& tree, const void* shared) {
  return espalier_check_shared(tree, shared);
}
inline void move_agent(const Tree& from, void* from_block, const Host& from_host, const Tree& to, void* to_block,
                       const Host& to_host) {
  espalier_move_agent(from, from_block, &from_host, to, to_block, &to_host);
}

// ---- selecting.h

inline std::uint32_t current_leaf(const Tree& tree, const void* block) { return espalier_current_leaf(tree, block); }
inline std::uint32_t leaf_count(const Tree& tree) { return espalier_leaf_count(tree); }
inline std::uint32_t leaf_behavior(const Tree& tree, std::uint32_t leaf) { return espalier_leaf_behavior(tree, leaf); }
inline std::uint32_t current_behavior(const Tree& tree, const void* block) {
  return espalier_current_behavior(tree, block);
}
inline std::size_t tables_bytes(const Tree& tree) { return espalier_tables_bytes(tree); }
inline void make_tables(Prepared* prepared, void* memory) { espalier_make_tables(prepared, memory); }

// ---- columns.h

inline constexpr std::uint32_t kColumnAgents = ESPALIER_COLUMN_AGENTS;

inline std::size_t columns_bytes(const Tree& tree) { return espalier_columns_bytes(tree); }
inline Columns make_columns(const Tree& tree, void* memory) {
  Columns columns;
  espalier_make_columns(tree, memory, &columns);
  return columns;
}
inline void start_columns(const Columns& columns, void* blocks, std::size_t block_count) {
  espalier_start_columns(&columns, blocks, block_count);
}
inline void update_columns(const Columns& columns, void* blocks, std::size_t block_count, void* work) {
  espalier_update_columns(&columns, blocks, block_count, work);
}
inline void set_column(const Columns& columns, void* block, std::uint32_t variable, const std::uint8_t* bytes) {
  espalier_set_column(&columns, block, variable, bytes);
}
inline void set_in_column(const Columns& columns, void* block, std::uint32_t agent, std::uint32_t variable,
                          bool value) {
  espalier_set_in_column(&columns, block, agent, variable, value);
}
inline void column_leaves(const Columns& columns, const void* block, std::uint16_t* leaves) {
  espalier_column_leaves(&columns, block, leaves);
}
inline void load_columns(const Columns& columns, void* block, const void* agents, std::size_t stride_bytes,
                         std::size_t count) {
  espalier_load_columns(&columns, block, agents, stride_bytes, count);
}
inline void store_columns(const Columns& columns, const void* block, void* agents, std::size_t stride_bytes,
                          std::size_t count) {
  espalier_store_columns(&columns, block, agents, stride_bytes, count);
}
inline std::uint64_t* plane(void* block, std::uint32_t number) { return espalier_plane(block, number); }

// ---- ticking.h

inline std::size_t group_bytes(const Asset& asset) { return espalier_group_bytes(&asset); }
inline void start_group(const Asset& asset, void* block) { espalier_start_group(&asset, block); }
inline bool timestamp(const Tree& tree, const void* block, std::uint32_t timestamp, std::uint64_t* time_us) {
  return espalier_timestamp(tree, block, timestamp, time_us);
}
inline std::uint32_t present_state(const Tree& tree, const void* block, std::uint32_t node_word) {
  return espalier_present_state(tree, block, node_word);
}
inline std::uint64_t wait_end_us(const Tree& tree, const void* block, std::uint32_t node_word) {
  return espalier_wait_end_us(tree, block, node_word);
}

// ---- rules.h

inline std::uint32_t run_limit(const Tree& tree) { return espalier_run_limit(tree); }
inline std::uint32_t current_rule(const Tree& tree, const void* block) { return espalier_current_rule(tree, block); }
inline std::uint32_t rule_node(const Tree& tree, std::uint32_t rule) { return espalier_rule_node(tree, rule); }
inline std::uint32_t rule_parent(const Tree& tree, std::uint32_t rule) { return espalier_rule_parent(tree, rule); }
inline bool is_action_running(const Tree& tree, const void* block) { return espalier_is_action_running(tree, block); }
inline bool has_run_away(const Tree& tree, const void* block) { return espalier_has_run_away(tree, block); }
inline void jump(const Tree& tree, void* block, std::uint32_t rule, const Host& host) {
  espalier_jump(tree, block, rule, &host);
}
[[nodiscard]] inline Status save_position(const Tree& tree, const void* block, Position* position) {
  return espalier_save_position(tree, block, position);
}
[[nodiscard]] inline Status restore_position(const Tree& tree, void* block, const Position& position) {
  return espalier_restore_position(tree, block, &position);
}

// ---- deciders.h

inline std::uint64_t flags(const Tree& tree, const void* block) { return espalier_flags(tree, block); }
inline void set_flags(const Tree& tree, void* block, std::uint64_t flags) { espalier_set_flags(tree, block, flags); }
inline void set_stimulus(const Tree& tree, void* block, std::uint32_t stimulus, std::uint64_t clock_us,
                         const StimulusData* data = nullptr) {
  espalier_set_stimulus(tree, block, stimulus, clock_us, data);
}
[[nodiscard]] inline Status set_stimulus_for(const Tree& tree, void* block, std::uint32_t stimulus,
                                             std::uint64_t clock_us, std::uint64_t timeout_us,
                                             const StimulusData* data = nullptr) {
  return espalier_set_stimulus_for(tree, block, stimulus, clock_us, timeout_us, data);
}
inline void clear_stimulus(const Tree& tree, void* block, std::uint32_t stimulus) {
  espalier_clear_stimulus(tree, block, stimulus);
}
inline bool stimulus(const Tree& tree, const void* block, std::uint32_t stimulus, StimulusData* data = nullptr) {
  return espalier_stimulus(tree, block, stimulus, data);
}
inline std::uint32_t active_count(const Tree& tree, const void* block) { return espalier_active_count(tree, block); }
inline ActiveDecider active_decider(const Tree& tree, void* block, std::uint32_t level) {
  return espalier_active_decider_at(tree, block, level);
}
inline std::string_view decider_name(const Tree& tree, std::uint32_t node_word) {
  return espalier_decider_name(tree, node_word);
}
inline DeciderMemory decider_memory(const Tree& tree) { return espalier_decider_memory_of(tree); }
inline unsigned step_level(DecideStepKind kind) { return espalier_step_level(kind); }
inline void print_step(const Tree& tree, const void* block, const DecideStep& step, std::uint64_t clock_us,
                       std::uint32_t agent, espalier_write write, void* user) {
  espalier_print_step(tree, block, &step, clock_us, agent, write, user);
}

// ---- storing.h

[[nodiscard]] inline Status inject(const Tree& tree, void* block, std::uint32_t slot, std::uint32_t injected,
                                   bool immediate, const Host& host) {
  return espalier_inject(tree, block, slot, injected, immediate, &host);
}
inline std::uint32_t injected_tree(const Tree& tree, const void* block, std::uint32_t slot) {
  return espalier_injected_tree(tree, block, slot);
}
inline std::uint32_t inside_count(const Asset& asset, const void* shared, std::uint32_t node_word) {
  return espalier_inside_count(&asset, shared, node_word);
}

// ---- polling.h

// A value as a T: a floating-point number from any number, an integer from a whole number that it can hold, a bool from
// a number that is not 0, a std::string_view from a text, which lasts until the entry is written. Otherwise nothing.
template <typename T>
std::optional<T> value_as(const espalier_value& value) {
  const bool is_whole = value.kind == ESPALIER_VALUE_WHOLE || value.kind == ESPALIER_VALUE_UNSIGNED;
  if constexpr (std::is_same_v<T, std::string_view>) {
    if (value.kind == ESPALIER_VALUE_TEXT) return std::string_view(value.text, value.text_bytes);
  } else if constexpr (std::is_same_v<T, bool>) {
    if (is_whole) return value.whole != 0;
    if (value.kind == ESPALIER_VALUE_REAL) return value.real != 0;
  } else if constexpr (std::is_floating_point_v<T>) {
    if (is_whole) return static_cast<T>(value.whole);
    if (value.kind == ESPALIER_VALUE_REAL) return static_cast<T>(value.real);
  } else {
    static_assert(std::is_integral_v<T>, "a value is a number, true or false, or a text");
    const T whole = static_cast<T>(value.whole);
    const bool fits = static_cast<std::int64_t>(whole) == value.whole && (std::is_signed_v<T> || value.whole >= 0);
    if (is_whole && fits) return whole;
  }
  return std::nullopt;
}

// A number or a text as a value. A text must last as long as the value is used.
template <typename T>
espalier_value to_value(const T& from) {
  espalier_value value;
  if constexpr (std::is_convertible_v<const T&, std::string_view>) {
    const std::string_view text = from;
    value.kind = ESPALIER_VALUE_TEXT;
    value.text = text.data();
    value.text_bytes = static_cast<std::uint32_t>(text.size());
  } else if constexpr (std::is_floating_point_v<T>) {
    value.kind = ESPALIER_VALUE_REAL;
    value.real = static_cast<double>(from);
  } else {
    static_assert(std::is_integral_v<T>, "a value is a number, true or false, or a text");
    static_assert(std::is_signed_v<T> || sizeof(T) < sizeof(std::int64_t), "whole numbers are of 64 bits with a sign");
    value.kind = ESPALIER_VALUE_WHOLE;
    value.whole = static_cast<std::int64_t>(from);
  }
  return value;
}

// An input of the node that calls, by name: port<double>(call, "speed").value_or(0.5). Nothing: there is no such port,
// no value, or another kind of value. Texts: port_text().
template <typename T>
std::optional<T> port(const Call* call, const char* name) {
  static_assert(!std::is_same_v<T, std::string_view>, "port_text() has room for the text of a number");
  std::uint32_t id = 0;
  espalier_value value;
  char buffer[ESPALIER_NUMBER_TEXT];
  if (espalier_find_port(call, name, &id) != ESPALIER_OK || !espalier_read_port(call, id, &value, buffer))
    return std::nullopt;
  return value_as<T>(value);
}
// The same for a text, which lasts until the entry is written, and as long as `buffer`.
inline std::optional<std::string_view> port_text(const Call* call, const char* name,
                                                 char (&buffer)[ESPALIER_NUMBER_TEXT]) {
  std::uint32_t id = 0;
  espalier_value value;
  if (espalier_find_port(call, name, &id) != ESPALIER_OK || !espalier_read_port(call, id, &value, buffer))
    return std::nullopt;
  return value_as<std::string_view>(value);
}
// Writes an output by name. False: there is no such port, or its entry has another type; the update then ends with an
// error.
template <typename T>
bool set_port(const Call* call, const char* name, const T& from) {
  std::uint32_t id = 0;
  if (espalier_find_port(call, name, &id) != ESPALIER_OK) return false;
  if constexpr (std::is_same_v<T, bool>) return espalier_write_port_boolean(call, id, from);
  const espalier_value value = to_value(from);
  return espalier_write_port(call, id, &value);
}

// `path`: of the subtree; empty: the tree's own blackboard.
[[nodiscard]] inline Status find_entry(const Tree& tree, const char* path, const char* name, std::uint32_t* entry) {
  return espalier_find_entry(tree, path, name, entry);
}
// The value of an entry between updates; nothing: it has none, or another kind of value.
template <typename T>
std::optional<T> entry(const Tree& tree, const void* block, std::uint32_t entry) {
  espalier_value value;
  return espalier_entry(tree, block, entry, &value) ? value_as<T>(value) : std::nullopt;
}
// False: the entry has a type to which the value cannot be converted, or a text is too long.
template <typename T>
bool set_entry(const Tree& tree, void* block, std::uint32_t entry, const T& from) {
  if constexpr (std::is_same_v<T, bool>) return espalier_set_entry_boolean(tree, block, entry, from);
  const espalier_value value = to_value(from);
  return espalier_set_entry(tree, block, entry, &value);
}

// ---- debugging.h

inline const char* node_name(const Asset& asset, std::uint32_t node_word) {
  return espalier_node_name(&asset, node_word);
}
inline Place node_place(const Asset& asset, std::uint32_t node_word) { return espalier_node_place(&asset, node_word); }
inline bool node_result(const Tree& tree, const void* block, std::uint32_t node_word, Result* result) {
  return espalier_node_result(tree, block, node_word, &result->value);
}
inline Result update_recorded(const Tree& tree, void* block, const Host& host, History& history) {
  return espalier_update_recorded(tree, block, &host, &history);
}
inline void record(History& history, const NodeStep& step, std::uint64_t clock_us) {
  espalier_record(&history, &step, clock_us);
}
inline const Completed* recent(const History& history, std::uint32_t index) { return espalier_recent(&history, index); }
inline const Completed* last_of(const History& history, std::uint32_t node_word) {
  return espalier_last_of(&history, node_word);
}
inline void print(const Tree& tree, const void* block, const PrintOptions& options, espalier_write write, void* user) {
  espalier_print(tree, block, &options, write, user);
}
inline std::size_t print(const Tree& tree, const void* block, const PrintOptions& options, char* buffer,
                         std::size_t size_bytes) {
  return espalier_print_text(tree, block, &options, buffer, size_bytes);
}

// ---- watching.h

inline Result update_watched(const Tree& tree, void* block, const Host& host, const Watcher& watcher) {
  return espalier_update_watched(tree, block, &host, &watcher);
}
inline void signal_watched(const Tree& tree, void* block, std::uint32_t signal, const Host& host, const void* data,
                           void (*changed)(void* user, std::uint32_t variable, bool value), void* user) {
  espalier_signal_watched(tree, block, signal, &host, data, changed, user);
}

}  // namespace espalier
