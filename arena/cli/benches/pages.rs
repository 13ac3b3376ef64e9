//! The cost of spectators: the time and size of the pages of a large tournament, and how much ten viewers slow the matches
//! down.
//!
//! `cargo bench -p leyden --bench pages` measures; with `-- --test` it runs once with little work.
#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

mod measure;

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use leyden_arena::run::Options;
use leyden_arena::tournament::{ResultsFile, Tournament};
use leyden_host::sandbox::{SandboxLevel, SandboxLevelChoice};
use leyden_web::server::{self, Server};
use measure::{BenchResult, median};

/// The number of viewers.
const VIEWERS: usize = 10;

fn main() -> BenchResult<()> {
    let is_smoke = measure::is_smoke();
    let (bots, blocks) = if is_smoke { (5, 1) } else { (200, 3) };
    large(bots, blocks)?;
    let (pairs, blocks) = if is_smoke { (1, 2) } else { (9, 400) };
    viewers(pairs, blocks)
}

/// Measures the pages of a results file.
fn large(bots: usize, blocks: u32) -> BenchResult<()> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("large.db");
    let matches = measure::fill(&path, bots, blocks)?;
    println!("{bots} bots, {blocks} blocks, {matches} matches");
    let begin = Instant::now();
    let server = Server::start(&server::ServerConfig::new(&path), None)?;
    while !get(&server, "").starts_with("HTTP/1.1 200") {
        thread::sleep(Duration::from_millis(10));
    }
    println!("  read, and the first page sent: {:.2?}", begin.elapsed());
    for page in [
        "",
        "matches.html",
        "matches.html?sort=upset",
        "pairings.html",
        "bots/0.html",
        "screen.html",
        "standings.json",
    ] {
        let times = (0..5).map(|_| {
            let begin = Instant::now();
            let bytes = get(&server, page).len();
            (begin.elapsed(), bytes)
        });
        let times: Vec<(Duration, usize)> = times.collect();
        let took = median(times.iter().map(|(took, _)| took.as_secs_f64() * 1e3));
        println!("  /{page:<24} {took:>8.1} ms {:>8} kB", times[0].1 >> 10);
    }
    Ok(())
}

/// Measures matches with ten viewers and without, in turn.
fn viewers(pairs: usize, blocks: u32) -> BenchResult<()> {
    println!("one worker, builtin:random, matches a second: without viewers, with {VIEWERS}");
    let mut ratios = Vec::new();
    for _ in 0..pairs {
        let (alone, watched) = (rate(blocks, 0)?, rate(blocks, VIEWERS)?);
        println!("  {alone:>7.0} {watched:>7.0} {:>7.3}", watched / alone);
        ratios.push(watched / alone);
    }
    println!("  median {:.3}", median(ratios));
    Ok(())
}

/// Returns the matches a second of a served tournament with this many viewers.
fn rate(blocks: u32, viewers: usize) -> BenchResult<f64> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("bench.db");
    let mut options = Options::new(leyden(), ["builtin:random", "builtin:random"]);
    (options.blocks, options.jobs) = (blocks, Some(1));
    options.settings.sandbox = SandboxLevelChoice::Exactly(SandboxLevel::None);
    let mut tournament = Tournament::create(&options, &ResultsFile::New(path.clone()), &mut |_| {})?;
    let server = Server::start(&server::ServerConfig::new(&path), None)?;
    let listeners: Vec<JoinHandle<()>> = (0..viewers).map(|_| listen(&server)).collect::<BenchResult<_>>()?;
    let begin = Instant::now();
    let end = tournament.run().play()?;
    let took = begin.elapsed();
    drop(server);
    for listener in listeners {
        listener.join().map_err(|_| "a viewer failed")?;
    }
    tournament.close()?;
    Ok(end.played as f64 / took.as_secs_f64())
}

/// Reads events until they end.
fn listen(server: &Server) -> BenchResult<JoinHandle<()>> {
    let mut stream = ask(server, "events")?;
    Ok(thread::spawn(move || {
        let mut chunk = [0; 1 << 14];
        while stream.read(&mut chunk).is_ok_and(|count| count > 0) {}
    }))
}

fn ask(server: &Server, page: &str) -> BenchResult<TcpStream> {
    let mut stream = TcpStream::connect(server.address())?;
    let host = server.address();
    write!(stream, "GET /{page} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")?;
    Ok(stream)
}

/// The complete answer; empty if there was none.
fn get(server: &Server, page: &str) -> String {
    let mut text = String::new();
    match ask(server, page).map(|mut stream| stream.read_to_string(&mut text)) {
        Ok(Ok(_)) => text,
        _ => String::new(),
    }
}

fn leyden() -> PathBuf {
    Path::new(env!("CARGO_BIN_EXE_leyden")).to_owned()
}
