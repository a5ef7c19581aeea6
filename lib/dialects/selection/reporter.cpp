// Findings about elements and their attributes. See reporter.h.
#include "dialects/selection/reporter.h"

#include <utility>

#include "text/names.h"

namespace espalier::dialects::selection {
namespace {

constexpr std::size_t kMaxRelated = 8;  // a block may be used a thousand times
// Of one tree. Thousands of wrong names among thousands of right ones would take minutes to guess.
constexpr std::size_t kMaxComparedNames = 2'000'000;

// Of an unknown attribute: the one that was meant, of those that the element has.
Key meant_key(std::string_view attribute_name, Kind kind) {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < kKeyCount; ++i) {
    if (has(kind, static_cast<Key>(i))) names.push_back(name_of(static_cast<Key>(i)));
  }
  const std::string found = text::nearest(attribute_name, names);
  return found.empty() ? Key::count : key_of(found);
}

bool is_required(Kind kind, Key key) { return has(kind, key) && key != Key::initial && key != Key::condition; }

}  // namespace

text::Finding& Reporter::report(Rule rule, Span span, UseIndex use, std::string message, std::string hint) {
  const rules::Severity severity = rules::info(rule).severity;
  has_errors_ = has_errors_ || severity == rules::Severity::error;
  text::Finding finding{rule, severity, span, std::move(message), std::move(hint)};
  for (UseIndex at = use; at != kInPlace && finding.related.size() < kMaxRelated; at = uses_[at - 1].outer) {
    const Element& reference = uses_[at - 1].reference;
    const Attribute name = reference.attribute_any_case("name");
    finding.related.push_back({name.value_span(), "in block " + text::quoted(name.value()) + ", referenced here"});
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
  const Element& element = placed.element;
  for (const pugi::xml_attribute raw : element.node().attributes()) {
    const Attribute attribute(&element.document(), raw);
    const Key key = key_of(attribute.name());
    if (key == Key::count || !has(placed.kind, key)) {
      unknown.push_back(attribute);
    } else if (!result[key]) {
      result[key] = attribute;
    } else {
      reporter.report_repeated(Rule::SEL_repeated_attribute, attribute.name_span(), kInPlace,
                               text::quoted(attribute.name()) + " is not read: this element has " +
                                   text::quoted(result[key].name()) + " already, and case does not count",
                               result[key].name_span(), "the one that counts");
    }
  }
  for (std::size_t i = 0; i < unknown.size(); ++i) {
    const Attribute& attribute = unknown[i];
    const Key meant = meant_key(attribute.name(), placed.kind);
    if (meant != Key::count && is_required(placed.kind, meant) && !result[meant]) continue;  // see required()
    // Two unknown ones that differ in case only are one unknown attribute.
    const std::string hint = meant == Key::count ? std::string() : "did you mean " + text::quoted(name_of(meant)) + "?";
    reporter.report(Rule::SEL_unknown_attribute, attribute.name_span(), kInPlace,
                    "a " + std::string(name_of(placed.kind)) + " has no attribute " + text::quoted(attribute.name()) +
                        ": it is not read",
                    hint);
    for (std::size_t before = 0; before < i; ++before) {
      if (!text::equal_any_case(unknown[before].name(), attribute.name())) continue;
      reporter.report_repeated(Rule::SEL_repeated_attribute, attribute.name_span(), kInPlace,
                               text::quoted(attribute.name()) + " stands here twice: case does not count",
                               unknown[before].name_span(), "the first");
      break;
    }
  }
  return result;
}

std::optional<std::string_view> required(const Placed& placed, const Attributes& attributes, Key key,
                                         Reporter& reporter) {
  const Attribute& attribute = attributes[key];
  const std::string owner(name_of(placed.kind));
  const std::string name = text::quoted(name_of(key));
  if (!attribute) {
    std::string hint;
    for (const Attribute& other : placed.element.attributes()) {
      const Key other_key = key_of(other.name());
      const bool is_unknown = other_key == Key::count || !has(placed.kind, other_key);
      if (is_unknown && meant_key(other.name(), placed.kind) == key) {
        hint = text::quoted(other.name()) + " is not read: did you mean " + name + "?";
      }
    }
    reporter.report(Rule::SEL_missing_attribute, placed.element.span(), placed.use,
                    owner + " needs the attribute " + name, hint);
    return std::nullopt;
  }
  if (attribute.value().empty()) {
    reporter.report(Rule::SEL_missing_attribute, attribute.value_span(), placed.use,
                    "the attribute " + name + " of " + owner + " is empty");
    return std::nullopt;
  }
  return attribute.value();
}

void warn_of_unread_condition(const Placed& placed, const Attributes& attributes, std::string_view whose,
                              Reporter& reporter) {
  const Attribute& condition = attributes[Key::condition];
  if (!condition) return;
  reporter.report(Rule::SEL_unread_condition, condition.name_span(), placed.use,
                  "the condition of " + std::string(whose) + " is never read",
                  "only a Priority reads conditions, those of its children");
}

std::string with_commas(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, 1, ',');
  return digits;
}

}  // namespace espalier::dialects::selection
