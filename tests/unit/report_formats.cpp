// Findings for other programs: what each format escapes, counts and leaves out.
#include <nlohmann/json.hpp>
#include <sstream>

#include "report/findings.h"
#include "rules/rules.h"
#include "rules/selection.h"
#include "rules/xml.h"
#include "unit.h"

namespace report_formats {

using namespace espalier;
using rules::Rule;

namespace {

// A project with findings, written in a format.
struct Project {
  text::Sources sources;
  text::Findings findings;

  text::FileId file(const std::string& path, const std::string& text) { return sources.add(path, text); }

  std::string as(std::string_view format, report::Options options = {}, std::size_t* omitted_count = nullptr) const {
    std::ostringstream out;
    options.format = report::format_of(format);
    options.version = "1.2.3";
    const std::size_t omitted = write_report(findings, sources, report::summarize(findings, 1), options, out);
    if (omitted_count != nullptr) *omitted_count = omitted;
    return out.str();
  }
};

std::size_t count_of(const std::string& text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++count;
  return count;
}

// Counts the calls that pass bytes on.
class CountingBuffer : public std::streambuf {
 public:
  std::size_t writes = 0;

 protected:
  std::streamsize xsputn(const char*, std::streamsize count) override {
    ++writes;
    return count;
  }
  int_type overflow(int_type byte) override {
    ++writes;
    return traits_type::not_eof(byte);
  }
};

void add_many(Project& project, std::size_t count, const std::string& message) {
  const text::FileId file = project.file("a.xml", std::string(count, 'x'));
  for (std::uint32_t i = 0; i < count; ++i)
    project.findings.add(rules::SEL_unknown_variable, {file, i, i + 1}, message);
}

}  // namespace

TEST_CASE("a command of GitHub's workflow escapes what has a meaning in it") {
  Project project;
  const text::FileId file = project.file("a,b:c%\n.xml", "<T\u00E4 x='1'\n y='2'/>");
  project.findings.add(rules::XML_malformed, {file, 5, 6}, "50% of\r\n::error::x, y", "a: b, c");
  project.findings.add(rules::XML_unused_suppression, {file, 5, 14}, "over two lines");
  CHECK(project.as("github") ==
        "::error file=a%2Cb%3Ac%25<U+000A>.xml,line=1,col=5,endColumn=5,endLine=1,title=malformed XML001::"
        "50%25 of<U+000D><U+000A>::error::x, y (a: b, c)\n"
        "::warning file=a%2Cb%3Ac%25<U+000A>.xml,line=1,endLine=2,title=unused-suppression XML016::over two lines\n");
}

TEST_CASE("XML for other programs holds no character that XML forbids, and no markup from outside") {
  Project project;
  const text::FileId file = project.file("a\x1B<b>\".xml", "text");
  project.findings.add(rules::XML_malformed, {file, 0, 4}, "]]> & <i> ' \" \x01 \xFF \uFFFF \u202E \t\n", "h");
  const std::string escaped = "]]&#62; &#38; &#60;i&#62; &#39; &#34; \uFFFD \uFFFD \uFFFD &#8238; &#9;&#10;";
  const std::string checkstyle = project.as("checkstyle");
  CHECK(checkstyle.find("<file name=\"a\uFFFD&#60;b&#62;&#34;.xml\">") != std::string::npos);
  CHECK(checkstyle.find("message=\"" + escaped + " (h)\" source=\"espalier.malformed.XML001\"/>") != std::string::npos);
  const std::string junit = project.as("junit");
  CHECK(junit.find("<failure type=\"error\" message=\"" + escaped + " (h)\">") != std::string::npos);
  CHECK(junit.find("</failure>") != std::string::npos);
}

TEST_CASE("a test of JUnit fails at the severity that fails, and no findings are one test that passes") {
  Project project;
  const text::FileId file = project.file("a.xml", "text");
  project.findings.add(rules::XML_malformed, {file, 0, 4}, "m");
  project.findings.add(rules::XML_unused_suppression, {file, 1, 4}, "n");
  report::Options options;
  CHECK(project.as("junit", options).find("tests=\"2\" failures=\"1\"") != std::string::npos);
  options.fails_at = text::Severity::warning;
  CHECK(project.as("junit", options).find("tests=\"2\" failures=\"2\"") != std::string::npos);
  options.fails_at.reset();
  CHECK(project.as("junit", options).find("tests=\"2\" failures=\"0\"") != std::string::npos);
  CHECK(Project().as("junit").find("tests=\"1\" failures=\"0\"") != std::string::npos);
}

TEST_CASE("SARIF counts columns in characters, names files as URIs, and explains each rule once") {
  Project project;
  const text::FileId file = project.file("trees/\u00E4 b#1.xml", "\u65E5\u672C\U0001F600ab\ncd");
  project.findings.add(rules::XML_malformed, {file, 11, 12}, "m", "h");
  project.findings.add(rules::XML_malformed, {file, 3, 13}, "m");
  text::Finding& last = project.findings.add(rules::XML_unused_suppression, {file, 6, 10}, "n");
  last.related.push_back({{file, 0, 3}, "here"});
  last.fixes.push_back(text::make_fix({file, 0, 3}, "\u65E5", "x", text::FixGrade::unsafe));
  last.fixes.push_back({"Second", text::FixGrade::safe, {{{file, 1, 2}, {}}}});
  last.witness = text::Witness{"it starts", {R"({"tick": 0.1})"}};
  const nlohmann::json log = nlohmann::json::parse(project.as("sarif"));
  const nlohmann::json& run = log["runs"][0];
  CHECK(log["version"] == "2.1.0");
  CHECK(run["columnKind"] == "unicodeCodePoints");
  CHECK(run["tool"]["driver"]["semanticVersion"] == "1.2.3");
  const auto region = [&](std::size_t i) { return run["results"][i]["locations"][0]["physicalLocation"]["region"]; };
  CHECK(region(0) == nlohmann::json({{"startLine", 1}, {"startColumn", 5}, {"endLine", 1}, {"endColumn", 6}}));
  CHECK(region(1) == nlohmann::json({{"startLine", 1}, {"startColumn", 2}, {"endLine", 2}, {"endColumn", 1}}));
  CHECK(region(2) == nlohmann::json({{"startLine", 1}, {"startColumn", 3}, {"endLine", 1}, {"endColumn", 4}}));
  const nlohmann::json& first = run["results"][0];
  CHECK(first["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "trees/%C3%A4%20b%231.xml");
  CHECK(first["message"]["text"] == "m (h)");
  const nlohmann::json& rules = run["tool"]["driver"]["rules"];
  REQUIRE(rules.size() == 2);
  CHECK(rules[first["ruleIndex"].get<std::size_t>()]["id"] == "XML001");
  CHECK(rules[0]["help"]["text"].get<std::string>().find(rules::info(rules::XML_malformed).why) == 0);
  const nlohmann::json& fix = run["results"][2]["fixes"][0]["artifactChanges"][0]["replacements"][0];
  CHECK(run["results"][2]["fixes"][0]["description"]["text"] == "Replace '\u65E5' with 'x'");
  CHECK(run["results"][2]["fixes"][0]["properties"]["grade"] == "unsafe");
  CHECK(run["results"][2]["fixes"][1]["description"]["text"] == "Second");
  CHECK(run["results"][2]["properties"]["witness"]["trace"].dump() == R"([{"tick":0.1}])");
  CHECK(fix["insertedContent"]["text"] == "x");
  CHECK(fix["deletedRegion"]["endColumn"] == 2);
  CHECK(run["results"][2]["relatedLocations"][0]["message"]["text"] == "here");
}

TEST_CASE("an absolute path is a file URI") {
  Project project;
  project.findings.add(rules::XML_malformed, {project.file("/a/b.xml", "x"), 0, 1}, "m");
  CHECK(project.as("sarif").find("\"artifactLocation\":{\"uri\":\"file:///a/b.xml\"}") != std::string::npos);
}

TEST_CASE("people see the first five findings with the same words, programs see all") {
  Project project;
  add_many(project, 500, "no variable is named 'Alerd'");
  project.findings.add(rules::SEL_unknown_variable, {project.file("b.xml", "y"), 0, 1}, "no variable is named 'Alerd'");
  const std::string text = project.as("human");
  CHECK(count_of(text, "error: no variable is named 'Alerd'") == 5);
  CHECK(count_of(text, "note: 496 more findings with the same words in 2 files not shown") == 1);
  CHECK(text.find("501 errors in 1 file") != std::string::npos);
  CHECK(count_of(project.as("json"), "Alerd") == 501);
  report::Options options;
  options.shows_repeated = true;
  CHECK(count_of(project.as("human", options), "error: no variable is named 'Alerd'") == 501);
}

TEST_CASE("with a limit the gravest are listed in their order, and the rest is counted") {
  Project project;
  const text::FileId file = project.file("a.xml", "abcdef");
  for (std::uint32_t i = 0; i < 3; ++i) project.findings.add(rules::XML_unused_suppression, {file, i, i}, "w");
  project.findings.add(rules::XML_malformed, {file, 4, 5}, "e");
  report::Options options;
  options.max_findings = 2;
  std::size_t omitted_count = 0;
  const nlohmann::json report = nlohmann::json::parse(project.as("json", options, &omitted_count));
  CHECK(omitted_count == 2);
  REQUIRE(report["findings"].size() == 2);
  CHECK(report["findings"][0]["column"] == 1);
  CHECK(report["findings"][1]["severity"] == "error");
  CHECK(report["summary"]["warnings"] == 3);
  CHECK(report["summary"]["omitted"] == 2);
  CHECK(project.as("human", options).find("2 more findings not shown (--max-findings)\n") != std::string::npos);
  for (const std::string_view format : {"human", "jsonl", "sarif", "junit", "github", "checkstyle"}) {
    CAPTURE(format);
    CHECK_FALSE(project.as(format, options, &omitted_count).empty());
    CHECK(omitted_count == 2);
  }
  options.max_findings = 0;
  CHECK(nlohmann::json::parse(project.as("json", options))["findings"].empty());
}

TEST_CASE("a report is written in one piece, however long it is") {
  Project project;
  const text::FileId file = project.file("a.xml", std::string(20'000, 'x'));
  for (std::uint32_t i = 0; i < 20'000; ++i) {
    project.findings.add(rules::SEL_unknown_variable, {file, i, i + 1}, "m" + std::to_string(i));
  }
  for (const std::string_view format : {"human", "json", "jsonl", "sarif", "junit", "github", "checkstyle"}) {
    CAPTURE(format);
    CountingBuffer buffer;
    std::ostream out(&buffer);
    report::Options options;
    options.format = report::format_of(format);
    write_report(project.findings, project.sources, {}, options, out);
    CHECK(buffer.writes == 1);
  }
}

TEST_CASE("every format has its name") {
  std::istringstream names(report::format_names());
  std::uint8_t count = 0;
  for (std::string name; std::getline(names, name, '|'); ++count) {
    CHECK(report::format_of(name) == static_cast<report::Format>(count));
  }
  CHECK(count >= 8);
}

}  // namespace report_formats
