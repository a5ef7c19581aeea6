// espalier.h, each function by its twin in espalier.hpp. What differs between the two is only how types are spelt:
// views are stored in place (an espalier_asset is room for an Asset), small structs are copied field by field, and C
// functions are called through C++ ones, so that no function is ever called through a pointer of another type. What
// must be the same in both is in core/c_interface_same.cpp.
#include <espalier/espalier.h>

#include <cstddef>
#include <cstring>
#include <espalier/espalier.hpp>
#include <new>

namespace {

using espalier::Asset;
using espalier::Behavior;
using espalier::Call;
using espalier::DecideStepKind;
using espalier::Host;
using espalier::Receivers;
using espalier::Result;
using espalier::Status;
using espalier::StimulusData;
using espalier::Tree;

espalier_status to_c(Status status) { return static_cast<espalier_status>(status); }
espalier_result to_c(Result result) { return static_cast<espalier_result>(result); }

const Asset& from_c(const espalier_asset* asset) { return *reinterpret_cast<const Asset*>(asset); }
Tree from_c(espalier_tree tree) { return {reinterpret_cast<const Asset*>(tree.asset), tree.index}; }
espalier_tree to_c(const Tree& tree) { return {reinterpret_cast<const espalier_asset*>(tree.asset), tree.index}; }

// What calls are told of a C host is found in the C host itself, which is what C++ calls have as their `host`.
const espalier_host& host_of(const Call& call) { return *static_cast<const espalier_host*>(call.host); }

espalier_call to_c(const Call& call) {
  const auto* behavior = static_cast<const espalier_behavior*>(call.user);
  void* user = behavior == nullptr ? nullptr : behavior->user;
  return {to_c(call.tree),    call.agent,
          call.behavior,      call.leaf,
          host_of(call).user, user,
          call.node_word,     call.signal,
          call.data,          reinterpret_cast<const espalier_activation*>(call.activation)};
}

Call from_c(const espalier_call& call) {
  return {from_c(call.tree), call.agent,
          call.behavior,     call.leaf,
          call.host,         call.user,
          call.node_word,    call.signal,
          call.data,         reinterpret_cast<const espalier::Activation*>(call.activation)};
}

bool run_script(const Call& call, std::uint32_t script) {
  const espalier_call c_call = to_c(call);
  return host_of(call).script(&c_call, script);
}

// Strings of an asset end in NUL, so their data() is a C string.
void write_log(const Call& call, std::string_view text) {
  const espalier_call c_call = to_c(call);
  host_of(call).log(&c_call, text.data());
}

void queue_event(const Call& call, std::uint32_t signal, Receivers receivers) {
  const espalier_call c_call = to_c(call);
  host_of(call).queue(&c_call, signal, static_cast<espalier_receivers>(receivers));
}

void tell_too_deep(const Call& call, std::uint32_t slot) {
  const espalier_call c_call = to_c(call);
  host_of(call).too_deep(&c_call, slot);
}

// A table of `count` bound behaviours is the C++ table, which updates use, and behind it the C functions, to which it
// leads.
Host from_c(const espalier_host* host) {
  return {reinterpret_cast<const Behavior*>(host->behaviors),
          const_cast<espalier_host*>(host),
          host->clock_us,
          host->shared,
          host->group,
          host->script != nullptr ? run_script : nullptr,
          host->log != nullptr ? write_log : nullptr,
          host->queue != nullptr ? queue_event : nullptr,
          reinterpret_cast<const Behavior*>(host->conditions),
          host->scratch,
          host->too_deep != nullptr ? tell_too_deep : nullptr};
}

const espalier_behavior& functions_of(const Call& call) { return *static_cast<const espalier_behavior*>(call.user); }

void construct(const Call& call) {
  const espalier_call c_call = to_c(call);
  functions_of(call).construct(&c_call);
}

void destruct(const Call& call) {
  const espalier_call c_call = to_c(call);
  functions_of(call).destruct(&c_call);
}

void interrupt(const Call& call) {
  const espalier_call c_call = to_c(call);
  functions_of(call).interrupt(&c_call);
}

Result action(const Call& call) {
  const espalier_call c_call = to_c(call);
  return static_cast<Result>(functions_of(call).action(&c_call));
}

bool gate(const Call& call) {
  const espalier_call c_call = to_c(call);
  return functions_of(call).gate(&c_call);
}

void reset(const Call& call) {
  const espalier_call c_call = to_c(call);
  functions_of(call).reset(&c_call);
}

void event(const Call& call) {
  const espalier_call c_call = to_c(call);
  functions_of(call).event(&c_call);
}

double decide(const Call& call) {
  const espalier_call c_call = to_c(call);
  return functions_of(call).decide(&c_call);
}

// C++ functions for those that the C behaviour has, and the way to it.
Behavior from_c(espalier_behavior& behavior) {
  Behavior result;
  if (behavior.construct != nullptr) result.construct = construct;
  if (behavior.destruct != nullptr) result.destruct = destruct;
  result.user = &behavior;
  if (behavior.interrupt != nullptr) result.interrupt = interrupt;
  if (behavior.action != nullptr) result.action = action;
  if (behavior.gate != nullptr) result.gate = gate;
  if (behavior.event != nullptr) result.event = event;
  if (behavior.reset != nullptr) result.reset = reset;
  if (behavior.decide != nullptr) result.decide = decide;
  return result;
}

espalier_behavior* c_functions(espalier_bound* table, std::uint32_t count) {
  return reinterpret_cast<espalier_behavior*>(reinterpret_cast<unsigned char*>(table) + count * sizeof(Behavior));
}

void tell_step(void* user, const espalier::Step& step) {
  const auto& watcher = *static_cast<const espalier_watcher*>(user);
  const espalier_step c_step = {step.node_word, step.leaf_base, step.condition, step.transition, step.holds};
  watcher.step(watcher.user, &c_step);
}

void tell_node(void* user, const espalier::NodeStep& step) {
  const auto& watcher = *static_cast<const espalier_watcher*>(user);
  const espalier_node_step c_step = {static_cast<espalier_node_step_kind>(step.kind), step.node_word, step.value};
  watcher.node(watcher.user, &c_step);
}

void tell_change(void* user, std::uint32_t variable, bool value) {
  const auto& watcher = *static_cast<const espalier_watcher*>(user);
  watcher.changed(watcher.user, variable, value);
}

espalier_decide_step to_c(const espalier::DecideStep& step) {
  return {static_cast<espalier_decide_step_kind>(step.kind), step.depth, step.node_word, step.other, step.value};
}

void tell_decide(void* user, const espalier::DecideStep& step) {
  const auto& watcher = *static_cast<const espalier_watcher*>(user);
  const espalier_decide_step c_step = to_c(step);
  watcher.decide(watcher.user, &c_step);
}

// A C function that is written to.
struct WrittenTo {
  espalier_write write;
  void* user;
};

void write_piece(void* user, std::string_view piece) {
  const auto& to = *static_cast<const WrittenTo*>(user);
  to.write(to.user, piece.data(), piece.size());
}

// See espalier_bind(): the same for both sets of names.
espalier_status bind_names(const espalier_asset* asset, std::uint32_t count,
                           const char* (*name_of)(const espalier_asset*, std::uint32_t),
                           const espalier_binding* bindings, std::size_t binding_count, espalier_bound* table,
                           std::uint32_t* missing, std::size_t missing_capacity, std::uint32_t* missing_count) {
  auto* cpp_table = reinterpret_cast<Behavior*>(table);
  espalier_behavior* c_table = c_functions(table, count);
  std::uint32_t missing_found = 0;
  for (std::uint32_t id = 0; id < count; ++id) {
    const char* name = name_of(asset, id);
    std::size_t i = 0;
    while (i < binding_count && std::strcmp(bindings[i].name, name) != 0) ++i;
    const bool found = i < binding_count;
    if (!found && missing_found < missing_capacity) missing[missing_found] = id;
    missing_found += found ? 0 : 1;
    auto* behavior = new (&c_table[id]) espalier_behavior(found ? bindings[i].behavior : espalier_behavior{});
    new (&cpp_table[id]) Behavior(from_c(*behavior));
  }
  if (missing_count != nullptr) *missing_count = missing_found;
  return missing_found == 0 ? ESPALIER_OK : ESPALIER_MISSING_BINDING;
}

espalier_parameter to_c(const espalier::Parameter& parameter) {
  const char* text = parameter.text.data() == nullptr ? "" : parameter.text.data();
  return {parameter.name.data(),
          static_cast<espalier_parameter_type>(parameter.type),
          text,
          parameter.whole,
          {parameter.numbers[0], parameter.numbers[1], parameter.numbers[2]}};
}

const espalier_engine* to_c(const espalier::Engine& engine) {
  return reinterpret_cast<const espalier_engine*>(&engine);
}

espalier_status finish_opening(Status status, const Asset& opened, const espalier::Fault& found, espalier_asset* asset,
                               espalier_fault* fault) {
  if (status == Status::ok) {
    new (static_cast<void*>(asset)) Asset(opened);
  } else if (fault != nullptr) {
    *fault = {to_c(found.status), found.reason, found.offset_bytes};
  }
  return to_c(status);
}

}  // namespace

