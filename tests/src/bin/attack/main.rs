//! A bot that attacks, one attack per run: `attack NAME [TARGET]…`. Prints `succeeded: WHAT` or `held: WHY` on a line, and
//! ends.
//!
//! Every attack is bounded and aims only at the targets that its caller names, so it can run without any sandbox, as the
//! control in which it must succeed.

mod calls;
mod kernel;
mod memory;
mod outcome;
mod sockets;

use std::ffi::CString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, TcpStream, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixStream};
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::ptr;
use std::thread::sleep;
use std::time::Duration;

use outcome::{Outcome, number, why};

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let outcome = match words[..] {
        ["linger", ..] => {
            linger();
            Ok("lived on".to_owned())
        }
        // Nothing that a referee would object to.
        ["linger-silently", ..] => {
            sleep(Duration::from_mins(10));
            Ok("lived on".to_owned())
        }
        ["hold", bytes, ..] => memory::hold(bytes.parse().expect("a number of bytes")),
        ["daemon", mark] => daemon(mark),
        ["pipe-holder", mark] => pipe_holder(mark),
        ["continue-itself"] => continue_itself(),
        ["hide-memory"] => hide_memory(),
        ["hide-memory-at-turn"] => hide_memory_at_turn(),
        ["burn", millis] => burn(Duration::from_millis(millis.parse().expect("milliseconds"))),
        ["burn-alone", millis] => {
            burn_alone(Duration::from_millis(millis.parse().expect("milliseconds")));
            Ok("burnt".to_owned())
        }
        _ => attack(&words),
    };
    let line = match outcome {
        Ok(what) => format!("succeeded: {what}\n"),
        Err(why) => format!("held: {why}\n"),
    };
    let _ = io::stdout().write_all(line.as_bytes());
}

fn attack(words: &[&str]) -> Outcome {
    match *words {
        ["read", path] => read(path),
        ["write", folder] => write(folder),
        ["truncate", path] => truncate(path),
        ["proc-mem", pid] => read_memory(pid),
        ["proc", pid, file] => read(&format!("/proc/{pid}/{file}")),
        ["ptrace", pid] => ptrace(number(pid)),
        ["ptrace-parent"] => ptrace(parent()),
        ["memory-of-parent"] => read_memory(&parent().to_string()),
        ["signal", pid] => signal(number(pid)),
        ["signal-everybody"] => signal_everybody(),
        ["leaked"] => leaked(),
        ["become-root"] => call(libc::SYS_setuid, [0, 0, 0]),
        ["user-namespace"] => call(libc::SYS_unshare, [i64::from(libc::CLONE_NEWUSER), 0, 0]),
        ["mount-namespace"] => {
            call(libc::SYS_unshare, [i64::from(libc::CLONE_NEWUSER | libc::CLONE_NEWNS), 0, 0])
        }
        ["clone-namespace"] => clone_namespace(),
        ["clone3"] => call(libc::SYS_clone3, [0, 0, 0]).or_else(|why| {
            // Without arguments it always fails; what matters is whether it exists.
            if why.contains("os error 38") { Err(why) } else { Ok("clone3 is there".to_owned()) }
        }),
        ["io-uring"] => io_uring(),
        ["keyring"] => call(libc::SYS_keyctl, [0, i64::from(libc::KEY_SPEC_SESSION_KEYRING), 1]),
        ["x32"] => call(0x4000_0000 + libc::SYS_getpid, [0, 0, 0]),
        ["vsock"] => socket(libc::AF_VSOCK),
        ["netlink"] => socket(libc::AF_NETLINK),
        ["affinity"] => affinity(),
        ["session"] => session(),
        ["fork-bomb"] => fork_bomb(),
        ["memory"] => memory::private_memory(),
        ["shared-memory"] => memory::shared_memory(),
        ["memfd"] => memory::memfd(),
        ["sysv-memory"] => memory::sysv_memory(),
        ["memory-of-eight"] => memory::memory_of_eight(),
        ["fill", folder] => memory::fill(folder),
        ["tcp", port] => reached(TcpStream::connect((Ipv4Addr::LOCALHOST, number(port) as u16))),
        ["udp", port] => reached(
            UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0))
                .and_then(|socket| socket.send_to(b"x", (Ipv4Addr::LOCALHOST, number(port) as u16))),
        ),
        ["abstract", name] => reached(
            SocketAddr::from_abstract_name(name).and_then(|address| UnixStream::connect_addr(&address)),
        ),
        ["unix", path] => reached(UnixStream::connect(path)),
        _ => calls::attack(words)
            .or_else(|| kernel::attack(words))
            .unwrap_or_else(|| panic!("no such attack: {words:?}")),
    }
}

