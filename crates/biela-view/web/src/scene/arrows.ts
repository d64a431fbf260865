// Forces, torques and reactions as arrows, one scale for forces and one for torques.

import { ConeGeometry, CylinderGeometry, Group, Mesh, MeshBasicMaterial, Quaternion, TorusGeometry, Vector3 } from "three";
import type { Arrow, Scene } from "../protocol";
import { pointOf, refer, type Part } from "./layer";
import type { Theme } from "./palette";

const UP = new Vector3(0, 1, 0);

interface Drawn {
  arrow: Arrow;
  shape: ArrowShape;
  from: number;
}

/** An arrow from the origin of its group along y. */
export class ArrowShape {
  readonly group = new Group();
  private readonly shaft: Mesh;
  private readonly head: Mesh;
  private readonly turn = new Quaternion();

  constructor(
    private readonly thick: number,
    material: MeshBasicMaterial,
  ) {
    this.shaft = new Mesh(new CylinderGeometry(thick, thick, 1, 12).translate(0, 0.5, 0), material);
    this.head = new Mesh(new ConeGeometry(3.2 * thick, 9 * thick, 18).translate(0, 4.5 * thick, 0), material);
    this.group.add(this.shaft, this.head);
    this.group.renderOrder = 7;
  }

  set material(material: MeshBasicMaterial) {
    this.shaft.material = material;
    this.head.material = material;
  }

  /** Points the arrow along a unit vector. */
  aim(direction: Vector3, length: number): void {
    this.group.quaternion.copy(this.turn.setFromUnitVectors(UP, direction));
    this.shaft.scale.set(1, length, 1);
    this.head.position.set(0, length, 0);
  }

  /** Adds a ring, the symbol of a torque. */
  addRing(material: MeshBasicMaterial): void {
    const ring = new TorusGeometry(6 * this.thick, 0.7 * this.thick, 8, 32, 5);
    this.group.add(new Mesh(ring.rotateX(Math.PI / 2), material));
  }
}

export class Arrows implements Part {
  readonly root = new Group();
  private readonly drawn: Drawn[] = [];
  private readonly reaction = new MeshBasicMaterial();
  private readonly force = new MeshBasicMaterial();
  private readonly length: number;
  /** The largest magnitudes of forces and of torques so far; they are drawn at full length. */
  readonly largest = { force: 0, torque: 0 };
  scale = 1;
  private readonly vector = new Vector3();

  constructor(scene: Scene, size: number) {
    this.length = 0.28 * size;
    const thick = 0.0035 * size;
    let from = 7 * scene.bodies.length + 4 * scene.beams.reduce((sum, beam) => sum + beam.samples, 0);
    const flat = scene.space === "planar";
    this.reaction.depthTest = !flat;
    this.force.depthTest = !flat;
    for (const arrow of scene.arrows) {
      const material = arrow.kind === "reaction" ? this.reaction : this.force;
      const shape = new ArrowShape(thick, material);
      const group = shape.group;
      if (arrow.kind === "torque") shape.addRing(material);
      for (const mesh of group.children) mesh.renderOrder = 7;
      const joint = scene.joints.findIndex((one) => one.name === arrow.name);
      const force = scene.forces.findIndex((one) => one.name === arrow.name);
      if (joint >= 0) refer(group, `joint:${joint}`);
      else if (force >= 0) refer(group, `force:${force}`);
      this.root.add(group);
      this.drawn.push({ arrow, shape, from });
      from += 3;
    }
  }

  /** Extends the scale to the vectors of a frame. Returns true if it grew. */
  widen(frame: Float32Array): boolean {
    let grew = false;
    for (const { arrow, from } of this.drawn) {
      const size = Math.hypot(frame[from], frame[from + 1], frame[from + 2]);
      const kind = arrow.kind === "torque" ? "torque" : "force";
      if (size > this.largest[kind]) {
        this.largest[kind] = size;
        grew = true;
      }
    }
    return grew;
  }

  move(frame: Float32Array): void {
    for (const { arrow, shape, from } of this.drawn) {
      const group = shape.group;
      this.vector.set(frame[from], frame[from + 1], frame[from + 2]);
      const most = arrow.kind === "torque" ? this.largest.torque : this.largest.force;
      const size = this.vector.length();
      const length = most > 0 ? (this.length * this.scale * size) / most : 0;
      group.visible = length > 0.002 * this.length;
      if (!group.visible) continue;
      pointOf(frame, arrow.at.body, arrow.at.point, group.position);
      shape.aim(this.vector.divideScalar(size), length);
    }
  }

  paint(theme: Theme): void {
    this.reaction.color.copy(theme.reaction);
    this.force.color.copy(theme.force);
  }
}
