//! What the arena orders a stage, and a stage its shim, as words of a command line.
//!
//! `LEVEL [KEY VALUE]… -- PROGRAM ARG…`. Words and not a document, so that any path can be said, and read without delay.

use std::ffi::{OsStr, OsString};
use std::os::fd::RawFd;
use std::path::PathBuf;

use super::{Level, Limits};

/// How to run one bot.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Orders {
    pub(crate) level: Level,
    /// The arena's own program, which runs as shim.
    pub(crate) leyden: PathBuf,
    /// The program that makes namespaces.
    pub(crate) bwrap: PathBuf,
    /// The working directory.
    pub(crate) folder: PathBuf,
    /// What the bot may read, besides the system: files, and folders with all they hold.
    pub(crate) reads: Vec<PathBuf>,
    pub(crate) limits: Limits,
    /// The user that the bot becomes: there is one when the arena is run by root.
    pub(crate) user: Option<u32>,
    /// The control group that the bot enters.
    pub(crate) cgroup: Option<PathBuf>,
    /// The descriptors of the bot's standard input and output, where others stand between and are not to hold them.
    pub(crate) pipes: Option<(RawFd, RawFd)>,
    /// The descriptor through which the shim tells its stage how it went.
    pub(crate) report: Option<RawFd>,
}

/// What to run: a program and its arguments.
pub(crate) type Invocation = (OsString, Vec<OsString>);

impl Orders {
    /// The orders as words, up to and with the `--`.
    pub(crate) fn words(&self) -> Vec<OsString> {
        let mut words: Vec<OsString> = vec![self.level.name().into()];
        let mut say = |key: &str, value: &OsStr| words.extend([key.into(), value.to_owned()]);
        if self.level.has_shim() {
            say("leyden", self.leyden.as_os_str());
            say("folder", self.folder.as_os_str());
            for path in &self.reads {
                say("read", path.as_os_str());
            }
            let Limits { memory, tasks, descriptors, scratch } = self.limits;
            for (key, number) in
                [("memory", memory), ("tasks", tasks), ("descriptors", descriptors), ("scratch", scratch)]
            {
                say(key, OsStr::new(&number.to_string()));
            }
        }
        if self.level.has_namespaces() {
            say("bwrap", self.bwrap.as_os_str());
        }
        if let Some(user) = self.user {
            say("user", OsStr::new(&user.to_string()));
        }
        if let Some(cgroup) = &self.cgroup {
            say("cgroup", cgroup.as_os_str());
        }
        if let Some((input, output)) = self.pipes {
            say("input", OsStr::new(&input.to_string()));
            say("output", OsStr::new(&output.to_string()));
        }
        if let Some(report) = self.report {
            say("report", OsStr::new(&report.to_string()));
        }
        words.push("--".into());
        words
    }

    /// Reads orders and what to run; nothing if they are not what [`words`](Self::words) writes.
    pub(crate) fn read(mut words: impl Iterator<Item = OsString>) -> Option<(Self, Invocation)> {
        let mut orders = Self { level: words.next()?.to_str()?.parse().ok()?, ..Self::default() };
        let (mut input, mut output) = (None, None);
        loop {
            let key = words.next()?;
            if key == "--" {
                let program = words.next()?;
                orders.pipes = input.zip(output);
                return Some((orders, (program, words.collect())));
            }
            let value = words.next()?;
            let number = || value.to_str()?.parse::<u64>().ok();
            let descriptor = || value.to_str()?.parse::<RawFd>().ok().filter(|&fd| fd >= 3);
            match key.to_str()? {
                "leyden" => orders.leyden = value.into(),
                "bwrap" => orders.bwrap = value.into(),
                "folder" => orders.folder = value.into(),
                "read" => orders.reads.push(value.into()),
                "memory" => orders.limits.memory = number()?,
                "tasks" => orders.limits.tasks = number()?,
                "descriptors" => orders.limits.descriptors = number()?,
                "scratch" => orders.limits.scratch = number()?,
                "user" => orders.user = Some(value.to_str()?.parse().ok()?),
                "cgroup" => orders.cgroup = Some(value.into()),
                "input" => input = Some(descriptor()?),
                "output" => output = Some(descriptor()?),
                "report" => orders.report = Some(descriptor()?),
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
    fn orders_are_read_as_written_whatever_paths_hold() {
        let orders = Orders {
            level: Level::Full,
            leyden: "/leyden".into(),
            bwrap: "/usr/bin/bwrap".into(),
            folder: OsStr::from_bytes(b"/bots/\xff --").into(),
            reads: vec!["--".into(), "/opt/python".into()],
            limits: Limits { memory: 1, tasks: 2, descriptors: 3, scratch: 4 },
            user: Some(1_900_000_000),
            cgroup: Some("/sys/fs/cgroup/x".into()),
            pipes: Some((5, 6)),
            report: Some(7),
        };
        let command = ["--", "-c", "x"].map(OsString::from);
        let words = orders.words().into_iter().chain(command.clone());
        let (read, (program, arguments)) = Orders::read(words).unwrap();
        assert_eq!((read, program, &arguments[..]), (orders, command[0].clone(), &command[1..]));
    }

    #[test]
    fn without_a_sandbox_orders_are_two_words() {
        let orders = Orders::default();
        assert_eq!(orders.words(), ["none", "--"]);
        assert_eq!(Orders::read(["none", "--", "sh"].map(OsString::from).into_iter()).unwrap().0, orders);
    }

    #[test]
    fn other_words_are_no_orders() {
        for words in ["", "jail", "jail --", "high -- sh", "jail colour red -- sh", "jail report 2 -- sh"] {
            assert_eq!(Orders::read(words.split_whitespace().map(OsString::from)), None, "{words}");
        }
    }
}
