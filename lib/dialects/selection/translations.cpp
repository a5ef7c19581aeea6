// Matches maps with leaves. See translations.h.
//
// A map's pattern is a list of names with the leaf last; it matches a leaf whose path ends with them. Each leaf looks
// up the hashes of all suffixes of its path, so no map is compared with every leaf.
#include "dialects/selection/translations.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "rules/selection.h"
#include "runtime/format/opcodes/select.h"
#include "text/name_index.h"
#include "text/names.h"

namespace espalier::dialects::selection {
namespace {

std::size_t hash_with(std::size_t hash, std::string_view name) {
  return hash * 31 + std::hash<std::string_view>()(name);
}

struct Pattern {
  std::vector<std::string_view> names;  // the leaf's first, then upwards; may be empty
  bool is_direct = false;
  std::size_t hash = 0;

  std::string_view leaf() const { return names.empty() ? std::string_view() : names.front(); }
};

Pattern pattern_of(std::string_view text) {
  Pattern pattern;
  pattern.is_direct = text.find(':') == std::string_view::npos;
  while (!text.empty()) {
    const std::size_t colon = text.rfind(':');
    const std::string_view name = text.substr(colon + 1);  // npos + 1 is 0
    if (!name.empty()) {
      pattern.names.push_back(name);
      pattern.hash = hash_with(pattern.hash, name);
    }
    text = text.substr(0, colon == std::string_view::npos ? 0 : colon);
  }
  return pattern;
}

// A node and its parent. States are not ancestors.
struct NodeAndParent {
  ir::Draft* node;
  std::size_t parent;  // index into the places, or kNoPlace
};
constexpr std::size_t kNoPlace = static_cast<std::size_t>(-1);

// The leaves of a tree by name.
struct Leaves {
  std::vector<NodeAndParent> places;                                        // of all nodes except states
  std::unordered_map<std::string_view, std::vector<std::size_t>> by_name;   // leaves, by index into places
  std::unordered_map<std::string, std::vector<std::size_t>> by_lower_name;  // the same, names in lower case
  std::vector<std::string_view> names;                                      // may repeat

