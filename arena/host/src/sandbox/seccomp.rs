//! A filter of system calls: a list of allowed calls, and a list of known calls that are refused.
//!
//! A call in neither list returns "not implemented", as on an older kernel, and C libraries fall back to what they did
//! there. A refused call returns "operation not permitted" and does not kill, so a library that only tries a call
//! continues. Where a call can be harmful or harmless, its arguments decide; a filter cannot see what its arguments
//! point to.

use std::collections::BTreeMap;

use libc::{EACCES, ENOSYS, EPERM};
use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule,
};

use super::calls;

/// Calls by number, each with the rules under which they match; no rule means always.
type Calls = BTreeMap<i64, Vec<SeccompRule>>;

/// The situation that the filter is for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Purpose {
    /// Whether the bot is in its own namespaces: it sees no other processes and no network, and every file that is not
    /// its own is read-only.
    pub(super) namespaces: bool,
    /// The only process to which signals may be sent, if nothing else restricts them.
    pub(super) signals_only_to: Option<u32>,
    /// Whether it may use the network.
    pub(super) network: bool,
    /// What a build may do in addition, if it is one. A build knows no deal, so it may leave marks.
    pub(super) build: Option<BuildPurpose>,
}

/// What a build may do that a bot may not.
#[derive(Clone, Copy, Debug)]
pub(super) struct BuildPurpose {
    /// Whether its user owns no files except its own.
    pub(super) own_user: bool,
}

/// Flags of `clone` that create a namespace, or a child of another parent.
const NAMESPACES: [i32; 9] = [
    libc::CLONE_NEWCGROUP,
    libc::CLONE_NEWIPC,
    libc::CLONE_NEWNET,
    libc::CLONE_NEWNS,
    libc::CLONE_NEWPID,
    libc::CLONE_NEWUSER,
    libc::CLONE_NEWUTS,
    libc::CLONE_PARENT,
    CLONE_NEWTIME,
];

const CLONE_NEWTIME: i32 = 0x80;

/// What `fcntl` may do: copy and inspect descriptors. The other operations are locks, leases, and signals sent by
/// events on a file.
const FCNTL: [i32; 6] =
    [libc::F_DUPFD, libc::F_DUPFD_CLOEXEC, libc::F_GETFD, libc::F_SETFD, libc::F_GETFL, libc::F_SETFL];

/// What `ioctl` may do: ask what a descriptor is, and whether it waits.
const IOCTL: [u64; 8] = [
    libc::TCGETS,
    libc::TIOCGWINSZ,
    libc::TIOCGPGRP,
    libc::FIONREAD,
    libc::FIONBIO,
    libc::FIOCLEX,
    libc::FIONCLEX,
    TCGETS2,
];

/// `TCGETS` as recent C libraries call it.
const TCGETS2: u64 = 0x802c_542a;

/// What `madvise` may do: only what concerns the caller's own memory. The other advice affects pages that others share,
/// such as making one large page of many (`MADV_COLLAPSE`).
const MADVISE: [i32; 16] = [
    libc::MADV_NORMAL,
    libc::MADV_RANDOM,
    libc::MADV_SEQUENTIAL,
    libc::MADV_WILLNEED,
    libc::MADV_DONTNEED,
    libc::MADV_FREE,
    libc::MADV_DONTFORK,
    libc::MADV_DOFORK,
    libc::MADV_HUGEPAGE,
    libc::MADV_NOHUGEPAGE,
    libc::MADV_DONTDUMP,
    libc::MADV_DODUMP,
    libc::MADV_WIPEONFORK,
    libc::MADV_KEEPONFORK,
    libc::MADV_POPULATE_READ,
    libc::MADV_POPULATE_WRITE,
];

/// What `prctl` may do. The signal at the parent's death has its own rule.
const PRCTL: [i32; 13] = [
    libc::PR_SET_NAME,
    libc::PR_GET_NAME,
    libc::PR_SET_PDEATHSIG,
    libc::PR_GET_PDEATHSIG,
    libc::PR_GET_DUMPABLE,
    libc::PR_SET_NO_NEW_PRIVS,
    libc::PR_GET_NO_NEW_PRIVS,
    libc::PR_GET_SECCOMP,
    libc::PR_CAPBSET_READ,
    libc::PR_SET_THP_DISABLE,
    libc::PR_GET_THP_DISABLE,
    libc::PR_GET_SPECULATION_CTRL,
    libc::PR_SET_VMA,
];

