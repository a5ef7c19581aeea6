// Loading a project: configuration, files, parsing on all threads, dialects, suppressions, severities. See project.h.
#include <algorithm>
#include <atomic>
#include <filesystem>
#include <new>
#include <set>
#include <thread>

#include "lint/lint.h"
#include "project/collect.h"
#include "project/configuration.h"
#include "project/project.h"
#include "project/suppressions.h"
#include "script/syntax.h"
#include "text/names.h"

namespace espalier::project {
namespace {

namespace fs = std::filesystem;
using text::Rule;
using text::XmlDocument;

constexpr std::uint32_t kMaxThreads = 256;

// The configuration of a run: the one given, or the nearest one above. Of several paths the first by name decides, so
// that their order does not.
bool load_configuration(const LoadOptions& options, Project& project, LoadErrors& errors) {
  std::string path = options.configuration_path;
  if (path.empty()) {
    std::vector<std::string> paths = options.paths;
    std::sort(paths.begin(), paths.end());
    path = nearest_configuration(paths.empty() ? "." : paths.front());
  }
  if (path.empty()) return true;
  std::string error;
  if (read_configuration(path, project.sources, project.configuration, project.findings, error)) {
    project.read_paths = project.configuration.read_paths;
    return true;
  }
  errors.messages.push_back(error);
  return false;
}

// What to read: the paths given, else what the configuration says, else its folder, else the current one.
std::vector<std::string> paths_to_read(const LoadOptions& options, const Configuration& configuration) {
  if (!options.paths.empty()) return options.paths;
  if (configuration.path.empty()) return {"."};
  const fs::path folder = fs::path(configuration.path).parent_path();
  std::vector<std::string> paths;
  for (const std::string& path : configuration.paths) paths.push_back((folder / path).string());
  if (paths.empty()) paths.push_back(folder.empty() ? "." : folder.string());
  return paths;
}

// What came of one file.
struct Parsed {
  std::unique_ptr<XmlDocument> document;
  text::Findings findings;
  std::string error;
};

// Runs on a thread of its own, which an exception must not leave.
void parse_file(const InputFile& file, text::Sources& sources, Parsed& parsed) {
  std::string reason;
  try {
    std::string bytes;
    if (read_bytes(file.open_path, text::kMaxFileBytes, bytes, reason)) {
      parsed.document = XmlDocument::parse(file.shown, bytes, sources, parsed.findings);
    }
  } catch (const std::bad_alloc&) {
    reason = "not enough memory";
  }
  if (!reason.empty()) parsed.error = "cannot read '" + file.shown + "': " + reason;
}

std::vector<Parsed> parse_files(const std::vector<InputFile>& files, std::uint32_t thread_count,
                                text::Sources& sources) {
  std::vector<Parsed> parsed(files.size());
  // Files get their ids in the order of their names, whichever thread is done first.
  std::vector<std::string> names;
  names.reserve(files.size());
  for (const InputFile& file : files) names.push_back(file.shown);
  sources.reserve(names);
  std::atomic<std::size_t> next = 0;
  auto work = [&] {
    for (std::size_t i = next++; i < files.size(); i = next++) parse_file(files[i], sources, parsed[i]);
  };
  if (thread_count == 0) thread_count = std::max(1u, std::thread::hardware_concurrency());
  thread_count = std::min({thread_count, kMaxThreads, static_cast<std::uint32_t>(files.size())});
  std::vector<std::thread> threads;
  for (std::uint32_t i = 1; i < thread_count; ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  return parsed;
}

// The path of an absolute `path` below `folder`; empty when it is not below it.
std::string path_below(const fs::path& folder, const fs::path& path) {
  const fs::path below = path.lexically_relative(folder);
  return below.empty() || *below.begin() == ".." ? std::string() : below.generic_string();
}

// A file in its project. That is the folder of espalier.json (empty: there is none) for what lies below it, else the
// folder that was given.
dialects::File place_in_project(const InputFile& file, const fs::path& configuration_folder) {
  dialects::File placed;
  std::error_code error;
  const bool is_standard_input = file.open_path == kStandardInput;
  const fs::path path = is_standard_input ? fs::current_path(error) / kStandardInput : fs::path(file.open_path);
  auto is_below = [&](const fs::path& candidate) {
    placed.name = path_below(configuration_folder, candidate);
    placed.path = candidate.generic_string();
    placed.folder = configuration_folder.generic_string();
    return !placed.name.empty();
  };
  const bool has_place = !configuration_folder.empty() && !is_standard_input;
  if (has_place && !is_below(path)) static_cast<void>(is_below(fs::weakly_canonical(path, error)));
  if (placed.name.empty()) {
    placed.name = file.below;
    placed.path = path.generic_string();
    placed.folder = placed.path.substr(0, placed.path.size() - std::min(placed.path.size(), file.below.size() + 1));
  }
  for (const std::string_view suffix : {".xml", ".debt"}) {
    if (placed.name.size() <= suffix.size()) continue;
    const std::size_t end = placed.name.size() - suffix.size();
    if (!text::equal_any_case(placed.name.substr(end), suffix)) continue;
    placed.name.resize(end);
    break;
  }
  return placed;
}

// A root element that a dialect has told of, where another file names that file, is told.
std::set<text::Span> related_places(const text::Findings& findings) {
  std::set<text::Span> places;
  for (const text::Finding& finding : findings.all()) {
    for (const text::Related& related : finding.related) places.insert(related.span);
  }
  return places;
}

// Hands each document to the dialect that owns its root element. Files that cannot be read have no document.
void read_dialects(Project& project, const std::vector<dialects::File>& files) {
  std::vector<bool> is_known(files.size(), false);
  std::vector<std::string_view> roots;
  for (const dialects::Dialect& dialect : dialects::all()) {
    roots.insert(roots.end(), dialect.roots.begin(), dialect.roots.end());
    dialects::Options options = project.configuration.dialects;
    std::vector<dialects::File> own;
    for (std::size_t i = 0; i < files.size(); ++i) {
      const text::XmlDocument* const document = files[i].document;
      if (document != nullptr && dialect.owns(document->root().name())) {
        is_known[i] = true;
        own.push_back(files[i]);
      } else {
        dialects::OtherFile& other = options.other_files.emplace_back();
        other.path = files[i].path;
        if (document != nullptr) other.root = document->root().span();
      }
    }
    if (!own.empty()) dialect.read(own, options, project.ir, project.findings);
  }
  const std::set<text::Span> told = related_places(project.findings);
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (is_known[i] || files[i].document == nullptr) continue;
    const text::Element root = files[i].document->root();
    if (told.count(root.span()) != 0) continue;
    project.findings.add(Rule::XML_unknown_root_element, root.span(),
                         "no dialect has a root element " + text::quoted(root.name()),
                         text::did_you_mean(root.name(), roots));
  }
}

// Before suppressions, which hold for warnings: an error that was lowered is one.
void lower_errors(const std::vector<Rule>& lowered, text::Findings& findings) {
  for (text::Finding& finding : findings.all()) {
    const bool is_lowered = std::find(lowered.begin(), lowered.end(), finding.rule) != lowered.end();
    if (is_lowered) finding.severity = rules::Severity::warning;
  }
}

std::vector<dialects::ScriptNote> note_script(std::string_view source) {
  std::vector<dialects::ScriptNote> notes;
  for (script::PortabilityNote& note : script::portability_notes(source)) {
    notes.push_back({note.begin, note.end, std::move(note.message), std::move(note.hint)});
  }
  return notes;
}

void apply_severities(Project& project) {
  using Configured = std::pair<Rule, std::optional<rules::Severity>>;
  std::vector<text::Finding>& all = project.findings.all();
  for (const Configured& configured : project.configuration.severities) {
    auto is_meant = [&](const text::Finding& finding) { return finding.rule == configured.first; };
    if (!configured.second) {
      all.erase(std::remove_if(all.begin(), all.end(), is_meant), all.end());
      continue;
    }
    for (text::Finding& finding : all) {
      if (is_meant(finding)) finding.severity = *configured.second;
    }
  }
}

}  // namespace

bool load(const LoadOptions& options, Project& project, LoadErrors& errors) {
  project.configuration.dialects.check_script = script::check_syntax;
  project.configuration.dialects.note_script = note_script;
  if (!load_configuration(options, project, errors)) return false;
  const std::vector<InputFile> files =
      collect(paths_to_read(options, project.configuration), options.ignore_files, errors.messages);
  if (!errors.messages.empty()) return false;

  fs::path configuration_folder;
  if (!project.configuration.path.empty()) {
    std::error_code error;
    configuration_folder = fs::canonical(project.configuration.path, error).parent_path();
  }
  std::vector<Parsed> all_parsed = parse_files(files, options.thread_count, project.sources);
  std::vector<dialects::File> read_files;
  for (std::size_t i = 0; i < files.size(); ++i) {
    Parsed& parsed = all_parsed[i];
    if (!parsed.error.empty()) errors.messages.push_back(std::move(parsed.error));
    read_files.push_back(place_in_project(files[i], configuration_folder));
    read_files.back().document = parsed.document.get();
    if (parsed.document) project.documents.push_back(std::move(parsed.document));
    if (!parsed.findings.all().empty()) project.findings.merge(std::move(parsed.findings));
  }
  if (!errors.messages.empty()) return false;
  for (const InputFile& file : files) {
    if (file.open_path != kStandardInput) project.read_paths.push_back(file.shown);
  }
  project.file_count = static_cast<std::uint32_t>(files.size());

  read_dialects(project, read_files);
  const dialects::Options& options_of_dialects = project.configuration.dialects;
  lint::analyse(project.ir, {options_of_dialects.signal_only, options_of_dialects.agent_count}, project.findings);
  const std::vector<Rule>& lowered = project.configuration.dialects.lowered;
  lower_errors(lowered, project.findings);
  apply_suppressions(project.documents, lowered, project.findings);
  apply_severities(project);
  project.findings.sort(project.sources);
  return true;
}

}  // namespace espalier::project
