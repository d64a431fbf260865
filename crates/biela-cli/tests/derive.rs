//! Derived equations against the engine, against other ways to derive them, against textbooks, and as code that is compiled and run.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    non_snake_case
)]

#[path = "derive/code.rs"]
mod code;
mod common;

use std::fmt::Write;
use std::path::{Path, PathBuf};

use biela::core::math::{Mat3, Random, Vec3};
use biela::core::system::channels;
use biela::core::tree::{Tree, TreeWorkspace, aba, normalize};
use biela::derive::{
    DerivationFormat, DerivationRequest, EquationForm, Naming, Rotations, SymbolGroup,
    SymbolicModel, derive, with_mechanism,
};
use biela::symbol::mechanics::kane::{Speed, reduce};
use biela::symbol::mechanics::lagrange::equations;
use biela::symbol::{Expander, Symbol, Tape, simplify};
use common::{Place, golden};

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../examples")
        .join(name)
        .join("model.toml")
}

fn test_model(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/models")
        .join(name)
}

fn with<R: Send>(path: &Path, act: impl FnOnce(&SymbolicModel<'_>) -> R + Send) -> R {
    with_mechanism::<&str, R>(path, &[], &Naming::default(), act).unwrap_or_else(|e| panic!("{e}"))
}

fn request(form: EquationForm, target: DerivationFormat) -> DerivationRequest {
    DerivationRequest {
        naming: Naming::default(),
        form,
        target,
        speeds: Vec::new(),
    }
}

fn symbol(name: &str) -> Symbol {
    Symbol::find(name).unwrap_or_else(|| panic!("no symbol {name}"))
}

const COIN_SPEEDS: [&str; 3] = [
    "u1 = -pose.beta_rate",
    "u2 = pose.alpha_rate*cos(pose.beta)",
    "u3 = pose.gamma_rate + pose.alpha_rate*sin(pose.beta)",
];

#[test]
fn two_links_have_the_equations_of_textbooks() {
    with(&test_model("two-links.toml"), |named| {
        let mut simplifier = named.mechanism.simplifier();
        let mut text = |list: &[Symbol]| -> Vec<String> {
            list.iter()
                .map(|s| simplifier.simplify(*s).to_string())
                .collect()
        };
        // M. W. Spong, M. Vidyasagar, Robot Dynamics and Control, 1989, section 6.4: the planar elbow manipulator
        assert_eq!(
            text(&named.mechanism.mass()),
            [
                "m1*c1^2 + m2*l1^2 + m2*c2^2 + I1 + I2 + 2*m2*l1*c2*cos(q2)",
                "m2*c2^2 + I2 + m2*l1*c2*cos(q2)",
                "m2*c2^2 + I2 + m2*l1*c2*cos(q2)",
                "m2*c2^2 + I2",
            ]
        );
        assert_eq!(
            text(&named.mechanism.bias()),
            [
                "-m2*l1*c2*sin(q2)*(2*q1' + q2')*q2'",
                "m2*l1*c2*sin(q2)*q1'^2"
            ]
        );
        assert_eq!(
            text(&named.mechanism.gravity()),
            [
                "g*((m1*c1 + m2*l1)*cos(q1) + m2*c2*cos(q1 + q2))",
                "m2*c2*g*cos(q1 + q2)"
            ]
        );
    });
}

#[test]
fn the_rolling_coin_has_the_equations_of_its_literature() {
    with(&example("vehicles/rolling-coin"), |named| {
        let mut simplifier = named.mechanism.simplifier();
        let (alpha, beta) = (symbol("q_pose_alpha'"), symbol("q_pose_beta'"));
        let (gamma, lean) = (symbol("q_pose_gamma'"), symbol("q_pose_beta"));
        let (sin, cos) = biela::core::math::Real::sin_cos(lean);
        let speeds = [
            ("u1", -beta),
            ("u2", alpha * cos),
            ("u3", gamma + alpha * sin),
        ];
        let speeds = speeds.map(|(name, definition)| Speed {
            name: name.to_owned(),
            definition,
        });
        let reduced = reduce(
            &named.mechanism,
            &named.constraints,
            &speeds,
            &mut simplifier,
        )
        .unwrap();
        let [u1, u2, u3] = ["u1", "u2", "u3"].map(symbol);
        let [r1, r2, r3] = ["u1'", "u2'", "u3'"].map(symbol);
        let [m, g, r] = ["m", "g", "r"].map(symbol);
        let number = biela::core::math::Real::constant;
        let (quarter, half): (Symbol, Symbol) = (number(0.25), number(0.5));
        let tan = sin / cos;
        // thin disc on a fixed plane, θ the lean:
        //   5/4 u1' = 1/4 u2² tan θ − 3/2 u2 u3 − (g/r) sin θ,  u2' = −u1 u2 tan θ + 2 u1 u3,  3/2 u3' = u1 u2
        let five: Symbol = number(5.0);
        let three: Symbol = number(3.0);
        let expected = [
            m * r * r * (five * quarter * r1 - quarter * u2 * u2 * tan + three * half * u2 * u3)
                + m * g * r * sin,
            m * r * r * quarter * (r2 + u1 * u2 * tan - u1 * u3 - u1 * u3),
            m * r * r * (three * half * r3 - u1 * u2),
        ];
        for (found, expected) in reduced.equations.iter().zip(expected) {
            assert_eq!(*found, simplifier.simplify(expected), "{found}");
        }
    });
}

#[test]
fn the_robot_has_the_inertia_and_the_torques_of_its_thesis() {
    // G. O. de C. Pacheco, 2006, figure 7.5; the waist turns about y by the right hand here, which leaves these alone
    with(&example("robots/computed-torque"), |named| {
        use biela::core::math::Real;
        let mechanism = &named.mechanism;
        let [t1, t2] = ["q_shoulder", "q_elbow"].map(symbol);
        let [m2, c2, m3, c3, l, g] =
            ["m_upper", "c_upper", "m_fore", "c_fore", "l", "g"].map(symbol);
        let [x1, x2, y2, z2, x3, y3, z3] = [
            "I_column_yy",
            "I_upper_xx",
            "I_upper_yy",
            "I_upper_zz",
            "I_fore_xx",
            "I_fore_yy",
            "I_fore_zz",
        ]
        .map(symbol);
        let ((s1, k1), (s12, k12), (_, k2)) = (t1.sin_cos(), (t1 + t2).sin_cos(), t2.sin_cos());
        let reach = l * k1 + c3 * k12;
        let two = Symbol::constant(2.0);
        let d11 = x1
            + x2 * s1 * s1
            + y2 * k1 * k1
            + m2 * c2 * c2 * k1 * k1
            + x3 * s12 * s12
            + y3 * k12 * k12
            + m3 * reach * reach;
        let d22 = z2 + z3 + m2 * c2 * c2 + m3 * (l * l + c3 * c3 + two * l * c3 * k2);
        let d23 = z3 + m3 * (c3 * c3 + l * c3 * k2);
        let d33 = z3 + m3 * c3 * c3;
        let zero = Symbol::zero();
        let mut expander = Expander::new();
        for (found, expected) in mechanism
            .mass()
            .into_iter()
            .zip([d11, zero, zero, zero, d22, d23, zero, d23, d33])
        {
            assert!(
                expander.are_equal(found, expected),
                "{} is not {expected}",
                simplify(found)
            );
        }
        let weight = [zero, g * (m2 * c2 * k1 + m3 * reach), g * m3 * c3 * k12];
        for (found, expected) in mechanism.gravity().into_iter().zip(weight) {
            assert!(expander.are_equal(found, expected));
        }
        // H from the inertia alone: Σ (∂D_ij/∂q_k − ½ ∂D_jk/∂q_i) q̇_j q̇_k
        let d = [[d11, zero, zero], [zero, d22, d23], [zero, d23, d33]];
        let bias = mechanism.bias();
        for i in 0..3 {
            let mut h = Symbol::zero();
            for j in 0..3 {
                for k in 0..3 {
                    let rates = mechanism.v[j] * mechanism.v[k];
                    let slope = biela::symbol::derivative(d[i][j], mechanism.q[k]);
                    let other = biela::symbol::derivative(d[j][k], mechanism.q[i]);
                    h += (slope - other / two) * rates;
                }
            }
            assert!(expander.are_equal(bias[i], h), "row {i}");
        }
    });
}

#[test]
fn lagrange_and_newton_give_the_same_equations() {
    let models = [
        test_model("two-links.toml"),
        example("basics/double-pendulum"),
        example("mechanisms/four-bar"),
        example("mechanisms/screw-press"),
        example("robots/computed-torque"),
        example("spatial/heavy-top"),
        example("spatial/torque-free-body"),
        example("vehicles/rolling-coin"),
        example("vehicles/chaplygin-sleigh"),
    ];
    for model in models {
        with(&model, |named| {
            let mechanism = &named.mechanism;
            let n = mechanism.freedom();
            let (mass, bias, gravity) = (mechanism.mass(), mechanism.bias(), mechanism.gravity());
            let mut expander = Expander::new();
            for (i, lagrange) in equations(mechanism).unwrap().into_iter().enumerate() {
                let newton = (0..n).fold(bias[i] + gravity[i], |sum, j| {
                    sum + mass[i * n + j] * mechanism.a[j]
                });
                assert!(
                    expander.are_equal(lagrange, newton),
                    "{} of {}",
                    mechanism.v[i],
                    model.display()
                );
            }
        });
    }
}

/// Formulas of a mechanism, written for people and for machines, at a state.
fn evaluate(named: &SymbolicModel<'_>, list: &[Symbol], q: &[f64], v: &[f64]) -> [Vec<f64>; 2] {
    let mechanism = &named.mechanism;
    let mut simplifier = mechanism.simplifier();
    let forms = [simplifier.simplify_all(list), simplifier.compact_all(list)];
    let mut inputs: Vec<Symbol> = named.numbers.iter().map(|n| n.symbol).collect();
    inputs.extend(mechanism.q.iter().chain(&mechanism.v));
    let mut values: Vec<f64> = named.numbers.iter().map(|n| n.value).collect();
    values.extend(q.iter().chain(v));
    forms.map(|form| Tape::new(&form, &inputs).unwrap().evaluate(&values))
}

#[test]
fn simplified_formulas_equal_the_numerical_tree() {
    let models = [
        "basics/double-pendulum",
        "mechanisms/watt-six-bar",
        "robots/computed-torque",
        "spatial/heavy-top",
        "spatial/conical-pendulum",
        "spatial/universal-joint",
        "vehicles/rolling-disc",
        "vehicles/suspension-corner",
    ];
    for model in models {
        for rotations in [Rotations::Angles, Rotations::Parameters] {
            let naming = Naming {
                groups: vec![
                    SymbolGroup::Masses,
                    SymbolGroup::Inertias,
                    SymbolGroup::Lengths,
                    SymbolGroup::Gravity,
                ],
                rotations,
            };
            let act = |named: &SymbolicModel<'_>| {
                let tree = Tree::spanning(named.written);
                let n = tree.velocities;
                let mut random = Random::new(5);
                let mut q: Vec<f64> = (0..tree.positions)
                    .map(|_| random.between(0.1, 1.3))
                    .collect();
                normalize(&tree, &mut q);
                let v: Vec<f64> = (0..n).map(|_| random.symmetric(2.0)).collect();
                let mut list = named.mechanism.mass();
                list.extend(named.mechanism.bias());
                list.extend(named.mechanism.gravity());
                for found in evaluate(named, &list, &q, &v) {
                    // M a + h + g = τ has one solution; the engine finds it another way, without M
                    let tau: Vec<f64> = (0..n).map(|_| random.symmetric(3.0)).collect();
                    let mut a = vec![0.0; n];
                    // bodies between angles have no mass, which leaves M singular only if nothing hangs on them
                    aba(
                        &tree,
                        &mut TreeWorkspace::new(&tree),
                        &q,
                        &v,
                        &tau,
                        &[],
                        &mut a,
                    );
                    for i in 0..n {
                        let inertia: f64 = (0..n).map(|j| found[i * n + j] * a[j]).sum();
                        let size: f64 =
                            (0..n).map(|j| (found[i * n + j] * a[j]).abs()).sum::<f64>()
                                + tau[i].abs();
                        let left = inertia + found[n * n + i] + found[n * n + n + i];
                        assert!(
                            (left - tau[i]).abs() < 1e-11 * size.max(1.0),
                            "{model}: {left} {}",
                            tau[i]
                        );
                    }
                }
            };
            with_mechanism::<&str, _>(&example(model), &[], &naming, act).unwrap();
        }
    }
}

