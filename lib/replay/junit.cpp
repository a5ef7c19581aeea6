// Results of traces as a JUnit document, which build servers show: a trace is a suite of one test.
#include <pugixml.hpp>

#include "replay/replay.h"
#include "report/line_view.h"
#include "report/output_form.h"
#include "text/characters.h"

namespace espalier::replay {
namespace {

// Without what XML 1.0 has no way to write; pugixml would write it all the same.
std::string writable(std::string text) {
  constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
  const auto next = [&](std::size_t at) { return at + text::find_forbidden(std::string_view(text).substr(at)); };
  for (std::size_t at = next(0); at < text.size(); at = next(at + kReplacement.size())) {
    text.replace(at, text::character_length(text, at), kReplacement);
  }
  return text;
}

std::string joined(const std::vector<std::string>& texts) {
  std::string result;
  for (const std::string& text : texts) result += text;
  return result;
}

pugi::xml_node add_suite(pugi::xml_node parent, const TraceResult& result) {
  pugi::xml_node suite = parent.append_child("testsuite");
  const bool has_failed = !result.is_broken && result.failed_count > 0;
  suite.append_attribute("name") = writable(report::visible(result.path)).c_str();
  suite.append_attribute("tests") = 1;
  suite.append_attribute("failures") = has_failed ? 1 : 0;
  suite.append_attribute("errors") = result.is_broken ? 1 : 0;
  return suite;
}

void add_test(pugi::xml_node suite, const TraceResult& result) {
  pugi::xml_node test = suite.append_child("testcase");
  test.append_attribute("classname") = writable(report::visible(result.path)).c_str();
  test.append_attribute("name") = writable(report::visible(result.name)).c_str();
  const auto add = [&](const char* element, const std::string& message, const std::string& text) {
    pugi::xml_node node = test.append_child(element);
    node.append_attribute("message") = message.c_str();
    node.text().set(writable(text).c_str());
  };
  const std::string mismatches = result.story + joined(result.mismatches);
  if (result.is_broken) {
    add("error", "the trace cannot be replayed", mismatches + joined(result.errors));
  } else if (result.failed_count > 0) {
    add("failure",
        std::to_string(result.failed_count) + " of " + std::to_string(result.expectation_count) +
            (result.expectation_count == 1 ? " expectation failed" : " expectations failed"),
        mismatches);
  }
  if (!result.warnings.empty()) test.append_child("system-err").text().set(writable(joined(result.warnings)).c_str());
}

}  // namespace

void write_junit(const std::vector<TraceResult>& results, std::ostream& out) {
  unsigned failures = 0;
  unsigned errors = 0;
  pugi::xml_document document;
  pugi::xml_node declaration = document.append_child(pugi::node_declaration);
  declaration.append_attribute("version") = "1.0";
  declaration.append_attribute("encoding") = "UTF-8";
  pugi::xml_node suites = document.append_child("testsuites");
  for (const TraceResult& result : results) {
    errors += result.is_broken ? 1 : 0;
    failures += !result.is_broken && result.failed_count > 0 ? 1 : 0;
    add_test(add_suite(suites, result), result);
  }
  suites.append_attribute("name") = "espalier replay";
  suites.append_attribute("tests") = static_cast<unsigned>(results.size());
  suites.append_attribute("failures") = failures;
  suites.append_attribute("errors") = errors;
  const report::FormScope form(out, report::OutputForm::xml);
  document.save(out, "  ");
}

}  // namespace espalier::replay
