// The tables. See elements.h.
#include "dialects/decider/elements.h"

#include <algorithm>

#include "rules/decider.h"
#include "runtime/format/opcodes/decide.h"
#include "runtime/format/records.h"

namespace espalier::dialects::decider {
namespace {

// ---- Policies -----------------------------------------------------------------------------------

// In the order of their opcodes, from kFirstPolicy on.
constexpr std::string_view kPolicies[] = {"prioritizedList", "sequential", "random", "shuffle", "scored"};
constexpr auto kFirstPolicy = static_cast<unsigned>(opcode::decide_prioritized);
static_assert(kFirstPolicy + std::size(kPolicies) == static_cast<unsigned>(opcode::decide_share));

// ---- Attributes ---------------------------------------------------------------------------------

constexpr auto kRequired = Need::required;
constexpr auto kOptional = Need::optional;

// Kinds of names.
constexpr NameType kTreeName{NameKind::tree, NameScope::project, true};
constexpr NameType kFlagName{NameKind::flag, NameScope::tree};
constexpr NameType kStimulusName{NameKind::stimulus, NameScope::tree};
constexpr NameType kBehaviorName{NameKind::behavior};
constexpr NameType kAnyDeciderName{NameKind::decider, NameScope::tree};

constexpr AttributeRow kTreeAttributes[] = {
    declares(kTreeName, {"name", kRequired, kName, "Name of the tree, unique in the project without regard to case"}),
    {"maxRedecides", kOptional, whole(1, layout::kMaxRedecides),
     "How often groups may decide again in one update; once more ends it with an error", "16"},
};
constexpr AttributeRow kFlagAttributes[] = {
    declares(kFlagName,
             {"name", kRequired, kName,
              "Name of the flag, unique in the tree, without spaces and without '!' as its first character"}),
};
constexpr AttributeRow kStimulusAttributes[] = {
    declares(kStimulusName,
             {"name", kRequired, kName,
              "Name of the stimulus, unique in the tree, without spaces and without '!' as its first character"}),
    {"timeout", kOptional, kSeconds, "Seconds after which the stimulus ends; 0: it stays until it is cleared", "0"},
};
constexpr AttributeRow kSignalAttributes[] = {
    declares(kSignalName,
             {"name", kRequired, kName, "Name of the signal; several entries of one signal take effect in file order"}),
    writes(kStimulusName, {"stimulus", kRequired, kName,
                           "Stimulus that the signal sets; the signal's data becomes that of the stimulus"}),
};
constexpr AttributeRow kBehaviorAttributes[] = {
    declares(kBehaviorName, {"name", kRequired, kName, "Name of the behaviour in the program, unique in the tree"}),
    {"memory", kOptional, whole(0, layout::kMaxMemoryBytes),
     "Bytes that the behaviour has while it is active, zeroed when it is activated", "0"},
};

constexpr AttributeRow kDeciderName =
    declares(kAnyDeciderName, {"name", kRequired, kName, "Name of the decider, unique in the tree"});
constexpr AttributeRow kPolicy{
    "policy", kRequired, one_of(kPolicies),
    "How the group chooses: the first child that accepts, the next one in turn, a random one "
    "by weight, the next one in a random order, or the one with the highest value"};
constexpr AttributeRow kGroupBehavior =
    reads(kBehaviorName, {"behavior", kOptional, kName, "Behaviour that runs as long as the group is active"});
constexpr AttributeRow kBehaviorFlags =
    reads({NameKind::behavior_flag},
          {"behaviorFlags", kOptional, kNames, "Names that are passed to the behaviour, as one bit each"});
constexpr AttributeRow kDecide = reads(
    {NameKind::function}, {"decide", kOptional, kName,
                           "Function of the program that returns a number; the decider accepts if it is above 0, and "
                           "always without a function"});
constexpr AttributeRow kBlock{"block", kOptional, whole(0, layout::kMaxBlockBytes),
                              "Bytes that 'decide' can fill for the behaviour to read", "0"};
constexpr AttributeRow kDelegate{"delegate", kOptional, kBoolean,
                                 "'true': the group accepts if one of its children accepts, and has no 'decide'",
                                 "false"};
constexpr AttributeRow kDecideOnRedecide{
    "decideOnRedecide", kOptional, kBoolean,
    "'true': the group's own 'decide' is called before the group decides again after a failed child", "false"};
constexpr AttributeRow kWeight{"weight", kOptional, whole(1, 65535),
                               "Relative chance among the children of a 'random' group", "1"};
constexpr AttributeRow kEvery{"every", kOptional, kSeconds, "Seconds that must pass between two calls of 'decide'"};
constexpr AttributeRow kFlagsAll = reads(
    kFlagName, {"flagsAll", kOptional, kWantedNames, "Flags that must all be set; with '!' before the name: not set"});
constexpr AttributeRow kFlagsAny =
    reads(kFlagName,
          {"flagsAny", kOptional, kWantedNames, "Flags of which one must be set; with '!' before the name: not set"});
constexpr AttributeRow kStimuliAll = reads(
    kStimulusName,
    {"stimuliAll", kOptional, kWantedNames, "Stimuli that must all be present; with '!' before the name: absent"});
constexpr AttributeRow kStimuliAny = reads(
    kStimulusName,
    {"stimuliAny", kOptional, kWantedNames, "Stimuli of which one must be present; with '!' before the name: absent"});

constexpr AttributeRow kDeciderAttributes[] = {
    kDeciderName,
    reads(kBehaviorName, {"behavior", kRequired, kName, "Behaviour that runs as long as the decider is active"}),
    kBehaviorFlags,
    kDecide,
    kBlock,
    kWeight,
    kEvery,
    kFlagsAll,
    kFlagsAny,
    kStimuliAll,
    kStimuliAny};
constexpr AttributeRow kGroupAttributes[] = {kDeciderName, kPolicy,   kGroupBehavior, kBehaviorFlags,    kDecide,
                                             kBlock,       kDelegate, kWeight,        kDecideOnRedecide, kEvery,
                                             kFlagsAll,    kFlagsAny, kStimuliAll,    kStimuliAny};
constexpr AttributeRow kRootAttributes[] = {kDeciderName, kPolicy, kGroupBehavior, kBehaviorFlags, kBlock};
constexpr AttributeRow kReferenceAttributes[] = {
    reads(kAnyDeciderName, {"name", kRequired, kName, "Name of a decider in 'Deciders'"}), kWeight};

// ---- Elements -----------------------------------------------------------------------------------

// The groups of allowed children.
enum : Groups { kParts = 1, kShareable = 2, kChildren = 4, kFirstEntry = 8 };
constexpr Groups entries(unsigned section) { return kFirstEntry << section; }

// In the order of Row.
constexpr ElementRow kElements[] = {
    opens_tree({"DeciderTree",
                0,
                {.groups = kParts, .least = 1, .shape = Shape::each_once, .required = "Group"},
                kTreeAttributes,
                "A tree of deciders: what it declares, and one root group"}),
    {"DecisionFlags",
     kParts,
     {entries(0), 0, layout::kMaxFlags},
     {},
     "Declares the flags that the program passes to each update"},
    {"Stimuli", kParts, {entries(1), 0, layout::kMaxStimuli}, {}, "Declares the stimuli that an agent can have"},
    {"SignalStimuli", kParts, {entries(2)}, {}, "Declares which stimuli each signal sets"},
    {"Behaviors", kParts, {entries(3)}, {}, "Declares the behaviours of the program that deciders run"},
    {"Deciders", kParts, {kShareable}, {}, "Shared deciders, for 'DeciderRef' to put in several places"},
    {"Group", kParts, {kChildren, 1}, kRootAttributes, "The root group, which is entered without being asked"},
    {"Flag", entries(0), kNothing, kFlagAttributes, "A decision flag: preconditions can ask for it"},
    {"Stimulus", entries(1), kNothing, kStimulusAttributes,
     "Something that an agent perceives for a while, with up to 16 bytes of data"},
    {"Signal", entries(2), kNothing, kSignalAttributes, "A signal that sets a stimulus"},
    {"Behavior", entries(3), kNothing, kBehaviorAttributes, "A behaviour of the program"},
    {"Decider", kShareable | kChildren, kNothing, kDeciderAttributes, "Runs one behaviour while it is active",
     opcode::decide_behavior},
    {"Group",
     kShareable | kChildren,
     {kChildren, 1},
     kGroupAttributes,
     "Chooses one of its children by its policy, and can run a behaviour of its own"},
    {"DeciderRef", kChildren, kNothing, kReferenceAttributes, "Puts a shared decider here", opcode::decide_share},
};
static_assert(std::size(kElements) == kRowCount);

// ---- Names of other trees -----------------------------------------------------------------------

constexpr std::string_view kSelectorHint = "use a 'Group' with policy=\"prioritizedList\"";
constexpr std::string_view kSequenceHint =
    "deciders have no sequence; a 'Group' with policy=\"sequential\" takes the next child each time it decides";
constexpr std::string_view kBehaviorHint = "use <Decider name=\"...\" behavior=\"...\"/>";
constexpr std::string_view kReferenceHint = "use 'DeciderRef'";
constexpr std::string_view kConditionHint =
    "use attributes of the decider: 'flagsAll', 'flagsAny', 'stimuliAll', 'stimuliAny', 'decide'";

constexpr Meaning kMeanings[] = {
    {"Selector", kSelectorHint},
    {"Fallback", kSelectorHint},
    {"Priority", kSelectorHint},
    {"PrioritizedList", kSelectorHint},
    {"Sequence", kSequenceHint},
    {"Sequential", "use a 'Group' with policy=\"sequential\""},
    {"Random", "use a 'Group' with policy=\"random\""},
    {"Shuffle", "use a 'Group' with policy=\"shuffle\""},
    {"Scored", "use a 'Group' with policy=\"scored\""},
    {"Utility", "use a 'Group' with policy=\"scored\""},
    {"Parallel", "one path is active at a time; a 'Group' can run a behaviour of its own while its children run"},
    {"Behavior", kBehaviorHint},
    {"Action", kBehaviorHint},
    {"Leaf", kBehaviorHint},
    {"Task", kBehaviorHint},
    {"Condition", kConditionHint},
    {"Precondition", kConditionHint},
    {"Preconditions", kConditionHint},
    {"Reference", kReferenceHint},
    {"Ref", kReferenceHint},
    {"Subtree", kReferenceHint},
    {"GroupRef", kReferenceHint},
};

constexpr Identity kIdentities[] = {
    {"flag", "DecisionFlags/Flag", "name"},
    {"stimulus", "Stimuli/Stimulus", "name", true},
    {"stimulusOfSignal", "SignalStimuli/Signal", "stimulus", false, "stimulus"},
    {"behavior", "Behaviors/Behavior", "name", true},
    {"behaviorOfDecider", ".//Decider|.//Group", "behavior", false, "behavior"},
    {"decider", ".//Decider|.//Group", "name"},
    {"sharedDecider", "Deciders/Decider|Deciders/Group", "name", true},
    {"deciderOfReference", ".//DeciderRef", "name", false, "sharedDecider"},
};

constexpr ElementTable make_table() {
  ElementTable table{};
  table.dialect = "decider";
  table.doc = "Decider trees: a root group holds deciders, which choose the behaviour that runs";
  table.elements = kElements;
  table.meanings = kMeanings;
  table.identities = kIdentities;
  table.rules = {rules::DEC_unknown_element,   rules::DEC_unknown_element, rules::DEC_unknown_attribute,
                 rules::DEC_missing_attribute, rules::DEC_stray_text,      rules::DEC_bad_value};
  return table;
}
constexpr ElementTable kTable = make_table();

}  // namespace

const ElementTable& table() { return kTable; }

const ElementRow& row(Row row) { return kElements[row]; }

Row find_row(std::string_view name) {
  std::uint8_t i = 0;
  while (i < kRowCount && (i == kRoot || kElements[i].name != name)) ++i;
  return static_cast<Row>(i);
}

std::span<const std::string_view> policy_names() { return kPolicies; }

Opcode find_policy(std::string_view name) {
  const auto found = std::find(std::begin(kPolicies), std::end(kPolicies), name);
  if (found == std::end(kPolicies)) return kNoOpcode;
  return static_cast<Opcode>(kFirstPolicy + static_cast<unsigned>(found - std::begin(kPolicies)));
}

std::string_view policy_name(Opcode policy) { return kPolicies[static_cast<unsigned>(policy) - kFirstPolicy]; }

bool asks_without_choosing(Opcode policy) {
  return policy == opcode::decide_random || policy == opcode::decide_shuffle || policy == opcode::decide_scored;
}

}  // namespace espalier::dialects::decider
