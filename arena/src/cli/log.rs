//! Which log lines are shown. They are for whoever looks for a defect; what a user must know is a message.

use std::io::IsTerminal as _;

use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use super::out::LogOut;

/// The variables that say which lines are shown, such as `debug` or `warn,leyden_host=trace`. The first that is set counts.
const VARIABLES: [&str; 2] = ["LEYDEN_LOG", "RUST_LOG"];

/// Shows log lines on standard error from here on: warnings, if the environment asks for nothing else.
pub(super) fn start() {
    let (filter, complaint) = filter(|name| std::env::var(name).ok());
    tracing_subscriber::registry()
        .with(
            tracing_subscriber::fmt::layer()
                .with_ansi(std::io::stderr().is_terminal())
                .with_writer(|| LogOut),
        )
        .with(filter)
        .init();
    if let Some(complaint) = complaint {
        super::say(format_args!("leyden: {complaint}"));
    }
}

/// The filter that these variables ask for, and what is wrong with the one that counts.
fn filter(variable: impl Fn(&str) -> Option<String>) -> (Targets, Option<String>) {
    let warnings = Targets::new().with_default(LevelFilter::WARN);
    let set = VARIABLES
        .iter()
        .find_map(|&name| variable(name).filter(|text| !text.is_empty()).map(|text| (name, text)));
    let Some((name, text)) = set else { return (warnings, None) };
    if let Ok(filter) = text.parse() {
        return (filter, None);
    }
    let complaint = format!(
        "{name} is ignored: expected a level (off, error, warn, info, debug, trace) or a list such as \
         warn,leyden_host=debug, not {text:?}"
    );
    (warnings, Some(complaint))
}

#[cfg(test)]
mod tests {
    use tracing::Level;

    use super::*;

    fn with(variables: &[(&str, &str)]) -> (Targets, Option<String>) {
        filter(|name| variables.iter().find(|(set, _)| *set == name).map(|(_, text)| (*text).to_owned()))
    }

    #[test]
    fn warnings_are_shown_unless_something_else_is_asked_for() {
        for variables in [&[][..], &[("LEYDEN_LOG", ""), ("RUST_LOG", "")]] {
            let (filter, complaint) = with(variables);
            assert!(
                filter.would_enable("leyden", &Level::WARN) && !filter.would_enable("leyden", &Level::INFO)
            );
            assert_eq!(complaint, None);
        }
    }

    #[test]
    fn the_arenas_own_variable_goes_before_that_of_all_rust_programs() {
        let (filter, _) = with(&[("RUST_LOG", "warn,leyden_host=debug")]);
        assert!(filter.would_enable("leyden_host::bot", &Level::DEBUG));
        assert!(!filter.would_enable("leyden_arena", &Level::INFO));
        let (filter, _) = with(&[("RUST_LOG", "trace"), ("LEYDEN_LOG", "off")]);
        assert!(!filter.would_enable("leyden", &Level::ERROR));
    }

    #[test]
    fn what_is_no_filter_is_said_and_ignored() {
        let (filter, complaint) = with(&[("RUST_LOG", "leyden=loud")]);
        assert!(filter.would_enable("leyden", &Level::WARN) && !filter.would_enable("leyden", &Level::INFO));
        assert!(complaint.unwrap().contains("RUST_LOG is ignored"));
    }
}
