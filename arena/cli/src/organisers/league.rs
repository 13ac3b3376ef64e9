//! `leyden league`: a tournament without end, whose bots are those of a folder.

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{Args, Subcommand};
use leyden_arena::CancellationToken;
use leyden_arena::format::{Play, Seeding, Stage};
use leyden_arena::league::{
    CommonOpponent, CountedVersion, Intake, Invitation, League, LeagueCopies, LeagueEnd, LeagueEvent,
    LeagueStanding, PublicNames, Tokens, Version, VersionLine, usual_results,
};
use leyden_arena::record::store::Results;
use leyden_arena::report::column::Column;
use leyden_arena::run::{FormatChoice, Options, RunKind, StagesChoice};
use leyden_arena::toml_error::in_words;
use leyden_arena::tournament::options_to_resume;
use leyden_language::numbers;

use crate::after::standings;
use crate::config;
use crate::exit::{Code, CommandError};
use crate::machines::workers::{self, RemoteRunOptions};
use crate::options::{Shared, Shares, Span, TournamentOptions};
use crate::organisers::league_rules::RuleOptions;
use crate::out::quoted;
use crate::play::serve::{self, WatchOptions};
use crate::play::signals;
use crate::report::grid::{grid, plain};
use crate::report::text::{self, StandingsNotes};

pub(crate) const EXAMPLES: &str = "\
Examples:
  leyden league submissions                    until Ctrl-C; the same command continues it
  leyden league submissions --serve=8080       with pages to watch it
  leyden league submissions --config cup.toml --freeze 2027-01-31T18:00:00Z --versions-a-day 3
  leyden league --init > rules.toml            every rule, explained, for --rules rules.toml
  leyden league invite submissions-league.db ann bob > tokens.txt
  leyden league submissions --serve=8080 --intake    authors hand in over the network
  leyden league submissions --serve=0.0.0.0:8443 --intake --tls-cert cert.pem --tls-key key.pem
  leyden league submissions --nats nats://head:4222  played by workers (leyden help worker)
  leyden league versions submissions-league.db ann
  leyden league copies submissions-league.db
  leyden league compare submissions-league.db ann v3 v4 --json
  leyden tournament --league submissions-league.db --format knockout --results final.db    the final
  leyden verify final.db --league submissions-league.db
  leyden withdraw submissions-league.db \"ann v4\"    take it out for good, while the league rests

Each entry of the folder, a bot's folder or a zip archive, is a bot with its name: `ann` plays as \"ann v1\", then \"ann v2\". The same \
files are the same version: put an older version back, and it plays again. Two bots with the same files count once. Why an entry was \
refused also stands in FILE.versions/NAME.refused.txt, beside each version as it was handed in; they are needed to continue. What was \
built is kept in FILE.builds and used again if bot, build command, sandbox, system and this program are the same; remove it to build \
everything again, such as after an update of a compiler. A bot may unpack to 256 MB. \
A version that \
cannot be started three times in a row is set aside, with the reason in FILE.aside.json: its matches count, others go on, and it comes \
back if, before a freeze, its author hands it in again, brings it back or hands in another version (in the folder: put there again, \
or touched). \
Which versions have much of their source text in common is kept in FILE.copies.json, for pages and leyden league copies. \
Names that begin with a dot, and those in .leydenignore, are not entries: move a bot into the folder under its name once it is complete.

With --nats, workers on other machines play the matches, as in a tournament (leyden help worker), and this machine as many at once as \
--jobs says. Each entry is built and checked here first; new versions reach the workers along with their matches. Without a worker the league \
waits for one.

With --intake, an author hands in a zip archive (at most 32 MB, 20 an hour, two at once, 8 KB a second at least), or one file \
of source text such as bot.py, at ADDRESS/author in a browser, by leyden submit, or by
  curl -F entry=@bot.zip -H \"Authorization: Bearer TOKEN\" ADDRESS/hand-in
