// Finds the nearest of many names. See name_index.h.
//
// Sorted names form a tree of letters: names with a common prefix are neighbours. A search walks down that tree with
// one row of the table of edit distances per letter, and skips what is too far from every prefix of the wanted name.
// Most of a tree is near its root, where two edits allow nearly anything. So there are two searches, and each of them
// allows fewer edits in the half of the name that it reads first: one edit for the forward search, none for the
// backward one. Of two edits, either at most one is in the first half, or none is in the second half; so every name is
// found by one of the two searches.
#include "text/name_index.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "text/name_distance.h"
#include "text/names.h"

namespace espalier::text {
namespace {

constexpr std::size_t kFewNames = 32;  // up to this many names, comparing each is faster
constexpr std::uint8_t kMaxEdits = kMaxNameDistance;
constexpr std::uint8_t kFar = kMaxEdits + 1;

// Of the table's row for the first j letters of a name: cell k is the distance to the first j + k - kMaxEdits letters
// of the wanted name.
using Row = std::array<std::uint8_t, 2 * kMaxEdits + 1>;

bool is_within(const Row& row, std::size_t limit) {
  return std::any_of(row.begin(), row.end(), [&](std::uint8_t cell) { return cell <= limit; });
}

}  // namespace

// A search in one direction for all names at a distance of at most `limit`, with at most `first_limit` edits in the
// first `first_length` letters of the wanted name.
struct NameIndex::Search {
  // The names [begin, end) in the order, which have the same first `depth` letters.
  struct Step {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::size_t depth = 0;
    Row before_last = {};
    Row last = {};
  };

  const std::vector<Entry>& entries;
  const Order* backwards;  // null: forwards
  std::string_view wanted;
  std::size_t limit;
  std::size_t first_length;
  std::size_t first_limit;
  std::uint64_t& steps;
  std::uint64_t most_steps;
  std::vector<const Entry*>& found;  // at most two: more do not change the result
  std::vector<Step> open = {};

  const Entry& entry(std::size_t i) const { return entries[backwards == nullptr ? i : (*backwards)[i]]; }
  char letter(std::string_view text, std::size_t i) const {
    return text[backwards == nullptr ? i : text.size() - 1 - i];
  }

  void take(const Entry& candidate) {
    // If every letter is an edit, the two have no letter in common.
    if (limit >= std::max(wanted.size(), candidate.lower.size())) {
      if (name_distance(wanted, candidate.lower, limit) >= std::max(wanted.size(), candidate.lower.size())) return;
    }
    if (std::find(found.begin(), found.end(), &candidate) == found.end()) found.push_back(&candidate);
  }

  Row next_row(const Step& step, char letter_here, char letter_before) const {
    Row row;
    row.fill(kFar);
    const std::size_t depth = step.depth + 1;
    for (std::size_t k = 0; k < row.size(); ++k) {
      if (depth + k < kMaxEdits || depth + k - kMaxEdits > wanted.size()) continue;
      const std::size_t i = depth + k - kMaxEdits;
      std::size_t cell = depth;
      if (i > 0) {
        const char own = letter(wanted, i - 1);
        cell = step.last[k] + (own == letter_here ? 0u : 1u);
        if (k > 0) cell = std::min<std::size_t>(cell, row[k - 1] + 1u);
        if (k + 1 < row.size()) cell = std::min<std::size_t>(cell, step.last[k + 1] + 1u);
        const bool is_swapped = i > 1 && depth > 1 && own == letter_before && letter(wanted, i - 2) == letter_here;
        if (is_swapped) cell = std::min<std::size_t>(cell, step.before_last[k] + 1u);
      }
      const bool is_too_far = cell > limit || (i <= first_length && cell > first_limit);
      row[k] = is_too_far ? kFar : static_cast<std::uint8_t>(cell);
    }
    return row;
  }

  // The end of the names from `begin` on that have the same letter at the step's depth.
  std::size_t end_of_letter(const Step& step, std::size_t begin) const {
    const char here = letter(entry(begin).lower, step.depth);
    if (letter(entry(step.end - 1).lower, step.depth) == here) return step.end;
    std::size_t low = begin;
    std::size_t high = step.end - 1;
    while (low + 1 < high) {
      const std::size_t middle = low + (high - low) / 2;
      (letter(entry(middle).lower, step.depth) == here ? low : high) = middle;
    }
    return high;
  }

  // Extends the step by one letter. False: its names are too far.
  bool go_on(const Step& step, std::size_t begin, std::size_t end, Step& next) {
    ++steps;
    const std::string_view first = entry(begin).lower;
    const char before = step.depth > 0 ? letter(first, step.depth - 1) : '\0';
    next = {begin, end, step.depth + 1, step.last, next_row(step, letter(first, step.depth), before)};
    // A swap of neighbours skips one row.
    return is_within(next.last, limit) || is_within(step.last, limit - 1);
  }

