//! How fast each kind of beam element comes near to its own limit as elements get smaller.
//!
//! A clamped beam of unit length with EI = 1 is bent by a force across its end. In the limit it obeys an ordinary differential equation, solved
//! here by shooting to about 1e-12; how far off the end and the energy are must fall with the power of the element length that theory gives.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod runs;

use biela::Run;

use runs::{column, first, march, run};

/// Place of the end and strain energy.
type End = [f64; 3];

/// An element kind and its beam.
struct Case {
    element: &'static str,
    space: &'static str,
    /// EA and the force, EI = 1 and L = 1: soft enough against stretch for the limit to be seen, for EA h² ≫ EI makes higher terms the larger ones.
    axial: f64,
    load: f64,
    /// Elements of the coarse mesh; the fine one has twice as many.
    elements: usize,
    /// By theory.
    order: f64,
    limit: fn(axial: f64, load: f64) -> End,
}

const SHEAR: f64 = 40.0;

/// Cubic elements that minimise an energy of r'' miss r'' by h², so that energy, and with it the end, are off by the square, h⁴ (G. Strang, G. J. Fix, *An Analysis of
/// the Finite Element Method*, 1973). That needs strains which are those of the curve: `cable`, `green-lagrange`.
///
/// `structural` takes the bow of an element for a stretch: `r'·i − 1` is off by `κ² h²/24` on the mean, so h². `exact` and `lumped` take the moment as constant along
/// an element, from its middle: h².
const CASES: &[Case] = &[
    Case {
        element: "cable",
        space: "planar",
        axial: 100.0,
        load: 2.0,
        elements: 8,
        order: 4.0,
        limit: stretched,
    },
    Case {
        element: "cable",
        space: "spatial",
        axial: 100.0,
        load: 2.0,
        elements: 8,
        order: 4.0,
        limit: stretched,
    },
    Case {
        element: "green-lagrange",
        space: "planar",
        axial: 40.0,
        load: 1.0,
        elements: 8,
        order: 4.0,
        limit: green_lagrange,
    },
    Case {
        element: "green-lagrange",
        space: "spatial",
        axial: 40.0,
        load: 1.0,
        elements: 8,
        order: 4.0,
        limit: green_lagrange,
    },
    Case {
        element: "structural",
        space: "planar",
        axial: 400.0,
        load: 1.0,
        elements: 16,
        order: 2.0,
        limit: structural,
    },
    Case {
        element: "exact",
        space: "spatial",
        axial: 100.0,
        load: 2.0,
        elements: 8,
        order: 2.0,
        limit: sheared,
    },
    Case {
        element: "lumped",
        space: "planar",
        axial: 100.0,
        load: 2.0,
        elements: 8,
        order: 2.0,
        limit: inextensible,
    },
];

/// Steps along the beam, from its start to its end.
const ALONG: (f64, u32) = (1.0, 2000);

/// A root of two functions of two unknowns, by Newton's method with central differences.
fn root(f: impl Fn([f64; 2]) -> [f64; 2], start: [f64; 2]) -> [f64; 2] {
    let mut x = start;
    for _ in 0..20 {
        let by = |i: usize| {
            let h = 1e-6;
            let (mut ahead, mut behind) = (x, x);
            ahead[i] += h;
            behind[i] -= h;
            let (ahead, behind) = (f(ahead), f(behind));
            [0, 1].map(|k| (ahead[k] - behind[k]) / (2.0 * h))
        };
        let (r, a, b) = (f(x), by(0), by(1));
        let det = a[0] * b[1] - b[0] * a[1];
        let step = [
            (r[0] * b[1] - b[0] * r[1]) / det,
            (a[0] * r[1] - r[0] * a[1]) / det,
        ];
        x = [x[0] - step[0], x[1] - step[1]];
        if step[0].hypot(step[1]) < 1e-13 {
            break;
        }
    }
    x
}

/// The strains of a beam under the axial force N, the shear force Q and the moment M.
struct Section {
    /// Components of r' along and across the section's normal, and the turn by length.
    along: f64,
    across: f64,
    turn: f64,
    /// Energy by length.
    energy: f64,
}

