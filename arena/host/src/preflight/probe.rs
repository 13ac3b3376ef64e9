//! A small bot that attacks: run inside a sandbox, it reports what held.
//!
//! The attacks are real and harmless: their targets were laid out for them. For each it writes a line to standard
//! output, `holds NAME` or `fails NAME WHAT`, and `done` at the end.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::net::{Ipv4Addr, TcpStream, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixStream};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::mpsc;
use std::thread;

use rustix::net::{AddressFamily, SocketType};
use rustix::process::Pid;

/// The first argument that makes `leyden` a probe.
pub(crate) const ARGUMENT: &str = "probe";

/// The targets of the probe.
#[derive(Debug, Default)]
pub(super) struct Targets {
    /// The arena's process.
    pub(super) arena: u32,
    pub(super) tcp: u16,
    pub(super) udp: u16,
    pub(super) abstract_name: String,
    /// The highest number of tasks allowed.
    pub(super) tasks: u64,
    pub(super) memory: u64,
    /// Files that every user may read and write.
    pub(super) secrets: Vec<PathBuf>,
}

/// Everything that is attacked.
pub(super) const READING: &str = "reading";
pub(super) const WRITING: &str = "writing";
pub(super) const SEEING: &str = "seeing";
pub(super) const PEEKING: &str = "peeking";
pub(super) const SIGNALS: &str = "signals";
pub(super) const NETWORK: &str = "network";
pub(super) const CALLS: &str = "calls";
pub(super) const MEMORY: &str = "memory";
pub(super) const TASKS: &str = "tasks";
pub(super) const INIT: &str = "init";
pub(super) const OTHERS: &str = "others";
pub(super) const MARKS: &str = "marks";
pub(super) const COUNTERS: &str = "counters";
pub(super) const PAGES: &str = "pages";

impl Targets {
    pub(super) fn words(&self) -> Vec<OsString> {
        let numbers = [u64::from(self.arena), self.tcp.into(), self.udp.into(), self.tasks, self.memory];
        let mut words: Vec<OsString> = vec![ARGUMENT.into(), self.abstract_name.clone().into()];
        words.extend(numbers.map(|number| number.to_string().into()));
        words.extend(self.secrets.iter().map(|path| path.clone().into()));
        words
    }

    fn read(mut words: impl Iterator<Item = OsString>) -> Option<Self> {
        let abstract_name = words.next()?.into_string().ok()?;
        let mut number = || words.next()?.to_str()?.parse::<u64>().ok();
        Some(Self {
            arena: number()?.try_into().ok()?,
            tcp: number()?.try_into().ok()?,
            udp: number()?.try_into().ok()?,
            tasks: number()?,
            memory: number()?,
            abstract_name,
            secrets: words.map(PathBuf::from).collect(),
        })
    }
}

/// Runs as a probe with the arguments after [`ARGUMENT`].
pub(crate) fn run(mut arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let Some(first) = arguments.next() else { return ExitCode::from(2) };
    if first == "hold" {
        return hold(arguments);
    }
    let Some(targets) = Targets::read(std::iter::once(first).chain(arguments)) else {
        return ExitCode::from(2);
    };
    let process = PathBuf::from(format!("/proc/{}", targets.arena));
    let attacks: [(&str, Option<String>); 14] = [
        (READING, reading(&targets.secrets)),
        (WRITING, writing(&targets.secrets)),
        (SEEING, opens(&process.join("cmdline"))),
        (PEEKING, opens(&process.join("environ")).or_else(|| opens(&process.join("mem")))),
        (SIGNALS, signals(targets.arena)),
        (NETWORK, network(&targets)),
        (CALLS, calls()),
        (MEMORY, memory(targets.memory)),
        (TASKS, tasks(targets.tasks)),
        (INIT, opens(Path::new("/proc/1/mem"))),
        (OTHERS, others(targets.arena)),
        (MARKS, marks(&targets.secrets)),
        (COUNTERS, counters()),
        (PAGES, pages()),
    ];
    let mut output = io::stdout().lock();
    for (name, success) in attacks {
        let _ = match success {
            None => writeln!(output, "holds {name}"),
            Some(what) => writeln!(output, "fails {name} {what}"),
        };
    }
    let _ = writeln!(output, "done");
    ExitCode::SUCCESS
}

