//! Zed: starts `espalier lsp`, the program on the PATH, for XML and JSON. Files that are no trees are ignored by it.
use zed_extension_api as zed;

struct Espalier;

impl zed::Extension for Espalier {
    fn new() -> Self {
        Espalier
    }

    fn language_server_command(
        &mut self,
        _server: &zed::LanguageServerId,
        worktree: &zed::Worktree,
    ) -> zed::Result<zed::Command> {
        let command = worktree.which("espalier").ok_or("the program espalier is not on the PATH")?;
        Ok(zed::Command { command, args: vec!["lsp".into()], env: worktree.shell_env() })
    }
}

zed::register_extension!(Espalier);
