//! Finds, checks and plays bots, and grades them.

use std::path::Path;
use std::time::{Duration, Instant};

use super::error::GradeError;
use super::grades::{Grade, GradePart, Grades, UngradedBot, in_tenths};
use super::matches::Candidate;
use super::part_result::PartResult;
use super::rubric::{ReferenceBot, Rubric};
use super::terms::GradingOptions;
use crate::check::{self, CheckError, CheckReport, CheckRequest, FindingOutcome};
use crate::likeness;
use crate::rerun::{ReadyBot, ReadyBotError};
use crate::roster::{self, BotLookupError, Competitor, FoundBots, SameFiles, UnusableBotError};
use crate::run::{PlanError, seed};
use crate::tournament::OpenError;
use leyden_stats::PointChances;

/// The bot that is being graded.
#[derive(Clone, Copy, Debug)]
pub struct GradingTurn<'a> {
    /// Its number, from 1.
    pub number: usize,
    /// How many bots are graded.
    pub of: usize,
    pub bot: &'a str,
}

/// What is reported while bots are graded.
#[derive(Clone, Copy, Debug)]
pub enum GradingNews<'a> {
    Begins(GradingTurn<'a>),
    /// One more bot has its grade; these are all grades so far.
    Graded(&'a Grades),
}

/// What gets a grade: the bots that were named or handed in, and the entries that are not bots. Nothing has been built or
/// run.
#[derive(Debug)]
pub struct Candidates(FoundBots);

impl Candidates {
    /// The number of grades there will be.
    pub fn count(&self) -> usize {
        let no_bots = self.0.left_out.iter().filter(|missing| !missing.is_junk());
        self.0.bots.len() + no_bots.count()
    }
}

impl GradingOptions {
    /// Finds the named bots; a folder of submissions stands for all of its entries, including those that are not bots.
    pub fn candidates(&self, typed: &[String]) -> Result<Candidates, GradeError> {
        let leyden = &self.around.leyden;
        let found = match typed {
            [folder] if Path::new(folder).is_dir() => match roster::find(typed, leyden) {
                // A folder without a bot is a folder of submissions.
                Err(BotLookupError::NoBots { .. } | BotLookupError::Content { .. }) => {
                    roster::find_handed_in(typed, leyden)
                }
                found => found,
            },
            [_] => roster::find(typed, leyden),
            several => roster::find_handed_in(several, leyden),
        };
        Ok(self.admitted(found?))
    }

    /// Leaves out what is no work of its author.
    fn admitted(&self, mut found: FoundBots) -> Candidates {
        if !self.allow_builtins {
            found.refuse_builtins(&self.around.leyden);
        }
        Candidates(found)
    }

    /// Finds what one person has handed in, which always gets exactly one grade.
    pub fn submission(&self, typed: &str) -> Result<Candidates, GradeError> {
        Ok(self.admitted(roster::find_submission(typed, &self.around.leyden)?))
    }

    /// Builds, checks, plays and grades the candidates. A bot keeps its grade from `kept` if that was given by the same terms
    /// and its files are unchanged. If interrupted, the bots that are not graded yet are left without a grade.
    ///
    /// ```no_run
    /// use leyden_arena::grade::{GradingOptions, Rubric, USUAL};
    /// use leyden_arena::rerun::BotEnvironment;
    /// use leyden_model::TimeLimits;
    ///
    /// # fn example(around: BotEnvironment) -> Result<(), Box<dyn std::error::Error>> {
    /// let (rubric, limits) = (Rubric::read(USUAL)?, TimeLimits::default());
    /// let options = GradingOptions { rubric, around, limits, keep: None, allow_builtins: false };
    /// let candidates = options.candidates(&["submissions".to_owned()])?;
    /// for grade in options.grade(candidates, None, &mut |_| ())?.grades {
    ///     println!("{} {}", grade.bot, grade.points);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn grade(
        &self,
        candidates: Candidates,
        kept: Option<&Grades>,
        hear: &mut dyn FnMut(GradingNews<'_>),
    ) -> Result<Grades, GradeError> {
        let Candidates(FoundBots { bots, left_out, .. }) = candidates;
        let all = bots.len();
        let tried = self.try_references();
        if self.around.stop.is_cancelled() {
            return Err(GradeError::Interrupted);
        }
        let terms = self.terms(&tried?);
        // All bots are graded on the same deals.
        let chosen = seed(self.rubric.seed.as_deref(), kept.map(|kept| kept.seed.as_str()));
        let seed = chosen.map_err(PlanError::from).map_err(OpenError::from)?;
        kept.map_or(Ok(()), |kept| kept.have_terms(&terms, &seed))?;
        let same_files = roster::same_files(&bots);
        let against = self.rubric.against.iter().map(|against| against.points);
        let most = self.rubric.check + against.sum::<f64>();
        let rubric = Some(Rubric { seed: None, ..self.rubric.clone() });
        let (grades, ungraded, left_out_files) = (Vec::new(), Vec::new(), Vec::new());
        let mut all_grades = Grades {
            v: 1,
            most,
            seed,
            terms,
            rubric,
            grades,
            ungraded,
            same_files,
            left_out: left_out_files,
        };
        for (number, bot) in bots.into_iter().enumerate() {
            let known = kept.and_then(|kept| kept.of(&path_of(&bot), &bot.hash));
            let outcome = if let Some(known) = known {
                Ok(Grade { bot: bot.name.clone(), ..known.clone() })
            } else if self.around.stop.is_cancelled() {
                Err(GradeError::Incomplete)
            } else {
                hear(GradingNews::Begins(GradingTurn { number: number + 1, of: all, bot: &bot.name }));
                self.grade_one(&bot, number + 1, &all_grades.seed)
            };
            let without = |reason| UngradedBot { bot: bot.name.clone(), path: path_of(&bot), reason };
            match outcome {
                // What ended because of the stop may report any outcome.
                _ if known.is_none() && self.around.stop.is_cancelled() => {
                    all_grades.ungraded.push(without("grading was interrupted".to_owned()));
                }
                Ok(grade) => {
                    let said = |same: &SameFiles| same.description(bot.handed_in.as_deref()?);
                    let note =
                        all_grades.same_files.iter().find_map(said).or_else(|| likeness::sample_note(&bot));
                    let pseudonym = self.rubric.pseudonyms.find(&grade.bot, Some(&grade.path));
                    let pseudonym = pseudonym.map(str::to_owned);
                    all_grades.grades.push(Grade { pseudonym, note, ..grade });
                    hear(GradingNews::Graded(&all_grades));
                }
                Err(error) => all_grades.ungraded.push(without(error.to_string())),
            }
        }
        if self.around.stop.is_cancelled() && all_grades.grades.is_empty() {
            return Err(GradeError::Interrupted);
        }
        let (junk, left_out): (Vec<_>, Vec<_>) = left_out.into_iter().partition(UnusableBotError::is_junk);
        for missing in left_out {
            if missing.may_be_sound() {
                let (bot, path) = (name_of(&missing), missing.name().to_owned());
                all_grades.ungraded.push(UngradedBot { bot, path, reason: missing.reason() });
            } else {
                all_grades.grades.push(self.none(&missing));
            }
        }
        all_grades.left_out = junk.iter().map(ToString::to_string).collect();
        Ok(all_grades)
    }

    /// Checks that the rubric's bots can be played against, before any bot is graded. Returns the hashes of their files.
    fn try_references(&self) -> Result<Vec<String>, GradeError> {
        let tried = |ReferenceBot { bot, .. }: &ReferenceBot| {
            ReadyBot::make(bot, &self.around, &mut |_| ())
                .map(|ready| ready.bot.hash)
                .map_err(|source| GradeError::Reference { bot: bot.clone(), source })
        };
        self.rubric.against.iter().map(tried).collect()
    }

    /// Grades a copy of the bot, which stays the caller's. The folder it was unpacked into is removed when the last copy is
    /// dropped.
    fn grade_one(&self, bot: &Competitor, turn: usize, seed: &str) -> Result<Grade, GradeError> {
        let (name, author, path) = (bot.name.clone(), bot.author.clone(), path_of(bot));
        let none = |missing: &UnusableBotError| {
            Ok(Grade { path: path.clone(), author: author.clone(), ..self.none(missing) })
        };
        let ready = match ReadyBot::new(bot.clone(), &self.around, &mut |_| ()) {
            Ok(ready) => ready,
            Err(ReadyBotError::Missing(missing)) if !missing.may_be_sound() => return none(&missing),
            Err(error) => return Err(GradeError::NoBot(error)),
        };
        if self.around.stop.is_cancelled() {
            return Err(GradeError::Incomplete); // start nothing slow any more
        }
        let mut kept = Vec::new();
        let mut left = self.rubric.time();
        let begun = Instant::now();
        let mut parts = vec![self.check(&ready, left / 2)?];
        left = left.saturating_sub(begun.elapsed());
        // What a check finds does not depend on the seed.
        let mut chances = Some(PointChances::certain(parts[0].points));
        for number in 0..self.rubric.against.len() {
            let begun = Instant::now();
            let share = left / (self.rubric.against.len() - number) as u32;
            let candidate = Candidate { bot, turn, seed, until: begun + share };
            let part = candidate.play(number, self);
            kept.extend(candidate.kept(number, self));
            left = left.saturating_sub(begun.elapsed());
            match part {
                // It was found and built a second time, and failed. The rubric's own bot was tried before.
                Err(GradeError::Open(OpenError::Plan(PlanError::Missing { mut missing, .. })))
                    if missing.first().is_some_and(|missing| !missing.may_be_sound()) =>
                {
                    return none(&missing.remove(0));
                }
                part => {
                    let (part, of_part) = part?;
                    chances = chances.zip(of_part).map(|(all, of_part)| all.plus(&of_part));
                    parts.push(part);
                }
            }
        }
        let files = Some(bot.hash.clone());
        Ok(Grade { path, author, files, kept, ..self.sum(name, parts, chances.as_ref()) })
    }

    /// The grade for these parts. `chances` are those of their sum.
    fn sum(&self, bot: String, mut parts: Vec<GradePart>, chances: Option<&PointChances>) -> Grade {
        let points = in_tenths(&mut parts);
        let grade = self.rubric.grade_of(points);
        let other_grade = chances.filter(|_| !self.rubric.grades.is_empty()).map(|chances| {
            let lowest = self.rubric.grades.last().map(|lowest| lowest.from);
            let (from, below) = grade.map_or((0.0, lowest), |(grade, better)| (grade.from, better));
            chances.outside(from, below)
        });
        Grade {
            bot,
            path: String::new(),
            author: None,
            points,
            pseudonym: None,
            grade: grade.map(|(grade, _)| grade.name.clone()),
            interval: chances.map(PointChances::interval),
            other_grade,
            parts,
            files: None,
            note: None,
            kept: Vec::new(),
        }
    }

    /// The grade of a bot that cannot be run.
    fn none(&self, missing: &UnusableBotError) -> Grade {
        let part = |against: Option<&ReferenceBot>, most, fix| GradePart {
            name: against.map_or_else(|| CHECK.to_owned(), ReferenceBot::part_name),
            against: against.map(|against| against.name().to_owned()),
            points: 0.0,
            most,
            interval: None,
            differs: None,
            seen: PartResult::CannotRun,
            fix,
            see: None,
        };
        // What to fix is stated once.
        let against = self.rubric.against.iter();
        let against = against.map(|against| part(Some(against), against.points, Vec::new()));
        let check = part(None, self.rubric.check, vec![missing.reason()]);
        let parts: Vec<GradePart> = std::iter::once(check).chain(against).collect();
        Grade { path: missing.name().to_owned(), ..self.sum(name_of(missing), parts, None) }
    }

    /// Checks a bot for at most about this time. The cases in its folder are its author's, and count for nothing.
    fn check(&self, ready: &ReadyBot, time: Duration) -> Result<GradePart, GradeError> {
        let request = CheckRequest {
            limits: self.limits,
            time: Some(time),
            only: None,
            own_cases: false,
            stop: self.around.stop.clone(),
        };
        let most = self.rubric.check;
        let part = |points, seen, fix| {
            let (name, against, interval, differs) = (CHECK.to_owned(), None, None, None);
            GradePart { name, points, most, interval, differs, against, seen, fix, see: None }
        };
        let report = match check::check(ready, &request) {
            Ok(CheckReport { overload: Some(overload), .. }) => return Err(GradeError::Overload(overload)),
            Ok(report) => report,
            // Problems in the bot's own folder are the author's to fix.
            Err(error @ (CheckError::Case(_) | CheckError::NoTable)) => {
                return Ok(part(0.0, PartResult::NothingChecked, vec![error.to_string()]));
            }
            Err(error) => return Err(GradeError::Check(error)),
        };
        // Findings that were skipped because of earlier failures do not count as good.
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
            Some(format!("{}: {}{more}", finding.name, failure.details))
        });
        let skipped = report.findings.iter().filter(|finding| finding.outcome == FindingOutcome::Skipped);
        let seen = PartResult::Checked {
            good,
            all,
            not_tried: skipped.map(|finding| finding.name.clone()).collect(),
        };
        Ok(part(most * share, seen, failures.collect()))
    }
}

/// The name of the part that a check decides.
const CHECK: &str = "check";

/// What an entry without a bot is called: the last part of its path.
fn name_of(missing: &UnusableBotError) -> String {
    let path = Path::new(missing.name());
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// Where a bot is, as it was named or handed in.
fn path_of(bot: &Competitor) -> String {
    bot.handed_in.clone().unwrap_or_else(|| bot.words.join(" "))
}
