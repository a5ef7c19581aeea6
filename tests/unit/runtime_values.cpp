// Values of ports and entries as types of C++.
#include <espalier/espalier.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "unit.h"

namespace runtime_values {

using namespace espalier;

namespace {

espalier_value whole(std::int64_t number) {
  espalier_value value;
  value.kind = ESPALIER_VALUE_WHOLE;
  value.whole = number;
  return value;
}

espalier_value real(double number) {
  espalier_value value;
  value.kind = ESPALIER_VALUE_REAL;
  value.real = number;
  return value;
}

}  // namespace

TEST_CASE("values: a whole number is read as what can hold it") {
  CHECK(value_as<int>(whole(-5)) == -5);
  CHECK(value_as<std::int64_t>(whole(INT64_MIN)) == INT64_MIN);
  CHECK(value_as<std::uint64_t>(whole(INT64_MAX)) == static_cast<std::uint64_t>(INT64_MAX));
  CHECK(value_as<std::uint8_t>(whole(255)) == 255);
  CHECK(value_as<double>(whole(3)) == 3.0);
  CHECK(value_as<std::uint8_t>(whole(256)) == std::nullopt);
  CHECK(value_as<std::int8_t>(whole(128)) == std::nullopt);
  CHECK(value_as<std::uint32_t>(whole(-1)) == std::nullopt);
  CHECK(value_as<std::uint64_t>(whole(-1)) == std::nullopt);
  CHECK(value_as<std::string_view>(whole(1)) == std::nullopt);
}

TEST_CASE("values: true and false are numbers, and a real number is no whole one") {
  CHECK(value_as<bool>(whole(1)) == true);
  CHECK(value_as<bool>(whole(0)) == false);
  CHECK(value_as<bool>(real(0.5)) == true);
  CHECK(value_as<bool>(real(0)) == false);
  CHECK(value_as<float>(real(0.5)) == 0.5F);
  CHECK(value_as<int>(real(2)) == std::nullopt);
}

TEST_CASE("values: what is written is read back, and nothing is not read") {
  const std::string text = "the way";
  CHECK(value_as<std::string_view>(to_value(text)) == "the way");
  CHECK(value_as<std::string_view>(to_value("here")) == "here");
  CHECK(value_as<double>(to_value(text)) == std::nullopt);
  CHECK(value_as<bool>(to_value(text)) == std::nullopt);
  CHECK(value_as<int>(to_value(-7)) == -7);
  CHECK(value_as<double>(to_value(0.25)) == 0.25);
  CHECK(value_as<double>(to_value(0.25F)) == 0.25);
  CHECK(value_as<int>(espalier_value{}) == std::nullopt);
  CHECK(value_as<bool>(espalier_value{}) == std::nullopt);
  CHECK(value_as<std::string_view>(espalier_value{}) == std::nullopt);
}

TEST_CASE("values: a block is read as what fits into it") {
  std::uint64_t memory[2] = {7, 8};
  Activation activation{};
  activation.block = memory;
  activation.block_bytes = sizeof memory;
  Call call{};
  CHECK(block_as<std::uint64_t>(&call) == nullptr);
  call.activation = &activation;
  REQUIRE(block_as<std::uint64_t>(&call) != nullptr);
  CHECK(*block_as<std::uint64_t>(&call) == 7);
  activation.block_bytes = 4;
  CHECK(block_as<std::uint64_t>(&call) == nullptr);
  CHECK(block_as<std::uint32_t>(&call) != nullptr);
  activation.block = reinterpret_cast<unsigned char*>(memory) + 2;
  CHECK(block_as<std::uint32_t>(&call) == nullptr);
}

}  // namespace runtime_values
