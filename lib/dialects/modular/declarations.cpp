// What a tree declares, and what refers to it: variables, signals, timestamps, events, conditions. See tree_reader.h.
#include <algorithm>
#include <utility>

#include "dialects/condition/condition.h"
#include "dialects/modular/tree_reader.h"
#include "text/names.h"

namespace espalier::dialects::modular {
namespace {

// In the order of condition::FaultKind.
constexpr Rule kConditionRules[] = {Rule::MBT_bad_condition,  Rule::MBT_bad_condition,        Rule::MBT_bad_condition,
                                    Rule::MBT_bad_condition,  Rule::MBT_text_after_condition, Rule::MBT_mixed_operators,
                                    Rule::MBT_large_condition};
static_assert(std::size(kConditionRules) == static_cast<std::size_t>(condition::FaultKind::count));

constexpr std::string_view kGameEvents = "GameEvents";
constexpr std::string_view kEvent = "Event";
constexpr std::string_view kDropsRest = "the engine ignores it and the rest of the section";

std::uint32_t size_of(const auto& container) { return static_cast<std::uint32_t>(container.size()); }

// The names of things that the tree declares.
std::vector<std::string_view> names_of(const auto& things) {
  std::vector<std::string_view> names;
  names.reserve(things.size());
  for (const auto& thing : things) names.push_back(thing.name);
  return names;
}

}  // namespace

// ---- Events -------------------------------------------------------------------------------------

// With a section of them the tree uses no others than those that are declared there, in espalier.json, or by the
// engine.
void TreeReader::read_events(const Element& section) {
  if (options_.engine != Engine::cryengine_5_6) {
    reporter_.report(Rule::MBT_unread_element, section.span(), "'Events' is ignored by " + reporter_.engine(),
                     "CRYENGINE 5.6 reads it");
    return;
  }
  std::vector<Attribute> names;
  Element game_events;
  for (Element child = section.first_child(); child; child = child.next_sibling()) {
    if (text::equal_any_case(child.name(), kGameEvents) && game_events) {
      reporter_.report(Rule::MBT_unread_element, child.span(), "the second 'GameEvents' is ignored", {},
                       {game_events.span(), "this one is read"});
    } else if (text::equal_any_case(child.name(), kGameEvents)) {
      game_events = child;
      check_case(child, kGameEvents);
      read_game_events(child, names);
    } else if (text::equal_any_case(child.name(), kEvent)) {
      check_case(child, kEvent);
      check_empty(child);
      read_event_name(child, kEventAttributes, names);
    } else {
      report_unread(child, text::did_you_mean(child.name(), {kGameEvents, kEvent}));
      for (const Element& meant : child.children()) read_event_name(meant, kEventAttributes, names);
    }
  }
  std::unordered_set<std::string>& declared = declared_events_.emplace();
  for (const Attribute& name : names) declared.emplace(name.value());
  std::vector<std::string>& known = ticking().known_events.emplace(declared.begin(), declared.end());
  std::sort(known.begin(), known.end());
  declared_names_ = text::NameIndex({known.begin(), known.end()});
  for (const Attribute& name : names) static_cast<void>(event(name.value(), name.value_span()));
}

void TreeReader::read_event_name(const Element& element, std::span<const AttributeRow> rows,
                                 std::vector<Attribute>& names) {
  if (const Attribute name = Attributes(element, rows, Logs::none, reporter_).filled("name")) names.push_back(name);
}

void TreeReader::read_game_events(const Element& section, std::vector<Attribute>& names) {
  static_cast<void>(Attributes(section, {}, Logs::none, reporter_));
  for (Element child = section.first_child(); child; child = child.next_sibling()) {
    if (is_entry(child, kEvent, "the engine refuses the tree")) {
      read_event_name(child, kGameEventAttributes, names);
    }
  }
}

ProjectNames::ProjectNames(const Options& options) {
  std::vector<std::string_view> declared(options.events.begin(), options.events.end());
  declared.insert(declared.end(), options.engine_events.begin(), options.engine_events.end());
  events.insert(declared.begin(), declared.end());
  event_names = text::NameIndex(std::move(declared));
  std::vector<std::string_view> nodes = core_node_names();
  for (const HostDeclaration& host : options.hosts) {
    if (host.sends) events.insert(host.sends->begin(), host.sends->end());
    nodes.push_back(host.name);
  }
  node_names = text::NameIndex(std::move(nodes));
}

// An event that is used: its number in the tree.
std::uint32_t TreeReader::event(std::string_view name, Span span) {
  const auto [entry, is_new] = signal_numbers_.try_emplace(std::string(name), size_of(tree_.signals));
  if (!is_new) return entry->second;
  tree_.signals.push_back({std::string(name), {}, span});
  if (declared_events_ && !name.empty() && !declared_events_->contains(entry->first) &&
      !project_.events.contains(name)) {
    reporter_.report(Rule::MBT_event_unknown, span, "event " + text::quote(name) + " is not declared in 'Events'",
                     declared_names_.did_you_mean(name, project_.event_names));
  }
  return entry->second;
}

// An element that the engine reads whatever it is called.
void TreeReader::expect_tag(const Element& element, std::string_view name) {
  check_empty(element);
  if (element.name() != name) report_name(Rule::MBT_unusual_element, element, name, " is read as ");
}

void TreeReader::check_empty(const Element& element) {
  if (const Element child = element.first_child()) {
    report_unread(child);
  }
}

// ---- Variables and signals ----------------------------------------------------------------------

// An element of a section that may hold no others. False: it is another, and was not meant to be one.
bool TreeReader::is_entry(const Element& element, std::string_view name, std::string_view effect) {
  if (text::equal_any_case(element.name(), name)) check_empty(element);
  return is_expected(element, name, effect);
}

void TreeReader::read_variables(const Element& section) {
  for (Element child = section.first_child(); child; child = child.next_sibling()) {
    if (is_entry(child, "Variable", kDropsRest)) {
      read_variable(child);
    } else {
      may_lack_variables_ = true;
    }
  }
}

void TreeReader::read_variable(const Element& element) {
  const Attributes attributes(element, kVariableAttributes, Logs::none, reporter_);
  const Attribute name = attributes.filled("name");
  bool initial = false;
  if (const Attribute& value = attributes["default"]) {
    initial = text::equal_any_case(value.value(), "true");
    if (!initial && !text::equal_any_case(value.value(), "false")) {
      reporter_.report(Rule::MBT_bad_value, value.value_span(),
                       text::quote(value.value()) + " is not a valid value of 'default'", "expected 'true' or 'false'");
    }
  }
  if (!name) {
    may_lack_variables_ = true;
    return;
  }
  const Span span = name.value_span();
  const auto [entry, is_new] = variable_numbers_.try_emplace(text::lower_case(name.value()), size_of(tree_.variables));
  if (is_new) {
    tree_.variables.push_back({std::string(name.value()), initial, span});
    return;
  }
  const ir::Variable& first = tree_.variables[entry->second];
  const bool is_same = first.name == name.value();
  reporter_.report(Rule::MBT_duplicate_variable, span,
                   "duplicate variable " + text::quote(name.value()) +
                       (is_same ? "" : ": names of variables are compared without case"),
                   {}, {first.span, "first declared here"});
}

void TreeReader::read_signals(const Element& section) {
  for (Element child = section.first_child(); child; child = child.next_sibling()) {
    if (is_entry(child, "Signal", kDropsRest)) read_signal(child);
  }
}

void TreeReader::read_signal(const Element& element) {
  const Attributes attributes(element, kSignalAttributes, Logs::none, reporter_);
  const Attribute name = attributes.filled("name");
  const Attribute variable = attributes.filled("variable");
  const Attribute value = attributes.filled("value");
  std::optional<std::uint32_t> number;
  if (variable) {
    number = find_variable(variable.value());
    if (!number) report_unknown_variable(Rule::MBT_unknown_signal_variable, variable.value(), variable.value_span());
  }
  std::optional<ir::ConditionIndex> condition;
  if (value) condition = read_condition(value);
  if (!name) return;
  const std::uint32_t signal = event(name.value(), name.value_span());
  if (number && condition) tree_.signals[signal].assignments.push_back({*number, *condition, name.value_span()});
}

std::optional<std::uint32_t> TreeReader::find_variable(std::string_view name) const {
  const auto found = variable_numbers_.find(text::lower_case(name));
  if (found == variable_numbers_.end()) return std::nullopt;
  return found->second;
}

void TreeReader::report_unknown_variable(Rule rule, std::string_view name, Span span) {
  std::string hint;
  if (reporter_.may_guess(tree_.variables.size())) hint = text::did_you_mean(name, names_of(tree_.variables));
  if (hint.empty() && may_lack_variables_) return;
  if (tree_.variables.empty()) hint = "this tree declares no variables";
  reporter_.report(rule, span, "unknown variable " + text::quote(name), std::move(hint));
}

// ---- Conditions ---------------------------------------------------------------------------------

std::optional<ir::ConditionIndex> TreeReader::read_condition(const Attribute& attribute) {
  const std::string_view text = attribute.value();
  condition::Parsed parsed = condition::parse(text);
  bool is_usable = parsed.is_complete || parsed.has_text_after;  // of use when that is no error here
  for (condition::Fault& fault : parsed.faults) {
    reporter_.report(kConditionRules[static_cast<std::size_t>(fault.kind)],
                     attribute.value_span(fault.begin, fault.end), std::move(fault.message), std::move(fault.hint));
  }
  for (ir::Term& term : parsed.terms) {
    if (term.kind != ir::TermKind::variable) continue;
    const std::string_view name = text.substr(term.begin, term.end - term.begin);
    if (const auto number = find_variable(name)) {
      term.left = *number;
      continue;
    }
    report_unknown_variable(Rule::MBT_unknown_variable, name, attribute.value_span(term.begin, term.end));
    term.kind = ir::TermKind::constant;  // false for ever
  }
  if (!is_usable) return std::nullopt;
  tree_.conditions.push_back({std::move(parsed.terms), attribute.value_span()});
  return size_of(tree_.conditions) - 1;
}

// Of the attribute `condition`.
ir::Guard TreeReader::read_guard(const Attributes& attributes) {
  const Attribute condition = attributes.filled("condition");
  return {condition ? read_condition(condition) : std::nullopt};
}

// Those of a condition under a misspelt name: that nothing reads them is no second fault.
void TreeReader::mark_variables(const Attribute& misspelt) {
  if (!misspelt) return;
  const std::string_view text = misspelt.value();
  for (const ir::Term& term : condition::parse(text).terms) {
    if (term.kind != ir::TermKind::variable) continue;
    const auto number = find_variable(text.substr(term.begin, term.end - term.begin));
    if (number) tree_.variables[*number].is_doubtful = true;
  }
}

// ---- Timestamps ---------------------------------------------------------------------------------

void TreeReader::read_timestamps(const Element& section) {
  std::vector<Attribute> exclusive_to;
  for (Element child = section.first_child(); child; child = child.next_sibling()) {
    expect_tag(child, "Timestamp");
    const Attributes attributes(child, kTimestampAttributes, Logs::none, reporter_);
    const Attribute& name = attributes["name"];
    const Attribute& set_on = attributes["setOnEvent"];
    exclusive_to.push_back(attributes.filled("exclusiveTo"));
    const Span span = name ? name.value_span() : child.span();
    const auto [entry, is_new] =
        timestamp_numbers_.try_emplace(std::string(name.value()), size_of(ticking().timestamps));
    if (name.value().empty()) {
      may_lack_timestamps_ = !reporter_.is_lowered(Rule::MBT_empty_name);
    } else if (!is_new) {
      reporter_.report(Rule::MBT_duplicate_timestamp, span,
                       "duplicate timestamp " + text::quote(name.value()) + " is never read", {},
                       {ticking().timestamps[entry->second].span, "first declared here"});
    }
    const std::uint32_t signal = event(set_on.value(), set_on ? set_on.value_span() : child.span());
    ticking().timestamps.push_back({std::string(name.value()), signal, std::nullopt, span, attributes.has_misspelt()});
  }
  resolve_exclusive(exclusive_to);
}

void TreeReader::resolve_exclusive(const std::vector<Attribute>& exclusive_to) {
  for (std::size_t i = 0; i < exclusive_to.size(); ++i) {
    if (exclusive_to[i]) ticking().timestamps[i].exclusive_to = timestamp(exclusive_to[i]);
  }
}

// The first timestamp of a name; none: one that is never set.
std::optional<std::uint32_t> TreeReader::timestamp(const Attribute& name) {
  const auto found = timestamp_numbers_.find(std::string(name.value()));
  if (found != timestamp_numbers_.end()) return found->second;
  std::string hint;
  if (reporter_.may_guess(ticking().timestamps.size()))
    hint = text::did_you_mean(name.value(), names_of(ticking().timestamps));
  if (hint.empty() && may_lack_timestamps_) return std::nullopt;
  if (ticking().timestamps.empty()) hint = "this tree declares no timestamps";
  reporter_.report(Rule::MBT_unknown_timestamp, name.value_span(), "unknown timestamp " + text::quote(name.value()),
                   std::move(hint));
  return std::nullopt;
}

}  // namespace espalier::dialects::modular
