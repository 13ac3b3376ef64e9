//! Runs a program as on a machine that lacks something: `bare-machine landlock|namespaces PROGRAM ARG…`.
//!
//! The kernel itself refuses, by a filter of system calls: what is run meets the same errors as on such a machine.

use std::collections::BTreeMap;
use std::os::unix::process::CommandExt;

use seccompiler::{
    SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule, apply_filter,
};

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words[0].as_str() {
        "landlock" => refuse(&[(libc::SYS_landlock_create_ruleset, None)], libc::EOPNOTSUPP),
        "namespaces" => {
            refuse(&[(libc::SYS_clone, Some(libc::CLONE_NEWPID as u64))], libc::EPERM);
            refuse(&[(libc::SYS_clone3, None)], libc::ENOSYS);
        }
        what => panic!("without what? {what}"),
    }
    panic!("{}", std::process::Command::new(&words[1]).args(&words[2..]).exec());
}

/// Refuses calls, some only if their first argument has a flag.
fn refuse(calls: &[(libc::c_long, Option<u64>)], error: i32) {
    let rule = |flag| {
        let has = SeccompCmpOp::MaskedEq(flag);
        SeccompRule::new(vec![
            SeccompCondition::new(0, SeccompCmpArgLen::Dword, has, flag).expect("a condition"),
        ])
        .expect("a rule")
    };
    let rules: BTreeMap<_, _> =
        calls.iter().map(|&(call, flag)| (call, flag.into_iter().map(rule).collect())).collect();
    let filter = SeccompFilter::new(
        rules,
        SeccompAction::Allow,
        SeccompAction::Errno(error as u32),
        std::env::consts::ARCH.try_into().expect("a known machine"),
    );
    let program: seccompiler::BpfProgram = filter.expect("a filter").try_into().expect("a program");
    apply_filter(&program).expect("it can be installed");
}
