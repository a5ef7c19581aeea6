// Findings that damage explains. See damage.h.
#include "project/damage.h"

#include <algorithm>

#include "rules/decider.h"
#include "rules/dragengine.h"
#include "rules/modular.h"
#include "rules/rules.h"
#include "rules/selection.h"
#include "rules/synchronized.h"
#include "rules/xml.h"

namespace espalier::project {
namespace {

using text::Finding;
using text::Rule;
using text::Span;

// A rule that reports a name as undeclared. In a file that ends too early the declaration may be missing, unless the
// element that has all declarations is complete: the one named `scope` around the name, or the child `section` of the
// root, of which there is only one. Without either, other files or any part of this one may declare the name.
struct UnknownName {
  Rule rule;
  std::string_view scope = {};
  std::string_view section = {};
};

constexpr UnknownName kUnknownNames[] = {
    {rules::SEL_unknown_variable, "SelectionTree"},
    {rules::SEL_unknown_state, "StateMachine"},
    {rules::SEL_unresolved_reference},
    {rules::SEL_map_without_leaf, "SelectionTree"},
    {rules::SEL_map_in_other_case, "SelectionTree"},
    {rules::MBT_unknown_variable},
    {rules::MBT_unknown_state, "StateMachine"},
    {rules::MBT_unknown_signal_variable},
    {rules::MBT_unknown_timestamp},
    {rules::DEC_unknown_flag, {}, "DecisionFlags"},
    {rules::DEC_unknown_stimulus, {}, "Stimuli"},
    {rules::DEC_unknown_behavior, {}, "Behaviors"},
    {rules::DEC_unknown_decider, {}, "Deciders"},
    {rules::SYN_unknown_tree},
};

// Rules about the start tag of an element that they mark by its name, whatever its content is.
constexpr Rule kOfStartTags[] = {rules::SEL_unknown_element,
                                 rules::SEL_unexpected_element,
                                 rules::SEL_missing_attribute,
                                 rules::SEL_second_root,
                                 rules::SEL_second_node_in_state,
                                 rules::MBT_unusual_element,
                                 rules::MBT_element_case,
                                 rules::MBT_unexpected_element,
                                 rules::MBT_unknown_node,
                                 rules::MBT_missing_attribute,
                                 rules::MBT_recommended_attribute,
                                 rules::MBT_nearly_known_node,
                                 rules::MBT_breakpoint,
                                 rules::MBT_deprecated,
                                 rules::DRA_unknown_element,
                                 rules::DRA_missing_attribute,
                                 rules::DRA_second_root,
                                 rules::DRA_subtree_spelling,
                                 rules::DEC_unknown_element,
                                 rules::DEC_missing_attribute,
                                 rules::DEC_second_root,
                                 rules::DEC_repeated_section,
                                 rules::SYN_unknown_element,
                                 rules::SYN_missing_attribute,
                                 rules::SYN_second_root,
                                 rules::SYN_extra_child,
                                 rules::SYN_role_outside_group,
                                 rules::SYN_no_role,
                                 rules::SYN_barrier_outside_role,
                                 rules::SYN_not_below_monitor,
                                 rules::SYN_action_in_monitor,
                                 rules::SYN_wide_gate,
                                 rules::SYN_never_bound};

// Rules about the content of an element, of which they may mark an attribute.
constexpr Rule kOfContent[] = {rules::SEL_no_root,
                               rules::SEL_machine_without_states,
                               rules::SEL_state_without_node,
                               rules::SEL_empty_priority,
                               rules::MBT_invalid_root,
                               rules::MBT_child_count,
                               rules::MBT_superfluous_composite,
                               rules::DRA_empty_tree,
                               rules::DRA_mode_without_conditions,
                               rules::DRA_missing_parameter,
                               rules::DRA_recommended_parameter,
                               rules::DEC_no_root,
                               rules::DEC_empty_group,
                               rules::SYN_no_root,
                               rules::SYN_missing_child,
                               rules::SYN_role_count,
                               rules::SYN_missing_parameter};

using Cause = text::XmlDocument::Cause;

Cause cause_of(Rule rule) {
  const auto is_rule = [&](Rule each) { return each == rule; };
  if (std::any_of(std::begin(kOfStartTags), std::end(kOfStartTags), is_rule)) return Cause::start_tag;
  if (std::any_of(std::begin(kOfContent), std::end(kOfContent), is_rule)) return Cause::content;
  return Cause::marked;
}

// Is the rule about XML itself? Damage does not explain such a finding; it may be the damage.
bool is_of_xml(Rule rule) {
  return rules::info(rule).code.substr(0, 3) == "XML" && rule != rules::XML_unknown_root_element;
}

// Calls `visit` with each word of a text: a sequence of characters of names.
template <typename Visit>
void each_word(std::string_view text, const Visit& visit) {
  const auto is_of_word = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           static_cast<unsigned char>(c) > 0x7F;
  };
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::size_t begin = at;
    while (at < text.size() && is_of_word(text[at])) ++at;
    if (at > begin) visit(text.substr(begin, at - begin));
  }
}

