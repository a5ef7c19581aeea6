// Reasons of the system, in English whatever the locale is.
#pragma once
#include <string>

namespace espalier::text {

// Of an `errno`: "No such file or directory". May be called on any thread.
std::string system_reason(int error_number);

}  // namespace espalier::text
