// Trees of BehaviorTree.CPP 4, as Nav2 and MoveIt Pro load them: the reader. A file holds trees, models of the host's
// nodes, and includes; all files together are one project.
#include "dialects/dialect.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dialects/btcpp/elements.h"
#include "dialects/btcpp/file_checks.h"
#include "dialects/btcpp/format_3.h"
#include "dialects/btcpp/host_rows.h"
#include "dialects/btcpp/lower.h"
#include "dialects/btcpp/models.h"
#include "dialects/btcpp/programs.h"
#include "dialects/btcpp/project.h"
#include "dialects/btcpp/used_nodes.h"
#include "dialects/reading/checks.h"
#include "text/names.h"

namespace espalier::dialects::btcpp {
namespace {

namespace fs = std::filesystem;

class ProjectReader {
 public:
  ProjectReader(std::span<const File> files, const Options& options, text::Findings& findings)
      : files_(files),
        options_(options),
        reporter_(findings, table(), options.lowered),
        includes_(files.size()),
        programs_(files, options.other_files),
        tree_counts_(files.size()),
        mains_(files.size()) {}

  void read() {
    project_.may_lack_trees = options_.may_lack_files();
    project_.enumeration = options_.btcpp.enums;
    project_.ticks_exactly_once = options_.btcpp.ticks_exactly_once;
    if (options_.btcpp.entries) project_.entries = &*options_.btcpp.entries;
    for (const File& file : files_) {
      if (!mark_of_format_3(file.document->root())) read_models(file.document->root(), project_.nodes, reporter_);
    }
    for (const File& file : files_) {
      for (const Element& part : file.document->root().children()) {
        if (part.name() == kTreeElement && part.attribute("ID")) tree_names_.insert(part.attribute("ID").value());
      }
    }
    learn_nav2();
    for (const Declaration& node : options_.btcpp.nodes) project_.nodes.declare(node, true);
    for (const File& file : files_) read_file(file);
    find_main_trees();
    for (ReadTree& tree : project_.trees) {
      if (tree.has_root) check_references(tree.root, tree.file);
    }
    report_duplicates();
    note_elsewhere();
    const bool has_cycle = find_cycles();
    find_roots();
    report_include_cycles();
    if (!has_cycle) note_left_out();
    if (!has_cycle) check_entries(project_, reporter_);
    check_outcomes(project_, reporter_);
  }

  // The project must have no errors.
  void lower_to(ir::Project& project) const {
    LowerOptions options;
    options.text_bytes = options_.btcpp.text_bytes;
    options.named_entries = options_.btcpp.named_entries;
    options.has_one_round = options_.btcpp.ticks_exactly_once;
    lower(project_, options, project);
  }

 private:
  // ---- Files

  void read_file(const File& file) {
    file_ = static_cast<std::size_t>(&file - files_.data());
    const Element root = file.document->root();
    if (const std::optional<Span> mark = mark_of_format_3(root)) {
      report_format_3(*file.document, *mark);
      return;
    }
    read_root(root);
    note_raw_characters(root, reporter_);
    warn_of_stray_text(root, reporter_);
    Element model;
    std::size_t include_count = 0;
    const bool is_alone = root.child_count() == 1;
    for (Element child = root.first_child(); child; child = child.next_sibling()) {
      if (child.name() == kTreeElement) {
        add_tree(child, is_alone);
      } else if (child.name() == kIncludeElement) {
        read_include(child, file, include_count++);
      } else if (child.name() == kModelElement) {
        if (model) {
          reporter_.report(Rule::BTC_second_model, child.span(), "a second 'TreeNodesModel' in one file", {},
                           {model.span(), "the first one"});
        }
        model = child;
      } else {
        report_unread(child, reporter_);
      }
    }
    report_undeclared();
  }