#[test]
fn the_formulas_hold_along_motions_in_absolute_coordinates() {
    let models = [
        test_model("two-links.toml"),
        example("basics/double-pendulum"),
        example("mechanisms/four-bar"),
        example("mechanisms/overconstrained-four-bar"),
        example("spatial/heavy-top"),
        example("vehicles/rolling-coin"),
        example("basics/spring-mass"),
        test_model("loaded.toml"),
    ];
    for model in models {
        let mut job = biela::load(&model).unwrap();
        job.outputs.channels = channels(&job.model);
        let run = biela::run(job).unwrap();
        with(&model, |named| {
            let mechanism = &named.mechanism;
            let n = mechanism.freedom();
            let column = |name: String| run.column(&name).unwrap_or_else(|| panic!("no {name}"));
            let signal = |what: &str| -> Vec<Vec<f64>> {
                let of = |c: &biela::symbol::mechanics::TreeCoordinate| {
                    let alone = mechanism
                        .coordinates
                        .iter()
                        .filter(|d| d.joint == c.joint)
                        .count()
                        == 1;
                    match what {
                        "" => column(c.signal.clone()),
                        _ if alone && !c.joint.contains('.') => {
                            column(format!("{}.{what}", c.joint))
                        }
                        _ => column(format!("{}_{what}", c.signal)),
                    }
                };
                mechanism.coordinates.iter().map(of).collect()
            };
            let (q, v, a) = (signal(""), signal("rate"), signal("acceleration"));
            let mut list = mechanism.mass();
            list.extend(mechanism.bias());
            let (gravity, applied) = (mechanism.gravity(), named.applied.written_out());
            assert!(named.applied.efforts.is_empty() && named.applied.left_out.is_empty());
            list.extend(gravity.iter().zip(applied).map(|(g, q)| *g - q));
            for row in &named.constraints.rows {
                list.extend(&row.jacobian);
                list.push(row.gamma);
            }
            let rows = run.times().len();
            for k in [0, rows / 3, rows / 2, rows - 1] {
                let at = |list: &[Vec<f64>]| -> Vec<f64> { list.iter().map(|x| x[k]).collect() };
                let (q, v, a) = (at(&q), at(&v), at(&a));
                for found in evaluate(named, &list, &q, &v) {
                    let (mass, rest) = found.split_at(n * n);
                    let (holding, rows) = rest.split_at(2 * n);
                    let mut left: Vec<f64> = (0..n)
                        .map(|i| {
                            (0..n).map(|j| mass[i * n + j] * a[j]).sum::<f64>()
                                + holding[i]
                                + holding[n + i]
                        })
                        .collect();
                    let size = (0..n * n)
                        .map(|k| mass[k] * a[k % n])
                        .chain(holding.iter().copied())
                        .fold(0.0_f64, |s, x| s.max(x.abs()));
                    // the remainder is a combination of the rows of G
                    let mut basis: Vec<Vec<f64>> = Vec::new();
                    for row in rows.chunks(n + 1) {
                        let drive: f64 = row[..n].iter().zip(&a).map(|(g, a)| g * a).sum();
                        let scale = row.iter().zip(&a).map(|(g, a)| (g * a).abs()).sum::<f64>()
                            + row[n].abs();
                        assert!(
                            (drive - row[n]).abs() < 1e-9 * scale.max(1.0),
                            "{}: {drive} {}",
                            model.display(),
                            row[n]
                        );
                        let mut g = row[..n].to_vec();
                        for b in &basis {
                            let along: f64 = g.iter().zip(b).map(|(x, y)| x * y).sum();
                            g.iter_mut().zip(b).for_each(|(x, y)| *x -= along * y);
                        }
                        let length = g.iter().map(|x| x * x).sum::<f64>().sqrt();
                        if length > 1e-9 {
                            basis.push(g.iter().map(|x| x / length).collect());
                        }
                    }
                    for b in &basis {
                        let along: f64 = left.iter().zip(b).map(|(x, y)| x * y).sum();
                        left.iter_mut().zip(b).for_each(|(x, y)| *x -= along * y);
                    }
                    for x in left {
                        assert!(x.abs() < 1e-9 * size, "{}: {x} of {size}", model.display());
                    }
                }
            }
        });
    }
}

