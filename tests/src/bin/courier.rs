//! A bot that tries to pass one bit of each deal to its process in the next leg: `courier ROAD`. In seat 0, which is its seat in
//! leg 0 if it is named first, it sends; in seat 1 it hears. It plays the first legal action, and says in a note what it sent or
//! heard.

use std::io::{self, BufRead, Write};
use std::mem::MaybeUninit;
use std::ptr;
use std::thread::sleep;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

/// How long a leg may take to end after the moment that says the bit.
const MOMENT: Duration = Duration::from_millis(6);

/// The threads that wait for a word, and those that keep the processors busy afterwards.
const WAITERS: usize = 8;
const BUSY: usize = 4;

/// A road for a bit.
#[derive(Clone, Copy)]
enum Road {
    /// The moment at which a leg ends: in which half of this period.
    Clock(Duration),
    /// Threads that wait for a word of a file that both processes map, in a process that does not leave when it should.
    Futex,
    /// The next number of a pipe.
    Number,
    /// Pending signals, which the kernel counts for each user.
    Signals,
}

fn main() {
    let word = std::env::args().nth(1).unwrap_or_default();
    let road = match &*word {
        "clock" => {
            let period =
                std::env::args().nth(2).and_then(|word| word.parse().ok()).expect("a period in milliseconds");
            Road::Clock(Duration::from_millis(period))
        }
        "futex" => Road::Futex,
        "number" => Road::Number,
        "signals" => Road::Signals,
        _ => panic!("no such road: {word:?}"),
    };
    let (mut seat, mut bit, mut note) = (0, 0, String::new());
    for line in io::stdin().lock().lines().map_while(Result::ok) {
        let Ok(message) = serde_json::from_str::<Value>(&line) else { continue };
        match message["type"].as_str() {
            Some("hello") => say(&json!({"type": "ready", "protocol": "1.0", "name": "courier"})),
            Some("match_start") => {
                seat = message["seat"].as_u64().unwrap_or(0);
                bit = message["bot_seed"].as_u64().unwrap_or(0) >> 20 & 1;
                note = if seat == 0 {
                    send(road, bit);
                    format!("sent {bit}")
                } else {
                    format!("heard {}", hear(road))
                };
            }
            Some("turn") => {
                if let Road::Clock(period) = road
                    && seat == 0
                {
                    wait_for_the_moment(bit, period);
                }
                let action = &message["legal"][0];
                say(&json!({"type": "action", "id": message["id"], "action": action, "note": note}));
            }
            _ => {}
        }
    }
    if matches!(road, Road::Futex) {
        stay();
    }
}

fn say(message: &Value) {
    let _ = writeln!(io::stdout(), "{message}");
}

/// Sends what can be sent at the start of a match.
fn send(road: Road, bit: u64) {
    match road {
        Road::Clock(_) => {}
        Road::Futex => send_by_futex(bit as usize),
        Road::Number => {
            // The middle of the half of 512 numbers that says the bit.
            while !(bit * 256 + 64..bit * 256 + 96).contains(&(number_of_a_pipe() % 512)) {}
        }
        Road::Signals => {
            let most = most_pending();
            pending(SIGNAL, most); // those of the match before are taken
            raise(SIGNAL, most / 2 * bit);
        }
    }
}

fn hear(road: Road) -> String {
    match road {
        Road::Clock(period) => u8::from(phase(period) >= period / 2).to_string(),
        Road::Futex => {
            let words = words();
            let woken = [0, 1].map(|bit| futex(words, bit, libc::FUTEX_WAKE, i32::MAX as u32));
            match woken {
                [Ok(1..), Ok(0)] => "0".to_owned(),
                [Ok(0), Ok(1..)] => "1".to_owned(),
                _ => "nothing".to_owned(),
            }
        }
        Road::Number => (number_of_a_pipe() % 512 / 256).to_string(),
        Road::Signals => {
            let most = most_pending();
            raise(SIGNAL, most);
            u8::from(pending(SIGNAL, most) < most * 3 / 4).to_string()
        }
    }
}

