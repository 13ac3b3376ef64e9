//! The conversation with the arena, types for its messages, and a small JSON reader. You don't need to change anything here.
#![allow(dead_code)] // not every bot uses everything

use std::cell::RefCell;
use std::io::{self, BufRead, Write};

/// Low half first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tile {
    pub low: u32,
    pub high: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Lead,
    Play,
    Draw,
    Refuse,
    Pass,
}

/// What a player does. The arena reads its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    pub text: String,
    pub kind: Kind,
    /// For a play: N, E, S or W.
    pub arm: Option<char>,
    /// The tile that is led, played or drawn.
    pub tile: Option<Tile>,
    /// For a play in line: the half that touches.
    pub touching: Option<u32>,
    /// The end that a play leaves: one number, or both halves if it lies across.
    pub ends: Vec<u32>,
    pub across: bool,
}

/// What a seat did.
#[derive(Clone, Debug)]
pub struct Entry {
    pub seat: u32,
    pub action: Action,
}

#[derive(Clone, Debug)]
pub struct Turn {
    /// Counts your decisions in this match, from 1.
    pub id: u64,
    pub rules: String,
    /// The highest pip of the set: touching halves add up to one more.
    pub top: u32,
    /// The score that ends the match.
    pub target: u32,
    pub round: u32,
    pub redeal: u32,
    /// "lead" or "play".
    pub phase: String,
    /// Yours.
    pub seat: u32,
    pub hand: Vec<Tile>,
    /// What each arm shows.
    pub ends: Vec<(char, Vec<u32>)>,
    pub boneyard: u32,
    /// How many tiles of the boneyard may still be drawn.
    pub drawable: u32,
    /// Tiles of each seat.
    pub counts: Vec<u32>,
    pub scores: Vec<u32>,
    /// Of this round; draws of other players show no tile.
    pub history: Vec<Entry>,
    pub legal: Vec<Action>,
    /// Your time for this decision, and extra time for the rest of the match.
    pub turn_ms: u64,
    pub bank_ms: u64,
}

/// Random numbers from a seed (SplitMix64).
pub struct Random(u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number below `bound`, which must not be 0.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }
}

/// Prints to standard error, because standard output belongs to the arena.
pub fn log(text: &str) {
    eprintln!("{text}");
}

