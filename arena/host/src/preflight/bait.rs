//! The targets of a probe, laid out so that every attack would succeed in the absence of a sandbox.

use std::fs;
use std::io;
use std::net::{Ipv4Addr, TcpListener, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{SocketAddr, UnixListener};

use super::probe::Targets;
use crate::temporary::Temporary;

/// The targets of a probe. Dropping it removes everything.
pub(super) struct Decoys {
    pub(super) targets: Targets,
    /// The probe's own folder.
    pub(super) own: Temporary,
    _open: (TcpListener, UdpSocket, UnixListener),
    _folders: Vec<Temporary>,
}

impl Decoys {
    /// Returns the targets, with a limit on tasks and one on memory that the probe tries to exceed; 0 tasks if they are
    /// not limited for each bot alone.
    pub(super) fn lay(tasks: u64, memory: u64) -> io::Result<Self> {
        let own = Temporary::readable()?;
        let mut folders = Vec::new();
        let mut secrets = Vec::new();
        for parent in [std::env::temp_dir(), "/var/tmp".into()] {
            let Ok(folder) = Temporary::readable_in(&parent) else { continue };
            let secret = folder.path().join("secret");
            fs::write(&secret, "not for bots")?;
            fs::set_permissions(&secret, fs::Permissions::from_mode(0o666))?;
            secrets.push(secret);
            folders.push(folder);
        }
        let tcp = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let udp = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?;
        let abstract_name = format!("leyden-preflight-{}-{}", std::process::id(), tcp.local_addr()?.port());
        let local = UnixListener::bind_addr(&SocketAddr::from_abstract_name(&abstract_name)?)?;
        let targets = Targets {
            arena: std::process::id(),
            tcp: tcp.local_addr()?.port(),
            udp: udp.local_addr()?.port(),
            abstract_name,
            tasks,
            memory,
            secrets,
        };
        Ok(Self { targets, own, _open: (tcp, udp, local), _folders: folders })
    }
}
