// A source's text with pieces replaced: references by what they stand for, damage by blanks or by what was meant. Every
// place in the new text has one in the source.
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
  bool is_damage = false;  // else what is written stands for the replacement
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
  std::vector<Replaced> replaced;  // in order; empty: the text is the source
};

// Of two replacements that overlap the one that begins first counts, and of those the longer one.
[[nodiscard]] Repaired repair(std::string_view source, std::vector<Replacement> replacements);

// The place in the source of a place in the new text. Within a replaced piece it is the piece's begin or, when the
// place is the end of something, its end.
[[nodiscard]] std::uint32_t place_in_source(const std::vector<Replaced>& replaced, std::uint32_t offset, bool is_end);

// The place in the new text of a place in the source; within a replaced piece it is its begin.
[[nodiscard]] std::uint32_t place_in_repaired(const std::vector<Replaced>& replaced, std::uint32_t offset);

}  // namespace espalier::text
