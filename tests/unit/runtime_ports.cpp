// Ports and entries by type (espalier/ports.hpp), and what deciders keep, by type.
#include <espalier/ports.hpp>

#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "unit.h"

namespace runtime_ports {

using namespace espalier;

namespace {

Value text_of(std::string_view text) { return value_of(text); }

// Is the value a T that is written back as the same value?
template <typename T>
bool is(const Value& value, const T& expected) {
  const std::optional<T> read = value_as<T>(value);
  return read && *read == expected && value_as<T>(value_of(*read)) == read;
}

}  // namespace

TEST_CASE("a value of a port is a number of any type that can hold it") {
  const Value seven = value_of(7);
  CHECK(is<int>(seven, 7));
  CHECK(is<std::uint8_t>(seven, 7));
  CHECK(is<std::int64_t>(seven, 7));
  CHECK(is<double>(seven, 7.0));
  CHECK(is<float>(seven, 7.0F));
  CHECK(is<int>(value_of(7.0), 7));
  CHECK(is<std::int64_t>(value_of(std::numeric_limits<std::int64_t>::min()), std::numeric_limits<std::int64_t>::min()));
  CHECK(is<std::uint64_t>(value_of(std::uint64_t{1} << 62), std::uint64_t{1} << 62));
  CHECK(is<std::int8_t>(value_of(-128.0), std::int8_t{-128}));
}

TEST_CASE("a value of a port is no number of a type that cannot hold it") {
  CHECK_FALSE(value_as<int>(value_of(2.5)));
  CHECK_FALSE(value_as<std::uint8_t>(value_of(256)));
  CHECK_FALSE(value_as<std::int8_t>(value_of(-129)));
  CHECK_FALSE(value_as<unsigned>(value_of(-1)));
  CHECK_FALSE(value_as<std::uint64_t>(value_of(-1.0)));
  CHECK_FALSE(value_as<std::int64_t>(value_of(9223372036854775808.0)));
  CHECK_FALSE(value_as<std::int64_t>(value_of(~std::uint64_t{0})));
  CHECK_FALSE(value_as<int>(value_of(std::nan(""))));
  CHECK_FALSE(value_as<int>(Value()));
  CHECK_FALSE(value_as<std::string>(value_of(7)));
}

TEST_CASE("true and false are 1 and 0, and words") {
  for (const bool truth : {false, true}) {
    CHECK(is<bool>(value_of(truth), truth));
    CHECK(is<bool>(value_of(truth ? 1.0 : 0.0), truth));
    CHECK(is<bool>(text_of(truth ? "true" : "false"), truth));
    CHECK(is<bool>(text_of(truth ? "1" : "0"), truth));
  }
  for (const Value& other : {value_of(2), value_of(-1), value_of(0.5), text_of("True"), text_of("yes"), text_of("")})
    CHECK_FALSE(value_as<bool>(other));
}

TEST_CASE("a text of a port is a number if all of it is written like one") {
  CHECK(is<double>(text_of("0.5"), 0.5));
  CHECK(is<double>(text_of("-1e3"), -1000.0));
  CHECK(is<int>(text_of("-12"), -12));
  CHECK(is<int>(text_of("12.0"), 12));
  CHECK(is<std::int64_t>(text_of("9223372036854775807"), std::numeric_limits<std::int64_t>::max()));
  for (const char* text : {"", " ", "1 ", " 1", "1s", "0,5", "0x10", "one", "--1", "1e"}) {
    CAPTURE(text);
    CHECK_FALSE(value_as<double>(text_of(text)));
    CHECK_FALSE(value_as<int>(text_of(text)));
    CHECK(is<std::string>(text_of(text), std::string(text)));
  }
  CHECK_FALSE(value_as<int>(text_of("0.5")));
}

TEST_CASE("the block and the memory of a decider are read as types that fit") {
  struct Place {
    float x, y;
  };
  struct Large {
    std::uint64_t words[2];
  };
  alignas(8) unsigned char bytes[16] = {};
  Activation activation = {};
  Call call = {};
  CHECK(block_as<Place>(&call) == nullptr);
  call.activation = &activation;
  CHECK(block_as<Place>(&call) == nullptr);
  activation.block = bytes;
  activation.block_bytes = sizeof(Place);
  REQUIRE(block_as<Place>(&call) != nullptr);
  block_as<Place>(&call)->y = 2;
  CHECK(static_cast<const Place*>(activation.block)->y == 2);
  CHECK(block_as<Large>(&call) == nullptr);
  activation.block = bytes + 4;
  CHECK(block_as<std::uint64_t>(&call) == nullptr);
  CHECK(block_as<Place>(&call) != nullptr);
}

}  // namespace runtime_ports
