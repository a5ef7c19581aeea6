// The schemas of what espalier reads and writes: an XSD for each dialect, made from its element table and from what a
// project declares, and the JSON schemas that are in the program.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dialects/dialect.h"

namespace espalier::project {

struct SchemaInfo {
  std::string name;  // "synchronized", "trace"
  std::string file;  // the usual file name: "synchronized.xsd", "trace.schema.json"
  std::string doc;
};

[[nodiscard]] std::vector<SchemaInfo> schemas();

// The text of a schema; nothing if no schema has this name.
[[nodiscard]] std::optional<std::string> schema_text(std::string_view name, const dialects::Options& options);
// The same elements as tables in Markdown; nothing if no dialect has this name.
[[nodiscard]] std::optional<std::string> element_tables(std::string_view name, const dialects::Options& options);

// What a project declares, and what is known of engines without a project.
struct Declarations {
  dialects::Options options;
  std::vector<std::string> read_paths;  // espalier.json and its host files
  std::string site = {};                // where the project publishes pages of rules; also if espalier.json has errors
};

// Reads the nearest espalier.json in or above `path`, or the file `configuration` unless that is empty. False: `error`
// says why.
[[nodiscard]] bool read_declarations(const std::string& path, const std::string& configuration,
                                     Declarations& declarations, std::string& error);

}  // namespace espalier::project
