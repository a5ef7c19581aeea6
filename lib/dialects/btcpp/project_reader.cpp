// All files of a project. See project_reader.h.
#include "dialects/btcpp/project_reader.h"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dialects/btcpp/elements.h"
#include "dialects/btcpp/file_checks.h"
#include "dialects/btcpp/file_summary.h"
#include "dialects/btcpp/format_3.h"
#include "dialects/btcpp/host_rows.h"
#include "dialects/btcpp/include_checks.h"
#include "dialects/btcpp/known_nodes.h"
#include "dialects/btcpp/models.h"
#include "dialects/btcpp/node_uses.h"
#include "dialects/btcpp/options.h"
#include "dialects/btcpp/packages.h"
#include "dialects/btcpp/program_checks.h"
#include "dialects/btcpp/tree_graph.h"
#include "dialects/btcpp/tree_reader.h"
#include "dialects/btcpp/used_nodes.h"
#include "dialects/btcpp/versions.h"
#include "dialects/reading/checks.h"
#include "rules/btcpp.h"
#include "rules/xml.h"
#include "system/filesystem.h"
#include "text/names.h"

namespace espalier::dialects::btcpp {
namespace {

namespace fs = system::filesystem;

class ProjectReader {
 public:
  ProjectReader(std::span<const File> files, const Options& options, text::Findings& findings)
      : files_(files),
        options_(options),
        own_(options.of<BtcppOptions>()),
        reporter_(findings, table(), options.lowered),
        nav2_(own_.nav2 == nullptr ? kNoNodes : own_.nav2().nodes),
        summaries_(summaries_of(files, &nav2_)),
        packages_(files, options.other_files),
        versions_(summaries_, packages_, own_),
        graph_(files, summaries_, options.other_files, reporter_.is_lowered(rules::BTC_misspelt_element)),
        nodes_(summaries_, packages_, graph_, own_, nav2_, project_) {}

  void read() {
    context_.framework = &nav2_;
    context_.framework_names = text::NameIndex(nav2_.names());
    context_.has_other_nodes = own_.has_other_nodes;
    context_.find_node = [this](std::string_view name) { return find_node(name); };
    context_.is_written_once = [this](std::string_view name) {
      return uses().of(packages_.of(file_), name).count == 1;
    };
    context_.tree_named = [this](std::string_view name) { return tree_named(name); };
    context_.tree_of = [this](std::string_view name, const Attribute& path) { return tree_of(name, path); };
    context_.model_of = [this](std::string_view name, const WrittenTree* tree) -> const SubtreeModel* {
      if (versions_.is_migrated(file_)) return nullptr;  // version 3 reads none
      return nodes_.find_tree(file_, tree == nullptr ? std::nullopt : std::optional(file_of(*tree)), name);
    };
    may_lack_files_ = options_.may_lack_files();
    static_cast<ProgramFacts&>(project_) = own_;
    if (own_.nav2 != nullptr) project_.nav2_entries = own_.nav2().entries;
    project_.has_text_literals = versions_.has_text_literals();
    project_.takes_equal_paths = versions_.takes_equal_paths();
    note_fork();
    project_.main = graph_.main();
    for (const auto& [name, trees] : graph_.names())
      project_.named.insert(project_.named.end(), trees.begin(), trees.end());
    check_all_models();
    for (const auto& summary : summaries_) {
      for (const TreeSummary& tree : summary->trees) {
        if (tree.name != kNameOfTreeWithoutId) tree_names_.insert(tree.name);
      }
    }
    project_.trees.reserve(graph_.trees().size());
    for (const TreeGraph::Tree& tree : graph_.trees()) {
      WrittenTree& known = project_.trees.emplace_back();
      known.name = tree.summary->name;
      known.span = tree.summary->span;
      known.is_main = tree.is_main;
      known.file = path_in_project(files_[tree.file]);
    }
    const BrokenIncludes includes = check_includes(files_, options_, summaries_, graph_, versions_, reporter_);
    for (file_ = 0; file_ < files_.size(); ++file_) read_file();
    note_nodes_of_fork();
    report_include_cycles(files_, summaries_, graph_, reporter_);
    check_programs({.files = files_,
                    .options = options_,
                    .summaries = summaries_,
                    .graph = graph_,
                    .reporter = reporter_,
                    .project = project_,
                    .may_lack_files = may_lack_files_,
                    .may_lack_trees = files_that_may_lack_trees(includes.has_one),
                    .is_fork = versions_.is_fork(),
                    .lacking = includes.lacking,
                    .is_misused = [this](std::string_view tree) { return is_misused(tree); }});
    spread_errors();
  }

