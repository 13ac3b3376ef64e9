//! The exit codes of library errors that have several. No arm catches all, so that a new variant is given its code. Only where a
//! message begins with the file that a command read does the command list the variants: `after/dataset.rs`, `play/plan.rs`.

use leyden_arena::check::{CaseError, CheckError, PinError};
use leyden_arena::gate::VerdictError;
use leyden_arena::grade::GradeError;
use leyden_arena::league::{EntrantsError, LeagueError, OpenIntakeError, StandingError, TokensError};
use leyden_arena::record::source::SourceError;
use leyden_arena::record::store::{FindError, StoreError, WithdrawError};
use leyden_arena::report::luck::LuckError;
use leyden_arena::report::{CompareError, ReportError};
use leyden_arena::rerun::{ReadyBotError, RerunError};
use leyden_arena::roster::{BotLookupError, SendBotError, UnusableBotError};
use leyden_arena::run::{PlanError, RunError, SeedSourceError, TimingError};
use leyden_arena::tournament::{OpenError, PlayError};
#[cfg(feature = "nats")]
use leyden_nats::ConnectError;
#[cfg(feature = "nats")]
use leyden_remote::{RemoteError, WorkError};
use leyden_stats::SprtPlanError;
use leyden_web::report::PublishError;
use leyden_web::server::{ServeError, StageFileError, TlsError};
use leyden_web::snapshot::NamelessError;
use rusqlite::ErrorCode;

use super::{Code, CommandError, code_of, code_of_system};
use crate::out::quoted;

impl From<StoreError> for CommandError {
    /// A file that does not exist, or is not one of ours, is a wrong name. What the system refuses is the host's failure.
    fn from(error: StoreError) -> Self {
        let code = match &error {
            StoreError::Full { .. } => Code::HostFailed,
            StoreError::Io { source, .. } => code_of(source),
            StoreError::Sqlite { source, .. } => match source.sqlite_error_code() {
                Some(
                    ErrorCode::CannotOpen
                    | ErrorCode::PermissionDenied
                    | ErrorCode::ReadOnly
                    | ErrorCode::SystemIoFailure
                    | ErrorCode::OutOfMemory,
                ) => Code::HostFailed,
                Some(_) | None => Code::Usage, // SQLite's list, which is open
            },
            StoreError::Misplaced { .. } | StoreError::Panicked => Code::Defect,
            StoreError::Missing { .. }
            | StoreError::Exists { .. }
            | StoreError::OtherLog { .. }
            | StoreError::NotResults { .. }
            | StoreError::OtherVersion { .. }
            | StoreError::OtherEdition { .. }
            | StoreError::InUse { .. }
            | StoreError::Different { .. }
            | StoreError::Exchanged { .. }
            | StoreError::Removed { .. }
            | StoreError::SameName { .. }
            | StoreError::ManyBots { .. }
            | StoreError::Schedule(_)
            | StoreError::Damaged { .. } => Code::Usage,
        };
        Self { code, message: error.to_string() }
    }
}

impl From<FindError> for CommandError {
    fn from(error: FindError) -> Self {
        match error {
            FindError::Store(error) => error.into(),
            FindError::None(_) | FindError::Several { .. } => Self::usage(error),
        }
    }
}

impl From<SourceError> for CommandError {
    fn from(error: SourceError) -> Self {
        match error {
            SourceError::Unreadable { ref source, .. } => Self::for_file(&error, source),
            SourceError::Compressed(ref path) => {
                let path = quoted(path.as_os_str());
                Self::usage(format!("{error}, as in\n  gunzip -c {path} | leyden verify -"))
            }
            SourceError::Store(error) => error.into(),
            SourceError::Find(error) => error.into(),
            SourceError::Line { .. } | SourceError::NotFound { .. } => Self::usage(error),
        }
    }
}

impl From<BotLookupError> for CommandError {
    fn from(error: BotLookupError) -> Self {
        if error.system().is_some() { Self::host_failed(error) } else { Self::missing(error) }
    }
}

impl From<UnusableBotError> for CommandError {
    fn from(error: UnusableBotError) -> Self {
        if error.is_hosts() { Self::host_failed(error) } else { Self::missing(error) }
    }
}

impl From<SendBotError> for CommandError {
    fn from(error: SendBotError) -> Self {
        match error.system() {
            Some(source) => Self::for_file(&error, source),
            None => Self::missing(error),
        }
    }
}

