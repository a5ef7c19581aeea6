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
#include "dialects/btcpp/format_3.h"
#include "dialects/btcpp/host_rows.h"
#include "dialects/btcpp/lower.h"
#include "dialects/btcpp/models.h"
#include "dialects/btcpp/project.h"
#include "dialects/reading/checks.h"
#include "text/names.h"

namespace espalier::dialects::btcpp {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFormat = "4";

class ProjectReader {
 public:
  ProjectReader(std::span<const File> files, const Options& options, text::Findings& findings)
      : files_(files), options_(options), reporter_(findings, table(), options.lowered), includes_(files.size()) {}

  void read() {
    project_.may_lack_trees = options_.may_lack_files();
    project_.enumeration = options_.btcpp.enums;
    if (options_.btcpp.entries) project_.entries = &*options_.btcpp.entries;
    for (const File& file : files_) {
      if (!mark_of_format_3(file.document->root())) read_models(file.document->root(), project_.nodes, reporter_);
    }
    for (const Declaration& node : options_.btcpp.nodes) project_.nodes.declare(node, true);
    for (const File& file : files_) read_file(file);
    check_main_trees();
    for (const ReadTree& tree : project_.trees) {
      if (tree.has_root) check_references(tree.root);
    }
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
    if (main_) options.main = main_.value();
    lower(project_, options, project);
  }

 private:
  // ---- Files