#[test]
fn forces_with_laws_are_symbols_and_other_forces_one_letter() {
    let place = Place::new().with("loaded.toml");
    let text = place
        .text("loaded.toml")
        .replace("effort = \"-motor\"", "effort = \"motor*sin(3*t)\"");
    let friction = "[[force]]\nname = \"rub\"\ntype = \"limit\"\njoint = \"elbow\"\nupper = 2\nstiffness = 1e4\n\n[study]";
    place.write("driven.toml", &text.replace("[study]", friction));
    let done = place.run(&["derive", "driven.toml"]).exits(0);
    for words in [
        "F_twisting: force or torque of `twisting`, defined by its law",
        "Q: generalized forces of `rub`",
        "L_spring = sqrt(",
        " + Q[4]",
    ] {
        assert!(done.out.contains(words), "{words}\n{}", done.out);
    }
    let code = place.run(&["derive", "driven.toml", "--to", "c"]).exits(0);
    assert!(code.out.contains("void applied(const parameters *p, const double q[4], const double v[4], const double f[1], double out[4])"));
    assert!(code.out.contains("// f[0]: force or torque of `twisting`"));
    assert!(code.out.contains("// not in Q: rub"));
}

#[test]
fn the_potential_had_symbols_that_no_list_defined() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("model.toml");
    let bar = |name: &str, to: &str| {
        format!(
            "[[body]]\nname = \"{name}\"\ndensity = \"7800 kg/m^3\"\n\
             shapes = [{{ type = \"bar\", radius = \"r\", from = [0,0,0], to = {to} }}]\n"
        )
    };
    let model = format!(
        "format = 1\nname = \"lag\"\nspace = \"spatial\"\ngravity = [0,0,\"-g\"]\n\
         [parameters]\ng = \"9.81 m/s^2\"\nh = \"1 m\"\nr = \"20 mm\"\n\
         {}points = {{ top = [0,0,\"h\"] }}\n{}\
         [[joint]]\nname = \"turn\"\ntype = \"revolute\"\nbetween = [\"ground\",\"post\"]\naxis = [0,0,1]\n\
         [[joint]]\nname = \"lift\"\ntype = \"revolute\"\nbetween = [\"post.top\",\"arm\"]\naxis = [0,-1,0]\n",
        bar("post", "[0,0,\"h\"]"),
        bar("arm", "[\"h\",0,0]")
    );
    std::fs::write(&path, model).unwrap();
    let none: [&str; 0] = [];
    for form in [
        EquationForm::Lagrange,
        EquationForm::Kane,
        EquationForm::Equations,
    ] {
        let text = derive(&path, &none, &request(form, DerivationFormat::Text))
            .unwrap()
            .text;
        let (head, formulas) = text.split_once("\nsymbols\n").unwrap();
        let (symbols, formulas) = formulas.split_once("\n\n").unwrap();
        let defined = symbols.lines().chain(head.lines());
        let defined: Vec<&str> = defined
            .filter_map(|line| line.split_whitespace().next())
            .collect();
        let functions = ["sin", "cos", "tan", "sqrt"];
        let lines = formulas.lines().filter(|line| line.starts_with("  "));
        let lines = lines.filter_map(|line| line.split_once(" = "));
        for word in lines.flat_map(|(_, formula)| {
            formula.split(|c: char| !c.is_alphanumeric() && !"_.'".contains(c))
        }) {
            let name = word.trim_end_matches('\'');
            let is_name = name.starts_with(char::is_alphabetic);
            assert!(
                !is_name || functions.contains(&name) || defined.contains(&name),
                "{form:?}: `{name}` is not defined in\n{text}"
            );
        }
        if form == EquationForm::Lagrange {
            let potential = text
                .lines()
                .find(|line| line.trim().starts_with("V = "))
                .unwrap();
            // the post stays where it is
            assert!(
                !potential.contains("post") && !potential.contains('h'),
                "{potential}"
            );
        }
    }
    let tex = derive(
        &path,
        &none,
        &request(EquationForm::Lagrange, DerivationFormat::Latex),
    )
    .unwrap()
    .text;
    for function in [r"\sin", r"\cos"] {
        for (at, _) in tex.match_indices(function) {
            let after = tex[at + function.len()..].trim_start_matches("^{2}");
            assert!(
                after.starts_with('(') || after.starts_with(r"\left("),
                "an argument without parentheses in\n{tex}"
            );
        }
    }
}

