// file: URIs. See uri.h.
#include "editor/uri.h"

#include "system/filesystem.h"

namespace espalier::editor {
namespace {

constexpr std::string_view kScheme = "file://";
constexpr std::string_view kDigits = "0123456789ABCDEF";

int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// Windows has drives and servers: "file:///c%3A/trees" is "C:/trees", "file://server/share" is "//server/share".
constexpr bool kIsWindows = system::filesystem::path::preferred_separator != '/';

}  // namespace

std::string path_of_uri(std::string_view uri) {
  if (!uri.starts_with(kScheme)) return {};
  uri.remove_prefix(kScheme.size());
  std::string path;
  if (const std::size_t slash = uri.find('/'); slash != 0 && slash != std::string_view::npos) {
    if (kIsWindows && uri.substr(0, slash) != "localhost")
      path = "//";
    else
      uri.remove_prefix(slash);
  }
  for (std::size_t i = 0; i < uri.size(); ++i) {
    const bool is_escape = uri[i] == '%' && i + 2 < uri.size() && digit(uri[i + 1]) >= 0 && digit(uri[i + 2]) >= 0;
    path += is_escape ? static_cast<char>(digit(uri[i + 1]) * 16 + digit(uri[i + 2])) : uri[i];
    if (is_escape) i += 2;
  }
  if (kIsWindows && path.size() > 2 && path[0] == '/' && path[2] == ':') {
    path.erase(0, 1);
    if (path[0] >= 'a' && path[0] <= 'z') path[0] = static_cast<char>(path[0] - 'a' + 'A');
  }
  return path.find('\0') == std::string::npos ? path : std::string();
}

std::string uri_of_path(std::string_view path) {
  std::string uri(kScheme);
  if (kIsWindows && path.starts_with("//"))
    path.remove_prefix(2);
  else if (kIsWindows && !path.starts_with('/'))
    uri += '/';
  for (const char c : path) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                          std::string_view("-._~/").find(c) != std::string_view::npos;
    if (is_plain) {
      uri += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      uri += '%';
      uri += kDigits[byte >> 4];
      uri += kDigits[byte & 15];
    }
  }
  return uri;
}

}  // namespace espalier::editor
