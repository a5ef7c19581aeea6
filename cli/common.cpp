// What the verbs share. See cli.h.
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "cli/cli.h"
#include "project/collect.h"

namespace espalier::cli {
namespace {

namespace fs = std::filesystem;

bool is_set(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0';
}

bool write_standard_output(std::string_view bytes, std::string* error) {
  std::cout.write(bytes.data(), static_cast<std::streamsize>(bytes.size())).flush();
  if (std::cout) return true;
  *error = std::string("cannot write to standard output: ") + std::strerror(errno);
  return false;
}

}  // namespace

void add_common(CLI::App& verb, CommonOptions& options) {
  verb.add_option("paths", options.paths,
                  "files, folders, or - for standard input; none: the project of the nearest espalier.json");
  verb.add_flag("--no-ignore", options.no_ignore, "reads what .gitignore excludes too");
  verb.add_option("--config", options.configuration, "this file in place of the nearest espalier.json");
  verb.add_option("-j,--threads", options.threads, "threads to use, default all");
  verb.add_option("--color", options.color, "when to write in colour")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->capture_default_str();
  verb.add_flag("-q,--quiet", options.quiet, "writes results alone");
  verb.add_flag("-v,--verbose", options.verbose, "tells more about what is done");
}

project::LoadOptions load_options(const CommonOptions& options) {
  project::LoadOptions result;
  result.paths = options.paths;
  result.ignore_files = !options.no_ignore;
  result.thread_count = options.threads;
  result.configuration_path = options.configuration;
  return result;
}

int fail(const std::string& message, const std::string& hint) {
  std::cout << std::flush;
  std::cerr << "espalier: " << message << '\n';
  if (!hint.empty()) std::cerr << "  hint: " << hint << '\n';
  return kFailed;
}

bool use_color(const CommonOptions& options, int descriptor) {
  if (options.color != "auto") return options.color == "always";
  const char* terminal = std::getenv("TERM");
  const bool is_dumb = terminal != nullptr && std::strcmp(terminal, "dumb") == 0;
  return !is_set("NO_COLOR") && !is_dumb && isatty(descriptor) == 1;
}

bool write_file(const std::string& path, std::string_view bytes, std::string* error) {
  if (path == "-") return write_standard_output(bytes, error);
  std::error_code failure;
  const auto fail = [&](const std::string& reason) {
    *error = "cannot write '" + path + "': " + reason;
    return false;
  };
  if (path.empty()) return fail("a file needs a name");
  if (path.back() == '/' || fs::is_directory(path, failure)) return fail("it is a folder");
  // A pipe or device cannot be replaced by a file, and must not be.
  const bool is_special = fs::exists(path, failure) && !fs::is_regular_file(path, failure);
  // A link stays a link: what it points to is replaced.
  const std::string target =
      fs::is_symlink(path, failure) && !is_special ? fs::weakly_canonical(path, failure).string() : path;
  const std::string beside = is_special ? target : target + ".tmp" + std::to_string(getpid());
  errno = 0;
  std::ofstream file(beside, std::ios::binary | std::ios::trunc);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file) {
    const std::string reason = errno == 0 ? "writing failed" : std::strerror(errno);
    if (!is_special) fs::remove(beside, failure);
    return fail(reason);
  }
  if (is_special) return true;
  if (fs::exists(target, failure)) fs::permissions(beside, fs::status(target, failure).permissions(), failure);
  fs::rename(beside, target, failure);
  if (!failure) return true;
  const std::string reason = failure.message();
  fs::remove(beside, failure);
  return fail(reason);
}

bool read_file(const std::string& path, std::string* bytes, std::string* error) {
  std::string reason;
  if (project::read_bytes(path, text::kMaxFileBytes, *bytes, reason)) return true;
  *error = "cannot read '" + path + "': " + reason;
  return false;
}

}  // namespace espalier::cli
