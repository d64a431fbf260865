//! Generated code, compiled and run: Rust, C and Python give the numbers of the formulas.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use biela::derive::{
    DerivationFormat, DerivationRequest, EquationForm, Naming, SymbolicModel, derive,
    with_mechanism,
};
use biela::symbol::code::Language;
use biela::symbol::{Symbol, Tape};

use super::common::Place;
use super::{example, test_model};

/// A routine of the module, its arguments beside the parameters, and the number of its results.
struct Call {
    name: &'static str,
    arguments: &'static [&'static str],
    expected: Vec<f64>,
    columns: Option<usize>,
}

/// State and results by the formulas as the algorithms built them.
fn calls(named: &SymbolicModel<'_>) -> (Vec<(&'static str, Vec<f64>)>, Vec<Call>) {
    let mechanism = &named.mechanism;
    let n = mechanism.freedom();
    let wave = |count: usize, from: f64| -> Vec<f64> {
        (0..count).map(|i| from + 0.21 * i as f64).collect()
    };
    let arrays = vec![
        ("q", wave(mechanism.q.len(), 0.3)),
        ("v", wave(n, -0.4)),
        ("s", wave(3 * named.constraints.motions.len(), 0.15)),
    ];
    let mut inputs: Vec<Symbol> = named.numbers.iter().map(|x| x.symbol).collect();
    inputs.extend(mechanism.q.iter().chain(&mechanism.v));
    inputs.extend(named.constraints.motions.iter().flatten());
    let mut values: Vec<f64> = named.numbers.iter().map(|x| x.value).collect();
    values.extend(arrays.iter().flat_map(|(_, list)| list));
    let evaluate = |list: &[Symbol]| Tape::new(list, &inputs).unwrap().evaluate(&values);
    let driven = !named.constraints.motions.is_empty();
    let mut calls = vec![
        Call {
            name: "mass",
            arguments: &["q"],
            expected: evaluate(&mechanism.mass()),
            columns: Some(n),
        },
        Call {
            name: "bias",
            arguments: &["q", "v"],
            expected: evaluate(&mechanism.bias()),
            columns: None,
        },
        Call {
            name: "gravity",
            arguments: &["q"],
            expected: evaluate(&mechanism.gravity()),
            columns: None,
        },
    ];
    let applied = named.applied.written_out();
    if applied.iter().any(|q| !q.is_zero()) {
        assert!(named.applied.efforts.is_empty());
        calls.push(Call {
            name: "applied",
            arguments: &["q", "v"],
            expected: evaluate(&applied),
            columns: None,
        });
    }
    let rows = &named.constraints.rows;
    if !rows.is_empty() {
        let phi: Vec<Symbol> = rows.iter().filter_map(|row| row.phi).collect();
        let jacobian: Vec<Symbol> = rows.iter().flat_map(|row| row.jacobian.clone()).collect();
        let gamma: Vec<Symbol> = rows.iter().map(|row| row.gamma).collect();
        let (of_phi, of_gamma): (&[&str], &[&str]) = if driven {
            (&["q", "s"], &["q", "v", "s"])
        } else {
            (&["q"], &["q", "v"])
        };
        calls.push(Call {
            name: "constraints",
            arguments: of_phi,
            expected: evaluate(&phi),
            columns: None,
        });
        calls.push(Call {
            name: "jacobian",
            arguments: &["q"],
            expected: evaluate(&jacobian),
            columns: Some(n),
        });
        calls.push(Call {
            name: "gamma",
            arguments: of_gamma,
            expected: evaluate(&gamma),
            columns: None,
        });
    }
    let partials: Vec<Symbol> = (0..named.written.bodies.len())
        .filter(|b| !mechanism.numbers.bodies[*b].0.is_zero())
        .flat_map(|b| {
            let columns = mechanism.partial_velocities(b);
            let entry = move |i: usize, k: usize| {
                if i < 3 {
                    columns[k].w[i]
                } else {
                    columns[k].v[i - 3]
                }
            };
            (0..6)
                .flat_map(|i| (0..n).map(move |k| (i, k)))
                .map(move |(i, k)| entry(i, k))
                .collect::<Vec<_>>()
        })
        .collect();
    calls.push(Call {
        name: "partial_velocities",
        arguments: &["q"],
        expected: evaluate(&partials),
        columns: Some(n),
    });
    (arrays, calls)
}

/// The arguments of a call, each after `before`.
fn listed(call: &Call, before: &str) -> String {
    call.arguments.iter().flat_map(|a| [before, a]).collect()
}

