// The tree of a log. See log_tree.h.
#include "cli/log_tree.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string_view>

#include "live/mixed.h"
#include "live/tree_xml.h"
#include "project/files.h"
#include "replay/names.h"
#include "rules/btcpp.h"
#include "rules/logs.h"
#include "rules/rules.h"
#include "text/names.h"

namespace espalier::cli {
namespace {

// Chooses the tree of an asset.
std::optional<live::LogFault> choose(const std::string& name, bool is_asked, live::Origin origin,
                                     CompiledTree& compiled) {
  const Asset& asset = compiled.file.asset;
  std::vector<Tree> trees = name.empty() ? std::vector<Tree>() : replay::trees_called(asset, name);
  if (trees.empty() && !is_asked && tree_count(asset) == 1) trees.push_back(espalier::tree(asset, 0));
  std::erase_if(trees, [](const Tree& tree) { return replay::engine_of_tree(tree) != EngineId::poll; });
  if (trees.size() != 1) {
    std::string message = name.empty() ? (origin == live::Origin::program ? "nothing says which tree the program runs"
                                                                          : "nothing says which tree the log is of")
                                       : "there is no tree " + text::quote(name);
    if (trees.size() > 1) message = "several trees have the name " + text::quote(name);
    return live::LogFault{rules::LOG_no_tree, message,
                          "'--tree' says which: one of " + replay::listed(replay::tree_names(asset))};
  }
  compiled.tree.emplace(trees.front());
  return std::nullopt;
}

// What findings in the XML of a log name.
std::string path_of_xml(const LogOrigin& origin) { return origin.name == "-" ? "log.xml" : origin.name; }

// Programs do not publish '_autoremap'. A subtree had it if it reads what only the tree above writes: without it the
// program would have ended. Then that tree may have to be connected with the one above it, too.
void connect_subtrees(const CommonOptions& common, const std::string& path, project::Files& files, std::string xml) {
  constexpr int kMostNested = 32;
  constexpr std::string_view kSubtree = "SubTree";
  constexpr const char* kAutoremap = " _autoremap=\"true\"";
  for (int nested = 0; nested < kMostNested && xml.find(kSubtree) != std::string::npos; ++nested) {
    project::Project looked_at;
    if (!load_project(common, lint::Shown::words, looked_at, false)) break;
    std::set<std::uint32_t> places;
    for (const text::Finding& finding : looked_at.findings.all()) {
      if (finding.rule != rules::BTC_subtree_not_connected) continue;
      const text::Source& source = looked_at.snapshot.sources[finding.span.file];
      const std::string_view rest = std::string_view(source.text()).substr(finding.span.begin);
      const std::string connected = std::string(kSubtree) + kAutoremap;
      if (source.text() == xml && rest.starts_with(kSubtree) && !rest.starts_with(connected))
        places.insert(finding.span.begin + static_cast<std::uint32_t>(kSubtree.size()));
    }
    if (places.empty()) break;
    for (auto place = places.rbegin(); place != places.rend(); ++place) xml.insert(*place, kAutoremap);
    files.set_text(path, xml);
  }
}

int compile_log_tree(const LogOrigin& origin, const live::Log& log, CompiledTree& compiled) {
  project::Files files;
  CommonOptions common = origin.common;
  const std::string path = path_of_xml(origin);
  files.set_text(path, live::as_project_xml(log.tree_xml));
  common.paths = {path};
  common.is_isolated = true;
  common.quiet = true;
  common.files = &files;
  // The project around need not be the robot's: if the XML has errors with what it declares, it stands for itself.
  project::Project around;
  const bool has_errors = common.configuration.empty() &&
                          (!load_project(common, lint::Shown::nothing, around, false) || around.findings.has_errors());
  if (has_errors) {
    common.configuration = path + ".json";
    files.set_text(common.configuration, "{}");
  }
  connect_subtrees(common, path, files, live::as_project_xml(log.tree_xml));
  return load_asset(common, origin.errors, compiled.file, compiled.project);
}

// Lets the program's own models declare nodes, with the types of their ports, that the files do not declare. There may
// be others: the files may have more trees than the program, or be of another version. If the files have errors then,
// they are read without the models.
void declare_nodes_of_program(const std::string& path, const std::string& models, project::Files& files,
                              CommonOptions& common) {
  if (common.paths.size() == 1 && is_asset_path(common.paths.front())) return;
  CommonOptions declared = common;
  declared.host_files = {path + ".models.xml", path + ".models.json"};
  files.set_text(declared.host_files.front(), models);
  files.set_text(declared.host_files.back(), R"({"btcpp": {"open": true}})");
  declared.files = &files;
  project::Project project;
  if (load_project(declared, lint::Shown::nothing, project, false) && !project.findings.has_errors())
    common = std::move(declared);
}

enum class Models : std::uint8_t { declare, hint };

// `log_xml`: with models of nodes that the files may leave undeclared; empty: there is none.
int compile_given_trees(const LogOrigin& origin, const std::string& log_xml, Models models, CompiledTree& compiled) {
  CommonOptions common = origin.common;
  if (!origin.tree_file.empty()) common.paths = {origin.tree_file};
  common.quiet = true;
  project::Files files;
  const std::string path = path_of_xml(origin);
  if (!log_xml.empty() && models == Models::declare) {
    declare_nodes_of_program(path, live::models_of(log_xml), files, common);
  } else if (!log_xml.empty()) {
    files.set_text(path, live::models_of(log_xml));
    common.paths.push_back(path);
    common.files = &files;
  }
  return load_asset(common, origin.errors, compiled.file, compiled.project);
}

// Of a bag, which has no tree, the file that is given alone says which is the main one; empty: it does not.
std::string main_tree_of_file(const LogOrigin& origin) {
  std::string path = origin.tree_file;
  if (path.empty() && origin.common.paths.size() == 1) path = origin.common.paths.front();
  std::string xml;
  std::string error;
  if (!path.ends_with(".xml") || !project::read_bytes(path, live::kMaxTreeBytes, xml, error)) return {};
  return live::main_tree_of(xml);
}

// Where the log's own tree has other nodes than the given one; nothing: they have the same.
std::optional<live::LogFault> other_nodes_of(const LogOrigin& origin, const CompiledTree& compiled) {
  const bool has_both = compiled.of_log != nullptr && compiled.of_log->tree && compiled.tree;
  return has_both ? live::other_tree(*compiled.of_log->tree, *compiled.tree, origin.kind) : std::nullopt;
}

// Does a node of the program have another kind in the new version, as it may if nothing declares it?
bool has_other_kinds(const live::LoggedTree& tree, const live::LoggedTree& now) {
  for (const live::LoggedNode& node : now.nodes()) {
    const auto is_other = [&](const live::LoggedNode& old) {
      return old.asks && node.asks && old.name == node.name &&
             opcode_of(tree.view().nodes + old.word) != opcode_of(now.view().nodes + node.word);
    };
    if (std::any_of(tree.nodes().begin(), tree.nodes().end(), is_other)) return true;
  }
  return false;
}

}  // namespace

int compile_tree_of(const LogOrigin& origin, live::Log& log, CompiledTree& compiled,
                    std::vector<live::LogFault>& faults) {
  const bool is_given = !origin.common.paths.empty() || !origin.tree_file.empty();
  const std::string main = log.tree_xml.empty() ? main_tree_of_file(origin) : live::main_tree_of(log.tree_xml);
  if (!is_given && log.tree_xml.empty()) {
    faults.push_back({rules::LOG_no_tree, "the log does not have the tree that the robot ran",
                      "give its files, or its XML with '--tree-file'"});
    return kOk;
  }
  compiled.is_given = is_given;
  compiled.of_log = is_given && !log.tree_xml.empty() ? std::make_unique<CompiledTree>() : nullptr;
  if (!log.tree_xml.empty()) {
    CompiledTree& target = is_given ? *compiled.of_log : compiled;
    if (const int status = compile_log_tree(origin, log, target); status != kOk) return status;
    if (auto fault = choose(main, false, origin.kind, target)) faults.push_back(*fault);
  }
  if (is_given) {
    const bool is_asked = !origin.tree.empty();
    const auto compile_with = [&](Models models) {
      compiled.tree.reset();
      if (const int status = compile_given_trees(origin, log.tree_xml, models, compiled); status != kOk) return status;
      if (auto fault = choose(is_asked ? origin.tree : main, is_asked, origin.kind, compiled)) faults.push_back(*fault);
      return kOk;
    };
    if (const int status = compile_with(Models::declare); status != kOk) return status;
    // Nodes that the files do not declare may be of another kind in the program.
    if (other_nodes_of(origin, compiled)) {
      if (const int status = compile_with(Models::hint); status != kOk) return status;
    }
  }
  if (!compiled.tree) return kOk;
  if (auto fault = other_nodes_of(origin, compiled)) faults.push_back(*fault);
  if (auto fault = live::leave_out_other_trees(*compiled.tree, log)) faults.push_back(*fault);
  if (auto fault = live::other_nodes(*compiled.tree, log); fault && !has_errors(faults)) faults.push_back(*fault);
  return kOk;
}

int compile_other_version(const LogOrigin& origin, const std::string& path, const live::Log& log,
                          const CompiledTree& compiled, CompiledTree& now) {
  LogOrigin own = origin;
  own.common.paths = {path};
  own.tree_file.clear();
  const std::string name = origin.tree.empty() ? std::string(tree_name(compiled.tree->tree())) : origin.tree;
  const auto compile_with = [&](Models models) {
    now.tree.reset();
    if (const int status = compile_given_trees(own, log.tree_xml, models, now); status != kOk) return status;
    if (auto fault = choose(name, !origin.tree.empty(), origin.kind, now))
      return fail(text::quote(path) + " is no version of it: " + fault->message, fault->hint);
    return kOk;
  };
  if (const int status = compile_with(Models::declare); status != kOk) return status;
  if (log.tree_xml.empty() || !has_other_kinds(*compiled.tree, *now.tree)) return kOk;
  return compile_with(Models::hint);
}

bool has_errors(const std::vector<live::LogFault>& faults) {
  return std::any_of(faults.begin(), faults.end(), [](const live::LogFault& fault) {
    return rules::info(fault.rule).severity == rules::Severity::error;
  });
}

}  // namespace espalier::cli
