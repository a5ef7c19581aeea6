// The fast reader of plain JSON reads what the parser reads: on every line of the traces of tests and samples, and on
// damaged copies of them.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>

#include "source_folder.h"
#include "text/json.h"
#include "text/plain_json.h"
#include "unit.h"

namespace text_plain_json {

using namespace espalier;
using text::JsonValue;

namespace {

bool are_equal(const JsonValue& a, const JsonValue& b) {
  const bool is_alike = a.kind == b.kind && a.span == b.span && a.string == b.string && a.boolean == b.boolean &&
                        a.is_whole == b.is_whole && a.keys.size() == b.keys.size() &&
                        a.values.size() == b.values.size();
  if (!is_alike || a.number != b.number) return false;
  for (std::size_t i = 0; i < a.keys.size(); ++i) {
    if (a.keys[i].name != b.keys[i].name || a.keys[i].span != b.keys[i].span) return false;
  }
  for (std::size_t i = 0; i < a.values.size(); ++i) {
    if (!are_equal(a.values[i], b.values[i])) return false;
  }
  return true;
}

// Reads into a value that holds the text before, as traces are read. True: the text is plain, or need not be.
bool agrees(const std::string& line, JsonValue& value, std::size_t& plain_count) {
  if (!text::read_plain_json(line, 3, value)) return true;
  ++plain_count;
  text::JsonFault fault;
  const std::optional<JsonValue> parsed = text::parse_any_json(line, 3, fault);
  return parsed && are_equal(value, *parsed);
}

struct Dice {
  std::uint64_t state = 1;
  std::size_t below(std::size_t count) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::size_t>((state >> 33) % count);
  }
};

std::string mutated(std::string line, Dice& dice) {
  constexpr std::string_view kBytes = "{}[]\",:.-+eE0123456789 \t\r\ntruefalsn\\u/\x01\x7F\xC3\xA4";
  for (std::size_t i = 0; i < 1 + dice.below(3) && !line.empty(); ++i) {
    const std::size_t at = dice.below(line.size());
    const char byte = dice.below(20) == 0 ? '\0' : kBytes[dice.below(kBytes.size())];
    const std::size_t what = dice.below(4);
    if (what == 0) line[at] = byte;
    if (what == 1) line.insert(line.begin() + static_cast<std::ptrdiff_t>(at), byte);
    if (what == 2) line.erase(at, 1);
    if (what == 3) line.insert(at, line.substr(dice.below(line.size()), dice.below(8)));
  }
  return line;
}

}  // namespace

TEST_CASE("plain lines of traces are read as the JSON parser reads them") {
  constexpr std::size_t kMutations = 8;
  std::size_t line_count = 0;
  std::size_t plain_count = 0;
  std::size_t plain_mutated_count = 0;
  JsonValue value;
  Dice dice;
  for (const char* folder : {"tests", "samples"}) {
    for (const auto& file : std::filesystem::recursive_directory_iterator(source_folder() / folder)) {
      if (file.path().extension() != ".jsonl") continue;
      std::ifstream trace(file.path(), std::ios::binary);
      for (std::string line; std::getline(trace, line); ++line_count) {
        CAPTURE(line);
        REQUIRE(agrees(line, value, plain_count));
        for (std::size_t i = 0; i < kMutations && line.size() < 1000; ++i) {
          const std::string other = mutated(line, dice);
          CAPTURE(other);
          REQUIRE(agrees(other, value, plain_mutated_count));
        }
      }
    }
  }
  CHECK(line_count > 1000);
  CHECK(plain_count > line_count * 9 / 10);
  CHECK(plain_mutated_count > line_count / 10);
}

TEST_CASE("numbers that plain JSON reads are rounded as the JSON parser rounds them") {
  Dice dice;
  JsonValue value;
  std::size_t plain_count = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string digits;
    const std::size_t count = 1 + dice.below(17);
    while (digits.size() < count) digits += static_cast<char>('0' + dice.below(10));
    if (const std::size_t point = dice.below(count + 1); point > 0) digits.insert(point, ".");
    if (dice.below(4) == 0) digits.insert(0, "-");
    CAPTURE(digits);
    REQUIRE(agrees(digits, value, plain_count));
  }
  CHECK(plain_count > 5'000);
}

TEST_CASE("what is not plain is left to the JSON parser") {
  JsonValue value;
  for (const char* text : {"",          " ",
                           "-",         "-01",
                           "01",        "1.",
                           ".5",        "1e3",
                           "1.5E2",     "1234567890123456",
                           "\"a\\n\"",  "\"\xC3\xA4\"",
                           "\"a",       "\"\t\"",
                           "[1,]",      "{\"a\":1,}",
                           "{\"a\" 1}", "{a:1}",
                           "[1 2]",     "tru",
                           "truer",     "nul",
                           "{} {}",     "[[[[[[[[[1]]]]]]]]]"}) {
    CAPTURE(text);
    CHECK_FALSE(text::read_plain_json(text, 0, value));
  }
  for (const char* text : {"0", "0.5", "-0", "-1", "-0.0", "-2.5", "true", " [ ] ",
                           "{\"a\": [null, {\"b\": \"c\"}], \"a\": 2}", "[[[[[[[[1]]]]]]]]"}) {
    CAPTURE(text);
    std::size_t plain_count = 0;
    CHECK(agrees(text, value, plain_count));
    CHECK(plain_count == 1);
  }
}

}  // namespace text_plain_json
