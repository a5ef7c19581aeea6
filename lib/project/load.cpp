// Loading a project: configuration, files, dialects, suppressions, severities. See project.h.
#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "ir/store_needs.h"
#include "lint/lint.h"
#include "project/collect.h"
#include "project/configuration.h"
#include "project/engine_hosts.h"
#include "project/inside.h"
#include "project/project.h"
#include "project/read_files.h"
#include "project/roots.h"
#include "project/severities.h"
#include "project/suppressions.h"
#include "script/syntax.h"
#include "text/names.h"

namespace espalier::project {
namespace {

namespace fs = std::filesystem;
using text::Rule;
using text::XmlDocument;

// A path of the command line as the file that it stands for.
const std::string& file_of(const std::string& path, const LoadOptions& options) {
  return path == kStandardInput && !options.stdin_filename.empty() ? options.stdin_filename : path;
}

// The configuration of a run: the one given, or the nearest one above a path. Of several paths the first by name that
// has one decides, so that their order does not.
bool load_configuration(const LoadOptions& options, Project& project, LoadErrors& errors) {
  std::string path = options.configuration_path;
  if (path.empty()) {
    std::vector<std::string> paths;
    for (const std::string& each : options.paths) paths.push_back(file_of(each, options));
    if (paths.empty()) paths.emplace_back(".");
    std::sort(paths.begin(), paths.end());
    for (std::size_t i = 0; i < paths.size() && path.empty(); ++i) path = nearest_configuration(paths[i]);
  }
  if (path.empty()) return true;
  std::string error;
  if (read_configuration(path, project.sources, project.configuration, project.findings, error, options.paths)) {
    project.read_paths = project.configuration.read_paths;
    return true;
  }
  errors.messages.push_back(error);
  return false;
}

// The folder of espalier.json, without links; empty: there is none.
std::string folder_of(const Configuration& configuration) {
  if (configuration.path.empty()) return {};
  std::error_code error;
  return fs::canonical(fs::absolute(configuration.path, error).parent_path(), error).string();
}

// What to read of a project, as the configuration says: else its folder.
std::vector<std::string> paths_of(const Configuration& configuration) {
  const fs::path folder = fs::path(configuration.path).parent_path();
  std::vector<std::string> paths;
  for (const std::string& path : configuration.paths) paths.push_back((folder / path).string());
  if (paths.empty()) paths.push_back(folder.empty() ? "." : folder.string());
  return paths;
}

// What is read, and what of it was given.
struct Extent {
  std::vector<std::string> paths;
  std::vector<std::string> rest;  // of the project that a named file is of
  bool is_partial = false;        // files are named whose project is not given
};

Extent extent_of(const LoadOptions& options, const Configuration& configuration, const std::string& folder) {
  Extent extent;
  extent.paths = options.paths;
  if (extent.paths.empty()) {
    extent.paths = configuration.path.empty() ? std::vector<std::string>{"."} : paths_of(configuration);
    return extent;
  }
  std::vector<std::string> folders;
  std::vector<std::string> files;
  for (const std::string& path : options.paths) {
    std::error_code error;
    const std::string& file = file_of(path, options);
    (fs::is_directory(file, error) ? folders : files).push_back(file);
  }
  // One run has one configuration: the projects of files that have several are not read as one.
  const auto is_of_another = [&](const std::string& file) {
    const std::string nearest = nearest_configuration(file);
    return !nearest.empty() && nearest != configuration.path;
  };
  const bool is_mixed = options.configuration_path.empty() && std::any_of(files.begin(), files.end(), is_of_another);
  const bool is_isolated = options.is_isolated || is_mixed || folder.empty();
  // Standard input without a name may be any file of a project, and then its names would be there twice.
  const auto is_of_project = [&](const std::string& file) {
    return !is_isolated && file != kStandardInput && is_inside(file, folder);
  };
  const auto is_in_folder = [&](const std::string& file) {
    return std::any_of(folders.begin(), folders.end(), [&](const std::string& each) { return is_inside(file, each); });
  };
  for (const std::string& file : files) {
    if (is_of_project(file)) {
      if (extent.rest.empty()) extent.rest = paths_of(configuration);
    } else if (!extent.is_partial && !is_in_folder(file)) {
      extent.is_partial = true;
    }
  }
  return extent;
}

// A file in its project. That is the folder of espalier.json (empty: there is none) for what lies below it, else the
// folder that was given.
dialects::File place_in_project(const InputFile& file, const std::string& folder) {
  dialects::File placed;
  std::error_code error;
  const bool is_nameless = file.canonical == kStandardInput;
  // Of what standard input stands for only the name counts.
  const std::string& opened = file.open_path == kStandardInput ? file.canonical : file.open_path;
  const fs::path path = is_nameless ? fs::current_path(error) / kStandardInput : fs::path(opened);
  for (const std::string& candidate : {path.string(), file.canonical}) {
    if (folder.empty() || is_nameless || !placed.name.empty()) continue;
    placed.name = path_below(folder, candidate);
    placed.path = candidate;
    placed.folder = folder;
  }
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

// Of each file: does a dialect own its root element?
std::vector<bool> have_owners(const std::vector<dialects::File>& files) {
  std::vector<bool> owned;
  for (const dialects::File& file : files) {
    const auto owns = [&](const dialects::Dialect& dialect) { return dialect.owns(file.document->root().name()); };
    owned.push_back(file.document != nullptr && std::any_of(dialects::all().begin(), dialects::all().end(), owns));
  }
  return owned;
}

// Hands each document to the dialect that owns its root element. Files that cannot be read have no document.
void read_dialects(Project& project, const std::vector<dialects::File>& files) {
  const std::vector<bool> owned = have_owners(files);
  for (const dialects::Dialect& dialect : dialects::all()) {
    dialects::Options options = project.configuration.dialects;
    std::vector<dialects::File> own;
    for (std::size_t i = 0; i < files.size(); ++i) {
      const text::XmlDocument* const document = files[i].document;
      if (document != nullptr && dialect.owns(document->root().name())) {
        own.push_back(files[i]);
      } else {
        dialects::OtherFile& other = options.other_files.emplace_back();
        other.path = files[i].path;
        other.is_tree = files[i].is_tree;
        if (document == nullptr) continue;
        other.root = document->root().span();
        const std::string_view root = document->root().name();
        other.has_near_root =
            !owned[i] && !text::nearest(text::local_name(root), {dialect.roots.begin(), dialect.roots.end()}).empty();
      }
    }
    if (own.empty()) continue;
    dialect.read(own, options, project.ir, project.findings);
    for (ir::Tree& tree : project.ir.trees) {
      if (!tree.dialect) tree.dialect = dialect.id;
    }
  }
  const std::set<text::Span> told = related_places(project.findings);
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (owned[i] || files[i].document == nullptr) continue;
    const text::Element root = files[i].document->root();
    if (told.count(root.span()) != 0) continue;
    project.findings.add(Rule::XML_unknown_root_element, root.span(),
                         "no dialect has a root element " + text::quote(root.name()), hint_for_root(root.name()));
  }
}

// A fix would replace a reference by what is wrong in the text that it stands for.
void drop_fixes_of_references(Project& project) {
  std::map<text::FileId, const text::XmlDocument*> documents;
  for (const std::unique_ptr<text::XmlDocument>& document : project.documents) {
    if (document->has_expansions()) documents.emplace(document->file(), document.get());
  }
  if (documents.empty()) return;
  for (text::Finding& finding : project.findings.all()) {
    const auto is_expanded = [&](const text::Edit& edit) {
      const auto document = documents.find(edit.span.file);
      return document != documents.end() && document->second->is_expanded(edit.span);
    };
    std::erase_if(finding.fixes,
                  [&](const text::Fix& fix) { return std::any_of(fix.edits.begin(), fix.edits.end(), is_expanded); });
  }
}

std::vector<dialects::ScriptNote> note_script(std::string_view source) {
  std::vector<dialects::ScriptNote> notes;
  for (script::PortabilityNote& note : script::portability_notes(source)) {
    notes.push_back({note.begin, note.end, std::move(note.message), std::move(note.hint)});
  }
  return notes;
}

// What was asked for, and cannot be read.
void report_outside(const std::vector<std::string>& links, Project& project) {
  for (const std::string& link : links) {
    const text::FileId file = project.sources.add(link, {});
    project.findings.add(Rule::XML_link_outside, {file, 0, 0},
                         "the link leads out of the folder that is read, and is not followed",
                         "what it leads to can be named on the command line; 'exclude' in espalier.json leaves it out");
  }
}

// A folder in which nothing is a tree was given by mistake.
void expect_trees(const Collection& collection, const std::vector<ReadFile>& read, LoadErrors& errors) {
  std::set<fs::path> with_trees = {{}};  // all folders above a tree
  for (std::size_t i = 0; i < read.size(); ++i) {
    if (!read[i].passed_over.empty()) continue;
    for (fs::path path : {collection.files[i].canonical, collection.files[i].open_path}) {
      while (with_trees.insert(path).second && path.has_relative_path()) path = path.parent_path();
    }
  }
  for (const InputFolder& folder : collection.folders) {
    const bool has_outside = !collection.outside.empty();  // which is reported
    if (has_outside || with_trees.count(folder.canonical) != 0) continue;
    const auto is_in_it = [&](const InputFile& file) { return is_below(file.canonical, folder.canonical); };
    if (std::none_of(collection.files.begin(), collection.files.end(), is_in_it)) continue;  // which is reported too
    std::string roots;
    for (const dialects::Dialect& dialect : dialects::all()) {
      for (const std::string_view root : dialect.roots) roots += (roots.empty() ? "" : ", ") + text::quote(root);
    }
    errors.messages.push_back("there is no tree in '" + (folder.shown.empty() ? "." : folder.shown) +
                              "': none of its files begins with one of " + roots);
  }
}

// What was passed over, sorted by path as the files are.
void note_skipped(const Collection& collection, const std::vector<ReadFile>& read, Project& project) {
  for (const std::string& path : collection.left_out) project.skipped.push_back({path, "espalier.json leaves it out"});
  for (std::size_t i = 0; i < read.size(); ++i) {
    if (read[i].passed_over.empty() || collection.files[i].is_rest) continue;
    project.skipped.push_back({collection.files[i].shown, read[i].passed_over});
  }
  std::sort(project.skipped.begin(), project.skipped.end(),
            [](const Skipped& a, const Skipped& b) { return a.path < b.path; });
}

// Takes the documents and findings of what was read.
std::vector<dialects::File> take_files(const Collection& collection, std::vector<ReadFile>& read,
                                       const std::string& folder, Project& project, LoadErrors& errors) {
  std::vector<dialects::File> files;
  for (std::size_t i = 0; i < read.size(); ++i) {
    const InputFile& input = collection.files[i];
    // What cannot be read of the rest may hold what is referred to, and is not what was asked about.
    if (!read[i].error.empty() && !input.is_rest) errors.messages.push_back(std::move(read[i].error));
    if (input.is_rest) project.rest.insert(read[i].id);
    files.push_back(place_in_project(input, folder));
    files.back().document = read[i].document.get();
    files.back().is_tree = read[i].passed_over.empty();
    if (!files.back().is_tree) continue;
    if (read[i].document) project.documents.push_back(std::move(read[i].document));
    if (!read[i].findings.all().empty()) project.findings.merge(std::move(read[i].findings));
    if (input.canonical != kStandardInput) project.read_paths.push_back(input.shown);
    if (!input.is_rest) ++project.file_count;
  }
  return files;
}

// Severities that the configuration gives and that some of the project's trees cannot have.
void report_not_configured(Project& project) {
  std::set<std::string_view> prefixes = {"XML"};
  for (const auto& document : project.documents) {
    for (const dialects::Dialect& dialect : dialects::all()) {
      if (dialect.owns(document->root().name())) prefixes.insert(dialect.prefix);
    }
  }
  for (const NotConfigured& each : project.configuration.not_configured) {
    if (prefixes.count(rules::info(each.rule).code.substr(0, 3)) != 0) project.findings.add(each.finding);
  }
}

// Leaves out what stands in files that were read for the sake of others.
void leave_out_rest(Project& project) {
  const auto is_of_rest = [&](const text::Finding& finding) { return project.rest.count(finding.span.file) != 0; };
  std::vector<text::Finding>& all = project.findings.all();
  all.erase(std::remove_if(all.begin(), all.end(), is_of_rest), all.end());
}

// Leaves the trees of the files that were given, and those that run in their slots.
void leave_out_other_trees(Project& project) {
  std::vector<std::uint32_t> given;
  for (std::uint32_t i = 0; i < project.ir.trees.size(); ++i) {
    if (project.rest.count(project.ir.trees[i].span.file) == 0) given.push_back(i);
  }
  if (given.size() < project.ir.trees.size())
    project.ir = ir::with_reached(project.ir, ir::store_needs(project.ir), given);
}

}  // namespace

void Project::begin_anew() {
  documents.clear();
  read_paths.clear();
  configuration = {};
  ir = {};
  findings = {};
  file_count = 0;
  skipped.clear();
  rest.clear();
}

std::vector<std::vector<std::string>> paths_by_project(const LoadOptions& options) {
  std::map<std::string, std::vector<std::string>> projects;
  std::vector<std::string> others;
  for (const std::string& path : options.paths) {
    const std::string nearest =
        options.configuration_path.empty() ? nearest_configuration(file_of(path, options)) : std::string();
    (nearest.empty() ? others : projects[nearest]).push_back(path);
  }
  if (projects.empty()) return {others};
  std::vector<std::vector<std::string>> result;
  result.reserve(projects.size());
  for (auto& [configuration, paths] : projects) result.push_back(std::move(paths));
  result.front().insert(result.front().end(), others.begin(), others.end());
  return result;
}

bool load(const LoadOptions& options, Project& project, LoadErrors& errors) {
  Progress unseen;
  Progress& progress = options.progress == nullptr ? unseen : *options.progress;
  progress.begin("looking for files");
  Configuration& configuration = project.configuration;
  configuration.dialects.check_script = script::check_syntax;
  configuration.dialects.note_script = note_script;
  add_engine_knowledge(configuration.dialects);
  const bool reads_standard_input =
      std::find(options.paths.begin(), options.paths.end(), kStandardInput) != options.paths.end();
  if (!options.stdin_filename.empty() && !reads_standard_input) {
    errors.messages.emplace_back("--stdin-filename needs '-' among the paths, which it stands for");
    return false;
  }
  if (!load_configuration(options, project, errors)) return false;
  const std::string folder = folder_of(configuration);
  const Extent extent = extent_of(options, configuration, folder);
  // Nobody can run a tree that refers to what is not there: to a compiler what it is given is all.
  const bool is_partial = extent.is_partial && !options.for_compiling;
  configuration.dialects.is_partial = is_partial;
  const Collection collection =
      collect(extent.paths, extent.rest,
              {options.ignore_files, folder, &configuration.include, &configuration.exclude, options.stdin_filename},
              errors.messages);
  if (!errors.messages.empty()) return false;
  for (const InputFile& file : collection.files) {
    if (!options.paths.empty() && !file.is_rest) project.sources.show_as(file.shown, file.given);
  }
  std::vector<ReadFile> read =
      read_files(collection.files, options.skip_unknown, options.thread_count, project.sources, &progress);
  const std::vector<dialects::File> files = take_files(collection, read, folder, project, errors);
  note_skipped(collection, read, project);
  if (errors.messages.empty()) expect_trees(collection, read, errors);
  if (!errors.messages.empty()) return false;
  report_outside(collection.outside, project);

  progress.begin("reading trees");
  read_dialects(project, files);
  progress.begin("checking trees");
  const dialects::Options& facts = configuration.dialects;
  lint::analyse(project.ir, {facts.signal_only, facts.agent_count, facts.engine_events, is_partial, facts.events},
                project.findings);
  drop_fixes_of_references(project);
  const std::vector<Rule>& lowered = configuration.dialects.lowered;
  lower_errors(lowered, project.findings);
  apply_suppressions(project.documents, lowered, project.findings);
  report_not_configured(project);
  options.for_compiling ? leave_out_other_trees(project) : leave_out_rest(project);
  apply_severities(configuration, folder, project.sources, project.findings);
  project.findings.sort(project.sources);
  return true;
}

}  // namespace espalier::project
