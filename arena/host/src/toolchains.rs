//! The organiser's tools that a build needs: compilers and interpreters installed in their home folder or elsewhere
//! outside of the system's folders. Shows the installations on their search path, and nothing else.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::sandbox::system_files;

/// The variables that locate installations, and their default folders relative to the home folder.
const ROOTS: [(&str, Option<&str>); 6] = [
    ("RUSTUP_HOME", Some(".rustup")),
    ("PYENV_ROOT", Some(".pyenv")),
    ("JAVA_HOME", None),
    ("GOROOT", None),
    ("DOTNET_ROOT", Some(".dotnet")),
    ("NVM_DIR", Some(".nvm")),
];

/// The variables that select one of several versions.
const CHOICES: [&str; 2] = ["RUSTUP_TOOLCHAIN", "PYENV_VERSION"];

/// Tools outside of the system's folders.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Toolchains {
    /// Files and folders that must be visible.
    pub(crate) reads: Vec<PathBuf>,
    /// The variables by which the tools find their files, including the search path.
    pub(crate) environment: Vec<(String, OsString)>,
}

impl Toolchains {
    /// Returns the tools of the user who runs the arena.
    pub(crate) fn for_organiser() -> Self {
        Self::found_in(|name| std::env::var_os(name))
    }

    fn found_in(variable: impl Fn(&str) -> Option<OsString>) -> Self {
        let home = variable("HOME").map(PathBuf::from).filter(|home| home.is_absolute());
        let path = variable("PATH").unwrap_or_else(|| system_files::SEARCH.into());
        let mut environment = vec![("PATH".to_owned(), path.clone())];
        let mut reads = BTreeSet::new();
        for (name, usual) in ROOTS {
            let usual = || Some(home.as_ref()?.join(usual?));
            let root = variable(name).map(PathBuf::from).or_else(usual);
            if let Some(root) = root.filter(|root| root.is_absolute() && root.is_dir()) {
                environment.push((name.to_owned(), root.clone().into()));
                reads.insert(root);
            }
        }
        for name in CHOICES {
            environment.extend(variable(name).map(|value| (name.to_owned(), value)));
        }
        for folder in std::env::split_paths(&path).filter(|folder| folder.is_absolute()) {
            // A program that is on the path as a link needs both of its paths.
            let real = folder.canonicalize().ok();
            reads.extend(
                [Some(folder), real].into_iter().flatten().map(|it| installation(&it, home.as_deref())),
            );
        }
        let is_seen =
            |path: &PathBuf| path.exists() && !system_files::is_part(path) && !is_home(path, home.as_deref());
        Self { reads: reads.into_iter().filter(is_seen).collect(), environment }
    }
}

impl Toolchains {
    /// Returns what of it an unprivileged user cannot reach, and the folder that is in the way. With `made_anew` the
    /// folders around each are not the organiser's own, and open.
    pub(crate) fn closed(&self, made_anew: bool) -> Option<(&Path, &Path)> {
        let is_closed =
            |path: &&Path| path.metadata().is_ok_and(|meta| meta.permissions().mode() & 0o001 == 0);
        self.reads.iter().find_map(|path| {
            let around = path.ancestors().take(if made_anew { 1 } else { usize::MAX });
            Some((path.as_path(), around.filter(is_closed).last()?))
        })
    }
}

/// Returns what must be visible for the programs of a folder of the search path: the whole installation if `lib` or the
/// like is beside them. Folders directly in the home folder are not installations: `~/.local` and `~/.cargo` hold the
/// user's own files.
fn installation(folder: &Path, home: Option<&Path>) -> PathBuf {
    let around = folder.parent().filter(|around| around.parent().is_some());
    let Some(around) = around.filter(|around| around.parent() != home && !is_home(around, home)) else {
        return folder.to_owned();
    };
    let is_bin = folder.file_name() == Some(OsStr::new("bin"));
    let is_installed = ["lib", "lib64", "libexec", "pkg"].iter().any(|beside| around.join(beside).is_dir());
    if is_bin && is_installed { around.to_owned() } else { folder.to_owned() }
}

/// Whether a folder is the home folder or contains it.
fn is_home(folder: &Path, home: Option<&Path>) -> bool {
    home.is_some_and(|home| home.starts_with(folder))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn toolchains_show_installations_but_not_the_home_folder() {
        let parent = tempfile::tempdir().unwrap();
        let home = parent.path().canonicalize().unwrap().join("home");
        for folder in [
            ".cargo/bin",
            ".cargo/registry",
            ".rustup/toolchains",
            ".local/bin",
            ".local/lib",
            ".nvm/versions/node/v20/bin",
            ".nvm/versions/node/v20/lib",
            "bin",
            "lib",
            "project/bin",
        ] {
            fs::create_dir_all(home.join(folder)).unwrap();
        }
        let on_path =
            [".cargo/bin", ".local/bin", "bin", ".nvm/versions/node/v20/bin", "project/bin", "gone", ""];
        let search = on_path.map(|name| home.join(name)).into_iter().chain(["/usr/bin".into(), ".".into()]);
        let search = std::env::join_paths(search).unwrap();
        let toolchains = Toolchains::found_in(|name| match name {
            "HOME" => Some(home.clone().into()),
            "PATH" => Some(search.clone()),
            "RUSTUP_TOOLCHAIN" => Some("stable".into()),
            "AWS_SECRET" => Some("secret".into()),
            _ => None,
        });
        let names =
            [".cargo/bin", ".local/bin", ".nvm", ".nvm/versions/node/v20", ".rustup", "bin", "project/bin"];
        assert_eq!(toolchains.reads, names.map(|name| home.join(name)));
        let close = |name: &str| {
            fs::set_permissions(home.join(name), fs::Permissions::from_mode(0o700)).unwrap();
        };
        let cargo = home.join(".cargo/bin");
        close("project");
        // The user who runs the tests may have a private folder for temporary files.
        let outside = parent.path().canonicalize().unwrap();
        if outside.ancestors().all(|path| path.metadata().unwrap().permissions().mode() & 0o001 != 0) {
            assert_eq!(toolchains.closed(false), Some((&*home.join("project/bin"), &*home.join("project"))));
        }
        assert_eq!(toolchains.closed(true), None);
        close(".cargo/bin");
        assert_eq!(toolchains.closed(true), Some((&*cargo, &*cargo)));
        let variables: Vec<&str> = toolchains.environment.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(variables, ["PATH", "RUSTUP_HOME", "NVM_DIR", "RUSTUP_TOOLCHAIN"]);
    }
}
