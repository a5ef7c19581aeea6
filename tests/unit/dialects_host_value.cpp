// Values of a host's attributes: each type reads what the engines read, and a fault says what was expected.
#include "dialects/reading/host.h"

#include "text/names.h"
#include "unit.h"

namespace dialects_host_value {

using namespace espalier;
using dialects::HostAttribute;
using ir::ParameterType;

namespace {

// The result of reading a value: "type text", or "! hint" for a fault.
std::string read(const HostAttribute& attribute, std::string_view written) {
  dialects::ValueFault fault;
  const std::optional<ir::Parameter> parameter = dialects::read_value(attribute, written, fault);
  if (!parameter) {
    CHECK(fault.message == text::quote(written) + " is not a valid value of 'speed'");
    return "! " + fault.hint;
  }
  CHECK(parameter->name == attribute.name);
  auto number = [&](int i) { return decimal(parameter->numbers[i]).substr(0, 5); };
  switch (parameter->type) {
    case ParameterType::whole:
      return "whole " + std::to_string(parameter->whole);
    case ParameterType::boolean:
      return parameter->whole != 0 ? "true" : "false";
    case ParameterType::number:
      return "number " + number(0);
    case ParameterType::vector:
      return "vector " + number(0) + ' ' + number(1) + ' ' + number(2);
    case ParameterType::choice:
      return "choice " + std::to_string(parameter->whole) + ' ' + parameter->text;
    default:
      return "text " + parameter->text;
  }
}

HostAttribute attribute(ParameterType type, std::vector<std::string> words = {}) {
  HostAttribute result;
  result.name = "speed";
  result.type = type;
  result.words = std::move(words);
  return result;
}

}  // namespace

TEST_CASE("a value is read as its attribute is typed, all of it") {
  struct Case {
    ParameterType type;
    const char* text;
    const char* result;
  };
  const char* const no_whole = "! expected a whole number from -2147483648 to 4294967295";
  const char* const no_number = "! expected a number";
  const char* const no_vector = "! expected three numbers with commas, such as '1,0,0.5'";
  const Case cases[] = {
      {ParameterType::text, " as it is ", "text  as it is "},
      {ParameterType::event, "OnSeen", "text OnSeen"},
      {ParameterType::whole, "-12", "whole -12"},
      {ParameterType::whole, "+12", "whole 12"},
      {ParameterType::whole, "4294967295", "whole 4294967295"},
      {ParameterType::whole, "4294967296", no_whole},
      {ParameterType::whole, "-2147483649", no_whole},
      {ParameterType::whole, "1.0", no_whole},
      {ParameterType::whole, "+-1", no_whole},
      {ParameterType::whole, "99999999999999999999", no_whole},
      {ParameterType::whole, "", no_whole},
      {ParameterType::number, "2.5", "number 2.500"},
      {ParameterType::number, "-.5", "number -0.50"},
      {ParameterType::number, "+3.", "number 3.000"},
      {ParameterType::number, "2s", no_number},
      {ParameterType::number, "1e3", no_number},
      {ParameterType::number, " 1", no_number},
      {ParameterType::number, "inf", no_number},
      {ParameterType::number, "nan", no_number},
      {ParameterType::number, "0x10", no_number},
      {ParameterType::number, ".", no_number},
      {ParameterType::number, "", no_number},
      {ParameterType::number, "-", no_number},
      {ParameterType::number, "1.2.3", no_number},
      {ParameterType::boolean, "0", "false"},
      {ParameterType::boolean, "-2.5", "true"},
      {ParameterType::boolean, "TRUE", "true"},
      {ParameterType::boolean, "false", "false"},
      {ParameterType::boolean, "yes", "! expected '1' or '0'"},
      {ParameterType::vector, "1,-2.5, 3", "vector 1.000 -2.50 3.000"},
      {ParameterType::vector, "1,2", no_vector},
      {ParameterType::vector, "1,2,3,4", no_vector},
      {ParameterType::vector, ",,", no_vector},
      {ParameterType::vector, "", no_vector},
  };
  for (const Case& given : cases) {
    CAPTURE(given.text);
    CHECK(read(attribute(given.type), given.text) == given.result);
  }
}

TEST_CASE("a number may be very long: too small is 0, too large is a fault") {
  const std::string zeros(400, '0');
  CHECK(read(attribute(ParameterType::number), "0." + zeros + '1') == "number 0.000");
  CHECK(read(attribute(ParameterType::number), '1' + zeros) == "! expected a number");
}

TEST_CASE("a word is found in any case, and kept as it was declared") {
  const HostAttribute speed = attribute(ParameterType::choice, {"Walk", "Run", "Sprint"});
  CHECK(read(speed, "Run") == "choice 1 Run");
  CHECK(read(speed, "sPRINT") == "choice 2 Sprint");
  CHECK(read(speed, "Spritn") == "! did you mean 'Sprint'?");
  CHECK(read(speed, "") == "! expected one of 'Walk', 'Run' or 'Sprint'");
}

TEST_CASE("a number is within its range, ends included") {
  HostAttribute value = attribute(ParameterType::whole);
  value.minimum = 0;
  value.maximum = 2;
  CHECK(read(value, "0") == "whole 0");
  CHECK(read(value, "2") == "whole 2");
  CHECK(read(value, "-1") == "! expected a whole number from 0 to 2");
  CHECK(read(value, "3") == "! expected a whole number from 0 to 2");
  value.type = ParameterType::number;
  value.maximum = 0.5;
  CHECK(read(value, "0.5") == "number 0.500");
  CHECK(read(value, "0.51") == "! expected a number from 0 to 0.5");
}

TEST_CASE("a number may have words instead") {
  const HostAttribute duration = attribute(ParameterType::number, {"continuous"});
  CHECK(read(duration, "1.5") == "number 1.500");
  CHECK(read(duration, "Continuous") == "choice 0 continuous");
  CHECK(read(duration, "continous") == "! did you mean 'continuous'?");
  CHECK(read(duration, "2s") == "! expected a number or 'continuous'");
}

}  // namespace dialects_host_value
