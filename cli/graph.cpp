// espalier graph: draws trees, those with errors as they are written. Exit status 0; 1 when the project has errors; 2
// when there is nothing to draw.
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/command_line.h"
#include "cli/explore_options.h"
#include "cli/pictures.h"
#include "ir/store_needs.h"
#include "report/pictures/pictures.h"
#include "system/standard_streams.h"

namespace espalier::cli {
namespace {

struct GraphOptions {
  CommonOptions common;
  ExploreOptions explore;
  std::string format = "svg";
  std::string output;
};

FindingOptions form_of(const GraphOptions& options) {
  return {.format = options.format, .verb = "graph", .output = options.output, .tree = options.explore.tree};
}

int draw_trees(std::vector<report::PictureTree> trees, const project::Project& project, const GraphOptions& options) {
  report::add_findings(trees, notes_of(project.findings, project.snapshot.sources));
  const std::string title = trees.size() == 1 ? trees.front().name : "trees";
  return draw(trees, title, project, options.common, form_of(options));
}

int draw_asset(GraphOptions& options) {
  AssetFile file;
  if (const int status = load_asset(options.common, form_of(options), file); status != kOk) return status;
  if (const int status = find_tree(options.explore, {&file.asset}); status != kOk) return status;
  return draw_trees(report::outline(file.asset, {}, options.explore.tree), {}, options);
}

// Of a project with errors: trees that poll are complete without the others. Those of other dialects may lack parts.
void leave_polled(ir::Project& project) {
  std::vector<std::uint32_t> polled;
  for (std::uint32_t i = 0; i < project.trees.size(); ++i) {
    if (project.trees[i].dialect == layout::Dialect::btcpp) polled.push_back(i);
  }
  if (polled.size() < project.trees.size()) ir::leave_reached(project, ir::store_needs(project), polled);
}

// Would a terminal get bytes that are no text?
bool is_for_terminal(const GraphOptions& options) {
  const bool is_painted = options.format == "png" || options.format.starts_with("pdf");
  return is_painted && options.output.empty() && system::is_terminal(system::Stream::output);
}

int run_graph(GraphOptions& options) {
  if (report::lacks_painter(report::picture_format(options.format)))
    return fail("PNG and PDF need librsvg, which is not there or was not when espalier was built",
                "--format svg writes the same picture");
  if (options.common.paths.size() == 1 && is_asset_path(options.common.paths.front())) return draw_asset(options);
  project::Project project;
  const FindingOptions form = form_of(options);
  if (const int status = load_with_errors(options.common, form, project); status != kOk) return status;
  const bool has_errors = project.findings.has_errors();
  if (has_errors) leave_polled(project.ir);
  std::vector<report::PictureTree> trees;
  if (!project.ir.trees.empty()) {
    AssetFile file;
    const int status = compile_trees(project.ir, project, {}, options.common, form, file);
    if (status != kOk) return status;
    trees = report::outline(file.asset, project.snapshot.sources);
  }
  append(written_trees(project, project.ir.trees), trees);
  if (has_errors) append(other_files(project, project.findings), trees);
  if (trees.empty()) return fail("there are no trees to draw");
  if (const int status = leave_tree(options.explore.tree, trees); status != kOk) return status;
  const int status = draw_trees(std::move(trees), project, options);
  return status == kOk && has_errors ? kFound : status;
}

}  // namespace

void add_graph(CLI::App& program, int& status) {
  auto options = std::make_shared<GraphOptions>();
  CLI::App* verb = program.add_subcommand("graph", "draws trees, with their conditions and findings");
  add_common(*verb, options->common);
  takes(verb->add_option("--tree", options->explore.tree, "only the tree of this name"), "NAME");
  takes_one_of(
      verb->add_option("--format", options->format,
                       "a picture, of pdf-pages on A4 pages; a page for a browser; or text for Graphviz or Mermaid"),
      "FORMAT", "svg|png|pdf|pdf-pages|dot|mermaid|html")
      ->capture_default_str();
  takes(verb->add_option("-o,--output", options->output, "writes this file instead of standard output"), "FILE");
  verb->footer(
      "Examples:\n"
      "  espalier graph trees/ --tree Guard > guard.svg\n"
      "  espalier graph trees/ --format html -o trees.html\n"
      "  espalier graph trees/ --format pdf-pages -o trees.pdf\n"
      "  espalier graph guards.espb --format dot | dot -Tpng > guards.png");
  verb->callback([options, &status] {
    if (is_for_terminal(*options)) {
      status = fail("--format " + options->format + " is not text: a terminal cannot show it",
                    "-o FILE writes it to a file");
      return;
    }
    status = run_reported(form_of(*options), options->common, [&] { return run_graph(*options); });
  });
}

}  // namespace espalier::cli