It becomes NAME.zip in the folder, in place of the author's earlier one, and is judged like every entry. Its status is on the \
author's page, with the author's ratings, matches, faults and standard error, and at ADDRESS/hand-in, as text or JSON. There, or by a \
POST to ADDRESS/withdraw, an author withdraws the version that plays, and at ADDRESS/bring-back lets it play again. POST opponent=NAME \
to ADDRESS/challenge to play another bot at once, in one pair that counts for nothing. This takes one worker from the league; \
afterwards no challenge starts for four times as long as it took. Challenges are kept in FILE.challenges. Tokens are kept \
as hashes in FILE.tokens.json. --serve listens on this machine alone. On an address that others can reach, anybody on the way can \
read tokens and bots: name a certificate there, or put a proxy with TLS in front, and give its host name with --name. \
To make a certificate of your own, which authors name with leyden submit --ca cert.pem:
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 365 \\
    -keyout key.pem -out cert.pem -subj /CN=league -addext basicConstraints=critical,CA:FALSE \\
    -addext subjectAltName=DNS:league.school.example

Ratings have intervals that hold at any time, however often somebody looks. `even %` is the score of a version if it met every \
version that plays equally often.";

/// What a league plays, where, and by which rules.
#[derive(Args, Clone, Debug)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct LeagueOptions {
    #[command(subcommand)]
    command: Option<LeagueCommand>,
    /// The folder where bots are handed in
    #[arg(required = true)]
    folder: Option<PathBuf>,
    /// Print a file of rules with every rule explained, to be changed and given to --rules
    #[arg(long, exclusive = true)]
    pub(crate) init: bool,
    /// The results file; what it has is continued [default: FOLDER-league.db in the current folder]
    #[arg(long, value_name = "FILE")]
    results: Option<PathBuf>,
    /// End after this time [default: at Ctrl-C]
    #[arg(long = "for", value_name = "DUR")]
    time: Option<Span>,
    /// End after about this many more pairs
    #[arg(long, value_name = "N")]
    pairs: Option<u64>,
    /// Options of the game, time, sandbox and machine from a file, as `leyden tournament --init` prints it; without bots and
    /// stages
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    #[command(flatten)]
    shared: Shared<Self>,
    /// Let entries be builtin bots, or contain or start this program, as the sample bots do
    #[arg(long)]
    allow_builtins: bool,
    /// Rules from a TOML file, as --init prints it; rules given as options replace them
    #[arg(long = "rules", value_name = "FILE")]
    rules_file: Option<PathBuf>,
    #[command(flatten)]
    rules: RuleOptions,
    /// Receive bots from authors at the address of --serve, each with a token of its own (leyden league invite)
    #[arg(long, requires = "serve")]
    intake: bool,
    #[command(flatten)]
    watch: WatchOptions,
    #[command(flatten)]
    remote_run: RemoteRunOptions,
}

impl Shares for LeagueOptions {
    const OPTIONS: &'static [&'static str] = &["jobs"];
}

#[derive(Subcommand, Clone, Debug)]
enum LeagueCommand {
    /// Draw a token for each author of a league with --intake; each is printed once. It replaces the author's earlier token
    Invite {
        /// The results file of the league, which need not exist yet
        file: PathBuf,
        /// What their bots are called
        #[arg(value_name = "NAME", required = true)]
        names: Vec<String>,
    },
    /// List the versions of a bot, or of all: ratings with intervals, scores, pairs
    Versions {
        /// The results file of a league
        file: PathBuf,
        /// Only this bot
        bot: Option<String>,
        /// Print one JSON document (`leyden schema versions` describes it)
        #[arg(long)]
        json: bool,
    },
    /// List the ranks of the playing versions, also with copies counted once. Two bots count as copies if one has half or more of
    /// the other's source text (leyden likeness), if both were made from the same sample bot, or if both are hardly more than a
    /// starter. Copies share one rank, and weigh as one bot in the ratings of others
    Copies {
        /// The results file of a league
        file: PathBuf,
        /// Print one JSON document (`leyden schema copies` describes it)
        #[arg(long)]
        json: bool,
    },
    /// Compare two versions of a bot, by their ratings and over the opponents that both have met
    Compare {
        /// The results file of a league
        file: PathBuf,
        bot: String,
        /// The versions, such as v3 v4
        #[arg(num_args = 2, value_name = "VERSION", value_parser = number, required = true)]
        versions: Vec<u32>,
        /// Print one JSON document (`leyden schema versions-compared` describes it)
        #[arg(long)]
        json: bool,
    },
}

