// The changes that make mutants: of a value, and of a file.
#include <algorithm>
#include <string>
#include <vector>

#include "dialects/dialect.h"
#include "mutants/changes.h"
#include "mutants/value_changes.h"
#include "unit.h"

namespace espalier::mutants {
namespace {

// The value after each change.
std::vector<std::string> changed(std::string_view value, ValueKind kind, const std::vector<std::string>& others = {},
                                 const std::vector<std::string_view>& words = {}) {
  std::vector<std::string> values;
  for (const ValueChange& change : changes_of_value(value, kind, others, words)) {
    values.push_back(std::string(value).replace(change.begin, change.end - change.begin, change.replacement));
  }
  return values;
}

using Values = std::vector<std::string>;

}  // namespace

TEST_CASE("mutants: a value changes in one place at a time") {
  struct Case {
    const char* value;
    ValueKind kind;
    Values others;
    Values expected;
  };
  const std::vector<Case> cases = {
      {"3", ValueKind::text, {}, {"4"}},
      {"-9", ValueKind::text, {}, {"-10"}},
      {"99", ValueKind::text, {}, {"100"}},
      {"0.5", ValueKind::text, {}, {"1.5"}},
      {"true", ValueKind::text, {}, {"false"}},
      {"home", ValueKind::text, {}, {"home2"}},
      {"home", ValueKind::text, {"dock", "home", "yard"}, {"yard"}},
      {"yard", ValueKind::text, {"dock", "home", "yard"}, {"dock"}},
      {"{goal}", ValueKind::text, {}, {"{other_goal}"}},
      {"{goal}", ValueKind::text, {"{goal}", "{path}"}, {"{path}"}},
      {"", ValueKind::text, {"x"}, {}},
      {"A and not B", ValueKind::script, {}, {"A or not B", "A and  B"}},
      {"A and B", ValueKind::script, {"A", "B", "C"}, {"B and B", "A or B", "A and C"}},
      {"!a && b < 10", ValueKind::script, {}, {"a && b < 10", "!a || b < 10", "!a && b >= 10", "!a && b < 11"}},
      {"state := 'home'", ValueKind::script, {}, {"state := 'home2'"}},
      {"n += 1", ValueKind::script, {}, {"n -= 1", "n += 2"}},
      {"'cut", ValueKind::script, {}, {"'cu2'"}},
  };
  for (const Case& each : cases) {
    INFO(each.value);
    CHECK(changed(each.value, each.kind, each.others) == each.expected);
  }
  CHECK(changed("fail", ValueKind::text, {}, {"fail", "reset", "ignore"}) == Values{"reset", "ignore"});
}

TEST_CASE("mutants: the changes of a file") {
  text::Sources sources;
  text::Findings findings;
  const auto document =
      text::XmlDocument::parse("guard.xml",
                               "<SelectionTree name=\"Guard\" type=\"BehaviorSelectionTree\">\n"
                               "  <Variables><Variable name=\"A\"/><Variable name=\"B\"/></Variables>\n"
                               "  <Priority name=\"Root\">\n"
                               "    <Leaf name=\"Attack\" condition=\"A\"/>\n"
                               "    <Leaf name=\"Idle\"/>\n"
                               "  </Priority>\n"
                               "</SelectionTree>\n",
                               sources, findings);
  REQUIRE(document != nullptr);
  const dialects::Dialect* const dialect = dialects::find_owner(document->root_name());
  REQUIRE(dialect != nullptr);
  Values words;
  for (const Change& change : changes_of(*document, *dialect)) words.push_back(change.what);
  const auto has = [&](const char* what) { return std::find(words.begin(), words.end(), what) != words.end(); };
  CHECK(has("'Leaf' is gone"));
  CHECK(has("'Leaf' and 'Leaf' change places"));
  CHECK(has("'Priority' is gone, what is in it stays"));
  CHECK(has("'Priority' becomes 'StateMachine'"));
  CHECK(has("'condition' of 'Leaf' is gone"));
  CHECK(has("'condition' of 'Leaf' is negated"));
  // The order of declarations decides nothing.
  CHECK_FALSE(has("'Variable' and 'Variable' change places"));
}

}  // namespace espalier::mutants
