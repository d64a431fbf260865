//! Planar linkages of spatial bodies and hinges: three redundant constraints per loop, and the planar motion.

use std::fmt::Write as _;

use super::linkages::read;
use super::overconstrained::{free_motion, is_overconstrained};

/// A linkage in the plane: bars with an end, how they start, and pins between ends.
struct Planar {
    name: &'static str,
    ground: &'static [(&'static str, f64, f64)],
    /// Name, length and a start: position and angle.
    bars: Vec<(&'static str, f64, [f64; 3])>,
    pins: &'static [(&'static str, &'static str, &'static str)],
    /// A joint with its kind, and what it joins.
    slider: Option<(&'static str, &'static str)>,
}

impl Planar {
    /// The linkage as a planar model, or with bodies and joints of space.
    fn text(&self, space: &str) -> String {
        let flat = space == "planar";
        let point = |x: f64, y: f64| {
            if flat {
                format!("[{x}, {y}]")
            } else {
                format!("[{x}, {y}, 0]")
            }
        };
        let mut text = format!(
            "format = 1\nname = \"{}\"\nspace = \"{space}\"\ngravity = {}\n",
            self.name,
            point(0.0, -1.0)
        );
        let ground: Vec<String> = self
            .ground
            .iter()
            .map(|(name, x, y)| format!("{name} = {}", point(*x, *y)))
            .collect();
        let _ = writeln!(text, "[ground]\npoints = {{ {} }}", ground.join(", "));
        for (name, length, [x, y, angle]) in &self.bars {
            let inertia = if flat {
                "0.02".to_owned()
            } else {
                "[0.03, 0.04, 0.02]".to_owned()
            };
            let turn = if flat {
                format!("angle = {angle}")
            } else {
                format!("rotation = {{ axis = [0, 0, 1], angle = {angle} }}")
            };
            let _ = writeln!(
                text,
                "[[body]]\nname = \"{name}\"\nmass = 1\ninertia = {inertia}\ncom = {}\nposition = {}\n{turn}\npoints = {{ end = {} }}",
                point(length / 2.0, 0.0),
                point(*x, *y),
                point(*length, 0.0)
            );
        }
        for (name, first, second) in self.pins {
            let _ = writeln!(
                text,
                "[[joint]]\nname = \"{name}\"\ntype = \"revolute\"\nbetween = [\"{first}\", \"{second}\"]"
            );
        }
        if let Some((first, second)) = self.slider {
            let axis = point(1.0, 0.0);
            let _ = writeln!(
                text,
                "[[joint]]\nname = \"guide\"\ntype = \"prismatic\"\nbetween = [\"{first}\", \"{second}\"]\naxis = {axis}"
            );
        }
        text
    }

    /// Asserts that the linkage moves in space as in the plane.
    fn moves_alike(&self) {
        let planar = free_motion(&self.text("planar"), "absolute");
        for formulation in ["absolute", "tree"] {
            let spatial = free_motion(&self.text("spatial"), formulation);
            for (bar, ..) in &self.bars {
                for signal in ["x", "y", "vx", "vy"] {
                    let signal = format!("{bar}.{signal}");
                    let pairs = spatial
                        .column(&signal)
                        .unwrap()
                        .into_iter()
                        .zip(planar.column(&signal).unwrap());
                    for (x, y) in pairs {
                        assert!(
                            (x - y).abs() < 1e-7,
                            "{} in {formulation}: {signal} {x} {y}",
                            self.name
                        );
                    }
                }
                let height = spatial.column(&format!("{bar}.z")).unwrap();
                assert!(
                    height.iter().all(|z| z.abs() < 1e-9),
                    "{}: `{bar}` leaves the plane",
                    self.name
                );
            }
        }
    }
}

fn four_bar() -> Planar {
    Planar {
        name: "four-bar",
        ground: &[("C", 0.45, 0.0)],
        bars: vec![
            ("crank", 0.2, [0.0, 0.0, 1.0]),
            ("coupler", 0.5, [0.1, 0.17, 0.3]),
            ("rocker", 0.4, [0.45, 0.0, 1.2]),
        ],
        pins: &[
            ("O", "ground", "crank"),
            ("A", "crank.end", "coupler"),
            ("B", "coupler.end", "rocker.end"),
            ("C", "ground.C", "rocker"),
        ],
        slider: None,
    }
}

