//! A filter of system calls: what no bot needs and what a kernel's defects most often hide behind.
//!
//! Everything else is allowed: languages differ too much for a list of what is needed. A call that is refused gives an
//! error and does not kill, so that a library which tries and can do without goes on.

use std::collections::BTreeMap;

use libc::{EACCES, ENOSYS, EPERM, c_long};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    sock_filter,
};

/// Calls by number, each with the rules under which it is refused; no rule means always.
type Refused = BTreeMap<i64, Vec<SeccompRule>>;

/// What the filter is for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Purpose {
    /// Whether sockets of the local family are harmless: they are in namespaces of their own.
    pub(super) local_sockets: bool,
    /// The process to which alone signals may be sent, where nothing else keeps them inside.
    pub(super) signals_only_to: Option<u32>,
}

/// Refused with "operation not permitted".
const NEVER: &[c_long] = &[
    // Large and young parts of the kernel.
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_bpf,
    libc::SYS_userfaultfd,
    libc::SYS_perf_event_open,
    libc::SYS_fanotify_init,
    // Keys belong to users, not to namespaces.
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    // Namespaces and mounts.
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_open_tree,
    libc::SYS_move_mount,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    libc::SYS_open_by_handle_at,
    libc::SYS_name_to_handle_at,
    // Other processes.
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_pidfd_getfd,
    libc::SYS_kcmp,
    libc::SYS_migrate_pages,
    libc::SYS_move_pages,
    // Leaving the group that is stopped and killed as one, or the core that the bot was given.
    libc::SYS_setsid,
    libc::SYS_setpgid,
    libc::SYS_sched_setaffinity,
    // Memory that no limit of a process counts.
    libc::SYS_memfd_create,
    libc::SYS_memfd_secret,
    libc::SYS_shmget,
    libc::SYS_msgget,
    libc::SYS_mq_open,
    // The machine.
    libc::SYS_acct,
    libc::SYS_adjtimex,
    libc::SYS_clock_adjtime,
    libc::SYS_clock_settime,
    libc::SYS_delete_module,
    libc::SYS_finit_module,
    libc::SYS_init_module,
    libc::SYS_kexec_load,
    libc::SYS_personality,
    libc::SYS_quotactl,
    libc::SYS_reboot,
    libc::SYS_setdomainname,
    libc::SYS_sethostname,
    libc::SYS_settimeofday,
    libc::SYS_swapoff,
    libc::SYS_swapon,
    libc::SYS_syslog,
    libc::SYS_vhangup,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_ioperm,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_iopl,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_modify_ldt,
];

/// Flags of `clone` that make a namespace.
const NAMESPACES: [i32; 8] = [
    libc::CLONE_NEWCGROUP,
    libc::CLONE_NEWIPC,
    libc::CLONE_NEWNET,
    libc::CLONE_NEWNS,
    libc::CLONE_NEWPID,
    libc::CLONE_NEWUSER,
    libc::CLONE_NEWUTS,
    CLONE_NEWTIME,
];

const CLONE_NEWTIME: i32 = 0x80;

/// Installs the filter on this thread, and whatever it executes, for good.
pub(super) fn install(purpose: Purpose) -> Result<(), String> {
    let programs = programs(purpose).map_err(|error| format!("seccomp: {error}"))?;
    for program in programs {
        seccompiler::apply_filter(&program).map_err(|error| format!("seccomp: {error}"))?;
    }
    Ok(())
}

/// One program for each error that is given.
fn programs(purpose: Purpose) -> Result<Vec<BpfProgram>, seccompiler::BackendError> {
    let mut programs = Vec::new();
    for (refused, error) in
        [(not_permitted(purpose)?, EPERM), (no_network(purpose)?, EACCES), (not_there(), ENOSYS)]
    {
        let filter = SeccompFilter::new(
            refused,
            SeccompAction::Allow,
            SeccompAction::Errno(error as u32),
            std::env::consts::ARCH.try_into()?,
        )?;
        programs.push(filter.try_into()?);
    }
    #[cfg(target_arch = "x86_64")]
    programs.push(no_x32());
    Ok(programs)
}

fn not_permitted(purpose: Purpose) -> Result<Refused, seccompiler::BackendError> {
    let mut refused: Refused = NEVER.iter().map(|&call| (call, Vec::new())).collect();
    let namespaces = NAMESPACES.map(|flag| rule(0, SeccompCmpOp::MaskedEq(flag as u64), flag as u64));
    refused.insert(libc::SYS_clone, namespaces.into_iter().collect::<Result<_, _>>()?);
    // Shared memory without a file is counted by no limit of a process. The kind of a mapping is in the low bits.
    let shared = |kind: i32| {
        let mask = (0x0f | libc::MAP_ANONYMOUS) as u64;
        rule(3, SeccompCmpOp::MaskedEq(mask), (kind | libc::MAP_ANONYMOUS) as u64)
    };
    refused.insert(libc::SYS_mmap, vec![shared(libc::MAP_SHARED)?, shared(libc::MAP_SHARED_VALIDATE)?]);
    // Typing into a terminal.
    let typing = [libc::TIOCSTI, libc::TIOCLINUX].map(|request| rule(1, SeccompCmpOp::Eq, request));
    refused.insert(libc::SYS_ioctl, typing.into_iter().collect::<Result<_, _>>()?);
    if let Some(process) = purpose.signals_only_to {
        let others = || rule(0, SeccompCmpOp::Ne, process.into()).map(|rule| vec![rule]);
        for call in [libc::SYS_kill, libc::SYS_tgkill, libc::SYS_rt_sigqueueinfo, libc::SYS_rt_tgsigqueueinfo]
        {
            refused.insert(call, others()?);
        }
        refused.insert(libc::SYS_tkill, Vec::new());
        refused.insert(libc::SYS_pidfd_send_signal, Vec::new());
    }
    Ok(refused)
}

/// Sockets other than local ones.
fn no_network(purpose: Purpose) -> Result<Refused, seccompiler::BackendError> {
    let not_local = || rule(0, SeccompCmpOp::Ne, libc::AF_UNIX as u64).map(|rule| vec![rule]);
    let socket = if purpose.local_sockets { not_local()? } else { Vec::new() };
    Ok(BTreeMap::from([(libc::SYS_socket, socket), (libc::SYS_socketpair, not_local()?)]))
}

/// Its flags stand in memory, where no filter sees them; libraries fall back to `clone`.
fn not_there() -> Refused {
    BTreeMap::from([(libc::SYS_clone3, Vec::new())])
}

fn rule(argument: u8, operation: SeccompCmpOp, value: u64) -> Result<SeccompRule, seccompiler::BackendError> {
    SeccompRule::new(vec![SeccompCondition::new(argument, SeccompCmpArgLen::Dword, operation, value)?])
}

/// The second set of numbers for the same calls, which would pass the filters above.
#[cfg(target_arch = "x86_64")]
fn no_x32() -> BpfProgram {
    const FIRST_X32: u32 = 0x4000_0000;
    const ERRNO: u32 = 0x0005_0000;
    const ALLOW: u32 = 0x7fff_0000;
    let load_number = sock_filter { code: 0x20, jt: 0, jf: 0, k: 0 };
    let if_below_skip = sock_filter { code: 0x35, jt: 0, jf: 1, k: FIRST_X32 };
    let answer = |k| sock_filter { code: 0x06, jt: 0, jf: 0, k };
    vec![load_number, if_below_skip, answer(ERRNO | ENOSYS as u32), answer(ALLOW)]
}
