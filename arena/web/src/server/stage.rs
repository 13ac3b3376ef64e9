//! The stage of an event on the server: who may command it, where it is kept, and what is sent to its audience.

use std::convert::Infallible;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use leyden_arena::analyse::{AnalysedMatch, analyse_all, kept_analysis};
use leyden_arena::record::store::Results;
use leyden_arena::report::ReportError;
use leyden_arena::rerun::RecordedMatch;
use leyden_language::{Language, PerLanguage};
use leyden_model::{MatchKey, MatchRecord};
use leyden_rules::packed::is_packable;

use super::access;
use super::feed::{Feed, FeedMessage};
use super::view::LiveView;
use crate::snapshot::RevealedMatches;
use crate::stage::{
    ControlPage, ControlRequest, ListedMatch, OpenMatch, Programme, Shown, Stage, StageCommand, StageFile,
    StageFileError, StageOrder, StageOrderError, StageScene, StagedKey, StagedMatch, StagedRound, scene,
};

/// How often the stage looks whether the next moment is due.
const EVERY: Duration = Duration::from_millis(100);

/// The only table of the stage's feed.
const STAGE: usize = 0;

/// The stage of an event.
#[derive(Clone)]
pub(super) struct StageHost(Arc<Inner>);

struct Inner {
    results: PathBuf,
    file: StageFile,
    token: String,
    /// What is sent to those who see the stage in each language.
    feeds: PerLanguage<Feed>,
    /// The language of everybody; `None` if each viewer chooses.
    language: Option<Language>,
    hosted: Mutex<HostedStage>,
}

struct HostedStage {
    stage: Stage,
    open: Option<OpenMatch>,
    scenes: PerLanguage<StageScene>,
    /// The snapshot from which the scenes were made.
    view: Option<Arc<LiveView>>,
    has_changed: bool,
    trouble: Option<String>,
}

