//! `leyden serve`, and `--serve` of commands that play: pages for spectators.

use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, UdpSocket};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::str::FromStr;
use std::time::Duration;

use clap::Args;
use leyden_arena::CancellationToken;
use leyden_arena::league::Intake;
use leyden_arena::run::{EventDetail, Run, Subscription};
use leyden_language::Language;
use leyden_model::words::counted;
use leyden_web::server::{FASTEST_PACE, PACE, ServeError, ServedEvent, Server, ServerConfig, Tls};

use crate::exit::{Code, CommandError};
use crate::options::{LanguageOption, Span};
use crate::play::signals;

/// What is shown when: the end of `leyden help serve`.
pub(crate) const SHOWN: &str = "\
What is shown when: until every match is played, pages and events show what a spectator may know of complete pairs. A pair \
is one deal played once in every seating; until its last match is over nothing of it is shown, not even a result, because the \
same deals come again, and a bot below the sandbox level restrict could read the pages. Then its matches count, and their \
tables are drawn at their own pace, with the hands, without the boneyard. The seed, the details of faults, and standard error \
are shown once everything is played. --delay none (only during play, with --serve) draws the tables while they are played: \
for bots that are trusted, or at the level restrict and above.

Addresses: / the standings, /matches.html, /pairings.html, /live.html, /screen.html for a projector, /bots/N.html, \
/standings.json, /standings.csv, and /events: server-sent events. `table` is a table as it stands, `move` has what happened \
there (`happened`, as a spectator may see it) and what to draw, `progress` comes with every change, `over` is the last one.

With --stage, people watch what was played at their own pace. /stage is for the audience, on a projector or a phone: a match move by \
move with all hands or as a seat saw it, the chance to win (of two seats, double-six), a countdown, the standings or the bracket as \
revealed, and the winner, with the margin and the moment that decided it. /stage/control is for the organiser, who types the token that \
is printed when the server starts: it lists the matches of the next round with their results, finds the closest one, steps, plays and \
pauses, and reveals the round. A match is revealed when it was shown to its end, a round (without stages a block) when the organiser \
says so; until then no page, event, export or replay of this server has it. What is revealed and shown is kept in FILE.stage.json: a \
server that is started again goes on there, with another token.

The results file is only read, even while another process writes to it, and nothing is created beside it. A reader that is \
too slow is dropped; the server never waits.

Examples:
  leyden serve results.db --open
  leyden serve spring.db autumn.db --title Spring --title Autumn    (a page lists them)
  leyden serve cup.db --stage --bind 0.0.0.0    (an evening with an audience: see above)
  leyden serve results.db --port 8080 --bind 0.0.0.0      (reachable from other machines)
  leyden serve results.db --bind 0.0.0.0 --name arena.example --tls-cert cert.pem --tls-key key.pem
  leyden tournament submissions --blocks 50 --serve
  leyden tournament submissions --blocks 50 --serve --pace 2s   (tables that people can follow)
  leyden tournament submissions --blocks 50 --serve=0.0.0.0:8080";

/// The options of `leyden serve`.
#[derive(Args, Clone, Debug)]
pub(crate) struct ServeOptions {
    /// Results files, finished or being written; several are listed on one page
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// The title of the tournament on the pages; with several files, one for each, in order [default: the names of the files]
    #[arg(long, value_name = "TEXT")]
    pub(crate) title: Vec<String>,
    /// The port; 0 takes any that is free
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub(crate) port: u16,
    /// The address to listen on; any other than the loopback exposes the pages to other machines
    #[arg(long, default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST), value_name = "ADDR")]
    pub(crate) bind: IpAddr,
    /// Show what was played on a stage, at the pace of people: an organiser chooses matches and reveals rounds, and all pages hold back
    /// what is not revealed
    #[arg(long)]
    pub(crate) stage: bool,
    #[command(flatten)]
    pub(crate) language: LanguageOption,
    #[command(flatten)]
    pub(crate) pages: PagesOptions,
}

