// Values of a host's attributes, out of XML or declared as defaults: text, read as the declaration types it.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "dialects/host.h"

namespace espalier::dialects {

// Why a text is no value of an attribute: "'twp' is no number", and what helps.
struct ValueFault {
  std::string message;
  std::string hint;
};

// How numbers are written: as read_decimal() and read_whole() take them, or as C's atof and atoi do, blanks around them
// aside (see modular/values.h). What is read so may be infinite, or no number.
enum class NumberText : std::uint8_t { plain, as_by_atof };

// What `text` is as a value of the attribute; nothing: it is none, and `fault` says why. A number with words beside it
// gives a choice where one of them stands. Scripts and events are not looked into.
std::optional<ir::Parameter> read_value(const HostAttribute& attribute, std::string_view text, ValueFault& fault,
                                        NumberText numbers = NumberText::plain);

// A decimal number, all of it: no blanks, no exponent.
std::optional<double> read_decimal(std::string_view text);
std::optional<std::int64_t> read_whole(std::string_view text);

}  // namespace espalier::dialects
