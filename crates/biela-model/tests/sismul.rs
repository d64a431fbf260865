//! Cards of SISMUL: the decks of the source, their errors, and invalid decks.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::fmt::Write;
use std::path::Path;

use biela_core::analysis::{Formulation, assemble};
use biela_core::joints::Joint;
use biela_core::math::rotation::{about, from_dextral, unit};
use biela_core::math::{Mat3, Random, Vec3};
use biela_core::model::{Model, Space};
use biela_core::system::Workspace;
use biela_model::diagnostic::ReportStyle;
use biela_model::import::{Imported, sismul};
use biela_model::lower::{Overrides, parse};

/// The decks of the repository.
const DECKS: [&str; 6] = [
    "validation/sismul-double-pendulum/listing.dat",
    "examples/sismul/two-bar-pendulum/cards.dat",
    "examples/sismul/eleven-bar-chain/cards.dat",
    "examples/sismul/human-body/cards.dat",
    "validation/sismul-driven-link/listing.dat",
    "examples/sismul/driven-link/cards.dat",
];

fn deck(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    std::fs::read_to_string(root.join(path)).unwrap()
}

fn import(cards: &str) -> Imported {
    sismul::import(
        "cards.dat",
        cards.as_bytes(),
        &sismul::SismulOptions::default(),
    )
}

fn said(imported: &Imported) -> String {
    imported
        .diagnostics
        .render(&imported.sources, ReportStyle::Plain)
}

/// The model, without a warning of the language.
fn model(imported: &Imported) -> Model {
    let text = imported
        .text
        .as_ref()
        .unwrap_or_else(|| panic!("{}", said(imported)));
    let loaded = parse("model.toml", text, &Overrides::default());
    let report = loaded
        .diagnostics
        .render(&loaded.sources, ReportStyle::Plain);
    assert_eq!(report, "", "{text}");
    loaded.model.unwrap().model
}

/// A deck of one body on one joint, with the flags, the start and profiles of choice.
fn one_body(planar: bool, flags: &str, xi: &str, angles: &str, profiles: [&str; 2]) -> String {
    let planar = u8::from(planar);
    let profiles = profiles.map(|p| {
        if p.is_empty() {
            "    0\n".to_owned()
        } else {
            format!("    1\n{p}")
        }
    });
    format!(
        "ONE BODY\n    0\n    {planar}\n    0\n    1\nROD\nPIN\n    0\n9.8\n2.0\n1.0       0.0       0.0\n\
         0.1       0.0       0.0\n0.0       0.2       0.0\n0.0       0.0       0.2\n{}{}{flags}\n    1\n{xi}\n{angles}\n\
         0.0       1.0       -8.0      0.00001\n0.1\n",
        profiles[0], profiles[1]
    )
}

const ZEROS: &str = "0.0       0.0       0.0       0.0       0.0       0.0";

#[test]
fn every_deck_of_the_source_becomes_a_model() {
    let expected = [
        (Space::Planar, 2, 2, 0),
        (Space::Planar, 2, 2, 0),
        (Space::Planar, 11, 12, 0),
        (Space::Spatial, 12, 12, 1),
        (Space::Planar, 6, 7, 1),
        (Space::Planar, 6, 7, 1),
    ];
    for (path, (space, bodies, joints, drivers)) in DECKS.into_iter().zip(expected) {
        let model = model(&import(&deck(path)));
        assert_eq!(model.space, space, "{path}");
        let counts = (model.bodies.len(), model.joints.len(), model.drivers.len());
        assert_eq!(counts, (bodies, joints, drivers), "{path}");
    }
}

#[test]
fn the_code_of_gravity_is_the_upward_vertical() {
    // -2: the bars of example 2 hang at y > 0; 2: those of example 3 at y < 0
    assert_eq!(
        model(&import(&deck(DECKS[1]))).gravity,
        Vec3::new(0.0, 9.8, 0.0)
    );
    assert_eq!(
        model(&import(&deck(DECKS[2]))).gravity,
        Vec3::new(0.0, -9.8, 0.0)
    );
    assert_eq!(model(&import(&deck(DECKS[3]))).gravity, Vec3::zeros());
}

