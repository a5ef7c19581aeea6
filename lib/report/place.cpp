// Places. See place.h.
#include "report/place.h"

#include <algorithm>
#include <cstdio>

#include "system/filesystem.h"

namespace espalier::report {
namespace {

// The number of UTF-8 characters that begin in `text`.
std::uint32_t character_count(std::string_view text) {
  return static_cast<std::uint32_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

bool is_unreserved(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.' ||
         c == '_' || c == '~' || c == '/';
}

}  // namespace

std::uint32_t Regions::column(const text::Source& source, text::FileId file, std::uint32_t offset) {
  offset = std::min(offset, static_cast<std::uint32_t>(source.text().size()));
  const std::uint32_t line_begin = offset - (source.position(offset).column - 1);
  if (file != file_ || line_begin != line_begin_ || offset_ < line_begin) {
    file_ = file;
    line_begin_ = offset_ = line_begin;
    column_ = 1;
  }
  const std::string_view text = source.text();
  if (offset >= offset_) {
    column_ += character_count(text.substr(offset_, offset - offset_));
  } else {
    column_ -= character_count(text.substr(offset, offset_ - offset));
  }
  offset_ = offset;
  return column_;
}

Region Regions::of(text::Span span) {
  const text::Source& source = sources_[span.file];
  Region region;
  region.line = source.position(span.begin).line;
  region.column = column(source, span.file, span.begin);
  region.end_line = source.position(span.end).line;
  region.end_column = column(source, span.file, span.end);
  return region;
}

std::string uri_of(std::string_view path) {
  constexpr bool kIsWindows = system::filesystem::path::preferred_separator != '/';
  std::string uri;
  if (kIsWindows && path.find(':') == 1) {
    uri = "file:///";
  } else if (kIsWindows && path.starts_with("//")) {  // a server
    uri = "file:";
  } else if (path.starts_with('/')) {
    uri = "file://";
  }
  for (const char c : path) {
    if (is_unreserved(c)) {
      uri += c;
      continue;
    }
    char escaped[4];
    std::snprintf(escaped, sizeof escaped, "%%%02X", static_cast<unsigned>(static_cast<unsigned char>(c)));
    uri += escaped;
  }
  return uri;
}

}  // namespace espalier::report
