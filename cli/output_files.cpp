// Writing several files as one. See output_files.h.
#include "cli/output_files.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

#include "cli/cli.h"
#include "text/names.h"

namespace espalier::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kStagedSuffix = ".espalier-new";

// Where a file really goes: a link stays a link, and what it points to is replaced.
std::string target_of(const std::string& path) {
  std::error_code code;
  return fs::is_symlink(path, code) ? fs::weakly_canonical(path, code).string() : path;
}

std::string staged_path(const OutputFile& file) { return target_of(file.path) + kStagedSuffix; }

// Standard output, pipes and devices cannot be replaced by a file, and must not be.
bool is_replaceable(const OutputFile& file) {
  if (file.path == "-") return false;
  std::error_code ignored;
  const fs::file_status status = fs::status(file.path, ignored);
  return !fs::exists(status) || fs::is_regular_file(status);
}

bool make_folder_of(const OutputFile& file, std::string* error) {
  const fs::path folder = fs::path(file.path).parent_path();
  std::error_code code;
  if (!folder.empty()) fs::create_directories(folder, code);
  if (code) *error = "cannot make the folder '" + folder.string() + "': " + code.message();
  return !code;
}

// What cannot be staged is written when all else is.
bool stage(const OutputFile& file, std::string* error) {
  std::error_code ignored;
  if (file.path == "-") return true;
  if (!make_folder_of(file, error)) return false;
  if (fs::is_directory(file.path, ignored)) {
    *error = "cannot write '" + file.path + "': it is a folder";
    return false;
  }
  return !is_replaceable(file) || write_file(staged_path(file), file.bytes, error);
}

bool publish(const OutputFile& file, std::string* error) {
  if (!is_replaceable(file)) return write_file(file.path, file.bytes, error);
  const std::string staged = staged_path(file);
  const std::string target = target_of(file.path);
  std::error_code code;
  if (fs::exists(target, code)) fs::permissions(staged, fs::status(target, code).permissions(), code);
  fs::rename(staged, target, code);
  if (code) *error = "cannot write '" + file.path + "': " + code.message();
  return !code;
}

void remove_staged(const std::vector<OutputFile>& files) {
  for (const OutputFile& file : files) {
    std::error_code ignored;
    if (is_replaceable(file)) fs::remove(staged_path(file), ignored);
  }
}

// Names of devices on Windows, with any ending.
bool is_device_name(std::string_view stem) {
  constexpr std::array kDevices = {"con", "prn", "aux", "nul"};
  const std::string name = text::lower_case(stem.substr(0, stem.find('.')));
  if (std::find(kDevices.begin(), kDevices.end(), name) != kDevices.end()) return true;
  return name.size() == 4 && (name.starts_with("com") || name.starts_with("lpt")) && name[3] >= '1' && name[3] <= '9';
}

// As make and ninja read it: '$' doubled; white space, '#', ':' and '\' before them behind a '\'.
std::string escaped(const std::string& path) {
  std::string result;
  std::size_t backslash_count = 0;
  for (const char c : path) {
    if (c == ' ' || c == '\t' || c == '#' || c == ':') result.append(backslash_count + 1, '\\');
    if (c == '$') result += '$';
    result += c;
    backslash_count = c == '\\' ? backslash_count + 1 : 0;
  }
  return result;
}

}  // namespace

bool write_files(const std::vector<OutputFile>& files, std::string* error) {
  for (const OutputFile& file : files) {
    if (stage(file, error)) continue;
    remove_staged(files);
    return false;
  }
  for (const OutputFile& file : files) {
    if (publish(file, error)) continue;
    remove_staged(files);
    return false;
  }
  return true;
}

std::string file_stem(std::string_view tree_name) {
  constexpr std::string_view kForbidden = "/\\:*?\"<>|";
  std::string stem(tree_name);
  for (char& c : stem) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F || kForbidden.find(c) != std::string_view::npos) c = '_';
  }
  // A dot in front hides a file; a dot or a space at the end is dropped by some systems.
  if (stem.empty() || stem.front() == '.' || stem.front() == '-' || is_device_name(stem)) stem.insert(0, "_");
  if (stem.back() == '.' || stem.back() == ' ') stem += '_';
  return stem;
}

std::string depfile(const std::vector<std::string>& targets, const std::vector<std::string>& sources) {
  std::string text;
  for (const std::string& target : targets) text.append(text.empty() ? "" : " ").append(escaped(target));
  text += ':';
  for (const std::string& source : sources) text.append(" \\\n  ").append(escaped(source));
  text += '\n';
  // A rule of its own for each, so that make goes on when a file is gone.
  for (const std::string& source : sources) text.append("\n").append(escaped(source)).append(":\n");
  return text;
}

}  // namespace espalier::cli
