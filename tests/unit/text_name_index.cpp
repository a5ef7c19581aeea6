// Finding the name that was meant among many: the same answers as by comparing with each.
#include <algorithm>
#include <random>

#include "text/name_index.h"
#include "text/names.h"
#include "unit.h"

namespace text_name_index {

using namespace espalier::text;

namespace {

using Dice = std::mt19937;

std::size_t below(Dice& dice, std::size_t count) { return dice() % count; }

std::string random_name(Dice& dice, std::size_t most_letters, unsigned letter_count) {
  std::string name;
  for (std::size_t length = below(dice, most_letters + 1); name.size() < length;) {
    name += static_cast<char>((below(dice, 4) == 0 ? 'A' : 'a') + below(dice, letter_count));
  }
  return name;
}

// With a letter more or less, another, or two swapped.
void edit(Dice& dice, std::string& name, unsigned letter_count) {
  const std::size_t at = below(dice, name.size() + 1);
  const char letter = static_cast<char>('a' + below(dice, letter_count));
  switch (below(dice, 4)) {
    case 0:
      name.insert(at, 1, letter);
      break;
    case 1:
      name.erase(at, 1);
      break;
    case 2:
      if (at < name.size()) name[at] = letter;
      break;
    default:
      if (at + 1 < name.size()) std::swap(name[at], name[at + 1]);
  }
}

// The names that give an answer.
std::size_t check_names(Dice& dice, std::size_t count, std::size_t most_letters, unsigned letter_count,
                        const std::string& begin, const std::string& end) {
  std::vector<std::string> names;
  while (names.size() < count) names.push_back(begin + random_name(dice, most_letters, letter_count) + end);
  const std::vector<std::string_view> candidates(names.begin(), names.end());
  NameIndex index(candidates);
  std::size_t answers = 0;
  for (int i = 0; i < 200; ++i) {
    std::string name = names[below(dice, names.size())];
    for (std::size_t edits = below(dice, 4); edits > 0; --edits) edit(dice, name, letter_count);
    const std::string expected = nearest(name, candidates);
    INFO(name);
    REQUIRE(index.nearest(name) == expected);
    if (!expected.empty()) ++answers;
  }
  return answers;
}

}  // namespace

TEST_CASE("an index of names answers as a comparison with each of them does") {
  Dice dice(20);
  std::size_t answers = 0;
  for (int round = 0; round < 2; ++round) {
    for (const std::size_t count : {1u, 33u, 100u, 1000u}) {
      answers += check_names(dice, count, 4, 3, "", "");
      answers += check_names(dice, count, 8, 4, "", "");
      answers += check_names(dice, count, 20, 26, "", "");
      answers += check_names(dice, count, 5, 10, "variable", "");
      answers += check_names(dice, count, 5, 10, "", "_timestamp");
    }
  }
  CHECK(answers > 1'000);
}

TEST_CASE("an index gives the first spelling of a name") {
  std::vector<std::string> names;
  for (int i = 0; i < 100; ++i) names.push_back("name" + std::to_string(i * 1000));
  names.insert(names.end(), {"Alerted", "ALERTED"});
  NameIndex index({names.begin(), names.end()});
  CHECK(index.nearest("alerted") == "Alerted");
  CHECK(index.nearest("alertd") == "Alerted");
  CHECK(index.did_you_mean("alertd") == "did you mean 'Alerted'?");
  CHECK(index.did_you_mean("Frobnicate").empty());
  CHECK(NameIndex().nearest("a").empty());
}

TEST_CASE("long names that begin alike are walked without recursion") {
  const std::string begin(100'000, 'a');
  std::vector<std::string> names;
  for (char last = 'b'; last < 'z'; ++last) names.push_back(begin + last + last + last);
  for (char last = 'b'; last < 'z'; ++last) names.push_back(last + begin);
  NameIndex index({names.begin(), names.end()});
  const bool is_found = index.nearest(begin + "ccd") == begin + "ccc";  // not in a message
  CHECK(is_found);
  CHECK(index.nearest(begin + "bcd").size() == 0);
}

}  // namespace text_name_index
