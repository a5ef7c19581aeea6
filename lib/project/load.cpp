// Loads a project from disk. See project.h.
#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

#include "project/check.h"
#include "project/project.h"
#include "text/decode.h"

namespace espalier::project {

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

namespace {

namespace fs = std::filesystem;

bool load_from(const Files& files, const LoadOptions& options, Project& project, LoadErrors& errors,
               Progress* progress) {
  ParsedFiles kept_by_nobody(0);
  ParsedFiles& parsed = options.parsed == nullptr ? kept_by_nobody : *options.parsed;
  project = {};
  if (!take_snapshot(options, files, parsed, project.snapshot, errors, progress)) {
    project.findings = project.snapshot.findings;
    return false;
  }
  Checked checked = check_once(project.snapshot, progress);
  project.ir = std::move(checked.ir);
  project.findings = std::move(checked.findings);
  return true;
}

// Can the inputs be read twice? Pipes cannot.
bool is_repeatable(const LoadOptions& options) {
  std::error_code error;
  return std::all_of(options.paths.begin(), options.paths.end(), [&](const std::string& path) {
    return path != kStandardInput && (fs::is_directory(path, error) || fs::is_regular_file(path, error));
  });
}

// Everything that findings depend on: the program, the options, what was read, where it is, and whether they have been
// completed.
ContentHash hash_of_run(const std::string& program, const LoadOptions& options, const Snapshot& snapshot,
                        const ReadLog& reads, bool is_completed) {
  std::error_code error;
  std::string all;
  const auto add = [&](std::string_view text) { all.append(text).push_back('\0'); };
  add(program);
  add(fs::current_path(error).string());
  for (const std::string& path : options.paths) add(path);
  for (const bool flag :
       {options.ignore_files, options.is_isolated, options.skip_unknown, options.for_compiling, is_completed}) {
    add(flag ? "yes" : "no");
  }
  add(options.configuration_path);
  add(options.stdin_filename);
  add(text_of(reads.hash()));
  for (text::FileId file = 0; file < snapshot.sources.size(); ++file) {
    add(snapshot.sources[file].path());
    add(snapshot.rest.count(file) == 0 ? "given" : "rest");
  }
  for (const std::string& path : snapshot.paths_below) add(path);
  for (const SnapshotFile& file : snapshot.files) {
    add(file.place.path);
    add(file.place.is_tree ? "tree" : "other");
  }
  return content_hash(all);
}

// Reads the text of the files that findings show.
void read_shown_text(const std::vector<text::Finding>& findings, Snapshot& snapshot) {
  std::vector<bool> is_shown(snapshot.sources.size());
  for (const text::Finding& finding : findings) {
    is_shown[finding.span.file] = true;
    for (const text::Related& related : finding.related) is_shown[related.span.file] = true;
    for (const text::Fix& fix : finding.fixes) {
      for (const text::Edit& edit : fix.edits) is_shown[edit.span.file] = true;
    }
  }
  for (const SnapshotFile& file : snapshot.files) {
    if (file.parsed == nullptr || !is_shown[file.id]) continue;
    std::string bytes;
    std::string error;
    if (!read_bytes(file.place.path, text::kMaxFileBytes, bytes, error)) continue;
    const std::string& path = file.parsed->source->path();
    snapshot.sources.replace(file.id, std::make_shared<text::Source>(path, text::decode(bytes).text));
  }
}

// False: the cache does not know the run. Completed findings serve those who need less.
bool load_cached(const LoadOptions& options, const FindingsCache& cache, bool needs_completed, Project& project,
                 Progress* progress) {
  Files files;
  ReadLog reads;
  files.log_reads(&reads);
  LoadOptions only_reading = options;
  only_reading.without_parsing = true;
  ParsedFiles kept_by_nobody(0);
  LoadErrors errors;
  project = {};
  Snapshot& snapshot = project.snapshot;
  if (!take_snapshot(only_reading, files, kept_by_nobody, snapshot, errors, progress)) return false;
  const auto find = [&](bool is_completed) {
    return cache.find(hash_of_run(cache.program(), options, snapshot, reads, is_completed), snapshot.sources.size());
  };
  auto findings = find(true);
  if (!findings && !needs_completed) findings = find(false);
  if (!findings) return false;
  read_shown_text(*findings, snapshot);
  project.is_cached = true;
  for (text::Finding& finding : *findings) project.findings.add(std::move(finding));
  return true;
}

}  // namespace

bool load(const LoadOptions& options, Project& project, LoadErrors& errors, Progress* progress) {
  return load_from({}, options, project, errors, progress);
}

bool load_findings(const LoadOptions& options, const FindingsCache* cache,
                   const std::function<void(Project& project)>& complete, Project& project, LoadErrors& errors,
                   Progress* progress) {
  const bool is_kept = cache != nullptr && is_repeatable(options);
  if (is_kept && load_cached(options, *cache, complete != nullptr, project, progress)) return true;
  Files files;
  ReadLog reads;
  if (is_kept) files.log_reads(&reads);
  if (!load_from(files, options, project, errors, progress)) return false;
  if (complete) complete(project);
  if (is_kept) {
    const ContentHash run = hash_of_run(cache->program(), options, project.snapshot, reads, complete != nullptr);
    cache->keep(run, project.findings.all());
  }
  return true;
}

}  // namespace espalier::project
