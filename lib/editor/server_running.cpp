// What editors run: traces, and the exploration of open trees, with its lenses. See server.h.
#include <algorithm>
#include <utility>

#include "editor/context.h"
#include "editor/lenses.h"
#include "editor/server_methods.h"
#include "editor/uri.h"
#include "explore/explore.h"
#include "project/files.h"
#include "project/trace_files.h"
#include "text/names.h"

namespace espalier::editor {
namespace {

// Where the name of the element begins whose name, or what it is called, is at a place.
std::optional<std::uint32_t> element_at(std::string_view text, std::uint32_t offset) {
  const Context context = context_at(text, offset);
  if (context.kind == Context::Kind::element_name) return context.word.begin;
  const bool is_called = context.kind == Context::Kind::value && (text::equal_any_case(context.attribute, "name") ||
                                                                  text::equal_any_case(context.attribute, "ID"));
  if (!is_called) return std::nullopt;
  return static_cast<std::uint32_t>(context.element.data() - text.data());
}

}  // namespace

// ---- What can be reached

const ReachedElements* Server::reached(const LiveProject& project, const std::string& path,
                                       const CompiledTrees& trees) const {
  const auto known = reached_.find(path);
  return known != reached_.end() && are_current(known->second, project, trees) ? &known->second : nullptr;
}

void Server::explore(const std::string& path) {
  const LiveProject& project = project_of(path);
  const std::optional<FileId> file = project.file_at(path);
  if (!file || project.tree_file(*file) == nullptr) return;
  CompiledTrees trees = compile(project, {*file});
  if (!trees.is_open || reached(project, path, trees) != nullptr) return;
  reached_[path] = find_reached(project, *file, std::move(trees));
  if (!takes_refreshes_) return;
  send_({{"jsonrpc", "2.0"},
         {"id", "espalier.refresh." + std::to_string(++request_count_)},
         {"method", "workspace/codeLens/refresh"}});
}

std::string Server::reached_words(const Query& query) {
  if (!query.file || query.project.tree_file(*query.file) == nullptr) return {};
  const std::optional<std::uint32_t> offset = element_at(query.text, query.offset);
  if (!offset) return {};
  CompiledTrees trees = compile(query.project, {*query.file});
  if (!trees.is_open) return {};
  const ReachedElements* known = reached(query.project, query.path, trees);
  if (known == nullptr) known = &(reached_[query.path] = find_reached(query.project, *query.file, std::move(trees)));
  const ReachedElement* const element = reached_at(*known, *offset);
  return element == nullptr ? std::string() : words_of(*element);
}

// ---- Lenses

Json Server::lenses(const Json& parameters) {
  const Query query = this->query(parameters);
  Json result = Json::array();
  const auto add = [&](std::uint32_t offset, const std::string& title, const Json& arguments) {
    Json command = {{"title", title}, {"command", arguments.empty() ? "" : kRunTrace}};
    if (!arguments.empty()) command["arguments"] = arguments;
    result.push_back({{"range", range_json(query.lines, {offset, offset})}, {"command", std::move(command)}});
  };
  if (query.path.ends_with(project::kTraceSuffix)) {
    add(0, "run this trace", {uri_of_path(query.path)});
  } else if (query.file && query.project.tree_file(*query.file) != nullptr) {
    const CompiledTrees trees = compile(query.project, {*query.file});
    std::vector<TextFile> traces = files_beside(query.path, query.project.folder());
    std::erase_if(traces, [](const TextFile& each) { return !each.path.ends_with(project::kTraceSuffix); });
    for (TextFile& trace : traces) {
      if (const auto open = texts_.find(trace.path); open != texts_.end()) trace.text = open->second.text;
    }
    const ReachedElements* const known = reached(query.project, query.path, trees);
    for (const Lens& lens : editor::lenses(query.project, *query.file, trees, traces, known)) {
      Json arguments = Json::array();
      if (!lens.trace.empty()) arguments = {uri_of_path(lens.trace)};
      if (lens.shortest) arguments = {uri_of_path(query.path), explore::text_of(*lens.shortest)};
      add(lens.offset, lens.title, arguments);
    }
  }
  return result;
}

// ---- Commands

Json Server::execute(const Json& parameters) {
  const Json arguments = parameters.value("arguments", Json::array());
  if (parameters.at("command") != kRunTrace || arguments.empty()) throw Fault{kRequestFailed, "unknown command"};
  const std::string path = canonical_path(path_of_uri(arguments[0].get<std::string>()));
  const std::string shown = path.substr(path.find_last_of('/') + 1);
  LiveProject& project = project_of(path);
  publish(project, project.update());
  if (arguments.size() > 1) {  // a trace of the trees of this file
    const std::string story = story_of(project, path, arguments[1].get<std::string>());
    if (story.empty()) throw Fault{kRequestFailed, "the trees have errors"};
    notify("window/showMessage", {{"type", 3}, {"message", shown + ":\n" + story}});
    return {{"passed", true}, {"message", story}};
  }
  const auto open = texts_.find(path);
  std::string text;
  std::string error;
  if (open != texts_.end()) {
    text = open->second.text;
  } else if (!project::read_bytes(path, text::kMaxFileBytes, text, error)) {
    throw Fault{kRequestFailed, "cannot read the trace: " + error};
  }
  const std::vector<Remark> remarks = check_trace(project, path, text);
  const Lines lines(text);
  std::string message;
  for (const Remark& remark : remarks) {
    const std::uint32_t line = lines.position(remark.range.begin, encoding_).line + 1;
    message += (message.empty() ? "" : "\n") + std::string("line ") + std::to_string(line) + ": " + remark.message;
  }
  const bool has_failed = std::any_of(remarks.begin(), remarks.end(), [](const Remark& remark) {
    return remark.severity == text::Severity::error || remark.code.empty();
  });
  if (message.empty()) message = "all expectations hold";
  notify("window/showMessage", {{"type", has_failed ? 1 : 3}, {"message", shown + ": " + message}});
  return {{"passed", !has_failed}, {"message", message}};
}

}  // namespace espalier::editor
