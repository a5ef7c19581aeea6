// Findings for people: the place, the rule, the source line with a mark under the exact part, related places, and a
// hint.
#include "report/human.h"

#include <algorithm>

#include "report/line_view.h"
#include "report/listing.h"
#include "report/output_form.h"
#include "report/witness.h"
#include "rules/pages.h"
#include "rules/rules.h"

namespace espalier::report {
namespace {

using rules::Severity;

constexpr Palette kUncolored = {};
constexpr Palette kColored = {"\x1b[1m", "\x1b[1;31m", "\x1b[1;35m", "\x1b[1;36m", "\x1b[1;32m", "\x1b[34m", "\x1b[0m"};
constexpr Palette kLinked = [] {
  Palette palette = kColored;
  palette.has_links = true;
  return palette;
}();

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

std::string column_of(std::string text, std::size_t width) {
  text.resize(std::max(text.size(), width), ' ');
  return text;
}

// Of the first finding of the highest severity. There is one.
std::string most_severe_code(const Listing& listing) {
  const auto first = std::min_element(listing.findings.begin(), listing.findings.end(),
                                      [](const ListedFinding& one, const ListedFinding& other) {
                                        return one.finding->severity < other.finding->severity;
                                      });
  return std::string(rules::info(first->finding->rule).code);
}

// "count  rule  code", with right-aligned numbers.
std::string statistics_table(const std::vector<RuleCount>& statistics) {
  constexpr std::string_view kCount = "count", kRule = "rule";
  std::size_t count_width = kCount.size();
  std::size_t name_width = kRule.size();
  for (const RuleCount& row : statistics) {
    count_width = std::max(count_width, std::to_string(row.count).size());
    name_width = std::max(name_width, rules::info(row.rule).name.size());
  }
  std::string table;
  const auto add_row = [&](const std::string& count, std::string_view rule, std::string_view code) {
    table += std::string(count_width - count.size(), ' ') + count + "  " + column_of(std::string(rule), name_width) +
             "  " + std::string(code) + '\n';
  };
  add_row(std::string(kCount), kRule, "code");
  for (const RuleCount& row : statistics) {
    add_row(std::to_string(row.count), rules::info(row.rule).name, rules::info(row.rule).code);
  }
  return table + '\n';
}

}  // namespace

const Palette& palette(bool has_color, bool has_links) {
  return !has_color ? kUncolored : has_links ? kLinked : kColored;
}

void HumanWriter::head(text::Span span, std::string_view color, std::string_view word, std::string_view text) {
  const text::Position at = sources[span.file].position(span.begin);
  out += palette.bold;
  append_visible(out, sources.shown(span.file));
  put({":", std::to_string(at.line), ":", std::to_string(at.column), ": ", palette.reset, color, word, palette.reset,
       ": "});
  append_visible(out, text);
}

void HumanWriter::excerpt(text::Span span) {
  const text::Source& source = sources[span.file];
  const text::Position at = source.position(span.begin);
  if (source.text().empty() || !source.shows_excerpts()) return;
  const LineView view = view_line(source.line(at.line), at.column - 1, span.end - span.begin);
  const std::string number = std::to_string(at.line);
  const std::size_t width = std::max<std::size_t>(number.size(), 4);
  out += palette.dim;
  out.append(width + 1 - number.size(), ' ');
  put({number, " | ", palette.reset, view.text, "\n", palette.dim});
  out.append(width + 1, ' ');
  put({" | ", palette.reset, view.indent, palette.mark, view.mark, palette.reset, "\n"});
}

void HumanWriter::line(std::string_view word, std::string_view text) {
  put({"  ", palette.note, word, palette.reset, ": "});
  append_visible(out, text);
  out += '\n';
}

void HumanWriter::code(std::string_view code) {
  const std::string page = palette.has_links ? rules::page_of(code, sources.site()) : std::string();
  if (page.empty()) {
    out += code;
  } else {
    put({kLinkBegin, page, kLinkEnd, code, kLinkBegin, kLinkEnd});
  }
}

void HumanWriter::finding(const text::Finding& finding) {
  const rules::RuleInfo& rule = rules::info(finding.rule);
  head(finding.span, severity_color(palette, finding.severity), rules::severity_name(finding.severity), {});
  out += palette.bold;
  append_visible(out, finding.message);
  put({palette.reset, " [", rule.name, " "});
  code(rule.code);
  out += "]\n";
  excerpt(finding.span);
  // A hint already describes the best fix.
  const std::string& help = finding.hint.empty() && !finding.fixes.empty() ? finding.fixes[0].title : finding.hint;
  if (!help.empty()) line("hint", help);
  if (finding.witness) line("shown by", witness_text(*finding.witness));
  for (const text::Related& related : finding.related) {
    if (!related.origin.empty()) {
      origin(related);
      continue;
    }
    head(related.span, palette.note, "note", related.message);
    out += '\n';
    excerpt(related.span);
  }
}

// "src/go_to.hpp:31: note: 'goal' is declared here"
void HumanWriter::origin(const text::Related& related) {
  const std::string_view shown = sources.shown(related.span.file);
  const std::string_view folder = shown.substr(0, shown.find_last_of('/') + 1);
  const std::string_view message = related.message;
  const std::size_t end = message.rfind(" in " + related.origin);
  out += palette.bold;
  append_visible(out, folder);
  append_visible(out, related.origin);
  put({": ", palette.reset, palette.note, "note", palette.reset, ": "});
  append_visible(out, message.substr(0, end));
  out += end == std::string_view::npos ? "\n" : " here\n";
}

void write_human(const Listing& listing, std::string& out) {
  const Options& options = listing.options;
  HumanWriter writer{listing.sources, palette(options.color, options.has_links), out};
  for (const ListedFinding& listed : listing.findings) {
    writer.finding(*listed.finding);
    const Repeats& rest = listed.not_listed;
    if (rest.findings > 0) {
      writer.line("note", counted(rest.findings, "more finding") + " with the same words in " +
                              counted(rest.files, "file") + " not shown (--verbose shows all)");
    }
    out += '\n';
  }
  if (!listing.statistics.empty()) out += statistics_table(listing.statistics);
  if (listing.omitted_count > 0) {
    out += counted(listing.omitted_count, "more finding") + " not shown (--max-findings)\n";
  }
  if (!options.has_summary) return;
  out += summary_line(listing.summary) + '\n';
  if (const std::string line = fixable_line(listing.summary); !line.empty()) out += line + '\n';
  if (!listing.findings.empty())
    out += "'espalier explain " + most_severe_code(listing) + "' says why, with examples\n";
}

}  // namespace espalier::report
