//! Models of many kinds give the bytes they gave before: in every build, on every machine whose mathematical functions round alike.
//!
//! `BIELA_BINARY=target/release/biela cargo test -p biela-cli --test determinism` tests another build.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use std::fmt::Write;
use std::hint::black_box;
use std::path::Path;
use std::process::Command;

use biela::core::math::Random;
use biela::record::digest;
use common::{Place, binary, golden};

/// Models with the time they run to: explicit and implicit integrators, loops, friction, events, controllers, beams, rolling, joint coordinates.
const MODELS: [(&str, &str); 10] = [
    ("basics/double-pendulum", "5 s"),
    ("basics/bouncing-stop", "3 s"),
    ("mechanisms/slider-crank", "0.5 s"),
    ("mechanisms/four-bar", "5 s"),
    ("control/digital-pendulum", "1 s"),
    ("control/cart-pole-lqr", "4 s"),
    ("flexible/soft-pendulum", "0.2 s"),
    ("spatial/heavy-top", "2 s"),
    ("vehicles/bicycle", "2 s"),
    ("sismul/human-body", "0.1 s"),
];

/// Identifies mathematical functions of the system by their rounding, which neither compiler nor program determines.
fn functions() -> String {
    let mut random = Random::new(3);
    let mut bytes = Vec::new();
    for _ in 0..2000 {
        let (x, y) = (random.symmetric(1.0), random.symmetric(30.0));
        let (x, y) = (black_box(x), black_box(y));
        for value in [
            x.asin(),
            x.acos(),
            x.atan(),
            y.sin(),
            y.cos(),
            y.tan(),
            y.atan2(x),
            x.sinh(),
            x.cosh(),
            x.tanh(),
            y.exp(),
            y.abs().ln(),
            y.abs().powf(x),
            y.cbrt(),
            x.hypot(y),
        ] {
            bytes.extend(value.to_le_bytes());
        }
    }
    digest(&bytes)
}

fn hash(place: &Place, model: &str, to: &str) -> String {
    let gallery = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut command = Command::new(binary());
    let _ = command
        .arg("run")
        .arg(gallery.join(model).join("model.toml"))
        .args(["--to", to, "--quiet", "--no-motion", "--out", "out"])
        .current_dir(place.path("."));
    let _ = common::done(command.output().unwrap()).exits(0);
    digest(&place.read("out/data.arrows"))
}

#[test]
#[allow(clippy::print_stderr)]
fn ten_models_give_the_bytes_they_gave_before() {
    let place = Place::new();
    let functions = functions();
    let stored = include_str!("golden/hashes.txt");
    let first = stored.lines().next().unwrap_or_default();
    let other_machine = !first.starts_with(&functions);
    if other_machine && std::env::var_os("UPDATE_GOLDEN").is_none() {
        eprintln!(
            "the mathematical functions of this machine round differently from those of the hashes; nothing to compare"
        );
        return;
    }
    let mut list = format!("{functions}  mathematical functions\n");
    for (model, to) in MODELS {
        let _ = writeln!(list, "{}  {model} --to {to}", hash(&place, model, to));
    }
    golden("hashes.txt", &list);
}
