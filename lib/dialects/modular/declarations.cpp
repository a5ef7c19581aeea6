// Declarations of a tree and references to them: variables, signals, timestamps, events, conditions. See tree_reader.h.
#include <algorithm>
#include <set>
#include <utility>

#include "dialects/condition/condition.h"
#include "dialects/modular/tree_reader.h"
#include "dialects/reading/checks.h"
#include "rules/modular.h"
#include "text/names.h"

namespace espalier::dialects::modular {
namespace {

// In the order of condition::FaultKind.
constexpr Rule kConditionRules[] = {
    rules::MBT_bad_condition,        rules::MBT_bad_condition,   rules::MBT_bad_condition,  rules::MBT_bad_condition,
    rules::MBT_text_after_condition, rules::MBT_mixed_operators, rules::MBT_large_condition};
static_assert(std::size(kConditionRules) == static_cast<std::size_t>(condition::FaultKind::count));

}  // namespace

// ---- Events -------------------------------------------------------------------------------------

// If the tree has such a section, it may only use events that are declared there, in espalier.json, or by the engine.
void TreeReader::read_events(const Element& section) {
  if (options_.engine != GameEngine::cryengine_5_6) {
    reporter_.report(rules::MBT_unread_element, section.span(), "'Events' is ignored by " + engine(),
                     "CRYENGINE 5.6 reads it");
    return;
  }
  std::vector<Attribute> names;
  Element game_events;
  for (Element child = section.first_child(); child; child = child.next_sibling()) {
    const ElementRow* const row = find_row(kEventEntries, child.name());
    if (row == nullptr) {
      const std::vector<std::string_view> entries = table().names_in(*find_row(kSections, "Events"));
      report_unread(child, text::did_you_mean(child.name(), entries));
      for (const Element& meant : child.children()) read_event_name(meant, *find_row(kEventEntries, "Event"), names);
      continue;
    }
    const bool is_event = row->content.most == 0;
    if (!is_event && game_events) {
      reporter_.report(rules::MBT_unread_element, child.span(), "the second 'GameEvents' is ignored", {},
                       {game_events.span(), "this one is read"});
      continue;
    }
    check_spelling(child, row->name, rules::MBT_element_case, reporter_);
    if (is_event) {
      check_empty(child);
      read_event_name(child, *row, names);
    } else {
      game_events = child;
      read_game_events(child, *row, names);
    }
  }
  std::set<std::string> declared;
  for (const Attribute& name : names) declared.emplace(name.value());
  const std::vector<std::string>& known = ticking().known_events.emplace(declared.begin(), declared.end());
  declared_names_ = text::NameIndex({known.begin(), known.end()});
  for (const Attribute& name : names) static_cast<void>(event(name.value(), name.value_span()));
}

void TreeReader::read_event_name(const Element& element, const ElementRow& row, std::vector<Attribute>& names) {
  if (const Attribute name = Attributes(element, row, reporter_).filled("name")) names.push_back(name);
}

void TreeReader::read_game_events(const Element& section, const ElementRow& row, std::vector<Attribute>& names) {
  check_attributes(section, row, reporter_);
  for (Element child = section.first_child(); child; child = child.next_sibling()) {
    if (const ElementRow* entry = expect(child, row)) read_event_name(child, *entry, names);
  }
}

ProjectNames::ProjectNames(const Options& options) : options_(options.of<ModularOptions>()) {
  std::vector<std::string_view> declared(options.events.begin(), options.events.end());
  declared.insert(declared.end(), options_.engine_events.begin(), options_.engine_events.end());
  events.insert(declared.begin(), declared.end());
  event_names = text::NameIndex(std::move(declared));
  std::vector<std::string_view> nodes = core_node_names();
  guessed_names = nodes;
  for (const HostDeclaration& host : options_.engine_hosts) guessed_names.push_back(host.name);
  for (const HostDeclaration& host : options_.hosts) {
    if (host.sends) events.insert(host.sends->begin(), host.sends->end());
    nodes.push_back(host.name);
    HostRow& row = host_rows.emplace_back(host, kNodes, kNodes, options_.engine);
    if (host.as == HostAs::parallel) row.row().content = kBranches;
  }
  node_names = text::NameIndex(std::move(nodes));
}

void ProjectNames::begin_file(std::size_t count) {
  event_names.allow(text::NameIndex::steps_of_file(count));
  node_names.allow(text::NameIndex::steps_of_file(count));
}

// The number in the tree of an event that is used.
std::uint32_t TreeReader::event(std::string_view name, Span span) {
  const auto [entry, is_new] = signal_numbers_.try_emplace(std::string(name), size_of(tree_.signals));
  if (!is_new) return entry->second;
  tree_.signals.push_back({std::string(name), {}, span});
  const std::optional<std::vector<std::string>>& known = ticking().known_events;
  if (known && !name.empty() && !std::binary_search(known->begin(), known->end(), name) &&
      !project_.events.contains(name)) {
    const std::string near = declared_names_.nearest(name, project_.event_names);
    text::Finding& finding = reporter_.report(
        rules::MBT_event_unknown, span, "event " + quote(name) + " is not declared in 'Events'", did_you_mean(near));
    reporter_.propose(finding, name, near);
    for (text::Fix& fix : finding.fixes) fix.guess->is_told_once = true;
  }
  return entry->second;
}

// An element that the engine reads whatever its name is.
void TreeReader::check_tag(const Element& element, const ElementRow& row) {
  check_empty(element);
  if (element.name() == row.name) return;
  add_renaming(
      reporter_.report(rules::MBT_unusual_element, element.span(),
                       quote(element.name()) + " is read as " + quote(row.name), "usual spelling: " + quote(row.name)),
      element, row.name, text::FixGrade::safe);
}

// ---- Variables and signals ----------------------------------------------------------------------

void TreeReader::read_variables(const Element& section) {
  for (const Element& child : section.children()) {
    const ElementRow* const row = expect(child, *find_row(kSections, "Variables"));
    if (row == nullptr) {
      variables_.lack_one();
      continue;
    }
    const Attributes attributes(child, *row, reporter_);
    const Attribute name = attributes.filled("name");
    const bool initial = attributes.word("default") == 1;
    if (!name) {
      variables_.lack_one();
    } else if (variables_.declare(name.value(), size_of(tree_.variables), name.value_span(), reporter_)) {
      tree_.variables.push_back({std::string(name.value()), initial, name.value_span()});
    }
  }
}

void TreeReader::read_signals(const Element& section) {
  for (const Element& child : section.children()) {
    const ElementRow* const row = expect(child, *find_row(kSections, "SignalVariables"));
    if (row == nullptr) continue;
    const Attributes attributes(child, *row, reporter_);
    const Attribute name = attributes.filled("name");
    const Attribute target = attributes.filled("variable");
    std::optional<std::uint32_t> number;
    if (target) number = variable(target.value(), rules::MBT_unknown_signal_variable, target.value_span());
    const std::optional<ir::ConditionIndex> value = read_condition(attributes.filled("value"));
    if (!name) continue;
    const std::uint32_t signal = event(name.value(), name.value_span());
    if (number && value) tree_.signals[signal].assignments.push_back({*number, *value, name.value_span()});
  }
}

std::optional<std::uint32_t> TreeReader::variable(std::string_view name, Rule unknown, Span span) {
  return variables_.find_or_report(name, span, reporter_,
                                   tree_.variables.empty() ? "this tree declares no variables" : "", unknown);
}

// ---- Conditions ---------------------------------------------------------------------------------

std::optional<ir::ConditionIndex> TreeReader::read_condition(const Attribute& attribute) {
  if (!attribute) return std::nullopt;
  const std::string_view text = attribute.value();
  condition::Parsed parsed = condition::parse(text);
  for (condition::Fault& fault : parsed.faults) {
    text::Finding& finding =
        reporter_.report(kConditionRules[static_cast<std::size_t>(fault.kind)],
                         attribute.value_span(fault.begin, fault.end), std::move(fault.message), std::move(fault.hint));
    condition::add_fix(fault, attribute, reporter_.grade_of(finding), finding);
  }
  bool is_doubtful = false;
  for (ir::Term& term : parsed.terms) {
    if (term.kind != ir::TermKind::variable) continue;
    const std::string_view name = text.substr(term.begin, term.end - term.begin);
    const Span span = attribute.value_span(term.begin, term.end);
    if (const auto number = variable(name, rules::MBT_unknown_variable, span)) {
      term.left = *number;
    } else {
      term.kind = ir::TermKind::constant;  // always false
      is_doubtful = true;
    }
  }
  const bool is_usable = parsed.is_complete || parsed.has_text_after;  // usable if that is not an error
  if (!is_usable) return std::nullopt;
  condition::place_terms(attribute, parsed.terms);
  tree_.conditions.push_back({std::move(parsed.terms), attribute.value_span(), is_doubtful});
  return size_of(tree_.conditions) - 1;
}

// Marks the variables of a condition whose attribute is misspelt, so that they are not also reported as never read.
void TreeReader::mark_variables(const Attribute& misspelt) {
  if (!misspelt) return;
  const std::string_view text = misspelt.value();
  for (const ir::Term& term : condition::parse(text).terms) {
    if (term.kind != ir::TermKind::variable) continue;
    const auto number = variables_.find(text.substr(term.begin, term.end - term.begin));
    if (number) tree_.variables[*number].is_doubtful = true;
  }
}

// ---- Timestamps ---------------------------------------------------------------------------------

void TreeReader::read_timestamps(const Element& section) {
  const ElementRow& row = *find_row(kTimestampEntries, "Timestamp");
  std::vector<Attribute> exclusive_to;
  for (Element child = section.first_child(); child; child = child.next_sibling()) {
    check_tag(child, row);
    const Attributes attributes(child, row, reporter_);
    const Attribute& name = attributes["name"];
    const Attribute& set_on = attributes["setOnEvent"];
    exclusive_to.push_back(attributes.filled("exclusiveTo"));
    const Span span = name ? name.value_span() : child.span();
    if (!name.value().empty()) {
      timestamps_.declare(name.value(), size_of(ticking().timestamps), span, reporter_);
    } else if (!reporter_.is_lowered(rules::MBT_empty_name)) {
      timestamps_.lack_one();
    }
    const std::uint32_t signal = event(set_on.value(), set_on ? set_on.value_span() : child.span());
    ticking().timestamps.push_back({std::string(name.value()), signal, std::nullopt, span, attributes.has_misspelt()});
  }
  for (std::size_t i = 0; i < exclusive_to.size(); ++i) {
    if (exclusive_to[i]) ticking().timestamps[i].exclusive_to = timestamp(exclusive_to[i]);
  }
}

// The first timestamp with the name; none if it is unknown, and thus never set.
std::optional<std::uint32_t> TreeReader::timestamp(const Attribute& name) {
  return timestamps_.find_or_report(name.value(), name.value_span(), reporter_,
                                    ticking().timestamps.empty() ? "this tree declares no timestamps" : "");
}

}  // namespace espalier::dialects::modular