  void read_root(const Element& root) {
    const Attribute format = root.attribute("BTCPP_format");
    const auto has = [&](std::string_view name) {
      const std::vector<Element> parts = root.children();
      return std::any_of(parts.begin(), parts.end(), [&](const Element& part) { return part.name() == name; });
    };
    const bool has_models_only = has(kModelElement) && !has(kTreeElement);  // they are the same in all formats
    if (format ? format.value() != kFormat : !has_models_only) report_format(root, format, reporter_);
    mains_[file_] = root.attribute("main_tree_to_execute");
    if (mains_[file_]) programs_.set_main(file_);
  }

  // Each of its names would be a finding of its own.
  void report_format_3(const text::XmlDocument& document, Span mark) {
    text::Finding& finding =
        reporter_.report(Rule::BTC_version_3, document.root_span(),
                         "the file is of format 3, which version 4 of the library refuses or reads otherwise",
                         "'espalier fmt --migrate btcpp3' writes it as format 4", {mark, "this is of format 3"});
    finding.fixes.push_back({"Write it as format 4", rules::FixGrade::unsafe, edits_from_format_3(document)});
    project_.may_lack_trees = true;
  }

  struct NamesInOrder {
    Span first;
    std::vector<std::string_view> names;
  };
  // By their first uses.
  static NamesInOrder in_order(const std::map<std::string, Span, std::less<>>& first_uses) {
    std::vector<std::pair<Span, std::string_view>> uses;
    for (const auto& [name, span] : first_uses) uses.emplace_back(span, name);
    std::sort(uses.begin(), uses.end());
    NamesInOrder result{uses.front().first, {}};
    result.names.reserve(uses.size());
    for (const auto& [span, name] : uses) result.names.push_back(name);
    return result;
  }

  // One note for all of the file, since a host has many nodes.
  void report_undeclared() {
    if (undeclared_.empty()) return;
    const auto [first, names] = in_order(undeclared_);
    const bool is_one = names.size() == 1;
    reporter_.report(Rule::BTC_undeclared_node, first,
                     (is_one ? "nothing declares the node " : "nothing declares the nodes ") + list_of(names),
                     are_of_nav2(names)
                         ? "\"hostFiles\": [\"espalier:nav2\"] in espalier.json declares the nodes of Nav2"
                     : is_one ? "with a declaration in 'TreeNodesModel' or espalier.json its ports are checked"
                              : "with declarations in 'TreeNodesModel' or espalier.json their ports are checked");
    undeclared_.clear();
  }

  void learn_nav2() {
    if (!options_.btcpp.nav2_nodes) return;
    Framework nav2(options_.btcpp.nav2_nodes());
    for (const File& file : files_) nav2.look(file.document->root());
    if (nav2.is_used()) project_.nodes.learn(nav2.nodes());
  }

  bool are_of_nav2(const std::vector<std::string_view>& names) const {
    return std::count_if(names.begin(), names.end(),
                         [&](std::string_view name) { return project_.nodes.is_known(name); }) > 1;
  }

  void add_tree(const Element& element, bool may_lack_id) {
    TreeContext context{project_.nodes,      project_.enumeration, options_.lowered, reporter_.findings(),
                        project_.undeclared, undeclared_,          tree_names_,      misused_};
    ReadTree tree = read_tree(element, may_lack_id, context);
    tree.file = file_;
    ++tree_counts_[file_];
    if (!tree.name.empty()) project_.by_name[tree.name].push_back(project_.trees.size());
    project_.trees.push_back(std::move(tree));
  }

