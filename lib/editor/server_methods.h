// What the files of the server share.
#pragma once
#include "editor/server.h"
#include "rules/rules.h"

namespace espalier::editor {

struct Server::Method {
  Json (Server::*answer)(const Json& parameters);
  bool needs_checks;  // of what has changed
};

// A place in a file of a project, from a request.
struct Server::Query {
  std::string path;
  LiveProject& project;
  std::optional<FileId> file;  // none: not a file of the project
  std::string_view text;
  Lines lines;  // of the text
  std::uint32_t offset;
};

// The result of `initialize`, without what depends on the client.
[[nodiscard]] Json capabilities_json();
[[nodiscard]] Json position_json(const LinePosition& position);
[[nodiscard]] LinePosition position_of(const Json& position);
[[nodiscard]] int severity_number(rules::Severity severity);

inline constexpr int kRequestFailed = -32803;
inline constexpr const char* kRunTrace = "espalier.runTrace";

}  // namespace espalier::editor
