// Findings as SARIF 2.1.0 for code scanning: one run, one result per line, and the rules of the results.
#include <map>

#include "report/listing.h"
#include "report/place.h"
#include "report/witness.h"
#include "rules/pages.h"
#include "rules/rules.h"
#include "text/decode.h"

namespace espalier::report {
namespace {

Json region_json(const Region& region) {
  return {{"startLine", region.line},
          {"startColumn", region.column},
          {"endLine", region.end_line},
          {"endColumn", region.end_column}};
}

// The paths of declarations that the program brings along, such as "espalier:nav2".
constexpr std::string_view kBuiltIn = "espalier:";

// Writes results, and collects their rules.
class Results {
 public:
  explicit Results(const text::Sources& sources) : sources_(sources), regions_(sources), other_regions_(sources) {}

  Json result(const text::Finding& finding) {
    const rules::RuleInfo& rule = rules::info(finding.rule);
    Json json = {{"ruleId", rule.code},
                 {"ruleIndex", index_of(finding.rule)},
                 {"level", rules::severity_name(finding.severity)},
                 {"message", {{"text", message_with_hint(finding)}}}};
    // Assigned by name: compilers differ in how they treat braces around one value.
    json["locations"] = Json::array({Json::object({{"physicalLocation", location(finding.span, regions_)}})});
    for (const text::Related& related : finding.related) {
      if (sources_[related.span.file].path().starts_with(kBuiltIn)) continue;  // no file that a viewer could open
      json["relatedLocations"].push_back({{"id", json["relatedLocations"].size() + 1},
                                          {"physicalLocation", location(related.span, other_regions_)},
                                          {"message", {{"text", related.message}}}});
    }
    for (const text::Fix& one : finding.fixes) json["fixes"].push_back(fix(one));
    if (finding.witness) json["properties"]["witness"] = witness_json(*finding.witness);
    return json;
  }

  const std::vector<text::Rule>& rules() const { return rules_; }

 private:
  std::size_t index_of(text::Rule rule) {
    const auto [entry, is_new] = indices_.try_emplace(rule, rules_.size());
    if (is_new) rules_.push_back(rule);
    return entry->second;
  }

  Json artifact(text::FileId file) const {
    const std::string uri = uri_of(sources_[file].path());
    Json json = {{"uri", uri}};
    if (!uri.starts_with("file:")) json["uriBaseId"] = "%SRCROOT%";
    return json;
  }

  Json location(text::Span span, Regions& regions) const {
    return {{"artifactLocation", artifact(span.file)}, {"region", region_json(regions.of(span))}};
  }

  // All edits of one file form one change.
  Json fix(const text::Fix& fix) {
    std::map<text::FileId, Json> replacements;
    for (const text::Edit& edit : fix.edits) {
      replacements[edit.span.file].push_back({{"deletedRegion", region_json(other_regions_.of(edit.span))},
                                              {"insertedContent", {{"text", edit.replacement}}}});
    }
    Json changes = Json::array();
    for (auto& [file, edits] : replacements) {
      changes.push_back({{"artifactLocation", artifact(file)}, {"replacements", std::move(edits)}});
    }
    return {{"description", {{"text", fix.title}}},
            {"artifactChanges", std::move(changes)},
            {"properties", {{"grade", rules::fix_grade_name(fix.grade)}}}};
  }

  const text::Sources& sources_;
  Regions regions_;
  Regions other_regions_;  // of related places and edits, so that the main places stay in order
  std::map<text::Rule, std::size_t> indices_;
  std::vector<text::Rule> rules_;
};

// "what is wrong" as a sentence.
std::string sentence(std::string_view summary) {
  std::string text(summary);
  if (!text.empty() && text.front() >= 'a' && text.front() <= 'z')
    text.front() = static_cast<char>(text.front() - 'a' + 'A');
  return text + '.';
}

Json rule_json(text::Rule rule, const std::string& site) {
  const rules::RuleInfo& row = rules::info(rule);
  std::string plain = std::string(row.why);
  std::string marked = plain;
  const auto add_example = [&](std::string_view title, std::span<const rules::ExampleFile> example) {
    for (const rules::ExampleFile& file : example) {
      const std::string code = text::decode(file.text).text;
      const std::string heading = "\n\n" + std::string(title) + " (" + std::string(file.path) + "):\n\n";
      plain += heading;
      plain += code;
      marked += heading;
      marked += "```\n";
      marked += code;
      marked += code.ends_with('\n') ? "```" : "\n```";
    }
  };
  add_example("Bad", row.bad);
  add_example("Good", row.good);
  Json configuration = {{"level", rules::severity_name(row.severity)}};
  if (row.is_off) configuration["enabled"] = false;
  Json json = {{"id", row.code},
               {"name", row.name},
               {"shortDescription", {{"text", sentence(row.summary)}}},
               {"fullDescription", {{"text", row.why}}},
               {"help", {{"text", plain}, {"markdown", marked}}},
               {"defaultConfiguration", std::move(configuration)}};
  if (std::string page = rules::page_of(row.code, site); !page.empty()) json["helpUri"] = std::move(page);
  return json;
}

}  // namespace

void write_sarif(const Listing& listing, std::string& out) {
  Results results(listing.sources);
  std::string lines;
  for (const ListedFinding& listed : listing.findings) {
    lines += (lines.empty() ? "\n" : ",\n") + json_line(results.result(*listed.finding));
  }
  std::string rules;
  for (const text::Rule rule : results.rules())
    rules += (rules.empty() ? "\n" : ",\n") + json_line(rule_json(rule, listing.sources.site()));
  out += "{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"version\":\"2.1.0\",\"runs\":[{\n";
  out += "\"tool\":{\"driver\":{\"name\":\"espalier\",\"semanticVersion\":" + json_line(listing.options.version) +
         ",\"rules\":[" + rules + "]}},\n";
  out += "\"columnKind\":\"unicodeCodePoints\",\"newlineSequences\":[\"\\r\\n\",\"\\n\",\"\\r\"],\n";
  if (listing.omitted_count > 0) out += "\"properties\":{\"omitted\":" + std::to_string(listing.omitted_count) + "},\n";
  out += "\"results\":[" + lines + "]}]}\n";
}

}  // namespace espalier::report
