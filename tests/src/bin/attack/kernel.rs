//! How other collections of attacks begin: calls by which kernels were broken (the ideas of the Linux Test Project's reproducers that
//! need no privilege), and ways around a filter (those of the judges of programming contests). Each stops where the way is open, so
//! nothing is broken without a sandbox either.

use std::ffi::CString;
use std::fs::{File, OpenOptions};
use std::io;
use std::mem::zeroed;
use std::os::fd::AsRawFd;
use std::ptr;

use super::memory::map;
use super::outcome::{Outcome, done, number, why};

/// Faults of user code only, which need no privilege.
const UFFD_USER_MODE_ONLY: i32 = 1;

/// Notices that name files by handles, which need no privilege.
const FAN_REPORT_FID: u32 = 0x200;

const SECCOMP_GET_ACTION_AVAIL: u32 = 2;

/// The attack of this name, if it is one of these.
pub(super) fn attack(words: &[&str]) -> Option<Outcome> {
    Some(match *words {
        // CVE-2012-0957: the version that an older program is shown.
        // SAFETY: asks only.
        ["personality"] => done(unsafe { libc::personality(0xffff_ffff) }, "may be another system's program"),
        // CVE-2015-3290, CVE-2017-17053.
        #[cfg(target_arch = "x86_64")]
        ["segment-table"] => {
            let mut entries = [0_u64; 8];
            // SAFETY: reads into a buffer of that length.
            done(
                unsafe { libc::syscall(libc::SYS_modify_ldt, 0, entries.as_mut_ptr(), 64) } as i32,
                "its segments",
            )
        }
        // The calls of 32 bits, which have other numbers.
        #[cfg(target_arch = "x86_64")]
        ["old-call"] => old_call(),
        // CVE-2014-9529, CVE-2017-15299 and others.
        ["key"] => {
            let (kind, name, ring) =
                (c"user".as_ptr(), c"leyden-test".as_ptr(), libc::KEY_SPEC_PROCESS_KEYRING);
            // SAFETY: C strings, and one byte of the first.
            done(unsafe { libc::syscall(libc::SYS_add_key, kind, name, kind, 1, ring) } as i32, "a key")
        }
        // With which many races were won.
        ["page-faults"] => {
            // SAFETY: takes numbers; the descriptor ends with this process.
            done(
                unsafe { libc::syscall(libc::SYS_userfaultfd, UFFD_USER_MODE_ONLY) } as i32,
                "holds up page faults",
            )
        }
        // CVE-2022-0847: pages of a file in a pipe.
        ["spliced-file", path] => spliced_file(path),
        // CVE-2008-0600.
        ["spliced-memory"] => {
            let Ok((_reader, writer)) = rustix::pipe::pipe() else { return Some(Err("no pipe".to_owned())) };
            let byte = libc::iovec { iov_base: c"x".as_ptr().cast_mut().cast(), iov_len: 1 };
            // SAFETY: one byte of a constant.
            done(
                unsafe { libc::vmsplice(writer.as_raw_fd(), &raw const byte, 1, 0) } as i32,
                "its memory in a pipe",
            )
        }
        // SAFETY: asks only, about two processes.
        ["compare", pid] => done(
            unsafe { libc::syscall(libc::SYS_kcmp, libc::getpid(), number(pid), 2, 0, 0) } as i32,
            "whether they share files",
        ),
        ["robust-list", pid] => {
            let (mut head, mut length) = (ptr::null_mut::<u8>(), 0_usize);
            // SAFETY: fills in two values on the stack.
            let answer = unsafe {
                libc::syscall(libc::SYS_get_robust_list, number(pid), &raw mut head, &raw mut length)
            };
            done(answer as i32, "an address in another process")
        }
        // Files by handles, by which containers were left.
        ["file-handle", path] => file_handle(path),
        // SAFETY: takes numbers; the descriptor ends with this process.
        ["file-notices"] => done(unsafe { libc::fanotify_init(FAN_REPORT_FID, 0) }, "notices of files"),
        // CVE-2018-19854 and others.
        // SAFETY: takes numbers; the descriptor ends with this process.
        ["crypto-socket"] => {
            done(unsafe { libc::socket(libc::AF_ALG, libc::SOCK_SEQPACKET, 0) }, "the kernel's ciphers")
        }
        // CVE-2014-0196.
        ["terminal"] => OpenOptions::new()
            .read(true)
            .write(true)
            .open("/dev/ptmx")
            .map(|_| "a terminal".to_owned())
            .map_err(|error| why(&error)),
        // SAFETY: takes a number; the descriptor ends with this process.
        ["secret-memory"] => {
            done(unsafe { libc::syscall(libc::SYS_memfd_secret, 0) } as i32, "memory that nobody sees")
        }
        // CVE-2017-9075 and others.
        ["moved-pages"] => moved_pages(),
        ["filter"] => {
            let action = libc::SECCOMP_RET_KILL_PROCESS;
            // SAFETY: asks only, about a number on the stack.
            let answer =
                unsafe { libc::syscall(libc::SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &raw const action) };
            done(answer as i32, "may filter calls")
        }
        _ => return None,
    })
}

/// In a child, because a filter may end what makes such a call.
#[cfg(target_arch = "x86_64")]
fn old_call() -> Outcome {
    // SAFETY: the child makes two system calls, and its own process id is positive.
    unsafe {
        let child = libc::fork();
        if child == 0 {
            let answer: i32;
            std::arch::asm!("int 0x80", inlateout("eax") 20 => answer);
            libc::_exit(i32::from(answer <= 0));
        }
        let mut status = 0;
        libc::waitpid(child, &raw mut status, 0);
        if libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0 {
            return Ok("a call of 32 bits".to_owned());
        }
        Err(format!("its child ended with {status:#x}"))
    }
}

fn spliced_file(path: &str) -> Outcome {
    let file = File::open(path).map_err(|error| why(&error))?;
    let (_reader, writer) = rustix::pipe::pipe().map_err(|error| why(&error.into()))?;
    // SAFETY: takes descriptors and numbers.
    let moved =
        unsafe { libc::splice(file.as_raw_fd(), ptr::null_mut(), writer.as_raw_fd(), ptr::null_mut(), 1, 0) };
    done(moved as i32, "a page of a file in a pipe")
}

fn file_handle(path: &str) -> Outcome {
    #[repr(C)]
    struct Handle {
        bytes: u32,
        kind: i32,
        content: [u8; 128],
    }
    let name = CString::new(path).map_err(|_| "no path".to_owned())?;
    // SAFETY: a plain structure, valid for all of zero.
    let mut handle: Handle = unsafe { zeroed() };
    handle.bytes = 128;
    let mut mount = 0_i32;
    // SAFETY: the path is a C string, and the call fills in what is on the stack.
    let answer = unsafe {
        libc::syscall(
            libc::SYS_name_to_handle_at,
            libc::AT_FDCWD,
            name.as_ptr(),
            &raw mut handle,
            &raw mut mount,
            0,
        )
    };
    done(answer as i32, "a file's handle")
}

fn moved_pages() -> Outcome {
    let address = map(libc::MAP_SHARED | libc::MAP_ANONYMOUS, -1, 2 * 4096)?;
    // SAFETY: within the mapping, which nobody else uses.
    let answer = unsafe { libc::syscall(libc::SYS_remap_file_pages, address, 4096, 0, 1, 0) };
    if answer < 0 { Err(why(&io::Error::last_os_error())) } else { Ok("pages in another order".to_owned()) }
}
