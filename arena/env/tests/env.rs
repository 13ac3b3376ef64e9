//! Environments follow the rules, from a seed, and show a seat nothing that it may not know.

use leyden_env::{ActionTable, Batch, Encoding, Env, EnvError, RewardKind, Vector};
use leyden_model::TournamentSeed;
use leyden_protocol::{Action, HistoryEntry, Seat, Tile, TileSet};
use leyden_rules::{Deck, Match, Round, Rules};
use leyden_sample_bots::dice::Dice;

/// Every rule set, and Matador with every set at its smallest and largest table.
const TABLES: [(&str, usize, u8); 11] = [
    ("leyden", 2, 6),
    ("leyden-cross", 2, 6),
    ("leiden", 2, 6),
    ("senst", 2, 6),
    ("leyden-free", 2, 6),
    ("matador", 2, 6),
    ("matador", 4, 6),
    ("matador", 2, 9),
    ("matador", 6, 9),
    ("matador", 2, 12),
    ("matador", 8, 12),
];

fn rules((name, seats, top): (&str, usize, u8)) -> Rules {
    EnvError::rules(name, seats, top, Some(60)).unwrap()
}

fn env(rules: &Rules, reward: RewardKind, text: &str) -> Env {
    Env::new(rules, reward, TournamentSeed::from_text(text), 0, 1)
}

/// Returns the observation and the mask of a seat.
fn seen(game: &Match, seat: Seat) -> Option<Vec<u8>> {
    let rules = game.rules();
    let (encoding, actions, mut legal) = (Encoding::new(rules), ActionTable::new(rules.set), Vec::new());
    let mut bytes = vec![0; encoding.len() + actions.len()];
    let view = game.view(seat, &mut legal)?;
    let (observation, mask) = bytes.split_at_mut(encoding.len());
    encoding.write(&view, observation);
    actions.write_mask(&view.legal, mask);
    Some(bytes)
}

/// Shuffles the tiles of a deck that a seat cannot see now.
fn reshuffled(deck: &Deck, round: &Round, viewer: Seat, dice: &mut Dice) -> Deck {
    let mut hidden: TileSet = round.boneyard().iter().copied().collect();
    for (seat, hand) in round.hands().iter().filter(|&(seat, _)| seat != viewer) {
        debug_assert_ne!(seat, viewer);
        hidden = hidden.union(*hand);
    }
    let mut tiles = deck.tiles().to_vec();
    let indices: Vec<usize> = (0..tiles.len()).filter(|&index| hidden.contains(tiles[index])).collect();
    for last in (1..indices.len()).rev() {
        tiles.swap(indices[last], indices[dice.below(last + 1)]);
    }
    Deck::new(deck.set(), &tiles).unwrap()
}

/// Plays the same actions on another deck; `None` if somebody could not have done the same.
fn replayed(start: &Match, deck: &Deck, entries: &[HistoryEntry]) -> Option<Match> {
    let mut game = start.clone();
    game.deal(deck);
    for entry in entries {
        if game.round()?.to_act()? != entry.seat {
            return None;
        }
        game.apply(entry.event.into()).ok()?;
    }
    game.round()?.to_act().map(|_| game)
}

#[test]
fn hidden_tile_changes_no_byte() {
    for table in TABLES {
        let rules = rules(table);
        let (mut dice, mut compared) = (Dice::seeded(31), 0);
        for number in 0..6_u64 {
            let mut game = Match::new(&rules);
            while game.finish().is_none() {
                let start = game.clone();
                let deck = leyden_sample_bots::table::shuffled(&rules, number, game.deal_number());
                game.deal(&deck);
                while let Some((round, to_act)) =
                    game.round().and_then(|round| Some((round, round.to_act()?)))
                {
                    for viewer in rules.seats.iter() {
                        let other = reshuffled(&deck, round, viewer, &mut dice);
                        let Some(other) = replayed(&start, &other, game.entries()) else { continue };
                        if other.round().and_then(Round::to_act) == Some(to_act) {
                            assert!(seen(&other, viewer) == seen(&game, viewer), "{table:?}, {viewer:?}");
                            compared += 1;
                        }
                    }
                    let legal = round.legal();
                    let action = legal.nth(dice.below(legal.len())).unwrap();
                    game.apply(action).unwrap();
                }
                game.settle();
            }
        }
        assert!(compared > 100, "too few comparisons: {compared} at {table:?}");
    }
}

