// Findings for tools. schemas/findings.schema.json documents every key. One finding a line, so that two reports compare
// well.
#include <nlohmann/json.hpp>

#include "report/findings.h"

namespace espalier::report {
namespace {

using Json = nlohmann::ordered_json;

// Paths come from the file system and may hold any bytes; JSON holds Unicode alone.
std::string text_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

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
    Json& edit = json["fix"]["edits"].emplace_back(Json::object());
    add_place(edit, fix.span, sources);
    add_end(edit, fix.span, sources);
    edit["replacement"] = fix.replacement;
  }
  return json;
}

}  // namespace

void write_json(const text::Findings& findings, const text::Sources& sources, const Summary& summary,
                std::ostream& out) {
  out << "{\"version\":1,\"findings\":[";
  const char* separator = "\n";
  for (const text::Finding& finding : findings.all()) {
    out << separator << text_of(json_of(finding, sources));
    separator = ",\n";
  }
  const Json totals = {
      {"files", summary.files}, {"errors", summary.errors}, {"warnings", summary.warnings}, {"notes", summary.notes}};
  out << (findings.all().empty() ? "" : "\n") << "],\"summary\":" << text_of(totals) << "}\n";
}

}  // namespace espalier::report
