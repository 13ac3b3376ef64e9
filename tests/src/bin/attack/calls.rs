//! Attacks of one or two system calls: on other processes, through what the kernel keeps, and for memory that no limit
//! counts.

use std::ffi::CString;
use std::fs::File;
use std::io;
use std::mem::zeroed;
use std::os::fd::AsRawFd;
use std::ptr;

use super::memory::{map, touch};
use super::outcome::{MB, Outcome, done, number, why};
use super::sockets;

/// The attack of this name, if it is one of these.
pub(super) fn attack(words: &[&str]) -> Option<Outcome> {
    Some(match *words {
        ["timer-that-continues"] => timer_that_continues().map(|()| "a timer with SIGCONT".to_owned()),
        ["signal-by-file"] => signal_by_file(),
        ["signal-at-end-of-child"] => signal_at_end_of_child(),
        ["signal-at-end-of-parent"] => {
            done(unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGCONT) }, "SIGCONT at its end")
        }
        ["record-lock", path] => lock(path, libc::F_SETLK),
        ["descriptor-lock", path] => lock(path, libc::F_OFD_SETLK),
        ["flock", path] => flock(path),
        ["lease", path] => with_file(path, |fd| unsafe { libc::fcntl(fd, libc::F_SETLEASE, libc::F_RDLCK) }),
        ["file-watch", path] => file_watch(path),
        ["semaphores"] => semaphores(),
        ["messages"] => messages(),
        ["queue"] => queue().map(|_| "a queue that has a name".to_owned()),
        ["queue-that-continues"] => queue_that_continues(),
        ["segment", id] => segment(number(id)),
        ["asynchronous-io"] => asynchronous_io(),
        ["times", path] => times(path),
        ["mode", path] => mode(path),
        ["owner", path] => owner(path),
        ["attribute", path] => attribute(path),
        ["signal-to-thread", pid] => {
            let pid = number(pid);
            // SAFETY: takes numbers; signal 0 only asks.
            done(unsafe { libc::syscall(libc::SYS_tgkill, pid, pid, 0) } as i32, "may signal a thread")
        }
        ["signal-with-value", pid] => signal_with_value(number(pid)),
        ["signal-by-descriptor", pid] => signal_by_descriptor(number(pid)),
        // SAFETY: takes numbers, and concerns this process.
        ["adopt-orphans"] => done(unsafe { libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1) }, "keeps daemons"),
        // SAFETY: as above.
        ["exact-timers"] => done(unsafe { libc::prctl(libc::PR_SET_TIMERSLACK, 1) }, "woken before others"),
        ["limits-of", pid] => limits_of(number(pid)),
        ["priority-of", pid] => priority_of(number(pid).cast_unsigned()),
        ["io-priority-of", pid] => io_priority_of(number(pid)),
        ["scheduling-of", pid] => scheduling_of(number(pid)),
        ["clock-of", pid] => clock_of(number(pid)),
        ["end-of", pid] => {
            done(unsafe { libc::syscall(libc::SYS_pidfd_open, number(pid), 0) } as i32, "may wait for it")
        }
        ["shared-pages", path] => shared_pages(path),
        ["pages-in-memory", path] => with_page(path, |address| {
            let mut there = 0_u8;
            unsafe { libc::mincore(address.cast(), 4096, &raw mut there) }
        }),
        ["page-out", path] => {
            with_page(path, |address| unsafe { libc::madvise(address.cast(), 4096, libc::MADV_PAGEOUT) })
        }
        ["cold", path] => {
            with_page(path, |address| unsafe { libc::madvise(address.cast(), 4096, libc::MADV_COLD) })
        }
        ["real-time"] => real_time(),
        ["room-at", path] => room_at(path),
        ["better-turn"] => better_turn(),
        ["fill-by-advice"] => fill_by_advice(),
        ["fill-by-mapping"] => map(libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_POPULATE, -1, 1 << 20)
            .map(|_| "memory that the call itself fills".to_owned()),
        // SAFETY: takes a number, and concerns this process.
        ["lock-memory"] => {
            done(unsafe { libc::mlockall(libc::MCL_FUTURE | MCL_ONFAULT) }, "keeps its memory in place")
        }
        ["shared-futex", path] => shared_futex(path),
        ["urgent-byte"] => sockets::urgent_byte(),
        ["socket-filter"] => sockets::socket_filter(),
        ["send-descriptor"] => sockets::send_descriptor(),
        ["growing-downwards"] => {
            let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_GROWSDOWN;
            map(flags, -1, 1 << 16).map(|_| "memory that grows downwards".to_owned())
        }
        ["stack"] => stack(),
        ["unknown-call"] => {
            // The version of Landlock: a harmless call that no bot makes.
            done(unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, 0, 0, 1) } as i32, "it is there")
        }
        ["leave-group", procs] => std::fs::write(procs, "0")
            .map(|()| "left its control group".to_owned())
            .map_err(|error| why(&error)),
        _ => return None,
    })
}

