// The bytes of an asset: header, sections and records, exactly as they are in the file. schemas/asset.md documents
// them. All numbers are little-endian. Sections and records have the alignment of their widest field.
#pragma once
#include <cstddef>
#include <cstdint>

#include "format/poll_records.h"

namespace espalier::layout {

inline constexpr std::uint32_t kMagic = 0x42505345;  // "ESPB"
inline constexpr std::uint16_t kMajorVersion = 3;    // readers accept every asset of their major version
inline constexpr std::uint16_t kMinorVersion = 0;    // raised when sections are added, or records grow at their end
inline constexpr std::uint32_t kAlignment = 8;       // of the asset in memory, of sections and of agents' blocks
inline constexpr std::uint32_t kNone = 0xFFFFFFFF;
inline constexpr std::uint16_t kNoLeaf = 0xFFFF;

// Limits that the verifier checks in every asset, and the compiler in every tree.
inline constexpr std::uint32_t kMaxNodes = 65534;  // of one tree, shared units counted as often as they are used
inline constexpr std::uint32_t kMaxDepth = 1024;   // nodes within nodes of one unit
inline constexpr std::uint32_t kMaxTickDepth =
    4096;  // the same for the engines tick, where an XML element can become several nodes, and rule
inline constexpr std::uint32_t kMaxRegions = 1024;      // states and shared units within one another
inline constexpr std::uint32_t kMaxStates = 32;         // of one select_machine
inline constexpr std::uint32_t kMaxEventStates = 254;   // of one tick_machine, and cases of a tick_priority
inline constexpr std::uint32_t kMaxBranches = 32;       // of one tick_parallel
inline constexpr std::uint32_t kMaxLimits = 65535;      // of one tree
inline constexpr std::uint32_t kMaxBits = 32;           // results kept while a condition is evaluated
inline constexpr std::uint32_t kMaxRules = 65535;       // of one tree, those of units counted as often as they are used
inline constexpr std::uint32_t kMaxAgentBytes = 65528;  // of one agent, but for the engines decide and poll:
inline constexpr std::uint32_t kMaxDecideBytes = 1u << 24;  // of one of theirs; a tree's scratch memory too
inline constexpr std::uint32_t kMaxLevels = 1024;           // active deciders within one another
inline constexpr std::uint32_t kMaxAsked = 1u << 20;        // deciders asked when one is, through those that delegate
inline constexpr std::uint32_t kMaxShuffled = 64;           // children of one decide_shuffle
inline constexpr std::uint32_t kMaxFlags = 64;              // of one tree of deciders
inline constexpr std::uint32_t kMaxStimuli = 64;            // the same
inline constexpr std::uint32_t kMaxBehaviorFlags = 32;      // the same
inline constexpr std::uint32_t kMaxRedecides = 255;         // in one update
inline constexpr std::uint32_t kMaxMemoryBytes = 65535;     // of one behaviour
inline constexpr std::uint32_t kTimesBytes = 16;            // of the times of a behaviour, see core/times.h
inline constexpr std::uint32_t kMaxBlockBytes = 64;         // of one decider block
inline constexpr std::uint32_t kMaxRoles = 16;              // of one store_group
inline constexpr std::uint32_t kMaxTreeLevels = 64;         // trees within one another in slots
inline constexpr std::uint32_t kMaxStoreBytes = 65535;      // of an agent with all that its slots may hold
inline constexpr std::uint32_t kMaxStoreTrees = 65535;      // a slot stores 1 + index into TREES in 16 bits
inline constexpr std::uint32_t kMaxNeedBytes = 1u << 24;    // needs and rooms do not grow beyond it

struct Header {  // 32 bytes
  std::uint32_t magic;
  std::uint16_t major_version;
  std::uint16_t minor_version;
  std::uint64_t size_bytes;  // of the whole asset, a multiple of 8
  std::uint64_t hash;        // XXH64, seed 0, of all bytes with this field taken as 0
  std::uint32_t section_count;
  std::uint32_t reserved;  // 0
};

// A section is optional when a reader that does not know it may skip it: see sections.def.
inline constexpr std::uint8_t kSectionOptional = 1;  // flag

// Sections follow one another, each at a multiple of its alignment; the padding before it is 0.
struct Section {  // 8 bytes, directly after the header
  std::uint8_t id;
  std::uint8_t flags;
  std::uint16_t record_bytes;  // of one record; in a later version it may be larger
  std::uint32_t size_bytes;
};

// Of a section: the largest power of two that divides the size of its records, at most kAlignment.
constexpr std::uint64_t section_alignment(std::uint32_t record_bytes) {
  std::uint32_t alignment = 1;
  while (alignment < kAlignment && record_bytes % (2 * alignment) == 0) alignment *= 2;
  return alignment;
}
// Where a section begins, of which the one before, or the table, ends at `end`.
constexpr std::uint64_t section_begin(std::uint64_t end, std::uint32_t record_bytes) {
  const std::uint64_t alignment = section_alignment(record_bytes);
  return (end + alignment - 1) / alignment * alignment;
}

// The dialect that a tree was compiled from. It does not affect evaluation: tools use it to describe trees.
enum class Dialect : std::uint8_t {
#define DIALECT(name) name,
#include "format/dialects.def"
  count
};

// Stands between the file and the name of a tree whose name alone does not tell it: "nav/follow.xml: Main".
inline constexpr char kAfterFile[] = ": ";
inline constexpr std::uint32_t kAfterFileBytes = sizeof kAfterFile - 1;

// Names are byte offsets into NAMES (debug data: into DEBUG_NAMES).
struct Tree {  // 48 bytes
  std::uint32_t name;
  std::uint32_t unit;          // its root
  std::uint32_t first_signal;  // into SIGNALS
  std::uint32_t signal_count;
  std::uint32_t first_leaf;  // into LEAVES
  std::uint32_t leaf_count;
  std::uint32_t image;  // byte offset into IMAGES; kNone: agents begin with zeros
  // To the end of its last part, up to a multiple of its alignment (format/parts.h); select, rule: and then the times
  // of the current behaviour, if the tree has behaviours that keep them.
  std::uint32_t agent_bytes;
  std::uint32_t shared_bytes;  // of the block that all agents of the tree share; 0: none
  std::uint32_t first_part;    // into PARTS: one for each row of its engine in parts.def
  std::uint32_t record;        // index into the section of its engine: TICKING, RULE_TREES, DECIDER_TREES, STORE_TREES,
                               // POLL_TREES;
                               // select: 0
  std::uint8_t engine;         // EngineId: that of its unit's nodes
  std::uint8_t dialect;        // Dialect
  std::uint16_t reserved;      // 0
};

// A part of the block of a tree's agents: see parts.def.
struct Part {                 // 16 bytes
  std::uint32_t offset_bits;  // in the block
  std::uint32_t count;
  std::uint32_t first_name;  // into the section of its names; without names 0
  std::uint8_t kind;         // PartKind
  std::uint8_t bits;         // size of one
  std::uint16_t reserved;    // 0
};

// A run of nodes that is evaluated as a whole: a tree's root, or a subtree that is stored once and used in several
// places.
struct Unit {                // 44 bytes
  std::uint32_t first_word;  // into NODES; units follow one another without gaps
  std::uint32_t word_count;
  std::uint32_t node_count;       // with shared units counted as often as they are used
  std::uint32_t leaf_count;       // the same
  std::uint32_t state_bytes;      // agent state of its nodes, the same
  std::uint32_t region_count;     // select: states and shared units that can be entered within one another
  std::uint32_t variable_count;   // 1 + the largest variable that its conditions read; 0: none
  std::uint32_t tree;             // the only tree that uses it; kNone: several may (select, rule)
  std::uint32_t first_reference;  // into REFERENCES; units' references follow one another
  std::uint32_t reference_count;
  // Into NODE_WORDS; rule, store: the first words of its nodes by their numbers, relative to its own first word. Units
  // of other engines have no entries there.
  std::uint32_t first_node_word;
};

// A Boolean condition: tests run in order, each combined into one result. See condition.h.
struct Condition {               // 12 bytes
  std::uint32_t first_test;      // into TESTS; the tests of conditions follow one another without gaps
  std::uint32_t test_count;      // 1 or more
  std::uint32_t variable_count;  // 1 + the largest variable read; 0: none
};

// What a test does with the running result.
enum class TestOp : std::uint8_t {
  all,      // test: (word & mask) == value
  any,      // test: (word & mask) != value
  combine,  // no test: takes the result put aside last in place of a test
};
enum class CombineOp : std::uint8_t {
  set,     // result = test
  both,    // result = result and test
  either,  // result = result or test
  differ,  // result = result xor test
  same,    // result = result == test
  aside,   // the result is put aside, then result = test
};

struct Test {            // 12 bytes
  std::uint8_t test;     // TestOp
  std::uint8_t combine;  // CombineOp; `set` only for the first test of a condition, and never elsewhere
  std::uint16_t word;    // of the agent's variables, 32 to a word, bit 0 first
  std::uint32_t mask;
  std::uint32_t value;  // has no bit outside mask
};

struct Transition {         // 8 bytes
  std::uint32_t condition;  // as an operand: 0 is always true
  std::uint32_t state;      // number of the target in its machine
};

struct Variable {  // 8 bytes
  std::uint32_t name;
  std::uint32_t initial;  // 0 or 1
};

struct Signal {  // 12 bytes
  std::uint32_t name;
  std::uint32_t first_assignment;
  std::uint32_t assignment_count;
};

// One variable set by a signal, in the order of the file.
struct Assignment {         // 8 bytes
  std::uint32_t variable;   // of the tree; decide: a stimulus of the tree
  std::uint32_t condition;  // its new value; as an operand: 0 is true; decide: 0
};

struct Behavior {  // 4 bytes
  std::uint32_t name;
};

// The data of a tree of the engine tick in addition to Tree.
struct Ticking {              // 8 bytes
  std::uint32_t flags;        // kStaysStopped
  std::uint32_t limit_count;  // Tree::shared_bytes is 2 bytes for each, up to a multiple of 8
};

inline constexpr std::uint32_t kStaysStopped = 1;  // once the root has a result the agent does nothing more
inline constexpr std::uint64_t kNeverSet = 0xFFFFFFFFFFFFFFFF;
inline constexpr std::uint64_t kCleared = 0xFFFFFFFFFFFFFFFE;

// Bits of the status byte.
inline constexpr unsigned kChanged = 1;          // a variable has changed since the last update began
inline constexpr unsigned kTransitionWaits = 2;  // some machine has a pending transition
inline constexpr unsigned kStopped = 4;

// Set by an event: all entries of the event in order; then the timestamps that they are exclusive to are cleared.
struct Timestamp {  // 12 bytes
  std::uint32_t name;
  std::uint32_t signal;        // of the tree: what sets it
  std::uint32_t exclusive_to;  // timestamp of the tree that it clears, or kNone
};

struct EventTransition {   // 4 bytes
  std::uint8_t signal[3];  // of the tree, the low byte first
  std::uint8_t state;      // number of the target in its machine
};
inline constexpr std::uint32_t kMaxEventSignal = 0xFFFFFF;
inline std::uint32_t signal_of(const EventTransition& transition) {
  return transition.signal[0] | std::uint32_t{transition.signal[1]} << 8 | std::uint32_t{transition.signal[2]} << 16;
}

// One typed value that the node of a behaviour passes to the host. Those of one node follow one another; the last one
// has the flag.
struct Parameter {       // 8 bytes
  std::uint8_t name[3];  // the low byte first
  std::uint8_t type;     // ParameterType (espalier.h), or kLongParameter; and kLastParameter
  std::uint32_t value;  // boolean: 0 or 1; whole: in two's complement; number: index into NUMBERS; vector: the first of
                        // three there; text, event, script: offset into NAMES; choice: index of a number there: which
                        // of the words, from 0, and in the high half the word, offset into NAMES; long: index of a
                        // whole number that needs 64 bits
};

inline constexpr std::uint32_t kLongParameter = 8;
inline constexpr std::uint8_t kLastParameter = 0x80;
inline constexpr std::uint32_t kMaxParameterName = 0xFFFFFF;
inline std::uint32_t name_of(const Parameter& parameter) {
  return parameter.name[0] | std::uint32_t{parameter.name[1]} << 8 | std::uint32_t{parameter.name[2]} << 16;
}
inline std::uint32_t type_of(const Parameter& parameter) { return parameter.type & ~std::uint32_t{kLastParameter}; }

struct Script {        // 4 bytes
  std::uint32_t text;  // offset into NAMES: the source
};

struct Prelude {       // 8 bytes: what an agent runs before its first script
  std::uint32_t text;  // offset into NAMES: the source
  std::uint32_t file;  // the same: its name, for messages
};

struct Scope {  // 4 bytes
  std::uint32_t name;
};

// The data of a tree of the engine rule in addition to Tree. Its rules are numbered from 0: those of its first instance
// in preorder, then those of the second, and so on.
struct RuleTree {                // 24 bytes
  std::uint32_t run_limit;       // 1 to 65535: runs of rules in one update
  std::uint32_t rule_count;      // at most kMaxRules
  std::uint32_t first_instance;  // into UNIT_INSTANCES
  std::uint32_t instance_count;  // 1 or more; the first one is the tree's own unit
  std::uint32_t first_id;        // into RULE_IDS; as many as rules
  std::uint32_t flags;           // kIsUsed
};

inline constexpr std::uint32_t kIsUsed = 1;  // a subtree of another file uses the tree's file

// One use of a unit of rules in a tree.
struct UnitInstance {        // 16 bytes
  std::uint32_t first_rule;  // number of the unit's first rule in the tree
  std::uint32_t unit;
  std::uint32_t parent;       // number of the rule_subtree that it is the content of; kNone: it is the tree's own unit
  std::uint32_t first_below;  // instance of the tree: that of its first reference; those of its others follow
};

// A rule_subtree.
struct Reference {     // 8 bytes
  std::uint32_t unit;  // smaller than that of the unit that contains the node
  std::uint32_t rule;  // its number in its unit, the unit's first rule being 0
};

enum class QueryMode : std::uint32_t {
  all_true,   // true when none is false
  any_true,   // when one is true
  any_false,  // when one is false
  all_false,  // when none is true
  count
};

// The conditions that a rule asks the host for, and their parameters. Without conditions it is true.
struct Query {                    // 20 bytes
  std::uint32_t first_condition;  // into QUERY_CONDITIONS
  std::uint32_t condition_count;
  std::uint32_t mode;             // QueryMode
  std::uint32_t first_parameter;  // into PARAMETERS
  std::uint32_t parameter_count;
};

struct HostCondition {  // 4 bytes
  std::uint32_t name;
};

inline constexpr std::uint16_t kNoRule = 0xFFFF;

// Bits of a rule agent's status byte.
inline constexpr unsigned kLastStatus = 3;   // a Result; `stopped`: there was no update yet
inline constexpr unsigned kFirstRun = 4;     // the current rule has not run since it became the current one
inline constexpr unsigned kRuleStopped = 8;  // the root has failed, or an update has reached run_limit
inline constexpr unsigned kHasRunAway = 16;  // with kRuleStopped
inline constexpr unsigned kInCall = 32;      // an action is being called

// The data of a tree of the engine decide in addition to Tree. Its decision flags are the tree's variables. Its units
// (the shared deciders, and last its root) follow one another and are used by no other tree; all its nodes are of one
// size and numbered from 0 in the order of NODES, those of its first unit first.
struct DeciderTree {                  // 32 bytes
  std::uint32_t max_redecides;        // 1 to kMaxRedecides
  std::uint32_t first_unit;           // Tree::unit is the last one
  std::uint32_t node_count;           // of all units; at most kMaxNodes
  std::uint32_t first_decider;        // into DECIDERS
  std::uint32_t decider_count;        // one for each node that is not a decide_share, in their order
  std::uint32_t first_behavior_flag;  // into BEHAVIOR_FLAGS
  std::uint32_t behavior_flag_count;  // at most kMaxBehaviorFlags
  std::uint32_t scratch_bytes;        // the largest need of a group while it chooses
};

// A decider. Sums over a group's children count a shared decider in each place where it is used.
struct Decider {                 // 64 bytes
  std::uint64_t every_us;        // 0: no such precondition
  std::uint32_t timer;           // its number among those with `every`; kNone: it has none
  std::uint32_t precondition;    // 0: none; else 1 + index into PRECONDITIONS
  std::uint32_t decide;          // 0: it always accepts, with 1; else 1 + index into HOST_CONDITIONS
  std::uint32_t behavior;        // 0: none; else 1 + index into BEHAVIORS
  std::uint32_t behavior_flags;  // bits for the behaviour, numbered by BEHAVIOR_FLAGS
  std::uint16_t memory_bytes;    // of the behaviour while it is active
  std::uint16_t block_bytes;     // of the decider block, at most kMaxBlockBytes
  std::uint32_t state;           // sequential: its number among those; shuffle: byte offset among their orders; else 0
  std::uint32_t child_count;     // of its node
  std::uint32_t level_count;     // of the longest path from here, itself included; at most kMaxLevels
  std::uint32_t path_bytes;      // the most memory and decider blocks that one path from here holds, itself included
  std::uint32_t answer_bytes;    // the most bytes that its kept answer takes; see decide/layout.h
  std::uint32_t scratch_bytes;   // the most bytes that asking it takes
  std::uint32_t asked_count;     // deciders that are asked when it is, itself included; at most kMaxAsked
  std::uint32_t reserved;        // 0
};

// Compares the bits that are set in `mask` with `value`, which has no bit outside `mask`. All must be equal; in the
// `any` tests at least one, unless `mask` is 0.
struct MaskTest {
  std::uint64_t mask;
  std::uint64_t value;
};

struct Precondition {  // 64 bytes
  MaskTest flags_all;
  MaskTest flags_any;
  MaskTest stimuli_all;
  MaskTest stimuli_any;
};

struct Stimulus {            // 16 bytes
  std::uint64_t timeout_us;  // 0: it stays until it is cleared
  std::uint32_t name;
  std::uint32_t timeout;  // its number among those with a timeout; kNone: it has none
};

struct BehaviorFlag {  // 4 bytes
  std::uint32_t name;
};

inline constexpr std::uint64_t kMaxTimeUs = 1000000000000;  // of `every` and timeouts

// The data of a tree of the engine store in addition to Tree. Its nodes are one unit.
struct StoreTree {                   // 32 bytes
  std::uint32_t tree;                // index into TREES, whose Tree::record refers to this one
  std::uint16_t level_count;         // 1 to kMaxTreeLevels: `maxDepth`, where this is the agent's own tree
  std::uint16_t need_count;          // 1 to kMaxTreeLevels: entries of lists by levels, the same in all trees; for more
                                     // levels, the last entry holds
  std::uint32_t child_count;         // store_child nodes
  std::uint32_t first_shared_value;  // in the shared block: of its first store_gate or store_cooldown_all
  std::uint32_t shared_value_count;
  std::uint32_t first_group;  // into GROUPS
  std::uint32_t group_count;
  std::uint32_t first_need;  // into TREE_NEEDS: entry l - 1 is the size in bytes of an instance with at most l levels
                             // of trees, itself included, for l from 1 to need_count
};

// One store_group.
struct Group {                  // 32 bytes
  std::uint64_t timeout_us;     // kNoTimeout: an agent waits forever
  std::uint32_t role_count;     // 1 to kMaxRoles
  std::uint32_t on_leave;       // OnLeave
  std::uint32_t first_barrier;  // into BARRIERS
  std::uint32_t barrier_count;  // names of barriers that belong to its roles
  std::uint32_t shared_offset;  // its bytes in the shared block, see store/layout.h
  std::uint32_t reserved;       // 0
};

inline constexpr std::uint64_t kNoTimeout = 0xFFFFFFFFFFFFFFFF;

enum class OnLeave : std::uint32_t { fail, reset, ignore, count };

struct Barrier {  // 8 bytes
  std::uint32_t name;
  std::uint32_t roles;  // bit i: role i has it somewhere
};

// A place into which trees are put at run time. A slot belongs to all trees of the asset.
struct Slot {  // 16 bytes
  std::uint32_t name;
  std::uint32_t budget_bytes;    // for an instance there; kNone: as much as the largest tree that it accepts needs
  std::uint32_t first_accepted;  // into ACCEPTS
  std::uint32_t accepted_count;  // kNone: it accepts all trees of the engine
};

// Where the room of a store_child begins. An asset without these records has rooms that follow one another in the order
// of the nodes. Rooms of one instance may overlap: a room belongs to the store_child that ran a tree in it last.
struct ChildRoom {             // 8 bytes
  std::uint32_t word;          // first word of the store_child in NODES
  std::uint32_t first_offset;  // into TREE_NEEDS, after the sizes of its tree: entry l - 1 is the offset of the room
                               // from the first byte of an instance with at most l levels of trees, itself included
};

struct NodeLocation {    // 20 bytes; one for each node, in the order of NODES, then for each transition
  std::uint32_t word;    // first word of the node in NODES; of a transition: see schemas/asset.md
  std::uint32_t name;    // into DEBUG_NAMES
  std::uint32_t file;    // into FILES
  std::uint32_t line;    // from 1
  std::uint32_t column;  // from 1, UTF-8 bytes
};

struct File {          // 4 bytes
  std::uint32_t name;  // into DEBUG_NAMES: path as given to the compiler
};

// An action that has memory or keeps times (store): every other engine finds them by the behaviour.
struct TimedNode {      // 8 bytes
  std::uint32_t word;   // its first word, in NODES
  std::uint32_t state;  // offset of its memory in an instance, among the part `times`; its times are at the end of it
};

// How agents are printed: the text that the host has declared for the nodes of a behaviour. Sorted by behaviour.
struct BehaviorText {      // 8 bytes
  std::uint32_t behavior;  // into BEHAVIORS
  std::uint32_t text;      // into DEBUG_NAMES; "{name}" stands for the node's parameter of this name
};

// What clients of a server (espalier/serving.h) are shown of a tree. Opening an asset does not look at this: see
// serving/live.h.
struct LiveTree {     // 16 bytes
  std::uint32_t xml;  // into LIVE_XML
  std::uint32_t xml_bytes;
  std::uint32_t first_node;  // into LIVE_NODES
  std::uint32_t node_count;
};

// An element of the tree's XML. Those of a tree are in the order in which clients get their statuses.
struct LiveNode {        // 8 bytes
  std::uint32_t place;   // first word in NODES; trees that select: the number of the leaf; kNone: no leaf
  std::uint16_t uid;     // `_uid`: from 1 to node_count
  std::uint16_t parent;  // the uid of the element around it, lower than its own; 0: none
};

static_assert(sizeof(Header) == 32 && sizeof(Section) == 8 && sizeof(Tree) == 48 && sizeof(Part) == 16 &&
              sizeof(Unit) == 44);
static_assert(sizeof(Condition) == 12 && sizeof(Test) == 12 && sizeof(Transition) == 8 && sizeof(Variable) == 8);
static_assert(sizeof(Ticking) == 8 && sizeof(Timestamp) == 12 && sizeof(EventTransition) == 4);
static_assert(sizeof(RuleTree) == 24 && sizeof(UnitInstance) == 16 && sizeof(Reference) == 8 && sizeof(Query) == 20);
static_assert(sizeof(Parameter) == 8 && sizeof(Script) == 4 && sizeof(Prelude) == 8);
static_assert(sizeof(DeciderTree) == 32 && sizeof(Decider) == 64 && sizeof(Precondition) == 64);
static_assert(sizeof(Stimulus) == 16 && sizeof(BehaviorFlag) == 4);
static_assert(sizeof(StoreTree) == 32 && sizeof(Group) == 32 && sizeof(Barrier) == 8 && sizeof(Slot) == 16 &&
              sizeof(ChildRoom) == 8);
static_assert(sizeof(PollTree) == 40 && sizeof(Polled) == 68 && sizeof(PollPort) == 12 && sizeof(PollBoard) == 16 &&
              sizeof(PollKey) == 16 && sizeof(PollEntry) == 8 && sizeof(PollScript) == 8 && sizeof(Instruction) == 8);
static_assert(sizeof(Signal) == 12 && sizeof(Assignment) == 8 && sizeof(NodeLocation) == 20 && sizeof(LiveTree) == 16 &&
              sizeof(LiveNode) == 8);

}  // namespace espalier::layout
