//! The part of a page about the end of a round and of a match, and the scores, with numbers computed by the rules.

use leyden_protocol::{LayoutShape, LeadRule, MAX_SEATS, PerSeat, Scoring, Seat};
use leyden_rules::{ROUND_LIMIT, RoundOutcome, Rules, best, points};

use super::page::RulesPage;
use super::start::best_score;
use super::words::{self, list};

pub(super) fn end_of_round(page: &mut RulesPage, rules: &Rules) {
    let reserve = if rules.reserve > 0 { ", even in the reserve" } else { "" };
    page.heading("end of a round");
    page.say("A round ends at once when one of these things has happened:");
    page.point("A player has laid the last tile of their hand: they have gone out. The round is dominoed.");
    page.point(&format!(
        "Of all the tiles that are still in a hand or in the boneyard{reserve}, none fits an arm that is open now. The round \
         is blocked."
    ));
    page.point("Nobody holds a tile that fits, and nobody can draw any more. The round is also blocked.");
    let partner = rules.set.sum() - 3;
    let ends = match rules.layout {
        LayoutShape::Spinner => "3, 3, 0 and 3",
        LayoutShape::Line => "3 and 0",
    };
    page.say(&format!(
        "For example, all arms are open and their ends are {ends}. All matadors lie on the table, and so does every tile with \
         a {partner}. Then the round is blocked, even if there are tiles left to draw. While just one tile with a {partner} is in \
         a hand or in the boneyard{reserve}, this does not end the round: nobody but its holder can know where that tile is."
    ));
    page.say(
        "Nobody draws or passes after that. All players show their hands, and the pips in them are counted.",
    );
}

pub(super) fn winner(page: &mut RulesPage, rules: &Rules) {
    let shared = if rules.seats.count() == 2 {
        "If both hands hold equally many"
    } else {
        "If two or more hands share the fewest"
    };
    let (loser, first) = if rules.leads.later == LeadRule::Loser {
        (
            " The other player is the loser, who may lead the next round.",
            ", and the player who led this round may lead the next one, too",
        )
    } else {
        ("", "")
    };
    page.heading("who wins the round");
    page.say(&format!(
        "The player who goes out wins the round, even if another hand holds nothing but 0-0. In a blocked round the hand with the \
         fewest pips wins.{loser} {shared}, nobody wins{first}."
    ));
}

pub(super) fn scores(page: &mut RulesPage, rules: &Rules) {
    page.heading("scores");
    let two = rules.seats.count() == 2;
    let others = if two { "the other hand" } else { "all other hands" };
    let nobody = " When nobody wins the round, nobody adds anything.";
    page.say(&match rules.scoring {
        Scoring::OwnHand => {
            "After each round, all players add the pips in their own hands to their scores, even when nobody wins.".to_owned()
        }
        Scoring::AllHands => {
            format!("After each round, the winner adds the pips of all hands, the winner's own included.{nobody}")
        }
        Scoring::Difference => format!(
            "After each round, the winner adds the pips of {others}, minus the pips of the winner's own hand.{nobody}"
        ),
    });
    let winner = Seat::FIRST;
    for (what, outcome, pips) in [
        ("Seat 0 goes out", RoundOutcome::Dominoed { winner }, [0, 12, 7, 20, 9, 15, 11, 18]),
        (
            "The round is blocked",
            RoundOutcome::Blocked { winner: Some(winner) },
            [5, 12, 7, 20, 9, 15, 11, 18],
        ),
        ("The round is blocked", RoundOutcome::Blocked { winner: None }, [9, 9, 14, 20, 9, 15, 11, 18]),
    ] {
        let pips = PerSeat::from_fn(rules.seats, |seat| pips[seat.index()]);
        page.point(&format!(
            "{what}, and the hands hold {} pips: {}.",
            list(pips.as_slice()),
            added(rules, outcome, &pips)
        ));
    }
}

/// Says what a round that ended like this adds to the scores.
pub(super) fn added(rules: &Rules, outcome: RoundOutcome, pips: &PerSeat<u32>) -> String {
    let points = points(rules, outcome, pips);
    let adds = |seat: Seat| format!("{} adds {}", words::seat(seat), points[seat]);
    let sum = |of: &dyn Fn(Seat) -> bool| {
        let held: Vec<String> =
            pips.iter().filter(|&(seat, _)| of(seat)).map(|(_, held)| held.to_string()).collect();
        held.join(" + ")
    };
    match (rules.scoring, outcome.winner()) {
        (Scoring::OwnHand, _) => list(rules.seats.iter().map(adds)),
        (_, None) => "nobody adds anything, because the fewest pips are shared".to_owned(),
        (Scoring::AllHands, Some(winner)) => format!("{}, which is {}", adds(winner), sum(&|_| true)),
        (Scoring::Difference, Some(winner)) => {
            format!("{}, which is {} - {}", adds(winner), sum(&|seat| seat != winner), pips[winner])
        }
    }
}

pub(super) fn match_end(page: &mut RulesPage, rules: &Rules) {
    let target = rules.target;
    page.heading("end of the match");
    page.say(&format!(
        "Play round after round until one ends with a player at {target} or more. Then {best} wins. If that score is \
         shared, the match is drawn and nobody wins. A match that is not over after {ROUND_LIMIT} rounds ends there, with the \
         scores as they are.",
        best = best_score(rules),
    ));
    page.say(&format!("Say that the scores are {}:", list(before(rules).as_slice())));
    page.point(&last_round(rules, [9, 14, 17, 23, 18, 16, 21, 12]));
    if rules.scoring == Scoring::OwnHand {
        // Both get the same score: what seat 1 lacks, it holds in its hand.
        let before = before(rules);
        let behind = before.as_slice()[0] - before.as_slice()[1];
        page.point(&last_round(rules, [8, 8 + behind, 17, 23, 18, 16, 21, 12]));
    }
}

/// Returns scores shortly before the end of a match.
fn before(rules: &Rules) -> PerSeat<u32> {
    PerSeat::from_fn(rules.seats, |seat| rules.target.saturating_sub(4 + 8 * seat.index() as u32))
}

/// Says how a match ends with a round that is blocked with these pips, the fewest in seat 0.
fn last_round(rules: &Rules, pips: [u32; MAX_SEATS]) -> String {
    let pips = PerSeat::from_fn(rules.seats, |seat| pips[seat.index()]);
    let outcome = RoundOutcome::Blocked { winner: Some(Seat::FIRST) };
    let (before, points) = (before(rules), points(rules, outcome, &pips));
    let scores = PerSeat::from_fn(rules.seats, |seat| before[seat] + points[seat]);
    let result = match best(rules.better, &scores) {
        Some(seat) => format!("{} wins the match", words::seat(seat)),
        None => "the match is drawn".to_owned(),
    };
    format!(
        "A round is blocked with {} pips: the scores are {}, and {result}.",
        list(pips.as_slice()),
        list(scores.as_slice())
    )
}
