/** Three numbers, and three rows of them. */
export type Vector = readonly [number, number, number];
export type Matrix = readonly [Vector, Vector, Vector];

/** One observation: a preference from 0 to 1, and what may explain it. */
export interface Row {
  readonly preference: number;
  readonly of: Vector;
}

/** 1 / (1 + e^−x), exact at both ends. */
export function logistic(x: number): number {
  if (x >= 0) return 1 / (1 + Math.exp(-x));
  const odds = Math.exp(x);
  return odds / (1 + odds);
}

/**
 * Weights of a logistic fit with a quadratic penalty on each: Newton's method, each step halved until the fit is no
 * worse. The fit exists where every explanation but a constant is penalised and outcomes differ.
 */
export function fitLogistic(rows: readonly Row[], penalty: Vector): Vector {
  let weights: Vector = [0, 0, 0];
  let loss = lossOf(rows, weights, penalty);
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const step = times(inverse(curvature(rows, weights, penalty)), downhill(rows, weights, penalty));
    let share = 1;
    let next = moved(weights, step, share);
    while (share > SHORTEST_STEP && !(lossOf(rows, next, penalty) <= loss)) {
      share /= 2;
      next = moved(weights, step, share);
    }
    const nextLoss = lossOf(rows, next, penalty);
    if (!(nextLoss < loss)) return weights;
    weights = next;
    loss = nextLoss;
  }
  return weights;
}

const MOST_ROUNDS = 100;
const SHORTEST_STEP = 1e-6;

/** Covariance of the weights that holds whatever the spread of preferences is (Huber's sandwich). */
export function robustCovariance(rows: readonly Row[], weights: Vector, penalty: Vector): Matrix {
  const bread = inverse(curvature(rows, weights, penalty));
  const filling = sumOfProducts(rows, ({ preference, of }) => (preference - logistic(dot(weights, of))) ** 2);
  return product(product(bread, filling), bread);
}

function lossOf(rows: readonly Row[], weights: Vector, penalty: Vector): number {
  let loss = 0;
  for (const { preference, of } of rows) {
    const x = dot(weights, of);
    // ln(1 + e^x) − preference · x, without an overflow.
    loss += Math.max(0, x) + Math.log1p(Math.exp(-Math.abs(x))) - preference * x;
  }
  return loss + dot(penalty, [weights[0] ** 2, weights[1] ** 2, weights[2] ** 2]) / 2;
}

function downhill(rows: readonly Row[], weights: Vector, penalty: Vector): Vector {
  let [a, b, c] = [-penalty[0] * weights[0], -penalty[1] * weights[1], -penalty[2] * weights[2]];
  for (const { preference, of } of rows) {
    const rest = preference - logistic(dot(weights, of));
    a += rest * of[0];
    b += rest * of[1];
    c += rest * of[2];
  }
  return [a, b, c];
}

function curvature(rows: readonly Row[], weights: Vector, penalty: Vector): Matrix {
  const [[a, b, c], [d, e, f], [g, h, i]] = sumOfProducts(rows, ({ of }) => {
    const chance = logistic(dot(weights, of));
    return chance * (1 - chance);
  });
  return [
    [a + penalty[0], b, c],
    [d, e + penalty[1], f],
    [g, h, i + penalty[2]],
  ];
}

function sumOfProducts(rows: readonly Row[], weightOf: (row: Row) => number): Matrix {
  let [aa, ab, ac, bb, bc, cc] = [0, 0, 0, 0, 0, 0];
  for (const row of rows) {
    const weight = weightOf(row);
    const [a, b, c] = row.of;
    aa += weight * a * a;
    ab += weight * a * b;
    ac += weight * a * c;
    bb += weight * b * b;
    bc += weight * b * c;
    cc += weight * c * c;
  }
  return [
    [aa, ab, ac],
    [ab, bb, bc],
    [ac, bc, cc],
  ];
}

/** By cofactors; of a symmetric matrix. */
function inverse([[a, b, c], [, e, f], [, , i]]: Matrix): Matrix {
  const [aa, ab, ac] = [e * i - f * f, c * f - b * i, b * f - c * e];
  const [bb, bc, cc] = [a * i - c * c, b * c - a * f, a * e - b * b];
  const determinant = a * aa + b * ab + c * ac;
  return [
    [aa / determinant, ab / determinant, ac / determinant],
    [ab / determinant, bb / determinant, bc / determinant],
    [ac / determinant, bc / determinant, cc / determinant],
  ];
}

function product(left: Matrix, right: Matrix): Matrix {
  const columns: Matrix = [
    [right[0][0], right[1][0], right[2][0]],
    [right[0][1], right[1][1], right[2][1]],
    [right[0][2], right[1][2], right[2][2]],
  ];
  return [times(columns, left[0]), times(columns, left[1]), times(columns, left[2])];
}

/** Each row of the matrix with the vector. */
export function times(matrix: Matrix, vector: Vector): Vector {
  return [dot(matrix[0], vector), dot(matrix[1], vector), dot(matrix[2], vector)];
}

export function dot([a, b, c]: Vector, [x, y, z]: Vector): number {
  return a * x + b * y + c * z;
}

function moved(from: Vector, by: Vector, share: number): Vector {
  return [from[0] + share * by[0], from[1] + share * by[1], from[2] + share * by[2]];
}