/// `θ' = turn`, `r' = along t + across n`, `M' = −r' × F`; the moment at the clamp is such that there is none at the end.
fn rod(load: f64, section: impl Fn(f64, f64, f64) -> Section) -> End {
    let slope = |_: f64, [angle, moment, ..]: [f64; 5]| {
        let (sin, cos) = angle.sin_cos();
        let at = section(load * sin, load * cos, moment);
        let (x, y) = (
            at.along * cos - at.across * sin,
            at.along * sin + at.across * cos,
        );
        [at.turn, -x * load, x, y, at.energy]
    };
    let from = |moment: f64| march(slope, [0.0, moment, 0.0, 0.0, 0.0], ALONG);
    let found = root(|[moment, idle]| [from(moment)[1], idle], [0.8 * load, 0.0]);
    let [_, _, x, y, energy] = from(found[0]);
    [x, y, energy]
}

/// `V = ½ ∫ EA (|r'| − 1)² + κ²`.
fn stretched(axial: f64, load: f64) -> End {
    rod(load, |n, _, m| Section {
        along: 1.0 + n / axial,
        across: 0.0,
        turn: m,
        energy: 0.5 * (n * n / axial + m * m),
    })
}

/// As before, with shear.
fn sheared(axial: f64, load: f64) -> End {
    rod(load, |n, q, m| Section {
        along: 1.0 + n / axial,
        across: q / SHEAR,
        turn: m,
        energy: 0.5 * (n * n / axial + q * q / SHEAR + m * m),
    })
}

/// Bars do not stretch.
fn inextensible(_: f64, load: f64) -> End {
    rod(load, |_, _, m| Section {
        along: 1.0,
        across: 0.0,
        turn: m,
        energy: 0.5 * m * m,
    })
}

/// The limit of elements whose κ is `r''·j`, the turn times the stretch `λ = 1 + e + δ` of the slopes at the nodes, of which `δ (6ξ² − 6ξ + 1)` has no mean and costs
/// `EA δ²/5`: however small the elements, slopes at nodes become shorter by δ where the beam is bent, and the beam softer than it should be.
///
/// ```text
/// V = ½ ∫ EA (e² + δ²/5) + λ² θ'²        EA e + λ θ'² = N        EA δ/5 + λ θ'² = 0        M = λ² θ'
/// ```
fn structural(axial: f64, load: f64) -> End {
    rod(load, |n, _, m| {
        let mut node = 1.0;
        for _ in 0..40 {
            node = 1.0 + (n - 6.0 * m * m / (node * node * node)) / axial;
        }
        let pull = m * m / (node * node * node);
        let (mean, uneven) = ((n - pull) / axial, -5.0 * pull / axial);
        let turn = m / (node * node);
        Section {
            along: 1.0 + mean,
            across: 0.0,
            turn,
            energy: 0.5 * (axial * (mean * mean + uneven * uneven / 5.0) + m * turn),
        }
    })
}

/// `V = ½ ∫ EA ε² + r''·r''` with `ε = ½ (r'·r' − 1)`: `r''' = EA ε r' − F`, where at the clamp r' is along x, and r'' along y, and r'' vanishes at the end.
fn green_lagrange(axial: f64, load: f64) -> End {
    let from = |[stretch, bend]: [f64; 2], load: f64| {
        let slope = |_: f64, [_, _, px, py, bx, by, _]: [f64; 7]| {
            let strain = 0.5 * (px * px + py * py - 1.0);
            let pull = axial * strain;
            let energy = 0.5 * (axial * strain * strain + bx * bx + by * by);
            [px, py, bx, by, pull * px, pull * py - load, energy]
        };
        march(slope, [0.0, 0.0, stretch, 0.0, 0.0, bend, 0.0], ALONG)
    };
    // errors at the clamp grow by exp √(EA/EI) up to the end, so that each guess must be near
    let steps = 50;
    let mut start = [1.0, 0.0];
    for k in 1..=steps {
        let share = load * f64::from(k) / f64::from(steps);
        let ends = |start| {
            let [_, _, _, _, bx, by, _] = from(start, share);
            [bx, by]
        };
        start = root(ends, start);
    }
    let [x, y, .., energy] = from(start, load);
    [x, y, energy]
}

