//! Whole rounds for a page: a first round in which somebody goes out, and a later one that is blocked. They are not hard-coded: many
//! deals are played, and the most instructive ones are shown.

use leyden_arena::narrate::Narrator;
use leyden_language::{Language, text::rules as text};
use leyden_model::TournamentSeed;
use leyden_protocol::{Action, End, HistoryAction, Lay, LeadRule, PerSeat, Pip, Seat, TileSet};
use leyden_rules::{DealNumber, LegalActions, RoundOutcome, Rules};

use super::lesson::Lesson;
use super::page::drawn;
use super::played_round::{PlayedRound, PlayedTurn};
use super::scene::SceneError;
use super::turns;

/// How many deals are played to find one to show.
const DEALS: u32 = 300;

/// The same for a round that is blocked, which is rarer.
const LATER_DEALS: u32 = 6_000;

/// From how many blocked rounds the shortest is shown.
const BLOCKED: usize = 40;

/// The middle of a longer round is left out.
const FIRST: usize = 12;
const LAST: usize = 4;

/// A round that was played to its end.
pub(super) struct Example {
    dealt: PerSeat<TileSet>,
    pub(super) played: PlayedRound,
    pub(super) outcome: RoundOutcome,
}

impl Example {
    /// Returns the shortest of the most instructive rounds.
    pub(super) fn for_rules(rules: &Rules) -> Result<Self, SceneError> {
        let found = deals(rules, "an example", DEALS, rules.leads.first).map(Self::played_out);
        let rank = |example: &Self| (Self::LESSONS - example.lessons(), example.played.turns.len());
        found.collect::<Result<Vec<_>, _>>()?.into_iter().min_by_key(rank).ok_or(SceneError::NoDouble)
    }

    /// Returns a short later round that is blocked and has a winner. Where the loser leads, seat 0 has lost the round before,
    /// refuses to lead, and seat 1 leads.
    pub(super) fn blocked(rules: &Rules) -> Result<Self, SceneError> {
        let mut found: Vec<Self> = Vec::new();
        for mut played in deals(rules, "a blocked example", LATER_DEALS, rules.leads.later) {
            if rules.leads.later == LeadRule::Loser {
                played.act(Action::Refuse)?;
                if !LegalActions::iter(&played.round.legal()).any(|action| matches!(action, Action::Lead(_)))
                {
                    continue;
                }
            }
            let example = Self::played_out(played)?;
            found.extend(
                matches!(example.outcome, RoundOutcome::Blocked { winner: Some(_) }).then_some(example),
            );
            if found.len() == BLOCKED {
                break;
            }
        }
        found.into_iter().min_by_key(|example| example.played.turns.len()).ok_or(SceneError::Unfinished)
    }

    /// Plays a round to its end. Nobody has laid or drawn a tile yet.
    fn played_out(mut played: PlayedRound) -> Result<Self, SceneError> {
        let (rules, dealt) = (*played.round.rules(), *played.round.hands());
        while let Some(action) =
            LegalActions::iter(&played.round.legal()).max_by_key(|&action| liking(&rules, action))
        {
            played.act(action)?;
        }
        let outcome = played.round.outcome().ok_or(SceneError::Unfinished)?;
        Ok(Self { dealt, played, outcome })
    }

    pub(super) const LESSONS: usize = 5;

    /// Returns how much can be learnt from what is shown of it.
    pub(super) fn lessons(&self) -> usize {
        let set = self.played.round.rules().set;
        let across = |turn: &PlayedTurn| matches!(turn.entry.event, HistoryAction::Play(_, Lay::Across(_)));
        let matador =
            |turn: &PlayedTurn| Action::from(turn.entry.event).tile().is_some_and(|tile| tile.is_wild(set));
        let shows = |what: &dyn Fn(&PlayedTurn) -> bool| self.shown().any(what);
        [
            matches!(self.outcome, RoundOutcome::Dominoed { .. }),
            shows(&across),
            shows(&|turn| matches!(turn.met, Some(End::Across(_))) && !matador(turn)),
            shows(&|turn| turn.met == Some(End::Pip(Pip::BLANK))),
            shows(&|turn| matches!(turn.entry.event, HistoryAction::Draw(_))),
        ]
        .into_iter()
        .filter(|&shown| shown)
        .count()
    }

