// Writes the outputs of a run. See output_files.h.
#include "system/output_files.h"

#include <algorithm>
#include <cerrno>
#include <iostream>
#include <map>
#include <system_error>
#include <utility>

#include "system/device_name.h"
#include "system/file.h"
#include "system/filesystem.h"
#include "system/read_file.h"
#include "system/reason.h"
#include "system/signals.h"
#include "system/staging_folder.h"

namespace espalier::system {
namespace {

constexpr int kMaxLinks = 40;  // in a chain, as on Linux

// The destination of an output. A special one (standard output, a pipe, a device) must not be replaced by a file.
struct Target {
  const OutputFile* file = nullptr;
  std::string path = {};    // with links followed: the links stay, and their target is replaced
  std::string folder = {};  // that contains it
  bool is_special = false;
};

std::string without_link(const std::string& path) {
  namespace fs = filesystem;
  std::error_code error;
  fs::path result = path;
  for (int i = 0; i < kMaxLinks && fs::is_symlink(result, error); ++i) {
    result = result.parent_path() / fs::read_symlink(result, error);
  }
  return result.generic_string();
}

std::string shown(const std::string& path, const char* stream) { return path == "-" ? stream : "'" + path + "'"; }

bool refuse(const OutputFile& file, const std::string& reason, OutputFault* fault, std::string hint = {}) {
  *fault = {"cannot write " + shown(file.path, "to standard output") + ": " + reason, std::move(hint)};
  return false;
}

// Does a link lead to something else than its text says? A link of the system does (/dev/stdout), if its file was
// renamed or removed. A file that another run replaces between two looks at it must not be taken for one: it would be
// written into, while others read it.
bool leads_elsewhere(const std::string& link, const std::string& target) {
  if (link == target) return false;
  const std::string identity = identity_of(link);
  return identity_of(target) != identity && identity_of(link) == identity;
}

bool find_target(const OutputFile& file, const Outputs& outputs, Target& target, OutputFault* fault) {
  namespace fs = filesystem;
  target = {&file, file.path, {}, file.path == "-" || has_name_of_device(file.path)};
  if (target.is_special) return true;
  if (file.path.empty()) return refuse(file, "the file name is empty", fault);
  std::error_code error;
  const fs::file_status status = fs::status(file.path, error);
  if (file.path.back() == '/' || fs::is_directory(status)) return refuse(file, "it is a folder", fault);
  target.path = without_link(file.path);
  target.is_special = fs::exists(status) && (!fs::is_regular_file(status) || leads_elsewhere(file.path, target.path));
  if (target.is_special) return true;
  target.folder = fs::path(target.path).parent_path().generic_string();
  if (target.folder.empty()) target.folder = ".";
  if (fs::is_directory(target.folder, error)) return true;
  const bool is_made = std::any_of(outputs.folders.begin(), outputs.folders.end(), [&](const std::string& folder) {
    return (fs::path(folder) / "").lexically_normal() == (fs::path(target.folder) / "").lexically_normal();
  });
  if (is_made) return true;
  return refuse(file, "the folder '" + target.folder + "' does not exist", fault,
                "create the folder first, or use another one");
}

bool check_identities(const std::vector<Target>& targets, const Outputs& outputs, OutputFault* fault) {
  std::map<std::string, const std::string*> inputs;
  for (const std::string& input : outputs.inputs) {
    inputs.emplace(input == kStandardInput ? identity_of(Stream::input) : identity_of(input), &input);
  }
  std::map<std::string, const OutputFile*> written;
  for (const Target& target : targets) {
    const OutputFile& file = *target.file;
    const std::string identity = file.path == "-" ? identity_of(Stream::output) : identity_of(target.path);
    if (identity.empty()) continue;
    if (const auto input = inputs.find(identity); input != inputs.end()) {
      const bool has_own_name = *input->second != file.path;
      return refuse(
          file, has_own_name ? "it is " + shown(*input->second, "standard input") + ", which was read" : "it was read",
          fault, "name another file; inputs are never overwritten");
    }
    if (const auto [other, is_new] = written.emplace(identity, &file); !is_new) {
      *fault = {"two outputs would be written to one file: " + shown(other->second->path, "standard output") + " and " +
                    shown(file.path, "standard output"),
                "use another file for one of them"};
      return false;
    }
  }
  return true;
}

bool write_special(const Target& target, OutputFault* fault) {
  const OutputFile& file = *target.file;
  if (file.path != "-") {
    const std::error_code error = write_into(file.path, file.bytes);
    return !error || refuse(file, reason_of(error), fault);
  }
  std::cout << std::flush;
  return write_directly(Stream::output, file.bytes) || refuse(file, reason_of(errno), fault);
}

bool make_folders(const std::vector<std::string>& folders, OutputFault* fault) {
  for (const std::string& folder : folders) {
    std::error_code error;
    filesystem::create_directories(folder, error);
    if (!error) continue;
    // A file is where a folder should be: standard libraries differ in which of two reasons they give.
    if (error == std::errc::file_exists) error = std::make_error_code(std::errc::not_a_directory);
    *fault = {"cannot create the folder '" + folder + "': " + reason_of(error)};
    return false;
  }
  return true;
}

// Has somebody written the file since it was read?
bool has_changed(const Target& target) {
  if (!target.file->before) return false;
  std::string now;
  std::string reason;
  return !read_bytes(target.path, target.file->before->size() + 1, now, reason) || now != *target.file->before;
}

bool say_left(const std::vector<const OutputFile*>& left, OutputFault* fault) {
  std::string names;
  for (const OutputFile* file : left) names += (names.empty() ? "'" : ", '") + file->path + "'";
  const bool is_one = left.size() == 1;
  *fault = {
      names + " changed meanwhile: " + (is_one ? "it is" : "they are") + " left as " + (is_one ? "it is" : "they are"),
      "run the command again"};
  return false;
}

bool replace_files(const std::vector<Target>& targets, OutputFault* fault) {
  const HeldSignals uninterrupted(HeldSignals::Which::ending);
  std::map<std::string, StagingFolder> folders;
  std::string reason;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const Target& target = targets[i];
    if (target.is_special) continue;
    StagingFolder& folder = folders.try_emplace(target.folder, target.folder).first->second;
    if (!folder.reason().empty()) return refuse(*target.file, folder.reason(), fault);
    if (!folder.write(i, target.path, target.file->bytes, &reason)) return refuse(*target.file, reason, fault);
  }
  std::vector<const OutputFile*> left;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (targets[i].is_special) continue;
    if (has_changed(targets[i])) {
      left.push_back(targets[i].file);
    } else if (!folders.at(targets[i].folder).publish(i, targets[i].path, &reason)) {
      return refuse(*targets[i].file, reason, fault);
    }
  }
  return left.empty() || say_left(left, fault);
}

}  // namespace

bool write_files(const Outputs& outputs, OutputFault* fault) {
  std::vector<Target> targets(outputs.files.size());
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (!find_target(outputs.files[i], outputs, targets[i], fault)) return false;
  }
  if (!check_identities(targets, outputs, fault)) return false;
  if (!make_folders(outputs.folders, fault)) return false;
  // Special outputs first: they may wait long for their reader, and staged files must not.
  for (const Target& target : targets) {
    if (target.is_special && !write_special(target, fault)) return false;
  }
  return replace_files(targets, fault);
}

}  // namespace espalier::system
