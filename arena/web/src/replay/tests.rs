//! What a replay contains, and what it hides from a seat.

use leyden_language::Language;
use leyden_model::projection::Audience;
use leyden_model::{Deviation, FaultDetails, FaultRecord, RecordedEnding};
use leyden_protocol::{Arm, FaultCode, MatchEnding, Note, NoteObject, PerSeat, ToBot};
use serde_json::Value;

use super::*;
use leyden_arena::narrate::words::time;
use leyden_arena::record::sample;
use leyden_arena::record::sample::twins::{Dice, Moment, twins};
use leyden_arena::rerun::RecordedMatch;

fn finished() -> MatchRecord {
    sample::matches(&sample::stored_plan(2, 1)).next().unwrap().1
}

/// A match with strikes and notes, ended by a fault in its fourth round.
fn faulted() -> MatchRecord {
    sample::faulted(&sample::stored_plan(2, 20)).map(|(_, record)| record).nth(9).unwrap()
}

/// Returns the data for the script.
fn facts(page: &str) -> Value {
    let (_, rest) = page.split_once("id=\"facts\">").unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

fn steps(view: &Value, deal: usize) -> &Vec<Value> {
    view["deals"][deal]["steps"].as_array().unwrap()
}

#[test]
fn text_of_others_cannot_turn_the_page_around() {
    for hidden in ['\u{61c}', '\u{200e}', '\u{202e}', '\u{2066}', '\u{2069}'] {
        assert!(printable(&format!("a{hidden}b")).is_ascii(), "{hidden:?}");
    }
}

#[test]
fn each_view_shows_every_action_under_any_rules() {
    for (rules, seats, set) in sample::every_game() {
        let stored_plan = sample::stored_plan_of(rules, seats, set, seats, 1);
        for (_, record) in
            sample::matches(&stored_plan).take(1).chain(sample::faulted(&stored_plan).skip(1).take(1))
        {
            let facts = facts(&document(&record, None, None, Language::English).unwrap());
            let views = facts["views"].as_array().unwrap();
            assert_eq!(views.len(), seats + 1);
            for view in views {
                for (deal, round) in record.rounds.iter().enumerate() {
                    let steps = steps(view, deal);
                    assert_eq!(steps.len(), round.actions.len() + 2, "the deal, the actions, the end");
                    let laid = round
                        .actions
                        .iter()
                        .filter(|entry| leyden_protocol::Action::from(entry.event).tile().is_some());
                    let laid = laid.count();
                    assert_eq!(steps.last().unwrap()["laid"], laid);
                    for window in ["wide", "tall"] {
                        let tiles = facts["tables"][deal][window]["tiles"].as_array();
                        assert_eq!(tiles.map_or(0, Vec::len), laid);
                    }
                }
            }
        }
    }
}

/// The line shown for a turn equals the protocol's except for the clock: a bot could read it again.
#[test]
fn page_shows_turn_lines_a_bot_could_read() {
    let record = faulted();
    let facts = facts(&document(&record, None, None, Language::English).unwrap());
    let mut decisions = 0;
    for (deal, round) in record.rounds.iter().enumerate() {
        for (index, step) in steps(&facts["views"][0], deal).iter().enumerate() {
            let decision = &step["decision"];
            let (Some(seat), Some(turn)) = (decision["asked"].as_u64(), decision["turn"].as_u64()) else {
                continue;
            };
            let line_sent = facts["lines"][seat as usize][turn as usize - 1].as_str().unwrap();
            let line = line_sent.strip_suffix('}').unwrap().to_owned();
            let line = line + r#","clock":{"turn_ms":1,"bank_ms":0,"last_us":null}}"#;
            let ToBot::Turn(turn) = serde_json::from_str(&line).unwrap() else { panic!("{line}") };
            assert_eq!(turn.history.len(), index - 1, "{line}");
            assert_eq!(turn.match_id, record.id);
            let legal: Vec<String> = turn.legal.iter().map(ToString::to_string).collect();
            assert_eq!(step["decision"]["legal"], serde_json::json!(legal));
            if let Some(entry) = round.actions.get(index - 1) {
                let taken = leyden_protocol::Action::from(entry.event).to_string();
                assert_eq!(step["decision"]["taken"], taken);
                assert!(legal.contains(&taken));
            }
            decisions += 1;
        }
    }
    assert!(decisions > 20, "{decisions}");
}

#[test]
fn faults_are_where_the_record_has_them() {
    let record = faulted();
    let facts = facts(&document(&record, None, None, Language::English).unwrap());
    let mut found = Vec::new();
    for deal in 0..record.rounds.len() {
        let moments = steps(&facts["views"][0], deal).iter().enumerate();
        found.extend(
            moments.filter(|(_, step)| step["fault"].is_string()).map(|(index, _)| (deal, index - 1)),
        );
    }
    let mut expected: Vec<_> =
        record.strikes.iter().map(|strike| (strike.round as usize, strike.action as usize)).collect();
    expected.push((record.rounds.len() - 1, record.rounds.last().unwrap().actions.len()));
    assert_eq!(found, expected);
    assert!(expected.len() > 2);
}

/// Changes everything that a seat cannot know; its page stays the same, byte for byte.
#[test]
fn seat_page_hides_everything_the_seat_cannot_know() {
    let mut compared = 0;
    for (n, (name, seats, set)) in sample::every_game().into_iter().enumerate() {
        let mut dice = Dice(n as u64);
        let stored_plan = sample::stored_plan_of(name, seats, set, seats, 4);
        for (_, record) in
            sample::faulted(&stored_plan).skip(2).take(3).chain(sample::matches(&stored_plan).take(2))
        {
            for turn in 0..4 {
                let deal = dice.below(record.rounds.len());
                let Some(round) = record.rounds.get(deal) else { continue };
                if round.end == RecordedEnding::NoDouble {
                    continue;
                }
                let seat = Seat::new(dice.below(seats)).unwrap();
                let is_settled = turn % 2 == 0 && round.end != RecordedEnding::Unfinished;
                let early = dice.below((2 * seats).min(round.actions.len()) + 1);
                let actions = if is_settled { round.actions.len() } else { early };
                let moment = Moment { deal, actions, is_settled };
                let Some((one, other)) = twins(&record, moment, Audience::Seat(seat), &mut dice) else {
                    continue;
                };
                let (one, other) = (with_messages_for(one, seat), with_messages_for(other, seat));
                let page = document(&one, Some(seat), None, Language::English).unwrap();
                assert!(
                    page == document(&other, Some(seat), None, Language::English).unwrap(),
                    "seat {seat} at {moment:?}"
                );
                assert!(!page.contains(&one.seed.to_string()), "the seed is shown");
                let everything = document(&one, None, None, Language::English).unwrap()
                    == document(&other, None, None, Language::English).unwrap();
                compared += usize::from(!everything);
            }
        }
    }
    assert!(compared > 60, "too few comparisons: {compared}");
}

/// Returns the match with messages only for this seat's author.
fn with_messages_for(mut record: MatchRecord, seat: Seat) -> MatchRecord {
    for (other, said) in record.stderr.iter_mut().flat_map(PerSeat::iter_mut) {
        if other != seat {
            *said = format!("{} of the others", record.seed);
        }
    }
    if let Some(fault) = record.fault.as_mut().filter(|fault| fault.seat != seat) {
        fault.details = FaultDetails::from_text(record.seed.to_string());
    }
    record
}

/// What others wrote is text, in the page and in the script's data.
#[test]
fn text_by_others_is_never_markup() {
    const HOSTILE: &str = "<img src=x onerror=alert(1)></script><script>alert(2)</script><!--\u{202e}";
    let mut record = faulted();
    record.bots = PerSeat::from_list(vec![HOSTILE.to_owned(), format!("\"'{HOSTILE}")]).unwrap();
    record.fault.as_mut().unwrap().details =
        FaultDetails::from_text(format!("expected an action, came {HOSTILE}"));
    record.stderr = PerSeat::from_list(vec![HOSTILE.to_owned(), HOSTILE.to_owned()]);
    for (index, note) in record.notes.iter_mut().enumerate() {
        let object = NoteObject {
            text: HOSTILE.to_owned(),
            numbers: [(HOSTILE.to_owned(), 1.into())].into(),
            tags: [HOSTILE.to_owned()].into(),
            marks: [(Arm::E, HOSTILE.to_owned())].into(),
        };
        note.note =
            if index % 2 == 0 { Note::Object(Box::new(object)) } else { Note::Text(HOSTILE.to_owned()) };
    }
    for seat in [None, Some(Seat::FIRST)] {
        let page = document(&record, seat, None, Language::English).unwrap();
        assert!(!page.contains("<img") && !page.contains("<!--") && !page.contains('\u{202e}'));
        assert_eq!(page.matches("<script").count(), 2, "its data and its script");
        assert_eq!(page.matches("</script>").count(), 2);
        assert!(facts(&page)["names"][0].as_str().unwrap().starts_with("<img src=x"));
        assert!(facts(&page).to_string().contains("\"marks\":{\"E\":\"<img src=x"));
    }
}

#[test]
fn page_makes_no_requests() {
    let page = document(&finished(), None, None, Language::English).unwrap();
    for way_out in ["http:", "https:", "//cdn", "url(", "@import", "<link", " src="] {
        let without_names = page.replace("http://www.w3.org/2000/svg", "");
        assert!(!without_names.contains(way_out), "{way_out}");
    }
    let (_, policy) = page.split_once("http-equiv=\"Content-Security-Policy\" content=\"").unwrap();
    assert!(policy.starts_with("default-src 'none'; style-src 'sha256-"), "{}", &policy[..200]);
    assert!(!policy.split('"').next().unwrap().contains("unsafe"));
}

#[test]
fn link_leads_home_where_there_is_one() {
    let record = finished();
    assert!(!document(&record, None, None, Language::English).unwrap().contains("<a class=\"home\""));
    let page = document(&record, None, Some("../index.html"), Language::English).unwrap();
    assert!(page.contains("<a class=\"home\" href=\"../index.html\""));
}

#[test]
fn match_lost_before_it_began_has_a_page() {
    let stored_plan = sample::stored_plan(2, 1);
    let mut record =
        sample::record_template(&stored_plan).for_match(&stored_plan.schedule().unwrap().nth(1).unwrap());
    record.fault = Some(FaultRecord {
        seat: Seat::FIRST,
        code: FaultCode::Handshake,
        details: FaultDetails::from_text("no ready"),
    });
    (record.end, record.winner) = (MatchEnding::Fault, Seat::new(1));
    let view = &facts(&document(&record, None, None, Language::English).unwrap())["views"][0];
    assert_eq!(view["message"], "no ready");
    assert!(view["outcome"].as_str().unwrap().contains("lost by a fault: handshake"), "{view}");
    record.fault.as_mut().unwrap().details = FaultDetails::new(Deviation::NotShown);
    let view = &facts(&document(&record, None, None, Language::German).unwrap())["views"][0];
    assert_eq!(view["message"], "die Meldung für den Autor ist hier nicht zu sehen");
}

#[test]
fn impossible_record_is_refused() {
    let mut record = finished();
    assert!(matches!(
        document(&record, Seat::new(2), None, Language::English),
        Err(ReplayError::NoSeat { .. })
    ));
    record.rounds[0].actions.swap(0, 1);
    assert!(matches!(
        document(&record, None, None, Language::English),
        Err(ReplayError::Unplayable { round: 0, .. })
    ));
    record.rules.target = 0;
    assert!(matches!(document(&record, None, None, Language::English), Err(ReplayError::Rules(..))));
}

#[test]
fn replay_writes_numbers_as_its_language_does() {
    let record = faulted();
    let facts = facts(&document(&record, None, None, Language::French).unwrap());
    assert_eq!(facts["texts"]["oneTile"], "{count} domino");
    assert_eq!(facts["texts"]["withPips"], "{tiles} · {count} points");
    let view = &facts["views"][0];
    let decisions = steps(view, 0).iter().map(|step| &step["decision"]);
    let timed: Vec<&Value> = decisions.filter(|decision| decision["took_us"].is_u64()).collect();
    assert!(!timed.is_empty());
    for decision in timed {
        assert_eq!(decision["took"], time(Language::French, decision["took_us"].as_u64().unwrap()));
    }
    let processes = view["processes"].as_array().unwrap();
    let mut computed = processes.iter().filter_map(|process| process["off_turn"].as_str());
    assert!(computed.any(|text| text.contains(" a calculé pendant 1,5 ms hors de son tour")), "{view}");
}

/// What decisions were worth is in the views of those who know them, and nowhere else.
#[test]
fn analysed_match_shows_worth_to_its_seat() {
    let record = finished();
    let analysed = leyden_arena::analyse::analyse(&RecordedMatch::new(record.clone(), None)).unwrap();
    let whole = facts(&analysed_document(&record, None, None, Some(&analysed), Language::English).unwrap());
    let steps = |view: &Value| -> Vec<Value> {
        let deals = view["deals"].as_array().unwrap();
        deals.iter().flat_map(|deal| deal["steps"].as_array().unwrap().clone()).collect()
    };
    let evaluated =
        |view: &Value| steps(view).iter().filter(|step| !step["decision"]["worth"].is_null()).count();
    assert_eq!(evaluated(&whole["views"][0]), analysed.decisions.len());
    for decision in steps(&whole["views"][0]).iter().map(|step| &step["decision"]) {
        let Some(actions) = decision["worth"]["actions"].as_array() else { continue };
        let chances = actions.iter().filter_map(|action| action["chance"].as_str()?.split_once(" ± "));
        let chances: Vec<f64> = chances.map(|(mean, _)| mean.parse().unwrap()).collect();
        assert_eq!(chances.len(), actions.len());
        assert!(chances.is_sorted_by(|one, next| one >= next), "{decision}");
        assert_eq!(actions.iter().filter(|action| action["best"] == true).count(), 1);
        let legal = decision["legal"].as_array().unwrap();
        assert!(actions.iter().all(|action| legal.contains(&action["action"])), "{decision}");
    }
    for seat in [Seat::FIRST, Seat::new(1).unwrap()] {
        let own =
            facts(&analysed_document(&record, Some(seat), None, Some(&analysed), Language::English).unwrap());
        assert_eq!(own["views"][0], whole["views"][seat.index() + 1]);
        let asked = analysed.decisions.iter().filter(|decision| decision.seat == seat);
        assert_eq!(evaluated(&own["views"][0]), asked.clone().count());
        // Its own chance, and the result; never the one that all hands give.
        let steps = steps(&own["views"][0]);
        let mut chances: Vec<f64> =
            steps.iter().filter_map(|step| step["chance"]["share"].as_f64()).collect();
        let last = chances.pop().unwrap();
        assert!([0.0, 0.5, 1.0].contains(&last));
        assert_eq!(chances, asked.map(leyden_arena::analyse::EvaluatedDecision::chance).collect::<Vec<_>>());
    }
    let mut other = analysed.clone();
    other.id = "another".to_owned();
    let page = |analysed| analysed_document(&record, None, None, analysed, Language::English).unwrap();
    assert_eq!(page(Some(&other)), page(None));
}