fn number(text: &str) -> Result<u32, String> {
    let number = text.strip_prefix('v').unwrap_or(text).parse().ok().filter(|number| *number > 0);
    number.ok_or_else(|| "expected a version such as v3".to_owned())
}

/// Plays the league, or shows its versions.
pub(crate) fn run(request: &LeagueOptions) -> Result<Code, CommandError> {
    match (&request.command, &request.folder) {
        (Some(LeagueCommand::Invite { file, names }), _) => invite(file, names),
        (Some(LeagueCommand::Versions { file, bot, json }), _) => versions(file, bot.as_deref(), *json),
        (Some(LeagueCommand::Copies { file, json }), _) => copies(file, *json),
        (Some(LeagueCommand::Compare { file, bot, versions, json }), _) => {
            let of = |number: &u32| Version { bot: bot.clone(), number: *number };
            let [one, other] = [versions.first(), versions.last()].map(|number| number.map(of));
            let (Some(one), Some(other)) = (one, other) else {
                return Err(CommandError::usage("two versions"));
            };
            compare(file, [&one, &other], *json)
        }
        (None, Some(folder)) => play(request, folder),
        (None, None) => Err(CommandError::usage("which folder?")),
    }
}

fn play(request: &LeagueOptions, folder: &Path) -> Result<Code, CommandError> {
    if !folder.is_dir() {
        return Err(CommandError::usage(format!("there is no folder {}", folder.display())));
    }
    let rules = completed(&request.rules, request.rules_file.as_deref())?;
    let stop = CancellationToken::new();
    signals::stop_on_signals(&stop)?;
    serve::try_address(&request.watch)?;
    let results = request.results.clone().unwrap_or_else(|| usual_results(folder));
    let options = options(request, &results, &stop)?;
    let venue = workers::remote_run(&request.remote_run, &options)?.as_ref().map(workers::venue);
    let (venue, refusal) = venue.map_or((None, None), |(venue, refusal)| (Some(venue), Some(refusal)));
    let mut league = League {
        folder: folder.to_owned(),
        options,
        rules: rules.hold(request.intake)?,
        until: request.time.map(|time| Instant::now() + time.duration()),
        pairs: request.pairs,
        results: results.clone(),
        intake: None,
        venue,
    };
    hide_names(&rules, &league.options, &results)?;
    if request.intake {
        league.intake = Some(Intake::open(league.disk(), &results, rules.intake_rules())?);
    }
    let command = format!("leyden league {} --results {}", quoted(folder.as_ref()), quoted(results.as_ref()));
    signals::set_exit_message(format!(
        "the matches that were stored are in {}; continue with\n  {command}",
        results.display()
    ));
    crate::out::say(format_args!(
        "watching {} · results in {} · versions in {}",
        folder.display(),
        results.display(),
        league.versions_folder().display()
    ));
    let intake = league.intake.clone();
    // Without intake, there is nothing to show before the file is there: once a version plays.
    let mut pages = match &intake {
        Some(_) => serve::pages_with_intake(&request.watch, &results, None, (false, intake)),
        None => Ok(None),
    };
    if let Err(error) = pages {
        return Err(error);
    }
    let end = league.play(&mut |event| {
        print_event(&event);
        if matches!(event, LeagueEvent::Plays(_)) && matches!(pages, Ok(None)) {
            pages = serve::pages(&request.watch, &results, None, false);
            if pages.is_err() {
                stop.cancel();
            }
        }
    });
    let end = end.map_err(|error| refusal.and_then(|refusal| refusal()).unwrap_or_else(|| error.into()))?;
    drop(pages?);
    if results.exists() {
        let standings = standings::from_results(&Results::open(&results)?, StandingsNotes::default())?;
        crate::out::print(&text::standings(&standings, StandingsNotes::default()))?;
    }
    match end {
        LeagueEnd::Over => Ok(Code::Done),
        LeagueEnd::Interrupted => {
            Err(CommandError::interrupted(format!("ended; continue with\n  {command}")))
        }
    }
}

