// Findings as text for people and as JSON for tools.
#pragma once
#include <ostream>

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

// Each finding with its source line, a caret under the exact place, related places and hint; then one line of summary.
void write_human(const text::Findings& findings, const text::Sources& sources, const Summary& summary, bool color, std::ostream& out);

// One JSON object: {"version": 1, "findings": [...], "summary": {...}}. Sorted by file, line, column, code.
void write_json(const text::Findings& findings, const text::Sources& sources, const Summary& summary, std::ostream& out);

}  // namespace espalier::report
