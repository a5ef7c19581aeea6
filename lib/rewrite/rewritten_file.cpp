// Files with a new text. See rewritten_file.h.
#include "rewrite/rewritten_file.h"

#include <utility>

#include "text/decode.h"

namespace espalier::rewrite {

std::optional<std::string> encoded(const project::SnapshotFile& file, std::string_view text) {
  return text::encode(text, file.parsed->encoding, file.parsed->has_byte_order_mark);
}

std::optional<RewrittenFile> rewritten(const project::SnapshotFile& file, std::string after) {
  std::optional<std::string> bytes = encoded(file, after);
  if (!bytes) return std::nullopt;
  const text::Source& source = *file.parsed->source;
  const std::string& path = file.open_path == project::kStandardInput ? file.open_path : source.path();
  std::string before = encoded(file, source.text()).value_or("");
  return RewrittenFile{path, std::string(source.text()), std::move(after), std::move(*bytes), std::move(before)};
}

}  // namespace espalier::rewrite
