//! Analyses many matches on all cores, unless an analysis of a match is kept.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use super::cache::AnalysisCache;
use super::evaluator::analyse;
use super::values::AnalysedMatch;
use crate::rerun::{RecordedMatch, RerunError};

/// Analyses matches on this many threads, in this order. Calls `done` with the number of those that are finished.
///
/// ```no_run
/// use leyden_arena::analyse::analyse_all;
/// use leyden_arena::record::source::RecordSource;
/// use leyden_arena::rerun::RecordedMatch;
///
/// let mut source = RecordSource::open("results.db".as_ref())?;
/// let records = source.records().collect::<Result<Vec<_>, _>>()?;
/// let matches: Vec<_> = records.into_iter().map(|record| RecordedMatch::new(record, None)).collect();
/// for analysed in analyse_all(&matches, 2, None, &|done| println!("{done} of {}", matches.len()))? {
///     println!("{}: {} decisions", analysed.id, analysed.decisions.len());
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn analyse_all(
    matches: &[RecordedMatch],
    threads: usize,
    cache: Option<&mut AnalysisCache>,
    done: &(dyn Fn(usize) + Sync),
) -> Result<Vec<AnalysedMatch>, RerunError> {
    let (next, finished) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let results = Mutex::new(Vec::new());
    let kept = cache.as_deref();
    let work = || {
        while let Some((index, recorded)) =
            Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|index| Some((index, matches.get(index)?)))
        {
            let found = kept.and_then(|cache| cache.find(recorded));
            let is_new = found.is_none();
            let analysed = found.map_or_else(|| analyse(recorded), Ok);
            done(finished.fetch_add(1, Ordering::Relaxed) + 1);
            let mut results = results.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            results.push((index, is_new, analysed));
        }
    };
    thread::scope(|scope| {
        for _ in 0..threads.clamp(1, matches.len().max(1)) {
            scope.spawn(work);
        }
    });
    let mut results = results.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    results.sort_by_key(|(index, ..)| *index);
    let mut cache = cache;
    let analysed = results.into_iter().map(|(index, is_new, analysed)| {
        let analysed = analysed?;
        if let Some(cache) = cache.as_deref_mut().filter(|_| is_new) {
            cache.add(matches[index].record(), &analysed);
        }
        Ok(analysed)
    });
    analysed.collect()
}
