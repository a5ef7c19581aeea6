// What is reached of trees, as colours of their nodes. See pictures.h.
#include <map>
#include <tuple>
#include <utility>

#include "report/explored.h"
#include "report/listing.h"
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

// The trace itself only where it says more than the names of files.
PictureItem item_in_words(const explore::Item& item, std::string reason, const std::vector<std::string>& names,
                          const explore::Item* could) {
  PictureItem words;
  words.text = text::visible(std::string(explore::name_of(item.kind)) + " '" + item.name + "': " + std::move(reason));
  words.traces = names;
  if (!names.empty() || could == nullptr || !could->shortest) return words;
  words.steps = text::visible(steps_words(could->shortest->steps));
  for (const std::string& line : file_lines(*could->shortest)) words.trace += text::visible(line) + '\n';
  return words;
}

void color_tree(PictureTree& picture, const explore::Cover& cover, const explore::Cover* possible, std::size_t number,
                const ReachedBy& reached_by) {
  const explore::TreeCover& tree = cover.trees[number];
  const explore::TreeCover* const explored = possible != nullptr ? &possible->trees[number] : nullptr;
  std::map<std::tuple<std::string, std::uint32_t, std::uint32_t>, std::vector<PictureNode*>> nodes;
  for (PictureNode& node : picture.nodes) nodes[{node.file, node.line, node.column}].push_back(&node);
  for (std::size_t i = 0; i < tree.items.size(); ++i) {
    const explore::Item& item = tree.items[i];
    const auto place = nodes.find({text::visible(item.place.file), item.place.line, item.place.column});
    if (place == nodes.end()) continue;
    const explore::Item* const could = explored != nullptr ? &explored->items[i] : &item;
    std::vector<std::string> names;
    if (number < reached_by.size()) {
      for (const std::size_t trace : reached_by[number][i]) names.push_back(text::visible(cover.traces[trace].name));
    }
    const bool is_reached = item.reached == explore::Reached::yes;
    const std::string reason = !is_reached ? missing_reason(item, tree, explored != nullptr ? could : nullptr, explored)
                               : !names.empty() ? "reached by " + counted(names.size(), "trace")
                                                : "reached in " + counted(item.steps, "step");
    for (PictureNode* node : place->second) {
      node->reached = together(node->reached, letter_of(item.reached));
      node->covered.push_back(item_in_words(item, reason, names, could));
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

void color_trees(std::vector<PictureTree>& trees, const explore::Cover& cover, const explore::Cover* possible,
                 const ReachedBy& reached_by) {
  for (PictureTree& picture : trees) {
    for (std::size_t i = 0; i < cover.trees.size(); ++i) {
      if (text::visible(cover.trees[i].tree) != picture.name) continue;
      color_tree(picture, cover, possible, i, reached_by);
    }
  }
}

}  // namespace espalier::report
