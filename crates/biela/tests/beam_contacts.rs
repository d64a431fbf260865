//! Contacts of flexible beams: at stations, and along a beam as a whole.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod runs;

use biela::Run;

use runs::{column, last, run};

/// An accurate integrator for stiff beams.
const BDF: &str = r#"{ type = "bdf", tolerance = 1e-9 }"#;

/// The largest error of the energy balance relative to the energy exchanged.
fn balance(run: &Run) -> f64 {
    run.statistics.worst_energy / run.statistics.energy_scale
}

/// A cantilever of 1 m, EI = 5/3 N m², with a load of 0.1 N at its middle and a stop 1.5 mm below its end.
fn propped((space, element): (&str, &str), stop: &str, contact: &str, integrator: &str) -> String {
    let up = |x: &str, y: &str| match space {
        "planar" => format!("[{x}, {y}]"),
        _ => format!("[{x}, 0, {y}]"),
    };
    let clamp = match (space, element) {
        // an element without torsion is clamped about its axis
        ("spatial", "cable") => "type = \"revolute\"\naxis = [1, 0, 0]",
        _ => "type = \"weld\"",
    };
    let floor = if space == "planar" {
        "line"
    } else {
        "half-space"
    };
    let shear = if element == "exact" {
        // without shear, as the closed form
        "shear_stiffness = \"1e4 N\"\ntorsional_stiffness = \"1 N*m^2\""
    } else {
        ""
    };
    format!(
        r#"
format = 1
space = "{space}"
gravity = {gravity}
[[beam]]
name = "arm"
from = {from}
to = {to}
element = "{element}"
axial_stiffness = "2e4 N"
bending_stiffness = "5/3 [N*m^2]"
mass_per_length = "0.1 kg/m"
{shear}
damping = "20 ms"
points = {{ mid = 0.5 }}
[[joint]]
name = "clamp"
{clamp}
between = ["ground", "arm.start"]
[[contact]]
name = "stop"
{between}
surfaces = [{{ type = "{floor}", at = {below} }}, {stop}]
stiffness = "1e6 N/m"
[[force]]
name = "load"
type = "force"
at = "arm.mid"
value = {load}
[study]
duration = "2 s"
contact = "{contact}"
output_step = "10 ms"
integrator = {integrator}
"#,
        gravity = up("0", "0"),
        from = up("0", "0"),
        to = up("1", "0"),
        below = up("0", "-0.0065"),
        load = up("0", "-0.1"),
        between = if stop.contains("beam") {
            "between = [\"ground\", \"arm\"]"
        } else {
            "between = [\"ground\", \"arm.end\"]"
        },
    )
}

/// The force of the stop: `5 F/16 − 3 EI δ/l³`.
const REACTION: f64 = 5.0 * 0.1 / 16.0 - 3.0 * (5.0 / 3.0) * 1.5e-3;

#[test]
fn a_cantilever_pressed_on_a_stop_has_the_reaction_of_beam_theory() {
    let kinds = [
        // spatial cables have no damping in bending
        (("planar", "cable"), 1e-4),
        (("planar", "structural"), 1e-4),
        // two nodes per element, error of the order l²
        (("planar", "lumped"), 2e-2),
        (("spatial", "exact"), 2e-2),
    ];
    for (kind, error) in kinds {
        let ball = if kind.0 == "planar" {
            "circle"
        } else {
            "sphere"
        };
        let at_station = format!("{{ type = \"{ball}\", radius = \"5 mm\" }}");
        let whole = "{ type = \"beam\", radius = \"5 mm\" }";
        for contact in ["events", "compliant"] {
            for surface in [at_station.as_str(), whole] {
                let run = run(&propped(kind, surface, contact, BDF));
                let found = last(&run, "stop.normal");
                let case = format!("{kind:?} {contact} {surface}: {found} {REACTION}");
                assert!((found / REACTION - 1.0).abs() < error, "{case}");
                assert!(balance(&run) < 1e-4, "{case}: {}", balance(&run));
            }
        }
    }
}

