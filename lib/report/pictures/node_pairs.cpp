// Pairs of nodes: from the roots down, then of what is left. See node_pairs.h.
#include "report/pictures/node_pairs.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <span>
#include <utility>

namespace espalier::report {
namespace {

using NodeIndexes = std::vector<std::uint32_t>;

// What a node says, as far as it matters: two that say the same are the same.
std::string told_words(const PictureNode& node) {
  std::string words = node.type + '\n' + node.name + '\n' + node.note;
  for (const PictureRow& row : node.rows) words += '\n' + row_text(row);
  for (const std::string& tag : node.tags) words += "\n#" + tag;
  for (const std::string& detail : node.details) words += "\n-" + detail;
  return words;
}

// One version, with numbers for equal texts and equal parts.
struct PairedVersion {
  const PictureTree& tree;
  std::vector<NodeIndexes> children = {};
  NodeIndexes words = {};  // of nodes that say the same: the same number
  NodeIndexes names = {};  // the same of their types and names
  NodeIndexes parts = {};  // the same of nodes with all that is below them
  NodeIndexes ends = {};   // the first node that is not below
  std::uint32_t size() const { return static_cast<std::uint32_t>(tree.nodes.size()); }
};

class TextNumbers {
 public:
  std::uint32_t of(const std::string& text) {
    return numbers_.emplace(text, static_cast<std::uint32_t>(numbers_.size())).first->second;
  }

 private:
  std::map<std::string, std::uint32_t> numbers_;
};

PairedVersion read_version(const PictureTree& tree, TextNumbers& numbers) {
  PairedVersion version{tree};
  const std::uint32_t count = version.size();
  version.children.resize(count);
  version.ends.resize(count);
  version.parts.resize(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    const PictureNode& node = tree.nodes[i];
    if (node.parent != kNoParent) version.children[node.parent].push_back(i);
    version.words.push_back(numbers.of(told_words(node)));
    version.names.push_back(numbers.of("name " + node.type + '\n' + node.name));
  }
  for (std::uint32_t i = count; i-- > 0;) {
    std::string part = "part " + std::to_string(version.words[i]);
    version.ends[i] = i + 1;
    for (const std::uint32_t child : version.children[i]) {
      part += ' ' + std::to_string(version.parts[child]);
      version.ends[i] = std::max(version.ends[i], version.ends[child]);
    }
    version.parts[i] = numbers.of(part);
  }
  return version;
}

// How much of two parts is alike, 0 to 1: the names that both have.
double likeness(const PairedVersion& before, std::uint32_t a, const PairedVersion& after, std::uint32_t b) {
  if (before.parts[a] == after.parts[b]) return 1;
  const auto names_of = [](const PairedVersion& version, std::uint32_t node) {
    NodeIndexes names(version.names.begin() + node, version.names.begin() + version.ends[node]);
    std::sort(names.begin(), names.end());
    return names;
  };
  const NodeIndexes one = names_of(before, a);
  const NodeIndexes other = names_of(after, b);
  NodeIndexes both;
  std::set_intersection(one.begin(), one.end(), other.begin(), other.end(), std::back_inserter(both));
  return static_cast<double>(both.size()) / static_cast<double>(std::max(one.size(), other.size()));
}

// The most of these numbers that grow, by their places; the last ones, if there are several ways.
std::vector<bool> growing(const NodeIndexes& numbers) {
  std::vector<std::size_t> lengths(numbers.size(), 1);
  std::vector<std::size_t> before(numbers.size(), numbers.size());
  std::size_t last = numbers.size();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      if (numbers[k] < numbers[i] && lengths[k] + 1 >= lengths[i]) {
        lengths[i] = lengths[k] + 1;
        before[i] = k;
      }
    }
    if (last == numbers.size() || lengths[i] >= lengths[last]) last = i;
  }
  std::vector<bool> grows(numbers.size());
  for (; last < numbers.size(); last = before[last]) grows[last] = true;
  return grows;
}