  // Trees of one name are a fault where a program loads both, and worth knowing elsewhere.
  void report_duplicates() {
    for (auto& [name, numbers] : project_.by_name) {
      std::vector<std::size_t> kept;
      for (const std::size_t number : numbers) {
        const ReadTree& tree = project_.trees[number];
        const auto known = std::find_if(kept.begin(), kept.end(), [&](std::size_t other) {
          const ReadTree& first = project_.trees[other];
          return programs_.are_together(first.file, tree.file, is_main_of_file(first) && is_main_of_file(tree));
        });
        if (known == kept.end()) {
          kept.push_back(number);
          continue;
        }
        reporter_.report(Rule::BTC_duplicate_tree, tree.span,
                         "duplicate tree " + quote(name) + ": the library silently takes the last one", {},
                         {project_.trees[*known].span, "first defined here"});
        replaced_[*known] = number;
        *known = number;
      }
      numbers = std::move(kept);
      if (numbers.size() > 1) note_same_name(name, numbers);
    }
    if (replaced_.empty()) return;
    for (ReadTree& tree : project_.trees) take_last(tree.root);
    if (!project_.main) return;
    project_.main = last_of(*project_.main);
    project_.trees[*project_.main].is_main = true;
  }

  // The tree that is taken of duplicates.
  std::size_t last_of(std::size_t tree) const {
    for (auto next = replaced_.find(tree); next != replaced_.end(); next = replaced_.find(tree)) tree = next->second;
    return tree;
  }
  void take_last(ReadNode& node) const {
    if (node.tree) node.tree = last_of(*node.tree);
    for (ReadNode& child : node.children) take_last(child);
  }

  // Is it what a program that loads its file runs?
  bool is_main_of_file(const ReadTree& tree) const {
    const Attribute& main = mains_[tree.file];
    return main ? main.value() == tree.name : tree_counts_[tree.file] == 1;
  }

  void note_same_name(std::string_view name, std::span<const std::size_t> numbers) {
    constexpr std::size_t kMostShown = 16;
    text::Finding& finding = reporter_.report(
        Rule::BTC_same_tree_name, project_.trees[numbers[1]].span,
        std::to_string(numbers.size()) + " programs have a tree " + quote(name) + " each",
        "nothing shows that a program loads several of these files: if one does, it silently takes the last tree");
    for (const std::size_t number : numbers.first(std::min(numbers.size(), kMostShown))) {
      if (number != numbers[1]) finding.related.push_back({project_.trees[number].span, "another one"});
    }
  }

  // The tree of a name that is meant in a file.
  std::optional<std::size_t> find_tree(std::string_view name, std::size_t from) {
    const auto found = project_.by_name.find(name);
    if (found == project_.by_name.end()) return std::nullopt;
    if (found->second.size() == 1) return found->second.front();
    std::vector<std::size_t> files;
    for (const std::size_t number : found->second) files.push_back(project_.trees[number].file);
    return found->second[programs_.meant(from, files)];
  }

  // ---- Includes

  // `number`: among the includes of the file.
  void read_include(const Element& element, const File& file, std::size_t number) {
    const Attribute path = element.attribute("path");
    if (!path || path.value().empty()) {
      reporter_.report(Rule::BTC_missing_attribute, element.span(), "the include has no 'path'");
      return;
    }
    const Attribute package = element.attribute("ros_pkg");
    if (package && options_.btcpp.packages.count(std::string(package.value())) == 0) {
      reporter_.report(Rule::BTC_package_unknown, package.value_span(),
                       "the package " + quote(package.value()) + " is not known, so its file is not read",
                       "\"packages\" of espalier.json names the folders of packages");
      project_.may_lack_trees = true;
      return;
    }
    const Included included = number < file.includes.size() ? file.includes[number] : Included{{}, true};
    if (included.is_left_out) {
      project_.may_lack_trees = true;
    } else if (included.path.empty()) {
      reporter_.report(Rule::BTC_include_not_found, path.value_span(), "there is no file " + quote(path.value()),
                       package ? "the path is relative to the folder of the package"
                               : "the path is relative to the folder of this file");
      project_.may_lack_trees = true;
    } else {
      add_include(path, included.path);
    }
  }

