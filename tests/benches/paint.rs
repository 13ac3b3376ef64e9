//! How long a real browser with an empty cache waits for the pages of a large tournament: 200 bots, 119,400 matches.
//!
//! `cargo bench -p leyden-tests --bench paint` measures; with `-- --test` it runs once with little work. Without Chromium it
//! says so and measures nothing.
#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

#[path = "../../arena/cli/benches/measure/mod.rs"]
mod measure;

use leyden_tests::browser::Browser;
use leyden_web::server::{self, Server};
use measure::{BenchResult, median};

const PAGES: [&str; 6] =
    ["", "matches.html", "matches.html?sort=upset", "pairings.html", "bots/0.html", "screen.html"];

/// Milliseconds from the request to the first paint and to the complete page; kilobytes of all its files.
const FIGURES: &str = "(async () => {
    while (performance.getEntriesByName('first-contentful-paint').length === 0) {
        await new Promise(later => setTimeout(later, 5));
    }
    const [page] = performance.getEntriesByType('navigation');
    const files = [page, ...performance.getEntriesByType('resource').filter(file => !file.name.endsWith('/events'))];
    return [
        performance.getEntriesByName('first-contentful-paint')[0].startTime,
        page.loadEventEnd,
        files.reduce((sum, file) => sum + file.encodedBodySize, 0) / 1024,
    ];
})()";

fn main() -> BenchResult<()> {
    let Some(browser) = Browser::start() else { return Ok(()) };
    let (bots, blocks, repeats) = if measure::is_smoke() { (5, 1, 1) } else { (200, 3, 7) };
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("large.db");
    let matches = measure::fill(&path, bots, blocks)?;
    let server = Server::start(&server::ServerConfig::new(&path), None)?;
    browser.open(&server.url()).wait_until("document.querySelectorAll('table tbody tr').length > 4");
    println!("{bots} bots, {matches} matches; medians of {repeats}");
    println!("{:<26} {:>12} {:>10} {:>8}", "page", "drawn, ms", "whole, ms", "kB");
    for address in PAGES {
        let seen: Vec<[f64; 3]> = (0..repeats)
            .map(|_| {
                let mut page = browser.page();
                page.call("Network.enable", serde_json::json!({}));
                page.call("Network.setCacheDisabled", serde_json::json!({ "cacheDisabled": true }));
                page.go(&format!("{}{address}", server.url()));
                serde_json::from_value(page.eval(FIGURES))
            })
            .collect::<Result<_, _>>()?;
        let [drawn, whole, size] = [0, 1, 2].map(|figure| median(seen.iter().map(|page| page[figure])));
        println!("/{address:<25} {drawn:>12.0} {whole:>10.0} {size:>8.0}");
    }
    Ok(())
}
