// What a tree declares: flags, stimuli, signals that set them, and behaviours. See tree_reader.h.
#include <algorithm>
#include <utility>

#include "dialects/decider/tree_reader.h"
#include "rules/decider.h"
#include "runtime/format/records.h"
#include "text/characters.h"

namespace espalier::dialects::decider {

// ---- Sections -----------------------------------------------------------------------------------

// An entry in the wrong section is read by its own kind.
void TreeReader::collect_entries(const Element& section, Row which) {
  check_attributes(section, row(which), reporter_);
  for (Element child = section.first_child(); child; child = child.next_sibling()) {
    Row known = find_row(child.name());
    if (known == kRowCount) {
      const bool is_meant = report_unknown_element(child, row(which), reporter_) != nullptr;
      if (is_meant) known = entry_of(which);
    } else if (known != entry_of(which)) {
      report_unexpected_element(child, row(which), reporter_,
                                is_entry(known) ? "put it in " + quote(row(section_of(known)).name) : std::string());
    }
    if (is_entry(known)) {
      entries(known).push_back(child);
    } else {
      set_aside(child);
    }
  }
  warn_of_stray_text(section, reporter_);
}

// Signals name stimuli, so they come last.
void TreeReader::read_declarations() {
  for (const Row kind : {kFlag, kStimulus, kBehavior, kSignal}) {
    for (const Element& element : entries(kind)) read_entry(element, kind);
  }
}

// ---- Entries ------------------------------------------------------------------------------------

void TreeReader::read_entry(const Element& element, Row kind) {
  const Attributes attributes(element, row(kind), reporter_);
  refuse_children(element, kind);
  const Attribute name = attributes.filled("name");
  const std::uint64_t timeout_us = kind == kStimulus ? attributes.seconds_us("timeout").value_or(0) : 0;
  const std::uint32_t bytes = kind == kBehavior ? attributes.whole("memory").value_or(0) : 0;
  if (kind == kSignal) return read_signal(element, name, attributes.filled("stimulus"));
  if (!declare(kind, name)) return;
  const std::string text(name.value());
  if (kind == kBehavior) report_call(rules::DEC_name_is_a_call, name, reporter_);
  if (kind == kFlag) tree_.variables.push_back({text, false, name.value_span()});
  if (kind == kStimulus) deciding().stimuli.push_back({text, timeout_us, name.value_span()});
  if (kind == kBehavior) deciding().declared_behaviors.push_back({text, bytes, name.value_span()});
}

void TreeReader::read_signal(const Element& element, const Attribute& name, const Attribute& stimulus) {
  const std::optional<std::uint32_t> found =
      stimulus ? find(kStimulus, stimulus.value(), stimulus.value_span()) : std::nullopt;
  if (!name || !found) return;
  const std::uint32_t signal = names(kSignal).find(name.value()).value_or(size_of(tree_.signals));
  if (signal == tree_.signals.size()) {
    names(kSignal).declare(name.value(), signal, name.value_span(), reporter_);
    tree_.signals.push_back({std::string(name.value()), {}, name.value_span()});
  }
  const auto [same, is_first] = assigned_.try_emplace({signal, *found}, stimulus.value_span());
  if (!is_first) {
    reporter_.report(rules::DEC_repeated_signal, element.span(),
                     "signal " + quote(name.value()) + " already sets " + quote(stimulus.value()), {},
                     {same->second, "first set here"});
  }
  tree_.signals[signal].assignments.push_back({*found, 0, stimulus.value_span()});
}

// ---- Names --------------------------------------------------------------------------------------

// Is it a new name? An empty name has been reported and declares nothing.
bool TreeReader::declare(Row entry, const Attribute& name) {
  NameTable& declared = names(entry);
  const std::uint32_t number = static_cast<std::uint32_t>(declared.size());
  if (!name) declared.lack_one();
  if (!name || !declared.declare(name.value(), number, name.value_span(), reporter_)) return false;
  if (entry == kBehavior) return true;
  const std::string_view text = name.value();
  if (text[0] == '!' || std::any_of(text.begin(), text.end(), text::is_space)) {
    reporter_.report(rules::DEC_bad_value, name.value_span(), quote(text) + " is not a valid value of 'name'",
                     "expected a name that lists can contain: no spaces, and '!' is not its first character");
  }
  const std::uint32_t most = entry == kFlag ? layout::kMaxFlags : layout::kMaxStimuli;
  if (number == most) {
    reporter_.report(rules::DEC_too_many, name.value_span(),
                     too_many(entry == kFlag ? "flags" : "stimuli", number + 1, most));
  }
  return true;
}

// Of a flag, stimulus or behaviour.
std::optional<std::uint32_t> TreeReader::find(Row entry, std::string_view name, Span span) {
  NameTable& declared = names(entry);
  const std::optional<std::uint32_t> number = declared.find(name);
  if (number || excused_.contains(std::string(name))) return number;
  const Row other = entry == kFlag ? kStimulus : kFlag;
  std::string hint;
  if (entry != kBehavior && names(other).find(name)) {
    hint = quote(name) + " is a " + (other == kFlag ? "flag" : "stimulus");
  } else if (declared.size() == 0) {
    hint = "declare it in " + quote(row(section_of(entry)).name);
  }
  return declared.find_or_report(name, span, reporter_, std::move(hint));
}

}  // namespace espalier::dialects::decider