  void add_include(const Attribute& path, const std::string& included) {
    const auto is_it = [&](const auto& each) { return each.path == included; };
    if (const auto found = std::find_if(files_.begin(), files_.end(), is_it); found != files_.end()) {
      const auto to = static_cast<std::size_t>(found - files_.begin());
      includes_[file_].push_back({to, path.value_span()});
      programs_.include(file_, to);
      return;
    }
    const auto other = std::find_if(options_.other_files.begin(), options_.other_files.end(), is_it);
    if (other != options_.other_files.end() && (!other->is_tree || other->root)) {
      reporter_.report(Rule::BTC_include_not_found, path.value_span(),
                       quote(path.value()) + " is not a file of trees of BehaviorTree.CPP",
                       "its root element has to be 'root'");
    }
    project_.may_lack_trees = true;
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
        states[file] = next < includes_[file].size() ? State::open : State::done;
        if (states[file] == State::done) {
          open.pop_back();
          continue;
        }
        ++open.back().second;
        const Include& include = includes_[file][next];
        if (states[include.to] == State::unseen) open.emplace_back(include.to, 0);
        if (states[include.to] != State::open) continue;
        reporter_.report(Rule::BTC_include_cycle, include.span, "the file includes itself through this include");
      }
    }
  }

  // ---- Trees

  // The project's is that of the first file that names one.
  void find_main_trees() {
    for (std::size_t file = 0; file < files_.size(); ++file) {
      const Attribute& main = mains_[file];
      if (!main) continue;
      const std::optional<std::size_t> tree = find_tree(main.value(), file);
      if (!has_main_) project_.main = tree;
      has_main_ = true;
      if (tree) {
        project_.trees[*tree].is_main = true;
      } else {
        report_unknown_tree(Rule::BTC_unknown_main_tree, main.value(), main.value_span());
      }
    }
    if (has_main_ || project_.trees.size() != 1) return;
    project_.main = 0;
    project_.trees[0].is_main = true;
  }

  void report_unknown_tree(Rule rule, std::string_view name, Span span) {
    const std::vector<std::string>& elsewhere = options_.btcpp.trees;
    if (std::binary_search(elsewhere.begin(), elsewhere.end(), name)) {
      elsewhere_.try_emplace(std::string(name), span);
      return;
    }
    if (project_.may_lack_trees) return;
    std::vector<std::string_view> names;
    for (const auto& [each, tree] : project_.by_name) names.push_back(each);
    const std::string near = reporter_.nearest(name, names);
    if (!near.empty()) used_.insert(project_.by_name.find(near)->second.back());
    const std::string message = "unknown tree " + quote(name);
    if (options_.is_partial) {
      reporter_.report(Rule::XML_unchecked_reference, span, message + ": the rest of the project was not given",
                       did_you_mean(near));
      return;
    }
    text::Finding& finding = reporter_.report(
        rule, span, message,
        near.empty() ? "\"trees\" of espalier.json lists those that a program has from elsewhere" : did_you_mean(near));
    reporter_.propose(finding, name, near);
  }

  // One note for all of them.
  void note_elsewhere() {
    if (elsewhere_.empty()) return;
    const auto [first, names] = in_order(elsewhere_);
    const bool is_one = names.size() == 1;
    reporter_.report(Rule::BTC_tree_elsewhere, first,
                     (is_one ? "the tree " : "the trees ") + list_of(names) +
                         (is_one ? " is elsewhere, so it is not checked" : " are elsewhere, so they are not checked"));
    project_.may_lack_trees = true;  // of what is compiled
  }

  // Which trees cannot be compiled as the files of packages are not read.
  void note_left_out() {
    if (!project_.may_lack_trees) return;
    std::vector<text::Related> left_out;
    std::vector<std::optional<const ReadNode*>> known(project_.trees.size());
    for (const auto& [name, numbers] : project_.by_name) {
      for (const std::size_t number : numbers) {
        const ReadNode* const missing = first_unknown_of(number, known);
        if (missing == nullptr) continue;
        left_out.push_back({project_.trees[number].span, "the tree " + quote(name) +
                                                             " is left out when trees are compiled: the tree " +
                                                             quote(missing->id) + ", which it uses, is not known"});
      }
    }
    if (left_out.empty()) return;
    for (text::Finding& finding : reporter_.findings().all()) {
      if (finding.rule != Rule::BTC_package_unknown && finding.rule != Rule::BTC_tree_elsewhere) continue;
      finding.related.insert(finding.related.end(), left_out.begin(), left_out.end());
      return;
    }
  }

