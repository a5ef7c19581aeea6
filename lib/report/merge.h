// Joins the reports of several runs that have shared the work: what one run would have written.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace espalier::report {

// A report of `replay`, `prove` or `cover`.
struct PartialReport {
  std::string name;  // for messages: of its file
  std::string text;
};

struct Merged {
  std::string text;
  std::optional<double> cover_percent = {};  // of reports of `cover` as JSON: reached, of what can be reached
  bool has_failed = false;                   // one of them has a failure, or a finding that is an error
};

// JUnit, LCOV, and the JSON of covers, proofs and findings: all of one kind, in the order of the runs. Nothing: `error`
// says why they cannot be joined.
[[nodiscard]] std::optional<Merged> merge(std::span<const PartialReport> reports, std::string* error);

// Whose reports they are, as far as the first that is one tells: "cover" and "lcov". Nothing: none is a report.
struct ReportForm {
  std::string verb;
  std::string format;
};
[[nodiscard]] std::optional<ReportForm> form_of(std::span<const PartialReport> reports);

}  // namespace espalier::report
