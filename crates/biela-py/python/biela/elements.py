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
        """The fixed ground.

        points: named points, in the body frame
        frames: named frames: points with their own axes
        shapes: shapes that show the ground
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

        mass (kg): mass; zero is allowed if the bodies that are welded to it or carried by it provide the inertia of
            its motions
        inertia (kg*m^2): moment of inertia about the mass centre: a number in the plane; three principal moments, a
            3x3 matrix or its entries in space; 0 for a point mass
        unphysical: accept a physically impossible inertia, with a warning
        com (m): mass centre in the body frame; default: its origin
        density (kg/m^3): density of the shapes, instead of `mass` and `inertia`
        points: named points, in the body frame
        frames: named frames: points with their own axes
        shapes: shapes of the body, for mass properties and appearance
        position (m): initial position of the body frame; default: determined by the joints
        angle (rad): initial angle (planar)
        rotation: initial orientation (spatial)
        velocity (m/s): initial velocity of the origin of the body frame
        omega (rad/s): initial angular velocity: a number in the plane, three components along the ground's axes in
            space
        keep: assembly must keep the initial pose
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
        """A flexible beam from `from` to `to`, or along `shape`. Stiffness is computed from `section` and `young`,
        or given; mass is computed from `section` and `density`, or given. Its stations are `NAME.start`, `NAME.end`
        and its `points` and `frames`; each is a body that joints, forces and signals can refer to, with the x axis
        along the beam.

        from_ (m): start point, in the ground frame
        to (m): end point of a straight beam
        shape: three or more points of the stress-free curve of the beam, instead of `from` and `to`; for a cable in
            space the initial curve, while the stress-free shape is straight
        elements: number of elements of equal length; for exact approximate, with a node at every station; default:
            8
        element: element formulation; lumped: rigid bars with springs between them, for planar models; exact:
            geometrically exact, with torsion and shear, for spatial models; default: cable
        gauss_points: numbers of Gauss points for stretching (3 to 5) and bending (2 to 5) of an element; default:
            chosen by the element
        section: the cross-section
        end_section: the cross-section at the end, of the same type: its dimensions vary linearly along the beam
        young (Pa): Young's modulus
        shear_modulus (Pa): shear modulus (exact); default: from `young` and `poisson`
        poisson: Poisson's ratio (exact); default: 0.3
        density (kg/m^3): density
        axial_stiffness (N): axial stiffness EA, instead of `section` and `young`
        bending_stiffness (N*m^2): bending stiffness EI, instead of `section` and `young`: about the normal of the
            plane, or in space about any axis perpendicular to the beam; for exact also [about y, about z]
        torsional_stiffness (N*m^2): torsional stiffness GJ (exact), instead of `section` and `young`
        shear_stiffness (N): shear stiffness: shear correction factor times GA (exact), or [along y, along z],
            instead of `section` and `young`
        mass (kg): mass, instead of `density`
        mass_per_length (kg/m): mass per length, instead of `density`
        damping (s): Kelvin-Voigt damping time: stress = stiffness times (strain + damping times strain rate); for
            cables in space and for green-lagrange of stretching only; default: 0
        up: direction of the z axis of the section (its height) at the start (exact); default: z, or x if the beam
            starts vertically
        twist (rad): stress-free twist of the section about the beam from its start to its end (exact); default: 0
        tension (N): axial force in the initial shape (prestress); default: 0
        points: named stations: a bare number is a fraction of the length, from 0 to 1; a quantity such as "12 mm" a
            distance from the start
        frames: named frames fixed to the section at a station, optionally off the centreline
        velocity (m/s): initial velocity of its start point, as a rigid body
        omega (rad/s): initial angular velocity, as a rigid body: a number in the plane, three components along the
            ground's axes in space
        rigid: treat the beam as one rigid body called NAME, with the same mass, inertia and stations
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
        """A joint between two bodies. Its type is one of weld, revolute, prismatic, cylindrical, spherical,
        universal, planar, screw, free, distance, point-on-line, point-in-plane, parallel-axes, generic, constant-
        velocity, rolling-disc, knife-edge, beam-slider.

        type: kind of joint
        between: the two points or frames that it connects: ground, body, body.point or ground.point
        axis: axis of the joint, in the axes of both frames; default: the natural axis of the joint type
        limits: limits of a joint with one coordinate
        armature: armature inertia added to each joint velocity, such as that of a rotor reflected through its gear;
            kg*m^2 for an angle, kg for a displacement, for a `free` joint one plain number for both; default: 0
        initial: initial values: COORDINATE, COORDINATE_rate (joint velocity), or `rate` if there is one coordinate;
            with keep = true assembly must keep them
        axis2: second axis, fixed in the second body and perpendicular to `axis`
        pitch (m): advance per full turn, positive for a right-hand thread
        length (m): distance between the two points
        locked: the relative coordinates that are locked at zero
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
        """A serial arm defined by a Denavit-Hartenberg table. Every link is a body whose frame is that of its row,
        every row a joint; both are used like other bodies and joints.

        convention: standard: a row is Rz(theta) Tz(d) Tx(a) Rx(alpha), with the joint along the z axis of the
            previous frame; modified (Craig): Rx(alpha) Tx(a) Rz(theta) Tz(d), with the joint along the z axis of
            its own frame; default: standard
        base: the base frame: ground, body, body.frame or ground.frame; default: ground
        links: links, starting at the base
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
        joints: the two rotational coordinates
        ratio: gear ratio: turns of the first per turn of the second
        teeth: numbers of teeth, instead of `ratio`; external gears rotate in opposite directions
        internal: internal gear: the gears of `teeth` rotate in the same direction
        factors: one for each coordinate
        offset: value of the linear combination; default: its initial value
        rack: the displacement s of the rack
        pinion: the angle theta of the pinion
        radius (m): radius r of the pinion; negative if the rack moves in the opposite direction
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
        """A reference motion of joints. Its signals are NAME.JOINT, NAME.JOINT_rate (velocity),
        NAME.JOINT_acceleration and NAME.JOINT_jerk. Before its start and after its end the joints are at rest. Its
        type is one of hold, cubic, quintic, septic, trapezoidal, spline, sinusoid, line, circle, file, sequence.

        type: kind of motion
        joints: the joints that it moves, in the order of its lists; default: all joints of the robot
        start (s): start time; default: 0
        at: the position to hold, one value per joint
        duration (s): duration, if another motion follows
        points: points of the motion, one list of joint positions per point
        times (s): times at the points, increasing, counted from `start`
        via: whether the motion stops at intermediate points, or passes them with the mean of the slopes on both
            sides (zero if these differ in sign)
        rates: velocities at all points, instead of `via`; zero at the ends if omitted
        accelerations: accelerations at all points; zero if omitted
        rate: largest velocity of each joint; its velocity limit if omitted
        acceleration: largest acceleration of each joint; required without `times`
        ends: end conditions: the velocities `end_rates`; zero acceleration; or a periodic motion, which returns to
            its start and repeats without end
        end_rates: velocities at the two clamped ends; zero if omitted
        offset: position to which the terms are added; zero if omitted
        amplitude: one list of joint amplitudes per term
        period (s): period of each term
        phase (rad): phase of each term; zero if omitted
        form: form of a term: amplitude/2 * (1 - cos(2*pi*t/period + phase)), or amplitude * sin(2*pi*t/period +
            phase)
        from_: joint positions at the start, which determine the start pose of the tool
        to (m): end point of the tool, in the ground frame; the start point if omitted
        angle (rad): angle of the tool's frame at the end (planar)
        rotation: orientation of the tool's frame at the end (spatial)
        orientation: whether the orientation is constant, or rotates uniformly to `angle` or `rotation`; or is free
        law: time law of the path parameter, from rest to rest
        center (m): a point on the axis of the circle, in the ground frame; used with `axis` and `angle`
        axis: direction of the axis; z if omitted
        through: an intermediate point and the end point of an arc, instead of `center`
        file: the file, in the folder of the model
        segments: names of trajectories that are defined above and move the same joints
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

        on: driven quantity: joint, joint.coordinate, or a component of a point such as body.point.x
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
        frame: axes of the components: those of the ground, or those of the body (follower force)
        on: the body it acts on
        axis: direction of the torque, z if omitted; always z in planar models
        reaction_on: the body on which the reaction torque acts; the ground if omitted
        between: the two points it connects
        stiffness (N/m): tension per metre of elongation
        length (m): rest length; required if there is a stiffness
        damping (N*s/m): tension per unit of elongation velocity
        force (N): actuator: additional tension
        joint: the coordinate it acts along
        rest: value of the coordinate at which the spring is unstressed: m or rad
        effort: actuator: additional force or torque, N or N*m
        torsional_stiffness (N*m/rad): stiffness about the axes of the first frame (spatial)
        torsional_damping (N*m*s/rad): damping about the axes of the first frame (spatial)
        torsional_stiffness_z (N*m/rad): stiffness about z (planar)
        torsional_damping_z (N*m*s/rad): damping about z (planar)
        mu: coefficient of friction
        radius (m): radius of the friction surface; required for an angle
        preload (N): normal force in addition to the reaction
        transition_speed: speed below which the friction is regularized: m/s or rad/s; 0 for the exact sign
            function, which passes through zero velocity but cannot stick
        quadratic: force or torque per unit of velocity squared: N*s^2/m^2 or N*m*s^2/rad^2
        viscous: viscous friction, force or torque per unit of velocity: N*s/m or N*m*s/rad
        coulomb: dry friction, independent of the magnitude of the velocity: N or N*m
        ratio: gear ratio: turns of the shaft per turn of the joint, for a length in rad/m; negative if the
            directions are opposite
        rotor_inertia (kg*m^2): moment of inertia of the rotor and all parts that rotate with the shaft
        torque_limit (N*m): largest torque at the shaft in both directions; unlimited if omitted
        stall_torque (N*m): largest torque of the shaft at zero speed; requires `no_load_speed`
        no_load_speed (rad/s): speed of the shaft at which the available torque is zero; requires `stall_torque`
        lower: lower limit: m or rad
        upper: upper limit: m or rad
        end_value (N/m): components at the end of the load, linear in between; equal to `value` if omitted
        from_: start of the load: a fraction of the length such as 0.25, or a distance such as "12 mm"; the start of
            the beam if omitted
        to: end of the load; the end of the beam if omitted
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
        """A formula of signals, which is itself a signal.

        value: formula of time, signals and other sensors
        unit: SI unit of the value; default: derived from the formula
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
        """A sampled controller: at every sample it reads its inputs, computes its outputs, which are held until the
        next sample, and then updates its states. Its formulas use its inputs and states (those of states also its
        outputs), parameters and time. Its type is one of pd, pid, computed-torque, linearized-cancellation,
        feedforward, impedance, lqr, sliding-mode, adaptive.

        period (s): sampling period
        offset (s): time of the first sample; default: 0
        delay (s): time from a sample until its outputs take effect; default: 0
        inputs: NAME = formula of signals and time, evaluated at every sample
        states: NAME = formula of its value at the next sample; the initial value is 0
        outputs: NAME = formula; available as the signal CONTROLLER.NAME
        law: the control law
        trajectory: the reference trajectory; default: rest at `reference`
        reference: reference positions of joints that the trajectory does not move: one value for all, or one per
            joint of the robot; default: 0
        joints: the driven joints, in the order of lists of gains; default: all joints of the robot that are not
            passive
        model: the design model used by the law; default: this model
        rate: joint velocities: measured, or finite differences of measured positions; default: measured
        noise: measurement noise; default: none
        quantum: quantization of measurements and of efforts; default: none
        saturation: largest effort in both directions, one for all driven joints or one per joint, or "none";
            default: the effort limits of the joints
        kp: gain of the position error
        kd: gain of the velocity error
        gravity: position at which the gravity of the design model is compensated: the measured one, that of the
            reference, or none
        ki: gain of the integral of the position error
        frequency: natural frequency Ω of the errors
        damping: damping Ψ of the errors; its square is the damping ratio
        aim: reference point from which errors and gains are computed: that of the next sample, or of this one
        averaged: whether the feedforward forces and torques are the mean of those at this sample and at the next,
            not those at this sample
        sign: sign of the feedback: the correct one, or the one printed in the source, with which the loop is
            unstable
        tool: point or frame to which the springs are attached; the robot's tool if omitted
        stiffness (N/m): stiffness along the axes of the ground
        turn_stiffness (N*m/rad): rotational stiffness
        turn_damping (N*m*s/rad): rotational damping
        null_damping: damping of null-space motions, which do not move the tool
        position_weight: weight of squared position errors, one per joint of the robot
        rate_weight: weight of squared velocity errors, one per joint of the robot
        effort_weight: weight of squared forces or torques, one per driven joint
        design: time in which the cost is defined: discrete, with forces and torques held between samples, or
            continuous
        slope: decay rate Λ of the errors on the sliding surface
        gain: acceleration K towards the sliding surface; it must exceed that caused by model errors
        layer: half width φ of the boundary layer about the sliding surface, within which the law is continuous
        bodies: the bodies of the design model whose inertial parameters are estimated
        mass_gain: adaptation gain of the mass; zero does not adapt it. The mass is at the body's mass centre, or at
            its origin if first moments are estimated too
        moment_gain: adaptation gain of the first moment, mass times mass centre
        inertia_gain: adaptation gain of the inertia about the body's origin
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

        when: event function, whose zero crossings are located
        crossing: direction of the crossings; default: any
        action: stop ends the run, mark records the time; default: mark
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
        """A robot: an open tree of links whose joints have one coordinate each.

        joints: joints of the robot, in the order of all lists with one value per joint; default: all joints with
            one coordinate
        passive: joints without actuation
        tool: tool point or frame
        posture: preferred pose, one value per joint; default: the middle of the limits
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
        """The analysis.

        analysis: dynamics: motion under forces; kinematics: motion of a fully driven mechanism; statics: equilibria
            at rest; assemble: only the initial configuration; default: dynamics
        start: initial state of dynamics: as written, or at the equilibrium found from the written state; default:
            written
        start_points: number of initial points of the statics search: the written state and random ones; default: 1
        load_steps: number of equal load steps in which statics applies gravity, forces and torques, with one row of
            results per step; default: a single step
        tolerance: relative tolerance of statics: unbalanced force divided by all forces, including internal ones;
            default: 1e-10
        duration (s): simulated time; required for dynamics and kinematics
        output_step (s): time between output rows; default: duration/500
        formulation: formulation: absolute or joint coordinates
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
        """The recorded signals.

        signals: signals, or elements for all of their signals; default: the main signals of all elements
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
        """A scalar measure of a run: a statistic of a signal over time, the time of an event, or a formula of other
        measures.

        of: formula of time and signals to which `take` applies
        take: statistic over the output times; default: final
        at (s): the time for take = "at"
        from_ (s): start of the time window; default: the start of the run
        to (s): end of the time window; default: the end of the run
        event: the event whose time is measured
        which: occurrence of the event, counted from 1; default: 1
        value: formula of other measures and parameters
        unit: SI unit of the measure; default: derived from the formula
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
        """A parameter sweep: runs with different parameter values.

        plan: grid: all combinations; list: values side by side; random, latin, sobol: points sampled from
            distributions, by Monte Carlo, as a Latin hypercube, by the Sobol sequence
        vary: the parameters and their values
        points: number of sampled points; default: 100
        seed: seed of the random numbers; default: 1
        file: CSV file with the points of a list: one column per parameter, NAME [UNIT]
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
        """An optimization of parameter values.

        minimize: objective to be minimized: a formula of measures and parameters
        maximize: objective to be maximized instead: a formula of measures and parameters
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
        """A fit of parameter values to measurements.

        data: CSV file with a column `time` and columns named like signals, each NAME [UNIT]
        vary: the parameters and their bounds; the search starts at the values of the model
        deviation: standard deviation of the measurements of a signal, by which its residuals are divided; default:
            1 in SI units
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
        """Fixes two frames to each other.

        between: the two points or frames that it connects: ground, body, body.point or ground.point
        axis: axis of the joint, in the axes of both frames; default: the natural axis of the joint type
        limits: limits of a joint with one coordinate
        armature: armature inertia added to each joint velocity, such as that of a rotor reflected through its gear;
            kg*m^2 for an angle, kg for a displacement, for a `free` joint one plain number for both; default: 0
        initial: initial values: COORDINATE, COORDINATE_rate (joint velocity), or `rate` if there is one coordinate;
            with keep = true assembly must keep them
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
        """Rotates about one axis.

        between: the two points or frames that it connects: ground, body, body.point or ground.point
        axis: axis of the joint, in the axes of both frames; default: the natural axis of the joint type
        limits: limits of a joint with one coordinate
        armature: armature inertia added to each joint velocity, such as that of a rotor reflected through its gear;
            kg*m^2 for an angle, kg for a displacement, for a `free` joint one plain number for both; default: 0
        initial: initial values: COORDINATE, COORDINATE_rate (joint velocity), or `rate` if there is one coordinate;
            with keep = true assembly must keep them
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
        """Slides along one axis without rotation.

        between: the two points or frames that it connects: ground, body, body.point or ground.point
        axis: axis of the joint, in the axes of both frames; default: the natural axis of the joint type
        limits: limits of a joint with one coordinate
        armature: armature inertia added to each joint velocity, such as that of a rotor reflected through its gear;
            kg*m^2 for an angle, kg for a displacement, for a `free` joint one plain number for both; default: 0
        initial: initial values: COORDINATE, COORDINATE_rate (joint velocity), or `rate` if there is one coordinate;
            with keep = true assembly must keep them
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
        """Slides along an axis and rotates about it.

        between: the two points or frames that it connects: ground, body, body.point or ground.point
        axis: axis of the joint, in the axes of both frames; default: the natural axis of the joint type
        limits: limits of a joint with one coordinate
        armature: armature inertia added to each joint velocity, such as that of a rotor reflected through its gear;
            kg*m^2 for an angle, kg for a displacement, for a `free` joint one plain number for both; default: 0
        initial: initial values: COORDINATE, COORDINATE_rate (joint velocity), or `rate` if there is one coordinate;
            with keep = true assembly must keep them
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
        """Rotates freely about one point.

        between: the two points or frames that it connects: ground, body, body.point or ground.point
        axis: axis of the joint, in the axes of both frames; default: the natural axis of the joint type
        limits: limits of a joint with one coordinate
        armature: armature inertia added to each joint velocity, such as that of a rotor reflected through its gear;
            kg*m^2 for an angle, kg for a displacement, for a `free` joint one plain number for both; default: 0
        initial: initial values: COORDINATE, COORDINATE_rate (joint velocity), or `rate` if there is one coordinate;
            with keep = true assembly must keep them
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
        """Rotates about two perpendicular axes, one fixed in each body.

        between: the two points or frames that it connects: ground, body, body.point or ground.point
        axis: axis of the joint, in the axes of both frames; default: the natural axis of the joint type
        limits: limits of a joint with one coordinate
        armature: armature inertia added to each joint velocity, such as that of a rotor reflected through its gear;
            kg*m^2 for an angle, kg for a displacement, for a `free` joint one plain number for both; default: 0
        initial: initial values: COORDINATE, COORDINATE_rate (joint velocity), or `rate` if there is one coordinate;
            with keep = true assembly must keep them
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
        """Translates in a plane and rotates about its normal.

        between: the two points or frames that it connects: ground, body, body.point or ground.point
        axis: axis of the joint, in the axes of both frames; default: the natural axis of the joint type
        limits: limits of a joint with one coordinate
        armature: armature inertia added to each joint velocity, such as that of a rotor reflected through its gear;
            kg*m^2 for an angle, kg for a displacement, for a `free` joint one plain number for both; default: 0
        initial: initial values: COORDINATE, COORDINATE_rate (joint velocity), or `rate` if there is one coordinate;
            with keep = true assembly must keep them
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
        """Rotates about an axis and advances in proportion to the angle.

        between: the two points or frames that it connects: ground, body, body.point or ground.point
        axis: axis of the joint, in the axes of both frames; default: the natural axis of the joint type
        limits: limits of a joint with one coordinate
        armature: armature inertia added to each joint velocity, such as that of a rotor reflected through its gear;
            kg*m^2 for an angle, kg for a displacement, for a `free` joint one plain number for both; default: 0
        initial: initial values: COORDINATE, COORDINATE_rate (joint velocity), or `rate` if there is one coordinate;
            with keep = true assembly must keep them
        pitch (m): advance per full turn, positive for a right-hand thread
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
        """Measures the relative motion without constraining it.

        between: the two points or frames that it connects: ground, body, body.point or ground.point
        axis: axis of the joint, in the axes of both frames; default: the natural axis of the joint type
        limits: limits of a joint with one coordinate
        armature: armature inertia added to each joint velocity, such as that of a rotor reflected through its gear;
            kg*m^2 for an angle, kg for a displacement, for a `free` joint one plain number for both; default: 0
        initial: initial values: COORDINATE, COORDINATE_rate (joint velocity), or `rate` if there is one coordinate;
            with keep = true assembly must keep them
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
        """Keeps the distance between two points constant.

        between: the two points or frames that it connects: ground, body, body.point or ground.point
        axis: axis of the joint, in the axes of both frames; default: the natural axis of the joint type
        limits: limits of a joint with one coordinate
        armature: armature inertia added to each joint velocity, such as that of a rotor reflected through its gear;
            kg*m^2 for an angle, kg for a displacement, for a `free` joint one plain number for both; default: 0
        initial: initial values: COORDINATE, COORDINATE_rate (joint velocity), or `rate` if there is one coordinate;
            with keep = true assembly must keep them
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

        between: the two points or frames that it connects: ground, body, body.point or ground.point
        axis: axis of the joint, in the axes of both frames; default: the natural axis of the joint type
        limits: limits of a joint with one coordinate
        armature: armature inertia added to each joint velocity, such as that of a rotor reflected through its gear;
            kg*m^2 for an angle, kg for a displacement, for a `free` joint one plain number for both; default: 0
        initial: initial values: COORDINATE, COORDINATE_rate (joint velocity), or `rate` if there is one coordinate;
            with keep = true assembly must keep them
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

        between: the two points or frames that it connects: ground, body, body.point or ground.point
        axis: axis of the joint, in the axes of both frames; default: the natural axis of the joint type
        limits: limits of a joint with one coordinate
        armature: armature inertia added to each joint velocity, such as that of a rotor reflected through its gear;
            kg*m^2 for an angle, kg for a displacement, for a `free` joint one plain number for both; default: 0
        initial: initial values: COORDINATE, COORDINATE_rate (joint velocity), or `rate` if there is one coordinate;
            with keep = true assembly must keep them
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

        between: the two points or frames that it connects: ground, body, body.point or ground.point
        axis: axis of the joint, in the axes of both frames; default: the natural axis of the joint type
        limits: limits of a joint with one coordinate
        armature: armature inertia added to each joint velocity, such as that of a rotor reflected through its gear;
            kg*m^2 for an angle, kg for a displacement, for a `free` joint one plain number for both; default: 0
        initial: initial values: COORDINATE, COORDINATE_rate (joint velocity), or `rate` if there is one coordinate;
            with keep = true assembly must keep them
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

        between: the two points or frames that it connects: ground, body, body.point or ground.point
        axis: axis of the joint, in the axes of both frames; default: the natural axis of the joint type
        limits: limits of a joint with one coordinate
        armature: armature inertia added to each joint velocity, such as that of a rotor reflected through its gear;
            kg*m^2 for an angle, kg for a displacement, for a `free` joint one plain number for both; default: 0
        initial: initial values: COORDINATE, COORDINATE_rate (joint velocity), or `rate` if there is one coordinate;
            with keep = true assembly must keep them
        locked: the relative coordinates that are locked at zero
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
        """Connects two shafts at a bend so that both spin at the same speed.

        between: the two points or frames that it connects: ground, body, body.point or ground.point
        axis: axis of the joint, in the axes of both frames; default: the natural axis of the joint type
        limits: limits of a joint with one coordinate
        armature: armature inertia added to each joint velocity, such as that of a rotor reflected through its gear;
            kg*m^2 for an angle, kg for a displacement, for a `free` joint one plain number for both; default: 0
        initial: initial values: COORDINATE, COORDINATE_rate (joint velocity), or `rate` if there is one coordinate;
            with keep = true assembly must keep them
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

        between: the two points or frames that it connects: ground, body, body.point or ground.point
        axis: axis of the joint, in the axes of both frames; default: the natural axis of the joint type
        limits: limits of a joint with one coordinate
        armature: armature inertia added to each joint velocity, such as that of a rotor reflected through its gear;
            kg*m^2 for an angle, kg for a displacement, for a `free` joint one plain number for both; default: 0
        initial: initial values: COORDINATE, COORDINATE_rate (joint velocity), or `rate` if there is one coordinate;
            with keep = true assembly must keep them
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
        """Lets a point move along an edge of its body, but not sideways (nonholonomic).

        between: the two points or frames that it connects: ground, body, body.point or ground.point
        axis: axis of the joint, in the axes of both frames; default: the natural axis of the joint type
        limits: limits of a joint with one coordinate
        armature: armature inertia added to each joint velocity, such as that of a rotor reflected through its gear;
            kg*m^2 for an angle, kg for a displacement, for a `free` joint one plain number for both; default: 0
        initial: initial values: COORDINATE, COORDINATE_rate (joint velocity), or `rate` if there is one coordinate;
            with keep = true assembly must keep them
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

        between: the two points or frames that it connects: ground, body, body.point or ground.point
        axis: axis of the joint, in the axes of both frames; default: the natural axis of the joint type
        limits: limits of a joint with one coordinate
        armature: armature inertia added to each joint velocity, such as that of a rotor reflected through its gear;
            kg*m^2 for an angle, kg for a displacement, for a `free` joint one plain number for both; default: 0
        initial: initial values: COORDINATE, COORDINATE_rate (joint velocity), or `rate` if there is one coordinate;
            with keep = true assembly must keep them
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
        """Gear pair between two rotational coordinates: q1 - ratio q2 is constant, or z1 q1 + z2 q2 for numbers of
        teeth z1, z2 (minus for internal gears).

        joints: the two rotational coordinates
        ratio: gear ratio: turns of the first per turn of the second
        teeth: numbers of teeth, instead of `ratio`; external gears rotate in opposite directions
        internal: internal gear: the gears of `teeth` rotate in the same direction
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
        """A linear combination of coordinates is constant.

        joints: two or more coordinates
        factors: one for each coordinate
        offset: value of the linear combination; default: its initial value
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
        """Rack and pinion: s - r theta is constant.

        rack: the displacement s of the rack
        pinion: the angle theta of the pinion
        radius (m): radius r of the pinion; negative if the rack moves in the opposite direction
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
        """Applies a force at a point of a body.

        at: the point it acts on
        value (N): components of the force
        frame: axes of the components: those of the ground, or those of the body (follower force)
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
        """Applies a torque to a body.

        on: the body it acts on
        value (N*m): the torque
        axis: direction of the torque, z if omitted; always z in planar models
        frame: axes in which the direction is given: those of the ground, or those of the body (it then rotates with
            the body)
        reaction_on: the body on which the reaction torque acts; the ground if omitted
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
        """Spring, damper and actuator in parallel between two points.

        between: the two points it connects
        stiffness (N/m): tension per metre of elongation
        length (m): rest length; required if there is a stiffness
        damping (N*s/m): tension per unit of elongation velocity
        force (N): actuator: additional tension
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
        """Spring, damper and actuator in parallel along a joint coordinate.

        joint: the coordinate it acts along
        stiffness: force or torque per unit of deflection: N/m or N*m/rad
        rest: value of the coordinate at which the spring is unstressed: m or rad
        damping: force or torque per unit of velocity: N*s/m or N*m*s/rad
        effort: actuator: additional force or torque, N or N*m
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
        """Connects two frames by springs and dampers in all directions.

        between: the two frames it connects
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
        """Coulomb friction along a joint coordinate, proportional to the reaction force of the joint.

        joint: the coordinate along which friction acts
        mu: coefficient of friction
        radius (m): radius of the friction surface; required for an angle
        preload (N): normal force in addition to the reaction
        transition_speed: speed below which the friction is regularized: m/s or rad/s; 0 for the exact sign
            function, which passes through zero velocity but cannot stick
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
        """Damps the velocity of a joint coordinate.

        joint: the coordinate it acts along
        damping: force or torque per unit of velocity: N*s/m or N*m*s/rad
        quadratic: force or torque per unit of velocity squared: N*s^2/m^2 or N*m*s^2/rad^2
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
        """Friction along a joint coordinate, independent of the load on the joint.

        joint: the coordinate along which friction acts
        viscous: viscous friction, force or torque per unit of velocity: N*s/m or N*m*s/rad
        coulomb: dry friction, independent of the magnitude of the velocity: N or N*m
        transition_speed: speed below which the dry friction is regularized: m/s or rad/s
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
        """Applies a given force or torque along a joint coordinate.

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
        """Drives a joint coordinate through a gear, with rotor inertia, friction and limits of torque and speed.

        joint: the coordinate it drives
        effort: force (N) or torque (N*m) commanded at the joint; none if omitted
        ratio: gear ratio: turns of the shaft per turn of the joint, for a length in rad/m; negative if the
            directions are opposite
        rotor_inertia (kg*m^2): moment of inertia of the rotor and all parts that rotate with the shaft
        viscous (N*m*s/rad): viscous friction torque at the shaft per unit of its speed
        coulomb (N*m): dry friction torque at the shaft
        transition_speed (rad/s): speed of the shaft below which the dry friction is regularized
        torque_limit (N*m): largest torque at the shaft in both directions; unlimited if omitted
        stall_torque (N*m): largest torque of the shaft at zero speed; requires `no_load_speed`
        no_load_speed (rad/s): speed of the shaft at which the available torque is zero; requires `stall_torque`
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
        """Limits a joint coordinate by compliant stops.

        joint: the coordinate it limits
        lower: lower limit: m or rad
        upper: upper limit: m or rad
        stiffness: force or torque per unit of penetration depth: N/m or N*m/rad
        damping: fraction of the elastic force added per unit of approach velocity: s/m or s/rad
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
        """Applies a distributed load along a beam.

        on: the beam it acts on
        value (N/m): components of the force per unit length of the unstressed beam
        end_value (N/m): components at the end of the load, linear in between; equal to `value` if omitted
        frame: axes of the components: those of the ground, or those of the beam (follower load), with x along it
        from_: start of the load: a fraction of the length such as 0.25, or a distance such as "12 mm"; the start of
            the beam if omitted
        to: end of the load; the end of the beam if omitted
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
