//! The tables of a results file. `README.md` describes tables and views for readers; keep the two in step.

use leyden_model::RESULTS_MARK;
use leyden_protocol::{FaultCode, Seats};

/// The application id in the header of every results file.
pub(super) const APPLICATION_ID: i32 = i32::from_be_bytes(RESULTS_MARK);

/// The version of the tables and their records. If you change either, increment it and define how older files are read. Files
/// of version 1 are left to leyden 0.1, because their rounds were blocked by another rule.
pub(super) const SCHEMA: i32 = 2;

/// Comma-separated columns, one for each player or seat: `player0, player1`.
pub(super) fn columns(name: &str, seats: Seats) -> String {
    list(seats, |i| format!("{name}{i}"))
}

/// The columns that identify a match and sort matches in schedule order.
pub(super) fn key_columns(seats: Seats) -> String {
    format!("phase, block, {}, leg", columns("player", seats))
}

/// The number of key columns.
pub(super) const fn key_length(seats: Seats) -> usize {
    3 + seats.count()
}

/// That many question marks, comma-separated.
pub(super) fn placeholders(count: usize) -> String {
    vec!["?"; count].join(", ")
}

/// The column of a bot's faults of one kind. A file older than the code lacks it: it is read as 0.
pub(super) fn fault_column(code: FaultCode) -> String {
    format!("fault_{code}")
}

/// The columns of a bot's faults, in the order of [`FaultCode::ALL`].
pub(super) fn fault_columns() -> String {
    FaultCode::ALL.map(fault_column).join(", ")
}

/// All tables and views for tables of this size.
pub(super) fn tables(seats: Seats) -> String {
    let players = list(seats, |i| format!("player{i} INTEGER NOT NULL"));
    let scores = list(seats, |i| format!("score{i} INTEGER NOT NULL"));
    let faults = FaultCode::ALL.map(|code| format!("{} INTEGER NOT NULL", fault_column(code))).join(", ");
    let key = key_columns(seats);
    format!(
        "CREATE TABLE tournament (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
        CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
        CREATE TABLE bots (bot INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, command TEXT NOT NULL,
            hash TEXT NOT NULL, author TEXT, language TEXT, folder TEXT);
        CREATE TABLE matches (phase INTEGER NOT NULL, block INTEGER NOT NULL, {players}, leg INTEGER NOT NULL, id TEXT NOT NULL,
            winner INTEGER, ending TEXT NOT NULL, fault TEXT, fault_seat INTEGER, {scores},
            rounds INTEGER NOT NULL, record INTEGER NOT NULL, PRIMARY KEY ({key})) WITHOUT ROWID;
        CREATE TABLE records (record INTEGER PRIMARY KEY, body BLOB NOT NULL);
        CREATE TABLE voided (number INTEGER PRIMARY KEY, phase INTEGER NOT NULL, block INTEGER NOT NULL, {players},
            leg INTEGER NOT NULL, id TEXT NOT NULL, reason TEXT NOT NULL, record INTEGER);
        CREATE TABLE bot_sums (bot INTEGER PRIMARY KEY, matches INTEGER NOT NULL, won INTEGER NOT NULL,
            drawn INTEGER NOT NULL, lost INTEGER NOT NULL, comparisons INTEGER NOT NULL,
            half_points INTEGER NOT NULL, points_for INTEGER NOT NULL, points_against INTEGER NOT NULL,
            margin INTEGER NOT NULL, margins INTEGER NOT NULL, strikes INTEGER NOT NULL, {faults},
            thinking BLOB NOT NULL);
        {INDEX}
        {views}",
        views = views(seats),
    )
}

/// Finds what was stored since a moment. Files of earlier versions get it when they are resumed; without it, everything stored is
/// searched.
pub(super) const INDEX: &str = "CREATE INDEX IF NOT EXISTS matches_by_record ON matches (record);";

