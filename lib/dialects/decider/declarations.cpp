// What a tree declares: flags, stimuli, signals that set them, and behaviours. See tree_reader.h.
#include <algorithm>
#include <utility>

#include "dialects/decider/tree_reader.h"
#include "runtime/format/records.h"
#include "text/characters.h"

namespace espalier::dialects::decider {
namespace {

using text::quote;

// What each section declares.
constexpr std::string_view kThings[] = {"flag", "stimulus", "signal", "behaviour"};
constexpr Rule kUnknown[] = {Rule::DEC_unknown_flag, Rule::DEC_unknown_stimulus, Rule::DEC_unknown_stimulus,
                             Rule::DEC_unknown_behavior};

std::vector<std::string_view> names_of(const auto& things) {
  std::vector<std::string_view> names;
  names.reserve(things.size());
  for (const auto& thing : things) names.push_back(thing.name);
  return names;
}

}  // namespace

// ---- Sections -----------------------------------------------------------------------------------

// An entry that stands in another section is read as what it is.
void TreeReader::collect_entries(const Element& section, Section which) {
  static_cast<void>(Attributes(section, {}, kAttributeRules, reporter_));
  const std::string_view entry = section_row(which).entry;
  for (Element child = section.first_child(); child; child = child.next_sibling()) {
    if (child.name() == entry) {
      entries_[which].push_back(child);
      continue;
    }
    const Section other = section_of_entry(child.name());
    std::string hint = text::element_hint(child.name(), reporter_.nearest(text::local_name(child.name()), {entry}));
    if (other != kSectionCount) {
      hint = "put it in " + quote(section_row(other).name);
      entries_[other].push_back(child);
    } else if (!hint.empty()) {
      entries_[which].push_back(child);
    } else {
      set_aside(child);
    }
    reporter_.report(Rule::DEC_unknown_element, child.span(),
                     quote(section.name()) + " holds " + quote(entry) + " alone, not " + quote(child.name()),
                     std::move(hint));
  }
  warn_of_text(section);
}

void TreeReader::read_declarations() {
  for (const Element& element : entries_[kFlags]) read_flag(element);
  for (const Element& element : entries_[kStimuli]) read_stimulus(element);
  for (const Element& element : entries_[kBehaviors]) read_behavior(element);
  for (const Element& element : entries_[kSignals]) read_signal(element);
}

// ---- Entries ------------------------------------------------------------------------------------

void TreeReader::read_flag(const Element& element) {
  const Attributes attributes(element, section_row(kFlags).attributes, kAttributeRules, reporter_);
  check_leaf(element);
  const Attribute name = attributes.filled("name");
  if (declare(kFlags, name)) tree_.variables.push_back({std::string(name.value()), false, name.value_span()});
}

void TreeReader::read_stimulus(const Element& element) {
  const Attributes attributes(element, section_row(kStimuli).attributes, kAttributeRules, reporter_);
  check_leaf(element);
  const Attribute name = attributes.filled("name");
  const Attribute& timeout = attributes["timeout"];
  const std::uint64_t timeout_us = timeout ? read_seconds_us(timeout).value_or(0) : 0;
  if (declare(kStimuli, name)) deciding().stimuli.push_back({std::string(name.value()), timeout_us, name.value_span()});
}

void TreeReader::read_behavior(const Element& element) {
  const Attributes attributes(element, section_row(kBehaviors).attributes, kAttributeRules, reporter_);
  check_leaf(element);
  const Attribute name = attributes.filled("name");
  const Attribute& memory = attributes["memory"];
  const std::uint32_t bytes = memory ? read_whole(memory, 0, layout::kMaxMemoryBytes).value_or(0) : 0;
  if (declare(kBehaviors, name)) {
    deciding().declared_behaviors.push_back({std::string(name.value()), bytes, name.value_span()});
  }
}

void TreeReader::read_signal(const Element& element) {
  const Attributes attributes(element, section_row(kSignals).attributes, kAttributeRules, reporter_);
  check_leaf(element);
  const Attribute name = attributes.filled("name");
  const Attribute stimulus = attributes.filled("stimulus");
  const std::optional<std::uint32_t> found =
      stimulus ? find(kStimuli, stimulus.value(), stimulus.value_span()) : std::nullopt;
  if (!name || !found) return;
  const std::uint32_t number = found.value_or(0);
  const auto [entry, is_new] = signal_numbers_.try_emplace(std::string(name.value()), size_of(tree_.signals));
  if (is_new) tree_.signals.push_back({std::string(name.value()), {}, name.value_span()});
  const auto [same, is_first] = assigned_.try_emplace({entry->second, number}, stimulus.value_span());
  if (!is_first) {
    reporter_.report(Rule::DEC_repeated_signal, element.span(),
                     quote(name.value()) + " sets " + quote(stimulus.value()) + " already", {},
                     {same->second, "set here"});
  }
  tree_.signals[entry->second].assignments.push_back({number, 0, stimulus.value_span()});
}

// ---- Names --------------------------------------------------------------------------------------

// Its number when it is a new one. Without a name, which has been told, nothing is declared.
std::optional<std::uint32_t> TreeReader::declare(Section section, const Attribute& name) {
  Names& names = names_[section];
  if (!name) {
    names.may_lack = true;
    return std::nullopt;
  }
  const Span span = name.value_span();
  const std::string what(kThings[section]);
  const auto [entry, is_new] = names.numbers.try_emplace(std::string(name.value()), size_of(names.spans));
  if (!is_new) {
    reporter_.report(Rule::DEC_duplicate_name, span, "a second " + what + ' ' + quote(name.value()), {},
                     {names.spans[entry->second], "first declared here"});
    return std::nullopt;
  }
  names.spans.push_back(span);
  if (section == kBehaviors) return entry->second;
  const std::string_view text = name.value();
  if (text[0] == '!' || std::any_of(text.begin(), text.end(), text::is_space)) {
    reporter_.report(Rule::DEC_bad_value, span, "no list can name the " + what + ' ' + quote(text),
                     "in a list, names stand apart by blanks, and '!' before one asks for its absence");
  }
  const std::uint32_t most = section == kFlags ? layout::kMaxFlags : layout::kMaxStimuli;
  if (entry->second == most) {
    reporter_.report(Rule::DEC_too_many, span,
                     "a tree has at most " + std::to_string(most) +
                         (section == kFlags ? " flags, this is one more" : " stimuli, this is one more"));
  }
  return entry->second;
}

// Of flags, stimuli or behaviours.
std::vector<std::string_view> TreeReader::declared(Section section) const {
  if (section == kFlags) return names_of(tree_.variables);
  return section == kStimuli ? names_of(deciding().stimuli) : names_of(deciding().declared_behaviors);
}

std::optional<std::uint32_t> TreeReader::find(Section section, std::string_view name, Span span) {
  const Names& names = names_[section];
  const auto found = names.numbers.find(std::string(name));
  if (found != names.numbers.end()) return found->second;
  if (excused_.contains(std::string(name))) return std::nullopt;
  std::string hint;
  if (reporter_.may_guess(names.spans.size())) hint = text::did_you_mean(name, declared(section));
  if (hint.empty() && names.may_lack) return std::nullopt;
  const Section other = section == kFlags ? kStimuli : kFlags;
  if (section != kBehaviors && names_[other].numbers.contains(std::string(name))) {
    hint = quote(name) + " is a " + std::string(kThings[other]);
  } else if (hint.empty() && names.numbers.empty()) {
    hint = "declare it in " + quote(section_row(section).name);
  }
  reporter_.report(kUnknown[section], span, "no " + std::string(kThings[section]) + " is named " + quote(name),
                   std::move(hint));
  return std::nullopt;
}

void TreeReader::check_leaf(const Element& element) {
  for (Element child = element.first_child(); child; child = child.next_sibling()) {
    reporter_.report(Rule::DEC_unknown_element, child.span(), quote(element.name()) + " holds no elements");
  }
  warn_of_text(element);
}

}  // namespace espalier::dialects::decider
