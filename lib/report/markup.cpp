// Findings and results of traces as XML documents: JUnit, which build servers show as tests, and Checkstyle.
#include <map>
#include <string>

#include "report/line_view.h"
#include "report/listing.h"
#include "report/output_form.h"
#include "report/place.h"
#include "report/replays.h"
#include "report/xml_text.h"
#include "rules/rules.h"

namespace espalier::report {
namespace {

using ByFile = std::map<std::string, std::vector<const text::Finding*>>;

ByFile by_file(const Listing& listing) {
  ByFile files;
  for (const ListedFinding& listed : listing.findings) {
    files[listing.sources[listed.finding->span.file].path()].push_back(listed.finding);
  }
  return files;
}

bool fails(const text::Finding& finding, const Options& options) {
  return options.fails_at && finding.severity <= *options.fails_at;
}

// "tree.xml:3:9: error: text [rule CODE]", and the hint on a separate line.
std::string line_of(const text::Finding& finding, const std::string& path, const Region& region) {
  const rules::RuleInfo& rule = rules::info(finding.rule);
  return path + ':' + std::to_string(region.line) + ':' + std::to_string(region.column) + ": " +
         std::string(rules::severity_name(finding.severity)) + ": " + finding.message + " [" + std::string(rule.name) +
         ' ' + std::string(rule.code) + ']' + (finding.hint.empty() ? "" : "\nhint: " + finding.hint);
}

// A test that fails, or one that passes and lists what was found.
std::string test_of(const text::Finding& finding, const std::string& path, const Region& region, bool is_failure) {
  const rules::RuleInfo& rule = rules::info(finding.rule);
  const std::string name = std::string(rule.name) + ' ' + std::string(rule.code) + ' ' + std::to_string(region.line) +
                           ':' + std::to_string(region.column);
  std::string text = "    <testcase" + xml_attribute("classname", path) + xml_attribute("name", name) +
                     xml_attribute("file", path) + xml_attribute("line", region.line) + ">\n      ";
  const std::string line = xml_text(line_of(finding, path, region));
  if (is_failure) {
    text += "<failure" + xml_attribute("type", rules::severity_name(finding.severity)) +
            xml_attribute("message", message_with_hint(finding)) + '>' + line + "</failure>";
  } else {
    text += "<system-out>" + line + "</system-out>";
  }
  return text + "\n    </testcase>\n";
}

// "2 of 3 expectations failed, 1 warning is an error"
std::string outcome_of(const replay::TraceResult& result) {
  std::string text;
  if (result.failed_count > 0) {
    text = std::to_string(result.failed_count) + " of " + counted(result.expectation_count, "expectation") + " failed";
  }
  if (result.refused_count == 0) return text;
  return text + (text.empty() ? "" : ", ") + counted(result.refused_count, "warning") +
         (result.refused_count == 1 ? " is an error" : " are errors");
}

}  // namespace

void write_junit(const Listing& listing, std::string& out) {
  Regions regions(listing.sources);
  std::string suites;
  std::size_t all_failures = 0;
  for (const auto& [path, findings] : by_file(listing)) {
    std::string tests;
    std::size_t failures = 0;
    for (const text::Finding* finding : findings) {
      const bool is_failure = fails(*finding, listing.options);
      failures += is_failure ? 1 : 0;
      tests += test_of(*finding, path, regions.of(finding->span), is_failure);
    }
    suites += "  <testsuite" + xml_attribute("name", path) + xml_counts({findings.size(), failures}) + ">\n" + tests +
              "  </testsuite>\n";
    all_failures += failures;
  }
  const std::string name = "espalier " + listing.options.verb;
  std::size_t test_count = listing.findings.size();
  if (test_count == 0) {  // tools treat a report without tests as a failed run
    test_count = 1;
    suites = "  <testsuite" + xml_attribute("name", name) + xml_counts({1}) + ">\n    <testcase" +
             xml_attribute("classname", name) + " name=\"no findings\"/>\n  </testsuite>\n";
  }
  out.append(kXmlDeclaration).append("<testsuites").append(xml_attribute("name", name));
  out += xml_counts({test_count, all_failures}) + ">\n" + suites + "</testsuites>\n";
}

// A trace is a suite of one test. Its warnings are what the test writes.
void write_replay_junit(const std::vector<ReplayReport>& reports, const text::Sources& sources, std::ostream& out) {
  Regions regions(sources);
  std::string suites;
  XmlCounts all;
  for (const auto& [result, story, warnings] : reports) {
    const std::string path = visible(result.path);
    XmlCounts counts{1};
    std::string outcome;
    std::string output;
    const text::Finding* first_error = nullptr;
    for (const text::Finding& finding : result.findings.all()) {
      const bool is_error = finding.severity == text::Severity::error;
      if (is_error && first_error == nullptr) first_error = &finding;
      if (!is_error) output += line_of(finding, path, regions.of(finding.span)) + '\n';
    }
    if (result.is_broken) {
      const std::string message =
          first_error != nullptr ? message_with_hint(*first_error) : "the trace cannot be replayed";
      const std::string type =
          first_error != nullptr ? xml_attribute("type", rules::info(first_error->rule).name) : std::string();
      outcome = xml_element("error", type + xml_attribute("message", message), story);
      ++counts.errors;
    } else if (!result.holds()) {
      outcome = xml_element("failure", xml_attribute("message", outcome_of(result)), story);
      ++counts.failures;
    }
    if (!output.empty()) outcome += xml_element("system-out", {}, output);
    suites += "  <testsuite" + xml_attribute("name", path) + xml_counts(counts) + ">\n    <testcase" +
              xml_attribute("classname", path) + xml_attribute("name", visible(result.name)) +
              (outcome.empty() ? "/>\n" : ">\n" + outcome + "    </testcase>\n") + "  </testsuite>\n";
    all.tests += counts.tests;
    all.failures += counts.failures;
    all.errors += counts.errors;
  }
  const FormScope form(out, OutputForm::xml);
  out << kXmlDeclaration << "<testsuites" << xml_attribute("name", "espalier replay") << xml_counts(all) << ">\n"
      << suites << "</testsuites>\n";
}

void write_checkstyle(const Listing& listing, std::string& out) {
  Regions regions(listing.sources);
  out.append(kXmlDeclaration).append("<checkstyle version=\"4.3\">\n");
  for (const auto& [path, findings] : by_file(listing)) {
    out += "  <file" + xml_attribute("name", path) + ">\n";
    for (const text::Finding* finding : findings) {
      const rules::RuleInfo& rule = rules::info(finding->rule);
      const Region region = regions.of(finding->span);
      const bool is_note = finding->severity == text::Severity::note;
      out += "    <error" + xml_attribute("line", region.line) + xml_attribute("column", region.column) +
             xml_attribute("severity", is_note ? "info" : rules::severity_name(finding->severity)) +
             xml_attribute("message", message_with_hint(*finding)) +
             xml_attribute("source", "espalier." + std::string(rule.name) + '.' + std::string(rule.code)) + "/>\n";
    }
    out += "  </file>\n";
  }
  out += "</checkstyle>\n";
}

}  // namespace espalier::report
