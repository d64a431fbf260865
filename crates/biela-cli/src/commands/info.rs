//! `biela info`: shows the contents of a model or of results.

mod results;

use std::fmt::Write;

use biela::core::analysis::{Analysis, Assembled, Study};
use biela::core::forces;
use biela::core::math::Pose;
use biela::core::model::{
    Body, BodyIndex, ControllerElement, CouplerElement, DriverElement, DriverTarget, ForceElement,
    InputElement, JointElement, JointIndex, Model, Space,
};
use biela::core::system::{Channel, Mobility, channels};
use biela::model::ComponentInstance;
use biela::model::diagnostic::escaped;
use biela::{
    Job, MOST_MEMORY, assemble_within, contact_json, contact_law, contact_surfaces, evidence,
};
use serde_json::{Value, json};

use crate::commands::check::contents;
use crate::failure::{CommandResult, FailureCode};
use crate::input::ModelArgs;
use crate::terminal::{self, Ink, Sheet, StreamStyle, count, number, table, time};

const AFTER_HELP: &str = "\
Examples:
  biela info model.toml
  biela info results/pendulum
  biela info model.toml --signals | grep reaction
  biela info model.toml --json";

/// Show the contents of a model (bodies, joints, forces, outputs) or of a results folder (signals, units, ranges)
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    model: ModelArgs,
    /// List every signal that can be recorded, used in formulas and monitored by events
    #[arg(long)]
    signals: bool,
    /// Print the contents as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

pub(crate) fn run(args: &Args) -> CommandResult {
    if results::are_at(&args.model.path) {
        return results::run(&args.model.path, args.json);
    }
    let job = args.model.load(false)?;
    let page = terminal::out_page();
    let ink = page.ink;
    let signals = channels(&job.model);
    let text = match (args.json, args.signals) {
        (true, _) => {
            let mut object = to_json(&job);
            if args.signals {
                object["signals"] = channels_json(&signals);
            }
            let assembled = assembled(job);
            object["mobility"] = mobility_json(assembled.as_ref().map(|a| &a.mobility));
            let pose = assembled.as_ref().and_then(|a| a.singular_pose.as_ref());
            object["singular_pose"] = json!(pose.map(evidence::singular_pose));
            format!("{object:#}\n")
        }
        (false, true) => channel_table(ink, &signals),
        (false, false) => {
            let tables = tables(ink, &job, signals.len());
            let mut title = vec![ink.bold(&escaped(&job.model.name))];
            title.extend(job.description.lines().map(escaped));
            let title = title.join("\n");
            let mut sheet = head(page, &job);
            let assembled = assembled(job);
            let mobility = assembled.as_ref().map(|a| &a.mobility);
            sheet.line("mobility", freedom(mobility));
            if let Some(pose) = assembled.as_ref().and_then(|a| a.singular_pose.as_ref()) {
                let text = format!("at the start, {}", evidence::describe_pose(pose));
                sheet.warn("singular", text);
            }
            format!("{title}\n\n{}{tables}", sheet.render())
        }
    };
    terminal::data(&text)?;
    Ok(FailureCode::Done)
}

/// The assembled initial configuration, if the model can be assembled.
fn assembled(job: Job) -> Option<Assembled> {
    let formulation = job.study_or_start().formulation;
    assemble_within(job.model, formulation, MOST_MEMORY).ok()
}

fn freedom(mobility: Option<&Mobility>) -> String {
    let Some(m) = mobility else {
        return "unknown: the model cannot be assembled; see `biela check`".to_owned();
    };
    biela::view::freedom_in_words(m)
}

fn mobility_json(mobility: Option<&Mobility>) -> Value {
    mobility.map_or(Value::Null, |m| {
        json!({
            "freedom": m.freedom,
            "freedom_without_drivers": m.undriven_freedom,
            "velocities": m.velocities,
            "equations": m.rows,
            "dependent": m.dependent.len(),
        })
    })
}

fn head(page: StreamStyle, job: &Job) -> Sheet {
    let mut sheet = Sheet::new(page);
    sheet.line("contents", contents(&job.model));
    sheet.line("gravity", format!("{} m/s²", vector(&gravity(&job.model))));
    match &job.study {
        Some(Study {
            analysis:
                Analysis::Statics {
                    start_points,
                    load_steps,
                    ..
                },
            ..
        }) => {
            let words = if *load_steps > 0 {
                format!("equilibria in {}", count(*load_steps, "load step"))
            } else {
                format!("equilibria from {}", count(*start_points, "start point"))
            };
            sheet.line("study", words);
        }
        Some(study) => {
            let (to, step) = (time(study.duration), time(study.output_step));
            let from = match study.analysis {
                Analysis::MotionFromEquilibrium => " from the equilibrium",
                _ => "",
            };
            sheet.line(
                "study",
                format!("motion{from} to t = {to} s, output every {step} s"),
            );
            let options = biela::study_options(study);
            for name in ["formulation", "contact", "method", "integrator"] {
                // formulations of contacts are listed unless they are the default
                if let Some(value) = options.get(name) {
                    sheet.line(name, words(value));
                }
            }
        }
        None => sheet.line("study", "initial state only"),
    }
    sheet
}

