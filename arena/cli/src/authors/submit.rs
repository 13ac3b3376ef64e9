//! `leyden submit`: hands a bot in to a league over the network.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant};

use clap::Args;
use leyden_arena::league::UNPACKED;
use leyden_arena::roster;
use leyden_web::server::certificates;
use serde_json::Value;
use ureq::http::Response;
use ureq::tls::{Certificate, RootCerts, TlsConfig};
use ureq::{Agent, RequestBuilder};

use crate::exit::{Code, CommandError};
use crate::report::grid::plain;

pub(crate) const EXAMPLES: &str = "\
Examples:
  leyden submit my-bot --to https://league.example/ --token-file token.txt
  LEYDEN_TOKEN=... leyden submit my-bot.zip --to http://localhost:8080
  leyden submit my-bot --to https://league.example:8443 --ca school.pem --token-file token.txt
  leyden submit --withdraw --to https://league.example/ --token-file token.txt
  leyden submit --challenge bob --to https://league.example/ --token-file token.txt

Prints the league's receipt, and waits for its verdict: the bot is accepted as a version, or refused with what to fix. Exit code 0: \
the bot plays, or waits for its turn; 1: the league refused it, and your previous version plays on.";

/// Where challenges are sent.
const CHALLENGE: &str = "challenge";

const JSON: &str = "application/json";
const FORM: &str = "application/x-www-form-urlencoded";

/// The variable that has the token.
const VARIABLE: &str = "LEYDEN_TOKEN";

/// How long the program waits for the server, and for the verdict.
const ANSWER: Duration = Duration::from_mins(5);
const JUDGED: Duration = Duration::from_mins(10);
const EVERY: Duration = Duration::from_secs(1);

/// The longest answer that the program reads, in bytes.
const LONGEST: u64 = 1 << 20;

/// What to hand in, and where.
#[derive(Args, Clone, Debug)]
pub(crate) struct SubmitOptions {
    /// The bot's folder, a zip archive of it, or a bot that is one file of source text
    #[arg(required_unless_present_any = ["withdraw", "bring_back", "challenge"])]
    bot: Option<PathBuf>,
    /// The address of the league
    #[arg(long, value_name = "URL")]
    to: String,
    /// A file with the token that the organiser has sent you [default: `LEYDEN_TOKEN` of the environment]
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// Also trust a server whose certificate, or that of the authority that signed it, is in this file (PEM), as at a school [default: the
    /// authorities that the system trusts]
    #[arg(long, value_name = "FILE")]
    ca: Option<PathBuf>,
    /// Do not wait for the verdict
    #[arg(long)]
    no_wait: bool,
    /// Withdraw your version: it no longer plays, and its matches count
    #[arg(long, conflicts_with = "bot")]
    withdraw: bool,
    /// Let the version that you withdrew play again
    #[arg(long, conflicts_with_all = ["bot", "withdraw"])]
    bring_back: bool,
    /// Let your version meet this bot of the league now, in a pair that counts for nothing
    #[arg(long, value_name = "NAME", conflicts_with_all = ["bot", "withdraw", "bring_back"])]
    challenge: Option<String>,
}

/// A request to the league.
struct LeagueRequest {
    path: &'static str,
    kind: &'static str,
    content: Vec<u8>,
}

impl SubmitOptions {
    /// What is sent, and where.
    fn request(&self) -> Result<LeagueRequest, CommandError> {
        let sent = |path, kind, content| LeagueRequest { path, kind, content };
        Ok(match (&self.bot, &self.challenge) {
            (Some(bot), _) => sent("hand-in", "application/zip", archive(bot)?),
            (None, Some(opponent)) => sent(CHALLENGE, FORM, format!("opponent={opponent}").into_bytes()),
            (None, None) if self.withdraw => sent("withdraw", FORM, Vec::new()),
            (None, None) => sent("bring-back", FORM, Vec::new()),
        })
    }
}

/// Hands the bot in, or decides about what was handed in.
pub(crate) fn run(options: &SubmitOptions) -> Result<Code, CommandError> {
    let address = address(&options.to)?;
    let token = token(options.token_file.as_deref())?;
    let sent = options.request()?;
    let league = League { agent: agent(options.ca.as_deref())?, address, token };
    let received = league.post(&sent)?;
    print_all(&received)?;
    let Some(see) = only(&received)["see"].as_str().filter(|_| !options.no_wait) else {
        return Ok(Code::Done);
    };
    let until = Instant::now() + JUDGED;
    loop {
        let now = league.get(see.trim_start_matches('/'))?;
        let state = only(&now)["outcome"]["state"].as_str().unwrap_or_default();
        let is_open = match state {
            "received" | "brought_back" => true,
            // What was handed in may wait for days.
            "waits" => sent.path == CHALLENGE,
            _ => false,
        };
        if is_open && Instant::now() < until {
            sleep(EVERY);
            continue;
        }
        print_all(&now)?;
        return Ok(if matches!(state, "refused" | "lost" | "failed") { Code::No } else { Code::Done });
    }
}

/// The only one that an answer is about.
fn only(answer: &Value) -> &Value {
    &all_of(answer)[0]
}

fn all_of(answer: &Value) -> &Value {
    if answer["challenges"].is_array() { &answer["challenges"] } else { &answer["handed_in"] }
}

/// The server of a league.
struct League {
    agent: Agent,
    address: String,
    token: String,
}

impl League {
    fn get(&self, path: &str) -> Result<Value, CommandError> {
        let url = format!("{}/{path}", self.address);
        let answer = self.signed(self.agent.get(&url)).call();
        read(&url, answer)
    }

    fn post(&self, LeagueRequest { path, kind, content }: &LeagueRequest) -> Result<Value, CommandError> {
        let url = format!("{}/{path}", self.address);
        let answer = self.signed(self.agent.post(&url).content_type(*kind)).send(content);
        read(&url, answer)
    }

