// Matching maps with leaves. See translations.h.
//
// A map's pattern is the list of its names, leaf last; a leaf fits when its path ends with them. Patterns are hashed as
// one string, and each leaf asks for the ends of its own path, in the lengths that patterns of its name have: no map
// is compared with every leaf.
#include "dialects/selection/translations.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "text/name_index.h"
#include "text/names.h"

namespace espalier::dialects::selection {
namespace {

constexpr char kBetween = '\0';  // stands in no name

struct Pattern {
  std::string key;  // its names, the leaf's first, then upwards
  std::string_view leaf;
  std::uint32_t length = 0;  // names; 0: there are none
  bool is_direct = false;
};

Pattern pattern_of(std::string_view text) {
  Pattern pattern;
  pattern.is_direct = text.find(':') == std::string_view::npos;
  std::size_t end = text.size();
  while (true) {
    const std::size_t colon = end == 0 ? std::string_view::npos : text.rfind(':', end - 1);
    const std::size_t begin = colon == std::string_view::npos ? 0 : colon + 1;
    if (begin < end) {
      const std::string_view name = text.substr(begin, end - begin);
      if (pattern.length == 0) pattern.leaf = name;
      pattern.key.append(name) += kBetween;
      ++pattern.length;
    }
    if (colon == std::string_view::npos) return pattern;
    end = colon;
  }
}

// A node, and where it stands. States are no ancestors.
struct Place {
  ir::Node* node;
  std::size_t parent;  // in the list of places; kNoPlace: none
};
constexpr std::size_t kNoPlace = static_cast<std::size_t>(-1);

// The leaves of a tree by name.
struct Leaves {
  std::vector<Place> places;                                               // of all nodes
  std::unordered_map<std::string_view, std::vector<std::size_t>> by_name;  // leaves, by index into places
  std::vector<std::string_view> names;
  text::NameIndex index = {};  // of them
};

void add_leaves(ir::Node& node, std::size_t parent, Leaves& leaves) {
  if (node.opcode != Opcode::select_state) {
    leaves.places.push_back({&node, parent});
    parent = leaves.places.size() - 1;
  }
  if (node.opcode == Opcode::select_leaf) {
    std::vector<std::size_t>& same = leaves.by_name[node.name];
    if (same.empty()) leaves.names.push_back(node.name);
    same.push_back(parent);
  }
  for (ir::Node& child : node.children) add_leaves(child, parent, leaves);  // depth is limited by the reader
}

// The map that leaves of a tree fit, and what becomes of it.
struct Entry {
  const TranslationMap* map;
  Pattern pattern;
  std::size_t order;  // in its section
  bool is_used = false;
  bool is_matched = false;
  std::optional<Span> hidden_by;   // for some leaf: the map of an earlier section that has translated it
  std::optional<Span> outdone_by;  // for some leaf: the map of its own section that wins
};

using Lengths = std::vector<std::uint32_t>;

struct Section {
  std::deque<Entry> entries;
  std::unordered_map<std::string_view, Entry*> direct;                  // by the leaf's name
  std::unordered_map<std::string_view, std::vector<Entry*>> qualified;  // by key; in file order
  std::vector<std::string_view> names;                                  // of leaves that maps speak of
  std::unordered_map<std::string_view, Lengths> lengths;                // of qualified patterns, by the leaf's name
};

Section index_of(const TranslationSection& source, Reporter& reporter) {
  Section section;
  std::unordered_map<std::string_view, const TranslationMap*> seen;
  for (const TranslationMap& map : source.maps) {
    if (!map.node) continue;
    const std::string_view text = map.node.value();
    if (const auto [first, is_new] = seen.try_emplace(text, &map); !is_new) {
      reporter.report_repeated(Rule::SEL_duplicate_map, map.node.value_span(), map.placed.use,
                               text::quote(text) + " is mapped twice in one section", first->second->node.value_span(),
                               "first mapped here");
      continue;
    }
    Entry& entry =
        section.entries.emplace_back(Entry{&map, pattern_of(text), section.entries.size(), false, false, {}, {}});
    const bool is_named = section.direct.contains(entry.pattern.leaf) || section.lengths.contains(entry.pattern.leaf);
    if (!is_named) section.names.push_back(entry.pattern.leaf);
    if (entry.pattern.is_direct) {
      section.direct.emplace(entry.pattern.leaf, &entry);
    } else if (entry.pattern.length > 0) {
      section.qualified[entry.pattern.key].push_back(&entry);
      Lengths& lengths = section.lengths[entry.pattern.leaf];
      if (std::find(lengths.begin(), lengths.end(), entry.pattern.length) == lengths.end()) {
        lengths.push_back(entry.pattern.length);
      }
    }
  }
  return section;
}

// All entries that a leaf fits. The one that wins is first.
std::vector<Entry*> find_fitting(const Section& section, const std::vector<Place>& places, const Place& leaf) {
  std::vector<Entry*> fitting;
  const std::string_view name = leaf.node->name;
  if (const auto lengths = section.lengths.find(name); lengths != section.lengths.end()) {
    const std::uint32_t longest = *std::max_element(lengths->second.begin(), lengths->second.end());
    std::string key;
    const Place* at = &leaf;
    for (std::uint32_t length = 1; length <= longest; ++length) {
      key.append(at->node->name) += kBetween;
      if (std::find(lengths->second.begin(), lengths->second.end(), length) != lengths->second.end()) {
        const auto found = section.qualified.find(key);
        if (found != section.qualified.end()) fitting.insert(fitting.end(), found->second.begin(), found->second.end());
      }
      if (at->parent == kNoPlace) break;
      at = &places[at->parent];
    }
    std::sort(fitting.begin(), fitting.end(), [](const Entry* a, const Entry* b) { return a->order < b->order; });
  }
  if (const auto direct = section.direct.find(name); direct != section.direct.end()) {
    fitting.insert(fitting.begin(), direct->second);
  }
  return fitting;
}

// One section's word on one leaf. `translated` is the map that has translated it, of this section or an earlier one.
void translate_leaf(const Section& section, const std::vector<Place>& places, std::size_t leaf,
                    const TranslationMap*& translated) {
  const std::vector<Entry*> fitting = find_fitting(section, places, places[leaf]);
  for (Entry* entry : fitting) {
    entry->is_matched = true;
    if (translated) {
      entry->hidden_by = translated->node.value_span();
    } else if (entry != fitting.front()) {
      entry->outdone_by = fitting.front()->map->node.value_span();
    } else {
      entry->is_used = true;
    }
  }
  if (fitting.empty() || translated) return;
  translated = fitting.front()->map;
  if (translated->target) places[leaf].node->as<ir::Leaf>().behavior = translated->target.value();
}

// The name of a leaf with its nearest ancestors, `length` names or fewer.
std::string path_of(const Leaves& leaves, std::size_t leaf, std::uint32_t length) {
  std::string path = leaves.places[leaf].node->name;
  for (std::size_t at = leaves.places[leaf].parent; length > 1 && at != kNoPlace; at = leaves.places[at].parent) {
    path.insert(0, leaves.places[at].node->name + ":");
    --length;
  }
  return path;
}

// Of maps that no leaf fits: the spellings that leaves would fit but for case, by lower-case key.
class Spellings {
 public:
  explicit Spellings(const Leaves& leaves) : leaves_(leaves) {}