/// A method or integrator with its fields as text: `dopri5 (tolerance 1e-8)`.
fn words(value: &Value) -> String {
    let Some(object) = value.as_object() else {
        return value.as_str().unwrap_or("none").to_owned();
    };
    let kind = object["type"].as_str().unwrap_or_default();
    let fields: Vec<String> = object
        .iter()
        .filter(|(name, _)| *name != "type")
        .map(|(name, value)| {
            let value = value.as_f64().map_or_else(|| value.to_string(), number);
            format!("{} {value}", name.replace('_', " "))
        })
        .collect();
    if fields.is_empty() {
        kind.to_owned()
    } else {
        format!("{kind} ({})", fields.join(", "))
    }
}

/// Name, mass, mass centre and moments of inertia of a body.
fn body_row(model: &Model, body: &Body) -> Vec<String> {
    let m = &body.mass;
    let diagonal: Vec<f64> = match model.space {
        Space::Planar => vec![m.inertia[(2, 2)]],
        Space::Spatial => (0..3).map(|i| m.inertia[(i, i)]).collect(),
    };
    let diagonal: Vec<String> = diagonal.into_iter().map(number).collect();
    let center: Vec<f64> = m.center.iter().take(model.space.axes()).copied().collect();
    vec![
        body.name.clone(),
        number(m.mass),
        vector(&center),
        diagonal.join(", "),
    ]
}

fn tables(ink: Ink, job: &Job, signals: usize) -> String {
    let model = &job.model;
    let mut out = String::new();
    let mut add = |title: &str, heading: &[&str], rows: Vec<Vec<String>>| {
        if !rows.is_empty() {
            let _ = write!(out, "\n{}\n{}", ink.bold(title), table(ink, heading, &rows));
        }
    };
    let inertia = match model.space {
        Space::Planar => "inertia (kg m²)",
        Space::Spatial => "inertia xx, yy, zz (kg m²)",
    };
    add(
        "components",
        &["instance", "component", "instances"],
        component_rows(&job.components),
    );
    let bodies = model.rigid_bodies().map(|body| body_row(model, body));
    add(
        "bodies",
        &["name", "mass (kg)", "mass centre (m)", inertia],
        bodies.collect(),
    );
    add(
        "beams",
        &["name", "length (m)", "mass (kg)", "elements", "places"],
        beam_rows(model),
    );
    let joints = model.listed_joints().map(|(_, joint)| {
        let [a, b] = ends(model, joint);
        let coordinates = coordinates(model, joint).join(", ");
        vec![
            joint.name.clone(),
            joint.joint.info().name.to_owned(),
            format!("{a} – {b}"),
            coordinates,
        ]
    });
    add(
        "joints",
        &["name", "type", "between", "coordinates"],
        joints.collect(),
    );
    let contacts = model.contacts.iter().map(|contact| {
        vec![
            contact.name.clone(),
            contact_surfaces(model, contact),
            contact_law(&contact.law),
        ]
    });
    add("contacts", &["name", "surfaces", "law"], contacts.collect());
    let couplers = model.couplers.iter().map(|coupler| {
        vec![
            coupler.name.clone(),
            coupler.kind.to_owned(),
            relation(model, coupler),
        ]
    });
    add(
        "couplers",
        &["name", "type", "holds constant"],
        couplers.collect(),
    );
    let drivers = model
        .drivers
        .iter()
        .map(|driver| vec![driver.name.clone(), target(model, driver)]);
    add("drivers", &["name", "prescribes"], drivers.collect());
    let forces = model.single_forces().map(|force| {
        let measures: Vec<&str> = force.force.measures().iter().map(|m| m.name).collect();
        vec![
            force.name.clone(),
            force_kind(force).to_owned(),
            measures.join(", "),
        ]
    });
    add("forces", &["name", "type", "measures"], forces.collect());
    let inputs = model.inputs.iter().map(|input| {
        vec![
            input.name.clone(),
            input.unit.clone(),
            number(input.initial),
            input.hold.word().to_owned(),
        ]
    });
    add(
        "inputs",
        &["name", "unit", "initial", "hold"],
        inputs.collect(),
    );
    let events = model.events.iter().map(|event| {
        let (crossing, action) = (
            format!("{:?}", event.crossing),
            format!("{:?}", event.action),
        );
        vec![
            event.name.clone(),
            crossing.to_lowercase(),
            action.to_lowercase(),
        ]
    });
    add("events", &["name", "crossing", "action"], events.collect());
    let outputs = &job.outputs.channels;
    let title = format!(
        "outputs ({} of {signals} signals; --signals lists all)",
        outputs.len()
    );
    let _ = write!(
        out,
        "\n{}\n{}",
        ink.bold(&title),
        channel_table(ink, outputs)
    );
    out
}

