// Slips in trees, for tests that plant them: which words stand where in a file of any dialect, and how a word is
// misspelt. Everything is found by the dialects' tables; nothing here knows one of them.
#pragma once
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "dialects/reading/element_table.h"

namespace espalier::slips {

using Random = std::minstd_rand;

enum class Kind : std::uint8_t {
  element,    // the name in both of its tags
  end_tag,    // the name in an end tag only
  attribute,  // its name
  value,      // one of the words that an attribute takes
  name,       // that somebody gives: declared, or used
};
inline constexpr Kind kKinds[] = {Kind::element, Kind::end_tag, Kind::attribute, Kind::value, Kind::name};
[[nodiscard]] std::string_view name_of(Kind kind);

// A word of a file: bytes [begin, end) of its text.
struct Place {
  Kind kind;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::uint32_t end_tag = 0;  // of an element: where its name stands once more; 0: it has no end tag
  dialects::NameKind names = dialects::NameKind::none;  // of a name: what it names, and for what it stands there
  dialects::NameUse use = dialects::NameUse::reads;
  bool is_of_host = false;  // an element that the dialect's table does not know
};

struct Words {
  std::string_view dialect;  // empty: it is no tree, or not well-formed
  std::vector<Place> places;
};
// The words of a file as they are written: without those that are of characters beyond ASCII, or have references.
[[nodiscard]] Words words_of(const std::string& path, const std::string& text);

[[nodiscard]] std::string_view word_at(std::string_view text, const Place& place);
// The text with another word there.
[[nodiscard]] std::string planted(const std::string& text, const Place& place, std::string_view word);
[[nodiscard]] std::uint32_t line_of(std::string_view text, const Place& place);

// A slip of the finger: two neighbours swapped, one letter doubled, or one lost. Empty if the word has no such place.
enum class Slip : std::uint8_t { swapped, doubled, lost };
inline constexpr Slip kSlips[] = {Slip::swapped, Slip::doubled, Slip::lost};
[[nodiscard]] std::string_view name_of(Slip slip);
[[nodiscard]] std::string slipped(std::string_view word, Slip slip, Random& random);

// What looks like a slip and is another name.
enum class NearMiss : std::uint8_t { number, prefix, ending, other_word, negated };
inline constexpr NearMiss kNearMisses[] = {NearMiss::number, NearMiss::prefix, NearMiss::ending, NearMiss::other_word,
                                           NearMiss::negated};
[[nodiscard]] std::string_view name_of(NearMiss miss);
[[nodiscard]] std::string missed(std::string_view word, NearMiss miss, Random& random);

// One of `count` things.
[[nodiscard]] inline std::size_t one_of(std::size_t count, Random& random) { return random() % count; }

}  // namespace espalier::slips