    fn signed<Kind>(&self, request: RequestBuilder<Kind>) -> RequestBuilder<Kind> {
        request.header("Authorization", format!("Bearer {}", self.token)).header("Accept", JSON)
    }
}

/// Reads the answer of a server.
fn read(url: &str, answer: Result<Response<ureq::Body>, ureq::Error>) -> Result<Value, CommandError> {
    let mut answer =
        answer.map_err(|error| CommandError::host_failed(format!("{url}: {error}{}", advice(&error))))?;
    let text = answer.body_mut().with_config().limit(LONGEST).read_to_string();
    let text = text.map_err(|error| CommandError::host_failed(format!("{url}: {error}")))?;
    let code = answer.status();
    if code.is_redirection() {
        let to = answer.headers().get("location").and_then(|to| to.to_str().ok()).unwrap_or_default();
        return Err(CommandError::usage(format!("{url} leads to {}: name that with --to", plain(to))));
    }
    if !code.is_success() {
        let said = format!("{url} answers {}: {}", code.as_u16(), plain(text.trim()));
        return Err(if code.is_client_error() {
            CommandError::usage(said)
        } else {
            CommandError::host_failed(said)
        });
    }
    serde_json::from_str(&text)
        .map_err(|_| CommandError::usage(format!("{url} is not the address of a league with --intake")))
}

/// Speaks to servers that the system trusts, and to those with the certificates of a file.
fn agent(also: Option<&Path>) -> Result<Agent, CommandError> {
    let also = also.map(certificates).transpose()?.unwrap_or_default();
    let trusted = [rustls_native_certs::load_native_certs().certs, also].concat();
    let trusted: Vec<Certificate<'static>> =
        trusted.iter().map(|one| Certificate::from_der(one).to_owned()).collect();
    let tls = TlsConfig::builder()
        .root_certs(RootCerts::new_with_certs(&trusted))
        .unversioned_rustls_crypto_provider(Arc::new(rustls::crypto::ring::default_provider()));
    let config = Agent::config_builder()
        .tls_config(tls.build())
        .http_status_as_error(false)
        .max_redirects(0)
        .max_redirects_will_error(false)
        .timeout_global(Some(ANSWER));
    Ok(config.build().into())
}

/// What to do about a certificate that nobody knows.
fn advice(error: &ureq::Error) -> &'static str {
    let cause = match error {
        ureq::Error::Rustls(cause) => Some(cause),
        ureq::Error::Io(error) => error.get_ref().and_then(|cause| cause.downcast_ref::<rustls::Error>()),
        _ => None,
    };
    if matches!(cause, Some(rustls::Error::InvalidCertificate(_))) {
        ". If the organiser has sent you a certificate, name it with --ca"
    } else {
        ""
    }
}

/// The address without a slash at its end.
fn address(typed: &str) -> Result<String, CommandError> {
    let rest = typed.strip_prefix("https://").or_else(|| typed.strip_prefix("http://"));
    if !rest.is_some_and(|rest| !rest.is_empty() && !rest.contains(['#', '?', '@'])) {
        return Err(CommandError::usage(format!(
            "--to: expected an address such as https://league.example/, got {:?}",
            plain(typed)
        )));
    }
    let address = typed.trim_end_matches('/');
    Ok(address.strip_suffix("/author").unwrap_or(address).to_owned())
}

fn token(file: Option<&Path>) -> Result<String, CommandError> {
    let text = match file {
        Some(file) => fs::read_to_string(file).map_err(|error| {
            CommandError::for_file(
                format_args!("cannot read the token in {}: {error}", file.display()),
                &error,
            )
        })?,
        None => std::env::var(VARIABLE).map_err(|_| {
            CommandError::usage(format!("no token: set {VARIABLE}, or name a file with --token-file"))
        })?,
    };
    // A line as `leyden league invite` prints it, or the token alone.
    let token = text.split_whitespace().last().unwrap_or_default().to_owned();
    if token.is_empty() || !token.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return Err(CommandError::usage("this is not a token: expected letters and digits"));
    }
    Ok(token)
}

/// The archive that was named, or one of the file, or of the files that make up the bot in a folder.
fn archive(bot: &Path) -> Result<Vec<u8>, CommandError> {
    if bot.is_file() {
        let content = fs::read(bot).map_err(|error| CommandError::unreadable(bot, &error))?;
        if content.starts_with(b"PK") {
            return Ok(content);
        }
        let name = bot.file_name().unwrap_or_default().to_string_lossy();
        return roster::pack_alone(&name, &content).map_err(|error| {
            let message = format!("{}: {error}", bot.display());
            match error.system() {
                Some(_) => CommandError::host_failed(message),
                None => CommandError::missing(message),
            }
        });
    }
    let mut found = roster::find_entry(bot, &crate::program::leyden()?, UNPACKED);
    match (found.bots.pop(), found.left_out.pop()) {
        (Some(bot), _) => match bot.pack()? {
            (_, Some(archive)) => Ok(archive),
            (_, None) => Err(CommandError::usage(format!("{} has no folder to hand in", plain(&bot.name)))),
        },
        (None, Some(error)) => Err(error.into()),
        (None, None) => Err(CommandError::missing(format!("{} is not a bot", bot.display()))),
    }
}

/// Prints what the server says of each.
fn print_all(answer: &Value) -> Result<(), CommandError> {
    let all = all_of(answer).as_array().map(Vec::as_slice).unwrap_or_default();
    let texts = all.iter().filter_map(|one| one["text"].as_str());
    let lines: String = texts.flat_map(str::lines).map(|line| plain(line) + "\n").collect();
    crate::out::print(&lines).map(drop)
}
