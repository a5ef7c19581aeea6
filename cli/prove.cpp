// espalier prove: proves or refutes properties for all runs of trees with the shortest trace. Exit status 0 when
// all hold; 1 when one fails or is undecided (but for --allow-undecided), or the project has errors; 2 when the project
// cannot be read, or a property has an error; that of a signal that interrupts it.
#include <algorithm>
#include <iostream>
#include <map>
#include <memory>
#include <span>

#include "cli/command_line.h"
#include "cli/explore_options.h"
#include "cli/interruption.h"
#include "cli/progress_line.h"
#include "cli/shard.h"
#include "explore/explore.h"
#include "explore/property/proposing.h"
#include "explore/property/ready_made.h"
#include "project/other_kinds.h"
#include "project/property_files.h"
#include "replay/names.h"
#include "report/explored.h"
#include "rules/configuration.h"
#include "system/filesystem.h"
#include "text/decode.h"
#include "text/names.h"
#include "text/visible.h"

namespace espalier::cli {
namespace {

struct ProveOptions {
  CommonOptions common;
  ExploreOptions explore;
  std::vector<std::string> properties;
  bool all = false;
  std::string proposed;
  std::string output;
  std::string format = "human";
  bool allow_undecided = false;
  std::string shard;
};

report::ProofFormat proof_format(const std::string& name) {
  if (name == "json") return report::ProofFormat::json;
  return name == "junit" ? report::ProofFormat::junit : report::ProofFormat::human;
}

// Words that end in .properties.json are files of properties too.
void take_property_files(ProveOptions& options) {
  std::vector<std::string>& paths = options.common.paths;
  const auto first = std::stable_partition(
      paths.begin(), paths.end(), [](const std::string& path) { return !path.ends_with(project::kPropertiesSuffix); });
  options.properties.insert(options.properties.end(), first, paths.end());
  paths.erase(first, paths.end());
}

int read_property_file(const std::string& path, ExploredTrees& trees, text::Findings& findings,
                       std::vector<explore::Property>& properties) {
  std::string bytes;
  std::string error;
  if (!read_file(path, &bytes, &error)) return fail(error);
  const std::string what = bytes.starts_with('{') ? std::string() : project::recording_of(path, bytes);
  if (!what.empty()) {
    return fail(text::quote(path) + " is " + what + ", not a file of properties", std::string(project::kNoReader),
                path);
  }
  text::Decoded decoded = text::decode(bytes);
  const text::FileId file = trees.sources.add(path == "-" ? "<stdin>" : path, std::move(decoded.text));
  trees.inputs.push_back(path);
  if (decoded.fault == text::DecodeFault::none) {
    explore::read_property_file(file, trees.sources, findings, properties);
    return kOk;
  }
  const text::Span span{file, static_cast<std::uint32_t>(decoded.error_begin),
                        static_cast<std::uint32_t>(decoded.error_end)};
  findings.add(rules::CFG_malformed_json, span, std::move(decoded.error), std::move(decoded.hint));
  return kOk;
}

// Properties that are found with the trees may be about trees that are not given. A name that is like that of a given
// tree is misspelt.
void leave_out_others(const Asset& asset, std::vector<explore::Property>& properties) {
  std::erase_if(properties, [&](const explore::Property& property) {
    return property.tree && replay::trees_called(asset, *property.tree).empty() &&
           text::did_you_mean(*property.tree, replay::tree_names(asset)).empty();
  });
}

// Those of the options; if there are none, those of espalier.json and of the files that belong to the trees.
int read_properties(const ProveOptions& options, ExploredTrees& trees, std::vector<explore::Property>& properties) {
  text::Findings findings;
  std::vector<std::string> files = options.properties;
  if (files.empty()) {
    std::vector<std::string> errors;
    files = project::find_property_files(load_options(options.common), trees.configuration, errors);
    if (!errors.empty()) return fail(errors.front());
    if (trees.configuration.properties) {
      explore::read_properties(*trees.configuration.properties, trees.sources, findings, properties);
    }
  }
  for (const std::string& file : files) {
    if (const int status = read_property_file(file, trees, findings, properties); status != kOk) return status;
  }
  if (options.properties.empty() && trees.is_part) leave_out_others(trees.file.asset, properties);
  for (const explore::Property& property : properties) {
    explore::check_names(property, trees.file.asset, findings);
  }
  if (findings.has_errors()) {
    findings.sort(trees.sources);
    report_errors(findings, trees.sources, static_cast<std::uint32_t>(files.size()), options.common, trees.report);
    return kFailed;
  }
  if (!properties.empty() || options.all) return kOk;
  return fail(
      "no properties to prove",
      "write a file *.properties.json beside the trees, name one with --properties, or prove the ready-made ones "
      "with --all");
}

// Leaves the properties of one tree.
void choose_tree(const std::string& tree, const Asset& asset, std::vector<explore::Property>& properties) {
  std::erase_if(properties, [&](explore::Property& property) {
    const std::vector<Tree> trees = explore::trees_of(property, asset);
    const auto is_it = [&](const Tree& other) { return tree_name(other) == tree; };
    property.tree = tree;
    return std::none_of(trees.begin(), trees.end(), is_it);
  });
}

// Writes the trace of a proof, if it has one, and sets the path of its file. Returns an exit status.
int write_proof_trace(const ExploredTrees& trees, const explore::Proof& proof, TraceFolder& traces, std::string& file) {
  if (!proof.trace) return kOk;
  file = traces.add(replay::plain_tree_name(proof.tree) + '-' + proof.property, explore::text_of(proof));
  return traces.write(trees.inputs);
}

std::string ready_made_names() {
  std::string names;
  for (const explore::ReadyMadeRow& row : explore::ready_made_rows())
    names.append(names.empty() ? "" : ", ").append(row.name);
  return names;
}

// Writes a file of properties that hold, unless there is one.
int write_proposed(const ProveOptions& options, const ExploredTrees& trees) {
  if (std::error_code error; system::filesystem::exists(options.proposed, error))
    return fail(text::quote(options.proposed) + " exists already", "name a new file");
  const std::vector<explore::Proposed> proposed =
      explore::propose(trees.file.asset, {options.explore.tree}, trees.options);
  if (proposed.empty()) return fail("no property was found that holds and says something");
  std::string error;
  if (!write_file(options.proposed, explore::property_file_of(proposed), trees.inputs, &error)) return fail(error);
  if (!options.common.quiet)
    std::cerr << proposed.size() << (proposed.size() == 1 ? " property" : " properties") << " in " << options.proposed
              << '\n';
  return kOk;
}

FindingOptions form_of(const ProveOptions& options) { return {.format = options.format, .verb = "prove"}; }

constexpr std::size_t kMostListed = 50;  // of more properties, those that hold are only counted

int run_prove(ProveOptions& options) {
  take_property_files(options);
  Budgets budgets;
  Shard shard;
  if (!read_budgets(options.explore, options.common, &budgets) || !read_shard(options.shard, &shard)) return kFailed;
  ExploredTrees trees;
  trees.report = form_of(options);
  trees.report.tree = options.explore.tree;
  if (const int status = load_trees(options.common, budgets, trees); status != kOk) return status;
  if (const int status = find_tree(options.explore, {&trees.file.asset}); status != kOk) return status;
  if (!options.proposed.empty()) return write_proposed(options, trees);
  std::vector<explore::Property> properties;
  if (const int status = read_properties(options, trees, properties); status != kOk) return status;
  if (!options.explore.tree.empty()) choose_tree(options.explore.tree, trees.file.asset, properties);
  if (properties.empty() && !options.all) return fail("no properties of tree " + text::quote(options.explore.tree));

  const explore::ChosenTrees chosen{options.explore.tree};
  const auto [begin, end] = shard.part_of(properties.size());
  report::ProofForm form;
  form.format = proof_format(options.format);
  form.color = use_color(options.common, system::Stream::output);
  form.allows_undecided = options.allow_undecided;
  const bool is_human = form.format == report::ProofFormat::human;
  const Interruption interruption;
  trees.options.budget.interruption = interruption.flag();
  TraceFolder traces(options.output);
  std::map<std::size_t, std::string> file_of;  // by number of the proof
  int status = kOk;
  std::vector<explore::Proof> proofs;
  {
    ProgressLine line(options.common);
    line.begin("proving properties", 0);
    // People see each answer when it is there.
    proofs = explore::prove(
        trees.file.asset, std::span(properties).subspan(begin, end - begin), trees.options,
        [&](const explore::Proof& proof, const explore::ProofPlace& place) {
          form.tells_passed = !options.common.quiet && (options.common.verbose || place.count <= kMostListed);
          std::string& file = file_of[place.number];
          if (!options.output.empty() && status == kOk) status = write_proof_trace(trees, proof, traces, file);
          line.finish_one([&] {
            if (!is_human || status != kOk) return;
            form.files = std::span(&file, 1);
            report::write_proofs({&proof, 1}, form, std::cout);
            std::cout << std::flush;
          });
        },
        options.all && shard.index == shard.count ? &chosen : nullptr);
  }
  if (status != kOk) return status;
  std::vector<std::string> files;
  for (auto& [number, file] : file_of) files.push_back(std::move(file));
  form.files = files;
  form.is_interrupted = interruption.has_come();
  if (!is_human) report::write_proofs(proofs, form, std::cout);
  std::cout << std::flush;
  if (!options.common.quiet) {
    std::cerr << report::proof_summary(proofs) << (is_human && !form.tells_passed ? " (-v lists all)" : "") << '\n';
  }
  if (interruption.has_come()) {
    const auto is_done = [](const explore::Proof& proof) { return proof.hint != explore::kInterrupted; };
    tell_interruption(static_cast<std::size_t>(std::count_if(proofs.begin(), proofs.end(), is_done)), proofs.size(),
                      "answer");
    return interruption.status(kOk);
  }
  const auto is_refused = [&](const explore::Proof& proof) {
    if (proof.result == explore::Truth::undecided) return !options.allow_undecided;
    return proof.result == explore::Truth::fails;
  };
  return std::any_of(proofs.begin(), proofs.end(), is_refused) ? kFound : kOk;
}

}  // namespace

void add_prove(CLI::App& program, int& status) {
  auto options = std::make_shared<ProveOptions>();
  CLI::App* verb = program.add_subcommand("prove", "proves or refutes properties for all runs of trees");
  add_explore_options(*verb, options->common, options->explore);
  takes(
      verb->add_option("--properties", options->properties,
                       "a file of properties, in place of those beside the trees and in espalier.json; other arguments "
                       "that end in .properties.json are such files too"),
      "FILE")
      ->allow_extra_args(false);
  verb->add_flag("--all", options->all, "also proves the ready-made properties: " + ready_made_names());
  takes(verb->add_option("--propose", options->proposed,
                         "writes properties that hold to this new file, and proves nothing else"),
        "FILE")
      ->excludes("--all");
  takes(verb->add_option("-o,--output", options->output,
                         "writes the traces that refute properties, or that reach what is reachable"),
        "FOLDER");
  takes_one_of(verb->add_option("--format", options->format,
                                "a list as a test runner prints it, or a report for other programs"),
               "FORMAT", "human|json|junit")
      ->capture_default_str();
  verb->add_flag("--allow-undecided", options->allow_undecided,
                 "does not count properties that the budget leaves undecided as failures");
  add_shard_option(*verb, "properties", options->shard);
  verb->footer(
      "Examples:\n"
      "  espalier prove trees/\n"
      "  espalier prove trees/ --all\n"
      "  espalier prove guards.espb --properties guard.properties.json -o refuted/\n"
      "  espalier prove trees/ --budget 30s --allow-undecided --format junit > proofs.xml");
  verb->callback([options, &status] {
    status = run_reported(form_of(*options), options->common, [&] { return run_prove(*options); });
  });
}

}  // namespace espalier::cli
