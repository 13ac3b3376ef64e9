//! Decides which requests are answered: pages of other sites must not read or send anything, no matter which name they use for
//! this machine.

use std::io;
use std::net::IpAddr;

use axum::http::header::{CONTENT_TYPE, HOST, ORIGIN};
use axum::http::{HeaderMap, StatusCode, Uri};

/// The longest address of a request.
const LONGEST: usize = 2_048;

/// The names by which this server may be addressed. Any other name is refused, because its owner could point it here and read pages
/// through a visitor's browser (DNS rebinding). IP addresses cannot be pointed elsewhere.
#[derive(Clone, Debug)]
pub(crate) struct Access {
    port: u16,
    names: Vec<String>,
    is_tls: bool,
}

impl Access {
    pub(crate) fn new(port: u16, names: &[String], is_tls: bool) -> Self {
        Self { port, names: names.iter().map(|name| name.to_ascii_lowercase()).collect(), is_tls }
    }

    /// Refuses requests for another server, or from pages of other sites.
    pub(crate) fn check(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), (StatusCode, &'static str)> {
        if uri.path_and_query().is_some_and(|path| path.as_str().len() > LONGEST) {
            return Err((StatusCode::URI_TOO_LONG, "the address is too long"));
        }
        let mut hosts = headers.get_all(HOST).iter();
        let (Some(host), None) = (hosts.next(), hosts.next()) else {
            return Err((StatusCode::BAD_REQUEST, "expected exactly one Host header"));
        };
        let host = host.to_str().unwrap_or_default();
        // A host in the address would take precedence over the header.
        let names = [Some(host), uri.authority().map(axum::http::uri::Authority::as_str)];
        if !names.into_iter().flatten().all(|name| self.is_own(name)) {
            return Err((
                StatusCode::FORBIDDEN,
                "this name is not known here: use the address that leyden printed, or start it with --name NAME",
            ));
        }
        let is_foreign = |origin: &axum::http::HeaderValue| {
            let origin = origin.to_str().unwrap_or_default();
            // Behind a proxy, pages may come encrypted although they are sent plain; but never the other way round.
            let plain = origin.strip_prefix("http://").filter(|_| !self.is_tls);
            let from = plain.or_else(|| origin.strip_prefix("https://"));
            from.is_none_or(|from| !from.eq_ignore_ascii_case(host))
        };
        if headers.get_all(ORIGIN).iter().any(is_foreign) {
            return Err((StatusCode::FORBIDDEN, "pages of other sites may not request this"));
        }
        Ok(())
    }

    fn is_own(&self, host: &str) -> bool {
        let host = host.to_ascii_lowercase();
        let (name, port) = match host.rsplit_once(':') {
            Some((name, port)) if !port.ends_with(']') => (name, Some(port)),
            _ => (host.as_str(), None),
        };
        if self.names.iter().any(|own| own == name) {
            return true; // behind a proxy, the port is that of the proxy
        }
        let port = port.map_or(Ok(if self.is_tls { 443 } else { 80 }), str::parse);
        let address = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
        port == Ok(self.port) && (name == "localhost" || address.parse::<IpAddr>().is_ok())
    }
}

/// Returns a secret of 128 bits, in hexadecimal digits.
pub(crate) fn new_secret() -> io::Result<String> {
    leyden_model::random_hex::<16>()
}

/// Whether a text is the secret. Compares in constant time, so that timing reveals nothing about the secret.
pub(crate) fn is_same(text: &str, secret: &str) -> bool {
    let differs = text.bytes().zip(secret.bytes()).fold(0, |all, (one, other)| all | (one ^ other));
    text.len() == secret.len() && differs == 0
}

/// Whether a page of this server sent a request to change something: a browser sends the origin, and a form on another site cannot
/// send JSON.
pub(crate) fn is_from_own_page(headers: &HeaderMap) -> bool {
    let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    headers.contains_key(ORIGIN) && kind == "application/json"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(host: &[&str], origin: Option<&str>) -> u16 {
        let mut headers = HeaderMap::new();
        for host in host {
            headers.append(HOST, host.parse().unwrap());
        }
        if let Some(origin) = origin {
            headers.insert(ORIGIN, origin.parse().unwrap());
        }
        let access = Access::new(8080, &["Arena.local".to_owned()], false);
        access.check(&Uri::from_static("/"), &headers).map_or_else(|(code, _)| code.as_u16(), |()| 200)
    }

    #[test]
    fn server_answers_own_names_and_pages_only() {
        let own = ["127.0.0.1:8080", "localhost:8080", "LOCALHOST:8080", "[::1]:8080", "192.168.1.4:8080"];
        for host in own.into_iter().chain(["arena.local", "ARENA.local:443", "arena.local:8080"]) {
            assert_eq!(answer(&[host], None), 200, "{host}");
            assert_eq!(answer(&[host], Some(&format!("http://{host}"))), 200, "{host}");
        }
        let foreign = [
            "evil.example",
            "evil.example:8080",
            "localhost",
            "127.0.0.1:80",
            "127.0.0.1.evil.example:8080",
            "",
        ];
        for host in foreign.into_iter().chain([
            "localhost.evil.example:8080",
            "x:y:8080",
            "127.1:8080",
            "arena.local.evil",
        ]) {
            assert_eq!(answer(&[host], None), 403, "{host}");
        }
        assert_eq!(answer(&[], None), 400);
        assert_eq!(answer(&["localhost:8080", "localhost:8080"], None), 400);
        for origin in [
            "http://evil.example",
            "null",
            "http://localhost:8081",
            "http://127.0.0.1:8080",
            "localhost:8080",
        ] {
            assert_eq!(answer(&["localhost:8080"], Some(origin)), 403, "{origin}");
        }
    }

    #[test]
    fn encrypted_server_refuses_plain_http_origins() {
        let access = Access::new(443, &[], true);
        let code = |host: &'static str, origin: &'static str| {
            let headers =
                HeaderMap::from_iter([(HOST, host.parse().unwrap()), (ORIGIN, origin.parse().unwrap())]);
            access.check(&Uri::from_static("/"), &headers).map_or_else(|(code, _)| code.as_u16(), |()| 200)
        };
        assert_eq!(code("192.168.1.4", "https://192.168.1.4"), 200);
        assert_eq!(code("localhost:443", "https://localhost:443"), 200);
        assert_eq!(code("192.168.1.4", "http://192.168.1.4"), 403);
        assert_eq!(code("192.168.1.4:80", "https://192.168.1.4:80"), 403);
    }
}