/// How many signals may be pending for this user: 1,024, or what it is limited to.
fn most_pending() -> u64 {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: reads a limit and lowers it, where that is allowed; both calls are given a whole structure.
    unsafe {
        libc::getrlimit(libc::RLIMIT_SIGPENDING, &raw mut limit);
        let lower = libc::rlimit { rlim_cur: limit.rlim_cur.min(1_024), ..limit };
        if libc::setrlimit(libc::RLIMIT_SIGPENDING, &raw const lower) == 0 {
            lower.rlim_cur
        } else {
            limit.rlim_cur
        }
    }
}

/// A signal that queues; not the first ones, which C libraries use.
const SIGNAL: i32 = 50;

/// The set that holds one signal.
fn only(signal: i32) -> libc::sigset_t {
    let mut set = MaybeUninit::uninit();
    // SAFETY: the first call fills the set.
    unsafe {
        libc::sigemptyset(set.as_mut_ptr());
        libc::sigaddset(set.as_mut_ptr(), signal);
        set.assume_init()
    }
}

/// Lets signals wait for this thread.
fn raise(signal: i32, number: u64) {
    // SAFETY: blocks a signal for this thread, and sends it to this thread.
    unsafe {
        libc::pthread_sigmask(libc::SIG_BLOCK, &only(signal), ptr::null_mut());
        for _ in 0..number {
            libc::raise(signal);
        }
    }
}

/// Takes the signals that wait, and counts those that the kernel had room to queue, up to a number.
fn pending(signal: i32, most: u64) -> u64 {
    let now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: a set and a time that live for the call.
    let taken = || unsafe { libc::sigtimedwait(&only(signal), ptr::null_mut(), &raw const now) };
    (0..most).take_while(|_| taken() == signal).count() as u64
}

/// How far the present period has gone.
fn phase(period: Duration) -> Duration {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Duration::from_nanos((now.as_nanos() % period.as_nanos()) as u64)
}

fn wait_for_the_moment(bit: u64, period: Duration) {
    let start = period / 2 * bit as u32;
    loop {
        let phase = phase(period);
        if (start..start + MOMENT).contains(&phase) {
            return;
        }
        let left = (start + period).saturating_sub(phase);
        sleep(left.checked_sub(period).unwrap_or(left));
    }
}

/// A page of this program's own file, which every process of it shares.
fn words() -> *const u32 {
    use std::os::fd::AsRawFd;
    let Ok(file) = std::env::current_exe().and_then(std::fs::File::open) else { return ptr::null() };
    // SAFETY: maps a part of a file for reading, which stays mapped.
    unsafe {
        libc::mmap(ptr::null_mut(), 4_096, libc::PROT_READ, libc::MAP_SHARED, file.as_raw_fd(), 0).cast()
    }
}

/// The index of the word that stands for a bit.
fn word(bit: usize) -> usize {
    64 * bit + 64
}

fn futex(words: *const u32, bit: usize, operation: i32, value: u32) -> Result<i64, io::Error> {
    // SAFETY: the kernel reads the word, if it is mapped.
    let answer = unsafe {
        libc::syscall(
            libc::SYS_futex,
            words.wrapping_add(word(bit)),
            operation,
            value,
            ptr::null::<u8>(),
            0,
            0,
        )
    };
    if answer < 0 { Err(io::Error::last_os_error()) } else { Ok(answer) }
}

/// Lets threads wait for the word of the bit, for as long as this process lives.
fn send_by_futex(bit: usize) {
    for _ in 0..WAITERS {
        std::thread::spawn(move || {
            let words = words();
            // SAFETY: a page that is mapped for reading stays mapped.
            let value =
                if words.is_null() { 0 } else { unsafe { words.wrapping_add(word(bit)).read_volatile() } };
            while futex(words, bit, libc::FUTEX_WAIT, value).is_err() {
                sleep(Duration::from_millis(1)); // it was interrupted, by being stopped for example
            }
        });
    }
    sleep(Duration::from_millis(2)); // until they wait
}

/// Ignores requests to leave, and keeps every processor busy.
fn stay() {
    // SAFETY: sets no handler.
    unsafe { libc::signal(libc::SIGTERM, libc::SIG_IGN) };
    for _ in 0..BUSY {
        std::thread::spawn(|| while std::hint::black_box(true) {});
    }
    sleep(Duration::from_secs(5));
}

/// The next number of a pipe on this processor.
fn number_of_a_pipe() -> u64 {
    let Ok((reader, _writer)) = rustix::pipe::pipe() else { return 0 };
    rustix::fs::fstat(&reader).map_or(0, |stat| stat.st_ino)
}
