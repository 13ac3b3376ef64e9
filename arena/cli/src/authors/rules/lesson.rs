//! The values that the lesson's texts contain: what a rule set is like, and layouts, rounds and scores that the rules computed.

use leyden_language::{Language, text::rules as text};
use leyden_protocol::{
    Arm, End, LeadRule, MAX_SEATS, Opening, PerSeat, Pip, Scoring, Seat, Seats, Set, Tile,
};
use leyden_rules::{REFUSED_DEALS, ROUND_LIMIT, RoundOutcome, Rules, best, points};

use super::page::{NO_BREAK, drawn};
use super::scene::{Moment, Scene, SceneError};
use super::turns;

/// A rule set, explained in a language.
#[derive(Clone, Copy)]
pub(super) struct Lesson<'a> {
    pub(super) language: Language,
    pub(super) rules: &'a Rules,
    /// The columns there are for drawings.
    pub(super) width: usize,
}

/// Lists all tiles that are wild with this set.
fn matadors(set: Set) -> impl Iterator<Item = Tile> {
    set.tiles().iter().filter(move |tile| tile.is_wild(set))
}

/// Lists the halves that may touch an end by the sum: none for a blank.
pub(super) fn partners(set: Set, end: End) -> Vec<Pip> {
    let top = set.top().get();
    let partners = turns::pips(end).into_iter().filter_map(|pip| Pip::new(set.sum() - pip.get()));
    partners.filter(|partner| partner.get() <= top).collect()
}

