//! The page: a fixed list of files embedded in the program. No URL maps to a file of the machine.

/// A file of the page.
pub(crate) struct Asset {
    /// The path of its URL.
    pub(crate) path: &'static str,
    /// Its media type.
    pub(crate) media: &'static str,
    /// Its bytes.
    pub(crate) bytes: &'static [u8],
}

/// All files.
pub(crate) const ASSETS: &[Asset] = &[
    Asset {
        path: "/",
        media: "text/html; charset=utf-8",
        bytes: include_bytes!("../web/dist/index.html"),
    },
    Asset {
        path: "/assets/biela.js",
        media: "text/javascript; charset=utf-8",
        bytes: include_bytes!("../web/dist/assets/biela.js"),
    },
    Asset {
        path: "/assets/biela.css",
        media: "text/css; charset=utf-8",
        bytes: include_bytes!("../web/dist/assets/biela.css"),
    },
    Asset {
        path: "/favicon.svg",
        media: "image/svg+xml",
        bytes: include_bytes!("../web/dist/favicon.svg"),
    },
];