/// The tree of instances; the instances of an array have one row, with the contents of the first.
fn component_rows(instances: &[ComponentInstance]) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    let mut omitted: Option<String> = None;
    for instance in instances {
        if omitted
            .as_ref()
            .is_some_and(|path| instance.path.starts_with(path))
        {
            continue;
        }
        omitted = None;
        let depth = instance.path.matches('.').count();
        let name = instance.path.rsplit('.').next().unwrap_or_default();
        let (name, number) = match instance.array {
            None => (name.to_owned(), String::new()),
            Some((0, 1)) => (name.to_owned(), "1".to_owned()),
            Some((0, count)) => {
                let array = name.trim_end_matches('0');
                let names = format!("{name} … {array}{}", count - 1);
                (names, count.to_string())
            }
            Some(_) => {
                omitted = Some(format!("{}.", instance.path));
                continue;
            }
        };
        let name = format!("{}{name}", "  ".repeat(depth));
        rows.push(vec![name, instance.component.clone(), number]);
    }
    rows
}

fn beam_rows(model: &Model) -> Vec<Vec<String>> {
    let mut beams: Vec<Vec<String>> = Vec::new();
    for (b, beam) in model.beams.iter().enumerate() {
        let stations = model.bodies.iter();
        let stations = stations
            .filter(|body| !body.is_candidate && body.station.is_some_and(|at| at.beam.0 == b));
        let places: Vec<&str> = stations.map(|body| body.name.as_str()).collect();
        beams.push(vec![
            beam.name.clone(),
            number(beam.length()),
            number(beam.mass()),
            beam.elements.len().to_string(),
            places.join(", "),
        ]);
    }
    for beam in &model.exact_beams {
        let places = beam
            .places
            .iter()
            .map(|node| model.body_name(beam.nodes[*node]));
        beams.push(vec![
            beam.name.clone(),
            number(beam.length(model)),
            number(beam.mass(model)),
            beam.elements.len().to_string(),
            places.collect::<Vec<_>>().join(", "),
        ]);
    }
    beams
}

fn channel_table(ink: Ink, channels: &[Channel]) -> String {
    let rows: Vec<Vec<String>> = channels
        .iter()
        .map(|channel| {
            vec![
                channel.name.clone(),
                channel.unit.clone(),
                channel.text.clone(),
            ]
        })
        .collect();
    table(ink, &["signal", "unit", "description"], &rows)
}

fn channels_json(channels: &[Channel]) -> Value {
    channels
        .iter()
        .map(|c| json!({ "name": c.name, "unit": c.unit, "description": c.text }))
        .collect()
}

fn gravity(model: &Model) -> Vec<f64> {
    model
        .gravity
        .iter()
        .take(model.space.axes())
        .copied()
        .collect()
}

fn vector(numbers: &[f64]) -> String {
    let numbers: Vec<String> = numbers.iter().map(|x| number(*x)).collect();
    format!("[{}]", numbers.join(", "))
}

/// The two ends of a joint as they appear in the file: `crank.A`, `ground`.
fn ends(model: &Model, joint: &JointElement) -> [String; 2] {
    let end = |(body, pose): &(BodyIndex, Pose)| {
        let mut here = model
            .markers
            .iter()
            .filter(|m| m.body == *body && m.pose.p == pose.p);
        let name = model.body_name(*body);
        // the frame of the body precedes its points
        match here.next() {
            Some(marker) if !marker.name.is_empty() => format!("{name}.{}", marker.name),
            Some(_) => match here.next() {
                Some(marker) => format!("{name}.{}", marker.name),
                None => name.to_owned(),
            },
            None => name.to_owned(),
        }
    };
    [end(&joint.first), end(&joint.second)]
}

fn coordinates(model: &Model, joint: &JointElement) -> Vec<&'static str> {
    let coordinates = joint.joint.coordinates(model.space).iter();
    coordinates.map(|coordinate| coordinate.name).collect()
}

fn coordinate_name(model: &Model, joint: JointIndex, k: usize) -> String {
    let element = &model.joints[joint.0];
    let name = element.joint.coordinates(model.space)[k].name;
    format!("{}.{name}", element.name)
}