extern "C" {

const char* espalier_status_text(espalier_status status) { return espalier::status_text(static_cast<Status>(status)); }

espalier_status espalier_open(const void* bytes, size_t size_bytes, espalier_asset* asset, espalier_fault* fault) {
  Asset opened;
  espalier::Fault found;
  return finish_opening(espalier::open(bytes, size_bytes, &opened, &found), opened, found, asset, fault);
}

const espalier_engine* espalier_select_engine(void) { return to_c(espalier::kSelectEngine); }
const espalier_engine* espalier_tick_engine(void) { return to_c(espalier::kTickEngine); }
const espalier_engine* espalier_rule_engine(void) { return to_c(espalier::kRuleEngine); }
const espalier_engine* espalier_decide_engine(void) { return to_c(espalier::kDecideEngine); }
const espalier_engine* espalier_store_engine(void) { return to_c(espalier::kStoreEngine); }

espalier_status espalier_open_with(const espalier_engine* const* engines, size_t engine_count, const void* bytes,
                                   size_t size_bytes, espalier_asset* asset, espalier_fault* fault) {
  Asset opened;
  espalier::Fault found;
  const auto* given = reinterpret_cast<const espalier::Engine* const*>(engines);
  const Status status = espalier::open_with(given, engine_count, bytes, size_bytes, &opened, &found);
  return finish_opening(status, opened, found, asset, fault);
}

uint32_t espalier_tree_count(const espalier_asset* asset) { return espalier::tree_count(from_c(asset)); }

espalier_tree espalier_tree_at(const espalier_asset* asset, uint32_t index) {
  return to_c(espalier::tree(from_c(asset), index));
}

espalier_status espalier_find_tree(const espalier_asset* asset, const char* name, espalier_tree* tree) {
  Tree found;
  const Status status = espalier::find_tree(from_c(asset), name, &found);
  if (status == Status::ok) *tree = to_c(found);
  return to_c(status);
}

const char* espalier_tree_name(espalier_tree tree) { return espalier::tree_name(from_c(tree)).data(); }

uint32_t espalier_variable_count(espalier_tree tree) { return espalier::variable_count(from_c(tree)); }

const char* espalier_variable_name(espalier_tree tree, uint32_t variable) {
  return espalier::variable_name(from_c(tree), variable).data();
}

espalier_status espalier_find_variable(espalier_tree tree, const char* name, uint32_t* variable) {
  return to_c(espalier::find_variable(from_c(tree), name, variable));
}

uint32_t espalier_signal_count(espalier_tree tree) { return espalier::signal_count(from_c(tree)); }

const char* espalier_signal_name(espalier_tree tree, uint32_t signal) {
  return espalier::signal_name(from_c(tree), signal).data();
}

espalier_status espalier_find_signal(espalier_tree tree, const char* name, uint32_t* signal) {
  return to_c(espalier::find_signal(from_c(tree), name, signal));
}

uint32_t espalier_behavior_count(const espalier_asset* asset) { return espalier::behavior_count(from_c(asset)); }

const char* espalier_behavior_name(const espalier_asset* asset, uint32_t behavior) {
  return espalier::behavior_name(from_c(asset), behavior).data();
}

espalier_status espalier_bind(const espalier_asset* asset, const espalier_binding* bindings, size_t binding_count,
                              espalier_bound* table, uint32_t* missing, size_t missing_capacity,
                              uint32_t* missing_count) {
  return bind_names(asset, espalier_behavior_count(asset), espalier_behavior_name, bindings, binding_count, table,
                    missing, missing_capacity, missing_count);
}

uint32_t espalier_host_condition_count(const espalier_asset* asset) {
  return espalier::host_condition_count(from_c(asset));
}

const char* espalier_host_condition_name(const espalier_asset* asset, uint32_t condition) {
  return espalier::host_condition_name(from_c(asset), condition).data();
}

espalier_status espalier_bind_conditions(const espalier_asset* asset, const espalier_binding* bindings,
                                         size_t binding_count, espalier_bound* table, uint32_t* missing,
                                         size_t missing_capacity, uint32_t* missing_count) {
  return bind_names(asset, espalier_host_condition_count(asset), espalier_host_condition_name, bindings, binding_count,
                    table, missing, missing_capacity, missing_count);
}

uint32_t espalier_parameter_count(const espalier_call* call) { return espalier::parameter_count(from_c(*call)); }

espalier_parameter espalier_parameter_at(const espalier_call* call, uint32_t index) {
  return to_c(espalier::parameter(from_c(*call), index));
}

espalier_status espalier_find_parameter(const espalier_call* call, const char* name, espalier_parameter* parameter) {
  espalier::Parameter found;
  const Status status = espalier::find_parameter(from_c(*call), name, &found);
  if (status == Status::ok) *parameter = to_c(found);
  return to_c(status);
}

size_t espalier_agent_bytes(espalier_tree tree) { return espalier::agent_bytes(from_c(tree)); }
size_t espalier_scratch_bytes(espalier_tree tree) { return espalier::scratch_bytes(from_c(tree)); }
size_t espalier_shared_bytes(espalier_tree tree) { return espalier::shared_bytes(from_c(tree)); }
size_t espalier_group_bytes(const espalier_asset* asset) { return espalier::group_bytes(from_c(asset)); }

void espalier_start_shared(espalier_tree tree, void* block) { espalier::start_shared(from_c(tree), block); }
void espalier_start_group(const espalier_asset* asset, void* block) { espalier::start_group(from_c(asset), block); }

void espalier_start(espalier_tree tree, void* block) { espalier::start(from_c(tree), block); }

void espalier_seed(espalier_tree tree, void* block, uint64_t seed) { espalier::seed(from_c(tree), block, seed); }

void espalier_stop(espalier_tree tree, void* block, const espalier_host* host) {
  espalier::stop(from_c(tree), block, from_c(host));
}

espalier_status espalier_check_agent(espalier_tree tree, const void* block, const void* shared) {
  return to_c(espalier::check_agent(from_c(tree), block, shared));
}

espalier_status espalier_check_shared(espalier_tree tree, const void* shared) {
  return to_c(espalier::check_shared(from_c(tree), shared));
}

void espalier_restore(espalier_tree tree, void* block, const void* saved, const espalier_host* host) {
  espalier::restore(from_c(tree), block, saved, from_c(host));
}

void espalier_move_agent(espalier_tree from, void* from_block, const espalier_host* from_host, espalier_tree to,
                         void* to_block, const espalier_host* to_host) {
  espalier::move_agent(from_c(from), from_block, from_c(from_host), from_c(to), to_block, from_c(to_host));
}

bool espalier_variable(espalier_tree tree, const void* block, uint32_t variable) {
  return espalier::variable(from_c(tree), block, variable);
}

void espalier_set(espalier_tree tree, void* block, uint32_t variable, bool value) {
  espalier::set(from_c(tree), block, variable, value);
}

void espalier_signal(espalier_tree tree, void* block, uint32_t signal, const espalier_host* host, const void* data) {
  espalier::signal(from_c(tree), block, signal, from_c(host), data);
}

espalier_result espalier_update(espalier_tree tree, void* block, const espalier_host* host) {
  return to_c(espalier::update(from_c(tree), block, from_c(host)));
}

void espalier_update_all(espalier_tree tree, void* blocks, size_t stride_bytes, size_t count,
                         const espalier_host* host) {
  espalier::update_all(from_c(tree), blocks, stride_bytes, count, from_c(host));
}

uint32_t espalier_current_leaf(espalier_tree tree, const void* block) {
  return espalier::current_leaf(from_c(tree), block);
}

uint32_t espalier_leaf_count(espalier_tree tree) { return espalier::leaf_count(from_c(tree)); }

uint32_t espalier_leaf_behavior(espalier_tree tree, uint32_t leaf) {
  return espalier::leaf_behavior(from_c(tree), leaf);
}

uint32_t espalier_current_behavior(espalier_tree tree, const void* block) {
  return espalier::current_behavior(from_c(tree), block);
}

bool espalier_is_stopped(espalier_tree tree, const void* block) { return espalier::is_stopped(from_c(tree), block); }

uint32_t espalier_timestamp_count(espalier_tree tree) { return espalier::timestamp_count(from_c(tree)); }

const char* espalier_timestamp_name(espalier_tree tree, uint32_t timestamp) {
  return espalier::timestamp_name(from_c(tree), timestamp).data();
}

espalier_status espalier_find_timestamp(espalier_tree tree, const char* name, uint32_t* timestamp) {
  return to_c(espalier::find_timestamp(from_c(tree), name, timestamp));
}

bool espalier_timestamp(espalier_tree tree, const void* block, uint32_t timestamp, uint64_t* time_us) {
  return espalier::timestamp(from_c(tree), block, timestamp, time_us);
}

uint32_t espalier_rule_count(espalier_tree tree) { return espalier::rule_count(from_c(tree)); }

const char* espalier_rule_id(espalier_tree tree, uint32_t rule) { return espalier::rule_id(from_c(tree), rule).data(); }

espalier_status espalier_find_rule(espalier_tree tree, const char* id, uint32_t* rule) {
  return to_c(espalier::find_rule(from_c(tree), id, rule));
}

uint32_t espalier_run_limit(espalier_tree tree) { return espalier::run_limit(from_c(tree)); }

uint32_t espalier_current_rule(espalier_tree tree, const void* block) {
  return espalier::current_rule(from_c(tree), block);
}

uint32_t espalier_rule_node(espalier_tree tree, uint32_t rule) { return espalier::rule_node(from_c(tree), rule); }

uint32_t espalier_rule_parent(espalier_tree tree, uint32_t rule) { return espalier::rule_parent(from_c(tree), rule); }

bool espalier_is_action_running(espalier_tree tree, const void* block) {
  return espalier::is_action_running(from_c(tree), block);
}

bool espalier_has_run_away(espalier_tree tree, const void* block) {
  return espalier::has_run_away(from_c(tree), block);
}

void espalier_jump(espalier_tree tree, void* block, uint32_t rule, const espalier_host* host) {
  espalier::jump(from_c(tree), block, rule, from_c(host));
}

espalier_status espalier_save_position(espalier_tree tree, const void* block, espalier_position* position) {
  espalier::Position saved;
  const Status status = espalier::save_position(from_c(tree), block, &saved);
  if (status == Status::ok) *position = {saved.id.data(), saved.is_first_run, saved.is_stopped, to_c(saved.status)};
  return to_c(status);
}

espalier_status espalier_restore_position(espalier_tree tree, void* block, const espalier_position* position) {
  return to_c(espalier::restore_position(
      from_c(tree), block,
      {position->id, position->is_first_run, position->is_stopped, static_cast<Result>(position->status)}));
}

uint64_t espalier_flags(espalier_tree tree, const void* block) { return espalier::flags(from_c(tree), block); }

void espalier_set_flags(espalier_tree tree, void* block, uint64_t flags) {
  espalier::set_flags(from_c(tree), block, flags);
}

uint32_t espalier_stimulus_count(espalier_tree tree) { return espalier::stimulus_count(from_c(tree)); }

const char* espalier_stimulus_name(espalier_tree tree, uint32_t stimulus) {
  return espalier::stimulus_name(from_c(tree), stimulus).data();
}

espalier_status espalier_find_stimulus(espalier_tree tree, const char* name, uint32_t* stimulus) {
  return to_c(espalier::find_stimulus(from_c(tree), name, stimulus));
}

void espalier_set_stimulus(espalier_tree tree, void* block, uint32_t stimulus, uint64_t clock_us,
                           const espalier_stimulus_data* data) {
  espalier::set_stimulus(from_c(tree), block, stimulus, clock_us, reinterpret_cast<const StimulusData*>(data));
}

void espalier_clear_stimulus(espalier_tree tree, void* block, uint32_t stimulus) {
  espalier::clear_stimulus(from_c(tree), block, stimulus);
}

bool espalier_stimulus(espalier_tree tree, const void* block, uint32_t stimulus, espalier_stimulus_data* data) {
  return espalier::stimulus(from_c(tree), block, stimulus, reinterpret_cast<StimulusData*>(data));
}

uint32_t espalier_behavior_flag_count(espalier_tree tree) { return espalier::behavior_flag_count(from_c(tree)); }

const char* espalier_behavior_flag_name(espalier_tree tree, uint32_t flag) {
  return espalier::behavior_flag_name(from_c(tree), flag).data();
}

espalier_status espalier_find_behavior_flag(espalier_tree tree, const char* name, uint32_t* flag) {
  return to_c(espalier::find_behavior_flag(from_c(tree), name, flag));
}

uint32_t espalier_active_count(espalier_tree tree, const void* block) {
  return espalier::active_count(from_c(tree), block);
}

espalier_active_decider espalier_active_decider_at(espalier_tree tree, void* block, uint32_t level) {
  const espalier::ActiveDecider active = espalier::active_decider(from_c(tree), block, level);
  const espalier::Activation& own = active.activation;
  return {active.node_word,
          active.behavior,
          active.since_us,
          {own.behavior_flags, own.memory, own.memory_bytes, own.block, own.block_bytes}};
}

const char* espalier_decider_name(espalier_tree tree, uint32_t node_word) {
  const std::string_view name = espalier::decider_name(from_c(tree), node_word);
  return name.empty() ? "" : name.data();
}

espalier_decider_memory espalier_decider_memory_of(espalier_tree tree) {
  const espalier::DeciderMemory memory = espalier::decider_memory(from_c(tree));
  return {memory.flags_bytes,     memory.stimuli_bytes, memory.timers_bytes,   memory.path_bytes,
          memory.behaviors_bytes, memory.orders_bytes,  memory.generator_bytes};
}

uint32_t espalier_slot_count(const espalier_asset* asset) { return espalier::slot_count(from_c(asset)); }

const char* espalier_slot_name(const espalier_asset* asset, uint32_t slot) {
  return espalier::slot_name(from_c(asset), slot).data();
}

espalier_status espalier_find_slot(const espalier_asset* asset, const char* name, uint32_t* slot) {
  return to_c(espalier::find_slot(from_c(asset), name, slot));
}

espalier_status espalier_inject(espalier_tree tree, void* block, uint32_t slot, uint32_t injected, bool immediate,
                                const espalier_host* host) {
  return to_c(espalier::inject(from_c(tree), block, slot, injected, immediate, from_c(host)));
}

uint32_t espalier_injected_tree(espalier_tree tree, const void* block, uint32_t slot) {
  return espalier::injected_tree(from_c(tree), block, slot);
}

uint32_t espalier_inside_count(const espalier_asset* asset, const void* shared, uint32_t node_word) {
  return espalier::inside_count(from_c(asset), shared, node_word);
}

uint32_t espalier_script_count(const espalier_asset* asset) { return espalier::script_count(from_c(asset)); }

const char* espalier_script_text(const espalier_asset* asset, uint32_t script) {
  return espalier::script_text(from_c(asset), script).data();
}

espalier_result espalier_update_watched(espalier_tree tree, void* block, const espalier_host* host,
                                        const espalier_watcher* watcher) {
  espalier_watcher copy = *watcher;
  espalier::Watcher told;
  told.user = &copy;
  if (copy.step != nullptr) told.step = tell_step;
  if (copy.node != nullptr) told.node = tell_node;
  if (copy.changed != nullptr) told.changed = tell_change;
  if (copy.decide != nullptr) told.decide = tell_decide;
  return to_c(espalier::update_watched(from_c(tree), block, from_c(host), told));
}

void espalier_signal_watched(espalier_tree tree, void* block, uint32_t signal, const espalier_host* host,
                             const void* data, void (*changed)(void* user, uint32_t variable, bool value), void* user) {
  espalier::signal_watched(from_c(tree), block, signal, from_c(host), data, changed, user);
}

unsigned espalier_step_level(espalier_decide_step_kind kind) {
  return espalier::step_level(static_cast<DecideStepKind>(kind));
}

void espalier_print_step(espalier_tree tree, const void* block, const espalier_decide_step* step, uint64_t clock_us,
                         uint32_t agent, espalier_write write, void* user) {
  WrittenTo to = {write, user};
  espalier::print_step(
      from_c(tree), block,
      {static_cast<DecideStepKind>(step->kind), step->depth, step->node_word, step->other, step->value}, clock_us,
      agent, write_piece, &to);
}

void espalier_debug_print(espalier_tree tree, const void* block, uint64_t clock_us, bool active_only,
                          espalier_write write, void* user) {
  WrittenTo to = {write, user};
  espalier::debug_print(from_c(tree), block, clock_us, active_only ? espalier::Print::active : espalier::Print::all,
                        write_piece, &to);
}

void espalier_visit_active(espalier_tree tree, const void* block, void (*visit)(void* user, uint32_t node_word),
                           void* user) {
  espalier::visit_active(from_c(tree), block, visit, user);
}

uint32_t espalier_present_state(espalier_tree tree, const void* block, uint32_t node_word) {
  return espalier::present_state(from_c(tree), block, node_word);
}

uint64_t espalier_wait_end_us(espalier_tree tree, const void* block, uint32_t node_word) {
  return espalier::wait_end_us(from_c(tree), block, node_word);
}

}  // extern "C"