fn reached<T>(outcome: io::Result<T>) -> Outcome {
    outcome.map(|_| "reached".to_owned()).map_err(|error| why(&error))
}

/// A system call with up to three arguments.
fn call(number: i64, arguments: [i64; 3]) -> Outcome {
    // SAFETY: the calls made take numbers, or no address at all.
    let answer = unsafe { libc::syscall(number, arguments[0], arguments[1], arguments[2]) };
    if answer < 0 {
        Err(why(&io::Error::last_os_error()))
    } else {
        Ok(format!("call {number} gave {answer}"))
    }
}

fn read(path: &str) -> Outcome {
    let mut bytes = Vec::new();
    let count = File::open(path).and_then(|file| file.take(4096).read_to_end(&mut bytes));
    match count {
        Ok(0) => Err("nothing to read".to_owned()),
        Ok(count) => Ok(format!("{count} bytes of {path}")),
        Err(error) => Err(why(&error)),
    }
}

fn write(folder: &str) -> Outcome {
    let path = format!("{folder}/was-here");
    fs::write(&path, "x").map_err(|error| why(&error))?;
    let _ = fs::remove_file(&path);
    Ok(path)
}

fn truncate(path: &str) -> Outcome {
    let name = CString::new(path).expect("a path");
    // SAFETY: the path is a C string that outlives the call.
    let answer = unsafe { libc::truncate(name.as_ptr(), 1) };
    if answer == 0 {
        return Ok("emptied".to_owned());
    }
    let refused = why(&io::Error::last_os_error());
    OpenOptions::new()
        .write(true)
        .truncate(true)
        .open(path)
        .map_or(Err(refused), |_| Ok("emptied".to_owned()))
}

/// Reads the memory of a process where its program is.
fn read_memory(pid: &str) -> Outcome {
    let file = File::open(format!("/proc/{pid}/mem")).map_err(|error| why(&error))?;
    let maps = fs::read_to_string(format!("/proc/{pid}/maps")).map_err(|error| why(&error))?;
    let start = maps.split('-').next().and_then(|start| u64::from_str_radix(start, 16).ok());
    let start = start.ok_or_else(|| "no memory is shown".to_owned())?;
    let mut bytes = [0; 16];
    std::os::unix::fs::FileExt::read_at(&file, &mut bytes, start).map_err(|error| why(&error))?;
    Ok(format!("memory of {pid}: {bytes:?}"))
}

fn ptrace(pid: i32) -> Outcome {
    // SAFETY: seizing takes no addresses here; the other process goes on running.
    let answer =
        unsafe { libc::ptrace(libc::PTRACE_SEIZE, pid, ptr::null_mut::<u8>(), ptr::null_mut::<u8>()) };
    if answer < 0 { Err(why(&io::Error::last_os_error())) } else { Ok(format!("traces {pid}")) }
}

fn parent() -> i32 {
    std::os::unix::process::parent_id().cast_signed()
}

fn signal(pid: i32) -> Outcome {
    // SAFETY: signal 0 only asks whether another could be sent.
    let answer = unsafe { libc::kill(pid, 0) };
    if answer == 0 { Ok(format!("may signal {pid}")) } else { Err(why(&io::Error::last_os_error())) }
}