#[test]
fn hand_field_marks_exactly_the_tiles_held() {
    for table in TABLES {
        let rules = rules(table);
        let env = env(&rules, RewardKind::Match, "hands");
        let game = env.game();
        let hand = Encoding::new(&rules).fields().iter().find(|field| field.name == "hand").unwrap().offset;
        for (seat, held) in game.round().unwrap().hands().iter() {
            let Some(bytes) = seen(game, seat) else { panic!("{table:?}, {seat:?}: nothing is seen") };
            let marked = rules.set.tiles().iter().zip(&bytes[hand..]).filter(|&(_, &byte)| byte == 1);
            assert!(marked.map(|(tile, _)| tile).eq(held.iter()), "{table:?}, {seat:?}");
        }
    }
}

#[test]
fn fields_of_an_observation_follow_each_other() {
    for table in TABLES {
        let encoding = Encoding::new(&rules(table));
        let mut next = 0;
        for field in encoding.fields() {
            assert_eq!(field.offset, next, "{}", field.name);
            next += field.shape.iter().product::<usize>();
        }
        assert_eq!(next, encoding.len());
    }
    assert_eq!(Encoding::new(&rules(TABLES[0])).len(), 136);
}

/// Plays a match at random; returns its actions and the sum of what each seat got.
fn play(env: &mut Env, seed: u64) -> (Vec<Action>, Vec<f32>) {
    let (mut dice, mut actions) = (Dice::seeded(seed), Vec::new());
    let mut sums = vec![0.0; env.rules().seats.count()];
    while env.to_act().is_some() {
        let action = env.legal()[dice.below(env.legal().len())];
        assert!(env.legal().len() > 1, "asked without a choice");
        let rewards = env.step(action).unwrap();
        for (sum, reward) in sums.iter_mut().zip(rewards.as_slice()) {
            *sum += reward;
        }
        actions.push(action);
    }
    (actions, sums)
}

#[test]
fn seed_gives_the_same_match() {
    for table in TABLES {
        let rules = rules(table);
        let mut one = env(&rules, RewardKind::Points, "same");
        let first = play(&mut one, 5);
        assert_eq!(first, play(&mut env(&rules, RewardKind::Points, "same"), 5));
        one.next_match();
        assert_ne!(first, play(&mut one, 5));
    }
}

#[test]
fn rewards_are_advantages_and_results() {
    for table in TABLES {
        let rules = rules(table);
        let mut points = env(&rules, RewardKind::Points, "rewards");
        let (_, sums) = play(&mut points, 9);
        assert!(sums.iter().sum::<f32>().abs() < 1e-3, "{sums:?}");
        let scores = points.game().scores().as_slice();
        let sign = if rules.better == leyden_protocol::WinningScore::Lower { -1.0 } else { 1.0 };
        let others = (scores.len() - 1) as f32;
        let advantage = |own: u32| sign * (own as f32 - (scores.iter().sum::<u32>() - own) as f32 / others);
        for (sum, &score) in sums.iter().zip(scores) {
            assert!((sum - advantage(score)).abs() < 1e-2, "{sums:?} of {scores:?}");
        }
        let mut results = env(&rules, RewardKind::Match, "rewards");
        let (_, sums) = play(&mut results, 9);
        for (seat, sum) in rules.seats.iter().zip(sums) {
            let expected = match results.game().leading() {
                None => 0.0,
                Some(winner) if winner == seat => 1.0,
                Some(_) => -1.0,
            };
            assert!((sum - expected).abs() < f32::EPSILON);
        }
    }
}

/// Arrays for a vector.
struct Arrays {
    observation: Vec<u8>,
    mask: Vec<u8>,
    reward: Vec<f32>,
    done: Vec<u8>,
    seat: Vec<u8>,
}

impl Arrays {
    fn from_vector(vector: &Vector) -> Self {
        let n = vector.len();
        Self {
            observation: vec![9; n * vector.encoding().len()],
            mask: vec![9; n * vector.actions().len()],
            reward: vec![9.0; n * vector.rewards()],
            done: vec![9; n],
            seat: vec![9; n],
        }
    }

