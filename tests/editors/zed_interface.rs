//! What samples/editors/zed uses of Zed's interface for extensions, zed_extension_api 0.7, as its source declares it: tests/editors/editors.py
//! compiles the extension against this, and asks it for its command.
pub struct LanguageServerId(pub String);
pub struct Worktree;
impl Worktree {
    pub fn which(&self, program: &str) -> Option<String> {
        Some(format!("/usr/bin/{program}"))
    }
    pub fn shell_env(&self) -> Vec<(String, String)> {
        vec![]
    }
}
pub struct Command {
    pub command: String,
    pub args: Vec<String>,
    pub env: Vec<(String, String)>,
}
pub type Result<T, E = String> = core::result::Result<T, E>;
pub trait Extension: Send + Sync {
    fn new() -> Self
    where
        Self: Sized;
    fn language_server_command(&mut self, server: &LanguageServerId, worktree: &Worktree) -> Result<Command>;
}
#[macro_export]
macro_rules! register_extension {
    ($extension:ty) => {
        fn main() {
            let server = zed_extension_api::LanguageServerId("espalier".into());
            let mut extension = <$extension as zed_extension_api::Extension>::new();
            let command = zed_extension_api::Extension::language_server_command(&mut extension, &server, &zed_extension_api::Worktree).unwrap();
            println!("{} {} {}", command.command, command.args.join(" "), command.env.len());
        }
    };
}
