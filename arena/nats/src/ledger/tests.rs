use super::*;

const PACE: BatchPolicy = BatchPolicy { lease: Duration::from_secs(30), batch: Duration::from_secs(10) };

fn name(text: &str) -> WorkerName {
    text.parse().unwrap()
}

/// A ledger with items 0 to `items` and these workers of one slot.
fn ledger(now: Instant, items: u64, workers: &[&str]) -> Ledger {
    let mut ledger = Ledger::new(PACE);
    (0..items).for_each(|item| ledger.add(item, Vec::new()));
    for worker in workers {
        assert!(ledger.join(now, &name(worker), "first", 1).is_empty());
    }
    ledger
}

fn orders(ledger: &mut Ledger, now: Instant) -> Vec<Assignment> {
    std::iter::from_fn(|| ledger.next(now, false).unwrap()).collect()
}

#[test]
fn worker_holds_a_current_and_a_waiting_batch() {
    let now = Instant::now();
    let mut ledger = ledger(now, 10, &["ann", "bob"]);
    let given = orders(&mut ledger, now);
    let to: Vec<&str> = given.iter().map(|assignment| assignment.worker.as_str()).collect();
    assert_eq!(to, ["ann", "bob", "ann", "bob"]);
    let items: Vec<u64> = given.iter().flat_map(|assignment| assignment.items.clone()).collect();
    assert_eq!(items, [0, 1, 2, 3]);
}

#[test]
fn batches_grow_to_target_time_but_end_small() {
    let mut now = Instant::now();
    let mut ledger = ledger(now, 1_000, &["ann", "bob"]);
    let mut sizes = Vec::new();
    loop {
        let given = orders(&mut ledger, now);
        if given.is_empty() {
            break;
        }
        for assignment in given {
            now += Duration::from_millis(100) * assignment.items.len() as u32;
            sizes.push(assignment.items.len());
            assert!(ledger.done(now, assignment.batch, &assignment.items, true));
        }
    }
    assert!(sizes.windows(3).all(|w| w[2] <= w[0].max(w[1]) * 4), "{sizes:?}");
    assert_eq!(sizes.iter().sum::<usize>(), 1_000, "{sizes:?}");
    assert!((50..=100).contains(sizes.iter().max().unwrap()), "ten seconds of work: {sizes:?}");
    assert_eq!(sizes.last(), Some(&1), "the last one is small: {sizes:?}");

    (0..3).for_each(|item| ledger.add(item, Vec::new()));
    assert!(ledger.next(now, true).unwrap().is_none(), "more items may come");
    let sizes: Vec<usize> =
        orders(&mut ledger, now).iter().map(|assignment| assignment.items.len()).collect();
    assert_eq!(sizes, [1, 1, 1]);
}

#[test]
fn result_counts_once_with_right_worker_and_secret() {
    let now = Instant::now();
    let mut ledger = ledger(now, 1, &["ann", "bob"]);
    let assignment = orders(&mut ledger, now).remove(0);
    let (ann, bob) = (name("ann"), name("bob"));
    assert_eq!(ledger.admit(&bob, assignment.batch, &assignment.secret), Err(AdmissionError::Foreign));
    assert_eq!(ledger.admit(&ann, assignment.batch, &Secret::shown("guessed")), Err(AdmissionError::Forged));
    assert_eq!(ledger.admit(&ann, assignment.batch, &assignment.secret), Ok(vec![0]));
    assert!(ledger.done(now, assignment.batch, &[0], true));
    assert_eq!(ledger.admit(&ann, assignment.batch, &assignment.secret), Err(AdmissionError::NotUnderWay));
    assert!(ledger.is_idle());
}

#[test]
fn silent_worker_loses_its_batches_and_late_result() {
    let start = Instant::now();
    let mut ledger = ledger(start, 1, &["ann", "bob"]);
    let old = orders(&mut ledger, start).remove(0);
    let late = start + PACE.lease + Duration::from_secs(1);
    assert_eq!(ledger.heartbeat(late, &name("bob"), &[], false), (vec![], vec![]));
    assert_eq!(ledger.sweep(late), (vec![name("ann")], vec![(name("ann"), old.batch)]));
    let new = orders(&mut ledger, late).remove(0);
    assert_eq!((new.worker.as_str(), &new.items), ("bob", &old.items));
    assert_eq!(ledger.admit(&old.worker, old.batch, &old.secret), Err(AdmissionError::NotUnderWay));
    assert!(ledger.join(late, &name("ann"), "first", 1).is_empty());
    assert_eq!(ledger.heartbeat(late, &name("ann"), &[old.batch], false), (vec![old.batch], vec![]));
}

#[test]
fn undelivered_batch_is_reissued_after_its_lease() {
    let start = Instant::now();
    let mut ledger = ledger(start, 2, &["ann"]);
    let given = orders(&mut ledger, start);
    let mut now = start;
    while now <= start + PACE.lease {
        now += PACE.lease / 3;
        ledger.heartbeat(now, &name("ann"), &[given[0].batch], false);
    }
    assert_eq!(ledger.sweep(now), (vec![], vec![(name("ann"), given[1].batch)]));
    assert_eq!(orders(&mut ledger, now)[0].items, given[1].items);
}

#[test]
fn second_process_of_a_name_replaces_the_first() {
    let now = Instant::now();
    let mut ledger = ledger(now, 1, &["ann"]);
    let given = orders(&mut ledger, now).remove(0);
    assert!(ledger.join(now, &name("ann"), "first", 1).is_empty(), "the same process");
    assert_eq!(ledger.join(now, &name("ann"), "second", 1), [given.batch]);
    assert_eq!(orders(&mut ledger, now)[0].items, given.items);
}

