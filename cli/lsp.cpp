// espalier lsp: a language server for editors, on standard input and output. Exit status 0 when the editor has shut it
// down, else 1.
#include <iostream>
#include <string>

#include "cli/cli.h"
#include "editor/server.h"

namespace espalier::cli {

void add_lsp(CLI::App& program, int& status) {
  CLI::App* verb = program.add_subcommand("lsp", "serves editors by the Language Server Protocol");
  verb->add_flag("--stdio")->description("has no effect: standard input and output are always used");
  verb->footer(
      "Editors start it; samples/editors has the set-up for Neovim, Vim, Emacs, VS Code, Helix and Zed. It reads the "
      "project of\n"
      "each file that is edited: that of the nearest espalier.json, else the folder that is open in the editor.");
  verb->callback([&status] {
    status = serve_editor([](const WriteFrame& write) { return editor::serve(ESPALIER_VERSION, std::cin, write); });
  });
}

}  // namespace espalier::cli