  // The right spelling of a pattern; empty when there is none.
  std::string find(const Pattern& pattern) {
    const auto [entry, is_new] = by_length_.try_emplace(pattern.length);
    if (is_new) add_all(pattern.length, entry->second);
    const auto found = entry->second.find(text::lower_case(pattern.key));
    return found == entry->second.end() ? std::string() : path_of(leaves_, found->second, pattern.length);
  }

 private:
  using Found = std::unordered_map<std::string, std::size_t>;  // a leaf

  void add_all(std::uint32_t length, Found& found) {
    for (std::size_t leaf = 0; leaf < leaves_.places.size(); ++leaf) {
      if (leaves_.places[leaf].node->opcode != Opcode::select_leaf) continue;
      std::string key;
      std::uint32_t taken = 0;
      for (std::size_t at = leaf; taken < length && at != kNoPlace; at = leaves_.places[at].parent) {
        key.append(leaves_.places[at].node->name) += kBetween;
        ++taken;
      }
      names_taken_ += taken;
      if (names_taken_ > kMaxNamesTaken) return;
      if (taken == length && length > 0) found.try_emplace(text::lower_case(key), leaf);
    }
  }

  // A bound on hints in trees that are made to be slow: every length of pattern costs a pass over all leaves.
  static constexpr std::uint64_t kMaxNamesTaken = 20'000'000;
  const Leaves& leaves_;
  std::unordered_map<std::uint32_t, Found> by_length_;
  std::uint64_t names_taken_ = 0;
};

void report_unmatched(const Entry& entry, Leaves& leaves, Spellings& spellings, bool may_lack_leaves,
                      Reporter& reporter) {
  const Span span = entry.map->node.value_span();
  const UseIndex use = entry.map->placed.use;
  const Pattern& pattern = entry.pattern;
  const std::string name = text::quote(entry.map->node.value());
  if (const std::string right = spellings.find(pattern); !right.empty()) {
    reporter.report(Rule::SEL_map_in_other_case, span, use, "no leaf fits " + name + ": names in maps are exact",
                    "did you mean " + text::quote(right) + "?");
    return;
  }
  if (may_lack_leaves) return;
  const std::string message = (pattern.is_direct ? "no leaf is named " : "no leaf fits ") + name;
  if (const auto same = leaves.by_name.find(pattern.leaf); same != leaves.by_name.end()) {
    const std::size_t leaf = same->second.front();
    const std::string path = path_of(leaves, leaf, std::max(pattern.length, 2U));
    reporter.report_repeated(Rule::SEL_map_without_leaf, span, use, message, leaves.places[leaf].node->span,
                             "this leaf is " + text::quote(path));
    return;
  }
  reporter.report(Rule::SEL_map_without_leaf, span, use, message, leaves.index.did_you_mean(pattern.leaf));
}

void report_without_effect(const Entry& entry, Reporter& reporter) {
  const bool is_hidden = !entry.outdone_by;
  reporter.report_repeated(is_hidden ? Rule::SEL_hidden_map : Rule::SEL_map_without_effect,
                           entry.map->node.value_span(), entry.map->placed.use,
                           "this map has no effect: every leaf that fits " + text::quote(entry.map->node.value()) +
                               " has been translated by " + (is_hidden ? "an earlier section" : "another map"),
                           is_hidden ? *entry.hidden_by : *entry.outdone_by, "by this map");
}

}  // namespace

void translate_leaves(ir::Node& root, const std::vector<TranslationSection>& sources, bool may_lack_leaves,
                      Reporter& reporter) {
  if (sources.empty()) return;
  Leaves leaves;
  add_leaves(root, kNoPlace, leaves);
  leaves.index = text::NameIndex(leaves.names);
  std::vector<const TranslationMap*> translated(leaves.places.size(), nullptr);
  std::deque<Section> sections;
  for (const TranslationSection& source : sources) {
    Section& section = sections.emplace_back(index_of(source, reporter));
    for (const std::string_view name : section.names) {
      const auto same = leaves.by_name.find(name);
      if (same == leaves.by_name.end()) continue;
      for (const std::size_t leaf : same->second) translate_leaf(section, leaves.places, leaf, translated[leaf]);
    }
  }
  Spellings spellings(leaves);
  for (const Section& section : sections) {
    for (const Entry& entry : section.entries) {
      if (entry.is_used || !entry.map->target) continue;
      if (entry.is_matched) {
        report_without_effect(entry, reporter);
      } else {
        report_unmatched(entry, leaves, spellings, may_lack_leaves, reporter);
      }
    }
  }
}

}  // namespace espalier::dialects::selection
