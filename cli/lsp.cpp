// espalier lsp: a language server for editors, on standard input and output. Exit status 0 when the editor has shut it
// down, else 1.
#include <iostream>
#include <string>
#include <system_error>

#include "cli/cli.h"
#include "editor/server.h"
#include "report/output_form.h"

namespace espalier::cli {

namespace {

// Frames have carriage returns; their content is JSON, in which control characters are escaped.
void write_frame(const std::string& frame) {
  report::write_unguarded(std::cout, frame);
  std::cout << std::flush;
}

}  // namespace

void add_lsp(CLI::App& program, int& status) {
  CLI::App* verb = program.add_subcommand("lsp", "serves editors by the Language Server Protocol");
  verb->add_flag("--stdio")->description("has no effect: standard input and output are always used");
  verb->footer(
      "Editors start it; samples/editors shows how to set up Neovim, VS Code, Helix and Emacs. It reads the project "
      "of\n"
      "each file that is edited: that of the nearest espalier.json, else the folder that is open in the editor.");
  verb->callback([&status] {
    // Another thread reads: it would flush the output while a message is written.
    std::cin.tie(nullptr);
    try {
      status = editor::serve(ESPALIER_VERSION, std::cin, write_frame) == 0 ? kOk : kFound;
    } catch (const std::system_error& error) {
      status = fail(std::string("cannot start a thread: ") + error.what());
    }
  });
}

}  // namespace espalier::cli
