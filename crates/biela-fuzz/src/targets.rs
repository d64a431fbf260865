//! The readers themselves.

use std::cell::OnceCell;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};

use biela_core::math::{Jet, Real};
use biela_model::diagnostic::{Diagnostics, ReportStyle, Sources};
use biela_model::document::{DiskLoader, DocumentLimits, Loader, MemoryLoader};
use biela_model::edit::{self, ModelEdit, WrittenElement};
use biela_model::expr::{self, Binding};
use biela_model::import::{self, Imported};
use biela_model::lower::{self, Overrides};
use biela_model::units::{Dimension, Unit};
use biela_record::checkpoint::CHECKPOINT_FILE;
use biela_record::{Browser, Checkpoint, DATA_FILE, Header, MANIFEST_FILE, Manifest, Results};
use biela_symbol::code::{Array, Language, Module, Routine, RoutineOutput};
use biela_symbol::{Symbol, VariableKind, isolated};
use biela_view::{MOTION_FILE, MotionReader};

/// Separates the parts of an input that is several files.
const BREAK: &[u8] = b"\n=====\n";

/// The first part of an input and the rest of it.
fn parts(bytes: &[u8]) -> (&[u8], &[u8]) {
    let at = bytes.windows(BREAK.len()).position(|w| w == BREAK);
    at.map_or((bytes, &[][..]), |at| {
        (&bytes[..at], &bytes[at + BREAK.len()..])
    })
}

/// Keeps the compiler from leaving out what nobody asks for.
fn use_up<T>(value: T) {
    let _ = std::hint::black_box(value);
}

fn report(diagnostics: &Diagnostics, sources: &Sources) {
    let text = diagnostics.render(sources, ReportStyle::Plain);
    use_up(text.len());
}

pub(crate) fn model(bytes: &[u8]) {
    let (main, part) = parts(bytes);
    let files = [("model.toml", main), ("part.toml", part)];
    let files = files.map(|(name, bytes)| (name, String::from_utf8_lossy(bytes)));
    let loader = MemoryLoader::new(files);
    let loaded = lower::load_with("model.toml", &loader, &Overrides::default());
    report(&loaded.diagnostics, &loaded.sources);
    if let Some(lowered) = &loaded.model {
        use_up(biela_core::system::channels(&lowered.model).len());
    }
}

pub(crate) fn expression(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let mut resolve = |name: &str| match name.len() % 4 {
        0 => Some(Binding::Constant {
            value: 0.5,
            dimension: None,
        }),
        1 => Some(Binding::Input {
            slot: 0,
            dimension: None,
        }),
        2 => Some(Binding::Input {
            slot: 1,
            dimension: Some(Dimension::LENGTH),
        }),
        _ => None,
    };
    let Ok(ast) = expr::parse(&text) else {
        return;
    };
    let known = || vec!["crank".to_owned(), "rod".to_owned()];
    if let Ok(program) = expr::compile(&ast, &mut resolve, &known) {
        use_up(program.eval(0.3, &[1.5, -2.0]));
        use_up(program.next_corner(0.3));
        use_up(program.trouble(0.3, &[1.5, -2.0], |x| x.is_finite()));
        let inputs = [Jet::new(1.5, 1.0, 0.0), Jet::new(-2.0, 0.0, 1.0)];
        use_up(program.eval(Jet::time(0.3), &inputs));
    }
}

pub(crate) fn unit(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Ok(unit) = Unit::parse(&text) {
        use_up(unit.power(3));
        use_up(unit.to_si(2.0));
        use_up(unit.dimension.describe());
    }
    use_up(biela_model::units::unit_help(&text));
    expression(format!("2 [{text}]").as_bytes());
}

fn imported(imported: &Imported) {
    report(&imported.diagnostics, &imported.sources);
    use_up(imported.text.as_ref().map(String::len));
}

pub(crate) fn urdf(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let options = import::urdf::UrdfOptions::default();
    imported(&import::urdf::import("robot.urdf", &text, &options));
}

/// The file behind the first part, whatever it is called.
struct AttachedFile<'b>(&'b [u8]);

impl import::mjcf::AssetFolder for AttachedFile<'_> {
    fn read(&self, _: &str) -> Result<Vec<u8>, String> {
        Ok(self.0.to_vec())
    }
}

pub(crate) fn mjcf(bytes: &[u8]) {
    let (main, part) = parts(bytes);
    let text = String::from_utf8_lossy(main);
    let options = import::mjcf::MjcfOptions::default();
    let read = import::mjcf::import("robot.xml", &text, &AttachedFile(part), &options);
    imported(&read);
}

pub(crate) fn robo(bytes: &[u8]) {
    let (main, part) = parts(bytes);
    let other = (!part.is_empty()).then_some(("other.rob", part));
    imported(&import::robo::import("robot.rob", main, other));
}

pub(crate) fn sismul(bytes: &[u8]) {
    let options = import::sismul::SismulOptions::default();
    imported(&import::sismul::import("cards.dat", bytes, &options));
}

