//! Describes what happens at a table to the person who sits there: "you" are that person, the others have names.

use leyden_model::RecordedEnding;
use leyden_model::projection::ShownEvent;
use leyden_protocol::{
    Action, Arm, Arms, Drawing, End, HistoryAction, HistoryEntry, Lay, MatchEnding, Opening, PerSeat, Phase,
    Pip, Seat, Set, Turn, WinningScore,
};
use leyden_rules::Rules;

/// Describes the events at one table.
#[derive(Clone, Debug)]
pub struct Narrator {
    names: PerSeat<String>,
    own: Option<Seat>,
    rules: Rules,
    arms: Arms,
}

impl Narrator {
    /// `names` are those of the other players, already escaped for the output.
    pub fn new(rules: &Rules, names: PerSeat<String>, own: Option<Seat>) -> Self {
        Self { names, own, rules: *rules, arms: Arms::default() }
    }

    /// Returns the name of a seat, for the beginning of a sentence.
    pub fn name(&self, seat: Seat) -> &str {
        if self.own == Some(seat) { "You" } else { &self.names[seat] }
    }

    /// Returns subject and verb: "You lead", "careful leads".
    fn does(&self, seat: Seat, verb: &str) -> String {
        let ending = match (self.own == Some(seat), verb.ends_with("ss")) {
            (true, _) => "",
            (false, true) => "es",
            (false, false) => "s",
        };
        format!("{} {verb}{ending}", self.name(seat))
    }

    /// Describes the next event in a sentence, if it deserves one. Call it with every event.
    pub fn tell(&mut self, shown: &ShownEvent) -> Option<String> {
        match shown {
            ShownEvent::Dealt { round, redeal, .. } => {
                self.arms = Arms::default();
                let again = if *redeal > 0 { " again" } else { "" };
                Some(format!("Round {} is dealt{again}.", round + 1))
            }
            ShownEvent::Acted { entry, .. } => Some(self.acted(*entry)),
            ShownEvent::Settled { .. } => Some(self.settled(shown)),
            ShownEvent::Ended { .. } => Some(self.ended(shown)),
            ShownEvent::Started { .. } | ShownEvent::Asked { .. } | ShownEvent::Struck { .. } => None,
        }
    }

    fn acted(&mut self, HistoryEntry { seat, event }: HistoryEntry) -> String {
        let before = self.arms;
        match event {
            HistoryAction::Lead(double) => {
                for &arm in arms_of(&self.rules) {
                    self.arms.set(arm, End::Pip(double.pip()));
                }
                format!("{} {}.", self.does(seat, "lead"), double.tile())
            }
            HistoryAction::Play(arm, lay) => {
                let end = shown_by(lay);
                self.arms.set(arm, end);
                let across = if matches!(lay, Lay::Across(_)) { " across" } else { "" };
                let why = before.get(arm).map_or_else(String::new, |met| self.why(met, lay));
                let (does, tile, arm) = (self.does(seat, "play"), lay.tile(), arm_name(arm));
                format!("{does} {tile}{across} on the {arm}{why}. It now shows {}.", end_name(end))
            }
            HistoryAction::Draw(Some(tile)) => format!("{} {tile}.", self.does(seat, "draw")),
            HistoryAction::Draw(None) => format!("{} a tile.", self.does(seat, "draw")),
            HistoryAction::Pass => format!("{}.", self.does(seat, "pass")),
            HistoryAction::Refuse => format!("{} to lead.", self.does(seat, "refuse")),
        }
    }

    /// Says why a tile fits.
    fn why(&self, met: End, lay: Lay) -> String {
        let sum = self.rules.set.sum();
        if let Lay::InLine { touching, .. } = lay
            && let Some(pip) = halves(met).into_iter().find(|pip| pip.get() + touching.get() == sum)
        {
            return format!(": {pip} + {touching} = {sum}");
        }
        ": a matador fits any end".to_owned()
    }

