// Deciders, groups and references to shared ones. See tree_reader.h.
#include <algorithm>
#include <utility>

#include "dialects/decider/tree_reader.h"
#include "dialects/reading/checks.h"
#include "dialects/reading/synonyms.h"
#include "rules/decider.h"
#include "runtime/format/opcodes/decide.h"
#include "runtime/format/records.h"

namespace espalier::dialects::decider {

// ---- Elements -----------------------------------------------------------------------------------

ir::Draft& TreeReader::read_decider(const Element& element, Row kind, const Context& place) {
  ++node_count_;
  if (kind == kReference) return read_reference(element, place);
  ir::Draft& node = read_attributes(element, kind, place);
  if (kind == kDecider) {
    refuse_children(element, kind);
    return node;
  }
  warn_of_stray_text(element, reporter_);
  read_children(element, node);
  if (!element.first_child()) {
    reporter_.report(rules::DEC_empty_group, element.span(), "the group has no children",
                     "add a 'Decider', 'Group' or 'DeciderRef'");
  }
  if (node.opcode == opcode::decide_shuffle && node.child_count() > layout::kMaxShuffled) {
    reporter_.report(rules::DEC_too_many, element.span(),
                     too_many("children of a 'shuffle' group", node.child_count(), layout::kMaxShuffled));
  }
  return node;
}

// A separate function, so that nested groups take little stack.
ir::Draft& TreeReader::read_attributes(const Element& element, Row kind, const Context& place) {
  const Attributes attributes(element, row(kind), reporter_);
  auto decider = std::make_shared<ir::Decider>();
  const Attribute name = attributes.filled("name");
  std::uint32_t weight = 1;
  ir::Draft& node = drafts_.make(opcode::decide_behavior, name.value(), element.span());
  add_name(name, place.standing);
  if (kind != kDecider) node.opcode = read_policy(attributes["policy"]);
  read_behavior_of(attributes, node.opcode, *decider);
  if (place.standing == Standing::root) {
    refuse_for_root(attributes);
  } else {
    weight = read_weight(attributes, place);
    read_preconditions(attributes, place, *decider);
  }
  read_decide(attributes, kind, place, *decider);
  node.set(ir::PlacedDecider{weight, std::move(decider)});
  return node;
}

ir::Draft& TreeReader::read_reference(const Element& element, const Context& place) {
  const Attributes attributes(element, row(kReference), reporter_);
  const Attribute name = attributes.filled("name");
  ir::Draft& node = drafts_.make(opcode::decide_share, name.value(), element.span());
  node.set(ir::DeciderShare{read_weight(attributes, place), 0});
  refuse_children(element, kReference);
  if (name) references_.push_back({name, place.policy, reading_shared_});
  return node;
}

void TreeReader::read_children(const Element& element, ir::Draft& node) {
  const Context place{Standing::child, node.opcode};
  for (Element child = element.first_child(); child; child = child.next_sibling()) {
    if (node_count_ > layout::kMaxNodes) break;  // which is reported
    const Row kind = find_row(child.name());
    if (is_decider(kind)) {
      node.add(read_decider(child, kind, place));
    } else {
      read_unexpected(child, kGroup, place);
    }
  }
}

// An element that is not allowed at its place. It is read as what it was meant to be.
void TreeReader::read_unexpected(const Element& element, Row parent_row, const Context& place) {
  const Row known = find_row(element.name());
  if (known == kRowCount) {
    const ElementRow* meant = report_unknown_element(element, row(parent_row), reporter_);
    if (meant == nullptr) return read_misplaced(element);
    static_cast<void>(read_decider(element, find_row(meant->name), place));
    return;
  }
  std::string hint(table().meaning_of(element.name()));
  if (is_section(known)) hint = "put it directly in " + quote(kRootElement);
  if (known == kReference) hint = "put it in a 'Group'";
  if (hint.empty() && is_entry(known)) hint = "put it in " + quote(row(section_of(known)).name);
  report_unexpected_element(element, row(parent_row), reporter_, std::move(hint));
  read_misplaced(element);
}

// For an element that may not have children.
void TreeReader::refuse_children(const Element& element, Row kind) {
  for (Element child = element.first_child(); child; child = child.next_sibling()) {
    const Row known = find_row(child.name());
    const bool could_be_group = kind == kDecider && is_decider(known);
    if (known == kRowCount) {
      report_unknown_element(child, row(kind), reporter_);
    } else {
      report_unexpected_element(child, row(kind), reporter_, could_be_group ? "only a 'Group' can have children" : "");
    }
    is_entry(kind) ? set_aside(child) : read_misplaced(child);
  }
  warn_of_stray_text(element, reporter_);
}

// ---- Attributes ---------------------------------------------------------------------------------

void TreeReader::add_name(const Attribute& name, Standing standing) {
  if (!name) {
    if (standing == Standing::shared || standing == Standing::misplaced) shared_names_.lack_one();
    return;
  }
  const bool is_new = decider_names_.declare(name.value(), size_of(named_), name.value_span(), reporter_,
                                             "to use one decider in several places, share it in 'Deciders'");
  if (!is_new) return;
  named_.push_back({standing, reading_shared_.value_or(0)});
  if (standing != Standing::shared) return;
  shared_names_.declare(name.value(), *reading_shared_, name.value_span(), reporter_);
}

Opcode TreeReader::read_policy(const Attribute& policy) {
  const std::string_view name = policy.value();
  const Opcode opcode = find_policy(name);
  if (name.empty() || opcode != kNoOpcode) return opcode;
  const std::vector<std::string_view> names(policy_names().begin(), policy_names().end());
  const std::string near = reporter_.nearest(name, names);
  const std::string meant = near.empty() ? std::string(synonym_of_value(name, names)) : near;
  text::Finding& finding =
      reporter_.report(rules::DEC_unknown_policy, policy.value_span(), "unknown policy " + quote(name),
                       meant.empty() ? expected_one_of(names) : did_you_mean(meant));
  reporter_.propose(finding, name, near, Guess::Of::word);
  return opcode;
}

void TreeReader::report_empty(const Attribute& attribute) {
  reporter_.report(rules::DEC_bad_value, attribute.value_span(), "attribute " + quote(attribute.name()) + " is empty",
                   "remove it, or give a name");
}

void TreeReader::read_behavior_of(const Attributes& attributes, Opcode opcode, ir::Decider& decider) {
  const Attribute& behavior = attributes["behavior"];
  if (!behavior.value().empty()) {
    decider.behavior = drafts_.text(behavior.value());
    const std::optional<std::uint32_t> number = find(kBehavior, behavior.value(), behavior.value_span());
    if (number) decider.memory_bytes = deciding().declared_behaviors[*number].memory_bytes;
  } else if (behavior && opcode != opcode::decide_behavior) {
    report_empty(behavior);
  }
  const Attribute& flags = attributes["behaviorFlags"];
  if (!flags) return;
  decider.behavior_flags = read_behavior_flags(flags);
  if (attributes.is_meant("behavior") || opcode == opcode::decide_behavior) return;
  reporter_.report(rules::DEC_flags_without_behavior, flags.name_span(), "'behaviorFlags' needs a 'behavior'");
}

// Refuses the attributes that other groups have and the root does not.
void TreeReader::refuse_for_root(const Attributes& attributes) {
  for (const AttributeRow& attribute_row : row(kGroup).attributes) {
    const Attribute& attribute = attributes[attribute_row.name];
    if (!attribute || find_attribute(table(), row(kRoot), attribute_row.name) != nullptr) continue;
    reporter_.report(rules::DEC_root_attribute, attribute.name_span(),
                     quote(attribute_row.name) + " is not allowed on the root group",
                     "the root group is entered without being asked");
  }
}

void TreeReader::read_decide(const Attributes& attributes, Row kind, const Context& place, ir::Decider& decider) {
  const bool is_root = place.standing == Standing::root;
  const Attribute& decide = attributes["decide"];
  if (decide && decide.value().empty()) {
    report_empty(decide);
  } else if (decide && !is_root) {
    decider.decide = drafts_.text(decide.value());
    if (!report_call(rules::DEC_name_is_a_call, decide, reporter_)) {
      hosts_.decide_functions.check(decide.value(), decide.value_span(), reporter_);
    }
  }
  const bool has_decide = attributes.is_meant("decide");
  const std::optional<std::uint32_t> block_bytes = attributes.whole("block");
  decider.block_bytes = block_bytes.value_or(0);
  if (block_bytes && !has_decide) {
    reporter_.report(rules::DEC_block_without_decide, attributes["block"].name_span(),
                     "'block' has no effect without 'decide'");
  }
  if (kind == kDecider || is_root) return;
  decider.delegates = attributes.boolean("delegate");
  decider.decides_again = attributes.boolean("decideOnRedecide");
  if (decider.delegates && decide) {
    reporter_.report(rules::DEC_delegate_with_decide, attributes["delegate"].name_span(),
                     "'delegate' and 'decide' exclude each other: a group that delegates asks its children",
                     "remove one of them", {decide.name_span(), "'decide' is here"});
  }
  if (decider.decides_again && !has_decide) {
    reporter_.report(rules::DEC_decide_on_redecide_without_decide, attributes["decideOnRedecide"].name_span(),
                     "'decideOnRedecide' has no effect without 'decide'");
  }
}

void TreeReader::read_preconditions(const Attributes& attributes, const Context& place, ir::Decider& decider) {
  if (const std::optional<std::uint64_t> time_us = attributes.seconds_us("every")) {
    const Attribute& every = attributes["every"];
    decider.every_us = *time_us;
    if (place.standing == Standing::shared) shared_[*reading_shared_].every = every;
    if (asks_without_choosing(place.policy)) report_every(every, place.policy);
  }
  read_list(attributes["flagsAll"], kFlag, true, decider.flags_all);
  const bool knows_flags = read_list(attributes["flagsAny"], kFlag, false, decider.flags_any);
  read_list(attributes["stimuliAll"], kStimulus, true, decider.stimuli_all);
  const bool knows_stimuli = read_list(attributes["stimuliAny"], kStimulus, false, decider.stimuli_any);
  if (knows_flags) check_any(decider.flags_all, decider.flags_any);
  if (knows_stimuli) check_any(decider.stimuli_all, decider.stimuli_any);
}

std::uint32_t TreeReader::read_weight(const Attributes& attributes, const Context& place) {
  const std::optional<std::uint32_t> weight = attributes.whole("weight");
  if (!weight) return 1;
  const Span span = attributes["weight"].name_span();
  if (place.standing == Standing::shared) {
    reporter_.report(rules::DEC_weight_not_read, span, "'weight' of a shared decider is ignored",
                     "set it on each 'DeciderRef'");
    return 1;
  }
  if (place.policy != kNoOpcode && place.policy != opcode::decide_random) {
    reporter_.report(rules::DEC_weight_not_read, span,
                     "'weight' is ignored in a " + quote(policy_name(place.policy)) + " group",
                     "only a 'random' group uses weights");
  }
  return *weight;
}

}  // namespace espalier::dialects::decider
