/** Three numbers, and three rows of them. */
export type Vector = readonly [number, number, number];
export type Matrix = readonly [Vector, Vector, Vector];

/** Preferences from 0 to 1 with two columns that may explain them; a constant stands before both. */
export interface Observations {
  readonly preferences: Float64Array;
  readonly one: Float64Array;
  readonly other: Float64Array;
}

/** 1 / (1 + e^−x), exact at both ends. */
export function logistic(x: number): number {
  if (x >= 0) return 1 / (1 + Math.exp(-x));
  const odds = Math.exp(x);
  return odds / (1 + odds);
}

export interface LogisticFit {
  /** Of the constant and the two columns. */
  readonly weights: Vector;
  /** Holds whatever the spread of preferences is (Huber's sandwich). */
  readonly covariance: Matrix;
}

/**
 * A logistic fit with a ridge on both columns: Newton's method, each step halved until the fit is no worse. It exists
 * where preferences are neither all 0 nor all 1.
 */
export function fitLogistic(data: Observations, ridge: number): LogisticFit {
  let weights: Vector = [0, 0, 0];
  let here = lookAt(data, weights, ridge);
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const step = times(inverse(here.curvature), here.downhill);
    let share = 1;
    let next = moved(weights, step, share);
    let there = lookAt(data, next, ridge);
    while (share > SHORTEST_STEP && !(there.loss <= here.loss)) {
      share /= 2;
      next = moved(weights, step, share);
      there = lookAt(data, next, ridge);
    }
    if (!(there.loss < here.loss)) break;
    const isDone = here.loss - there.loss <= 1e-13 * here.loss;
    weights = next;
    here = there;
    if (isDone) break;
  }
  const bread = inverse(here.curvature);
  return { weights, covariance: product(product(bread, here.squares), bread) };
}

const MOST_ROUNDS = 100;
const SHORTEST_STEP = 1e-6;

/** The loss at one place, and what it does around it. */
interface Look {
  readonly loss: number;
  readonly downhill: Vector;
  readonly curvature: Matrix;
  /** Products of the columns, weighted by the squares of what is left unexplained. */
  readonly squares: Matrix;
}

/** One pass over all observations, without allocating: most of the time of a fit is spent here. */
function lookAt({ preferences, one, other }: Observations, weights: Vector, ridge: number): Look {
  let loss = 0;
  let [a, b, c] = [0, 0, 0];
  let [aa, ab, ac, bb, bc, cc] = [0, 0, 0, 0, 0, 0];
  let [raa, rab, rac, rbb, rbc, rcc] = [0, 0, 0, 0, 0, 0];
  for (let at = 0; at < preferences.length; at++) {
    const preference = preferences[at] as number;
    const x = one[at] as number;
    const y = other[at] as number;
    const odds = weights[0] + weights[1] * x + weights[2] * y;
    const small = Math.exp(-Math.abs(odds));
    // ln(1 + e^odds) − preference · odds, without an overflow.
    loss += Math.max(0, odds) + Math.log1p(small) - preference * odds;
    const chance = odds >= 0 ? 1 / (1 + small) : small / (1 + small);
    const rest = preference - chance;
    a += rest;
    b += rest * x;
    c += rest * y;
    const weight = chance * (1 - chance);
    aa += weight;
    ab += weight * x;
    ac += weight * y;
    bb += weight * x * x;
    bc += weight * x * y;
    cc += weight * y * y;
    const square = rest * rest;
    raa += square;
    rab += square * x;
    rac += square * y;
    rbb += square * x * x;
    rbc += square * x * y;
    rcc += square * y * y;
  }
  return {
    loss: loss + (ridge * (weights[1] ** 2 + weights[2] ** 2)) / 2,
    downhill: [a, b - ridge * weights[1], c - ridge * weights[2]],
    curvature: [
      [aa, ab, ac],
      [ab, bb + ridge, bc],
      [ac, bc, cc + ridge],
    ],
    squares: [
      [raa, rab, rac],
      [rab, rbb, rbc],
      [rac, rbc, rcc],
    ],
  };
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

/** Of two symmetric matrices, or of one with a symmetric one behind it. */
function product(left: Matrix, right: Matrix): Matrix {
  return [times(right, left[0]), times(right, left[1]), times(right, left[2])];
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
