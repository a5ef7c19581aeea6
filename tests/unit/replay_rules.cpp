// Every rule of traces does what its examples say.
#include <algorithm>

#include "replay_guard.h"
#include "rules/rules.h"

namespace replay_rules {

using namespace espalier;
using rules::Rule;
using rules::RuleInfo;

namespace {

// Rules whose bad example needs more than the guard; sessions and expectations test them.
constexpr Rule kWithoutBadExample[] = {Rule::TRC_no_leaf_names};

bool is_of_traces(const RuleInfo& row) { return row.code.substr(0, 3) == "TRC"; }

// "[unknown-name TRC006]" is in each message.
bool tells(const std::string& message, const RuleInfo& row) {
  return message.find(" [" + std::string(row.name) + ' ' + std::string(row.code) + "]") != std::string::npos;
}

}  // namespace

TEST_CASE("the bad example of a rule of traces breaks that rule and no other") {
  for (std::size_t i = 0; i < rules::all().size(); ++i) {
    const RuleInfo& row = rules::all()[i];
    if (!is_of_traces(row)) continue;
    CAPTURE(row.code, row.bad);
    const bool has_none = std::find(std::begin(kWithoutBadExample), std::end(kWithoutBadExample),
                                    static_cast<Rule>(i)) != std::end(kWithoutBadExample);
    REQUIRE(row.bad.empty() == has_none);
    if (has_none) continue;
    const RunResult result = run_trace(std::string(row.bad)).result;
    const bool is_error = row.severity == rules::Severity::error;
    CHECK(result.is_broken == is_error);
    CHECK(result.mismatches.empty());
    const std::vector<std::string>& told = is_error ? result.errors : result.warnings;
    CHECK((is_error ? result.warnings : result.errors).empty());
    REQUIRE(told.size() == 1);
    INFO(told.front());
    CHECK(tells(told.front(), row));
  }
}

TEST_CASE("the good example of a rule of traces is good") {
  for (const RuleInfo& row : rules::all()) {
    if (!is_of_traces(row)) continue;
    CAPTURE(row.code, row.good);
    CHECK(row.good.empty() == row.bad.empty());
    if (row.good.empty()) continue;
    const Replayed replayed = run_trace(std::string(row.good));
    INFO(replayed.messages());
    CHECK(replayed.is_clean());
  }
}

TEST_CASE("with --strict warnings are errors, which end the trace") {
  for (const RuleInfo& row : rules::all()) {
    if (!is_of_traces(row) || row.severity != rules::Severity::warning) continue;
    CAPTURE(row.code);
    RunOptions options;
    options.run.strict = true;
    const RunResult result =
        run_trace(std::string(row.bad) + "{\"expect\": {\"behavior\": \"Combat\"}}\n", options).result;
    CHECK(result.is_broken);
    CHECK(result.expectation_count == 0);
    CHECK(result.warnings.empty());
    REQUIRE(result.errors.size() == 1);
    CHECK(tells(result.errors.front(), row));
  }
}

}  // namespace replay_rules
