//! Formulas of the language that have no value from a time on, and numbers that grow too large.

use biela::Run;
use biela::core::model::Space;

/// A block that slides at 1 m/s along a rail.
const BLOCK: &str = r#"
format = 1
name = "block"
space = "planar"

[[body]]
name = "block"
mass = 2
inertia = 0.1
points = { tip = [0.1, 0.2] }

[[joint]]
name = "rail"
type = "prismatic"
between = ["ground", "block"]
initial = { rate = "1 m/s" }

[study]
duration = 1
output_step = 0.01
integrator = { type = "rk4", step = "1 ms" }
"#;

fn run(text: &str) -> Run {
    let job = biela::read(
        "it.toml",
        text,
        ".".as_ref(),
        &biela::model::lower::Overrides::default(),
    );
    biela::run(job.unwrap_or_else(|e| panic!("{e}\n{text}"))).unwrap()
}

/// Runs the block with more text, and checks that it stops at a time with these words.
#[track_caller]
fn stops(text: &str, time: f64, words: &[&str]) {
    let run = run(&format!("{BLOCK}{text}"));
    let failure = run.ended.as_ref().expect_err(text);
    let message = failure.to_string();
    for word in words {
        assert!(
            message.contains(word),
            "no {word:?} in {message:?} of {text}"
        );
    }
    let reached = failure.time;
    assert!(
        (reached - time).abs() < 2e-3,
        "{reached} is not {time}: {message}"
    );
    assert!(
        run.values().iter().all(|x| x.is_finite()),
        "rows with no numbers: {text}"
    );
}

fn actuator(effort: &str) -> String {
    format!(
        "[[force]]\nname = \"it\"\ntype = \"actuator\"\njoint = \"rail\"\neffort = \"{effort}\"\n"
    )
}

#[test]
fn the_operation_without_a_value_is_reported() {
    for (effort, time, cause) in [
        ("10 N*sqrt(0.5 - t)", 0.5, "the square root of -0.000"),
        (
            "t < 0.5 ? 1 : 1/(rail.position - rail.position)",
            0.5,
            "a division by zero, 1/0",
        ),
        (
            "t < 0.5 ? 1 : 3 % (t - t)",
            0.5,
            "a division by zero, 3 % 0",
        ),
        ("t < 0.5 ? 1 : ln(0.4 - t)", 0.5, "the logarithm of -"),
        ("1e-300*exp(1420*t)", 0.5, "exp(710"),
        ("0.001*asin(2*t)", 0.5, "asin(1.00"),
        ("(0.5 - t)^0.7", 0.5, "^0.7, which is NaN or infinite"),
        (
            "t < 0.5 ? 0 : 1e200*1e200*t",
            0.5,
            "which is NaN or infinite",
        ),
    ] {
        let element = "force `it` (it.toml:";
        stops(&actuator(effort), time, &[element, cause]);
    }
}

#[test]
fn the_signals_of_a_formula_are_reported_with_their_values() {
    let law = actuator("0.01*sqrt(0.5 - rail.position)");
    stops(&law, 0.5, &["force `it`", "where rail.position = 0.50"]);
}

#[test]
fn a_sensor_behind_a_force_is_named_and_not_the_force() {
    let sensor = "[[sensor]]\nname = \"gauge\"\nvalue = \"sqrt(0.5 - t)\"\n";
    let reader = "[[sensor]]\nname = \"relay\"\nvalue = \"2*gauge\"\n";
    let text = format!("{sensor}{reader}{}", actuator("relay"));
    stops(
        &text,
        0.5,
        &["sensor `gauge` (it.toml:", "the square root of -0.000"],
    );
}

#[test]
fn formulas_of_drivers_events_and_controllers_are_named() {
    let driver = "[[driver]]\nname = \"it\"\non = \"rail\"\nvalue = \"t - 0.1*(0.5 - t)^2.5\"\n";
    let text = BLOCK.replace("initial = { rate = \"1 m/s\" }\n", "") + driver;
    let failure = run(&text).ended.unwrap_err();
    let message = failure.to_string();
    assert!(
        message.contains("driver `it` (it.toml:") && message.contains("^2.5"),
        "{message}"
    );
    assert!((failure.time - 0.5).abs() < 2e-3);

    let event = "[[event]]\nname = \"it\"\nwhen = \"2 + sqrt(0.5 - t)\"\n";
    stops(
        event,
        0.5,
        &["event `it` (it.toml:", "the square root of -0.000"],
    );

    let controller = |inputs: &str, states: &str, output: &str| {
        format!(
            "[[controller]]\nname = \"it\"\nperiod = \"10 ms\"\ninputs = {{ x = \"{inputs}\" }}\nstates = {{ s = \"{states}\" }}\noutputs = {{ u = \"{output}\" }}\n"
        )
    };
    for (inputs, states, output) in [
        ("sqrt(0.495 - t)", "s", "x"),
        ("0.495 - t", "s", "sqrt(x)"),
        ("0.495 - t", "sqrt(x)", "s"),
    ] {
        let text = controller(inputs, states, output);
        stops(
            &text,
            0.5,
            &["controller `it` (it.toml:", "the square root of -0.005"],
        );
    }
}

#[test]
fn every_formula_field_of_every_force_is_named() {
    use biela::core::element::FieldKind;
    use biela::core::forces::FORCES;
    let mut fields = 0;
    for info in FORCES
        .iter()
        .filter(|info| info.spaces.contains(&Space::Planar))
    {
        for field in info.fields {
            let laws = match field.kind {
                FieldKind::Law { .. } => "\"BROKEN\"",
                FieldKind::LawVector { .. } => "[\"BROKEN\", 0]",
                _ => continue,
            };
            let Some(others) = others(info.name, field.name) else {
                panic!("no model for {}.{}", info.name, field.name);
            };
            fields += 1;
            let broken = laws.replace("BROKEN", "0.01*sqrt(0.5 - t)");
            let text = format!(
                "[[force]]\nname = \"it\"\ntype = \"{}\"\n{} = {broken}\n{others}\n",
                info.name, field.name
            );
            if info.name == "distributed" {
                continue;
            }
            stops(
                &text,
                0.5,
                &["force `it` (it.toml:", "the square root of -0.000"],
            );
        }
    }
    assert!(fields >= 9, "{fields}");
}

/// The other fields that a force needs beside one of its formulas.
fn others(force: &str, field: &str) -> Option<&'static str> {
    Some(match (force, field) {
        ("force", _) => "at = \"block.tip\"",
        ("torque", _) => "on = \"block\"",
        ("spring-damper", _) => "between = [\"ground\", \"block.tip\"]",
        ("joint-spring-damper" | "actuator" | "brake", _) | ("joint-damping", "damping") => {
            "joint = \"rail\""
        }
        ("joint-damping", _) => "joint = \"rail\"\ndamping = 0.1",
        ("motor", _) => "joint = \"rail\"\nratio = 1",
        ("distributed", _) => "",
        _ => return None,
    })
}

#[test]
fn work_that_overflows_is_named() {
    let driver = "[[driver]]\nname = \"push\"\non = \"rail\"\nvalue = \"2*t\"\n";
    let fields = "type = \"joint-spring-damper\"\njoint = \"rail\"\nstiffness = 1.7e308";
    let text = format!("{driver}[[force]]\nname = \"spring\"\n{fields}\n");
    let text = format!("{BLOCK}{text}").replace("initial = { rate = \"1 m/s\" }\n", "");
    let message = run(&text).ended.unwrap_err().to_string();
    assert!(message.contains("driver `push` (it.toml:"), "{message}");
    assert!(message.contains("its work overflows"), "{message}");
}
