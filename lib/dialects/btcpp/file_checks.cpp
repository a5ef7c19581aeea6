// Checks of a file. See file_checks.h.
#include "dialects/btcpp/file_checks.h"

#include <cstdint>
#include <string>

#include "dialects/btcpp/elements.h"
#include "dialects/reading/checks.h"
#include "rules/btcpp.h"
#include "text/names.h"

namespace espalier::dialects::btcpp {
namespace {

void note_raw_characters_of(const Attribute& attribute, Reporter& reporter) {
  text::Finding* finding = nullptr;
  const std::string_view value = attribute.value();
  for (std::size_t at = 0; at < value.size(); ++at) {
    const char c = value[at];
    if (c != '&' && c != '<') continue;
    const auto i = static_cast<std::uint32_t>(at);
    const Span span = attribute.value_span(i, i + 1);
    if (span.end - span.begin != 1) continue;  // a reference
    const std::string reference = c == '&' ? "&amp;" : "&lt;";
    if (finding == nullptr) {
      finding = &reporter.report(
          rules::BTC_raw_character, span,
          "a raw " + quote(value.substr(at, 1)) + " in an attribute: the library accepts it, other XML parsers do not",
          "write " + reference);
      finding->fixes.push_back({"Write references in place of raw characters", rules::FixGrade::safe, {}});
    }
    finding->fixes.front().edits.push_back({span, reference});
  }
}

constexpr std::string_view kMain = "main_tree_to_execute";

}  // namespace

void report_format(const Element& root, const Attribute& format, Reporter& reporter) {
  text::Finding& finding = reporter.report(
      rules::BTC_missing_format, format ? format.value_span() : root.span(),
      format ? "the format " + quote(format.value()) + " is not known: the file is read as format 4"
             : "'BTCPP_format' is missing: the file is read as format 4",
      format.value() == "3" ? "'espalier fmt --migrate btcpp3' writes it as format 4" : "write BTCPP_format=\"4\"");
  if (format.value() == "3") return;  // the fix would hide what else is of format 3
  const Span end{root.span().file, root.span().end, root.span().end};
  finding.fixes.push_back(
      {"Write BTCPP_format=\"4\"",
       rules::FixGrade::safe,
       {format ? text::Edit{format.value_span(), std::string(kFormat)} : text::Edit{end, " BTCPP_format=\"4\""}}});
}

Attribute misspelt_main(const Element& root, Reporter& reporter) {
  if (root.attribute(kMain)) return {};
  for (const Attribute& attribute : root.attributes()) {
    if (!reporter.nearest(attribute.name(), {kMain}).empty()) return attribute;
  }
  return {};
}

void report_root_attributes(const Element& root, Reporter& reporter) {
  const Attribute attribute = misspelt_main(root, reporter);
  if (!attribute) return;
  reporter.report(rules::BTC_unread_attribute, attribute.name_span(),
                  "nothing reads the attribute " + quote(attribute.name()), did_you_mean(kMain));
}

void report_unread(const Element& element, Reporter& reporter) {
  const std::string near = reporter.nearest(element.name(), {kTreeElement, kModelElement, kIncludeElement});
  if (near.empty()) {
    reporter.report(rules::BTC_unread_element, element.span(), "nothing reads the element " + quote(element.name()));
    return;
  }
  text::Finding& finding =
      reporter.report(rules::BTC_misspelt_element, element.span(),
                      "unknown element " + quote(element.name()) + ": the library ignores it", did_you_mean(near));
  reporter.propose_name(finding, element, near);
}

void note_raw_characters(const Element& element, Reporter& reporter) {
  for (const Attribute& attribute : element.attributes()) note_raw_characters_of(attribute, reporter);
  for (Element child = element.first_child(); child; child = child.next_sibling()) note_raw_characters(child, reporter);
}

}  // namespace espalier::dialects::btcpp
