//! Components and their instances.

use super::beam::BEAM;
use super::contact::{CONTACT, MATERIAL};
use super::joint::JOINT;
use super::sections::{
    BODY, COUPLER, DRIVER, EVENT, FORCE, FRAMES, GROUND_SHAPES, HARD_POINTS, INPUT, NAME, POINTS,
    ROTATION, SENSOR, SPACES, TABLE, may,
};
use super::{Field, FieldKind, Info};

pub(super) const TABLE_KEY: Field = may(
    "table",
    FieldKind::Map(&FieldKind::Table(&TABLE)),
    "tabulated functions, called as NAME(x)",
);
pub(super) const BODY_KEY: Field = may("body", FieldKind::Tables(&[&BODY]), "rigid bodies");
pub(super) const BEAM_KEY: Field = may("beam", FieldKind::Tables(&[&BEAM]), "flexible beams");
pub(super) const JOINT_KEY: Field = may(
    "joint",
    FieldKind::Tables(&[&JOINT]),
    "joints between two bodies",
);
pub(super) const COUPLER_KEY: Field = may(
    "coupler",
    FieldKind::Tables(&[&COUPLER]),
    "linear relations between joint coordinates",
);
pub(super) const MATERIAL_KEY: Field = may(
    "material",
    FieldKind::Tables(&[&MATERIAL]),
    "materials of surfaces",
);
pub(super) const CONTACT_KEY: Field = may(
    "contact",
    FieldKind::Tables(&[&CONTACT]),
    "unilateral contacts with friction and impacts",
);
pub(super) const DRIVER_KEY: Field = may(
    "driver",
    FieldKind::Tables(&[&DRIVER]),
    "prescribed motions",
);
pub(super) const FORCE_KEY: Field =
    may("force", FieldKind::Tables(&[&FORCE]), "forces and torques");
pub(super) const INPUT_KEY: Field = may(
    "input",
    FieldKind::Tables(&[&INPUT]),
    "signals that are set from outside",
);
pub(super) const SENSOR_KEY: Field = may(
    "sensor",
    FieldKind::Tables(&[&SENSOR]),
    "formulas of signals",
);
pub(super) const EVENT_KEY: Field = may(
    "event",
    FieldKind::Tables(&[&EVENT]),
    "formulas whose zero crossings are located",
);
/// A component, as a static value because it is a key of itself.
static ANY_COMPONENT: FieldKind = FieldKind::Table(&COMPONENT);

/// The key of components; a function because a constant could not be a part of itself.
pub(super) const fn component_key() -> Field {
    may(
        "component",
        FieldKind::Map(&ANY_COMPONENT),
        "parts of a model, defined once, of which any number of instances can be made",
    )
}
pub(super) const INSTANCE_KEY: Field = may(
    "instance",
    FieldKind::Tables(&[&INSTANCE]),
    "instances of components",
);

/// The kinds of ports: frames of bodies, joints and signals outside of the component.
pub(crate) const PORTS: &[&str] = &["frame", "joint", "signal"];

pub(crate) static COMPONENT: Info = Info::table(
    "component",
    "A part of a model: elements with parameters and ports, written as in a model.",
    &[
        may(
            "file",
            FieldKind::Text,
            "file with the contents of this table, instead of all other keys",
        ),
        may(
            "format",
            FieldKind::Format,
            "version of the language: 1; default: that of the model",
        ),
        may("description", FieldKind::Text, "description"),
        may(
            "space",
            FieldKind::Choice(SPACES),
            "the space of all models that it can be a part of; default: any",
        ),
        may(
            "ports",
            FieldKind::Map(&FieldKind::Choice(PORTS)),
            "names for elements outside, which each instance connects: frame (a point, a frame, a body or the ground), joint (a joint or one of its coordinates) or signal (a formula)",
        ),
        may(
            "parameters",
            FieldKind::Map(&FieldKind::Either(&[
                FieldKind::Number { unit: "" },
                FieldKind::Table(&REQUIRED_PARAMETER),
            ])),
            "named numbers, quantities and formulas of other parameters of the component; each instance can set them",
        ),
        HARD_POINTS,
        TABLE_KEY,
        component_key(),
        may(
            "ground",
            FieldKind::Table(&COMPONENT_GROUND),
            "points, frames and shapes on the ground, which the instance places",
        ),
        MATERIAL_KEY,
        BODY_KEY,
        BEAM_KEY,
        JOINT_KEY,
        COUPLER_KEY,
        CONTACT_KEY,
        DRIVER_KEY,
        FORCE_KEY,
        INPUT_KEY,
        SENSOR_KEY,
        EVENT_KEY,
        INSTANCE_KEY,
    ],
);

/// A parameter that every instance must set.
pub(crate) const REQUIRED_PARAMETER: Info = Info::table(
    "required parameter",
    "A parameter without a default.",
    &[Field::required(
        "unit",
        FieldKind::Text,
        "unit of its dimension; 1 for a plain number",
    )],
);

pub(crate) const COMPONENT_GROUND: Info = Info::table(
    "ground of a component",
    "The ground as a component sees it: its frame is that of the instance.",
    &[POINTS, FRAMES, GROUND_SHAPES],
);

pub(crate) const INSTANCE: Info = Info::table(
    "instance",
    "An instance of a component, or an array of instances. Its elements have its name before theirs: `left.wheel`; in an array also its number: `link0.rod`, `link1.rod`.",
    &[
        NAME,
        Field::required("component", FieldKind::Text, "name of the component"),
        may(
            "count",
            FieldKind::Count,
            "number of instances of an array; formulas of this table can use `index`, from 0 to count - 1, and `count`",
        ),
        may(
            "parameters",
            FieldKind::Map(&FieldKind::Either(&[
                FieldKind::Number { unit: "" },
                FieldKind::NumberList { unit: "" },
            ])),
            "values of parameters of the component; in an array a formula for all, or a list with one value for each",
        ),
        may(
            "connect",
            FieldKind::Map(&FieldKind::Either(&[FieldKind::Text, FieldKind::Texts])),
            "the elements at the ports; in an array one for all, or a list with one for each; `previous` and `next` are the neighbours in the array",
        ),
        may(
            "first",
            FieldKind::Map(&FieldKind::Text),
            "the elements at the ports of the first instance of an array, instead of those in `connect`",
        ),
        may(
            "last",
            FieldKind::Map(&FieldKind::Text),
            "the elements at the ports of the last instance of an array, instead of those in `connect`",
        ),
        may(
            "at",
            FieldKind::Vector { unit: "m" },
            "position of the component's frame: the origin of its ground, its initial positions and its beams; default: zero",
        ),
        may(
            "angle",
            FieldKind::Number { unit: "rad" },
            "angle of the component's frame (planar)",
        ),
        may(
            "rotation",
            FieldKind::Table(&ROTATION),
            "orientation of the component's frame (spatial)",
        ),
    ],
);
