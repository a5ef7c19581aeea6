// Trees as SVG: the root at the left, a row for each leaf, parents in the middle of their children. See pictures.h.
#include <algorithm>
#include <cmath>
#include <vector>

#include "report/output_form.h"
#include "report/pictures/pictures.h"
#include "report/xml_text.h"
#include "text/visible.h"

namespace espalier::report {
namespace {

constexpr std::size_t kMaxBoxCharacters = 36;
constexpr double kCharacterWidth = 7.4;  // of the font below, about; boxes are wide enough for wider ones
constexpr double kLineHeight = 15;
constexpr double kPadding = 8;
constexpr double kColumnGap = 36;
constexpr double kRowGap = 10;
constexpr double kTitleHeight = 34;

struct Box {
  double x = 0;
  double y = 0;  // of its middle
  double width = 0;
  double height = 0;
  std::size_t depth = 0;
  std::vector<std::string> lines = {};
};

std::size_t characters_of(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < text.size(); i += text::character_at(text, i).size_bytes) ++count;
  return count;
}

// One decimal, the same on every machine.
std::string coordinate(double value) {
  const long long tenths = std::llround(value * 10);
  std::string text = std::to_string(tenths / 10);
  if (tenths % 10 != 0) text += '.' + std::to_string(tenths % 10);
  return text;
}

class Layout {
 public:
  Layout(const PictureTree& tree, double top) : tree_(tree), boxes_(tree.nodes.size()) {
    measure();
    place_columns();
    place_rows(top);
  }
  const std::vector<Box>& boxes() const { return boxes_; }
  double width() const { return width_; }
  double bottom() const { return bottom_; }

 private:
  void measure() {
    for (std::size_t i = 0; i < boxes_.size(); ++i) {
      const PictureNode& node = tree_.nodes[i];
      Box& box = boxes_[i];
      box.depth = node.parent == kNoParent ? 0 : boxes_[node.parent].depth + 1;
      std::size_t longest = 0;
      std::vector<std::string> lines = box_lines(node);
      if (const std::string note = box_note(node); !note.empty()) lines.push_back(note);
      for (const std::string& line : lines) {
        box.lines.push_back(shortened_line(line, kMaxBoxCharacters));
        longest = std::max(longest, characters_of(box.lines.back()));
      }
      box.width = static_cast<double>(longest) * kCharacterWidth + 2 * kPadding;
      box.height = static_cast<double>(box.lines.size()) * kLineHeight + kPadding;
    }
  }

  // A column is as wide as its widest box.
  void place_columns() {
    std::vector<double> widths;
    for (const Box& box : boxes_) {
      widths.resize(std::max(widths.size(), box.depth + 1));
      widths[box.depth] = std::max(widths[box.depth], box.width);
    }
    std::vector<double> lefts;
    width_ = kColumnGap / 2;
    for (const double width : widths) {
      lefts.push_back(width_);
      width_ += width + kColumnGap;
    }
    for (Box& box : boxes_) box.x = lefts[box.depth];
  }

  // Leaves from top to bottom; then parents, which come before their children, from the last to the first.
  void place_rows(double top) {
    std::vector<std::size_t> child_counts(boxes_.size());
    for (const PictureNode& node : tree_.nodes) {
      if (node.parent != kNoParent) ++child_counts[node.parent];
    }
    bottom_ = top;
    for (std::size_t i = 0; i < boxes_.size(); ++i) {
      if (child_counts[i] > 0) continue;
      // A parent with one child is level with it, and may be higher.
      double height = boxes_[i].height;
      for (std::size_t k = i; tree_.nodes[k].parent != kNoParent && child_counts[tree_.nodes[k].parent] == 1;) {
        k = tree_.nodes[k].parent;
        height = std::max(height, boxes_[k].height);
      }
      boxes_[i].y = bottom_ + height / 2;
      bottom_ += height + kRowGap;
    }
    std::vector<double> first(boxes_.size());
    std::vector<double> last(boxes_.size());
    for (std::size_t i = boxes_.size(); i-- > 0;) {
      if (child_counts[i] > 0) boxes_[i].y = (first[i] + last[i]) / 2;
      const std::uint32_t parent = tree_.nodes[i].parent;
      if (parent == kNoParent) continue;
      first[parent] = boxes_[i].y;
      if (last[parent] == 0) last[parent] = boxes_[i].y;
    }
  }