  std::string_view name(std::size_t at) const { return places[at].node->name(); }
};

void add_leaves(ir::Draft& node, std::size_t parent, Leaves& leaves) {
  if (node.opcode != opcode::select_state) {
    leaves.places.push_back({&node, parent});
    parent = leaves.places.size() - 1;
  }
  if (node.opcode == opcode::select_leaf) {
    leaves.by_name[node.name()].push_back(parent);
    leaves.names.push_back(node.name());
    leaves.by_lower_name[text::lower_case(node.name())].push_back(parent);
  }
  // Depth is limited by the reader.
  for (ir::Draft* child = node.first_child(); child != nullptr; child = child->next_sibling()) {
    add_leaves(*child, parent, leaves);
  }
}

using Equal = bool (*)(std::string_view, std::string_view);
bool is_equal(std::string_view a, std::string_view b) { return a == b; }

bool matches(const Pattern& pattern, const Leaves& leaves, std::size_t leaf, Equal equal) {
  std::size_t at = leaf;
  for (const std::string_view name : pattern.names) {
    if (at == kNoPlace || !equal(leaves.name(at), name)) return false;
    at = leaves.places[at].parent;
  }
  return !pattern.names.empty();
}

// A map, and the outcome of matching it.
struct Entry {
  const TranslationMap* map;
  Pattern pattern;
  std::size_t order;  // in its section
  bool is_used = false;
  std::optional<Span> hidden_by = {};   // for some leaf: the map of an earlier section that translated it
  std::optional<Span> outdone_by = {};  // for some leaf: the map of the same section that wins
};

struct Section {
  std::deque<Entry> entries;
  std::unordered_map<std::size_t, std::vector<Entry*>> by_hash;   // of the pattern
  std::unordered_map<std::string_view, std::size_t> max_lengths;  // of patterns, by the leaf's name
};

Section index_of(const TranslationSection& source, Reporter& reporter) {
  Section section;
  std::unordered_map<std::string_view, Span> seen;
  for (const TranslationMap& map : source.maps) {
    if (!map.node) continue;
    const std::string_view text = map.node.value();
    if (const auto [first, is_new] = seen.try_emplace(text, map.node.value_span()); !is_new) {
      reporter.report(rules::SEL_duplicate_map, {map.node.value_span(), map.use},
                      "duplicate map of " + quote(text) + " in this section", {}, {first->second, "first mapped here"});
      continue;
    }
    Entry& entry = section.entries.emplace_back(Entry{&map, pattern_of(text), section.entries.size()});
    section.by_hash[entry.pattern.hash].push_back(&entry);
    std::size_t& max_length = section.max_lengths[entry.pattern.leaf()];
    max_length = std::max(max_length, entry.pattern.names.size());
  }
  return section;
}

// All entries that match a leaf. The one that wins is first.
std::vector<Entry*> find_matching(const Section& section, const Leaves& leaves, std::size_t leaf,
                                  std::size_t max_length) {
  std::vector<Entry*> matching;
  std::size_t hash = 0;
  for (std::size_t at = leaf; at != kNoPlace && max_length > 0; at = leaves.places[at].parent, --max_length) {
    hash = hash_with(hash, leaves.name(at));
    const auto found = section.by_hash.find(hash);
    if (found == section.by_hash.end()) continue;
    for (Entry* entry : found->second) {
      if (matches(entry->pattern, leaves, leaf, is_equal)) matching.push_back(entry);
    }
  }
  std::sort(matching.begin(), matching.end(), [](const Entry* a, const Entry* b) {
    return a->pattern.is_direct != b->pattern.is_direct ? a->pattern.is_direct : a->order < b->order;
  });
  return matching;
}

// Applies the entries that match a leaf. `translated` is the map that has translated it, of this section or an earlier
// one.
void translate_leaf(const std::vector<Entry*>& matching, ir::Draft& leaf, const TranslationMap*& translated) {
  for (Entry* entry : matching) {
    if (translated) {
      entry->hidden_by = translated->node.value_span();
    } else if (entry != matching.front()) {
      entry->outdone_by = matching.front()->map->node.value_span();
    } else {
      entry->is_used = true;
    }
  }
  if (matching.empty() || translated) return;
  translated = matching.front()->map;
  if (!translated->target) return;
  leaf.as<ir::Leaf>().behavior = translated->target.value();
  leaf.as<ir::Leaf>().behavior_span = translated->target.value_span();
}

// The name of a leaf with its nearest ancestors, at most `length` names.
std::string path_of(const Leaves& leaves, std::size_t leaf, std::size_t length) {
  std::string path(leaves.name(leaf));
  for (std::size_t at = leaves.places[leaf].parent; length > 1 && at != kNoPlace; at = leaves.places[at].parent) {
    path.insert(0, std::string(leaves.name(at)) + ":");
    --length;
  }
  return path;
}

// The path of a leaf that a pattern would match if case were ignored, or empty.
std::string spelling_of(const Pattern& pattern, const Leaves& leaves, Reporter& reporter) {
  const auto same = leaves.by_lower_name.find(text::lower_case(pattern.leaf()));
  if (same == leaves.by_lower_name.end() || !reporter.may_guess(same->second.size())) return {};
  for (const std::size_t leaf : same->second) {
    if (matches(pattern, leaves, leaf, text::equal_any_case)) return path_of(leaves, leaf, pattern.names.size());
  }
  return {};
}

void report_unmatched(const Entry& entry, const Leaves& leaves, text::NameIndex& names, bool may_lack_leaves,
                      Reporter& reporter) {
  const Where where(entry.map->node.value_span(), entry.map->use);
  const Pattern& pattern = entry.pattern;
  const std::string name = quote(entry.map->node.value());
  if (const std::string right = spelling_of(pattern, leaves, reporter); !right.empty()) {
    reporter.report(rules::SEL_map_in_other_case, where,
                    "no leaf matches " + name + ": names in maps are case-sensitive",
                    "did you mean " + quote(right) + "?");
    return;
  }
  if (may_lack_leaves) return;
  const std::string message = (pattern.is_direct ? "no leaf is named " : "no leaf matches ") + name;
  if (const auto same = leaves.by_name.find(pattern.leaf()); same != leaves.by_name.end()) {
    const std::size_t leaf = same->second.front();
    const std::string path = path_of(leaves, leaf, std::max<std::size_t>(pattern.names.size(), 2));
    reporter.report(rules::SEL_map_without_leaf, where, message, {},
                    {leaves.places[leaf].node->span, "this leaf is " + quote(path)});
    return;
  }
  reporter.report(rules::SEL_map_without_leaf, where, message, names.did_you_mean(pattern.leaf()));
}

void report_without_effect(const Entry& entry, Reporter& reporter) {
  const bool is_hidden = !entry.outdone_by;
  reporter.report(
      is_hidden ? rules::SEL_hidden_map : rules::SEL_map_without_effect, {entry.map->node.value_span(), entry.map->use},
      "the map of " + quote(entry.map->node.value()) + " has no effect: every leaf that it matches is translated by " +
          (is_hidden ? "an earlier section" : "another map"),
      {}, {is_hidden ? *entry.hidden_by : *entry.outdone_by, "by this map"});
}

}  // namespace

void translate_leaves(ir::Draft* root, const std::vector<TranslationSection>& sources, bool may_lack_leaves,
                      Reporter& reporter) {
  if (sources.empty()) return;
  Leaves leaves;
  if (root != nullptr) add_leaves(*root, kNoPlace, leaves);
  std::vector<const TranslationMap*> translated(leaves.places.size(), nullptr);
  std::deque<Section> sections;
  for (const TranslationSection& source : sources) {
    const Section& section = sections.emplace_back(index_of(source, reporter));
    for (const auto& [name, max_length] : section.max_lengths) {
      const auto same = leaves.by_name.find(name);
      if (same == leaves.by_name.end()) continue;
      for (const std::size_t leaf : same->second) {
        translate_leaf(find_matching(section, leaves, leaf, max_length), *leaves.places[leaf].node, translated[leaf]);
      }
    }
  }
  text::NameIndex names(std::move(leaves.names));
  for (const Section& section : sections) {
    for (const Entry& entry : section.entries) {
      if (entry.is_used || !entry.map->target) continue;
      if (entry.hidden_by || entry.outdone_by) {
        report_without_effect(entry, reporter);
      } else {
        report_unmatched(entry, leaves, names, may_lack_leaves, reporter);
      }
    }
  }
}

}  // namespace espalier::dialects::selection
