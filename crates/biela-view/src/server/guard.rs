//! Access control of requests.

use std::io;
use std::net::SocketAddr;

use super::request::HttpRequest;
use super::response::HttpStatus;

/// The secret token of a server: 128 random bits in hexadecimal.
pub(super) struct ServerToken(String);

impl ServerToken {
    pub(super) fn random() -> io::Result<Self> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
        Ok(Self(format!("{:032x}", u128::from_be_bytes(bytes))))
    }

    pub(super) fn text(&self) -> &str {
        &self.0
    }

    /// Compares in constant time.
    fn is(&self, given: &str) -> bool {
        let (ours, theirs) = (self.0.as_bytes(), given.as_bytes());
        let mut difference = u8::from(ours.len() != theirs.len());
        for (i, byte) in ours.iter().enumerate() {
            let other = theirs.get(i).copied().unwrap_or(0);
            difference |= std::hint::black_box(byte ^ other);
        }
        std::hint::black_box(difference) == 0
    }

    /// Checks that a request contains it, as `Authorization: Bearer …` or, if a browser cannot send that, in the query.
    pub(super) fn comes_with(
        &self,
        request: &HttpRequest,
        in_query: bool,
    ) -> Result<(), HttpStatus> {
        let header = request.header("authorization")?;
        let bearer = header.and_then(|value| value.strip_prefix("Bearer "));
        let query = if in_query {
            request.query("token")
        } else {
            None
        };
        match bearer.or(query.as_deref()) {
            Some(given) if self.is(given) => Ok(()),
            _ => Err(HttpStatus::NoToken),
        }
    }
}

/// Rejects requests that a browser would send only for a page of another origin.
pub(super) fn check(request: &HttpRequest, here: SocketAddr) -> Result<(), HttpStatus> {
    let host = request.header("host")?.ok_or(HttpStatus::Bad)?;
    if !is_host(host, here) {
        return Err(HttpStatus::Forbidden);
    }
    let origin = request.header("origin")?;
    if let Some(origin) = origin
        && origin.strip_prefix("http://") != Some(host)
    {
        return Err(HttpStatus::Forbidden);
    }
    // requests with side effects and the stream are only for pages, which always send their origin
    let needs_origin = request.method == "POST" || request.path == "/api/live";
    if needs_origin && origin.is_none() {
        return Err(HttpStatus::Forbidden);
    }
    match request.header("sec-fetch-site")? {
        // `none`: the user typed the address or opened it from another program
        None | Some("same-origin" | "none") => Ok(()),
        Some(_) if is_visit(request)? => Ok(()),
        Some(_) => Err(HttpStatus::Forbidden),
    }
}

/// Returns `true` if the user follows a link to the page, for example from a terminal in a browser. The page itself contains no secrets.
fn is_visit(request: &HttpRequest) -> Result<bool, HttpStatus> {
    Ok(request.method == "GET"
        && request.path == "/"
        && request.header("sec-fetch-mode")? == Some("navigate")
        && request.header("sec-fetch-dest")? == Some("document"))
}

/// Returns `true` if a `Host` names the address at which the connection arrived.
fn is_host(host: &str, here: SocketAddr) -> bool {
    if host == here.to_string() {
        return true;
    }
    here.ip().is_loopback() && host == format!("localhost:{}", here.port())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_random_and_compared_in_full() {
        let token = ServerToken::random().unwrap();
        assert_eq!(token.text().len(), 32);
        assert_ne!(token.text(), ServerToken::random().unwrap().text());
        assert!(token.is(token.text()));
        assert!(!token.is(""));
        assert!(!token.is(&token.text()[..31]));
        assert!(!token.is(&format!("{}0", token.text())));
        assert!(
            !token.is(&token
                .text()
                .to_uppercase()
                .replace(|c: char| c.is_ascii_digit(), "x"))
        );
        for i in 0..32 {
            let mut other = token.text().to_owned().into_bytes();
            other[i] ^= 1;
            assert!(!token.is(std::str::from_utf8(&other).unwrap()));
        }
    }
}