/// Hides names before anybody can see one, if that is requested now or was before.
fn hide_names(rules: &RuleOptions, options: &Options, results: &Path) -> Result<(), CommandError> {
    let names = PublicNames::read(results).map_err(|error| CommandError::for_file(&error, &error))?;
    if names.is_none() && !rules.pseudonyms {
        return Ok(());
    }
    if options.settings.names {
        return Err(CommandError::usage(
            "--pseudonyms hides names that --names tells the bots, which their authors read: leave out one of the two",
        ));
    }
    if rules.pseudonyms {
        PublicNames::hide(results)?;
    }
    let file = PublicNames::file(results);
    crate::out::say(format_args!("names are hidden on pages by {}; remove it to show them", file.display()));
    Ok(())
}

/// Returns the typed rules, completed by those of a file.
fn completed(typed: &RuleOptions, file: Option<&Path>) -> Result<RuleOptions, CommandError> {
    let Some(path) = file else { return Ok(typed.clone()) };
    let text = config::text(path, "the rules")?;
    let below: RuleOptions = toml::from_str(&text)
        .map_err(|error| CommandError::usage(format!("{}: {}", path.display(), in_words(&text, &error))))?;
    config::overlaid(&below, typed, &[])
}

/// The options of the tournament, without bots.
fn options(
    request: &LeagueOptions,
    results: &Path,
    stop: &CancellationToken,
) -> Result<Options, CommandError> {
    let file = request.config.as_deref().map(config::read).transpose()?.unwrap_or_default();
    if !file.bots.is_empty() || !file.stage.is_empty() || !file.gauntlet.is_empty() {
        return Err(CommandError::usage(
            "a league has its bots from its folder, and a format of its own: leave bots, stage and gauntlet out of the configuration",
        ));
    }
    let jobs = request.shared.given.jobs.or(file.jobs);
    let chosen = TournamentOptions { jobs, results: None, resume: None, ..file };
    let usual = if results.exists() {
        options_to_resume(Results::open(results)?.stored_plan(), crate::program::leyden()?)
    } else {
        let stage = Stage {
            play: Play::League { batches: None },
            blocks: chosen.blocks.unwrap_or(1),
            advance: None,
            tie_breaks: Vec::new(),
        };
        let stages = StagesChoice { seeding: Seeding::List, rated: Vec::new(), stages: vec![stage] };
        Options {
            kind: RunKind::Tournament { format: FormatChoice::Stages(stages) },
            ..config::default_options()?
        }
    };
    let allow_builtins = request.allow_builtins || chosen.allow_builtins.unwrap_or(false);
    let over = chosen.over(Options { bots: Vec::new(), ..usual })?;
    let private = request.remote_run.private();
    Ok(Options { stop: stop.clone(), allow_builtins, allow_missing: false, private, ..over })
}