  // Adds the name that ends here, and opens steps for longer ones.
  void look_at(Step step) {
    while (true) {
      if (entry(step.begin).lower.size() == step.depth) {
        const bool is_in_band = wanted.size() + kMaxEdits >= step.depth && wanted.size() <= step.depth + kMaxEdits;
        if (is_in_band && step.last[wanted.size() + kMaxEdits - step.depth] <= limit) take(entry(step.begin));
        if (++step.begin == step.end) return;
      }
      const std::size_t end = end_of_letter(step, step.begin);
      if (end != step.end) break;
      Step next;
      if (!go_on(step, step.begin, end, next)) return;
      step = next;
    }
    for (std::size_t begin = step.begin; begin < step.end;) {
      const std::size_t end = end_of_letter(step, begin);
      Step next;
      if (go_on(step, begin, end, next)) open.push_back(next);
      begin = end;
    }
  }

  void run() {
    Row first;
    for (std::size_t k = 0; k < first.size(); ++k) {
      const bool is_there = k >= kMaxEdits && k - kMaxEdits <= wanted.size() && k - kMaxEdits <= limit;
      const bool is_too_far = !is_there || (k - kMaxEdits <= first_length && k - kMaxEdits > first_limit);
      first[k] = is_too_far ? kFar : static_cast<std::uint8_t>(k - kMaxEdits);
    }
    Row none;
    none.fill(kFar);
    open = {{0, entries.size(), 0, none, first}};
    while (!open.empty() && found.size() < 2 && steps < most_steps) {
      const Step step = open.back();
      open.pop_back();
      look_at(step);
    }
  }
};

void NameIndex::build() {
  entries_.reserve(names_.size());
  for (const std::string_view name : names_) entries_.push_back({lower_case(name), name});
  std::stable_sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) { return a.lower < b.lower; });
  const auto last =
      std::unique(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) { return a.lower == b.lower; });
  entries_.erase(last, entries_.end());
  backwards_.resize(entries_.size());
  std::iota(backwards_.begin(), backwards_.end(), 0u);
  std::sort(backwards_.begin(), backwards_.end(), [&](std::uint32_t a, std::uint32_t b) {
    const std::string& left = entries_[a].lower;
    const std::string& right = entries_[b].lower;
    return std::lexicographical_compare(left.rbegin(), left.rend(), right.rbegin(), right.rend());
  });
}

NameIndex::Nearest NameIndex::search(const std::string& wanted) {
  const auto equal = std::lower_bound(entries_.begin(), entries_.end(), wanted,
                                      [](const Entry& entry, const std::string& key) { return entry.lower < key; });
  if (equal != entries_.end() && equal->lower == wanted) return {equal->name, 0};
  const std::size_t half = wanted.size() / 2;
  const bool has_halves = half + 1 < wanted.size();
  std::vector<const Entry*> found;
  for (std::size_t limit = 1; limit <= max_name_distance(wanted); ++limit) {
    const std::size_t backwards_length = has_halves ? wanted.size() - half - 1 : 0;
    const std::size_t backwards_limit = has_halves ? limit - limit / 2 - 1 : limit;
    Search{entries_, nullptr, wanted, limit, half, limit / 2, steps_, most_steps_, found}.run();
    Search{entries_, &backwards_, wanted, limit, backwards_length, backwards_limit, steps_, most_steps_, found}.run();
    if (steps_ >= most_steps_ || found.size() > 1) return {{}, limit};
    if (found.size() == 1) return {found.front()->name, limit};
  }
  return {{}, kFar};
}

NameIndex::Nearest NameIndex::find(std::string_view name) {
  if (names_.empty()) return {{}, kFar};
  if (entries_.empty()) build();
  constexpr std::size_t kMostKnown = 1024;
  if (known_.size() >= kMostKnown) known_.clear();
  const auto [known, is_new] = known_.try_emplace(lower_case(name));
  if (is_new) known->second = search(known->first);
  return known->second;
}

std::string NameIndex::nearest(std::string_view name) {
  return names_.size() <= kFewNames ? text::nearest(name, names_) : std::string(find(name).name);
}

std::string NameIndex::did_you_mean(std::string_view name) {
  const std::string found = nearest(name);
  return found.empty() ? std::string() : "did you mean " + quote(found) + "?";
}

std::string NameIndex::nearest(std::string_view name, NameIndex& more) {
  const Nearest own = find(name);
  const Nearest other = more.find(name);
  const bool is_own = own.distance <= other.distance;
  // At the same distance it must be the same name, since names that were not found also have the same distance.
  const bool is_open = own.distance == other.distance && !equal_any_case(own.name, other.name);
  return is_open ? std::string() : std::string(is_own ? own.name : other.name);
}

}  // namespace espalier::text
