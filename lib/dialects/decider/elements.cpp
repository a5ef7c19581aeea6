// The tables. See elements.h.
#include "dialects/decider/elements.h"

#include <algorithm>

#include "text/names.h"

namespace espalier::dialects::decider {
namespace {

constexpr AttributeRow kName[] = {{"name", true}};
constexpr AttributeRow kStimulus[] = {{"name", true}, {"timeout"}};
constexpr AttributeRow kSignal[] = {{"name", true}, {"stimulus", true}};
constexpr AttributeRow kBehavior[] = {{"name", true}, {"memory"}};

constexpr SectionRow kSections[] = {
    {"DecisionFlags", "Flag", kName},
    {"Stimuli", "Stimulus", kStimulus},
    {"SignalStimuli", "Signal", kSignal},
    {"Behaviors", "Behavior", kBehavior},
    {"Deciders", {}, {}},
};
static_assert(std::size(kSections) == kSectionCount);

constexpr AttributeRow kDeciderAttributes[] = {{"name", true}, {"behavior", true}, {"behaviorFlags"}, {"decide"},
                                               {"block"},      {"weight"},         {"every"},         {"flagsAll"},
                                               {"flagsAny"},   {"stimuliAll"},     {"stimuliAny"}};
constexpr AttributeRow kGroupAttributes[] = {{"name", true},       {"policy", true}, {"behavior"}, {"behaviorFlags"},
                                             {"decide"},           {"block"},        {"delegate"}, {"weight"},
                                             {"decideOnRedecide"}, {"every"},        {"flagsAll"}, {"flagsAny"},
                                             {"stimuliAll"},       {"stimuliAny"}};
constexpr AttributeRow kReferenceAttributes[] = {{"name", true}, {"weight"}};

constexpr KindRow kKinds[] = {
    {"Decider", kDeciderAttributes}, {"Group", kGroupAttributes}, {"DeciderRef", kReferenceAttributes}};
static_assert(std::size(kKinds) == kKindCount);

constexpr std::string_view kNotForRoot[] = {"decide",   "delegate", "decideOnRedecide", "weight",    "every",
                                            "flagsAll", "flagsAny", "stimuliAll",       "stimuliAny"};

constexpr PolicyRow kPolicies[] = {
    {"prioritizedList", Opcode::decide_prioritized},
    {"sequential", Opcode::decide_sequential},
    {"random", Opcode::decide_random},
    {"shuffle", Opcode::decide_shuffle},
    {"scored", Opcode::decide_scored},
};

struct Meaning {
  std::string_view name;
  std::string_view meant;
};

constexpr std::string_view kSelectorHint = "a 'Group' with policy=\"prioritizedList\" takes the first that accepts";
constexpr std::string_view kSequenceHint =
    "no decider does one thing after another: a 'Group' with policy=\"sequential\" takes the next child each time it "
    "decides";
constexpr std::string_view kBehaviorHint =
    "a behaviour is named by a decider: <Decider name=\"...\" behavior=\"...\"/>";
constexpr std::string_view kReferenceHint = "'DeciderRef' puts a shared decider here";
constexpr std::string_view kConditionHint =
    "what a decider asks for stands in its attributes: 'flagsAll', 'stimuliAny', 'decide' and the like";

constexpr Meaning kElements[] = {
    {"Selector", kSelectorHint},
    {"Fallback", kSelectorHint},
    {"Priority", kSelectorHint},
    {"PrioritizedList", kSelectorHint},
    {"Sequence", kSequenceHint},
    {"Sequential", "a 'Group' with policy=\"sequential\""},
    {"Random", "a 'Group' with policy=\"random\""},
    {"Shuffle", "a 'Group' with policy=\"shuffle\""},
    {"Scored", "a 'Group' with policy=\"scored\""},
    {"Utility", "a 'Group' with policy=\"scored\" takes the child with the highest value"},
    {"Parallel",
     "one path is active at a time; a group may have a behaviour of its own, which its children run beside"},
    {"Behavior", kBehaviorHint},
    {"Behaviour", kBehaviorHint},
    {"Action", kBehaviorHint},
    {"Leaf", kBehaviorHint},
    {"Task", kBehaviorHint},
    {"Condition", kConditionHint},
    {"Precondition", kConditionHint},
    {"Preconditions", kConditionHint},
    {"Reference", kReferenceHint},
    {"Ref", kReferenceHint},
    {"Subtree", kReferenceHint},
    {"GroupRef", "'DeciderRef' puts a shared group here too"},
};

constexpr Meaning kPolicyMeanings[] = {
    {"priority", "prioritizedList"},
    {"prioritised", "prioritizedList"},
    {"prioritized", "prioritizedList"},
    {"prioritisedList", "prioritizedList"},
    {"priorityList", "prioritizedList"},
    {"selector", "prioritizedList"},
    {"first", "prioritizedList"},
    {"list", "prioritizedList"},
    {"sequence", "sequential"},
    {"roundRobin", "sequential"},
    {"weighted", "random"},
    {"weightedRandom", "random"},
    {"shuffled", "shuffle"},
    {"score", "scored"},
    {"utility", "scored"},
    {"highest", "scored"},
};

std::string_view meaning_of(std::span<const Meaning> meanings, std::string_view name) {
  const auto found = std::find_if(meanings.begin(), meanings.end(),
                                  [&](const Meaning& meaning) { return text::equal_any_case(meaning.name, name); });
  return found == meanings.end() ? std::string_view() : found->meant;
}

}  // namespace

const SectionRow& section_row(Section section) { return kSections[section]; }

Section find_section(std::string_view name) {
  std::uint8_t i = 0;
  while (i < kSectionCount && kSections[i].name != name) ++i;
  return static_cast<Section>(i);
}

Section section_of_entry(std::string_view entry) {
  std::uint8_t i = 0;
  while (i < kSectionCount && (kSections[i].entry.empty() || kSections[i].entry != entry)) ++i;
  return static_cast<Section>(i);
}

const KindRow& kind_row(Kind kind) { return kKinds[kind]; }

Kind find_kind(std::string_view name) {
  std::uint8_t i = 0;
  while (i < kKindCount && kKinds[i].name != name) ++i;
  return static_cast<Kind>(i);
}

std::string_view element_with(std::string_view attribute) {
  const auto has = [&](const auto& row) {
    return std::any_of(row.attributes.begin(), row.attributes.end(),
                       [&](const AttributeRow& each) { return each.name == attribute; });
  };
  for (const KindRow& row : kKinds) {
    if (has(row)) return row.name;
  }
  for (const SectionRow& row : kSections) {
    if (has(row)) return row.entry;
  }
  return {};
}

std::span<const std::string_view> not_for_root() { return kNotForRoot; }

std::span<const PolicyRow> policies() { return kPolicies; }

std::string_view policy_name(Opcode opcode) {
  for (const PolicyRow& row : kPolicies) {
    if (row.opcode == opcode) return row.name;
  }
  return {};
}

bool asks_without_choosing(Opcode policy) {
  return policy == Opcode::decide_random || policy == Opcode::decide_shuffle || policy == Opcode::decide_scored;
}

std::string_view hint_of_element(std::string_view name) { return meaning_of(kElements, name); }

std::string_view policy_meant_by(std::string_view name) { return meaning_of(kPolicyMeanings, name); }

}  // namespace espalier::dialects::decider
