// Lines of traces, one by one, and the schema that describes them.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include "replay/event.h"
#include "replay/line.h"
#include "replay_guard.h"
#include "rules/rules.h"
#include "source_folder.h"

namespace replay_lines {

using namespace espalier;
using nlohmann::json;
using replay::Line;
using replay::LineFault;
using replay::LineKind;

namespace {

json read_schema() {
  std::ifstream file(source_folder() / "schemas/trace.schema.json");
  return json::parse(file);
}

bool is_accepted(const std::string& text) {
  Line line;
  return !read_line(text, line);
}

// The name of the rule and the part of the line it is about: "wrong-value: -1".
std::string fault_of(const std::string& text) {
  Line line;
  const std::optional<LineFault> fault = read_line(text, line);
  if (!fault) return "";
  return std::string(rules::info(fault->rule).name) + ": " +
         text.substr(fault->span.begin, fault->span.end - fault->span.begin);
}

// Does a value have the type that a part of the schema gives it? The contents of objects are not checked: a line is
// read without them.
bool fits(const json& schema, const json& part, const json& value) {
  if (part.contains("$ref")) {
    return fits(schema, schema.at(json::json_pointer(part["$ref"].get<std::string>().substr(1))), value);
  }
  if (part.contains("const")) return value == part["const"];
  if (part.contains("enum")) return std::find(part["enum"].begin(), part["enum"].end(), value) != part["enum"].end();
  if (part.contains("anyOf")) {
    for (const json& alternative : part["anyOf"]) {
      if (fits(schema, alternative, value)) return true;
    }
    return false;
  }
  bool has_type = false;
  for (const json& type : part["type"].is_array() ? part["type"] : json::array({part["type"]})) {
    has_type = has_type || (type == "null" && value.is_null()) || (type == "string" && value.is_string()) ||
               (type == "boolean" && value.is_boolean()) || (type == "array" && value.is_array()) ||
               (type == "object" && value.is_object()) || (type == "number" && value.is_number()) ||
               (type == "integer" && value.is_number_integer());
  }
  if (!has_type) return false;
  if (value.is_number()) {
    return value >= part.value("minimum", -1e300) && value <= part.value("maximum", 1e300);
  }
  if (value.is_string()) return value.get<std::string>().size() <= part.value("maxLength", 1000u);
  if (!value.is_array()) return true;
  if (value.size() < part.value("minItems", 0u)) return false;
  for (const json& item : value) {
    // Which kinds of events there are is checked later.
    const bool is_kind = part["items"].value("$ref", "") == "#/$defs/kind";
    if (is_kind ? !item.is_string() : !fits(schema, part["items"], item)) return false;
  }
  return true;
}

const std::vector<json>& probes() {
  static const std::vector<json> values = {
      nullptr,
      true,
      false,
      0,
      1,
      2,
      -1,
      1.5,
      -0.5,
      4294967295u,
      4294967296u,
      9007199254.5,
      1e10,
      "",
      "x",
      "all",
      "All",
      "sixteen bytes ok",
      "seventeen bytes ?",
      json::array(),
      json::array({"enter"}),
      json::array({1}),
      json::object(),
  };
  return values;
}

}  // namespace

TEST_CASE("the schema gives examples of every line, which are read as what they are") {
  const json schema = read_schema();
  std::size_t line_count = 0;
  for (const json& alternative : schema["oneOf"]) {
    const std::string name = alternative["$ref"].get<std::string>().substr(std::string("#/$defs/").size());
    REQUIRE(schema["$defs"][name].contains("examples"));
    for (const json& example : schema["$defs"][name]["examples"]) {
      CAPTURE(example.dump());
      Line line;
      CHECK_FALSE(read_line(example.dump(), line));
      CHECK(key_of(line.kind) == name);
    }
    ++line_count;
  }
  CHECK(line_count == static_cast<std::size_t>(LineKind::finding) + 1);
}

TEST_CASE("the schema has exactly the keys that are read, beside each other and with values of the same types") {
  const json schema = read_schema();
  std::map<std::string, json> keys;  // of all lines
  for (int i = 0; i <= static_cast<int>(LineKind::comment); ++i) {
    const json& line = schema["$defs"][std::string(key_of(static_cast<LineKind>(i)))];
    REQUIRE_FALSE(line["additionalProperties"].get<bool>());
    for (const auto& [key, part] : line["properties"].items()) keys[key] = part;
  }
  for (int i = 0; i <= static_cast<int>(LineKind::comment); ++i) {
    const std::string name(key_of(static_cast<LineKind>(i)));
    const json& line = schema["$defs"][name];
    for (const auto& [key, unused] : keys) {
      const json& properties = line["properties"];
      if (!properties.contains(key) && (name == "comment" || key == "when")) continue;  // then it is another line
      for (const json& value : probes()) {
        json object = line["examples"][0];
        object[key] = value;
        CAPTURE(object.dump());
        CHECK(is_accepted(object.dump()) == (properties.contains(key) && fits(schema, properties[key], value)));
      }
    }
  }
}

TEST_CASE("the schema knows the kinds of events") {
  const json schema = read_schema();
  const Lines kinds(replay::kind_names().begin(), replay::kind_names().end());
  CHECK(schema["$defs"]["kind"]["enum"].get<Lines>() == kinds);
}

TEST_CASE("blank lines, comments and recorded events are passed over") {
  for (const std::string text : {"", "  \t ", "{}", R"({"comment": "x"})"}) {
    CAPTURE(text);
    Line line;
    CHECK_FALSE(read_line(text, line));
    CHECK(line.kind == LineKind::comment);
  }
  Line line;
  CHECK_FALSE(read_line(R"({"t": 0.1, "agent": 0, "event": "enter", "name": "Idle", "later": [1]})", line));
  CHECK(line.kind == LineKind::event);
}

TEST_CASE("a line tells whom it is for") {
  Line all;
  CHECK_FALSE(read_line(R"({"signal": "A", "agent": "all"})", all));
  CHECK(all.all_agents);
  CHECK_FALSE(all.agent);
  Line second;
  CHECK_FALSE(read_line(R"({"agent": 1, "signal": "A", "comment": "two"})", second));
  CHECK_FALSE(second.all_agents);
  CHECK(second.agent == 1u);
  Line first;
  CHECK_FALSE(read_line(R"({"signal": "A"})", first));
  CHECK_FALSE(first.all_agents);
  CHECK_FALSE(first.agent);
}

TEST_CASE("objects as deep as the memory would be wide are refused") {
  CHECK(fault_of("{\"set\": " + std::string(100000, '[')).substr(0, 8) == "not-json");
}

TEST_CASE("seconds are rounded to whole microseconds") {
  const std::pair<double, std::uint64_t> cases[] = {
      {0, 0},
      {1, 1000000},
      {0.1, 100000},
      {0.0000004, 0},
      {0.0000005, 1},
      {1e-6, 1},
      {9007199254.740992, replay::kMaxClock_us},
  };
  for (const auto& [seconds, microseconds] : cases) {
    CAPTURE(seconds);
    CHECK(replay::to_microseconds(seconds) == microseconds);
  }
  CHECK_FALSE(replay::to_microseconds(-0.1));
  CHECK_FALSE(replay::to_microseconds(9007199254.75));
}

TEST_CASE("seconds are written as the shortest decimal") {
  const std::pair<std::uint64_t, const char*> cases[] = {
      {0, "0"}, {1000000, "1"}, {100000, "0.1"}, {1, "0.000001"}, {12340000, "12.34"}, {20000000, "20"},
  };
  for (const auto& [microseconds, text] : cases) CHECK(replay::seconds_text(microseconds) == text);
}

}  // namespace replay_lines
