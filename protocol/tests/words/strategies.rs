//! Arbitrary messages, not only those of real matches.

use std::borrow::Cow;

use leyden_protocol::*;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::Number;

fn pip() -> impl Strategy<Value = Pip> {
    (0..=Pip::MAX.get()).prop_map(|pips| Pip::new(pips).unwrap())
}

fn tile() -> impl Strategy<Value = Tile> {
    (pip(), pip()).prop_map(|(a, b)| Tile::new(a, b))
}

fn tiles() -> impl Strategy<Value = TileSet> {
    prop::collection::vec(tile(), 0..12).prop_map(|tiles| tiles.into_iter().collect())
}

fn matador() -> impl Strategy<Value = Matador> {
    let all: Vec<Matador> = Set::DoubleTwelve.tiles().iter().filter_map(Matador::new).collect();
    select(all)
}

pub(crate) fn seat() -> impl Strategy<Value = Seat> {
    (0..MAX_SEATS).prop_map(|index| Seat::new(index).unwrap())
}

fn seats() -> impl Strategy<Value = Seats> {
    (2..=MAX_SEATS).prop_map(|count| Seats::new(count).unwrap())
}

fn per_seat<T: Default + std::fmt::Debug>(
    value: impl Strategy<Value = T>,
) -> impl Strategy<Value = PerSeat<T>> {
    prop::collection::vec(value, 2..=MAX_SEATS).prop_map(|list| PerSeat::from_list(list).unwrap())
}

pub(crate) fn action() -> impl Strategy<Value = Action> {
    let arm = || select(&Arm::ALL[..]);
    prop_oneof![
        pip().prop_map(|pip| Action::Lead(Double::new(pip))),
        (arm(), pip(), pip())
            .prop_map(|(arm, touching, end)| Action::Play(arm, Lay::InLine { touching, end })),
        (arm(), matador()).prop_map(|(arm, matador)| Action::Play(arm, Lay::Across(matador))),
        select(&[Action::Draw, Action::Pass, Action::Refuse][..]),
    ]
}

fn entry() -> impl Strategy<Value = HistoryEntry> {
    (seat(), action(), prop::option::of(tile())).prop_map(|(seat, action, drawn)| {
        let event =
            if action == Action::Draw { HistoryAction::Draw(drawn) } else { HistoryAction::from(action) };
        HistoryEntry { seat, event }
    })
}

fn history() -> impl Strategy<Value = Cow<'static, [HistoryEntry]>> {
    prop::collection::vec(entry(), 0..30).prop_map(Cow::Owned)
}

fn legal(least: usize) -> impl Strategy<Value = Cow<'static, [Action]>> {
    prop::collection::vec(action(), least..20).prop_map(Cow::Owned)
}

fn arms() -> impl Strategy<Value = Arms> {
    let end = || prop::option::of(prop_oneof![pip().prop_map(End::Pip), matador().prop_map(End::Across)]);
    [end(), end(), end(), end()].prop_map(|ends| {
        let mut arms = Arms::default();
        for (arm, end) in Arm::ALL.into_iter().zip(ends) {
            if let Some(end) = end {
                arms.set(arm, end);
            }
        }
        arms
    })
}

pub(crate) fn version() -> impl Strategy<Value = Version> {
    any::<(u32, u32)>().prop_map(|(major, minor)| Version { major, minor })
}

fn text() -> impl Strategy<Value = Cow<'static, str>> {
    any::<String>().prop_map(Cow::Owned)
}

fn rules_name() -> impl Strategy<Value = RulesName> {
    select(&RulesName::ALL[..])
}

fn rules() -> impl Strategy<Value = RuleSet> {
    use {Drawing as D, LayoutShape as L, LeadRule as R, Opening as O, Scoring as S};
    let lead = || select(&[R::Lowest, R::Highest, R::HighestHolder, R::Loser][..]);
    let words = (
        select(&[L::Spinner, L::Line][..]),
        select(&[O::Sides, O::Cross, O::None][..]),
        select(&[D::Any, D::One][..]),
        select(&[S::OwnHand, S::AllHands, S::Difference][..]),
        (lead(), lead()).prop_map(|(first, later)| Leads { first, later }),
    );
    let numbers = (seats(), select(&Set::ALL[..]), any::<(u8, u8, bool, u32)>());
    (rules_name(), words, numbers).prop_map(|(name, words, (seats, set, numbers))| RuleSet {
        name,
        seats,
        set,
        hand: numbers.0,
        reserve: numbers.1,
        layout: words.0,
        opening: words.1,
        leads: words.4,
        drawing: words.2,
        across_on_across: numbers.2,
        scoring: words.3,
        better: words.3.better(),
        target: numbers.3,
    })
}

fn hello() -> impl Strategy<Value = Hello<'static>> {
    let clock = select(&[ClockKind::Wall, ClockKind::Cpu][..]);
    (version(), text(), rules(), any::<[u64; 5]>(), clock).prop_map(|(protocol, arena, rules, ms, clock)| {
        let limits = Limits {
            startup_ms: ms[0],
            turn_ms: ms[1],
            bank_ms: ms[2],
            increment_ms: ms[3],
            clock,
            line: ms[4],
        };
        Hello { protocol, arena, rules, limits }
    })
}

