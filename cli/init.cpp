// espalier init: writes a first espalier.json, or nodes into one. Exit status 0; 2 when the file already exists and no
// nodes are given, or cannot be written.
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/cli.h"
#include "cli/command_line.h"
#include "project/configuration.h"
#include "project/first_configuration.h"
#include "project/node_declarations.h"
#include "report/line_view.h"

namespace espalier::cli {
namespace {

struct InitOptions {
  CommonOptions common;
  std::string folder = ".";
  std::string nodes;  // the file of "--from"; empty: none
};

void show_lines(const std::vector<std::string>& errors) {
  for (const std::string& each : errors) std::cerr << "espalier: " << report::visible(each) << '\n';
}

// The text with the nodes of "--from"; nothing: it is told why.
std::optional<std::string> add_nodes(const InitOptions& options, const std::string& path, const std::string& text,
                                     std::vector<std::string>& found) {
  std::vector<std::string> errors;
  const std::optional<project::NodeDeclarations> declared = project::read_node_declarations(options.nodes, errors);
  show_lines(errors);
  if (!declared) return std::nullopt;
  std::string reason;
  std::optional<std::string> result = project::with_node_declarations(text, declared->nodes, reason);
  if (!result) fail("'" + path + "' is not changed: " + reason);
  const std::size_t count = declared->nodes.size();
  found.push_back(std::to_string(count) + (count == 1 ? " node" : " nodes") + " of '" + options.nodes + "'");
  if (declared->has_trees) found.back() += " (its models of trees are left out)";
  return result;
}

int run_init(const InitOptions& options) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (!fs::is_directory(options.folder, error)) return fail("'" + options.folder + "' is not a folder");
  const std::string path = (fs::path(options.folder) / project::kConfigurationName).lexically_normal().string();
  const bool is_there = fs::symlink_status(path, error).type() != fs::file_type::not_found;
  if (is_there && options.nodes.empty()) return fail("'" + path + "' already exists and is not overwritten");
  std::vector<std::string> found;
  std::string text;
  std::string before;
  std::string reason;
  if (is_there) {
    if (!read_file(path, &text, &reason)) return fail(reason);
    before = text;
  } else {
    std::vector<std::string> errors;
    project::FirstConfiguration first = project::first_configuration(options.folder, errors);
    show_lines(errors);
    text = std::move(first.text);
    found = std::move(first.found);
    if (found.empty()) found.emplace_back("a folder without trees");
  }
  if (!options.nodes.empty()) {
    std::optional<std::string> with_nodes = add_nodes(options, path, text, found);
    if (!with_nodes) return kFailed;
    text = *std::move(with_nodes);
  }
  const bool is_written = is_there ? rewrite_file(path, before, text, &reason) : write_file(path, text, {}, &reason);
  if (!is_written) return fail(reason);
  if (options.common.quiet) return kOk;
  std::cout << "wrote " << report::visible(path) << (is_there ? " with " : " for ");
  for (std::size_t i = 0; i < found.size(); ++i) std::cout << (i == 0 ? "" : ", ") << report::visible(found[i]);
  std::cout << ":\n" << text;
  if (!is_there) std::cerr << "espalier: 'espalier lint " << report::visible(options.folder) << "' checks the trees\n";
  return kOk;
}

}  // namespace

void add_init(CLI::App& program, int& status) {
  auto options = std::make_shared<InitOptions>();
  CLI::App* verb = program.add_subcommand("init", "writes a first espalier.json");
  takes(verb->add_option("FOLDER", options->folder, "the project's folder, where the file is written"), "FOLDER")
      ->capture_default_str();
  takes(verb->add_option("--from", options->nodes,
                         "adds the nodes that BehaviorTree.CPP's writeTreeNodesModelXML() wrote to this file to "
                         "'btcpp.nodes', even if espalier.json exists already"),
        "FILE");
  verb->footer(
      "Examples:\n"
      "  espalier init\n"
      "  espalier init Scripts/AI\n"
      "  espalier init --from nodes.xml");
  add_output_options(*verb, options->common);
  verb->callback([options, &status] { status = run_init(*options); });
}

}  // namespace espalier::cli
