// What is reached of trees, as colours of their nodes. See pictures.h.
#include <map>
#include <tuple>

#include "report/explored.h"
#include "report/pictures/pictures.h"
#include "text/visible.h"

namespace espalier::report {
namespace {

char letter_of(explore::Reached reached) {
  if (reached == explore::Reached::undecided) return 'u';
  return reached == explore::Reached::yes ? 'y' : 'n';
}

// Of two parts of a node.
char together(char a, char b) {
  if (a == ' ' || a == b) return b;
  return b == ' ' ? a : 'p';
}

void color_tree(PictureTree& picture, const explore::TreeCover& tree, const explore::TreeCover* possible) {
  std::map<std::tuple<std::string, std::uint32_t, std::uint32_t>, std::vector<PictureNode*>> nodes;
  for (PictureNode& node : picture.nodes) nodes[{node.file, node.line, node.column}].push_back(&node);
  for (std::size_t i = 0; i < tree.items.size(); ++i) {
    const explore::Item& item = tree.items[i];
    const auto place = nodes.find({text::visible(item.place.file), item.place.line, item.place.column});
    if (place == nodes.end()) continue;
    for (PictureNode* node : place->second) {
      node->reached = together(node->reached, letter_of(item.reached));
      if (item.reached == explore::Reached::yes) continue;
      const explore::Item* could = possible != nullptr ? &possible->items[i] : nullptr;
      node->items.push_back(text::visible(std::string(explore::name_of(item.kind)) + " '" + item.name +
                                          "': " + missing_reason(item, tree, could, possible)));
    }
  }
  // A node that is no item itself is reached where a node below it is.
  for (std::size_t i = picture.nodes.size(); i-- > 1;) {
    const PictureNode& node = picture.nodes[i];
    PictureNode& parent = picture.nodes[node.parent];
    if (parent.reached == ' ' && (node.reached == 'y' || node.reached == 'p')) parent.reached = 'y';
  }
}

}  // namespace

void color_trees(std::vector<PictureTree>& trees, const explore::Cover& cover, const explore::Cover* possible) {
  for (PictureTree& picture : trees) {
    for (std::size_t i = 0; i < cover.trees.size(); ++i) {
      if (text::visible(cover.trees[i].tree) != picture.name) continue;
      color_tree(picture, cover.trees[i], possible != nullptr ? &possible->trees[i] : nullptr);
    }
  }
}

}  // namespace espalier::report