#[test]
fn leaving_worker_hands_back_its_unstarted_batches() {
    let now = Instant::now();
    let mut ledger = ledger(now, 4, &["ann"]);
    let given = orders(&mut ledger, now);
    assert_eq!(ledger.heartbeat(now, &name("ann"), &[given[0].batch], true), (vec![], vec![given[1].batch]));
    assert!(ledger.next(now, false).unwrap().is_none(), "it is leaving");
    ledger.join(now, &name("bob"), "first", 1);
    let items: Vec<u64> =
        orders(&mut ledger, now).iter().flat_map(|assignment| assignment.items.clone()).collect();
    assert_eq!(items, [1, 2]);
}

#[test]
fn worker_gets_no_item_whose_needs_it_lacks() {
    let now = Instant::now();
    let mut ledger = Ledger::new(PACE);
    ledger.add(0, vec!["python".to_owned()]);
    ledger.add(1, vec!["shell".to_owned()]);
    ledger.join(now, &name("ann"), "first", 1);
    let first = ledger.next(now, false).unwrap().unwrap();
    assert_eq!(first.items, [0]);
    ledger.lacks(first.batch, "python", "no python3 here");
    assert_eq!(orders(&mut ledger, now)[0].items, [1]);
    assert_eq!(ledger.unplayable().into_values().collect::<Vec<_>>(), ["no python3 here"]);
    ledger.join(now, &name("bob"), "first", 1);
    assert!(ledger.unplayable().is_empty());
    let next = ledger.next(now, false).unwrap().unwrap();
    assert_eq!((next.worker, next.items), (name("bob"), vec![0]));
}

#[test]
fn item_lost_repeatedly_with_workers_is_abandoned() {
    let now = Instant::now();
    let mut ledger = ledger(now, 1, &[]);
    for process in 0..=MAX_LOSSES {
        ledger.join(now, &name("ann"), &process.to_string(), 1);
        assert_eq!(orders(&mut ledger, now).len(), 1, "{process}");
    }
    ledger.leave(&name("ann"));
    assert_eq!(ledger.abandoned(), [0]);
    assert!(ledger.is_idle());
}

#[test]
fn worker_keeps_its_lease_after_a_server_outage() {
    let start = Instant::now();
    let mut ledger = ledger(start, 1, &["ann"]);
    orders(&mut ledger, start);
    let late = start + 10 * PACE.lease;
    ledger.restart_leases(late);
    assert_eq!(ledger.sweep(late), (vec![], vec![]));
}

#[test]
fn leases_restart_after_the_coordinator_stood_still() {
    let start = Instant::now();
    let mut ledger = ledger(start, 1, &["ann"]);
    let given = orders(&mut ledger, start).remove(0);
    assert_eq!(ledger.sweep(start), (vec![], vec![]));
    let late = start + 10 * PACE.lease;
    assert_eq!(ledger.sweep(late), (vec![], vec![]));
    assert_eq!(ledger.admit(&given.worker, given.batch, &given.secret), Ok(vec![0]), "it was sent in time");
    let quarter = PACE.lease / 4;
    for beat in 1..=4_u32 {
        assert_eq!(ledger.sweep(late + beat * quarter), (vec![], vec![]));
    }
    assert_eq!(ledger.sweep(late + 5 * quarter), (vec![name("ann")], vec![(name("ann"), given.batch)]));
}

#[test]
fn items_are_taken_unless_a_worker_has_them() {
    let now = Instant::now();
    let mut ledger = ledger(now, 9, &["ann"]);
    let given: Vec<u64> = orders(&mut ledger, now).iter().flat_map(|one| one.items.clone()).collect();
    let taken: Vec<u64> = (0..10).filter(|item| ledger.take_back(*item)).collect();
    assert!(!given.is_empty() && !taken.is_empty());
    assert_eq!(taken, (0..9).filter(|item| !given.contains(item)).collect::<Vec<_>>());
    assert_eq!(ledger.next(now, false).unwrap().map(|one| one.items), None);
}

#[test]
fn stopping_returns_the_batches_under_way() {
    let now = Instant::now();
    let mut ledger = ledger(now, 3, &["ann"]);
    let given = orders(&mut ledger, now);
    let expected: Vec<_> = given.iter().map(|assignment| (name("ann"), assignment.batch)).collect();
    assert_eq!(ledger.stop(), expected);
    assert!(ledger.is_idle());
}

#[test]
fn troubled_worker_rests_longer_each_time_without_losses() {
    let mut now = Instant::now();
    let mut ledger = ledger(now, 1, &["ann"]);
    for times in 1..=6 {
        let given = orders(&mut ledger, now);
        assert_eq!(given.len(), 1, "{times}");
        assert_eq!(ledger.trouble(now, &name("ann"), given[0].batch, false), times);
        let rest = Duration::from_secs(1) * 2_u32.pow(times - 1);
        assert!(orders(&mut ledger, now + rest / 2).is_empty(), "{times}");
        now += rest;
    }
    assert!(ledger.abandoned().is_empty());
    let given = orders(&mut ledger, now);
    assert!(ledger.done(now, given[0].batch, &[0], true));
    // Success resets the count.
    ledger.add(1, Vec::new());
    let given = orders(&mut ledger, now);
    assert_eq!(ledger.trouble(now, &name("ann"), given[0].batch, false), 1);
    assert!(ledger.dismiss(&name("ann")).is_empty());
    assert!(ledger.abandoned().is_empty() && !ledger.is_idle());
}
