// Traces in reports as JSON.
#pragma once
#include <span>
#include <string>
#include <utility>

#include "explore/results.h"
#include "report/json_text.h"

namespace espalier::report {

// Adds the lines as "trace", without a header; and what the header says, if it is not the default.
inline void add_trace(Json& json, const explore::Trace& trace, std::span<const std::string> lines) {
  Json list = Json::array();
  for (const std::string& line : lines) list.push_back(Json::parse(line, nullptr, false));
  json["trace"] = std::move(list);
  if (trace.agent_count != 1) json["agents"] = trace.agent_count;
  if (trace.seed != 1) json["seed"] = trace.seed;
  if (!trace.events.empty()) json["events"] = trace.events;
}

}  // namespace espalier::report