/// Permanently installs the filter on this thread, and whatever it executes.
pub(super) fn install(purpose: Purpose) -> Result<(), String> {
    let programs = programs(purpose).map_err(|error| format!("seccomp: {error}"))?;
    for program in programs {
        seccompiler::apply_filter(&program).map_err(|error| format!("seccomp: {error}"))?;
    }
    Ok(())
}

/// One program for each error that is returned. The last one forbids installing another.
fn programs(purpose: Purpose) -> Result<Vec<BpfProgram>, BackendError> {
    let error = |number: i32| SeccompAction::Errno(number as u32);
    let (known, network, refused) = (known(), network(purpose)?, refused(purpose)?);
    // Java complains on standard output if it may not lock its own file. A lock on a file that others can read would be
    // a mark, so nothing is locked, and the call only pretends to succeed: nobody else uses a bot's own files.
    let mut nothing_done = Calls::from([(libc::SYS_flock, Vec::new())]);
    if purpose.build.is_some_and(|build| !purpose.namespaces && !build.own_user) {
        // Linkers and installers insist on these. The arena decides afterwards which of the built files are programs.
        nothing_done.extend(always(&[calls::MODES, calls::MODES_HERE, calls::TIMES, calls::TIMES_HERE]));
    }
    let filters = [
        (known, error(ENOSYS), SeccompAction::Allow),
        (network, SeccompAction::Allow, error(EACCES)),
        (nothing_done, SeccompAction::Allow, error(0)),
        (refused, SeccompAction::Allow, error(EPERM)),
    ];
    let filters = filters.map(|(calls, otherwise, action)| {
        SeccompFilter::new(calls, otherwise, action, std::env::consts::ARCH.try_into()?)?.try_into()
    });
    filters.into_iter().collect()
}

/// Returns every call that is not unknown. `clone3` is unknown because its flags are in memory; so are x86's second
/// numbers for each call, and the calls of future kernels.
fn known() -> Calls {
    let lists = [
        calls::ALLOWED,
        calls::ALLOWED_HERE,
        calls::ROOM,
        calls::REFUSED,
        calls::REFUSED_HERE,
        calls::TIMES,
        calls::TIMES_HERE,
        calls::MODES,
        calls::MODES_HERE,
    ];
    always(&lists)
}

/// Matches these calls, whatever their arguments.
fn always(lists: &[&[libc::c_long]]) -> Calls {
    lists.concat().into_iter().map(|call| (call, Vec::new())).collect()
}

fn refused(purpose: Purpose) -> Result<Calls, BackendError> {
    let mut refused = always(&[calls::REFUSED, calls::REFUSED_HERE]);
    if purpose.build.is_none() {
        refused.extend(always(&[calls::TIMES, calls::TIMES_HERE, calls::ROOM]));
    }
    refused.insert(libc::SYS_clone, clone()?);
    refused.insert(libc::SYS_mmap, mmap()?);
    refused.insert(libc::SYS_madvise, vec![none_of(2, MADVISE.map(|advice| advice as u64))?]);
    let signals_by_file = rule([equals(1, libc::F_SETFL as u64)?, has(2, libc::O_ASYNC as u64)?])?;
    refused.insert(libc::SYS_fcntl, vec![none_of(1, FCNTL.map(|command| command as u64))?, signals_by_file]);
    refused.insert(libc::SYS_ioctl, vec![none_of(1, IOCTL)?]);
    let parents_death = rule([equals(0, libc::PR_SET_PDEATHSIG as u64)?, differs(1, libc::SIGKILL as u64)?])?;
    refused.insert(libc::SYS_prctl, vec![none_of(0, PRCTL.map(|option| option as u64))?, parents_death]);
    // The limits of other processes, and a timer with a signal of its own choice, SIGCONT included.
    refused.insert(libc::SYS_prlimit64, vec![rule([differs(0, 0)?])?]);
    refused.insert(libc::SYS_timer_create, vec![rule([not_null(1)?])?]);
    if purpose.namespaces {
        return Ok(refused);
    }
    if purpose.build.is_none() {
        refused.extend(always(&[calls::MODES, calls::MODES_HERE]));
    }
    // Waiting for the end of a process and reading its clock need no permission.
    refused.insert(libc::SYS_pidfd_open, Vec::new());
    for call in [libc::SYS_clock_gettime, libc::SYS_clock_nanosleep] {
        refused.insert(call, vec![clock_of_another()?]);
    }
    if let Some(process) = purpose.signals_only_to {
        for call in [libc::SYS_kill, libc::SYS_tgkill, libc::SYS_rt_sigqueueinfo, libc::SYS_rt_tgsigqueueinfo]
        {
            refused.insert(call, vec![rule([differs(0, process.into())?])?]);
        }
        refused.insert(libc::SYS_tkill, Vec::new());
        refused.insert(libc::SYS_pidfd_send_signal, Vec::new());
    }
    Ok(refused)
}