/// A page of a file in memory, shared by everybody who maps the file.
fn page(path: &str) -> Result<*mut u8, String> {
    let file = File::open(path).map_err(|error| why(&error))?;
    // SAFETY: a new mapping of a file that is there, nowhere in particular.
    let address =
        unsafe { libc::mmap(ptr::null_mut(), 4096, libc::PROT_READ, libc::MAP_SHARED, file.as_raw_fd(), 0) };
    if address == libc::MAP_FAILED { Err(why(&io::Error::last_os_error())) } else { Ok(address.cast()) }
}

/// Something about a page that reveals what others have done with it, or that others can see.
fn with_page(path: &str, call: impl FnOnce(*mut u8) -> i32) -> Outcome {
    done(call(page(path)?), "whether a page of a file is in memory can be seen, or set")
}

/// Whether threads of another process that wait for a word of a file can be counted.
fn shared_futex(path: &str) -> Outcome {
    let address = page(path)?;
    // SAFETY: the mapping is there, and stays; the call looks who waits for its first word, and lets them wait for the
    // second one.
    let moved = unsafe { libc::syscall(libc::SYS_futex, address, libc::FUTEX_REQUEUE, 0, 1, address.add(4)) };
    done(moved as i32, "who waits for a word of a file can be counted")
}

/// Fills gigabytes of address space in one call, which nothing but death interrupts. Here it is one page.
fn fill_by_advice() -> Outcome {
    let address = map(libc::MAP_PRIVATE | libc::MAP_ANONYMOUS, -1, 1 << 16)?;
    // SAFETY: the mapping is there, and stays.
    done(unsafe { libc::madvise(address.cast(), 4096, libc::MADV_POPULATE_READ) }, "filled in the call")
}

/// Only pages that are used are locked: the limit for them is small.
const MCL_ONFAULT: i32 = 4;

/// Whether another process, which need not run, has a page of a file in its memory.
fn shared_pages(path: &str) -> Outcome {
    let address = page(path)?;
    // SAFETY: the mapping is there, and stays.
    let _ = unsafe { address.read_volatile() };
    let shown = std::fs::read_to_string("/proc/self/smaps").map_err(|error| why(&error))?;
    let start = format!("{:x}-", address as usize);
    let part = shown.split_once(&start).map_or("", |(_, part)| part);
    let field = part.lines().take(20).find(|line| line.starts_with("Shared_Clean"));
    field.map(str::to_owned).ok_or_else(|| "there is no report of it".to_owned())
}

/// Sets the priority of another process to its present value: only root may improve it.
fn priority_of(pid: u32) -> Outcome {
    // SAFETY: takes numbers.
    let has = unsafe { libc::getpriority(libc::PRIO_PROCESS, pid) };
    // SAFETY: as above.
    done(unsafe { libc::setpriority(libc::PRIO_PROCESS, pid, has) }, "a priority")
}

/// A timer that sends this process SIGCONT every millisecond, whether it is stopped or not.
pub(super) fn timer_that_continues() -> Result<(), String> {
    // SAFETY: structures on the stack, valid for all of zero and then filled in; the calls read them or write a number.
    let answer = unsafe {
        let mut event: libc::sigevent = zeroed();
        event.sigev_notify = libc::SIGEV_SIGNAL;
        event.sigev_signo = libc::SIGCONT;
        let mut timer: libc::timer_t = zeroed();
        if libc::timer_create(libc::CLOCK_MONOTONIC, &raw mut event, &raw mut timer) < 0 {
            return Err(why(&io::Error::last_os_error()));
        }
        let mut each: libc::itimerspec = zeroed();
        each.it_value.tv_nsec = 1_000_000;
        each.it_interval.tv_nsec = 1_000_000;
        libc::timer_settime(timer, 0, &raw const each, ptr::null_mut())
    };
    done(answer, "armed").map(drop)
}