impl Lesson<'_> {
    pub(super) fn seat(&self, seat: Seat) -> String {
        self.language.say(text::Seat { seat })
    }

    fn may_refuse(&self) -> bool {
        [self.rules.leads.first, self.rules.leads.later].contains(&LeadRule::Loser)
    }

    /// What comes before the first tile: the aim of the game, the tiles, the deal, the lead.
    pub(super) fn start(&self) -> String {
        let Self { language, rules, .. } = *self;
        let (set, seats, hand) = (rules.set, rules.seats.count(), usize::from(rules.hand));
        self.language.say(text::Start {
            name: rules.name,
            summary: language.say(text::Summary { name: rules.name }),
            seats,
            last_seat: seats - 1,
            top: set.top(),
            size: set.size(),
            sum: set.sum(),
            matadors: language.all(matadors(set)),
            scoring: rules.scoring,
            wins: rules.better,
            target: rules.target,
            hand,
            boneyard: set.size() - seats * hand,
            reserve: rules.reserve,
            leading: self.leading(),
            refusing: self.may_refuse(),
            refused_deals: REFUSED_DEALS,
        })
    }

    fn leading(&self) -> String {
        let leads = self.rules.leads;
        let leading = |when: &str, rule: LeadRule| {
            let reserve = self.rules.reserve > 0;
            self.language.say(text::Leading { when, rule, reserve })
        };
        if leads.first == leads.later {
            return leading("every", leads.first);
        }
        format!("{}\n\n{}", leading("first", leads.first), leading("later", leads.later))
    }

    pub(super) fn layout(&self) -> Result<String, SceneError> {
        let Self { language, rules, width } = *self;
        let drawing = drawn(&Scene::new(rules, Moment::Lead)?.draw(width));
        Ok(language.say(text::Layout { shape: rules.layout, opening: rules.opening, drawing }))
    }

    /// Which tile goes where.
    pub(super) fn joining(&self) -> Result<String, SceneError> {
        let Self { language, rules, width } = *self;
        let sum = rules.set.sum();
        let pair = |low: u8| {
            let which = if low == 1 { "first" } else { "later" };
            language.say(text::Pair { which, low, high: sum - low })
        };
        let doubles: Vec<Tile> = matadors(rules.set).filter(|tile| tile.double().is_some()).collect();
        let two = Scene::new(rules, Moment::InLineAndAcross)?;
        let later = Scene::new(rules, Moment::Later)?;
        let across = two.played.round.arms().iter().find_map(|(arm, end)| match end {
            End::Across(matador) => Some((arm, matador)),
            End::Pip(_) => None,
        });
        let (across_arm, matador) = across.ok_or(SceneError::Unfinished)?;
        let opening = match rules.opening {
            Opening::None => "none",
            Opening::Sides | Opening::Cross if two.open.len() == rules.layout.arms().len() => "open",
            Opening::Sides | Opening::Cross => "closed",
        };
        let arms = later.played.round.arms();
        let fits = arms.iter().map(|(arm, end)| {
            let partners = partners(rules.set, end).into_iter();
            let partners = language.any(partners.map(|pips| language.say(text::Pips { pips })));
            language.say(text::Fits { arm, shown: turns::shown(language, end), partners })
        });
        Ok(language.say(text::Joining {
            sum,
            pairs: language.all((1..=sum / 2).map(pair)),
            doubles_number: doubles.len(),
            doubles: language.all(doubles),
            across_on_across: rules.across_on_across,
            first_turns: turns::done(language, rules, &two.played.turns[1..]),
            first_drawing: drawn(&two.draw(width)),
            across_arm,
            low: matador.low(),
            high: matador.high(),
            opening,
            open_arms: language.all(two.open.iter().map(|arm| arm.letter())),
            later_turns: turns::done(language, rules, &later.played.turns[two.played.turns.len()..]),
            later_drawing: drawn(&later.draw(width)),
            fitting: fits.collect::<Vec<_>>().join("\n"),
        }))
    }

    /// A turn, and how a round ends.
    pub(super) fn turn(&self) -> String {
        let rules = self.rules;
        self.language.say(text::Turn {
            drawing: rules.drawing,
            reserve: rules.reserve > 0,
            shape: rules.layout,
            partner: rules.set.sum() - 3,
            refusing: self.may_refuse(),
            seats: rules.seats.count(),
        })
    }

    /// What rounds add to the scores, and how a match ends.
    pub(super) fn scores(&self) -> String {
        let Self { language, rules, .. } = *self;
        let winner = Seat::FIRST;
        let round = |outcome, pips: [u32; MAX_SEATS]| {
            let pips = self.per_seat(pips);
            (language.all(pips.as_slice()), self.added(outcome, &pips))
        };
        let (out_pips, out_added) = round(RoundOutcome::Dominoed { winner }, [0, 12, 7, 20, 9, 15, 11, 18]);
        let (blocked_pips, blocked_added) =
            round(RoundOutcome::Blocked { winner: Some(winner) }, [5, 12, 7, 20, 9, 15, 11, 18]);
        let (shared_pips, shared_added) =
            round(RoundOutcome::Blocked { winner: None }, [9, 9, 14, 20, 9, 15, 11, 18]);
        let mut last_rounds = self.last_round([9, 14, 17, 23, 18, 16, 21, 12]);
        if rules.scoring == Scoring::OwnHand {
            // Both get the same score: what seat 1 lacks, it holds in its hand.
            let before = self.before();
            let behind = before.as_slice()[0] - before.as_slice()[1];
            last_rounds += "\n";
            last_rounds += &self.last_round([8, 8 + behind, 17, 23, 18, 16, 21, 12]);
        }
        language.say(text::Scores {
            scoring: rules.scoring,
            wins: rules.better,
            seats: rules.seats.count(),
            out_pips,
            out_added,
            blocked_pips,
            blocked_added,
            shared_pips,
            shared_added,
            target: rules.target,
            limit: ROUND_LIMIT,
            before: language.all(self.before().as_slice()),
            last_rounds,
        })
    }

    /// Says what a round that ended like this adds to the scores.
    pub(super) fn added(&self, outcome: RoundOutcome, pips: &PerSeat<u32>) -> String {
        let Self { language, rules, .. } = *self;
        let points = points(rules, outcome, pips);
        let adds = |seat: Seat| language.say(text::Adds { seat: self.seat(seat), points: points[seat] });
        let Some(winner) = outcome.winner().filter(|_| rules.scoring != Scoring::OwnHand) else {
            return match rules.scoring {
                Scoring::OwnHand => language.all(rules.seats.iter().map(adds)),
                Scoring::AllHands | Scoring::Difference => language.say(text::AddsNothing),
            };
        };
        let is_own = rules.scoring == Scoring::AllHands;
        let counted = pips.iter().filter(|&(seat, _)| is_own || seat != winner);
        let mut sum = counted.map(|(_, held)| held.to_string()).collect::<Vec<_>>().join(" + ");
        if !is_own {
            sum = format!("{sum} - {}", pips[winner]);
        }
        language.say(text::AddsSum { seat: self.seat(winner), points: points[winner], sum })
    }

    fn per_seat(&self, pips: [u32; MAX_SEATS]) -> PerSeat<u32> {
        PerSeat::from_fn(self.rules.seats, |seat| pips[seat.index()])
    }

    /// Returns scores shortly before the end of a match.
    fn before(&self) -> PerSeat<u32> {
        let target = self.rules.target;
        PerSeat::from_fn(self.rules.seats, |seat| target.saturating_sub(4 + 8 * seat.index() as u32))
    }

    /// Says how a match ends with a round that is blocked with these pips, the fewest in seat 0.
    fn last_round(&self, pips: [u32; MAX_SEATS]) -> String {
        let (language, pips, before) = (self.language, self.per_seat(pips), self.before());
        let points = points(self.rules, RoundOutcome::Blocked { winner: Some(Seat::FIRST) }, &pips);
        let scores = PerSeat::from_fn(self.rules.seats, |seat| before[seat] + points[seat]);
        let winner = best(self.rules.better, &scores);
        language.say(text::LastRound {
            drawn: winner.is_none(),
            pips: language.all(pips.as_slice()),
            scores: language.all(scores.as_slice()),
            winner: winner.map_or_else(String::new, |seat| self.seat(seat)),
        })
    }

    /// How plays are written, and where to read on.
    pub(super) fn further(&self) -> String {
        let rules = self.rules;
        let arms = rules.layout.arms();
        // Two arms that are opposite each other.
        let [one, other] = [arms[0], arms[arms.len() / 2]].map(Arm::letter);
        let (sum, seats) = (rules.set.sum(), rules.seats.count());
        let larger = larger_table(rules);
        self.language.say(text::Further {
            in_line: format!("{one}:{}-1", sum - 3),
            across: format!("{other}:2|{}", sum - 2),
            refusing: self.may_refuse(),
            play_command: at_table(rules, "play", &["builtin:careful"], seats - 1),
            match_command: at_table(rules, "match", &["builtin:careful", "builtin:greedy"], seats),
            larger: larger.is_some(),
            larger_table: larger.map_or_else(String::new, |larger| {
                let (name, seats, top) = (rules.name, larger.seats, larger.set.top());
                format!("$ leyden rules {name} --seats {seats} --set {top}")
            }),
        })
    }
}

/// Returns a command with this many bots, taken from `bots` in turn, at a table for these rules.
fn at_table(rules: &Rules, command: &str, bots: &[&str], count: usize) -> String {
    let bots = bots.iter().copied().cycle().take(count);
    let mut words: Vec<String> = ["leyden", command].into_iter().chain(bots).map(str::to_owned).collect();
    words.push(format!("--rules{NO_BREAK}{}", rules.name));
    if rules.set != Set::default() {
        words.push(format!("--set{NO_BREAK}{}", rules.set.top()));
    }
    words.join(" ")
}

/// Returns the same rule set for more seats and with a larger set, if it can be played so.
fn larger_table(rules: &Rules) -> Option<Rules> {
    let seats = rules.seats.count() + 1;
    let set = Set::ALL.into_iter().find(|&set| set > rules.set)?;
    Rules::new(rules.name, Seats::new(seats)?, set, rules.target).ok()
}
