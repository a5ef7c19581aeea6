// Trees as SVG, in the shapes and colours of pages. See svg_layout.h for places.
#include <algorithm>
#include <map>
#include <vector>

#include "pictures/page_texts.h"
#include "report/json_text.h"
#include "report/output_form.h"
#include "report/pictures/pictures.h"
#include "report/pictures/svg_layout.h"
#include "report/xml_text.h"

namespace espalier::report {
namespace {

constexpr double kMargin = 20;
constexpr double kTitleHeight = 44;
constexpr double kViewWidth = 1360;  // of the page that a picture is drawn for
constexpr double kViewHeight = 820;

// The values of "--name: value;" in a part of the tokens.
std::map<std::string, std::string, std::less<>> values_of(std::string_view text) {
  std::map<std::string, std::string, std::less<>> values;
  for (std::size_t at = text.find("--"); at != std::string_view::npos; at = text.find("--", at)) {
    const std::size_t colon = text.find(':', at);
    const std::size_t end = std::min(text.find(';', at), text.size());
    if (colon == std::string_view::npos || colon > end) break;
    const std::size_t begin = text.find_first_not_of(' ', colon + 1);
    values.emplace(text.substr(at, colon - at), text.substr(begin, end - begin));
    at = end;
  }
  return values;
}

// The style of trees with values in place of variables, which not all programs know.
std::string style_with(std::string_view tokens) {
  const auto values = values_of(tokens);
  const auto shared = values_of(kTokensText);
  std::string style;
  for (std::string_view rest = kTreeStyleText; !rest.empty();) {
    const std::size_t begin = rest.find("var(");
    style += rest.substr(0, begin);
    if (begin == std::string_view::npos) break;
    const std::size_t end = rest.find(')', begin);
    const std::string_view name = rest.substr(begin + 4, end - begin - 4);
    const auto own = values.find(name);
    style += own == values.end() ? shared.find(name)->second : own->second;
    rest.remove_prefix(end + 1);
  }
  style.erase(0, style.find("*/") + 3);
  return style;
}

// Light, and dark where the viewer is.
std::string styles() {
  const std::string_view tokens = kTokensText;
  const std::size_t dark = tokens.find("@media screen");
  std::string darker = style_with(tokens.substr(dark));
  return "<style>\n" + style_with(tokens.substr(0, dark)) + "@media screen and (prefers-color-scheme: dark) {\n" +
         std::move(darker) + "}\n</style>\n";
}

const Json& signs() {
  static const Json kSigns = Json::parse(kSignsText)["signs"];
  return kSigns;
}

void write_text(double x, double y, std::string_view name, std::string_view text, std::ostream& out) {
  out << "<text class=\"" << name << "\" x=\"" << coordinate(x) << "\" y=\"" << coordinate(y) << "\">" << xml_text(text)
      << "</text>";
}

// The label as it is, and the value.
void write_value(double x, double y, const PictureRow& row, std::string_view name, std::ostream& out) {
  if (row.value.empty()) return;
  out << "<text class=\"row\" x=\"" << coordinate(x) << "\" y=\"" << coordinate(y) << "\">" << xml_text(row.label)
      << "<tspan class=\"" << name << "\">" << xml_text(row.value) << "</tspan></text>";
}

double round_of(const PictureNode& node, const PlacedBox& box) {
  if (node.role == PictureRole::decorator) return 11;
  if (node.role == PictureRole::condition) return std::min(17.0, box.height / 2);
  if (node.role == PictureRole::subtree) return 8;
  return node.role == PictureRole::control ? 4 : 1;
}

// The signs of a control, in a cell. Returns where its text begins.
double write_signs(const PictureNode& node, const PlacedBox& box, double round, std::ostream& out) {
  if (node.signs.empty()) return node.role == PictureRole::condition ? 14 : 10;
  const std::string low = coordinate(box.height - 0.5);
  out << "<path class=\"cell\" d=\"M" << coordinate(box.left) << " 0.5V" << low << 'H' << coordinate(round) << "Q0.5 "
      << low << " 0.5 " << coordinate(box.height - round) << 'V' << coordinate(round) << "Q0.5 0.5 "
      << coordinate(round) << " 0.5z\"/>";
  double x = 6;
  for (std::string_view rest = node.signs; !rest.empty(); x += 15) {
    const std::string_view sign = rest.substr(0, rest.find(' '));
    out << "<path class=\"sign\" transform=\"translate(" << coordinate(x) << ' ' << coordinate(box.height / 2 - 8)
        << ")\" d=\"" << signs()[std::string(sign)].get<std::string>() << "\"/>";
    rest.remove_prefix(std::min(sign.size() + 1, rest.size()));
  }
  return box.left + 8;
}

void write_lines(const PictureNode& node, double x, std::ostream& out) {
  double y = 20;
  write_text(x, y, "name", node.head(), out);
  if (!node.name.empty() && node.name != node.type) write_text(x, y += kLineStep, "type", node.type, out);
  for (const PictureRow& row : node.rows) {
    write_value(x, y += kLineStep, {label_text(row), "", row.value}, is_entry(row) ? "entry" : "value", out);
  }
  for (const std::string& tag : node.tags) {
    y += kLineStep;
    out << "<rect class=\"ground\" x=\"" << coordinate(x - 2) << "\" y=\"" << coordinate(y - 11) << "\" width=\""
        << coordinate(width_of(tag, Font::row) + 8) << "\" height=\"15\" rx=\"3\"/>";
    write_text(x + 2, y, "tag", tag, out);
  }
  if (!node.note.empty()) write_text(x, y + kLineStep, "memo", node.note, out);
}

std::string_view severity_of(const PictureNode& node) {
  for (const std::string_view severity : {"error", "warning", "note"}) {
    for (const std::string& finding : node.findings) {
      if (finding.starts_with(severity)) return severity;
    }
  }
  return {};
}

void write_badge(std::string_view severity, double right, std::ostream& out) {
  const std::string x = coordinate(right - 4);
  if (severity == "note") {
    out << "<circle class=\"badge-note\" cx=\"" << coordinate(right - 1) << "\" cy=\"1\" r=\"3.5\"/>";  // on the corner
    return;
  }
  if (severity == "error") {
    out << "<circle class=\"badge-error\" cx=\"" << x << "\" cy=\"2\" r=\"9\"/>";
  } else {
    out << "<path class=\"badge-warning\" d=\"M" << x << " -9l10 17h-20z\"/>";
  }
  write_text(right - 4, 6, "exclaims", "!", out);
}

void write_box(const PictureNode& node, const PlacedBox& box, std::ostream& out) {
  const std::string_view severity = severity_of(node);
  const double round = round_of(node, box);
  out << "<g class=\"node " << name_of(node.role);
  if (!severity.empty()) out << " found-" << severity;
  out << "\" transform=\"translate(" << coordinate(box.x) << ' ' << coordinate(box.y) << ")\"><title>"
      << xml_text(full_text(node)) << "</title><rect class=\"box\" width=\"" << coordinate(box.width) << "\" height=\""
      << coordinate(box.height) << "\" rx=\"" << coordinate(round) << "\"/>";
  if (node.role == PictureRole::subtree || node.is_block)
    out << "<path class=\"twice\" d=\"M8 3.5H" << coordinate(box.width - 8) << "\"/>";
  if (box.is_pill) {
    write_text(10, 15, "type", node.type, out);
    write_value(16 + width_of(node.type, Font::text), 15, pill_words(node), "entry", out);
  } else {
    write_lines(node, write_signs(node, box, round, out), out);
  }
  if (!severity.empty()) write_badge(severity, box.width, out);
  out << "</g>\n";
}

void write_tree(const PictureTree& tree, const PlacedTree& placed, std::ostream& out) {
  for (const PlacedGround& ground : placed.grounds) {
    out << "<rect class=\"block\" rx=\"10\" x=\"" << coordinate(ground.x) << "\" y=\"" << coordinate(ground.y)
        << "\" width=\"" << coordinate(ground.width) << "\" height=\"" << coordinate(ground.height) << "\"/>\n";
  }
  for (const std::string& edge : placed.edges) out << "<path class=\"edge\" d=\"" << edge << "\"/>\n";
  for (const PlacedBox& box : placed.boxes) write_box(tree.nodes[box.node], box, out);
}

// What is found at a node, below the tree: errors and warnings.
struct FoundLine {
  std::string_view severity;
  std::string text;
};
std::vector<FoundLine> found_lines(const PictureTree& tree) {
  constexpr std::size_t kMostCharacters = 120;
  std::vector<FoundLine> lines;
  for (const std::string_view severity : {"error", "warning"}) {
    for (const PictureNode& node : tree.nodes) {
      for (const std::string& finding : node.findings) {
        if (!finding.starts_with(severity)) continue;
        const std::string words = node.head() + finding.substr(severity.size());
        lines.push_back({severity, shortened_line(words, kMostCharacters)});
      }
    }
  }
  return lines;
}

constexpr double kFoundStep = 22;

void write_found(const std::vector<FoundLine>& lines, double y, std::ostream& out) {
  for (const FoundLine& line : lines) {
    y += kFoundStep;
    out << "<g transform=\"translate(0 " << coordinate(y) << ")\">";
    write_badge(line.severity, 13, out);
    write_text(26, 6, "value", line.text, out);
    out << "</g>\n";
  }
}

}  // namespace

void write_svg(std::span<const PictureTree> trees, std::ostream& out) {
  std::vector<PictureTree> drawn;
  std::vector<PlacedTree> placed;
  std::vector<std::vector<FoundLine>> found;
  double width = 0;
  double height = kMargin;
  for (const PictureTree& tree : trees) {
    PictureTree& fitted = drawn.emplace_back(tree);
    for (PictureNode& node : fitted.nodes) fit_rows(node);
    const PlacedTree& each = placed.emplace_back(lay_out(fitted, kViewWidth, kViewHeight));
    width = std::max({width, each.width, width_of(tree.name, Font::name) * 1.3});
    const std::vector<FoundLine>& lines = found.emplace_back(found_lines(tree));
    for (const FoundLine& line : lines) width = std::max(width, 26 + width_of(line.text, Font::text));
    height +=
        (trees.size() > 1 ? kTitleHeight : 0) + each.height + kMargin + kFoundStep * static_cast<double>(lines.size());
  }
  width += 2 * kMargin;
  out << kXmlDeclaration << "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"tree\" viewBox=\"0 0 "
      << coordinate(width) << ' ' << coordinate(height) << "\" width=\"" << coordinate(width) << "\" height=\""
      << coordinate(height) << "\">\n"
      << styles() << "<rect class=\"paper\" width=\"" << coordinate(width) << "\" height=\"" << coordinate(height)
      << "\"/>\n";
  double top = kMargin;
  for (std::size_t i = 0; i < trees.size(); ++i) {
    if (trees.size() > 1) {
      write_text(kMargin, top + 18, "title", trees[i].name, out);
      top += kTitleHeight;
    }
    out << "\n<g transform=\"translate(" << coordinate(kMargin) << ' ' << coordinate(top) << ")\">\n";
    write_tree(drawn[i], placed[i], out);
    write_found(found[i], placed[i].height, out);
    out << "</g>\n";
    top += placed[i].height + kMargin + kFoundStep * static_cast<double>(found[i].size());
  }
  out << "</svg>\n";
}

}  // namespace espalier::report