  // The first node, through all subtrees, whose tree is not known; null: there is none. `known`: by tree, what was
  // found.
  const ReadNode* first_unknown_of(std::size_t tree, std::vector<std::optional<const ReadNode*>>& known) const {
    if (!known[tree]) {
      known[tree] = nullptr;
      if (project_.trees[tree].has_root) known[tree] = first_unknown(project_.trees[tree].root, known);
    }
    return *known[tree];
  }

  const ReadNode* first_unknown(const ReadNode& node, std::vector<std::optional<const ReadNode*>>& known) const {
    if (node.is_subtree() && !node.id.empty()) return node.tree ? first_unknown_of(*node.tree, known) : &node;
    for (const ReadNode& child : node.children) {
      if (const ReadNode* const unknown = first_unknown(child, known)) return unknown;
    }
    return nullptr;
  }

  void check_references(ReadNode& node, std::size_t file) {
    if (node.is_subtree() && !node.id.empty()) {
      node.tree = find_tree(node.id, file);
      if (node.tree) {
        used_.insert(*node.tree);
        programs_.refer(file, project_.trees[*node.tree].file);
        check_model(node);
      } else {
        report_unknown_tree(Rule::BTC_unknown_tree, node.id, node.id_span);
      }
    }
    for (ReadNode& child : node.children) check_references(child, file);
  }

  void check_model(const ReadNode& node) {
    const auto model = project_.nodes.subtrees.find(node.id);
    if (model == project_.nodes.subtrees.end() || node.has_autoremap) return;
    std::vector<std::string_view> missing;
    for (const Port& port : model->second.ports) {
      if (!port.otherwise && node.find_port(port.name) == nullptr) missing.push_back(port.name);
    }
    if (missing.empty()) return;
    reporter_.report(Rule::BTC_missing_port, node.element.span(),
                     "the model of the tree " + quote(node.id) + " needs the " +
                         (missing.size() == 1 ? "port " : "ports ") + list_of(missing),
                     {}, {model->second.span, "the model"});
  }

  // Depth first from the main tree on, then from the others in file order.
  bool find_cycles() {
    std::vector<std::uint8_t> state(project_.trees.size());
    bool found = false;
    if (project_.main) found = follow(*project_.main, state);
    for (std::size_t i = 0; i < project_.trees.size(); ++i) found = follow(i, state) || found;
    return found;
  }

  bool follow(std::size_t tree, std::vector<std::uint8_t>& state) {
    if (state[tree] != 0 || depth_ > kMaxDepth) return false;  // what is too deep is reported as that
    ++depth_;
    state[tree] = 1;
    const bool found = project_.trees[tree].has_root && follow(project_.trees[tree].root, state);
    state[tree] = 2;
    --depth_;
    return found;
  }

  bool follow(const ReadNode& node, std::vector<std::uint8_t>& state) {
    bool found = false;
    if (node.tree) {
      if (state[*node.tree] == 1) {
        reporter_.report(Rule::BTC_tree_cycle, node.element.span(),
                         "the tree " + quote(node.id) + " contains itself through this 'SubTree'", {},
                         {project_.trees[*node.tree].span, "the tree"});
        return true;
      }
      found = follow(*node.tree, state);
    }
    for (const ReadNode& child : node.children) found = follow(child, state) || found;
    return found;
  }

  void find_roots() {
    for (std::size_t i = 0; i < project_.trees.size(); ++i) {
      const ReadTree& tree = project_.trees[i];
      const std::size_t meant = last_of(i);
      const bool is_used = used_.count(meant) != 0 || used_.count(i) != 0;
      if (project_.main == meant || !is_used) project_.roots.push_back(i);
      if (meant != i || misused_.count(tree.name) != 0 || tree.is_main || is_used || tree.name.empty() ||
          !project_.main)
        continue;
      reporter_.report(Rule::BTC_unused_tree, tree.span, "nothing refers to the tree " + quote(tree.name));
    }
  }