/// Leaves a process outside our process group, if possible, that sends us SIGCONT every millisecond.
pub(super) fn leave_somebody_who_continues_us() {
    // SAFETY: the child makes system calls alone, and ends with its parent.
    unsafe {
        let parent = libc::getpid();
        let child = libc::fork();
        if child == 0 {
            if libc::setsid() < 0 {
                libc::_exit(1);
            }
            while libc::getppid() == parent {
                libc::kill(parent, libc::SIGCONT);
                libc::usleep(1_000);
            }
            libc::_exit(0);
        }
        // Until it has left, a signal that stops the group stops it, too. It ends where it may not leave.
        while libc::getsid(child) == libc::getsid(0)
            && libc::waitpid(child, ptr::null_mut(), libc::WNOHANG) == 0
        {
            libc::usleep(1_000);
        }
    }
}

/// The signal for readable input. The same number on every machine.
const F_SETSIG: i32 = 10;

fn signal_by_file() -> Outcome {
    let (ours, _theirs) = io::pipe().map_err(|error| why(&error))?;
    let fd = ours.as_raw_fd();
    // SAFETY: takes numbers.
    done(unsafe { libc::fcntl(fd, F_SETSIG, libc::SIGCONT) }, "")?;
    // SAFETY: as above.
    done(unsafe { libc::fcntl(fd, libc::F_SETOWN, libc::getpid()) }, "SIGCONT by a pipe")
}

fn signal_at_end_of_child() -> Outcome {
    // SAFETY: as fork; the child ends at once.
    let child =
        unsafe { libc::syscall(libc::SYS_clone, i64::from(libc::SIGCONT), 0_i64, 0_i64, 0_i64, 0_i64) };
    match child {
        // SAFETY: ends the child without running anything of the parent's.
        0 => unsafe { libc::_exit(0) },
        child => done(child as i32, "SIGCONT at the end of a child"),
    }
}

fn with_file(path: &str, call: impl FnOnce(i32) -> i32) -> Outcome {
    let file = File::open(path).map_err(|error| why(&error))?;
    done(call(file.as_raw_fd()), "a mark that others see")
}

fn lock(path: &str, command: i32) -> Outcome {
    with_file(path, |fd| {
        // SAFETY: a structure on the stack, valid for all of zero: the whole file.
        let mut lock: libc::flock = unsafe { zeroed() };
        lock.l_type = libc::F_RDLCK as _;
        // SAFETY: it is read and may be written.
        unsafe { libc::fcntl(fd, command, &raw mut lock) }
    })
}

/// An existing lock keeps off another one, even our own.
fn flock(path: &str) -> Outcome {
    let take = |_| {
        let file = File::open(path).map_err(|error| why(&error))?;
        // SAFETY: takes numbers.
        done(unsafe { libc::flock(file.as_raw_fd(), libc::LOCK_EX | libc::LOCK_NB) }, "").map(|_| file)
    };
    let _first = take(1)?;
    take(2).map_or(Ok("a mark that others see".to_owned()), |_| Err("two have the same lock".to_owned()))
}

fn file_watch(path: &str) -> Outcome {
    let path = CString::new(path).expect("a path");
    // SAFETY: takes a number, and a C string that outlives the call.
    unsafe {
        let watch = libc::inotify_init1(0);
        done(watch, "")?;
        done(libc::inotify_add_watch(watch, path.as_ptr(), libc::IN_OPEN), "a notice whenever it is opened")
    }
}

fn semaphores() -> Outcome {
    // SAFETY: takes numbers; what is made is removed.
    unsafe {
        let set = libc::semget(libc::IPC_PRIVATE, 1, libc::IPC_CREAT | 0o600);
        done(set, "")?;
        libc::semctl(set, 0, libc::IPC_RMID);
    }
    Ok("a set of semaphores".to_owned())
}

