// Reports, character by character.
#include "report/findings.h"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "report/line_view.h"
#include "rules/xml.h"
#include "source_folder.h"
#include "unit.h"

namespace report_findings {

using namespace espalier;
using rules::Rule;

namespace {

// A file with one finding at `part` of its text.
struct Example {
  text::Sources sources;
  text::Findings findings;
  text::FileId file;

  explicit Example(const std::string& text) : file(sources.add("a/tree.xml", text)) {}

  text::Span span(std::string_view part) const {
    const std::size_t begin = sources[file].text().find(part);
    return {file, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(begin + part.size())};
  }

  std::string write(const report::Options& options) const {
    std::ostringstream out;
    write_report(findings, sources, report::summarize(findings, 3), options, out);
    return out.str();
  }
  std::string human(bool color = false) const {
    report::Options options;
    options.color = color;
    return write(options);
  }
  std::string as(std::string_view format) const {
    report::Options options;
    options.format = report::format_of(format);
    options.version = "1.2.3";
    return write(options);
  }
  std::string json() const { return as("json"); }
};

// A finding with all its optional parts.
struct FullExample : Example {
  FullExample() : Example("<Tree>\r\n\t<Leaf name=\"Idle\" naem='x'/>\r\n</Tree>") {
    text::Finding& finding = findings.add(rules::XML_duplicate_attribute, span("naem"), "it is wrong", "do better");
    finding.related.push_back({span("<Tree>"), "first here"});
    finding.fixes.push_back(text::make_fix(span("naem"), "naem", "name", text::FixGrade::safe));
    finding.fixes.push_back(text::make_fix(span(" naem='x'"), " naem='x'", {}, text::FixGrade::unsafe));
    finding.witness =
        text::Witness{"it stops", {R"({"signal": "OnStop"})", R"({"set": {"Fast": false}})", R"({"tick": 0.1})"}};
  }
};

}  // namespace

TEST_CASE("a finding for people has its line, a mark under its place, a hint and related places") {
  CHECK(FullExample().human() ==
        "a/tree.xml:2:20: error: it is wrong [duplicate-attribute XML007]\n"
        "    2 | \t<Leaf name=\"Idle\" naem='x'/>\n"
        "      | \t                  ^~~~\n"
        "  hint: do better\n"
        "  shown by: signal OnStop, set Fast false, tick -> it stops\n"
        "a/tree.xml:1:1: note: first here\n"
        "    1 | <Tree>\n"
        "      | ^~~~~~\n"
        "\n"
        "1 error in 3 files\n"
        "1 can be fixed with --fix\n"
        "'espalier explain XML007' says why, with examples\n");
}

TEST_CASE("without a hint, the title of the best fix is one") {
  Example result("<Tree/>");
  text::Finding& finding = result.findings.add(rules::XML_unused_suppression, result.span("Tree"), "m");
  finding.fixes.push_back(text::make_fix(finding.span, "Tree", "Treee", text::FixGrade::safe));
  CHECK(result.human().find("  hint: Replace 'Tree' with 'Treee'\n") != std::string::npos);
  finding.hint = "write 'Treee'";
  CHECK(result.human().find("Replace") == std::string::npos);
}

TEST_CASE("colour adds escape sequences and changes nothing else") {
  std::string colored = FullExample().human(true);
  CHECK(colored.find("\x1b[1;31merror\x1b[0m: \x1b[1mit is wrong\x1b[0m [duplicate-attribute XML007]") !=
        std::string::npos);
  for (std::size_t at; (at = colored.find('\x1b')) != std::string::npos;) {
    colored.erase(at, colored.find('m', at) + 1 - at);
  }
  CHECK(colored == FullExample().human());
}

TEST_CASE("the line of summary counts what there is") {
  CHECK(report::summary_line({1, 0, 0, 0}) == "no findings in 1 file");
  CHECK(report::summary_line({3, 1, 0, 0}) == "1 error in 3 files");
  CHECK(report::summary_line({0, 2, 1, 5}) == "2 errors, 1 warning, 5 notes in 0 files");
}

TEST_CASE("a mark stands under its part of the line") {
  struct Case {
    std::string line;
    std::size_t begin;
    std::size_t length;
    std::string text;
    std::string below;
  };
  const Case cases[] = {
      {"abc", 1, 1, "abc", " ^"},
      {"abc", 1, 0, "abc", " ^"},
      {"abc", 3, 0, "abc", "   ^"},
      {"", 0, 0, "", "^"},
      {"abc", 1, 100, "abc", " ^~"},
      {"\ta\tb", 3, 1, "\ta\tb", "\t \t^"},
      {"héllo", 3, 3, "héllo", "  ^~~"},
      {"日本語x", 3, 6, "日本語x", "  ^~~~"},
      {"日本語x", 9, 1, "日本語x", "      ^"},
      {"e\u0301x", 3, 1, "e\u0301x", " ^"},
      {"a\x01z", 2, 1, "a<U+0001>z", "         ^"},
      {"a\u202Ez", 4, 1, "a<U+202E>z", "         ^"},
      {"a\x1b[31mz", 1, 1, "a<U+001B>[31mz", " ^~~~~~~~"},
      {"a\xFFz", 2, 1, "a\uFFFDz", "  ^"},
      {"a\xE6\x97", 1, 2, "a\uFFFD\uFFFD", " ^~"},
  };
  for (const Case& given : cases) {
    CAPTURE(given.line, given.begin);
    const report::LineView view = report::view_line(given.line, given.begin, given.length);
    CHECK(view.text == given.text);
    CHECK(view.indent + view.mark == given.below);
  }
}

TEST_CASE("a long line is shown around the mark") {
  const std::string line = std::string(10'000'000, 'a') + "X" + std::string(10'000'000, 'b');
  const report::LineView middle = report::view_line(line, 10'000'000, 1);
  CHECK(middle.text == "..." + std::string(53, 'a') + "X" + std::string(106, 'b') + "...");
  CHECK(middle.indent + middle.mark == std::string(56, ' ') + "^");
  const report::LineView all = report::view_line(line, 0, line.size());
  CHECK(all.text == std::string(160, 'a') + "...");
  CHECK(all.mark == "^" + std::string(159, '~'));
  const report::LineView end = report::view_line(line, line.size(), 0);
  CHECK(end.text == "..." + std::string(160, 'b'));
  CHECK(end.indent + end.mark == std::string(163, ' ') + "^");
  CHECK(report::view_line(std::string(160, 'a'), 80, 1).text == std::string(160, 'a'));
}

TEST_CASE("a message stays on one line and cannot command the terminal") {
  CHECK(report::visible("a\nb\x1b[2Jc\td") == "a<U+000A>b<U+001B>[2Jc d");
}

TEST_CASE("findings for tools are one JSON object, one finding a line") {
  CHECK(
      FullExample().json() ==
      "{\"version\":1,\"findings\":[\n"
      "{\"code\":\"XML007\",\"rule\":\"duplicate-attribute\",\"severity\":\"error\",\"file\":\"a/tree.xml\",\"line\":2,"
      "\"column\":20,\"endLine\":2,\"endColumn\":24,\"message\":\"it is wrong\",\"hint\":\"do better\","
      "\"related\":[{\"file\":\"a/tree.xml\",\"line\":1,\"column\":1,\"message\":\"first here\"}],"
      "\"fix\":{\"title\":\"Replace 'naem' with 'name'\",\"grade\":\"safe\",\"edits\":[{\"file\":\"a/tree.xml\","
      "\"line\":2,\"column\":20,\"endLine\":2,\"endColumn\":24,\"replacement\":\"name\"}]},"
      "\"alternatives\":[{\"title\":\"Remove ' naem='x''\",\"grade\":\"unsafe\",\"edits\":[{\"file\":\"a/tree.xml\","
      "\"line\":2,\"column\":19,\"endLine\":2,\"endColumn\":28,\"replacement\":\"\"}]}],"
      "\"witness\":{\"shows\":\"it "
      "stops\",\"trace\":[{\"signal\":\"OnStop\"},{\"set\":{\"Fast\":false}},{\"tick\":0.1}]}}\n"
      "],\"summary\":{\"files\":3,\"errors\":1,\"warnings\":0,\"notes\":0,\"skipped\":0,"
      "\"accepted\":0,\"stale\":0}}\n");
}

TEST_CASE("no findings are an empty list, and what is empty is left out") {
  Example result("<Tree/>");
  CHECK(result.json() ==
        "{\"version\":1,\"findings\":[],\"summary\":{\"files\":3,\"errors\":0,\"warnings\":0,\"notes\":0,\"skipped\":0,"
        "\"accepted\":0,\"stale\":0}}\n");
  result.findings.add(rules::XML_unused_suppression, result.span("Tree"), "m");
  CHECK(result.json().find("hint") == std::string::npos);
  CHECK(result.json().find("related") == std::string::npos);
  CHECK(result.json().find("fix") == std::string::npos);
}

TEST_CASE("bytes that are not Unicode do not break the JSON") {
  text::Sources sources;
  text::Findings findings;
  findings.add(rules::XML_malformed, {sources.add("a\xFF.xml", "x"), 0, 1}, "m\xFF\n\"");
  std::ostringstream out;
  report::Options options;
  options.format = report::Format::json;
  write_report(findings, sources, {}, options, out);
  const nlohmann::json parsed = nlohmann::json::parse(out.str(), nullptr, false);
  REQUIRE_FALSE(parsed.is_discarded());
  CHECK(parsed["findings"][0]["file"] == "a\uFFFD.xml");
  CHECK(parsed["findings"][0]["message"] == "m\uFFFD\n\"");
}

TEST_CASE("the schema that tools use has exactly the keys that are written") {
  std::ifstream file(source_folder() / "schemas/findings.schema.json");
  const nlohmann::json schema = nlohmann::json::parse(file);
  // One of two findings is left out, so that the report has all its optional parts.
  FullExample example;
  example.findings.add(rules::XML_unused_suppression, example.span("<Tree>"), "a warning");
  report::Options options;
  options.format = report::Format::json;
  options.has_statistics = true;
  options.max_findings = 1;
  example.findings.all().front().witness->agent_count = 2;
  example.findings.all().front().witness->seed = 3;
  const nlohmann::json written = nlohmann::json::parse(example.write(options));
  const auto keys = [](const nlohmann::json& object) {
    std::vector<std::string> result;
    for (const auto& [key, unused] : object.items()) result.push_back(key);
    return result;
  };
  const nlohmann::json& finding = schema["$defs"]["finding"]["properties"];
  CHECK(keys(written) == keys(schema["properties"]));
  CHECK(keys(written["summary"]) == keys(schema["properties"]["summary"]["properties"]));
  CHECK(keys(written["statistics"][0]) == keys(schema["properties"]["statistics"]["items"]["properties"]));
  CHECK(keys(written["findings"][0]) == keys(finding));
  CHECK(keys(written["findings"][0]["related"][0]) == keys(finding["related"]["items"]["properties"]));
  const nlohmann::json& fix = schema["$defs"]["fix"]["properties"];
  CHECK(keys(written["findings"][0]["fix"]) == keys(fix));
  CHECK(keys(written["findings"][0]["alternatives"][0]) == keys(fix));
  CHECK(keys(written["findings"][0]["fix"]["edits"][0]) == keys(fix["edits"]["items"]["properties"]));
  CHECK(keys(written["findings"][0]["witness"]) == keys(finding["witness"]["properties"]));
}

}  // namespace report_findings
