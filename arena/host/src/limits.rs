//! How much of the machine a bot may use inside a sandbox.

/// Limits on one bot. The sandbox level determines whether a limit holds for each process or for all processes of the
/// bot together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResourceLimits {
    /// Bytes of memory: for each process, and at level `full` for all processes together.
    pub memory: u64,
    /// Processes and threads of the bot.
    pub tasks: u64,
    /// Open descriptors of each process.
    pub descriptors: u64,
    /// Bytes of `/tmp`, of `/dev/shm`, and of the longest file.
    pub scratch: u64,
}

impl ResourceLimits {
    /// Bytes to which the stack of a process's first thread may grow; no other limit counts them.
    pub(crate) const STACK: u64 = 64 << 20;

    /// Bytes of address space. That is not memory: Java and Node reserve far more than they use. It limits the cost of
    /// page tables.
    pub(crate) const ADDRESS_SPACE: u64 = 64 << 30;
}

impl Default for ResourceLimits {
    fn default() -> Self {
        Self { memory: 512 << 20, tasks: 128, descriptors: 256, scratch: 64 << 20 }
    }
}
