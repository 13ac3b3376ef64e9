//! The part of a page about what comes before the first tile: the aim of the game, the tiles, the deal, the lead.

use leyden_protocol::{LeadRule, Scoring, WinningScore};
use leyden_rules::{REFUSED_DEALS, Rules};

use super::page::RulesPage;
use super::words::{list, matadors};

pub(super) fn aim(page: &mut RulesPage, rules: &Rules) {
    let two = rules.seats.count() == 2;
    let others = if two { "the other player does" } else { "the others do" };
    let scored = match rules.scoring {
        Scoring::OwnHand => {
            "When a round ends, all players add the pips left in their hands to their scores."
        }
        Scoring::AllHands => "The winner of a round adds the pips left in all hands to their score.",
        Scoring::Difference if two => {
            "The winner of a round adds the pips left in the other hand to their score."
        }
        Scoring::Difference => "The winner of a round adds the pips left in the other hands to their score.",
    };
    let wanted = match rules.better {
        WinningScore::Lower => "Points are bad",
        WinningScore::Higher => "Points are good",
    };
    page.heading("aim");
    page.say(&format!(
        "Get rid of your tiles before {others}. {scored} {wanted}: once a player has {target} or more, the match is over, \
         and {best} wins.",
        target = rules.target,
        best = best_score(rules),
    ));
}

/// Names the score that wins the match.
pub(super) fn best_score(rules: &Rules) -> &'static str {
    match (rules.better, rules.seats.count()) {
        (WinningScore::Lower, 2) => "the lower score",
        (WinningScore::Lower, _) => "the lowest score",
        (WinningScore::Higher, 2) => "the higher score",
        (WinningScore::Higher, _) => "the highest score",
    }
}

pub(super) fn tiles(page: &mut RulesPage, rules: &Rules) {
    let set = rules.set;
    page.heading("tiles");
    page.say(&format!(
        "A tile has two halves. Each half shows 0 to {top} dots, called pips; a half without any is a blank. 2-5 is the \
         tile with a 2 and a 5: the smaller number is written first. A double has two equal halves, such as 3-3. The {set} \
         set has {size} tiles, and no two are alike.",
        top = set.top(),
        size = set.size(),
    ));
    page.say(&format!(
        "The matadors are the wild tiles: 0-0, and every tile whose halves add up to {sum}. In this set they are {matadors}.",
        sum = set.sum(),
        matadors = list(matadors(set)),
    ));
}

pub(super) fn deal(page: &mut RulesPage, rules: &Rules) {
    let boneyard = rules.set.size() - rules.seats.count() * usize::from(rules.hand);
    let reserve = match rules.reserve {
        0 => String::new(),
        1 => " The last of them is the reserve, which nobody may draw.".to_owned(),
        tiles => format!(" The last {tiles} of them are the reserve, which nobody may draw."),
    };
    page.heading("deal");
    page.say(&format!(
        "Shuffle the tiles face down. Every player takes {hand} of them. They are the player's hand, and nobody else may see \
         them. The other {boneyard} are the boneyard, from which tiles are drawn.{reserve}",
        hand = rules.hand,
    ));
    let numbers = match rules.seats.count() {
        2 => "0 and 1".to_owned(),
        more => format!("0 to {}", more - 1),
    };
    page.say(&format!(
        "Every player has a seat. The seats are numbered {numbers}, and the players take their turns in that order, round and \
         round."
    ));
}

pub(super) fn lead(page: &mut RulesPage, rules: &Rules) {
    page.heading("lead");
    page.say("The first tile of a round is the lead. It is always a double.");
    let (first, later) = (rules.leads.first, rules.leads.later);
    if first == later {
        page.say(&leading(rules, first, "In every round"));
    } else {
        page.say(&leading(rules, first, "In the first round"));
        page.say(&leading(rules, later, "In every later round"));
    }
    if first == LeadRule::Loser || later == LeadRule::Loser {
        page.say(&format!(
            "If you refuse, the other player has the same choice; drawn tiles stay where they are. If you both refuse, nobody \
             scores. The tiles are shuffled and dealt again, and you are asked first again. After {REFUSED_DEALS} such deals \
             in a row, nobody who can lead or draw may refuse."
        ));
    }
    page.say("After the lead, the next seat plays.");
}

fn leading(rules: &Rules, rule: LeadRule, when: &str) -> String {
    let limit = if rules.reserve > 0 { ", but not the reserve" } else { "" };
    let again = "the tiles are shuffled and dealt again";
    match rule {
        LeadRule::Lowest => format!(
            "{when}, the player who holds the lowest double leads it; 0-0 does not count. Nobody draws first, and there is nothing \
             to choose. If nobody holds a double other than 0-0, {again}."
        ),
        LeadRule::Highest => format!(
            "{when}, the player who holds the highest double leads it, even if it is 0-0. Nobody draws first, and there is nothing \
             to choose. If nobody holds a double, {again}."
        ),
        LeadRule::HighestHolder => format!(
            "{when}, the player who holds the highest double begins; 0-0 does not count. If that is you, you may first draw as many \
             tiles as you like{limit}. Then you lead any double you hold, except 0-0: it need not be the highest. If nobody \
             holds a double other than 0-0, {again}."
        ),
        LeadRule::Loser => format!(
            "{when}, the loser of the round before may lead. If that is you, you may first draw as many tiles as you \
             like{limit}. Then you lead any double you hold, except 0-0, or you refuse to lead."
        ),
    }
}