// Does a finding mark a name in an attribute that is made of these words? Places with these words may declare or use
// it.
bool names_one_of(const Damage::Words& words, const text::XmlDocument& document, Span span) {
  if (!document.is_in_attribute(span)) return false;
  bool is_there = false;
  bool is_all_there = true;
  each_word(document.source().text().substr(span.begin, span.end - span.begin), [&](std::string_view word) {
    is_there = true;
    is_all_there = is_all_there && words.count(word) != 0;
  });
  return is_there && is_all_there;
}

}  // namespace

Damage::Damage(const std::vector<std::unique_ptr<text::XmlDocument>>& documents) {
  const auto is_damaged = [](const auto& document) { return document->is_damaged(); };
  if (std::none_of(documents.begin(), documents.end(), is_damaged)) return;
  for (const auto& document : documents) {
    documents_.emplace(document->file(), document.get());
    is_cut_ = is_cut_ || document->is_cut();
    if (!document->is_damaged()) continue;
    each_word(document->source().text(), [&](std::string_view word) { words_of_files_.insert(word); });
    for (const std::string_view text : document->damaged_text()) {
      each_word(text, [&](std::string_view word) { words_.insert(word); });
    }
  }
}

const text::XmlDocument* Damage::document_of(const Finding& finding) const {
  const auto found = documents_.find(finding.span.file);
  return found == documents_.end() ? nullptr : found->second;
}

void Damage::leave_out_read(text::Findings& findings) const {
  if (documents_.empty()) return;
  std::erase_if(findings.all(), [&](const Finding& finding) {
    const text::XmlDocument* const document = document_of(finding);
    if (document == nullptr || is_of_xml(finding.rule)) return false;
    return document->may_come_of_damage(finding.span, cause_of(finding.rule)) || may_be_declared(finding, *document);
  });
}

// Does the finding report a name as undeclared that a damaged or missing part may declare?
bool Damage::may_be_declared(const Finding& finding, const text::XmlDocument& document) const {
  const auto* const name = std::find_if(std::begin(kUnknownNames), std::end(kUnknownNames),
                                        [&](const UnknownName& each) { return each.rule == finding.rule; });
  if (name == std::end(kUnknownNames)) return false;
  if (names_one_of(words_, document, finding.span)) return true;
  if (!document.is_cut()) return false;
  if (!name->scope.empty() && document.is_within_sound(name->scope, finding.span)) return false;
  return name->section.empty() || !document.has_sound_section(name->section);
}

void Damage::leave_out_analysed(text::Findings& findings) const {
  if (documents_.empty()) return;
  std::erase_if(findings.all(), [&](const Finding& finding) {
    const text::XmlDocument* const document = document_of(finding);
    return document != nullptr && names_one_of(words_of_files_, *document, finding.span);
  });
}

}  // namespace espalier::project
