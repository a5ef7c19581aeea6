// Writes findings for people and for other programs, in the given order (see Findings::sort). A report is written with
// one write, since there may be very many findings.
#pragma once
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>

#include "text/finding.h"
#include "text/source.h"

namespace espalier::report {

// The number of files read, and of findings of each severity.
struct Summary {
  std::uint32_t files = 0;
  std::uint32_t errors = 0;
  std::uint32_t warnings = 0;
  std::uint32_t notes = 0;
  std::uint32_t skipped = 0;           // files that are not trees
  std::uint32_t accepted = 0;          // findings that a baseline accepts
  std::uint32_t stale = 0;             // findings that it accepts and that no longer exist
  std::uint32_t fixable = 0;           // findings with a safe fix
  std::uint32_t unsafely_fixable = 0;  // findings with only unsafe fixes
};

Summary summarize(const text::Findings& findings, std::uint32_t file_count);

// "2 errors, 1 warning in 3 files", "no findings in 1 file (5 other files skipped)".
std::string summary_line(const Summary& summary);
// "2 can be fixed with --fix, 1 more with --fix --unsafe"; empty if none can.
std::string fixable_line(const Summary& summary);

enum class Format : std::uint8_t {
#define FORMAT(name, form, shows_witnesses, what) name,
#include "report/formats.def"
};
// The names of all formats, "human|json|...", in the order of Format.
[[nodiscard]] std::string format_names();
// `name` must be one of them.
Format format_of(std::string_view name);
// Has a report of this format the traces that show findings?
bool shows_witnesses(Format format);

struct Options {
  Format format = Format::human;
  bool color = false;           // human
  bool has_links = false;       // human, with colour: codes lead to the pages of rules, if there are any
  bool shows_repeated = false;  // human: shows all findings with the same message, not only the first five
  bool has_summary = true;      // human: ends with a summary line
  bool has_statistics = false;  // human and json: counts the findings of each rule
  std::optional<std::uint64_t> max_findings;  // lists at most this many, errors first, then warnings; none: no limit
  std::optional<text::Severity> fails_at =
      text::Severity::error;  // junit: lowest severity that fails; none: nothing fails
  std::string version;        // of the program; sarif
  std::string verb = "lint";  // junit: the suites are named after it
};

// Writes a report. Returns the number of findings omitted because of `max_findings`.
std::size_t write_report(const text::Findings& findings, const text::Sources& sources, const Summary& summary,
                         const Options& options, std::ostream& out);

}  // namespace espalier::report
