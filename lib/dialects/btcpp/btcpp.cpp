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
      : files_(files), options_(options), reporter_(findings, table(), options.lowered) {}

  void read() {
    project_.may_lack_trees = options_.may_lack_files() || options_.is_partial;
    project_.enumeration = options_.btcpp.enums;
    if (options_.btcpp.entries) project_.entries = &*options_.btcpp.entries;
    for (const File& file : files_) read_models(file.document->root());
    for (const Declaration& node : options_.btcpp.nodes) project_.nodes.declare(node, true);
    for (const File& file : files_) read_file(file);
    find_main_tree();
    for (const ReadTree& tree : project_.trees) {
      if (tree.has_root) check_references(tree.root);
    }
    const bool has_cycle = find_cycles();
    find_roots();
    report_include_cycles();
    if (!has_cycle) check_entries(project_, reporter_);
    check_outcomes(project_, reporter_);
  }

 private:
  // ---- Files

  void read_models(const Element& root) {
    for (Element child = root.first_child(); child; child = child.next_sibling()) {
      if (child.name() == kModelElement) read_model(child, project_.nodes, reporter_);
    }
  }

  void read_file(const File& file) {
    const Element root = file.document->root();
    read_root(root);
    note_raw_characters(root);
    warn_of_stray_text(root, reporter_);
    Element model;
    for (Element child = root.first_child(); child; child = child.next_sibling()) {
      if (child.name() == kTreeElement) {
        add_tree(child, root.child_count() == 1);
      } else if (child.name() == kIncludeElement) {
        read_include(child, file);
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
  }

  void read_root(const Element& root) {
    const Attribute format = root.attribute("BTCPP_format");
    if (!format || format.value() != kFormat) report_format(root, format);
    const Attribute main = root.attribute("main_tree_to_execute");
    if (main && !main_) main_ = main;
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
    TreeContext context{project_.nodes, project_.enumeration, options_.lowered, reporter_.findings(),
                        project_.undeclared};
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

  void read_include(const Element& element, const File& file) {
    const Attribute path = element.attribute("path");
    if (!path || path.value().empty()) {
      reporter_.report(Rule::BTC_missing_attribute, element.span(), "the include has no 'path'");
      return;
    }
    if (element.attribute("ros_pkg")) {
      reporter_.report(
          Rule::BTC_package_unknown, element.attribute("ros_pkg").value_span(),
          "the package " + quote(element.attribute("ros_pkg").value()) + " is not known, so its file is not read");
      project_.may_lack_trees = true;
      return;
    }
    const std::string target =
        (fs::path(file.path).parent_path() / std::string(path.value())).lexically_normal().generic_string();
    const auto is_target = [&](const auto& each) {
      return fs::path(each.path).lexically_normal().generic_string() == target;
    };
    if (const auto found = std::find_if(files_.begin(), files_.end(), is_target); found != files_.end()) {
      includes_.push_back({static_cast<std::size_t>(&file - files_.data()),
                           static_cast<std::size_t>(found - files_.begin()), path.value_span()});
      return;
    }
    const auto other = std::find_if(options_.other_files.begin(), options_.other_files.end(), is_target);
    if (other != options_.other_files.end() || options_.is_partial) {
      project_.may_lack_trees = true;
      return;
    }
    reporter_.report(Rule::BTC_include_not_found, path.value_span(), "there is no file " + quote(path.value()),
                     "the path is relative to the folder of this file");
  }

  void report_include_cycles() {
    for (const Include& each : includes_) {
      if (leads_to(each.to, each.from)) {
        reporter_.report(Rule::BTC_include_cycle, each.span, "the file includes itself through this include");
      }
    }
  }

  // Over includes that come before in file order, so that the one that closes a circle is reported.
  bool leads_to(std::size_t from, std::size_t to) const {
    std::set<std::size_t> seen = {from};
    std::vector<std::size_t> open = {from};
    while (!open.empty()) {
      const std::size_t at = open.back();
      open.pop_back();
      if (at == to) return true;
      for (const Include& each : includes_) {
        if (each.from == at && each.to >= each.from && seen.insert(each.to).second) open.push_back(each.to);
        if (each.from == at && each.to == to) return true;
      }
    }
    return false;
  }

  // ---- Trees

  void find_main_tree() {
    if (!main_) return;
    if (project_.find_tree(main_.value()) != nullptr || project_.may_lack_trees) return;
    std::vector<std::string_view> names;
    for (const auto& [name, tree] : project_.by_name) names.push_back(name);
    const std::string near = reporter_.nearest(main_.value(), names);
    text::Finding& finding = reporter_.report(Rule::BTC_unknown_main_tree, main_.value_span(),
                                              "unknown tree " + quote(main_.value()), did_you_mean(near));
    reporter_.propose(finding, main_.value(), near);
    used_.insert(near);
  }

  void check_references(const ReadNode& node) {
    if (node.is_subtree() && !node.id.empty()) {
      const ReadTree* const tree = project_.find_tree(node.id);
      if (tree != nullptr) {
        used_.insert(node.id);
        check_model(node);
      } else if (!project_.may_lack_trees) {
        std::vector<std::string_view> names;
        for (const auto& [name, known] : project_.by_name) names.push_back(name);
        const std::string near = reporter_.nearest(node.id, names);
        text::Finding& finding = reporter_.report(Rule::BTC_unknown_tree, node.id_span,
                                                  "unknown tree " + quote(node.id), did_you_mean(near));
        reporter_.propose(finding, node.id, near);
        used_.insert(near);
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
    if (state[tree] != 0) return false;
    state[tree] = 1;
    const bool found = project_.trees[tree].has_root && follow(project_.trees[tree].root, state);
    state[tree] = 2;
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
      if (is_main || is_used || tree.name.empty() || main.empty()) continue;
      reporter_.report(Rule::BTC_unused_tree, tree.span, "nothing refers to the tree " + quote(tree.name));
    }
  }

  struct Include {
    std::size_t from;  // files
    std::size_t to;
    Span span;
  };

  std::span<const File> files_;
  const Options& options_;
  Reporter reporter_;
  ReadProject project_;
  Attribute main_;
  std::vector<Include> includes_;
  std::set<std::string, std::less<>> used_;  // trees that something refers to, or means to
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

void read(std::span<const File> files, const Options& options, ir::Project& project, text::Findings& findings) {
  static_cast<void>(project);
  ProjectReader(files, options, findings).read();
}

}  // namespace

Dialect dialect() {
  return {layout::Dialect::btcpp, "btcpp", "BTC", owns, has_node, table, nullptr, read, {true, true}, is_tree};
}

}  // namespace espalier::dialects::btcpp
