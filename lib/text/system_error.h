// Error messages of the system, in English whatever the locale is.
#pragma once
#include <string>

namespace espalier::text {

// For an `errno`: "No such file or directory". Safe to call from any thread.
std::string system_reason(int error_number);

}  // namespace espalier::text
