//! Folders of strangers: links in the places that are written to.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fs;
use std::io::Write;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use biela_files::{Draft, create_new, folder, open_own, private_folder, subfolder, write};

/// A folder of a stranger beside a file of the user.
fn places() -> (tempfile::TempDir, PathBuf, PathBuf) {
    let outer = tempfile::tempdir().unwrap();
    let (inside, treasure) = (outer.path().join("project"), outer.path().join("treasure"));
    fs::create_dir(&inside).unwrap();
    fs::write(&treasure, "gold").unwrap();
    (outer, inside, treasure)
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn a_link_is_replaced_and_its_target_stays() {
    let (_outer, inside, treasure) = places();
    for to in [
        treasure.as_path(),
        "../treasure".as_ref(),
        "nowhere".as_ref(),
    ] {
        let target = inside.join("plot.svg");
        let _ = fs::remove_file(&target);
        symlink(to, &target).unwrap();
        write(&target, b"<svg/>").unwrap();
        assert!(fs::symlink_metadata(&target).unwrap().is_file());
        assert_eq!(fs::read(&target).unwrap(), b"<svg/>");
    }
    assert_eq!(fs::read_to_string(&treasure).unwrap(), "gold");
    assert_eq!(names(&inside), ["plot.svg"]);
}

#[test]
fn a_discarded_draft_leaves_the_old_file_and_no_temporary_file() {
    let (_outer, inside, _) = places();
    let target = inside.join("film.gif");
    write(&target, b"old").unwrap();
    let mut draft = Draft::new(&target).unwrap();
    draft.write_all(b"half of the n").unwrap();
    assert_eq!(fs::read(&target).unwrap(), b"old");
    assert_eq!(names(&inside).len(), 2);
    drop(draft);
    assert_eq!(names(&inside), ["film.gif"]);
    assert_eq!(fs::read(&target).unwrap(), b"old");
}

#[test]
fn a_replaced_file_keeps_its_permissions_and_a_new_one_has_the_default() {
    let (_outer, inside, _) = places();
    let usual = inside.join("usual");
    fs::write(&usual, "").unwrap();
    let target = inside.join("model.toml");
    write(&target, b"new").unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().mode() & 0o777;
    assert_eq!(mode(&target), mode(&usual));
    for wanted in [0o640, 0o600, 0o755] {
        fs::set_permissions(&target, fs::Permissions::from_mode(wanted)).unwrap();
        write(&target, b"newer").unwrap();
        assert_eq!(mode(&target), wanted);
    }
    fs::set_permissions(&target, fs::Permissions::from_mode(0o444)).unwrap();
    assert!(write(&target, b"not this").is_err(), "it may only be read");
    assert_eq!(fs::read(&target).unwrap(), b"newer");
}

#[test]
fn locks_and_journals_are_not_opened_through_links() {
    let (_outer, inside, treasure) = places();
    let path = inside.join("biela.lock");
    symlink(&treasure, &path).unwrap();
    let mut options = fs::OpenOptions::new();
    let refused = open_own(&path, options.read(true).write(true).create(true)).unwrap_err();
    assert!(refused.to_string().contains("symbolic link"), "{refused}");
    let mut options = fs::OpenOptions::new();
    assert!(open_own(&inside, options.read(true)).is_err(), "a folder");
    fs::remove_file(&path).unwrap();
    let mut options = fs::OpenOptions::new();
    let mut file = open_own(&path, options.append(true).create(true)).unwrap();
    file.write_all(b"own").unwrap();
    assert!(create_new(&path).is_err());
    assert_eq!(fs::read_to_string(&treasure).unwrap(), "gold");
}

#[test]
fn folders_are_not_entered_through_links() {
    let (outer, inside, _) = places();
    let elsewhere = outer.path().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    symlink(&elsewhere, inside.join("meshes")).unwrap();
    assert!(folder(&inside.join("meshes")).is_err());
    for leads_out in ["meshes/0", "../elsewhere", "/tmp"] {
        assert!(subfolder(&inside, leads_out.as_ref()).is_err());
    }
    assert!(names(&elsewhere).is_empty());
    let made = subfolder(&inside, "results/run".as_ref()).unwrap();
    assert!(made.is_dir() && folder(&made).is_ok());
    // the way to a folder that the user names may lead through links
    symlink(&inside, outer.path().join("shortcut")).unwrap();
    folder(&outer.path().join("shortcut/results/other")).unwrap();
    assert!(inside.join("results/other").is_dir());
}

#[test]
fn a_folder_with_other_files_is_rejected() {
    let (_outer, inside, _) = places();
    let ours = |name: &str| name == "modes.csv";
    biela_files::own_folder(&inside.join("new"), ours).unwrap();
    write(&inside.join("new/modes.csv"), b"1").unwrap();
    biela_files::own_folder(&inside.join("new"), ours).unwrap();
    write(&inside.join("new/thesis.tex"), b"years").unwrap();
    let refused = biela_files::own_folder(&inside.join("new"), ours).unwrap_err();
    assert!(refused.to_string().contains("`thesis.tex`"), "{refused}");
}

#[test]
fn a_private_folder_is_new_and_accessible_to_its_owner_only() {
    let [one, other] = [(); 2].map(|()| private_folder("biela-").unwrap());
    assert_ne!(one.path(), other.path());
    assert_eq!(fs::metadata(one.path()).unwrap().mode() & 0o777, 0o700);
}

#[test]
fn a_device_is_written_to_and_a_folder_is_not_replaced() {
    let (_outer, inside, _) = places();
    write("/dev/null".as_ref(), b"gone").unwrap();
    assert!(!fs::metadata("/dev/null").unwrap().is_file());
    assert!(write(&inside, b"x").is_err());
}