fn reading(secrets: &[PathBuf]) -> Option<String> {
    secrets.iter().find_map(|path| opens(path))
}

fn opens(path: &Path) -> Option<String> {
    // The file of a missing process reads as empty: only bytes are a success.
    let mut file = fs::File::open(path).ok()?;
    let read = if path.ends_with("mem") { Ok(1) } else { io::Read::read(&mut file, &mut [0; 16]) };
    matches!(read, Ok(1..)).then(|| format!("a bot can read {}", path.display()))
}

fn writing(secrets: &[PathBuf]) -> Option<String> {
    let open = secrets.iter().find(|path| fs::File::options().append(true).open(path).is_ok())?;
    Some(format!("a bot can write to {}", open.display()))
}

fn signals(arena: u32) -> Option<String> {
    let pid = arena.cast_signed();
    let process = Pid::from_raw(pid)?;
    let killed = rustix::process::test_kill_process(process).is_ok();
    // SAFETY: numbers, and a structure on the stack, valid when zeroed, which is read; signal 0 only checks.
    let answers = unsafe {
        let mut signal_sent: libc::siginfo_t = std::mem::zeroed();
        signal_sent.si_code = libc::SI_QUEUE;
        [
            libc::syscall(libc::SYS_tgkill, pid, pid, 0),
            libc::syscall(libc::SYS_rt_sigqueueinfo, pid, 0, &raw mut signal_sent),
            libc::syscall(
                libc::SYS_pidfd_send_signal,
                libc::syscall(libc::SYS_pidfd_open, pid, 0),
                0,
                std::ptr::null::<libc::siginfo_t>(),
                0,
            ),
        ]
    };
    let reached = killed || answers.iter().any(|answer| *answer >= 0);
    reached.then(|| "a bot can signal the arena".to_owned())
}

fn network(targets: &Targets) -> Option<String> {
    if TcpStream::connect((Ipv4Addr::LOCALHOST, targets.tcp)).is_ok() {
        return Some("a bot can open a TCP connection".to_owned());
    }
    let udp = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0));
    if udp.is_ok_and(|udp| udp.send_to(b"x", (Ipv4Addr::LOCALHOST, targets.udp)).is_ok()) {
        return Some("a bot can send a UDP packet".to_owned());
    }
    let address = SocketAddr::from_abstract_name(&targets.abstract_name).ok()?;
    UnixStream::connect_addr(&address).ok()?;
    Some("a bot can reach an abstract socket of the machine".to_owned())
}

fn calls() -> Option<String> {
    if rustix::fs::memfd_create("probe", rustix::fs::MemfdFlags::CLOEXEC).is_ok() {
        return Some("a bot can get unlimited memory as a file".to_owned());
    }
    if rustix::net::socket(AddressFamily::VSOCK, SocketType::STREAM, None).is_ok() {
        return Some("a bot can open a socket to the host of the virtual machine".to_owned());
    }
    // SAFETY: takes numbers, and affects this process, which ends soon.
    let adopted = unsafe { libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1) } >= 0;
    adopted.then(|| "a bot can adopt orphans".to_owned())
}

