// Findings as GitHub workflow commands: "::error file=...,line=...::message" annotates a line of a change.
#include <algorithm>

#include "report/listing.h"
#include "report/place.h"
#include "rules/rules.h"
#include "text/visible.h"

namespace espalier::report {
namespace {

// A value on one line. Characters with a meaning in commands are written as their numbers: '%' and line breaks, and in
// properties also ':' and ','.
std::string escaped(std::string_view value, std::string_view meaningful) {
  std::string result;
  for (const char c : text::visible(value)) {
    if (meaningful.find(c) == std::string_view::npos) {
      result += c;
    } else {
      result += c == '%' ? "%25" : c == ':' ? "%3A" : "%2C";
    }
  }
  return result;
}

std::string property_text(std::string_view value) { return escaped(value, "%:,"); }
std::string message_text(std::string_view value) { return escaped(value, "%"); }

std::string_view command_of(text::Severity severity) {
  return severity == text::Severity::note ? "notice" : rules::severity_name(severity);
}

}  // namespace

void write_github(const Listing& listing, std::string& out) {
  Regions regions(listing.sources);
  for (const ListedFinding& listed : listing.findings) {
    const text::Finding& finding = *listed.finding;
    const rules::RuleInfo& rule = rules::info(finding.rule);
    const Region region = regions.of(finding.span);
    out.append("::").append(command_of(finding.severity));
    out += " file=" + property_text(listing.sources[finding.span.file].path()) + ",line=" + std::to_string(region.line);
    // GitHub accepts columns only if a place begins and ends on one line; its end column is inclusive.
    if (region.line == region.end_line) {
      out += ",col=" + std::to_string(region.column) +
             ",endColumn=" + std::to_string(std::max(region.column, region.end_column - 1));
    }
    out += ",endLine=" + std::to_string(region.end_line) + ",title=" + std::string(rule.name) + ' ' +
           std::string(rule.code) + "::" + message_text(message_with_hint(finding)) + '\n';
  }
  if (listing.omitted_count > 0) {
    out += "::notice::" + counted(listing.omitted_count, "more finding") + " not listed (--max-findings)\n";
  }
}

}  // namespace espalier::report
