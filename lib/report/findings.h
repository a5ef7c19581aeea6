// Findings as text for people and as JSON for tools. Findings are written in the order they have; see Findings::sort.
#pragma once
#include <ostream>
#include <string>

#include "text/finding.h"
#include "text/source.h"

namespace espalier::report {

// How many files were read, and how many findings of each severity there are.
struct Summary {
  std::uint32_t files = 0;
  std::uint32_t errors = 0;
  std::uint32_t warnings = 0;
  std::uint32_t notes = 0;
};

Summary summarize(const text::Findings& findings, std::uint32_t file_count);

// "2 errors, 1 warning in 3 files", "no findings in 1 file".
std::string summary_line(const Summary& summary);

// Each finding with its source line, a mark under the exact place, related places and hint.
void write_findings(const text::Findings& findings, const text::Sources& sources, bool color, std::ostream& out);

// The findings, then the line of summary.
void write_human(const text::Findings& findings, const text::Sources& sources, const Summary& summary, bool color,
                 std::ostream& out);

// One JSON object, documented in schemas/findings.schema.json: {"version": 1, "findings": [...], "summary": {...}}.
void write_json(const text::Findings& findings, const text::Sources& sources, const Summary& summary,
                std::ostream& out);

}  // namespace espalier::report
