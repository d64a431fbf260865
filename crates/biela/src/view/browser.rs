//! The browser of the user.

use std::process::{Command, Stdio};

use tempfile::TempDir;

/// Opens a page in a browser if there is a display. The returned folder must exist until the browser has loaded the page.
///
/// Other users of the machine can see the arguments of programs, so the token must not be among them. The browser gets a file that only this user can read and
/// that redirects to the page.
pub fn open_browser(url: &str) -> std::io::Result<Option<TempDir>> {
    let has_screen = ["DISPLAY", "WAYLAND_DISPLAY"]
        .iter()
        .any(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()));
    let mut command = match std::env::consts::OS {
        "macos" => Command::new("open"),
        "windows" => Command::new("explorer"),
        _ if has_screen => Command::new("xdg-open"),
        _ => return Ok(None),
    };
    let door = biela_files::private_folder("biela-open-")?;
    let file = door.path().join("biela.html");
    biela_files::write(
        &file,
        format!(
            "<!doctype html>\n<meta charset=\"utf-8\">\n<meta name=\"referrer\" content=\"no-referrer\">\n\
             <meta http-equiv=\"refresh\" content=\"0; url={url}\">\n<title>biela</title>\n<a href=\"{url}\">To the page</a>\n"
        )
        .as_bytes(),
    )?;
    let quiet = command
        .arg(&file)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    drop(quiet.spawn()?);
    Ok(Some(door))
}