/// The views for people who use plain SQL: names instead of numbers.
fn views(seats: Seats) -> String {
    let name = |seat: &str| format!("(SELECT name FROM bots WHERE bot = {seat})");
    let named = list(seats, |i| format!("{} AS bot{i}", name(&seated(seats, i))));
    let scores = columns("score", seats);
    let winner = name(&by_seat(seats, "winner"));
    let at_fault = name(&by_seat(seats, "fault_seat"));
    let each = (0..seats.count()).map(|i| {
        format!(
            "SELECT phase, block, leg, id, {i} AS seat, {} AS bot, score{i} AS score,
                CASE WHEN winner = {i} THEN 'won' WHEN winner IS NOT NULL OR fault_seat = {i} THEN 'lost'
                    WHEN fault IS NOT NULL OR score{i} = {best} THEN 'drawn' ELSE 'lost' END AS outcome,
                CASE WHEN fault_seat = {i} THEN fault END AS fault FROM matches",
            name(&seated(seats, i)),
            best = format_args!(
                "(SELECT CASE (SELECT value FROM tournament WHERE name = 'better') WHEN '\"lower\"'
                    THEN min({scores}) ELSE max({scores}) END)"
            ),
        )
    });
    format!(
        "CREATE VIEW results AS SELECT phase, block, leg, id, {named}, {scores}, {winner} AS winner, ending, fault,
            {at_fault} AS fault_of, rounds FROM matches;
        CREATE VIEW seats AS {each};
        CREATE VIEW standings AS SELECT name, matches, won, drawn, lost,
            round(50.0 * half_points / comparisons, 2) AS score_percent, points_for, points_against,
            round(1.0 * margin / margins, 3) AS mean_margin, strikes, {faults}
            FROM bot_sums JOIN bots USING (bot) ORDER BY 1.0 * half_points / comparisons DESC, bot;
        {pairings}",
        each = each.collect::<Vec<_>>().join(" UNION ALL "),
        faults = fault_columns(),
        pairings = pairings(seats),
    )
}

/// Every two bots that have met, seen from the one that comes first on the command line. A bot at fault has lost to each
/// other bot at the table, and those drew.
fn pairings(seats: Seats) -> String {
    let k = seats.count();
    let seat = |player: usize| case("leg", seats, |leg| ((player + k - leg) % k).to_string());
    let score = |player: usize| case("leg", seats, |leg| format!("score{}", (player + k - leg) % k));
    let each = (0..k).flat_map(|one| (one + 1..k).map(move |two| (one, two))).map(|(one, two)| {
        format!(
            "SELECT player{one} AS one, player{two} AS two, {} AS seat1, {} AS seat2, {} AS score1, {} AS score2,
                fault_seat FROM matches",
            seat(one),
            seat(two),
            score(one),
            score(two),
        )
    });
    format!(
        "CREATE VIEW pairings AS
            WITH met AS ({each}),
            ahead AS (SELECT *, (score1 - score2) * (SELECT CASE value WHEN '\"lower\"' THEN -1 ELSE 1 END
                FROM tournament WHERE name = 'better') AS margin FROM met),
            judged AS (SELECT *, CASE WHEN fault_seat = seat1 THEN -1 WHEN fault_seat = seat2 THEN 1
                WHEN fault_seat IS NOT NULL THEN 0 ELSE margin END AS outcome FROM ahead)
            SELECT (SELECT name FROM bots WHERE bot = one) AS first, (SELECT name FROM bots WHERE bot = two) AS second,
                count(*) AS matches, sum(outcome > 0) AS won, sum(outcome = 0) AS drawn, sum(outcome < 0) AS lost,
                sum(iif(fault_seat IS NULL, score1, 0)) AS points_for,
                sum(iif(fault_seat IS NULL, score2, 0)) AS points_against,
                round(avg(iif(fault_seat IS NULL, margin, NULL)), 3) AS mean_margin
            FROM judged GROUP BY one, two;",
        each = each.collect::<Vec<_>>().join(" UNION ALL "),
    )
}

/// The bot in a seat: in leg ℓ seat i is taken by player (i + ℓ) mod k.
fn seated(seats: Seats, seat: usize) -> String {
    let k = seats.count();
    case("leg", seats, |leg| format!("player{}", (seat + leg) % k))
}

/// The bot in the seat that a column names.
fn by_seat(seats: Seats, column: &str) -> String {
    case(column, seats, |seat| seated(seats, seat))
}

/// A SQL `CASE` with a value for each seat number that a column can hold.
fn case(column: &str, seats: Seats, value: impl Fn(usize) -> String) -> String {
    let each: Vec<String> = (0..seats.count()).map(|i| format!("WHEN {i} THEN {}", value(i))).collect();
    format!("CASE {column} {} END", each.join(" "))
}

fn list(seats: Seats, each: impl Fn(usize) -> String) -> String {
    (0..seats.count()).map(each).collect::<Vec<_>>().join(", ")
}
