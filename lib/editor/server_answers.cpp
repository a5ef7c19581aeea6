// Answers in the words of the protocol. See server.h.
#include <algorithm>
#include <sstream>
#include <utility>

#include "editor/answers.h"
#include "editor/completion.h"
#include "editor/json_answers.h"
#include "editor/json_completion.h"
#include "editor/server_methods.h"
#include "editor/traces.h"
#include "editor/uri.h"
#include "project/files.h"
#include "project/property_files.h"
#include "project/trace_files.h"
#include "rewrite/edits.h"
#include "rewrite/format.h"
#include "text/names.h"

namespace espalier::editor {
namespace {

// In the order of CompletionKind: Class, Property, Value, Keyword, Variable, Event.
constexpr int kCompletionKinds[] = {7, 10, 12, 14, 6, 23};

// Of SymbolKind.
int symbol_kind(NameKind kind) {
  switch (kind) {
    case NameKind::tree:
      return 5;  // class
    case NameKind::variable:
    case NameKind::flag:
    case NameKind::stimulus:
    case NameKind::timestamp:
      return 13;  // variable
    case NameKind::signal:
      return 24;  // event
    case NameKind::state:
      return 22;  // enum member
    case NameKind::block:
      return 3;  // namespace
    case NameKind::none:
      return 19;  // object
    default:
      return 12;  // function
  }
}

bool is_json(const std::string& path) { return path.ends_with(".json") || path.ends_with(".jsonl"); }

Json symbol_json(const Symbol& symbol, const Lines& lines, Encoding encoding) {
  const auto range = [&](Range r) {
    return Json{{"start", position_json(lines.position(r.begin, encoding))},
                {"end", position_json(lines.position(r.end, encoding))}};
  };
  Json children = Json::array();
  for (const Symbol& child : symbol.children) children.push_back(symbol_json(child, lines, encoding));
  return {{"name", symbol.name},
          {"detail", symbol.detail},
          {"kind", symbol_kind(symbol.kind)},
          {"range", range(symbol.range)},
          {"selectionRange", range(symbol.selection)},
          {"children", std::move(children)}};
}

}  // namespace

Server::Query Server::query(const Json& parameters) {
  const std::string path = path_of(parameters);
  LiveProject& project = project_of(path);
  const std::optional<FileId> file = project.file_at(path);
  const auto open = texts_.find(path);
  const std::string_view text = open != texts_.end() ? std::string_view(open->second.text)
                                : file               ? text_of(project, *file)
                                                     : std::string_view();
  Lines lines(text);
  const bool has_position = parameters.contains("position");
  const std::uint32_t offset = has_position ? lines.offset(position_of(parameters["position"]), encoding_) : 0;
  return {path, project, file, text, std::move(lines), offset};
}

Json Server::hover(const Json& parameters) {
  const Query query = this->query(parameters);
  std::optional<Hover> found = is_json(query.path) ? hover_in_json(query.project, query.path, query.text, query.offset)
                               : query.file        ? editor::hover(query.project, *query.file, query.offset)
                                                   : std::nullopt;
  if (!found) return nullptr;
  if (const std::string words = reached_words(query); !words.empty()) found->markdown += "\n\n---\n\n" + words;
  return {{"contents", {{"kind", "markdown"}, {"value", found->markdown}}},
          {"range", range_json(query.lines, found->range)}};
}

Json Server::completion(const Json& parameters) {
  const Query query = this->query(parameters);
  const std::vector<Completion> found = is_json(query.path)
                                            ? complete_json(query.project, query.path, query.text, query.offset)
                                            : complete(query.project, query.path, query.text, query.offset);
  Json items = Json::array();
  for (const Completion& each : found) {
    const bool is_snippet = takes_snippets_ && !each.snippet.empty();
    Json item = {
        {"label", each.label},
        {"kind", kCompletionKinds[static_cast<std::size_t>(each.kind)]},
        {"filterText", each.label},
        {"textEdit",
         {{"range", range_json(query.lines, each.range)}, {"newText", is_snippet ? each.snippet : each.insert}}}};
    if (is_snippet) item["insertTextFormat"] = 2;
    if (!each.detail.empty()) item["detail"] = each.detail;
    if (!each.documentation.empty()) item["documentation"] = {{"kind", "markdown"}, {"value", each.documentation}};
    items.push_back(std::move(item));
  }
  return {{"isIncomplete", false}, {"items", std::move(items)}};
}

Json Server::definition(const Json& parameters) {
  const Query query = this->query(parameters);
  Json result = Json::array();
  const Definition found = is_json(query.path) ? definition_in_json(query.project, query.path, query.text, query.offset)
                           : query.file        ? editor::definition(query.project, *query.file, query.offset)
                                               : Definition();
  for (const Location& each : found.places) result.push_back(location_json(query.project, each.file, each.range));
  for (const SourcePlace& each : found.in_source) {
    result.push_back({{"uri", uri_of_path(each.file.path)}, {"range", range_json(each.file.text, each.range)}});
  }
  return result;
}

Json Server::references(const Json& parameters) {
  const Query query = this->query(parameters);
  const Json context = parameters.value("context", Json::object());
  Json result = Json::array();
  if (!query.file) return result;
  for (const Location& each :
       editor::references(query.project, *query.file, query.offset, context.value("includeDeclaration", true)))
    result.push_back(location_json(query.project, each.file, each.range));
  const std::vector<TextFile> texts = texts_beside(query.project);
  for (const TextPlace& place : places_beside(query.project, *query.file, query.offset, texts, Wanted::all))
    result.push_back(location_in(place, texts));
  return result;
}

// The traces and files of properties of a project, as the editor shows them: in the folders of its trees and below.
std::vector<TextFile> Server::texts_beside(const LiveProject& project) const {
  constexpr std::size_t kMostFolders = 1000;
  std::set<std::string> folders;
  for (const project::SnapshotFile& file : project.snapshot().files) {
    if (file.parsed != nullptr && folders.size() < kMostFolders)
      folders.insert(file.place.path.substr(0, file.place.path.find_last_of('/') + 1));
  }
  std::map<std::string, std::string> texts;
  for (const std::string& folder : folders) {
    for (TextFile& each : files_beside(folder, {})) texts.emplace(each.path, std::move(each.text));
  }
  if (const std::string folder = project.folder(); !folder.empty()) {
    for (TextFile& each : files_beside(folder + '/', {})) texts.emplace(each.path, std::move(each.text));
  }
  for (const auto& [path, open] : texts_) {
    if (texts.count(path) != 0) texts[path] = open.text;
  }
  std::vector<TextFile> result;
  result.reserve(texts.size());
  for (auto& [path, text] : texts) result.push_back({path, std::move(text)});
  return result;
}

Json Server::location_in(const TextPlace& place, const std::vector<TextFile>& texts) const {
  const auto text =
      std::find_if(texts.begin(), texts.end(), [&](const TextFile& each) { return each.path == place.path; });
  const auto open = texts_.find(place.path);
  return {{"uri", open == texts_.end() ? uri_of_path(place.path) : open->second.uri},
          {"range", range_json(text->text, place.range)}};
}

Json Server::highlights(const Json& parameters) {
  const Query query = this->query(parameters);
  Json result = Json::array();
  if (!query.file) return result;
  for (const Location& each : editor::references(query.project, *query.file, query.offset, true)) {
    if (each.file == *query.file) result.push_back({{"range", range_json(query.lines, each.range)}});
  }
  return result;
}

Json Server::prepare_rename(const Json& parameters) {
  const Query query = this->query(parameters);
  if (!query.file) return nullptr;
  const std::optional<Renaming> found = editor::renaming(query.project, *query.file, query.offset);
  if (!found) return nullptr;
  if (!found->fault.empty()) throw Fault{kRequestFailed, found->fault};
  return {{"range", range_json(query.lines, found->range)}, {"placeholder", found->name}};
}

Json Server::rename(const Json& parameters) {
  const Query query = this->query(parameters);
  const std::string& name = parameters.at("newName").get_ref<const std::string&>();
  if (!query.file) return nullptr;
  const std::optional<Renaming> found = editor::renaming(query.project, *query.file, query.offset);
  if (!found) throw Fault{kRequestFailed, "there is no name here"};
  if (!found->fault.empty()) throw Fault{kRequestFailed, found->fault};
  const std::string fault = why_no_name(query.project, *query.file, query.offset, name);
  if (!fault.empty()) throw Fault{kRequestFailed, fault};
  std::vector<text::Edit> edits;
  for (const Location& place : found->places) edits.push_back({{place.file, place.range.begin, place.range.end}, name});
  Json result = edit_json(query.project, edits);
  const std::vector<TextFile> texts = texts_beside(query.project);
  for (const TextPlace& place : places_beside(query.project, *query.file, query.offset, texts, Wanted::renamed)) {
    const Json location = location_in(place, texts);
    result["changes"][location["uri"].get<std::string>()].push_back({{"range", location["range"]}, {"newText", name}});
  }
  return result;
}

Json Server::symbols(const Json& parameters) {
  const Query query = this->query(parameters);
  Json result = Json::array();
  const project::SnapshotFile* const tree = query.file ? query.project.tree_file(*query.file) : nullptr;
  if (tree == nullptr || !tree->parsed->has_document) return result;
  const text::XmlDocument document(tree->parsed, *query.file);
  const Lines& lines = query.lines;
  for (const Symbol& symbol : editor::symbols(document)) result.push_back(symbol_json(symbol, lines, encoding_));
  return result;
}

Json Server::workspace_symbols(const Json& parameters) {
  constexpr std::size_t kMost = 500;
  const std::string part = text::lower_case(parameters.value("query", std::string()));
  Json result = Json::array();
  for (const auto& [key, project] : projects_) {
    for (const project::SnapshotFile& file : project->snapshot().files) {
      if (file.parsed == nullptr) continue;
      for (const Occurrence& each : project->index().names_of(file.id).all) {
        const bool is_found = each.use == NameUse::declares && !each.is_implied && result.size() < kMost &&
                              text::lower_case(each.key).find(part) != std::string::npos;
        if (!is_found) continue;
        const std::string_view text = text_of(*project, file.id);
        result.push_back({{"name", text.substr(each.range.begin, each.range.end - each.range.begin)},
                          {"kind", symbol_kind(each.kind)},
                          {"location", location_json(*project, file.id, each.range)}});
      }
    }
  }
  return result;
}

// The files that a file names: what it includes.
Json Server::links(const Json& parameters) {
  const Query query = this->query(parameters);
  Json result = Json::array();
  if (!query.file) return result;
  for (const Occurrence& name : query.project.index().names_of(*query.file).all) {
    const bool is_path = name.kind == NameKind::file && !name.is_implied && name.use != NameUse::declares;
    if (!is_path || !query.project.files().is_file(name.key)) continue;
    result.push_back({{"range", range_json(query.lines, name.range)}, {"target", uri_of_path(name.key)}});
  }
  return result;
}

Json Server::folding(const Json& parameters) {
  const Query query = this->query(parameters);
  Json result = Json::array();
  const project::SnapshotFile* const tree = query.file ? query.project.tree_file(*query.file) : nullptr;
  if (tree == nullptr || !tree->parsed->has_document) return result;
  const Lines& lines = query.lines;
  for (const Fold& fold : folds(text::XmlDocument(tree->parsed, *query.file))) {
    const std::uint32_t begin = lines.position(fold.range.begin, encoding_).line;
    const std::uint32_t end = lines.position(fold.range.end, encoding_).line;
    Json range = {{"startLine", begin}, {"endLine", end}};
    if (fold.is_comment) range["kind"] = "comment";
    if (begin < end) result.push_back(std::move(range));
  }
  return result;
}

Json Server::tokens(const Json& parameters) {
  const Query query = this->query(parameters);
  Json data = Json::array();
  if (query.file) {
    const std::string_view text = text_of(query.project, *query.file);
    const Lines lines(text);
    LinePosition last;
    for (const Token& token : editor::tokens(query.project, *query.file)) {
      const LinePosition begin = lines.position(token.range.begin, encoding_);
      const LinePosition end = lines.position(token.range.end, encoding_);
      if (begin.line != end.line) continue;
      const bool is_same_line = begin.line == last.line;
      for (const std::uint32_t number :
           {begin.line - last.line, begin.character - (is_same_line ? last.character : 0),
            end.character - begin.character, static_cast<std::uint32_t>(token.kind), token.is_declaration ? 1u : 0u})
        data.push_back(number);
      last = begin;
    }
  }
  return {{"data", std::move(data)}};
}

Json Server::hints(const Json& parameters) {
  const Query query = this->query(parameters);
  Json result = Json::array();
  if (!query.file) return result;
  const Lines& lines = query.lines;
  std::uint32_t begin = 0;
  auto end = static_cast<std::uint32_t>(query.text.size());
  if (parameters.contains("range")) {
    begin = lines.offset(position_of(parameters["range"].at("start")), encoding_);
    end = lines.offset(position_of(parameters["range"].at("end")), encoding_);
  }
  for (const Hint& hint : editor::hints(query.project, *query.file)) {
    if (hint.offset < begin || hint.offset > end) continue;
    result.push_back({{"position", position_json(lines.position(hint.offset, encoding_))},
                      {"label", hint.text},
                      {"paddingLeft", true}});
  }
  return result;
}

Json Server::formatting(const Json& parameters) {
  const Query query = this->query(parameters);
  const project::SnapshotFile* const tree = query.file ? query.project.tree_file(*query.file) : nullptr;
  if (tree == nullptr || !tree->parsed->has_document) return nullptr;
  const text::XmlDocument document(tree->parsed, *query.file);
  const dialects::Dialect* const dialect = dialects::find_owner(document.root_name());
  if (dialect == nullptr || !rewrite::why_not_formatted(*tree->parsed).empty()) return nullptr;
  const rewrite::Layout layout =
      rewrite::layout_of(*tree->parsed, query.path, query.project.snapshot().configuration, query.project.files());
  const std::string after = rewrite::formatted(*tree->parsed, dialect->table(), layout);
  if (after == query.text) return Json::array();
  const Range all{0, static_cast<std::uint32_t>(query.text.size())};
  return {{{"range", range_json(query.lines, all)}, {"newText", after}}};
}

// The fixes of findings in a range, and all safe fixes of the file.
Json Server::actions(const Json& parameters) {
  const Query query = this->query(parameters);
  Json result = Json::array();
  if (!query.file) return result;
  const Lines& lines = query.lines;
  const Json& range = parameters.at("range");
  const std::uint32_t begin = lines.offset(position_of(range.at("start")), encoding_);
  const std::uint32_t end = lines.offset(position_of(range.at("end")), encoding_);
  text::Findings all;
  for (const text::Finding& finding : query.project.findings_of(*query.file)) {
    all.add(finding);
    if (finding.span.end < begin || finding.span.begin > end) continue;
    for (const text::Fix& fix : finding.fixes) {
      result.push_back({{"title", fix.title},
                        {"kind", "quickfix"},
                        {"diagnostics", {diagnostic_json(query.project, finding, query.lines)}},
                        {"isPreferred", fix.grade == text::FixGrade::safe && &fix == finding.fixes.data()},
                        {"edit", edit_json(query.project, fix.edits)}});
    }
  }
  const rewrite::ChosenFixes chosen = rewrite::choose_fixes(all, text::FixGrade::safe);
  if (chosen.fix_count > 0) {
    result.push_back({{"title", "Apply all safe fixes of this file"},
                      {"kind", "source.fixAll"},
                      {"edit", edit_json(query.project, chosen.edits)}});
  }
  return result;
}

// Runs a trace, open or not, and says what came of it.
}  // namespace espalier::editor
