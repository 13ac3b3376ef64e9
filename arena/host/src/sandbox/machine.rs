//! What determines how well a sandbox holds on this machine. Kept with results, because a level is only as good as the
//! kernel below it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The machine that a sandbox is set up on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Machine {
    /// The system and its release, such as `Linux 6.12.9`.
    pub kernel: String,
    /// The version of Landlock; 0 if there is none.
    pub landlock: u32,
}

impl Machine {
    /// Returns the description of this machine.
    pub fn this() -> Self {
        let name = rustix::system::uname();
        let kernel = format!("{} {}", name.sysname().to_string_lossy(), name.release().to_string_lossy());
        Self { kernel, landlock: landlock_version() }
    }
}

/// Returns the kernel's version of Landlock; 0 if there is none.
#[cfg(target_os = "linux")]
pub(crate) fn landlock_version() -> u32 {
    const TELL_THE_VERSION: libc::c_uint = 1;
    // SAFETY: with this flag the call takes no attributes, creates nothing, and returns a number.
    let version = unsafe {
        libc::syscall(libc::SYS_landlock_create_ruleset, std::ptr::null::<u8>(), 0_usize, TELL_THE_VERSION)
    };
    u32::try_from(version).unwrap_or(0)
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn landlock_version() -> u32 {
    0
}
