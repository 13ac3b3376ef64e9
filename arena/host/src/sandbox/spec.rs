//! How to launch one bot, in words: from the arena to a supervisor.
//!
//! `LEVEL [KEY VALUE]… -- PROGRAM ARG…`, on the command line, or over the control socket for each bot after a supervisor's first. Words rather
//! than a document, because they can hold any path and need no parser.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use crate::limits::ResourceLimits;
use leyden_model::SandboxLevel;

/// How to launch one bot.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LaunchSpec {
    pub(crate) level: SandboxLevel,
    /// The working directory; empty for the arena's.
    pub(crate) folder: PathBuf,
    /// Whether the bot stays at the arena's terminal, in its session and process group, for debugging.
    pub(crate) terminal: bool,
    /// What the bot may read in addition to the system: files, and folders with everything in them.
    pub(crate) reads: Vec<PathBuf>,
    /// The folders whose file names it may list, whether or not it may read the files.
    pub(crate) lists: Vec<PathBuf>,
    pub(crate) limits: ResourceLimits,
    /// Whether it may use the network.
    pub(crate) network: bool,
    /// What a build may do in addition, if this is one.
    pub(crate) workshop: Option<BuildRights>,
    /// The user that the bot becomes, if root runs the arena.
    pub(crate) user: Option<u32>,
    /// The control group that the bot enters, if it has one.
    pub(crate) cgroup: Option<PathBuf>,
}

/// What a build may do that a bot may not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct BuildRights {
    /// The folder that it may write to, including its content.
    pub(crate) folder: PathBuf,
    /// Its environment: names and values.
    pub(crate) environment: Vec<(String, OsString)>,
}

/// What to run: a program and its arguments.
pub(crate) type Invocation = (OsString, Vec<OsString>);

impl LaunchSpec {
    /// Whether its processes get limits: at every level except `none`, and at `none` for builds.
    pub(crate) fn is_limited(&self) -> bool {
        self.level.is_confined() || self.workshop.is_some()
    }

    /// Whether the bot leads a process group of its own: everywhere except at the terminal, where it would lose its keyboard.
    pub(crate) fn has_own_group(&self) -> bool {
        !self.terminal || self.level.has_namespaces()
    }

    /// The memory limit of a process, including its stack, if no control group enforces one.
    pub(crate) fn watched_memory(&self) -> Option<u64> {
        let is_watched = self.is_limited() && self.level != SandboxLevel::Full;
        is_watched.then_some(self.limits.memory + ResourceLimits::STACK)
    }

    /// Returns the arguments, up to and including the `--`.
    pub(crate) fn to_arguments(&self) -> Vec<OsString> {
        let mut words: Vec<OsString> = vec![self.level.name().into()];
        let mut say = |key: &str, value: &OsStr| words.extend([key.into(), value.to_owned()]);
        if !self.folder.as_os_str().is_empty() {
            say("folder", self.folder.as_os_str());
        }
        if self.level.is_confined() {
            for path in &self.reads {
                say("read", path.as_os_str());
            }
            for path in &self.lists {
                say("list", path.as_os_str());
            }
        }
        if self.is_limited() {
            let ResourceLimits { memory, tasks, descriptors, scratch } = self.limits;
            for (key, number) in
                [("memory", memory), ("tasks", tasks), ("descriptors", descriptors), ("scratch", scratch)]
            {
                say(key, OsStr::new(&number.to_string()));
            }
        }
        if self.network {
            say("network", OsStr::new("yes"));
        }
        if let Some(BuildRights { folder, environment }) = &self.workshop {
            say("workshop", folder.as_os_str());
            for (name, value) in environment {
                say("name", OsStr::new(name));
                say("value", value);
            }
        }
        if self.terminal {
            say("terminal", OsStr::new("yes"));
        }
        if let Some(user) = self.user {
            say("user", OsStr::new(&user.to_string()));
        }
        if let Some(cgroup) = &self.cgroup {
            say("cgroup", cgroup.as_os_str());
        }
        words.push("--".into());
        words
    }

    /// Parses the arguments and what to run; `None` if [`to_arguments`](Self::to_arguments) does not write such
    /// arguments.
    pub(crate) fn from_arguments(mut words: impl Iterator<Item = OsString>) -> Option<(Self, Invocation)> {
        let mut spec = Self { level: words.next()?.to_str()?.parse().ok()?, ..Self::default() };
        loop {
            let key = words.next()?;
            if key == "--" {
                let program = words.next()?;
                return Some((spec, (program, words.collect())));
            }
            let value = words.next()?;
            let number = || value.to_str()?.parse::<u64>().ok();
            match key.to_str()? {
                "terminal" => spec.terminal = true,
                "folder" => spec.folder = value.into(),
                "read" => spec.reads.push(value.into()),
                "list" => spec.lists.push(value.into()),
                "memory" => spec.limits.memory = number()?,
                "tasks" => spec.limits.tasks = number()?,
                "descriptors" => spec.limits.descriptors = number()?,
                "scratch" => spec.limits.scratch = number()?,
                "workshop" => spec.workshop.get_or_insert_default().folder = value.into(),
                "network" => spec.network = true,
                "name" => {
                    let name = value.into_string().ok()?;
                    spec.workshop.get_or_insert_default().environment.push((name, OsString::new()));
                }
                "value" => spec.workshop.as_mut()?.environment.last_mut()?.1 = value,
                "user" => spec.user = Some(value.to_str()?.parse().ok()?),
                "cgroup" => spec.cgroup = Some(value.into()),
                _ => return None,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::ffi::OsStrExt;

    use super::*;

    #[test]
    fn spec_is_read_back_unchanged_with_unusual_paths() {
        let spec = LaunchSpec {
            level: SandboxLevel::Full,
            terminal: true,
            folder: OsStr::from_bytes(b"/bots/\xff --").into(),
            reads: vec!["--".into(), "/opt/python".into()],
            lists: vec!["/class".into()],
            limits: ResourceLimits { memory: 1, tasks: 2, descriptors: 3, scratch: 4 },
            network: true,
            workshop: Some(BuildRights {
                folder: "/work".into(),
                environment: vec![("PATH".to_owned(), "/bin".into()), ("A".to_owned(), "=--".into())],
            }),
            user: Some(1_900_000_000),
            cgroup: Some("/sys/fs/cgroup/x".into()),
        };
        let command = ["--", "-c", "x"].map(OsString::from);
        let words = spec.to_arguments().into_iter().chain(command.clone());
        let (read, (program, arguments)) = LaunchSpec::from_arguments(words).unwrap();
        assert_eq!((read, program, &arguments[..]), (spec, command[0].clone(), &command[1..]));
    }

    #[test]
    fn without_a_sandbox_two_arguments_are_enough() {
        let spec = LaunchSpec::default();
        assert_eq!(spec.to_arguments(), ["none", "--"]);
        assert_eq!(
            LaunchSpec::from_arguments(["none", "--", "sh"].map(OsString::from).into_iter()).unwrap().0,
            spec
        );
    }

    #[test]
    fn other_arguments_are_no_spec() {
        for words in ["", "jail", "jail --", "high -- sh", "jail colour red -- sh", "jail memory x -- sh"] {
            assert_eq!(
                LaunchSpec::from_arguments(words.split_whitespace().map(OsString::from)),
                None,
                "{words}"
            );
        }
    }
}