class Pairing {
 public:
  Pairing(const PictureTree& before, const PictureTree& after)
      : before_(read_version(before, numbers_)), after_(read_version(after, numbers_)) {
    pairs_.new_of_old.assign(before_.size(), kNoParent);
    pairs_.old_of_new.assign(after_.size(), kNoParent);
  }

  NodePairs take() {
    if (before_.size() > 0 && after_.size() > 0) {
      if (before_.names[0] == after_.names[0]) pair_below(0, 0);
      pair_what_is_left();
      pair_in_gaps();
    }
    find_changes();
    return std::move(pairs_);
  }

 private:
  bool is_left(std::uint32_t a, std::uint32_t b) const {
    return pairs_.new_of_old[a] == kNoParent && pairs_.old_of_new[b] == kNoParent;
  }
  void pair(std::uint32_t a, std::uint32_t b) {
    pairs_.new_of_old[a] = b;
    pairs_.old_of_new[b] = a;
  }

  // A pair, and their children in an order that gives the most likeness.
  void pair_below(std::uint32_t a, std::uint32_t b) {
    pair(a, b);
    const NodeIndexes& ours = before_.children[a];
    const NodeIndexes& theirs = after_.children[b];
    const auto score = [&](std::size_t i, std::size_t k) {
      const std::uint32_t one = ours[i];
      const std::uint32_t other = theirs[k];
      if (before_.tree.nodes[one].type != after_.tree.nodes[other].type || !is_left(one, other)) return 0.0;
      const double alike = likeness(before_, one, after_, other);
      return before_.names[one] == after_.names[other] ? 1 + 2 * alike : alike >= kLikeEnough ? 2 * alike : 0;
    };
    const std::size_t width = theirs.size() + 1;
    std::vector<double> best((ours.size() + 1) * width);
    std::vector<double> scores(best.size());
    for (std::size_t i = ours.size(); i-- > 0;) {
      for (std::size_t k = theirs.size(); k-- > 0;) {
        scores[i * width + k] = score(i, k);
        const double with = scores[i * width + k] + best[(i + 1) * width + k + 1];
        best[i * width + k] = std::max({with, best[(i + 1) * width + k], best[i * width + k + 1]});
      }
    }
    for (std::size_t i = 0, k = 0; i < ours.size() && k < theirs.size();) {
      const double here = best[i * width + k];
      if (here <= best[(i + 1) * width + k]) {
        ++i;
      } else if (here <= best[i * width + k + 1]) {
        ++k;
      } else {
        pair_below(ours[i++], theirs[k++]);
      }
    }
  }

