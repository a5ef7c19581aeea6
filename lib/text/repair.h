// A source's text with pieces replaced: references by their expansion, damage by blanks or a correction. Every place in
// the new text corresponds to one in the source.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace espalier::text {

// A piece of the source to be replaced.
struct Replacement {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::string text;
  bool is_damage = false;  // otherwise a reference that is replaced by its expansion
};

// A piece that was replaced, in the new text and in the source.
struct Replaced {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::uint32_t source_begin = 0;
  std::uint32_t source_end = 0;
  bool is_damage = false;
};

struct Repaired {
  std::string text;
  std::vector<Replaced> replaced;  // in order; empty: the text equals the source
};

// If two replacements overlap, the one that begins first is used; if both begin at the same place, the longer one.
[[nodiscard]] Repaired repair(std::string_view source, std::vector<Replacement> replacements);

// The place in the source of a place in the new text. Within a replaced piece this is the beginning of the piece, or
// its end if `is_end`.
[[nodiscard]] std::uint32_t place_in_source(const std::vector<Replaced>& replaced, std::uint32_t offset, bool is_end);

// The place in the new text of a place in the source; within a replaced piece this is its beginning.
[[nodiscard]] std::uint32_t place_in_repaired(const std::vector<Replaced>& replaced, std::uint32_t offset);

}  // namespace espalier::text
