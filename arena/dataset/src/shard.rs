//! The decisions of some matches, column by column.

use leyden_env::{ActionTable, Decisions, Encoding, decisions};
use leyden_model::{MatchRecord, RULES_EDITION, RecordRules, UnplayableError};
use leyden_rules::RulesError;

/// The number of decisions of a shard, at least; it ends with a whole match.
pub const SHARD_ROWS: usize = 65_536;

/// The decisions of some matches, one a row.
#[derive(Clone, Debug, Default)]
pub struct Shard {
    /// [`Encoding::len`] bytes a row.
    pub observation: Vec<u8>,
    /// [`ActionTable::len`] bytes a row.
    pub action_mask: Vec<u8>,
    /// The number of the action that was chosen.
    pub action: Vec<u16>,
    /// What the match was for the seat: 1 won, -1 lost, 0 neither.
    pub result: Vec<f32>,
    /// The seat's advantage in the points of the round, in pips.
    pub round_points: Vec<f32>,
    /// The same from this round to the end of the match.
    pub points_to_come: Vec<f32>,
    /// The index of the seat that decided.
    pub seat: Vec<u8>,
    /// Which bot decided: an index into [`Shards::bots`].
    pub bot: Vec<u16>,
    /// Which match of the source, from 0.
    pub match_number: Vec<u32>,
}

impl Shard {
    /// Returns the number of decisions.
    pub fn rows(&self) -> usize {
        self.action.len()
    }

    fn add(&mut self, number: u32, bots: &[u16], decided: &Decisions) {
        self.observation.extend_from_slice(&decided.observations);
        self.action_mask.extend_from_slice(&decided.masks);
        for decision in &decided.decisions {
            self.action.push(decision.action);
            self.result.push(decision.result);
            self.round_points.push(decision.round_points);
            self.points_to_come.push(decision.points_to_come);
            self.seat.push(decision.seat.index() as u8);
            self.bot.push(bots[decision.seat.index()]);
            self.match_number.push(number);
        }
    }
}

/// Records that cannot be read as a data set.
#[derive(Debug, thiserror::Error)]
pub enum ReadError<E: std::error::Error> {
    #[error(transparent)]
    Source(E),
    #[error("there is no match in it")]
    Empty,
    #[error(
        "match {id} was played by other rules than those before it ({found}, not {expected}): make a data set of each"
    )]
    Mixed { id: String, found: RecordRules, expected: RecordRules },
    #[error("match {id}: {source}")]
    Rules { id: String, source: RulesError },
    #[error(
        "match {id} was played by edition {found} of the rules, this program knows edition {RULES_EDITION}"
    )]
    Edition { id: String, found: u32 },
    #[error("match {id}: {source}")]
    Unplayable { id: String, source: UnplayableError },
    #[error("there are more than 65,535 bots in it")]
    Bots,
}

/// Shards of the decisions of records, in the order of the records. Ends after the first error.
pub struct Shards<I> {
    records: I,
    rows: usize,
    first: Option<(RecordRules, Encoding)>,
    bots: Vec<String>,
    matches: u32,
    ended: bool,
}

impl<I, E> Shards<I>
where
    I: Iterator<Item = Result<MatchRecord, E>>,
    E: std::error::Error,
{
    /// Reads shards of at least `rows` decisions; the last one may be shorter.
    pub fn new(records: I, rows: usize) -> Self {
        Self { records, rows: rows.max(1), first: None, bots: Vec::new(), matches: 0, ended: false }
    }

    /// Returns the rules and the encoding; `None` before the first shard.
    pub fn encoding(&self) -> Option<&Encoding> {
        self.first.as_ref().map(|(_, encoding)| encoding)
    }

    /// Returns the names of the bots so far, in the order in which they came up.
    pub fn bots(&self) -> &[String] {
        &self.bots
    }

    /// Returns how many matches were read.
    pub fn matches(&self) -> u32 {
        self.matches
    }

    fn read(&mut self) -> Result<Option<Shard>, ReadError<E>> {
        let (mut shard, mut decided) = (Shard::default(), Decisions::default());
        while shard.rows() < self.rows {
            let Some(record) = self.records.next() else {
                self.ended = true;
                if self.matches == 0 {
                    return Err(ReadError::Empty);
                }
                break;
            };
            let record = record.map_err(ReadError::Source)?;
            let bots = self.bot_indices(&record)?;
            let encoding = match self.first.take() {
                Some(first) => first,
                None => (record.rules, encoding_of(&record)?),
            };
            let read = check(&record, encoding.0).and_then(|()| {
                decisions(&record, &encoding.1, &mut decided)
                    .map_err(|source| ReadError::Unplayable { id: record.id.clone(), source })
            });
            self.first = Some(encoding);
            read?;
            shard.add(self.matches, &bots, &decided);
            self.matches += 1;
        }
        Ok(Some(shard).filter(|shard| shard.rows() > 0))
    }

    /// Returns the index of each bot of a match.
    fn bot_indices(&mut self, record: &MatchRecord) -> Result<Vec<u16>, ReadError<E>> {
        let mut indices = Vec::new();
        for name in record.bots.as_slice() {
            let index = self.bots.iter().position(|known| known == name).unwrap_or_else(|| {
                self.bots.push(name.clone());
                self.bots.len() - 1
            });
            indices.push(u16::try_from(index).map_err(|_| ReadError::Bots)?);
        }
        Ok(indices)
    }
}

fn encoding_of<E: std::error::Error>(record: &MatchRecord) -> Result<Encoding, ReadError<E>> {
    let rules = record.rules.rules();
    let rules = rules.map_err(|source| ReadError::Rules { id: record.id.clone(), source })?;
    Ok(Encoding::new(&rules))
}

/// Rejects a record by other rules.
fn check<E: std::error::Error>(record: &MatchRecord, expected: RecordRules) -> Result<(), ReadError<E>> {
    if record.rules != expected {
        return Err(ReadError::Mixed { id: record.id.clone(), found: record.rules, expected });
    }
    if record.rules_edition != RULES_EDITION {
        return Err(ReadError::Edition { id: record.id.clone(), found: record.rules_edition });
    }
    Ok(())
}

impl<I, E> Iterator for Shards<I>
where
    I: Iterator<Item = Result<MatchRecord, E>>,
    E: std::error::Error,
{
    type Item = Result<Shard, ReadError<E>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let next = self.read().transpose();
        self.ended |= !matches!(next, Some(Ok(_)));
        next
    }
}

/// Returns the widths of the rows of an encoding: observation and mask.
pub(crate) fn widths(encoding: &Encoding) -> (usize, usize) {
    (encoding.len(), ActionTable::new(encoding.rules().set).len())
}
