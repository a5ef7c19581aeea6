// Places of boxes. See svg_layout.h, and layout.js, which says why.
#include "report/pictures/svg_layout.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>

#include "text/visible.h"

namespace espalier::report {
namespace {

constexpr double kPillHeight = 22;
constexpr double kPillGap = 7;
constexpr double kOptionIndent = 26;
constexpr double kHangGap = 9;
constexpr double kCard = 10;
constexpr double kAcross = 18;
constexpr double kAlong = 34;
constexpr double kBend = 5;
constexpr std::size_t kMostOptions = 14;

// Of the characters from the blank to the tilde, in thousandths of the font's size.
constexpr std::array<std::uint16_t, 95> kPlain = {
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361,  318, 337, 636, 636, 636,
    636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632,
    575, 775, 752, 295, 295, 656, 557, 863, 748, 787, 603, 787, 695, 635,  611, 732, 684, 989, 685,
    611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635, 615, 352,  635, 634, 278, 278, 579,
    278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592,  525, 636, 337, 636, 838};
constexpr std::array<std::uint16_t, 95> kBold = {
    348, 456,  521, 838, 696, 1002, 872, 306, 457, 457, 523, 838, 380, 415,  380, 365, 696, 696,  696,
    696, 696,  696, 696, 696, 696,  696, 400, 400, 838, 838, 838, 580, 1000, 774, 762, 734, 830,  683,
    683, 821,  837, 372, 372, 775,  637, 995, 837, 850, 733, 850, 770, 720,  682, 812, 774, 1103, 771,
    724, 725,  457, 365, 457, 838,  500, 500, 675, 716, 593, 716, 678, 435,  716, 712, 343, 343,  665,
    343, 1042, 712, 687, 716, 716,  493, 595, 478, 712, 652, 924, 645, 652,  582, 712, 365, 712,  838};

double size_of(Font font) { return font == Font::name ? 13 : 11; }

// A size that a unit can have, and how: of each child its option, as a chain from the last one back.
enum class Way : std::uint8_t { none, row, hang };
struct Option {
  double width = 0;
  double height = 0;
  Way way = Way::none;
  std::uint32_t joined = 0;  // in Unit::joined
};
struct Joined {
  double width = 0;
  double height = 0;
  std::uint32_t last = 0;    // option of the child
  std::uint32_t before = 0;  // in Unit::joined; of the first child itself
};

// A box with the decorators on the edge above it.
struct Unit {
  std::vector<std::uint32_t> chain = {};  // nodes
  std::vector<std::uint32_t> children = {};
  double width = 0;
  double height = 0;
  double card = 0;
  std::vector<Option> options = {};
  std::vector<Joined> joined = {};
  double x = 0;
  double y = 0;
  double middle = 0;
  std::uint32_t option = 0;
  bool is_hung = false;
};

// Those that no other one is better than, narrow ones first.
template <typename Sized>
void keep_best(std::vector<Sized>& all) {
  std::sort(all.begin(), all.end(), [](const Sized& a, const Sized& b) {
    return a.width != b.width ? a.width < b.width : a.height < b.height;
  });
  std::vector<Sized> kept;
  for (const Sized& each : all) {
    if (kept.empty() || each.height < kept.back().height - 1) kept.push_back(each);
  }
  if (kept.size() > kMostOptions) {
    std::vector<Sized> some;
    for (std::size_t i = 0; i < kMostOptions; ++i) {
      const double at = static_cast<double>(i) * static_cast<double>(kept.size() - 1) / (kMostOptions - 1);
      some.push_back(kept[static_cast<std::size_t>(std::floor(at + 0.5))]);
    }
    kept = std::move(some);
  }
  all = std::move(kept);
}

class Layout {
 public:
  Layout(const PictureTree& tree, double width, double height) : tree_(tree) {
    placed_.boxes.resize(tree.nodes.size());
    make_units();
    for (std::size_t i = units_.size(); i-- > 0;) find_options(units_[i], i == 0);
    const auto scale = [&](const Option& option) {
      return std::min({width / option.width, height / option.height, kMostScale});
    };
    Unit& root = units_.front();
    for (std::uint32_t i = 1; i < root.options.size(); ++i) {
      if (scale(root.options[i]) > scale(root.options[root.option]) - 0.001) root.option = i;
    }
    placed_.width = root.options[root.option].width;
    placed_.height = root.options[root.option].height;
    for (Unit& unit : units_) place_children(unit);
    for (std::size_t i = units_.size(); i-- > 0;) place_chain(units_[i]);
    std::reverse(placed_.grounds.begin(), placed_.grounds.end());
  }
  PlacedTree take() { return std::move(placed_); }

