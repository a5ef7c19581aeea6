// What the server can do, and from values to JSON in the words of the protocol. See server.h.
#include <algorithm>
#include <limits>

#include "editor/server_methods.h"
#include "editor/source_places.h"
#include "editor/uri.h"
#include "rules/pages.h"
#include "rules/rules.h"

namespace espalier::editor {
namespace {

// In the order of TokenKind.
constexpr const char* kTokenTypes[] = {"variable", "keyword", "enumMember", "operator", "event", "class", "type"};
static_assert(std::size(kTokenTypes) == static_cast<std::size_t>(TokenKind::count));

}  // namespace

Json position_json(const LinePosition& position) {
  return {{"line", position.line}, {"character", position.character}};
}

Json capabilities_json() {
  Json legend = Json::array();
  for (const char* const type : kTokenTypes) legend.push_back(type);
  return {{"capabilities",
           {{"textDocumentSync", {{"openClose", true}, {"change", 2}, {"save", true}}},
            {"hoverProvider", true},
            {"completionProvider", {{"triggerCharacters", {"<", " ", "\"", "'", "/", "!", ":"}}}},
            {"definitionProvider", true},
            {"declarationProvider", true},
            {"referencesProvider", true},
            {"documentHighlightProvider", true},
            {"renameProvider", {{"prepareProvider", true}}},
            {"documentSymbolProvider", true},
            {"workspaceSymbolProvider", true},
            {"foldingRangeProvider", true},
            {"documentLinkProvider", {{"resolveProvider", false}}},
            {"semanticTokensProvider",
             {{"legend", {{"tokenTypes", legend}, {"tokenModifiers", {"declaration"}}}}, {"full", true}}},
            {"codeLensProvider", {{"resolveProvider", false}}},
            {"inlayHintProvider", true},
            {"documentFormattingProvider", true},
            {"codeActionProvider", {{"codeActionKinds", {"quickfix", "source.fixAll"}}}},
            {"executeCommandProvider", {{"commands", {kRunTrace}}}}}}};
}

LinePosition position_of(const Json& position) {
  const auto number = [&](const char* key) {
    const Json& value = position.at(key);
    constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
    return static_cast<std::uint32_t>(std::clamp<std::int64_t>(value.get<std::int64_t>(), 0, kMost));
  };
  return {number("line"), number("character")};
}

int severity_number(rules::Severity severity) {
  return severity == rules::Severity::error ? 1 : severity == rules::Severity::warning ? 2 : 3;
}

std::string_view Server::text_of(const LiveProject& project, FileId file) const {
  return project.snapshot().sources[file].text();
}

Json Server::range_json(std::string_view text, Range range) const { return range_json(Lines(text), range); }

Json Server::range_json(const Lines& lines, Range range) const {
  return {{"start", position_json(lines.position(range.begin, encoding_))},
          {"end", position_json(lines.position(range.end, encoding_))}};
}

Json Server::location_json(const LiveProject& project, FileId file, Range range) const {
  const auto open = texts_.find(project.path_of(file));
  return {{"uri", open == texts_.end() ? uri_of_path(project.path_of(file)) : open->second.uri},
          {"range", range_json(text_of(project, file), range)}};
}

Json Server::diagnostic_json(const LiveProject& project, const text::Finding& finding, const Lines& lines) const {
  const rules::RuleInfo& rule = rules::info(finding.rule);
  Json diagnostic = {{"range", range_json(lines, {finding.span.begin, finding.span.end})},
                     {"severity", severity_number(finding.severity)},
                     {"code", rule.code},
                     {"source", "espalier"},
                     {"message", finding.hint.empty() ? finding.message : finding.message + "\nhint: " + finding.hint}};
  std::string page = takes_pages_ ? rules::page_of(rule.code, project.snapshot().sources.site()) : std::string();
  if (!page.empty()) diagnostic["codeDescription"] = {{"href", std::move(page)}};
  Json related = Json::array();
  for (const text::Related& each : finding.related) {
    Json location = location_json(project, each.span.file, {each.span.begin, each.span.end});
    if (const std::optional<WrittenPlace> place = written_place(project, each.span.file, each.origin)) {
      const Json line = {{"line", place->line - 1}, {"character", 0}};
      location = {{"uri", uri_of_path(place->path)}, {"range", {{"start", line}, {"end", line}}}};
    }
    related.push_back({{"location", std::move(location)}, {"message", each.message}});
  }
  if (!related.empty()) diagnostic["relatedInformation"] = std::move(related);
  return diagnostic;
}

Json Server::edit_json(const LiveProject& project, const std::vector<text::Edit>& edits) const {
  Json changes = Json::object();
  for (const text::Edit& edit : edits) {
    const Json location = location_json(project, edit.span.file, {edit.span.begin, edit.span.end});
    changes[location["uri"].get<std::string>()].push_back(
        {{"range", location["range"]}, {"newText", edit.replacement}});
  }
  return {{"changes", std::move(changes)}};
}

}  // namespace espalier::editor
