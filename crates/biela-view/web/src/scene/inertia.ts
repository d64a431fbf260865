// The solid ellipsoid of uniform density with the same mass and inertia. Its semi-axes are
//   a² = 5 (I₂ + I₃ − I₁) / (2 m), and cyclically.

export interface Principal {
  semiAxes: number[];
  /** Column-major 4 × 4 matrix that maps the unit ball to the ellipsoid. */
  matrix: number[];
}

/** From xx yy zz xy xz yz; null without mass or inertia. */
export function principal(inertia: number[], mass: number): Principal | null {
  const [xx, yy, zz, xy, xz, yz] = inertia;
  const { values, vectors } = jacobi([
    [xx, xy, xz],
    [xy, yy, yz],
    [xz, yz, zz],
  ]);
  const largest = Math.max(...values.map(Math.abs));
  if (!(largest > 0) || !(mass > 0)) return null;
  const total = values[0] + values[1] + values[2];
  // a thin body has a zero axis: keep it visible
  const floor = 0.02 * Math.sqrt((5 * largest) / (2 * mass));
  const semiAxes = values.map((value) => Math.max(floor, Math.sqrt(Math.max(0, (5 * (total - 2 * value)) / (2 * mass)))));
  const matrix: number[] = [];
  for (let column = 0; column < 3; column++)
    matrix.push(...vectors.map((row) => row[column] * semiAxes[column]), 0);
  matrix.push(0, 0, 0, 1);
  return { semiAxes, matrix };
}

/** Eigenvalues and eigenvectors (columns) of a symmetric matrix, by Jacobi rotations. */
function jacobi(a: number[][]): { values: number[]; vectors: number[][] } {
  const v = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ];
  for (let sweep = 0; sweep < 30; sweep++) {
    for (const [p, q] of [
      [0, 1],
      [0, 2],
      [1, 2],
    ]) {
      if (Math.abs(a[p][q]) < 1e-300) continue;
      const theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
      const t = (theta >= 0 ? 1 : -1) / (Math.abs(theta) + Math.hypot(theta, 1));
      const c = 1 / Math.hypot(t, 1);
      const s = t * c;
      for (let k = 0; k < 3; k++) {
        const [x, y] = [a[k][p], a[k][q]];
        a[k][p] = c * x - s * y;
        a[k][q] = s * x + c * y;
      }
      for (let k = 0; k < 3; k++) {
        const [x, y] = [a[p][k], a[q][k]];
        a[p][k] = c * x - s * y;
        a[q][k] = s * x + c * y;
        const [m, n] = [v[k][p], v[k][q]];
        v[k][p] = c * m - s * n;
        v[k][q] = s * m + c * n;
      }
    }
  }
  return { values: [a[0][0], a[1][1], a[2][2]], vectors: v };
}
