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
  std::string color = "auto";  // auto, always, never
};

void add_common(CLI::App& verb, CommonOptions& options);
project::LoadOptions load_options(const CommonOptions& options);
// Colour for a stream of this file descriptor?
inline constexpr int kOutputDescriptor = 1;
inline constexpr int kErrorDescriptor = 2;
bool use_color(const CommonOptions& options, int descriptor);

// Says on standard error why the command could not do its work; kFailed.
int fail(const std::string& message, const std::string& hint = {});

// Writes a file beside `path` and renames it there, so that it appears whole or not at all. False: `error` says why.
[[nodiscard]] bool write_file(const std::string& path, std::string_view bytes, std::string* error);
[[nodiscard]] bool read_file(const std::string& path, std::string* bytes, std::string* error);

// Each adds its verb to the program; the verb's callback sets `status`.
void add_lint(CLI::App& program, int& status);
void add_compile(CLI::App& program, int& status);
void add_replay(CLI::App& program, int& status);
void add_dump(CLI::App& program, int& status);
void add_verify(CLI::App& program, int& status);
void add_explain(CLI::App& program, int& status);

}  // namespace espalier::cli
