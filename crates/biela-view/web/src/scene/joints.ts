// Joints as small symbols, one per type. They are faintly visible through the bodies that hide them.

import {
  BoxGeometry,
  BufferGeometry,
  CylinderGeometry,
  DoubleSide,
  GreaterDepth,
  Group,
  Mesh,
  MeshBasicMaterial,
  OctahedronGeometry,
  Quaternion,
  SphereGeometry,
  TorusGeometry,
  TubeGeometry,
  CatmullRomCurve3,
  Vector3,
} from "three";
import { mergeGeometries } from "three/addons/utils/BufferGeometryUtils.js";
import type { Joint, Scene } from "../protocol";
import { place, refer, signSize, type Part } from "./layer";
import type { Theme } from "./palette";

/** Along z and of unit size. */
const rod = (radius: number, length: number, z = 0, around = 20) =>
  new CylinderGeometry(radius, radius, length, around).rotateX(Math.PI / 2).translate(0, 0, z);
const ring = (radius: number, thick: number) => new TorusGeometry(radius, thick, 10, 40);
const ball = (radius: number) => new SphereGeometry(radius, 24, 16);
const block = (x: number, y: number, z: number) => new BoxGeometry(x, y, z);
const plate = (size: number) => block(size, size, 0.08);

/** A sleeve: a square ring along z. */
const sleeve = () => [
  block(1.5, 0.16, 1.7).translate(0, 0.67, 0),
  block(1.5, 0.16, 1.7).translate(0, -0.67, 0),
  block(0.16, 1.5, 1.7).translate(0.67, 0, 0),
  block(0.16, 1.5, 1.7).translate(-0.67, 0, 0),
];

const arrowHead = (z: number) =>
  new CylinderGeometry(0, 0.34, 0.6, 16).rotateX((Math.sign(z) * Math.PI) / 2).translate(0, 0, z);

function helix(): BufferGeometry {
  const points = Array.from({ length: 49 }, (_, k) => {
    const turn = (k / 48) * 6 * Math.PI;
    return new Vector3(0.7 * Math.cos(turn), 0.7 * Math.sin(turn), -1 + (2 * k) / 48);
  });
  return new TubeGeometry(new CatmullRomCurve3(points), 120, 0.11, 6);
}

/** Outline and fill of a symbol whose axis is z. */
interface Sign {
  line: BufferGeometry[];
  fill: BufferGeometry[];
}

function sign(type: string, planar: boolean): Sign {
  switch (type) {
    case "revolute":
      return planar
        ? { line: [ring(0.9, 0.16)], fill: [rod(0.9, 0.1)] }
        : { line: [ring(0.95, 0.15), rod(0.16, 3)], fill: [rod(0.82, 0.5)] };
    case "prismatic":
      if (planar) return { line: [block(0.16, 0.2, 2.8).translate(0, 1, 0), block(0.16, 0.2, 2.8).translate(0, -1, 0), rod(0.1, 3), arrowHead(1.8), arrowHead(-1.8)], fill: [] };
      return { line: [...sleeve(), rod(0.1, 4), arrowHead(2.2), arrowHead(-2.2)], fill: [] };
    case "cylindrical":
      return {
        line: [ring(0.8, 0.13).translate(0, 0, 0.8), ring(0.8, 0.13).translate(0, 0, -0.8), rod(0.12, 4), arrowHead(2.2), arrowHead(-2.2)],
        fill: [rod(0.72, 1.6)],
      };
    case "screw":
      return { line: [helix(), rod(0.16, 3.2)], fill: [] };
    case "spherical":
      return { line: [ring(1, 0.12), ring(1, 0.12).rotateX(Math.PI / 2)], fill: [ball(0.82)] };
    case "constant-velocity":
      return { line: [ring(1, 0.12), rod(0.14, 3)], fill: [ball(0.82)] };
    case "universal":
      return { line: [rod(0.2, 2.6).rotateX(Math.PI / 2), rod(0.2, 2.6).rotateY(Math.PI / 2)], fill: [ball(0.5)] };
    case "planar":
      return { line: [rod(0.12, 1.6, 0.8), arrowHead(1.6)], fill: [plate(2.6)] };
    case "point-in-plane":
      return { line: [ball(0.42)], fill: [plate(2.6)] };
    case "point-on-line":
      return { line: [rod(0.1, 5), ball(0.5)], fill: [] };
    case "parallel-axes":
      return { line: [rod(0.12, 3).translate(0.4, 0, 0), rod(0.12, 3).translate(-0.4, 0, 0)], fill: [] };
    case "weld":
      return { line: [block(1.5, 0.28, 0.28).rotateZ(Math.PI / 4), block(1.5, 0.28, 0.28).rotateZ(-Math.PI / 4)], fill: [] };
    case "distance":
      return { line: [ball(0.4)], fill: [] };
    case "rolling-disc":
      return { line: [ring(0.9, 0.13), rod(0.13, 1.8)], fill: [] };
    case "knife-edge":
      return { line: [new CylinderGeometry(0, 0.7, 1.4, 3).rotateX(-Math.PI / 2)], fill: [] };
    case "free":
      return { line: [ball(0.34)], fill: [] };
    default:
      return { line: [new OctahedronGeometry(0.9)], fill: [] };
  }
}