    fn batch(&mut self) -> Batch<'_> {
        Batch {
            observation: &mut self.observation,
            mask: &mut self.mask,
            reward: &mut self.reward,
            done: &mut self.done,
            seat: &mut self.seat,
        }
    }

    /// Returns the first legal action of each row, of those from `n` on.
    fn legal(&self, rows: usize, dice: &mut Dice) -> Vec<i64> {
        let choices = |mask: &[u8]| -> Vec<i64> {
            (0..mask.len() as i64).filter(|&number| mask[number as usize] == 1).collect()
        };
        let masks = self.mask.chunks(self.mask.len() / rows);
        masks.map(choices).map(|legal| legal[dice.below(legal.len())]).collect()
    }
}

fn vector(rules: &Rules, threads: usize) -> Vector {
    let seed = TournamentSeed::from_text("vector");
    let env = |n| Env::new(rules, RewardKind::Points, seed, n, 5);
    Vector::new((0..5).map(env), Encoding::new(rules), threads)
}

#[test]
fn threads_change_nothing() {
    let rules = rules(TABLES[0]);
    let mut histories = Vec::new();
    for threads in [1, 2, 3, 9] {
        let mut vector = vector(&rules, threads);
        let mut arrays = Arrays::from_vector(&vector);
        vector.observe(arrays.batch());
        let (mut dice, mut history, mut matches) = (Dice::seeded(1), Vec::new(), 0);
        for _ in 0..400 {
            let chosen = arrays.legal(5, &mut dice);
            vector.step(&chosen, arrays.batch()).unwrap();
            matches += arrays.done.iter().map(|&done| usize::from(done)).sum::<usize>();
            history.push((chosen, arrays.observation.clone(), arrays.reward.clone(), arrays.seat.clone()));
        }
        assert!(matches > 5, "matches end and others begin: {matches}");
        histories.push(history);
    }
    assert!(histories.iter().all(|history| *history == histories[0]));
}

#[test]
fn illegal_action_changes_no_environment() {
    let rules = rules(TABLES[0]);
    let mut vector = vector(&rules, 2);
    let mut arrays = Arrays::from_vector(&vector);
    vector.observe(arrays.batch());
    let before = (arrays.observation.clone(), arrays.mask.clone());
    let mut chosen = arrays.legal(5, &mut Dice::seeded(1));
    chosen[4] = 216;
    let refused = vector.step(&chosen, arrays.batch()).unwrap_err().to_string();
    assert!(refused.starts_with("pass (number 216) is not legal in environment 4; legal are "), "{refused}");
    chosen[4] = 218;
    let refused = vector.step(&chosen, arrays.batch()).unwrap_err().to_string();
    assert_eq!(refused, "expected an action from 0 to 217, got 218 for environment 4");
    vector.observe(arrays.batch());
    assert!(before == (arrays.observation, arrays.mask));
}

#[test]
fn learner_is_asked_in_every_seat() {
    let rules = rules(("matador", 3, 6));
    let seed = TournamentSeed::from_text("learner");
    let others = || {
        let other = || leyden_sample_bots::strategy("greedy", &[""; 0]).unwrap();
        vec![other(), other()]
    };
    let envs = (0..4).map(|n| (Env::new(&rules, RewardKind::Match, seed, n, 4), others()));
    let mut vector = Vector::learning(envs, Encoding::new(&rules), 1).unwrap();
    let mut arrays = Arrays::from_vector(&vector);
    vector.observe(arrays.batch());
    let (mut dice, mut seats, mut sum) = (Dice::seeded(1), [0; 3], 0.0);
    for _ in 0..600 {
        for &seat in &arrays.seat {
            seats[usize::from(seat)] += 1;
        }
        let chosen = arrays.legal(4, &mut dice);
        vector.step(&chosen, arrays.batch()).unwrap();
        sum += arrays.reward.iter().sum::<f32>();
    }
    assert!(seats.iter().all(|&times| times > 50), "{seats:?}");
    assert!(sum < 0.0, "greedy beats one that plays at random: {sum}");
}

#[test]
fn tile_in_hand_is_marked_at_its_index() {
    let rules = rules(TABLES[6]);
    let env = env(&rules, RewardKind::Match, "place");
    let seat = env.to_act().unwrap();
    let bytes = seen(env.game(), seat).unwrap();
    let hand = env.game().round().unwrap().hand(seat);
    let marked: Vec<Tile> =
        rules.set.tiles().iter().zip(&bytes).filter(|&(_, &mark)| mark == 1).map(|(tile, _)| tile).collect();
    assert_eq!(marked, hand.iter().collect::<Vec<_>>());
}