/// Why a request of the organiser's page was refused.
#[derive(Debug, thiserror::Error)]
pub(super) enum ControlError {
    #[error("this is not the token that leyden printed")]
    Token,
    #[error(transparent)]
    Order(#[from] StageOrderError),
    #[error(transparent)]
    Report(#[from] ReportError),
}

impl StageHost {
    /// Opens the stage of a results file.
    pub(super) fn open(
        results: PathBuf,
        tournament: String,
        language: Option<Language>,
    ) -> Result<Self, StageFileError> {
        let file = StageFile::for_results(&results, tournament);
        let stage = file.open()?;
        let token = access::new_secret().map_err(StageFileError::Token)?;
        let (open, scenes, view) = Default::default();
        let hosted = HostedStage { stage, open, scenes, view, has_changed: true, trouble: None };
        let (hosted, feeds) = (Mutex::new(hosted), PerLanguage::new(|_| Feed::new()));
        Ok(Self(Arc::new(Inner { results, file, token, feeds, language, hosted })))
    }

    fn hosted(&self) -> MutexGuard<'_, HostedStage> {
        self.0.hosted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The secret without which nothing is commanded.
    pub(super) fn token(&self) -> &str {
        &self.0.token
    }

    pub(super) fn feed(&self, language: Language) -> &Feed {
        &self.0.feeds[language]
    }

    pub(super) fn revealed(&self) -> RevealedMatches {
        self.hosted().stage.revealed.clone()
    }

    pub(super) fn scene(&self, language: Language) -> StageScene {
        self.hosted().scenes[language].clone()
    }

    /// Shows what is due until the server ends. `view` is the latest snapshot.
    pub(super) async fn play(self, view: impl Fn() -> Option<Arc<LiveView>>) -> Infallible {
        loop {
            let (host, view) = (self.clone(), view());
            // It may read the results file.
            let _ = tokio::task::spawn_blocking(move || host.step(view, now_ms())).await;
            tokio::time::sleep(EVERY).await;
        }
    }

    /// Shows what is due at this time.
    fn step(&self, view: Option<Arc<LiveView>>, now_ms: u64) {
        let mut hosted = self.hosted();
        if hosted.stage.tick(now_ms) {
            self.keep(&mut hosted);
        }
        let is_same = hosted.view.as_ref().map(Arc::as_ptr) == view.as_ref().map(Arc::as_ptr);
        let runs = matches!(hosted.stage.shown, Shown::Countdown { .. });
        if hosted.has_changed || runs || !is_same {
            (hosted.view, hosted.has_changed) = (view, false);
            self.show(&mut hosted, now_ms);
        }
    }

    /// Stores the stage; from then on it has changed.
    fn keep(&self, hosted: &mut HostedStage) {
        hosted.has_changed = true;
        hosted.trouble = self.0.file.keep(&hosted.stage).err().map(|error| error.to_string());
    }

    fn show(&self, hosted: &mut HostedStage, now_ms: u64) {
        self.open_match(hosted);
        let snapshot = hosted.view.as_ref().map(|view| &view.snapshot);
        let scenes = PerLanguage::new(|language| {
            if self.0.language.is_some_and(|only| only != language) {
                return StageScene::default();
            }
            scene(&hosted.stage, hosted.open.as_ref(), snapshot, now_ms, language)
        });
        for language in
            Language::ALL.into_iter().filter(|&language| scenes[language] != hosted.scenes[language])
        {
            let message = FeedMessage::new("stage", &scenes[language]);
            self.0.feeds[language].publish_table(STAGE, message.clone(), message);
        }
        hosted.scenes = scenes;
    }

    /// Opens the match that is shown, unless it is open.
    fn open_match(&self, hosted: &mut HostedStage) {
        let Shown::Match(shown) = &hosted.stage.shown else {
            hosted.open = None;
            return;
        };
        let key = shown.of.key;
        if hosted.open.as_ref().is_some_and(|open| open.staged.key == key) {
            return;
        }
        hosted.open = match self.read_match(key, &hosted.stage.revealed) {
            Ok(open) => open,
            Err(error) => {
                hosted.trouble = Some(error.to_string());
                None
            }
        };
        if let Some(open) = hosted.open.as_ref().filter(|open| open.staged.analysed.is_none()) {
            self.analyse(key, open.staged.record.clone());
        }
    }

    fn read_match(
        &self,
        key: MatchKey,
        revealed: &RevealedMatches,
    ) -> Result<Option<OpenMatch>, ReportError> {
        let (caption, record, better) = Results::inspect(&self.0.results, |results| {
            let rounds = StagedRound::all(results)?;
            let round = rounds.into_iter().find(|round| round.blocks.contains(&key.block));
            let programme = round.map(|round| Programme::read(results, round)).transpose()?;
            let caption = PerLanguage::new(|language| {
                let caption = |programme: &Programme| programme.caption(&key, revealed, language);
                programme.as_ref().map_or_else(String::new, caption)
            });
            Ok::<_, ReportError>((caption, results.record(&key)?, results.better()))
        })??;
        let Some(record) = record else { return Ok(None) };
        let analysed = kept_analysis(&self.0.results, &record);
        let staged = StagedMatch::new(key, record, analysed).ok();
        Ok(staged.map(|staged| OpenMatch { staged, caption, better }))
    }

    /// Computes the chances to win on a thread of its own, where that takes seconds.
    fn analyse(&self, key: MatchKey, record: MatchRecord) {
        if !record.rules.rules().is_ok_and(|rules| is_packable(&rules)) {
            return;
        }
        let host = self.clone();
        let work = move || {
            let analysed = analyse_all(&[RecordedMatch::new(record, None)], 1, None, &|_| {});
            host.take_analysis(key, analysed.ok().and_then(|mut all| all.pop()));
        };
        let started = std::thread::Builder::new().name("stage-analyse".to_owned()).spawn(work);
        if let Err(error) = started {
            tracing::warn!("no chances to win are computed: {error}");
        }
    }

    fn take_analysis(&self, key: MatchKey, analysed: Option<AnalysedMatch>) {
        let mut hosted = self.hosted();
        if let Some(open) = hosted.open.as_mut().filter(|open| open.staged.key == key) {
            open.staged.analysed = analysed;
            hosted.has_changed = true;
        }
    }

    /// Obeys a request of the organiser's page, and returns the page's buttons.
    pub(super) fn control(
        &self,
        request: &ControlRequest,
        view: Option<Arc<LiveView>>,
        language: Language,
    ) -> Result<String, ControlError> {
        if !access::is_same(&request.token, &self.0.token) {
            return Err(ControlError::Token);
        }
        let results = &self.0.results;
        let (rounds, programme) = Results::inspect(results, |results| {
            let rounds = StagedRound::all(results)?;
            let from = request.listed.unwrap_or_else(|| self.hosted().stage.revealed.blocks);
            let round = self.listed(&rounds, from);
            let programme = round.map(|round| Programme::read(results, round)).transpose()?;
            Ok::<_, ReportError>((rounds, programme))
        })
        .map_err(ReportError::from)??;
        let is_over = view.as_ref().is_some_and(|view| view.snapshot.progress.is_over);
        let order = self.order(&request.command, &rounds, programme.as_ref(), is_over)?;
        let mut hosted = self.hosted();
        if let Some(order) = order {
            hosted.stage.obey(order, now_ms())?;
            self.keep(&mut hosted);
            hosted.view = view;
            self.show(&mut hosted, now_ms());
        }
        let names = hosted.open.as_ref().map_or_else(Vec::new, OpenMatch::names);
        let (stage, trouble) = (&hosted.stage, hosted.trouble.as_deref());
        let page = ControlPage {
            stage,
            names,
            rounds: &rounds,
            programme: programme.as_ref(),
            is_over,
            language,
            trouble,
        };
        Ok(page.desk().into_string())
    }

    /// The round that is listed: the one with this block, or the next one; never one behind that, whose bots may follow from it.
    fn listed(&self, rounds: &[StagedRound], from: u32) -> Option<StagedRound> {
        let last = self.hosted().stage.revealed.blocks;
        let at = |block: u32| rounds.iter().find(|round| round.blocks.contains(&block));
        at(from.min(last)).or_else(|| rounds.last()).cloned()
    }

    /// Returns what a command orders; `None` if nothing.
    fn order(
        &self,
        command: &StageCommand,
        rounds: &[StagedRound],
        programme: Option<&Programme>,
        is_over: bool,
    ) -> Result<Option<StageOrder>, ControlError> {
        let next = || {
            let last = self.hosted().stage.revealed.blocks;
            rounds.iter().find(|round| round.blocks.start >= last)
        };
        let found = |id: &str| programme.and_then(|programme| programme.find(id));
        let one = |listed: Option<&ListedMatch>| self.staged(listed);
        Ok(Some(match command {
            StageCommand::Look => return Ok(None),
            StageCommand::Title => StageOrder::Title,
            StageCommand::Standings => StageOrder::Standings,
            StageCommand::Winner => StageOrder::Winner { is_over },
            StageCommand::Match { id } => StageOrder::Matches(one(found(id))?),
            StageCommand::Closest => StageOrder::Matches(one(programme.and_then(Programme::closest))?),
            StageCommand::Latest => StageOrder::Matches(one(programme.and_then(Programme::latest))?),
            StageCommand::Meeting { id } => {
                let first = found(id).ok_or(StageOrderError::NotFound)?.seen.key;
                let meeting = programme.into_iter().flat_map(|programme| programme.meeting(&first));
                StageOrder::Matches(self.staged(meeting.filter(|listed| listed.seen.key >= first))?)
            }
            StageCommand::Moment { at } => StageOrder::Moment(*at),
            StageCommand::Play => StageOrder::Play,
            StageCommand::Pause => StageOrder::Pause,
            StageCommand::Pace { ms } => StageOrder::Pace(*ms),
            StageCommand::View { seat } => StageOrder::View(*seat),
            StageCommand::Countdown { seconds } => {
                StageOrder::Countdown { seconds: *seconds, round: next().map(|round| round.name) }
            }
            StageCommand::Reveal { block } => {
                let round = rounds.iter().find(|round| round.blocks.start == *block);
                let round = round.ok_or(StageOrderError::OutOfOrder)?.clone();
                let is_played = Results::inspect(&self.0.results, |results| {
                    Programme::read(results, round.clone()).map(|programme| programme.is_played)
                })
                .map_err(ReportError::from)??;
                StageOrder::Reveal { round: round.blocks, is_played }
            }
        }))
    }

    /// Returns these matches with their moments.
    fn staged<'a>(
        &self,
        matches: impl IntoIterator<Item = &'a ListedMatch>,
    ) -> Result<Vec<StagedKey>, ReportError> {
        let keys: Vec<MatchKey> = matches.into_iter().map(|listed| listed.seen.key).collect();
        let staged = Results::inspect(&self.0.results, |results| {
            let record = |key: &MatchKey| Ok(results.record(key)?.map(|record| (*key, record)));
            keys.iter().map(record).collect::<Result<Vec<_>, ReportError>>()
        })??;
        let staged = staged.into_iter().flatten();
        Ok(staged
            .filter_map(|(key, record)| Some(StagedMatch::new(key, record, None).ok()?.staged()))
            .collect())
    }
}

fn now_ms() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64)
}
