//! Attacks that take more memory, or more of a file system, than a bot may have.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::fd::AsRawFd;
use std::process::{Command, Stdio};
use std::ptr;

use super::outcome::{MB, Outcome, why};

/// How much memory an attack takes, and from how much on it counts as too much.
const MEMORY: (usize, usize) = (768 * MB, 640 * MB);

/// The same for files.
const FILES: (usize, usize) = (256 * MB, 160 * MB);

pub(super) fn map(flags: i32, fd: i32, bytes: usize) -> Result<*mut u8, String> {
    // SAFETY: a new mapping, nowhere in particular.
    let address =
        unsafe { libc::mmap(ptr::null_mut(), bytes, libc::PROT_READ | libc::PROT_WRITE, flags, fd, 0) };
    if address == libc::MAP_FAILED { Err(why(&io::Error::last_os_error())) } else { Ok(address.cast()) }
}

pub(super) fn touch(address: *mut u8, bytes: usize) {
    for offset in (0..bytes).step_by(4096) {
        // SAFETY: within a mapping of that many bytes, which nobody else uses.
        unsafe { address.add(offset).write_volatile(1) };
    }
}

/// Takes memory in pieces of 16 MB until it is refused.
pub(super) fn private_memory() -> Outcome {
    in_pieces(|| touched(libc::MAP_PRIVATE | libc::MAP_ANONYMOUS, -1))
}

pub(super) fn touched(flags: i32, fd: i32) -> Result<*mut u8, String> {
    let address = map(flags, fd, 16 * MB)?;
    touch(address, 16 * MB);
    Ok(address)
}

pub(super) fn shared_memory() -> Outcome {
    let anonymous = in_pieces(|| touched(libc::MAP_SHARED | libc::MAP_ANONYMOUS, -1));
    let by_device = || {
        let zero =
            OpenOptions::new().read(true).write(true).open("/dev/zero").map_err(|error| why(&error))?;
        touched(libc::MAP_SHARED, zero.as_raw_fd())
    };
    anonymous.or_else(|why| in_pieces(by_device).map_err(|other| format!("{why}; {other}")))
}

pub(super) fn in_pieces(mut piece: impl FnMut() -> Result<*mut u8, String>) -> Outcome {
    let mut had = 0;
    let mut refused = String::new();
    while had < MEMORY.0 {
        match piece() {
            Ok(_) => {}
            Err(why) => {
                refused = why;
                break;
            }
        }
        had += 16 * MB;
    }
    if had >= MEMORY.1 { Ok(format!("{} MB", had / MB)) } else { Err(format!("{} MB: {refused}", had / MB)) }
}

pub(super) fn memfd() -> Outcome {
    let mut files = Vec::new();
    let filled = in_files(MEMORY, || {
        // SAFETY: the name is a C string.
        let fd = unsafe { libc::memfd_create(c"x".as_ptr(), 0) };
        if fd < 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: a new descriptor that nobody else owns.
        let file = unsafe { <File as std::os::fd::FromRawFd>::from_raw_fd(fd) };
        files.push(file.try_clone()?);
        Ok(file)
    });
    drop(files);
    filled
}

/// Fills files of 32 MB until it is refused.
pub(super) fn in_files(
    (most, too_much): (usize, usize),
    mut next: impl FnMut() -> io::Result<File>,
) -> Outcome {
    let block = vec![1; MB];
    let mut had = 0;
    let mut refused = String::new();
    'all: while had < most {
        let mut file = match next() {
            Ok(file) => file,
            Err(error) => {
                refused = why(&error);
                break;
            }
        };
        for _ in 0..32 {
            if let Err(error) = file.write_all(&block) {
                refused = why(&error);
                break 'all;
            }
            had += MB;
        }
    }
    if had >= too_much { Ok(format!("{} MB", had / MB)) } else { Err(format!("{} MB: {refused}", had / MB)) }
}

pub(super) fn fill(folder: &str) -> Outcome {
    let mut paths = Vec::new();
    let outcome = in_files(FILES, || {
        let path = format!("{folder}/filler-{}", paths.len());
        let file = File::create(&path)?;
        paths.push(path);
        Ok(file)
    });
    for path in paths {
        let _ = fs::remove_file(path);
    }
    outcome
}

pub(super) fn sysv_memory() -> Outcome {
    // SAFETY: takes numbers.
    let id = unsafe { libc::shmget(libc::IPC_PRIVATE, MEMORY.0, libc::IPC_CREAT | 0o600) };
    if id < 0 {
        return Err(why(&io::Error::last_os_error()));
    }
    // SAFETY: our own segment; marked to go with its last user.
    unsafe { libc::shmctl(id, libc::IPC_RMID, ptr::null_mut()) };
    Ok(format!("a segment of {} MB", MEMORY.0 / MB))
}

/// Eight processes of 100 MB each, all at once: each is within the limit of one process.
pub(super) fn memory_of_eight() -> Outcome {
    let own = std::env::current_exe().map_err(|error| why(&error))?;
    let mut children = Vec::new();
    for _ in 0..8 {
        let mut child = Command::new(&own);
        child.args(["hold", &(100 * MB).to_string()]).stdin(Stdio::piped()).stdout(Stdio::piped());
        children.push(child.spawn().map_err(|error| why(&error))?);
    }
    let says_so = |child: &mut std::process::Child| {
        child.stdout.as_mut().is_some_and(|stdout| stdout.read_exact(&mut [0; 8]).is_ok())
    };
    let holding = children.iter_mut().map(says_so).filter(|&holds| holds).count();
    for mut child in children {
        let _ = child.kill();
        let _ = child.wait();
    }
    if holding == 8 {
        Ok("800 MB in eight processes".to_owned())
    } else {
        Err(format!("{holding} of 8 had theirs"))
    }
}

/// Uses memory, says so, and keeps it until it is killed or its input ends.
pub(super) fn hold(bytes: usize) -> Outcome {
    let address = map(libc::MAP_PRIVATE | libc::MAP_ANONYMOUS, -1, bytes)?;
    touch(address, bytes);
    let _ = io::stdout().write_all(b"holding\n");
    let _ = io::stdin().read(&mut [0]);
    Err("left alone".to_owned())
}
