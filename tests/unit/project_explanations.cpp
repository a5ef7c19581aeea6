// What rules and elements are, as text and as JSON.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "project/explanations.h"
#include "rules/xml.h"
#include "text/wrapped.h"
#include "unit.h"

namespace project_explanations {

using namespace espalier;

TEST_CASE("a rule is explained by its summary, why it matters and both examples") {
  const std::string text = project::rule_text(rules::XML_duplicate_attribute, {});
  CHECK(text.starts_with("XML007 duplicate-attribute (error): "));
  CHECK(text.find("\nBad (") < text.find("\nGood ("));
  CHECK(text.find("\nGood (") != std::string::npos);
}

TEST_CASE("the list of rules has a line for each") {
  const std::string list = project::list_of_rules();
  CHECK(std::count(list.begin(), list.end(), '\n') == static_cast<std::ptrdiff_t>(rules::all().size()));
}

TEST_CASE("an element is explained by its values, and a word finds what has it") {
  const dialects::Options nothing_declared;
  const std::vector<project::ExplainedElement> found = project::explain_element("Timeout", nothing_declared);
  REQUIRE(!found.empty());
  const std::string text = project::element_text(found.front());
  CHECK(text.starts_with("Timeout (" + std::string(found.front().dialect) + ", element)\n"));
  const std::vector<rules::Rule> rules = project::search_rules("duplicate");
  CHECK(std::find(rules.begin(), rules.end(), rules::XML_duplicate_attribute) != rules.end());
  CHECK(project::search_text("duplicate", rules, {}).find("XML007  duplicate-attribute  ") != std::string::npos);
}

TEST_CASE("JSON leaves out what is empty") {
  const auto json = nlohmann::json::parse(project::explanations_json({rules::XML_duplicate_attribute}, {}, {}));
  CHECK(json["version"] == 1);
  CHECK(json["rules"][0]["code"] == "XML007");
  CHECK_FALSE(json.contains("elements"));
}

TEST_CASE("lines are wrapped at blanks, and those that begin with one are kept") {
  CHECK(text::wrapped("one two three", 7, 2) == "one two\n  three\n");
  CHECK(text::wrapped(" one two three", 7) == " one two three\n");
  CHECK(text::wrapped("", 7) == "\n");
}

}  // namespace project_explanations
