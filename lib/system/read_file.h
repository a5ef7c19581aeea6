// Reads whole files.
#pragma once
#include <cstddef>
#include <string>

#include "system/file.h"

namespace espalier::system {

inline constexpr const char* kStandardInput = "-";

// Reads a whole file, or `limit_bytes` + 1 bytes of one that is longer. "-" is standard input. False: `error` is the
// system's reason.
[[nodiscard]] bool read_bytes(const std::string& path, std::size_t limit_bytes, std::string& bytes, std::string& error,
                              Readable readable = Readable::regular_file);

// May a file that a command line names be read? True also if there is none. False: `error` says why not.
[[nodiscard]] bool may_read(const std::string& path, std::string& error);

}  // namespace espalier::system
