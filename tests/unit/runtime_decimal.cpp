// Numbers as text: the shortest decimal that reads back the same, in every locale.
#include <charconv>
#include <clocale>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>

#include "runtime/core/decimal.h"
#include "runtime_random_trees.h"
#include "unit.h"

namespace runtime_decimal {

namespace {

using espalier::NumberText;

std::string text_of(double value) { return std::string(NumberText(value).text()); }

std::size_t digit_count(const std::string& text) {
  std::string digits;
  for (const char letter : text.substr(0, text.find('e'))) {
    if (letter >= '0' && letter <= '9') digits += letter;
  }
  const std::size_t first = digits.find_first_not_of('0');
  const std::size_t last = digits.find_last_not_of('0');
  return first == std::string::npos ? 0 : last - first + 1;
}

}  // namespace

TEST_CASE("a number is written as %g writes it with as few digits as read back the same") {
  const std::pair<double, const char*> rows[] = {
      {0.0, "0"},
      {-0.0, "-0"},
      {1.0, "1"},
      {0.1, "0.1"},
      {-2.5, "-2.5"},
      {1.0 / 3, "0.3333333333333333"},
      {1e-4, "0.0001"},
      {1e-5, "1e-05"},
      {123456.5, "123456.5"},
      {1e15, "1e+15"},
      {1.5e15, "1.5e+15"},
      {1e300, "1e+300"},
      {5e-324, "5e-324"},
      {999999999999999.0, "999999999999999"},
      {std::numeric_limits<double>::max(), "1.7976931348623157e+308"},
      {std::numeric_limits<double>::infinity(), "inf"},
  };
  for (const auto& [value, text] : rows) CHECK(text_of(value) == text);
  CHECK(text_of(std::nan("")) == "nan");
  CHECK(NumberText(std::uint64_t{0}).text() == "0");
  CHECK(NumberText(~std::uint64_t{0}).text() == "18446744073709551615");
}

TEST_CASE("every number reads back the same, and no shorter one does") {
  espalier::test::Random random{1};
  for (int i = 0; i < 5000; ++i) {
    const std::uint64_t bits = random.next();
    double value = 0;
    std::memcpy(&value, &bits, sizeof value);
    if (!std::isfinite(value)) continue;
    const std::string text = text_of(value);
    INFO(text);
    REQUIRE(std::strtod(text.c_str(), nullptr) == value);
    char shortest[40];
    const auto end = std::to_chars(shortest, shortest + sizeof shortest, value, std::chars_format::scientific).ptr;
    REQUIRE(digit_count(text) == digit_count(std::string(shortest, end)));
  }
}

}  // namespace runtime_decimal