 private:
  void make_units() {
    std::vector<std::uint32_t> counts(tree_.nodes.size());
    for (const PictureNode& node : tree_.nodes) {
      if (node.parent != kNoParent) ++counts[node.parent];
    }
    std::vector<std::uint32_t> unit_of(tree_.nodes.size());
    for (std::uint32_t i = 0; i < tree_.nodes.size(); ++i) {
      const PictureNode& node = tree_.nodes[i];
      PlacedBox& box = placed_.boxes[i];
      box = measure(node, counts[i]);
      box.node = i;
      const bool is_on_edge = node.parent != kNoParent && placed_.boxes[node.parent].is_rider;
      if (is_on_edge) {
        unit_of[i] = unit_of[node.parent];
      } else {
        unit_of[i] = static_cast<std::uint32_t>(units_.size());
        if (node.parent != kNoParent) units_[unit_of[node.parent]].children.push_back(unit_of[i]);
        units_.emplace_back();
      }
      Unit& unit = units_[unit_of[i]];
      unit.height += box.height + (unit.chain.empty() ? 0 : kPillGap);
      unit.width = std::max(unit.width, box.width);
      unit.chain.push_back(i);
      unit.card = node.role == PictureRole::subtree && counts[i] > 0 ? kCard : 0;
    }
  }

  static PlacedBox measure(const PictureNode& node, std::uint32_t child_count) {
    PlacedBox box;
    box.is_rider = node.role == PictureRole::decorator && child_count == 1;
    box.is_pill =
        box.is_rider && node.rows.size() + (node.name.empty() ? 0 : 1) <= 1 && node.tags.empty() && node.note.empty();
    if (box.is_pill) {
      const PictureRow words = pill_words(node);
      const double value = width_of(words.label, Font::row) + width_of(words.value, Font::entry);
      box.width = std::ceil(width_of(node.type, Font::text) + (value > 0 ? 6 + value : 0) + 20);
      box.height = kPillHeight;
      return box;
    }
    double width = width_of(node.head(), Font::name);
    std::size_t lines = node.rows.size() + node.tags.size();
    for (const PictureRow& row : node.rows) {
      width = std::max(
          width, width_of(label_text(row), Font::row) + width_of(row.value, is_entry(row) ? Font::entry : Font::row));
    }
    for (const std::string& tag : node.tags) width = std::max(width, width_of(tag, Font::row) + 8);
    if (!node.name.empty() && node.name != node.type) {
      width = std::max(width, width_of(node.type, Font::text));
      ++lines;
    }
    if (!node.note.empty()) {
      width = std::max(width, width_of(node.note, Font::strong));
      ++lines;
    }
    const auto signs = std::count(node.signs.begin(), node.signs.end(), ' ') + (node.signs.empty() ? 0 : 1);
    box.left = signs == 0 ? 0 : 14 + 14 * static_cast<double>(signs);
    box.width = std::ceil(width + 20 + box.left + (node.role == PictureRole::condition ? 8 : 0));
    box.height = std::max(30.0, 28 + kLineStep * static_cast<double>(lines));
    return box;
  }

  // All ways to put the children one after the other. Returns those of the last one, and where they begin.
  template <typename Size>
  std::pair<std::size_t, std::size_t> join(Unit& unit, const Size& size) {
    std::size_t begin = unit.joined.size();
    unit.joined.push_back({});
    for (std::size_t child = 0; child < unit.children.size(); ++child) {
      const std::vector<Option>& options = units_[unit.children[child]].options;
      std::vector<Joined> next;
      for (std::size_t before = begin; before < unit.joined.size(); ++before) {
        for (std::uint32_t last = 0; last < options.size(); ++last) {
          Joined joined = size(unit.joined[before], options[last], child == 0);
          joined.last = last;
          joined.before = static_cast<std::uint32_t>(before);
          next.push_back(joined);
        }
      }
      keep_best(next);
      begin = unit.joined.size();
      unit.joined.insert(unit.joined.end(), next.begin(), next.end());
    }
    return {begin, unit.joined.size()};
  }

