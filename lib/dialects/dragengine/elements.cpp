// The element table. See elements.h.
#include "dialects/dragengine/elements.h"

#include "rules/dragengine.h"
#include "runtime/format/opcodes/rule.h"
#include "runtime/format/records.h"
#include "runtime/include/espalier/espalier.hpp"

namespace espalier::dialects::dragengine {
namespace {

// ---- Attributes ---------------------------------------------------------------------------------

constexpr AttributeRow kId =
    declares({NameKind::rule, NameScope::tree},
             {"id", Need::optional, kName,
              "Name by which the rule can be jumped to and saved, unique in the tree; '.' as its first "
              "character continues the id of the nearest list that has one"});
constexpr AttributeRow kLoop{"loop", Need::optional, kBoolean,
                             "'true': the list restarts within the same update instead of succeeding", "false"};
constexpr AttributeRow kDoNotFail{"doNotFail", Need::optional, kBoolean,
                                  "'true': the rule succeeds where it would fail", "false"};

constexpr AttributeRow kActionAttributes[] = {
    kId, reads({NameKind::action}, {"name", Need::required, kName, "Name of the game's action"}), kDoNotFail};
constexpr AttributeRow kListAttributes[] = {kId, kLoop, kDoNotFail};
constexpr AttributeRow kLeafAttributes[] = {kId};
constexpr AttributeRow kParameterAttributes[] = {
    declares({NameKind::parameter, NameScope::tree}, {"name", Need::required, kText, "Name of the parameter"})};

// In the order of layout::QueryMode.
constexpr std::string_view kModes[] = {"allTrue", "anyTrue", "anyFalse", "allFalse"};
static_assert(std::size(kModes) == static_cast<std::size_t>(layout::QueryMode::count));

// ---- Elements -----------------------------------------------------------------------------------

constexpr auto kRunning = static_cast<std::uint8_t>(Result::running);
constexpr auto kFailure = static_cast<std::uint8_t>(Result::failure);
constexpr auto kSuccess = static_cast<std::uint8_t>(Result::success);

constexpr Content text_of(Value value, NameKind kind = NameKind::none) {
  Content content = kNothing;
  content.text = value;
  content.naming.kind = kind;
  return content;
}
constexpr Content kOfList{kRules | kParts};
constexpr Content kOfLeaf{kParts};
constexpr Content kPath = text_of(kName, NameKind::file);
constexpr std::string_view kSubtreeDoc =
    "The rules of another file, as a sequence; its text is the path, relative to this file, or with '/' as its first "
    "character to the project folder";

constexpr ElementRow make_alias(ElementRow row, std::string_view name) {
  row.written_for = row.name;
  row.name = name;
  return row;
}
constexpr ElementRow kSubtreeRow{kSubtree, kRules, kPath, kListAttributes, kSubtreeDoc, opcode::rule_subtree};

constexpr ElementRow kElements[] = {
    opens_tree({kRootElement, 0, {kRules}, {}, "A tree of one rule, or rules for a 'subtree' of another file"}),
    {"action", kRules, kOfLeaf, kActionAttributes, "Calls an action of the game while its conditions hold",
     opcode::rule_action},
    {"sequence", kRules, kOfList, kListAttributes,
     "Runs its rules in order until one fails; succeeds after the last one", opcode::rule_sequence},
    {"choice", kRules, kOfList, kListAttributes, "Runs its rules in order until one succeeds; fails after the last one",
     opcode::rule_choice},
    {"success", kRules, kOfLeaf, kLeafAttributes, "Succeeds if its conditions hold", opcode::rule_result, kSuccess},
    {"failure", kRules, kOfLeaf, kLeafAttributes, "Always fails; its conditions are not asked", opcode::rule_result,
     kFailure},
    {"running", kRules, kOfLeaf, kLeafAttributes, "Runs as long as its conditions hold", opcode::rule_result, kRunning},
    {"yield", kRules, kOfLeaf, kLeafAttributes, "Ends the update once, then succeeds in the next one",
     opcode::rule_yield},
    kSubtreeRow,
    make_alias(kSubtreeRow, "subTree"),
    {kParameter, kParts, text_of(kText), kParameterAttributes,
     "A parameter of the rule's action and conditions; its text is the value"},
    {kCondition,
     kParts,
     text_of(kName, NameKind::condition),
     {},
     "A condition of the rule; its text is the name of the game's condition"},
    {kConditionMode,
     kParts,
     text_of(one_of(kModes)),
     {},
     "How the conditions are combined; without it, all of them must be true"},
};

constexpr ElementTable make_table() {
  ElementTable table{};
  table.dialect = "dragengine";
  table.doc = "Behaviour trees of the Drag[en]gine";
  table.elements = kElements;
  table.rules = {rules::DRA_unknown_element,   rules::DRA_unknown_element, rules::DRA_unknown_attribute,
                 rules::DRA_missing_attribute, rules::DRA_stray_text,      rules::DRA_bad_value,
                 rules::DRA_bad_value};
  return table;
}
constexpr ElementTable kTable = make_table();

}  // namespace

const ElementTable& table() { return kTable; }

const ElementRow& any_list() { return *find_row("sequence"); }

}  // namespace espalier::dialects::dragengine