impl From<OpenError> for CommandError {
    fn from(error: OpenError) -> Self {
        match error {
            OpenError::Plan(error) => error.into(),
            OpenError::Store(error) => error.into(),
            OpenError::Folder { ref source, .. } => {
                Self { code: code_of(source), message: error.to_string() }
            }
            OpenError::Schedule(_) | OpenError::SeedKnown { .. } => Self::usage(error),
            OpenError::NotJudged(error) => error.into(),
            OpenError::NoName => Self::defect(error),
        }
    }
}

impl From<PlanError> for CommandError {
    fn from(error: PlanError) -> Self {
        match error {
            PlanError::Missing { ref missing, .. } if missing.iter().all(UnusableBotError::is_hosts) => {
                Self::host_failed(error)
            }
            PlanError::Missing { .. } => Self::missing(error),
            PlanError::NotABot(error) => error.into(),
            PlanError::Interrupted(_) => Self::interrupted(error),
            PlanError::NotCopied(_) => Self::host_failed(error),
            PlanError::Seed(source) => source.into(),
            PlanError::NoBots
            | PlanError::NoSuchPlayer(_)
            | PlanError::NotATable { .. }
            | PlanError::NotTwo(_)
            | PlanError::GateSeats
            | PlanError::NoStartup
            | PlanError::NoTime
            | PlanError::NoCpuClock
            | PlanError::Rules(_)
            | PlanError::Cores(_)
            | PlanError::NoJobs
            | PlanError::ManyJobs
            | PlanError::Sandbox(_)
            | PlanError::Exposed(_)
            | PlanError::NoSuchBot(_)
            | PlanError::NothingToReplace
            | PlanError::ReplacedInGate
            | PlanError::Schedule(_) => Self::usage(error),
        }
    }
}

impl From<SeedSourceError> for CommandError {
    fn from(error: SeedSourceError) -> Self {
        match &error {
            SeedSourceError::Text(_) => Self::usage(error),
            SeedSourceError::Random(source) => {
                Self { code: code_of_system(source), message: error.to_string() }
            }
        }
    }
}

impl From<PlayError> for CommandError {
    /// An error that no bot caused is the arena's, or the system's.
    fn from(error: PlayError) -> Self {
        match error {
            PlayError::Run(RunError::Host { .. } | RunError::Unreachable(_)) => Self::host_failed(error),
            PlayError::Run(RunError::Worker(ref source)) => {
                Self { code: code_of_system(source), message: error.to_string() }
            }
            PlayError::Store(store) if store.is_hosts() => Self::host_failed(store),
            PlayError::Store(_)
            | PlayError::Run(
                RunError::Schedule(_)
                | RunError::Rules(_)
                | RunError::Lost(_)
                | RunError::Returned { .. }
                | RunError::Again(_)
                | RunError::Follower(_),
            ) => Self::defect(error),
        }
    }
}

impl From<VerdictError> for CommandError {
    fn from(error: VerdictError) -> Self {
        match error {
            VerdictError::Cases(error) => error.into(),
            VerdictError::Busy(message) => Self::host_failed(message),
            VerdictError::Run(error) => error.into(),
            VerdictError::Store(error) => PlayError::from(error).into(),
            VerdictError::Clock(error) => Self::from_system(error),
        }
    }
}

impl From<RunError> for CommandError {
    fn from(error: RunError) -> Self {
        PlayError::from(error).into()
    }
}

impl From<ReportError> for CommandError {
    fn from(error: ReportError) -> Self {
        match error {
            ReportError::Defect(defect) => Self::defect(defect),
            ReportError::Store(error) => error.into(),
            ReportError::NoMatch
            | ReportError::SeveralTournaments
            | ReportError::Rules(_)
            | ReportError::NotJudged(_)
            | ReportError::Contradiction(_)
            | ReportError::NoTable(_)
            | ReportError::NoCompetition(_) => Self::usage(error),
        }
    }
}

impl From<PublishError> for CommandError {
    fn from(error: PublishError) -> Self {
        match error {
            PublishError::Report(error) | PublishError::Nameless(NamelessError::Report(error)) => {
                error.into()
            }
            PublishError::Write { error: ref source, .. } => {
                Self { code: code_of(source), message: error.to_string() }
            }
            PublishError::Nameless(NamelessError::Pseudonym { .. })
            | PublishError::Exists(_)
            | PublishError::NotReport(_)
            | PublishError::NoName(_) => Self::usage(error),
        }
    }
}

impl From<CompareError> for CommandError {
    fn from(error: CompareError) -> Self {
        match error {
            CompareError::Report(error) => error.into(),
            CompareError::Games { .. } | CompareError::NobodyInBoth => Self::usage(error),
        }
    }
}