fn messages() -> Outcome {
    // SAFETY: takes numbers; what is made is removed.
    unsafe {
        let queue = libc::msgget(libc::IPC_PRIVATE, libc::IPC_CREAT | 0o600);
        done(queue, "")?;
        libc::msgctl(queue, libc::IPC_RMID, ptr::null_mut());
    }
    Ok("a queue of messages".to_owned())
}

/// A message queue that another process finds by its name. It is removed as soon as it exists.
fn queue() -> Result<i32, String> {
    let name = CString::new(format!("leyden-attack-{}", std::process::id())).expect("a name");
    // SAFETY: a C string that outlives the calls, and numbers; no attributes are the usual ones.
    unsafe {
        let flags = libc::O_RDWR | libc::O_CREAT | libc::O_EXCL;
        let attributes = ptr::null::<libc::mq_attr>();
        let queue = libc::syscall(libc::SYS_mq_open, name.as_ptr(), flags, 0o600, attributes) as i32;
        done(queue, "")?;
        libc::syscall(libc::SYS_mq_unlink, name.as_ptr());
        Ok(queue)
    }
}

/// SIGCONT when a message enters a queue. Where there are no queues, the call is tried on another descriptor.
fn queue_that_continues() -> Outcome {
    let queue = queue().unwrap_or(-1);
    // SAFETY: a structure on the stack, valid for all of zero and then filled in, which is read.
    unsafe {
        let mut event: libc::sigevent = zeroed();
        event.sigev_notify = libc::SIGEV_SIGNAL;
        event.sigev_signo = libc::SIGCONT;
        done(libc::syscall(libc::SYS_mq_notify, queue, &raw const event) as i32, "SIGCONT by a queue")
    }
}

/// Reads a segment of somebody's shared memory.
fn segment(id: i32) -> Outcome {
    // SAFETY: attached anywhere, for reading.
    let address = unsafe { libc::shmat(id, ptr::null(), libc::SHM_RDONLY) };
    if address as isize == -1 { Err(why(&io::Error::last_os_error())) } else { Ok("attached".to_owned()) }
}

fn asynchronous_io() -> Outcome {
    let mut context = 0_usize;
    // SAFETY: writes one number.
    done(unsafe { libc::syscall(libc::SYS_io_setup, 1, &raw mut context) } as i32, "a ring of requests")
}

fn times(path: &str) -> Outcome {
    let path = CString::new(path).expect("a path");
    // SAFETY: a C string that outlives the call; no times mean now.
    done(unsafe { libc::utimensat(libc::AT_FDCWD, path.as_ptr(), ptr::null(), 0) }, "a mark that others see")
}

fn mode(path: &str) -> Outcome {
    let path = CString::new(path).expect("a path");
    // SAFETY: a C string that outlives the call.
    done(unsafe { libc::chmod(path.as_ptr(), 0o777) }, "its mode could be changed")
}

/// Gives a file to a group that we are in.
fn owner(path: &str) -> Outcome {
    let path = CString::new(path).expect("a path");
    // SAFETY: a C string that outlives the call, and numbers: the owner stays.
    done(unsafe { libc::chown(path.as_ptr(), u32::MAX, libc::getegid()) }, "its owner could be changed")
}

fn attribute(path: &str) -> Outcome {
    let path = CString::new(path).expect("a path");
    // SAFETY: C strings that outlive the call, and a value of one byte.
    let answer =
        unsafe { libc::setxattr(path.as_ptr(), c"user.leyden".as_ptr(), c"x".as_ptr().cast(), 1, 0) };
    done(answer, "a mark that others see")
}

fn signal_with_value(pid: i32) -> Outcome {
    // SAFETY: a structure on the stack, valid for all of zero, which is read; signal 0 only asks.
    unsafe {
        let mut signal_sent: libc::siginfo_t = zeroed();
        signal_sent.si_code = libc::SI_QUEUE;
        done(
            libc::syscall(libc::SYS_rt_sigqueueinfo, pid, 0, &raw mut signal_sent) as i32,
            "may send it a value",
        )
    }
}

fn signal_by_descriptor(pid: i32) -> Outcome {
    // SAFETY: takes numbers, and no address; signal 0 only asks.
    unsafe {
        let process = libc::syscall(libc::SYS_pidfd_open, pid, 0) as i32;
        done(process, "")?;
        let nothing = ptr::null::<libc::siginfo_t>();
        done(
            libc::syscall(libc::SYS_pidfd_send_signal, process, 0, nothing, 0) as i32,
            "may signal it by a descriptor",
        )
    }
}

