// The program: finds the verb and runs it. Each verb has its own file.
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>
#include <iostream>
#include <iterator>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/cli.h"
#include "cli/command_line.h"
#include "cli/help.h"
#include "cli/usage_faults.h"
#include "report/output_form.h"
#include "system/deep_thread.h"
#include "system/standard_streams.h"

namespace espalier::cli {
namespace {

using Words = std::vector<std::string>;

int finish_output(int status) {
  std::cout.flush();
  // It is not an error if the reader has closed the pipe ("espalier lint | head").
  if (std::cout || system::has_reader_left()) return status;
  std::cerr << "espalier: cannot write to standard output: " << std::strerror(errno) << '\n';
  return kFailed;
}

// Flags take no value: "--quiet=no" is refused.
void refuse_values_of_flags(CLI::App& program) {
  for (CLI::App* verb : program.get_subcommands(nullptr)) {
    for (CLI::Option* option : verb->get_options()) {
      if (is_flag(*option)) option->disable_flag_override();
    }
  }
}

constexpr std::string_view kFirstHelp =
    "espalier checks, tests and compiles behaviour trees.\n\n"
    "  espalier lint trees/                             reports mistakes\n"
    "  espalier replay trees/ --trace a.trace.jsonl -v  runs a test, and says why\n"
    "  espalier diff old/ new/                          shows what a change does\n"
    "  espalier graph trees/ > trees.svg                draws trees\n"
    "  espalier explain unknown-port                    explains a rule or an element\n\n"
    "'espalier init' writes a first configuration. 'espalier help' lists all verbs,\n"
    "and 'espalier help lint' describes one.\n";

int refuse(const UsageFault& fault) { return fail(fault.message, fault.hint); }

struct Verb {
  std::string_view name;
  void (*add)(CLI::App& program, int& status);
  bool is_about_all = false;  // it looks at the other verbs
};
constexpr Verb kVerbs[] = {
    {"lint", add_lint},     {"compile", add_compile}, {"replay", add_replay},   {"cover", add_cover},
    {"graph", add_graph},   {"diff", add_diff},       {"prove", add_prove},     {"merge", add_merge},
    {"fmt", add_fmt},       {"dump", add_dump},       {"verify", add_verify},   {"explain", add_explain},
    {"schema", add_schema}, {"init", add_init},       {"import", add_import},   {"attach", add_attach},
    {"lsp", add_lsp},       {"dap", add_dap},         {"help", add_help, true}, {"completions", add_completions, true}};

// The program with the verbs that are wanted.
template <typename IsWanted>
void set_up(CLI::App& program, int& status, const IsWanted& is_wanted) {
  program.allow_windows_style_options(false);  // "/a/tree.xml" is a path
  program.set_version_flag("-V,--version", "espalier " ESPALIER_VERSION, "prints the version");
  program.set_help_flag("-h,--help", "prints this help");
  program.require_subcommand(1);
  program.footer(
      "Examples:\n"
      "  espalier lint src/my_robot\n"
      "  espalier replay src/my_robot --trace low_battery.trace.jsonl\n"
      "  espalier compile trees/ -o guards.espb\n"
      "  espalier explain unknown-port\n\n"
      "'espalier help VERB' describes a verb.");
  for (const Verb& verb : kVerbs) {
    if (is_wanted(verb)) verb.add(program, status);
  }
  // For scripts that give them to all verbs. Those without such options of their own write results alone, uncoloured.
  CommonOptions no_effect;
  for (CLI::App* verb : program.get_subcommands(nullptr)) add_output_options(*verb, no_effect);
  refuse_values_of_flags(program);
}

// CLI11 has many exit statuses; this returns 0 for --help and --version, 2 for errors, and nothing if `is_first` and
// the command line is not valid.
std::optional<int> parse(CLI::App& program, const Words& words, bool is_first, const int& status) {
  try {
    program.parse(Words(words.rbegin(), words.rend() - 1));  // the last one first, as CLI11 wants them
  } catch (const CLI::CallForHelp&) {
    const std::vector<CLI::App*> verbs = program.get_subcommands();
    std::cout << help_text(program, verbs.empty() ? program : *verbs.front(), line_width());
    return kOk;
  } catch (const CLI::Success& asked) {  // --version
    std::cout << asked.what() << '\n';
    return kOk;
  } catch (const CLI::ParseError& error) {
    if (is_first) return std::nullopt;
    return refuse(describe_fault(program, error));
  }
  return status;
}

int run_program(const Words& words) {
  constexpr const char* kAbout = "espalier checks, compiles and replays behaviour trees.";
  if (words.size() < 2) {
    std::cerr << kFirstHelp;
    return kFailed;
  }
  const std::string_view first = words[1];
  const auto verb =
      std::find_if(std::begin(kVerbs), std::end(kVerbs), [&](const Verb& each) { return each.name == first; });
  const bool is_version = words.size() == 2 && (first == "-V" || first == "--version");
  int status = kOk;
  // Most command lines need one verb, and to add the options of all takes longer than to check a tree.
  if (is_version || (verb != std::end(kVerbs) && !verb->is_about_all)) {
    CLI::App program(kAbout, "espalier");
    set_up(program, status, [&](const Verb& each) { return verb == &each; });
    if (const std::optional<int> done = parse(program, words, true, status)) return finish_output(*done);
  }
  CLI::App program(kAbout, "espalier");
  set_up(program, status, [](const Verb&) { return true; });
  if (!first.starts_with('-') && verb == std::end(kVerbs)) return refuse(unknown_verb(program, words[1]));
  return finish_output(*parse(program, words, false, status));
}

// Says what went wrong, whatever it is.
int run_guarded(const Words& words) {
  try {
    return run_program(words);
  } catch (const std::bad_alloc&) {
    std::cerr << "espalier: not enough memory\n";
    return kFailed;
  } catch (const std::exception& error) {
    std::cerr << "espalier: internal error: " << error.what()
              << "\nThis is a bug in espalier " ESPALIER_VERSION
                 ", not in your files. Please report it with the command you ran and the files it read.\n";
    return kInternal;
  }
}

}  // namespace
}  // namespace espalier::cli

int main(int count, char** words) {
  using namespace espalier::cli;
  std::ios::sync_with_stdio(false);
  const std::vector<std::string> own_words = espalier::system::begin_program(count, words);
  const espalier::report::GuardedOutput output(std::cout);
  const espalier::report::GuardedOutput errors(std::cerr);
  int status = kInternal;
  espalier::system::run_deep([&] { status = run_guarded(own_words); });
  return status;
}