fn print_event(event: &LeagueEvent) {
    match event {
        LeagueEvent::Judged { entry, verdict } => {
            let lines: Vec<String> = verdict.to_string().lines().map(plain).collect();
            crate::out::say(format_args!("{} {}", plain(entry), lines.join("\n  ")));
        }
        LeagueEvent::Plays(version) => crate::out::say(format_args!("{} plays", plain(&version.to_string()))),
        LeagueEvent::Left(version) => {
            crate::out::say(format_args!("{} has left; what it played counts", plain(&version.to_string())));
        }
        LeagueEvent::Rests { bot } => {
            crate::out::say(format_args!("{} has used its time of this day (UTC) and rests", plain(bot)));
        }
        LeagueEvent::SetAside { version, failures, details } => {
            let version = plain(&version.to_string());
            let why: Vec<String> = details.to_string().lines().map(plain).collect();
            crate::out::say(format_args!(
                "{version} could not be started {failures} times in a row, and is set aside until it is handed in again: {}",
                why.join("\n  ")
            ));
        }
        LeagueEvent::Waits { bots } => {
            crate::out::say(format_args!("waiting for bots: {bots} of at least 2 are ready"));
        }
        LeagueEvent::Trouble(what) => crate::out::say(format_args!("{}; trying again", plain(what))),
    }
}

/// Prints each token, and where it is typed.
fn invite(file: &Path, names: &[String]) -> Result<Code, CommandError> {
    let tokens = Tokens::for_results(file);
    let invitations = tokens.invite(names)?;
    for Invitation { author, .. } in invitations.iter().filter(|one| one.replaces) {
        crate::out::say(format_args!("{author}: the earlier token is no longer valid"));
    }
    let line = |Invitation { author, token, .. }: &Invitation| format!("{author}\t{token}\n");
    crate::out::print(&invitations.iter().map(line).collect::<String>())?;
    crate::out::say(format_args!(
        "only hashes of them are kept, in {}: send each author this line, and where the league is; its page is ADDRESS/author#TOKEN",
        tokens.file().display()
    ));
    Ok(Code::Done)
}

fn versions(file: &Path, bot: Option<&str>, as_json: bool) -> Result<Code, CommandError> {
    let all = LeagueStanding::from_results(&Results::open(file)?)?.versions(bot);
    if let Some(bot) = bot.filter(|_| all.versions.is_empty()) {
        return Err(CommandError::usage(format!("no version of {} is in {}", plain(bot), file.display())));
    }
    if as_json {
        return crate::out::print_document(&all).map(|()| Code::Done);
    }
    crate::out::print(&grid(&columns(), &all.versions))
}

fn columns() -> [Column<'static, VersionLine>; 7] {
    let percent = |score: f64| numbers::percent(score, 1);
    [
        Column::words("version", |line: &VersionLine| plain(&line.version.to_string())),
        Column::number("rating", |line: &VersionLine| numbers::fixed(line.elo, 0)),
        Column::number("± 95 %", |line: &VersionLine| {
            line.half_width.map_or(String::new(), |half| numbers::fixed(half, 0))
        }),
        Column::share("score", move |line: &VersionLine| line.score.map_or(String::new(), percent)),
        Column::share("even", move |line: &VersionLine| percent(line.even_score)),
        Column::number("pairs", |line: &VersionLine| line.pairs.to_string()),
        Column::words("", |line: &VersionLine| if line.there { "plays" } else { "has left" }.to_owned()),
    ]
}

fn copies(file: &Path, as_json: bool) -> Result<Code, CommandError> {
    let counted = LeagueCopies::current(file, &crate::program::leyden()?)?;
    if as_json {
        return crate::out::print_document(&counted).map(|()| Code::Done);
    }
    let columns = [
        Column::number("rank", |of: &CountedVersion| of.rank.to_string()),
        Column::number("once", |of: &CountedVersion| of.once.map_or(String::new(), |rank| rank.to_string())),
        Column::words("version", |of: &CountedVersion| plain(&of.version.to_string())),
        Column::words("like", |of: &CountedVersion| {
            of.like.as_ref().map_or(String::new(), |like| plain(&like.to_string()))
        }),
    ];
    crate::out::print(&grid(&columns, &counted.versions))
}

