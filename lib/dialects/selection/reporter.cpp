// Findings about elements and their attributes. See reporter.h.
#include "dialects/selection/reporter.h"

#include <bitset>
#include <unordered_map>
#include <utility>

#include "text/names.h"

namespace espalier::dialects::selection {
namespace {

constexpr std::size_t kMaxRelated = 8;  // a block may be used a thousand times
// Of one tree. Thousands of wrong names among thousands of right ones would take minutes to guess.
constexpr std::size_t kMaxComparedNames = 2'000'000;

// The attributes that an element of this kind may have and this one lacks.
std::vector<std::string_view> lacking_names(Kind kind, const Attributes& attributes) {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < kKeyCount; ++i) {
    const auto key = static_cast<Key>(i);
    if (has(kind, key) && !attributes[key]) names.push_back(name_of(key));
  }
  return names;
}

bool is_required(Kind kind, Key key) {
  const bool is_optional = key == Key::initial || (key == Key::condition && kind != Kind::transition);
  return has(kind, key) && !is_optional;
}

void report_missing(const Placed& placed, Key key, std::string hint, Reporter& reporter) {
  reporter.report(Rule::SEL_missing_attribute, placed.element.span(), placed.use,
                  std::string(name_of(placed.kind)) + " needs the attribute " + text::quote(name_of(key)),
                  std::move(hint));
}

// A misspelt attribute is a warning, since what it says is lost; any other one is a note. One that must be there is
// reported as missing, and then read as what was meant: what it names is no second fault. Two that differ in case only
// are one.
void report_unknown(const Placed& placed, const std::vector<Attribute>& unknown, Attributes& attributes,
                    Reporter& reporter) {
  const std::vector<std::string_view> lacking = lacking_names(placed.kind, attributes);
  std::unordered_map<std::string, Span> first_of_name;
  std::bitset<kKeyCount> is_meant;
  for (const Attribute& attribute : unknown) {
    const auto [first, is_new] = first_of_name.try_emplace(text::lower_case(attribute.name()), attribute.name_span());
    if (!is_new) {
      reporter.report_repeated(Rule::SEL_repeated_attribute, attribute.name_span(), kInPlace,
                               text::quote(attribute.name()) + " stands here twice: case does not count", first->second,
                               "the first");
      continue;
    }
    const std::string meant = text::nearest(attribute.name(), lacking);
    const Key key = meant.empty() ? Key::count : key_of(meant);
    const bool is_misspelt = key != Key::count && !is_meant.test(static_cast<std::size_t>(key));
    if (is_misspelt) is_meant.set(static_cast<std::size_t>(key));
    if (is_misspelt && is_required(placed.kind, key)) {
      report_missing(placed, key,
                     text::quote(attribute.name()) + " is not read: did you mean " + text::quote(meant) + "?",
                     reporter);
      // Nothing is resolved by it: references are followed by their names alone when what they bring in is counted.
      if (placed.kind != Kind::ref) attributes[key] = attribute;
      continue;
    }
    text::Finding& finding = reporter.report(Rule::SEL_unknown_attribute, attribute.name_span(), kInPlace,
                                             "a " + std::string(name_of(placed.kind)) + " has no attribute " +
                                                 text::quote(attribute.name()) + ": it is not read",
                                             is_misspelt ? "did you mean " + text::quote(meant) + "?" : std::string());
    if (is_misspelt) finding.severity = rules::Severity::warning;
  }
}

}  // namespace

text::Finding& Reporter::report(Rule rule, Span span, UseIndex use, std::string message, std::string hint) {
  const rules::Severity severity = rules::info(rule).severity;
  has_errors_ = has_errors_ || severity == rules::Severity::error;
  text::Finding finding{rule, severity, span, std::move(message), std::move(hint)};
  for (UseIndex at = use; at != kInPlace && finding.related.size() < kMaxRelated; at = uses_[at - 1].outer) {
    const Element& reference = uses_[at - 1].reference;
    const Attribute name = reference.attribute_any_case("name");
    finding.related.push_back({name.value_span(), "in block " + text::quote(name.value()) + ", referenced here"});
  }
  text::Finding& reported = findings_.add(std::move(finding));
  if (reported.related.size() > kMaxRelated) reported.related.resize(kMaxRelated);
  return reported;
}

void Reporter::report_repeated(Rule rule, Span span, UseIndex use, std::string message, Span first,
                               std::string first_message) {
  text::Finding& finding = report(rule, span, use, std::move(message));
  for (const text::Related& related : finding.related) {
    if (related.span == first) return;
  }
  finding.related.insert(finding.related.begin(), {first, std::move(first_message)});
  if (finding.related.size() > kMaxRelated) finding.related.resize(kMaxRelated);
}

bool Reporter::may_guess(std::size_t candidate_count) {
  compared_names_ += candidate_count;
  return compared_names_ <= kMaxComparedNames;
}

UseIndex Reporter::enter(const Element& reference, UseIndex outer) {
  uses_.push_back({reference, outer, depth(outer) + 1});
  return static_cast<UseIndex>(uses_.size());
}

Attributes read_attributes(const Placed& placed, Reporter& reporter) {
  Attributes result;
  std::vector<Attribute> unknown;
  for (const Attribute& attribute : placed.element.attributes()) {
    const Key key = key_of(attribute.name());
    if (key == Key::count || !has(placed.kind, key)) {
      unknown.push_back(attribute);
    } else if (!result[key]) {
      result[key] = attribute;
    } else {
      reporter.report_repeated(Rule::SEL_repeated_attribute, attribute.name_span(), kInPlace,
                               text::quote(attribute.name()) + " is not read: this element has " +
                                   text::quote(result[key].name()) + " already, and case does not count",
                               result[key].name_span(), "the one that counts");
    }
  }
  if (!unknown.empty()) report_unknown(placed, unknown, result, reporter);
  return result;
}

std::optional<std::string_view> required(const Placed& placed, const Attributes& attributes, Key key,
                                         Reporter& reporter) {
  const Attribute& attribute = attributes[key];
  if (!attribute) {
    report_missing(placed, key, {}, reporter);
    return std::nullopt;
  }
  if (attribute.value().empty()) {
    reporter.report(
        Rule::SEL_missing_attribute, attribute.value_span(), placed.use,
        "the attribute " + text::quote(name_of(key)) + " of " + std::string(name_of(placed.kind)) + " is empty");
    return std::nullopt;
  }
  return attribute.value();
}

void warn_of_unread_condition(const Placed& placed, const Attributes& attributes, std::string_view whose,
                              Reporter& reporter) {
  const Attribute& condition = attributes[Key::condition];
  if (!condition) return;
  reporter.report(Rule::SEL_unread_condition, condition.name_span(), placed.use,
                  "the condition of " + std::string(whose) + " is ignored",
                  "only a Priority reads conditions: those of its children");
}

std::string with_commas(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, 1, ',');
  return digits;
}

}  // namespace espalier::dialects::selection
