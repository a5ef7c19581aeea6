// Error messages of the system, in English whatever the locale is.
#pragma once
#include <string>
#include <system_error>

namespace espalier::system {

// For an `errno`: "No such file or directory". Safe to call from any thread.
std::string reason_of(int error_number);
// The same words for the same error, whatever the system numbers it.
inline std::string reason_of(const std::error_code& error) {
  return reason_of(error.default_error_condition().value());
}

}  // namespace espalier::system
