//! A filter of system calls: a list of allowed calls, and a list of known calls that are refused.
//!
//! A call in neither list returns "not implemented", as on an older kernel, and C libraries fall back to what they did
//! there. A refused call returns "operation not permitted" and does not kill, so a library that only tries a call
//! continues. Where a call can be harmful or harmless, its arguments decide; a filter cannot see what its arguments
//! point to.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use libc::{EACCES, ENOSYS, EPERM};
use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule,
};

use super::calls;

/// Calls by number, each with the rules under which they match; no rule means always.
type Calls = BTreeMap<i64, Vec<SeccompRule>>;

/// The situation that the filter is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
/// such as making one large page of many (`MADV_COLLAPSE`), or fills gigabytes in one call, which nothing but death
/// interrupts (`MADV_POPULATE_READ`).
const MADVISE: [i32; 14] = [
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
];

/// What `futex` may do with a word that is not the process's own, which libraries do when a thread waits for the end of
/// another. The key of such a word is the file and the offset in it, so who wakes it learns how many wait in other
/// processes; the kernel itself wakes those who wait for a thread. A bot with files of its own may also wake: that is how
/// its processes share a semaphore.
const SHARED_FUTEX: [i32; 2] = [libc::FUTEX_WAIT, libc::FUTEX_WAIT_BITSET];

/// The operations of `futex`.
const FUTEX: std::ops::RangeInclusive<i32> = 0..=13;

/// The options that a bot may set on its sockets. Others attach programs to a socket, or change how the whole machine
/// handles it.
const SOCKET_OPTIONS: [i32; 7] = [
    libc::SO_REUSEADDR,
    libc::SO_SNDBUF,
    libc::SO_RCVBUF,
    libc::SO_KEEPALIVE,
    libc::SO_LINGER,
    libc::SO_RCVTIMEO,
    libc::SO_SNDTIMEO,
];