pub(crate) fn results(bytes: &[u8]) {
    if let Ok(results) = Results::from_bytes(bytes) {
        let first = results.columns().first();
        let series = first.and_then(|column| results.column(&column.name));
        use_up(series.map(<[f64]>::len));
    }
    in_folder(DATA_FILE, bytes, |folder| {
        if let Ok(browser) = Browser::open(folder) {
            use_up((browser.rows(), browser.times()));
        }
    });
}

pub(crate) fn manifest(bytes: &[u8]) {
    in_folder(MANIFEST_FILE, bytes, |folder| {
        use_up(Manifest::load(folder).is_ok());
    });
}

pub(crate) fn motion(bytes: &[u8]) {
    in_folder(MOTION_FILE, bytes, |folder| {
        if let Ok(Some(motion)) = MotionReader::open(folder) {
            let frames = motion.frames();
            use_up(motion.time(frames.wrapping_sub(1)).is_ok());
            use_up(motion.read(0, 4, 1).is_ok());
            use_up(motion.read(1, u64::MAX, 3).is_ok());
        }
    });
}

pub(crate) fn checkpoint(bytes: &[u8]) {
    let mut whole = bytes.to_vec();
    let digest = biela_record::digest(bytes);
    let pairs = digest.as_bytes().chunks_exact(2);
    let pairs = pairs.filter_map(|pair| std::str::from_utf8(pair).ok());
    whole.extend(pairs.filter_map(|pair| u8::from_str_radix(pair, 16).ok()));
    for bytes in [bytes, &whole] {
        if let Ok(checkpoint) = Checkpoint::read(bytes) {
            let columns = 1 + checkpoint.header.columns.len();
            use_up(checkpoint.place.pending_rows(columns).count());
        }
    }
    in_folder(CHECKPOINT_FILE, &whole, |folder| {
        let waiting = biela_record::checkpoint::waiting(folder, &Header::default());
        use_up(waiting);
    });
}

pub(crate) fn folder(bytes: &[u8]) {
    let (manifest, rest) = parts(bytes);
    let (data, rest) = parts(rest);
    let (motion, checkpoint) = parts(rest);
    let files = [
        (MANIFEST_FILE, manifest),
        (DATA_FILE, data),
        (MOTION_FILE, motion),
        (CHECKPOINT_FILE, checkpoint),
    ];
    in_folder_of(&files, |folder| {
        if let Ok(results) = Results::open(folder) {
            use_up((results.rows(), results.is_complete(), results.model()));
            for column in results.columns() {
                use_up(results.column(&column.name).map(<[f64]>::len));
            }
        }
        if let Ok(browser) = Browser::open(folder) {
            use_up((browser.rows(), browser.times()));
        }
        if let Ok(Some(motion)) = MotionReader::open(folder) {
            use_up(motion.read(0, 4, 1).is_ok());
        }
        let waiting = biela_record::checkpoint::waiting(folder, &Header::default());
        use_up(waiting);
    });
}

/// A text that no path may lead to.
const SECRET: &str = "not for the model";
/// The folder that paths may not lead out of.
const INSIDE: &str = "inside";

/// A folder with a file and, where there are links, one that leads out; beside it a file that stays unread.
fn make_trap(outer: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(outer.join(INSIDE).join("deep"))?;
    std::fs::write(outer.join(INSIDE).join("part.toml"), "x = 1")?;
    std::fs::write(outer.join("secret.toml"), SECRET)?;
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("../secret.toml", outer.join(INSIDE).join("link.toml"))?;
        std::os::unix::fs::symlink("..", outer.join(INSIDE).join("up"))?;
    }
    Ok(())
}

