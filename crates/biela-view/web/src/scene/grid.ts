// The ground as an infinite grid, drawn by a shader; finer lines fade in as the camera approaches.

import { Color, DoubleSide, Mesh, PlaneGeometry, ShaderMaterial, Vector3 } from "three";

const VERTEX = `
varying vec3 where;
void main() {
  vec4 p = modelMatrix * vec4(position, 1.0);
  where = p.xyz;
  gl_Position = projectionMatrix * viewMatrix * p;
}`;

const FRAGMENT = `
varying vec3 where;
uniform vec3 color;
uniform vec3 u;
uniform vec3 v;
uniform vec3 center;
uniform float cell;
uniform float fine;
uniform float reach;
float lines(vec2 p, float size) {
  vec2 q = p / size;
  vec2 w = fwidth(q);
  vec2 d = abs(fract(q - 0.5) - 0.5) / max(w, 1e-6);
  float dense = 1.0 - smoothstep(0.25, 0.6, max(w.x, w.y));
  return (1.0 - min(min(d.x, d.y), 1.0)) * dense;
}
void main() {
  vec2 p = vec2(dot(where, u), dot(where, v));
  float small = lines(p, cell) * fine;
  float large = lines(p, cell * 10.0);
  float far = length(where - center) / reach;
  float fade = 1.0 - smoothstep(0.15, 1.0, far);
  gl_FragColor = vec4(color, max(0.17 * small, 0.34 * large) * fade);
  #include <colorspace_fragment>
}`;

export class Grid {
  readonly mesh: Mesh;
  private readonly material: ShaderMaterial;
  /** The distance between fine lines. */
  cell = 0.1;

  constructor() {
    this.material = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      transparent: true,
      depthWrite: false,
      side: DoubleSide,
      uniforms: {
        color: { value: new Color() },
        u: { value: new Vector3(1, 0, 0) },
        v: { value: new Vector3(0, 1, 0) },
        center: { value: new Vector3() },
        cell: { value: 0.1 },
        fine: { value: 1 },
        reach: { value: 10 },
      },
    });
    this.mesh = new Mesh(new PlaneGeometry(1, 1), this.material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = -10;
  }

  color(color: Color): void {
    (this.material.uniforms.color.value as Color).copy(color);
  }

  /** Places the plane through a point, perpendicular to a direction. */
  lay(point: Vector3, normal: Vector3): void {
    this.mesh.position.copy(point);
    this.mesh.quaternion.setFromUnitVectors(new Vector3(0, 0, 1), normal);
    (this.material.uniforms.u.value as Vector3).set(1, 0, 0).applyQuaternion(this.mesh.quaternion);
    (this.material.uniforms.v.value as Vector3).set(0, 1, 0).applyQuaternion(this.mesh.quaternion);
  }

  /** Adapts the spacing of the lines to the visible part of the world. */
  fit(visible: number, center: Vector3): void {
    const exponent = Math.log10(Math.max(visible, 1e-9) / 12);
    const power = Math.floor(exponent);
    this.cell = 10 ** power;
    this.material.uniforms.cell.value = this.cell;
    this.material.uniforms.fine.value = Math.min(1, 1.6 - 1.3 * (exponent - power));
    this.material.uniforms.reach.value = 4.5 * visible;
    (this.material.uniforms.center.value as Vector3).copy(center);
    this.mesh.scale.setScalar(24 * visible);
  }
}
