//! What to run for a bot, before it is decided how.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// What to run for a bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BotCommand {
    pub program: PathBuf,
    pub arguments: Vec<OsString>,
    /// The working directory; `None` for the arena's own.
    pub folder: Option<PathBuf>,
    /// What it may read in a sandbox, besides its folder and its program.
    pub reads: Vec<PathBuf>,
    /// Folders of which it may see the names in them, and of what they hold only what it may read anyway. What it may read there
    /// may be gone when it starts.
    pub lists: Vec<PathBuf>,
}

impl BotCommand {
    /// Whether a process can be started with this at all; if not, why. All of it is the bot's own choice.
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

    /// Whether nobody asked for this path, which is one of many of its folder.
    pub(crate) fn may_be_gone(&self, path: &Path) -> bool {
        self.lists.iter().any(|folder| path.starts_with(folder))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_process_can_be_started_with_is_the_bots_own_doing() {
        let folder = tempfile::tempdir().unwrap();
        let good = BotCommand {
            program: "bot".into(),
            arguments: vec!["--fast".into()],
            folder: Some(folder.path().to_owned()),
            reads: vec![folder.path().to_owned()],
            lists: Vec::new(),
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
