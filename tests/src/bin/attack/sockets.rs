//! Attacks over a pair of local sockets: what the kernel does with them other than carry bytes.

use std::mem::zeroed;

use super::outcome::{Outcome, done};

fn pair() -> Result<[i32; 2], String> {
    let mut ends = [0; 2];
    // SAFETY: fills in two numbers.
    let made = unsafe { libc::socketpair(libc::AF_UNIX, libc::SOCK_STREAM, 0, ends.as_mut_ptr()) };
    done(made, "").map(|_| ends)
}

/// Sends a byte that arrives before those sent earlier.
pub(super) fn urgent_byte() -> Outcome {
    let [from, _to] = pair()?;
    // SAFETY: sends one byte of a constant.
    done(unsafe { libc::send(from, b"x".as_ptr().cast(), 1, libc::MSG_OOB) } as i32, "an urgent byte")
}

/// Attaches a program to a socket that accepts nothing.
pub(super) fn socket_filter() -> Outcome {
    let [socket, _] = pair()?;
    let mut nothing = libc::sock_filter { code: 6, jt: 0, jf: 0, k: 0 };
    let program = libc::sock_fprog { len: 1, filter: &raw mut nothing };
    // SAFETY: the program is on the stack while the call reads it.
    let attached = unsafe {
        libc::setsockopt(
            socket,
            libc::SOL_SOCKET,
            libc::SO_ATTACH_FILTER,
            (&raw const program).cast(),
            size_of::<libc::sock_fprog>() as u32,
        )
    };
    done(attached, "a program in the kernel")
}

/// Leaves a descriptor in transit.
pub(super) fn send_descriptor() -> Outcome {
    let [from, _to] = pair()?;
    let mut control = [0_u64; 4];
    // SAFETY: structures on the stack, valid for all of zero and then filled in; the call reads them.
    let sent = unsafe {
        let mut byte = libc::iovec { iov_base: b"x".as_ptr().cast_mut().cast(), iov_len: 1 };
        let mut message: libc::msghdr = zeroed();
        (message.msg_iov, message.msg_iovlen) = (&raw mut byte, 1);
        (message.msg_control, message.msg_controllen) = (control.as_mut_ptr().cast(), 20);
        let header = libc::CMSG_FIRSTHDR(&raw const message);
        ((*header).cmsg_level, (*header).cmsg_type) = (libc::SOL_SOCKET, libc::SCM_RIGHTS);
        (*header).cmsg_len = libc::CMSG_LEN(4) as usize;
        libc::CMSG_DATA(header).cast::<i32>().write_unaligned(0);
        libc::sendmsg(from, &raw const message, 0)
    };
    done(sent as i32, "a descriptor in transit")
}