/// Sets a limit of another process to its present value.
fn limits_of(pid: i32) -> Outcome {
    // SAFETY: reads and writes the structures on the stack.
    unsafe {
        let mut limit: libc::rlimit = zeroed();
        done(libc::prlimit(pid, libc::RLIMIT_NOFILE, ptr::null(), &raw mut limit), "")?;
        done(
            libc::prlimit(pid, libc::RLIMIT_NOFILE, &raw const limit, ptr::null_mut()),
            "its limits can be set",
        )
    }
}

/// Gives a process the default I/O class: best effort, in the middle.
fn io_priority_of(pid: i32) -> Outcome {
    const PROCESS: i32 = 1;
    const MIDDLE: i32 = 2 << 13 | 4;
    // SAFETY: takes numbers.
    done(unsafe { libc::syscall(libc::SYS_ioprio_set, PROCESS, pid, MIDDLE) } as i32, "its turn at the disk")
}

/// Gives a process its present scheduling.
fn scheduling_of(pid: i32) -> Outcome {
    let ordinary = libc::sched_param { sched_priority: 0 };
    // SAFETY: reads a structure on the stack.
    done(
        unsafe { libc::sched_setscheduler(pid, libc::SCHED_OTHER, &raw const ordinary) },
        "its turn on the core",
    )
}

/// The free space where a file is, no matter who has used the rest.
fn room_at(path: &str) -> Outcome {
    let path = CString::new(path).expect("a path");
    // SAFETY: a C string that outlives the call, and a structure on the stack, valid for all of zero, which is written.
    unsafe {
        let mut room: libc::statfs = zeroed();
        done(libc::statfs(path.as_ptr(), &raw mut room), "")?;
        Ok(format!("{} blocks are left", room.f_bfree))
    }
}

/// A turn on the core before everybody else.
fn real_time() -> Outcome {
    let first = libc::sched_param { sched_priority: 1 };
    // SAFETY: reads a structure on the stack.
    done(unsafe { libc::sched_setscheduler(0, libc::SCHED_FIFO, &raw const first) }, "before everybody else")
}

/// Whether limits would let us have a better turn on the core than others.
fn better_turn() -> Outcome {
    let limits = [libc::RLIMIT_RTPRIO, libc::RLIMIT_NICE].map(|resource| {
        // SAFETY: a structure on the stack, valid for all of zero, which is written.
        unsafe {
            let mut limit: libc::rlimit = zeroed();
            libc::getrlimit(resource, &raw mut limit);
            limit.rlim_max
        }
    });
    if limits == [0, 0] { Err("limits of 0".to_owned()) } else { Ok(format!("limits of {limits:?}")) }
}

/// Reads the processor time of another process.
fn clock_of(pid: i32) -> Outcome {
    // SAFETY: writes the structure it is given.
    let answer = unsafe {
        let mut time: libc::timespec = zeroed();
        libc::clock_gettime((!pid << 3) | 2, &raw mut time)
    };
    done(answer, "what it does can be seen")
}

fn stack() -> Outcome {
    let much = libc::rlimit { rlim_cur: 768 * MB as u64, rlim_max: libc::RLIM_INFINITY };
    // SAFETY: reads and writes structures on the stack.
    unsafe {
        let mut had: libc::rlimit = zeroed();
        libc::getrlimit(libc::RLIMIT_STACK, &raw mut had);
        let raised = libc::rlimit { rlim_max: had.rlim_max, ..much };
        done(libc::setrlimit(libc::RLIMIT_STACK, &raw const raised), "a stack of 768 MB")
    }
}

/// Memory that is filled and then only read, so that the limit on data no longer counts it.
pub(super) fn read_only_memory() -> Result<*mut u8, String> {
    let address = map(libc::MAP_PRIVATE | libc::MAP_ANONYMOUS, -1, 16 * MB)?;
    touch(address, 16 * MB);
    // Our own mapping, which nobody writes to any more.
    done(unsafe { libc::mprotect(address.cast(), 16 * MB, libc::PROT_READ) }, "")?;
    Ok(address)
}
