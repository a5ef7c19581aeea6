// Files of what a program's publisher told, as FileLogger2 writes them: Groot2 and `import` read them.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "live/formats/log.h"

namespace espalier::live {

// What a file begins with. `first_us`: since 1970; changes are relative to it.
[[nodiscard]] std::string btlog_head(std::string_view tree_xml, std::int64_t first_us);
[[nodiscard]] std::string btlog_record(const Change& change, std::int64_t first_us);

}  // namespace espalier::live