#[test]
fn a_clamped_massless_body_is_welded_and_stays_massless() {
    let model = model(&import(&deck(DECKS[2])));
    assert!(model.bodies[0].mass.is_massless());
    assert!(matches!(model.joints[0].joint, Joint::Weld(_)));
    let moving = deck(DECKS[2]).replace(
        "    1    1    1    1    1    1  JUNTA 1",
        "    1    1    0    1    1    1  JUNTA 1",
    );
    let imported = import(&moving);
    assert!(
        said(&imported).contains("body 1 has no mass but moves"),
        "{}",
        said(&imported)
    );
    assert!(imported.text.is_none());
}

#[test]
fn labels_become_unique_names() {
    let chain = model(&import(&deck(DECKS[2])));
    let names: Vec<&str> = chain.bodies.iter().map(|b| b.name.as_str()).collect();
    assert_eq!([names[0], names[9]], ["barra_1", "barra_10"]);
    let human = model(&import(&deck(DECKS[3])));
    // hip is a body and a joint
    assert_eq!(human.bodies[0].name, "quadril");
    assert_eq!(human.joints[0].name, "joint_quadril");
    let bare = deck(DECKS[1])
        .replace("*C. M. BAR 2*", "*C. M. BAR 1*")
        .replace("*JUNTA 1*", "         ");
    let bare = model(&import(&bare));
    assert_eq!(bare.bodies[1].name, "body_bar_1");
    assert_eq!(bare.joints[0].name, "joint_1");
}

#[test]
fn shifted_rows_of_inertia_are_reported_and_corrected() {
    let imported = import(&deck(DECKS[5]));
    let report = said(&imported);
    for line in [29, 32, 35, 38, 41] {
        assert!(report.contains(&format!("cards.dat:{line}:1")), "{report}");
    }
    assert!(report.contains("the rows are shifted up by one card"));
    assert_eq!(imported.diagnostics.warnings(), 5);
    assert_eq!(model(&imported).bodies[1].mass.inertia[(2, 2)], 0.333_333);
}

#[test]
fn asymmetric_and_impossible_inertias_are_reported_with_their_cards() {
    // body 7 of the human has moments that no body has: one exceeds the sum of the others
    let imported = import(&deck(DECKS[3]));
    let report = said(&imported);
    assert!(
        report.contains("warning[impossible-inertia]") && report.contains("body 7"),
        "{report}"
    );
    let inertia = model(&imported).bodies[6].mass.inertia;
    // the nearest flat body shares the shortfall between the two smaller moments
    let shortfall = 12.236 - 11.236 - 0.2352;
    assert!((inertia[(0, 0)] - 12.236).abs() < 1e-9);
    assert!((inertia[(1, 1)] - (11.236 + 0.5 * shortfall)).abs() < 1e-9);
    assert!((inertia[(2, 2)] - (0.2352 + 0.5 * shortfall)).abs() < 1e-9);

    let cards = one_body(
        false,
        "    0    0    0    1    1    1",
        ZEROS,
        ZEROS,
        ["", ""],
    );
    let crooked = cards.replace("0.0       0.2       0.0", "0.01      0.2       0.0");
    let report = said(&import(&crooked));
    assert!(
        report.contains("inertia-not-symmetric") && report.contains("cards.dat:12:1"),
        "{report}"
    );
    let negative = cards.replace("0.0       0.2       0.0", "0.0       -0.2      0.0");
    assert!(said(&import(&negative)).contains("error[impossible-inertia]"));
    // a slender bar gets a little about itself
    let slender = cards.replace("0.1       0.0       0.0\n", "0.0       0.0       0.0\n");
    let imported = import(&slender);
    assert!(said(&imported).contains("warning[slender]"));
    assert_eq!(model(&imported).bodies[0].mass.inertia[(0, 0)], 2e-7);
    // in the plane nothing is missing
    let planar = one_body(
        true,
        "    1    1    0    1    1    1",
        ZEROS,
        ZEROS,
        ["", ""],
    )
    .replace("0.1       0.0       0.0\n", "0.0       0.0       0.0\n");
    assert_eq!(said(&import(&planar)), "");
    let pointlike = planar.replace("0.0       0.0       0.2\n", "0.0       0.0       0.0\n");
    assert!(said(&import(&pointlike)).contains("no moment of inertia about z"));
}