/// A rod of 0.5 m falls on a floor, one end first.
fn falling(space: &str, element: &str, law: &str, integrator: &str) -> String {
    let (gravity, from, to, floor) = if space == "planar" {
        ("[0, -9.81]", "[0, 0.1]", "[0.5, 0.12]", "line")
    } else {
        (
            "[0, 0, -9.81]",
            "[0, 0, 0.1]",
            "[0.5, 0, 0.12]",
            "half-space",
        )
    };
    format!(
        r#"
format = 1
space = "{space}"
gravity = {gravity}
[[beam]]
name = "rod"
from = {from}
to = {to}
elements = 4
element = "{element}"
section = {{ type = "circle", radius = "5 mm" }}
young = "50 MPa"
density = "1000 kg/m^3"
damping = "5 ms"
[[contact]]
name = "floor"
between = ["ground", "rod"]
surfaces = [{{ type = "{floor}" }}, {{ type = "beam" }}]
{law}
[study]
duration = "1 s"
output_step = "10 ms"
integrator = {integrator}
"#
    )
}

/// The weight of the rod.
fn weight() -> f64 {
    1000.0 * std::f64::consts::PI * 25e-6 * 0.5_f64.hypot(0.02) * 9.81
}

/// Checks that a rod is at rest on its floor, which carries its weight.
fn rests(run: &Run, case: &str) {
    let weight = weight();
    let normal = last(run, "floor.normal");
    assert!(
        (normal / weight - 1.0).abs() < 1e-6,
        "{case}: {normal} {weight}"
    );
    assert!(last(run, "energy.kinetic") < 1e-12, "{case}");
    let deepest = column(run, "floor.gap").into_iter().fold(0.0, f64::min);
    assert!(deepest > -1e-12, "{case}: {deepest}");
}

#[test]
fn a_rod_that_falls_on_a_floor_comes_to_rest_there() {
    let bdf = r#"{ type = "bdf", tolerance = 1e-7 }"#;
    for (space, element) in [("planar", "cable"), ("spatial", "exact")] {
        let run = run(&falling(space, element, "friction = 0.3", bdf));
        rests(&run, element);
        // measured: 3.1e-7 and 1.2e-6
        assert!(balance(&run) < 5e-6, "{element}: {}", balance(&run));
    }
}

#[test]
fn the_energy_of_rigid_contacts_of_a_beam_balances_to_the_tolerance() {
    let explicit = r#"{ type = "dop853", tolerance = 1e-11, absolute = 1e-13 }"#;
    let run = run(&falling("planar", "lumped", "", explicit));
    rests(&run, "lumped");
    // measured: 5.3e-13
    assert!(balance(&run) < 1e-11, "{}", balance(&run));
}

#[test]
fn compliant_contacts_of_a_beam_carry_its_weight() {
    let controlled = r#"{ type = "generalized-alpha", tolerance = 1e-6, form = "index-2" }"#;
    let text = falling("planar", "cable", "stiffness = 1e3", controlled);
    let run = run(&text.replace("[study]", "[study]\ncontact = \"compliant\""));
    let weight = weight();
    let normal = last(&run, "floor.normal");
    assert!((normal / weight - 1.0).abs() < 1e-5, "{normal} {weight}");
    // measured: 3.5e-5
    assert!(balance(&run) < 1e-4, "{}", balance(&run));
}

#[test]
fn candidate_points_have_no_signals_and_a_contact_has_those_of_the_whole() {
    let run = run(&falling("planar", "cable", "", BDF).replace("\"1 s\"", "\"20 ms\""));
    let names: Vec<&str> = run.channels().iter().map(|c| c.name.as_str()).collect();
    assert!(names.contains(&"floor.normal"));
    assert!(
        !names.iter().any(|name| name.starts_with("rod.floor")),
        "{names:?}"
    );
}
