// JSON of others as values of nlohmann/json, with a bound on its nesting: that library reads any depth, but copies,
// compares and writes by recursion. Where places or findings are needed, see json.h.
#pragma once
#include <nlohmann/json.hpp>
#include <string_view>

namespace espalier::text {

// Discarded if the text is no JSON, or has more than `most_depth` lists and objects in one another.
template <typename Json>
[[nodiscard]] Json parse_shallow_json(std::string_view text, int most_depth) {
  bool is_deep = false;
  const auto check_depth = [&](int depth, typename Json::parse_event_t, Json&) {
    is_deep |= depth > most_depth;
    return !is_deep;
  };
  Json json = Json::parse(text, check_depth, false);
  if (is_deep) json = Json(Json::value_t::discarded);
  return json;
}

}  // namespace espalier::text
