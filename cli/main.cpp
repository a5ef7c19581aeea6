// The program: finds the verb and runs it. What verbs do is in their own files.
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <iostream>
#include <new>

#include "cli/cli.h"
#include "text/names.h"

namespace espalier::cli {
namespace {

// A caller may start us with a standard stream closed. The next file opened would take its place and be written over.
void open_standard_streams() {
  for (int descriptor = 0; descriptor <= 2; ++descriptor) {
    if (fcntl(descriptor, F_GETFD) != -1 || errno != EBADF) continue;
    if (::open("/dev/null", descriptor == 0 ? O_RDONLY : O_WRONLY) == -1) return;
  }
}

// A reader that had enough ("espalier lint | head") is no fault.
bool has_reader_left() {
  pollfd output{STDOUT_FILENO, POLLOUT, 0};
  return poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
}

int finish_output(int status) {
  std::cout.flush();
  if (std::cout || has_reader_left()) return status;
  std::cerr << "espalier: cannot write to standard output: " << std::strerror(errno) << '\n';
  return kFailed;
}

// Is the first word, where a verb stands, none? CLI11 would only say that it did not expect it.
bool is_unknown_verb(const CLI::App& program, int count, char** words) {
  if (count < 2 || words[1][0] == '-') return false;
  std::vector<std::string> verbs;
  for (const CLI::App* verb : program.get_subcommands(nullptr)) verbs.push_back(verb->get_name());
  const std::vector<std::string_view> names(verbs.begin(), verbs.end());
  if (std::find(names.begin(), names.end(), words[1]) != names.end()) return false;
  std::cerr << "espalier: there is no verb " << text::quoted(words[1]) << '\n';
  const std::string hint = text::did_you_mean(words[1], names);
  std::cerr << "  hint: " << (hint.empty() ? "'espalier --help' lists all verbs" : hint) << '\n';
  return true;
}

// CLI11's own exit statuses are many; ours are 0 for what was asked for (--help, --version) and 2.
int run(CLI::App& program, int count, char** words, int& status) {
  if (count < 2) {
    std::cerr << program.help();
    return kFailed;
  }
  if (is_unknown_verb(program, count, words)) return kFailed;
  try {
    program.parse(count, words);
  } catch (const CLI::Success& success) {
    return program.exit(success, std::cout, std::cerr);
  } catch (const CLI::ParseError& error) {
    const CLI::App* verb = program.get_subcommands().empty() ? &program : program.get_subcommands().front();
    std::cerr << "espalier: " << error.what() << "\n  hint: 'espalier"
              << (verb == &program ? "" : " " + verb->get_name()) << " --help' tells what can be given\n";
    return kFailed;
  }
  return status;
}

int run_program(int count, char** words) {
  CLI::App program("espalier checks, compiles and replays behaviour trees.", "espalier");
  program.set_version_flag("--version", "espalier " ESPALIER_VERSION, "prints the version");
  program.set_help_flag("-h,--help", "prints this help");
  program.require_subcommand(1);
  program.footer(
      "Examples:\n"
      "  espalier lint trees/\n"
      "  espalier compile trees/ -o guards.espb\n"
      "  espalier replay guards.espb --trace patrol.trace.jsonl\n"
      "  espalier explain duplicate-attribute\n\n"
      "'espalier VERB --help' tells more about a verb.");
  int status = kOk;
  add_lint(program, status);
  add_compile(program, status);
  add_replay(program, status);
  add_dump(program, status);
  add_verify(program, status);
  add_explain(program, status);
  program.get_formatter()->label("SUBCOMMAND", "VERB");
  for (CLI::App* verb : program.get_subcommands(nullptr)) verb->group("Verbs");
  return finish_output(run(program, count, words, status));
}

}  // namespace
}  // namespace espalier::cli

int main(int count, char** words) {
  using namespace espalier::cli;
  std::ios::sync_with_stdio(false);
  std::signal(SIGPIPE, SIG_IGN);
  open_standard_streams();
  try {
    return run_program(count, words);
  } catch (const std::bad_alloc&) {
    std::cerr << "espalier: not enough memory\n";
    return kFailed;
  } catch (const std::exception& error) {
    std::cerr << "espalier: internal error: " << error.what()
              << "\nThis is a fault of espalier " ESPALIER_VERSION
                 ", not of your files. Please report it with the command you ran and the files it read.\n";
    return kInternal;
  }
}
