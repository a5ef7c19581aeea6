// Compares names as the engines do (ASCII, ignoring case), and finds the name that a user meant.
#pragma once
#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace espalier::text {

// ASCII lower case; other bytes are kept.
std::string lower_case(std::string_view name);
// As ==, but faster for names that differ, as most do that are looked through.
inline bool is_same_name(std::string_view a, std::string_view b) {
  return a.size() == b.size() && (a.empty() || (a[0] == b[0] && a == b));
}
bool equal_letters_any_case(std::string_view a, std::string_view b);  // of names of the same size
inline bool equal_any_case(std::string_view a, std::string_view b) {
  return a.size() == b.size() && equal_letters_any_case(a, b);
}

// Do at most `edits` edits (not more than 2) turn `a` into `b`, ignoring case? Swapping two neighbouring letters is one
// edit.
bool is_near(std::string_view a, std::string_view b, std::size_t edits);

// The candidate that `name` was most likely meant to be: first one that is equal ignoring case; else the one at the
// smallest edit distance with transpositions, at most 2 (1 for names of up to four letters), if it is the only one at
// that distance and has a letter in common with `name`. Empty if there is none.
std::string nearest(std::string_view name, const std::vector<std::string_view>& candidates);

// "did you mean 'NEAREST'?", or empty.
std::string did_you_mean(std::string_view name, const std::vector<std::string_view>& candidates);

// A name without its namespace's prefix: "Leaf" of "bt:Leaf". No dialect reads prefixes.
std::string_view local_name(std::string_view name);

// The hint for an unknown element's name; `meant` was found with local_name(): "did you mean 'Leaf'?", or that prefixes
// are not read. Empty if `meant` is empty.
std::string element_hint(std::string_view name, std::string_view meant);

// The first of `things` with this name, which is the member `name_of`; null if there is none.
template <typename Thing, typename Name, typename Things>
const Thing* find_by(Name Thing::*name_of, const Things& things, std::string_view name) {
  const auto found =
      std::find_if(std::begin(things), std::end(things), [&](const Thing& thing) { return thing.*name_of == name; });
  return found == std::end(things) ? nullptr : &*found;
}

// A name from input as shown in messages: in '...', on one line, shortened if it is very long.
std::string quote(std::string_view name);

}  // namespace espalier::text
