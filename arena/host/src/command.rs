//! What to run for a bot; how to run it is decided elsewhere.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// The command of a bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BotCommand {
    pub program: PathBuf,
    pub arguments: Vec<OsString>,
    /// The working directory; `None` for the arena's.
    pub folder: Option<PathBuf>,
    /// What it may read in a sandbox in addition to its folder and its program.
    pub reads: Vec<PathBuf>,
    /// Folders whose file names it may see; their content only if it may read it anyway. Files listed there may
    /// be gone when it starts.
    pub lists: Vec<PathBuf>,
    /// Whether it may use the network from inside a sandbox.
    pub network: bool,
}

impl BotCommand {
    /// Checks whether a process can be started with this at all. All of it is the bot's own choice, so an error is the
    /// bot's fault.
    pub(crate) fn check(&self) -> Result<(), String> {
        let has_nul = |word: &OsStr| word.as_encoded_bytes().contains(&0);
        if has_nul(self.program.as_os_str()) || self.arguments.iter().any(|word| has_nul(word)) {
            return Err("its command line holds a NUL byte".to_owned());
        }
        if let Some(folder) = &self.folder {
            rustix::fs::access(folder, rustix::fs::Access::EXEC_OK)
                .map_err(|error| format!("its folder {}: {error}", folder.display()))?;
        }
        for path in self.reads.iter().filter(|path| !self.may_be_gone(path)) {
            rustix::fs::access(path, rustix::fs::Access::EXISTS)
                .map_err(|error| format!("{}, which it asks to read: {error}", path.display()))?;
        }
        Ok(())
    }

    /// Whether this path is only one of many in its folder, and was not asked for.
    pub(crate) fn may_be_gone(&self, path: &Path) -> bool {
        self.lists.iter().any(|folder| path.starts_with(folder))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_check_refuses_nul_bytes_and_missing_folders() {
        let folder = tempfile::tempdir().unwrap();
        let good = BotCommand {
            program: "bot".into(),
            arguments: vec!["--fast".into()],
            folder: Some(folder.path().to_owned()),
            reads: vec![folder.path().to_owned()],
            lists: Vec::new(),
            network: false,
        };
        assert_eq!(good.check(), Ok(()));
        let gone = folder.path().join("gone");
        let with = |change: &dyn Fn(&mut BotCommand)| {
            let mut changed = good.clone();
            change(&mut changed);
            changed.check().unwrap_err()
        };
        assert!(with(&|command| command.program = "b\0t".into()).contains("NUL"));
        assert!(with(&|command| command.arguments.push("\0".into())).contains("NUL"));
        assert!(with(&|command| command.folder = Some(gone.clone())).starts_with("its folder"));
        assert!(with(&|command| command.reads.push(gone.clone())).contains("asks to read"));
        let passing = BotCommand { reads: vec![gone], lists: vec![folder.path().to_owned()], ..good };
        assert_eq!(passing.check(), Ok(()), "an editor's file that lay beside the script");
    }
}
