//! How much of the machine a bot may use inside a sandbox.

/// Limits on what one bot may use. Whether a limit holds for each process or for all processes of the bot together depends
/// on the sandbox level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResourceLimits {
    /// Bytes of memory: for each process, and at level `full` for all together.
    pub memory: u64,
    /// Processes and threads of the bot.
    pub tasks: u64,
    /// Open descriptors of each process.
    pub descriptors: u64,
    /// Bytes of `/tmp`, of `/dev/shm`, and of the longest file.
    pub scratch: u64,
}

impl ResourceLimits {
    /// Bytes that the stack of a process's first thread may grow to, which no other limit counts.
    pub(crate) const STACK: u64 = 64 << 20;

    /// Bytes of address space. That is not memory: Java and node reserve far more than they use. It bounds what page tables
    /// can cost.
    pub(crate) const ADDRESS_SPACE: u64 = 64 << 30;
}

impl Default for ResourceLimits {
    fn default() -> Self {
        Self { memory: 512 << 20, tasks: 128, descriptors: 256, scratch: 64 << 20 }
    }
}
