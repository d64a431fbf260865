//! Ill-posed models: the message names the dominant element, the time, and the remedy.
//!
//! `UPDATE_GOLDEN=1 cargo test -p biela-cli --test faults` rewrites the messages.

use std::path::PathBuf;

#[test]
fn messages_about_ill_posed_models_name_the_dominant_cause_and_a_remedy() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/models/ill-posed");
    let mut paths: Vec<_> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "toml"))
        .collect();
    paths.sort();
    assert!(paths.len() >= 8, "{}", paths.len());
    let mut wrong = Vec::new();
    for path in paths {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let text = std::fs::read_to_string(&path).unwrap();
        let job = biela::read(
            &name,
            &text,
            &folder,
            &biela::model::lower::Overrides::default(),
        );
        let run = biela::run(job.unwrap_or_else(|e| panic!("{e}"))).unwrap();
        let message = match &run.ended {
            Ok(_) => format!("it ended well: {:?}", run.doubts()),
            Err(failure) => failure.to_string(),
        };
        assert!(run.values().iter().all(|x| x.is_finite()), "{name}");
        let golden = path.with_extension("txt");
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::write(&golden, format!("{message}\n")).unwrap();
        }
        let expected = std::fs::read_to_string(&golden).unwrap_or_default();
        if expected.trim_end() != message {
            wrong.push(format!("{name}:\n  {message}\nbut expected\n  {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
