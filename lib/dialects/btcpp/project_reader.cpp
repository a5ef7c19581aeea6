// All files of a project. See project_reader.h.
#include "dialects/btcpp/project_reader.h"

#include <algorithm>
#include <filesystem>
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
#include "dialects/btcpp/models.h"
#include "dialects/btcpp/options.h"
#include "dialects/btcpp/tree_graph.h"
#include "dialects/btcpp/tree_reader.h"
#include "dialects/btcpp/used_nodes.h"
#include "dialects/reading/checks.h"
#include "rules/btcpp.h"
#include "rules/xml.h"
#include "text/names.h"

namespace espalier::dialects::btcpp {
namespace {

namespace fs = std::filesystem;

class ProjectReader {
 public:
  ProjectReader(std::span<const File> files, const Options& options, text::Findings& findings)
      : files_(files),
        options_(options),
        own_(options.of<BtcppOptions>()),
        reporter_(findings, table(), options.lowered),
        nav2_(own_.nav2_nodes == nullptr ? kNoNodes : own_.nav2_nodes()),
        summaries_(summaries_of(files, &nav2_)),
        graph_(files, summaries_, options.other_files, Format3::is_left_out,
               reporter_.is_lowered(rules::BTC_misspelt_element)) {}

  void read() {
    context_.framework = &nav2_;
    context_.is_written_once = [this](std::string_view name) { return is_written_once(name); };
    context_.tree_of = [this](std::string_view name, const Attribute& path) { return tree_of(name, path); };
    may_lack_trees_ = options_.may_lack_files();
    static_cast<ProgramFacts&>(project_) = own_;
    project_.main = graph_.main();
    for (const auto& [name, trees] : graph_.names())
      project_.named.insert(project_.named.end(), trees.begin(), trees.end());
    declare_nodes();
    for (const auto& summary : summaries_) {
      for (const TreeSummary& tree : summary->trees) {
        if (tree.name != kNameOfTreeWithoutId) context_.tree_names.insert(tree.name);
      }
    }
    project_.trees.reserve(graph_.trees().size());
    for (const TreeGraph::Tree& tree : graph_.trees()) {
      WrittenTree& known = project_.trees.emplace_back();
      known.name = tree.summary->name;
      known.span = tree.summary->span;
      known.is_main = tree.is_main;
    }
    for (file_ = 0; file_ < files_.size(); ++file_) read_file();
    note_unknown_trees();
    for (std::size_t tree = 0; tree < project_.trees.size(); ++tree) {
      for (const WrittenNode& node : project_.trees[tree].nodes) check_reference(node, graph_[tree].file);
    }
    report_duplicates();
    note_elsewhere();
    report_cycles();
    find_roots();
    note_several_trees();
    report_include_cycles();
    note_left_out();
    spread_errors();
  }

  WrittenProject take() { return std::move(project_); }

 private:
  // ---- Files

  // Of other files only the summaries are known: nothing in them is reported.
  [[nodiscard]] bool is_read(std::size_t file) const { return files_[file].document != nullptr; }
  [[nodiscard]] bool is_tree_read(std::size_t tree) const { return is_read(graph_[tree].file); }

  void declare_nodes() {
    std::set<std::string_view> of_nav2;
    for (std::size_t file = 0; file < files_.size(); ++file) {
      const FileSummary& summary = *summaries_[file];
      const bool has_models = is_read(file) && !summary.is_of_format_3;
      if (has_models) check_models(files_[file].document->root(), reporter_);
      if (!summary.is_of_format_3) add_models(summary.models, project_.nodes);
      of_nav2.insert(summary.of_nav2.begin(), summary.of_nav2.end());
    }
    if (Framework::is_used(of_nav2)) project_.nodes.learn(nav2_.nodes());
    for (const Declaration& node : own_.nodes) project_.nodes.declare(node);
    context_.has_other_nodes = own_.has_other_nodes;
    context_.node_names = text::NameIndex(project_.nodes.names());
    context_.framework_names = text::NameIndex(project_.nodes.known_names());
  }

  void read_file() {
    const FileSummary& summary = *summaries_[file_];
    if (summary.is_of_format_3) {
      may_lack_trees_ = true;
      if (is_read(file_)) report_format_3(*files_[file_].document);
      return;
    }
    for (std::size_t i = 0; i < summary.includes.size(); ++i) read_include(summary.includes[i], i);
    if (!is_read(file_)) return;
    const Element root = files_[file_].document->root();
    context_.node_names.allow(text::NameIndex::steps_of_file(files_.size()));
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
    report_undeclared();
  }

