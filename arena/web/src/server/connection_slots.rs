//! How many connections may be open: all together, and those of one client, so that none of them shuts the others out.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The most open connections; further ones are closed.
const CONNECTIONS: usize = 128;

/// The most that one client has of them. A class behind one address shares them.
const OF_A_CLIENT: usize = 64;

/// The open connections of each client.
#[derive(Clone, Debug, Default)]
pub(super) struct Connections(Arc<Mutex<HashMap<IpAddr, usize>>>);

/// The slot of an open connection.
#[derive(Debug)]
pub(super) struct ConnectionSlot {
    connections: Connections,
    client: IpAddr,
}

impl Connections {
    fn open(&self) -> MutexGuard<'_, HashMap<IpAddr, usize>> {
        // Each change is complete before anything can panic.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns a slot for another connection from this address, if there is one.
    pub(super) fn take(&self, address: IpAddr) -> Option<ConnectionSlot> {
        let client = client(address);
        let mut open = self.open();
        if open.values().sum::<usize>() >= CONNECTIONS {
            return None;
        }
        let own = open.entry(client).or_default();
        if *own >= OF_A_CLIENT {
            return None;
        }
        *own += 1;
        Some(ConnectionSlot { connections: self.clone(), client })
    }
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        let mut open = self.connections.open();
        if let Some(own) = open.get_mut(&self.client) {
            *own -= 1;
            if *own == 0 {
                open.remove(&self.client);
            }
        }
    }
}

/// Whose address it is: with IPv6, one client has as many as it likes in one network.
fn client(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
        address @ IpAddr::V4(_) => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from(address: &str) -> IpAddr {
        address.parse().unwrap()
    }

    #[test]
    fn client_never_takes_every_slot() {
        for [greedy, same, other] in [
            ["192.0.2.1", "::ffff:192.0.2.1", "192.0.2.2"],
            ["2001:db8::1", "2001:db8::ffff:0:0:2", "2001:db8:0:1::1"],
        ] {
            let connections = Connections::default();
            let mut taken: Vec<ConnectionSlot> =
                std::iter::from_fn(|| connections.take(from(greedy))).collect();
            assert_eq!(taken.len(), OF_A_CLIENT);
            assert!(connections.take(from(same)).is_none(), "{same}");
            assert!(connections.take(from(other)).is_some(), "{other}");
            taken.pop();
            assert!(connections.take(from(same)).is_some());
        }
    }

    #[test]
    fn clients_together_have_a_limit() {
        let connections = Connections::default();
        let taken: Vec<ConnectionSlot> =
            (0..=255).filter_map(|last| connections.take([192, 0, 2, last].into())).collect();
        assert_eq!(taken.len(), CONNECTIONS);
        drop(taken);
        assert!(connections.open().is_empty());
    }
}