fn p_text(p: f64) -> String {
    let value = text::p_value(p);
    if value.starts_with('<') { format!("p {value}") } else { format!("p = {value}") }
}

fn compare(file: &Path, versions: [&Version; 2], as_json: bool) -> Result<Code, CommandError> {
    let compared = LeagueStanding::from_results(&Results::open(file)?)?.compare(versions)?;
    if as_json {
        return crate::out::print_document(&compared).map(|()| Code::Done);
    }
    let [one, other] = &compared.lines;
    let verdict = match compared.p_value {
        None => "too few pairs to compare them".to_owned(),
        Some(p) if p < 0.05 => {
            let better = if one.elo > other.elo { one } else { other };
            format!("{} is the stronger one ({}, at any time)", plain(&better.version.to_string()), p_text(p))
        }
        Some(p) => format!("not decided yet ({}, at any time)", p_text(p)),
    };
    let score = |at: usize, line: &VersionLine| {
        let title = format!("{} %", plain(&line.version.to_string()));
        Column::number(title, move |of: &CommonOpponent| numbers::percent(of.scores[at], 1))
    };
    let pairs = |at: usize| Column::number("pairs", move |of: &CommonOpponent| of.pairs[at].to_string());
    let opponent = Column::words("against both", |of: &CommonOpponent| plain(&of.name));
    let columns = [opponent, score(0, one), pairs(0), score(1, other), pairs(1)];
    let text = format!(
        "{}\n{verdict}\n\n{}",
        grid(&self::columns(), &compared.lines),
        grid(&columns, &compared.common)
    );
    crate::out::print(&text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typed_rules_replace_those_of_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let at = |text: &str| {
            let path = folder.path().join("rules.toml");
            std::fs::write(&path, text).unwrap();
            path
        };
        let every = "freeze = \"2027-01-31T18:00:00Z\"\nversions-a-day = 10\ncpu-a-day = \"30m\"\nchallenges-a-day = 10\n\
                     hide-replays = true\nhide-stderr = true\npseudonyms = true\neligible = [\"ann\", \"bob\"]\ndisk = \"20GB\"\n";
        let path = at(every);
        let file = completed(&RuleOptions::default(), Some(&path)).unwrap();
        assert!(file.hide_replays && file.eligible == ["ann", "bob"] && file.challenges_a_day == Some(10));
        let rules = file.hold(false).unwrap();
        assert_eq!((rules.versions_a_day, rules.disk), (Some(10), Some(20 << 30)));
        assert!(rules.freeze.is_some() && rules.cpu_a_day.is_some());

        let typed = RuleOptions { versions_a_day: Some(3), ..RuleOptions::default() };
        let both = completed(&typed, Some(&path)).unwrap();
        assert_eq!(both, RuleOptions { versions_a_day: Some(3), ..file });
        assert_eq!(completed(&typed, None).unwrap(), typed);
        let usual = RuleOptions::default();
        assert_eq!(usual.hold(true).unwrap().versions_a_day, Some(10));
        assert_eq!(usual.hold(false).unwrap().versions_a_day, None);

        for (text, expected) in [
            ("versions-per-day = 3", "line 1: unknown field `versions-per-day`"),
            ("\nfreeze = \"tomorrow\"", "expected a time such as 2027-01-31T18:00:00Z"),
            ("disk = 5", "disk"),
        ] {
            let refusal = completed(&usual, Some(&at(text))).unwrap_err().message;
            assert!(refusal.contains("rules.toml: ") && refusal.contains(expected), "{refusal}");
        }
        let tiny = RuleOptions { disk: Some("64MB".parse().unwrap()), ..usual };
        assert!(tiny.hold(true).unwrap_err().message.contains("at least 96MB"));
    }
}
