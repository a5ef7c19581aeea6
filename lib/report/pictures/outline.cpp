// From the rows of an asset to outlines. See outline.h.
#include "report/pictures/outline.h"

#include <algorithm>
#include <charconv>
#include <map>

#include "codegen/dump/disassemble.h"
#include "codegen/dump/listing.h"
#include "codegen/dump/rows.h"
#include "report/pictures/element_words.h"
#include "report/pictures/stored_nodes.h"
#include "runtime/format/opcode.h"
#include "text/visible.h"

namespace espalier::report {
namespace {

// Trees whose shared parts share others can be far larger than their files.
constexpr std::size_t kMaxNodes = 200'000;

// Draws a tree's unit, and shared ones at each of their places.
class Drawing {
 public:
  Drawing(const Tree& tree, const std::map<std::uint32_t, StoredUnit>& units, std::vector<PictureNode>& nodes)
      : tree_(tree), units_(units), nodes_(nodes) {}

  void draw(std::uint32_t unit, std::uint32_t parent, const PictureNode* place = nullptr) {
    const auto stored_unit = units_.find(unit);
    if (stored_unit == units_.end()) return;
    std::vector<std::uint32_t> path;
    const std::ptrdiff_t below_root = std::count_if(stored_unit->second.begin(), stored_unit->second.end(),
                                                    [](const StoredNode& stored) { return stored.depth == 1; });
    for (const StoredNode& stored : stored_unit->second) {
      if (nodes_.size() >= kMaxNodes) return;
      path.resize(stored.depth);
      const std::uint32_t above = path.empty() ? parent : path.back();
      if (stored.is_hidden && (above != kNoParent || stored.shares || below_root == 1)) {
        path.push_back(above);
        if (stored.shares) draw(*stored.shares, above, &stored.node);
        continue;
      }
      const auto index = static_cast<std::uint32_t>(nodes_.size());
      PictureNode& node = nodes_.emplace_back(stored.node);
      node.parent = above;
      if (place != nullptr && path.empty()) {
        node.is_block = true;
        node.rows.insert(node.rows.begin(), place->rows.begin(), place->rows.end());
      }
      path.push_back(index);
      if (stored.is_leaf) translate(node);
      if (stored.shares) draw(*stored.shares, index);
    }
  }

 private:
  // Trees that share nodes may have other behaviours for their leaves.
  void translate(PictureNode& node) {
    const std::uint32_t behavior = leaf_behavior(tree_, leaf_++);
    const std::string name = text::visible(behavior_name(*tree_.asset, behavior));
    if (name != node.name) node.rows.push_back({"behavior", ":", name});
  }