  struct Include {
    std::size_t to;  // a file
    Span span;
  };

  std::span<const File> files_;
  const Options& options_;
  Reporter reporter_;
  ReadProject project_;
  std::uint32_t depth_ = 0;                              // of subtrees in one another, while they are followed
  std::map<std::string, Span, std::less<>> undeclared_;  // of the file that is read: first uses of nodes
  std::vector<std::vector<Include>> includes_;           // of each file
  std::set<std::string_view> tree_names_;
  std::set<std::string_view> misused_;  // those that are used as nodes
  Programs programs_;
  std::size_t file_ = 0;  // that is read
  std::vector<std::size_t> tree_counts_;
  std::vector<Attribute> mains_;                        // the main tree that each file names
  bool has_main_ = false;                               // one of them does
  std::map<std::size_t, std::size_t> replaced_;         // duplicate trees, and the later ones that are taken
  std::map<std::string, Span, std::less<>> elsewhere_;  // first uses of trees that espalier.json lists
  std::set<std::size_t> used_;                          // trees that something refers to, or means to
};

bool owns(std::string_view root_element) { return root_element == kRootElement; }

bool has_node(std::string_view element) {
  return find_node_row(element) != nullptr || kind_of_tag(element).has_value();
}

bool is_part(std::string_view name) { return name == kTreeElement || name == kModelElement || name == kIncludeElement; }

// Many other formats have the root element "root".
bool is_tree(const text::XmlDocument& document) {
  const Element root = document.root();
  if (!root || root.attribute("BTCPP_format") || root.attribute("main_tree_to_execute")) return true;
  for (Element child = root.first_child(); child; child = child.next_sibling()) {
    if (is_part(child.name())) return true;
  }
  return false;
}

std::vector<std::string> includes(const text::XmlDocument& document, const std::string& path, const Options& options) {
  std::vector<std::string> paths;
  if (document.source().text().find(kIncludeElement) == std::string_view::npos) return paths;
  const Element root = document.root();
  for (Element child = root ? root.first_child() : root; child; child = child.next_sibling()) {
    if (child.name() != kIncludeElement) continue;
    std::string& target = paths.emplace_back();
    const Attribute written = child.attribute("path");
    if (!written || written.value().empty()) continue;
    fs::path folder = fs::path(path).parent_path();
    if (const Attribute package = child.attribute("ros_pkg")) {
      const auto known = options.btcpp.packages.find(package.value());
      if (known == options.btcpp.packages.end()) continue;
      folder = known->second;
    }
    target = (folder / fs::path(written.value())).generic_string();
  }
  return paths;
}

void read(std::span<const File> files, const Options& options, ir::Project& project, text::Findings& findings) {
  const std::size_t before = findings.all().size();
  ProjectReader reader(files, options, findings);
  reader.read();
  const auto& all = findings.all();
  const bool has_errors =
      std::any_of(all.begin() + static_cast<std::ptrdiff_t>(before), all.end(), [&](const text::Finding& each) {
        return each.severity == rules::Severity::error &&
               std::find(options.lowered.begin(), options.lowered.end(), each.rule) == options.lowered.end();
      });
  if (!has_errors && !options.is_partial) reader.lower_to(project);
}

}  // namespace

Dialect dialect() {
  static constexpr Migration kFromFormat3{"btcpp3", edits_from_format_3};
  Dialect dialect{layout::Dialect::btcpp, "btcpp", "BTC", owns, has_node, table, declare, read,
                  {.is_lenient = true},   is_tree};
  dialect.includes = includes;
  dialect.migration = &kFromFormat3;
  dialect.declare_models = declare_models;
  return dialect;
}

}  // namespace espalier::dialects::btcpp
