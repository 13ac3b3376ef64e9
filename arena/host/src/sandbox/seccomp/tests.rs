//! What the filters answer, evaluated without a kernel: each call by number, and calls whose arguments decide.
#![cfg(target_arch = "x86_64")]

use std::fmt::Write as _;

use super::*;

/// The numbers of this kernel's calls, and some more.
const NUMBERS: std::ops::Range<i64> = 0..480;

/// The file with the answers.
const TABLE: &str = include_str!("../calls.txt");

const RESTRICT: Purpose = Purpose { namespaces: false, signals_only_to: None, network: false, build: None };
const JAIL: Purpose = Purpose { namespaces: true, signals_only_to: None, network: false, build: None };
const BUILD: Purpose = Purpose {
    namespaces: true,
    signals_only_to: None,
    network: false,
    build: Some(BuildPurpose { own_user: true }),
};

const ALLOWED: &str = "allowed";

/// Runs a filter as the kernel does, on `struct seccomp_data`.
fn run(program: &BpfProgram, call: i64, arguments: [u64; 6]) -> u32 {
    let mut words = vec![call as u32, 0xc000_003e, 0, 0];
    words.extend(arguments.iter().flat_map(|&argument| [argument as u32, (argument >> 32) as u32]));
    let (mut at, mut value) = (0, 0_u32);
    loop {
        let step = &program[at];
        at += 1;
        let jump = |is_taken: bool| usize::from(if is_taken { step.jt } else { step.jf });
        match step.code {
            0x20 => value = words[step.k as usize / 4],
            0x54 => value &= step.k,
            0x05 => at += step.k as usize,
            0x15 => at += jump(value == step.k),
            0x25 => at += jump(value > step.k),
            0x35 => at += jump(value >= step.k),
            0x06 => return step.k,
            code => panic!("an instruction that no filter had: {code:#x}"),
        }
    }
}

/// Returns the answer to a call: that of the filter installed last that does not allow it.
fn answer(programs: &[BpfProgram], call: i64, arguments: [u64; 6]) -> String {
    let refused = programs
        .iter()
        .rev()
        .map(|program| run(program, call, arguments))
        .find(|&action| action != 0x7fff_0000);
    match refused {
        None => ALLOWED.to_owned(),
        Some(0x0005_0000) => "not-done".to_owned(),
        Some(action) => {
            assert_eq!(action >> 16, 5, "{action:#x} is no error");
            match (action & 0xffff) as i32 {
                EPERM => "EPERM",
                EACCES => "EACCES",
                ENOSYS => "ENOSYS",
                other => panic!("the error {other}"),
            }
            .to_owned()
        }
    }
}

fn names() -> BTreeMap<i64, &'static str> {
    let named = TABLE.lines().filter_map(|line| {
        let mut words = line.split_whitespace();
        Some((words.next()?.parse().ok()?, words.next()?))
    });
    named.collect()
}

/// Each widening of a level is a change of the committed table. With `WRITE_CALLS=1` it is written anew.
#[test]
fn every_call_is_answered_as_committed() {
    let all = [RESTRICT, JAIL, BUILD].map(|purpose| programs(purpose).unwrap());
    let names = names();
    let mut table = String::from(
        "# What the sandbox answers to each system call of x86-64 with arguments of 0: at restrict, at jail and full, and to\n\
         # a build at jail. Where arguments decide, seccomp/tests.rs says how. Calls with other numbers: ENOSYS.\n",
    );
    for call in NUMBERS {
        let answers = all.each_ref().map(|programs| answer(programs, call, [0; 6]));
        match names.get(&call) {
            Some(name) => {
                let [restrict, jail, build] = answers;
                let _ = writeln!(table, "{call:3} {name:24} {restrict:8} {jail:8} {build}");
            }
            None => {
                assert!(answers.iter().all(|answer| answer == "ENOSYS"), "{call} has no name: {answers:?}");
            }
        }
    }
    if std::env::var_os("WRITE_CALLS").is_some() {
        std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/src/sandbox/calls.txt"), &table).unwrap();
        return;
    }
    let changed: Vec<&str> =
        table.lines().filter(|line| !TABLE.lines().any(|known| known == *line)).collect();
    assert!(changed.is_empty(), "changed in calls.txt (write it with WRITE_CALLS=1): {changed:#?}");
}

