//! Fits the network that the model of other seats adds to its values: stochastic gradient descent (Adam) on the log-likelihood of
//! choices. All arithmetic is the same on every machine.

use leyden_sample_bots::arithmetic::exp;
use leyden_sample_bots::dice::Dice;
use leyden_sample_bots::strong::network::{INPUTS, Network, UNITS, Units};

/// A choice: for each play that there was, its value by the model alone and the network's inputs; and which was taken.
pub(crate) struct Choice {
    pub(crate) plays: Vec<(f32, Vec<(usize, f32)>)>,
    pub(crate) taken: usize,
}

/// How often all choices are gone through, and how many make a step.
const PASSES: usize = 16;
const BATCH: usize = 128;
/// The length of a step, each until its number of passes is reached.
const RATES: [(usize, f32); 3] = [(10, 0.003), (14, 0.001), (PASSES, 0.000_3)];
const SHRINKAGE: f32 = 0.000_3;

/// All numbers of a network, in a row: the bias, the output, and the inputs.
const NUMBERS: usize = (2 + INPUTS) * UNITS;
const OUTPUT: usize = UNITS;
const INPUT: usize = 2 * UNITS;

pub(crate) fn fit(choices: &[Choice], dice: &mut Dice) -> Network {
    let mut numbers: Vec<f32> = (0..NUMBERS)
        .map(|i| match i {
            ..OUTPUT => 0.0,
            OUTPUT..INPUT => 0.1 * super::normal(dice),
            _ => 0.2 * super::normal(dice),
        })
        .collect();
    let (mut means, mut squares) = (vec![0.0_f32; NUMBERS], vec![0.0_f32; NUMBERS]);
    let (mut mean_left, mut square_left) = (1.0_f32, 1.0_f32);
    let mut order: Vec<usize> = (0..choices.len()).collect();
    for pass in 0..PASSES {
        let rate = RATES.iter().find(|(until, _)| pass < *until).map_or(0.0, |(_, rate)| *rate);
        dice.shuffle(&mut order);
        for batch in order.chunks_exact(BATCH) {
            let mut gradient = vec![0.0_f32; NUMBERS];
            for &choice in batch {
                add_gradient(&choices[choice], &numbers, &mut gradient);
            }
            mean_left *= 0.9;
            square_left *= 0.999;
            for i in 0..NUMBERS {
                let shrinking = if i < OUTPUT { 0.0 } else { SHRINKAGE * numbers[i] };
                let slope = gradient[i] / BATCH as f32 + shrinking;
                means[i] = 0.9 * means[i] + 0.1 * slope;
                squares[i] = 0.999 * squares[i] + 0.001 * slope * slope;
                let size = (squares[i] / (1.0 - square_left)).sqrt() + 1e-8;
                numbers[i] -= rate * means[i] / (1.0 - mean_left) / size;
            }
        }
    }
    let units = |row: usize| -> Units { std::array::from_fn(|unit| numbers[row * UNITS + unit]) };
    Network { bias: units(0), output: units(1), inputs: (2..2 + INPUTS).map(units).collect() }
}

/// The share of each play if one is chosen with a probability proportional to e to its value; and what its units get.
fn shares(choice: &Choice, numbers: &[f32]) -> (Vec<f32>, Vec<Units>) {
    let mut values = Vec::with_capacity(choice.plays.len());
    let mut all = Vec::with_capacity(choice.plays.len());
    for (value, inputs) in &choice.plays {
        let mut units: Units = std::array::from_fn(|unit| numbers[unit]);
        for &(input, amount) in inputs {
            let gets = &numbers[INPUT + input * UNITS..][..UNITS];
            units.iter_mut().zip(gets).for_each(|(unit, gets)| *unit += amount * gets);
        }
        let more = units.iter().zip(&numbers[OUTPUT..INPUT]).map(|(unit, output)| unit.max(0.0) * output);
        values.push(value + more.sum::<f32>());
        all.push(units);
    }
    let most = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let shares: Vec<f32> = values.into_iter().map(|value| exp(value - most)).collect();
    let sum: f32 = shares.iter().sum();
    (shares.into_iter().map(|share| share / sum).collect(), all)
}

fn add_gradient(choice: &Choice, numbers: &[f32], gradient: &mut [f32]) {
    let (shares, units) = shares(choice, numbers);
    for (play, ((_, inputs), (share, units))) in choice.plays.iter().zip(shares.iter().zip(units)).enumerate()
    {
        let off = if play == choice.taken { share - 1.0 } else { *share };
        let mut back = [0.0; UNITS];
        for unit in 0..UNITS {
            let off = if units[unit] > 0.0 { off } else { 0.0 };
            gradient[OUTPUT + unit] += off * units[unit];
            back[unit] = off * numbers[OUTPUT + unit];
            gradient[unit] += back[unit];
        }
        for &(input, amount) in inputs {
            let slopes = &mut gradient[INPUT + input * UNITS..][..UNITS];
            slopes.iter_mut().zip(back).for_each(|(slope, back)| *slope += amount * back);
        }
    }
}

/// The mean log-likelihood of choices, without and with the network.
pub(crate) fn log_likelihood(choices: &[Choice], network: &Network) -> [f64; 2] {
    let rows = [&network.bias, &network.output].into_iter().chain(network.inputs.iter());
    let numbers: Vec<f32> = rows.flatten().copied().collect();
    [vec![0.0; NUMBERS], numbers].map(|numbers| {
        let all = choices.iter().map(|choice| f64::from(shares(choice, &numbers).0[choice.taken]).ln());
        all.sum::<f64>() / choices.len() as f64
    })
}
