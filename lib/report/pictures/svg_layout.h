// Places the boxes of a tree for pictures without a browser, as layout.js does it in pages: what is changed here is
// changed there. All lengths are in pixels.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "report/pictures/outline.h"

namespace espalier::report {

// Fonts of pictures, by size and weight. Widths are those of DejaVu, which others do not exceed by much.
enum class Font : std::uint8_t { name, text, strong, row, entry };
double width_of(std::string_view text, Font font);

inline constexpr double kLineStep = 16;
inline constexpr double kMostScale = 1.25;

struct PlacedBox {
  std::uint32_t node = 0;
  double x = 0;
  double y = 0;
  double width = 0;
  double height = 0;
  double left = 0;        // of the cell with signs
  bool is_rider = false;  // a decorator above its child, on the edge to it
  bool is_pill = false;   // the same, with one thing to say
};

struct PlacedGround {
  double x = 0;
  double y = 0;
  double width = 0;
  double height = 0;
};

struct PlacedTree {
  std::vector<PlacedBox> boxes = {};  // by node
  std::vector<std::string> edges = {};
  std::vector<PlacedGround> grounds = {};  // of subtrees, outer ones first
  double width = 0;
  double height = 0;
};

// `width` and `height`: of the view that the tree should fit at the largest scale.
PlacedTree lay_out(const PictureTree& tree, double width, double height);

// "room: " or "if ": what stands before the value.
std::string label_text(const PictureRow& row);
bool is_entry(const PictureRow& row);
// What a pill says: a label, and the value.
PictureRow pill_words(const PictureNode& node);

// Three decimals at most, the same on every machine.
std::string coordinate(double value);

}  // namespace espalier::report