  WrittenProject take() { return std::move(project_); }

 private:
  // ---- Files

  // Of other files only the summaries are known: nothing in them is reported.
  [[nodiscard]] bool is_read(std::size_t file) const { return files_[file].document != nullptr; }

  void check_all_models() {
    for (std::size_t file = 0; file < files_.size(); ++file) {
      file_ = file;
      if (is_read(file) && !versions_.is_refused(file)) check_models(document().root(), reporter_);
    }
  }

  void read_file() {
    if (versions_.is_refused(file_)) {
      may_lack_files_ = true;
      if (is_read(file_)) report_format_3(rules::BTC_version_3);
      return;
    }
    if (!is_read(file_)) return;
    const std::size_t findings_before = reporter_.findings().all().size();
    const Element root = document().root();
    context_.is_of_format_3 = versions_.is_migrated(file_);
    context_.is_of_fork = versions_.is_fork();
    context_.checks_names = versions_.checks_names(file_);
    context_.refuses_outputs = versions_.refuses_outputs(file_);
    context_.converts_literals = versions_.converts_literals(file_);
    context_.reads_one_quote = versions_.reads_one_quote(file_);
    context_.node_names = &nodes_.names(packages_.of(file_));
    context_.has_model = nodes_.has_model(file_);
    context_.has_all_nodes = nodes_.has_all(file_);
    context_.node_names->allow(text::NameIndex::steps_of_file(files_.size()));
    context_.framework_names.allow(text::NameIndex::steps_of_file(files_.size()));
    check_format(root);
    note_raw_characters(root, reporter_);
    warn_of_stray_text(root, reporter_);
    Element model;
    std::size_t tree = graph_.first_of(file_);
    const bool is_alone = root.child_count() == 1;
    for (Element child = root.first_child(); child; child = child.next_sibling()) {
      const std::string_view part = meant_part(child.name());
      if (part != child.name()) report_unread(child, reporter_);
      if (part == kTreeElement) {
        if (!graph_.is_ignored(*graph_[tree].summary)) add_tree(child, is_alone, tree);
        ++tree;
      } else if (part == kModelElement) {
        if (model) {
          reporter_.report(rules::BTC_second_model, child.span(), "a second 'TreeNodesModel' in one file", {},
                           {model.span(), "the first one"});
        }
        model = child;
      }
    }
    note_other_releases(std::span(project_.trees).subspan(graph_.first_of(file_), tree - graph_.first_of(file_)),
                        project_, reporter_);
    report_undeclared();
    if (&document() != files_[file_].document) drop_fixes_of_migrated(findings_before);
    // What is read does not refer to them.
    document().release_tree();
    files_[file_].document->release_tree();
  }

  // In place of a file of format 3, the one that it would be in format 4.
  const text::XmlDocument& document() {
    const text::XmlDocument& written = *files_[file_].document;
    if (!versions_.is_migrated(file_)) return written;
    const auto [place, is_new] = migrated_.try_emplace(file_);
    if (is_new) {
      const auto parsed = text::parse_edited(*written.parsed(), edits_from_format_3(written, declared_elsewhere()),
                                             {.is_lenient = true});
      if (parsed != nullptr) place->second = std::make_unique<text::XmlDocument>(parsed, written.file());
    }
    return place->second == nullptr ? written : *place->second;
  }