thread_local! {
    static NOTE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Sends a short text with the action, for yourself: leyden replay shows it beside the move.
pub fn note(text: &str) {
    NOTE.with(|note| *note.borrow_mut() = text.to_owned());
}

/// The note as a field of the answer.
fn take_note() -> String {
    let note = NOTE.with(|note| std::mem::take(&mut *note.borrow_mut()));
    if note.is_empty() {
        return note;
    }
    let plain: String = note.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    format!(r#","note":"{}""#, plain.replace('\\', r"\\").replace('"', "\\\""))
}

/// Answers the arena until it closes standard input.
pub fn play(name: &str, choose: for<'a> fn(&'a Turn, &mut Random) -> &'a Action) {
    let (mut top, mut random) = (6, Random(0));
    let mut out = io::stdout();
    for text in io::stdin().lock().lines() {
        let line = Json::read(&text.expect("the arena sends text"));
        let answer = match line.at("type").text() {
            "hello" => {
                top = line.at("rules").at("set").number() as u32;
                format!(r#"{{"type":"ready","protocol":"1.0","name":"{name}"}}"#)
            }
            "match_start" => {
                random = Random(line.at("bot_seed").number());
                continue;
            }
            "turn" => {
                let turn = read_turn(&line, top);
                let action = choose(&turn, &mut random);
                format!(r#"{{"type":"action","id":{},"action":"{}"{}}}"#, turn.id, action.text, take_note())
            }
            "error" => {
                log(&format!("the arena says: {}", line.at("message").text()));
                continue;
            }
            _ => continue,
        };
        writeln!(out, "{answer}").and_then(|()| out.flush()).expect("the arena reads");
    }
}

fn read_action(text: &str) -> Action {
    let (word, rest) = text.split_once(':').unwrap_or((text, ""));
    let kind = match word {
        "lead" => Kind::Lead,
        "draw" => Kind::Draw,
        "refuse" => Kind::Refuse,
        "pass" => Kind::Pass,
        _ => Kind::Play,
    };
    let mut action =
        Action { text: text.to_owned(), kind, arm: None, tile: None, touching: None, ends: Vec::new(), across: false };
    let halves: Vec<u32> = rest.split(['-', '|']).filter_map(|pip| pip.parse().ok()).collect();
    let [first, second] = halves[..] else { return action };
    action.tile = Some(Tile { low: first.min(second), high: first.max(second) });
    match kind {
        Kind::Lead => action.ends = vec![first],
        Kind::Play => {
            action.arm = word.chars().next();
            action.across = rest.contains('|');
            action.touching = if action.across { None } else { Some(first) };
            action.ends = if action.across { vec![first, second] } else { vec![second] };
        }
        _ => {}
    }
    action
}

fn read_turn(line: &Json, top: u32) -> Turn {
    let small = |name: &str| line.at(name).number() as u32;
    let numbers = |list: &Json| list.items().iter().map(|item| item.number() as u32).collect::<Vec<_>>();
    let tile = |text: &Json| read_action(&format!("draw:{}", text.text())).tile.expect("a tile");
    let entry = |text: &Json| {
        let (seat, action) = text.text().split_once(' ').expect("a seat and what it did");
        Entry { seat: seat.parse().expect("a seat"), action: read_action(action) }
    };
    let arm = |(arm, end): &(String, Json)| (arm.chars().next().expect("an arm"), numbers(end));
    Turn {
        id: line.at("id").number(),
        rules: line.at("rules").text().to_owned(),
        top,
        target: small("target"),
        round: small("round"),
        redeal: small("redeal"),
        phase: line.at("phase").text().to_owned(),
        seat: small("seat"),
        hand: line.at("hand").items().iter().map(tile).collect(),
        ends: line.at("arms").fields().iter().map(arm).collect(),
        boneyard: small("boneyard"),
        drawable: small("drawable"),
        counts: numbers(line.at("counts")),
        scores: numbers(line.at("scores")),
        history: line.at("history").items().iter().map(entry).collect(),
        legal: line.at("legal").items().iter().map(|action| read_action(action.text())).collect(),
        turn_ms: line.at("clock").at("turn_ms").number(),
        bank_ms: line.at("clock").at("bank_ms").number(),
    }
}

/// A value of JSON.
enum Json {
    Object(Vec<(String, Json)>),
    Array(Vec<Json>),
    Text(String),
    /// A number, true, false or null, as it was written.
    Word(String),
}

/// The value of a missing field.
static NOTHING: Json = Json::Word(String::new());

impl Json {
    fn read(text: &str) -> Self {
        Reader { text: text.as_bytes(), at: 0 }.value()
    }

    fn at(&self, name: &str) -> &Self {
        let field = self.fields().iter().find(|(known, _)| known == name);
        field.map_or(&NOTHING, |(_, value)| value)
    }

    fn fields(&self) -> &[(String, Self)] {
        if let Self::Object(fields) = self { fields } else { &[] }
    }

    fn items(&self) -> &[Self] {
        if let Self::Array(items) = self { items } else { &[] }
    }

    fn text(&self) -> &str {
        if let Self::Text(text) | Self::Word(text) = self { text } else { "" }
    }

    fn number(&self) -> u64 {
        self.text().parse().unwrap_or(0)
    }
}

struct Reader<'a> {
    text: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn next(&mut self) -> u8 {
        while self.text[self.at].is_ascii_whitespace() {
            self.at += 1;
        }
        self.text[self.at]
    }

    /// Skips a character if it is the next one; returns whether it was.
    fn skip(&mut self, expected: u8) -> bool {
        let is_there = self.next() == expected;
        self.at += usize::from(is_there);
        is_there
    }

    fn value(&mut self) -> Json {
        match self.next() {
            b'{' => {
                self.at += 1;
                let mut fields = Vec::new();
                while !self.skip(b'}') {
                    self.next();
                    let name = self.string();
                    self.skip(b':');
                    fields.push((name, self.value()));
                    self.skip(b',');
                }
                Json::Object(fields)
            }
            b'[' => {
                self.at += 1;
                let mut items = Vec::new();
                while !self.skip(b']') {
                    items.push(self.value());
                    self.skip(b',');
                }
                Json::Array(items)
            }
            b'"' => Json::Text(self.string()),
            _ => {
                let start = self.at;
                while self.at < self.text.len() && !b",]} \t\r\n".contains(&self.text[self.at]) {
                    self.at += 1;
                }
                Json::Word(String::from_utf8_lossy(&self.text[start..self.at]).into_owned())
            }
        }
    }

    fn string(&mut self) -> String {
        let mut bytes = Vec::new();
        self.at += 1;
        while self.text[self.at] != b'"' {
            let mut byte = self.text[self.at];
            if byte == b'\\' {
                self.at += 1;
                byte = match self.text[self.at] {
                    b'b' => 8,
                    b'f' => 12,
                    b'n' => b'\n',
                    b'r' => b'\r',
                    b't' => b'\t',
                    b'u' => {
                        let digits = String::from_utf8_lossy(&self.text[self.at + 1..self.at + 5]).into_owned();
                        self.at += 4;
                        u8::from_str_radix(&digits, 16).ok().filter(u8::is_ascii).unwrap_or(b'?')
                    }
                    other => other,
                };
            }
            bytes.push(byte);
            self.at += 1;
        }
        self.at += 1;
        String::from_utf8_lossy(&bytes).into_owned()
    }
}
