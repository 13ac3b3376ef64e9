//! What is reported about the chosen sandbox.

use leyden_host::preflight::PreflightError;
use leyden_host::sandbox::SandboxLevel;

/// Returns which sandbox was found. What is missing for a better one matters if bots of several people play: you know what your
/// own bots do.
pub(crate) fn description(
    level: SandboxLevel,
    missing: Option<&PreflightError>,
    foreign_bots: usize,
) -> String {
    match missing {
        None => format!("sandbox: {level}"),
        Some(PreflightError { level: next, reason, remedy }) if foreign_bots > 1 => {
            format!("sandbox: {level}; missing for {next}: {reason}; to get it: {remedy}")
        }
        Some(PreflightError { level: next, .. }) => {
            format!("sandbox: {level} (leyden doctor says what {next} would need)")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sandbox_line_shows_remedy_only_with_several_authors() {
        let missing = PreflightError {
            level: SandboxLevel::Full,
            reason: "no group".to_owned(),
            remedy: "ask".to_owned(),
        };
        let line = |foreign_bots| description(SandboxLevel::Jail, Some(&missing), foreign_bots);
        assert_eq!(line(2), "sandbox: jail; missing for full: no group; to get it: ask");
        assert_eq!(line(1), "sandbox: jail (leyden doctor says what full would need)");
        assert_eq!(description(SandboxLevel::Full, None, 9), "sandbox: full");
    }
}
