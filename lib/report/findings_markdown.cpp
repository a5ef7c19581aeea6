// Findings as a comment on a change: the most severe first, by file, with the lines they are about.

#include "report/listing.h"
#include "report/markdown.h"
#include "report/place.h"
#include "rules/pages.h"
#include "rules/rules.h"
#include "text/characters.h"

namespace espalier::report {
namespace {

using markdown::code;
using markdown::plain;

constexpr std::size_t kMaxLineBytes = 200;  // of a line that is shown

// The line of a finding, without the blanks before it; empty if it is not shown.
std::string_view line_of(const text::Finding& finding, const text::Sources& sources, std::uint32_t number) {
  const text::Source& source = sources[finding.span.file];
  if (!source.shows_excerpts()) return {};
  std::string_view line = source.line(number);
  while (!line.empty() && text::is_space(line.front())) line.remove_prefix(1);
  return line.size() <= kMaxLineBytes ? line : std::string_view();
}

std::string item_of(const text::Finding& finding, const text::Sources& sources, const Region& region, bool has_line) {
  const rules::RuleInfo& rule = rules::info(finding.rule);
  std::string text = "- **" + std::string(rules::severity_name(finding.severity)) + "** in line " +
                     std::to_string(region.line) + ": " + plain(finding.message);
  if (!finding.hint.empty()) text += ". _" + plain(finding.hint) + "_";
  const std::string page = rules::page_of(rule.code, sources.site());
  const std::string shown = page.empty() ? std::string(rule.code) : '[' + std::string(rule.code) + "](<" + page + ">)";
  text += " (" + std::string(rule.name) + ' ' + shown + ")\n";
  const std::string_view line = has_line ? line_of(finding, sources, region.line) : std::string_view();
  if (!line.empty()) text += markdown::xml_block(line, 2);
  return text;
}

}  // namespace

void write_markdown(const Listing& listing, std::string& out) {
  std::string title = summary_line(listing.summary);
  title.front() = title.front() == 'n' ? 'N' : title.front();  // "no findings"
  out += "### " + title + '\n';
  Regions regions(listing.sources);
  std::size_t omitted = listing.omitted_count;
  const text::FileId no_file = listing.sources.size();
  text::FileId file = no_file;
  std::uint32_t line = 0;
  for (const ListedFinding& listed : listing.findings) {
    const text::Finding& finding = *listed.finding;
    std::string text;
    if (finding.span.file != file) text = "\n**" + plain(listing.sources[finding.span.file].path()) + "**\n\n";
    const Region region = regions.of(finding.span);
    text += item_of(finding, listing.sources, region, finding.span.file != file || region.line != line);
    if (omitted > listing.omitted_count || out.size() + text.size() > markdown::kMaxCommentBytes) {
      ++omitted;
      continue;
    }
    file = finding.span.file;
    line = region.line;
    out += text;
  }
  if (omitted > 0) out += "\n" + counted(omitted, "more finding") + " not shown.\n";
  if (const std::string fixable = fixable_line(listing.summary); !fixable.empty()) out += "\n" + plain(fixable) + ".\n";
}

}  // namespace espalier::report
