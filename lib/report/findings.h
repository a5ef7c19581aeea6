// Findings for people and for other programs. They are written in the order they have (see Findings::sort), and each
// report in one piece: findings may be very many.
#pragma once
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>

#include "text/finding.h"
#include "text/source.h"

namespace espalier::report {

// How many files were read, and how many findings of each severity there are.
struct Summary {
  std::uint32_t files = 0;
  std::uint32_t errors = 0;
  std::uint32_t warnings = 0;
  std::uint32_t notes = 0;
  std::uint32_t skipped = 0;   // files that are no trees and need not be
  std::uint32_t accepted = 0;  // findings that a baseline takes out
  std::uint32_t stale = 0;     // findings that it accepts and that are not there any more
};

Summary summarize(const text::Findings& findings, std::uint32_t file_count);

// "2 errors, 1 warning in 3 files", "no findings in 1 file (5 others are no trees)".
std::string summary_line(const Summary& summary);

enum class Format : std::uint8_t {
  human,       // each finding with its source line, a mark under the exact place, related places and hint
  json,        // one object, documented in schemas/findings.schema.json
  jsonl,       // such findings, one a line, and nothing else
  sarif,       // SARIF 2.1.0, for code scanning
  junit,       // a suite a file, a test a finding
  github,      // commands of GitHub's workflows, which annotate lines
  checkstyle,  // what editors and build servers read
};
// The names of all formats, "human|json|...", in the order of Format.
inline constexpr std::string_view kFormatNames = "human|json|jsonl|sarif|junit|github|checkstyle";
// `name` is one of them.
Format format_of(std::string_view name);

struct Options {
  Format format = Format::human;
  bool color = false;                         // human
  bool shows_repeated = false;                // human: findings with the same words are all shown, not the first five
  bool has_summary = true;                    // human: ends with the line of summary
  bool has_statistics = false;                // human and json: how often each rule was broken
  std::optional<std::uint64_t> max_findings;  // so many are listed: errors first, then warnings; none: all
  std::optional<text::Severity> fails_at = text::Severity::error;  // junit: what fails; none: nothing does
  std::string version;                                             // of the program; sarif
};

// Writes a report. Gives how many findings were not listed because of `max_findings`.
std::size_t write_report(const text::Findings& findings, const text::Sources& sources, const Summary& summary,
                         const Options& options, std::ostream& out);

}  // namespace espalier::report
