//! Signals of beams, of their nodes and of their stations.

use super::Evaluation;
use super::body::kinetic_energy;
use super::quantities::quantities;
use super::table::ChannelList;
use crate::flexible::{BeamMotion, Internal, NodalResultants};
use crate::forces::Force;
use crate::model::{AnyBeam, BeamIndex, BodyIndex, Signal};
use crate::system::first_driver_work;

quantities! {
    /// Quantities of a whole beam.
    BeamQuantity, at: &MovingBeam<'_> {
        Elastic "elastic" "J" Position "strain energy" = at.strain_energy(),
        Kinetic "kinetic" "J" Velocity "kinetic energy" = at.kinetic_energy(),
        Length "length" "m" Position "length of the centreline" = at.length(),
        Power "power" "W" Acceleration "power of its damping, never positive" = at.evaluation.at_instant(|i| at.damping(i.power)),
        Work "work" "J" Run "work of its damping since the start" = at.evaluation.at_instant(|i| at.damping(i.work)),
    }
}

/// A beam of either family at an instant.
pub(super) struct MovingBeam<'a> {
    pub(super) evaluation: &'a Evaluation<'a>,
    pub(super) beam: AnyBeam,
}

impl MovingBeam<'_> {
    fn strain_energy(&self) -> f64 {
        let context = &self.evaluation.context;
        let (model, beams) = (context.model, &context.kinematics.beams);
        match self.beam {
            AnyBeam::Nodal(b) => model.beams[b.0].strain_energy(&beams[b.0]),
            AnyBeam::Exact(b) => {
                let elements = model.exact_beams[b].elements(model);
                elements.map(|e| e.potential(context)).sum()
            }
        }
    }

    fn kinetic_energy(&self) -> f64 {
        let context = &self.evaluation.context;
        let (model, beams) = (context.model, &context.kinematics.beams);
        match self.beam {
            AnyBeam::Nodal(b) => model.beams[b.0].kinetic_energy(&beams[b.0]),
            AnyBeam::Exact(b) => {
                let nodes = model.exact_beams[b].nodes.iter();
                let nodes = nodes.filter_map(|node| node.number());
                nodes.map(|body| kinetic_energy(context, body)).sum()
            }
        }
    }

    fn length(&self) -> f64 {
        let context = &self.evaluation.context;
        let (model, beams) = (context.model, &context.kinematics.beams);
        match self.beam {
            AnyBeam::Nodal(b) => model.beams[b.0].stretched_length(&beams[b.0]),
            AnyBeam::Exact(b) => {
                let elements = model.exact_beams[b].elements(model);
                elements.map(|e| e.stretched_length(context)).sum()
            }
        }
    }

    /// Returns the power or work of its damping, from those of all work integrals: beams come between forces and drivers.
    fn damping(&self, values: &[f64]) -> f64 {
        let model = self.evaluation.context.model;
        match self.beam {
            AnyBeam::Nodal(b) => values[first_driver_work(model) - model.beams.len() + b.0],
            AnyBeam::Exact(b) => {
                let elements = model.exact_beams[b].elements.iter();
                let slots = elements.filter_map(|f| self.evaluation.work_slot(*f));
                slots.map(|slot| values[slot]).sum()
            }
        }
    }
}

quantities! {
    /// Quantities of a node of a beam: position, and slope of the centreline with respect to material length.
    NodeQuantity, at: &MovingNode<'_> {
        X "x" "m" Position "position along x" = at.position(0),
        Y "y" "m" Position "position along y" = at.position(1),
        Z "z" "m" Position "position along z (spatial)" = at.position(2),
        SlopeX "slope_x" "1" Position "slope along x" = at.position(at.axes()),
        SlopeY "slope_y" "1" Position "slope along y" = at.position(at.axes() + 1),
        SlopeZ "slope_z" "1" Position "slope along z (spatial)" = at.position(at.axes() + 2),
        Vx "vx" "m/s" Velocity "velocity along x" = at.velocity(0),
        Vy "vy" "m/s" Velocity "velocity along y" = at.velocity(1),
        Vz "vz" "m/s" Velocity "velocity along z (spatial)" = at.velocity(2),
        SlopeVx "slope_vx" "1/s" Velocity "time derivative of the slope along x" = at.velocity(at.axes()),
        SlopeVy "slope_vy" "1/s" Velocity "time derivative of the slope along y" = at.velocity(at.axes() + 1),
        SlopeVz "slope_vz" "1/s" Velocity "time derivative of the slope along z (spatial)" = at.velocity(at.axes() + 2),
        Ax "ax" "m/s^2" Acceleration "acceleration along x" = at.acceleration(0),
        Ay "ay" "m/s^2" Acceleration "acceleration along y" = at.acceleration(1),
        Az "az" "m/s^2" Acceleration "acceleration along z (spatial)" = at.acceleration(2),
        SlopeAx "slope_ax" "1/s^2" Acceleration "second time derivative of the slope along x" = at.acceleration(at.axes()),
        SlopeAy "slope_ay" "1/s^2" Acceleration "second time derivative of the slope along y" = at.acceleration(at.axes() + 1),
        SlopeAz "slope_az" "1/s^2" Acceleration "second time derivative of the slope along z (spatial)" = at.acceleration(at.axes() + 2),
    }
}

/// A node of a beam at an instant; its coordinates are the positions and then the slopes.
pub(super) struct MovingNode<'a> {
    pub(super) evaluation: &'a Evaluation<'a>,
    pub(super) beam: BeamIndex,
    pub(super) node: usize,
}

