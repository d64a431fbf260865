// The 3-D view: renderer, lights, cameras and their controls. Draws only after a change.

import {
  Box3,
  Color,
  DirectionalLight,
  HemisphereLight,
  MOUSE,
  OrthographicCamera,
  PerspectiveCamera,
  Plane,
  Raycaster,
  Scene as World,
  TOUCH,
  Vector2,
  Vector3,
  WebGLRenderer,
  type Object3D,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { Grid } from "./grid";
import type { Theme } from "./palette";

type Camera = PerspectiveCamera | OrthographicCamera;
export type Side = "front" | "top" | "right" | "iso";

const ANGLE = 35;
/** Margin factor of `fit`. */
const AIR = 1.2;

export class View {
  readonly world = new World();
  readonly renderer: WebGLRenderer;
  readonly grid = new Grid();
  private readonly perspective = new PerspectiveCamera(ANGLE, 1, 0.01, 100);
  private readonly orthographic = new OrthographicCamera(-1, 1, 1, -1, 0.01, 100);
  camera: Camera = this.perspective;
  readonly controls: OrbitControls;
  private readonly key = new DirectionalLight(0xffffff, 1.9);
  private readonly sky = new HemisphereLight(0xffffff, 0x8a8f98, 1.5);
  private readonly before: (() => void)[] = [];
  private asked = false;
  planar = false;
  private up = new Vector3(0, 0, 1);
  private size = new Vector2(1, 1);
  /** Number of drawn pictures. */
  drawn = 0;

  constructor(private readonly host: HTMLElement) {
    this.renderer = new WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
    this.renderer.setPixelRatio(Math.min(2, window.devicePixelRatio));
    const canvas = this.renderer.domElement;
    canvas.tabIndex = 0;
    canvas.setAttribute("role", "application");
    host.append(canvas);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = false;
    this.controls.zoomToCursor = true;
    this.controls.addEventListener("change", () => this.invalidate());
    this.world.add(this.sky, this.key, this.key.target, this.grid.mesh);
    new ResizeObserver(() => this.resize()).observe(host);
    this.resize();
  }

  /** Adds work to do before each picture is drawn. */
  beforeDrawing(work: () => void): void {
    this.before.push(work);
  }

  invalidate(): void {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame(() => {
      this.asked = false;
      this.draw();
    });
  }

  draw(): void {
    this.placeLightsAndPlanes();
    for (const work of this.before) work();
    this.renderer.render(this.world, this.camera);
    this.drawn += 1;
  }

  paint(theme: Theme): void {
    this.world.background = theme.background.clone();
    this.grid.color(theme.grid);
    this.sky.groundColor = new Color(theme.dark ? "#4a525d" : "#8a8f98");
    this.sky.intensity = theme.dark ? 1.25 : 1.6;
    this.invalidate();
  }

  /** Sets the upward direction, and whether the model is planar. */
  orient(planar: boolean, gravity: number[]): void {
    this.planar = planar;
    const down = new Vector3(gravity[0] ?? 0, gravity[1] ?? 0, gravity[2] ?? 0);
    this.up = planar
      ? new Vector3(0, 1, 0)
      : down.lengthSq() > 0
        ? nearestAxis(down.negate())
        : new Vector3(0, 0, 1);
    for (const camera of [this.perspective, this.orthographic]) camera.up.copy(this.up);
    // dragging pans a planar model; rotation needs the other button
    const { LEFT, RIGHT } = planar
      ? { LEFT: MOUSE.PAN, RIGHT: MOUSE.ROTATE }
      : { LEFT: MOUSE.ROTATE, RIGHT: MOUSE.PAN };
    this.controls.mouseButtons = { LEFT, MIDDLE: MOUSE.DOLLY, RIGHT };
    this.controls.touches = {
      ONE: planar ? TOUCH.PAN : TOUCH.ROTATE,
      TWO: planar ? TOUCH.DOLLY_ROTATE : TOUCH.DOLLY_PAN,
    };
  }

  /** Places the grid below the model; behind it, if the model is planar. */
  floor(box: Box3): void {
    if (this.planar) this.grid.lay(new Vector3(0, 0, box.min.z - 0.001), new Vector3(0, 0, 1));
    else {
      const low = Math.min(0, box.min.dot(this.up), box.max.dot(this.up));
      this.grid.lay(this.up.clone().multiplyScalar(low), this.up);
    }
  }

  project(kind: "orthographic" | "perspective"): void {
    const next = kind === "orthographic" ? this.orthographic : this.perspective;
    if (next === this.camera) return;
    const target = this.controls.target;
    const height = this.visibleHeight();
    const direction = this.camera.position.clone().sub(target).normalize();
    this.camera = next;
    this.controls.object = next;
    next.position.copy(target).addScaledVector(direction, this.distanceFor(height));
    if (next === this.orthographic) this.orthographic.zoom = 2 / height;
    this.resize();
    this.controls.update();
  }

  /** Fits the camera to points (consecutive x y z), from a side or in its present direction. */
  fit(points: number[], side?: Side): void {
    const direction = side
      ? this.direction(side)
      : this.camera.position.clone().sub(this.controls.target).normalize();
    if (direction.lengthSq() < 0.5) direction.copy(this.direction("iso"));
    const { center, height } = this.frame(points, direction);
    this.controls.target.copy(center);
    this.camera.position.copy(center).addScaledVector(direction, this.distanceFor(height));
    if (this.camera === this.orthographic) this.orthographic.zoom = 2 / height;
    this.camera.updateProjectionMatrix();
    this.controls.update();
    this.invalidate();
  }

  /** The centre of points in the camera's axes, and the visible height there at which all of them are on the screen. */
  private frame(points: number[], direction: Vector3): { center: Vector3; height: number } {
    const right = this.up.clone().cross(direction).normalize();
    const axes = [right, direction.clone().cross(right), direction];
    const seen: Vector3[] = [];
    const box = new Box3();
    for (let k = 0; k + 2 < points.length; k += 3) {
      const at = new Vector3(points[k], points[k + 1], points[k + 2]);
      const along = new Vector3(at.dot(axes[0]), at.dot(axes[1]), at.dot(axes[2]));
      seen.push(along);
      box.expandByPoint(along);
    }
    if (seen.length === 0) return { center: new Vector3(), height: 2 };
    const middle = box.getCenter(new Vector3());
    const aspect = this.size.x / this.size.y;
    const slope = this.camera === this.orthographic ? 0 : Math.tan((ANGLE * Math.PI) / 360);
    let height = 0;
    for (const point of seen) {
      point.sub(middle);
      const half = Math.max(Math.abs(point.y), Math.abs(point.x) / aspect);
      // with perspective, nearer points need more room
      height = Math.max(height, 2 * (half + slope * point.z));
    }
    const center = new Vector3();
    axes.forEach((axis, k) => center.addScaledVector(axis, middle.getComponent(k)));
    return { center, height: height > 0 ? AIR * height : 1 };
  }

  private direction(side: Side): Vector3 {
    if (this.planar && side === "front") return new Vector3(0, 0, 1);
    const up = this.up;
    const across = Math.abs(up.y) > 0.5 ? new Vector3(0, 0, 1) : new Vector3(0, -1, 0);
    const right = up.clone().cross(across).negate();
    switch (side) {
      case "front":
        return across;
      case "right":
        return right;
      case "top":
        // exactly downward, the upward direction on the screen would be undefined
        return up.clone().addScaledVector(across, 1e-4).normalize();
      case "iso":
        return across.clone().add(right.multiplyScalar(0.75)).addScaledVector(up, 0.6).normalize();
    }
  }

  /** For the keys: rotates by angles. `shift` pans by fractions of the screen, `zoom` scales by a factor. */
  turn(around: number, over: number): void {
    const target = this.controls.target;
    const offset = this.camera.position.clone().sub(target);
    const side = offset.clone().cross(this.up);
    offset.applyAxisAngle(this.up, around);
    const tilt = offset.angleTo(this.up) - over;
    if (side.lengthSq() > 0 && tilt > 0.02 && tilt < Math.PI - 0.02) offset.applyAxisAngle(side.normalize(), over);
    this.camera.position.copy(target).add(offset);
    this.controls.update();
    this.invalidate();
  }

  shift(right: number, up: number): void {
    const height = this.visibleHeight();
    const x = new Vector3().setFromMatrixColumn(this.camera.matrix, 0).multiplyScalar(right * height);
    const y = new Vector3().setFromMatrixColumn(this.camera.matrix, 1).multiplyScalar(up * height);
    this.controls.target.add(x).add(y);
    this.camera.position.add(x).add(y);
    this.controls.update();
    this.invalidate();
  }

  zoom(factor: number): void {
    if (this.camera === this.orthographic) {
      this.orthographic.zoom *= factor;
      this.orthographic.updateProjectionMatrix();
    } else {
      const target = this.controls.target;
      this.camera.position.sub(target).divideScalar(factor).add(target);
    }
    this.controls.update();
    this.invalidate();
  }

  /** The visible height of the world at the target. */
  visibleHeight(): number {
    if (this.camera === this.orthographic) return 2 / this.orthographic.zoom;
    const distance = this.camera.position.distanceTo(this.controls.target);
    return 2 * distance * Math.tan((ANGLE * Math.PI) / 360);
  }

  private distanceFor(height: number): number {
    return height / (2 * Math.tan((ANGLE * Math.PI) / 360));
  }

  private ray(x: number, y: number): Raycaster {
    const box = this.renderer.domElement.getBoundingClientRect();
    const at = new Vector2(((x - box.left) / box.width) * 2 - 1, 1 - ((y - box.top) / box.height) * 2);
    const ray = new Raycaster();
    ray.params.Line.threshold = this.visibleHeight() * 0.006;
    ray.setFromCamera(at, this.camera);
    return ray;
  }

  /** The first of the objects under a point of the page, and the point of its surface. */
  pick(x: number, y: number, objects: Object3D[]): { object: Object3D; point: Vector3 } | null {
    return this.ray(x, y).intersectObjects(objects, true).find((hit) => visible(hit.object)) ?? null;
  }

  /** The point of the grid plane under a point of the page; in a planar model, of its plane. */
  onFloor(x: number, y: number): Vector3 | null {
    const normal = this.planar ? new Vector3(0, 0, 1) : this.up;
    const through = this.planar ? new Vector3() : this.grid.mesh.position;
    return this.ray(x, y).ray.intersectPlane(new Plane().setFromNormalAndCoplanarPoint(normal, through), new Vector3());
  }

  /** The point under a point of the page at the same depth as `at`; in a planar model, in its plane. */
  across(x: number, y: number, at: Vector3): Vector3 | null {
    if (this.planar) return this.onFloor(x, y);
    const normal = this.camera.getWorldDirection(new Vector3());
    return this.ray(x, y).ray.intersectPlane(new Plane().setFromNormalAndCoplanarPoint(normal, at), new Vector3());
  }

  /** Projects a point of the world onto the canvas, in pixels; null behind the camera. */
  screen(point: Vector3): Vector2 | null {
    const p = point.clone().project(this.camera);
    if (p.z > 1 || p.z < -1) return null;
    return new Vector2(((p.x + 1) / 2) * this.size.x, ((1 - p.y) / 2) * this.size.y);
  }

  private placeLightsAndPlanes(): void {
    const target = this.controls.target;
    const distance = this.camera.position.distanceTo(target);
    const height = this.visibleHeight();
    this.camera.near = this.camera === this.orthographic ? distance - 60 * height : distance / 200;
    this.camera.far = distance + 60 * height;
    this.camera.updateProjectionMatrix();
    this.key.target.position.copy(target);
    this.key.position.set(-0.45, 0.7, 0.9).applyQuaternion(this.camera.quaternion).multiplyScalar(height).add(target);
    this.grid.fit(height, target);
  }

  private resize(): void {
    const width = Math.max(1, this.host.clientWidth);
    const height = Math.max(1, this.host.clientHeight);
    this.size.set(width, height);
    this.renderer.setSize(width, height);
    const aspect = width / height;
    this.perspective.aspect = aspect;
    this.orthographic.left = -aspect;
    this.orthographic.right = aspect;
    this.perspective.updateProjectionMatrix();
    this.orthographic.updateProjectionMatrix();
    this.draw();
  }
}

function nearestAxis(v: Vector3): Vector3 {
  const [x, y, z] = [Math.abs(v.x), Math.abs(v.y), Math.abs(v.z)];
  if (z >= x && z >= y) return new Vector3(0, 0, Math.sign(v.z));
  return y >= x ? new Vector3(0, Math.sign(v.y), 0) : new Vector3(Math.sign(v.x), 0, 0);
}

function visible(object: Object3D): boolean {
  for (let at: Object3D | null = object; at; at = at.parent) if (!at.visible) return false;
  return true;
}