#[test]
fn flags_determine_the_joint_type() {
    let kinds = [
        ("    0    0    0    0    0    0", "free"),
        ("    0    0    0    1    1    1", "spherical"),
        ("    0    1    1    0    1    1", "cylindrical"),
        ("    1    1    0    1    1    1", "revolute"),
        ("    1    0    1    1    1    1", "revolute"),
        ("    1    1    1    1    0    1", "prismatic"),
        ("    1    1    1    1    1    1", "weld"),
        ("    0    1    1    1    0    1", "generic"),
        ("    0    0    0    1    0    1", "generic"),
    ];
    for (flags, kind) in kinds {
        let imported = import(&one_body(false, flags, ZEROS, ZEROS, ["", ""]));
        assert_eq!(said(&imported), "", "{flags}");
        assert_eq!(
            model(&imported).joints[0].joint.info().name,
            kind,
            "{flags}"
        );
    }
    let two = import(&one_body(
        false,
        "    0    0    1    1    1    1",
        ZEROS,
        ZEROS,
        ["", ""],
    ));
    assert!(said(&two).contains("warning[two-rotations]"));
    let held = "0.0       0.0       10.0      0.0       0.0       0.0";
    let two = import(&one_body(
        false,
        "    0    0    1    1    1    1",
        ZEROS,
        held,
        ["", ""],
    ));
    assert!(said(&two).contains("error[two-rotations]"));
}

/// Position of the origin, orientation, velocity of the origin and angular velocity of the only body at the start.
fn start(imported: &Imported) -> (Vec3<f64>, Mat3<f64>, Vec3<f64>, Vec3<f64>) {
    let assembled = assemble(model(imported), Formulation::Absolute).unwrap();
    let (system, state) = (assembled.system.as_ref(), &assembled.state);
    let mut ws = Workspace::new(system);
    system.update(
        state.time,
        &state.q,
        &state.v,
        &state.turns,
        &mut ws.kinematics,
    );
    let body = ws.kinematics.bodies[0];
    let arm = -(body.R * system.model().bodies[0].mass.center);
    (body.r + arm, body.R, body.v + body.w.cross(&arm), body.w)
}

fn card(values: &[f64]) -> String {
    let fields: Vec<String> = values.iter().map(|x| format!("{x:<10.5}")).collect();
    fields.concat()
}

