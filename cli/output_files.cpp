// Writing several files as one. See output_files.h.
#include "cli/output_files.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "cli/cli.h"
#include "text/names.h"

namespace espalier::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kStagedSuffix = ".espalier-new";

bool is_standard_output(const OutputFile& file) { return file.path == "-"; }

// A place that a file can be moved to; others (/dev/stdout, a pipe) are written directly.
bool is_replaceable(const std::string& path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  return !fs::exists(status) || fs::is_regular_file(status);
}

bool is_staged(const OutputFile& file) { return !is_standard_output(file) && is_replaceable(file.path); }

bool stage(const OutputFile& file, std::string* error) {
  std::error_code code;
  if (fs::is_directory(file.path, code)) {
    *error = file.path + ": this is a folder";
    return false;
  }
  const fs::path folder = fs::path(file.path).parent_path();
  if (!folder.empty()) fs::create_directories(folder, code);
  if (code) {
    *error = folder.string() + ": " + code.message();
    return false;
  }
  return !is_staged(file) || write_file(file.path + kStagedSuffix, file.bytes, error);
}

bool publish(const OutputFile& file, std::string* error) {
  if (is_standard_output(file)) {
    const bool written = std::fwrite(file.bytes.data(), 1, file.bytes.size(), stdout) == file.bytes.size();
    if (written && std::fflush(stdout) == 0) return true;
    *error = "cannot write to standard output";
    return false;
  }
  if (!is_replaceable(file.path)) return write_file(file.path, file.bytes, error);
  std::error_code code;
  fs::rename(file.path + kStagedSuffix, file.path, code);
  if (code) *error = file.path + ": " + code.message();
  return !code;
}

void remove_staged(const std::vector<OutputFile>& files) {
  for (const OutputFile& file : files) {
    std::error_code ignored;
    if (!is_standard_output(file)) fs::remove(file.path + kStagedSuffix, ignored);
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