  // What they would replace is not written so in the file.
  void drop_fixes_of_migrated(std::size_t first) {
    std::vector<text::Finding>& all = reporter_.findings().all();
    for (std::size_t i = first; i < all.size(); ++i) {
      if (all[i].rule == rules::BTC_maybe_version_3) continue;
      std::erase_if(all[i].fixes, [&](const text::Fix& fix) {
        return std::any_of(fix.edits.begin(), fix.edits.end(),
                           [&](const text::Edit& edit) { return document().is_expanded(edit.span); });
      });
    }
  }

  const Declaration* find_node(std::string_view name) {
    const Declaration* const old = versions_.is_migrated(file_) ? find_node_of_format_3(name) : nullptr;
    return old != nullptr ? old : nodes_.find(file_, name);
  }

  // One line of espalier.json says what the files look like, or that they are something else.
  void note_fork() {
    const std::optional<std::size_t> file = versions_.fork_file();
    if (!file || !is_read(*file)) return;
    reporter_.report(
        rules::BTC_fork_assumed, files_[*file].document->root_span(),
        "the trees look like those of MoveIt Pro, so its rules are assumed",
        "under \"btcpp\" in espalier.json, \"version\": \"moveit-pro\" says that they are, and \"version\": "
        "\"4.10\" that they are not");
  }

  void check_format(const Element& root) {
    const Attribute format = root.attribute("BTCPP_format");
    const auto has = [&](std::string_view name) {
      const std::vector<Element> parts = root.children();
      return std::any_of(parts.begin(), parts.end(), [&](const Element& part) { return part.name() == name; });
    };
    const bool has_models_only = has(kModelElement) && !has(kTreeElement);  // they are the same in all formats
    const bool is_missing = format ? format.value() != kFormat : !has_models_only;
    if (versions_.is_migrated(file_) && !versions_.is_told(file_)) {
      report_format_3(rules::BTC_maybe_version_3);
    } else if (is_missing && versions_.of(file_).major != 3) {
      report_format(root, format, reporter_);
    }
    report_root_attributes(root, reporter_);
  }

  // Each of its names would be a finding of its own.
  void report_format_3(Rule rule) {
    const text::XmlDocument& written = *files_[file_].document;
    const bool is_refused = rule == rules::BTC_version_3;
    text::Finding& finding = reporter_.report(
        rule, written.root_span(),
        is_refused ? "the file is of format 3, which version 4 of the library refuses or reads differently"
                   : "the file is read as format 3, but nothing says that a program loads it with version 3",
        is_refused ? "'espalier fmt --migrate btcpp3' writes it as format 4"
                   : "write \"version\": \"3.8\" under \"btcpp\" in espalier.json, or migrate it with 'espalier fmt "
                     "--migrate btcpp3'",
        {*mark_of_format_3(written.root()), "this is of format 3"});
    finding.fixes.push_back(
        {"Write it as format 4", rules::FixGrade::unsafe, edits_from_format_3(written, declared_elsewhere())});
  }

  // What models of the package and the program declare.
  const Declarations& declared_elsewhere() {
    const std::size_t package = packages_.of(file_);
    const auto [place, is_new] = declared_.try_emplace(package);
    if (is_new) {
      nodes_.add_to(package, place->second);
      for (const Declaration& node : own_.nodes) place->second.declare(node);
    }
    return place->second;
  }

  struct NamesInOrder {
    Span first;
    std::vector<std::string_view> names;
  };
  // By their first uses.
  static NamesInOrder in_order(const std::map<std::string, Span, std::less<>>& first_uses) {
    std::vector<std::pair<Span, std::string_view>> uses;
    uses.reserve(first_uses.size());
    for (const auto& [name, span] : first_uses) uses.emplace_back(span, name);
    std::sort(uses.begin(), uses.end());
    NamesInOrder result{uses.front().first, {}};
    result.names.reserve(uses.size());
    for (const auto& [span, name] : uses) result.names.push_back(name);
    return result;
  }

  const NodeUses& uses() {
    if (!uses_) uses_.emplace(packages_, summaries_);
    return *uses_;
  }