/// Matches namespaces, and a signal for the parent other than SIGCHLD. `SIGCHLD` is `0b1_0001`, and 0 is none.
fn clone() -> Result<Vec<SeccompRule>, BackendError> {
    let namespaces = NAMESPACES.iter().map(|&flag| has(0, flag as u64));
    let bits = [1, 2, 3, 5, 6, 7].map(|bit| has(0, 1 << bit));
    let halves = [masked(0, 0b1_0001, 0b1), masked(0, 0b1_0001, 0b1_0000)];
    namespaces.chain(bits).chain(halves).map(|condition| rule([condition?])).collect()
}

/// Matches memory that no process limit counts: shared without a file, growing downwards, or in huge pages. The kind of
/// a mapping is in the low bits.
fn mmap() -> Result<Vec<SeccompRule>, BackendError> {
    let shared =
        |kind: i32| masked(3, (0x0f | libc::MAP_ANONYMOUS) as u64, (kind | libc::MAP_ANONYMOUS) as u64);
    let kinds = [
        shared(libc::MAP_SHARED),
        shared(libc::MAP_SHARED_VALIDATE),
        has(3, libc::MAP_GROWSDOWN as u64),
        has(3, libc::MAP_HUGETLB as u64),
    ];
    kinds.into_iter().map(|condition| rule([condition?])).collect()
}

/// Matches forbidden sockets: all except local ones, and those of the network if it may be used. Outside of namespaces a bot gets
/// no local ones, with which it could reach services of this machine.
fn network(purpose: Purpose) -> Result<Calls, BackendError> {
    if purpose.network {
        let has_local = purpose.namespaces || purpose.build.is_some();
        let local = if has_local { libc::AF_UNIX } else { libc::AF_INET };
        let kinds = [local, libc::AF_INET, libc::AF_INET6, libc::AF_NETLINK];
        return Ok(BTreeMap::from([(libc::SYS_socket, vec![none_of(0, kinds.map(|kind| kind as u64))?])]));
    }
    let not_local = || Ok(vec![rule([differs(0, libc::AF_UNIX as u64)?])?]);
    let socket = if purpose.namespaces { not_local()? } else { Vec::new() };
    Ok(BTreeMap::from([(libc::SYS_socket, socket), (libc::SYS_socketpair, not_local()?)]))
}

/// The number of a process's clock is negative; numbers from -8 on are the caller's own.
fn clock_of_another() -> Result<SeccompRule, BackendError> {
    let negative = condition(0, SeccompCmpOp::Ge, 0x8000_0000)?;
    let not_ones_own = condition(0, SeccompCmpOp::Lt, 0xffff_fff8)?;
    rule([negative, not_ones_own])
}

/// Returns a rule with all of these conditions together.
fn rule<const N: usize>(conditions: [SeccompCondition; N]) -> Result<SeccompRule, BackendError> {
    SeccompRule::new(conditions.into())
}

fn none_of<const N: usize>(argument: u8, values: [u64; N]) -> Result<SeccompRule, BackendError> {
    SeccompRule::new(values.into_iter().map(|value| differs(argument, value)).collect::<Result<_, _>>()?)
}

fn equals(argument: u8, value: u64) -> Result<SeccompCondition, BackendError> {
    condition(argument, SeccompCmpOp::Eq, value)
}

fn differs(argument: u8, value: u64) -> Result<SeccompCondition, BackendError> {
    condition(argument, SeccompCmpOp::Ne, value)
}

fn has(argument: u8, bits: u64) -> Result<SeccompCondition, BackendError> {
    masked(argument, bits, bits)
}

fn masked(argument: u8, mask: u64, value: u64) -> Result<SeccompCondition, BackendError> {
    condition(argument, SeccompCmpOp::MaskedEq(mask), value)
}

fn not_null(argument: u8) -> Result<SeccompCondition, BackendError> {
    SeccompCondition::new(argument, SeccompCmpArgLen::Qword, SeccompCmpOp::Ne, 0)
}

/// The kernel uses the low half of most arguments.
fn condition(argument: u8, operation: SeccompCmpOp, value: u64) -> Result<SeccompCondition, BackendError> {
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, operation, value)
}
