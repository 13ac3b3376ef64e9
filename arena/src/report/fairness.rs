//! Whether a machine gives every bot the same processor time for the same clock: what organisers of programming
//! contests look at before they measure time.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use leyden_host::platform;
use leyden_model::words::counted;
use schemars::JsonSchema;
use serde::Serialize;

/// One thing that can make the same computation take different times.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Fairness {
    pub what: FairnessOf,
    /// What was found.
    pub found: String,
    /// What to do about it; none if it is fair.
    pub remedy: Option<String>,
}

/// What fairness depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FairnessOf {
    /// Two processors that share a core.
    Siblings,
    /// Cores that are not equally fast.
    Cores,
    /// Who decides how fast a core runs.
    Governor,
    /// Whether a core runs faster while others rest.
    Boost,
    /// Whether memory may be moved to a disk.
    Swap,
    /// Whether the kernel makes large pages of small ones behind a program's back.
    HugePages,
}

impl FairnessOf {
    /// Returns its name for a line of `leyden doctor`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Siblings => "siblings",
            Self::Cores => "cores alike",
            Self::Governor => "governor",
            Self::Boost => "boost",
            Self::Swap => "swap",
            Self::HugePages => "huge pages",
        }
    }
}

/// Looks at this machine. What it does not report is left out.
pub(super) fn for_machine() -> Vec<Fairness> {
    examine(Path::new("/"), &platform::allowed_cores())
}

fn examine(root: &Path, cores: &[usize]) -> Vec<Fairness> {
    let looks = [siblings, alike, governor, boost, swap, huge_pages];
    looks.iter().filter_map(|look| look(root, cores)).collect()
}

fn read(root: &Path, file: &str) -> Option<String> {
    Some(fs::read_to_string(root.join(file)).ok()?.trim().to_owned())
}

/// What a file says for each of these cores, if it exists for any of them.
fn values_of_cores(root: &Path, cores: &[usize], file: &str) -> BTreeSet<String> {
    cores.iter().filter_map(|core| read(root, &format!("sys/devices/system/cpu/cpu{core}/{file}"))).collect()
}

impl Fairness {
    fn new(what: FairnessOf, found: impl Into<String>, remedy: Option<String>) -> Self {
        Self { what, found: found.into(), remedy }
    }
}

fn siblings(root: &Path, cores: &[usize]) -> Option<Fairness> {
    let group = |core: usize| values_of_cores(root, &[core], "topology/thread_siblings_list").pop_first();
    let mut groups = BTreeMap::new();
    for &core in cores {
        groups.entry(group(core)?).or_insert(core);
    }
    let (processors, real) = (cores.len(), groups.len());
    if processors == real {
        return Some(Fairness::new(FairnessOf::Siblings, "each processor is a core of its own", None));
    }
    let found = format!(
        "{processors} processors share {}: a match slows down the one beside it",
        counted(real, "core", "cores")
    );
    let mut firsts: Vec<usize> = groups.into_values().collect();
    firsts.sort_unstable();
    let firsts = firsts.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
    let remedy =
        format!("taskset -c {firsts} leyden …, or as root: echo off >/sys/devices/system/cpu/smt/control");
    Some(Fairness::new(FairnessOf::Siblings, found, Some(remedy)))
}

fn alike(root: &Path, cores: &[usize]) -> Option<Fairness> {
    let speeds = ["cpu_capacity", "cpufreq/cpuinfo_max_freq"].map(|file| values_of_cores(root, cores, file));
    let known = speeds.iter().find(|speeds| !speeds.is_empty())?;
    if known.len() == 1 {
        return Some(Fairness::new(FairnessOf::Cores, "all have the same highest speed", None));
    }
    let found =
        format!("their highest speeds differ ({})", known.iter().cloned().collect::<Vec<_>>().join(", "));
    let remedy = "start leyden on cores of one kind: taskset -c 0-3 leyden …".to_owned();
    Some(Fairness::new(FairnessOf::Cores, found, Some(remedy)))
}

fn governor(root: &Path, cores: &[usize]) -> Option<Fairness> {
    let governors = values_of_cores(root, cores, "cpufreq/scaling_governor");
    let found = governors.iter().cloned().collect::<Vec<_>>().join(", ");
    if found.is_empty() {
        return None;
    }
    let remedy = "as root: cpupower frequency-set -g performance".to_owned();
    let is_fair = found == "performance";
    Some(Fairness::new(FairnessOf::Governor, found, (!is_fair).then_some(remedy)))
}

