// espalier compile: compiles a project to one asset (-o FILE) or one per tree (-o DIR/). Exit status 0; 1 when the
// project has errors, and then nothing is written; 2 when something cannot be read or written.
#include <iostream>
#include <map>
#include <memory>

#include "cli/asset_file.h"
#include "cli/command_line.h"
#include "cli/depfile.h"
#include "codegen/compile.h"
#include "codegen/sizes.h"
#include "compiled/asset_names.h"
#include "compiled/one_tree.h"
#include "ir/store_needs.h"
#include "project/collect.h"
#include "replay/names.h"
#include "system/filesystem.h"
#include "system/output_files.h"
#include "text/names.h"
#include "text/visible.h"

namespace espalier::cli {
namespace {

struct CompileOptions {
  CommonOptions common;
  FindingOptions findings;
  std::string output;
  std::string depfile;
  std::string header;
  bool strip = false;
  bool with_xml = false;
};

// One asset to be written.
struct Product {
  ir::Project trees;
  std::string path;
  std::string header_path;  // empty: none
  std::string header;
  AssetFile asset;
};

bool is_folder(const std::string& path) {
  std::error_code ignored;
  return path.ends_with('/') || system::filesystem::is_directory(path, ignored);
}

std::string in_folder(const std::string& folder, const std::string& name) {
  return folder.ends_with('/') ? folder + name : folder + '/' + name;
}

// Moves a tree into its product; a tree with slots is copied with all trees that may run there.
ir::Project part_of(ir::Project& project, const ir::StoreNeeds& needs, std::uint32_t tree) {
  const bool stores = project.trees[tree].engine() == EngineId::store;
  if (stores) return ir::with_reached(project, needs, {&tree, 1});
  ir::Project part = ir::without_trees(project);
  part.trees.push_back(std::move(project.trees[tree]));
  ir::tell_apart(part);
  return part;
}

// Plans the products. The trees move into them.
int plan(const CompileOptions& options, ir::Project& project, std::vector<Product>& products) {
  if (!is_folder(options.output)) {
    products.push_back({std::move(project), options.output, options.header, {}, {}});
    return kOk;
  }
  const ir::StoreNeeds needs = ir::store_needs(project);
  std::map<std::string, std::string> names_by_stem;  // without case, as many file systems compare
  const std::vector<std::string> stems = compiled::file_stems(project);
  for (std::uint32_t i = 0; i < project.trees.size(); ++i) {
    const ir::Tree& tree = project.trees[i];
    const std::string& stem = stems[i];
    const auto [other, is_new] = names_by_stem.emplace(text::lower_case(stem), tree.name);
    if (!is_new) {
      return fail("trees " + text::quote(other->second) + " and " + text::quote(tree.name) +
                      " would both be written to " + in_folder(options.output, stem + ".espb"),
                  "rename one of them, or write one asset with -o FILE");
    }
    Product product;
    product.path = in_folder(options.output, stem + ".espb");
    if (!options.header.empty()) product.header_path = in_folder(options.header, stem + ".h");
    product.trees = part_of(project, needs, i);
    products.push_back(std::move(product));
  }
  return kOk;
}

int make(const CompileOptions& options, const project::Project& project, Product& product) {
  const Kept kept{.names = !options.strip, .xml = options.with_xml};
  const int status = compile_trees(product.trees, project, kept, options.common, options.findings, product.asset);
  if (status != kOk || product.header_path.empty()) return status;
  const std::string name =
      system::filesystem::path(product.path == "-" ? product.header_path : product.path).stem().generic_string();
  product.header = codegen::header_of_ids(product.asset.words.data(), product.asset.size_bytes, name);
  return kOk;
}

int write(const CompileOptions& options, const project::Project& project, const std::vector<Product>& products) {
  system::Outputs outputs;
  outputs.inputs = inputs_of(options.common, project);
  const project::Configuration& configuration = project.snapshot.configuration;
  if (!configuration.baseline.empty()) {  // an input of lint
    const system::filesystem::path folder = system::filesystem::path(configuration.path).parent_path();
    outputs.inputs.push_back(project::shown_path((folder / configuration.baseline).generic_string()));
  }
  std::vector<std::string> targets;
  for (const Product& product : products) {
    const char* bytes = reinterpret_cast<const char*>(product.asset.words.data());
    outputs.files.push_back({product.path, {bytes, product.asset.size_bytes}});
    targets.push_back(product.path);
    if (!product.header_path.empty()) outputs.files.push_back({product.header_path, product.header});
  }
  // The named folders; the files in them are named after trees.
  for (const std::string& folder : {options.output, options.header}) {
    if (!folder.empty() && is_folder(folder)) outputs.folders.push_back(folder);
  }
  std::string rule;
  if (!options.depfile.empty()) {
    std::string unnamed;
    if (!depfile(targets, project.snapshot.read_paths, &rule, &unnamed)) {
      return fail("a make rule cannot contain the name '" + unnamed + "'", "rename it, or omit --depfile");
    }
    outputs.files.push_back({options.depfile, rule});
  }
  system::OutputFault fault;
  return system::write_files(outputs, &fault) ? kOk : fail(fault.message, fault.hint);
}

int check_options(const CompileOptions& options) {
  if (options.output.empty()) {
    return fail("compile needs an output",
                "use -o FILE.espb for one asset, -o DIR/ for one per tree, -o - for standard output");
  }
  if (options.output == "-" && !options.depfile.empty()) {
    return fail("--depfile needs a named output file", "use -o FILE.espb instead of -o -");
  }
  if (options.output == "-" && !is_for_people(options.findings)) {
    return fail("the asset and the findings would both be written to standard output",
                "use -o FILE.espb instead of -o -");
  }
  if (!options.header.empty() && is_folder(options.output) != is_folder(options.header)) {
    return fail("--header and -o must both be files or both be folders",
                "use --header FILE with -o FILE, --header DIR/ with -o DIR/");
  }
  return kOk;
}

// Leaves the tree of --tree.
int leave_wanted(const CompileOptions& options, ir::Project& project) {
  if (options.findings.tree.empty()) return kOk;
  const std::size_t count = compiled::leave_tree(options.findings.tree, project);
  if (count == 1) {
    ir::tell_apart(project);
    return kOk;
  }
  std::vector<std::string_view> names;
  for (const ir::Tree& tree : project.trees) names.push_back(tree.name);
  const std::string name = text::quote(options.findings.tree);
  if (count > 1) return fail("several trees are called " + name, "expected one of " + replay::listed(names));
  const std::string hint = text::did_you_mean(options.findings.tree, names);
  return fail("unknown tree " + name, hint.empty() ? "expected one of " + replay::listed(names) : hint);
}

int run_compile(const CompileOptions& options) {
  if (const int status = check_options(options); status != kOk) return status;
  project::Project project;
  if (const int status = load_for_compiling(options.common, options.findings, project); status != kOk) return status;
  if (const int status = leave_wanted(options, project.ir); status != kOk) return status;
  std::vector<Product> products;
  if (const int status = plan(options, project.ir, products); status != kOk) return status;
  for (Product& product : products) {
    if (const int status = make(options, project, product); status != kOk) return status;
  }
  if (const int status = write(options, project, products); status != kOk) return status;
  if (!is_for_people(options.findings)) {
    report_errors(project.findings, project.snapshot.sources, project.snapshot.file_count, options.common,
                  options.findings);
  }
  if (!options.common.verbose) return kOk;
  for (const Product& product : products)
    std::cerr << text::visible(product.path) << ":\n" << codegen::sizes_text(product.asset.asset);
  return kOk;
}

}  // namespace

void add_compile(CLI::App& program, int& status) {
  auto options = std::make_shared<CompileOptions>();
  CLI::App* verb = program.add_subcommand("compile", "compiles trees to assets for the runtime");
  add_common(*verb, options->common);
  add_findings_options(*verb, options->findings);
  takes(verb->add_option("-o,--output", options->output,
                         "FILE for one asset, DIR/ for one per tree, - for standard output"),
        "PATH");
  takes(
      verb->add_option("--tree", options->findings.tree, "only the tree of this name: errors of others do not matter"),
      "NAME");
  verb->add_flag("--strip", options->strip, "omits node names and source locations");
  verb->add_flag("--with-xml", options->with_xml,
                 "keeps the trees as XML, for programs that let 'espalier attach' watch them");
  takes(verb->add_option("--depfile", options->depfile, "writes the input files as a rule for make or ninja"), "FILE");
  takes(verb->add_option("--header", options->header,
                         "writes a C and C++ header with the ids of behaviours, variables, signals and timestamps"),
        "PATH");
  verb->footer(
      "Examples:\n"
      "  espalier compile trees/ -o guards.espb\n"
      "  espalier compile trees/ -o build/ --strip\n"
      "  espalier compile trees/ -o guards.espb --header guards.h --depfile guards.d");
  verb->callback([options, &status] {
    status = run_reported(options->findings, options->common, [&] { return run_compile(*options); });
  });
}

}  // namespace espalier::cli