#[test]
fn a_term_that_is_symbolically_zero_may_be_rounding_numerically() {
    // a bob at a distance has no centrifugal terms, which the engine finds only to rounding
    let place = Place::new();
    let text = "format = 1\nspace = \"planar\"\ngravity = [0, -9.81]\n[[body]]\nname = \"bob\"\nmass = 1\ninertia = 0.01\n\
        [[joint]]\nname = \"rod\"\ntype = \"distance\"\nbetween = [\"ground\", \"bob\"]\nlength = \"1 m\"\n";
    place.write("bob.toml", text);
    let done = place
        .run(&["derive", "bob.toml", "--form", "bias"])
        .exits(0);
    assert!(done.out.contains("h[1] = 0"), "{}", done.out);
}

/// The tree of nine bodies of H. A. A. Henrique's figure 9, on spherical joints.
fn nine_bodies() -> String {
    const LOWER: [usize; 9] = [0, 1, 1, 3, 1, 5, 6, 7, 6];
    let mut text =
        "format = 1\nname = \"nine\"\nspace = \"spatial\"\ngravity = [0, 0, \"-9.8 m/s^2\"]\n"
            .to_owned();
    for k in 1..=9 {
        let points = (2..=9).filter(|c| LOWER[c - 1] == k);
        let points: Vec<String> = points
            .map(|c| format!("Q{c} = [{}, 0, 0.5]", 0.1 * c as f64))
            .collect();
        let _ = write!(
            text,
            "[[body]]\nname = \"B{k}\"\nmass = {k}\ninertia = [0.1, 0.2, 0.25]\ncom = [0, 0.1, 0.25]\npoints = {{ {} }}\n",
            points.join(", ")
        );
    }
    for (k, lower) in (1..).zip(LOWER) {
        let first = match lower {
            0 => "ground".to_owned(),
            j => format!("B{j}.Q{k}"),
        };
        let _ = write!(
            text,
            "[[joint]]\nname = \"J{k}\"\ntype = \"spherical\"\nbetween = [\"{first}\", \"B{k}\"]\n"
        );
    }
    text
}

