// espalier init: writes a first espalier.json. Exit status 0; 2 when the file already exists or cannot be written.
#include <filesystem>
#include <iostream>
#include <memory>

#include "cli/cli.h"
#include "cli/command_line.h"
#include "project/configuration.h"
#include "project/first_configuration.h"
#include "report/line_view.h"

namespace espalier::cli {
namespace {

int run_init(const std::string& folder, bool is_quiet) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (!fs::is_directory(folder, error)) return fail("'" + folder + "' is not a folder");
  const std::string path = (fs::path(folder) / project::kConfigurationName).lexically_normal().string();
  if (fs::symlink_status(path, error).type() != fs::file_type::not_found) {
    return fail("'" + path + "' already exists and is not overwritten");
  }
  std::vector<std::string> errors;
  const project::FirstConfiguration first = project::first_configuration(folder, errors);
  for (const std::string& each : errors) std::cerr << "espalier: " << report::visible(each) << '\n';
  std::string reason;
  if (!write_file(path, first.text, &reason)) return fail(reason);
  if (is_quiet) return kOk;
  std::cout << "wrote " << report::visible(path) << " for ";
  for (std::size_t i = 0; i < first.found.size(); ++i) std::cout << (i == 0 ? "" : ", ") << first.found[i];
  if (first.found.empty()) std::cout << "a folder without trees";
  std::cout << ":\n" << first.text;
  return kOk;
}

}  // namespace

void add_init(CLI::App& program, int& status) {
  auto folder = std::make_shared<std::string>(".");
  CLI::App* verb = program.add_subcommand("init", "writes a first espalier.json");
  takes(verb->add_option("FOLDER", *folder, "the project's folder, where the file is written"), "FOLDER")
      ->capture_default_str();
  verb->footer(
      "Examples:\n"
      "  espalier init\n"
      "  espalier init Scripts/AI");
  auto options = std::make_shared<CommonOptions>();
  add_output_options(*verb, *options);
  verb->callback([folder, options, &status] { status = run_init(*folder, options->quiet); });
}

}  // namespace espalier::cli
