//! Bots compared with one another, with the starters and with the sample bots.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::Serialize;

use super::tokens;
use super::winnowing::{self, Fingerprint};
use crate::roster::{Competitor, SourceText, sources};
use crate::starter;
use leyden_language::numbers;
use leyden_model::words::counted;

/// From this share of the shorter text on, two bots are in one cluster.
pub const CLUSTER: f64 = 0.5;

/// The least share that a pair is listed for.
const LISTED: f64 = 0.2;

/// Fewer fingerprints than this say nothing.
const FEWEST: usize = 8;

/// What more bots than this have in common, and more than a third of all, is how the task is solved.
const MANY: usize = 10;

/// From this share on, a bot is called a sample bot's.
const OF_SAMPLE: f64 = 0.4;

/// The most passages of a pair, and the most own lines of a sample's bot.
const SHOWN: usize = 40;

/// Passages of a pair that are this many lines apart are one.
const APART: u32 = 3;

/// What bots have in common.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(title = "What bots have in common")]
pub struct Likeness {
    /// The version of this format: 1.
    pub v: u32,
    /// The bots that were compared.
    pub bots: Vec<String>,
    /// Bots without enough source text in a language that is read.
    pub unread: Vec<String>,
    /// Groups of bots, each joined to another one by half or more of the shorter text.
    pub clusters: Vec<Vec<String>>,
    /// The most alike first.
    pub pairs: Vec<LikePair>,
    /// Bots that are made from a sample bot.
    pub samples: Vec<SampleCopy>,
}

/// Two bots with something in common.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct LikePair {
    pub first: String,
    pub second: String,
    /// The share of the first one's fingerprints that the second one has, 0..=1.
    pub of_first: f64,
    /// The share of the second one's fingerprints that the first one has, 0..=1.
    pub of_second: f64,
    /// The longest first; at most 40.
    pub passages: Vec<Passage>,
}

impl LikePair {
    /// The share of the shorter text, 0..=1.
    pub fn measure(&self) -> f64 {
        self.of_first.max(self.of_second)
    }
}

/// A passage that both have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Passage {
    pub first: Lines,
    pub second: Lines,
}

/// Lines of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Lines {
    pub file: String,
    /// The first line, from 1.
    pub from: u32,
    /// The last line, from 1.
    pub to: u32,
    pub text: String,
}

/// A bot that is made from a sample bot.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SampleCopy {
    pub bot: String,
    pub sample: String,
    /// The share of the bot's fingerprints that the sample has, 0..=1.
    pub share: f64,
    /// Its lines that the sample does not have, at most 40.
    pub own: Vec<String>,
    /// How many lines of its own it has, listed or not.
    pub own_lines: u64,
}

/// The source text of a bot, with its fingerprints.
struct BotSource {
    name: String,
    sources: Vec<SourceText>,
    /// By file.
    prints: Vec<Vec<Fingerprint>>,
}

impl BotSource {
    fn new(name: String, sources: Vec<SourceText>) -> Self {
        let prints = |source: &SourceText| {
            tokens::tokenize(&source.file, &source.text).map(|all| winnowing::fingerprints(&all))
        };
        let (sources, prints) =
            sources.into_iter().filter_map(|source| prints(&source).map(|prints| (source, prints))).unzip();
        Self { name, sources, prints }
    }

    fn hashes(&self) -> BTreeSet<u64> {
        self.prints.iter().flatten().map(|print| print.hash).collect()
    }

    /// Leaves out what is no work of the bot's author.
    fn without(&mut self, others: &BTreeSet<u64>) {
        for prints in &mut self.prints {
            prints.retain(|print| !others.contains(&print.hash));
        }
    }

    fn lines(&self, file: usize, from: u32, to: u32) -> Lines {
        let source = &self.sources[file];
        let text = source.text.lines().skip(from.saturating_sub(1) as usize).take((to + 1 - from) as usize);
        Lines { file: source.file.clone(), from, to, text: text.collect::<Vec<_>>().join("\n") }
    }
}