/// Anybody except ourselves and the first process. (For all at once, the system says yes even if it means nobody.)
fn signal_everybody() -> Outcome {
    let own = std::process::id().cast_signed();
    let around = own.saturating_sub(2_000).max(2)..own + 2_000;
    let mut all = (2..100_000).chain(around).filter(|&pid| pid != own);
    all.find_map(|pid| signal(pid).ok()).ok_or_else(|| "nobody can be signalled".to_owned())
}

/// Descriptors that we were not given on purpose.
fn leaked() -> Outcome {
    for fd in 3..1024 {
        let mut bytes = [0; 64];
        // SAFETY: reads into a buffer of that length; a number that is not open gives an error.
        let count = unsafe { libc::pread(fd, bytes.as_mut_ptr().cast(), bytes.len(), 0) };
        if count > 0 {
            return Ok(format!("read {count} bytes from descriptor {fd}"));
        }
    }
    Err("no descriptor that can be read".to_owned())
}

fn clone_namespace() -> Outcome {
    // SAFETY: as fork; the child ends at once.
    let child = unsafe {
        libc::syscall(
            libc::SYS_clone,
            i64::from(libc::CLONE_NEWUSER | libc::SIGCHLD),
            0_i64,
            0_i64,
            0_i64,
            0_i64,
        )
    };
    match child {
        -1 => Err(why(&io::Error::last_os_error())),
        // SAFETY: ends the child without running anything of the parent's.
        0 => unsafe { libc::_exit(0) },
        _ => Ok("a child in a user namespace".to_owned()),
    }
}

fn io_uring() -> Outcome {
    let mut parameters = [0_u8; 256];
    // SAFETY: the structure is 120 bytes, all zero asks for the defaults.
    let answer = unsafe { libc::syscall(libc::SYS_io_uring_setup, 4, parameters.as_mut_ptr()) };
    if answer < 0 { Err(why(&io::Error::last_os_error())) } else { Ok("a ring".to_owned()) }
}

fn socket(family: i32) -> Outcome {
    // SAFETY: takes three numbers.
    let answer = unsafe { libc::socket(family, libc::SOCK_STREAM | libc::SOCK_RAW, 0) };
    // SAFETY: as above.
    let answer = if answer < 0 { unsafe { libc::socket(family, libc::SOCK_RAW, 0) } } else { answer };
    let answer = if answer < 0 {
        // SAFETY: as above.
        unsafe { libc::socket(family, libc::SOCK_STREAM, 0) }
    } else {
        answer
    };
    if answer < 0 { Err(why(&io::Error::last_os_error())) } else { Ok("a socket".to_owned()) }
}

fn affinity() -> Outcome {
    let everywhere = [0xff_u8; 128];
    // SAFETY: a mask of that many bytes.
    let answer = unsafe { libc::sched_setaffinity(0, everywhere.len(), everywhere.as_ptr().cast()) };
    if answer == 0 { Ok("may run on any core".to_owned()) } else { Err(why(&io::Error::last_os_error())) }
}

/// Leaves the process group. A group leader cannot, so a child tries.
fn session() -> Outcome {
    // SAFETY: the child makes two calls that take nothing, and ends.
    let child = unsafe { libc::fork() };
    if child == 0 {
        // SAFETY: as above.
        unsafe { libc::_exit(i32::from(libc::setsid() < 0 && libc::setpgid(0, 0) < 0)) };
    }
    let mut status = 0;
    // SAFETY: waits for our own child.
    unsafe { libc::waitpid(child, &raw mut status, 0) };
    if status == 0 {
        Ok("left the process group".to_owned())
    } else {
        Err("neither setsid nor setpgid".to_owned())
    }
}

/// Up to 600 waiting children, killed at the end.
fn fork_bomb() -> Outcome {
    let mut children = Vec::new();
    let mut refused = String::new();
    for _ in 0..600 {
        // SAFETY: the child only waits for its end.
        match unsafe { libc::fork() } {
            -1 => {
                refused = why(&io::Error::last_os_error());
                break;
            }
            0 => loop {
                // SAFETY: waits for a signal.
                unsafe { libc::pause() };
            },
            child => children.push(child),
        }
    }
    let count = children.len();
    for child in children {
        // SAFETY: our own children, not yet waited for.
        unsafe {
            libc::kill(child, libc::SIGKILL);
            libc::waitpid(child, ptr::null_mut(), 0);
        }
    }
    if count >= 300 { Ok(format!("{count} children")) } else { Err(format!("{count} children: {refused}")) }
}

