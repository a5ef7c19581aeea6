// A text with pieces replaced. See repair.h.
#include "text/repair.h"

#include <algorithm>

namespace espalier::text {

Repaired repair(std::string_view source, std::vector<Replacement> replacements) {
  // An insertion at a place comes before a replacement that begins there.
  std::stable_sort(replacements.begin(), replacements.end(), [](const Replacement& a, const Replacement& b) {
    if (a.begin != b.begin) return a.begin < b.begin;
    const bool a_is_empty = a.begin == a.end;
    const bool b_is_empty = b.begin == b.end;
    return a_is_empty != b_is_empty ? a_is_empty : a.end > b.end;
  });
  Repaired result;
  std::size_t size = source.size();
  for (const Replacement& edit : replacements) size += edit.text.size();
  result.text.reserve(size);
  std::uint32_t at = 0;
  for (const Replacement& edit : replacements) {
    if (edit.begin < at) continue;
    result.text += source.substr(at, edit.begin - at);
    const auto begin = static_cast<std::uint32_t>(result.text.size());
    result.text += edit.text;
    result.replaced.push_back(
        {begin, static_cast<std::uint32_t>(result.text.size()), edit.begin, edit.end, edit.is_damage});
    at = edit.end;
  }
  result.text += source.substr(at);
  return result;
}

std::uint32_t place_in_source(const std::vector<Replaced>& replaced, std::uint32_t offset, bool is_end) {
  const auto next =
      std::partition_point(replaced.begin(), replaced.end(), [&](const Replaced& each) { return each.begin < offset; });
  if (next == replaced.begin()) return offset;
  const Replaced& last = *(next - 1);
  if (offset < last.end) return is_end ? last.source_end : last.source_begin;
  return last.source_end + (offset - last.end);
}

std::uint32_t place_in_repaired(const std::vector<Replaced>& replaced, std::uint32_t offset) {
  const auto next = std::partition_point(replaced.begin(), replaced.end(),
                                         [&](const Replaced& each) { return each.source_begin <= offset; });
  if (next == replaced.begin()) return offset;
  const Replaced& last = *(next - 1);
  return offset < last.source_end ? last.begin : last.end + (offset - last.source_end);
}

}  // namespace espalier::text
