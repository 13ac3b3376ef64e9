//! How much a league may take on disk: versions, builds, challenges, and what is handed in.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::roster;

/// What files take, in whole blocks of this many bytes, and one more for the name of each.
const BLOCK: u64 = 4_096;

/// The folders of a league and their limit.
#[derive(Clone, Debug)]
pub struct Disk {
    /// Where bots are handed in, and where versions and builds are kept.
    pub folder: PathBuf,
    pub versions: PathBuf,
    pub builds: PathBuf,
    /// Where challenges are kept.
    pub challenges: PathBuf,
    /// The limit of all of them together, in bytes; `None` leaves it to the disk.
    pub most: Option<u64>,
}

impl Disk {
    /// How much all of them take, in bytes; 0 if there is no limit.
    pub(super) fn used_bytes(&self) -> u64 {
        if self.most.is_none() {
            return 0;
        }
        [&self.folder, &self.versions, &self.builds, &self.challenges]
            .into_iter()
            .map(|path| size_on_disk(path))
            .sum()
    }

    /// Whether they may take this much.
    pub(super) fn allows(&self, bytes: u64) -> bool {
        self.most.is_none_or(|most| bytes <= most)
    }

    fn has_room(&self, bytes: u64) -> bool {
        self.allows(self.used_bytes().saturating_add(bytes))
    }

    /// Whether that many bytes more are within the limit. Removes builds if that is needed: first those of bots without these hashes, then all, because they can be
    /// built again.
    pub(super) fn make_room(&self, bytes: u64, playing: &[&str]) -> io::Result<bool> {
        for kept in [playing, &[]] {
            if self.has_room(bytes) {
                return Ok(true);
            }
            roster::sweep_builds(&self.builds, kept)?;
        }
        Ok(self.has_room(bytes))
    }

    /// Why nothing more is received or kept.
    pub(super) fn is_full(&self) -> String {
        let limit = self.most.unwrap_or_default() >> 20;
        format!("the league takes the {limit} MB on disk that it may: the organiser can allow more (--disk)")
    }
}

/// How much a file or folder takes, in bytes; nothing if it is not there any more. What is in a folder that cannot be read does not
/// count: one such folder must not keep everybody from handing in.
pub(super) fn size_on_disk(path: &Path) -> u64 {
    let of = |meta: &fs::Metadata| meta.len().div_ceil(BLOCK).saturating_add(1).saturating_mul(BLOCK);
    let Ok(meta) = path.symlink_metadata() else { return 0 };
    let (mut sum, mut folders) = (of(&meta), Vec::new());
    folders.extend(meta.is_dir().then(|| path.to_owned()));
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let Ok(meta) = entry.metadata() else { continue };
            sum = sum.saturating_add(of(&meta));
            folders.extend(meta.is_dir().then(|| entry.path()));
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn builds_make_room_for_versions() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let of = |bytes: u64, path: PathBuf| {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::File::create(path).unwrap().set_len(bytes).unwrap();
        };
        of(400_000, at("versions/ann v1/weights"));
        of(200_000, at(&format!("builds/{}-1/bot", "a".repeat(32))));
        of(200_000, at(&format!("builds/{}-1/bot", "b".repeat(32))));
        let disk = Disk {
            folder: at("bots"),
            versions: at("versions"),
            builds: at("builds"),
            challenges: at("challenges"),
            most: Some(1_000_000),
        };
        let builds = || fs::read_dir(at("builds")).unwrap().count();
        let playing = "a".repeat(64);
        assert!(disk.make_room(100_000, &[&playing]).unwrap() && builds() == 2);
        assert!(disk.make_room(300_000, &[&playing]).unwrap() && builds() == 1);
        assert!(disk.make_room(500_000, &[&playing]).unwrap() && builds() == 0);
        assert!(!disk.make_room(700_000, &[&playing]).unwrap());
        assert!(disk.is_full().contains("0 MB"));
        assert!(Disk { most: None, ..disk }.has_room(u64::MAX));
        // Many empty files are not nothing.
        (0..100).for_each(|number| of(0, at(&format!("empty/{number}"))));
        assert!(size_on_disk(&at("empty")) >= 100 * BLOCK);
        assert_eq!(size_on_disk(&at("nothing")), 0);
    }
}
