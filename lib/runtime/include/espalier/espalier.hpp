// espalier's runtime: runs compiled behaviour trees for very many agents. This header is all of it (espalier.h: the
// same for C).
//
//   Asset asset;                                     // bytes: the file, read or mapped, at a multiple of 8
//   if (open(bytes, size, &asset) != Status::ok) ... // verified once, trusted after
//   Tree guard;
//   find_tree(asset, "Guard", &guard);
//   Behavior table[N];                               // N = behavior_count(asset)
//   bind(asset, bindings, binding_count, table, nullptr, 0, &missing_count);
//
//   start(guard, block);                             // block: agent_bytes(guard) bytes, at a multiple of 8
//   signal(guard, block, on_enemy_seen, host);       // ids: find_signal(), or a header made by the compiler
//   update(guard, block, host);                      // Host host = {table, user, clock_us}: calls the behaviours
//
// There are trees that select (one leaf's behaviour is active, another is chosen when a variable changes), trees that
// tick (nodes run until they succeed or fail), trees of rules (one rule is the current one, and can be jumped to) and
// trees of deciders (deciders from the root to one behaviour are active, and groups decide which one is to be next) and
// trees that store (every node keeps its result until it is reset, and agents meet in the tree's gates and groups).
// What is said of one kind alone begins with its name: select, tick, rule, decide, store.
//
// Nothing here allocates, throws, recurses, depends on the locale, or keeps a pointer to an agent's block: blocks can
// be copied and moved (what saving an agent takes: see "Saving"). No function needs more than kMaxStackBytes of stack.
// An asset and its trees are read-only and may be used from any number of threads; an agent's block by one at a time.
// All functions but open(), bind() and check_agent() trust their arguments: a Tree comes from a verified asset, ids are
// below their counts, and a block was begun with start() or accepted by check_agent().
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace espalier {

// Of stack, for each function, open() and update() too; what the host's functions need comes on top. For builds with
// optimisation (-O1 and up); without it frames are larger.
inline constexpr std::size_t kMaxStackBytes = std::size_t{8} * 1024;

enum class Status : std::uint8_t {
  ok,
  misaligned,           // the bytes do not lie at a multiple of 8
  not_an_asset,         // no magic, or too short for a header
  unsupported_version,  // of another major version
  wrong_size,           // cut off, or bytes behind the end
  wrong_hash,           // changed since it was written
  malformed,            // a count, offset, extent or operand that cannot be right
  not_found,            // no such name
  missing_binding,      // a behaviour without functions
  no_id,                // the current rule has no id
  not_accepted,         // a slot does not take this tree
  too_large,            // a tree does not fit a slot
  wrong_byte_order,     // assets are little-endian: this host is not, or this asset's bytes are swapped
  damaged_agent,        // a block that no agent of its tree can have
  missing_engine,       // the asset has a tree of an engine that was not given
};

// One sentence in English for messages; never null.
const char* status_text(Status status);

// ---- Assets -------------------------------------------------------------------------------------

// An engine is a way of evaluating trees. A program that opens its assets with the engines that it names links no
// other.
struct Engine;
extern const Engine kSelectEngine;  // one leaf's behaviour is active, another is chosen when a variable changes
extern const Engine kTickEngine;    // nodes run until they succeed or fail
extern const Engine kRuleEngine;    // one rule is the current one, and can be jumped to
extern const Engine kDecideEngine;  // deciders from the root to one behaviour are active
extern const Engine kStoreEngine;   // every node keeps its result until it is reset
inline constexpr std::size_t kEngineCount = 5;

// A view of a verified asset. Owns nothing; the bytes must outlive it and must not change. Copies are views of the same
// bytes.
struct AssetSection {
  const void* records = nullptr;  // null when the section is absent
  std::uint32_t count = 0;
  std::uint32_t record_bytes = 0;
};
struct Asset {
  const unsigned char* bytes = nullptr;
  AssetSection sections[43];                 // by id
  const Engine* engines[kEngineCount] = {};  // that it was opened with, in the order above; null: not given
};

// A view of one tree of an asset. The Asset it came from must outlive it and stay where it is.
struct Tree {
  const Asset* asset = nullptr;
  std::uint32_t index = 0;
};

// Where and why verification failed. `reason` is a static string; `offset_bytes` is from the start of the asset.
struct Fault {
  Status status = Status::ok;
  const char* reason = "";
  std::uint64_t offset_bytes = 0;
};

// Checks every byte that the runtime will rely on and makes a view. Linear in the size, allocates nothing. After `ok`
// no update can read or write outside the asset and the agent's block, or run without end. On anything else `*asset` is
// left as it was; `fault`, when not null, tells more. Assets are little-endian; a big-endian host gets
// wrong_byte_order.
[[nodiscard]] Status open(const void* bytes, std::size_t size_bytes, Asset* asset, Fault* fault = nullptr);
// The same with these engines alone; missing_engine when a tree needs another. None may be given twice.
[[nodiscard]] Status open_with(const Engine* const* engines, std::size_t engine_count, const void* bytes,
                               std::size_t size_bytes, Asset* asset, Fault* fault = nullptr);

std::uint32_t tree_count(const Asset& asset);
Tree tree(const Asset& asset, std::uint32_t index);
// Without case; store: exact. `*tree` is left as it was on not_found.
[[nodiscard]] Status find_tree(const Asset& asset, std::string_view name, Tree* tree);
std::string_view tree_name(const Tree& tree);

// Variables and signals belong to a tree, behaviours to the whole asset. Ids count from 0. decide: the variables are
// the decision flags.
std::uint32_t variable_count(const Tree& tree);
std::string_view variable_name(const Tree& tree, std::uint32_t variable);
// Without case; decide: exact.
[[nodiscard]] Status find_variable(const Tree& tree, std::string_view name, std::uint32_t* variable);
std::uint32_t signal_count(const Tree& tree);
std::string_view signal_name(const Tree& tree, std::uint32_t signal);
[[nodiscard]] Status find_signal(const Tree& tree, std::string_view name, std::uint32_t* signal);  // exact
std::uint32_t behavior_count(const Asset& asset);
std::string_view behavior_name(const Asset& asset, std::uint32_t behavior);

// rule: what rules ask of the host; decide: the Decide functions. Their names are a set of their own: a behaviour may
// have the same one.
std::uint32_t host_condition_count(const Asset& asset);
std::string_view host_condition_name(const Asset& asset, std::uint32_t condition);

// ---- Behaviours ---------------------------------------------------------------------------------

// The result of an update, of a tree or of a behaviour.
enum class Result : std::uint8_t {
  running,  // select: a behaviour is active
  failure,  // select: nothing was selected: the agent has no behaviour, and is evaluated again at the next update
  success,
  stopped,  // tick: the tree's root had a result before, and this tree is not begun again; rule: the agent is stopped.
            // Nothing was done
  error,    // decide: groups decided again more often than the tree allows, and nothing is active; or there was no
            // scratch memory, and nothing was done
};

// decide: the memory of a decider that is called, all 0 at first. Null where it has none.
struct Activation {
  std::uint32_t behavior_flags = 0;  // bits, see find_behavior_flag()
  void* memory = nullptr;            // a behaviour's own, until its Deactivate, at a multiple of 8; a Decide: null
  std::uint32_t memory_bytes = 0;
  void* block = nullptr;  // the decider block: a Decide fills it, the behaviour that is activated reads it
  std::uint32_t block_bytes = 0;
};

// What a behaviour's functions are called with. They may signal() and set() the agent, but must not update, start or
// stop it, nor inject into it at once; but other agents.
struct Call {
  Tree tree;
  void* agent;              // the agent's block
  std::uint32_t behavior;   // of the asset; of a host's condition: its number among those
  std::uint32_t leaf;       // select: of the tree: which leaf was selected (several may have one behaviour)
  void* host;               // Host::user of this update
  void* user;               // Behavior::user
  std::uint32_t node_word;  // tick, rule, decide: the node, its first word in the asset's NODES
  std::uint32_t signal;     // event: of the tree
  const void* data;         // event: what signal() was given
  const Activation* activation = nullptr;  // decide: never null
};

using BehaviorFunction = void (*)(const Call& call);
using ActionFunction = Result (*)(const Call& call);
using GateFunction = bool (*)(const Call& call);
using DecideFunction = double (*)(const Call& call);

// Functions of one behaviour, or of one of the host's conditions; any may be null.
struct Behavior {
  // It is selected, or entered; rule: it is called with its rule run first; decide: not called.
  BehaviorFunction construct = nullptr;
  // It is no longer selected; tick, rule, store: it has succeeded or failed; decide: Deactivate.
  BehaviorFunction destruct = nullptr;
  void* user = nullptr;
  // tick, rule: it is left without a result; null: destruct is called. store: it is reset while it runs; null: nothing
  // is called
  BehaviorFunction interrupt = nullptr;
  // tick, store: asked at each update, the first one included; null: success. rule: the same; null: it is not bound and
  // fails. decide: Tick; running: it goes on, anything else: it fails; null: it goes on
  ActionFunction action = nullptr;
  // tick: of one with a child: is it let in? asked after construct; null: yes. rule, of an action: is it bound? asked
  // before its rule's conditions; null: yes. Of one of the host's conditions: its answer; null: false. decide:
  // Activate; false: it refuses, and was never active; null: yes
  GateFunction gate = nullptr;
  BehaviorFunction event = nullptr;  // tick: an event has come while it is active, which has no child
  // store: it is reset after it was done, to clean up; null: nothing is called.
  BehaviorFunction reset = nullptr;
  // decide, of a condition: the decider's value; above 0: it accepts. Must not change the agent. Null: refused.
  DecideFunction decide = nullptr;
};

struct Binding {
  std::string_view name;
  Behavior behavior;
};

// Fills `table` (behavior_count(asset) entries) from `bindings` by exact name. Behaviours that have none get null
// functions; the ids of the first `missing_capacity` of them are written to `missing` (may be null when that is 0), and
// `*missing_count` (may be null) is how many there are. Returns missing_binding when there is one, so that all are
// known at once and at the start.
[[nodiscard]] Status bind(const Asset& asset, const Binding* bindings, std::size_t binding_count, Behavior* table,
                          std::uint32_t* missing, std::size_t missing_capacity, std::uint32_t* missing_count);

// The same for the host's conditions: host_condition_count(asset) entries, of which `gate` (decide: `decide`) and
// `user` are used.
[[nodiscard]] Status bind_conditions(const Asset& asset, const Binding* bindings, std::size_t binding_count,
                                     Behavior* table, std::uint32_t* missing, std::size_t missing_capacity,
                                     std::uint32_t* missing_count);

enum class ParameterType : std::uint8_t { text, whole, number, boolean, choice, vector, event, script };

// One value that the tree gives to a behaviour's node: an attribute, or its declared default.
struct Parameter {
  std::string_view name;
  ParameterType type = ParameterType::text;
  std::string_view text;          // text, event, script; choice: the word
  std::int64_t whole = 0;         // whole; boolean: 0 or 1; choice: which of the declared words, from 0
  double numbers[3] = {0, 0, 0};  // number: the first; vector: all
};

// tick: of the node that is called. rule: of the rule that calls or asks, all of type text.
std::uint32_t parameter_count(const Call& call);
Parameter parameter(const Call& call, std::uint32_t index);
// Without case (rule: exact). `*parameter` is left as it was on not_found.
[[nodiscard]] Status find_parameter(const Call& call, std::string_view name, Parameter* parameter);

// ---- Agents -------------------------------------------------------------------------------------

inline constexpr std::size_t kAgentAlignment = 8;
inline constexpr std::uint32_t kNoLeaf = 0xFFFFFFFF;
inline constexpr std::uint32_t kNoBehavior = 0xFFFFFFFF;

// Bytes of an agent's block; it lies at a multiple of kAgentAlignment (rule: of 4).
std::size_t agent_bytes(const Tree& tree);
// decide: bytes of memory that an update needs for choices that it has to keep for a while; 0: none, as mostly. One for
// each thread that updates agents is enough.
std::size_t scratch_bytes(const Tree& tree);
// Bytes of the block that all agents of one tree share; 0: it needs none. store: that all agents of all such trees of
// the asset share.
std::size_t shared_bytes(const Tree& tree);

// tick: of a block that all agents of one group share, whatever their trees of this asset; 0: there are no scopes.
std::size_t group_bytes(const Asset& asset);
// Begin a shared block, or a group's, with all places free. Agents may then be updated from several threads.
void start_shared(const Tree& tree, void* block);
void start_group(const Asset& asset, void* block);

// tick: which agents a queued event is for.
enum class Receivers : std::uint8_t { sender, group, others };

// What an update is given.
struct Host {
  const Behavior* behaviors = nullptr;  // as filled by bind(); null: no behaviour is called
  void* user = nullptr;                 // for the behaviours' functions
  std::uint64_t clock_us = 0;           // the game's clock in microseconds; never goes back
  // The rest is for trees that tick. Null blocks: every place is free; store: an agent of trees that share something is
  // not updated, which is an error.
  void* shared = nullptr;  // shared_bytes(tree) bytes at a multiple of 8: of all agents of this tree
  void* group = nullptr;   // group_bytes(asset) bytes at a multiple of 8: of the agent's group
  // Runs a script of the asset and gives its truth; null: false.
  bool (*script)(const Call& call, std::uint32_t script) = nullptr;
  // A log message of the tree; null: dropped.
  void (*log)(const Call& call, std::string_view text) = nullptr;
  // Keeps an event of the tree, to be raised with signal() before the next update of each agent that is meant.
  void (*queue)(const Call& call, std::uint32_t signal, Receivers receivers) = nullptr;
  // rule: as filled by bind_conditions(); null: every condition is false. This and `behaviors` may change between
  // calls. decide: the same; null: every Decide refuses.
  const Behavior* conditions = nullptr;
  // decide: scratch_bytes(tree) bytes at a multiple of 8, of any content; null where that is 0.
  void* scratch = nullptr;
  // store: a slot's tree would be deeper within others than the agent's tree allows, or there has not the room that it
  // needs, and fails. Null: dropped.
  void (*too_deep)(const Call& call, std::uint32_t slot) = nullptr;
};

// Begins an agent in `block`, with its variables at their defaults and no behaviour. Nothing is called.
void start(const Tree& tree, void* block);
// tick, decide: sets where the agent's random numbers (SplitMix64) begin. Nothing where no node draws.
void seed(const Tree& tree, void* block, std::uint64_t seed);
// Ends an agent: what runs is interrupted (select, decide: destructed, the deepest first), places are given back. The
// block is then as after start() but for its variables and timestamps; decide: but for all that is not its path; store:
// but for what is in its slots and the times of its cooldowns.
void stop(const Tree& tree, void* block, const Host& host);

// ---- Saving

// A copy of a block, made between calls, can be put back for as long as the asset has the same bytes:
//   select, rule: the copy is all of the agent. Copying it back restores it.
//   decide: the same. What behaviours keep in their memory, and deciders in their blocks, is a part of it.
//   tick: all of the agent but for its places in limits and scopes, which are counted in the shared block and in the
//     group's. restore() puts a copy back and counts its places; into a block that was begun with start(), too.
//   store: an agent's places in gates, its seats in groups and the times of cooldowns of all agents are in the shared
//     block. That block and the blocks of all agents that share it are saved together and put back together, by copying
//     all of them while none is updated; no agent can be put back by itself.
// Another version of the asset: move_agent(), which needs the old one; rule: save_position().

// Puts back a block that was copied from an agent of this tree; `block` is an agent, which ends without a call. Nothing
// is called; places that the two hold are counted up and down by the difference, whatever their maximum says. store:
// nothing is done, since what agents share cannot be put back.
void restore(const Tree& tree, void* block, const void* saved, const Host& host);
// Is it safe to call functions with a block of any content, as it may come from a saved game? After `ok` none of them
// reads or writes outside the block, the shared blocks and the asset, or runs without end; what they do then need not
// make sense. All blocks that an agent of this very tree has had between calls are accepted. `block` is
// agent_bytes(tree) bytes. Linear in the tree, or in the block where that is larger; needs little stack and calls
// nothing.
//   decide: what behaviours keep in their memory, and deciders in their blocks, is the game's own to check.
//   store: `shared`, when not null, is the block that the agent is to share, which check_shared() has accepted: what
//   the agent holds in it must be held there. Null: nothing of that kind is checked, but all that is above holds.
// misaligned, damaged_agent.
[[nodiscard]] Status check_agent(const Tree& tree, const void* block, const void* shared = nullptr);
// The same of a shared block, which nobody uses meanwhile. tick: any content is safe, and so is a group's.
[[nodiscard]] Status check_shared(const Tree& tree, const void* shared);

// Hot reload: begins an agent of `to` in `to_block` that carries on where `from_block` is: variables and timestamps by
// name, the running path as far as both trees have it, by name and structure. The rest is interrupted, with the hosts'
// functions: `from_host` has those of the old asset, `to_host` of the new. from_block is not an agent any more then.
// select: the current leaf where the new tree has one with the same behaviour and the same names from the root to it,
// and the states of machines, by name; of an edited asset the next update evaluates the tree. decide: stimuli, times,
// what ran last, orders and the generator by name too. store: it begins anew, with what is in its slots, by name.
// Names of nodes are debug data: between assets that were stripped, nodes are found by structure alone.
void move_agent(const Tree& from, void* from_block, const Host& from_host, const Tree& to, void* to_block,
                const Host& to_host);

bool variable(const Tree& tree, const void* block, std::uint32_t variable);
void set(const Tree& tree, void* block, std::uint32_t variable, bool value);
// Sets the variables that this signal sets, at once. tick: then timestamps, to host.clock_us; then the active nodes
// hear of it; behaviours that are actions get it with `data`. decide: sets its stimuli, at host.clock_us; `data`, when
// not null, is a StimulusData. Nothing is updated.
void signal(const Tree& tree, void* block, std::uint32_t signal, const Host& host, const void* data = nullptr);

// select: evaluates the tree if a variable has changed (or none was selected last), and changes the behaviour if
// another leaf is selected. tick: goes on with what runs. rule: runs rules until one answers running or the root has a
// result; the root's failure stops the agent, and so do as many runs as the tree's limit. decide: one tick, from the
// root down the active path; failure: no behaviour would go on, and nothing is active.
Result update(const Tree& tree, void* block, const Host& host);
// `count` agents, `stride_bytes` apart (a multiple of 8; rule: of 4): the same as update() on each in turn.
void update_all(const Tree& tree, void* blocks, std::size_t stride_bytes, std::size_t count, const Host& host);

// The leaf selected last, or kNoLeaf; leaves count from 0 in the order of the file. The behaviour of a leaf.
std::uint32_t current_leaf(const Tree& tree, const void* block);
std::uint32_t leaf_count(const Tree& tree);
std::uint32_t leaf_behavior(const Tree& tree, std::uint32_t leaf);
// Of the current leaf, or kNoBehavior.
std::uint32_t current_behavior(const Tree& tree, const void* block);

// tick: has the root's result ended this agent for good? rule: is it stopped until a jump, reset or restored position?
bool is_stopped(const Tree& tree, const void* block);

std::uint32_t timestamp_count(const Tree& tree);
std::string_view timestamp_name(const Tree& tree, std::uint32_t timestamp);
[[nodiscard]] Status find_timestamp(const Tree& tree, std::string_view name, std::uint32_t* timestamp);  // exact
// The time it was set at, in microseconds. False: it never was, or was cleared.
bool timestamp(const Tree& tree, const void* block, std::uint32_t timestamp, std::uint64_t* time_us);

// ---- Rules

inline constexpr std::uint32_t kNoRule = 0xFFFFFFFF;

// rule: rules count from 0. An id is that of the whole tree, with its subtrees' prefixes; empty: the rule has none.
std::uint32_t rule_count(const Tree& tree);
std::string_view rule_id(const Tree& tree, std::uint32_t rule);
[[nodiscard]] Status find_rule(const Tree& tree, std::string_view id, std::uint32_t* rule);  // exact
std::uint32_t run_limit(const Tree& tree);  // runs of rules in one update, at which they have run away
// The current rule; kNoRule: the tree has none.
std::uint32_t current_rule(const Tree& tree, const void* block);
// The node of a rule: its first word in the asset's NODES.
std::uint32_t rule_node(const Tree& tree, std::uint32_t rule);
// The rule around this one, of its own or another file; kNoRule: it is the root.
std::uint32_t rule_parent(const Tree& tree, std::uint32_t rule);
// Is the current rule an action that has answered running?
bool is_action_running(const Tree& tree, const void* block);
// Did rules run away, and is the agent stopped since?
bool has_run_away(const Tree& tree, const void* block);
// Makes a rule the current one; kNoRule: the root (a reset). An action that runs is interrupted. Nothing is run before
// the next update. May be called by an action of this agent, which then counts only when it answers running.
void jump(const Tree& tree, void* block, std::uint32_t rule, const Host& host);

// Where an agent of rules is, to be kept with a saved game and put back into another version of the tree.
struct Position {
  std::string_view id;  // of the current rule; lies in the asset
  bool is_first_run = true;
  bool is_stopped = false;
  Result status = Result::stopped;  // of the last update; stopped: there was none
};
// no_id: the rule cannot be told, and `*position` is left as it was.
[[nodiscard]] Status save_position(const Tree& tree, const void* block, Position* position);
// not_found: the tree has no such rule, and nothing is changed. Nothing is called.
[[nodiscard]] Status restore_position(const Tree& tree, void* block, const Position& position);

// ---- Deciders

// decide: all decision flags at once, bit i that of variable i.
std::uint64_t flags(const Tree& tree, const void* block);
void set_flags(const Tree& tree, void* block, std::uint64_t flags);

// decide: stimuli of a tree; ids count from 0. Names are exact.
std::uint32_t stimulus_count(const Tree& tree);
std::string_view stimulus_name(const Tree& tree, std::uint32_t stimulus);
[[nodiscard]] Status find_stimulus(const Tree& tree, std::string_view name, std::uint32_t* stimulus);

// What a stimulus carries from its sender.
struct StimulusData {
  unsigned char bytes[16] = {};
  std::uint32_t size_bytes = 0;  // at most 16
};

// From the clock on, for the time of its timeout; one that is present begins anew, with other data. Behaviours may call
// it: what is decided after that sees it. Null: no data.
void set_stimulus(const Tree& tree, void* block, std::uint32_t stimulus, std::uint64_t clock_us,
                  const StimulusData* data = nullptr);
void clear_stimulus(const Tree& tree, void* block, std::uint32_t stimulus);
// Is it present? As far as the last update has seen: timeouts run down there. `*data` (may be null): only if it is.
bool stimulus(const Tree& tree, const void* block, std::uint32_t stimulus, StimulusData* data = nullptr);

// decide: the flags that deciders give to their behaviours, by the number of their bit. Names are exact.
std::uint32_t behavior_flag_count(const Tree& tree);
std::string_view behavior_flag_name(const Tree& tree, std::uint32_t flag);
[[nodiscard]] Status find_behavior_flag(const Tree& tree, std::string_view name, std::uint32_t* flag);

// An active decider.
struct ActiveDecider {
  std::uint32_t node_word = 0;           // its node, wherever it is placed: its first word in the asset's NODES
  std::uint32_t behavior = kNoBehavior;  // of the asset
  std::uint64_t since_us = 0;            // the clock when it became active, of 48 bits
  Activation activation;                 // of its behaviour
};

// decide: how many deciders are active, one within the other; 0: nothing is. Level 0 is the root.
std::uint32_t active_count(const Tree& tree, const void* block);
ActiveDecider active_decider(const Tree& tree, void* block, std::uint32_t level);
// A decider's name; empty when the asset was stripped.
std::string_view decider_name(const Tree& tree, std::uint32_t node_word);

// decide: what an agent's bytes are for. All of them together, rounded up to a multiple of 8, are agent_bytes().
struct DeciderMemory {
  std::uint32_t flags_bytes = 0;
  std::uint32_t stimuli_bytes = 0;    // which are present, until when, with which data
  std::uint32_t timers_bytes = 0;     // of deciders with `every`
  std::uint32_t path_bytes = 0;       // the levels, and how many are active
  std::uint32_t behaviors_bytes = 0;  // the most memory and decider blocks that one path holds
  std::uint32_t orders_bytes = 0;     // what ran last, and shuffled orders
  std::uint32_t generator_bytes = 0;
};
DeciderMemory decider_memory(const Tree& tree);

// ---- Slots

// store: where trees are put in at run time. Slots are of the asset; ids count from 0. Names are exact.
std::uint32_t slot_count(const Asset& asset);
std::string_view slot_name(const Asset& asset, std::uint32_t slot);
[[nodiscard]] Status find_slot(const Asset& asset, std::string_view name, std::uint32_t* slot);
inline constexpr std::uint32_t kNoTree = 0xFFFFFFFF;
// Puts a tree of the asset (by index; kNoTree: none) into a slot of this agent, to be entered there next. `immediate`:
// what runs in the slot now is reset, at once. An agent whose own tree has no node for slots keeps nothing of it.
// not_found, not_accepted, too_large: nothing is changed.
[[nodiscard]] Status inject(const Tree& tree, void* block, std::uint32_t slot, std::uint32_t injected, bool immediate,
                            const Host& host);
// The tree that was put into a slot of this agent, or kNoTree.
std::uint32_t injected_tree(const Tree& tree, const void* block, std::uint32_t slot);

// store: how many agents are inside a gate, or wait or are bound in a group: by its node, of any tree of the asset.
std::uint32_t inside_count(const Asset& asset, const void* shared, std::uint32_t node_word);

// Scripts of the asset, for a host that compiles them once. Ids count from 0.
std::uint32_t script_count(const Asset& asset);
std::string_view script_text(const Asset& asset, std::uint32_t script);

// ---- Watching -----------------------------------------------------------------------------------

// One step of an evaluation: a condition that was looked at.
struct Step {
  std::uint32_t node_word;  // the node: its first word in the asset's NODES
  std::uint32_t leaf_base;  // which use of a shared unit: the leaves before it
  std::uint32_t condition;  // as in the asset: 0 (always true) or 1 + its index
  std::int32_t transition;  // -1: the node's own condition; else the transition's number in its state
  bool holds;
};

// tick, rule, store: what happens to a node, in order. The host's functions are called in between.
enum class NodeStepKind : std::uint8_t {
  begin,      // it becomes active; rule: it is run, `value` is its number
  complete,   // it has a result, and is no longer active; rule: the run is over, running too
  interrupt,  // it is no longer active, without a result
  send,       // it raises (or queues) the event `value`; before any effect of it
  restart,    // store: the agent's tree is reset because of it: a monitor has succeeded, or another agent left a group
};

struct NodeStep {
  NodeStepKind kind;
  std::uint32_t node_word;  // the node: its first word in the asset's NODES
  std::uint32_t value;      // complete: a Result; send: the signal; else 0
};

// decide: what an update does, in order. Each kind is of an output level, 1 to 5, see step_level().
enum class DecideStepKind : std::uint8_t {
  activated,      // 1: a behaviour is active now
  deactivated,    // 2: it is not any more
  refused,        // 2: its Activate said no
  failed,         // 2: a decider has failed, and is masked in its group; of the root: the tree has failed
  decides_again,  // 2: a group, its child `other` being masked now, and others perhaps
  overrun,        // 2: in place of one time more than the tree allows; everything is deactivated then
  begin,          // 3: of the update; timeouts have run down
  ticked,         // 3: a behaviour; `value` 1: it goes on, 0: it has failed
  end,            // 3: of the update; `value`: the Result
  visited,        // 4: a group that was active before; `other`: its active child
  goes_on,        // 4: a group, with its active child `other`
  switches,       // 4: a group, to its child `other`
  masked,         // 5: a child is not asked
  every_failed,   // 5: preconditions that do not hold: it was called too short a time ago
  flags_all_failed,
  flags_any_failed,
  stimuli_all_failed,
  stimuli_any_failed,
  decided,      // 5: the host's Decide was called, and gave `value`
  asked,        // 5: a child whose preconditions hold, if it has any, has answered `value`; above 0: it accepts
  chosen,       // 5: a group has chosen `other`
  refused_all,  // 5: a group has found no child that accepts
};

struct DecideStep {
  DecideStepKind kind;
  std::uint32_t depth;      // of the decider in the path, or where it would stand there: the root's is 0
  std::uint32_t node_word;  // the decider's node; begin, end: the root's
  std::uint32_t other;      // where said: another decider's node; else 0
  double value;             // where said; else 0
};

// 1 to 5.
unsigned step_level(DecideStepKind kind);

struct Watcher {
  void (*step)(void* user, const Step& step) = nullptr;
  void* user = nullptr;
  void (*node)(void* user, const NodeStep& step) = nullptr;  // tick, rule, store
  // tick: an event that a node raised gives a variable another value.
  void (*changed)(void* user, std::uint32_t variable, bool value) = nullptr;
  void (*decide)(void* user, const DecideStep& step) = nullptr;  // decide
};

// The same as update(), telling `watcher` each step. Linked only when it is used.
Result update_watched(const Tree& tree, void* block, const Host& host, const Watcher& watcher);

// The same as signal(), telling `changed` each variable that gets another value, in order (one may come several times).
void signal_watched(const Tree& tree, void* block, std::uint32_t signal, const Host& host, const void* data,
                    void (*changed)(void* user, std::uint32_t variable, bool value), void* user);

// Writes what a step is as a line of text (without an end of line), piece by piece: level, agent, clock and the step's
// own words, indented by depth. `block` is the agent's as it is at the step.
void print_step(const Tree& tree, const void* block, const DecideStep& step, std::uint64_t clock_us,
                std::uint32_t agent, void (*write)(void* user, std::string_view piece), void* user);

// decide: writes the tree as indented text, a line a decider: `*` before active ones, index in its group, name, kind,
// policy, how long it has been active, its behaviour with flags, the index of the active child. Shared deciders are
// written once, behind the tree. Where the asset was stripped a decider's name is `#` and its number.
enum class Print : std::uint8_t { all, active };
void debug_print(const Tree& tree, const void* block, std::uint64_t clock_us, Print print,
                 void (*write)(void* user, std::string_view piece), void* user);

// tick: the nodes that are active now, in the order of the file, parents before their children. rule: the current rule,
// and before it those around it. decide: the active path.
void visit_active(const Tree& tree, const void* block, void (*visit)(void* user, std::uint32_t node_word), void* user);

// tick: of an active tick_machine, the number of its present state; of any other node 0.
std::uint32_t present_state(const Tree& tree, const void* block, std::uint32_t node_word);
// tick: of an active tick_wait, when it ends, in microseconds; of any other node 0.
std::uint64_t wait_end_us(const Tree& tree, const void* block, std::uint32_t node_word);

}  // namespace espalier