impl From<WithdrawError> for CommandError {
    fn from(error: WithdrawError) -> Self {
        match error {
            WithdrawError::Store(error) => StoreError::into(error),
            WithdrawError::Gate
            | WithdrawError::NoSuchBot(_)
            | WithdrawError::Already { .. }
            | WithdrawError::TooFew { .. }
            | WithdrawError::Gauntlet { .. }
            | WithdrawError::Adaptive { .. }
            | WithdrawError::Gone { .. } => Self::usage(error),
        }
    }
}

impl From<LeagueError> for CommandError {
    fn from(error: LeagueError) -> Self {
        match error {
            LeagueError::Open(error) => error.into(),
            LeagueError::Store(error) => error.into(),
            LeagueError::Withdraw(error) => error.into(),
            LeagueError::Run(error) => error.into(),
            LeagueError::Folder { ref source, .. } | LeagueError::Names(ref source) => {
                Self { code: code_of(source), message: error.to_string() }
            }
            LeagueError::NoLeague { .. } | LeagueError::Altered { .. } => Self::usage(error),
            LeagueError::Fruitless => Self::host_failed(error),
            LeagueError::Unwatched => Self::defect(error),
        }
    }
}

impl From<TokensError> for CommandError {
    fn from(error: TokensError) -> Self {
        match error {
            TokensError::Lock(error) => error.into(),
            TokensError::Name(_) | TokensError::Broken { .. } => Self::usage(error),
            TokensError::Read { ref source, .. }
            | TokensError::Write { ref source, .. }
            | TokensError::Random(ref source) => Self { code: code_of(source), message: error.to_string() },
        }
    }
}

impl From<OpenIntakeError> for CommandError {
    fn from(error: OpenIntakeError) -> Self {
        match error {
            OpenIntakeError::Lock(error) => error.into(),
            OpenIntakeError::Io(ref source) => Self { code: code_of(source), message: error.to_string() },
        }
    }
}

impl From<StandingError> for CommandError {
    fn from(error: StandingError) -> Self {
        match error {
            StandingError::Report(error) => error.into(),
            StandingError::NoLeague(_) | StandingError::NoVersion(..) => Self::usage(error),
        }
    }
}

impl From<EntrantsError> for CommandError {
    fn from(error: EntrantsError) -> Self {
        match error {
            EntrantsError::Store(error) => error.into(),
            EntrantsError::Standing(error) => error.into(),
            EntrantsError::Altered { .. } => Self::usage(error),
        }
    }
}

impl From<TlsError> for CommandError {
    fn from(error: TlsError) -> Self {
        match &error {
            TlsError::Read { source, .. } => Self::for_file(&error, source),
            TlsError::NoCertificate(_)
            | TlsError::NoKey(_)
            | TlsError::NotPem { .. }
            | TlsError::Unusable { .. } => Self::usage(error),
        }
    }
}

impl From<ServeError> for CommandError {
    fn from(error: ServeError) -> Self {
        match error {
            ServeError::Report(error) => error.into(),
            ServeError::Listen(..)
            | ServeError::SeveralOnStage(_)
            | ServeError::HiddenOnStage
            | ServeError::SeveralLeagues(_) => Self::usage(error),
            ServeError::Stage(error) => match &error {
                StageFileError::Broken(..) | StageFileError::OfAnother(_) => Self::usage(error),
                StageFileError::Read(_, source)
                | StageFileError::Write(_, source)
                | StageFileError::Token(source) => Self::for_file(&error, source),
            },
            ServeError::Threads(error) => Self::from_system(error),
        }
    }
}

impl From<SprtPlanError> for CommandError {
    fn from(error: SprtPlanError) -> Self {
        Self::usage(error)
    }
}

impl From<TimingError> for CommandError {
    fn from(error: TimingError) -> Self {
        match error {
            TimingError::Plan(error) => error.into(),
            TimingError::Run(error) => error.into(),
            TimingError::Schedule(_) => Self::usage(error),
            TimingError::Interrupted => Self::interrupted(error),
            TimingError::NoMatch(_) => Self { code: Code::Undecided, message: error.to_string() },
        }
    }
}

impl From<ReadyBotError> for CommandError {
    fn from(error: ReadyBotError) -> Self {
        match error {
            ReadyBotError::Missing(error) => error.into(),
            ReadyBotError::NotABot(error) => error.into(),
            ReadyBotError::NotCopied(_) => Self::host_failed(error),
            ReadyBotError::Interrupted(_) => Self::interrupted(error),
            ReadyBotError::Several { .. } | ReadyBotError::Sandbox(_) => Self::usage(error),
        }
    }
}

