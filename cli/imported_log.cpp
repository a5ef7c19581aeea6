// Reading a log, and telling its faults. See imported_log.h.
#include "cli/imported_log.h"

#include <algorithm>
#include <fstream>
#include <iostream>
#include <system_error>

#include "cli/command_line.h"
#include "cli/faults.h"
#include "live/findings.h"
#include "live/reasons.h"
#include "project/files.h"
#include "rules/logs.h"
#include "rules/rules.h"
#include "system/filesystem.h"
#include "text/names.h"

namespace espalier::cli {

FindingOptions error_form(const ImportOptions& options) {
  return {.format = options.format == "jsonl" ? "jsonl" : "human", .verb = "import"};
}

// ---- Faults

namespace {

bool is_error(const live::LogFault& fault) { return rules::info(fault.rule).severity == rules::Severity::error; }

}  // namespace

void LogReport::add(std::vector<live::LogFault> faults) {
  for (live::LogFault& fault : faults) faults_.push_back(std::move(fault));
}

bool LogReport::has_errors() const { return cli::has_errors(faults_); }

int LogReport::write() const {
  std::cout << std::flush;
  for (const live::LogFault& fault : faults_) {
    if (quiet_ && !is_error(fault)) continue;
    std::cerr << live::fault_text(path_, fault);
    if (is_error(fault))
      KeptFaults::add(std::cerr, {.rule = fault.rule, .file = path_, .message = fault.message, .hint = fault.hint});
  }
  return has_errors() ? kFound : kOk;
}

// ---- Reading

namespace {

bool is_missing(const std::string& path) {
  std::error_code error;
  return path != "-" && !system::filesystem::exists(path, error);
}

int read_bytes_of(const std::string& path, std::string* bytes) {
  std::string error;
  if (!project::read_bytes(path, live::kMaxLogBytes, *bytes, error, project::Readable::named))
    return fail("cannot read " + text::quote(path) + ": " + error);
  if (bytes->size() > live::kMaxLogBytes) return fail(text::quote(path) + " is larger than 1 GiB", {}, path);
  return kOk;
}

bool is_log_file(const system::filesystem::path& path) {
  std::error_code error;
  if (!system::filesystem::is_regular_file(path, error)) return false;
  std::ifstream file(system::native(path), std::ios::binary);
  std::string first(live::kLogMagicBytes, '\0');
  file.read(first.data(), static_cast<std::streamsize>(first.size()));
  first.resize(static_cast<std::size_t>(file.gcount()));
  return live::is_log(first);
}

// What a folder that is no bag of rosbag2 has, as a hint.
std::string hint_of_folder(const system::filesystem::path& folder) {
  constexpr std::size_t kMostNamed = 5;
  std::vector<std::string> logs;
  std::error_code error;
  for (const auto& entry : system::filesystem::directory_iterator(folder, error)) {
    if (is_log_file(entry.path())) logs.push_back(text::quote(entry.path().generic_string()));
  }
  if (logs.empty())
    return "a log is a .btlog, .btrec, .db3, .btdb, .mcap or captured .jsonl file, or the folder of a bag";
  std::sort(logs.begin(), logs.end());
  const bool are_more = logs.size() > kMostNamed;
  if (are_more) logs.resize(kMostNamed);
  std::string names;
  for (const std::string& log : logs) names += (names.empty() ? "" : ", ") + log;
  return "name one of its logs: " + names + (are_more ? ", ..." : "");
}

// A folder of rosbag2.
int read_bag(const ImportOptions& options, live::LogFile* file) {
  const system::filesystem::path folder(options.log);
  if (is_missing((folder / "metadata.yaml").generic_string())) {
    return fail("the folder " + text::quote(options.log) + " is no bag of rosbag2: it has no 'metadata.yaml'",
                hint_of_folder(folder));
  }
  std::string metadata;
  if (const int status = read_bytes_of((folder / "metadata.yaml").generic_string(), &metadata); status != kOk)
    return status;
  std::vector<live::LogFile> files;
  for (const std::string& name : live::files_of_bag(metadata)) {
    std::string bytes;
    const system::filesystem::path path = folder / system::filesystem::path(name).filename();  // nothing outside of it
    if (const int status = read_bytes_of(path.generic_string(), &bytes); status != kOk) return status;
    files.push_back(live::read_log(bytes, {options.topic, {}}));
  }
  *file = live::joined(std::move(files));
  if (file->runs.empty() && file->faults.empty())
    file->faults.push_back({rules::LOG_not_a_log, "the bag names no files"});
  return kOk;
}

int read(const ImportOptions& options, live::LogFile* file) {
  std::error_code error;
  if (options.log != "-" && system::filesystem::is_directory(options.log, error)) return read_bag(options, file);
  std::string bytes;
  if (const int status = read_bytes_of(options.log, &bytes); status != kOk) return status;
  live::ReadOptions how;
  how.topic = options.topic;
  how.beside = [&](const std::string& name, std::string* beside) {
    const system::filesystem::path path = system::filesystem::path(options.log).parent_path() / name;
    std::string why;
    return name.find('/') == std::string::npos &&
           project::read_bytes(path.generic_string(), live::kMaxTreeBytes, *beside, why);
  };
  *file = live::read_log(bytes, how);
  return kOk;
}

}  // namespace

std::vector<std::string> take_logs(std::vector<std::string>& paths) {
  const auto first = std::stable_partition(paths.begin(), paths.end(),
                                           [](const std::string& path) { return path == "-" || !is_log_file(path); });
  std::vector<std::string> logs(first, paths.end());
  paths.erase(first, paths.end());
  return logs;
}

int read_run(const ImportOptions& options, LogReport& report, std::optional<live::Log>* log) {
  if (is_missing(options.log)) return fail("cannot read " + text::quote(options.log) + ": No such file or directory");
  live::LogFile file;
  if (const int status = read(options, &file); status != kOk) return status;
  report.add(file.faults);
  if (file.runs.empty()) {  // nothing is left of it, whatever the reason
    static_cast<void>(report.write());
    return kFailed;
  }
  if (options.session > file.runs.size()) {
    return fail("the log has no session " + std::to_string(options.session),
                "it has " + std::to_string(file.runs.size()) + (file.runs.size() == 1 ? " session" : " sessions"));
  }
  *log = std::move(file.runs[options.session == 0 ? file.runs.size() - 1 : options.session - 1]);
  const std::string beside = options.log + ".entries.jsonl";
  std::string entries;
  if (options.log == "-" || is_missing(beside)) return kOk;
  if (const int status = read_bytes_of(beside, &entries); status != kOk) return status;
  if (!live::read_entries(entries, **log))
    report.add({{rules::LOG_cut, text::quote(beside) + " cannot be read to its end: what comes before is used"}});
  return kOk;
}

LogOrigin origin_of(const ImportOptions& options) {
  return {options.common, error_form(options), options.log, options.tree, options.tree_file};
}

bool import_log(const ImportOptions& options, LogReport& report, Imported& imported, int& status) {
  status = read_run(options, report, &imported.log);
  if (status != kOk) return false;
  if (imported.log->changes.empty()) {
    if (options.format == "jsonl") std::cout << live::json_of_nothing() << '\n';
    if (!options.common.quiet) std::cerr << "the log has no changes: no node was ticked\n";
    status = report.write();
    return false;
  }
  std::vector<live::LogFault> faults;
  status = compile_tree_of(origin_of(options), *imported.log, imported.compiled, faults);
  if (status != kOk) return false;
  report.add(std::move(faults));
  if (report.has_errors() || !imported.compiled.tree) {
    status = report.write();
    return false;
  }
  imported.run = live::fit_with_samples(*imported.compiled.tree, *imported.log, options.against.empty());
  const CompiledTree& compiled = imported.compiled;
  if (imported.run.misfit && compiled.is_given) {
    const bool has_own = compiled.of_log != nullptr && compiled.of_log->tree;
    imported.nearest =
        live::nearest_edits(*compiled.tree, *imported.log, imported.run, has_own ? &*compiled.of_log->tree : nullptr);
  }
  std::string reason;
  if (imported.run.misfit) {
    const bool knows_subtrees = compiled.is_given || imported.run.is_recorded;
    reason = live::other_reasons(*compiled.tree, *imported.log, knows_subtrees);
  }
  report.add(live::faults_of(*compiled.tree, *imported.log, imported.run, imported.nearest, reason));
  return true;
}

}  // namespace espalier::cli