/// What a user may do to its own processes without any permission. Each call sets what is already set.
fn others(arena: u32) -> Option<String> {
    const ONE_PROCESS: i32 = 1;
    const BEST_EFFORT: i32 = 2 << 13 | 4;
    let pid = arena.cast_signed();
    let ordinary = libc::sched_param { sched_priority: 0 };
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: numbers, and structures on the stack that are read or written.
    let reached = unsafe {
        [
            ("limits", libc::prlimit(pid, libc::RLIMIT_CORE, std::ptr::null(), &raw mut limit)),
            ("priority", libc::setpriority(libc::PRIO_PROCESS, arena, 0)),
            ("scheduling", libc::sched_setscheduler(pid, libc::SCHED_OTHER, &raw const ordinary)),
            (
                "disk priority",
                libc::syscall(libc::SYS_ioprio_set, ONE_PROCESS, pid, BEST_EFFORT) as libc::c_int,
            ),
        ]
    };
    let (what, _) = reached.into_iter().find(|(_, answer)| *answer >= 0)?;
    Some(format!("a bot can set the {what} of the arena"))
}

/// What processes leave behind for others that they never meet, or have sent to themselves while they are stopped.
fn marks(secrets: &[PathBuf]) -> Option<String> {
    let program = fs::File::open("/proc/self/exe").or_else(|_| fs::File::open("/usr/bin/env")).ok()?;
    let file = std::os::fd::AsRawFd::as_raw_fd(&program);
    let null = c"/dev/null".as_ptr();
    let mut timer = std::ptr::null_mut();
    // SAFETY: both are valid when zeroed.
    let (mut lock, mut event): (libc::flock, libc::sigevent) =
        unsafe { (std::mem::zeroed(), std::mem::zeroed()) };
    lock.l_type = libc::F_RDLCK as _;
    event.sigev_notify = libc::SIGEV_SIGNAL;
    event.sigev_signo = libc::SIGCONT;
    // SAFETY: numbers, C strings, and structures on the stack that are read or written.
    let made = unsafe {
        [
            ("a file lock", libc::fcntl(file, libc::F_SETLK, &raw mut lock)),
            ("a signal by a file", libc::fcntl(file, SET_SIGNAL, libc::SIGCONT)),
            (
                "a signal by a timer",
                libc::timer_create(libc::CLOCK_MONOTONIC, &raw mut event, &raw mut timer),
            ),
            ("a set of semaphores", libc::semget(libc::IPC_PRIVATE, 1, 0)),
            ("a message queue", libc::msgget(libc::IPC_PRIVATE, 0)),
            (
                "a message queue by name",
                libc::syscall(
                    libc::SYS_mq_open,
                    QUEUE.as_ptr(),
                    MAKE,
                    0o600,
                    std::ptr::null::<libc::mq_attr>(),
                ) as libc::c_int,
            ),
            ("shared memory", libc::shmget(libc::IPC_PRIVATE, 4096, 0)),
            ("a file watch", libc::inotify_init1(libc::IN_CLOEXEC)),
            ("a new time stamp on /dev/null", libc::utimensat(libc::AT_FDCWD, null, std::ptr::null(), 0)),
        ]
    };
    // SAFETY: a C string that names what was just created, if it was.
    unsafe { libc::syscall(libc::SYS_mq_unlink, QUEUE.as_ptr()) };
    if let Some((what, _)) = made.into_iter().find(|(_, answer)| *answer >= 0) {
        return Some(format!("a bot can get {what}"));
    }
    let for_all = <fs::Permissions as std::os::unix::fs::PermissionsExt>::from_mode(0o666);
    // SAFETY: takes nothing.
    let group = unsafe { libc::getegid() };
    let flags = rustix::fs::XattrFlags::empty();
    secrets.iter().find_map(|path| {
        let what = if fs::set_permissions(path, for_all.clone()).is_ok() {
            "mode"
        } else if std::os::unix::fs::chown(path, None, Some(group)).is_ok() {
            "owner"
        } else if rustix::fs::setxattr(path, c"user.leyden", b"x", flags).is_ok() {
            "attributes"
        } else {
            return None;
        };
        Some(format!("a bot can change the {what} of {}", path.display()))
    })
}

/// Creates a message queue that did not exist.
const QUEUE: &std::ffi::CStr = c"leyden-probe";
const MAKE: libc::c_int = libc::O_RDWR | libc::O_CREAT;

