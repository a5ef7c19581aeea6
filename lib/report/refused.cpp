// Reports without results. See refused.h.
#include "report/refused.h"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include "report/explored.h"
#include "report/lcov.h"
#include "report/line_view.h"
#include "report/listing.h"
#include "report/output_form.h"
#include "rules/rules.h"

namespace espalier::report {
namespace {

struct OwnReport {
  std::string_view verb;
  std::string_view format;
  void (*write)(std::ostream& out);  // without results; null: lcov
};

constexpr OwnReport kOwnReports[] = {
    {"cover", "json", [](std::ostream& out) { write_cover({}, {.format = CoverFormat::json}, out); }},
    {"cover", "lcov", nullptr},
    {"diff", "json", [](std::ostream& out) { write_diff({}, DiffFormat::json, false, out); }},
    {"prove", "json", [](std::ostream& out) { write_proofs({}, {.format = ProofFormat::json}, out); }},
};

const OwnReport* find_own(std::string_view verb, std::string_view format) {
  const auto* const own = std::find_if(std::begin(kOwnReports), std::end(kOwnReports), [&](const OwnReport& each) {
    return each.verb == verb && each.format == format;
  });
  return own == std::end(kOwnReports) ? nullptr : own;
}

// The report's object, with the findings as its last member.
void write_with_findings(std::string text, const text::Findings& findings, const text::Sources& sources,
                         std::ostream& out) {
  text.erase(text.rfind('}'));
  text += ",\"findings\":[";
  const char* separator = "\n";
  for (const text::Finding& finding : findings.all()) {
    text += separator + finding_json(finding, sources);
    separator = ",\n";
  }
  const FormScope scope(out, OutputForm::json);
  out << text << "\n]}\n";
}

// A comment says what a finding says, and its line counts as not reached.
void write_lcov_findings(const text::Findings& findings, const text::Sources& sources, std::ostream& out) {
  const FormScope scope(out, OutputForm::text);
  std::map<std::string, std::set<std::uint32_t>> lines;
  for (const text::Finding& finding : findings.all()) {
    const text::Source& source = sources[finding.span.file];
    const text::Position at = source.position(finding.span.begin);
    lines[visible(source.path())].insert(at.line);
    out << "# " << visible(source.path()) << ':' << std::to_string(at.line) << ':' << std::to_string(at.column) << ": "
        << rules::severity_name(finding.severity) << ": " << visible(message_with_hint(finding)) << " ["
        << rules::info(finding.rule).name << ' ' << rules::info(finding.rule).code << "]\n";
  }
  for (const auto& [file, numbers] : lines) {
    LcovWriter writer(file);
    for (const std::uint32_t line : numbers) writer.add(line, false, {});
    out << writer.text();
  }
}

}  // namespace

bool has_own_report(std::string_view verb, std::string_view format) { return find_own(verb, format) != nullptr; }

void write_refused(std::string_view verb, std::string_view format, const text::Findings& findings,
                   const text::Sources& sources, std::ostream& out) {
  const OwnReport* const own = find_own(verb, format);
  if (own == nullptr) return;
  if (own->write == nullptr) return write_lcov_findings(findings, sources, out);
  std::ostringstream empty;
  own->write(empty);
  write_with_findings(empty.str(), findings, sources, out);
}

}  // namespace espalier::report
