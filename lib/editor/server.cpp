// The session, and the texts of the editor. Answers are in server_answers.cpp. See server.h.
#include "editor/server.h"

#include <algorithm>
#include <exception>
#include <thread>
#include <utility>

#include "editor/server_methods.h"
#include "editor/traces.h"
#include "editor/uri.h"
#include "project/configuration.h"
#include "project/property_files.h"
#include "project/trace_files.h"
#include "system/filesystem.h"
#include "text/shallow_json.h"

namespace espalier::editor {
namespace {

constexpr int kParseError = -32700;
constexpr int kInvalidRequest = -32600;
constexpr int kMethodNotFound = -32601;
constexpr int kInvalidParameters = -32602;
constexpr int kInternalError = -32603;
constexpr int kNotInitialized = -32002;
constexpr int kRequestCancelled = -32800;

constexpr int kMaxMessageDepth = 200;  // lists and objects in one another

// Who types so slowly has stopped.
constexpr std::chrono::milliseconds kPause{300};

bool is_trace(const std::string& path) { return path.ends_with(project::kTraceSuffix); }
bool is_property_file(const std::string& path) { return path.ends_with(project::kPropertiesSuffix); }

bool is_beside(const std::string& path) { return is_trace(path) || is_property_file(path); }  // trees

Json error_json(const Json& id, int code, const std::string& message) {
  return {{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", code}, {"message", message}}}};
}

}  // namespace

void Server::notify(const char* method, Json parameters) {
  send_({{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(parameters)}});
}

void Server::handle(const Json& message, const std::function<bool()>& is_cancelled) {
  const Json id = message.is_object() && message.contains("id") ? message["id"] : Json();
  const bool is_request = message.is_object() && message.contains("id");
  if (!message.is_object() || !message.contains("method") || !message["method"].is_string()) {
    // An answer to a request of ours has no method.
    const bool is_answer = message.is_object() && (message.contains("result") || message.contains("error"));
    if (!is_answer)
      send_(error_json(id, message.is_discarded() ? kParseError : kInvalidRequest, "this is not a request"));
    return;
  }
  const std::string& name = message["method"].get_ref<const std::string&>();
  const auto method = methods().find(name);
  if (method == methods().end()) {
    if (is_request) send_(error_json(id, kMethodNotFound, "unknown method '" + name + "'"));
    return;
  }
  const bool is_first = name == "initialize" || name == "exit";
  if ((!is_initialized_ && !is_first) || (is_shut_down_ && name != "exit")) {
    const int code = is_shut_down_ ? kInvalidRequest : kNotInitialized;
    if (is_request) send_(error_json(id, code, "the server is not initialized"));
    return;
  }
  if (is_request && is_cancelled && is_cancelled()) return send_(error_json(id, kRequestCancelled, "cancelled"));
  try {
    if (method->second.needs_checks) check_texts();
    const Json parameters = message.contains("params") ? message["params"] : Json::object();
    Json result = (this->*method->second.answer)(parameters);
    if (!is_request) return;
    if (is_cancelled && is_cancelled()) return send_(error_json(id, kRequestCancelled, "cancelled"));
    send_({{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}});
  } catch (const Fault& fault) {
    if (is_request) send_(error_json(id, fault.code, fault.message));
  } catch (const Json::exception&) {
    if (is_request) send_(error_json(id, kInvalidParameters, "the parameters of '" + name + "' are not valid"));
  } catch (const std::exception& error) {
    if (is_request) send_(error_json(id, kInternalError, error.what()));
  }
}

const std::map<std::string, Server::Method, std::less<>>& Server::methods() {
  static const std::map<std::string, Method, std::less<>> kMethods = {
      {"initialize", {&Server::initialize, false}},
      {"initialized", {&Server::initialized, false}},
      {"shutdown", {&Server::shut_down, false}},
      {"exit", {&Server::exit, false}},
      {"$/setTrace", {&Server::ignore, false}},
      {"$/cancelRequest", {&Server::ignore, false}},
      {"workspace/didChangeConfiguration", {&Server::ignore, false}},
      {"workspace/didChangeWatchedFiles", {&Server::did_change_files, false}},
      {"textDocument/didOpen", {&Server::did_open, false}},
      {"textDocument/didChange", {&Server::did_change, false}},
      {"textDocument/didSave", {&Server::did_save, false}},
      {"textDocument/didClose", {&Server::did_close, false}},
      {"textDocument/hover", {&Server::hover, true}},
      {"textDocument/completion", {&Server::completion, true}},
      {"textDocument/definition", {&Server::definition, true}},
      {"textDocument/declaration", {&Server::definition, true}},
      {"textDocument/references", {&Server::references, true}},
      {"textDocument/documentHighlight", {&Server::highlights, true}},
      {"textDocument/prepareRename", {&Server::prepare_rename, true}},
      {"textDocument/rename", {&Server::rename, true}},
      {"textDocument/documentSymbol", {&Server::symbols, true}},
      {"workspace/symbol", {&Server::workspace_symbols, true}},
      {"textDocument/foldingRange", {&Server::folding, true}},
      {"textDocument/documentLink", {&Server::links, true}},
      {"textDocument/semanticTokens/full", {&Server::tokens, true}},
      {"textDocument/codeLens", {&Server::lenses, true}},
      {"textDocument/inlayHint", {&Server::hints, true}},
      {"textDocument/formatting", {&Server::formatting, true}},
      {"textDocument/codeAction", {&Server::actions, true}},
      {"workspace/executeCommand", {&Server::execute, true}},
  };
  return kMethods;
}

// ---- The session

Json Server::initialize(const Json& parameters) {
  is_initialized_ = true;
  const Json capabilities = parameters.value("capabilities", Json::object());
  const Json general = capabilities.value("general", Json::object());
  const Json encodings = general.value("positionEncodings", Json::array());
  const bool takes_utf8 = std::find(encodings.begin(), encodings.end(), "utf-8") != encodings.end();
  encoding_ = takes_utf8 ? Encoding::utf8 : Encoding::utf16;
  takes_refreshes_ = capabilities.value("/workspace/codeLens/refreshSupport"_json_pointer, false);
  takes_snippets_ = capabilities.value("/textDocument/completion/completionItem/snippetSupport"_json_pointer, false);
  takes_pages_ = capabilities.value("/textDocument/publishDiagnostics/codeDescriptionSupport"_json_pointer, false);
  const Json watching = capabilities.value("/workspace/didChangeWatchedFiles"_json_pointer, Json::object());
  takes_watchers_ = watching.value("dynamicRegistration", false);
  takes_relative_patterns_ = takes_watchers_ && watching.value("relativePatternSupport", false);
  const Json folders = parameters.value("workspaceFolders", Json());
  if (folders.is_array()) {
    for (const Json& folder : folders)
      folders_.push_back(canonical_path(path_of_uri(folder.at("uri").get<std::string>())));
  } else if (parameters.contains("rootUri") && parameters["rootUri"].is_string()) {
    folders_.push_back(canonical_path(path_of_uri(parameters["rootUri"].get<std::string>())));
  }
  std::erase(folders_, std::string());
  Json result = capabilities_json();
  result["capabilities"]["positionEncoding"] = takes_utf8 ? "utf-8" : "utf-16";
  result["serverInfo"] = {{"name", "espalier"}, {"version", version_}};
  return result;
}

Json Server::ignore(const Json&) { return nullptr; }

Json Server::shut_down(const Json&) {
  is_shut_down_ = true;
  return nullptr;
}

Json Server::exit(const Json&) {
  exit_status_ = is_shut_down_ ? 0 : 1;
  return nullptr;
}

// ---- Texts

std::string Server::path_of(const Json& parameters) const {
  const std::string path = path_of_uri(parameters.at("textDocument").at("uri").get_ref<const std::string&>());
  if (path.empty()) throw Fault{kInvalidParameters, "only files can be edited"};
  return canonical_path(path);
}

// The project of a file: that of the nearest espalier.json, else of the workspace's folder, else the file alone.
LiveProject& Server::project_of(const std::string& path) {
  std::string& key = project_keys_[path];
  if (key.empty()) {
    key = project::nearest_configuration(path);
    if (!key.empty()) key = canonical_path(key);
    for (const std::string& folder : folders_) {
      if (key.empty() && path.starts_with(folder + '/')) key = folder;
    }
    if (key.empty()) key = path;
  }
  std::unique_ptr<LiveProject>& project = projects_[key];
  if (project == nullptr) {
    project::LoadOptions options;
    if (key.ends_with(std::string("/") + project::kConfigurationName)) {
      options.configuration_path = key;
    } else {
      options.paths = {key};
    }
    project = std::make_unique<LiveProject>(std::move(options));
    for (const auto& [open, text] : texts_) {
      if (!is_beside(open)) project->set_text(open, text.text);
    }
  }
  return *project;
}

Json Server::did_open(const Json& parameters) {
  const std::string path = path_of(parameters);
  const Json& document = parameters.at("textDocument");
  OpenText& open = texts_[path];
  open = {document.at("uri"), document.at("text"), document.value("version", std::int64_t{0})};
  if (path.ends_with(std::string("/") + project::kConfigurationName)) project_keys_.clear();
  look_at_disk();
  return nullptr;
}

Json Server::did_change(const Json& parameters) {
  const auto open = texts_.find(path_of(parameters));
  if (open == texts_.end()) return nullptr;
  std::string& text = open->second.text;
  for (const Json& change : parameters.at("contentChanges")) {
    const std::string& replacement = change.at("text").get_ref<const std::string&>();
    if (!change.contains("range")) {
      text = replacement;
      continue;
    }
    const Lines lines(text);
    const std::uint32_t begin = lines.offset(position_of(change["range"].at("start")), encoding_);
    const std::uint32_t end = lines.offset(position_of(change["range"].at("end")), encoding_);
    if (begin <= end) text.replace(begin, end - begin, replacement);
  }
  open->second.version = parameters.at("textDocument").value("version", std::int64_t{0});
  open->second.is_changed = true;
  return nullptr;
}

Json Server::did_save(const Json& parameters) {
  const std::string path = path_of(parameters);
  check_texts();
  look_at_disk();
  if (is_beside(path)) {
    check_later_or_now(path);
  } else {
    check_beside(project_of(path));
  }
  return nullptr;
}

Json Server::did_close(const Json& parameters) {
  const std::string path = path_of(parameters);
  if (texts_.erase(path) == 0) return nullptr;
  if (is_beside(path)) {
    shown_.erase(path);
    unproved_.erase(path);
    notify("textDocument/publishDiagnostics", {{"uri", uri_of_path(path)}, {"diagnostics", Json::array()}});
    return nullptr;
  }
  unexplored_.erase(path);
  reached_.erase(path);
  LiveProject& project = project_of(path);
  project.set_text(path, std::nullopt);
  publish(project, project.update());
  return nullptr;
}

void Server::idle() {
  if (is_initialized_ && !is_shut_down_) check_texts();
}

bool Server::has_rest() const {
  const auto project_has_rest = [](const auto& each) { return each.second->has_rest(); };
  const bool has_text = !unproved_.empty() || !unexplored_.empty();
  return !is_shut_down_ && (has_text || std::any_of(projects_.begin(), projects_.end(), project_has_rest));
}

void Server::check_rest(const std::function<bool()>& is_interrupted) {
  if (!unproved_.empty()) {
    const std::string path = *unproved_.begin();
    const LiveProject& project = project_of(path);
    const auto remarks = check_properties(project, path, texts_.at(path).text, is_interrupted);
    if (!remarks) return;
    unproved_.erase(path);
    return publish_remarks(path, *remarks);
  }
  for (const auto& [key, project] : projects_) {
    if (project->has_rest()) return publish(*project, project->check_rest());
  }
  if (!unexplored_.empty()) explore(unexplored_.extract(unexplored_.begin()).value());
}

// Checks the texts that have changed, each project once.
void Server::check_texts() {
  std::set<LiveProject*> changed;
  std::vector<std::string> beside;
  for (auto& [path, open] : texts_) {
    if (!open.is_changed) continue;
    open.is_changed = false;
    if (is_beside(path)) {
      beside.push_back(path);
      continue;
    }
    LiveProject& project = project_of(path);
    project.set_text(path, open.text);
    changed.insert(&project);
  }
  for (LiveProject* const project : changed) publish(*project, project->update());
  for (const auto& [path, open] : texts_) {
    if (changed.contains(&project_of(path)) && !is_beside(path)) unexplored_.insert(path);
  }
  for (const std::string& path : beside) check_later_or_now(path);
}

// ---- Diagnostics

void Server::publish(LiveProject& project, const std::vector<FileId>& files) {
  for (const std::string& error : project.errors()) notify("window/logMessage", {{"type", 2}, {"message", error}});
  if (std::exchange(loads_[&project], project.load_count()) != project.load_count()) {
    note_disk(project);
    clear(project.take_gone());
  }
  for (const FileId file : files) {
    const std::string& path = project.path_of(file);
    Json diagnostics = Json::array();
    const std::vector<text::Finding>& findings = project.findings_of(file);
    const Lines lines(findings.empty() ? std::string_view() : text_of(project, file));
    for (const text::Finding& finding : findings) diagnostics.push_back(diagnostic_json(project, finding, lines));
    const bool is_known = shown_.count(path) != 0;
    if (diagnostics.empty()) shown_.erase(path);
    if (!diagnostics.empty()) shown_.insert(path);
    const auto open = texts_.find(path);
    if (diagnostics.empty() && !is_known && open == texts_.end()) continue;
    Json parameters = {{"uri", open == texts_.end() ? uri_of_path(path) : open->second.uri},
                       {"diagnostics", std::move(diagnostics)}};
    if (open != texts_.end()) parameters["version"] = open->second.version;
    notify("textDocument/publishDiagnostics", std::move(parameters));
  }
}

// Runs an open trace; properties are proved when nobody types.
void Server::check_later_or_now(const std::string& path) {
  const auto open = texts_.find(path);
  if (open == texts_.end()) return;
  LiveProject& project = project_of(path);
  publish(project, project.update());
  if (is_trace(path)) {
    publish_remarks(path, check_trace(project, path, open->second.text));
  } else {
    unproved_.insert(path);
  }
}

// The remarks on an open trace or file of properties.
void Server::publish_remarks(const std::string& path, const std::vector<Remark>& remarks) {
  const auto open = texts_.find(path);
  const std::string& text = open->second.text;
  Json diagnostics = Json::array();
  for (const Remark& remark : remarks) {
    Json diagnostic = {{"range", range_json(text, remark.range)},
                       {"severity", severity_number(remark.severity)},
                       {"source", "espalier"},
                       {"message", remark.message}};
    if (!remark.code.empty()) diagnostic["code"] = remark.code;
    diagnostics.push_back(std::move(diagnostic));
  }
  notify("textDocument/publishDiagnostics",
         {{"uri", open->second.uri}, {"version", open->second.version}, {"diagnostics", std::move(diagnostics)}});
}

// The open traces and properties of a project whose trees have changed.
void Server::check_beside(LiveProject& project) {
  std::vector<std::string> paths;
  for (const auto& [path, open] : texts_) {
    if (is_beside(path) && &project_of(path) == &project) paths.push_back(path);
  }
  for (const std::string& path : paths) check_later_or_now(path);
}

// ---- Serving

int serve(const std::string& version, std::istream& input, const std::function<void(const std::string&)>& write) {
  MessageQueue queue;
  Server server(version, [&](const Json& message) { write(framed(message)); });
  std::thread reader([&] {
    while (const std::optional<std::string> content = read_message(input)) {
      Json message = text::parse_shallow_json<Json>(*content, kMaxMessageDepth);
      const std::string method = message.is_object() && message.contains("method") && message["method"].is_string()
                                     ? message["method"].get<std::string>()
                                     : std::string();
      if (method == "$/cancelRequest" && message.contains("params") && message["params"].is_object() &&
          message["params"].contains("id")) {
        queue.cancel(message["params"]["id"]);
      }
      queue.push(std::move(message));
      if (method == "exit") break;
    }
    queue.close();
  });
  while (!server.exit_status()) {
    if (queue.empty()) server.idle();
    if (server.has_rest() && queue.stays_empty(kPause)) {
      while (server.has_rest() && queue.empty()) server.check_rest([&] { return !queue.empty(); });
    }
    const std::optional<Json> message = queue.pop();
    if (!message) break;
    const Json id = message->is_object() && message->contains("id") ? (*message)["id"] : Json();
    server.handle(*message, [&] { return queue.take_cancelled(id); });
  }
  reader.join();
  return server.exit_status().value_or(1);
}

}  // namespace espalier::editor