#[test]
fn a_tree_too_large_for_formulas_was_rejected_instead_of_tabulated() {
    let place = Place::new();
    place.write("nine.toml", &nine_bodies());
    let options = ["derive", "nine.toml", "--rotations", "parameters"];
    let done = place.run(&options).exits(0);
    // the blocks of the source's table of partial angular velocities
    let blocks = [
        ["I", ".", ".", ".", ".", ".", ".", ".", "."],
        ["I", "1", ".", ".", ".", ".", ".", ".", "."],
        ["I", ".", "1", ".", ".", ".", ".", ".", "."],
        ["I", ".", "1", "3", ".", ".", ".", ".", "."],
        ["I", ".", ".", ".", "1", ".", ".", ".", "."],
        ["I", ".", ".", ".", "1", "5", ".", ".", "."],
        ["I", ".", ".", ".", "1", "5", "6", ".", "."],
        ["I", ".", ".", ".", "1", "5", "6", "7", "."],
        ["I", ".", ".", ".", "1", "5", ".", ".", "6"],
    ];
    for (k, row) in (1..).zip(blocks) {
        let name = format!("B{k}");
        let line = done.out.lines().find(|line| {
            let mut words = line.split_whitespace();
            words.next() == Some(&name) && words.next() == Some("I")
        });
        let cells = line.unwrap().split_whitespace().skip(1);
        let cells: Vec<&str> = cells.map(|c| c.trim_matches(['S', '[', ']'])).collect();
        assert_eq!(cells, row, "{name}");
    }
    for form in ["mass", "kane"] {
        let done = place.run(&["derive", "nine.toml", "--form", form]).exits(0);
        assert!(done.out.contains("partial angular velocities"), "{form}");
    }
    let done = place
        .run(&["derive", "nine.toml", "--to", "latex"])
        .exits(0);
    assert!(done.out.contains(r"\begin{array}{lcc") && !done.out.contains(r"\sin "));
    let model = example("sismul/human-body");
    let model = model.to_str().unwrap();
    let done = place.run(&["derive", model]).exits(0);
    assert!(
        done.out
            .contains("they follow from these partial velocities")
    );
    let done = place.run(&["derive", model, "--to", "python"]).exits(0);
    assert!(done.out.contains("def mass(p, q):"));
}

