//! A match in the browser: the page is served until the player leaves the table or ends the program.

use std::io::{self, Write};
use std::sync::mpsc;
use std::thread;

use leyden_table::SessionEnd;
use leyden_web::play::{PlayServer, VisitEvent, VisitStart};
use tempfile::NamedTempFile;

use super::options::PlayOptions;
use crate::exit::{Code, CommandError};
use crate::report::grid::plain;
use crate::{out::say, play::serve, play::signals};

/// What the program waits for.
enum Wakeup {
    Page(VisitEvent),
    /// A signal asks it to end.
    Signal,
}

/// Serves the page. With `is_open` the opponent is chosen there.
pub(super) fn play(typed: &PlayOptions, is_open: bool) -> Result<Code, CommandError> {
    let opening =
        if is_open { choice(typed)? } else { VisitStart::Table(Box::new(typed.make(typed.level())?)) };
    let (events, happened) = mpsc::channel();
    let mut signals = signals::listen()?;
    let signalled = events.clone();
    thread::spawn(move || {
        signals.wait();
        signalled.send(Wakeup::Signal)
    });
    let (sender, heard) = mpsc::channel();
    thread::spawn(move || heard.into_iter().try_for_each(|heard| events.send(Wakeup::Page(heard))));
    let page = PlayServer::start(typed.port, opening, typed.language.typed(), sender).map_err(|error| {
        CommandError::usage(format!(
            "cannot listen on port {}: {error}. Port 0 takes any free one",
            typed.port
        ))
    })?;
    let printed = writeln!(io::stdout(), "{}", page.url()).and_then(|()| io::stdout().flush());
    // A player whose standard output is closed may still play.
    printed
        .map_err(CommandError::from)
        .or_else(|stop| if stop.is_closed_output() { Ok(()) } else { Err(stop) })?;
    say(format_args!("anyone with this address can play for you; Ctrl-C ends it"));
    let _way = if typed.no_open { None } else { open(page.url()) };
    let mut is_playing = !is_open;
    loop {
        match happened.recv().map_err(CommandError::defect)? {
            Wakeup::Page(VisitEvent::Begun) => is_playing = true,
            Wakeup::Page(VisitEvent::Over(ending)) => {
                is_playing = false;
                print_ending(&ending);
            }
            Wakeup::Signal if is_playing => {
                drop(page);
                return Err(CommandError {
                    code: Code::Interrupted,
                    message: "the match was not finished: nothing is stored".to_owned(),
                });
            }
            Wakeup::Page(VisitEvent::Left) | Wakeup::Signal => return Ok(Code::Done),
        }
    }
}

/// Lets the opponent be chosen on the page, and another one after a match, if the results file is a new one each time.
fn choice(typed: &PlayOptions) -> Result<VisitStart, CommandError> {
    let options = typed.clone();
    let rules = typed.rules()?;
    let make =
        Box::new(move |level: &leyden_table::OpponentLevel| options.make(level).map_err(|stop| stop.message));
    Ok(VisitStart::Choice { rules, make, again: typed.results.is_none() })
}

fn print_ending(ending: &SessionEnd) {
    match ending {
        SessionEnd::Kept(path, record) => {
            let path = path.display();
            say(format_args!("kept in {path}: leyden replay {path} {}", record.id));
        }
        SessionEnd::Practised(_) => say(format_args!("this was practice: nothing is stored")),
        SessionEnd::Resigned => say(format_args!("you resigned: nothing is stored")),
        SessionEnd::NotKept(error, _) => {
            say(format_args!("the match could not be stored: {}", plain(&error.to_string())));
        }
        SessionEnd::Failed(error) => {
            say(format_args!("the match cannot continue: {}", plain(&error.to_string())));
        }
    }
}

/// Starts a browser. Everybody on the machine can read command lines, so it opens a file that only its owner can read and that
/// redirects to the address. The file exists as long as the returned value.
fn open(url: &str) -> Option<NamedTempFile> {
    let file = way_to(url).and_then(|file| {
        let path = file.path().display().to_string();
        serve::start_browser(&path).map(|()| file)
    });
    file.map_err(|error| say(format_args!("no browser could be started ({error}): open the address above")))
        .ok()
}

fn way_to(url: &str) -> io::Result<NamedTempFile> {
    let mut file = tempfile::Builder::new().prefix("leyden-play-").suffix(".html").tempfile()?;
    // The address consists of digits and letters that need no escape.
    write!(
        file,
        "<!doctype html><meta charset=utf-8><title>Leyden Arena</title><meta http-equiv=refresh content=\"0;url={url}\"><a href=\"{url}\">To the table</a>"
    )?;
    file.flush()?;
    Ok(file)
}