  // Each once a package, at its first use: a host has many nodes, and models lag behind.
  void report_undeclared() {
    if (versions_.is_fork()) return keep_undeclared();
    const std::size_t package = packages_.of(file_);
    std::map<std::string, Span, std::less<>> of_nav2;
    for (const auto& [name, use] : context_.noted) {
      const NodeUses::Uses all = uses().of(package, name);
      if (all.first != file_) continue;
      if (project_.nodes.find_known(name) != nullptr) {
        of_nav2.emplace(name, use.span);
        continue;
      }
      reporter_.report(
          rules::BTC_undeclared_node, use.span, "undeclared node " + quote(name) + times(all.count),
          use.near.empty() ? "declare it in espalier.json to have its ports checked" : did_you_mean(use.near));
    }
    for (const auto& [name, use] : context_.noted_ports) {
      const NodeUses::Uses all = uses().of(package, name.first, name.second);
      if (all.first != file_) continue;
      reporter_.report(rules::BTC_unmodelled_port, use.span,
                       "the model of " + quote(name.first) + " has no port " + quote(name.second) + times(all.count),
                       "declare it in espalier.json if the program has it");
    }
    context_.noted.clear();
    context_.noted_ports.clear();
    if (!of_nav2.empty()) note_nav2(of_nav2);
  }

  // The fork's own nodes are many, and nothing declares them: they are one note.
  void keep_undeclared() {
    for (const auto& [name, use] : context_.noted) {
      const auto [first, is_new] = first_unknown_.try_emplace(file_, use.span);
      if (!is_new) first->second = std::min(first->second, use.span);
    }
    context_.noted.clear();
    context_.noted_ports.clear();
  }

  void note_nodes_of_fork() {
    if (!versions_.is_fork()) return;
    struct Unknown {
      std::size_t first_file;
      std::set<std::string_view> names = {};
      std::size_t count = 0;
    };
    std::map<std::size_t, Unknown> unknown;  // by package
    for (std::size_t file = 0; file < files_.size(); ++file) {
      for (const auto& [name, count, ports] : summaries_[file]->nodes) {
        if (nodes_.find(file, name) != nullptr) continue;
        Unknown& all = unknown.try_emplace(packages_.of(file), Unknown{file}).first->second;
        all.names.insert(name);
        all.count += count;
      }
    }
    for (const auto& [package, all] : unknown) {
      const auto first = first_unknown_.find(all.first_file);
      if (first == first_unknown_.end()) continue;
      reporter_.report(rules::BTC_undeclared_node, first->second,
                       counted(all.count, "element") + " of the package " + (all.count == 1 ? "uses " : "use ") +
                           counted(all.names.size(), "node") + " that nothing declares here, such as MoveIt Pro's own",
                       "declare them in espalier.json to have their ports checked");
    }
  }

  static std::string counted(std::size_t count, std::string_view what) {
    return std::to_string(count) + ' ' + std::string(what) + (count == 1 ? "" : "s");
  }

  // One note for all of the file, since one line of espalier.json declares them.
  void note_nav2(const std::map<std::string, Span, std::less<>>& first_uses) {
    const auto [first, names] = in_order(first_uses);
    reporter_.report(rules::BTC_undeclared_node, first,
                     (names.size() == 1 ? "undeclared node " : "undeclared nodes ") + list_of(names),
                     "\"hostFiles\": [\"espalier:nav2\"] in espalier.json declares the nodes of Nav2");
  }

  // In the package.
  static std::string times(std::size_t count) {
    return count == 1 ? std::string() : ", used " + std::to_string(count) + " times";
  }

  void add_tree(const Element& element, bool may_lack_id, std::size_t number) {
    WrittenTree tree = read_tree(element, may_lack_id, context_);
    tree.has_errors = tree.has_errors || graph_[number].summary->is_misspelt;
    tree.is_main = graph_[number].is_main;
    tree.file = std::move(project_.trees[number].file);
    tree.nodes.shrink_to_fit();
    project_.trees[number] = std::move(tree);
  }

