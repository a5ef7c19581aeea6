// Values of a host's attributes: each type reads what the engines read, and says what it expects instead of the rest.
#include "dialects/reading/host_rows.h"

#include "unit.h"

namespace dialects_host_value {

using namespace espalier;
using dialects::HostAttribute;
using ir::ParameterType;

namespace {

// What came of a value: "type text whole number,number,number", or "! message (hint)".
std::string read(const HostAttribute& attribute, std::string_view text) {
  dialects::ValueFault fault;
  const std::optional<ir::Parameter> parameter = dialects::read_value(attribute, text, fault);
  if (!parameter) return "! " + fault.message + (fault.hint.empty() ? "" : " (" + fault.hint + ')');
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
  const Case cases[] = {
      {ParameterType::text, " as it is ", "text  as it is "},
      {ParameterType::event, "OnSeen", "text OnSeen"},
      {ParameterType::whole, "-12", "whole -12"},
      {ParameterType::whole, "+12", "whole 12"},
      {ParameterType::whole, "4294967295", "whole 4294967295"},
      {ParameterType::whole, "4294967296",
       "! '4294967296' is not a valid value of 'speed' (expected a whole number from -2147483648 to 4294967295)"},
      {ParameterType::whole, "-2147483649",
       "! '-2147483649' is not a valid value of 'speed' (expected a whole number from -2147483648 to 4294967295)"},
      {ParameterType::whole, "1.0",
       "! '1.0' is not a valid value of 'speed' (expected a whole number from -2147483648 to 4294967295)"},
      {ParameterType::whole, "+-1",
       "! '+-1' is not a valid value of 'speed' (expected a whole number from -2147483648 to 4294967295)"},
      {ParameterType::whole, "99999999999999999999",
       "! '99999999999999999999' is not a valid value of 'speed' (expected a whole number from -2147483648 to "
       "4294967295)"},
      {ParameterType::whole, "",
       "! '' is not a valid value of 'speed' (expected a whole number from -2147483648 to 4294967295)"},
      {ParameterType::number, "2.5", "number 2.500"},
      {ParameterType::number, "-.5", "number -0.50"},
      {ParameterType::number, "+3.", "number 3.000"},
      {ParameterType::number, "2s", "! '2s' is not a valid value of 'speed' (expected a number)"},
      {ParameterType::number, "1e3", "! '1e3' is not a valid value of 'speed' (expected a number)"},
      {ParameterType::number, " 1", "! ' 1' is not a valid value of 'speed' (expected a number)"},
      {ParameterType::number, "inf", "! 'inf' is not a valid value of 'speed' (expected a number)"},
      {ParameterType::number, "nan", "! 'nan' is not a valid value of 'speed' (expected a number)"},
      {ParameterType::number, "0x10", "! '0x10' is not a valid value of 'speed' (expected a number)"},
      {ParameterType::number, ".", "! '.' is not a valid value of 'speed' (expected a number)"},
      {ParameterType::number, "", "! '' is not a valid value of 'speed' (expected a number)"},
      {ParameterType::number, "-", "! '-' is not a valid value of 'speed' (expected a number)"},
      {ParameterType::number, "1.2.3", "! '1.2.3' is not a valid value of 'speed' (expected a number)"},
      {ParameterType::boolean, "0", "false"},
      {ParameterType::boolean, "-2.5", "true"},
      {ParameterType::boolean, "TRUE", "true"},
      {ParameterType::boolean, "false", "false"},
      {ParameterType::boolean, "yes", "! 'yes' is not a valid value of 'speed' (expected '1' or '0')"},
      {ParameterType::vector, "1,-2.5, 3", "vector 1.000 -2.50 3.000"},
      {ParameterType::vector, "1,2",
       "! '1,2' is not a valid value of 'speed' (expected three numbers with commas, such as '1,0,0.5')"},
      {ParameterType::vector, "1,2,3,4",
       "! '1,2,3,4' is not a valid value of 'speed' (expected three numbers with commas, such as '1,0,0.5')"},
      {ParameterType::vector, ",,",
       "! ',,' is not a valid value of 'speed' (expected three numbers with commas, such as '1,0,0.5')"},
      {ParameterType::vector, "",
       "! '' is not a valid value of 'speed' (expected three numbers with commas, such as '1,0,0.5')"},
  };
  for (const Case& given : cases) {
    CAPTURE(given.text);
    CHECK(read(attribute(given.type), given.text) == given.result);
  }
}

TEST_CASE("a number may be very long: too small is 0, too large is none") {
  const std::string zeros(400, '0');
  CHECK(read(attribute(ParameterType::number), "0." + zeros + '1') == "number 0.000");
  CHECK(
      read(attribute(ParameterType::number), '1' + zeros).find("is not a valid value of 'speed' (expected a number)") !=
      std::string::npos);
}

TEST_CASE("a word is found without case, and given as it was declared") {
  const HostAttribute speed = attribute(ParameterType::choice, {"Walk", "Run", "Sprint"});
  CHECK(read(speed, "Run") == "choice 1 Run");
  CHECK(read(speed, "sPRINT") == "choice 2 Sprint");
  CHECK(read(speed, "Spritn") == "! 'Spritn' is not a valid value of 'speed' (did you mean 'Sprint'?)");
  CHECK(read(speed, "") == "! '' is not a valid value of 'speed' (expected one of 'Walk', 'Run' or 'Sprint')");
}

TEST_CASE("a number keeps to its range, ends included") {
  HostAttribute value = attribute(ParameterType::whole);
  value.minimum = 0;
  value.maximum = 2;
  CHECK(read(value, "0") == "whole 0");
  CHECK(read(value, "2") == "whole 2");
  CHECK(read(value, "-1") == "! '-1' is not a valid value of 'speed' (expected a whole number from 0 to 2)");
  CHECK(read(value, "3") == "! '3' is not a valid value of 'speed' (expected a whole number from 0 to 2)");
  value.type = ParameterType::number;
  value.maximum = 0.5;
  CHECK(read(value, "0.5") == "number 0.500");
  CHECK(read(value, "0.51") == "! '0.51' is not a valid value of 'speed' (expected a number from 0 to 0.5)");
}

TEST_CASE("a word may stand in place of a number") {
  const HostAttribute duration = attribute(ParameterType::number, {"continuous"});
  CHECK(read(duration, "1.5") == "number 1.500");
  CHECK(read(duration, "Continuous") == "choice 0 continuous");
  CHECK(read(duration, "continous") == "! 'continous' is not a valid value of 'speed' (did you mean 'continuous'?)");
}

}  // namespace dialects_host_value
