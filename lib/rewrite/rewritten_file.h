// A file of a project with a new text, before it is written.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "project/snapshot.h"

namespace espalier::rewrite {

struct RewrittenFile {
  std::string path;    // as shown in findings; "-" is standard input
  std::string before;  // as UTF-8
  std::string after;
  std::string bytes;         // `after` in the encoding of the file
  std::string bytes_before;  // the same of `before`: what the file held when it was read
};

// A text in the encoding of a file of a snapshot. Nothing if the encoding lacks one of its characters.
std::optional<std::string> encoded(const project::SnapshotFile& file, std::string_view text);

// The file with a new text.
std::optional<RewrittenFile> rewritten(const project::SnapshotFile& file, std::string after);

}  // namespace espalier::rewrite
