// Runs traces and proves properties for an editor. See traces.h.
#include "editor/traces.h"

#include <algorithm>
#include <set>
#include <sstream>

#include "dialects/btcpp/program_checks.h"
#include "editor/compiled_trees.h"
#include "editor/positions.h"
#include "explore/explore.h"
#include "explore/properties.h"
#include "project/property_files.h"
#include "project/trace_files.h"
#include "replay/replay.h"
#include "report/replays.h"
#include "rules/rules.h"
#include "rules/traces.h"
#include "system/filesystem.h"
#include "text/json.h"
#include "text/names.h"

namespace espalier::editor {
namespace {

// What an editor waits for is bounded: of larger ones only the command line tells.
constexpr std::size_t kMaxTraceBytes = std::size_t{4} << 20;
constexpr std::size_t kMaxTraces = 100;
constexpr std::size_t kMaxTreeFiles = 500;  // compiled for a trace that names no tree
constexpr explore::Budget kProofBudget{.states = 200'000, .milliseconds = 1500, .threads = 1};

// A place in a part of a file, as a range in all of it.
Range range_in(const Lines& lines, const text::Source& source, const text::Span& span) {
  const auto offset = [&](std::uint32_t place) {
    const text::Position at = source.position(place);
    return lines.offset({at.line - 1, at.column - 1}, Encoding::utf8);
  };
  return {offset(span.begin), offset(span.end)};
}

std::string joined(const std::string& message, const std::string& hint) {
  return hint.empty() ? message : message + "\nhint: " + hint;
}

Remark remark_of(const text::Finding& finding, Range range) {
  return {range, finding.severity, std::string(rules::info(finding.rule).code), joined(finding.message, finding.hint)};
}

std::string message_of(const replay::Failure& failure, bool names_agents) {
  if (!failure.message.empty()) return joined(failure.message, failure.hint);
  std::string message = failure.key + ": expected " + failure.expected + ", is " + failure.actual;
  if (failure.agent && names_agents) message += " (agent " + std::to_string(*failure.agent) + ")";
  return failure.note.empty() ? message : message + "\nhint: " + failure.note;
}

Remark not_run(const std::string& why) { return {{0, 0}, text::Severity::note, {}, why}; }
constexpr const char* kHaveErrors = "not run: the trees have errors, or there are none";

}  // namespace

std::optional<NamedTree> tree_of_trace(std::string_view text) {
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    text::JsonFault fault;
    const auto value = text::parse_json(text.substr(begin, end - begin), 0, fault);
    begin = end + 1;
    if (!value || value->find("trace") == nullptr) continue;
    const text::JsonValue* tree = value->find("tree");
    if (tree != nullptr && tree->kind == text::JsonKind::list && !tree->values.empty()) tree = &tree->values.front();
    const text::JsonValue* const file = value->find("file");
    return named_tree(tree == nullptr ? std::string_view() : tree->string,
                      file == nullptr ? std::string_view() : file->string);
  }
  return std::nullopt;
}

std::string name_of_file(const LiveProject& project, FileId file) {
  const project::SnapshotFile* const tree = project.tree_file(file);
  return tree == nullptr ? std::string() : std::string(dialects::btcpp::path_in_project(tree->place));
}

bool is_called(const LiveProject& project, FileId file, std::string_view name) {
  const std::string& path = project.path_of(file);
  return path == name || path.ends_with(std::string("/").append(name));
}

std::vector<FileId> files_of_tree(const LiveProject& project, const NamedTree& tree) {
  std::vector<FileId> files;
  const auto is_wanted = [&](FileId file) { return tree.file.empty() || is_called(project, file, tree.file); };
  if (tree.name.empty()) {
    const bool is_any = tree.file.empty();
    if (is_any && project.snapshot().files.size() > kMaxTreeFiles) return files;
    for (const project::SnapshotFile& file : project.snapshot().files) {
      if (file.parsed != nullptr && is_wanted(file.id)) files.push_back(file.id);
    }
    return files;
  }
  const std::string key = text::lower_case(tree.name);
  std::set<FileId> exact;
  std::set<FileId> ending;  // traces may name the end of a path
  project.index().each_name(NameKind::tree, [&](std::string_view name, const Index::Uses& uses) {
    const std::string lower = text::lower_case(name);
    const bool is_ending = lower.ends_with('/' + key);
    if (lower != key && !is_ending) return;
    for (const auto& [file, how] : uses) {
      const bool is_declared = (how >> static_cast<unsigned>(NameUse::declares) & 1) != 0;
      if (is_declared && is_wanted(file)) (is_ending ? ending : exact).insert(file);
    }
  });
  const std::set<FileId>& found = exact.empty() ? ending : exact;
  return {found.begin(), found.end()};
}

// The files of all trees that a trace names: agents that come later can be of others.
std::vector<FileId> files_of_trace(const LiveProject& project, std::string_view text) {
  std::set<FileId> files;
  for (const FileId file : files_of_tree(project, tree_of_trace(text).value_or(NamedTree()))) files.insert(file);
  for (const JsonOccurrence& each : names_in_json(text, true)) {
    if (each.kinds->front() != NameKind::tree) continue;
    for (const FileId file : files_of_tree(project, each.tree)) files.insert(file);
  }
  return {files.begin(), files.end()};
}

std::vector<Remark> check_trace(const LiveProject& project, const std::string& path, std::string_view text) {
  if (text.size() > kMaxTraceBytes) return {not_run("not run: the trace is longer than 4 MiB")};
  const CompiledTrees trees = compile(project, files_of_trace(project, text));
  if (!trees.is_open) return {not_run(kHaveErrors)};
  const Lines lines(text);
  std::vector<Remark> remarks;
  replay::ReplayOptions options;
  options.max_updates = kMaxUpdates;
  options.answers = trees.answers;
  options.declared_nodes = trees.declared_nodes;
  replay::Observer observer;
  observer.failed = [&](const replay::FailedLine& failed) {
    for (const replay::Failure& failure : failed.failures) {
      const Range range = range_in(lines, failed.sources[failure.span.file], failure.span);
      remarks.push_back({range, text::Severity::error, {}, message_of(failure, failed.names_agents)});
    }
  };
  text::Sources sources;
  std::istringstream stream{std::string(text)};
  const replay::TraceResult result = replay::replay(trees.asset, stream, path, options, sources, observer);
  for (const text::Finding& finding : result.findings.all()) {
    if (finding.rule == rules::TRC_failed_expectation) continue;  // they are remarks already
    remarks.push_back(remark_of(finding, range_in(lines, sources[finding.span.file], finding.span)));
  }
  return remarks;
}

std::string story_of(const LiveProject& project, const std::string& path, std::string_view text) {
  const CompiledTrees trees = compile(project, files_of_trace(project, text));
  if (!trees.is_open) return {};
  replay::ReplayOptions options;
  options.max_updates = kMaxUpdates;
  std::istringstream stream{std::string(text)};
  std::ostringstream story;
  text::Sources sources;
  static_cast<void>(report::replay_trace(trees.asset, stream, path, options, {}, sources, story));
  return std::move(story).str();
}

std::optional<std::vector<Remark>> check_properties(const LiveProject& project, const std::string& path,
                                                    std::string_view text, const std::function<bool()>& is_unwanted) {
  std::vector<Remark> remarks;
  text::Sources sources;
  const FileId file = sources.add(path, std::string(text));
  text::Findings findings;
  std::vector<explore::Property> properties;
  explore::read_property_file(file, sources, findings, properties);
  std::set<FileId> files;
  for (const explore::Property& property : properties) {
    for (const FileId each : files_of_tree(project, named_tree(property.tree.value_or("")))) files.insert(each);
  }
  const CompiledTrees trees = compile(project, {files.begin(), files.end()});
  if (trees.is_open) {
    for (const explore::Property& property : properties) explore::check_names(property, trees.asset, findings);
  } else if (!properties.empty()) {
    remarks.push_back(not_run(kHaveErrors));
  }
  for (const text::Finding& finding : findings.all()) {
    remarks.push_back(remark_of(finding, {finding.span.begin, finding.span.end}));
  }
  if (!trees.is_open || findings.has_errors()) return remarks;
  explore::Options options;
  options.budget = kProofBudget;
  options.signal_only = project.snapshot().configuration.dialects.signal_only;
  options.host = trees.host;
  for (const explore::Property& property : properties) {
    if (is_unwanted()) return std::nullopt;
    const Range range{property.span.begin, property.span.end};
    for (const explore::Proof& proof : explore::prove(trees.asset, {&property, 1}, options)) {
      if (proof.result != explore::Truth::fails) continue;
      std::string message = proof.tree + ": " + proof.property + " does not hold";
      if (proof.trace) {
        for (const std::string& step : proof.trace->steps) message += "\n" + step;
      }
      remarks.push_back({range, text::Severity::error, {}, joined(message, proof.hint)});
    }
  }
  return remarks;
}

std::vector<TextFile> files_beside(const std::string& path, const std::string& project_folder) {
  const std::string folder = path.substr(0, path.find_last_of('/') + 1);
  std::vector<std::string> paths;
  std::string ignored;
  if (!project::find_traces(folder, paths, &ignored)) paths.clear();
  std::error_code error;
  for (const auto& entry : system::filesystem::directory_iterator(folder, error)) {
    if (entry.path().generic_string().ends_with(project::kPropertiesSuffix))
      paths.push_back(entry.path().generic_string());
  }
  std::vector<std::string> elsewhere;
  if (!project_folder.empty() && project::find_traces(project_folder, elsewhere, &ignored)) {
    paths.insert(paths.end(), elsewhere.begin(), elsewhere.end());
  }
  std::vector<TextFile> files;
  std::set<std::string> seen;
  for (const std::string& each : paths) {
    std::string bytes;
    if (files.size() == kMaxTraces) break;
    std::string canonical = canonical_path(each);
    if (!seen.insert(canonical).second) continue;
    if (project::read_bytes(each, kMaxTraceBytes, bytes, ignored) && bytes.size() <= kMaxTraceBytes)
      files.push_back({std::move(canonical), std::move(bytes)});
  }
  return files;
}

}  // namespace espalier::editor
