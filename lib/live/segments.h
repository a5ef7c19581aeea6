// The segments of a recording, compressed and not. The runtime writes and reads only those that are not.
#pragma once
#include <string>
#include <string_view>

namespace espalier::live {

// The recording with its segments compressed by zstd, up to the last whole frame; or with none. Both take either.
// False: `error` says why.
[[nodiscard]] bool pack_segments(std::string_view recording, std::string* packed, std::string* error);
[[nodiscard]] bool unpack_segments(std::string_view recording, std::string* plain, std::string* error);

}  // namespace espalier::live