#[test]
fn at_most_150_calls_reach_the_kernel() {
    // Where arguments decide, arguments of 0 may be refused.
    let reached = |purpose: Purpose| {
        let programs = programs(purpose).unwrap();
        let decided =
            [libc::SYS_fcntl, libc::SYS_ioctl, libc::SYS_prctl, libc::SYS_setsockopt, libc::SYS_socketpair];
        let calls =
            NUMBERS.filter(|call| answer(&programs, *call, [0; 6]) == ALLOWED || decided.contains(call));
        calls.count()
    };
    assert!(reached(RESTRICT) <= 135, "{}", reached(RESTRICT));
    assert!(reached(JAIL) <= 150, "{}", reached(JAIL));
}

#[test]
fn arguments_decide_what_is_harmful() {
    let all = [RESTRICT, JAIL].map(|purpose| programs(purpose).unwrap());
    let private = libc::FUTEX_PRIVATE_FLAG as u64;
    let anonymous = (libc::MAP_PRIVATE | libc::MAP_ANONYMOUS) as u64;
    let (socket, urgent) = (libc::SOL_SOCKET as u64, libc::MSG_OOB as u64);
    let cases: &[(i64, [u64; 6], &str)] = &[
        (libc::SYS_futex, [0, 0, 0, 0, 0, 0], ALLOWED),
        (libc::SYS_futex, [0, libc::FUTEX_WAIT_BITSET as u64 | 0x100, 0, 0, 0, 0], ALLOWED),
        (libc::SYS_futex, [0, libc::FUTEX_WAKE as u64 | private, 0, 0, 0, 0], ALLOWED),
        (libc::SYS_futex, [0, libc::FUTEX_CMP_REQUEUE as u64 | private, 0, 0, 0, 0], ALLOWED),
        (libc::SYS_futex, [0, libc::FUTEX_LOCK_PI as u64 | private, 0, 0, 0, 0], ALLOWED),
        (libc::SYS_futex, [0, libc::FUTEX_CMP_REQUEUE as u64, 0, 0, 0, 0], "EPERM"),
        (libc::SYS_futex, [0, libc::FUTEX_WAKE_OP as u64, 0, 0, 0, 0], "EPERM"),
        (libc::SYS_futex, [0, 13, 0, 0, 0, 0], "EPERM"),
        (libc::SYS_mmap, [0, 0, 0, anonymous, 0, 0], ALLOWED),
        (libc::SYS_mmap, [0, 0, 0, anonymous | libc::MAP_POPULATE as u64, 0, 0], "EPERM"),
        (libc::SYS_mmap, [0, 0, 0, anonymous | libc::MAP_LOCKED as u64, 0, 0], "EPERM"),
        (libc::SYS_madvise, [0, 0, libc::MADV_DONTNEED as u64, 0, 0, 0], ALLOWED),
        (libc::SYS_madvise, [0, 0, libc::MADV_POPULATE_READ as u64, 0, 0, 0], "EPERM"),
        (libc::SYS_madvise, [0, 0, libc::MADV_POPULATE_WRITE as u64, 0, 0, 0], "EPERM"),
        (libc::SYS_sendto, [0, 0, 0, 0, 0, 0], ALLOWED),
        (libc::SYS_sendto, [0, 0, 0, urgent | libc::MSG_NOSIGNAL as u64, 0, 0], "EPERM"),
        (libc::SYS_recvfrom, [0, 0, 0, urgent, 0, 0], "EPERM"),
        (libc::SYS_recvmsg, [0, 0, urgent, 0, 0, 0], "EPERM"),
        (libc::SYS_setsockopt, [0, socket, libc::SO_RCVBUF as u64, 0, 0, 0], ALLOWED),
        (libc::SYS_setsockopt, [0, socket, libc::SO_ATTACH_FILTER as u64, 0, 0, 0], "EPERM"),
        (libc::SYS_setsockopt, [0, socket, libc::SO_PEEK_OFF as u64, 0, 0, 0], "EPERM"),
        (libc::SYS_setsockopt, [0, 6, 1, 0, 0, 0], "EPERM"),
        (libc::SYS_socketpair, [1, 0, 0, 0, 0, 0], ALLOWED),
        (libc::SYS_clone, [libc::SIGCHLD as u64, 0, 0, 0, 0, 0], ALLOWED),
        (libc::SYS_clone, [libc::CLONE_NEWUSER as u64, 0, 0, 0, 0, 0], "EPERM"),
        (libc::SYS_prlimit64, [1, 0, 0, 0, 0, 0], "EPERM"),
        (libc::SYS_getpid | 0x4000_0000, [0; 6], "ENOSYS"),
    ];
    for (call, arguments, expected) in cases {
        for programs in &all {
            assert_eq!(answer(programs, *call, *arguments), *expected, "call {call} {arguments:x?}");
        }
    }
}

