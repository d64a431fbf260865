// Closed contact points: a marker, the normal, and the force on the second surface as an arrow; coloured by stick and slip.

import { BufferAttribute, BufferGeometry, Group, LineBasicMaterial, LineSegments, Mesh, MeshBasicMaterial, SphereGeometry, Vector3 } from "three";
import { firstTouch, TOUCH, type Scene } from "../protocol";
import { ArrowShape } from "./arrows";
import { signSize, type Part } from "./layer";
import { stateColor, type Theme } from "./palette";

/** Length of a normal, as a fraction of the size of the model. */
const NORMAL = 0.07;
/** Length of the largest force. */
const LONGEST = 0.28;

interface Drawn {
  group: Group;
  marker: Mesh;
  normal: LineSegments;
  arrow: ArrowShape;
}

export class Contacts implements Part {
  readonly root = new Group();
  private readonly drawn: Drawn[] = [];
  private readonly from: number;
  private readonly stick = new MeshBasicMaterial({ depthTest: false });
  private readonly slip = new MeshBasicMaterial({ depthTest: false });
  private readonly line = new LineBasicMaterial({ depthTest: false });
  /** The largest force so far; it is drawn at full length. */
  largest = 0;
  scale = 1;
  private readonly vector = new Vector3();

  constructor(
    scene: Scene,
    private readonly size: number,
  ) {
    this.from = firstTouch(scene);
    const points = (scene.frame_size - this.from) / TOUCH;
    const ball = new SphereGeometry(0.6, 20, 12);
    for (let k = 0; k < points; k++) {
      const group = new Group();
      const marker = new Mesh(ball, this.stick);
      const ends = new BufferGeometry().setAttribute("position", new BufferAttribute(new Float32Array(6), 3));
      const normal = new LineSegments(ends, this.line);
      normal.frustumCulled = false;
      const arrow = new ArrowShape(0.0035 * size, this.stick);
      group.add(normal, arrow.group, marker);
      group.traverse((child) => (child.renderOrder = child === marker ? 9 : 8));
      group.visible = false;
      this.root.add(group);
      this.drawn.push({ group, marker, normal, arrow });
    }
  }

  /** Extends the scale to the forces of a frame. Returns true if it grew. */
  widen(frame: Float32Array): boolean {
    const before = this.largest;
    for (let k = this.from; k < this.from + TOUCH * this.drawn.length; k += TOUCH) {
      const force = Math.hypot(frame[k + 7], frame[k + 8], frame[k + 9]);
      if (frame[k] > 0 && Number.isFinite(force)) this.largest = Math.max(this.largest, force);
    }
    return this.largest > before;
  }

  move(frame: Float32Array): void {
    this.drawn.forEach(({ group, marker, normal, arrow }, point) => {
      const k = this.from + TOUCH * point;
      group.visible = frame[k] > 0;
      if (!group.visible) return;
      const material = frame[k] > 1.5 ? this.slip : this.stick;
      marker.material = material;
      arrow.material = material;
      group.position.set(frame[k + 1], frame[k + 2], frame[k + 3]);
      const ends = normal.geometry.getAttribute("position") as BufferAttribute;
      const long = NORMAL * this.size;
      ends.setXYZ(1, long * frame[k + 4], long * frame[k + 5], long * frame[k + 6]);
      ends.needsUpdate = true;
      this.vector.set(frame[k + 7], frame[k + 8], frame[k + 9]);
      const force = this.vector.length();
      const length = this.largest > 0 ? (LONGEST * this.scale * this.size * force) / this.largest : 0;
      arrow.group.visible = length > 0.002 * this.size;
      if (arrow.group.visible) arrow.aim(this.vector.divideScalar(force), length);
    });
  }

  /** Keeps the markers at a constant size on the screen. */
  fit(visibleHeight: number): void {
    const size = 0.5 * signSize(this.size, visibleHeight);
    for (const { marker } of this.drawn) marker.scale.setScalar(size);
  }

  /** The number of closed points in the displayed frame, and how many of them slip. */
  get closed(): { points: number; slipping: number } {
    const shown = this.drawn.filter(({ group }) => group.visible);
    return { points: shown.length, slipping: shown.filter(({ marker }) => marker.material === this.slip).length };
  }

  paint(theme: Theme): void {
    this.stick.color.set(stateColor(1, theme.dark));
    this.slip.color.set(stateColor(2, theme.dark));
    this.line.color.copy(theme.glyph);
  }
}
