//! The verdict on an entry of the folder: whether it is a bot, who may play now, whether it is new, whether it passes the check.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::io;
use std::path::Path;
use std::time::{Duration, SystemTime};

use leyden_model::words::counted;

use super::disk::{self, Disk};
use super::set_aside::AsideVersions;
use super::version::{UNPACKED, Version, VersionEntry, playing};
use crate::check::{self, CaseError, CheckError, CheckRequest, FindingOutcome};
use crate::rerun::{BotEnvironment, ReadyBot};
use crate::roster::{self, Competitor, CopyError};
use crate::run::Options;
use tokio_util::sync::CancellationToken;

/// How long a check goes on: as long as `leyden check` by itself.
const CHECK: Duration = Duration::from_secs(20);
const DAY: Duration = Duration::from_hours(24);
/// The ending of a file with the reason why an entry was refused.
const REFUSED: &str = "refused.txt";
const FROZEN: &str = "the league is frozen";
/// After how many failures of the host in a row the author of an entry is asked to tell the organiser.
const TRIES: u32 = 10;

/// What an organiser sets.
#[derive(Clone, Debug, Default)]
pub struct LeagueRules {
    /// From this moment on, what is handed in waits, and no version comes back.
    pub freeze: Option<SystemTime>,
    /// How many versions of a bot may enter within 24 hours.
    pub versions_a_day: Option<u32>,
    /// How long a bot may think within a day of UTC; then it rests until the next one.
    pub cpu_a_day: Option<Duration>,
    /// The entries that may play; if there are none, all may.
    pub eligible: BTreeSet<String>,
    /// Whether not even its author sees what a bot writes to standard error.
    pub hides_stderr: bool,
    /// How much versions, builds and what is handed in may take on disk, in bytes.
    pub disk: Option<u64>,
}

/// The verdict on an entry.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// It plays from the next batch on.
    Enters { version: Version, hash: String },
    /// It is a version that plays, or that has left with all others of its bot.
    Known(Version),
    /// It is a version that has left, and comes back in place of the one that plays.
    Returns(Version),
    /// Another bot has the same files, which count once.
    Copy(Version),
    /// It does not play, and the previous version plays on.
    Refused(String),
    /// It is judged again later.
    Waits(String),
    /// Its author withdraws it, and it no longer plays.
    Withdrawn(Version),
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Enters { version, .. } => write!(f, "enters as {version}"),
            Self::Known(version) => write!(f, "is {version}"),
            Self::Returns(version) => write!(f, "is {version} again, which comes back"),
            Self::Copy(version) => write!(f, "has the same files as {version}, which counts for both"),
            Self::Refused(why) => write!(f, "is refused: {why}"),
            Self::Waits(why) => write!(f, "waits: {why}"),
            Self::Withdrawn(version) => {
                write!(f, "is withdrawn by its author: {version} no longer plays; its matches count")
            }
        }
    }
}

impl Verdict {
    pub(super) fn is_waiting(&self) -> bool {
        matches!(self, Self::Waits(_))
    }

    /// Waits after a failure of the host, the latest of this many in a row. No number of them is a reason to refuse it:
    /// a disk that is full for a day says nothing about a bot.
    pub(super) fn after_failure(error: &io::Error, failures: u32) -> Self {
        Self::Waits(if failures < TRIES {
            error.to_string()
        } else {
            format!(
                "this machine has failed at it at least {TRIES} times: {error}. Either the machine lacks \
                 something, or the bot needs too much: tell the organiser. It is tried again later"
            )
        })
    }

    /// Whether other versions play from now on.
    pub(super) fn changes_play(&self) -> bool {
        matches!(self, Self::Enters { .. } | Self::Returns(_) | Self::Withdrawn(_))
    }
}

/// Why an entry does not become a version.
#[derive(Debug)]
enum NoVersion {
    /// There is a verdict on it.
    Verdict(Verdict),
    /// The machine lacks something.
    Host(io::Error),
}

impl NoVersion {
    fn refused(why: String) -> Self {
        Self::Verdict(Verdict::Refused(why))
    }

    fn from_failure(is_hosts: bool, why: String) -> Self {
        if is_hosts { Self::Host(io::Error::other(why)) } else { Self::refused(why) }
    }
}

impl From<io::Error> for NoVersion {
    fn from(error: io::Error) -> Self {
        Self::Host(error)
    }
}

impl From<CopyError> for NoVersion {
    /// What changes while it is copied is looked at again.
    fn from(error: CopyError) -> Self {
        Self::Verdict(match error {
            CopyError::Io(error) => return Self::Host(error),
            CopyError::Changed => Verdict::Waits(error.to_string()),
            CopyError::Content(_) | CopyError::LongPath(_) => Verdict::Refused(error.to_string()),
        })
    }
}

