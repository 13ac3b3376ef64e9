//! `leyden tournament --commit`: a seed that is drawn and sealed before entries close.

use std::fs::OpenOptions;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use leyden_arena::run::random_seed;
use leyden_model::TournamentSeed;

use crate::exit::{Code, CommandError};
use crate::out::quoted;

/// Draws a seed into a new file that only its owner can read, and prints what to publish.
pub(crate) fn draw(file: &Path) -> Result<Code, CommandError> {
    let text = random_seed()?;
    let sealed = || {
        let mut sealed = OpenOptions::new().write(true).create_new(true).mode(0o600).open(file)?;
        sealed.write_all(format!("{text}\n").as_bytes())?;
        sealed.sync_all()
    };
    sealed().map_err(|error| {
        let what =
            format_args!("cannot write the seed to {}, which must be a new file: {error}", file.display());
        CommandError::for_file(what, &error)
    })?;
    crate::out::print(&format!(
        "seed commitment {}\n\nPublish that line before entries close, and keep {} secret until the tournament is over.\nPlay with\n  \
         leyden tournament … --seed-file {}\nIt says the same commitment before the first match, and the seed after the last; then \
         anybody can verify the deals:\n  leyden verify FILE --commitment …\n",
        TournamentSeed::from_text(&text).commitment(),
        file.display(),
        quoted(file.as_os_str()),
    ))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn seed_file_is_private_and_never_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("seed");
        assert!(draw(&file).is_ok());
        let text = fs::read_to_string(&file).unwrap();
        assert_eq!(
            (text.trim().len(), fs::metadata(&file).unwrap().permissions().mode() & 0o777),
            (64, 0o600)
        );
        assert!(draw(&file).is_err(), "a sealed seed is never replaced");
        assert_eq!(fs::read_to_string(&file).unwrap(), text);
    }
}
