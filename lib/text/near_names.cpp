// Slips of the finger. See near_names.h.
#include "text/near_names.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "text/names.h"

namespace espalier::text {
namespace {

constexpr std::size_t kShortWord = 5;  // letters of a name in which two slips make another one
constexpr std::string_view kNegatingPrefixes[] = {"un", "in", "im", "is", "no", "re", "a"};

bool is_digit_of_name(char c) { return c >= '0' && c <= '9'; }
bool is_capital_of_name(char c) { return c >= 'A' && c <= 'Z'; }
bool is_letter_of_name(char c) { return is_capital_of_name(c) || (c >= 'a' && c <= 'z'); }

std::string digits_of(std::string_view name) {
  std::string digits;
  std::copy_if(name.begin(), name.end(), std::back_inserter(digits), is_digit_of_name);
  return digits;
}

// In lower case; they begin at capitals and end at what is no letter.
std::vector<std::string> words_of_name(std::string_view name) {
  std::vector<std::string> words;
  bool is_inside = false;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool begins = is_capital_of_name(name[i]) && (i == 0 || !is_capital_of_name(name[i - 1]));
    if (is_letter_of_name(name[i]) && (!is_inside || begins)) words.emplace_back();
    is_inside = is_letter_of_name(name[i]);
    if (is_inside) words.back() += lower_case(name.substr(i, 1));
  }
  return words;
}

// Is one list the other without one of its words, or does only a word of one letter differ?
bool is_other_word(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  if (a.size() == b.size()) {
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (a[i] != b[i] && (a[i].size() == 1 || b[i].size() == 1)) return true;
    }
    return false;
  }
  const std::vector<std::string>& more = a.size() > b.size() ? a : b;
  const std::vector<std::string>& fewer = a.size() > b.size() ? b : a;
  if (more.size() != fewer.size() + 1) return false;
  const auto [one, other] = std::mismatch(fewer.begin(), fewer.end(), more.begin());
  return std::equal(one, fewer.end(), other + 1);
}

bool is_prefixed(std::string_view longer, std::string_view shorter) {
  if (longer.size() <= shorter.size()) return false;
  const std::string before = lower_case(longer.substr(0, longer.size() - shorter.size()));
  return equal_any_case(longer.substr(before.size()), shorter) &&
         std::find(std::begin(kNegatingPrefixes), std::end(kNegatingPrefixes), before) != std::end(kNegatingPrefixes);
}

// Swapping two neighbours is one step.
std::size_t edits_between(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before;
  std::vector<std::size_t> last(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::vector<std::size_t> now(b.size() + 1, i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      const bool is_swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (is_swapped) now[j] = std::min(now[j], before[j - 2] + 1);
    }
    before = std::move(last);
    last = std::move(now);
  }
  return last[b.size()];
}

}  // namespace

bool is_near_name(std::string_view written, std::string_view meant) {
  if (written == meant) return false;
  if (equal_any_case(written, meant)) return true;
  constexpr std::size_t kLongest = 256;  // longer ones are no names that somebody types
  if (std::max(written.size(), meant.size()) > kLongest) return false;
  const std::size_t most = std::min(written.size(), meant.size()) <= kShortWord ? 1 : 2;
  const std::size_t longer = std::max(written.size(), meant.size());
  if (longer - std::min(written.size(), meant.size()) > most || digits_of(written) != digits_of(meant)) return false;
  if (is_prefixed(written, meant) || is_prefixed(meant, written)) return false;
  return !is_other_word(words_of_name(written), words_of_name(meant)) && edits_between(written, meant) <= most;
}

}  // namespace espalier::text