/// Judges entries, one after the other.
pub(super) struct Entrance {
    disk: Disk,
    options: Options,
    rules: LeagueRules,
    entered: Vec<VersionEntry>,
    /// The version of each bot that plays, or is about to.
    playing: BTreeMap<String, Version>,
    stop: CancellationToken,
    /// Whether bots have to be sent to other machines.
    travels: bool,
    aside: AsideVersions,
}

impl Entrance {
    /// The options are those of the tournament.
    pub(super) fn new(
        disk: Disk,
        (options, rules): (Options, LeagueRules),
        entered: Vec<VersionEntry>,
        (stop, travels): (CancellationToken, bool),
        aside: AsideVersions,
    ) -> Self {
        let playing = playing(&entered);
        Self { disk, options, rules, entered, playing, stop, travels, aside }
    }

    /// Fails if the host does.
    pub(super) fn judge(&mut self, entry: &Path) -> io::Result<Verdict> {
        self.let_leave_set_aside();
        let Some(name) = name_of(entry) else {
            let rule = "a bot is called by letters, digits, `-`, `_` and `.`: rename the folder or archive";
            return Ok(Verdict::Refused(rule.to_owned()));
        };
        let judged = match self.judge_named(entry, &name) {
            Ok(verdict) | Err(NoVersion::Verdict(verdict)) => Ok(verdict),
            Err(NoVersion::Host(error)) => Err(error),
        };
        let note = self.disk.versions.join(format!("{name}.{REFUSED}"));
        // Only for people to read: the verdict itself is reported.
        drop(if let Ok(Verdict::Refused(why)) = &judged {
            // A terminal obeys what builds and archives may have put into it.
            let is_hidden = |c| !matches!(c, '\n' | '\t') && leyden_protocol::is_hidden(c);
            fs::write(note, why.replace(is_hidden, "\u{fffd}") + "\n")
        } else {
            fs::remove_file(note)
        });
        judged
    }

    /// Lets the version of a bot that plays leave, or only this one; `None` if it does not play.
    pub(super) fn leave(&mut self, bot: &str, only: Option<&Version>) -> Option<Verdict> {
        self.let_leave_set_aside();
        let is_meant = |plays: &&Version| only.is_none_or(|only| only == *plays);
        let plays = self.playing.get(bot).filter(is_meant)?.clone();
        self.playing.remove(bot);
        if let Err(error) = self.aside.retain(|name, _| name != bot) {
            tracing::warn!("cannot store that {plays} was withdrawn: {error}");
        }
        Some(Verdict::Withdrawn(plays))
    }

    /// Lets a version that has left play again; `None` if one of its bot plays, or it was never there.
    pub(super) fn come_back(&mut self, version: &Version) -> Option<Verdict> {
        self.let_leave_set_aside();
        let entered = self.entered.iter().find(|of| of.version == *version)?.clone();
        if self.playing.contains_key(&version.bot) {
            return None;
        }
        if let Some(refused) = self.not_eligible(&version.bot) {
            return Some(refused);
        }
        if self.is_frozen() {
            return Some(Verdict::Refused(FROZEN.to_owned()));
        }
        if !entered.is_kept(&self.disk.versions, &self.options.leyden) {
            let why = format!("the files of {version} were removed or changed: hand in another version");
            return Some(Verdict::Refused(why));
        }
        if let Err(error) = self.aside.bring_back(version) {
            return Some(Verdict::Waits(format!("cannot store that it comes back: {error}")));
        }
        self.playing.insert(version.bot.clone(), version.clone());
        Some(Verdict::Returns(version.clone()))
    }

    fn let_leave_set_aside(&mut self) {
        self.playing.retain(|_, version| !self.aside.has(version));
    }

    /// Whether this version is set aside.
    pub(super) fn is_aside(&self, version: &Version) -> bool {
        self.aside.has(version)
    }

    /// Whether nobody enters or comes back any more, so that those who play are those of the final.
    fn is_frozen(&self) -> bool {
        self.rules.freeze.is_some_and(|freeze| SystemTime::now() >= freeze)
    }

    fn not_eligible(&self, name: &str) -> Option<Verdict> {
        let is_out = !self.rules.eligible.is_empty() && !self.rules.eligible.contains(name);
        is_out.then(|| Verdict::Refused("it is not on the list of those who may play".to_owned()))
    }

