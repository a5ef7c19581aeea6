// The element table of synchronized trees. See elements.h.
#include "dialects/synchronized/elements.h"

#include "rules/synchronized.h"
#include "runtime/format/opcodes/store.h"
#include "runtime/format/records.h"

namespace espalier::dialects::synchronized {
namespace {

constexpr Value kCount = whole(0, 65535);
constexpr Value kAgents = whole(1, 65535);

// In the order of their values: the first is the default.
constexpr std::string_view kSuccessWords[] = {"all", "any"};
constexpr std::string_view kFailureWords[] = {"any", "all"};
constexpr std::string_view kScopeWords[] = {"agent", "global"};
constexpr std::string_view kEachWords[] = {"update"};
constexpr std::string_view kStartsWords[] = {"end", "entry"};
constexpr std::string_view kLeaveWords[] = {"fail", "reset", "ignore"};

// Kinds of names.
constexpr NameType kTreeName{NameKind::tree, NameScope::project, true};  // as names of other dialects are compared
constexpr NameType kGateName{NameKind::gate, NameScope::tree};
constexpr NameType kBarrierName{NameKind::barrier, NameScope::part};

constexpr AttributeRow kLabel{"name", Need::optional, kText, "A label, shown in stories and listings"};

constexpr AttributeRow kTree[] = {
    declares(kTreeName, {"name", Need::required, kName, "The tree's name, unique in the project"}),
    {"maxDepth", Need::optional, whole(1, layout::kMaxTreeLevels),
     "How many trees may run inside one another in slots, the agent's own included", "8"},
    {"agents", Need::optional, whole(1, 1'000'000'000), "How many agents there are at most, for analyses"},
};
constexpr AttributeRow kLabelled[] = {kLabel};
constexpr AttributeRow kParallel[] = {
    kLabel,
    {"success", Need::optional, one_of(kSuccessWords), "How many children must succeed for success", "all"},
    {"failure", Need::optional, one_of(kFailureWords), "How many children must fail for failure", "any"},
};
constexpr AttributeRow kHostCondition[] = {
    reads({NameKind::condition}, {"name", Need::required, kName, "The condition of the program"})};
constexpr AttributeRow kHostAction[] = {
    reads({NameKind::action}, {"name", Need::required, kName, "The action of the program"})};
constexpr AttributeRow kRepeat[] = {
    kLabel,
    {"count", Need::optional, kCount, "How many times its child is evaluated; 0: forever", "0"},
    {"untilFailure", Need::optional, kBoolean, "Whether a failure of its child ends it, with failure", "false"},
    {"each", Need::optional, one_of(kEachWords),
     "Evaluates its child whenever the node around it is evaluated, and has the child's result"},
};
constexpr AttributeRow kGate[] = {
    declares(kGateName, {"name", Need::optional, kText, "A name, unique among the gates and groups of the tree"}),
    {"agents", Need::required, kAgents, "How many agents may be inside at a time"},
};
constexpr AttributeRow kCooldown[] = {
    kLabel,
    {"seconds", Need::required, kSeconds, "The time during which entering fails"},
    {"scope", Need::optional, one_of(kScopeWords), "Whether the time is kept for each agent or for all of them",
     "agent"},
    {"starts", Need::optional, one_of(kStartsWords),
     "Whether the time starts when an agent enters or when its child ends", "end"},
};
constexpr AttributeRow kGroup[] = {
    declares(kGateName, {"name", Need::optional, kText, "A name, unique among the gates and groups of the tree"}),
    {"agents", Need::required, kAgents, "How many agents it binds: as many as it has roles"},
    {"timeout", Need::optional, kSeconds, "How long an agent waits to be bound before it fails"},
    {"onLeave", Need::optional, one_of(kLeaveWords), "What happens to the other agents when one leaves", "fail"},
};
constexpr AttributeRow kBarrier[] = {
    declares(kBarrierName,
             {"name", Need::required, kName, "Barriers of one name wait for each other in all roles of the group"})};
constexpr AttributeRow kChildTree[] = {
    kLabel,
    declares({NameKind::slot}, {"slot", Need::required, kName, "The slot that the program puts trees into"}),
    reads(kTreeName, {"default", Need::optional, kName, "The tree that runs while the slot is empty"}),
    reads(kTreeName,
          {"accepts", Need::optional, kNames, "The trees that may be put into the slot, with blanks between them"}),
    {"budget", Need::optional, whole(0, layout::kMaxStoreBytes), "The bytes that a tree in the slot may take"},
};

constexpr Content kSome{kNodes, 1};
constexpr Content kOne{kNodes, 1, 1};
constexpr Groups kAnywhere = kNodes | kWatched;

constexpr ElementRow kElements[] = {
    opens_tree({kRootElement, 0, kOne, kTree, "A tree"}),
    {"Sequence", kAnywhere, kSome, kLabelled, "Evaluates its children in order until one fails",
     opcode::store_sequence},
    {"Selector", kAnywhere, kSome, kLabelled, "Evaluates its children in order until one succeeds",
     opcode::store_selector},
    {"Parallel", kAnywhere, kSome, kParallel, "Evaluates all children that are not finished", opcode::store_parallel},
    {.name = "Condition",
     .groups = kAnywhere,
     .attributes = kHostCondition,
     .doc = "Asks the program: success or failure. Other attributes are parameters of the condition",
     .opcode = opcode::store_condition,
     .takes_parameters = true},
    {.name = "Action",
     .groups = kAnywhere,
     .attributes = kHostAction,
     .doc = "Runs an action of the program: running, success or failure. Other attributes are parameters of the action",
     .opcode = opcode::store_action,
     .takes_parameters = true},
    {"Invert", kAnywhere, kOne, kLabelled, "Swaps success and failure of its child", opcode::store_invert},
    {"Succeed", kAnywhere, kOne, kLabelled, "Succeeds when its child ends", opcode::store_succeed},
    {"Fail", kAnywhere, kOne, kLabelled, "Fails when its child ends", opcode::store_fail},
    {"Repeat", kNodes, kOne, kRepeat, "Evaluates its child again when it has ended", opcode::store_repeat},
    {"Monitor",
     kNodes,
     {.groups = kNodes, .least = 1, .most = 1, .within = kWatched},
     kLabelled,
     "Asks again at each update, and restarts the tree when its child succeeds",
     opcode::store_monitor},
    {"Gate", kNodes, kOne, kGate, "Lets a limited number of agents in at a time", opcode::store_gate},
    {"Cooldown", kNodes, kOne, kCooldown, "Refuses to be entered for some time after it was last used",
     opcode::store_cooldown},
    opens_part({"Group",
                kNodes,
                {kRoles, 1, layout::kMaxRoles},
                kGroup,
                "Binds agents that act together, each in a role",
                opcode::store_group}),
    {"Role",
     kRoles,
     {.groups = kNodes, .least = 1, .most = 1, .shape = Shape::guarded, .guard = "Condition"},
     kLabelled,
     "What one agent of a group does, after an optional condition for taking the role",
     opcode::store_role},
    {"Barrier", kNodes, kNothing, kBarrier, "Waits until all roles of the group have reached it",
     opcode::store_barrier},
    {"ChildTree", kNodes, kNothing, kChildTree, "Runs the tree in a slot", opcode::store_child},
};

constexpr std::string_view kSelectorHint = "a 'Selector' tries its children in order until one succeeds";
constexpr std::string_view kInvertHint = "'Invert' swaps success and failure of its child";
constexpr std::string_view kSucceedHint = "'Succeed' makes its child's result a success";
constexpr std::string_view kFailHint = "'Fail' makes its child's result a failure";
constexpr std::string_view kRepeatHint = "'Repeat' evaluates its child again, forever or 'count' times";
constexpr std::string_view kUntilHint = "use a 'Repeat' with untilFailure=\"true\"";
constexpr std::string_view kGateHint = "a 'Gate' lets a limited number of agents in at a time";
constexpr std::string_view kChildTreeHint = "a 'ChildTree' runs the tree in a slot, or its 'default'";
constexpr std::string_view kActionHint = "use an 'Action' for what the program does";
constexpr std::string_view kConditionHint = "use a 'Condition' for what the program is asked";

constexpr Meaning kMeanings[] = {
    {"Fallback", kSelectorHint},
    {"Priority", kSelectorHint},
    {"Random", "no element chooses at random"},
    {"Not", kInvertHint},
    {"Inverter", kInvertHint},
    {"Succeeder", kSucceedHint},
    {"AlwaysSucceed", kSucceedHint},
    {"ForceSuccess", kSucceedHint},
    {"Failer", kFailHint},
    {"AlwaysFail", kFailHint},
    {"ForceFailure", kFailHint},
    {"Loop", kRepeatHint},
    {"Repeater", kRepeatHint},
    {"UntilFail", kUntilHint},
    {"RepeatUntilFailure", kUntilHint},
    {"Limit", kGateHint},
    {"Semaphore", kGateHint},
    {"LimitConcurrentUsers", kGateHint},
    {"SubTree", kChildTreeHint},
    {"Tree", kChildTreeHint},
    {kRootElement, "each tree is a file; a 'ChildTree' runs it"},
    {"Reference", kChildTreeHint},
    {"Behavior", kActionHint},
    {"Behaviour", kActionHint},
    {"Task", kActionHint},
    {"Leaf", kActionHint},
    {"Check", kConditionHint},
    {"Decorator", "each decorator is an element: 'Invert', 'Succeed', 'Fail', 'Repeat', 'Gate', 'Cooldown'"},
    {"Wait", "a 'Barrier' waits for the other roles; an 'Action' of the program can wait for a time"},
};

constexpr Identity kIdentities[] = {{"gateOrGroup", ".//Gate|.//Group", "name"}};

constexpr std::string_view kGroupNames[] = {"nodes", "nodes of monitors", "roles"};

constexpr ElementTable kTable{
    .dialect = "synchronized",
    .doc = "Synchronized trees: stored results, monitors, and gates and groups that agents share",
    .elements = kElements,
    .group_names = kGroupNames,
    .meanings = kMeanings,
    .identities = kIdentities,
    .rules = {.unknown_element = rules::SYN_unknown_element,
              .unexpected_element = rules::SYN_extra_child,
              .unknown_attribute = rules::SYN_unknown_attribute,
              .missing_attribute = rules::SYN_missing_attribute,
              .stray_text = rules::SYN_stray_text,
              .bad_value = rules::SYN_bad_value},
};

}  // namespace

const ElementTable& table() { return kTable; }

const ElementRow& root_row() { return kElements[0]; }

}  // namespace espalier::dialects::synchronized
