import { tailOf } from './counts.ts';
import { normalQuantile } from './normal-quantile.ts';

/**
 * Interval of the mean of a population of values in [0, 1], such as the pass rates of scenarios like these, of which
 * `values` are a sample; null without one. Makes no assumption on how the values are spread, and covers as stated also
 * where a few rare ones decide the mean. Never falls as a value rises. For values of 0 and 1 it is Clopper–Pearson's.
 *
 * The lower end is the quantile of a mean of the values and one 0, weighted by a flat Dirichlet distribution; the upper
 * end its mirror. Sources: Gaffke 2005, Math. Methods Stat. 14, 451–467; Learned-Miller and Thomas 2019, arXiv 1905.06208.
 */
export function boundedMeanInterval(values: readonly number[], confidence = 0.95): readonly [number, number] | null {
  return boundedMeanOfAlike(
    values.map((value) => ({ value, times: 1 })),
    confidence,
  );
}

/** A value that was seen so many times. */
export interface SeenValue {
  readonly value: number;
  readonly times: number;
}

/** The same of values of which some were seen many times, in memory that grows with the different ones. */
export function boundedMeanOfAlike(alike: readonly SeenValue[], confidence = 0.95): readonly [number, number] | null {
  const tail = tailOf(confidence);
  for (const { value } of alike) {
    if (!(value >= 0 && value <= 1)) {
      throw new RangeError(`A value of ${value} is impossible: give numbers from 0 to 1.`);
    }
  }
  const seen = alike.filter(({ times }) => times > 0);
  if (seen.length === 0) return null;
  return [
    lowerEnd(seen, tail),
    1 -
      lowerEnd(
        seen.map(({ value, times }) => ({ value: 1 - value, times })),
        tail,
      ),
  ];
}

function lowerEnd(seen: readonly SeenValue[], tail: number): number {
  const weighted = [{ value: 0, times: 1 }, ...seen].sort((a, b) => a.value - b.value);
  const count = weighted.reduce((sum, { times }) => sum + times, 0);
  const moment = (order: number, around: number): number =>
    weighted.reduce((sum, { value, times }) => sum + times * (value - around) ** order, 0) / count;
  const mean = moment(1, 0);
  const spread = Math.sqrt(moment(2, mean) / (count + 1));
  if (spread === 0) return 0;
  const z = normalQuantile(tail);
  if (count > MOST_KNOTS) {
    const skewness = (2 * moment(3, mean)) / ((count + 1) * (count + 2)) / spread ** 3;
    return Math.max(0, mean + spread * (z + (skewness * (z * z - 1)) / 6));
  }
  const knots = Float64Array.from(weighted.flatMap(({ value, times }) => new Array<number>(times).fill(value)));
  // The chance rises from 0 at the lowest knot to 1 at the highest; first a bracket around the wanted one.
  let high = mean;
  let above = chanceBelow(knots, high) - tail;
  let low = Math.max(0, mean + z * spread);
  let below = chanceBelow(knots, low) - tail;
  while (below > 0) {
    [high, above] = [low, below];
    low = Math.max(0, low - spread);
    below = chanceBelow(knots, low) - tail;
  }
  // False position, a stale end counted half (the Illinois rule).
  for (let i = 0; i < MOST_STEPS; i++) {
    const middle = low + (high - low) * (below / (below - above));
    const off = chanceBelow(knots, middle) - tail;
    if (Math.abs(off) <= CLOSE * tail || middle <= low || middle >= high) return middle;
    if (off > 0) {
      [high, above] = [middle, off];
      below /= 2;
    } else {
      [low, below] = [middle, off];
      above /= 2;
    }
  }
  return low;
}

/** Beyond, the work grows with the square: the quantile is expanded instead (Cornish and Fisher 1938). */
const MOST_KNOTS = 4096;
const MOST_STEPS = 60;
const CLOSE = 1e-13;

/**
 * The chance that the flat Dirichlet mean of the sorted knots lies below `end`: the integral of a B-spline (Curry and
 * Schoenberg 1966), by de Boor's recursion. Over the knots from i to j it is a mean, with weights that are not negative,
 * of those without the first and without the last; 1 where all lie below, 0 where none does.
 */
function chanceBelow(knots: Float64Array, end: number): number {
  let split = 0;
  while (split < knots.length && (knots[split] as number) < end) split++;
  // By the last knot, from the first one above; for the first knot of the row before.
  const chances = new Float64Array(knots.length - split);
  for (let i = split - 1; i >= 0; i--) {
    const first = knots[i] as number;
    let shorter = 1;
    for (let j = 0; j < chances.length; j++) {
      const last = knots[split + j] as number;
      shorter = ((last - end) * (chances[j] as number) + (end - first) * shorter) / (last - first);
      chances[j] = shorter;
    }
  }
  return chances.at(-1) ?? 1;
}