    fn judge_named(&mut self, entry: &Path, name: &str) -> Result<Verdict, NoVersion> {
        if let Some(refused) = self.not_eligible(name) {
            return Ok(refused);
        }
        if let Some(other) = namesake(entry, name) {
            return Ok(Verdict::Waits(format!("{other} has the same name: remove one of the two")));
        }
        let bot = self.found(entry)?;
        let same = |of: &&VersionEntry| of.hash == bot.hash;
        let own = self.entered.iter().filter(|of| of.version.bot == name);
        let number = own.clone().map(|of| of.version.number).max().unwrap_or(0) + 1;
        if let Some(known) = own.clone().rfind(same).map(|of| of.version.clone()) {
            let plays = self.playing.get(name).cloned();
            if plays.is_none_or(|plays| plays == known) {
                return Ok(Verdict::Known(known));
            }
            if self.is_frozen() {
                return Ok(Verdict::Waits(FROZEN.to_owned()));
            }
            let kept = self.disk.versions.join(known.to_string());
            if !kept.is_dir() {
                bot.keep(&kept)?; // somebody has removed it
            }
            self.playing.insert(name.to_owned(), known.clone());
            return Ok(Verdict::Returns(known));
        }
        if let Some(other) = self.entered.iter().find(same) {
            return Ok(Verdict::Copy(other.version.clone()));
        }
        if self.is_frozen() {
            return Ok(Verdict::Waits(FROZEN.to_owned()));
        }
        let today = own.filter(|of| self.came_today(&of.version)).count();
        if self.rules.versions_a_day.is_some_and(|most| today >= most as usize) {
            let versions = counted(today as u64, "version", "versions");
            return Ok(Verdict::Waits(format!("{versions} of it came within 24 hours")));
        }
        let bytes = bot.handed_in_folder().map_or(0, disk::size_on_disk);
        if bytes > UNPACKED {
            return Ok(Verdict::Refused(format!("its files take more than {} MB", UNPACKED / 1_000_000)));
        }
        if !self.disk.make_room(bytes, &self.hashes_that_play())? {
            return Ok(Verdict::Waits(self.disk.is_full()));
        }
        let version = Version { bot: name.to_owned(), number };
        let kept = self.disk.versions.join(version.to_string());
        bot.keep(&kept)?;
        if let Err(why) = self.ready(&kept, &version) {
            fs::remove_dir_all(&kept)?;
            return Err(why);
        }
        let hash = bot.hash.clone();
        self.playing.insert(name.to_owned(), version.clone());
        self.entered.push(VersionEntry { version: version.clone(), hash: hash.clone(), there: true });
        // What was built counts, too. It has entered all the same.
        if let Err(error) = self.disk.make_room(0, &self.hashes_that_play()) {
            tracing::warn!("old builds cannot be removed: {error}");
        }
        Ok(Verdict::Enters { version, hash })
    }

    /// The bot of an entry.
    fn found(&self, entry: &Path) -> Result<Competitor, NoVersion> {
        let leyden = &self.options.leyden;
        let mut found = roster::find_entry(entry, leyden, UNPACKED);
        if !self.options.allow_builtins {
            found.refuse_builtins(leyden);
        }
        match (found.bots.len(), found.left_out.first()) {
            (_, Some(error)) => Err(NoVersion::from_failure(error.is_hosts(), error.reason())),
            (1, None) => Ok(found.bots.remove(0)),
            (count, None) => Err(NoVersion::refused(format!("expected one bot in it, found {count}"))),
        }
    }

    fn hashes_that_play(&self) -> Vec<&str> {
        let plays = |of: &&VersionEntry| self.playing.get(&of.version.bot) == Some(&of.version);
        self.entered.iter().filter(plays).map(|of| of.hash.as_str()).collect()
    }

    fn came_today(&self, version: &Version) -> bool {
        let kept =
            fs::metadata(self.disk.versions.join(version.to_string())).and_then(|meta| meta.modified());
        kept.is_ok_and(|kept| kept.elapsed().is_ok_and(|since| since < DAY))
    }

