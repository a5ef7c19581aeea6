// Descriptors of open files.
#pragma once
#include <string_view>
#include <system_error>

#include "system/standard_streams.h"

namespace espalier::system {

// 0, 1 and 2
inline int descriptor_of(Stream stream) { return static_cast<int>(stream); }
// Writes all bytes. False: errno says why.
[[nodiscard]] bool write_all(int descriptor, std::string_view bytes);
std::error_code last_error();  // errno

}  // namespace espalier::system
