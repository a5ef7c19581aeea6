// Files and folders, as far as the standard library does not do it: whole files, which file it is, and names that
// nobody else has. Paths are UTF-8. An empty error is success.
#pragma once
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "system/standard_streams.h"

namespace espalier::system {

// What may be read. Opening a pipe or a device could wait forever, also one that a command line names. Besides regular
// files that may be what the caller hands over: an open descriptor, by the name that shells give to it ("/dev/fd/63"
// for `<(...)`, "/dev/stdin"), and "/dev/null".
enum class Readable : std::uint8_t { regular_file, named };

// Opens a file for reading. Null: `error` says why.
[[nodiscard]] std::FILE* open_file(const std::string& path, Readable readable, std::string& error);
// May a file that a command line names be read? True also if there is none. False: `error` says why not.
[[nodiscard]] bool is_readable(const std::string& path, std::string& error);

// Who may read a new file: all that the system lets, or its owner alone.
enum class Access : std::uint8_t { usual, own };
// Writes a file that must not be there yet.
[[nodiscard]] std::error_code write_new(const std::string& path, std::string_view bytes, Access access);
// Writes into what is there, such as a pipe or a device, or a new file.
[[nodiscard]] std::error_code write_into(const std::string& path, std::string_view bytes);
// Gives a file, in the folder of `target` or below, the permissions and, if allowed, the owner of that.
void take_permissions(const std::string& path, const std::string& target);
// Renames a file to another one, which is replaced if it is there.
[[nodiscard]] std::error_code rename_over(const std::string& path, const std::string& target);
// Writes a file whole, or not at all, with a file beside it that begins with `prefix` until it is renamed. Others
// cannot read it.
[[nodiscard]] std::error_code replace_whole(const std::string& path, std::string_view bytes, const std::string& prefix);

// A folder that must not be there yet, and that only its owner can read.
[[nodiscard]] std::error_code make_folder(const std::string& path);
// The same, of a new name: `prefix` with random letters behind it.
[[nodiscard]] std::error_code make_own_folder(const std::string& prefix, std::string* path);
inline constexpr std::size_t kRandomLetters = 6;

// Equal for two paths to the same file, if it exists, else for two paths that would be the same. Empty: many may write
// to it, such as "/dev/null".
std::string identity_of(const std::string& path);
std::string identity_of(Stream stream);

// Changes with what a file holds. Nothing: there is none, or it is a folder.
struct FileStamp {
  std::int64_t time = 0;  // when it was written, as finely as the system has it
  std::uintmax_t size_bytes = 0;
  bool operator==(const FileStamp& other) const { return time == other.time && size_bytes == other.size_bytes; }
};
std::optional<FileStamp> file_stamp(const std::string& path);

}  // namespace espalier::system