fn slider_crank() -> Planar {
    Planar {
        name: "slider-crank",
        ground: &[],
        bars: vec![
            ("crank", 0.2, [0.0, 0.0, 1.0]),
            ("rod", 0.5, [0.1, 0.17, -0.3]),
            ("slider", 0.1, [0.6, 0.0, 0.0]),
        ],
        pins: &[
            ("O", "ground", "crank"),
            ("A", "crank.end", "rod"),
            ("B", "rod.end", "slider"),
        ],
        slider: Some(("ground", "slider")),
    }
}

/// A coupler on three equal cranks.
fn parallel_cranks() -> Planar {
    let (angle, length) = (1.1_f64, 0.3);
    let (y, x) = angle.sin_cos();
    Planar {
        name: "parallel-cranks",
        ground: &[("C1", 0.4, 0.0), ("C2", 0.8, 0.0)],
        bars: vec![
            ("crank0", length, [0.0, 0.0, angle]),
            ("crank1", length, [0.4, 0.0, angle]),
            ("crank2", length, [0.8, 0.0, angle]),
            ("left", 0.4, [length * x, length * y, 0.0]),
            ("right", 0.4, [0.4 + length * x, length * y, 0.0]),
        ],
        pins: &[
            ("O0", "ground", "crank0"),
            ("O1", "ground.C1", "crank1"),
            ("O2", "ground.C2", "crank2"),
            ("A0", "crank0.end", "left"),
            ("A1", "crank1.end", "left.end"),
            ("B1", "crank1.end", "right"),
            ("B2", "crank2.end", "right.end"),
        ],
        slider: None,
    }
}

fn peaucellier() -> Planar {
    let (long, side, crank) = (0.4_f64, 0.2_f64, 0.15_f64);
    // the crank straight ahead: OP · OQ = L² − l²
    let p = 2.0 * crank;
    let q = (long * long - side * side) / p;
    let middle = f64::midpoint(p, q);
    let up = (long * long - middle * middle).sqrt();
    Planar {
        name: "peaucellier",
        ground: &[("M", 0.15, 0.0)],
        bars: vec![
            ("crank", crank, [crank, 0.0, 0.0]),
            ("arm1", long, [0.0, 0.0, up.atan2(middle)]),
            ("arm2", long, [0.0, 0.0, -up.atan2(middle)]),
            ("PC", side, [p, 0.0, up.atan2(middle - p)]),
            ("PD", side, [p, 0.0, -up.atan2(middle - p)]),
            ("CQ", side, [middle, up, (-up).atan2(q - middle)]),
            ("DQ", side, [middle, -up, up.atan2(q - middle)]),
        ],
        pins: &[
            ("O1", "ground", "arm1"),
            ("O2", "ground", "arm2"),
            ("M", "ground.M", "crank"),
            ("P1", "crank.end", "PC"),
            ("P2", "crank.end", "PD"),
            ("C1", "arm1.end", "PC.end"),
            ("C2", "arm1.end", "CQ"),
            ("D1", "arm2.end", "PD.end"),
            ("D2", "arm2.end", "DQ"),
            ("Q", "CQ.end", "DQ.end"),
        ],
        slider: None,
    }
}

#[test]
fn four_parallel_hinges_in_space_have_three_redundant_constraints() {
    let linkage = four_bar();
    is_overconstrained(read(&linkage.text("planar")), 1, &[]);
    is_overconstrained(read(&linkage.text("spatial")), 1, &[("C", 3)]);
    linkage.moves_alike();
}

#[test]
fn a_spatial_slider_crank_has_three_redundant_constraints() {
    let linkage = slider_crank();
    is_overconstrained(read(&linkage.text("planar")), 1, &[]);
    is_overconstrained(read(&linkage.text("spatial")), 1, &[("guide", 3)]);
    linkage.moves_alike();
}

#[test]
fn a_third_parallel_crank_on_one_coupler_is_redundant() {
    let linkage = parallel_cranks();
    is_overconstrained(read(&linkage.text("planar")), 1, &[]);
    is_overconstrained(read(&linkage.text("spatial")), 1, &[("A1", 3), ("B2", 3)]);
    linkage.moves_alike();
}

#[test]
fn a_spatial_peaucellier_linkage_has_nine_redundant_constraints_and_draws_a_line() {
    let linkage = peaucellier();
    is_overconstrained(read(&linkage.text("planar")), 1, &[]);
    let text = linkage.text("spatial");
    is_overconstrained(read(&text), 1, &[("C1", 3), ("D1", 3), ("Q", 3)]);
    linkage.moves_alike();
    let run = free_motion(&text, "absolute");
    let x = run.column("CQ.end.x").unwrap();
    assert!(
        x.iter().all(|x| (x - 0.4).abs() < 1e-9),
        "the line is straight"
    );
}
