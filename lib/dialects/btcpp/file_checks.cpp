// Checks of a file. See file_checks.h.
#include "dialects/btcpp/file_checks.h"

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

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

void note_other_releases(std::span<const WrittenTree> trees, const WrittenProject& project, Reporter& reporter) {
  const Nav2Release release = project.nav2_release;
  if (!project.has_nav2 && release == Nav2Release::main) return;
  std::set<std::pair<std::string_view, std::string_view>> seen;  // nodes and ports; no port: the node
  std::vector<text::Related> noted;
  const auto look = [&](const WrittenNode& node, std::string_view port, const Nav2Releases& releases, Span span) {
    if (releases.has(release) || !seen.emplace(node.id, port).second) return;
    noted.push_back({span, (port.empty() ? "the node " : "the port " + quote(port) + " of ") + quote(node.id) +
                               " is only in " + ir::poll::shown(releases)});
  };
  for (const WrittenTree& tree : trees) {
    for (const WrittenNode& node : tree.nodes) {
      if (node.declaration == nullptr || !node.declaration->is_declared()) continue;
      look(node, {}, node.declaration->releases, node.id_span);
      for (const WrittenPort& port : node.ports) {
        if (port.port != nullptr && !port.is_default) look(node, port.name, port.port->releases, port.name_span);
      }
    }
  }
  if (noted.empty()) return;
  const std::string name = quote(kNav2Releases[static_cast<std::size_t>(release)]);
  std::string message = noted.front().message;
  if (noted.size() > 1)
    message += ", and " + std::to_string(noted.size() - 1) + (noted.size() > 2 ? " others are" : " other is") +
               " not in Nav2 " + name;
  text::Finding& finding = reporter.report(
      rules::BTC_other_release, noted.front().span, std::move(message),
      "these trees are checked for Nav2 " + name + ": \"nav2\" in \"btcpp\" of espalier.json names another release");
  finding.related.assign(noted.begin() + 1, noted.end());
}

}  // namespace espalier::dialects::btcpp
