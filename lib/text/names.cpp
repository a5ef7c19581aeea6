// Compares names and finds the one that was meant. See names.h.
#include "text/names.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "text/name_distance.h"

namespace espalier::text {
namespace {

constexpr std::size_t kMaxDistance = kMaxNameDistance;
constexpr std::size_t kShortName = 4;  // up to this many letters, only one edit is accepted
constexpr std::size_t kMaxShown = 80;  // bytes of a name in a message

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

// Computes only the diagonals within `limit` of the main one.
std::size_t name_distance(std::string_view a, std::string_view b, std::size_t limit) {
  if (a.size() > b.size()) std::swap(a, b);
  if (b.size() - a.size() > limit) return limit + 1;
  // row[k] is the distance of a's first i and b's first i + k - kMaxDistance letters.
  using NearRow = std::array<std::size_t, 2 * kMaxDistance + 1>;
  const std::size_t far = limit + 1;
  NearRow before_last{}, last{}, row{};
  before_last.fill(far);
  last.fill(far);
  for (std::size_t k = kMaxDistance; k < row.size(); ++k) last[k] = std::min(k - kMaxDistance, far);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row.fill(far);
    std::size_t best = far;
    for (std::size_t k = 0; k < row.size(); ++k) {
      if (i + k < kMaxDistance || i + k - kMaxDistance > b.size()) continue;
      const std::size_t j = i + k - kMaxDistance;
      std::size_t& cell = row[k];
      if (j == 0) {
        cell = std::min(i, far);
      } else {
        cell = std::min(far, last[k] + (lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1));
        if (k > 0) cell = std::min(cell, row[k - 1] + 1);
        if (k + 1 < row.size()) cell = std::min(cell, last[k + 1] + 1);
        const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]);
        if (swapped) cell = std::min(cell, before_last[k] + 1);
      }
      best = std::min(best, cell);
    }
    // A swap skips one row, so the distance is too large only if both of the last two rows are.
    if (best >= far && *std::min_element(last.begin(), last.end()) >= far) return far;
    before_last = last;
    last = row;
  }
  return last[b.size() - a.size() + kMaxDistance];
}

std::size_t max_name_distance(std::string_view name) { return name.size() <= kShortName ? 1 : kMaxDistance; }

std::string lower_case(std::string_view name) {
  std::string result(name);
  std::transform(result.begin(), result.end(), result.begin(), lower);
  return result;
}

bool equal_letters_any_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) { return x == y || lower(x) == lower(y); });
}

bool is_near(std::string_view a, std::string_view b, std::size_t edits) {
  return name_distance(a, b, std::min(edits, kMaxDistance)) <= edits;
}

std::string nearest(std::string_view name, const std::vector<std::string_view>& candidates) {
  for (const std::string_view candidate : candidates) {
    if (equal_any_case(name, candidate)) return std::string(candidate);
  }
  std::size_t best_distance = max_name_distance(name) + 1;
  std::string_view best;
  bool is_only_one = false;
  for (const std::string_view candidate : candidates) {
    const std::size_t distance = name_distance(name, candidate, std::min(best_distance, kMaxDistance));
    // If every letter is an edit, the two have no letter in common.
    if (distance > best_distance || distance >= std::max(name.size(), candidate.size())) continue;
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
      is_only_one = true;
    } else if (!best.empty() && !equal_any_case(best, candidate)) {
      is_only_one = false;
    }
  }
  return is_only_one ? std::string(best) : std::string();
}

std::string did_you_mean(std::string_view name, const std::vector<std::string_view>& candidates) {
  const std::string found = nearest(name, candidates);
  return found.empty() ? std::string() : "did you mean " + quote(found) + "?";
}

std::string_view local_name(std::string_view name) {
  const std::size_t colon = name.rfind(':');
  return colon == std::string_view::npos || colon + 1 == name.size() ? name : name.substr(colon + 1);
}

std::string element_hint(std::string_view name, std::string_view meant) {
  if (meant.empty()) return {};
  if (local_name(name) != name) return "namespace prefixes are not read: write " + quote(meant);
  return "did you mean " + quote(meant) + "?";
}

std::string quote(std::string_view name) {
  std::string result = "'";
  for (std::size_t i = 0; i < std::min(name.size(), kMaxShown); ++i) {
    const char c = name[i];
    result += static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? ' ' : c;
  }
  if (name.size() > kMaxShown) {
    // Do not cut inside a character: continuation bytes are 10xxxxxx.
    std::size_t end = kMaxShown;
    while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0) == 0x80) --end;
    result.resize(1 + end);
    result += "...";
  }
  result += '\'';
  return result;
}

}  // namespace espalier::text
