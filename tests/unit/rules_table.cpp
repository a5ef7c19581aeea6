// The rule table, and that every example in it does what it says.
#include <algorithm>
#include <regex>
#include <set>

#include "project/project.h"
#include "rules/rules.h"
#include "temporary_folder.h"
#include "unit.h"

namespace rules_table {

using namespace espalier;
using rules::Rule;
using rules::RuleInfo;

namespace {

constexpr std::string_view kGoodTree =
    "<SelectionTree name=\"Guard\" type=\"BehaviorSelectionTree\">\n  <Leaf name=\"Idle\"/>\n</SelectionTree>\n";

// Rules whose bad example would be too large to show, or needs two files; the tests of their readers give them one.
constexpr Rule kWithoutBadExample[] = {
    Rule::MBT_variable_never_set,
    Rule::MBT_limit_no_effect,  // need espalier.json beside them
    Rule::XML_link_outside,
    Rule::XML_not_given,
    Rule::XML_too_deeply_nested,
    Rule::XML_too_large,
    Rule::SEL_too_many_nodes,
    Rule::SEL_too_deep,
    Rule::SEL_unportable_size,
    Rule::SEL_large_condition,
    Rule::MBT_duplicate_tree,
    Rule::MBT_too_many_nodes,
    Rule::MBT_large_condition,
    Rule::DRA_long_update,
    Rule::DRA_duplicate_tree,
    Rule::DRA_long_id,
    Rule::DRA_subtree_spelling,
    Rule::DRA_too_many_rules,
    Rule::DRA_too_deep,
    Rule::DRA_unknown_action,
    Rule::DRA_unknown_condition,
    Rule::DRA_deprecated,
    Rule::DRA_recommended_parameter,
    Rule::DEC_subset_rule_undecided,
    Rule::DEC_duplicate_tree,
    Rule::DEC_too_many,
    Rule::DEC_too_large,
    Rule::DEC_undeclared_decide,
    Rule::DEC_undeclared_behavior_flag,
    Rule::DEC_repeated_signal,
    Rule::SYN_duplicate_tree,
    Rule::SYN_default_not_accepted,
    Rule::SYN_too_many,
    Rule::SYN_unknown_action,
    Rule::SYN_unknown_condition,
    Rule::SYN_missing_parameter,
    Rule::SYN_parameter_never_read,
    Rule::SYN_deprecated,
};

// Examples of assets and traces are no projects; what reads them has tests of its own.
bool is_run_here(const RuleInfo& row) {
  const std::string_view prefix = row.code.substr(0, 3);
  return prefix != "AST" && prefix != "TRC";
}

// The findings of an example, one a line: code and message.
std::string findings_of(Rule rule, std::string_view example) {
  const TemporaryFolder folder;
  folder.write("tree.xml", kGoodTree);
  folder.write(std::string(rules::example_file(rule)), example);
  project::Project project;
  project::LoadErrors errors;
  // What no element is in is passed over unless it is named.
  const bool is_named = rule == Rule::XML_empty_file;
  REQUIRE(project::load({{is_named ? "tree.xml" : "."}}, project, errors));
  std::string result;
  for (const text::Finding& finding : project.findings.all()) {
    result += std::string(rules::info(finding.rule).code) + ' ' + finding.message + '\n';
  }
  return result;
}

}  // namespace

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

TEST_CASE("every rule has a summary of one line and a reason") {
  for (const RuleInfo& row : rules::all()) {
    CAPTURE(row.code);
    CHECK(!row.summary.empty());
    CHECK(row.summary.find('\n') == std::string_view::npos);
    CHECK(row.summary.back() != '.');
    CHECK(!row.why.empty());
  }
}

TEST_CASE("a rule is found by its code and by its name, in any case") {
  CHECK(rules::find("XML001") == Rule::XML_malformed);
  CHECK(rules::find("xml001") == Rule::XML_malformed);
  CHECK(rules::find("Malformed") == Rule::XML_malformed);
  CHECK(rules::find("") == Rule::count);
  CHECK(rules::find("XML") == Rule::count);
}

TEST_CASE("a bad example gives its finding and nothing else") {
  for (std::size_t i = 0; i < rules::all().size(); ++i) {
    const RuleInfo& row = rules::all()[i];
    if (!is_run_here(row)) continue;
    const auto rule = static_cast<Rule>(i);
    CAPTURE(row.code, row.name, row.bad);
    const bool may_be_empty =
        std::find(std::begin(kWithoutBadExample), std::end(kWithoutBadExample), rule) != std::end(kWithoutBadExample);
    CHECK(row.bad.empty() == may_be_empty);
    if (row.bad.empty()) continue;
    const std::string findings = findings_of(rule, row.bad);
    CHECK(std::count(findings.begin(), findings.end(), '\n') == 1);
    CHECK(findings.substr(0, row.code.size()) == row.code);
  }
}

TEST_CASE("a good example gives nothing") {
  for (std::size_t i = 0; i < rules::all().size(); ++i) {
    const RuleInfo& row = rules::all()[i];
    if (!is_run_here(row)) continue;
    CAPTURE(row.code, row.name, row.good);
    CHECK((row.bad.empty() || !row.good.empty()));
    if (row.good.empty()) continue;
    CHECK(findings_of(static_cast<Rule>(i), row.good).empty());
  }
}

}  // namespace rules_table