/// A program that prints every result of every routine, one a line.
fn program(language: Language, arrays: &[(&str, Vec<f64>)], calls: &[Call]) -> String {
    let mut text = String::new();
    match language {
        Language::Rust => {
            text.push_str(
                "mod model;\nuse model::*;\nfn main() {\n    let p = Parameters::default();\n",
            );
            for (name, list) in arrays {
                let _ = writeln!(text, "    let {name}: [f64; {}] = {list:?};", list.len());
            }
            for call in calls {
                let arguments = listed(call, ", &");
                let flat = if call.columns.is_some() {
                    ".iter().flatten()"
                } else {
                    ".iter()"
                };
                let _ = writeln!(
                    text,
                    "    for x in {}(&p{arguments}){flat} {{ println!(\"{{x:e}}\"); }}",
                    call.name
                );
            }
            text.push_str("    let _ = (&q, &v, &s);\n}\n");
        }
        Language::C => {
            text.push_str("#include <stdio.h>\n#include \"model.c\"\nint main(void)\n{\n    const parameters *p = &default_parameters;\n");
            for (name, list) in arrays {
                let list = if list.is_empty() {
                    vec![0.0]
                } else {
                    list.clone()
                };
                let list: Vec<String> = list.iter().map(|x| format!("{x:?}")).collect();
                let _ = writeln!(
                    text,
                    "    const double {name}[] = {{ {} }};",
                    list.join(", ")
                );
            }
            for call in calls {
                let arguments = listed(call, ", ");
                let (name, count) = (call.name, call.expected.len());
                let size = match call.columns {
                    Some(n) => format!("[{}][{n}]", count / n),
                    None => format!("[{}]", count.max(1)),
                };
                let _ = writeln!(
                    text,
                    "    {{ double out{size}; {name}(p{arguments}, out); const double *x = (const double *)out; for (int i = 0; i < {count}; i++) printf(\"%.17e\\n\", x[i]); }}"
                );
            }
            text.push_str("    (void)q; (void)v; (void)s;\n    return 0;\n}\n");
        }
        Language::Python => {
            text.push_str("from model import *\np = Parameters()\n");
            for (name, list) in arrays {
                let _ = writeln!(text, "{name} = {list:?}");
            }
            for call in calls {
                let arguments = listed(call, ", ");
                let _ = writeln!(text, "for x in {}(p{arguments}):", call.name);
                text.push_str(match call.columns {
                    Some(_) => "    for y in x:\n        print(repr(float(y)))\n",
                    None => "    print(repr(float(x)))\n",
                });
            }
        }
    }
    text
}

/// Compiles and runs a program; `None` when there is no such compiler.
fn output(place: &Place, language: Language) -> Option<String> {
    let run = |program: &Path, arguments: &[&str]| {
        let mut command = Command::new(program);
        let output = command
            .args(arguments)
            .current_dir(place.path("."))
            .output();
        let output = match output {
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
                println!("skipped: there is no {}", program.display());
                return None;
            }
            other => other.unwrap(),
        };
        let words = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{words}");
        assert!(!words.contains("warning"), "{words}");
        Some(String::from_utf8(output.stdout).unwrap())
    };
    let built = place.path("main");
    match language {
        Language::Rust => {
            let _ = run(
                Path::new("rustc"),
                &[
                    "--edition",
                    "2024",
                    "-D",
                    "warnings",
                    "-A",
                    "dead_code",
                    "-o",
                    "main",
                    "main.rs",
                ],
            )?;
            run(&built, &[])
        }
        Language::C => {
            let arguments = [
                "-std=c99",
                "-Wall",
                "-Wextra",
                "-Wno-unused-function",
                "-o",
                "main",
                "main.c",
                "-lm",
            ];
            let _ = run(Path::new("cc"), &arguments)?;
            run(&built, &[])
        }
        Language::Python => run(Path::new("python3"), &["main.py"]),
    }
}

fn check(language: Language, ending: &str) {
    let models = [
        test_model("two-links.toml"),
        example("mechanisms/peaucellier"),
        example("vehicles/rolling-coin"),
        example("mechanisms/screw-press"),
        test_model("loaded.toml"),
    ];
    for model in models {
        let place = Place::new();
        let request = DerivationRequest {
            naming: Naming::default(),
            form: EquationForm::Equations,
            target: DerivationFormat::Code(language),
            speeds: Vec::new(),
        };
        let derived = derive::<&str>(&model, &[], &request).unwrap();
        let (arrays, calls) =
            with_mechanism::<&str, _>(&model, &[], &Naming::default(), calls).unwrap();
        place.write(&format!("model.{ending}"), &derived.text);
        place.write(
            &format!("main.{ending}"),
            &program(language, &arrays, &calls),
        );
        let Some(output) = output(&place, language) else {
            return;
        };
        let mut found = output.lines().map(|line| line.parse::<f64>().unwrap());
        for call in calls {
            let size = call
                .expected
                .iter()
                .fold(1.0_f64, |size, x| size.max(x.abs()));
            for expected in call.expected {
                let x = found.next().unwrap();
                assert!(
                    (x - expected).abs() < 1e-12 * size,
                    "{} of {}: {x} {expected}",
                    call.name,
                    model.display()
                );
            }
        }
        assert_eq!(found.next(), None);
    }
}

#[test]
fn generated_rust_evaluates_like_the_formulas() {
    check(Language::Rust, "rs");
}

#[test]
fn generated_c_evaluates_like_the_formulas() {
    check(Language::C, "c");
}

#[test]
fn generated_python_evaluates_like_the_formulas() {
    check(Language::Python, "py");
}
