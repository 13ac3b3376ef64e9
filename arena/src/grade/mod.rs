//! Bots graded by a rubric: what a check finds, and scores against reference bots, each with partial points, an interval, and
//! what to fix. Prints nothing, and keeps no records.

mod kept;
mod rubric;

use std::io;

use leyden_host::Temporary;
use leyden_model::TimeLimits;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::check::{self, CheckError, CheckReport, CheckRequest, FindingOutcome};
use crate::record::store::Results;
use crate::report::{BotOrder, Faults, ReportError, TournamentTally, Versus};
use crate::rerun::{BotEnvironment, NoBot, ReadyBot};
use crate::roster::{self, Competitor, Found, Missing, NotABot, SameFiles};
use crate::run::{Options, PlanError, RunKind, seed};
use crate::tournament::{OpenError, PlayError, ResultsFile, Tournament};

pub use kept::Unlike;
pub use rubric::{BadRubric, ReferenceBot, Rubric, USUAL};

/// What `leyden grade --json` prints.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "Grades")]
pub struct Grades {
    /// The version of this form: 1.
    pub v: u32,
    /// What all parts together are worth.
    pub most: f64,
    /// The text that the deals of all matches followed from. In the rubric it grades by the same deals once more.
    pub seed: String,
    /// What grades follow from besides a bot's files: a SHA-256 of the rubric, its bots, the limits and the sandbox.
    pub terms: String,
    /// In the order in which they were named; of a folder by the names of its entries.
    pub grades: Vec<Grade>,
    /// Bots that have no grade, through no fault of their own: grade them again.
    pub ungraded: Vec<Ungraded>,
    /// Bots that were handed in with the same files, or as they were given out.
    pub same_files: Vec<SameFiles>,
    /// Files of a folder of submissions that are nobody's work, each with the reason.
    pub left_out: Vec<String>,
}

/// A bot that could not be graded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Ungraded {
    pub bot: String,
    /// Where it is, as it was named or handed in.
    pub place: String,
    pub reason: String,
}

/// A bot's grade.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Grade {
    pub bot: String,
    /// Where it is, as it was named or handed in.
    pub place: String,
    pub author: Option<String>,
    pub points: f64,
    pub parts: Vec<Part>,
    /// What its files were: their SHA-256. `null` if it could not be run.
    pub files: Option<String>,
    /// For who grades: whose files the bot has, or that nobody has changed the starter.
    pub note: Option<String>,
}

/// One part of a grade.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Part {
    pub name: String,
    pub points: f64,
    pub most: f64,
    /// What 95 % of other deals would have given, where that is known.
    pub interval: Option<[f64; 2]>,
    /// What was seen, in a line.
    pub told: String,
    /// What to fix; empty if nothing is wrong.
    pub fix: Vec<String>,
}