  const PictureTree& tree_;
  std::vector<Box> boxes_;
  double width_ = 0;
  double bottom_ = 0;
};

constexpr std::string_view kStyle =
    "<style>\n"
    "  svg { background: #fff; color: #1b1b1b; font: 12px ui-monospace, 'DejaVu Sans Mono', monospace }\n"
    "  text { fill: currentColor; white-space: pre }\n"
    "  rect { fill: #f6f7f9; stroke: #8a93a0 }\n"
    "  path { fill: none; stroke: #8a93a0 }\n"
    "  .name { font-weight: bold }\n"
    "  .tree { font-size: 16px; font-weight: bold }\n"
    "  .finding rect { stroke: #b00020; stroke-width: 2 }\n"
    "  @media (prefers-color-scheme: dark) {\n"
    "    svg { background: #16181c; color: #e6e6e6 }\n"
    "    rect { fill: #23272e }\n"
    "    .finding rect { stroke: #ff6b81 }\n"
    "  }\n"
    "</style>\n";

void write_edge(const Box& parent, const Box& box, std::ostream& out) {
  const double from = parent.x + parent.width;
  const std::string middle = coordinate((from + box.x) / 2);
  out << "<path d=\"M" << coordinate(from) << ',' << coordinate(parent.y) << 'C' << middle << ','
      << coordinate(parent.y) << ' ' << middle << ',' << coordinate(box.y) << ' ' << coordinate(box.x) << ','
      << coordinate(box.y) << "\"/>\n";
}

void write_box(const PictureNode& node, const Box& box, std::ostream& out) {
  const double top = box.y - box.height / 2;
  out << "<g" << (node.findings.empty() ? "" : " class=\"finding\"") << "><title>" << xml_text(full_text(node), "\n")
      << "</title><rect x=\"" << coordinate(box.x) << "\" y=\"" << coordinate(top) << "\" width=\""
      << coordinate(box.width) << "\" height=\"" << coordinate(box.height) << "\" rx=\"5\"/>";
  for (std::size_t i = 0; i < box.lines.size(); ++i) {
    out << "<text" << (i == 0 ? " class=\"name\"" : "") << " x=\"" << coordinate(box.x + kPadding) << "\" y=\""
        << coordinate(top + kLineHeight * static_cast<double>(i + 1)) << "\">" << xml_text(box.lines[i]) << "</text>";
  }
  out << "</g>\n";
}

}  // namespace

void write_svg(std::span<const PictureTree> trees, std::ostream& out) {
  std::vector<Layout> layouts;
  double width = 0;
  double bottom = 0;
  for (const PictureTree& tree : trees) {
    const Layout& layout = layouts.emplace_back(tree, bottom + kTitleHeight);
    width = std::max(width, layout.width());
    bottom = layout.bottom();
  }
  const std::string size = coordinate(width) + ' ' + coordinate(bottom);
  out << kXmlDeclaration << "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " << size << "\" width=\""
      << coordinate(width) << "\" height=\"" << coordinate(bottom) << "\">\n"
      << kStyle;
  double top = 0;
  for (std::size_t i = 0; i < trees.size(); ++i) {
    const std::vector<Box>& boxes = layouts[i].boxes();
    out << "<text class=\"tree\" x=\"18\" y=\"" << coordinate(top + 22) << "\">" << xml_text(trees[i].name)
        << "</text>\n";
    for (std::size_t k = 0; k < boxes.size(); ++k) {
      const std::uint32_t parent = trees[i].nodes[k].parent;
      if (parent != kNoParent) write_edge(boxes[parent], boxes[k], out);
    }
    for (std::size_t k = 0; k < boxes.size(); ++k) write_box(trees[i].nodes[k], boxes[k], out);
    top = layouts[i].bottom();
  }
  out << "</svg>\n";
}

}  // namespace espalier::report
