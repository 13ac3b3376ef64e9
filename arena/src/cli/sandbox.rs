//! What can be typed about a sandbox.

use leyden_host::ResourceLimits;

use super::memory::Memory;

/// The limits with the memory that was typed.
pub(super) fn limits(memory: Option<Memory>) -> ResourceLimits {
    let default = ResourceLimits::default();
    ResourceLimits { memory: memory.map_or(default.memory, Memory::bytes), ..default }
}
