// espalier init: writes a first espalier.json, adds to one, and writes the nodes of C++ sources into a host file. Exit
// status 0; 1 with --check when the host file is not what the sources say; 2 when something cannot be read or written.
#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/cli.h"
#include "cli/command_line.h"
#include "project/initialize.h"
#include "report/line_view.h"
#include "system/filesystem.h"

namespace espalier::cli {
namespace {

struct InitOptions {
  CommonOptions common;
  std::string folder = ".";
  std::vector<std::string> from;
  bool is_check = false;
};

void show_lines(const std::vector<std::string>& lines) {
  for (const std::string& each : lines) std::cerr << "espalier: " << report::visible(each) << '\n';
}

int run_check(const InitOptions& options) {
  std::vector<std::string> errors;
  const std::optional<std::vector<std::string>> outdated =
      project::outdated_nodes(options.folder, options.from, errors);
  show_lines(errors);
  if (!outdated) return kFailed;
  if (!options.common.quiet) {
    for (const std::string& line : *outdated) std::cout << report::visible(line) << '\n';
  }
  return outdated->empty() ? kOk : kFound;
}

// False: it cannot be written, which is told.
bool write_changed(const project::InitialFile& file) {
  std::string reason;
  const bool is_written = file.before ? rewrite_file(file.path, *file.before, file.text, &reason)
                                      : write_file(file.path, file.text, {}, &reason);
  if (!is_written) fail(reason);
  return is_written;
}

void show_written(const project::InitialFile& file, bool has_text) {
  std::cout << "wrote " << report::visible(file.path);
  for (std::size_t i = 0; i < file.found.size(); ++i) {
    std::cout << (i > 0 ? ", " : file.before ? " with " : " for ") << report::visible(file.found[i]);
  }
  std::cout << (has_text ? ":\n" + file.text : "\n");
}

int run_init(const InitOptions& options) {
  std::error_code error;
  if (!system::filesystem::is_directory(options.folder, error)) return fail("'" + options.folder + "' is not a folder");
  if (options.is_check) return run_check(options);
  std::vector<std::string> errors;
  const std::optional<project::InitialFiles> files = project::initialize(options.folder, options.from, errors);
  show_lines(errors);
  if (!files) return kFailed;
  const project::InitialFile& configuration = files->all.back();
  if (!configuration.before && !files->has_trees && options.from.empty()) {
    std::cerr << "espalier: there are no trees in '" << report::visible(options.folder)
              << "' yet: nothing is written\n";
    return kOk;
  }
  bool is_any_changed = false;
  for (const project::InitialFile& file : files->all) {
    if (!file.is_changed()) continue;
    if (!write_changed(file)) return kFailed;
    is_any_changed = true;
    if (!options.common.quiet) show_written(file, &file == &configuration);
  }
  if (options.common.quiet) return kOk;
  show_lines(files->unread);
  if (!is_any_changed) std::cout << "nothing is new: all files are as they were\n";
  if (!configuration.before && files->has_trees)
    std::cerr << "espalier: 'espalier lint " << report::visible(options.folder) << "' checks the trees\n";
  return kOk;
}

}  // namespace

void add_init(CLI::App& program, int& status) {
  auto options = std::make_shared<InitOptions>();
  CLI::App* verb = program.add_subcommand("init", "writes a first espalier.json, or what it lacks");
  takes(verb->add_option("FOLDER", options->folder, "the project's folder, where the files are written"), "FOLDER")
      ->capture_default_str();
  takes(verb->add_option("--from", options->from,
                         "declares the nodes of a robot: those that C++ files or folders of them register with "
                         "BehaviorTree.CPP, in the host file btcpp-nodes.json, and those that its "
                         "writeTreeNodesModelXML() wrote to a file, in espalier.json"),
        "PATH")
      ->allow_extra_args(false);
  verb->add_flag("--check", options->is_check,
                 "writes nothing; exit status 1 if btcpp-nodes.json is not what the C++ sources say");
  verb->footer(
      "Examples:\n"
      "  espalier init\n"
      "  espalier init Scripts/AI\n"
      "  espalier init --from src --from include\n"
      "  espalier init --check");
  add_output_options(*verb, options->common);
  verb->callback([options, &status] { status = run_init(*options); });
}

}  // namespace espalier::cli