#[test]
fn every_joint_starts_where_the_cards_say_whatever_is_locked() {
    let mut random = Random::new(7);
    for flags in [
        "000000", "000111", "011011", "110111", "101111", "111101", "111111", "011101", "000101",
        "111010",
    ] {
        for _ in 0..4 {
            let mut draw = |scale: f64| -> [f64; 3] {
                std::array::from_fn(|_| (random.between(-scale, scale) * 1e4).round() / 1e4)
            };
            let (xi, angles) = (draw(2.0), draw(80.0));
            let free: Vec<bool> = flags.bytes().map(|f| f == b'0').collect();
            // velocities of free coordinates; an angular velocity about the lower body's axis only if it is the first rotation
            let (mut xi_rate, mut rates) = (draw(3.0), draw(50.0));
            let turning: Vec<usize> = (0..3).filter(|&c| free[c]).collect();
            for c in 0..3 {
                xi_rate[c] *= f64::from(u8::from(free[3 + c]));
                rates[c] *= f64::from(u8::from(free[c]));
            }
            let fields: Vec<String> = flags.chars().map(|f| format!("    {f}")).collect();
            let fields = fields.concat();
            let imported = import(&one_body(
                false,
                &fields,
                &card(&[xi, xi_rate].concat()),
                &card(&[angles, rates].concat()),
                ["", ""],
            ));
            let (o, r, v, w) = start(&imported);
            let radians = Vec3::from(angles.map(f64::to_radians));
            assert!((o - Vec3::from(xi)).norm() < 1e-9, "{flags}: {o:?} {xi:?}");
            assert!((r - from_dextral(&radians)).norm() < 1e-9, "{flags}");
            assert!((v - Vec3::from(xi_rate)).norm() < 1e-9, "{flags}: {v:?}");
            // ω in the lower axes: α' about x, β' about the turned y, γ' about the twice turned z
            let (y, z) = (about::<f64>(0, radians[0]), about::<f64>(1, radians[1]));
            let d = Vec3::from(rates.map(f64::to_radians));
            let expected = match turning[..] {
                [c] => unit::<f64>(c) * d[c],
                _ => {
                    unit::<f64>(0) * d[0] + y * (unit::<f64>(1) * d[1] + z * unit::<f64>(2) * d[2])
                }
            };
            assert!((w - expected).norm() < 1e-9, "{flags}: {w:?} {expected:?}");
        }
    }
}

#[test]
fn a_locked_coordinate_with_a_profile_becomes_a_driven_one() {
    let spin = "    2\n    1    3\n0.0       90.0      30.0      45.0\n2.0       0.0\n";
    let slide = "    2\n    1    2\n0.0       2.0       0.5       0.25\n1.0       0.0\n";
    let locked = "    1    1    1    1    1    1";
    let imported = import(&one_body(true, locked, ZEROS, ZEROS, [spin, slide]));
    let report = said(&imported);
    assert!(
        report.contains("warning[profile-unit]") && imported.diagnostics.warnings() == 1,
        "{report}"
    );
    let found = model(&imported);
    assert_eq!(found.joints[0].joint.info().name, "generic");
    let (o, r, v, w) = start(&imported);
    assert!((o - Vec3::new(0.0, 0.25, 0.0)).norm() < 1e-12);
    assert!((r - about::<f64>(2, 45_f64.to_radians())).norm() < 1e-12);
    assert!((v - Vec3::new(0.0, 0.5, 0.0)).norm() < 1e-12);
    assert!((w[2] - 30_f64.to_radians()).abs() < 1e-12);
    // d = 0.25 + 0.5 t + t² − t³/3 for a = 2 − 2 t
    let slide = &found.drivers[1].motion;
    assert!((slide.at(0.5).value - (0.25 + 0.25 + 0.25 - 0.125 / 3.0)).abs() < 1e-12);
    assert_eq!(
        [-1.0, 0.5, 1.0].map(|t| slide.next_corner(t)),
        [0.0, 1.0, f64::INFINITY]
    );

    let free = import(&one_body(
        true,
        "    1    1    0    1    1    1",
        ZEROS,
        ZEROS,
        [spin, ""],
    ));
    assert!(said(&free).contains("warning[free-profile]"));
    let part = import(&one_body(
        false,
        "    0    0    1    1    1    1",
        ZEROS,
        ZEROS,
        [spin, ""],
    ));
    assert!(
        said(&part).contains("error[angles-in-part]"),
        "{}",
        said(&part)
    );
    let elsewhere = "0.0       0.1       0.0       0.0       0.0       0.0";
    let slide = "    2\n    1    2\n0.0       2.0       0.5       0.25\n1.0       0.0\n";
    let other = import(&one_body(true, locked, elsewhere, ZEROS, ["", slide]));
    assert!(said(&other).contains("warning[two-starts]"));
}

