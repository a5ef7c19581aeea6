// What the verbs share. Each verb is one file: options in, a library call, a report out; no logic.
#pragma once
#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "project/project.h"
#include "system/standard_streams.h"

namespace espalier::cli {

// Exit statuses of every verb.
inline constexpr int kOk = 0;         // success
inline constexpr int kFound = 1;      // findings, failed expectations, a difference
inline constexpr int kFailed = 2;     // the command could not do its work
inline constexpr int kInternal = 70;  // a bug in espalier itself

struct RunNotes;  // watch.h

// Options that most verbs have.
struct CommonOptions {
  std::vector<std::string> paths;
  bool no_ignore = false;
  std::uint32_t threads = 0;
  std::string configuration;
  std::vector<std::string> host_files;  // as well as those of the configuration
  bool quiet = false;
  bool verbose = false;
  bool is_isolated = false;
  bool skip_unknown = false;
  bool may_be_empty = false;  // a folder without trees is no error
  std::string stdin_filename;
  std::string color = "auto";             // auto, always, never
  std::shared_ptr<RunNotes> notes;        // of what loading reads; null: none are taken
  const project::Files* files = nullptr;  // with texts in place of those on disk; null: there are none
  bool keeps_parsed = false;              // what is loaded keeps its parsed files
};

void add_common(CLI::App& verb, CommonOptions& options);
// Adds --color and --quiet, which every verb has, unless the verb has them already.
void add_output_options(CLI::App& verb, CommonOptions& options);
project::LoadOptions load_options(const CommonOptions& options);
// Loads the project that the options name, for compiling. Shows progress on a terminal when it takes long, and with -v
// the skipped files. `shown`: of warnings and notes. `for_picture`: trees that poll are kept as they are written, too.
// False: the reason is on standard error.
[[nodiscard]] bool load_project(const CommonOptions& options, lint::Shown shown, project::Project& project,
                                bool for_picture);
// The same for linting. `kept`: from earlier runs; null: nothing. `has_witnesses`: findings get the traces that show
// them.
[[nodiscard]] bool load_findings(const CommonOptions& options, project::KeptFacts* kept, bool has_witnesses,
                                 project::Project& project);
// Shows progress on a terminal while `load` runs, and then the errors that it has added. Returns what it returned.
using Load = std::function<bool(project::LoadErrors& errors, project::Progress* progress)>;
[[nodiscard]] bool load_with_progress(const CommonOptions& options, const Load& load);
// Which espalier.json is not used although trees lie below it; with -v, which files were skipped, and why.
void report_skipped(const CommonOptions& options, const project::Project& project);
// Should output to this stream have colours?
bool use_color(const CommonOptions& options, system::Stream stream);
bool use_links(const CommonOptions& options, system::Stream stream);  // on a terminal with colours

// Writes to standard error why the command failed, and keeps it for the report; returns kFailed. `file`: that it is
// about, if the message does not say that it cannot be read.
int fail(const std::string& message, const std::string& hint = {}, const std::string& file = {});

// The inputs of a project, which must not be overwritten: its files, and "-" for standard input.
std::vector<std::string> inputs_of(const CommonOptions& options, const project::Project& project);

// Writes one file like system::write_files(), unless it is one of the inputs. False: `error` says why.
[[nodiscard]] bool write_file(const std::string& path, std::string_view bytes, const std::vector<std::string>& inputs,
                              std::string* error);
// Writes a file anew that held `before` when it was read. False: `error` says why; one that has changed since is left.
[[nodiscard]] bool rewrite_file(const std::string& path, std::string_view before, std::string_view bytes,
                                std::string* error);
[[nodiscard]] bool read_file(const std::string& path, std::string* bytes, std::string* error);

// Runs a server of a protocol for editors on standard input and output. `serve` gets what writes a whole frame, and
// returns 0 if the editor has ended it. Returns an exit status.
using WriteFrame = std::function<void(const std::string& frame)>;
int serve_editor(const std::function<int(const WriteFrame& write)>& serve);

// Each adds its verb to the program; the verb's callback sets `status`.
void add_lint(CLI::App& program, int& status);
void add_compile(CLI::App& program, int& status);
void add_replay(CLI::App& program, int& status);
void add_cover(CLI::App& program, int& status);
void add_graph(CLI::App& program, int& status);
void add_diff(CLI::App& program, int& status);
void add_prove(CLI::App& program, int& status);
void add_merge(CLI::App& program, int& status);
void add_fmt(CLI::App& program, int& status);
void add_dump(CLI::App& program, int& status);
void add_verify(CLI::App& program, int& status);
void add_explain(CLI::App& program, int& status);
void add_schema(CLI::App& program, int& status);
void add_init(CLI::App& program, int& status);
void add_import(CLI::App& program, int& status);
void add_attach(CLI::App& program, int& status);
void add_lsp(CLI::App& program, int& status);
void add_dap(CLI::App& program, int& status);
void add_help(CLI::App& program, int& status);
void add_completions(CLI::App& program, int& status);

}  // namespace espalier::cli