#[test]
fn bot_wakes_other_processes_only_with_files() {
    let wake = |purpose: Purpose| {
        answer(&programs(purpose).unwrap(), libc::SYS_futex, [0, libc::FUTEX_WAKE as u64, 0, 0, 0, 0])
    };
    assert_eq!([RESTRICT, JAIL].map(wake), ["EPERM", ALLOWED].map(str::to_owned));
}

/// A bot to which the network was granted.
#[test]
fn granted_network_opens_sockets_and_nothing_else() {
    for purpose in [RESTRICT, JAIL] {
        let all = [purpose, Purpose { network: true, ..purpose }].map(|purpose| programs(purpose).unwrap());
        let opened = |call: &i64| answer(&all[0], *call, [0; 6]) != answer(&all[1], *call, [0; 6]);
        let opened: Vec<i64> = NUMBERS.filter(opened).collect();
        let network =
            [calls::ADDRESSES, calls::MESSAGES, &[libc::SYS_setsockopt, libc::SYS_socketpair]].concat();
        assert!(opened.iter().all(|call| network.contains(call)), "{opened:?}");
        let [_, granted] = &all;
        let attach = [0, libc::SOL_SOCKET as u64, libc::SO_ATTACH_FILTER as u64, 0, 0, 0];
        assert_eq!(answer(granted, libc::SYS_setsockopt, attach), "EPERM");
        let kinds = [libc::AF_INET, libc::AF_INET6, libc::AF_PACKET]
            .map(|kind| answer(granted, libc::SYS_socket, [kind as u64, 0, 0, 0, 0, 0]));
        assert_eq!(kinds, [ALLOWED, ALLOWED, "EACCES"].map(str::to_owned));
    }
}

#[test]
fn build_attaches_no_program_to_a_socket() {
    let with_network = Purpose { network: true, build: Some(BuildPurpose { own_user: true }), ..RESTRICT };
    let programs = programs(with_network).unwrap();
    let option = |option: i32| {
        answer(&programs, libc::SYS_setsockopt, [0, libc::SOL_SOCKET as u64, option as u64, 0, 0, 0])
    };
    assert_eq!(SOCKET_PROGRAMS.map(option), ["EPERM"; 4].map(str::to_owned));
    assert_eq!(answer(&programs, libc::SYS_setsockopt, [0, 6, 1, 0, 0, 0]), ALLOWED);
    assert_eq!(answer(&programs, libc::SYS_connect, [0; 6]), ALLOWED);
}

#[test]
fn compiled_filter_is_reused_for_its_purpose_only() {
    let jail = compiled(JAIL).unwrap();
    assert!(Rc::ptr_eq(&jail, &compiled(JAIL).unwrap()));
    let restrict = compiled(RESTRICT).unwrap();
    assert!(!Rc::ptr_eq(&jail, &restrict));
    assert_eq!(*compiled(JAIL).unwrap(), programs(JAIL).unwrap());
}