/// A process that can be found by its mark, and does nothing for longer than any test waits for its end.
fn linger() {
    let _ = io::stdout().write_all(b"lingering\n");
    sleep(Duration::from_mins(10));
}

/// Uses a core for that long in each of four: two threads, a child, and a daemon.
fn burn(each: Duration) -> Outcome {
    let own = std::env::current_exe().map_err(|error| why(&error))?;
    let alone = || {
        let mut command = Command::new(&own);
        command.args(["burn-alone", &each.as_millis().to_string()]).stdout(Stdio::null());
        command
    };
    let mut daemon = alone();
    // SAFETY: two system calls between fork and exec.
    unsafe {
        daemon.pre_exec(|| {
            libc::setsid();
            if libc::fork() > 0 {
                libc::_exit(0);
            }
            Ok(())
        });
    }
    daemon.spawn().and_then(|mut left| left.wait()).map_err(|error| why(&error))?;
    let mut child = alone().spawn().map_err(|error| why(&error))?;
    let thread = std::thread::spawn(move || burn_alone(each));
    burn_alone(each);
    let _ = thread.join();
    let _ = child.wait();
    Ok("burnt".to_owned())
}

/// Uses a core until this thread's own clock has advanced by that much.
fn burn_alone(long: Duration) {
    loop {
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: writes to the structure it is given.
        unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
        if Duration::new(time.tv_sec as u64, time.tv_nsec as u32) >= long {
            return;
        }
    }
}

/// Computes for a minute and has itself continued whenever it is stopped, if possible. Reports when it has started.
fn continue_itself() -> ! {
    let armed = calls::timer_that_continues();
    calls::leave_somebody_who_continues_us();
    let _ = io::stdout().write_all(if armed.is_ok() { b"armed\n" } else { b"refused\n" });
    burn_alone(Duration::from_mins(1));
    std::process::exit(0)
}

/// Holds 768 MB that the limit on data does not count, and waits.
fn hide_memory() -> Outcome {
    for _ in 0..48 {
        let _ = calls::read_only_memory()?;
    }
    let _ = io::stdout().write_all(b"holding\n");
    let _ = io::stdin().read(&mut [0]);
    Err("left alone".to_owned())
}

/// The same in a match: plays along until its first turn.
fn hide_memory_at_turn() -> Outcome {
    let _ = io::stdout().write_all(b"{\"type\":\"ready\",\"protocol\":\"1.1\",\"name\":\"hider\"}\n");
    for line in io::stdin().lines().map_while(Result::ok) {
        if line.starts_with("{\"type\":\"turn\"") {
            for _ in 0..48 {
                let _ = calls::read_only_memory()?;
            }
            sleep(Duration::from_mins(1));
        }
    }
    Err("never asked".to_owned())
}

/// Starts a process that leaves the session, closes all pipes, and lingers.
fn daemon(mark: &str) -> Outcome {
    let own = std::env::current_exe().map_err(|error| why(&error))?;
    let mut command = Command::new(own);
    command.args(["linger", mark]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    // SAFETY: two system calls between fork and exec: leaving the session, and its parent.
    unsafe {
        command.pre_exec(|| {
            libc::setsid();
            if libc::fork() > 0 {
                libc::_exit(0);
            }
            Ok(())
        });
    }
    let mut child = command.spawn().map_err(|error| why(&error))?;
    let _ = child.wait();
    sleep(Duration::from_millis(50));
    Ok("a daemon".to_owned())
}

/// Starts a process that holds our pipes, and leaves.
fn pipe_holder(mark: &str) -> Outcome {
    let own = std::env::current_exe().map_err(|error| why(&error))?;
    let child = Command::new(own).args(["linger", mark]).spawn().map_err(|error| why(&error))?;
    Ok(format!("{} holds the pipes", child.id()))
}
