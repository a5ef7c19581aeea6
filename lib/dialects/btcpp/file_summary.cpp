// Summaries of files. See file_summary.h.
#include "dialects/btcpp/file_summary.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>

#include "dialects/btcpp/elements.h"
#include "dialects/btcpp/format_3.h"
#include "dialects/btcpp/tree_reader.h"

namespace espalier::dialects::btcpp {
namespace {

using text::Attribute;
using text::Element;

// Most files have none of these words anywhere.
bool may_be_of_fork(std::string_view text) {
  return text.find("_subtreeOnly") != std::string_view::npos || text.find("_hardcoded") != std::string_view::npos ||
         text.find("subcategory") != std::string_view::npos;
}

// Attributes and elements that MoveIt Pro's editor writes, and no other one.
bool is_of_fork(const Element& element) {
  if (element.attribute("_subtreeOnly") || element.attribute("_hardcoded")) return true;
  if (element.name() == "MetadataFields") {
    for (Element field = element.first_child(); field; field = field.next_sibling()) {
      if (field.attribute("subcategory")) return true;
    }
  }
  for (Element child = element.first_child(); child; child = child.next_sibling()) {
    if (is_of_fork(child)) return true;
  }
  return false;
}

class Summarizer {
 public:
  explicit Summarizer(FileSummary& summary) : summary_(summary) {}

  void read(const Element& root) {
    summary_.format = root.attribute("BTCPP_format").value();
    summary_.is_of_format_3 = mark_of_format_3(root).has_value();
    summary_.is_of_fork = may_be_of_fork(root.document().source().text()) && is_of_fork(root);
    declare("format", summary_.format);
    if (summary_.is_of_fork) declare("fork", "");
    if (summary_.format.empty() || summary_.format == "3") find_trees_of_format_3(root);
    if (const Attribute main = root.attribute("main_tree_to_execute")) {
      summary_.main = main.value();
      summary_.main_span = main.value_span();
      declare("main", main.value());
    }
    if (summary_.is_of_format_3) declare("marks", "3");
    const bool is_alone = root.child_count() == 1;
    for (Element child = root.first_child(); child; child = child.next_sibling()) {
      const std::string_view part = meant_part(child.name());
      if (part == kTreeElement) add_tree(child, is_alone);
      if (part == kIncludeElement) add_include(child);
      if (part == kModelElement) add_models(child);
    }
    for (auto& [name, use] : nodes_) {
      NodeUse& node = summary_.nodes.emplace_back();
      node.name = name;
      node.count = use.count;
      for (const auto& [port, count] : use.ports) node.ports.push_back({std::string(port), count});
    }
  }

 private:
  void declare(std::string_view what, std::string_view name) {
    summary_.declared.append(what).append(1, '\0').append(name).append(1, '\0');
  }

  void add_tree(const Element& element, bool may_lack_id) {
    TreeSummary& tree = summary_.trees.emplace_back();
    const Attribute id = element.attribute("ID");
    if (id || may_lack_id) tree.name = id ? id.value() : kNameOfTreeWithoutId;
    tree.span = id ? id.value_span() : element.span();
    tree.is_misspelt = element.name() != kTreeElement;
    tree.path = path_of(element);
    declare(tree.is_misspelt ? "misspelt" : "tree", tree.name);
    if (tree.path) declare("path", *tree.path);
    TreeSummary unread;  // a tree has one node: others are reported
    for (Element node = element.first_child(); node; node = node.next_sibling())
      add_references(node, node == element.first_child() ? tree : unread, 1);
  }

  // There trees could be used like nodes.
  void find_trees_of_format_3(const Element& root) {
    for (Element child = root.first_child(); child; child = child.next_sibling()) {
      const Attribute id = child.name() == kTreeElement ? child.attribute("ID") : Attribute();
      if (id && find_library_node(id.value()) == nullptr) trees_of_format_3_.insert(id.value());
    }
  }

  static std::optional<std::string> path_of(const Element& element) {
    const Attribute path = element.attribute(kPathAttribute);
    return path ? std::optional<std::string>(path.value()) : std::nullopt;
  }

