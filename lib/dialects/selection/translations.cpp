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

// A leaf, and where it stands. States are no ancestors.
struct Place {
  ir::Node* node;
  std::size_t parent;  // in the list of places; kNoPlace: none
};
constexpr std::size_t kNoPlace = static_cast<std::size_t>(-1);

void add_places(ir::Node& node, std::size_t parent, std::vector<Place>& places) {
  if (node.opcode != Opcode::select_state) {
    places.push_back({&node, parent});
    parent = places.size() - 1;
  }
  for (ir::Node& child : node.children) add_places(child, parent, places);  // depth is limited by the reader
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
                               text::quoted(text) + " is mapped twice in one section", first->second->node.value_span(),
                               "first mapped here");
      continue;
    }
    Entry& entry =
        section.entries.emplace_back(Entry{&map, pattern_of(text), section.entries.size(), false, false, {}, {}});
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

// All entries that a leaf fits: the direct one, else those that it would have the choice of; the one that wins is
// first.
void find_fitting(const Section& section, const std::vector<Place>& places, const Place& leaf,
                  std::vector<Entry*>& fitting) {
  fitting.clear();
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
}

// Of maps that no leaf fits: the spellings that leaves would fit but for case, by lower-case key.
class Spellings {
 public:
  explicit Spellings(const std::vector<Place>& places) : places_(places) {}

  // The right spelling of a pattern; empty when there is none.
  std::string find(const Pattern& pattern) {
    if (pattern.length == 0) return {};
    auto [entry, is_new] = by_length_.try_emplace(pattern.length);
    if (is_new) {
      for (const Place& place : places_) {
        if (place.node->opcode == Opcode::select_leaf) add(place, pattern.length, entry->second);
      }
    }
    const auto found = entry->second.find(text::lower_case(pattern.key));
    return found == entry->second.end() ? std::string() : found->second;
  }
  std::string nearest(std::string_view leaf) {
    std::vector<std::string_view> names;
    for (const Place& place : places_) {
      if (place.node->opcode == Opcode::select_leaf) names.push_back(place.node->name);
    }
    return text::did_you_mean(leaf, names);
  }

 private:
  using Found = std::unordered_map<std::string, std::string>;

  void add(const Place& leaf, std::uint32_t length, Found& found) {
    std::string key, spelling;
    const Place* at = &leaf;
    for (std::uint32_t i = 0; i < length; ++i) {
      key.append(at->node->name) += kBetween;
      spelling = at->node->name + (i > 0 ? ":" : "") + spelling;
      if (i + 1 < length) {
        if (at->parent == kNoPlace) return;
        at = &places_[at->parent];
      }
    }
    found.try_emplace(text::lower_case(key), spelling);
  }

  const std::vector<Place>& places_;
  std::unordered_map<std::uint32_t, Found> by_length_;
};

void report_unmatched(const Entry& entry, Spellings& spellings, bool may_lack_leaves, Reporter& reporter) {
  const Span span = entry.map->node.value_span();
  const std::string name = text::quoted(entry.map->node.value());
  const std::string leaf = text::quoted(entry.pattern.leaf);
  if (const std::string right = spellings.find(entry.pattern); !right.empty()) {
    reporter.report(Rule::SEL_map_in_other_case, span, entry.map->placed.use,
                    "no leaf fits " + name + ": names in maps are exact, case counts",
                    "did you mean " + text::quoted(right) + "?");
  } else if (!may_lack_leaves) {
    reporter.report(Rule::SEL_map_without_leaf, span, entry.map->placed.use,
                    entry.pattern.is_direct ? "no leaf is named " + name : "no leaf fits " + name,
                    spellings.nearest(entry.pattern.leaf));
  }
}

void report_without_effect(const Entry& entry, Reporter& reporter) {
  const bool is_hidden = !entry.outdone_by;
  reporter.report_repeated(is_hidden ? Rule::SEL_hidden_map : Rule::SEL_map_without_effect,
                           entry.map->node.value_span(), entry.map->placed.use,
                           "this map has no effect: every leaf that fits " + text::quoted(entry.map->node.value()) +
                               " has been translated by " + (is_hidden ? "an earlier section" : "another map"),
                           is_hidden ? *entry.hidden_by : *entry.outdone_by, "by this map");
}

}  // namespace

void translate_leaves(ir::Node& root, const std::vector<TranslationSection>& sources, bool may_lack_leaves,
                      Reporter& reporter) {
  if (sources.empty()) return;
  std::vector<Place> places;
  add_places(root, kNoPlace, places);
  std::vector<const TranslationMap*> translated(places.size(), nullptr);
  std::deque<Section> sections;
  std::vector<Entry*> fitting;
  for (const TranslationSection& source : sources) {
    Section& section = sections.emplace_back(index_of(source, reporter));
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (places[i].node->opcode != Opcode::select_leaf) continue;
      find_fitting(section, places, places[i], fitting);
      for (Entry* entry : fitting) {
        entry->is_matched = true;
        if (translated[i]) {
          entry->hidden_by = translated[i]->node.value_span();
        } else if (entry != fitting.front()) {
          entry->outdone_by = fitting.front()->map->node.value_span();
        } else {
          entry->is_used = true;
        }
      }
      if (fitting.empty() || translated[i]) continue;
      translated[i] = fitting.front()->map;
      if (translated[i]->target) places[i].node->behavior = translated[i]->target.value();
    }
  }
  Spellings spellings(places);
  for (const Section& section : sections) {
    for (const Entry& entry : section.entries) {
      if (entry.is_used || !entry.map->target) continue;
      if (entry.is_matched) {
        report_without_effect(entry, reporter);
      } else {
        report_unmatched(entry, spellings, may_lack_leaves, reporter);
      }
    }
  }
}

}  // namespace espalier::dialects::selection
