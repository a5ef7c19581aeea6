// What the verbs share. A verb is one file: options in, a library call, a report out; no logic.
#pragma once
#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "project/project.h"

namespace espalier::cli {

// Exit statuses of every verb.
inline constexpr int kOk = 0;         // nothing wrong
inline constexpr int kFound = 1;      // findings, failed expectations, a difference
inline constexpr int kFailed = 2;     // the command could not do its work
inline constexpr int kInternal = 70;  // a fault of espalier itself

// Options that most verbs have.
struct CommonOptions {
  std::vector<std::string> paths;
  bool no_ignore = false;
  std::uint32_t threads = 0;
  std::string configuration;
  bool quiet = false;
  bool verbose = false;
  bool is_isolated = false;
  bool skip_unknown = false;
  std::string stdin_filename;
  std::string color = "auto";  // auto, always, never
};

void add_common(CLI::App& verb, CommonOptions& options);
project::LoadOptions load_options(const CommonOptions& options);
// What a project is loaded for: see project::LoadOptions::for_compiling.
enum class Purpose : std::uint8_t { linting, compiling };
// Loads the project that the options stand for; a long time is shown on a terminal, and with -v which files are passed
// over. False: standard error says why.
[[nodiscard]] bool load_project(const CommonOptions& options, Purpose purpose, project::Project& project);
// Colour for a stream of this file descriptor?
inline constexpr int kOutputDescriptor = 1;
inline constexpr int kErrorDescriptor = 2;
bool use_color(const CommonOptions& options, int descriptor);

// Says on standard error why the command could not do its work; kFailed.
int fail(const std::string& message, const std::string& hint = {});

// What a project was read from, which no output may be: its files, and "-" for standard input.
std::vector<std::string> inputs_of(const CommonOptions& options, const project::Project& project);

// Writes one file as write_files() does, which output_files.h declares. False: `error` says why.
[[nodiscard]] bool write_file(const std::string& path, std::string_view bytes, std::string* error);
[[nodiscard]] bool read_file(const std::string& path, std::string* bytes, std::string* error);

// Each adds its verb to the program; the verb's callback sets `status`.
void add_lint(CLI::App& program, int& status);
void add_compile(CLI::App& program, int& status);
void add_replay(CLI::App& program, int& status);
void add_dump(CLI::App& program, int& status);
void add_verify(CLI::App& program, int& status);
void add_explain(CLI::App& program, int& status);
void add_schema(CLI::App& program, int& status);
void add_init(CLI::App& program, int& status);
void add_help(CLI::App& program, int& status);
void add_completions(CLI::App& program, int& status);

}  // namespace espalier::cli
