// Deciders, groups and references to shared ones. See tree_reader.h.
#include <algorithm>
#include <utility>

#include "dialects/decider/tree_reader.h"
#include "runtime/format/records.h"

namespace espalier::dialects::decider {
namespace {

using text::quote;

constexpr std::uint32_t kMaxWeight = 65535;

std::string list_of_policies() {
  std::string list;
  for (const PolicyRow& row : policies()) {
    list += (list.empty() ? "" : &row == &policies().back() ? " or " : ", ") + quote(row.name);
  }
  return list;
}

}  // namespace

// ---- Elements -----------------------------------------------------------------------------------

ir::Node TreeReader::read_decider(const Element& element, Kind kind, const Place& place) {
  ++node_count_;
  if (kind == kReference) return read_reference(element, place);
  ir::Node node = read_alone(element, kind, place);
  warn_of_text(element);
  if (kind == kDecider) {
    refuse_children(element);
    return node;
  }
  read_children(element, node);
  if (!element.first_child()) {
    reporter_.report(Rule::DEC_empty_group, element.span(), "the group has nothing to choose from",
                     "it needs a 'Decider', 'Group' or 'DeciderRef'");
  }
  if (node.opcode == Opcode::decide_shuffle && node.children.size() > layout::kMaxShuffled) {
    reporter_.report(Rule::DEC_too_many, element.span(),
                     "a shuffle group has at most " + std::to_string(layout::kMaxShuffled) + " children, this has " +
                         std::to_string(node.children.size()));
  }
  return node;
}

// Its attributes. Apart, so that groups within groups take little stack.
ir::Node TreeReader::read_alone(const Element& element, Kind kind, const Place& place) {
  const Attributes attributes(element, kind_row(kind).attributes, kAttributeRules, reporter_);
  ir::Node node;
  auto own = std::make_shared<ir::Decider>();
  ir::Decider& decider = *own;
  const Attribute name = attributes.filled("name");
  std::uint32_t weight = 1;
  node.name = name.value();
  node.span = element.span();
  add_name(name, place.standing);
  node.opcode = kind == kDecider ? Opcode::decide_behavior : read_policy(attributes["policy"]);
  read_behavior_of(attributes, node.opcode, decider);
  if (place.standing == Standing::root) {
    refuse_for_root(attributes);
  } else {
    weight = read_weight(attributes["weight"], place);
    read_preconditions(attributes, place, decider);
  }
  read_decide(attributes, kind, place, decider);
  node.payload = ir::PlacedDecider{weight, std::move(own)};
  return node;
}

ir::Node TreeReader::read_reference(const Element& element, const Place& place) {
  const Attributes attributes(element, kind_row(kReference).attributes, kAttributeRules, reporter_);
  const Attribute name = attributes.filled("name");
  ir::Node node;
  node.opcode = Opcode::decide_share;
  node.name = name.value();
  node.span = element.span();
  node.payload = ir::DeciderShare{read_weight(attributes["weight"], place), 0};
  refuse_children(element);
  warn_of_text(element);
  if (name) references_.push_back({name, place.policy, reading_shared_});
  return node;
}

void TreeReader::read_children(const Element& element, ir::Node& node) {
  const Place place{Standing::child, node.opcode};
  std::size_t count = 0;
  for (Element child = element.first_child(); child; child = child.next_sibling()) ++count;
  node.children.reserve(count);
  for (Element child = element.first_child(); child; child = child.next_sibling()) {
    const Kind kind = find_kind(child.name());
    if (kind == kKindCount) {
      read_unknown(child, element, place);
    } else {
      node.children.push_back(read_decider(child, kind, place));
    }
  }
}

// An element that may not stand there. It is read as what it was meant to be.
void TreeReader::read_unknown(const Element& element, const Element& parent, const Place& place) {
  const std::string_view name = element.name();
  const Section entry = section_of_entry(name);
  std::string hint(hint_of_element(name));
  std::string near;
  if (find_section(name) != kSectionCount) {
    hint = "put it right below " + quote(kRootElement);
  } else if (find_kind(name) == kReference) {
    hint = "it stands in a 'Group'";
  } else if (hint.empty() && entry != kSectionCount) {
    hint = "put it in " + quote(section_row(entry).name);
  } else if (hint.empty()) {
    std::vector<std::string_view> candidates = {kind_row(kDecider).name, kind_row(kGroup).name};
    if (place.standing == Standing::child) candidates.push_back(kind_row(kReference).name);
    near = reporter_.nearest(text::local_name(name), candidates);
    hint = text::element_hint(name, near);
  }
  reporter_.report(Rule::DEC_unknown_element, element.span(),
                   "there is no element " + quote(name) + " in " + quote(parent.name()), std::move(hint));
  if (near.empty()) {
    read_misplaced(element);
  } else {
    static_cast<void>(read_decider(element, find_kind(near), place));
  }
}

void TreeReader::refuse_children(const Element& element) {
  for (Element child = element.first_child(); child; child = child.next_sibling()) {
    const bool could_be_group = find_kind(element.name()) == kDecider && find_kind(child.name()) != kKindCount;
    reporter_.report(Rule::DEC_unknown_element, child.span(),
                     "there is no element " + quote(child.name()) + " in " + quote(element.name()),
                     could_be_group ? "a 'Group' has deciders below it, a 'Decider' has none" : "");
    read_misplaced(child);
  }
}

// ---- Attributes ---------------------------------------------------------------------------------

void TreeReader::add_name(const Attribute& name, Standing standing) {
  if (!name) {
    may_lack_shared_ = may_lack_shared_ || standing == Standing::shared || standing == Standing::misplaced;
    return;
  }
  const std::uint32_t shared = reading_shared_.value_or(0);
  const auto [first, is_new] =
      deciders_.try_emplace(std::string(name.value()), NamedDecider{name.value_span(), standing, shared});
  if (is_new) return;
  reporter_.report(Rule::DEC_duplicate_name, name.value_span(), "a second decider " + quote(name.value()),
                   "to put one decider in several places, share it in 'Deciders'",
                   {first->second.span, "first defined here"});
}

// Opcode::count: there is none of the name.
Opcode TreeReader::read_policy(const Attribute& policy) {
  const std::string_view name = policy.value();
  if (name.empty()) return Opcode::count;
  for (const PolicyRow& row : policies()) {
    if (row.name == name) return row.opcode;
  }
  std::vector<std::string_view> names;
  for (const PolicyRow& row : policies()) names.push_back(row.name);
  const std::string_view meant = policy_meant_by(name);
  std::string hint = did_you_mean(meant.empty() ? reporter_.nearest(name, names) : std::string(meant));
  reporter_.report(Rule::DEC_unknown_policy, policy.value_span(), "there is no policy " + quote(name),
                   hint.empty() ? list_of_policies() : std::move(hint));
  return Opcode::count;
}

void TreeReader::read_behavior_of(const Attributes& attributes, Opcode opcode, ir::Decider& decider) {
  const Attribute& behavior = attributes["behavior"];
  if (!behavior.value().empty()) {
    decider.behavior = behavior.value();
    const std::optional<std::uint32_t> number = find(kBehaviors, behavior.value(), behavior.value_span());
    if (number) decider.memory_bytes = deciding().declared_behaviors[*number].memory_bytes;
  } else if (behavior && opcode != Opcode::decide_behavior) {
    report_empty(behavior);
  }
  const Attribute& flags = attributes["behaviorFlags"];
  if (!flags) return;
  decider.behavior_flags = read_behavior_flags(flags);
  if (attributes.is_meant("behavior") || opcode == Opcode::decide_behavior) return;
  reporter_.report(Rule::DEC_flags_without_behavior, flags.name_span(),
                   "without a 'behavior' there is nobody to pass the flags to");
}

void TreeReader::refuse_for_root(const Attributes& attributes) {
  for (const std::string_view name : not_for_root()) {
    const Attribute& attribute = attributes[name];
    if (!attribute) continue;
    reporter_.report(Rule::DEC_root_attribute, attribute.name_span(),
                     "the root is entered without being asked: it has no " + quote(name));
  }
}

void TreeReader::read_decide(const Attributes& attributes, Kind kind, const Place& place, ir::Decider& decider) {
  const Attribute& decide = attributes["decide"];
  if (decide && decide.value().empty()) report_empty(decide);
  if (place.standing != Standing::root && !decide.value().empty()) {
    decider.decide = decide.value();
    warn_of_undeclared(Rule::DEC_undeclared_decide, "Decide function", options_.decide_functions,
                       host_names_.decide_functions, decide.value(), decide.value_span());
  }
  const bool has_decide = attributes.is_meant("decide");
  if (const Attribute& block = attributes["block"]) {
    const std::optional<std::uint32_t> bytes = read_whole(block, 0, layout::kMaxBlockBytes);
    decider.block_bytes = bytes.value_or(0);
    if (bytes && !has_decide) {
      reporter_.report(Rule::DEC_block_without_decide, block.name_span(), "without a 'decide' nobody fills the block");
    }
  }
  if (kind == kDecider || place.standing == Standing::root) return;
  const Attribute& delegate = attributes["delegate"];
  const Attribute& again = attributes["decideOnRedecide"];
  decider.delegates = read_boolean(delegate);
  decider.decides_again = read_boolean(again);
  if (decider.delegates && decide) {
    reporter_.report(Rule::DEC_delegate_with_decide, delegate.name_span(),
                     "a group that delegates asks its children instead of a 'decide'", "leave one of the two out",
                     {decide.name_span(), "the other one"});
  }
  if (decider.decides_again && !has_decide) {
    reporter_.report(Rule::DEC_decide_on_redecide_without_decide, again.name_span(),
                     "without a 'decide' there is nothing to call before the group decides again");
  }
}

void TreeReader::read_preconditions(const Attributes& attributes, const Place& place, ir::Decider& decider) {
  if (const Attribute& every = attributes["every"]) {
    const std::optional<std::uint64_t> time_us = read_seconds_us(every);
    decider.every_us = time_us.value_or(0);
    if (time_us && place.standing == Standing::shared) shared_[*reading_shared_].every = every;
    if (time_us && asks_without_choosing(place.policy)) report_every(every, place.policy);
  }
  const Attribute& flags_all = attributes["flagsAll"];
  const Attribute& flags_any = attributes["flagsAny"];
  const Attribute& stimuli_all = attributes["stimuliAll"];
  const Attribute& stimuli_any = attributes["stimuliAny"];
  static_cast<void>(read_list(flags_all, kFlags, true, decider.flags_all));
  const bool knows_flags = read_list(flags_any, kFlags, false, decider.flags_any);
  static_cast<void>(read_list(stimuli_all, kStimuli, true, decider.stimuli_all));
  const bool knows_stimuli = read_list(stimuli_any, kStimuli, false, decider.stimuli_any);
  if (knows_flags) check_any(decider.flags_all, decider.flags_any);
  if (knows_stimuli) check_any(decider.stimuli_all, decider.stimuli_any);
}

std::uint32_t TreeReader::read_weight(const Attribute& weight, const Place& place) {
  if (!weight) return 1;
  const std::optional<std::uint32_t> number = read_whole(weight, 1, kMaxWeight);
  if (!number) return 1;
  if (place.standing == Standing::shared) {
    reporter_.report(Rule::DEC_weight_not_read, weight.name_span(), "nothing reads the weight of a shared decider",
                     "each 'DeciderRef' has its own");
    return 1;
  }
  if (place.policy != Opcode::count && place.policy != Opcode::decide_random) {
    reporter_.report(Rule::DEC_weight_not_read, weight.name_span(),
                     "a " + quote(policy_name(place.policy)) + " group reads no weights", "only a 'random' one does");
  }
  return *number;
}

}  // namespace espalier::dialects::decider