#[test]
fn the_tables_of_a_large_tree_give_its_partial_velocities() {
    let place = Place::new();
    place.write("nine.toml", &nine_bodies());
    with(&place.path("nine.toml"), |named| {
        let mechanism = &named.mechanism;
        let tree = &mechanism.tree;
        let number = |v: &Vec3<Symbol>| v.map(Symbol::sample);
        let ground = (Mat3::identity(), Vec3::zeros());
        let mut links: Vec<(Mat3<f64>, Vec3<f64>)> = Vec::new();
        let mut columns = Vec::new();
        for (k, link) in tree.links.iter().enumerate() {
            let (pose, own) = mechanism.relative(k);
            let (S, O) = link.parent.map_or(ground, |p| links[p]);
            let turn = pose.R.map(Symbol::sample);
            links.push((S * turn, O + S * number(&pose.p)));
            columns.extend(own.iter().map(|c| (S * number(&c.w), S * number(&c.v), k)));
        }
        for b in 0..named.written.bodies.len() {
            let on = &tree.places[b];
            let (S, O) = links[on.link.unwrap()];
            let G = O + S * number(&on.pose.point(&mechanism.numbers.bodies[b].1));
            let path: Vec<usize> = tree.path(on.link.unwrap()).collect();
            for (l, partial) in mechanism.partial_velocities(b).iter().enumerate() {
                let (w, u, s) = &columns[l];
                let moves = if path.contains(s) { 1.0 } else { 0.0 };
                let v = u + w.cross(&(G - links[*s].1));
                assert!((number(&partial.w) - w * moves).norm() < 1e-12, "{b} {l}");
                assert!((number(&partial.v) - v * moves).norm() < 1e-12, "{b} {l}");
            }
        }
    });
}