/// How pages are served.
#[derive(Args, Clone, Debug)]
pub(crate) struct PagesOptions {
    /// A host name of this machine; can be given several times. Requests under any other name are refused
    #[arg(long, value_name = "NAME")]
    name: Vec<String>,
    /// Open the pages in a browser
    #[arg(long)]
    open: bool,
    /// How long each action of a table is shown (in a run: of a complete pair), such as 2s; at least 50ms. Only the pages wait, neither
    /// a bot's clock nor a run [default: 400ms]
    #[arg(long, value_name = "TIME", value_parser = pace)]
    pace: Option<Duration>,
    /// Encrypt the pages (https): the certificate (PEM), followed by those between it and a known authority
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_cert: Option<PathBuf>,
    /// The private key of --tls-cert, PEM, without a passphrase
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
}

impl PagesOptions {
    /// Reads the files by which pages are encrypted, if they are.
    fn tls(&self) -> Result<Option<Tls>, CommandError> {
        let files = self.tls_cert.as_ref().zip(self.tls_key.as_ref());
        Ok(files.map(|(certificate, key)| Tls::read(certificate, key)).transpose()?)
    }
}

/// Options to show a run while it is played.
#[derive(Args, Clone, Debug)]
#[command(mut_group("PagesOptions", |pages| pages.requires("serve")))]
pub(crate) struct WatchOptions {
    /// Serve pages to watch the run, and print their address first. By default on the loopback, at any free port; use --serve=8080
    /// or --serve=0.0.0.0:8080 for others. Those of a tournament or match stay until Ctrl-C, also when everything is played.
    /// `leyden help serve` explains what is shown when
    #[arg(long, value_name = "ADDR", num_args = 0..=1, require_equals = true, default_missing_value = "0")]
    pub(crate) serve: Option<ListenAddress>,
    /// When tables are drawn: pair, when all matches of the pair are over; none, while they are played [default: pair]
    #[arg(long, value_name = "DELAY", requires = "serve", value_enum, hide_possible_values = true)]
    pub(crate) delay: Option<DelayChoice>,
    /// The title of the run on the pages [default: the name of the results file]
    #[arg(long, value_name = "TEXT", requires = "serve")]
    pub(crate) title: Option<String>,
    /// Stop serving after the last match, as a gate and --json do
    #[arg(long, requires = "serve")]
    pub(crate) until_played: bool,
    /// The language of the pages: en, de or fr [default: that of each browser]
    #[arg(long, value_name = "LANGUAGE", requires = "serve")]
    pub(crate) language: Option<Language>,
    #[command(flatten)]
    pub(crate) pages: PagesOptions,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum DelayChoice {
    Pair,
    None,
}

/// An address to listen on: `8080`, `0.0.0.0`, `0.0.0.0:8080`, `[::1]:8080`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ListenAddress(SocketAddr);

impl FromStr for ListenAddress {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let port = |port| SocketAddr::new(Ipv4Addr::LOCALHOST.into(), port);
        let address = |address| SocketAddr::new(address, 0);
        let known = text.parse().map(port).or_else(|_| text.parse().map(address)).or_else(|_| text.parse());
        known
            .map(Self)
            .map_err(|_| "expected a port, an address or both, such as 8080 or 0.0.0.0:8080".to_owned())
    }
}

/// Reads how long an action is shown.
fn pace(text: &str) -> Result<Duration, String> {
    let pace = text.parse::<Span>()?.duration();
    if pace < FASTEST_PACE { Err("expected at least 50ms".to_owned()) } else { Ok(pace) }
}

/// Serves a results file until a signal ends it.
pub(crate) fn run(options: ServeOptions) -> Result<Code, CommandError> {
    let ServeOptions { files, title, port, bind, stage, language, pages } = options;
    if title.len() > files.len() {
        return Err(CommandError::usage(format!(
            "--title: expected at most one for each of the {}, got {}",
            counted(files.len() as u64, "file", "files"),
            title.len()
        )));
    }
    let mut ended = signals::listen()?;
    let titles = title.into_iter().map(Some).chain(std::iter::repeat(None));
    let events = files.into_iter().zip(titles).map(|(results, title)| ServedEvent { results, title });
    let config = ServerConfig {
        events: events.collect(),
        address: bind,
        port,
        pace: pages.pace.unwrap_or(PACE),
        language: language.typed(),
        stage,
        intake: None,
        tls: pages.tls()?,
        names: pages.name,
    };
    let server = Server::start(&config, None)?;
    announce(&server, true, pages.open)?;
    announce_stage(&server);
    ended.wait();
    Ok(Code::Done)
}