  void find_options(Unit& unit, bool is_root) {
    if (unit.children.empty()) {
      unit.options.push_back({unit.width, unit.height, Way::none, 0});
      return;
    }
    const bool are_leaves =
        unit.children.size() > 4 && std::all_of(unit.children.begin(), unit.children.end(),
                                                [&](std::uint32_t child) { return units_[child].children.empty(); });
    if (!are_leaves || is_root) {
      const auto [begin, end] = join(unit, [](const Joined& a, const Option& b, bool is_first) {
        return Joined{a.width + (is_first ? 0 : kAcross) + b.width, std::max(a.height, b.height)};
      });
      for (std::size_t i = begin; i < end; ++i) {
        unit.options.push_back({std::max(unit.width, unit.joined[i].width) + 2 * unit.card,
                                unit.height + kAlong + unit.joined[i].height + unit.card, Way::row,
                                static_cast<std::uint32_t>(i)});
      }
    }
    if (unit.children.size() > 1) {
      const auto [begin, end] = join(unit, [](const Joined& a, const Option& b, bool) {
        return Joined{std::max(a.width, b.width), a.height + kHangGap + b.height};
      });
      for (std::size_t i = begin; i < end; ++i) {
        unit.options.push_back({std::max(unit.width, kOptionIndent + unit.joined[i].width) + 2 * unit.card,
                                unit.height + 3 + unit.joined[i].height + unit.card, Way::hang,
                                static_cast<std::uint32_t>(i)});
      }
    }
    keep_best(unit.options);
  }

  const Option& option_of(const Unit& unit) const { return unit.options[unit.option]; }

  void place_children(Unit& unit) {
    const Option& option = option_of(unit);
    std::uint32_t at = option.joined;
    for (std::size_t i = unit.children.size(); i-- > 0;) {
      units_[unit.children[i]].option = unit.joined[at].last;
      at = unit.joined[at].before;
    }
    const bool is_row = option.way == Way::row;
    double whole = kAcross * static_cast<double>(unit.children.size() - 1);
    for (const std::uint32_t child : unit.children) whole += option_of(units_[child]).width;
    double left = is_row ? unit.x + (option.width - whole) / 2 : unit.x + unit.card + kOptionIndent;
    double top = unit.y + unit.height + (is_row ? kAlong : 3);
    for (const std::uint32_t number : unit.children) {
      Unit& child = units_[number];
      if (!is_row) top += kHangGap;
      child.x = left;
      child.y = top;
      child.is_hung = !is_row;
      if (is_row) {
        left += option_of(child).width + kAcross;
      } else {
        top += option_of(child).height;
      }
    }
  }

  void place_chain(Unit& unit) {
    const Option& option = option_of(unit);
    double x = unit.x + unit.card;
    double y = unit.y;
    const bool is_centred = option.way != Way::hang && !unit.is_hung;
    if (is_centred && option.way == Way::row) {
      const double middle = (units_[unit.children.front()].middle + units_[unit.children.back()].middle) / 2;
      x = std::min(std::max(middle, unit.x + unit.width / 2), unit.x + option.width - unit.width / 2);
    } else if (is_centred) {
      x = unit.x + unit.width / 2;
    }
    for (std::size_t i = 0; i < unit.chain.size(); ++i) {
      PlacedBox& box = placed_.boxes[unit.chain[i]];
      box.x = is_centred ? x - box.width / 2 : x;
      box.y = y;
      if (i > 0) {
        const double at = is_centred ? x : x + std::min(placed_.boxes[unit.chain[i - 1]].width, box.width) / 2;
        placed_.edges.push_back('M' + coordinate(at) + ' ' + coordinate(y - kPillGap) + 'V' + coordinate(y));
      }
      y += box.height + kPillGap;
    }
    const PlacedBox& own = placed_.boxes[unit.chain.back()];
    unit.middle = is_centred ? x : x + placed_.boxes[unit.chain.front()].width / 2;
    if (unit.card > 0) {
      const double top = own.y + own.height / 2;
      placed_.grounds.push_back({unit.x, top, option.width, unit.y + option.height - top});
    }
    for (const std::uint32_t number : unit.children) {
      const Unit& child = units_[number];
      const PlacedBox& to = placed_.boxes[child.chain.front()];
      placed_.edges.push_back(option.way == Way::row
                                  ? bend_down(own.x + own.width / 2, own.y + own.height, child.middle, to.y)
                                  : hook(own, to));
    }
  }

