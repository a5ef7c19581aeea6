// espalier graph: draws trees; files with errors are drawn as their elements. Exit status 0; 1 when the project has
// errors; 2 when there is nothing to draw.
#include <iostream>
#include <memory>
#include <sstream>

#include "cli/command_line.h"
#include "cli/explore_options.h"
#include "cli/pictures.h"
#include "report/pictures/pictures.h"

namespace espalier::cli {
namespace {

struct GraphOptions {
  CommonOptions common;
  ExploreOptions explore;
  std::string format = "svg";
  std::string output;
};

FindingOptions form_of(const GraphOptions& options) {
  return {.format = options.format, .verb = "graph", .output = options.output};
}

int run_graph(GraphOptions& options) {
  if (options.format == "html" && !report::has_pages()) return fail_without_pages();
  AssetFile file;
  project::Project project;
  const FindingOptions form = form_of(options);
  if (const int status = load_asset(options.common, form, file, project); status != kOk) return status;
  if (const int status = find_tree(options.explore, {&file.asset}); status != kOk) return status;
  std::vector<report::PictureTree> trees = report::outline(file.asset, options.explore.tree);
  report::add_findings(trees, notes_of(project));
  const std::string title = trees.size() == 1 ? trees.front().name : "trees";
  if (options.output.empty()) {
    report::write_picture(trees, sources_of(project), title, report::picture_format(options.format), std::cout);
    return kOk;
  }
  std::ostringstream text;
  report::write_picture(trees, sources_of(project), title, report::picture_format(options.format), text);
  return write_picture_file(options.output, text.str(), inputs_of(options.common, project));
}

}  // namespace

void add_graph(CLI::App& program, int& status) {
  auto options = std::make_shared<GraphOptions>();
  CLI::App* verb = program.add_subcommand("graph", "draws trees, with their conditions and findings");
  add_common(*verb, options->common);
  takes(verb->add_option("--tree", options->explore.tree, "only the tree of this name"), "NAME");
  takes_one_of(
      verb->add_option("--format", options->format, "a picture, a page for a browser, or text for Graphviz or Mermaid"),
      "FORMAT", "svg|dot|mermaid|html")
      ->capture_default_str();
  takes(verb->add_option("-o,--output", options->output, "writes this file instead of standard output"), "FILE");
  verb->footer(
      "Examples:\n"
      "  espalier graph trees/ --tree Guard > guard.svg\n"
      "  espalier graph trees/ --format html -o trees.html\n"
      "  espalier graph guards.espb --format dot | dot -Tpng > guards.png");
  verb->callback([options, &status] {
    status = run_reported(form_of(*options), options->common, [&] { return run_graph(*options); });
  });
}

}  // namespace espalier::cli