/** The ground side of a pin joint: the hatched triangle of the textbooks. */
function support(): BufferGeometry[] {
  const bars = [
    block(0.14, 2.5, 0.14).rotateZ(0.5).translate(0.6, -1.5, 0),
    block(0.14, 2.5, 0.14).rotateZ(-0.5).translate(-0.6, -1.5, 0),
    block(3.6, 0.16, 0.14).translate(0, -2.6, 0),
  ];
  for (let k = -3; k <= 3; k++) bars.push(block(0.1, 0.75, 0.1).rotateZ(-0.7).translate(0.52 * k - 0.1, -2.95, 0));
  return bars;
}

const AXES: Record<string, Quaternion> = {
  x: new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), new Vector3(1, 0, 0)),
  y: new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), new Vector3(0, 1, 0)),
  z: new Quaternion(),
};

function merged(parts: BufferGeometry[]): BufferGeometry | null {
  if (parts.length === 0) return null;
  return mergeGeometries(parts.map((part) => (part.index ? part.toNonIndexed() : part)));
}

export class Joints implements Part {
  readonly root = new Group();
  private readonly groups: Group[] = [];
  private readonly lines: MeshBasicMaterial[] = [];
  private readonly fills: MeshBasicMaterial[] = [];
  private readonly far: MeshBasicMaterial;
  private theme: Theme | null = null;
  private marked = -1;
  private hovered = -1;
  private readonly turn = new Quaternion();
  private readonly at = new Vector3();

  constructor(
    private readonly scene: Scene,
    private readonly size: number,
  ) {
    const planar = scene.space === "planar";
    this.far = new MeshBasicMaterial({ transparent: true, opacity: 0.22, depthFunc: GreaterDepth, depthWrite: false });
    scene.joints.forEach((joint, k) => {
      const group = this.build(joint, planar);
      refer(group, `joint:${k}`);
      this.groups.push(group);
      this.root.add(group);
    });
  }

  fit(visibleHeight: number): void {
    for (const group of this.groups) group.scale.setScalar(signSize(this.size, visibleHeight));
  }

  private build(joint: Joint, planar: boolean): Group {
    const group = new Group();
    const { line, fill } = sign(joint.type, planar);
    const turn = AXES[joint.axis ?? "z"] ?? AXES.z;
    const outline = merged(line)?.applyQuaternion(turn);
    const body = merged(fill)?.applyQuaternion(turn);
    const lines = new MeshBasicMaterial({ side: DoubleSide });
    const fills = new MeshBasicMaterial({ side: DoubleSide });
    this.lines.push(lines);
    this.fills.push(fills);
    const parts: [BufferGeometry | undefined, MeshBasicMaterial, number][] = [
      [body, fills, 4],
      [outline, lines, 5],
    ];
    for (const [geometry, material, order] of parts) {
      if (!geometry) continue;
      const mesh = new Mesh(geometry, material);
      mesh.renderOrder = order;
      group.add(mesh);
      if (planar) {
        // planar pictures have no depth: symbols are drawn on top
        material.depthTest = false;
      } else {
        const behind = new Mesh(geometry, this.far);
        behind.renderOrder = 9;
        group.add(behind);
      }
    }
    if (planar && joint.type === "revolute" && joint.bodies[0] === 0) {
      const geometry = merged(support());
      if (geometry) {
        const mesh = new Mesh(geometry, lines);
        mesh.renderOrder = 3;
        group.add(mesh);
      }
    }
    return group;
  }

  move(frame: Float32Array): void {
    this.scene.joints.forEach((joint, k) => {
      const group = this.groups[k];
      place(frame, joint.bodies[0], group.position, group.quaternion);
      const [x, y, z, qx, qy, qz, qw] = joint.frames[0];
      group.position.add(this.at.set(x, y, z).applyQuaternion(group.quaternion));
      group.quaternion.multiply(this.turn.set(qx, qy, qz, qw));
      if (slides(joint.type)) {
        // the symbol of a sliding joint moves with the second body
        const [mx, my, mz] = joint.frames[1];
        const other = this.at.set(mx, my, mz);
        place(frame, joint.bodies[1], group.position, this.turn);
        group.position.add(other.applyQuaternion(this.turn));
      }
    });
  }

  paint(theme: Theme): void {
    this.theme = theme;
    this.far.color.copy(theme.glyph);
    this.highlight(this.marked, this.hovered);
  }

  highlight(selected: number, hovered: number): void {
    this.marked = selected;
    this.hovered = hovered;
    const theme = this.theme;
    if (!theme) return;
    this.lines.forEach((line, k) => {
      line.color.copy(k === selected || k === hovered ? theme.accent : theme.glyph);
      this.fills[k].color.copy(theme.glyphFill);
    });
  }
}

function slides(type: string): boolean {
  return ["prismatic", "cylindrical", "screw", "point-on-line", "point-in-plane", "planar"].includes(type);
}

