"""Methods that add elements to a model, one a kind; written by `generate.py` from the lists of the model language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Quantity = float | str
Quantities = Sequence[Quantity]


class Elements:
    """What can be added to a model. Arguments are the keys of the model language; numbers are SI, texts carry units or formulas."""

    def _add(self, table: str, keys: dict[str, Any]) -> None:
        raise NotImplementedError

    def _put(self, table: str, keys: dict[str, Any]) -> None:
        raise NotImplementedError

    def ground(
        self,
        *,
        points: Mapping[str, Any] | None = None,
        frames: Mapping[str, Any] | None = None,
        shapes: Sequence[Mapping[str, Any]] | None = None,
    ) -> None:
        """What is fixed.

        points: named points, in the frame of the body
        frames: named points with axes of their own
        shapes: what the ground looks like
        """
        self._put("ground", {
            "points": points,
            "frames": frames,
            "shapes": shapes,
        })

    def body(
        self,
        name: str,
        *,
        mass: Quantity | None = None,
        inertia: Any | None = None,
        unphysical: bool | None = None,
        com: Quantities | None = None,
        density: Quantity | None = None,
        points: Mapping[str, Any] | None = None,
        frames: Mapping[str, Any] | None = None,
        shapes: Sequence[Mapping[str, Any]] | None = None,
        position: Quantities | None = None,
        angle: Quantity | None = None,
        rotation: Mapping[str, Any] | None = None,
        velocity: Quantities | None = None,
        omega: Any | None = None,
        keep: bool | None = None,
    ) -> None:
        """A rigid body. Mass properties come from `mass` and `inertia`, from `density` and `shapes`, or from `mass`
        and `shapes`.

        mass (kg): mass; zero where what the body is welded to or carries resists its motions
        inertia (kg*m^2): moment of inertia about the mass centre: a number in the plane; three principal moments, a
            3x3 matrix or its entries in space; 0 for a point of mass
        unphysical: whether an inertia that no body has is taken all the same, with a warning
        com (m): mass centre in the body frame; its origin when left out
        density (kg/m^3): density of the shapes, instead of mass and inertia
        points: named points, in the frame of the body
        frames: named points with axes of their own
        shapes: what the body looks like
        position (m): where the body frame starts; left to the joints when absent
        angle (rad): starting angle (planar)
        rotation: starting orientation (spatial)
        velocity (m/s): starting velocity of the origin of the body frame
        omega (rad/s): starting angular velocity: a number in the plane, three along the ground's axes in space
        keep: whether assembly must keep the starting pose
        """
        self._add("body", {
            "name": name,
            "mass": mass,
            "inertia": inertia,
            "unphysical": unphysical,
            "com": com,
            "density": density,
            "points": points,
            "frames": frames,
            "shapes": shapes,
            "position": position,
            "angle": angle,
            "rotation": rotation,
            "velocity": velocity,
            "omega": omega,
            "keep": keep,
        })

    def beam(
        self,
        name: str,
        *,
        from_: Quantities | None = None,
        to: Quantities | None = None,
        shape: Sequence[Quantities] | None = None,
        elements: Quantity | None = None,
        element: str | None = None,
        gauss_points: Quantities | None = None,
        section: Mapping[str, Any] | None = None,
        end_section: Mapping[str, Any] | None = None,
        young: Quantity | None = None,
        shear_modulus: Quantity | None = None,
        poisson: Quantity | None = None,
        density: Quantity | None = None,
        axial_stiffness: Quantity | None = None,
        bending_stiffness: Any | None = None,
        torsional_stiffness: Quantity | None = None,
        shear_stiffness: Any | None = None,
        mass: Quantity | None = None,
        mass_per_length: Quantity | None = None,
        damping: Quantity | None = None,
        up: Quantities | None = None,
        twist: Quantity | None = None,
        tension: Quantity | None = None,
        points: Mapping[str, Any] | None = None,
        frames: Mapping[str, Any] | None = None,
        velocity: Quantities | None = None,
        omega: Any | None = None,
        rigid: bool | None = None,
    ) -> None:
        """A flexible beam. It runs from `from` to `to`, or along `shape`. Stiffness comes from `section` and
        `young`, or is given; so does mass, from `density`. Its places are `NAME.start`, `NAME.end` and its `points`
        and `frames`; each is a body that joints, forces and signals can name, with the x axis along the beam.

        from_ (m): where it starts, in the ground frame
        to (m): where a straight beam ends
        shape: three points or more of a curve that the beam has without stress, instead of `from` and `to`; for a
            cable in space the curve in which it starts, straight without stress
        elements: elements of equal length, 8 when left out; for exact about so many, with a node at every place
        element: what its strains are, cable when left out; lumped is for planar models, rigid bars with springs
            between them; exact is for spatial models and has torsion and shear too
        gauss_points: points at which stretch and bending of an element are looked at, 3 to 5 and 2 to 5; left to
            the element when absent
        section: the cross-section
        end_section: the cross-section at the end, of the same kind: lengths vary linearly along the beam
        young (Pa): modulus of elasticity
        shear_modulus (Pa): shear modulus (exact); from `young` and `poisson` when left out
        poisson: Poisson's ratio (exact); 0.3 when left out
        density (kg/m^3): density
        axial_stiffness (N): EA, instead of `section` and `young`
        bending_stiffness (N*m^2): EI, about the normal of the plane or in space about any axis across the beam, for
            exact also [about y, about z], instead of `section` and `young`
        torsional_stiffness (N*m^2): GJ (exact), instead of `section` and `young`
        shear_stiffness (N): shear factor times GA (exact), or [along y, along z], instead of `section` and `young`
        mass (kg): mass, instead of `density`
        mass_per_length (kg/m): mass a length, instead of `density`
        damping (s): Kelvin-Voigt: strain rates cause this time times what strains cause, for cables in space and
            for green-lagrange those of stretch alone; zero when left out
        up: direction of the section's height, its z axis, at the start (exact); z when left out, x where the beam
            starts upright
        twist (rad): turn of the section about the beam from its start to its end without stress (exact); zero when
            left out
        tension (N): axial force in the shape it is written in; zero when left out
        points: named places: a bare number is a share of the length, from 0 to 1; a quantity such as "12 mm" a
            distance from the start
        frames: named frames fixed to the section at a place, at a distance from the centreline
        velocity (m/s): starting velocity of its start, the beam moving as a rigid body
        omega (rad/s): starting angular velocity, the beam moving as a rigid body: a number in the plane, three
            along the ground's axes in space
        rigid: whether it is taken as one rigid body called NAME, with the same mass, inertia and places
        """
        self._add("beam", {
            "name": name,
            "from": from_,
            "to": to,
            "shape": shape,
            "elements": elements,
            "element": element,
            "gauss_points": gauss_points,
            "section": section,
            "end_section": end_section,
            "young": young,
            "shear_modulus": shear_modulus,
            "poisson": poisson,
            "density": density,
            "axial_stiffness": axial_stiffness,
            "bending_stiffness": bending_stiffness,
            "torsional_stiffness": torsional_stiffness,
            "shear_stiffness": shear_stiffness,
            "mass": mass,
            "mass_per_length": mass_per_length,
            "damping": damping,
            "up": up,
            "twist": twist,
            "tension": tension,
            "points": points,
            "frames": frames,
            "velocity": velocity,
            "omega": omega,
            "rigid": rigid,
        })

    def joint(
        self,
        name: str,
        *,
        type: str,
        between: Sequence[str],
        axis: Quantities | None = None,
        limits: Mapping[str, Any] | None = None,
        armature: Quantity | None = None,
        initial: Mapping[str, Any] | None = None,
        axis2: Quantities | None = None,
        pitch: Quantity | None = None,
        length: Quantity | None = None,
        locked: Sequence[str] | None = None,
        radius: Quantity | None = None,
    ) -> None:
        """Holds two bodies together. Its type is one of weld, revolute, prismatic, cylindrical, spherical,
        universal, planar, screw, free, distance, point-on-line, point-in-plane, parallel-axes, generic, constant-
        velocity, rolling-disc, knife-edge, beam-slider.

        type: kind of joint
        between: the two points or frames it holds: ground, body, body.point or ground.point
        axis: axis of the joint, in the axes of both frames; its natural axis when left out
        limits: what a joint with one coordinate is meant to stay within
        armature: inertia that resists each rate of the joint beside that of the bodies, such as a rotor behind a
            gear; kg*m^2 for an angle, kg for a length, of a `free` joint one plain number for both; zero when left
            out
        initial: starting values: COORDINATE, COORDINATE_rate, `rate` when there is one coordinate; keep = true
            holds them in assembly
        axis2: second axis, fixed in the second body and perpendicular to `axis`
        pitch (m): advance for one full turn, positive for a right-hand thread
        length (m): distance between the two points
        locked: the relative coordinates that stay zero
        radius (m): radius of the disc
        """
        self._add("joint", {
            "name": name,
            "type": type,
            "between": between,
            "axis": axis,
            "limits": limits,
            "armature": armature,
            "initial": initial,
            "axis2": axis2,
            "pitch": pitch,
            "length": length,
            "locked": locked,
            "radius": radius,
        })

    def chain(
        self,
        name: str,
        *,
        links: Sequence[Mapping[str, Any]],
        convention: str | None = None,
        base: str | None = None,
    ) -> None:
        """A serial arm by a table of Denavit and Hartenberg. Every link is a body whose own frame is the frame of
        its row, every row a joint; both are named, measured and held as others are.

        convention: standard: a row is Rz(theta) Tz(d) Tx(a) Rx(alpha), the joint along the z axis of the frame
            before; modified, after Craig: Rx(alpha) Tx(a) Rz(theta) Tz(d), the joint along the z axis of its own
            frame; standard when left out
        base: the frame before the first: ground, body, body.frame or ground.frame; ground when left out
        links: links from the base on
        """
        self._add("chain", {
            "name": name,
            "convention": convention,
            "base": base,
            "links": links,
        })

    def coupler(
        self,
        name: str,
        *,
        type: str,
        joints: Sequence[str] | None = None,
        ratio: Quantity | None = None,
        teeth: Quantities | None = None,
        internal: bool | None = None,
        factors: Quantities | None = None,
        offset: Quantity | None = None,
        rack: str | None = None,
        pinion: str | None = None,
        radius: Quantity | None = None,
    ) -> None:
        """A linear relation between joint coordinates. Its type is one of gear, linear, rack-and-pinion.

        type: kind of coupler
        joints: the two angles
        ratio: turns of the first for one of the second
        teeth: numbers of teeth, instead of `ratio`; external gears turn opposite
        internal: the gears of `teeth` turn the same way
        factors: one for each coordinate
        offset: what the sum is; its value at the start when left out
        rack: a length, s
        pinion: an angle, theta
        radius (m): radius r of the pinion; negative when the rack runs back
        """
        self._add("coupler", {
            "name": name,
            "type": type,
            "joints": joints,
            "ratio": ratio,
            "teeth": teeth,
            "internal": internal,
            "factors": factors,
            "offset": offset,
            "rack": rack,
            "pinion": pinion,
            "radius": radius,
        })

    def trajectory(
        self,
        name: str,
        *,
        type: str,
        joints: Sequence[str] | None = None,
        start: Quantity | None = None,
        at: Quantity | Quantities | None = None,
        duration: Quantity | None = None,
        points: Sequence[Quantities] | None = None,
        times: Quantity | Quantities | None = None,
        via: str | None = None,
        rates: Sequence[Quantities] | None = None,
        accelerations: Sequence[Quantities] | None = None,
        rate: Quantity | Quantities | None = None,
        acceleration: Quantity | Quantities | None = None,
        ends: str | None = None,
        end_rates: Sequence[Quantities] | None = None,
        offset: Quantity | Quantities | None = None,
        amplitude: Sequence[Quantities] | None = None,
        period: Quantity | Quantities | None = None,
        phase: Quantity | Quantities | None = None,
        form: str | None = None,
        from_: Quantity | Quantities | None = None,
        to: Quantities | None = None,
        angle: Quantity | None = None,
        rotation: Mapping[str, Any] | None = None,
        orientation: str | None = None,
        law: str | None = None,
        center: Quantities | None = None,
        axis: Quantities | None = None,
        through: Sequence[Quantities] | None = None,
        file: str | None = None,
        segments: Sequence[str] | None = None,
    ) -> None:
        """A reference motion of joints: NAME.JOINT, NAME.JOINT_rate, NAME.JOINT_acceleration and NAME.JOINT_jerk
        are signals. Before it begins and after it ends the joints rest. Its type is one of hold, cubic, quintic,
        septic, trapezoidal, spline, sinusoid, line, circle, file, sequence.

        type: kind of motion
        joints: the joints it moves, in the order of its lists; all joints of the robot when left out
        start (s): when it begins; zero when left out
        at: where to stay, one position a joint
        duration (s): how long, where another motion follows
        points: positions to go through, one list of joint positions a point
        times (s): when it is there, increasing, counted from `start`
        via: whether it stops at the points between the ends, or passes with the mean of the slopes before and after
            (and stops where these differ in sign)
        rates: rates at all points, instead of `via`; it rests at the ends when left out
        accelerations: accelerations at all points; none when left out
        rate: largest rate of each joint; that of its limits when left out
        acceleration: largest acceleration of each joint; needed without `times`
        ends: rates at the ends as in `end_rates`; no acceleration there; or a motion that comes back to where it
            began and goes round for ever
        end_rates: rates at the two clamped ends; rest when left out
        offset: position that the terms are added to; zero when left out
        amplitude: one list of joint amplitudes a term
        period (s): period of each term
        phase (rad): phase of each term; zero when left out
        form: whether a term is amplitude/2 * (1 - cos(2*pi*t/period + phase)), or amplitude * sin(2*pi*t/period +
            phase)
        from_: joint positions where it begins; the tool starts where it is then
        to (m): where the tool ends, in the ground frame; where it begins when left out
        angle (rad): angle of the tool's frame at the end (planar)
        rotation: orientation of the tool's frame at the end (spatial)
        orientation: whether the orientation is kept, or turned evenly to `angle` or `rotation`; or is of no concern
        law: how the way is covered in time, from rest to rest
        center (m): a point of the axis of the circle, in the ground frame; with `axis` and `angle`
        axis: direction of its axis; z when left out
        through: a point on the way and the end of an arc, instead of `center`
        file: the file, in the folder of the model
        segments: names of trajectories that stand further up and move the same joints
        """
        self._add("trajectory", {
            "name": name,
            "type": type,
            "joints": joints,
            "start": start,
            "at": at,
            "duration": duration,
            "points": points,
            "times": times,
            "via": via,
            "rates": rates,
            "accelerations": accelerations,
            "rate": rate,
            "acceleration": acceleration,
            "ends": ends,
            "end_rates": end_rates,
            "offset": offset,
            "amplitude": amplitude,
            "period": period,
            "phase": phase,
            "form": form,
            "from": from_,
            "to": to,
            "angle": angle,
            "rotation": rotation,
            "orientation": orientation,
            "law": law,
            "center": center,
            "axis": axis,
            "through": through,
            "file": file,
            "segments": segments,
        })

    def driver(
        self,
        name: str,
        *,
        on: str,
        value: Quantity | None = None,
        acceleration: Mapping[str, Any] | None = None,
        table: str | None = None,
        trajectory: str | None = None,
    ) -> None:
        """A prescribed motion: exactly one of `value`, `acceleration`, `table` and `trajectory`.

        on: what moves: joint, joint.coordinate, or a component of a point as body.point.x
        value: a formula of time; its velocity and acceleration are exact
        acceleration: a piecewise linear acceleration
        table: name of a table of time
        trajectory: name of a trajectory that moves the joint
        """
        self._add("driver", {
            "name": name,
            "on": on,
            "value": value,
            "acceleration": acceleration,
            "table": table,
            "trajectory": trajectory,
        })

    def force(
        self,
        name: str,
        *,
        type: str,
        at: str | None = None,
        value: Quantities | None = None,
        frame: str | None = None,
        on: str | None = None,
        axis: Quantities | None = None,
        reaction_on: str | None = None,
        between: Sequence[str] | None = None,
        stiffness: Quantity | None = None,
        length: Quantity | None = None,
        damping: Quantity | None = None,
        force: Quantity | None = None,
        joint: str | None = None,
        rest: Quantity | None = None,
        effort: Quantity | None = None,
        torsional_stiffness: Quantities | None = None,
        torsional_damping: Quantities | None = None,
        torsional_stiffness_z: Quantity | None = None,
        torsional_damping_z: Quantity | None = None,
        mu: Quantity | None = None,
        radius: Quantity | None = None,
        preload: Quantity | None = None,
        transition_speed: Quantity | None = None,
        quadratic: Quantity | None = None,
        viscous: Quantity | None = None,
        coulomb: Quantity | None = None,
        ratio: Quantity | None = None,
        rotor_inertia: Quantity | None = None,
        torque_limit: Quantity | None = None,
        stall_torque: Quantity | None = None,
        no_load_speed: Quantity | None = None,
        lower: Quantity | None = None,
        upper: Quantity | None = None,
        end_value: Quantities | None = None,
        from_: Quantity | None = None,
        to: Quantity | None = None,
    ) -> None:
        """A force or torque. Its type is one of force, torque, spring-damper, joint-spring-damper, bushing,
        coulomb-friction, joint-damping, joint-friction, actuator, motor, limit, distributed.

        type: kind of force
        at: the point it acts on
        value (N): components of the force
        frame: whose axes the components are along: fixed, or following the body
        on: the body it acts on
        axis: direction of the torque, z when left out; always z in the plane
        reaction_on: the body that gets the opposite torque, the ground when left out
        between: its two ends
        stiffness (N/m): tension for each metre beyond the rest length
        length (m): rest length; must be given when there is a stiffness
        damping (N*s/m): tension for each metre a second of lengthening
        force (N): actuator: tension that is added
        joint: the coordinate it acts along
        rest: value of the coordinate where the spring is at rest: m or rad
        effort: actuator: effort that is added, N or N*m
        torsional_stiffness (N*m/rad): stiffness about the axes of the first frame (spatial)
        torsional_damping (N*m*s/rad): damping about the axes of the first frame (spatial)
        torsional_stiffness_z (N*m/rad): stiffness about z (planar)
        torsional_damping_z (N*m*s/rad): damping about z (planar)
        mu: coefficient of friction
        radius (m): radius of the rubbing surface; must be given for an angle
        preload (N): normal force that is there without any reaction
        transition_speed: speed below which the friction fades: m/s or rad/s; 0 for an exact sign, which passes
            through rest but cannot stick
        quadratic: effort for each unit of rate squared: N*s^2/m^2 or N*m*s^2/rad^2
        viscous: effort for each unit of rate: N*s/m or N*m*s/rad
        coulomb: dry friction, the same at every rate: N or N*m
        ratio: turns of the shaft for one of the joint, for a length in rad/m; negative where it turns the other way
        rotor_inertia (kg*m^2): moment of inertia of what turns with the shaft
        torque_limit (N*m): largest torque at the shaft, either way; none when left out
        stall_torque (N*m): largest torque at the shaft at rest; with `no_load_speed`
        no_load_speed (rad/s): speed of the shaft at which no torque is left; with `stall_torque`
        lower: lower end of travel: m or rad
        upper: upper end of travel: m or rad
        end_value (N/m): the same where the load ends, with a linear course between; as `value` when left out
        from_: where the load begins: a share of the length such as 0.25, or a distance such as "12 mm"; the start
            of the beam when left out
        to: where the load ends; the end of the beam when left out
        """
        self._add("force", {
            "name": name,
            "type": type,
            "at": at,
            "value": value,
            "frame": frame,
            "on": on,
            "axis": axis,
            "reaction_on": reaction_on,
            "between": between,
            "stiffness": stiffness,
            "length": length,
            "damping": damping,
            "force": force,
            "joint": joint,
            "rest": rest,
            "effort": effort,
            "torsional_stiffness": torsional_stiffness,
            "torsional_damping": torsional_damping,
            "torsional_stiffness_z": torsional_stiffness_z,
            "torsional_damping_z": torsional_damping_z,
            "mu": mu,
            "radius": radius,
            "preload": preload,
            "transition_speed": transition_speed,
            "quadratic": quadratic,
            "viscous": viscous,
            "coulomb": coulomb,
            "ratio": ratio,
            "rotor_inertia": rotor_inertia,
            "torque_limit": torque_limit,
            "stall_torque": stall_torque,
            "no_load_speed": no_load_speed,
            "lower": lower,
            "upper": upper,
            "end_value": end_value,
            "from": from_,
            "to": to,
        })

    def sensor(
        self,
        name: str,
        *,
        value: Quantity,
        unit: str | None = None,
    ) -> None:
        """A formula of signals, kept as a signal of its own.

        value: formula of time, signals and other sensors
        unit: SI unit of the value; found from the formula when left out
        """
        self._add("sensor", {
            "name": name,
            "value": value,
            "unit": unit,
        })

    def controller(
        self,
        name: str,
        *,
        period: Quantity,
        offset: Quantity | None = None,
        delay: Quantity | None = None,
        inputs: Mapping[str, Any] | None = None,
        states: Mapping[str, Any] | None = None,
        outputs: Mapping[str, Any] | None = None,
        law: str | None = None,
        trajectory: str | None = None,
        reference: Quantity | Quantities | None = None,
        joints: Sequence[str] | None = None,
        model: Mapping[str, Any] | None = None,
        rate: str | None = None,
        noise: Mapping[str, Any] | None = None,
        quantum: Mapping[str, Any] | None = None,
        saturation: Any | None = None,
        kp: Quantity | Quantities | None = None,
        kd: Quantity | Quantities | None = None,
        gravity: str | None = None,
        ki: Quantity | Quantities | None = None,
        frequency: Quantity | Quantities | None = None,
        damping: Quantity | Quantities | None = None,
        aim: str | None = None,
        averaged: bool | None = None,
        sign: str | None = None,
        tool: str | None = None,
        stiffness: Quantities | None = None,
        turn_stiffness: Quantity | None = None,
        turn_damping: Quantity | None = None,
        null_damping: Quantity | Quantities | None = None,
        position_weight: Quantity | Quantities | None = None,
        rate_weight: Quantity | Quantities | None = None,
        effort_weight: Quantity | Quantities | None = None,
        design: str | None = None,
        slope: Quantity | Quantities | None = None,
        gain: Quantity | Quantities | None = None,
        layer: Quantity | Quantities | None = None,
        bodies: Sequence[str] | None = None,
        mass_gain: Quantity | None = None,
        moment_gain: Quantity | None = None,
        inertia_gain: Quantity | None = None,
    ) -> None:
        """A sampled controller: at every sample it reads its inputs, gives outputs that are held until the next,
        and then advances its states. Its formulas read its inputs and states (those of states its outputs too),
        parameters and time. Its type is one of pd, pid, computed-torque, linearized-cancellation, feedforward,
        impedance, lqr, sliding-mode, adaptive.

        period (s): time between samples
        offset (s): time of the first sample; zero when left out
        delay (s): time from a sample until its outputs take effect; none when left out
        inputs: NAME = formula of signals and time, read at every sample
        states: NAME = formula of its value at the next sample; it begins at zero
        outputs: NAME = formula; read elsewhere as CONTROLLER.NAME
        law: the control law
        trajectory: the trajectory to be followed; rest at `reference` when left out
        reference: where joints are to rest that the trajectory does not move: one value for all, or one a joint of
            the robot; zero when left out
        joints: the joints that it drives, in the order of lists of gains; all joints of the robot that are not
            passive when left out
        model: the model that it computes with; this one when left out
        rate: whether rates are measured, or differences of measured positions; measured when left out
        noise: noise of what is measured; none when left out
        quantum: steps of what is measured and of efforts; none when left out
        saturation: largest effort either way, for all driven joints or one each, or "none"; the effort limits of
            the joints when left out
        kp: gain of the position error
        kd: gain of the rate error
        gravity: where the design model's gravity is carried: at the measured position, at the reference, or not at
            all
        ki: gain of the integral of the position error
        frequency: natural frequency Ω of the errors
        damping: damping Ψ of the errors; its square is the damping ratio
        aim: which point of the reference errors and gains are taken from: that of the next sample, or of this
        averaged: efforts computed ahead are the mean of those of the reference at this sample and at the next, not
            those at this sample
        sign: sign of the correction: the right one, or the one printed in the source, with which the loop runs away
        tool: point or frame that the springs hold; the robot's tool when left out
        stiffness (N/m): stiffness along the axes of the ground
        turn_stiffness (N*m/rad): stiffness against rotations
        turn_damping (N*m*s/rad): damping of rotations
        null_damping: damping of motions that leave the tool where it is
        position_weight: cost of squared position errors, one a joint of the robot
        rate_weight: cost of squared rate errors, one a joint of the robot
        effort_weight: cost of squared efforts, one a driven joint
        design: the model that the cost is summed over: seen at the samples with efforts held between them, or
            continuous
        slope: rate Λ at which errors die out on the line
        gain: acceleration K towards the line: more than the faults of the model make
        layer: half width φ of the layer about the line within which the law is smooth
        bodies: the bodies of the design model whose masses are learnt
        mass_gain: how fast the mass is learnt; zero leaves it alone. It acts at the body's mass centre, or at its
            origin where first moments are learnt too
        moment_gain: how fast the first moment, mass times mass centre, is learnt
        inertia_gain: how fast the inertia about the body's origin is learnt
        """
        self._add("controller", {
            "name": name,
            "period": period,
            "offset": offset,
            "delay": delay,
            "inputs": inputs,
            "states": states,
            "outputs": outputs,
            "law": law,
            "trajectory": trajectory,
            "reference": reference,
            "joints": joints,
            "model": model,
            "rate": rate,
            "noise": noise,
            "quantum": quantum,
            "saturation": saturation,
            "kp": kp,
            "kd": kd,
            "gravity": gravity,
            "ki": ki,
            "frequency": frequency,
            "damping": damping,
            "aim": aim,
            "averaged": averaged,
            "sign": sign,
            "tool": tool,
            "stiffness": stiffness,
            "turn_stiffness": turn_stiffness,
            "turn_damping": turn_damping,
            "null_damping": null_damping,
            "position_weight": position_weight,
            "rate_weight": rate_weight,
            "effort_weight": effort_weight,
            "design": design,
            "slope": slope,
            "gain": gain,
            "layer": layer,
            "bodies": bodies,
            "mass_gain": mass_gain,
            "moment_gain": moment_gain,
            "inertia_gain": inertia_gain,
        })

    def event(
        self,
        name: str,
        *,
        when: Quantity,
        crossing: str | None = None,
        action: str | None = None,
    ) -> None:
        """A formula whose zero crossings are located.

        when: the formula that crosses zero
        crossing: which crossings count; any when left out
        action: whether the run ends there or the time is noted; mark when left out
        """
        self._add("event", {
            "name": name,
            "when": when,
            "crossing": crossing,
            "action": action,
        })

    def robot(
        self,
        *,
        joints: Sequence[str] | None = None,
        passive: Sequence[str] | None = None,
        tool: str | None = None,
        posture: Quantities | None = None,
    ) -> None:
        """How the model is moved as a robot: an open tree of links whose joints have one coordinate each.

        joints: the joints that move it, in the order of all lists with one value a joint; all joints with one
            coordinate when left out
        passive: those of its joints that nothing drives
        tool: the point or frame that tasks are about
        posture: the pose it prefers, one value a joint; the middle of the limits when left out
        """
        self._put("robot", {
            "joints": joints,
            "passive": passive,
            "tool": tool,
            "posture": posture,
        })

    def study(
        self,
        *,
        analysis: str | None = None,
        start: str | None = None,
        start_points: int | None = None,
        load_steps: int | None = None,
        tolerance: Quantity | None = None,
        duration: Quantity | None = None,
        output_step: Quantity | None = None,
        formulation: str | None = None,
        method: str | Mapping[str, Any] | None = None,
        integrator: str | Mapping[str, Any] | None = None,
    ) -> None:
        """What is to be computed.

        analysis: motion under forces, motion of a fully driven mechanism, equilibria at rest, or the assembled
            start alone; dynamics when left out
        start: where dynamics starts: as written, or at the equilibrium that the written start leads to; written
            when left out
        start_points: points from which statics searches, the written start and random ones; 1 when left out
        load_steps: equal steps in which statics brings on weight, forces and torques, with a row of results a step;
            all at once when left out
        tolerance: share of all forces, internal ones included, that statics may leave unbalanced; 1e-10 when left
            out
        duration (s): simulated time; needed for motion
        output_step (s): time between output rows; a 500th of the duration when left out
        formulation: coordinates the model is solved in
        method: solution method
        integrator: integrator
        """
        self._put("study", {
            "analysis": analysis,
            "start": start,
            "start_points": start_points,
            "load_steps": load_steps,
            "tolerance": tolerance,
            "duration": duration,
            "output_step": output_step,
            "formulation": formulation,
            "method": method,
            "integrator": integrator,
        })

    def output(
        self,
        *,
        signals: Sequence[str] | None = None,
        plot: Sequence[Sequence[str]] | None = None,
    ) -> None:
        """What is to be kept.

        signals: signals, or elements for all of theirs; a useful set when left out
        plot: panels of a plot, each a list of signals
        """
        self._put("output", {
            "signals": signals,
            "plot": plot,
        })

    def measure(
        self,
        name: str,
        *,
        of: Quantity | None = None,
        take: str | None = None,
        at: Quantity | None = None,
        from_: Quantity | None = None,
        to: Quantity | None = None,
        event: str | None = None,
        which: int | None = None,
        value: Quantity | None = None,
        unit: str | None = None,
    ) -> None:
        """One number of a whole run: what is taken of a signal over time, the time of an event, or a formula of
        other measures.

        of: formula of time and signals that `take` is about
        take: what is taken of it over the output times; final when left out
        at (s): the time of take = "at"
        from_ (s): output times before it are passed over; the start when left out
        to (s): output times after it are passed over; the end when left out
        event: the event whose time it is
        which: which time of the event, counted from 1; the first when left out
        value: formula of other measures and parameters
        unit: SI unit of the measure; found from the formula when left out
        """
        self._add("measure", {
            "name": name,
            "of": of,
            "take": take,
            "at": at,
            "from": from_,
            "to": to,
            "event": event,
            "which": which,
            "value": value,
            "unit": unit,
        })

    def sweep(
        self,
        *,
        plan: str,
        vary: Mapping[str, Any] | None = None,
        points: int | None = None,
        seed: int | None = None,
        file: str | None = None,
    ) -> None:
        """Runs with other values of parameters.

        plan: all combinations, values side by side, or points drawn from distributions: by chance, as a Latin
            hypercube, by Sobol's sequence
        vary: the parameters and the values each takes
        points: how many points are drawn; 100 when left out
        seed: another seed draws other points; 1 when left out
        file: CSV file with the points of a list: a column a parameter, NAME [UNIT]
        """
        self._put("sweep", {
            "plan": plan,
            "vary": vary,
            "points": points,
            "seed": seed,
            "file": file,
        })

    def optimize(
        self,
        *,
        vary: Mapping[str, Any],
        minimize: Quantity | None = None,
        maximize: Quantity | None = None,
    ) -> None:
        """Values of parameters that make something least or greatest.

        minimize: formula of measures and parameters to be made least
        maximize: formula of measures and parameters to be made greatest, instead
        vary: the parameters and their bounds
        """
        self._put("optimize", {
            "minimize": minimize,
            "maximize": maximize,
            "vary": vary,
        })

    def fit(
        self,
        *,
        data: str,
        vary: Mapping[str, Any],
        deviation: Mapping[str, Any] | None = None,
    ) -> None:
        """Values of parameters with which the run follows measurements.

        data: CSV file with a column `time` and columns named like signals, each NAME [UNIT]
        vary: the parameters and their bounds; the search starts at the values of the model
        deviation: standard deviation of the measurements of a signal, by which its residuals are divided; 1 in SI
            when left out
        """
        self._put("fit", {
            "data": data,
            "vary": vary,
            "deviation": deviation,
        })

    def weld(
        self,
        name: str,
        *,
        between: Sequence[str],
        axis: Quantities | None = None,
        limits: Mapping[str, Any] | None = None,
        armature: Quantity | None = None,
        initial: Mapping[str, Any] | None = None,
    ) -> None:
        """Holds two frames together.

        between: the two points or frames it holds: ground, body, body.point or ground.point
        axis: axis of the joint, in the axes of both frames; its natural axis when left out
        limits: what a joint with one coordinate is meant to stay within
        armature: inertia that resists each rate of the joint beside that of the bodies, such as a rotor behind a
            gear; kg*m^2 for an angle, kg for a length, of a `free` joint one plain number for both; zero when left
            out
        initial: starting values: COORDINATE, COORDINATE_rate, `rate` when there is one coordinate; keep = true
            holds them in assembly
        """
        self._add("joint", {
            "type": "weld",
            "name": name,
            "between": between,
            "axis": axis,
            "limits": limits,
            "armature": armature,
            "initial": initial,
        })

    def revolute(
        self,
        name: str,
        *,
        between: Sequence[str],
        axis: Quantities | None = None,
        limits: Mapping[str, Any] | None = None,
        armature: Quantity | None = None,
        initial: Mapping[str, Any] | None = None,
    ) -> None:
        """Turns about one axis.

        between: the two points or frames it holds: ground, body, body.point or ground.point
        axis: axis of the joint, in the axes of both frames; its natural axis when left out
        limits: what a joint with one coordinate is meant to stay within
        armature: inertia that resists each rate of the joint beside that of the bodies, such as a rotor behind a
            gear; kg*m^2 for an angle, kg for a length, of a `free` joint one plain number for both; zero when left
            out
        initial: starting values: COORDINATE, COORDINATE_rate, `rate` when there is one coordinate; keep = true
            holds them in assembly
        """
        self._add("joint", {
            "type": "revolute",
            "name": name,
            "between": between,
            "axis": axis,
            "limits": limits,
            "armature": armature,
            "initial": initial,
        })

    def prismatic(
        self,
        name: str,
        *,
        between: Sequence[str],
        axis: Quantities | None = None,
        limits: Mapping[str, Any] | None = None,
        armature: Quantity | None = None,
        initial: Mapping[str, Any] | None = None,
    ) -> None:
        """Slides along one axis without turning.

        between: the two points or frames it holds: ground, body, body.point or ground.point
        axis: axis of the joint, in the axes of both frames; its natural axis when left out
        limits: what a joint with one coordinate is meant to stay within
        armature: inertia that resists each rate of the joint beside that of the bodies, such as a rotor behind a
            gear; kg*m^2 for an angle, kg for a length, of a `free` joint one plain number for both; zero when left
            out
        initial: starting values: COORDINATE, COORDINATE_rate, `rate` when there is one coordinate; keep = true
            holds them in assembly
        """
        self._add("joint", {
            "type": "prismatic",
            "name": name,
            "between": between,
            "axis": axis,
            "limits": limits,
            "armature": armature,
            "initial": initial,
        })

    def cylindrical(
        self,
        name: str,
        *,
        between: Sequence[str],
        axis: Quantities | None = None,
        limits: Mapping[str, Any] | None = None,
        armature: Quantity | None = None,
        initial: Mapping[str, Any] | None = None,
    ) -> None:
        """Slides along an axis and turns about it.

        between: the two points or frames it holds: ground, body, body.point or ground.point
        axis: axis of the joint, in the axes of both frames; its natural axis when left out
        limits: what a joint with one coordinate is meant to stay within
        armature: inertia that resists each rate of the joint beside that of the bodies, such as a rotor behind a
            gear; kg*m^2 for an angle, kg for a length, of a `free` joint one plain number for both; zero when left
            out
        initial: starting values: COORDINATE, COORDINATE_rate, `rate` when there is one coordinate; keep = true
            holds them in assembly
        """
        self._add("joint", {
            "type": "cylindrical",
            "name": name,
            "between": between,
            "axis": axis,
            "limits": limits,
            "armature": armature,
            "initial": initial,
        })

    def spherical(
        self,
        name: str,
        *,
        between: Sequence[str],
        axis: Quantities | None = None,
        limits: Mapping[str, Any] | None = None,
        armature: Quantity | None = None,
        initial: Mapping[str, Any] | None = None,
    ) -> None:
        """Turns freely about one point.

        between: the two points or frames it holds: ground, body, body.point or ground.point
        axis: axis of the joint, in the axes of both frames; its natural axis when left out
        limits: what a joint with one coordinate is meant to stay within
        armature: inertia that resists each rate of the joint beside that of the bodies, such as a rotor behind a
            gear; kg*m^2 for an angle, kg for a length, of a `free` joint one plain number for both; zero when left
            out
        initial: starting values: COORDINATE, COORDINATE_rate, `rate` when there is one coordinate; keep = true
            holds them in assembly
        """
        self._add("joint", {
            "type": "spherical",
            "name": name,
            "between": between,
            "axis": axis,
            "limits": limits,
            "armature": armature,
            "initial": initial,
        })

    def universal(
        self,
        name: str,
        *,
        between: Sequence[str],
        axis: Quantities | None = None,
        limits: Mapping[str, Any] | None = None,
        armature: Quantity | None = None,
        initial: Mapping[str, Any] | None = None,
        axis2: Quantities | None = None,
    ) -> None:
        """Turns about two perpendicular axes, one in each body.

        between: the two points or frames it holds: ground, body, body.point or ground.point
        axis: axis of the joint, in the axes of both frames; its natural axis when left out
        limits: what a joint with one coordinate is meant to stay within
        armature: inertia that resists each rate of the joint beside that of the bodies, such as a rotor behind a
            gear; kg*m^2 for an angle, kg for a length, of a `free` joint one plain number for both; zero when left
            out
        initial: starting values: COORDINATE, COORDINATE_rate, `rate` when there is one coordinate; keep = true
            holds them in assembly
        axis2: second axis, fixed in the second body and perpendicular to `axis`
        """
        self._add("joint", {
            "type": "universal",
            "name": name,
            "between": between,
            "axis": axis,
            "limits": limits,
            "armature": armature,
            "initial": initial,
            "axis2": axis2,
        })

    def planar(
        self,
        name: str,
        *,
        between: Sequence[str],
        axis: Quantities | None = None,
        limits: Mapping[str, Any] | None = None,
        armature: Quantity | None = None,
        initial: Mapping[str, Any] | None = None,
    ) -> None:
        """Moves in a plane and turns about its normal.

        between: the two points or frames it holds: ground, body, body.point or ground.point
        axis: axis of the joint, in the axes of both frames; its natural axis when left out
        limits: what a joint with one coordinate is meant to stay within
        armature: inertia that resists each rate of the joint beside that of the bodies, such as a rotor behind a
            gear; kg*m^2 for an angle, kg for a length, of a `free` joint one plain number for both; zero when left
            out
        initial: starting values: COORDINATE, COORDINATE_rate, `rate` when there is one coordinate; keep = true
            holds them in assembly
        """
        self._add("joint", {
            "type": "planar",
            "name": name,
            "between": between,
            "axis": axis,
            "limits": limits,
            "armature": armature,
            "initial": initial,
        })

    def screw(
        self,
        name: str,
        *,
        between: Sequence[str],
        pitch: Quantity,
        axis: Quantities | None = None,
        limits: Mapping[str, Any] | None = None,
        armature: Quantity | None = None,
        initial: Mapping[str, Any] | None = None,
    ) -> None:
        """Turns about an axis and advances with each turn.

        between: the two points or frames it holds: ground, body, body.point or ground.point
        axis: axis of the joint, in the axes of both frames; its natural axis when left out
        limits: what a joint with one coordinate is meant to stay within
        armature: inertia that resists each rate of the joint beside that of the bodies, such as a rotor behind a
            gear; kg*m^2 for an angle, kg for a length, of a `free` joint one plain number for both; zero when left
            out
        initial: starting values: COORDINATE, COORDINATE_rate, `rate` when there is one coordinate; keep = true
            holds them in assembly
        pitch (m): advance for one full turn, positive for a right-hand thread
        """
        self._add("joint", {
            "type": "screw",
            "name": name,
            "between": between,
            "axis": axis,
            "limits": limits,
            "armature": armature,
            "initial": initial,
            "pitch": pitch,
        })

    def free(
        self,
        name: str,
        *,
        between: Sequence[str],
        axis: Quantities | None = None,
        limits: Mapping[str, Any] | None = None,
        armature: Quantity | None = None,
        initial: Mapping[str, Any] | None = None,
    ) -> None:
        """Leaves all relative motion free and measures it.

        between: the two points or frames it holds: ground, body, body.point or ground.point
        axis: axis of the joint, in the axes of both frames; its natural axis when left out
        limits: what a joint with one coordinate is meant to stay within
        armature: inertia that resists each rate of the joint beside that of the bodies, such as a rotor behind a
            gear; kg*m^2 for an angle, kg for a length, of a `free` joint one plain number for both; zero when left
            out
        initial: starting values: COORDINATE, COORDINATE_rate, `rate` when there is one coordinate; keep = true
            holds them in assembly
        """
        self._add("joint", {
            "type": "free",
            "name": name,
            "between": between,
            "axis": axis,
            "limits": limits,
            "armature": armature,
            "initial": initial,
        })

    def distance(
        self,
        name: str,
        *,
        between: Sequence[str],
        length: Quantity,
        axis: Quantities | None = None,
        limits: Mapping[str, Any] | None = None,
        armature: Quantity | None = None,
        initial: Mapping[str, Any] | None = None,
    ) -> None:
        """Keeps two points a fixed distance apart.

        between: the two points or frames it holds: ground, body, body.point or ground.point
        axis: axis of the joint, in the axes of both frames; its natural axis when left out
        limits: what a joint with one coordinate is meant to stay within
        armature: inertia that resists each rate of the joint beside that of the bodies, such as a rotor behind a
            gear; kg*m^2 for an angle, kg for a length, of a `free` joint one plain number for both; zero when left
            out
        initial: starting values: COORDINATE, COORDINATE_rate, `rate` when there is one coordinate; keep = true
            holds them in assembly
        length (m): distance between the two points
        """
        self._add("joint", {
            "type": "distance",
            "name": name,
            "between": between,
            "axis": axis,
            "limits": limits,
            "armature": armature,
            "initial": initial,
            "length": length,
        })

    def point_on_line(
        self,
        name: str,
        *,
        between: Sequence[str],
        axis: Quantities | None = None,
        limits: Mapping[str, Any] | None = None,
        armature: Quantity | None = None,
        initial: Mapping[str, Any] | None = None,
    ) -> None:
        """Keeps a point of the second body on a line of the first.

        between: the two points or frames it holds: ground, body, body.point or ground.point
        axis: axis of the joint, in the axes of both frames; its natural axis when left out
        limits: what a joint with one coordinate is meant to stay within
        armature: inertia that resists each rate of the joint beside that of the bodies, such as a rotor behind a
            gear; kg*m^2 for an angle, kg for a length, of a `free` joint one plain number for both; zero when left
            out
        initial: starting values: COORDINATE, COORDINATE_rate, `rate` when there is one coordinate; keep = true
            holds them in assembly
        """
        self._add("joint", {
            "type": "point-on-line",
            "name": name,
            "between": between,
            "axis": axis,
            "limits": limits,
            "armature": armature,
            "initial": initial,
        })

    def point_in_plane(
        self,
        name: str,
        *,
        between: Sequence[str],
        axis: Quantities | None = None,
        limits: Mapping[str, Any] | None = None,
        armature: Quantity | None = None,
        initial: Mapping[str, Any] | None = None,
    ) -> None:
        """Keeps a point of the second body in a plane of the first.

        between: the two points or frames it holds: ground, body, body.point or ground.point
        axis: axis of the joint, in the axes of both frames; its natural axis when left out
        limits: what a joint with one coordinate is meant to stay within
        armature: inertia that resists each rate of the joint beside that of the bodies, such as a rotor behind a
            gear; kg*m^2 for an angle, kg for a length, of a `free` joint one plain number for both; zero when left
            out
        initial: starting values: COORDINATE, COORDINATE_rate, `rate` when there is one coordinate; keep = true
            holds them in assembly
        """
        self._add("joint", {
            "type": "point-in-plane",
            "name": name,
            "between": between,
            "axis": axis,
            "limits": limits,
            "armature": armature,
            "initial": initial,
        })

    def parallel_axes(
        self,
        name: str,
        *,
        between: Sequence[str],
        axis: Quantities | None = None,
        limits: Mapping[str, Any] | None = None,
        armature: Quantity | None = None,
        initial: Mapping[str, Any] | None = None,
    ) -> None:
        """Keeps an axis of each body parallel.

        between: the two points or frames it holds: ground, body, body.point or ground.point
        axis: axis of the joint, in the axes of both frames; its natural axis when left out
        limits: what a joint with one coordinate is meant to stay within
        armature: inertia that resists each rate of the joint beside that of the bodies, such as a rotor behind a
            gear; kg*m^2 for an angle, kg for a length, of a `free` joint one plain number for both; zero when left
            out
        initial: starting values: COORDINATE, COORDINATE_rate, `rate` when there is one coordinate; keep = true
            holds them in assembly
        """
        self._add("joint", {
            "type": "parallel-axes",
            "name": name,
            "between": between,
            "axis": axis,
            "limits": limits,
            "armature": armature,
            "initial": initial,
        })

    def generic(
        self,
        name: str,
        *,
        between: Sequence[str],
        locked: Sequence[str],
        axis: Quantities | None = None,
        limits: Mapping[str, Any] | None = None,
        armature: Quantity | None = None,
        initial: Mapping[str, Any] | None = None,
    ) -> None:
        """Locks any of the six relative coordinates.

        between: the two points or frames it holds: ground, body, body.point or ground.point
        axis: axis of the joint, in the axes of both frames; its natural axis when left out
        limits: what a joint with one coordinate is meant to stay within
        armature: inertia that resists each rate of the joint beside that of the bodies, such as a rotor behind a
            gear; kg*m^2 for an angle, kg for a length, of a `free` joint one plain number for both; zero when left
            out
        initial: starting values: COORDINATE, COORDINATE_rate, `rate` when there is one coordinate; keep = true
            holds them in assembly
        locked: the relative coordinates that stay zero
        """
        self._add("joint", {
            "type": "generic",
            "name": name,
            "between": between,
            "axis": axis,
            "limits": limits,
            "armature": armature,
            "initial": initial,
            "locked": locked,
        })

    def constant_velocity(
        self,
        name: str,
        *,
        between: Sequence[str],
        axis: Quantities | None = None,
        limits: Mapping[str, Any] | None = None,
        armature: Quantity | None = None,
        initial: Mapping[str, Any] | None = None,
    ) -> None:
        """Lets two shafts bend at a point and turns them equally fast.

        between: the two points or frames it holds: ground, body, body.point or ground.point
        axis: axis of the joint, in the axes of both frames; its natural axis when left out
        limits: what a joint with one coordinate is meant to stay within
        armature: inertia that resists each rate of the joint beside that of the bodies, such as a rotor behind a
            gear; kg*m^2 for an angle, kg for a length, of a `free` joint one plain number for both; zero when left
            out
        initial: starting values: COORDINATE, COORDINATE_rate, `rate` when there is one coordinate; keep = true
            holds them in assembly
        """
        self._add("joint", {
            "type": "constant-velocity",
            "name": name,
            "between": between,
            "axis": axis,
            "limits": limits,
            "armature": armature,
            "initial": initial,
        })

    def rolling_disc(
        self,
        name: str,
        *,
        between: Sequence[str],
        radius: Quantity,
        axis: Quantities | None = None,
        limits: Mapping[str, Any] | None = None,
        armature: Quantity | None = None,
        initial: Mapping[str, Any] | None = None,
    ) -> None:
        """Rolls a thin disc on a plane without slip.

        between: the two points or frames it holds: ground, body, body.point or ground.point
        axis: axis of the joint, in the axes of both frames; its natural axis when left out
        limits: what a joint with one coordinate is meant to stay within
        armature: inertia that resists each rate of the joint beside that of the bodies, such as a rotor behind a
            gear; kg*m^2 for an angle, kg for a length, of a `free` joint one plain number for both; zero when left
            out
        initial: starting values: COORDINATE, COORDINATE_rate, `rate` when there is one coordinate; keep = true
            holds them in assembly
        radius (m): radius of the disc
        """
        self._add("joint", {
            "type": "rolling-disc",
            "name": name,
            "between": between,
            "axis": axis,
            "limits": limits,
            "armature": armature,
            "initial": initial,
            "radius": radius,
        })

    def knife_edge(
        self,
        name: str,
        *,
        between: Sequence[str],
        axis: Quantities | None = None,
        limits: Mapping[str, Any] | None = None,
        armature: Quantity | None = None,
        initial: Mapping[str, Any] | None = None,
    ) -> None:
        """Lets a point move along an edge of its body, not across.

        between: the two points or frames it holds: ground, body, body.point or ground.point
        axis: axis of the joint, in the axes of both frames; its natural axis when left out
        limits: what a joint with one coordinate is meant to stay within
        armature: inertia that resists each rate of the joint beside that of the bodies, such as a rotor behind a
            gear; kg*m^2 for an angle, kg for a length, of a `free` joint one plain number for both; zero when left
            out
        initial: starting values: COORDINATE, COORDINATE_rate, `rate` when there is one coordinate; keep = true
            holds them in assembly
        """
        self._add("joint", {
            "type": "knife-edge",
            "name": name,
            "between": between,
            "axis": axis,
            "limits": limits,
            "armature": armature,
            "initial": initial,
        })

    def beam_slider(
        self,
        name: str,
        *,
        between: Sequence[str],
        axis: Quantities | None = None,
        limits: Mapping[str, Any] | None = None,
        armature: Quantity | None = None,
        initial: Mapping[str, Any] | None = None,
    ) -> None:
        """Keeps a point of the second body on the centreline of a flexible beam.

        between: the two points or frames it holds: ground, body, body.point or ground.point
        axis: axis of the joint, in the axes of both frames; its natural axis when left out
        limits: what a joint with one coordinate is meant to stay within
        armature: inertia that resists each rate of the joint beside that of the bodies, such as a rotor behind a
            gear; kg*m^2 for an angle, kg for a length, of a `free` joint one plain number for both; zero when left
            out
        initial: starting values: COORDINATE, COORDINATE_rate, `rate` when there is one coordinate; keep = true
            holds them in assembly
        """
        self._add("joint", {
            "type": "beam-slider",
            "name": name,
            "between": between,
            "axis": axis,
            "limits": limits,
            "armature": armature,
            "initial": initial,
        })

    def gear(
        self,
        name: str,
        *,
        joints: Sequence[str],
        ratio: Quantity | None = None,
        teeth: Quantities | None = None,
        internal: bool | None = None,
    ) -> None:
        """Two turning joints geared together: q1 - ratio q2 stays the same, or z1 q1 + z2 q2 for teeth z1, z2
        (minus for internal teeth).

        joints: the two angles
        ratio: turns of the first for one of the second
        teeth: numbers of teeth, instead of `ratio`; external gears turn opposite
        internal: the gears of `teeth` turn the same way
        """
        self._add("coupler", {
            "type": "gear",
            "name": name,
            "joints": joints,
            "ratio": ratio,
            "teeth": teeth,
            "internal": internal,
        })

    def linear(
        self,
        name: str,
        *,
        joints: Sequence[str],
        factors: Quantities,
        offset: Quantity | None = None,
    ) -> None:
        """A sum of coordinates times factors stays the same.

        joints: two coordinates or more
        factors: one for each coordinate
        offset: what the sum is; its value at the start when left out
        """
        self._add("coupler", {
            "type": "linear",
            "name": name,
            "joints": joints,
            "factors": factors,
            "offset": offset,
        })

    def rack_and_pinion(
        self,
        name: str,
        *,
        rack: str,
        pinion: str,
        radius: Quantity,
    ) -> None:
        """A rack that a pinion moves: s - r theta stays the same.

        rack: a length, s
        pinion: an angle, theta
        radius (m): radius r of the pinion; negative when the rack runs back
        """
        self._add("coupler", {
            "type": "rack-and-pinion",
            "name": name,
            "rack": rack,
            "pinion": pinion,
            "radius": radius,
        })

    def force_force(
        self,
        name: str,
        *,
        at: str,
        value: Quantities,
        frame: str | None = None,
    ) -> None:
        """Pushes a point of a body.

        at: the point it acts on
        value (N): components of the force
        frame: whose axes the components are along: fixed, or following the body
        """
        self._add("force", {
            "type": "force",
            "name": name,
            "at": at,
            "value": value,
            "frame": frame,
        })

    def torque(
        self,
        name: str,
        *,
        on: str,
        value: Quantity,
        axis: Quantities | None = None,
        frame: str | None = None,
        reaction_on: str | None = None,
    ) -> None:
        """Turns a body.

        on: the body it acts on
        value (N*m): the torque
        axis: direction of the torque, z when left out; always z in the plane
        frame: whose axes the direction is given in: fixed, or following the body
        reaction_on: the body that gets the opposite torque, the ground when left out
        """
        self._add("force", {
            "type": "torque",
            "name": name,
            "on": on,
            "value": value,
            "axis": axis,
            "frame": frame,
            "reaction_on": reaction_on,
        })

    def spring_damper(
        self,
        name: str,
        *,
        between: Sequence[str],
        stiffness: Quantity | None = None,
        length: Quantity | None = None,
        damping: Quantity | None = None,
        force: Quantity | None = None,
    ) -> None:
        """Pulls two points together like a spring, a damper and an actuator side by side.

        between: its two ends
        stiffness (N/m): tension for each metre beyond the rest length
        length (m): rest length; must be given when there is a stiffness
        damping (N*s/m): tension for each metre a second of lengthening
        force (N): actuator: tension that is added
        """
        self._add("force", {
            "type": "spring-damper",
            "name": name,
            "between": between,
            "stiffness": stiffness,
            "length": length,
            "damping": damping,
            "force": force,
        })

    def joint_spring_damper(
        self,
        name: str,
        *,
        joint: str,
        stiffness: Quantity | None = None,
        rest: Quantity | None = None,
        damping: Quantity | None = None,
        effort: Quantity | None = None,
    ) -> None:
        """Holds a joint coordinate like a spring, a damper and an actuator side by side.

        joint: the coordinate it acts along
        stiffness: effort for each unit away from rest: N/m or N*m/rad
        rest: value of the coordinate where the spring is at rest: m or rad
        damping: effort for each unit of rate: N*s/m or N*m*s/rad
        effort: actuator: effort that is added, N or N*m
        """
        self._add("force", {
            "type": "joint-spring-damper",
            "name": name,
            "joint": joint,
            "stiffness": stiffness,
            "rest": rest,
            "damping": damping,
            "effort": effort,
        })

    def bushing(
        self,
        name: str,
        *,
        between: Sequence[str],
        stiffness: Quantities | None = None,
        damping: Quantities | None = None,
        torsional_stiffness: Quantities | None = None,
        torsional_damping: Quantities | None = None,
        torsional_stiffness_z: Quantity | None = None,
        torsional_damping_z: Quantity | None = None,
    ) -> None:
        """Holds two frames together with springs and dampers in all directions.

        between: its two frames
        stiffness (N/m): stiffness along the axes of the first frame
        damping (N*s/m): damping along the axes of the first frame
        torsional_stiffness (N*m/rad): stiffness about the axes of the first frame (spatial)
        torsional_damping (N*m*s/rad): damping about the axes of the first frame (spatial)
        torsional_stiffness_z (N*m/rad): stiffness about z (planar)
        torsional_damping_z (N*m*s/rad): damping about z (planar)
        """
        self._add("force", {
            "type": "bushing",
            "name": name,
            "between": between,
            "stiffness": stiffness,
            "damping": damping,
            "torsional_stiffness": torsional_stiffness,
            "torsional_damping": torsional_damping,
            "torsional_stiffness_z": torsional_stiffness_z,
            "torsional_damping_z": torsional_damping_z,
        })

    def coulomb_friction(
        self,
        name: str,
        *,
        joint: str,
        mu: Quantity,
        radius: Quantity | None = None,
        preload: Quantity | None = None,
        transition_speed: Quantity | None = None,
    ) -> None:
        """Rubs along a joint coordinate in proportion to the reaction of the joint.

        joint: the coordinate that rubs
        mu: coefficient of friction
        radius (m): radius of the rubbing surface; must be given for an angle
        preload (N): normal force that is there without any reaction
        transition_speed: speed below which the friction fades: m/s or rad/s; 0 for an exact sign, which passes
            through rest but cannot stick
        """
        self._add("force", {
            "type": "coulomb-friction",
            "name": name,
            "joint": joint,
            "mu": mu,
            "radius": radius,
            "preload": preload,
            "transition_speed": transition_speed,
        })

    def joint_damping(
        self,
        name: str,
        *,
        joint: str,
        damping: Quantity,
        quadratic: Quantity | None = None,
    ) -> None:
        """Resists the rate of a joint coordinate.

        joint: the coordinate it acts along
        damping: effort for each unit of rate: N*s/m or N*m*s/rad
        quadratic: effort for each unit of rate squared: N*s^2/m^2 or N*m*s^2/rad^2
        """
        self._add("force", {
            "type": "joint-damping",
            "name": name,
            "joint": joint,
            "damping": damping,
            "quadratic": quadratic,
        })

    def joint_friction(
        self,
        name: str,
        *,
        joint: str,
        viscous: Quantity | None = None,
        coulomb: Quantity | None = None,
        transition_speed: Quantity | None = None,
    ) -> None:
        """Rubs along a joint coordinate, whatever the joint carries.

        joint: the coordinate that rubs
        viscous: effort for each unit of rate: N*s/m or N*m*s/rad
        coulomb: dry friction, the same at every rate: N or N*m
        transition_speed: speed below which the dry friction fades: m/s or rad/s
        """
        self._add("force", {
            "type": "joint-friction",
            "name": name,
            "joint": joint,
            "viscous": viscous,
            "coulomb": coulomb,
            "transition_speed": transition_speed,
        })

    def actuator(
        self,
        name: str,
        *,
        joint: str,
        effort: Quantity,
    ) -> None:
        """Drives a joint coordinate with a given force or torque.

        joint: the coordinate it acts along
        effort: force (N) or torque (N*m) along the coordinate
        """
        self._add("force", {
            "type": "actuator",
            "name": name,
            "joint": joint,
            "effort": effort,
        })

    def motor(
        self,
        name: str,
        *,
        joint: str,
        effort: Quantity | None = None,
        ratio: Quantity | None = None,
        rotor_inertia: Quantity | None = None,
        viscous: Quantity | None = None,
        coulomb: Quantity | None = None,
        transition_speed: Quantity | None = None,
        torque_limit: Quantity | None = None,
        stall_torque: Quantity | None = None,
        no_load_speed: Quantity | None = None,
    ) -> None:
        """Drives a joint coordinate through a gear, with a rotor, friction and limits of torque and speed.

        joint: the coordinate it drives
        effort: force (N) or torque (N*m) asked for at the joint; none when left out
        ratio: turns of the shaft for one of the joint, for a length in rad/m; negative where it turns the other way
        rotor_inertia (kg*m^2): moment of inertia of what turns with the shaft
        viscous (N*m*s/rad): friction torque at the shaft for each unit of its speed
        coulomb (N*m): dry friction torque at the shaft
        transition_speed (rad/s): speed of the shaft below which the dry friction fades
        torque_limit (N*m): largest torque at the shaft, either way; none when left out
        stall_torque (N*m): largest torque at the shaft at rest; with `no_load_speed`
        no_load_speed (rad/s): speed of the shaft at which no torque is left; with `stall_torque`
        """
        self._add("force", {
            "type": "motor",
            "name": name,
            "joint": joint,
            "effort": effort,
            "ratio": ratio,
            "rotor_inertia": rotor_inertia,
            "viscous": viscous,
            "coulomb": coulomb,
            "transition_speed": transition_speed,
            "torque_limit": torque_limit,
            "stall_torque": stall_torque,
            "no_load_speed": no_load_speed,
        })

    def limit(
        self,
        name: str,
        *,
        joint: str,
        stiffness: Quantity,
        lower: Quantity | None = None,
        upper: Quantity | None = None,
        damping: Quantity | None = None,
    ) -> None:
        """Stops a joint coordinate softly at the ends of its travel.

        joint: the coordinate it stops
        lower: lower end of travel: m or rad
        upper: upper end of travel: m or rad
        stiffness: effort for each unit beyond the stop: N/m or N*m/rad
        damping: share of the elastic effort added for each unit of approach speed: s/m or s/rad
        """
        self._add("force", {
            "type": "limit",
            "name": name,
            "joint": joint,
            "lower": lower,
            "upper": upper,
            "stiffness": stiffness,
            "damping": damping,
        })

    def distributed(
        self,
        name: str,
        *,
        on: str,
        value: Quantities,
        end_value: Quantities | None = None,
        frame: str | None = None,
        from_: Quantity | None = None,
        to: Quantity | None = None,
    ) -> None:
        """Pushes a beam along its length.

        on: the beam it acts on
        value (N/m): components of the force by length of the beam without stress
        end_value (N/m): the same where the load ends, with a linear course between; as `value` when left out
        frame: whose axes the components are along: fixed, or following the beam, x along it
        from_: where the load begins: a share of the length such as 0.25, or a distance such as "12 mm"; the start
            of the beam when left out
        to: where the load ends; the end of the beam when left out
        """
        self._add("force", {
            "type": "distributed",
            "name": name,
            "on": on,
            "value": value,
            "end_value": end_value,
            "frame": frame,
            "from": from_,
            "to": to,
        })
