// Reads and compiles assets. See asset_file.h.
#include "cli/asset_file.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <iostream>

#include "cli/faults.h"
#include "cli/pictures.h"
#include "cli/watch.h"
#include "codegen/asset_fault.h"
#include "codegen/compile.h"
#include "compiled/declared_answers.h"
#include "compiled/live_sections.h"
#include "compiled/one_tree.h"
#include "rules/btcpp.h"
#include "system/file.h"
#include "system/filesystem.h"
#include "text/visible.h"

namespace espalier::cli {
namespace {

// If the verb draws a picture: what can be read, with what was found.
int draw_refused(const project::Project& project, const text::Findings& findings, const CommonOptions& options,
                 const FindingOptions& form) {
  if (!is_picture(form)) return kOk;
  std::vector<report::PictureTree> trees = written_trees(project);
  append(other_files(project, findings), trees);
  if (const int status = leave_tree(form.tree, trees); status != kOk) return status;
  report::add_findings(trees, notes_of(findings, project.snapshot.sources));
  return draw(trees, form.verb, project, options, form);
}

// Was a tree that is called so read without errors, with all that it uses? Then the others are removed.
bool leave_whole_tree(const std::string& name, ir::Project& project) {
  const bool has_programs =
      std::any_of(project.trees.begin(), project.trees.end(), [](const ir::Tree& tree) { return !tree.file.empty(); });
  return has_programs && compiled::leave_tree(name, project) != 0;
}

// Errors, what is left out of an asset, and nodes that the library most likely refuses.
text::Findings errors_of(const text::Findings& findings) {
  text::Findings errors;
  for (const text::Finding& finding : findings.all()) {
    const bool is_of_missing = finding.rule == rules::BTC_package_unknown || finding.rule == rules::BTC_trees_elsewhere;
    const bool leaves_out = is_of_missing && !finding.related.empty();
    const bool is_refused = finding.rule == rules::BTC_suspicious_node;
    if (finding.severity == text::Severity::error || leaves_out || is_refused) errors.add(finding);
  }
  return errors;
}

}  // namespace

void report_errors(const text::Findings& findings, const text::Sources& sources, std::uint32_t file_count,
                   const CommonOptions& options, const FindingOptions& form, std::string_view baseline) {
  const bool is_for_log = is_for_people(form);
  const report::Summary summary = report::summarize(findings, file_count);
  const text::Findings errors = errors_of(findings);
  report_findings(errors, sources, summary, options, form, is_for_log ? std::cerr : std::cout,
                  is_for_log ? system::Stream::errors : system::Stream::output);
  const std::size_t warnings = summary.warnings - report::summarize(errors, file_count).warnings;
  if (!is_for_log || options.quiet || warnings == 0) return;
  std::cerr << std::to_string(warnings) << (warnings == 1 ? " warning" : " warnings");
  if (!baseline.empty()) {
    std::cerr << " with those that '" << text::visible(baseline) << "' accepts: 'espalier lint' shows the others\n";
  } else {
    std::cerr << (warnings == 1 ? ": 'espalier lint' shows it\n" : ": 'espalier lint' shows them\n");
  }
}

bool open_asset(const std::string& path, std::string_view bytes, AssetFile& file) {
  file.words.assign((bytes.size() + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t) + 1, 0);
  file.size_bytes = bytes.size();
  if (!bytes.empty()) std::memcpy(file.words.data(), bytes.data(), bytes.size());
  Fault fault;
  if (open(file.words.data(), file.size_bytes, &file.asset, &fault) == Status::ok) return true;
  const codegen::AssetFault why = codegen::describe_fault(bytes, fault);
  std::cerr << codegen::fault_text(path == "-" ? "<stdin>" : path, why);
  std::string message = "byte " + std::to_string(why.offset_bytes) + ": " + why.message;
  KeptFaults::add(std::cerr, {.rule = why.rule, .file = path, .message = std::move(message), .hint = why.hint});
  return false;
}

bool is_asset_path(const std::string& path) {
  if (path.ends_with(".espb")) return true;
  std::error_code error;  // what is read from a pipe is gone
  if (path != "-" && !system::filesystem::is_regular_file(path, error)) return false;
  std::string why_not;
  std::FILE* file = path == "-" ? stdin : system::open_file(path, system::Readable::regular_file, why_not);
  if (file == nullptr) return false;
  const int first = std::getc(file);
  if (file == stdin) {
    if (first != EOF) std::ungetc(first, stdin);
  } else {
    std::fclose(file);
  }
  return first == 'E';
}

int load_asset(const CommonOptions& options, const FindingOptions& form, AssetFile& file, project::Project& project) {
  if (options.paths.size() == 1 && is_asset_path(options.paths.front())) {
    std::string bytes;
    std::string error;
    if (options.notes) options.notes->read.insert(options.paths.front());
    if (!read_file(options.paths.front(), &bytes, &error)) return fail(error);
    return open_asset(options.paths.front(), bytes, file) ? kOk : kFailed;
  }
  const int status = load_for_compiling(options, form, project);
  file.severities = project.snapshot.configuration.severities;
  file.answers = compiled::declared_answers(project.ir, project.snapshot.configuration.dialects);
  file.declared_nodes = compiled::declared_nodes(project.ir);
  return status == kOk ? compile_trees(project.ir, project, {}, options, form, file) : status;
}

int load_asset(const CommonOptions& options, const FindingOptions& form, AssetFile& file) {
  project::Project project;
  return load_asset(options, form, file, project);
}

int load_with_errors(const CommonOptions& options, const FindingOptions& form, project::Project& project) {
  for (const std::string& path : options.paths) {
    if (!path.ends_with(".espb")) continue;
    return fail("'" + path + "' is a compiled asset and cannot be part of a project", {}, path);
  }
  // People are told how many warnings there are, and programs how many notes, too. Pictures have all of them.
  const auto told = options.quiet ? lint::Shown::nothing : lint::Shown::warning_counts;
  const lint::Shown shown = is_for_people(form) && !is_picture(form) ? told : lint::Shown::words;
  if (!load_project(options, shown, project, is_picture(form))) return kFailed;
  const bool is_whole = !form.tree.empty() && project.findings.has_errors() && leave_whole_tree(form.tree, project.ir);
  if (is_whole) {
    std::erase_if(project.findings.all(),
                  [](const text::Finding& each) { return each.severity == text::Severity::error; });
  }
  const bool has_errors = project.findings.has_errors();
  const bool has_results = form.verb != "lint";  // then the number of warnings goes to the log
  if (!is_whole && (has_errors || has_results || is_for_people(form))) {
    report_errors(project.findings, project.snapshot.sources, project.snapshot.file_count, options,
                  has_errors ? form : FindingOptions(), project.snapshot.configuration.baseline);
  }
  return kOk;
}

int load_for_compiling(const CommonOptions& options, const FindingOptions& form, project::Project& project) {
  if (const int status = load_with_errors(options, form, project); status != kOk) return status;
  if (project.findings.has_errors()) {
    if (const int status = draw_refused(project, project.findings, options, form); status != kOk) return status;
    // Explains why errors that lint accepts are reported here.
    const std::string& baseline = project.snapshot.configuration.baseline;
    if (!baseline.empty()) {
      std::cerr << "espalier: the baseline '" << text::visible(baseline)
                << "' applies only to lint: trees with errors are not compiled\n";
    }
    return kFound;
  }
  if (!project.ir.trees.empty()) return kOk;
  return fail("no trees to compile");
}

int compile_trees(const ir::Project& trees, const project::Project& project, Kept kept, const CommonOptions& options,
                  const FindingOptions& form, AssetFile& file) {
  text::Findings findings;
  const text::Sources& sources = project.snapshot.sources;
  codegen::CompileOptions compiling{.strip = !kept.names && !kept.xml, .thread_count = options.threads};
  file.words = codegen::compile(trees, sources, compiling, findings, &file.size_bytes);
  codegen::LiveSections live;
  if (kept.xml && open(file.words.data(), file.size_bytes, &file.asset) == Status::ok) {
    live = compiled::live_sections(file.asset, trees, sources, findings);
    compiling = {.strip = !kept.names, .thread_count = options.threads, .live = &live};
    file.words = findings.all().empty() ? codegen::compile(trees, sources, compiling, findings, &file.size_bytes)
                                        : std::vector<std::uint64_t>();
  }
  if (file.words.empty()) {
    report_errors(findings, project.snapshot.sources, project.snapshot.file_count, options, form);
    const int status = draw_refused(project, findings, options, form);
    return status == kOk ? kFound : status;
  }
  Fault fault;
  if (open(file.words.data(), file.size_bytes, &file.asset, &fault) == Status::ok) return kOk;
  std::cerr << "espalier: internal error: the compiled asset does not verify: " << fault.reason << " (byte "
            << fault.offset_bytes << ")\nPlease report this, with the files that show it.\n";
  return kInternal;
}

}  // namespace espalier::cli