  void check_format(const Element& root) {
    const Attribute format = root.attribute("BTCPP_format");
    const auto has = [&](std::string_view name) {
      const std::vector<Element> parts = root.children();
      return std::any_of(parts.begin(), parts.end(), [&](const Element& part) { return part.name() == name; });
    };
    const bool has_models_only = has(kModelElement) && !has(kTreeElement);  // they are the same in all formats
    if (format ? format.value() != kFormat : !has_models_only) report_format(root, format, reporter_);
    report_root_attributes(root, reporter_);
  }

  // Each of its names would be a finding of its own.
  void report_format_3(const text::XmlDocument& document) {
    const Span mark = *mark_of_format_3(document.root());
    text::Finding& finding =
        reporter_.report(rules::BTC_version_3, document.root_span(),
                         "the file is of format 3, which version 4 of the library refuses or reads differently",
                         "'espalier fmt --migrate btcpp3' writes it as format 4", {mark, "this is of format 3"});
    finding.fixes.push_back(
        {"Write it as format 4", rules::FixGrade::unsafe, edits_from_format_3(document, project_.nodes)});
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

  // One note for all of the file, since a host has many nodes.
  void report_undeclared() {
    if (context_.noted.empty()) return;
    const auto [first, names] = in_order(context_.noted);
    const bool is_one = names.size() == 1;
    reporter_.report(
        rules::BTC_undeclared_node, first, (is_one ? "undeclared node " : "undeclared nodes ") + list_of(names),
        are_of_nav2(names) ? "\"hostFiles\": [\"espalier:nav2\"] in espalier.json declares the nodes of Nav2"
        : is_one           ? "declare it in 'TreeNodesModel' or espalier.json to have its ports checked"
                           : "declare them in 'TreeNodesModel' or espalier.json to have their ports checked");
    context_.noted.clear();
  }

  bool are_of_nav2(const std::vector<std::string_view>& names) const {
    return std::count_if(names.begin(), names.end(),
                         [&](std::string_view name) { return project_.nodes.find_known(name) != nullptr; }) > 1;
  }

  void add_tree(const Element& element, bool may_lack_id, std::size_t number) {
    WrittenTree tree = read_tree(element, may_lack_id, context_);
    tree.has_errors = tree.has_errors || graph_[number].summary->is_misspelt;
    tree.is_main = graph_[number].is_main;
    project_.trees[number] = std::move(tree);
  }

  bool is_written_once(std::string_view node) {
    if (!node_counts_) node_counts_ = count_nodes(files_, summaries_);
    const auto found = node_counts_->find(node);
    return found != node_counts_->end() && found->second == 1;
  }

  const WrittenTree* tree_of(std::string_view name, const Attribute& path) {
    const auto tree =
        graph_.find(name, file_, path ? std::optional<std::string>(path.value()) : std::optional<std::string>());
    return tree ? &project_.trees[*tree] : nullptr;
  }

  // What trees do is not judged where one that they use has errors.
  void spread_errors() {
    std::vector<std::size_t> faulty;
    for (std::size_t tree = 0; tree < project_.trees.size(); ++tree) {
      if (project_.trees[tree].has_errors) faulty.push_back(tree);
    }
    for (const std::size_t user : graph_.users_of(std::move(faulty))) project_.trees[user].has_errors = true;
  }

  // Trees of one name are a fault where a program loads both, and worth knowing elsewhere.
  void report_duplicates() {
    for (const TreeGraph::Duplicate& each : graph_.duplicates()) {
      if (!is_tree_read(each.tree)) continue;
      const WrittenTree& tree = project_.trees[each.tree];
      reporter_.report(rules::BTC_duplicate_tree, tree.span,
                       "duplicate tree " + quote(tree.name) + ": the library silently takes the last one", {},
                       {project_.trees[each.first].span, "first defined here"});
    }
    for (const auto& [name, trees] : graph_.names()) {
      if (trees.size() > 1 && is_tree_read(trees[1])) note_same_name(name, trees);
    }
  }

  void note_same_name(std::string_view name, std::span<const std::size_t> numbers) {
    constexpr std::size_t kMostShown = 16;
    text::Finding& finding =
        reporter_.report(rules::BTC_same_tree_name, project_.trees[numbers[1]].span,
                         std::to_string(numbers.size()) + " programs have a tree " + quote(name) + " each",
                         "if one program loads several of these files, the library silently takes the last tree");
    for (const std::size_t number : numbers.first(std::min(numbers.size(), kMostShown))) {
      if (number != numbers[1]) finding.related.push_back({project_.trees[number].span, "another one"});
    }
  }

  // ---- Includes

  // `number`: among the includes of the file.
  void read_include(const IncludeSummary& include, std::size_t number) {
    const auto report = [&](Rule rule, Span span, std::string message, std::string hint) {
      if (is_read(file_)) reporter_.report(rule, span, std::move(message), std::move(hint));
    };
    if (include.path.empty()) {
      report(rules::BTC_missing_attribute, include.span, "the include has no 'path'", {});
      return;
    }
    const auto& package = include.package;
    if (package && own_.packages.count(*package) == 0) {
      if (!lacking_) lacking_ = include.package_span;
      report(rules::BTC_package_unknown, include.package_span,
             "the package " + quote(*package) + " is unknown, so its file is not read",
             "name its folder in \"packages\" of espalier.json");
      may_lack_trees_ = true;
      return;
    }
    const std::vector<Included>& includes = files_[file_].includes;
    const Included included = number < includes.size() ? includes[number] : Included{{}, true};
    if (!included.path.empty() && graph_.file_at(included.path)) return;
    may_lack_trees_ = true;
    if (included.is_left_out) return;
    if (included.path.empty()) {
      report(rules::BTC_include_not_found, include.path_span, "there is no file " + quote(include.path),
             package ? "the path is relative to the folder of the package"
                     : "the path is relative to the folder of this file");
      return;
    }
    const auto other = std::find_if(options_.other_files.begin(), options_.other_files.end(),
                                    [&](const OtherFile& each) { return each.path == included.path; });
    if (other != options_.other_files.end() && (!other->is_tree || other->root)) {
      report(rules::BTC_include_not_found, include.path_span,
             quote(include.path) + " is not a file of trees of BehaviorTree.CPP", "its root element must be 'root'");
    }
  }

  // Depth first, in the order of files.
  void report_include_cycles() {
    enum class State : std::uint8_t { unseen, open, done };
    std::vector<State> states(files_.size());
    std::vector<std::pair<std::size_t, std::size_t>> open;  // files, and how many of their includes were followed
    for (std::size_t i = 0; i < files_.size(); ++i) {
      if (states[i] == State::unseen) open.emplace_back(i, 0);
      while (!open.empty()) {
        const auto [file, next] = open.back();
        const std::vector<TreeGraph::Include>& includes = graph_.includes()[file];
        states[file] = next < includes.size() ? State::open : State::done;
        if (states[file] == State::done) {
          open.pop_back();
          continue;
        }
        ++open.back().second;
        const TreeGraph::Include& include = includes[next];
        if (states[include.to] == State::unseen) open.emplace_back(include.to, 0);
        if (states[include.to] != State::open || !is_read(file)) continue;
        reporter_.report(rules::BTC_include_cycle, summaries_[file]->includes[include.number].path_span,
                         "the file includes itself through this include");
      }
    }
  }

  // ---- Trees

  // What is meant by names of trees that are not known, in all files. Trees that may be meant are used.
  void note_unknown_trees() {
    for (std::size_t file = 0; file < files_.size(); ++file) {
      const FileSummary& summary = *summaries_[file];
      if (summary.is_of_format_3 || !summary.main || graph_.find(*summary.main, file)) continue;
      note_unknown_tree(*summary.main, summary.main_span, file);
      if (is_read(file)) report_unknown_tree(rules::BTC_unknown_main_tree, *summary.main, summary.main_span);
    }
    for (const TreeGraph::Tree& tree : graph_.trees()) {
      for (std::size_t i = 0; i < tree.targets.size(); ++i) {
        const TreeReference& reference = tree.summary->references[i];
        if (!tree.targets[i]) note_unknown_tree(reference.name, reference.id_span, tree.file);
      }
    }
  }

  void note_unknown_tree(std::string_view name, Span span, std::size_t file) {
    const std::vector<std::string>& elsewhere = own_.trees;
    if (std::binary_search(elsewhere.begin(), elsewhere.end(), name)) {
      elsewhere_.try_emplace(std::string(name), span);
      return;
    }
    if (may_lack_trees_) return;
    const auto [place, is_new] = near_.try_emplace(name);
    if (is_new) place->second = nearest_tree(name);
    if (const auto near = graph_.find(place->second, file)) graph_.use(*near);
  }

  std::string nearest_tree(std::string_view name) {
    if (known_trees_.size() == 0) {
      std::vector<std::string_view> names;
      for (const auto& [each, trees] : graph_.names()) names.push_back(each);
      known_trees_ = text::NameIndex(std::move(names));
    }
    return known_trees_.nearest(name);
  }

  void report_unknown_tree(Rule rule, std::string_view name, Span span) {
    if (may_lack_trees_ || elsewhere_.find(name) != elsewhere_.end()) return;
    const std::string near = near_[name];
    const std::string message = "unknown tree " + quote(name);
    if (options_.is_partial) {
      reporter_.report(rules::XML_unchecked_reference, span, message + ": the rest of the project was not given",
                       did_you_mean(near));
      return;
    }
    text::Finding& finding = reporter_.report(
        rule, span, message,
        near.empty() ? "if it is defined elsewhere, list it in \"trees\" of espalier.json" : did_you_mean(near));
    reporter_.propose(finding, name, near);
  }

  // One note for all of them.
  void note_elsewhere() {
    if (elsewhere_.empty()) return;
    const auto [first, names] = in_order(elsewhere_);
    if (!lacking_) lacking_ = first;
    const bool is_one = names.size() == 1;
    reporter_.report(rules::BTC_tree_elsewhere, first,
                     (is_one ? "the tree " : "the trees ") + list_of(names) +
                         (is_one ? " is defined elsewhere, so it is not checked"
                                 : " are defined elsewhere, so they are not checked"));
  }

  // Which trees cannot be compiled as the files of packages are not read.
  void note_left_out() {
    if (!lacking_) return;
    std::vector<text::Finding>& all = reporter_.findings().all();
    const auto note = std::find_if(all.begin(), all.end(), [&](const text::Finding& finding) {
      return (finding.rule == rules::BTC_package_unknown || finding.rule == rules::BTC_tree_elsewhere) &&
             finding.span == *lacking_;
    });
    if (note == all.end()) return;
    std::vector<std::optional<const TreeReference*>> known(graph_.trees().size());
    for (const auto& [name, trees] : graph_.names()) {
      for (const std::size_t tree : trees) {
        const TreeReference* const missing = first_unknown_of(tree, known);
        if (missing == nullptr) continue;
        note->related.push_back({graph_[tree].summary->span, "'compile' leaves out the tree " + quote(name) +
                                                                 ": it uses the tree " + quote(missing->name) +
                                                                 ", which is not known"});
      }
    }
  }

  // The first one, through all subtrees, whose tree is not known; null: there is none. `known`: by tree, what was
  // found.
  const TreeReference* first_unknown_of(std::size_t number,
                                        std::vector<std::optional<const TreeReference*>>& known) const {
    if (known[number]) return *known[number];
    known[number] = nullptr;
    const TreeGraph::Tree& tree = graph_[number];
    for (std::size_t i = 0; i < tree.targets.size(); ++i) {
      const TreeReference* const unknown =
          tree.targets[i] ? first_unknown_of(*tree.targets[i], known) : &tree.summary->references[i];
      if (unknown == nullptr) continue;
      known[number] = unknown;
      break;
    }
    return *known[number];
  }

  void check_reference(const WrittenNode& node, std::size_t file) {
    if (!node.is_subtree() || node.id.empty()) return;
    if (node.tree != nullptr) return check_model(node);
    note_unknown_tree(node.id, node.id_span, file);
    report_unknown_tree(rules::BTC_unknown_tree, node.id, node.id_span);
  }

  void check_model(const WrittenNode& node) {
    const auto model = project_.nodes.subtrees.find(node.id);
    if (model == project_.nodes.subtrees.end() || node.has_autoremap) return;
    std::vector<std::string_view> missing;
    for (const Port& port : model->second.ports) {
      if (!port.otherwise && node.find_port(port.name) == nullptr) missing.push_back(port.name);
    }
    if (missing.empty()) return;
    text::Finding& finding = reporter_.report(rules::BTC_missing_port, node.span,
                                              "the model of the tree " + quote(node.id) + " needs the " +
                                                  (missing.size() == 1 ? "port " : "ports ") + list_of(missing),
                                              {}, {model->second.span, "the model"});
    if (missing.size() == 1) propose_port(missing.front(), model->second, node, finding);
  }

  // The attribute that is probably the missing port, misspelt here or in the model.
  void propose_port(std::string_view missing, const SubtreeModel& model, const WrittenNode& node,
                    text::Finding& finding) {
    for (const WrittenPort& given : node.ports) {
      if (model.find_port(given.name) != nullptr || reporter_.nearest(given.name, {missing}).empty()) continue;
      finding.hint = "the model has no port " + quote(given.name) + ": " + did_you_mean(missing);
      finding.fixes = {text::make_fix(given.name_span, given.name, std::string(missing), text::FixGrade::unsafe)};
      finding.fixes.back().guess = {text::Guess::Of::name, std::string(given.name), std::string(missing)};
      return;
    }
  }

  void report_cycles() {
    for (const TreeGraph::Cycle& cycle : graph_.cycles()) {
      if (!is_tree_read(cycle.tree)) continue;
      const TreeReference& reference = graph_[cycle.tree].summary->references[cycle.reference];
      const std::size_t target = *graph_[cycle.tree].targets[cycle.reference];
      reporter_.report(rules::BTC_tree_cycle, reference.span,
                       "the tree " + quote(reference.name) + " contains itself through this 'SubTree'", {},
                       {project_.trees[target].span, "the tree"});
    }
  }

  void find_roots() {
    const std::vector<bool> starts = graph_.starts();
    for (std::size_t i = 0; i < project_.trees.size(); ++i) {
      const WrittenTree& tree = project_.trees[i];
      const bool is_used = graph_.is_used(i);
      if (project_.main == graph_.taken(i) || !is_used) project_.roots.push_back(i);
      if (graph_.taken(i) != i || tree.is_main || is_used || tree.name.empty() || !project_.main || !is_tree_read(i))
        continue;
      if (starts[graph_[i].file] && !summaries_[graph_[i].file]->main)
        continue;  // it is the main tree of a program, or may be
      if (!is_misused(tree.name))
        reporter_.report(rules::BTC_unused_tree, tree.span, "nothing refers to the tree " + quote(tree.name));
    }
  }

  // The main tree is what the program says, where it says it.
  void note_several_trees() {
    if (options_.is_partial) return;
    const std::vector<bool> starts = graph_.starts();
    for (std::size_t file = 0; file < files_.size(); ++file) {
      const FileSummary& summary = *summaries_[file];
      if (!is_read(file) || !starts[file] || summary.main || summary.is_of_format_3 || summary.trees.size() < 2)
        continue;
      std::vector<std::string_view> unused;
      bool has_main = false;
      for (std::size_t i = 0; i < summary.trees.size(); ++i) {
        const std::size_t tree = graph_.first_of(file) + i;
        has_main = has_main || graph_[tree].is_main || summary.trees[i].name.empty();
        if (graph_.taken(tree) == tree && !graph_.is_used(tree)) unused.push_back(summary.trees[i].name);
      }
      if (has_main || misspelt_main(files_[file].document->root(), reporter_)) continue;
      reporter_.report(rules::BTC_several_trees, files_[file].document->root_span(),
                       "the file has " + std::to_string(summary.trees.size()) +
                           " trees, and no 'main_tree_to_execute' says which of them is the main one",
                       unused.size() == 1 ? "write main_tree_to_execute=\"" + std::string(unused.front()) + '"' : "");
    }
  }

  // Is the tree used as a node, in whichever file? There this is reported.
  bool is_misused(std::string_view tree) {
    if (!misused_) {
      misused_.emplace();
      for (const auto& summary : summaries_) {
        if (summary->is_of_format_3) continue;
        for (const std::string& name : summary->node_names) {
          if (context_.tree_names.count(name) != 0 && new_name_of_node(name).empty() &&
              project_.nodes.find(name) == nullptr)
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
  TreeGraph graph_;
  WrittenProject project_;
  TreeContext context_{project_, reporter_.findings(), options_.lowered};
  bool may_lack_trees_ = false;  // a file could not be read
  text::NameIndex known_trees_;
  std::optional<NodeCounts> node_counts_;               // found when they are asked for
  std::optional<std::set<std::string_view>> misused_;   // trees that are used as nodes; found when it is asked for
  std::size_t file_ = 0;                                // that is read
  std::optional<Span> lacking_;                         // the first finding, in any file, by which trees may be missing
  std::map<std::string, Span, std::less<>> elsewhere_;  // first uses of trees that espalier.json lists
  std::map<std::string_view, std::string> near_;        // names of trees that are not known, and what they may mean
};

}  // namespace

void read_project(std::span<const File> files, const Options& options, ir::Project& project, text::Findings& findings) {
  ProjectReader reader(files, options, findings);
  reader.read();
  project.written = std::make_shared<WrittenProject>(reader.take());
}

}  // namespace espalier::dialects::btcpp
