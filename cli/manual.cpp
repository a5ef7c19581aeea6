// The man page. See manual.h.
#include "cli/manual.h"

#include <string_view>

#include "cli/command_line.h"
#include "cli/help.h"

namespace espalier::cli {
namespace {

// Text that roff prints literally: without control lines and escapes, and with '-' as it is typed.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else if (c == '\'') {
      result += "\\(aq";
    } else {
      result += c;
    }
    if (c == '\n') result += "\\&";
  }
  return "\\&" + result;
}

std::string bold(std::string_view text) { return "\\fB" + escaped(text).substr(2) + "\\fR"; }

std::string option_entry(const CLI::Option& option) {
  return ".TP\n" + bold(option_syntax(option)) + '\n' + escaped(option_text(option)) + '\n';
}

// "Examples:" and what follows, line for line.
std::string footer(const CLI::App& app) {
  const std::string text = app.get_footer();
  return text.empty() ? std::string() : ".PP\n.nf\n" + escaped(text) + "\n.fi\n";
}

constexpr std::string_view kRest =
    ".SH FILES\n"
    ".TP\n"
    "\\fBespalier.json\\fR\n"
    "The configuration of a project: the nearest one in the folders above the given paths.\n"
    ".SH EXIT STATUS\n"
    ".TP\n0\nNothing is wrong.\n"
    ".TP\n1\nThere are findings at or above \\fB\\-\\-fail\\-on\\fR, or failed expectations.\n"
    ".TP\n2\nThe command could not do its work: usage, a file that cannot be read, a damaged asset.\n"
    ".TP\n70\nAn internal error.\n"
    ".SH ENVIRONMENT\n"
    ".TP\n\\fBNO_COLOR\\fR\nIf it is set, output to a terminal has no colours unless \\fB\\-\\-color\\fR asks "
    "for them.\n"
    ".TP\n\\fBFORCE_COLOR\\fR, \\fBCLICOLOR_FORCE\\fR\nIf one of them is set, and not 0, output for people has colours "
    "even if it does not go to a terminal, as in the log of a build machine.\n"
    ".TP\n\\fBCOLUMNS\\fR\nThe width of help texts, instead of the terminal's.\n";

}  // namespace

std::string man_page(const CLI::App& program, const std::string& version) {
  std::string text = ".TH ESPALIER 1 \"\" \"espalier " + version + "\" \"User Commands\"\n";
  text += ".SH NAME\nespalier \\- checks, compiles and replays behaviour trees\n";
  text += ".SH SYNOPSIS\n\\fBespalier\\fR \\fIVERB\\fR [\\fIPATHS\\fR...] [\\fIOPTIONS\\fR]\n";
  text += ".SH DESCRIPTION\n" + escaped(program.get_description()) + "\n.SH OPTIONS\n";
  for (const CLI::Option* option : options_of(program)) text += option_entry(*option);
  text += ".SH VERBS\n";
  for (const CLI::App* verb : program.get_subcommands(nullptr)) {
    text += ".SS " + bold(usage_of(*verb)) + '\n' + escaped(verb->get_description()) + ".\n";
    for (const CLI::Option* argument : positionals_of(*verb)) text += option_entry(*argument);
    for (const CLI::Option* option : options_of(*verb)) text += option_entry(*option);
    text += footer(*verb);
  }
  return text.append(kRest);
}

}  // namespace espalier::cli
