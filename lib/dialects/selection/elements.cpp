// The elements of selection trees. See elements.h.
#include "dialects/selection/elements.h"

#include "rules/selection.h"
#include "runtime/format/opcodes/select.h"

namespace espalier::dialects::selection {
namespace {

// In the order of their bits.
constexpr std::string_view kGroupNames[] = {
    "SelectionTrees",  "SelectionTree", "Blocks",           "Block", "Ref",      "Variables",    "Variable",
    "SignalVariables", "Signal",        "LeafTranslations", "Map",   "Priority", "StateMachine", "Leaf",
    "Sequence",        "State",         "Transition"};
constexpr std::string_view kTruth[] = {"false", "true"};
constexpr Value kAnyCondition{ValueType::condition, 0, 0, {}, false, true};
constexpr std::string_view kConditionDoc = "The Priority around this node enters it only if this condition holds";

// Kinds of names.
constexpr NameType kTreeName{NameKind::tree, NameScope::project, true};
constexpr NameType kBlockName{NameKind::block, NameScope::tree};
constexpr NameType kAnyNodeName{NameKind::node, NameScope::tree};
constexpr NameType kStateName{NameKind::state, NameScope::part, true};

constexpr AttributeRow required_name(std::string_view doc) { return {"name", Need::required, kName, doc}; }
constexpr AttributeRow kNodeName = declares(
    kAnyNodeName, required_name("The name of the node, which maps in LeafTranslations can name; case matters"));
constexpr AttributeRow kUnreadCondition = {"condition", Need::ignored, kText,
                                           "only a Priority reads conditions: those of its children"};

constexpr AttributeRow kTreeAttributes[] = {
    declares(kTreeName, required_name("The name of the tree, unique in the project and compared without case")),
    {.name = "type",
     .need = Need::required,
     .value = kName,
     .doc = "The type of the tree, usually 'BehaviorSelectionTree'",
     .usual = kUsualType}};
constexpr AttributeRow kBlockAttributes[] = {
    declares(kBlockName,
             required_name("The name for references, unique among the blocks of the project or of the tree; case "
                           "matters")),
    kUnreadCondition};
constexpr AttributeRow kRefAttributes[] = {
    reads(kBlockName, required_name("The name of the block, first looked up among those of the tree, then among those "
                                    "of the project; case matters")),
    kUnreadCondition};
constexpr AttributeRow kVariableAttributes[] = {
    declares(kVariableName, required_name("The name for conditions, compared without case: a letter or '_', then "
                                          "letters, digits, '.' and '_'")),
    {"default", Need::optional, one_of(kTruth, true), "The value that every agent starts with", "false"}};
constexpr AttributeRow kSignalAttributes[] = {
    declares(kSignalName,
             required_name("The name of the signal; case matters, and several entries of one signal run in order")),
    writes(kVariableName, {"variable", Need::required, kName, "The variable that the signal sets"}),
    {"value", Need::required, kAnyCondition, "The new value: a condition such as 'true' or '!Alerted and Hurt'"}};
constexpr AttributeRow kMapAttributes[] = {
    reads(kAnyNodeName,
          {"node", Need::required, kName,
           "The name of the leaves, as in 'Parent:Leaf' with the names of the nearest ancestors before it; case "
           "matters"}),
    reads({NameKind::behavior}, {"target", Need::required, kName, "The name of their behaviour"})};
constexpr AttributeRow kNodeAttributes[] = {kNodeName,
                                            {"condition", Need::optional, kAnyCondition, kConditionDoc, "true"}};
constexpr AttributeRow kLeafAttributes[] = {
    declares(kAnyNodeName,
             required_name("The name of the leaf, and of its behaviour unless LeafTranslations map it; case matters")),
    {"condition", Need::optional, kAnyCondition, kConditionDoc, "true"}};
constexpr AttributeRow kStateAttributes[] = {
    declares(kStateName, required_name("The name of the state, unique in the machine and compared without case")),
    kUnreadCondition};
constexpr AttributeRow kTransitionAttributes[] = {
    reads(kStateName,
          {"state", Need::required, kName, "The name of the state that it leads to, compared without case"}),
    {"condition", Need::required, kAnyCondition, "The transition is taken if this condition holds"}};

constexpr Groups kReadNodes = kPriority | kStateMachine | kLeaf;
constexpr Content any_of(Groups groups) { return {groups}; }

constexpr ElementRow kRefRow{"Ref", kRef, kNothing, kRefAttributes,
                             "A reference, which is replaced by the children of a block"};
// The engine takes any case; this spelling is that of its manual.
constexpr ElementRow lower_case_ref() {
  ElementRow row = kRefRow;
  row.written_for = row.name;
  row.name = "ref";
  return row;
}

constexpr ElementRow kRows[] = {
    opens_tree({"SelectionTree", kSelectionTree, any_of(kSections | kReadNodes | kBlocks | kRef), kTreeAttributes,
                "A behaviour selection tree: sections in any order, and one root node"}),
    {"SelectionTrees", kSelectionTrees, any_of(kSelectionTree), {}, "A file of any number of selection trees"},
    {"Blocks",
     kBlocks,
     any_of(kBlock),
     {},
     "Blocks for references: from all trees of the project, or from the tree that they are in"},
    opens_part(opens_tree({"Block", kBlock,
                           any_of(kSections | kVariable | kSignal | kMap | kReadNodes | kState | kTransition | kRef),
                           kBlockAttributes, "A named piece of a tree, whose children replace each Ref to it"})),
    {"Variables",
     kVariables,
     any_of(kVariable | kRef),
     {},
     "Declares variables, which conditions anywhere in the tree may use"},
    {"Variable", kVariable, kNothing, kVariableAttributes,
     "A Boolean variable, of which every agent has its own value"},
    {"SignalVariables", kSignalVariables, any_of(kSignal | kRef), {}, "Lists the variables that signals set"},
    {"Signal", kSignal, kNothing, kSignalAttributes, "Sets a variable when the signal arrives"},
    {"LeafTranslations",
     kLeafTranslations,
     any_of(kMap | kRef),
     {},
     "Gives leaves their behaviours, unless an earlier section has done so"},
    {"Map", kMap, kNothing, kMapAttributes,
     "Gives the leaves that it matches a behaviour; a map without ':' wins over one with it, otherwise the first one "
     "wins"},
    {"Priority", kPriority, any_of(kReadNodes | kRef), kNodeAttributes,
     "Tries its children in order until one whose condition holds selects a leaf", opcode::select_priority},
    opens_part({"StateMachine", kStateMachine, any_of(kState | kRef), kNodeAttributes,
                "Takes transitions from its current state while their conditions hold, then evaluates the node of the "
                "state that "
                "it has come to; at most 32 states",
                opcode::select_machine}),
    {"Leaf", kLeaf, kNothing, kLeafAttributes, "Selects its behaviour", opcode::select_leaf},
    {"Sequence", kSequence, any_of(kReadNodes | kRef), kNodeAttributes,
     "Not supported, since the engine does not evaluate it correctly"},
    {"State", kState, any_of(kTransition | kReadNodes | kRef), kStateAttributes,
     "A state of a machine: any number of transitions, and one node", opcode::select_state},
    {"Transition", kTransition, kNothing, kTransitionAttributes,
     "Leads to another state; of those whose conditions hold, the first one of the state is taken"},
    kRefRow,
    lower_case_ref(),
};

constexpr ElementTable kTable = [] {
  ElementTable result{};
  result.dialect = "selection";
  result.doc = "Behaviour selection trees of CRYENGINE 3; names of elements and attributes are compared without case";
  result.elements = kRows;
  result.root_count = 3;
  result.group_names = kGroupNames;
  result.any_case = true;
  result.rules.unknown_element = rules::SEL_unknown_element;
  result.rules.unexpected_element = rules::SEL_unexpected_element;
  result.rules.unknown_attribute = rules::SEL_unknown_attribute;
  result.rules.missing_attribute = rules::SEL_missing_attribute;
  result.rules.stray_text = rules::SEL_stray_text;
  result.rules.bad_value = rules::SEL_invalid_default;
  result.rules.repeated_attribute = rules::SEL_repeated_attribute;
  result.rules.ignored_attribute = rules::SEL_unread_condition;
  result.misspelt_attribute = rules::SEL_misspelt_attribute;
  return result;
}();

}  // namespace

const ElementTable& table() { return kTable; }

Groups kind_of(const Element& element) {
  const ElementRow* const row = kTable.find(element.name());
  return row == nullptr ? 0 : row->groups;
}

Placed in_place(const Element& element) { return {element, kTable.find(element.name())}; }

Attributes read_attributes(const Placed& placed, Reporter& reporter) {
  return {placed.element, *placed.row, reporter, placed.use};
}

Attribute meant(const Attributes& attributes, std::string_view name) {
  return attributes[name] ? attributes[name] : attributes.misspelt(name);
}

Attribute given(const Attributes& attributes, std::string_view name) {
  const Attribute attribute = meant(attributes, name);
  return attribute.value().empty() ? Attribute() : attribute;
}

}  // namespace espalier::dialects::selection