    fn settled(&self, settled: &ShownEvent) -> String {
        let ShownEvent::Settled { end, winner, nothing_fits, hands, pips, points, scores } = settled else {
            return String::new();
        };
        let how = match end {
            RecordedEnding::Dominoed => {
                let winner = winner.map_or_else(String::new, |seat| {
                    let is = if self.own == Some(seat) { "are" } else { "is" };
                    format!("{} {is}", self.name(seat))
                });
                format!("{winner} out: the round is over.")
            }
            RecordedEnding::Blocked => {
                let why = if *nothing_fits { "no remaining tile fits" } else { "nobody can play or draw" };
                let lightest = winner.map_or_else(
                    || "The lightest hands are equal.".to_owned(),
                    |seat| {
                        let has = if self.own == Some(seat) { "have" } else { "has" };
                        format!("{} {has} the lightest hand.", self.name(seat))
                    },
                );
                format!("The round is blocked: {why}. {lightest}")
            }
            RecordedEnding::Refused => return "Nobody leads: the round is dealt again.".to_owned(),
            RecordedEnding::NoDouble => {
                return "There is no double to lead: the round is dealt again.".to_owned();
            }
            RecordedEnding::Unfinished => return "The match was cut short here.".to_owned(),
        };
        let left = |seat: Seat| {
            let hand = hands.as_ref().map(|hands| hands[seat]).filter(|hand| !hand.is_empty());
            hand.map_or_else(|| "no tile".to_owned(), |hand| format!("{hand} ({} pips)", pips[seat]))
        };
        let held: Vec<String> =
            scores.iter().map(|(seat, _)| format!("{}: {}", self.name(seat), left(seat))).collect();
        format!(
            "{how} Left in hand: {}. Points: {}. Scores: {}.",
            held.join("; "),
            self.list(points),
            self.list(scores)
        )
    }

    /// Lists a number for each player.
    pub fn list(&self, numbers: &PerSeat<u32>) -> String {
        let each = numbers.iter().map(|(seat, number)| format!("{} {number}", self.name(seat)));
        each.collect::<Vec<_>>().join(", ")
    }

    fn ended(&self, ended: &ShownEvent) -> String {
        let ShownEvent::Ended { scores, winner, end, fault, .. } = ended else { return String::new() };
        let fault = fault.map(|(seat, code)| format!("{} by a fault: {code}. ", self.does(seat, "lose")));
        let limit = if *end == MatchEnding::RoundLimit { "The round limit is reached. " } else { "" };
        let winner = match winner {
            Some(winner) => format!("{} the match.", self.does(*winner, "win")),
            None if fault.is_some() => "Nobody wins.".to_owned(),
            None => "A draw: nobody wins.".to_owned(),
        };
        format!("{}{limit}{winner} Final scores: {}.", fault.unwrap_or_default(), self.list(scores))
    }
}

/// Returns the hint for a beginner at a turn: what each arm takes, and what else is possible.
pub fn hint(rules: &Rules, turn: &Turn<'_>) -> String {
    if turn.phase == Phase::Lead {
        let refuse = if turn.legal.contains(&Action::Refuse) {
            " You may refuse, and leave it to the others."
        } else {
            ""
        };
        let draw = if turn.legal.contains(&Action::Draw) { " You may draw first." } else { "" };
        return format!("You have the lead: lay a double, but not 0-0.{draw}{refuse}");
    }
    let open = open_arms(rules, turn);
    let set = rules.set;
    let takes: Vec<String> = turn
        .arms
        .iter()
        .filter(|(arm, _)| open.contains(arm))
        .map(|(arm, end)| format!("the {} takes {}", arm_name(arm), taken_by(end, set)))
        .collect();
    let waits: Vec<&str> =
        turn.arms.iter().map(|(arm, _)| arm).filter(|arm| !open.contains(arm)).map(arm_name).collect();
    let waits = match waits[..] {
        [] => String::new(),
        [one] => format!(" The {one} has to wait until the opening is over."),
        [ref others @ .., last] => {
            format!(" The {} and the {last} have to wait until the opening is over.", others.join(", the "))
        }
    };
    let draw = if !turn.legal.contains(&Action::Draw) {
        ""
    } else if turn.legal.iter().all(|action| action.tile().is_none()) {
        " Nothing fits: draw."
    } else if rules.drawing == Drawing::Any {
        " You may also draw, as often as you like."
    } else {
        ""
    };
    format!("Touching halves add up to {}: {}.{waits}{draw}", set.sum(), takes.join("; "))
}