impl MovingNode<'_> {
    fn motion(&self) -> &BeamMotion {
        &self.evaluation.context.kinematics.beams[self.beam.0]
    }

    /// The number of axes of its position.
    fn axes(&self) -> usize {
        self.motion().node / 2
    }

    /// The index of a nodal coordinate among those of the beam.
    fn index(&self, coordinate: usize) -> usize {
        self.motion().node * self.node + coordinate
    }

    fn position(&self, coordinate: usize) -> f64 {
        self.motion().e[self.index(coordinate)]
    }

    fn velocity(&self, coordinate: usize) -> f64 {
        self.motion().rates[self.index(coordinate)]
    }

    fn acceleration(&self, coordinate: usize) -> f64 {
        self.evaluation.at_instant(|instant| {
            let start = instant.system.beam_columns(self.beam).start;
            instant.rates[start + self.index(coordinate)]
        })
    }
}

quantities! {
    /// Quantities of a station on a beam, in addition to those of a body.
    StationQuantity, at: &Internal {
        Strain "strain" "1" Position "axial strain relative to the unstressed shape" = at.strain,
        Curvature "curvature" "1/m" Position "curvature: rotation of the sections per unit length of the unstressed beam; in space its magnitude" = at.curvature,
        Axial "axial_force" "N" Velocity "axial force, positive in tension" = at.axial,
        Moment "bending_moment" "N*m" Velocity "bending moment exerted by the part beyond the station on the part before it; in space its magnitude" = at.moment,
        Shear "shear_force" "N" Position "shear force exerted by the part beyond the station on the part before it, along y of the station: minus the derivative of the elastic bending moment; in space its magnitude" = at.shear,
    }
}

/// Returns the value of a signal of a station.
pub(super) fn station_value(
    evaluation: &Evaluation<'_>,
    body: BodyIndex,
    q: StationQuantity,
) -> f64 {
    let context = &evaluation.context;
    let station = context.kinematics.station(context.model, body);
    station.map_or(f64::NAN, |station| {
        let beam = station.beam.0;
        let motion = &context.kinematics.beams[beam];
        q.value(&context.model.beams[beam].internal(&station, motion))
    })
}

quantities! {
    /// Quantities of a named station on a geometrically exact beam, in addition to those of a body. Components are along its axes: x along the beam, y along
    /// the width of the section, z along its height.
    SectionQuantity, at: &NodalResultants {
        Strain "strain" "1" Position "axial strain relative to the unstressed shape" = at.strain[0],
        ShearStrainY "shear_strain_y" "1" Position "shear strain along y" = at.strain[1],
        ShearStrainZ "shear_strain_z" "1" Position "shear strain along z" = at.strain[2],
        Twist "twist" "1/m" Position "twist: rotation of the sections about x per unit length of the unstressed beam" = at.strain[3],
        CurvatureY "curvature_y" "1/m" Position "curvature about y: rotation of the sections per unit length of the unstressed beam" = at.strain[4],
        CurvatureZ "curvature_z" "1/m" Position "curvature about z: rotation of the sections per unit length of the unstressed beam" = at.strain[5],
        Axial "axial_force" "N" Velocity "axial force, positive in tension" = at.wrench[0],
        ShearY "shear_force_y" "N" Velocity "shear force along y exerted by the part beyond the station on the part before it" = at.wrench[1],
        ShearZ "shear_force_z" "N" Velocity "shear force along z exerted by the part beyond the station on the part before it" = at.wrench[2],
        Torsion "torsional_moment" "N*m" Velocity "torsional moment exerted by the part beyond the station on the part before it" = at.wrench[3],
        MomentY "bending_moment_y" "N*m" Velocity "bending moment about y exerted by the part beyond the station on the part before it" = at.wrench[4],
        MomentZ "bending_moment_z" "N*m" Velocity "bending moment about z exerted by the part beyond the station on the part before it" = at.wrench[5],
    }
}

/// Adds the signals of a station in addition to those of its body.
pub(super) fn list_station(channels: &mut ChannelList<'_>, body: BodyIndex) {
    let name = channels.model.body_name(body);
    channels.add_all(
        name,
        StationQuantity::ALL,
        |text| format!("{text}, at {name}"),
        |q| Signal::Station(body, q),
    );
}

/// Adds the signals of the beams with nodal coordinates and of their nodes.
pub(super) fn list(channels: &mut ChannelList<'_>) {
    for (b, beam) in channels.model.beams.iter().enumerate() {
        list_beam(channels, &beam.name, |q| Signal::Beam(BeamIndex(b), q));
        if !channels.wants(&beam.name) {
            continue;
        }
        for node in 0..=beam.elements.len() {
            channels.add_all(
                &format!("{}.node{node}", beam.name),
                NodeQuantity::ALL,
                |text| format!("{text} of node {node} of beam {}", beam.name),
                |q| Signal::Node(BeamIndex(b), node, q),
            );
        }
    }
}

/// Adds the signals of the geometrically exact beams and of their named stations.
pub(super) fn list_exact(channels: &mut ChannelList<'_>) {
    let model = channels.model;
    for (b, beam) in model.exact_beams.iter().enumerate() {
        list_beam(channels, &beam.name, |q| Signal::ExactBeam(b, q));
        for &node in &beam.places {
            let place = model.body_name(beam.nodes[node]);
            channels.add_all(
                place,
                SectionQuantity::ALL,
                |text| format!("{text}, at {place}"),
                |q| Signal::Section(b, node, q),
            );
        }
    }
}

fn list_beam(channels: &mut ChannelList<'_>, name: &str, signal: impl Fn(BeamQuantity) -> Signal) {
    let text = |text: &str| format!("{text} of beam {name}");
    channels.add_all(name, BeamQuantity::ALL, text, signal);
}