  // What stands elsewhere, the largest parts first: a part that is the same, or else a node of the same name.
  void pair_what_is_left() {
    NodeIndexes order;
    for (std::uint32_t i = 0; i < before_.size(); ++i) order.push_back(i);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return before_.ends[a] - a > before_.ends[b] - b; });
    for (const NodeIndexes PairedVersion::*alike :
         {&PairedVersion::parts, &PairedVersion::words, &PairedVersion::names}) {
      for (const std::uint32_t node : order) {
        if (pairs_.new_of_old[node] != kNoParent) continue;
        const std::uint32_t partner = find_partner(node, alike);
        if (partner != kNoParent) pair_below(node, partner);
      }
    }
  }

  // The one that is in the partner of what this one is in, or else the first one.
  std::uint32_t find_partner(std::uint32_t node, const NodeIndexes PairedVersion::*alike) const {
    std::uint32_t found = kNoParent;
    const std::uint32_t home = home_of(before_, node, pairs_.new_of_old);
    for (std::uint32_t i = 0; i < after_.size(); ++i) {
      if ((after_.*alike)[i] != (before_.*alike)[node] || !is_left(node, i)) continue;
      if (found == kNoParent) found = i;
      const std::uint32_t other = home_of(after_, i, pairs_.old_of_new);
      const bool is_at_home = home == kNoParent ? other == kNoParent : pairs_.new_of_old[home] == other;
      if (is_at_home) return i;
    }
    return found;
  }

  // The next node above that has a partner.
  static std::uint32_t home_of(const PairedVersion& version, std::uint32_t node, const NodeIndexes& partners) {
    std::uint32_t above = version.tree.nodes[node].parent;
    while (above != kNoParent && partners[above] == kNoParent) above = version.tree.nodes[above].parent;
    return above;
  }

  // NodeIndexes without partners that are between the same ones, and of one kind: the one takes the place of the other.
  void pair_in_gaps() {
    if (is_left(0, 0) && before_.tree.nodes[0].role == after_.tree.nodes[0].role) pair(0, 0);
    for (std::uint32_t a = 0; a < before_.size(); ++a) {
      const std::uint32_t b = pairs_.new_of_old[a];
      if (b == kNoParent) continue;
      const NodeIndexes& theirs = after_.children[b];
      std::size_t k = 0;
      for (const std::uint32_t child : before_.children[a]) {
        const auto place = std::find(theirs.begin(), theirs.end(), pairs_.new_of_old[child]);
        if (place != theirs.end()) k = static_cast<std::size_t>(place - theirs.begin()) + 1;
        if (pairs_.new_of_old[child] != kNoParent || k >= theirs.size()) continue;
        if (!is_left(child, theirs[k]) || !takes_place(child, theirs[k])) continue;
        pair(child, theirs[k++]);
      }
    }
  }

  bool takes_place(std::uint32_t a, std::uint32_t b) const {
    return before_.tree.nodes[a].role == after_.tree.nodes[b].role &&
           before_.children[a].empty() == after_.children[b].empty();
  }

  void find_changes() {
    pairs_.old_changes.assign(before_.size(), NodeChange::removed);
    pairs_.new_changes.assign(after_.size(), NodeChange::added);
    // By the node that they are in: is their order the same?
    std::map<std::uint32_t, NodeIndexes> inside;
    for (std::uint32_t a = 0; a < before_.size(); ++a) {
      const std::uint32_t b = pairs_.new_of_old[a];
      if (b == kNoParent) continue;
      const bool is_same = before_.words[a] == after_.words[b];
      pairs_.old_changes[a] = pairs_.new_changes[b] = is_same ? NodeChange::same : NodeChange::changed;
      const std::uint32_t home = home_of(before_, a, pairs_.new_of_old);
      const std::uint32_t other = home_of(after_, b, pairs_.old_of_new);
      if (home == kNoParent ? other == kNoParent : pairs_.new_of_old[home] == other) {
        inside[home].push_back(a);
      } else {
        move(a);
      }
    }
    for (const auto& [home, nodes] : inside) {
      NodeIndexes places;
      for (const std::uint32_t node : nodes) places.push_back(pairs_.new_of_old[node]);
      const std::vector<bool> grows = growing(places);
      for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (!grows[i]) move(nodes[i]);
      }
    }
  }

  void move(std::uint32_t node) {
    pairs_.old_changes[node] = pairs_.new_changes[pairs_.new_of_old[node]] = NodeChange::moved;
  }

  static constexpr double kLikeEnough = 0.3;
  TextNumbers numbers_;
  const PairedVersion before_;
  const PairedVersion after_;
  NodePairs pairs_;
};

}  // namespace

bool NodePairs::are_same() const {
  const auto is_same = [](NodeChange change) { return change == NodeChange::same; };
  return std::all_of(old_changes.begin(), old_changes.end(), is_same) &&
         std::all_of(new_changes.begin(), new_changes.end(), is_same);
}

NodePairs pair_nodes(const PictureTree& before, const PictureTree& after) { return Pairing(before, after).take(); }

}  // namespace espalier::report
