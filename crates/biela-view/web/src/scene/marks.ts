// Body frames, named points, mass centres and inertia ellipsoids: one group per body, shown by layers.

import {
  CylinderGeometry,
  Group,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  OctahedronGeometry,
  SphereGeometry,
  type Object3D,
} from "three";
import type { Body, Scene } from "../protocol";
import { place, refer, setPose, type Part } from "./layer";
import { principal } from "./inertia";
import type { Theme } from "./palette";

export const AXIS_COLORS = ["#d1495b", "#3a9d5d", "#3c78d8"];

type Kind = "frames" | "points" | "masses" | "inertia";

export class Marks implements Part {
  readonly root = new Group();
  private readonly groups: Group[] = [];
  private readonly kinds: Record<Kind, Object3D[]> = { frames: [], points: [], masses: [], inertia: [] };
  private readonly pointLook = new MeshBasicMaterial({ depthTest: false });
  private readonly massLook = new MeshBasicMaterial({ depthTest: false });
  private readonly massRim = new MeshBasicMaterial({ depthTest: false });
  private readonly ellipsoid = new MeshStandardMaterial({
    transparent: true,
    opacity: 0.32,
    roughness: 0.8,
    depthWrite: false,
  });

  constructor(scene: Scene, size: number) {
    scene.bodies.forEach((body, k) => {
      const group = new Group();
      this.build(body, k, group, size);
      this.groups.push(group);
      this.root.add(group);
    });
  }

  private build(body: Body, k: number, group: Group, size: number): void {
    this.keep("frames", group, triad(0.06 * size));
    body.markers.forEach((marker, m) => {
      const dot = new Mesh(new OctahedronGeometry(0.006 * size), this.pointLook);
      setPose(dot, marker.pose);
      dot.renderOrder = 6;
      refer(dot, `marker:${k}.${m}`);
      this.keep("points", group, dot);
    });
    if (k === 0 || body.mass <= 0 || body.station_of) return;
    const [x, y, z] = body.center;
    const mass = new Group();
    const fill = new Mesh(new SphereGeometry(0.0085 * size, 16, 12), this.massLook);
    const rim = new Mesh(new SphereGeometry(0.011 * size, 16, 12), this.massRim);
    rim.renderOrder = 6;
    fill.renderOrder = 7;
    mass.add(rim, fill);
    mass.position.set(x, y, z);
    refer(mass, `body:${k}`);
    this.keep("masses", group, mass);
    const axes = principal(body.inertia, body.mass);
    if (!axes) return;
    const ball = new Mesh(new SphereGeometry(1, 32, 20), this.ellipsoid);
    ball.applyMatrix4(new Matrix4().fromArray(axes.matrix));
    ball.position.set(x, y, z);
    refer(ball, `body:${k}`);
    this.keep("inertia", group, ball);
  }

  private keep(kind: Kind, group: Group, object: Object3D): void {
    this.kinds[kind].push(object);
    group.add(object);
  }

  show(kind: Kind, yes: boolean): void {
    for (const object of this.kinds[kind]) object.visible = yes;
  }

  move(frame: Float32Array): void {
    this.groups.forEach((group, k) => place(frame, k, group.position, group.quaternion));
  }

  paint(theme: Theme): void {
    this.pointLook.color.copy(theme.accent);
    this.massLook.color.copy(theme.glyphFill);
    this.massRim.color.copy(theme.glyph);
    this.ellipsoid.color.copy(theme.force);
  }
}

function triad(length: number): Group {
  const group = new Group();
  AXIS_COLORS.forEach((color, axis) => {
    const rod = new CylinderGeometry(0.02 * length, 0.02 * length, length, 8).translate(0, length / 2, 0);
    if (axis === 0) rod.rotateZ(-Math.PI / 2);
    if (axis === 2) rod.rotateX(Math.PI / 2);
    const mesh = new Mesh(rod, new MeshBasicMaterial({ color, depthTest: false }));
    mesh.renderOrder = 6;
    group.add(mesh);
  });
  return group;
}