/// Compares bots. Reads only their source text; runs nothing.
///
/// ```no_run
/// use leyden_arena::{likeness, roster};
///
/// let found = roster::find(&["submissions".to_owned()], "target/release/leyden".as_ref())?;
/// for pair in likeness::compare(&found.bots).pairs {
///     println!("{} and {}: {:.0} % of the shorter text", pair.first, pair.second, 100.0 * pair.measure());
/// }
/// # Ok::<(), roster::BotLookupError>(())
/// ```
pub fn compare(bots: &[Competitor]) -> Likeness {
    let starters = starter_prints();
    let mut samples: Vec<BotSource> = leyden_sample_bots::SOURCES
        .iter()
        .map(|(name, file, text)| {
            let source = SourceText { file: (*file).to_owned(), text: (*text).to_owned() };
            BotSource::new((*name).to_owned(), vec![source])
        })
        .collect();
    for sample in &mut samples {
        sample.without(&starters);
    }
    let (mut read, mut unread, mut of_samples) = (Vec::new(), Vec::new(), Vec::new());
    let of_all_samples: BTreeSet<u64> = samples.iter().flat_map(BotSource::hashes).collect();
    for bot in bots {
        let mut own = BotSource::new(bot.name.clone(), sources(bot));
        own.without(&starters);
        of_samples.extend(find_sample(&own, &samples));
        own.without(&of_all_samples);
        if own.hashes().len() < FEWEST { unread.push(own.name) } else { read.push(own) }
    }
    leave_out_what_many_have(&mut read);
    let mut pairs = pairs(&read);
    pairs.sort_by(|one, other| other.measure().total_cmp(&one.measure()));
    Likeness {
        v: 1,
        bots: bots.iter().map(|bot| bot.name.clone()).collect(),
        unread,
        clusters: clusters(&pairs),
        pairs,
        samples: of_samples,
    }
}

/// The names of bots that are hardly more than a starter: with its text, and too little of their own to be compared.
pub fn starter_copies(bots: &[Competitor]) -> Vec<String> {
    let starters = starter_prints();
    let is_like = |bot: &&Competitor| {
        let hashes = BotSource::new(bot.name.clone(), sources(bot)).hashes();
        let own = hashes.difference(&starters).count();
        own < FEWEST && hashes.len() - own >= FEWEST
    };
    bots.iter().filter(is_like).map(|bot| bot.name.clone()).collect()
}

/// The fingerprints of every starter.
fn starter_prints() -> BTreeSet<u64> {
    let files = starter::ALL.iter().flat_map(|template| template.files);
    let prints =
        files.filter_map(|(file, text)| Some(winnowing::fingerprints(&tokens::tokenize(file, text)?)));
    prints.flatten().map(|print| print.hash).collect()
}

/// Returns the sample bot that a bot is made from, if there is one.
fn find_sample(own: &BotSource, samples: &[BotSource]) -> Option<SampleCopy> {
    let hashes = own.hashes();
    let share = |sample: &BotSource| {
        let shared = sample.hashes().intersection(&hashes).count();
        (hashes.len() >= FEWEST).then(|| shared as f64 / hashes.len() as f64)
    };
    let best = samples.iter().filter_map(|sample| Some((share(sample)?, sample)));
    let (share, sample) =
        best.max_by(|one, other| one.0.total_cmp(&other.0)).filter(|(share, _)| *share >= OF_SAMPLE)?;
    let known: BTreeSet<&str> =
        sample.sources.iter().flat_map(|source| source.text.lines()).map(str::trim).collect();
    let lines = own.sources.iter().flat_map(|source| source.text.lines()).map(str::trim_end);
    let mut changed: Vec<String> =
        lines.filter(|line| !line.is_empty() && !known.contains(line.trim())).map(str::to_owned).collect();
    let own_lines = changed.len() as u64;
    changed.truncate(SHOWN);
    Some(SampleCopy { bot: own.name.clone(), sample: sample.name.clone(), share, own: changed, own_lines })
}

fn leave_out_what_many_have(read: &mut [BotSource]) {
    let mut having: BTreeMap<u64, usize> = BTreeMap::new();
    for bot in &*read {
        for hash in bot.hashes() {
            *having.entry(hash).or_default() += 1;
        }
    }
    let least = MANY.max(read.len() / 3);
    let many: BTreeSet<u64> =
        having.into_iter().filter(|(_, bots)| *bots > least).map(|(hash, _)| hash).collect();
    for bot in read {
        bot.without(&many);
    }
}