/// The end of the beam of a case with so many elements, and its energy.
fn bent(case: &Case, elements: usize) -> End {
    let Case {
        element,
        space,
        axial,
        load,
        ..
    } = case;
    let (z, clamp) = match (*space, *element) {
        ("planar", _) => ("", "type = \"weld\""),
        // a cable in space has no torsion for a weld to hold
        (_, "cable" | "green-lagrange") => (", 0", "type = \"revolute\"\naxis = [1, 0, 0]"),
        _ => (", 0", "type = \"weld\""),
    };
    let more = match *element {
        "exact" => format!("shear_stiffness = {SHEAR}\ntorsional_stiffness = 1"),
        _ => String::new(),
    };
    let run = run(&format!(
        r#"
format = 1
space = "{space}"
[[beam]]
name = "strip"
from = [0, 0{z}]
to = [1, 0{z}]
elements = {elements}
element = "{element}"
axial_stiffness = {axial}
bending_stiffness = 1
mass_per_length = 1
{more}
[[joint]]
name = "clamp"
{clamp}
between = ["ground", "strip.start"]
[[force]]
name = "tip"
type = "force"
at = "strip.end"
value = [0, {load}{z}]
[study]
analysis = "statics"
"#
    ));
    ["strip.end.x", "strip.end.y", "energy.elastic"].map(|name| first(&run, name))
}

#[test]
fn every_element_formulation_converges_with_its_theoretical_order() {
    for case in CASES {
        let limit = (case.limit)(case.axial, case.load);
        let off = |elements: usize| {
            let found = bent(case, elements);
            let end = (found[0] - limit[0]).hypot(found[1] - limit[1]);
            [end, (found[2] - limit[2]).abs()]
        };
        let (coarse, fine) = (off(case.elements), off(2 * case.elements));
        for (what, coarse, fine) in [("end", coarse[0], fine[0]), ("energy", coarse[1], fine[1])] {
            let order = (coarse / fine).log2();
            let name = format!("{} {} {what}", case.space, case.element);
            println!("{name}: {coarse:.3e} {fine:.3e} order {order:.3}");
            assert!(
                (order - case.order).abs() < 0.1,
                "{name}: {coarse:e} {fine:e}: {order}"
            );
        }
    }
}

/// The way of the end of a soft rod, pinned at its start, that falls from the level. Its weight comes on smoothly: let go at once, it would carry waves that no mesh
/// resolves, and all kinds would come near with a lower order.
fn swing(element: &str, elements: usize) -> Run {
    run(&format!(
        r#"
format = 1
space = "planar"
[[beam]]
name = "rod"
from = [0, 0]
to = [1.2, 0]
elements = {elements}
element = "{element}"
axial_stiffness = 36e3
bending_stiffness = 0.243
mass_per_length = 9.972
[[joint]]
name = "pin"
type = "revolute"
between = ["ground", "rod.start"]
[[force]]
name = "weight"
type = "distributed"
on = "rod"
value = [0, "-97.82532*(1 - exp(-(t/0.15)^4))"]
[study]
duration = 0.5
output_step = 0.005
integrator = {{ type = "generalized-alpha", step = 0.0005, spectral_radius = 0.9 }}
"#
    ))
}

/// How far apart two runs are, the root of the mean square over all rows.
fn apart(a: &Run, b: &Run) -> f64 {
    let square = |name: &str| {
        let (a, b) = (column(a, name), column(b, name));
        let squares = a.iter().zip(&b).map(|(a, b)| (a - b) * (a - b));
        squares.sum::<f64>() / a.len() as f64
    };
    (square("rod.end.x") + square("rod.end.y")).sqrt()
}

#[test]
fn pendulums_of_every_element_formulation_converge_with_their_order() {
    let meshes = [16, 32, 64];
    let reference = swing("cable", 64);
    for (element, expected) in [("cable", 4.0), ("green-lagrange", 4.0), ("structural", 2.0)] {
        let [coarse, middle, fine] = meshes.map(|elements| swing(element, elements));
        let (first, second) = (apart(&coarse, &middle), apart(&middle, &fine));
        let order = (first / second).log2();
        let off = apart(&fine, &reference);
        println!(
            "{element}: {first:.3e} {second:.3e} order {order:.3}, off the cable by {off:.2e}"
        );
        assert!(
            (order - expected).abs() < 0.2,
            "{element}: {first:e} {second:e}: {order}"
        );
        // strains of up to 1 % that the formulations treat differently: the Green–Lagrange strain has a quadratic term, and the slopes of `structural` are
        // compliant
        assert!(off < 3e-5, "{element}: {off:e}");
    }
}

#[test]
fn every_element_formulation_is_measured() {
    let kinds = biela::core::flexible::ELEMENTS
        .iter()
        .map(|kind| kind.info().name);
    for word in kinds.chain(["exact", "lumped"]) {
        assert!(CASES.iter().any(|case| case.element == word), "{word}");
    }
}