  const Tree& tree_;
  const std::map<std::uint32_t, StoredUnit>& units_;
  std::vector<PictureNode>& nodes_;
  std::uint32_t leaf_ = 0;
};

// Transitions lead to the n-th state beside their own: its name is told.
void name_states(std::vector<PictureNode>& nodes) {
  std::map<std::uint32_t, std::vector<std::string>> states;  // by machine
  for (const PictureNode& node : nodes) {
    if (node.kind == "state") states[node.parent].push_back(node.head());
  }
  for (PictureNode& node : nodes) {
    if (node.kind != "state") continue;
    const std::vector<std::string>& names = states[node.parent];
    for (PictureRow& row : node.rows) {
      std::uint32_t number = 0;
      const auto [end, fault] = std::from_chars(row.value.data(), row.value.data() + row.value.size(), number);
      if (row.arrow == "→" && fault == std::errc() && number < names.size()) row.value = names[number];
    }
  }
}

// The last node of the line that begins at or before the note.
std::vector<PictureNode*> nodes_at(PictureTree& tree, const PictureNote& note) {
  std::vector<PictureNode*> found;
  for (PictureNode& node : tree.nodes) {
    if (node.line != note.line || node.column > note.column || node.file != note.file) continue;
    if (!found.empty() && found.back()->column < node.column) found.clear();
    if (found.empty() || found.back()->column == node.column) found.push_back(&node);
  }
  return found;
}

struct Look {
  Opcode opcode;
  NodeLook look;
};
constexpr Look kLooks[] = {
#define NODE(name, role, signs) {opcode::name, {PictureRole::role, signs}},
#include "report/pictures/node_looks.def"
};

}  // namespace

NodeLook look_of(Opcode opcode) {
  const auto* const row =
      std::find_if(std::begin(kLooks), std::end(kLooks), [&](const Look& each) { return each.opcode == opcode; });
  return row == std::end(kLooks) ? NodeLook{} : row->look;
}

std::string_view name_of(PictureRole role) {
  constexpr std::string_view kNames[] = {"control", "decorator", "condition", "action", "subtree"};
  return kNames[static_cast<std::size_t>(role)];
}

std::string row_text(const PictureRow& row) {
  if (row.arrow.empty()) return row.label + (row.label.empty() ? "" : " ") + row.value;
  return row.label + (row.arrow == ":" ? "" : " ") + std::string(row.arrow) + ' ' + row.value;
}

std::vector<PictureTree> outline(const Asset& asset, const text::Sources& sources, std::string_view tree) {
  const std::map<std::uint32_t, StoredUnit> units = stored_units(asset);
  std::vector<PictureTree> trees;
  codegen::visit_rows(asset, [&](const codegen::Row& row) {
    if (row.depth != 0 || row.list != "trees" || (!tree.empty() && row.name != tree)) return;
    PictureTree& picture = trees.emplace_back();
    picture.name = text::visible(row.name);
    for (const codegen::Item& item : row.items) {
      if (item.key == "dialect") picture.dialect = item_text(item);
    }
    const Tree drawn = espalier::tree(asset, row.number);
    Drawing(drawn, units, picture.nodes).draw(tree_record(drawn).unit, kNoParent);
    name_states(picture.nodes);
  });
  add_element_words(trees, sources);
  return trees;
}

void add_findings(std::vector<PictureTree>& trees, const std::vector<PictureNote>& notes) {
  for (const PictureNote& note : notes) {
    bool is_placed = false;
    for (PictureTree& tree : trees) {
      for (PictureNode* node : nodes_at(tree, note)) {
        node->findings.push_back(note.text);
        is_placed = true;
      }
    }
    if (is_placed) continue;
    for (PictureTree& tree : trees) {
      const bool is_of_file = std::any_of(tree.nodes.begin(), tree.nodes.end(),
                                          [&](const PictureNode& node) { return node.file == note.file; });
      if (is_of_file) tree.findings.push_back(std::to_string(note.line) + ": " + note.text);
    }
  }
}

void fit_rows(PictureNode& node) {
  constexpr std::size_t kMostRows = 6;
  constexpr std::size_t kMostCharacters = 64;
  std::vector<std::string> left_out;
  for (std::size_t i = 0; i < node.rows.size(); ++i) {
    PictureRow& row = node.rows[i];
    const std::string whole = row_text(row);
    row.label = shortened_line(row.label, kMostCharacters - 12);
    row.value = shortened_line(row.value, kMostCharacters - std::min(kMostCharacters - 12, row.label.size() + 3));
    if (i >= kMostRows || row_text(row) != whole) left_out.push_back(whole);
  }
  node.rows.resize(std::min(node.rows.size(), kMostRows));
  for (std::string& tag : node.tags) {
    const std::string whole = tag;
    tag = shortened_line(tag, kMostCharacters);
    if (tag != whole) left_out.push_back(whole);
  }
  node.details.insert(node.details.begin(), left_out.begin(), left_out.end());
}

std::vector<std::string> box_lines(const PictureNode& node) {
  std::vector<std::string> lines = {node.head()};
  if (!node.name.empty() && node.name != node.type) lines.push_back(node.type);
  for (const PictureRow& row : node.rows) lines.push_back(row_text(row));
  lines.insert(lines.end(), node.tags.begin(), node.tags.end());
  if (!node.note.empty()) lines.push_back(node.note);
  return lines;
}

std::string shortened_line(std::string_view line, std::size_t most) {
  std::size_t end = 0;
  std::size_t last = 0;  // where the last character that fits begins
  for (std::size_t count = 0; end < line.size(); ++count) {
    if (count == most) return std::string(line.substr(0, last)) + "…";
    last = end;
    end += text::character_at(line, end).size_bytes;
  }
  return std::string(line);
}

std::string full_text(const PictureNode& node) {
  std::string text;
  for (const std::string& line : box_lines(node)) text += line + '\n';
  for (const auto* list : {&node.details, &node.items, &node.findings}) {
    for (const std::string& line : *list) text += line + '\n';
  }
  if (node.line != 0) text += node.file + ':' + std::to_string(node.line) + '\n';
  text.pop_back();
  return text;
}

}  // namespace espalier::report
