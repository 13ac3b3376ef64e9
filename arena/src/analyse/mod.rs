//! What each decision of a recorded match was worth, by the evaluation of the bot `strong` and from what the seat could know: what it
//! gave away in points and in the chance to win, with the error of the estimate, and what another bot would have done.

mod alternative_bot;
mod cache;
pub mod csv;
mod evaluator;
mod kind;
mod many_matches;
mod match_mean;
mod sample;
mod summary;
#[cfg(test)]
mod tests;
mod values;

pub use alternative_bot::{AlternativeBot, AlternativeChoice, ask_alternative};
pub use cache::{AnalysisCache, kept_analysis};
pub use evaluator::{DecisionEvaluator, analyse};
pub use many_matches::analyse_all;
pub use match_mean::MatchMean;
pub use sample::{Sample, SampleSize};
pub use summary::{Analysis, BotAnalysis, WorstDecision};
pub use values::{
    AnalysedMatch, BlunderKind, EVALUATION_VERSION, Estimate, EvaluatedAction, EvaluatedDecision, Loss,
};
