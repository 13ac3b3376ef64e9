//! How much of the machine a bot may use.

/// Limits on what one bot may use. Where a limit holds for each process and where for all of a bot's together depends
/// on the level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of memory: of each process, and at level `full` of all together.
    pub memory: u64,
    /// Processes and threads of the bot.
    pub tasks: u64,
    /// Open descriptors of each process.
    pub descriptors: u64,
    /// Bytes of `/tmp`, of `/dev/shm`, and of the longest file.
    pub scratch: u64,
}

impl Limits {
    /// Room for addresses. It need not be memory: Java and node reserve far more than they use. It bounds what page
    /// tables can cost.
    pub(crate) const ADDRESSES: u64 = 64 << 30;
}

impl Default for Limits {
    fn default() -> Self {
        Self { memory: 512 << 20, tasks: 128, descriptors: 256, scratch: 64 << 20 }
    }
}
