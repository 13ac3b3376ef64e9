//! How one match record ended for its seats.

use leyden_arena::record::store::BotSums;
use leyden_model::MatchRecord;
use leyden_protocol::{Better, FaultCode, Seat};
use leyden_stats::{Margin, Outcome};

/// One seat against another in one match.
#[derive(Clone, Copy)]
pub(crate) struct Ahead {
    pub(crate) outcome: Outcome,
    /// Game points ahead, positive is good; nothing after a fault.
    pub(crate) margin: Option<i64>,
}

/// How `seat` fared against `other`. Who faulted has lost to each other seat; of the others each two drew.
pub(crate) fn ahead(record: &MatchRecord, seat: Seat, other: Seat, better: Better) -> Ahead {
    match &record.fault {
        Some(fault) if fault.seat == seat => Ahead { outcome: Outcome::Loss, margin: None },
        Some(fault) if fault.seat == other => Ahead { outcome: Outcome::Win, margin: None },
        Some(_) => Ahead { outcome: Outcome::Draw, margin: None },
        None => {
            let higher = i64::from(record.scores[seat]) - i64::from(record.scores[other]);
            let margin = if better == Better::Higher { higher } else { -higher };
            Ahead { outcome: Outcome::between(margin, 0), margin: Some(margin) }
        }
    }
}

/// The margins of several legs together.
pub(crate) fn margin(legs: &[Ahead]) -> Margin {
    let margins = || legs.iter().filter_map(|leg| leg.margin);
    Margin { sum: margins().sum(), matches: margins().count() as u32 }
}

/// Adds a match to the sums of the bot in one of its seats.
pub(crate) fn count(sums: &mut BotSums, record: &MatchRecord, seat: Seat, better: Better) {
    let others = record.scores.seats().iter().filter(|other| *other != seat);
    let mut worst = 2;
    for other in others {
        let Ahead { outcome, margin } = ahead(record, seat, other, better);
        let half_points = match outcome {
            Outcome::Loss => 0,
            Outcome::Draw => 1,
            Outcome::Win => 2,
        };
        worst = worst.min(half_points);
        sums.comparisons += 1;
        sums.half_points += half_points;
        if let Some(margin) = margin {
            sums.points_against += i64::from(record.scores[other]);
            sums.margin += margin;
            sums.margins += 1;
        }
    }
    sums.matches += 1;
    *[&mut sums.lost, &mut sums.drawn, &mut sums.won][worst as usize] += 1;
    match &record.fault {
        None => sums.points_for += i64::from(record.scores[seat]),
        Some(fault) if fault.seat == seat => {
            let place = FaultCode::ALL.iter().position(|code| *code == fault.code);
            sums.faults[place.unwrap_or_default()] += 1;
        }
        Some(_) => {}
    }
    sums.strikes += record.strikes.iter().filter(|strike| strike.seat == seat).count() as i64;
    for us in &record.think_us[seat] {
        sums.thinking.add(*us);
    }
}