fn pairs(read: &[BotSource]) -> Vec<LikePair> {
    let hashes: Vec<BTreeSet<u64>> = read.iter().map(BotSource::hashes).collect();
    let mut shared: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    let mut having: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    for (bot, of_bot) in hashes.iter().enumerate() {
        for hash in of_bot {
            let others = having.entry(*hash).or_default();
            for other in &*others {
                *shared.entry((*other, bot)).or_default() += 1;
            }
            others.push(bot);
        }
    }
    let pair = |((one, two), count): ((usize, usize), usize)| {
        let share = |bot: usize| count as f64 / hashes[bot].len().max(1) as f64;
        let (of_first, of_second) = (share(one), share(two));
        let shorter = hashes[one].len().min(hashes[two].len());
        (shorter >= FEWEST && of_first.max(of_second) >= LISTED).then(|| LikePair {
            first: read[one].name.clone(),
            second: read[two].name.clone(),
            of_first,
            of_second,
            passages: passages(&read[one], &read[two]),
        })
    };
    shared.into_iter().filter_map(pair).collect()
}

/// The files and lines of a fingerprint that two bots share.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Common {
    files: (usize, usize),
    first: (u32, u32),
    second: (u32, u32),
}

fn passages(one: &BotSource, two: &BotSource) -> Vec<Passage> {
    let mut there: BTreeMap<u64, (usize, u32, u32)> = BTreeMap::new();
    for (file, print) in
        two.prints.iter().enumerate().flat_map(|(file, all)| all.iter().map(move |print| (file, print)))
    {
        there.entry(print.hash).or_insert((file, print.from, print.to));
    }
    let all =
        one.prints.iter().enumerate().flat_map(|(file, all)| all.iter().map(move |print| (file, print)));
    let common = all.filter_map(|(file, print)| {
        let (other, from, to) = *there.get(&print.hash)?;
        Some(Common { files: (file, other), first: (print.from, print.to), second: (from, to) })
    });
    let mut common: Vec<Common> = common.collect();
    common.sort_unstable();
    let mut joined: Vec<Common> = Vec::new();
    for next in common {
        let continues = |last: &Common| {
            let near =
                |last: (u32, u32), next: (u32, u32)| next.0 <= last.1 + APART && next.1 + APART >= last.0;
            last.files == next.files && near(last.first, next.first) && near(last.second, next.second)
        };
        match joined.last_mut().filter(|last| continues(last)) {
            Some(last) => {
                let over = |one: (u32, u32), two: (u32, u32)| (one.0.min(two.0), one.1.max(two.1));
                (last.first, last.second) = (over(last.first, next.first), over(last.second, next.second));
            }
            None => joined.push(next),
        }
    }
    joined.sort_by_key(|common| std::cmp::Reverse(common.first.1 - common.first.0));
    let passage = |Common { files, first, second }| Passage {
        first: one.lines(files.0, first.0, first.1),
        second: two.lines(files.1, second.0, second.1),
    };
    joined.into_iter().take(SHOWN).map(passage).collect()
}

/// Groups the bots that are joined by pairs from [`CLUSTER`] on, the largest group first.
fn clusters(pairs: &[LikePair]) -> Vec<Vec<String>> {
    let mut groups: Vec<BTreeSet<&str>> = Vec::new();
    for pair in pairs.iter().filter(|pair| pair.measure() >= CLUSTER) {
        let two = [pair.first.as_str(), pair.second.as_str()];
        let (mut joined, rest): (Vec<_>, Vec<_>) =
            groups.into_iter().partition(|group| two.iter().any(|name| group.contains(name)));
        joined.push(two.into());
        groups = rest;
        groups.push(joined.into_iter().flatten().collect());
    }
    groups.sort_by_key(|group| std::cmp::Reverse(group.len()));
    groups.into_iter().map(|group| group.into_iter().map(str::to_owned).collect()).collect()
}

