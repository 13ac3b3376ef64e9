//! Which log lines are shown. They are for debugging; what a user must know is a message.

use std::io::IsTerminal as _;

use tracing_subscriber::Layer;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use crate::out::LogOut;

/// The variables that say which lines are shown, such as `debug` or `warn,leyden_host=trace`. The first that is set counts.
const VARIABLES: [&str; 2] = ["LEYDEN_LOG", "RUST_LOG"];

/// Shows log lines on standard error from now on. If the environment asks for none, warnings are still shown, as plain
/// messages.
pub(crate) fn start() {
    let LogOptions { filter, as_messages, complaint } = logged(|name| std::env::var(name).ok());
    let layer = tracing_subscriber::fmt::layer()
        .with_ansi(!as_messages && std::io::stderr().is_terminal())
        .with_writer(|| LogOut);
    let layer = if as_messages {
        layer.without_time().with_level(false).with_target(false).boxed()
    } else {
        layer.boxed()
    };
    tracing_subscriber::registry().with(layer.with_filter(filter)).init();
    if let Some(complaint) = complaint {
        crate::out::say(format_args!("leyden: {complaint}"));
    }
}

/// What is shown, and how.
struct LogOptions {
    filter: Targets,
    /// The environment asks for no log lines.
    as_messages: bool,
    /// What is wrong with the variable that counts.
    complaint: Option<String>,
}

/// Returns what these variables ask for.
fn logged(variable: impl Fn(&str) -> Option<String>) -> LogOptions {
    let warnings = Targets::new().with_default(LevelFilter::WARN);
    let set = VARIABLES
        .iter()
        .find_map(|&name| variable(name).filter(|text| !text.is_empty()).map(|text| (name, text)));
    let Some((name, text)) = set else {
        return LogOptions { filter: warnings, as_messages: true, complaint: None };
    };
    if let Ok(filter) = text.parse() {
        return LogOptions { filter, as_messages: false, complaint: None };
    }
    let complaint = format!(
        "{name} is ignored: expected a level (off, error, warn, info, debug, trace) or a list such as \
         warn,leyden_host=debug, not {text:?}"
    );
    LogOptions { filter: warnings, as_messages: true, complaint: Some(complaint) }
}

#[cfg(test)]
mod tests {
    use tracing::Level;

    use super::*;

    fn with(variables: &[(&str, &str)]) -> LogOptions {
        logged(|name| variables.iter().find(|(set, _)| *set == name).map(|(_, text)| (*text).to_owned()))
    }

    #[test]
    fn log_shows_warnings_as_messages_by_default() {
        for variables in [&[][..], &[("LEYDEN_LOG", ""), ("RUST_LOG", "")]] {
            let LogOptions { filter, as_messages, complaint } = with(variables);
            assert!(
                filter.would_enable("leyden", &Level::WARN) && !filter.would_enable("leyden", &Level::INFO)
            );
            assert!(as_messages);
            assert_eq!(complaint, None);
        }
    }

    #[test]
    fn leyden_log_overrides_rust_log() {
        let LogOptions { filter, as_messages, .. } = with(&[("RUST_LOG", "warn,leyden_host=debug")]);
        assert!(filter.would_enable("leyden_host::bot", &Level::DEBUG));
        assert!(!filter.would_enable("leyden_arena", &Level::INFO));
        assert!(!as_messages);
        let LogOptions { filter, .. } = with(&[("RUST_LOG", "trace"), ("LEYDEN_LOG", "off")]);
        assert!(!filter.would_enable("leyden", &Level::ERROR));
    }

    #[test]
    fn invalid_log_filter_is_reported_and_ignored() {
        let LogOptions { filter, complaint, .. } = with(&[("RUST_LOG", "leyden=loud")]);
        assert!(filter.would_enable("leyden", &Level::WARN) && !filter.would_enable("leyden", &Level::INFO));
        assert!(complaint.unwrap().contains("RUST_LOG is ignored"));
    }
}