    /// Builds and checks the version as it is kept, which is what will play.
    fn ready(&self, kept: &Path, version: &Version) -> Result<(), NoVersion> {
        let options = &self.options;
        let environment = BotEnvironment {
            leyden: options.leyden.clone(),
            sandbox: options.settings.sandbox,
            limits: options.sandbox_limits(),
            build_limits: options.build_limits,
            no_build: options.no_build,
            kept_builds: options.kept_builds.clone(),
            allow_read: options.allow_read.clone(),
            allow_network: options.allow_network.clone(),
            stop: self.stop.clone(),
        };
        let ready = ReadyBot::make(&kept.display().to_string(), &environment, &mut |_| ())
            .map_err(|error| NoVersion::from_failure(error.is_hosts(), error.to_string()))?;
        if self.travels {
            let packed = ready.bot.pack();
            packed.map_err(|error| NoVersion::from_failure(error.system().is_some(), error.to_string()))?;
        }
        let request = CheckRequest {
            limits: options.settings.limits,
            time: Some(CHECK),
            only: None,
            own_cases: true,
            stop: self.stop.clone(),
        };
        let report = check::check(&ready, &request).map_err(|error| match error {
            CheckError::Case(CaseError::Invalid { .. }) | CheckError::NoTable => {
                NoVersion::refused(error.to_string())
            }
            CheckError::Case(CaseError::Unreadable { .. })
            | CheckError::Busy(_)
            | CheckError::Interrupted
            | CheckError::NoSuchName(..)
            | CheckError::NoCases
            | CheckError::Host(_) => NoVersion::Host(io::Error::other(error.to_string())),
        })?;
        let failed = report.findings.iter().find(|finding| finding.outcome == FindingOutcome::Failed);
        if let Some(finding) = failed {
            let hides_stderr = self.rules.hides_stderr;
            let problem = if hides_stderr { finding.problem_without_stderr() } else { finding.problem() };
            return Err(NoVersion::refused(format!("{}: {problem}", finding.name)));
        }
        let mut bot = ready.bot;
        bot.name = version.to_string();
        options.ready.note(bot);
        Ok(())
    }
}

/// What a bot is called: the entry's name, without the ending of an archive.
fn name_of(entry: &Path) -> Option<String> {
    let name = if entry.is_dir() { entry.file_name() } else { entry.file_stem() };
    let name = name?.to_str()?;
    roster::is_plain_name(name).then(|| name.to_owned())
}

/// Another entry of the folder whose bot would be called the same, such as `ann.zip` beside `ann`.
fn namesake(entry: &Path, name: &str) -> Option<String> {
    let others = roster::entries_in(entry.parent()?).ok()?;
    let is_same =
        |other: &Path| other != entry && roster::can_be_bot(other) && name_of(other).as_deref() == Some(name);
    let other = others.iter().find(|other| is_same(other))?;
    Some(other.file_name()?.to_string_lossy().into_owned())
}

/// Removes what was kept but did not enter, because the program was ended in between.
pub(super) fn sweep(versions: &Path, entered: &[VersionEntry]) -> io::Result<()> {
    for entry in fs::read_dir(versions)? {
        let entry = entry?;
        let is_known = entered.iter().any(|of| entry.file_name().to_str() == Some(&of.version.to_string()));
        if entry.file_type()?.is_dir() && !is_known {
            fs::remove_dir_all(entry.path())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    /// An entry in a folder, and the entrance of a league that keeps versions below `state`.
    fn entry_and_entrance(folder: &Path, state: &Path) -> (PathBuf, Entrance) {
        let bots = folder.join("bots");
        let ann = bots.join("ann");
        fs::create_dir_all(&ann).unwrap();
        fs::write(ann.join("bot.toml"), "name = \"ann\"\ncommand = [\"sh\"]\n").unwrap();
        let [versions, builds, challenges] = ["v", "b", "c"].map(|name| state.join(name));
        let disk = Disk { folder: bots, versions, builds, challenges, most: None };
        let rules = (Options::new("/leyden", Vec::<String>::new()), LeagueRules::default());
        let aside = AsideVersions::open(&folder.join("league.db")).unwrap();
        (ann, Entrance::new(disk, rules, Vec::new(), (CancellationToken::new(), false), aside))
    }

    #[test]
    fn entry_is_judged_by_why_its_copy_failed() {
        let folder = tempfile::tempdir().unwrap();
        let state = folder.path().join(format!("{}/", "s".repeat(200)).repeat(18));
        let (ann, mut entrance) = entry_and_entrance(folder.path(), &state);
        fs::create_dir_all(&entrance.disk.versions).unwrap();
        let deep = ann.join(format!("{}/", "d".repeat(240)).repeat(3));
        fs::create_dir_all(&deep).unwrap();
        fs::write(deep.join("x"), "x").unwrap();
        let refused = entrance.judge(&ann).unwrap();
        assert!(matches!(&refused, Verdict::Refused(why) if why.contains("cannot be copied")), "{refused}");
        assert!(matches!(CopyError::Changed.into(), NoVersion::Verdict(Verdict::Waits(_))));
    }

    #[test]
    fn entry_waits_however_often_the_host_failed() {
        let folder = tempfile::tempdir().unwrap();
        // Where no version can be kept.
        let (ann, mut entrance) = entry_and_entrance(folder.path(), &folder.path().join("gone"));
        for failures in [1, TRIES - 1, TRIES, 1000] {
            let error = entrance.judge(&ann).unwrap_err();
            let verdict = Verdict::after_failure(&error, failures);
            let text = verdict.to_string();
            assert!(verdict.is_waiting() && text.contains(&error.to_string()), "{text}");
            assert_eq!(text.contains("at least 10 times"), failures >= TRIES, "{text}");
        }
    }
}