/// Describes, in a few words, the sample bot that one bot is made from; `None` if there is none.
pub fn sample_note(bot: &Competitor) -> Option<String> {
    let SampleCopy { sample, share, own_lines, .. } = compare(std::slice::from_ref(bot)).samples.pop()?;
    let lines = counted(own_lines, "line is", "lines are");
    Some(format!("{} % of it is the sample bot {sample}; {lines} its own", numbers::percent(share, 0)))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;
    use crate::roster::find;

    const OWN: &str = "import json, sys\n\ndef weight(tile):\n    low, high = map(int, tile.split('-'))\n    return low + high\n\n\
        def choose(turn):\n    plays = [action for action in turn['legal'] if ':' in action]\n    best = None\n    for play in plays:\n\
        \x20       arm, rest = play.split(':')\n        if best is None or weight(rest) > weight(best.split(':')[1]):\n            best = play\n\
        \x20   if best is None and 'draw' in turn['legal']:\n        return 'draw'\n    while best is None:\n        best = turn['legal'][0]\n    return best\n";

    fn class(files: &[(&str, &str)]) -> Likeness {
        compare(&bots(files).1)
    }

    fn bots(files: &[(&str, &str)]) -> (tempfile::TempDir, Vec<Competitor>) {
        let temporary = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let folder = temporary.path().join(name);
            fs::create_dir(&folder).unwrap();
            fs::write(
                folder.join("bot.toml"),
                format!("name = {name:?}\ncommand = [\"python3\", \"bot.py\"]\n"),
            )
            .unwrap();
            fs::write(folder.join("bot.py"), text).unwrap();
        }
        let typed = [temporary.path().display().to_string()];
        let found = find(&typed, Path::new("/leyden")).unwrap().bots;
        (temporary, found)
    }

    #[test]
    fn bot_close_to_a_starter_is_recognised() {
        let mut files = starter::ALL.iter().flat_map(|template| template.files);
        let (_, starter) = files.find(|(file, _)| *file == "bot.py").unwrap();
        let changed = format!("{starter}\nMINE = 4711\n");
        let (_temporary, bots) =
            bots(&[("ann", starter), ("bob", &changed), ("cy", OWN), ("dan", "x = 1\n")]);
        assert_eq!(starter_copies(&bots), ["ann", "bob"]);
    }

    #[test]
    fn comparison_finds_renamed_commented_copies_and_nothing_else() {
        let copy = OWN.replace("weight", "heavy").replace("best", "chosen").replace("plays", "options");
        let copy = copy
            .replace("    low, high", "    # both halves\n    low, high")
            .replace("import json, sys", "import sys, json");
        let other = "import sys\n\nclass Player:\n    def __init__(self, seed):\n        self.seed = seed\n        self.seen = {}\n\n    def note(self, line):\n\
            \x20       for key, value in line.items():\n            self.seen.setdefault(key, []).append(value)\n        return len(self.seen)\n\n    def score(self):\n\
            \x20       total = 0\n        for values in self.seen.values():\n            total += sum(len(str(value)) for value in values)\n        return total % 97\n";
        let found = class(&[("ann", OWN), ("bob", &copy), ("cy", other)]);
        assert_eq!(found.clusters, [["ann", "bob"]]);
        let [pair] = &found.pairs[..] else { panic!("{found:?}") };
        assert!(pair.measure() > 0.8, "{pair:?}");
        let passage = &pair.passages[0];
        assert!(
            passage.first.text.contains("weight") && passage.second.text.contains("heavy"),
            "{passage:?}"
        );
        assert_eq!(found.samples, []);
    }

    #[test]
    fn sample_bot_is_recognised_with_its_changes() {
        let (_, _, sample) =
            leyden_sample_bots::SOURCES.iter().find(|(name, ..)| *name == "python-counter").unwrap();
        let changed = format!("{sample}\nMINE = 4711\n");
        let found = class(&[("ann", &changed), ("bob", sample)]);
        let samples: Vec<(&str, &str, u64)> =
            found.samples.iter().map(|of| (of.bot.as_str(), of.sample.as_str(), of.own_lines)).collect();
        assert_eq!(samples, [("ann", "python-counter", 1), ("bob", "python-counter", 0)]);
        assert_eq!(found.samples[0].own, ["MINE = 4711"]);
        // What both have from the sample is no likeness of the two.
        assert_eq!((found.pairs.len(), found.clusters.len()), (0, 0));
    }

    #[test]
    fn starter_is_no_likeness() {
        let starter = starter::PYTHON.files[0].1;
        let found = class(&[("ann", starter), ("bob", starter)]);
        assert_eq!(found.unread, ["ann", "bob"]);
        assert_eq!((found.pairs.len(), found.clusters.len(), found.samples.len()), (0, 0, 0));
    }
}