  void read_file(const File& file) {
    const Element root = file.document->root();
    if (const std::optional<Span> mark = mark_of_format_3(root)) {
      report_format_3(*file.document, *mark);
      return;
    }
    read_root(root);
    note_raw_characters(root);
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
        report_unread(child);
      }
    }
    report_undeclared();
  }

  void read_root(const Element& root) {
    const Attribute format = root.attribute("BTCPP_format");
    if (!format || format.value() != kFormat) report_format(root, format);
    const Attribute main = root.attribute("main_tree_to_execute");
    if (!main) return;
    if (!main_) main_ = main;
    mains_.push_back(main);
  }

  void report_format(const Element& root, const Attribute& format) {
    text::Finding& finding =
        reporter_.report(Rule::BTC_missing_format, format ? format.value_span() : root.span(),
                         format ? "the format " + quote(format.value()) + " is not known: the file is read as format 4"
                                : "'BTCPP_format' is missing: the file is read as format 4",
                         "write BTCPP_format=\"4\"");
    const Span end{root.span().file, root.span().end, root.span().end};
    finding.fixes.push_back(
        {"Write BTCPP_format=\"4\"",
         rules::FixGrade::safe,
         {format ? text::Edit{format.value_span(), std::string(kFormat)} : text::Edit{end, " BTCPP_format=\"4\""}}});
  }

  // Each of its names would be a finding of its own.
  void report_format_3(const text::XmlDocument& document, Span mark) {
    text::Finding& finding =
        reporter_.report(Rule::BTC_version_3, document.root_span(),
                         "the file is of format 3, which version 4 of the library does not read",
                         "'espalier fmt --migrate btcpp3' writes it as format 4", {mark, "this is of format 3"});
    finding.fixes.push_back({"Write it as format 4", rules::FixGrade::unsafe, edits_from_format_3(document)});
    project_.may_lack_trees = true;
  }

  // The library's reader takes them, others do not.
  void note_raw_characters(const Element& element) {
    for (const Attribute& attribute : element.attributes()) note_raw_characters(attribute);
    for (Element child = element.first_child(); child; child = child.next_sibling()) note_raw_characters(child);
  }

  void note_raw_characters(const Attribute& attribute) {
    text::Finding* finding = nullptr;
    for (std::uint32_t i = 0; i < attribute.value().size(); ++i) {
      const char c = attribute.value()[i];
      if (c != '&' && c != '<') continue;
      const Span span = attribute.value_span(i, i + 1);
      if (span.end - span.begin != 1) continue;  // a reference
      const std::string reference = c == '&' ? "&amp;" : "&lt;";
      if (finding == nullptr) {
        finding = &reporter_.report(Rule::BTC_raw_character, span,
                                    "a raw " + quote(attribute.value().substr(i, 1)) +
                                        " in an attribute: the library takes it, other readers of XML do not",
                                    "write " + reference);
        finding->fixes.push_back({"Write references in place of raw characters", rules::FixGrade::safe, {}});
      }
      finding->fixes.front().edits.push_back({span, reference});
    }
  }

  // One note for all of the file, since a host has many nodes.
  void report_undeclared() {
    if (undeclared_.empty()) return;
    std::vector<std::pair<Span, std::string_view>> uses;
    for (const auto& [name, span] : undeclared_) uses.emplace_back(span, name);
    std::sort(uses.begin(), uses.end());
    std::vector<std::string_view> names;
    names.reserve(uses.size());
    for (const auto& [span, name] : uses) names.push_back(name);
    const bool is_one = names.size() == 1;
    reporter_.report(Rule::BTC_undeclared_node, uses[0].first,
                     (is_one ? "nothing declares the node " : "nothing declares the nodes ") + list_of(names),
                     are_of_nav2(names)
                         ? "\"hostFiles\": [\"espalier:nav2\"] in espalier.json declares the nodes of Nav2"
                     : is_one ? "with a declaration in 'TreeNodesModel' or espalier.json its ports are checked"
                              : "with declarations in 'TreeNodesModel' or espalier.json their ports are checked");
    undeclared_.clear();
  }

  // Other robots have nodes such as 'Wait' too.
  bool are_of_nav2(const std::vector<std::string_view>& names) {
    constexpr std::ptrdiff_t kFewest = 2;
    if (!options_.btcpp.nav2_names || names.size() < kFewest) return false;
    if (nav2_names_.empty()) nav2_names_ = options_.btcpp.nav2_names();
    const auto is_known = [&](std::string_view name) {
      return std::find(nav2_names_.begin(), nav2_names_.end(), name) != nav2_names_.end();
    };
    return std::count_if(names.begin(), names.end(), is_known) >= kFewest;
  }

  void report_unread(const Element& element) {
    const std::string near = reporter_.nearest(element.name(), {kTreeElement, kModelElement, kIncludeElement});
    if (near.empty()) {
      reporter_.report(Rule::BTC_unread_element, element.span(), "nothing reads the element " + quote(element.name()));
      return;
    }
    text::Finding& finding =
        reporter_.report(Rule::BTC_misspelt_element, element.span(),
                         "unknown element " + quote(element.name()) + ": the library ignores it", did_you_mean(near));
    add_renaming(finding, element, near, reporter_.grade_of(finding));
  }

  void add_tree(const Element& element, bool may_lack_id) {
    TreeContext context{project_.nodes,       project_.enumeration, options_.lowered,
                        reporter_.findings(), project_.undeclared,  undeclared_};
    ReadTree tree = read_tree(element, may_lack_id, context);
    const std::size_t number = project_.trees.size();
    if (!tree.name.empty()) {
      const auto [known, is_new] = project_.by_name.emplace(tree.name, number);
      if (!is_new) {
        reporter_.report(Rule::BTC_duplicate_tree, tree.span,
                         "duplicate tree " + quote(tree.name) + ": the library silently takes the last one", {},
                         {project_.trees[known->second].span, "first defined here"});
        known->second = number;
      }
    }
    project_.trees.push_back(std::move(tree));
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
    } else {
      add_include(path, included.path, file);
    }
  }

  void add_include(const Attribute& path, const std::string& included, const File& file) {
    const auto is_it = [&](const auto& each) { return each.path == included; };
    if (const auto found = std::find_if(files_.begin(), files_.end(), is_it); found != files_.end()) {
      includes_[static_cast<std::size_t>(&file - files_.data())].push_back(
          {static_cast<std::size_t>(found - files_.begin()), path.value_span()});
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

  void check_main_trees() {
    for (const Attribute& main : mains_) {
      if (project_.find_tree(main.value()) == nullptr) {
        report_unknown_tree(Rule::BTC_unknown_main_tree, main.value(), main.value_span());
      }
    }
  }

  void report_unknown_tree(Rule rule, std::string_view name, Span span) {
    if (project_.may_lack_trees) return;
    std::vector<std::string_view> names;
    for (const auto& [each, tree] : project_.by_name) names.push_back(each);
    const std::string near = reporter_.nearest(name, names);
    used_.insert(near);
    const std::string message = "unknown tree " + quote(name);
    if (options_.is_partial) {
      reporter_.report(Rule::XML_unchecked_reference, span, message + ": the rest of the project was not given",
                       did_you_mean(near));
      return;
    }
    text::Finding& finding = reporter_.report(rule, span, message, did_you_mean(near));
    reporter_.propose(finding, name, near);
  }

  // Which trees cannot be compiled as the files of packages are not read.
  void note_left_out() {
    if (!project_.may_lack_trees) return;
    std::vector<text::Related> left_out;
    std::vector<std::optional<const ReadNode*>> known(project_.trees.size());
    for (const auto& [name, number] : project_.by_name) {
      const ReadNode* const missing = first_unknown_of(number, known);
      if (missing == nullptr) continue;
      left_out.push_back({project_.trees[number].span, "the tree " + quote(name) +
                                                           " is left out when trees are compiled: the tree " +
                                                           quote(missing->id) + ", which it uses, is not known"});
    }
    if (left_out.empty()) return;
    for (text::Finding& finding : reporter_.findings().all()) {
      if (finding.rule != Rule::BTC_package_unknown) continue;
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
    if (node.is_subtree() && !node.id.empty()) {
      const auto tree = project_.by_name.find(node.id);
      return tree == project_.by_name.end() ? &node : first_unknown_of(tree->second, known);
    }
    for (const ReadNode& child : node.children) {
      if (const ReadNode* const unknown = first_unknown(child, known)) return unknown;
    }
    return nullptr;
  }

  void check_references(const ReadNode& node) {
    if (node.is_subtree() && !node.id.empty()) {
      const ReadTree* const tree = project_.find_tree(node.id);
      if (tree != nullptr) {
        used_.insert(node.id);
        check_model(node);
      } else {
        report_unknown_tree(Rule::BTC_unknown_tree, node.id, node.id_span);
      }
    }
    for (const ReadNode& child : node.children) check_references(child);
  }

  void check_model(const ReadNode& node) {
    const auto model = project_.nodes.subtrees.find(node.id);
    if (model == project_.nodes.subtrees.end() || node.has_autoremap) return;
    for (const Port& port : model->second.ports) {
      if (port.otherwise || node.find_port(port.name) != nullptr) continue;
      reporter_.report(Rule::BTC_missing_port, node.element.span(),
                       "the model of the tree " + quote(node.id) + " needs the port " + quote(port.name), {},
                       {model->second.span, "the model"});
    }
  }

  // Depth first from the main tree on, then from the others in file order.
  bool find_cycles() {
    std::vector<std::uint8_t> state(project_.trees.size());
    bool found = false;
    if (main_) {
      if (const auto at = project_.by_name.find(main_.value()); at != project_.by_name.end())
        found = follow(at->second, state);
    }
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
    if (node.is_subtree()) {
      if (const auto at = project_.by_name.find(node.id); at != project_.by_name.end()) {
        if (state[at->second] == 1) {
          reporter_.report(Rule::BTC_tree_cycle, node.element.span(),
                           "the tree " + quote(node.id) + " contains itself through this 'SubTree'", {},
                           {project_.trees[at->second].span, "the tree"});
          return true;
        }
        found = follow(at->second, state);
      }
    }
    for (const ReadNode& child : node.children) found = follow(child, state) || found;
    return found;
  }

  void find_roots() {
    std::string& main = project_.main;
    if (main_) main = main_.value();
    if (main.empty() && project_.trees.size() == 1) main = project_.trees[0].name;
    for (std::size_t i = 0; i < project_.trees.size(); ++i) {
      const ReadTree& tree = project_.trees[i];
      const bool is_main = tree.name == main;
      const bool is_used = used_.count(tree.name) != 0;
      if (is_main || !is_used) project_.roots.push_back(i);
      const bool is_named =
          std::any_of(mains_.begin(), mains_.end(), [&](const Attribute& each) { return each.value() == tree.name; });
      if (is_main || is_named || is_used || tree.name.empty() || main.empty()) continue;
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
  Attribute main_;                                       // of the first file that has one
  std::vector<Attribute> mains_;                         // of all files
  std::vector<std::string> nav2_names_;                  // empty: nobody asked for them
  std::map<std::string, Span, std::less<>> undeclared_;  // of the file that is read: first uses of nodes
  std::vector<std::vector<Include>> includes_;           // of each file
  std::set<std::string, std::less<>> used_;              // trees that something refers to, or means to
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
  Dialect dialect{layout::Dialect::btcpp, "btcpp", "BTC", owns, has_node, table, declare, read, {true, true}, is_tree};
  dialect.includes = includes;
  dialect.migration = &kFromFormat3;
  dialect.declare_models = declare_models;
  return dialect;
}

}  // namespace espalier::dialects::btcpp
