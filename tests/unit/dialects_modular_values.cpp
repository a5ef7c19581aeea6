// Numbers of modular trees: exactly the value of their decimal text.
#include "dialects/reading/numbers.h"

#include <string>

#include "unit.h"

namespace dialects_modular_values {

using namespace espalier::dialects;

TEST_CASE("a time is the nearest microsecond of its decimal text") {
  struct {
    const char* text;
    std::int64_t time_us;
  } const cases[] = {
      {"0", 0},
      {"-0", 0},
      {"1", 1'000'000},
      {"+1", 1'000'000},
      {"007", 7'000'000},
      {".5", 500'000},
      {"5.", 5'000'000},
      {"0.1", 100'000},
      {"0.3", 300'000},
      {"1.1", 1'100'000},
      {"-2.25", -2'250'000},
      {"0.0000004", 0},
      {"0.0000005", 1},
      {"0.00000049999999999999999999999999", 0},
      {"-0.0000004", 0},
      {"-0.0000005", -1},
      {"0.9999995", 1'000'000},
      {"0.9999994", 999'999},
      {"16777217.000001", 16'777'217'000'001},       // more than single precision holds
      {"9007199254.740993", 9'007'199'254'740'993},  // or double
      {"123456789012.3", 123'456'789'012'300'000},
      {"999999999999.9999999", kFurthest_us},
      {"1234567890123", kFurthest_us},
      {"-1234567890123", -kFurthest_us},
  };
  for (const auto& [text, time_us] : cases) {
    CAPTURE(text);
    CHECK(read_seconds_us(text) == time_us);
  }
}

TEST_CASE("a chance is rounded down to parts of 2^53, and taken as 0 or 1 beyond those") {
  constexpr std::uint64_t kOne = std::uint64_t{1} << 53;
  // 53 digits, the most that a part of 2^53 can have: 2^-53 itself, and one less in the last place.
  const std::string least = "0.00000000000000011102230246251565404236316680908203125";
  const std::string less = "0.00000000000000011102230246251565404236316680908203124";
  struct {
    std::string text;
    std::uint64_t chance;
  } const cases[] = {
      {"0", 0},
      {"1", kOne},
      {"1.5", kOne},
      {"-0.5", 0},
      {"0.5", kOne / 2},
      {".75", kOne / 4 * 3},
      {"0.1", 900719925474099},  // 2^53 / 10 is ...099.2
      {"0.7", 6305039478318694},
      {least, 1},
      {less, 0},
      {less + "99999", 0},
      {"0." + std::string(1000, '9'), kOne - 1},
      {"000", 0},
      {"0001.0", kOne},
  };
  for (const auto& [text, chance] : cases) {
    CAPTURE(text);
    CHECK(read_engine_number(text)->chance == chance);
  }
}

TEST_CASE("a number is read as the engine does, whole, with exponents and blanks around it") {
  struct {
    std::string text;
    std::int64_t time_us;
  } const cases[] = {
      {"1e-05", 10},
      {"1e-7", 0},
      {"5e-7", 1},
      {"1e+08", 100'000'000'000'000},
      {"1E2", 100'000'000},
      {" 5", 5'000'000},
      {"5 ", 5'000'000},
      {"\t-.5e1\n", -5'000'000},
      {"12345.678e-3", 12'345'678},
      {"0.0000000001e10", 1'000'000},
      {"0x10", 16'000'000},
      {"-0x.8p1", -1'000'000},
      {"1e400", kFurthest_us},
      {"-1e400", -kFurthest_us},
      {"1e-400", 0},
      {"1e99999999999999999999", kFurthest_us},
      {"1e-99999999999999999999", 0},
      {"0e99999999999999999999", 0},
      {"inf", kFurthest_us},
      {"-Infinity", -kFurthest_us},
      {"nan", 0},
  };
  for (const auto& [text, time_us] : cases) {
    CAPTURE(text);
    const std::optional<EngineNumber> number = read_engine_number(text);
    REQUIRE(number);
    CHECK(number->time_us == time_us);
  }
}

TEST_CASE("a number has the value that single precision gives it") {
  CHECK(read_engine_number("0.1")->value == 0.1F);
  CHECK(read_engine_number("1e-05")->exact == 1e-05);
  CHECK(read_engine_number("+2.5")->value == 2.5F);
  CHECK(read_engine_number("3e38")->is_finite());
  CHECK_FALSE(read_engine_number("1e39")->is_finite());
  CHECK(read_engine_number("1e39")->exact == 1e39);
  CHECK_FALSE(read_engine_number("1e400")->is_finite());
  CHECK(read_engine_number("-1e400")->value < 0);
  CHECK(read_engine_number("1e-400")->value == 0);
  CHECK(read_engine_number("0x1.8")->value == 1.5F);
  const float none = read_engine_number("-NaN")->value;
  CHECK(none != none);
}

TEST_CASE("what atof does not read whole is no number, and what it reads of that is told") {
  struct {
    const char* text;
    const char* prefix;
  } const cases[] = {
      {"", ""},     {" ", ""},        {"two", ""}, {"2s", "2"},  {" 2 s", "2"},      {"1e", "1"},
      {"1e+", "1"}, {"1.2.3", "1.2"}, {"0x", "0"}, {"0xg", "0"}, {"infinit", "inf"}, {"nano", "nan"},
      {"--1", ""},  {"1,5", "1"},     {".", ""},   {"-.e1", ""}, {"5e3x", "5e3"},    {"1_000", "1"},
  };
  for (const auto& [text, prefix] : cases) {
    CAPTURE(text);
    CHECK_FALSE(read_engine_number(text));
    CHECK(engine_number_prefix(text) == prefix);
  }
}

TEST_CASE("a chance is read with exponents too") {
  constexpr std::uint64_t kOne = std::uint64_t{1} << 53;
  CHECK(read_engine_number("5e-1")->chance == kOne / 2);
  CHECK(read_engine_number("50")->chance == kOne);
  CHECK(read_engine_number("-1e9")->chance == 0);
  CHECK(read_engine_number("1e-20")->chance == 0);
  CHECK(read_engine_number("0x.8")->chance == kOne / 2);
  CHECK(read_engine_number("inf")->chance == kOne);
}

TEST_CASE("what is more or less than a decimal number is none") {
  for (const char* text : {"", ".", "-", "+.", "two", "2s", "1 ", " 1", "1e3", "0x10", "1,5", "1.2.3", "--1", "+-1",
                           "inf", "nan", "1_000", "\xC2\xB9"}) {
    CAPTURE(text);
    CHECK_FALSE(read_seconds_us(text));
  }
}

}  // namespace dialects_modular_values
