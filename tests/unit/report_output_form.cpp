// The characters that reach terminals, logs and other programs.
#include "report/output_form.h"

#include <locale>
#include <nlohmann/json.hpp>
#include <sstream>

#include "report/findings.h"
#include "rules/xml.h"
#include "text/visible.h"
#include "unit.h"

namespace report_output_form {

using namespace espalier;
using report::OutputForm;

namespace {

std::string guarded(std::string_view text, OutputForm form) {
  std::ostringstream out;
  {
    const report::GuardedOutput guard(out);
    const report::FormScope scope(out, form);
    out << text;
  }
  return out.str();
}

// Written byte by byte, so that no character arrives as a whole.
std::string guarded_in_bytes(std::string_view text, OutputForm form) {
  std::ostringstream out;
  {
    const report::GuardedOutput guard(out);
    const report::FormScope scope(out, form);
    for (const char c : text) out << c << std::flush;
  }
  return out.str();
}

struct Given {
  std::string_view text, human, json, xml;
};

constexpr Given kGiven[] = {
    {"plain, caf\xC3\xA9 \xF0\x9F\x8C\xB3\t\n", "plain, caf\xC3\xA9 \xF0\x9F\x8C\xB3\t\n",
     "plain, caf\xC3\xA9 \xF0\x9F\x8C\xB3\t\n", "plain, caf\xC3\xA9 \xF0\x9F\x8C\xB3\t\n"},
    {"\x1b[31mred", "<U+001B>[31mred", "\\u001b[31mred", "\xEF\xBF\xBD[31mred"},
    {"\a\r\x7f", "<U+0007><U+000D><U+007F>", "\\u0007 \\u007f", "\xEF\xBF\xBD&#xD;&#x7F;"},
    {"\xC2\x9B\x31m", "<U+009B>1m", "\\u009b1m", "&#x9B;1m"},
    {"\xE2\x80\xA8\xE2\x80\xAE\xE2\x81\xA6", "<U+2028><U+202E><U+2066>", "\\u2028\\u202e\\u2066",
     "&#x2028;&#x202E;&#x2066;"},
    {"\xF3\xA0\x81\x81", "<U+E0041>", "\\udb40\\udc41", "&#xE0041;"},
    // A lone C1 byte, an overlong ESC, a surrogate, and a character that is cut off.
    {"\x9B\xC0\x9B\xED\xA0\x80|\xE2\x80",
     "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD|\xEF\xBF\xBD\xEF\xBF\xBD",
     "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD|\xEF\xBF\xBD\xEF\xBF\xBD",
     "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD|\xEF\xBF\xBD\xEF\xBF\xBD"},
};

}  // namespace

TEST_CASE("what a terminal would obey or hide is spelt in the way of the form that is written") {
  for (const Given& given : kGiven) {
    CAPTURE(given.human);
    CHECK(guarded(given.text, OutputForm::text) == given.human);
    CHECK(guarded(given.text, OutputForm::json) == given.json);
    CHECK(guarded(given.text, OutputForm::xml) == given.xml);
  }
}

TEST_CASE("it does not matter in how many pieces a text is written") {
  for (const Given& given : kGiven) {
    CAPTURE(given.human);
    for (const OutputForm form : {OutputForm::text, OutputForm::colored, OutputForm::json, OutputForm::xml}) {
      CHECK(guarded_in_bytes(given.text, form) == guarded(given.text, form));
    }
  }
}

TEST_CASE("JSON means the same with its hidden characters spelt out") {
  const std::string text = "a\x1b\x7f\xC2\x85\xE2\x80\xAE\xF3\xA0\x81\x81 \xC3\xA9";
  const std::string written = guarded(nlohmann::json(text).dump(), OutputForm::json);
  CHECK(written.find('\x7f') == std::string::npos);
  CHECK(nlohmann::json::parse(written).get<std::string>() == text);
  CHECK(nlohmann::json::parse(guarded("{\r\n\"a\":\r1}", OutputForm::json))["a"] == 1);
}

TEST_CASE("only colours pass, and only where they are expected") {
  const std::string_view text = "\x1b[1;31mred\x1b[0m \x1b[2J\x1b]0;title\a\x1b";
  CHECK(guarded(text, OutputForm::colored) == "\x1b[1;31mred\x1b[0m <U+001B>[2J<U+001B>]0;title<U+0007><U+001B>");
  CHECK(guarded_in_bytes(text, OutputForm::colored) == guarded(text, OutputForm::colored));
  CHECK(guarded(text, OutputForm::text).find('\x1b') == std::string::npos);
}

TEST_CASE("the links of a terminal pass where colours do, with an address of plain ASCII alone") {
  const std::string_view link = "\x1b]8;;https://example.org/a\x1b\\XML001\x1b]8;;\x1b\\.";
  CHECK(guarded(link, OutputForm::colored) == link);
  CHECK(guarded_in_bytes(link, OutputForm::colored) == link);
  CHECK(guarded(link, OutputForm::text).find('\x1b') == std::string::npos);
  for (const std::string_view other : {"\x1b]8;;a b\x1b\\", "\x1b]8;;a\a", "\x1b]8;;a\x1b[2J", "\x1b]8;id=1;a\x1b\\",
                                       "\x1b]8;;\xC3\xA9\x1b\\", "\x1b]8;;a", "\x1b]52;c;\x1b\\"}) {
    CAPTURE(other);
    CHECK(guarded(other, OutputForm::colored).substr(0, 8) == "<U+001B>");
    CHECK(guarded_in_bytes(other, OutputForm::colored) == guarded(other, OutputForm::colored));
  }
}

TEST_CASE("a form holds as long as its scope") {
  std::ostringstream out;
  const report::GuardedOutput guard(out);
  {
    const report::FormScope outer(out, OutputForm::json);
    { const report::FormScope inner(out, OutputForm::xml); }
    out << "\x7f";
  }
  out << '\x7f';
  report::write_unguarded(out, "\r");
  CHECK(out.str() == "\\u007f<U+007F>\r");
}

TEST_CASE("what fails behind the guard fails before it") {
  struct Full : std::streambuf {
    int sync() override { return -1; }
  } full;
  std::ostream stream(&full);
  {
    const report::GuardedOutput guard(stream);
    stream << "text" << std::flush;
    CHECK(stream.bad());
  }
  CHECK(stream.bad());
}

TEST_CASE("to make visible what is visible changes nothing") {
  for (const Given& given : kGiven) {
    const std::string once = text::visible(given.text);
    CHECK(text::visible(once) == once);
    CHECK(once.find_first_of("\t\n\x1b") == std::string::npos);
  }
}

TEST_CASE("numbers in reports do not depend on the locale of the stream") {
  struct Grouping : std::numpunct<char> {
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\1"; }
  };
  text::Sources sources;
  text::Findings findings;
  const text::FileId file = sources.add("a.xml", std::string(1233, '\n') + "<a/>");
  findings.add(rules::XML_malformed, {file, 1233, 1235}, "m");
  const auto written = [&](std::string_view format, const std::locale& locale) {
    std::ostringstream out;
    out.imbue(locale);
    report::Options options;
    options.format = report::format_of(format);
    options.has_statistics = true;
    report::write_report(findings, sources, report::summarize(findings, 1000), options, out);
    return out.str();
  };
  const std::locale grouping(std::locale::classic(), new Grouping);
  for (const std::string_view format : {"human", "json", "jsonl", "sarif", "junit", "github", "checkstyle"}) {
    CAPTURE(format);
    CHECK(written(format, grouping) == written(format, std::locale::classic()));
  }
}

}  // namespace report_output_form