#[test]
fn derived_texts_match_the_golden_files() {
    let coin = DerivationRequest {
        speeds: COIN_SPEEDS.map(str::to_owned).to_vec(),
        ..request(EquationForm::Kane, DerivationFormat::Text)
    };
    let models = [
        (
            "two-links",
            test_model("two-links.toml"),
            request(EquationForm::Equations, DerivationFormat::Text),
        ),
        (
            "four-bar",
            example("mechanisms/four-bar"),
            request(EquationForm::Equations, DerivationFormat::Text),
        ),
        ("rolling-coin", example("vehicles/rolling-coin"), coin),
    ];
    for (name, path, request) in models {
        for (target, ending) in [
            (DerivationFormat::Text, "txt"),
            (DerivationFormat::Latex, "tex"),
        ] {
            let request = DerivationRequest {
                target,
                ..request.clone()
            };
            let derived = derive::<&str>(&path, &[], &request).unwrap();
            golden(&format!("derive-{name}.{ending}"), &derived.text);
        }
    }
}

#[test]
fn requested_numbers_become_symbols() {
    let place = Place::new().with("two-links.toml");
    let text = place.text("two-links.toml");
    let plain = text
        .replace("\"m1\"", "3")
        .replace("\"I1\"", "0.08")
        .replace("[\"c1\", 0]", "[0.25, 0]")
        .replace("[0, \"-g\"]", "[0, -9.81]");
    place.write("plain.toml", &plain);
    let bare = place
        .run(&["derive", "plain.toml", "--form", "mass"])
        .exits(0);
    assert!(
        bare.out
            .contains("M[1,1] = m2*l1^2 + m2*c2^2 + I2 + 2*m2*l1*c2*cos(q2) + 0.2675"),
        "{}",
        bare.out
    );
    let named = place
        .run(&[
            "derive",
            "plain.toml",
            "--form",
            "mass",
            "--symbols",
            "masses,inertias,lengths",
        ])
        .exits(0);
    assert!(named.out.contains("m_upper*c_upper^2"), "{}", named.out);
    assert!(
        named
            .out
            .contains("I_upper = 0.08 kg*m^2  moment of inertia of `upper`"),
        "{}",
        named.out
    );
    let gravity = place
        .run(&[
            "derive",
            "plain.toml",
            "--form",
            "gravity",
            "--symbols",
            "gravity",
        ])
        .exits(0);
    assert!(
        gravity.out.contains("g[2] = m2*c2*g*cos(q1 + q2)") || gravity.out.contains("g_"),
        "{}",
        gravity.out
    );
}