#[test]
fn all_errors_are_reported_at_once_with_their_columns() {
    let cards = deck(DECKS[1])
        .replace("    0    1\n", "    0    7\n")
        .replace(
            "1.0       0.0       0.0         VETORES",
            "1.0       zero      0.0         VETORES",
        )
        .replace(
            "    1    1    0    1    1    1  REVOLUCAO)",
            "    1    2    0    1    1    1  REVOLUCAO)",
        )
        .replace("10.0      -15.0     0.0001", "-1.0      -15.0     0.0   ");
    let imported = import(&cards);
    let report = said(&imported);
    assert!(imported.text.is_none());
    for (place, words) in [
        (
            "cards.dat:9:6",
            "the lower body of body 2 must have a lower number",
        ),
        (
            "cards.dat:13:11",
            "item 13, vector r of body 1: columns 11 to 20 are not a number",
        ),
        ("cards.dat:24:6", "item 21, flags of joint 2 must be 0 or 1"),
        ("cards.dat:31:1", "the end must come after the start"),
        ("cards.dat:31:1", "the tolerance must be greater than zero"),
    ] {
        assert!(
            report.contains(place) && report.contains(words),
            "{place} {words}\n{report}"
        );
    }
    assert_eq!(imported.diagnostics.errors(), 5, "{report}");
}

#[test]
fn missing_and_superfluous_cards_are_reported() {
    let cards = deck(DECKS[1]);
    let missing: Vec<&str> = cards
        .lines()
        .filter(|line| !line.contains("VETORES \"R\""))
        .collect();
    let report = said(&import(&missing.join("\n")));
    assert!(report.contains("error"), "{report}");
    let cut: String = cards.lines().take(20).collect::<Vec<_>>().join("\n");
    let report = said(&import(&cut));
    assert!(report.contains("the cards end before item 17"), "{report}");
    let report = said(&import(&format!("{cards}0.5 MORE\n")));
    assert!(report.contains("warning[cards-left]"), "{report}");
    let report = said(&import(""));
    assert!(
        report.contains("the cards end before item 1, the title"),
        "{report}"
    );
}

#[test]
fn a_deck_separated_by_blanks_reads_as_one_in_columns() {
    let cards = deck(DECKS[1]);
    let mut loose: Vec<String> = Vec::new();
    for (k, line) in cards.lines().enumerate() {
        let words: Vec<&str> = line.split_whitespace().collect();
        loose.push(if k == 0 || k == 6 || k == 7 {
            line.to_owned()
        } else {
            words.join(" ")
        });
    }
    let imported = import(&loose.join("\n"));
    assert_eq!(imported.diagnostics.errors(), 0, "{}", said(&imported));
    assert!(said(&imported).contains("warning[not-in-columns]"));
    assert_eq!(imported.text, import(&cards).text);
}

#[test]
fn old_eight_bit_text_is_read() {
    let mut bytes = deck(DECKS[1]).into_bytes();
    let at = bytes.windows(6).position(|w| w == b"FORCAS").unwrap();
    bytes[at + 3] = 0xC7;
    let imported = sismul::import("cards.dat", &bytes, &sismul::SismulOptions::default());
    assert_eq!(said(&imported), "");
}

/// Changes a deck at random: digits, letters, lines lost, doubled, swapped or cut.
fn mutated(cards: &str, random: &mut Random) -> Vec<u8> {
    let mut lines: Vec<Vec<u8>> = cards.lines().map(|line| line.as_bytes().to_vec()).collect();
    let pick = |random: &mut Random, n: usize| {
        (random.between(0.0, n as f64) as usize).min(n.saturating_sub(1))
    };
    for _ in 0..=pick(random, 4) {
        let k = pick(random, lines.len());
        match pick(random, 8) {
            0 => drop(lines.remove(k)),
            1 => lines.insert(k, lines[k].clone()),
            2 => lines[k].clear(),
            3 => {
                let other = pick(random, lines.len());
                lines.swap(k, other);
            }
            4 => {
                let at = pick(random, lines[k].len());
                lines[k].truncate(at);
            }
            _ if !lines[k].is_empty() => {
                let at = pick(random, lines[k].len());
                let with = b"0123456789-+.eED \t*x\xff\xc3";
                lines[k][at] = with[pick(random, with.len())];
            }
            _ => {}
        }
        if lines.is_empty() {
            break;
        }
    }
    lines.join(&b'\n')
}

