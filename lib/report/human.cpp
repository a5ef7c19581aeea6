// Findings for people: the place, the rule, the source line with a mark under the exact part of it, related places, a
// hint.
#include <algorithm>

#include "report/findings.h"
#include "report/line_view.h"

namespace espalier::report {
namespace {

using rules::Severity;

// Terminal colours; all empty when there is no colour.
struct Palette {
  std::string_view bold, error, warning, note, mark, dim, reset;
};

constexpr Palette kPlain = {};
constexpr Palette kColored = {"\x1b[1m", "\x1b[1;31m", "\x1b[1;35m", "\x1b[1;36m", "\x1b[1;32m", "\x1b[34m", "\x1b[0m"};

std::string_view severity_color(const Palette& palette, Severity severity) {
  switch (severity) {
    case Severity::error:
      return palette.error;
    case Severity::warning:
      return palette.warning;
    case Severity::note:
      return palette.note;
  }
  return palette.note;
}

// Writes one report; holds what every part of it needs.
struct Writer {
  const text::Sources& sources;
  const Palette& palette;
  std::ostream& out;

  void place(text::Span span) {
    const text::Source& source = sources[span.file];
    const text::Position at = source.position(span.begin);
    out << palette.bold << visible(source.path()) << ':' << at.line << ':' << at.column << ": " << palette.reset;
  }

  // The source line of `span` behind its number, and the mark below it.
  void excerpt(text::Span span) {
    const text::Source& source = sources[span.file];
    const text::Position at = source.position(span.begin);
    const std::string_view line = source.line(at.line);
    if (source.text().empty()) return;
    const LineView view = view_line(line, at.column - 1, span.end - span.begin);
    const std::string number = std::to_string(at.line);
    const std::size_t width = std::max<std::size_t>(number.size(), 4);
    out << palette.dim << std::string(width + 1 - number.size(), ' ') << number << " | " << palette.reset << view.text
        << '\n';
    out << palette.dim << std::string(width + 1, ' ') << " | " << palette.reset << view.indent << palette.mark
        << view.mark << palette.reset << '\n';
  }

  void finding(const text::Finding& finding) {
    const rules::RuleInfo& rule = rules::info(finding.rule);
    place(finding.span);
    out << severity_color(palette, finding.severity) << rules::severity_name(finding.severity) << palette.reset << ' '
        << rule.code << ' ' << rule.name << ": " << palette.bold << visible(finding.message) << palette.reset << '\n';
    excerpt(finding.span);
    if (!finding.hint.empty())
      out << "  " << palette.note << "hint" << palette.reset << ": " << visible(finding.hint) << '\n';
    for (const text::Related& related : finding.related) {
      place(related.span);
      out << palette.note << "note" << palette.reset << ": " << visible(related.message) << '\n';
      excerpt(related.span);
    }
    out << '\n';
  }
};

std::string counted(std::uint32_t count, std::string_view what) {
  return std::to_string(count) + ' ' + std::string(what) + (count == 1 ? "" : "s");
}

}  // namespace

Summary summarize(const text::Findings& findings, std::uint32_t file_count) {
  Summary summary;
  summary.files = file_count;
  for (const text::Finding& finding : findings.all()) {
    switch (finding.severity) {
      case Severity::error:
        ++summary.errors;
        break;
      case Severity::warning:
        ++summary.warnings;
        break;
      case Severity::note:
        ++summary.notes;
        break;
    }
  }
  return summary;
}

std::string summary_line(const Summary& summary) {
  std::string line;
  auto append = [&](std::uint32_t count, std::string_view what) {
    if (count != 0) line += (line.empty() ? "" : ", ") + counted(count, what);
  };
  append(summary.errors, "error");
  append(summary.warnings, "warning");
  append(summary.notes, "note");
  return (line.empty() ? "no findings" : line) + " in " + counted(summary.files, "file");
}

void write_findings(const text::Findings& findings, const text::Sources& sources, bool color, std::ostream& out) {
  Writer writer{sources, color ? kColored : kPlain, out};
  for (const text::Finding& finding : findings.all()) writer.finding(finding);
}

void write_human(const text::Findings& findings, const text::Sources& sources, const Summary& summary, bool color,
                 std::ostream& out) {
  write_findings(findings, sources, color, out);
  out << summary_line(summary) << '\n';
}

}  // namespace espalier::report
