// Warnings about traces with --strict.

#include "replay_guard.h"
#include "rules/rules.h"

namespace replay_rules {

using namespace espalier;
using rules::RuleInfo;

namespace {

bool is_of_traces(const RuleInfo& row) { return row.code.substr(0, 3) == "TRC"; }

// Is it about what goes wrong in a run? tests/reports/run_faults.py makes these happen.
bool is_of_runs(const RuleInfo& row) { return row.code >= "TRC017"; }

// "[unknown-name TRC006]" is in each message.
bool tells(const std::string& message, const RuleInfo& row) {
  return message.find(" [" + std::string(row.name) + ' ' + std::string(row.code) + "]") != std::string::npos;
}

std::string_view trace_of(std::span<const rules::ExampleFile> example) {
  const auto is_trace = [](const rules::ExampleFile& file) { return file.path == "tree.trace.jsonl"; };
  const auto found = std::find_if(example.begin(), example.end(), is_trace);
  REQUIRE(found != example.end());
  return found->text;
}

}  // namespace

TEST_CASE("with --strict warnings are errors, and the trace goes on") {
  for (const RuleInfo& row : rules::all()) {
    if (!is_of_traces(row) || row.severity != rules::Severity::warning || is_of_runs(row)) continue;
    CAPTURE(row.code);
    RunOptions options;
    options.run.strict = true;
    const RunResult result =
        run_trace(std::string(trace_of(row.bad)) + "{\"expect\": {\"behavior\": \"Combat\"}}\n", options).result;
    CHECK_FALSE(result.is_broken);
    CHECK_FALSE(result.holds());
    CHECK(result.refused_count == 1);
    CHECK(result.expectation_count == 1);
    CHECK(result.warnings.empty());
    REQUIRE(result.errors.size() == 1);
    CHECK(tells(result.errors.front(), row));
  }
}

}  // namespace replay_rules
