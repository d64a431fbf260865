//! Restrictions of beams without torsion: in space the centreline does not determine the rotation of the sections about it.

use biela_core::joints::FixedLine;
use biela_core::math::rotation::{apply_transposed, unit};
use biela_core::model::{JointIndex, Model, Space};

use super::stations::NamedStation;
use crate::diagnostic::shown;
use crate::document::DocumentField;
use crate::lower::reader::SectionReader;
use crate::lower::values::Context;

/// The lines about which the sides of a joint may spin, with their beams.
fn lines(model: &Model, joint: JointIndex) -> Vec<(FixedLine, &str)> {
    if model.space == Space::Planar {
        return Vec::new();
    }
    let element = &model.joints[joint.0];
    let sides = [(false, element.first), (true, element.second)];
    let on_beam = sides.into_iter().filter_map(|(second, (body, pose))| {
        let body = &model.bodies[body.number()?];
        let station = body.station?;
        // the frame of a body may be off the centreline
        let line = FixedLine {
            second,
            point: pose.inverse().point(&body.mass.center),
            direction: apply_transposed(&pose.R, &unit(0)),
        };
        Some((line, model.beams[station.beam.0].name.as_str()))
    });
    on_beam.collect()
}

/// Rejects a joint that would constrain the spin of a beam about its axis.
pub(in crate::lower) fn check_joint<'t>(
    reader: &SectionReader<'t>,
    model: &Model,
    joint: JointIndex,
    context: &Context<'t>,
) {
    let kind = &model.joints[joint.0].joint;
    for (line, beam) in lines(model, joint) {
        if kind.notes_spin(&line) {
            let message = format!(
                "{}: a {} joint constrains the rotation of beam `{beam}` about its own axis, and its element has no torsion",
                reader.what(),
                kind.info().name,
            );
            let help = "to clamp the beam use a revolute joint with axis = [1, 0, 0], along the beam; to pin it a spherical joint; or give the beam element = \"exact\"";
            let label = "the torsional moment is undetermined";
            context.error(
                "no-torsion",
                message,
                (reader.span(), label),
                Some(help.to_owned()),
            );
        }
    }
}

/// Rejects a frame off the centreline, which a spin would move.
pub(super) fn check_frame(beam: &str, place: &NamedStation<'_>, context: &Context<'_>) {
    let p = &place.frame.p;
    if p[1] == 0.0 && p[2] == 0.0 {
        return;
    }
    let message = format!(
        "frame {} of beam {} is off the centreline, and the element of the beam has no torsion",
        shown(place.name),
        shown(beam),
    );
    let help = "give `at` along the beam alone, such as [\"20 mm\", 0, 0], or give the beam element = \"exact\"";
    let label = "its direction from the centreline is undetermined";
    context.error(
        "no-torsion",
        message,
        (place.span, label),
        Some(help.to_owned()),
    );
}

/// Rejects a driver of a coordinate that is a spin of a beam about its axis.
pub(in crate::lower) fn check_coordinate(
    field: &DocumentField<'_>,
    model: &Model,
    (joint, coordinate): (JointIndex, usize),
) {
    let element = &model.joints[joint.0];
    for (line, beam) in lines(model, joint) {
        if element.joint.coordinate_notes_spin(coordinate, &line) {
            let problem =
                format!("rotates beam `{beam}` about its own axis, and its element has no torsion");
            let help = "give the beam element = \"exact\"".to_owned();
            field.error("no-torsion", &problem, "", Some(help));
        }
    }
}