  // Those that the reader of trees finds.
  void add_references(const Element& element, TreeSummary& tree, std::uint32_t depth) {
    const std::string_view tag = tag_of(element);
    const bool is_named_as_tree = trees_of_format_3_.count(element.name()) != 0;
    const bool is_subtree =
        tag == kSubTreeElement || new_name_of_node(element.name()) == kSubTreeElement || is_named_as_tree;
    const bool has_id = !is_named_as_tree && (is_subtree || !tag.empty());
    const Attribute id = element.attribute("ID");
    const std::string_view name = has_id ? id.value() : element.name();
    if (!is_subtree) {
      add_use(element, name);
    } else if (!name.empty()) {
      tree.references.push_back(
          {std::string(name), element.span(), has_id ? id.value_span() : element.span(), path_of(element)});
    }
    if (depth >= kMaxDepth) return;
    for (Element child = element.first_child(); child; child = child.next_sibling())
      add_references(child, tree, depth + 1);
  }

  void add_use(const Element& element, std::string_view name) {
    if (find_library_node(name) != nullptr) return;
    Use& use = nodes_[name];
    ++use.count;
    for (const std::string_view port : ports_of(element)) ++use.ports[port];
  }

  void add_include(const Element& element) {
    IncludeSummary& include = summary_.includes.emplace_back();
    include.span = element.span();
    if (const Attribute path = element.attribute("path")) {
      include.path = path.value();
      include.path_span = path.value_span();
    }
    if (const Attribute package = element.attribute("ros_pkg")) {
      include.package = package.value();
      include.package_span = package.value_span();
    }
    declare("include", include.path);
    declare("package", include.package.value_or(""));
  }

  void add_models(const Element& element) {
    const std::string_view text = element.document().source().text();
    const std::size_t begin = element.span().begin;
    const std::size_t end = element.end_span().end;
    declare("models", text.substr(begin, end > begin ? end - begin : std::string_view::npos));
  }

  // The texts are the document's.
  struct Use {
    std::uint32_t count = 0;
    std::map<std::string_view, std::uint32_t> ports;
  };

  FileSummary& summary_;
  std::map<std::string_view, Use> nodes_;
  std::set<std::string_view> trees_of_format_3_;
};

}  // namespace

const PortUse* NodeUse::find(std::string_view port) const {
  const auto found = std::lower_bound(ports.begin(), ports.end(), port,
                                      [](const PortUse& each, std::string_view key) { return each.name < key; });
  return found == ports.end() || found->name != port ? nullptr : &*found;
}

std::shared_ptr<const FileSummary> summarize(const text::XmlDocument& document, const Framework* nav2) {
  auto summary = std::make_shared<FileSummary>();
  const Element root = document.root();
  if (!root) return summary;
  Summarizer(*summary).read(root);
  summary->models = read_models(root);
  const std::string_view text = document.source().text();
  if (text.find("<!ENTITY") != std::string_view::npos) summary->declared += text;  // models may be in entities
  if (nav2 == nullptr) return summary;
  std::set<std::string_view> used;
  nav2->look(root, used);
  summary->of_nav2.assign(used.begin(), used.end());
  // What shows enough by itself makes no difference to others by its names.
  if (used.size() >= kFewestOfFramework) summary->declared += "nav2";
  if (used.size() < kFewestOfFramework && !used.empty()) summary->declared += *used.begin();
  return summary;
}

std::shared_ptr<const FileSummary> summary_of(const File& file) {
  const auto* const summary = std::any_cast<std::shared_ptr<const FileSummary>>(&file.summary);
  return summary == nullptr ? nullptr : *summary;
}

Summaries summaries_of(std::span<const File> files, const Framework* nav2) {
  Summaries summaries;
  for (const File& file : files)
    summaries.push_back(file.summary.has_value() ? summary_of(file) : summarize(*file.document, nav2));
  return summaries;
}

}  // namespace espalier::dialects::btcpp
