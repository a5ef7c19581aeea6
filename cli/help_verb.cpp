// espalier help: help on the program or on a verb, and the man page; espalier completions: scripts for shells. Exit
// status 2 for an unknown verb.
#include <iostream>
#include <memory>

#include "cli/cli.h"
#include "cli/command_line.h"
#include "cli/completions.h"
#include "cli/help.h"
#include "cli/manual.h"
#include "cli/usage_faults.h"

namespace espalier::cli {
namespace {

struct HelpOptions {
  std::string verb;  // empty: the program
  bool man = false;
};

int run_help(const CLI::App& program, const HelpOptions& options) {
  if (options.man) {
    std::cout << man_page(program, ESPALIER_VERSION);
    return kOk;
  }
  const CLI::App* verb = options.verb.empty() ? &program : find_verb(program, options.verb);
  if (verb == nullptr) {
    const UsageFault fault = unknown_verb(program, options.verb);
    return fail(fault.message, fault.hint);
  }
  std::cout << help_text(program, *verb, line_width());
  return kOk;
}

std::string completions_for(const CLI::App& program, const std::string& shell) {
  if (shell == "bash") return bash_completions(program);
  return shell == "zsh" ? zsh_completions(program) : fish_completions(program);
}

}  // namespace

void add_help(CLI::App& program, int& status) {
  auto options = std::make_shared<HelpOptions>();
  CLI::App* verb = program.add_subcommand("help", "describes a verb and its options");
  CLI::Option* name =
      takes(verb->add_option("VERB", options->verb, "the verb to describe; default: lists all verbs"), "VERB");
  verb->add_flag("--man", options->man, "prints the man page of all verbs")->excludes(name);
  verb->footer("Examples:\n  espalier help lint\n  espalier help --man | man -l -");
  verb->callback([&program, options, &status] { status = run_help(program, *options); });
}

void add_completions(CLI::App& program, int& status) {
  auto shell = std::make_shared<std::string>();
  CLI::App* verb = program.add_subcommand("completions", "prints completions for a shell");
  takes_one_of(verb->add_option("SHELL", *shell, "the shell to complete in"), "SHELL", "bash|zsh|fish")->required();
  verb->footer(
      "Examples:\n"
      "  espalier completions bash > ~/.local/share/bash-completion/completions/espalier\n"
      "  espalier completions zsh > ~/.zfunc/_espalier\n"
      "  espalier completions fish > ~/.config/fish/completions/espalier.fish");
  verb->callback([&program, shell, &status] {
    std::cout << completions_for(program, *shell);
    status = kOk;
  });
}

}  // namespace espalier::cli