#[test]
fn parameters_follow_from_others_and_survive_other_values() {
    let place = Place::new().with("two-links.toml");
    let text = place
        .text("two-links.toml")
        .replace("c1 = \"250 mm\"", "c1 = \"l1/2\"")
        .replace("I1 = \"0.08 kg*m^2\"", "I1 = \"m1*l1^2/12\"");
    place.write("rod.toml", &text);
    let done = place
        .run(&["derive", "rod.toml", "--form", "mass", "--set", "l1=1 m"])
        .exits(0);
    assert!(done.out.contains("(m1 + 3*m2)*l1^2"), "{}", done.out);
    assert!(done.out.contains("l1 = 1.0 m"), "{}", done.out);
    assert!(!done.out.contains("I1"), "{}", done.out);
}

#[test]
fn a_parameter_without_a_formula_stays_numeric() {
    let place = Place::new().with("two-links.toml");
    // an orientation is made of cosines of the parameter, not of the parameter
    let text = place
        .text("two-links.toml")
        .replace(
            "points = { elbow = [\"l1\", 0] }",
            "frames = { elbow = { at = [\"l1\", 0], angle = \"bend\" } }",
        )
        .replace("g = \"9.81", "bend = \"30 deg\"\ng = \"9.81");
    place.write("bent.toml", &text);
    let done = place
        .run(&["derive", "bent.toml", "--form", "gravity"])
        .exits(0);
    let done = done.says(&["parameter `bend` stays numeric"]);
    assert!(!done.out.contains("bend"), "{}", done.out);
    assert!(done.out.contains("0.8660254037844"), "{}", done.out);
}

#[test]
fn invalid_requests_are_rejected_with_a_remedy() {
    let place = Place::new().with("two-links.toml");
    let fails = |args: &[&str], words: &[&str]| {
        let mut all = vec!["derive", "two-links.toml"];
        all.extend(args);
        let _ = place.run(&all).exits(2).says(words);
    };
    fails(
        &["--form", "constraints"],
        &["no loops, couplers or drivers"],
    );
    fails(
        &["--speeds", "u = q1.rate"],
        &["--speeds requires --form kane"],
    );
    fails(
        &["--form", "kane", "--speeds", "u = q1.rate"],
        &["2 generalized speeds are required", "1 are given"],
    );
    let two = |a: &'static str, b: &'static str| ["--form", "kane", "--speeds", a, "--speeds", b];
    fails(
        &two("u1 = q1.rate", "u2 = q1.raet"),
        &["unknown name `q1.raet`", "did you mean"],
    );
    fails(
        &two("u1 = q1.rate", "u2 = 2*q1.rate"),
        &["do not determine all velocities"],
    );
    fails(
        &two("u1 = q1.rate", "u2 = q2.rate^2"),
        &["`u2` must be linear in the velocities"],
    );
    fails(
        &two("u1 = q1.rate", "u2 = q2.rate + 1"),
        &["`u2` must be linear in the velocities"],
    );
    fails(
        &two("u1 = q1.rate", "q2 = q2.rate"),
        &["`q2` is not a valid name"],
    );
    fails(&two("u1 = q1.rate", "q2.rate"), &["write NAME = FORMULA"]);
    fails(
        &two("u1 = q1.rate", "u2 = 3*(q2.rate"),
        &["generalized speed"],
    );
    let coin = example("vehicles/rolling-coin");
    let coin = coin.to_str().unwrap();
    let args = [
        "derive",
        coin,
        "--form",
        "lagrange",
        "--rotations",
        "parameters",
    ];
    let _ = place
        .run(&args)
        .exits(2)
        .says(&["use angles instead of Euler parameters"]);
}

#[test]
fn the_output_file_contains_only_the_formulas() {
    let place = Place::new().with("two-links.toml");
    let done = place.run(&[
        "derive",
        "two-links.toml",
        "--to",
        "latex",
        "-o",
        "equations.tex",
    ]);
    let done = done.exits(0).says(&["wrote equations.tex"]);
    assert!(done.out.is_empty());
    assert!(place.text("equations.tex").contains(r"\ddot{q}_{1}"));
}