/// Why nothing could be graded. What is wrong with a bot is in its grade.
#[derive(Debug, thiserror::Error)]
pub enum GradeError {
    #[error(transparent)]
    NotABot(#[from] NotABot),
    #[error(transparent)]
    Check(CheckError),
    /// The machine was too busy.
    #[error("{0}")]
    Overload(String),
    #[error(transparent)]
    NoBot(NoBot),
    #[error("the rubric's bot {bot} cannot be played against: {source}")]
    Reference { bot: String, source: NoBot },
    #[error("its matches could not be begun: {0}")]
    Open(#[from] OpenError),
    #[error(transparent)]
    Play(#[from] PlayError),
    #[error(transparent)]
    Report(#[from] ReportError),
    #[error("grading was cut short: not every match was played")]
    Incomplete,
    #[error("interrupted: none of {all} bots was graded, and nothing was written")]
    Interrupted { all: usize },
    #[error(transparent)]
    Unlike(#[from] Unlike),
    #[error("no folder for the records of matches: {0}")]
    Folder(#[from] io::Error),
}

/// A seed's text that nobody can guess, for a rubric.
pub fn secret_seed() -> Result<String, GradeError> {
    Ok(seed(None, None).map_err(PlanError::from).map_err(OpenError::from)?)
}

/// Who is graded now.
#[derive(Clone, Copy, Debug)]
pub struct GradingTurn<'a> {
    /// From 1.
    pub number: usize,
    pub of: usize,
    pub bot: &'a str,
}

/// What is heard while bots are graded.
#[derive(Clone, Copy, Debug)]
pub enum GradingNews<'a> {
    Begins(GradingTurn<'a>),
    /// One more has a grade: all that there are so far.
    Graded(&'a Grades),
}

/// How bots are graded.
#[derive(Clone, Debug)]
pub struct Grading {
    pub rubric: Rubric,
    pub around: BotEnvironment,
    pub limits: TimeLimits,
}

/// What gets a grade: the bots that were named or handed in, and what of it is none. Nothing of it was built or run.
#[derive(Debug)]
pub struct Candidates(Found);

impl Candidates {
    /// How many grades there will be.
    pub fn len(&self) -> usize {
        let no_bots = self.0.left_out.iter().filter(|missing| !missing.is_junk());
        self.0.bots.len() + no_bots.count()
    }

    /// Whether there is nothing to grade.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Grading {
    /// Finds what was typed; folders of submissions stand for all of their entries, also those that are no bots.
    pub fn candidates(&self, typed: &[String]) -> Result<Candidates, GradeError> {
        let found = match typed {
            [_] => roster::find(typed, &self.around.leyden),
            several => roster::find_handed_in(several, &self.around.leyden),
        };
        match found {
            // A single folder is what somebody has handed in.
            Err(NotABot::NoBots { .. } | NotABot::NoManifest { .. }) if typed.len() == 1 => {
                Ok(Candidates(roster::find_handed_in(typed, &self.around.leyden)?))
            }
            found => Ok(Candidates(found?)),
        }
    }

    /// Builds, checks and plays, and grades what came of it; but for bots that were graded before, in `kept`, by the same terms, and
    /// have not changed. Interrupted, it leaves those without a grade who have none yet.
    pub fn grade(
        &self,
        candidates: Candidates,
        kept: Option<&Grades>,
        hear: &mut dyn FnMut(GradingNews<'_>),
    ) -> Result<Grades, GradeError> {
        let Candidates(Found { bots, left_out, .. }) = candidates;
        let all = bots.len();
        let tried = self.try_references();
        if self.around.halt.is_called() {
            return Err(GradeError::Interrupted { all });
        }
        let terms = self.terms(&tried?);
        // Everybody is graded on the same deals.
        let chosen = seed(self.rubric.seed.as_deref(), kept.map(|kept| kept.seed.as_str()));
        let seed = chosen.map_err(PlanError::from).map_err(OpenError::from)?;
        kept.map_or(Ok(()), |kept| kept.have_terms(&terms, &seed))?;
        let same_files = roster::same_files(&bots);
        let against = self.rubric.against.iter().map(|against| against.points);
        let most = self.rubric.check + against.sum::<f64>();
        let (grades, ungraded, left_out_files) = (Vec::new(), Vec::new(), Vec::new());
        let mut all_grades =
            Grades { v: 1, most, seed, terms, grades, ungraded, same_files, left_out: left_out_files };
        for (number, bot) in bots.into_iter().enumerate() {
            let known = kept.and_then(|kept| kept.of(&place(&bot), &bot.hash));
            let outcome = if let Some(known) = known {
                Ok(Grade { bot: bot.name.clone(), ..known.clone() })
            } else if self.around.halt.is_called() {
                Err(GradeError::Incomplete)
            } else {
                hear(GradingNews::Begins(GradingTurn { number: number + 1, of: all, bot: &bot.name }));
                self.grade_one(&bot, &all_grades.seed)
            };
            let without = |reason| Ungraded { bot: bot.name.clone(), place: place(&bot), reason };
            match outcome {
                // What ended with everything else may say anything.
                _ if known.is_none() && self.around.halt.is_called() => {
                    all_grades.ungraded.push(without("grading was interrupted".to_owned()));
                }
                Ok(grade) => {
                    let said = |same: &SameFiles| same.said_of(bot.handed_in.as_deref()?);
                    let note = all_grades.same_files.iter().find_map(said);
                    all_grades.grades.push(Grade { note, ..grade });
                    hear(GradingNews::Graded(&all_grades));
                }
                Err(error) => all_grades.ungraded.push(without(error.to_string())),
            }
        }
        if self.around.halt.is_called() && all_grades.grades.is_empty() {
            return Err(GradeError::Interrupted { all });
        }
        let (junk, left_out): (Vec<_>, Vec<_>) = left_out.into_iter().partition(Missing::is_junk);
        all_grades.grades.extend(left_out.iter().map(|missing| self.none(missing)));
        all_grades.left_out = junk.iter().map(ToString::to_string).collect();
        Ok(all_grades)
    }

    /// Sees to it that the rubric's bots can be played against, before anybody is graded by them. Gives what their files are.
    fn try_references(&self) -> Result<Vec<String>, GradeError> {
        let tried = |ReferenceBot { bot, .. }: &ReferenceBot| {
            ReadyBot::make(bot, &self.around, &mut |_| ())
                .map(|ready| ready.bot.hash)
                .map_err(|source| GradeError::Reference { bot: bot.clone(), source })
        };
        self.rubric.against.iter().map(tried).collect()
    }

    /// The bot stays the caller's: what plays is a copy, and the folder that it was unpacked into goes with the last one who
    /// has it.
    fn grade_one(&self, bot: &Competitor, seed: &str) -> Result<Grade, GradeError> {
        let (name, author, place) = (bot.name.clone(), bot.author.clone(), place(bot));
        let none = |missing: &Missing| {
            Ok(Grade { place: place.clone(), author: author.clone(), ..self.none(missing) })
        };
        let ready = match ReadyBot::of(bot.clone(), &self.around, &mut |_| ()) {
            Ok(ready) => ready,
            Err(NoBot::Missing(missing)) => return none(&missing),
            Err(error) => return Err(GradeError::NoBot(error)),
        };
        if self.around.halt.is_called() {
            return Err(GradeError::Incomplete); // what takes a while is not begun any more
        }
        let mut parts = vec![self.check(&ready)?];
        for against in &self.rubric.against {
            match self.score(&typed(bot), against, seed) {
                // Found and built once more, it is none any more; the rubric's own bot was tried before.
                Err(GradeError::Open(OpenError::Plan(PlanError::Missing { mut missing, .. })))
                    if !missing.is_empty() =>
                {
                    return none(&missing.remove(0));
                }
                part => parts.push(part?),
            }
        }
        let points = parts.iter().map(|part| part.points).sum();
        Ok(Grade { bot: name, place, author, points, parts, files: Some(bot.hash.clone()), note: None })
    }

    /// The grade of what cannot be run.
    fn none(&self, missing: &Missing) -> Grade {
        let part = |name: &str, most, fix| Part {
            name: name.to_owned(),
            points: 0.0,
            most,
            interval: None,
            told: "it cannot be run".to_owned(),
            fix,
        };
        // What is to be mended is said once.
        let against = self.rubric.against.iter();
        let against = against.map(|against| part(&part_name(against), against.points, Vec::new()));
        let check = part(CHECK, self.rubric.check, vec![missing.to_string()]);
        let parts = std::iter::once(check).chain(against).collect();
        let name = missing.name().to_owned();
        Grade { bot: name.clone(), place: name, author: None, points: 0.0, parts, files: None, note: None }
    }

    fn check(&self, ready: &ReadyBot) -> Result<Part, GradeError> {
        let wishes =
            CheckRequest { limits: self.limits, time: None, only: None, halt: self.around.halt.clone() };
        let most = self.rubric.check;
        let part =
            |points, told, fix| Part { name: CHECK.to_owned(), points, most, interval: None, told, fix };
        let report = match check::check(ready, &wishes) {
            Ok(CheckReport { overload: Some(overload), .. }) => return Err(GradeError::Overload(overload)),
            Ok(report) => report,
            // What is wrong with the bot's own folder is its author's business.
            Err(error @ (CheckError::Case(_) | CheckError::NoTable)) => {
                return Ok(part(0.0, "nothing could be checked".to_owned(), vec![error.to_string()]));
            }
            Err(error) => return Err(GradeError::Check(error)),
        };
        // What was not looked at, because of what failed before it, is not known to be right.
        let good = report
            .findings
            .iter()
            .filter(|finding| matches!(finding.outcome, FindingOutcome::Passed | FindingOutcome::Noted));
        let (good, all) = (good.count(), report.findings.len());
        let share = good as f64 / all.max(1) as f64;
        let failures = report.findings.iter().filter_map(|finding| {
            let failure = finding.failure.as_ref()?;
            let more = match failure.again {
                0 => String::new(),
                again => format!("\nand {again} more of the same"),
            };
            Some(format!("{}: {}{more}", finding.name, failure.message))
        });
        let skipped = report.findings.iter().filter(|finding| finding.outcome == FindingOutcome::Skipped);
        let skipped: Vec<&str> = skipped.map(|finding| finding.name.as_str()).collect();
        let not_tried = match skipped.len() {
            0 => String::new(),
            count => format!("; {count} not tried: {}", skipped.join(", ")),
        };
        let told = format!("{good} of {all} findings are good{not_tried}");
        Ok(part(most * share, told, failures.collect()))
    }

    /// Plays what a score follows from; but for who loses the first matches by faults, all of them: more would say nothing else, and
    /// take a while where a bot hangs.
    fn score(&self, typed: &str, against: &ReferenceBot, seed: &str) -> Result<Part, GradeError> {
        if against.blocks > FIRST_BLOCKS {
            let few = ReferenceBot { blocks: FIRST_BLOCKS, ..against.clone() };
            if let (part, true) = self.play(typed, &few, seed)? {
                let told = format!("{}; as all of these were lost by faults, no more were played", part.told);
                return Ok(Part { told, ..part });
            }
        }
        self.play(typed, against, seed).map(|(part, _)| part)
    }

    /// Plays, and says besides whether the bot lost each match by a fault.
    fn play(&self, typed: &str, against: &ReferenceBot, seed: &str) -> Result<(Part, bool), GradeError> {
        let folder = Temporary::private()?;
        let path = folder.path().join("grade.db");
        let options = Options {
            kind: RunKind::Match,
            rules: self.rubric.rules,
            blocks: against.blocks,
            called: SIDES.map(str::to_owned).to_vec(),
            seed: Some(seed.to_owned()),
            limits: self.limits,
            sandbox: self.around.sandbox,
            sandbox_limits: self.around.limits,
            allow_read: self.around.allow_read.clone(),
            build_limits: self.around.build_limits,
            no_build: self.around.no_build,
            halt: self.around.halt.clone(),
            ..Options::new(self.around.leyden.clone(), [typed, &against.bot])
        };
        Tournament::open(&options, &ResultsFile::New(path.clone()), &mut |_| ())?.play()?;
        let results = Results::open(&path).map_err(ReportError::from)?;
        let gathered = TournamentTally::of(&results, BotOrder::AsTyped)?;
        let versus = Versus::of(&gathered);
        let estimate =
            versus.as_ref().and_then(|versus| versus.estimate.as_ref()).ok_or(GradeError::Incomplete)?;
        let faults = Faults::of(&results).map_err(ReportError::from)?;
        let name = &gathered.names[0];
        let fix = faults.iter().filter(|(bot, _, _)| bot == name).filter_map(|(_, code, kind)| {
            let (_, first) = kind.first.first_key_value()?;
            let lost = match kind.count {
                1 => "1 match was".to_owned(),
                count => format!("{count} matches were"),
            };
            let see = format!("leyden match {typed} {} --blocks {}", against.bot, against.blocks);
            Some(format!(
                "{lost} lost by {code}; the first one: {}\nto see such matches: {see}",
                first.message
            ))
        });
        let faulted = faults.iter().filter(|(bot, _, _)| bot == name).map(|(_, _, kind)| kind.count);
        let is_hopeless = faulted.sum::<u64>() == estimate.matches;
        let interval = estimate.score_interval.map(|score| [score.low, score.high]);
        let between = interval.map_or_else(String::new, |[low, high]| {
            format!(" (95 %: {:.1} to {:.1})", 100.0 * low, 100.0 * high)
        });
        let part = Part {
            name: part_name(against),
            points: against.points_of(estimate.score),
            most: against.points,
            interval: interval.map(|ends| ends.map(|score| against.points_of(score))),
            told: format!(
                "scores {:.1} %{between} in {} matches; all points from {:.0} % on",
                100.0 * estimate.score,
                estimate.matches,
                100.0 * against.full_at
            ),
            fix: fix.collect(),
        };
        Ok((part, is_hopeless))
    }
}

/// So many blocks show whether a bot can play at all.
const FIRST_BLOCKS: u32 = 2;

/// What every bot and whom it is graded by are called in their matches, so that all get the same deals: deals follow from names,
/// and one that has the name of a reference bot would change that one's, too.
const SIDES: [&str; 2] = ["candidate", "reference"];

/// What the part is called that a check decides.
const CHECK: &str = "check";

fn part_name(against: &ReferenceBot) -> String {
    format!("against {}", against.bot.trim_start_matches("builtin:"))
}

fn place(bot: &Competitor) -> String {
    bot.handed_in.clone().unwrap_or_else(|| bot.words.join(" "))
}

/// The bot as somebody would type it to play with it.
fn typed(bot: &Competitor) -> String {
    match (&bot.command.folder, &bot.words[..]) {
        (Some(folder), _) => folder.display().to_string(),
        (None, [one]) => one.clone(),
        (None, words) => shlex::try_join(words.iter().map(String::as_str)).unwrap_or_default(),
    }
}

impl GradeError {
    /// Whether a bot that was named is to blame, and not what is around it.
    pub fn is_missing(&self) -> bool {
        match self {
            Self::NotABot(_) => true,
            Self::Reference { source, .. } => matches!(source, NoBot::NotABot(_) | NoBot::Missing(_)),
            _ => false,
        }
    }
}