/// What a process can learn about the pages of a file that others use, and what it can do to them that others notice.
fn pages() -> Option<String> {
    let program = fs::File::open("/usr/bin/env").or_else(|_| fs::File::open("/proc/self/exe")).ok()?;
    let file = std::os::fd::AsRawFd::as_raw_fd(&program);
    let mut is_there = 0_u8;
    // SAFETY: a new mapping at an arbitrary address, which is only read and stays; one byte is written for its one
    // page.
    let done = unsafe {
        let page = libc::mmap(std::ptr::null_mut(), PAGE, libc::PROT_READ, libc::MAP_SHARED, file, 0);
        if page == libc::MAP_FAILED {
            return None;
        }
        [
            ("a bot can see whether a page is in memory", libc::mincore(page, PAGE, &raw mut is_there)),
            ("a bot can evict a page from memory", libc::madvise(page, PAGE, libc::MADV_PAGEOUT)),
            ("a bot can mark a page as the next to evict", libc::madvise(page, PAGE, libc::MADV_COLD)),
        ]
    };
    done.into_iter().find(|(_, answer)| *answer >= 0).map(|(what, _)| what.to_owned())
}

/// The smallest size that every machine can map.
const PAGE: usize = 4096;

/// `F_SETSIG`: which signal reports that a file is ready.
const SET_SIGNAL: libc::c_int = 10;

/// Reads the load of the whole machine, and which parts of a file others hold in memory.
fn counters() -> Option<String> {
    ["loadavg", "meminfo", "stat", "uptime", "vmstat", "self/smaps"]
        .iter()
        .find_map(|name| opens(&Path::new("/proc").join(name)))
        .or_else(|| opens(Path::new("/sys/kernel/mm/transparent_hugepage/khugepaged/full_scans")))
        .or_else(|| {
            rustix::fs::statfs("/usr").ok().map(|_| "a bot can see the free space on a disk".to_owned())
        })
}

fn memory(limit: u64) -> Option<String> {
    let mut bytes: Vec<u8> = Vec::new();
    bytes.try_reserve_exact(limit as usize + (1 << 20)).ok()?;
    std::hint::black_box(&mut bytes);
    Some("a bot can use more memory than allowed".to_owned())
}

fn tasks(limit: u64) -> Option<String> {
    let (release, wait) = mpsc::channel::<()>();
    let wait = std::sync::Arc::new(std::sync::Mutex::new(wait));
    let mut started = Vec::new();
    let refused = (0..=limit).any(|_| {
        let wait = wait.clone();
        let until_released = move || drop(wait.lock().map(|wait| wait.recv()));
        match thread::Builder::new().stack_size(16 << 10).spawn(until_released) {
            Ok(thread) => started.push(thread),
            Err(_) => return true,
        }
        false
    });
    drop(release);
    for thread in started {
        let _ = thread.join();
    }
    (!refused).then(|| format!("a bot can start more than {limit} tasks"))
}

/// Uses memory in several processes together: `hold COUNT BYTES`. Writes `survived` if nothing stopped it.
fn hold(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let numbers: Vec<usize> = arguments.filter_map(|word| word.to_str()?.parse().ok()).collect();
    let [count, bytes] = numbers[..] else { return ExitCode::from(2) };
    let Some(others) = count.checked_sub(1) else { return ExitCode::from(2) };
    let used = vec![1_u8; bytes];
    std::hint::black_box(&used);
    if others > 0 {
        let next = std::env::current_exe().and_then(|leyden| {
            let words = [ARGUMENT.to_owned(), "hold".to_owned(), others.to_string(), bytes.to_string()];
            std::process::Command::new(leyden).args(words).status()
        });
        return if next.is_ok_and(|status| status.success()) { ExitCode::SUCCESS } else { ExitCode::FAILURE };
    }
    let _ = writeln!(io::stdout(), "survived");
    ExitCode::SUCCESS
}