/// The options that who may use the network may not set on its sockets, and no build: they attach a program to a socket.
const SOCKET_PROGRAMS: [i32; 4] = [
    libc::SO_ATTACH_FILTER,
    libc::SO_ATTACH_BPF,
    libc::SO_ATTACH_REUSEPORT_CBPF,
    libc::SO_ATTACH_REUSEPORT_EBPF,
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

thread_local! {
    /// What was compiled last: what the next children of this thread need as well.
    static COMPILED: RefCell<Option<(Purpose, Rc<Vec<BpfProgram>>)>> = const { RefCell::new(None) };
}

/// Permanently installs the filter on this thread, and on all that it executes.
pub(super) fn install(purpose: Purpose) -> Result<(), String> {
    for program in compiled(purpose)?.iter() {
        seccompiler::apply_filter(program).map_err(|error| format!("seccomp: {error}"))?;
    }
    Ok(())
}

/// Returns the programs for a purpose; those of the last one are kept.
pub(super) fn compiled(purpose: Purpose) -> Result<Rc<Vec<BpfProgram>>, String> {
    COMPILED.with_borrow_mut(|kept| match kept {
        Some((last, programs)) if *last == purpose => Ok(Rc::clone(programs)),
        _ => {
            let programs = Rc::new(programs(purpose).map_err(|error| format!("seccomp: {error}"))?);
            *kept = Some((purpose, Rc::clone(&programs)));
            Ok(programs)
        }
    })
}

/// One program for each error that is returned. The last one forbids installing another.
fn programs(purpose: Purpose) -> Result<Vec<BpfProgram>, BackendError> {
    let error = |number: i32| SeccompAction::Errno(number as u32);
    let (known, outside, refused) = (known(purpose), outside(purpose)?, refused(purpose)?);
    // Java complains on standard output if it may not lock its own file. A lock on a file that others can read would be
    // a mark, so nothing is locked, and the call only pretends to succeed: nobody else uses a bot's own files.
    let mut nothing_done = Calls::from([(libc::SYS_flock, Vec::new())]);
    if purpose.build.is_some_and(|build| !purpose.namespaces && !build.own_user) {
        // Linkers and installers insist on these. The arena decides afterwards which of the built files are programs.
        nothing_done.extend(always(&[calls::MODES, calls::MODES_HERE, calls::TIMES, calls::TIMES_HERE]));
    }
    let filters = [
        (known, error(ENOSYS), SeccompAction::Allow),
        (outside, SeccompAction::Allow, error(EACCES)),
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
fn known(purpose: Purpose) -> Calls {
    let building: &[libc::c_long] = if purpose.build.is_some() { calls::BUILDING } else { &[] };
    let messages: &[libc::c_long] =
        if purpose.build.is_some() || purpose.network { calls::MESSAGES } else { &[] };
    let lists = [
        calls::ALLOWED,
        calls::ALLOWED_HERE,
        calls::WRITING,
        calls::WRITING_HERE,
        calls::ADDRESSES,
        building,
        messages,
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

/// Matches these calls with any arguments.
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
    // The limits of other processes.
    refused.insert(libc::SYS_prlimit64, vec![rule([differs(0, 0)?])?]);
    refused.insert(libc::SYS_futex, futex(purpose)?);
    refused.insert(libc::SYS_setsockopt, setsockopt(purpose)?);
    // Urgent bytes have a place of their own in the kernel, which nobody needs between processes of one machine.
    for (call, flags) in [(libc::SYS_sendto, 3), (libc::SYS_recvfrom, 3), (libc::SYS_recvmsg, 2)] {
        refused.insert(call, vec![rule([has(flags, libc::MSG_OOB as u64)?])?]);
    }
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
        for call in [libc::SYS_kill, libc::SYS_tgkill] {
            refused.insert(call, vec![rule([differs(0, process.into())?])?]);
        }
        refused.insert(libc::SYS_tkill, Vec::new());
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

/// Matches operations on words that other processes may share, except those of [`SHARED_FUTEX`].
fn futex(purpose: Purpose) -> Result<Vec<SeccompRule>, BackendError> {
    let may_wake = purpose.namespaces || purpose.build.is_some();
    let is_allowed =
        |operation: &i32| SHARED_FUTEX.contains(operation) || (may_wake && *operation == libc::FUTEX_WAKE);
    let others = FUTEX.filter(|operation| !is_allowed(operation));
    // Above the operation there is a bit for the clock, and one for a word of the process's own.
    others.map(|operation| rule([masked(1, 0xff, operation as u64)?])).collect()
}

/// Matches options that nobody may set on a socket.
fn setsockopt(purpose: Purpose) -> Result<Vec<SeccompRule>, BackendError> {
    let level = libc::SOL_SOCKET as u64;
    if purpose.build.is_some() || purpose.network {
        let attached =
            SOCKET_PROGRAMS.iter().map(|&option| rule([equals(1, level)?, equals(2, option as u64)?]));
        return attached.collect();
    }
    Ok(vec![rule([differs(1, level)?])?, none_of(2, SOCKET_OPTIONS.map(|option| option as u64))?])
}

/// Matches memory that no process limit counts: shared without a file, growing downwards, or in huge pages; and memory
/// that is filled in the call itself. The kind of a mapping is in the low bits.
fn mmap() -> Result<Vec<SeccompRule>, BackendError> {
    let shared =
        |kind: i32| masked(3, (0x0f | libc::MAP_ANONYMOUS) as u64, (kind | libc::MAP_ANONYMOUS) as u64);
    let kinds = [
        shared(libc::MAP_SHARED),
        shared(libc::MAP_SHARED_VALIDATE),
        has(3, libc::MAP_GROWSDOWN as u64),
        has(3, libc::MAP_HUGETLB as u64),
        has(3, libc::MAP_POPULATE as u64),
        has(3, libc::MAP_LOCKED as u64),
    ];
    kinds.into_iter().map(|condition| rule([condition?])).collect()
}

/// Matches what is outside of the sandbox: sockets, except local ones and those of the network if it may be used, and files.
/// Outside of namespaces a bot gets no local ones, with which it could reach services of this machine.
fn outside(purpose: Purpose) -> Result<Calls, BackendError> {
    let mut calls = sockets(purpose)?;
    if !purpose.namespaces && purpose.build.is_none() {
        calls.extend(always(&[calls::WRITING, calls::WRITING_HERE])); // it can write nowhere
    }
    Ok(calls)
}

/// Matches forbidden sockets.
fn sockets(purpose: Purpose) -> Result<Calls, BackendError> {
    if purpose.network {
        let has_local = purpose.namespaces || purpose.build.is_some();
        let local = if has_local { libc::AF_UNIX } else { libc::AF_INET };
        let kinds = [local, libc::AF_INET, libc::AF_INET6, libc::AF_NETLINK];
        return Ok(BTreeMap::from([(libc::SYS_socket, vec![none_of(0, kinds.map(|kind| kind as u64))?])]));
    }
    let not_local = || Ok(vec![rule([differs(0, libc::AF_UNIX as u64)?])?]);
    let mut calls = BTreeMap::from([(libc::SYS_socketpair, not_local()?)]);
    if purpose.namespaces {
        calls.insert(libc::SYS_socket, not_local()?);
        return Ok(calls);
    }
    calls.insert(libc::SYS_socket, Vec::new());
    calls.extend(always(&[calls::ADDRESSES]));
    Ok(calls)
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

/// The kernel uses the low half of most arguments.
fn condition(argument: u8, operation: SeccompCmpOp, value: u64) -> Result<SeccompCondition, BackendError> {
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, operation, value)
}

#[cfg(test)]
mod tests;