  static std::string hook(const PlacedBox& from, const PlacedBox& to) {
    const double level = to.y + to.height / 2;
    return 'M' + coordinate(from.x + 13) + ' ' + coordinate(from.y + from.height) + 'V' + coordinate(level - kBend) +
           "q0 5 5 5H" + coordinate(to.x);
  }

  static std::string bend_down(double x, double y, double to_x, double to_y) {
    const double middle = to_y - kAlong / 2;
    const double way = to_x > x ? kBend : -kBend;
    const std::string begin = 'M' + coordinate(x) + ' ' + coordinate(y) + 'V';
    const std::string end = 'V' + coordinate(to_y);
    if (std::abs(to_x - x) < 1) return begin + coordinate(to_y);
    if (std::abs(to_x - x) < 2 * kBend)
      return begin + coordinate(middle) + 'L' + coordinate(to_x) + ' ' + coordinate(middle + 4) + end;
    const auto point = [](double at_x, double at_y) { return coordinate(at_x) + ' ' + coordinate(at_y); };
    return begin + coordinate(middle - kBend) + 'Q' + point(x, middle) + ' ' + point(x + way, middle) + 'H' +
           coordinate(to_x - way) + 'Q' + point(to_x, middle) + ' ' + point(to_x, middle + kBend) + end;
  }

  const PictureTree& tree_;
  std::vector<Unit> units_;
  PlacedTree placed_;
};

}  // namespace

double width_of(std::string_view text, Font font) {
  const bool is_mono = font == Font::row || font == Font::entry;
  const auto& widths = font == Font::text ? kPlain : kBold;
  double sum = 0;
  for (std::size_t i = 0; i < text.size();) {
    const text::Character character = text::character_at(text, i);
    i += character.size_bytes;
    const bool is_wide = character.code >= 0x1100;  // scripts whose characters are as wide as high, and what is rare
    if (character.code >= ' ' && character.code <= '~') {
      sum += is_mono ? 602 : widths[character.code - ' '];
    } else {
      sum += is_wide && character.code < 0x2000 ? 1000
             : is_mono                          ? (character.code >= 0x2E80 ? 1204 : 602)
                                                : (character.code >= 0x2E80 ? 1000 : 838);
    }
  }
  return sum * size_of(font) / 1000;
}

std::string label_text(const PictureRow& row) {
  if (row.arrow.empty()) return row.label.empty() ? "" : row.label + ' ';
  return row.arrow == ":" ? row.label + ": " : row.label + ' ' + std::string(row.arrow) + ' ';
}

bool is_entry(const PictureRow& row) { return row.value.starts_with('{'); }

PictureRow pill_words(const PictureNode& node) {
  if (node.rows.empty()) return {"", "", node.name};
  const PictureRow& row = node.rows.front();
  return {row.label == "if" || row.label == "name" ? "" : label_text(row), "", row.value};
}

std::string coordinate(double value) {
  const long long tenths = std::llround(value * 10);
  std::string text = (tenths < 0 ? "-" : "") + std::to_string(std::abs(tenths) / 10);
  if (tenths % 10 != 0) text += '.' + std::to_string(std::abs(tenths) % 10);
  return text;
}

PlacedTree lay_out(const PictureTree& tree, double width, double height) {
  if (tree.nodes.empty()) return {};
  return Layout(tree, width, height).take();
}

}  // namespace espalier::report
