// How formats based on JSON write it: on one line, with invalid UTF-8 replaced.
#pragma once
#include <nlohmann/json.hpp>
#include <string>

namespace espalier::report {

using Json = nlohmann::ordered_json;

inline std::string json_line(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

}  // namespace espalier::report