impl From<RerunError> for CommandError {
    fn from(error: RerunError) -> Self {
        match error {
            RerunError::Host(error) => Self::from_system(error),
            RerunError::Busy(_) => Self::host_failed(error),
            RerunError::NoSeat { .. }
            | RerunError::Rules { .. }
            | RerunError::Unplayable { .. }
            | RerunError::Deck { .. }
            | RerunError::NoPosition { .. }
            | RerunError::NotAsked { .. }
            | RerunError::Contradiction { .. } => Self::usage(error),
        }
    }
}

impl From<CheckError> for CommandError {
    fn from(error: CheckError) -> Self {
        match error {
            CheckError::Host(error) => Self::from_system(error),
            CheckError::Interrupted => Self::interrupted(error),
            CheckError::Busy(_) => Self::host_failed(error),
            CheckError::Case(CaseError::Unreadable { ref source, .. }) => Self::for_file(&error, source),
            CheckError::Case(CaseError::Invalid { .. })
            | CheckError::NoCases
            | CheckError::NoSuchName(..)
            | CheckError::NoTable => Self::usage(error),
        }
    }
}

impl From<PinError> for CommandError {
    fn from(error: PinError) -> Self {
        match error {
            PinError::Rerun(error) => error.into(),
            PinError::Write { ref source, .. } => Self::for_file(&error, source),
            PinError::NoQuestion { .. }
            | PinError::Anothers { .. }
            | PinError::NotLegal { .. }
            | PinError::NothingLeft
            | PinError::Name(_)
            | PinError::Link(_)
            | PinError::Exists(_) => Self::usage(error),
        }
    }
}

impl From<GradeError> for CommandError {
    fn from(error: GradeError) -> Self {
        let message = error.to_string();
        match error {
            GradeError::Interrupted => Self::interrupted(error),
            GradeError::Overload(message) => Self::host_failed(message),
            GradeError::Check(error) => error.into(),
            GradeError::NoBot(error) => error.into(),
            GradeError::Play(error) => error.into(),
            GradeError::Report(error) => error.into(),
            GradeError::Luck(error) => error.into(),
            GradeError::Open(error) => error.into(),
            GradeError::Reference { source, .. } => Self { message, ..source.into() },
            GradeError::NotABot(error) => error.into(),
            GradeError::Incomplete | GradeError::Folder(_) => Self::host_failed(error),
            GradeError::Unlike(_) => Self::usage(error),
        }
    }
}

impl From<LuckError> for CommandError {
    fn from(error: LuckError) -> Self {
        match error {
            LuckError::Report(error) => error.into(),
            LuckError::Match { .. } => Self { code: Code::No, message: error.to_string() },
            LuckError::Edition { .. } => Self::usage(error),
            LuckError::BrokeDown => Self::defect(error),
        }
    }
}

#[cfg(feature = "nats")]
impl From<RemoteError> for CommandError {
    fn from(error: RemoteError) -> Self {
        match error {
            RemoteError::Connection(error) => error.into(),
            RemoteError::Travel(ref bot) if bot.system().is_none() => Self::missing(error),
            RemoteError::Travel(_)
            | RemoteError::Coordinator(_)
            | RemoteError::Bundle(_)
            | RemoteError::System(_) => Self::host_failed(error),
        }
    }
}

#[cfg(feature = "nats")]
impl From<WorkError> for CommandError {
    fn from(error: WorkError) -> Self {
        match error {
            WorkError::Connection(error) => error.into(),
            WorkError::Worker(_) | WorkError::System(_) => Self::host_failed(error),
        }
    }
}