/// Serves a run that is going to be played, if requested. The address is the first line on standard output, or with `--json` on
/// standard error.
pub(crate) fn serve_run(
    run: &mut Run<'_>,
    options: &WatchOptions,
    results: &Path,
    json: bool,
) -> Result<Option<Server>, CommandError> {
    if options.serve.is_none() {
        return Ok(None);
    }
    let moves = (options.delay == Some(DelayChoice::None)).then(|| run.subscribe(EventDetail::Moves));
    pages(options, results, moves, json)
}

/// Serves the pages of a results file while another part of the program writes to it, if requested.
pub(crate) fn pages(
    options: &WatchOptions,
    results: &Path,
    moves: Option<Subscription>,
    json: bool,
) -> Result<Option<Server>, CommandError> {
    pages_with_intake(options, results, moves, (json, None))
}

/// Does the same, and receives what authors hand in; then there need not be results yet.
pub(crate) fn pages_with_intake(
    options: &WatchOptions,
    results: &Path,
    moves: Option<Subscription>,
    (json, intake): (bool, Option<Intake>),
) -> Result<Option<Server>, CommandError> {
    let Some(ListenAddress(at)) = options.serve else { return Ok(None) };
    let events = vec![ServedEvent { results: results.to_owned(), title: options.title.clone() }];
    let is_open = intake.is_some();
    let config = ServerConfig {
        events,
        address: at.ip(),
        port: at.port(),
        names: options.pages.name.clone(),
        pace: options.pages.pace.unwrap_or(PACE),
        language: options.language,
        stage: false,
        intake,
        tls: options.pages.tls()?,
    };
    let server = Server::start(&config, moves)?;
    announce(&server, !json, options.pages.open)?;
    if is_open {
        announce_intake(&server);
    }
    Ok(Some(server))
}

/// Keeps serving the pages of a run that is over, until a signal ends it; not if one has ended the run.
pub(crate) fn serve_until_signal(server: Server, stop: &CancellationToken) -> Result<(), CommandError> {
    let mut ended = signals::listen()?;
    if !stop.is_cancelled() {
        crate::out::say(format_args!(
            "everything is played; the pages stay at {} until Ctrl-C",
            server.url()
        ));
        ended.wait();
    }
    drop(server);
    Ok(())
}

/// Refuses an address that cannot be listened on and files that are no certificate, before anything is built or written, and a pace for
/// tables that are drawn while they are played.
pub(crate) fn try_address(options: &WatchOptions) -> Result<(), CommandError> {
    let Some(ListenAddress(at)) = options.serve else { return Ok(()) };
    options.pages.tls()?;
    if options.pages.pace.is_some() && options.delay == Some(DelayChoice::None) {
        return Err(CommandError::usage(
            "--pace is for tables of complete pairs; with --delay none they are drawn as they are played: leave out one of the two",
        ));
    }
    TcpListener::bind(at).map(drop).map_err(|error| ServeError::Listen(at, error).into())
}

/// Returns the address of this machine by which others reach it, if that is known without sending a packet.
fn address_for_others(of: SocketAddr) -> Option<SocketAddr> {
    let elsewhere: SocketAddr = if of.is_ipv4() {
        (Ipv4Addr::new(192, 0, 2, 1), 9).into()
    } else {
        (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1), 9).into()
    };
    let any = if of.is_ipv4() { IpAddr::from(Ipv4Addr::UNSPECIFIED) } else { Ipv6Addr::UNSPECIFIED.into() };
    let socket = UdpSocket::bind((any, 0)).ok()?;
    socket.connect(elsewhere).ok()?;
    let own = socket.local_addr().ok()?.ip();
    (!own.is_unspecified() && !own.is_loopback()).then(|| (own, of.port()).into())
}

