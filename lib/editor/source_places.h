// Places in the program's source, which is no part of a project: where it declares what trees use, as host files that
// are made from it say.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "editor/answers.h"

namespace espalier::editor {

// A place that is written in a file of the project: "src/go_to.hpp:31", relative to that file's folder.
struct WrittenPlace {
  std::string path;        // absolute
  std::uint32_t line = 0;  // from 1
};
// Nothing: it is not written so, or there is no such file.
[[nodiscard]] std::optional<WrittenPlace> written_place(const LiveProject& project, FileId file, std::string_view at);

// Where the source of the program declares a node, or one of its ports. It may have been edited since the host file was
// made: if the line does not have the name, the nearest one that has it is meant. Nothing: that cannot be told any
// more.
[[nodiscard]] std::optional<SourcePlace> node_in_source(const LiveProject& project,
                                                        const dialects::HostDeclaration& node);
[[nodiscard]] std::optional<SourcePlace> port_in_source(const LiveProject& project,
                                                        const dialects::HostDeclaration& node,
                                                        const dialects::HostAttribute& port);

}  // namespace espalier::editor