fn match_start() -> impl Strategy<Value = MatchStart<'static>> {
    let names = prop::option::of(prop::collection::vec(text(), 2..=MAX_SEATS));
    (text(), seat(), seats(), rules_name(), any::<u32>(), 0..1_u64 << 53, names).prop_map(
        |(match_id, seat, seats, rules, target, bot_seed, names)| MatchStart {
            match_id,
            seat,
            seats,
            rules,
            target,
            bot_seed,
            names,
        },
    )
}

pub(crate) fn turn() -> impl Strategy<Value = Turn<'static>> {
    let head = (1..=u64::MAX, text(), rules_name(), any::<[u32; 3]>());
    let hand = (select(&[Phase::Lead, Phase::Play][..]), seat(), tiles(), arms(), any::<[u8; 2]>());
    let table = (per_seat(any::<u8>()), per_seat(any::<u32>()), history(), legal(2));
    let clock = any::<(u64, u64, Option<u64>)>();
    (head, hand, table, clock).prop_map(|(head, hand, table, clock)| Turn {
        id: head.0,
        match_id: head.1,
        rules: head.2,
        target: head.3[0],
        round: head.3[1],
        redeal: head.3[2],
        phase: hand.0,
        seat: hand.1,
        hand: hand.2,
        arms: hand.3,
        boneyard: hand.4[0],
        drawable: hand.4[1],
        counts: table.0,
        scores: table.1,
        history: table.2,
        legal: table.3,
        clock: Clock { turn_ms: clock.0, bank_ms: clock.1, last_us: clock.2 },
    })
}

pub(crate) fn round_end() -> impl Strategy<Value = RoundEnd<'static>> {
    let end = select(&[RoundEnding::Dominoed, RoundEnding::Blocked, RoundEnding::Refused][..]);
    let shown = prop::option::of((per_seat(tiles()), per_seat(any::<u32>()), per_seat(any::<u32>())));
    (any::<[u32; 2]>(), end, shown, per_seat(any::<u32>()), history()).prop_map(
        |([round, redeal], end, shown, scores, history)| RoundEnd {
            round,
            redeal,
            end,
            hands: shown.map(|shown| shown.0),
            pips: shown.map(|shown| shown.1),
            points: shown.map(|shown| shown.2),
            scores,
            history,
        },
    )
}

fn fault_code() -> impl Strategy<Value = FaultCode> {
    select(&FaultCode::ALL[..])
}

fn match_end() -> impl Strategy<Value = MatchEnd<'static>> {
    let end = select(&[MatchEnding::Target, MatchEnding::Fault, MatchEnding::RoundLimit][..]);
    let fault = prop::option::of((seat(), fault_code()).prop_map(|(seat, code)| FaultNotice { seat, code }));
    (text(), per_seat(any::<u32>()), prop::option::of(seat()), end, fault)
        .prop_map(|(match_id, scores, winner, end, fault)| MatchEnd { match_id, scores, winner, end, fault })
}

fn error() -> impl Strategy<Value = ErrorNotice<'static>> {
    (fault_code(), text(), text(), legal(0)).prop_map(|(code, message, received, legal)| ErrorNotice {
        code,
        message,
        received,
        legal,
    })
}

pub(crate) fn to_bot() -> impl Strategy<Value = ToBot<'static>> {
    prop_oneof![
        hello().prop_map(ToBot::Hello),
        match_start().prop_map(ToBot::MatchStart),
        turn().prop_map(ToBot::Turn),
        round_end().prop_map(ToBot::RoundEnd),
        match_end().prop_map(ToBot::MatchEnd),
        error().prop_map(ToBot::Error),
    ]
}

fn note() -> impl Strategy<Value = Note> {
    let label = "[A-Za-z0-9_-]{1,24}";
    let number = prop_oneof![
        any::<i64>().prop_map(Number::from),
        any::<f64>().prop_filter_map("finite", Number::from_f64),
    ];
    let numbers = prop::collection::btree_map(label, number, 0..4);
    let tags = prop::collection::btree_set(label, 0..4);
    let marks = prop::collection::btree_map(select(&Arm::ALL[..]), "[a-z]{0,24}", 0..4);
    let object = ("[a-z \"]{0,40}", numbers, tags, marks).prop_map(|(text, numbers, tags, marks)| {
        Note::Object(Box::new(NoteObject { text, numbers, tags, marks }))
    });
    prop_oneof![text().prop_map(|text| Note::from_text(&text)), object]
}

pub(crate) fn from_bot() -> impl Strategy<Value = FromBot<'static>> {
    let ready = (version(), text(), prop::option::of(text()))
        .prop_map(|(protocol, name, version)| FromBot::Ready(Ready { protocol, name, version }));
    let answer = (any::<u64>(), action(), prop::option::of(note()))
        .prop_map(|(id, action, note)| FromBot::Action(Answer { id, action, note }));
    prop_oneof![ready, answer]
}