/// Removes the folders that an input made, all but these names.
fn clear(folder: &Path, kept: &[&str]) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        if !kept.iter().any(|name| entry.file_name() == *name) {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

pub(crate) fn paths(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    in_folder_of(&[], |outer| {
        if !outer.join(INSIDE).exists() && make_trap(outer).is_err() {
            return;
        }
        let inside = outer.join(INSIDE);
        let loader = DiskLoader::new(&inside, &DocumentLimits::default());
        let read = loader.load(&text);
        assert!(read.is_err() || read.is_ok_and(|text| text != SECRET));
        // the folders of a long path would take most of the time
        if text.len() < 64
            && let Ok(made) = biela_files::subfolder(&inside, Path::new(text.as_ref()))
        {
            assert!(made.starts_with(&inside), "{}", made.display());
            let whole = made.canonicalize().ok().zip(inside.canonicalize().ok());
            assert!(whole.is_none_or(|(made, inside)| made.starts_with(inside)));
        }
        let left = std::fs::read_to_string(outer.join("secret.toml"));
        assert!(left.is_ok_and(|text| text == SECRET));
        clear(&inside, &["deep", "part.toml", "link.toml", "up"]);
        clear(&inside.join("deep"), &[]);
    });
}

/// A name as the model language takes it.
fn model_name(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let part = |c: &char| c.is_alphanumeric() || matches!(c, '_' | '-');
    let name: String = text.chars().filter(part).collect();
    let rest = name.trim_start_matches(|c: char| !c.is_alphabetic() && c != '_');
    if rest.is_empty() {
        "p".to_owned()
    } else {
        rest.to_owned()
    }
}

/// The lines of code that are no comments.
fn instructions(text: &str) -> Vec<&str> {
    let lines = text.split('\n').map(str::trim_start);
    let is_comment = |line: &&str| line.starts_with("//") || line.starts_with('#');
    lines.filter(|line| !is_comment(line)).collect()
}

pub(crate) fn code(bytes: &[u8]) {
    let (title, names) = parts(bytes);
    let title = String::from_utf8_lossy(title).into_owned();
    let (first, second) = parts(names);
    let names = [model_name(first), model_name(second)];
    // the formulas of a thread stay until its end
    let written = isolated(|| {
        let q = Symbol::variable("q", VariableKind::Coordinate, 0.4);
        let [a, b] = names.map(|name| Symbol::variable(&name, VariableKind::Parameter, 2.0));
        use_up(biela_symbol::latex(a * b));
        let module = |title: &str| Module {
            title: title.to_owned(),
            parameters: vec![(a, 2.0), (b, 3.0)],
            routines: vec![Routine {
                name: "load".to_owned(),
                about: "The load.".to_owned(),
                inputs: vec![Array {
                    name: "q".to_owned(),
                    symbols: vec![q],
                }],
                output: RoutineOutput {
                    columns: None,
                    symbols: vec![a * q.cos() + b],
                },
            }],
        };
        let (plain, given) = (module("plain"), module(&title));
        for language in [Language::Rust, Language::C, Language::Python] {
            let [plain, given] = [&plain, &given].map(|module| module.write(language));
            assert_eq!(instructions(&plain), instructions(&given), "{title:?}");
            assert!(!given.contains(['\r', '\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}']));
            let is_safe = |line: &&str| line.bytes().all(|b| (b' '..=b'~').contains(&b));
            assert!(instructions(&given).iter().all(is_safe), "{given}");
            let goes_on = |line: &str| line.ends_with('\\') || line.ends_with("??/");
            assert!(!given.lines().any(goes_on), "{given}");
        }
    });
    assert!(written.is_ok(), "generated code is not safe");
}

pub(crate) fn http(bytes: &[u8]) {
    let here = SocketAddr::from((Ipv4Addr::LOCALHOST, 8080));
    use_up(biela_view::server::examine(bytes, here).is_ok());
}

pub(crate) fn edit(bytes: &[u8]) {
    let (text, changes) = parts(bytes);
    let text = String::from_utf8_lossy(text);
    let Ok(elements) = edit::elements(&text) else {
        return;
    };
    let unknown = |text: &str| {
        let loaded = lower::parse("model.toml", text, &Overrides::default());
        edit::unknown_names(&loaded, text)
    };
    if let Ok(changes) = serde_json::from_slice::<Vec<ModelEdit>>(changes) {
        let changed = edit::edit(&text, &changes);
        use_up(
            changed
                .and_then(|after| edit::effect(&text, &after))
                .is_ok(),
        );
    }
    let named = |written: &&WrittenElement| written.element.name.is_some();
    if let Some(WrittenElement { element, .. }) = elements.iter().find(named) {
        use_up(edit::rename(&text, element, "renamed", &unknown).is_ok());
        use_up(edit::remove(&text, element, &unknown).is_ok());
    }
}

/// A folder of this thread, gone with it.
struct ThreadFolder(PathBuf);

impl Drop for ThreadFolder {
    fn drop(&mut self) {
        // a folder for temporary files that stays behind does no harm
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

thread_local! {
    static FOLDER: OnceCell<Option<ThreadFolder>> = const { OnceCell::new() };
}

fn make_folder() -> Option<ThreadFolder> {
    let thread = format!("{:?}", std::thread::current().id());
    let number: String = thread.chars().filter(char::is_ascii_digit).collect();
    let name = format!("biela-fuzz-{}-{number}", std::process::id());
    let path = std::env::temp_dir().join(name);
    std::fs::create_dir_all(&path).ok()?;
    Some(ThreadFolder(path))
}

/// Calls a function with a folder that contains only this file.
fn in_folder(file: &str, bytes: &[u8], look: impl FnOnce(&Path)) {
    in_folder_of(&[(file, bytes)], look);
}

/// Calls a function with a folder that contains only these files.
fn in_folder_of(files: &[(&str, &[u8])], look: impl FnOnce(&Path)) {
    FOLDER.with(|folder| {
        let Some(ThreadFolder(folder)) = folder.get_or_init(make_folder) else {
            return;
        };
        let written = |(file, bytes): &(&str, &[u8])| std::fs::write(folder.join(file), bytes);
        if files.iter().all(|file| written(file).is_ok()) {
            look(folder);
        }
        for (file, _) in files {
            let _ = std::fs::remove_file(folder.join(file));
        }
    });
}