/// Returns the arms on which a tile may be laid now.
pub fn open_arms(rules: &Rules, turn: &Turn<'_>) -> Vec<Arm> {
    let opening: &[Arm] = match rules.opening {
        Opening::Sides => &[Arm::N, Arm::S],
        Opening::Cross => &Arm::ALL,
        Opening::None => &[],
    };
    let is_begun = |arm: &Arm| {
        turn.history.iter().any(|entry| matches!(entry.event, HistoryAction::Play(on, _) if on == *arm))
    };
    let waiting: Vec<Arm> = opening.iter().copied().filter(|arm| !is_begun(arm)).collect();
    let all = turn.arms.iter().map(|(arm, _)| arm);
    all.filter(|arm| waiting.is_empty() || waiting.contains(arm)).collect()
}

/// Returns the label of an action: "4-1 on the top arm", "draw a tile".
pub fn named(action: Action) -> String {
    match action {
        Action::Lead(double) => format!("lead {}", double.tile()),
        Action::Play(arm, Lay::InLine { touching, end }) => {
            format!("{touching}-{end} on the {}", arm_name(arm))
        }
        Action::Play(arm, Lay::Across(matador)) => {
            format!("{} across on the {}", matador.tile(), arm_name(arm))
        }
        Action::Draw => "draw a tile".to_owned(),
        Action::Pass => "pass".to_owned(),
        Action::Refuse => "refuse to lead".to_owned(),
    }
}

/// Returns the name of an arm.
pub const fn arm_name(arm: Arm) -> &'static str {
    match arm {
        Arm::N => "top arm",
        Arm::E => "right arm",
        Arm::S => "bottom arm",
        Arm::W => "left arm",
    }
}

/// Returns what an end shows: "4", "2 or 5", "blank".
pub fn end_name(end: End) -> String {
    match end {
        End::Pip(Pip::BLANK) => "blank".to_owned(),
        End::Pip(pip) => pip.to_string(),
        End::Across(matador) => format!("{} or {}", matador.low(), matador.high()),
    }
}

/// Returns what can be laid on an end: "a 3", or "a matador only" on a blank.
pub fn taken_by(end: End, set: Set) -> String {
    let sum = set.sum();
    match end {
        End::Pip(Pip::BLANK) => "a matador only".to_owned(),
        End::Pip(pip) => article(sum - pip.get()),
        End::Across(matador) => {
            format!("{} or {}", article(matador.low().get()), article(matador.high().get()))
        }
    }
}

fn article(pips: u8) -> String {
    if matches!(pips, 8 | 11) { format!("an {pips}") } else { format!("a {pips}") }
}

/// Says which score wins.
pub const fn aim(better: WinningScore) -> &'static str {
    match better {
        WinningScore::Lower => "the lower score wins",
        WinningScore::Higher => "the higher score wins",
    }
}

fn arms_of(rules: &Rules) -> &'static [Arm] {
    match rules.layout {
        leyden_protocol::LayoutShape::Spinner => &Arm::ALL,
        leyden_protocol::LayoutShape::Line => &[Arm::E, Arm::W],
    }
}

fn shown_by(lay: Lay) -> End {
    match lay {
        Lay::InLine { end, .. } => End::Pip(end),
        Lay::Across(matador) => End::Across(matador),
    }
}

fn halves(end: End) -> [Pip; 2] {
    match end {
        End::Pip(pip) => [pip, pip],
        End::Across(matador) => [matador.low(), matador.high()],
    }
}