  [[nodiscard]] std::size_t file_of(const WrittenTree& tree) const { return graph_[project_.number_of(tree)].file; }

  TreeNamed tree_named(std::string_view name) {
    if (tree_names_.count(name) == 0) return TreeNamed::none;
    const auto tree = graph_.find(name, file_);
    if (!tree) return TreeNamed::none;
    const std::size_t file = graph_[*tree].file;
    return nodes_.are_included(file_, file)            ? TreeNamed::in_the_file
           : packages_.of(file) == packages_.of(file_) ? TreeNamed::in_the_package
                                                       : TreeNamed::none;
  }

  const WrittenTree* tree_of(std::string_view name, const Attribute& path) {
    const auto tree =
        graph_.find(name, file_, path ? std::optional<std::string>(path.value()) : std::optional<std::string>());
    return tree ? &project_.trees[*tree] : nullptr;
  }

  // A file whose include is broken, those that include or need it, and all that these include or need: what they refer
  // to may be in the file that is not there.
  // The fork has trees of its own, which any file may use.
  std::vector<bool> files_that_may_lack_trees(const std::vector<bool>& is_broken) const {
    if (versions_.is_fork()) return std::vector<bool>(files_.size(), true);
    if (versions_.is_fork()) return std::vector<bool>(files_.size(), true);  // it has trees of its own
    std::vector<std::size_t> above;
    for (std::size_t file = 0; file < files_.size(); ++file) {
      if (is_broken[file]) above.push_back(file);
    }
    if (above.empty()) return std::vector<bool>(files_.size());
    return graph_.below(graph_.above(std::move(above)));
  }

  // What trees do is not judged where one that they use has errors.
  void spread_errors() {
    std::vector<std::size_t> faulty;
    for (std::size_t tree = 0; tree < project_.trees.size(); ++tree) {
      if (project_.trees[tree].has_errors) faulty.push_back(tree);
    }
    for (const std::size_t user : graph_.users_of(std::move(faulty))) project_.trees[user].has_errors = true;
  }

  // Is the tree used as a node, in whichever file? There this is reported.
  bool is_misused(std::string_view tree) {
    if (!misused_) {
      misused_.emplace();
      for (std::size_t file = 0; file < summaries_.size(); ++file) {
        if (versions_.is_refused(file)) continue;
        for (const auto& [name, count, ports] : summaries_[file]->nodes) {
          if (tree_names_.count(name) != 0 && new_name_of_node(name).empty() && nodes_.find(file, name) == nullptr)
            misused_->insert(name);
        }
      }
    }
    return misused_->count(tree) != 0;
  }

  static inline const std::vector<Declaration> kNoNodes;

  std::span<const File> files_;
  const Options& options_;
  const BtcppOptions& own_;
  Reporter reporter_;
  const Framework nav2_;
  const Summaries summaries_;
  const Packages packages_;
  const Versions versions_;
  TreeGraph graph_;
  WrittenProject project_;
  KnownNodes nodes_;
  std::optional<NodeUses> uses_;  // found when they are asked for
  TreeContext context_{project_, reporter_.findings(), options_.lowered};
  bool may_lack_files_ = false;  // a file could not be read
  std::set<std::string_view> tree_names_;
  std::map<std::size_t, std::unique_ptr<text::XmlDocument>> migrated_;  // by file; null: it cannot be
  std::map<std::size_t, Span> first_unknown_;          // of the fork, by file: the first node that is not known
  std::map<std::size_t, Declarations> declared_;       // by package; found when they are asked for
  std::optional<std::set<std::string_view>> misused_;  // trees that are used as nodes; found when it is asked for
  std::size_t file_ = 0;                               // that is read
};

}  // namespace

void read_project(std::span<const File> files, const Options& options, ir::Project& project, text::Findings& findings) {
  ProjectReader reader(files, options, findings);
  reader.read();
  project.written = std::make_shared<WrittenProject>(reader.take());
}

}  // namespace espalier::dialects::btcpp
