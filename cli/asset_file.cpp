// Getting at assets. See asset_file.h.
#include "cli/asset_file.h"

#include <cstdio>
#include <cstring>
#include <iostream>

#include "codegen/asset_fault.h"
#include "codegen/compile.h"
#include "report/findings.h"

namespace espalier::cli {
namespace {

// Errors, and warnings unless quiet: notes are for lint.
void report(const text::Findings& findings, const text::Sources& sources, const CommonOptions& options) {
  text::Findings shown;
  for (const text::Finding& finding : findings.all()) {
    const bool is_shown =
        finding.severity == text::Severity::error || (finding.severity == text::Severity::warning && !options.quiet);
    if (is_shown) shown.add(finding);
  }
  report::write_findings(shown, sources, use_color(options, kErrorDescriptor), std::cerr);
}

}  // namespace

bool open_asset(const std::string& path, std::string_view bytes, AssetFile& file) {
  file.words.assign((bytes.size() + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t) + 1, 0);
  file.size_bytes = bytes.size();
  if (!bytes.empty()) std::memcpy(file.words.data(), bytes.data(), bytes.size());
  Fault fault;
  if (open(file.words.data(), file.size_bytes, &file.asset, &fault) == Status::ok) return true;
  std::cerr << codegen::fault_text(path == "-" ? "<stdin>" : path, codegen::describe_fault(bytes, fault));
  return false;
}

bool is_asset_path(const std::string& path) {
  if (path.ends_with(".espb")) return true;
  std::FILE* file = path == "-" ? stdin : std::fopen(path.c_str(), "rb");
  if (file == nullptr) return false;
  const int first = std::getc(file);
  if (file == stdin) {
    if (first != EOF) std::ungetc(first, stdin);
  } else {
    std::fclose(file);
  }
  return first == 'E';
}

int load_asset(const CommonOptions& options, AssetFile& file) {
  if (options.paths.size() == 1 && is_asset_path(options.paths.front())) {
    std::string bytes;
    std::string error;
    if (!read_file(options.paths.front(), &bytes, &error)) {
      std::cerr << "espalier: " << error << '\n';
      return kFailed;
    }
    return open_asset(options.paths.front(), bytes, file) ? kOk : kFailed;
  }
  project::Project project;
  const int status = load_for_compiling(options, project);
  return status == kOk ? compile_trees(project.ir, project.sources, false, options, file) : status;
}

int load_for_compiling(const CommonOptions& options, project::Project& project) {
  for (const std::string& path : options.paths) {
    if (!path.ends_with(".espb")) continue;
    std::cerr << "espalier: " << path << " is a compiled asset and cannot be a part of a project\n";
    return kFailed;
  }
  project::LoadErrors errors;
  if (!project::load(load_options(options), project, errors)) {
    for (const std::string& message : errors.messages) std::cerr << "espalier: " << message << '\n';
    return kFailed;
  }
  report(project.findings, project.sources, options);
  if (project.findings.has_errors()) return kFound;
  if (!project.ir.trees.empty()) return kOk;
  std::cerr << "espalier: there is no tree to compile\n";
  return kFailed;
}

int compile_trees(const ir::Project& trees, const text::Sources& sources, bool strip, const CommonOptions& options,
                  AssetFile& file) {
  text::Findings findings;
  file.words = codegen::compile(trees, sources, {strip}, findings, &file.size_bytes);
  report(findings, sources, options);
  if (file.words.empty()) return kFound;
  Fault fault;
  if (open(file.words.data(), file.size_bytes, &file.asset, &fault) == Status::ok) return kOk;
  std::cerr << "espalier: internal error: the compiled asset does not verify: " << fault.reason << " (byte "
            << fault.offset_bytes << ")\nPlease report this, with the files that show it.\n";
  return kInternal;
}

}  // namespace espalier::cli