fn relation(model: &Model, coupler: &CouplerElement) -> String {
    let terms = coupler.terms.iter().map(|(joint, k, factor)| {
        let name = coordinate_name(model, *joint, *k);
        match *factor {
            1.0 => name,
            -1.0 => format!("-{name}"),
            factor => format!("{} {name}", number(factor)),
        }
    });
    let sum = terms.collect::<Vec<_>>().join(" + ").replace("+ -", "- ");
    match coupler.backlash {
        Some(play) => format!("{sum}, with a backlash of {}", number(play.width)),
        None => sum,
    }
}

fn target(model: &Model, driver: &DriverElement) -> String {
    match driver.target {
        DriverTarget::Joint(joint, k) => coordinate_name(model, joint, k),
        DriverTarget::Point(marker, axis) => {
            format!(
                "{}.{}",
                model.marker_name(marker),
                ["x", "y", "z"][axis.min(2)]
            )
        }
    }
}

fn force_kind(force: &ForceElement) -> &'static str {
    forces::info(force.force.as_ref()).map_or("", |info| info.name)
}

fn to_json(job: &Job) -> Value {
    let model = &job.model;
    let bodies: Vec<Value> = model
        .rigid_bodies()
        .map(|body| {
            let m = &body.mass;
            let center: Vec<f64> = m.center.iter().take(model.space.axes()).copied().collect();
            let inertia = match model.space {
                Space::Planar => json!(m.inertia[(2, 2)]),
                Space::Spatial => (0..3)
                    .map(|i| (0..3).map(|k| m.inertia[(i, k)]).collect::<Vec<f64>>())
                    .collect(),
            };
            json!({ "name": body.name, "mass": m.mass, "com": center, "inertia": inertia })
        })
        .collect();
    let of_beam = |name: &str, length: f64, mass: f64, elements: usize| json!({ "name": name, "length": length, "mass": mass, "elements": elements });
    let beams = model.beams.iter();
    let beams = beams.map(|b| of_beam(&b.name, b.length(), b.mass(), b.elements.len()));
    let exact = model.exact_beams.iter();
    let exact = exact.map(|b| of_beam(&b.name, b.length(model), b.mass(model), b.elements.len()));
    let beams = beams.chain(exact);
    let joints: Vec<Value> = model
        .listed_joints()
        .map(|(_, joint)| {
            json!({
                "name": joint.name,
                "type": joint.joint.info().name,
                "between": ends(model, joint),
                "coordinates": coordinates(model, joint),
            })
        })
        .collect();
    let named = |name: &str, kind: &str| json!({ "name": name, "type": kind });
    let forces = model
        .single_forces()
        .map(|force| named(&force.name, force_kind(force)));
    let couplers = model
        .couplers
        .iter()
        .map(|coupler| named(&coupler.name, coupler.kind));
    let drivers = model
        .drivers
        .iter()
        .map(|driver| json!({ "name": driver.name, "on": target(model, driver) }));
    json!({
        "name": model.name,
        "description": job.description,
        "space": match model.space { Space::Planar => "planar", Space::Spatial => "spatial" },
        "gravity": gravity(model),
        "components": job.components.iter().map(|i| named(&i.path, &i.component)).collect::<Vec<_>>(),
        "bodies": bodies,
        "beams": beams.collect::<Vec<_>>(),
        "joints": joints,
        "contacts": model.contacts.iter().map(|c| contact_json(model, c)).collect::<Vec<_>>(),
        "couplers": couplers.collect::<Vec<_>>(),
        "drivers": drivers.collect::<Vec<_>>(),
        "forces": forces.collect::<Vec<_>>(),
        "inputs": model.inputs.iter().map(input).collect::<Vec<_>>(),
        "sensors": model.sensors.iter().map(|sensor| &sensor.name).collect::<Vec<_>>(),
        "controllers": model.controllers.iter().map(controller).collect::<Vec<_>>(),
        "events": model.events.iter().map(|event| &event.name).collect::<Vec<_>>(),
        "study": job.study.as_ref().map(biela::study_options),
        "outputs": channels_json(&job.outputs.channels),
        "digest": job.report.digest(),
    })
}

fn input(input: &InputElement) -> Value {
    json!({
        "name": input.name,
        "unit": input.unit,
        "initial": input.initial,
        "hold": input.hold.word(),
    })
}

fn controller(controller: &ControllerElement) -> Value {
    let outputs = controller.outputs.iter();
    json!({
        "name": controller.name,
        "period": controller.period,
        "delay": controller.delay,
        "outputs": outputs.map(|output| &output.name).collect::<Vec<_>>(),
    })
}