    fn shown(&self) -> impl Iterator<Item = &PlayedTurn> {
        let (first, last) = self.parts();
        first.iter().chain(last)
    }

    /// Returns the turns that are shown: all of them, or the first and the last.
    fn parts(&self) -> (&[PlayedTurn], &[PlayedTurn]) {
        let turns = &self.played.turns[..];
        if turns.len() <= FIRST + LAST + 2 {
            (turns, &[])
        } else {
            (&turns[..FIRST], &turns[turns.len() - LAST..])
        }
    }
}

/// Deals rounds, the same ones every time, without those that nobody can lead.
fn deals(rules: &Rules, seed: &str, count: u32, lead: LeadRule) -> impl Iterator<Item = PlayedRound> {
    let seed = TournamentSeed::from_text(seed).match_seed(&[], 0);
    let deck = move |round| seed.deck(rules.set, DealNumber { round, redeal: 0 });
    (0..count).filter_map(move |round| PlayedRound::deal(rules, &deck(round), lead))
}

/// Chooses like a player without much of a plan: the heaviest tile first, matadors only if nothing else fits.
fn liking(rules: &Rules, action: Action) -> (u8, u32) {
    match action {
        Action::Lead(double) => (5, double.tile().pips()),
        Action::Play(_, lay) if !lay.tile().is_wild(rules.set) => (4, lay.tile().pips()),
        Action::Play(_, lay @ Lay::Across(_)) => (3, lay.tile().pips()),
        Action::Play(_, lay) => (2, lay.tile().pips()),
        Action::Draw => (1, 0),
        Action::Pass | Action::Refuse => (0, 0),
    }
}

/// Shows both rounds.
pub(super) fn rounds(lesson: &Lesson<'_>) -> Result<String, SceneError> {
    let Lesson { language, rules, .. } = *lesson;
    let first = language.say(text::FirstExample);
    let blocked = language.say(text::BlockedExample { refusing: rules.leads.later == LeadRule::Loser });
    let [first_round, blocked_round] =
        [Example::for_rules(rules)?, Example::blocked(rules)?].map(|example| shown(lesson, &example));
    Ok([first, first_round, blocked, blocked_round].join("\n\n"))
}

/// Shows a round from the deal to the points.
fn shown(lesson: &Lesson<'_>, example: &Example) -> String {
    let language = lesson.language;
    let (first, last) = example.parts();
    let round = &example.played.round;
    let pips = round.pips();
    let names = PerSeat::from_fn(lesson.rules.seats, |seat| language.say(text::SeatFirst { seat }));
    let narrator = Narrator::new(names, None, language);
    language.say(text::Example {
        dealt: hands(language, &example.dealt),
        first_turns: turns::done_by_seats(language, lesson.rules, first),
        skipped: if last.is_empty() { 0 } else { example.played.turns.len() - first.len() - last.len() },
        last_turns: turns::done_by_seats(language, lesson.rules, last),
        drawing: drawn(&example.played.draw(lesson.width, |arm| round.arms().get(arm).is_some())),
        over: match example.outcome {
            RoundOutcome::Dominoed { winner } => narrator.out(winner),
            RoundOutcome::Blocked { winner } => narrator.blocked(winner, round.nothing_fits()),
            RoundOutcome::Refused => String::new(), // ends neither example
        },
        left: hands(language, round.hands()),
        pips: language.all(pips.as_slice()),
        added: lesson.added(example.outcome, &pips),
    })
}

fn hands(language: Language, hands: &PerSeat<TileSet>) -> String {
    let hand =
        |(seat, &tiles): (Seat, &TileSet)| language.say(text::Hand { seat, empty: tiles.is_empty(), tiles });
    hands.iter().map(hand).collect::<Vec<_>>().join("\n")
}
