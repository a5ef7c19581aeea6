// Results of traces as a JUnit document, which build servers show: a trace is a test case.
#include <pugixml.hpp>

#include "replay/replay.h"

namespace espalier::replay {
namespace {

std::string joined(const std::vector<std::string>& texts) {
  std::string result;
  for (const std::string& text : texts) result += text;
  return result;
}

void add_text(pugi::xml_node parent, const char* element, const std::string& message, const std::string& text) {
  pugi::xml_node node = parent.append_child(element);
  if (!message.empty()) node.append_attribute("message") = message.c_str();
  node.text().set(text.c_str());
}

}  // namespace

void write_junit(const std::vector<TraceResult>& results, std::ostream& out) {
  unsigned failures = 0;
  unsigned errors = 0;
  for (const TraceResult& result : results) {
    if (!result.errors.empty()) {
      ++errors;
    } else if (!result.mismatches.empty()) {
      ++failures;
    }
  }
  pugi::xml_document document;
  pugi::xml_node declaration = document.append_child(pugi::node_declaration);
  declaration.append_attribute("version") = "1.0";
  declaration.append_attribute("encoding") = "UTF-8";
  pugi::xml_node suite = document.append_child("testsuites").append_child("testsuite");
  suite.append_attribute("name") = "espalier replay";
  suite.append_attribute("tests") = static_cast<unsigned>(results.size());
  suite.append_attribute("failures") = failures;
  suite.append_attribute("errors") = errors;
  for (const TraceResult& result : results) {
    pugi::xml_node test = suite.append_child("testcase");
    test.append_attribute("classname") = result.path.c_str();
    test.append_attribute("name") = result.name.c_str();
    if (!result.errors.empty()) {
      add_text(test, "error", "the trace cannot be replayed", joined(result.errors));
    } else if (!result.mismatches.empty()) {
      add_text(test, "failure",
               std::to_string(result.failed_count) + " of " + std::to_string(result.expectation_count) +
                   " expectations failed",
               joined(result.mismatches));
    }
    if (!result.warnings.empty()) add_text(test, "system-err", {}, joined(result.warnings));
  }
  document.save(out, "  ");
}

}  // namespace espalier::replay