fn boost(root: &Path, _: &[usize]) -> Option<Fairness> {
    const FILES: [(&str, &str, &str); 2] = [
        ("sys/devices/system/cpu/intel_pstate/no_turbo", "0", "1"),
        ("sys/devices/system/cpu/cpufreq/boost", "1", "0"),
    ];
    let (file, on, off, value) =
        FILES.iter().find_map(|(file, on, off)| Some((file, on, off, read(root, file)?)))?;
    if value != *on {
        return Some(Fairness::new(FairnessOf::Boost, "off", None));
    }
    let found = "on: a core is faster while others rest, and slower when it is hot";
    Some(Fairness::new(FairnessOf::Boost, found, Some(format!("as root: echo {off} >/{file}"))))
}

fn swap(root: &Path, _: &[usize]) -> Option<Fairness> {
    let swaps = read(root, "proc/swaps")?.lines().count().saturating_sub(1);
    if swaps == 0 {
        return Some(Fairness::new(FairnessOf::Swap, "none", None));
    }
    let found = "on: a bot that waits may find its memory on a disk";
    Some(Fairness::new(FairnessOf::Swap, found, Some("as root: swapoff -a".to_owned())))
}

fn huge_pages(root: &Path, _: &[usize]) -> Option<Fairness> {
    const FILE: &str = "sys/kernel/mm/transparent_hugepage/enabled";
    let all = read(root, FILE)?;
    let (_, chosen) = all.split_once('[')?;
    let (chosen, _) = chosen.split_once(']')?;
    let remedy = format!("as root: echo madvise >/{FILE}");
    let is_fair = chosen != "always";
    Some(Fairness::new(FairnessOf::HugePages, chosen, (!is_fair).then_some(remedy)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const CPU: &str = "sys/devices/system/cpu";

    /// A machine of two cores with these files.
    fn machine(files: &[(&str, &str)]) -> Vec<(FairnessOf, bool)> {
        let root = tempfile::tempdir().unwrap();
        for (file, text) in files {
            let path = root.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, format!("{text}\n")).unwrap();
        }
        examine(root.path(), &[0, 1]).into_iter().map(|look| (look.what, look.remedy.is_none())).collect()
    }

    #[test]
    fn remedy_is_given_only_where_machine_is_unfair() {
        let found = |cores: [&str; 2], file: &str| {
            let paths = [0, 1].map(|core| format!("{CPU}/cpu{core}/{file}"));
            machine(&[(&paths[0], cores[0]), (&paths[1], cores[1])])
        };
        assert_eq!(found(["0", "1"], "topology/thread_siblings_list"), [(FairnessOf::Siblings, true)]);
        assert_eq!(found(["0-1", "0-1"], "topology/thread_siblings_list"), [(FairnessOf::Siblings, false)]);
        assert_eq!(found(["1024", "1024"], "cpu_capacity"), [(FairnessOf::Cores, true)]);
        assert_eq!(found(["5200000", "3900000"], "cpufreq/cpuinfo_max_freq"), [(FairnessOf::Cores, false)]);
        assert_eq!(found(["performance"; 2], "cpufreq/scaling_governor"), [(FairnessOf::Governor, true)]);
        assert_eq!(found(["powersave"; 2], "cpufreq/scaling_governor"), [(FairnessOf::Governor, false)]);
        let swaps = "Filename Type Size\n/dev/sda2 partition 1";
        let pages = "sys/kernel/mm/transparent_hugepage/enabled";
        for (file, fair, unfair, what) in [
            ("sys/devices/system/cpu/intel_pstate/no_turbo", "1", "0", FairnessOf::Boost),
            ("sys/devices/system/cpu/cpufreq/boost", "0", "1", FairnessOf::Boost),
            ("proc/swaps", "Filename Type Size", swaps, FairnessOf::Swap),
            (pages, "always [madvise] never", "[always] madvise never", FairnessOf::HugePages),
        ] {
            assert_eq!(machine(&[(file, fair)]), [(what, true)], "{file}");
            assert_eq!(machine(&[(file, unfair)]), [(what, false)], "{file}");
        }
    }

    #[test]
    fn machine_that_reports_nothing_is_not_judged() {
        assert_eq!(machine(&[]), []);
    }
}
