// Trees as graphs for Graphviz and Mermaid. See pictures.h.
#include "report/pictures/pictures.h"

namespace espalier::report {
namespace {

constexpr std::size_t kMaxLineCharacters = 60;

// The lines of a box, each escaped, with `separator` between them.
template <typename Escape>
std::string box_label(const PictureNode& node, std::string_view separator, const Escape& escape) {
  std::string label;
  for (const std::string& line : box_lines(node)) {
    if (!label.empty()) label += separator;
    label += escape(shortened_line(line, kMaxLineCharacters));
  }
  for (const std::string& finding : node.findings)
    label.append(separator).append(escape(shortened_line(finding, kMaxLineCharacters)));
  return label;
}

std::string dot_text(std::string_view text) {
  std::string escaped;
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') escaped += '\\';
    escaped += letter;
  }
  return escaped;
}

// Mermaid reads labels as Markdown and HTML, and `#35;` as a character by its number.
std::string mermaid_text(std::string_view text) {
  constexpr std::string_view kMarks = "\"#<>&`\\[]{}|*_~;$";
  std::string escaped;
  for (const char letter : text) {
    if (kMarks.find(letter) == std::string_view::npos) {
      escaped += letter;
    } else {
      escaped += '#' + std::to_string(static_cast<int>(letter)) + ';';
    }
  }
  return escaped;
}

std::string id_of(std::size_t tree, std::size_t node) {
  return 'n' + std::to_string(tree) + '_' + std::to_string(node);
}

}  // namespace

void write_dot(std::span<const PictureTree> trees, std::ostream& out) {
  out << "digraph trees {\n  node [shape=box, style=\"rounded,filled\", fillcolor=white, fontname=\"sans-serif\"];\n";
  for (std::size_t i = 0; i < trees.size(); ++i) {
    const PictureTree& tree = trees[i];
    out << "  subgraph cluster_" << i << " {\n    label=\"" << dot_text(tree.name) << "\";\n";
    for (std::size_t k = 0; k < tree.nodes.size(); ++k) {
      const PictureNode& node = tree.nodes[k];
      out << "    " << id_of(i, k) << " [label=\"" << box_label(node, "\\n", dot_text) << '"';
      if (!node.findings.empty()) out << ", color=\"#b00020\", fontcolor=\"#b00020\"";
      out << "];\n";
      if (node.parent != kNoParent) out << "    " << id_of(i, node.parent) << " -> " << id_of(i, k) << ";\n";
    }
    out << "  }\n";
  }
  out << "}\n";
}

void write_mermaid(std::span<const PictureTree> trees, std::ostream& out) {
  out << "flowchart TD\n";
  bool has_findings = false;
  for (std::size_t i = 0; i < trees.size(); ++i) {
    const PictureTree& tree = trees[i];
    out << "  subgraph t" << i << "[\"" << mermaid_text(tree.name) << "\"]\n";
    for (std::size_t k = 0; k < tree.nodes.size(); ++k) {
      const PictureNode& node = tree.nodes[k];
      out << "    " << id_of(i, k) << "[\"" << box_label(node, "<br/>", mermaid_text) << "\"]";
      if (!node.findings.empty()) out << ":::finding";
      has_findings = has_findings || !node.findings.empty();
      out << '\n';
      if (node.parent != kNoParent) out << "    " << id_of(i, node.parent) << " --> " << id_of(i, k) << '\n';
    }
    out << "  end\n";
  }
  if (has_findings) out << "  classDef finding stroke:#b00020,color:#b00020\n";
}

}  // namespace espalier::report