#[test]
fn no_mutation_of_a_deck_panics_or_gives_an_unreadable_model() {
    let mut random = Random::new(1993);
    let mut models = 0;
    for path in DECKS {
        let cards = deck(path);
        for _ in 0..300 {
            let bytes = mutated(&cards, &mut random);
            let imported = sismul::import("cards.dat", &bytes, &sismul::SismulOptions::default());
            assert_eq!(imported.text.is_none(), imported.diagnostics.has_errors());
            let _ = said(&imported);
            models += usize::from(imported.text.is_some());
        }
    }
    // the changes are small enough to leave models too
    assert!(models > 100, "{models}");
}

/// A deck with its fields at another spacing: integers in `narrow` columns, real numbers in `wide`, right- or left-aligned.
fn respaced(deck: &str, narrow: usize, wide: usize, left: bool) -> String {
    let mut text = String::new();
    for (k, line) in deck.lines().enumerate() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let numbers = words.iter().take_while(|w| w.parse::<f64>().is_ok());
        let numbers: Vec<&str> = numbers.copied().collect();
        if k == 0 || numbers.is_empty() {
            text += line;
        } else {
            let reals = numbers.iter().any(|number| number.contains('.'));
            let width = if reals { wide } else { narrow };
            for number in &numbers {
                let _ = if left {
                    write!(text, "{number:<width$}")
                } else {
                    write!(text, "{number:>width$}")
                };
            }
            let _ = write!(text, "  {}", words[numbers.len()..].join(" "));
        }
        text.push('\n');
    }
    text
}

#[test]
fn cards_with_another_column_spacing_give_the_same_mechanism() {
    let deck = one_body(
        false,
        "    1    1    0    1    0    1",
        "0.0       0.25      0.0       0.0       0.5       0.0",
        "0.0       0.0       30.0      0.0       0.0       2.0",
        ["", ""],
    );
    let expected = import(&deck).text.unwrap();
    for narrow in [2, 3, 4, 6, 7, 8] {
        for wide in [8, 9, 11, 12, 15] {
            for left in [true, false] {
                let other = respaced(&deck, narrow, wide, left);
                let imported = import(&other);
                // a lone number beyond its columns is not guessed
                let refused = said(&imported).contains("error[two-readings]");
                let text = imported.text.as_deref();
                assert!(
                    text == Some(&expected) || (refused && text.is_none()),
                    "{other}\n{}",
                    said(&imported)
                );
                if narrow < 6 && wide < 10 {
                    assert_eq!(text, Some(expected.as_str()), "{}", said(&imported));
                }
            }
        }
    }
}

#[test]
fn imported_decks_record_forces_and_accelerations() {
    for path in DECKS {
        let imported = import(&deck(path));
        let text = imported.text.unwrap();
        let loaded = parse("model.toml", &text, &Overrides::default());
        let model = loaded.model.unwrap();
        assert_eq!(
            model.study.unwrap().formulation,
            Formulation::Tree,
            "{path}"
        );
        let names: Vec<String> = model
            .outputs
            .channels
            .iter()
            .map(|c| c.name.clone())
            .collect();
        let space = model.model.space;
        let holds = |joint: &Joint| joint.shape(space).position_rows > 0;
        for joint in model.model.joints.iter().filter(|j| holds(&j.joint)) {
            let reaction = format!("{}.reaction.fx", joint.name);
            assert!(names.contains(&reaction), "{path}: no {reaction}");
        }
        for body in &model.model.bodies {
            let acceleration = format!("{}.ax", body.name);
            assert!(names.contains(&acceleration), "{path}: no {acceleration}");
        }
    }
}
