// The rule table and the texts of its folders. The examples are run as golden cases.
#include <regex>
#include <set>

#include "rules/rule_texts.h"
#include "rules/rules.h"
#include "rules/xml.h"
#include "unit.h"

namespace rules_table {

using namespace espalier;
using rules::Rule;
using rules::RuleInfo;

TEST_CASE("codes are three letters and three digits, and each is given once") {
  std::set<std::string_view> seen;
  for (const RuleInfo& row : rules::all()) {
    CAPTURE(row.code);
    CHECK(std::regex_match(std::string(row.code), std::regex("[A-Z]{3}[0-9]{3}")));
    CHECK(seen.insert(row.code).second);
  }
}

TEST_CASE("names are words with hyphens, and unique among the rules of a prefix") {
  std::set<std::pair<std::string_view, std::string_view>> seen;
  for (const RuleInfo& row : rules::all()) {
    CAPTURE(row.code, row.name);
    CHECK(std::regex_match(std::string(row.name), std::regex("[a-z0-9]+(-[a-z0-9]+)*")));
    CHECK(seen.insert({row.code.substr(0, 3), row.name}).second);
  }
}

TEST_CASE("every rule has a summary of one line, and a folder that says why") {
  for (const RuleInfo& row : rules::all()) {
    CAPTURE(row.code);
    CHECK(!row.summary.empty());
    CHECK(row.summary.find('\n') == std::string_view::npos);
    CHECK(row.summary.back() != '.');
    CHECK(!row.why.empty());
  }
}

TEST_CASE("a rule is found by its code and by its name, in any case") {
  CHECK(rules::find("XML001") == rules::XML_malformed);
  CHECK(rules::find("xml001") == rules::XML_malformed);
  CHECK(rules::find("Malformed") == rules::XML_malformed);
  CHECK(rules::find("") == rules::kNoRule);
  CHECK(rules::find("XML") == rules::kNoRule);
}

TEST_CASE("every folder of texts belongs to a rule") { CHECK(rules::rule_texts().size() == rules::all().size()); }

}  // namespace rules_table
