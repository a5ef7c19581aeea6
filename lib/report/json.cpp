// Findings for tools. schemas/findings.schema.json documents every key. One finding per line, so that reports can be
// compared with diff.

#include "report/listing.h"
#include "report/witness.h"
#include "rules/rules.h"

namespace espalier::report {
namespace {

// Paths come from the file system and may contain any bytes; JSON contains only Unicode.

void add_place(Json& json, text::Span span, const text::Sources& sources) {
  const text::Source& source = sources[span.file];
  const text::Position begin = source.position(span.begin);
  json["file"] = source.path();
  json["line"] = begin.line;
  json["column"] = begin.column;
}

void add_end(Json& json, text::Span span, const text::Sources& sources) {
  const text::Position end = sources[span.file].position(span.end);
  json["endLine"] = end.line;
  json["endColumn"] = end.column;
}

Json json_of(const text::Fix& fix, const text::Sources& sources) {
  Json json = {{"title", fix.title}, {"grade", rules::fix_grade_name(fix.grade)}, {"edits", Json::array()}};
  for (const text::Edit& edit : fix.edits) {
    Json& one = json["edits"].emplace_back(Json::object());
    add_place(one, edit.span, sources);
    add_end(one, edit.span, sources);
    one["replacement"] = edit.replacement;
  }
  return json;
}

Json json_of(const text::Finding& finding, const text::Sources& sources) {
  const rules::RuleInfo& rule = rules::info(finding.rule);
  Json json = {{"code", rule.code}, {"rule", rule.name}, {"severity", rules::severity_name(finding.severity)}};
  add_place(json, finding.span, sources);
  add_end(json, finding.span, sources);
  json["message"] = finding.message;
  if (!finding.hint.empty()) json["hint"] = finding.hint;
  for (const text::Related& related : finding.related) {
    Json& place = json["related"].emplace_back(Json::object());
    add_place(place, related.span, sources);
    place["message"] = related.message;
  }
  for (const text::Fix& fix : finding.fixes) {
    if (&fix == &finding.fixes.front()) {
      json["fix"] = json_of(fix, sources);
    } else {
      json["alternatives"].push_back(json_of(fix, sources));
    }
  }
  if (finding.witness) json["witness"] = witness_json(*finding.witness);
  return json;
}

}  // namespace

void write_json(const Listing& listing, std::string& out) {
  std::string lines;
  for (const ListedFinding& listed : listing.findings) {
    lines += (lines.empty() ? "\n" : ",\n") + json_line(json_of(*listed.finding, listing.sources));
  }
  out += "{\"version\":1,\"findings\":[" + lines + (lines.empty() ? "" : "\n") + "],";
  if (listing.options.has_statistics) {
    Json statistics = Json::array();
    for (const RuleCount& row : listing.statistics) {
      const rules::RuleInfo& rule = rules::info(row.rule);
      statistics.push_back({{"code", rule.code}, {"rule", rule.name}, {"count", row.count}});
    }
    out += "\"statistics\":" + json_line(statistics) + ',';
  }
  const Summary& summary = listing.summary;
  Json totals = {{"files", summary.files}, {"errors", summary.errors},   {"warnings", summary.warnings},
                 {"notes", summary.notes}, {"skipped", summary.skipped}, {"accepted", summary.accepted},
                 {"stale", summary.stale}};
  if (listing.omitted_count > 0) totals["omitted"] = listing.omitted_count;
  out += "\"summary\":" + json_line(totals) + "}\n";
}

void write_jsonl(const Listing& listing, std::string& out) {
  for (const ListedFinding& listed : listing.findings) {
    out += finding_json(*listed.finding, listing.sources) + '\n';
  }
}

std::string finding_json(const text::Finding& finding, const text::Sources& sources) {
  return json_line(json_of(finding, sources));
}

}  // namespace espalier::report