#[cfg(feature = "nats")]
impl From<ConnectError> for CommandError {
    fn from(error: ConnectError) -> Self {
        let code = if error.may_pass() { Code::HostFailed } else { Code::Usage };
        Self { code, message: error.to_string() }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{self, ErrorKind};
    use std::path::Path;

    use leyden_arena::roster::{BotCopyError, ContentError};

    use super::*;

    #[test]
    fn file_error_blames_host_unless_name_is_wrong() {
        let io = |kind: ErrorKind| StoreError::Io { path: "r.db".into(), doing: "read", source: kind.into() };
        let missing = || StoreError::Missing { path: "r.db".into() };
        let none = || StoreError::NotResults { path: "r.db".into(), why: "it is a letter".to_owned() };
        for (error, code) in [
            (missing(), Code::Usage),
            (none(), Code::Usage),
            (io(ErrorKind::IsADirectory), Code::Usage),
            (io(ErrorKind::PermissionDenied), Code::HostFailed),
            (io(ErrorKind::QuotaExceeded), Code::HostFailed),
        ] {
            let shown = format!("{error:?}");
            assert_eq!(CommandError::from(ReportError::from(error)).code, code, "{shown}");
        }
        let denied = io::Error::from(ErrorKind::PermissionDenied);
        assert_eq!(CommandError::unreadable(Path::new("r.db"), &denied).code, Code::HostFailed);
        let folder = OpenError::Folder { folder: "r".into(), source: denied };
        assert_eq!(CommandError::from(folder).code, Code::HostFailed);
    }

    #[test]
    fn match_lookup_blames_host_unless_match_is_missing() {
        let denied = || StoreError::Io {
            path: "r.db".into(),
            doing: "read",
            source: ErrorKind::PermissionDenied.into(),
        };
        assert_eq!(CommandError::from(FindError::from(denied())).code, Code::HostFailed);
        assert_eq!(CommandError::from(FindError::None("4f2a".to_owned())).code, Code::Usage);
    }

    #[test]
    fn pin_blames_host_unless_question_is_wrong() {
        let denied = RerunError::Host(ErrorKind::PermissionDenied.into());
        assert_eq!(CommandError::from(PinError::from(denied)).code, Code::HostFailed);
        assert_eq!(CommandError::from(PinError::NothingLeft).code, Code::Usage);
    }

    #[test]
    fn unreadable_file_of_bot_blames_host() {
        let content = |source| SendBotError::Content { name: "ann".to_owned(), source };
        let denied = || io::Error::from(ErrorKind::PermissionDenied);
        let unreadable = content(ContentError::Unreadable { path: "ann/run".into(), source: denied() });
        assert_eq!(CommandError::from(unreadable).code, Code::HostFailed);
        assert_eq!(CommandError::from(content(ContentError::Files)).code, Code::Missing);
        for (kind, code) in [
            (ErrorKind::OutOfMemory, Code::HostFailed),
            (ErrorKind::PermissionDenied, Code::Missing),
            (ErrorKind::NotFound, Code::Missing),
        ] {
            let unreadable = BotLookupError::Unreadable { path: "ann/bot.toml".into(), source: kind.into() };
            assert_eq!(CommandError::from(ReadyBotError::from(unreadable)).code, code, "{kind}");
        }
        let gone = BotLookupError::NotUnpacked(ErrorKind::NotFound.into());
        assert_eq!(CommandError::from(gone).code, Code::HostFailed);
        let unreadable =
            UnusableBotError::Unreadable { name: "ann".to_owned(), reason: "cannot read".to_owned() };
        let none = UnusableBotError::Entry { entry: "bob".to_owned(), reason: "it is empty".to_owned() };
        assert_eq!(CommandError::from(ReadyBotError::from(unreadable.clone())).code, Code::HostFailed);
        for (missing, code) in
            [(vec![unreadable.clone()], Code::HostFailed), (vec![unreadable, none], Code::Missing)]
        {
            let error = PlanError::Missing { missing, can_be_left_out: true };
            assert_eq!(CommandError::from(error).code, code);
        }
        let case = CaseError::Unreadable { path: "ann/cases/lead.json".into(), source: denied() };
        assert_eq!(CommandError::from(CheckError::from(case)).code, Code::HostFailed);
    }

    #[test]
    fn missing_thread_or_copy_is_blamed_on_host() {
        let full = || io::Error::from_raw_os_error(28);
        assert_eq!(CommandError::from(RunError::Worker(full())).code, Code::HostFailed);
        let copy = BotCopyError { bot: "ann".to_owned(), folder: "/tmp".into(), source: full() };
        let error = GradeError::Reference { bot: "ann".to_owned(), source: ReadyBotError::NotCopied(copy) };
        let error = CommandError::from(error);
        assert_eq!(error.code, Code::HostFailed);
        assert!(
            error.message.starts_with("the rubric's bot ann cannot be played against"),
            "{}",
            error.message
        );
    }

    #[test]
    fn full_disk_is_no_defect() {
        let full = || StoreError::Full { path: "r.db".into() };
        assert_eq!(CommandError::from(PlayError::from(full())).code, Code::HostFailed);
        assert_eq!(CommandError::from(OpenError::from(full())).code, Code::HostFailed);
        assert_eq!(CommandError::from(PlayError::from(StoreError::Panicked)).code, Code::Defect);
    }
}