fn announce(server: &Server, on_stdout: bool, open: bool) -> Result<(), CommandError> {
    let url = server.url();
    if on_stdout {
        // A user whose standard output is closed may still watch.
        let printed_url = writeln!(io::stdout(), "{url}").and_then(|()| io::stdout().flush());
        printed_url
            .map_err(CommandError::from)
            .or_else(|failure| if failure.is_closed_output() { Ok(()) } else { Err(failure) })?;
    } else {
        crate::out::say(format_args!("{url}"));
    }
    let address = server.address();
    if !address.ip().is_loopback() {
        let at = match address_for_others(address) {
            Some(own) if address.ip().is_unspecified() => {
                format!(", such as by {}://{own}/", server.scheme())
            }
            _ => String::new(),
        };
        crate::out::say(format_args!(
            "other machines can see these pages{at}; under a host name only if --name lists it"
        ));
    }
    if open && let Err(error) = start_browser(&url) {
        crate::out::say(format_args!("no browser could be started ({error}): open the address above"));
    }
    Ok(())
}

/// Says where the stage is, and its token, which is printed nowhere else.
fn announce_stage(server: &Server) {
    let Some(token) = server.stage_token() else { return };
    let url = server.url();
    crate::out::say(format_args!("the audience: {url}stage"));
    crate::out::say(format_args!("the organiser: {url}stage/control, with the token {token}"));
}

/// Says where authors hand in, and what an address means that others reach.
fn announce_intake(server: &Server) {
    let url = server.url();
    crate::out::say(format_args!("authors: {url}author in a browser, or leyden submit BOT --to {url}"));
    if !server.address().ip().is_loopback() && server.scheme() == "http" {
        crate::out::say(format_args!(
            "tokens and bots cross the network unencrypted: name a certificate with --tls-cert, or put a proxy with TLS in front of \
             this server (leyden help league)"
        ));
    }
}

/// Starts the system's browser.
pub(crate) fn start_browser(url: &str) -> io::Result<()> {
    let program = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let mut command = Command::new(program);
    command.arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut browser = command.spawn()?;
    // Somebody has to wait for it, or it stays a zombie until the program ends.
    std::thread::Builder::new().name("browser".to_owned()).spawn(move || browser.wait()).map(drop)
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::args::Cli;

    #[test]
    fn page_options_of_a_run_need_serve() {
        let parse = |words: &[&str]| Cli::try_parse_from([&["leyden", "tournament"][..], words].concat());
        for words in [&["--pace=2s"][..], &["--name=a"], &["--open"], &["--tls-cert=c", "--tls-key=k"]] {
            assert!(parse(words).unwrap_err().to_string().contains("--serve"), "{words:?}");
            assert!(parse(&[words, &["--serve"]].concat()).is_ok(), "{words:?}");
        }
    }

    #[test]
    fn pace_is_refused_when_too_short_or_unparsable() {
        assert_eq!(pace("2s"), Ok(Duration::from_secs(2)));
        assert!(pace("10ms").unwrap_err().contains("50ms"));
        assert!(pace("fast").unwrap_err().contains("2s"));
    }

    #[test]
    fn listen_address_accepts_port_ip_or_both() {
        let at = |text: &str| text.parse::<ListenAddress>().map(|at| at.0.to_string());
        assert_eq!(at("8080").unwrap(), "127.0.0.1:8080");
        assert_eq!(at("0").unwrap(), "127.0.0.1:0");
        assert_eq!(at("0.0.0.0").unwrap(), "0.0.0.0:0");
        assert_eq!(at("192.168.1.7:80").unwrap(), "192.168.1.7:80");
        assert_eq!(at("[::1]:80").unwrap(), "[::1]:80");
        for bad in ["", "host", "host:80", "70000", "1.2.3:4"] {
            assert!(at(bad).unwrap_err().contains("0.0.0.0:8080"), "{bad}");
        }
    }
}
