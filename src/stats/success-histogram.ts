import { assertWhole } from './counts.ts';

/** Tasks by their successes: at place c the number of tasks of which c of n trials passed; n + 1 counts. */
export type SuccessHistogram = readonly number[];

/** Lowest and highest sum that is allowed, both whole numbers and included. */
export type SumBounds = readonly [low: number, high: number];

/** Which histograms are looked for. */
export interface HistogramQuestion {
  /** Tasks, from 1. */
  readonly tasks: number;
  /** Trials of each task, 1 to 32. */
  readonly trials: number;
  /**
   * For k = 1, 2, …, `trials` the bounds of S_k = Σ C(c, k) · h_c, which is pass^k · tasks · C(trials, k); null or
   * absent: S_k is not known.
   */
  readonly sums: readonly (SumBounds | null)[];
}

/** Where a search ends before all is found. */
export interface HistogramLimits {
  /** Histograms that are counted; default 1,000. */
  readonly most?: number;
  /** Counts that are tried, at most 5,000,000; default 1,000,000. */
  readonly steps?: number;
  /** Histograms that are listed, at most 1,000; default 10. */
  readonly listed?: number;
}

/** The histograms that fit. */
export interface FoundHistograms {
  /** How many were found. */
  readonly count: number;
  /** `all`: there are no others. `most`: there are more. `steps`: the search was given up; there may be others. */
  readonly ended: 'all' | 'most' | 'steps';
  /** The first of them. */
  readonly listed: readonly SuccessHistogram[];
  /** At each place the lowest and highest count over all of them; null unless `ended` is `all` and there is one. */
  readonly ranges: readonly SumBounds[] | null;
  /** Counts that were tried. */
  readonly steps: number;
}

/** Trials of a task up to which histograms are looked for. */
export const MOST_HISTOGRAM_TRIALS = 32;

/**
 * The most tasks of so many trials whose histograms are looked for: up to here every product of the search is below 2^53,
 * so that every comparison is exact. 14,633 for 32 trials, and 1,000,000 up to 24.
 */
export function mostHistogramTasks(trials: number): number {
  const largest = binomialCoefficients(trials)[trials]?.[trials >> 1] ?? 1;
  return Math.min(1_000_000, Math.floor(2 ** 53 / (largest * trials ** 2)));
}

/**
 * The histograms whose pass^1 … pass^n lie within bounds. S_k = Σ_c C(c, k) · h_c maps histograms to whole numbers and
 * back, h_c = Σ_k (−1)^(k−c) C(k, c) S_k (binomial inversion), so that exact values leave at most one. Bounds leave the
 * lattice points of a box with all h_c ≥ 0: S_n is chosen first, which is h_n, then S_(n−1), and so on. A choice is
 * dropped as soon as what is left of the sums breaks pass^k ≥ pass^(k+1) or pass^(k−1) + pass^(k+1) ≥ 2 pass^k, which
 * the moments of every set of tasks keep. All numbers are whole and exact. Throws `RangeError` for impossible counts.
 *
 * Source: Yao et al. 2024 (tau-bench) for pass^k; Riordan 1968, Combinatorial Identities, section 2.1, for the inversion.
 */
export function successHistograms(question: HistogramQuestion, limits: HistogramLimits = {}): FoundHistograms {
  const { tasks, trials, sums } = question;
  const { most = 1000, steps = 1_000_000, listed = 10 } = limits;
  assertWhole('trials', trials, 1, MOST_HISTOGRAM_TRIALS);
  assertWhole('tasks', tasks, 1, mostHistogramTasks(trials));
  assertWhole('number of sums', sums.length, 0, trials);
  for (const bounds of sums) for (const bound of bounds ?? []) assertWhole('sum', bound, -LARGEST_SUM, LARGEST_SUM);
  assertWhole('most', most, 1, Number.MAX_SAFE_INTEGER);
  assertWhole('steps', steps, 1, 5_000_000);
  assertWhole('listed', listed, 0, 1000);
  return new Search(question, { most, steps, listed }).run();
}

const LARGEST_SUM = Number.MAX_SAFE_INTEGER;

/** What is left of each sum, by k. */
interface Rest {
  readonly low: Float64Array;
  readonly high: Float64Array;
}

class Search {
  private readonly trials: number;
  private readonly tasks: number;
  private readonly limits: Required<HistogramLimits>;
  private readonly choose: readonly (readonly number[])[];
  /** By c: what the places 1 to c have to add up to, once those above are chosen. */
  private readonly rests: readonly Rest[];
  private readonly chosen: number[];
  private readonly listed: SuccessHistogram[] = [];
  private readonly ranges: [number, number][];
  private count = 0;
  private steps = 0;
  private ended: FoundHistograms['ended'] = 'all';

  constructor({ tasks, trials, sums }: HistogramQuestion, limits: Required<HistogramLimits>) {
    this.tasks = tasks;
    this.trials = trials;
    this.limits = limits;
    this.choose = binomialCoefficients(trials);
    const empty = (): Rest => ({ low: new Float64Array(trials + 1), high: new Float64Array(trials + 1) });
    this.rests = Array.from({ length: trials + 1 }, empty);
    const first = this.rests[trials] as Rest;
    for (let k = 1; k <= trials; k++) {
      const largest = tasks * this.of(trials, k);
      const [low, high] = sums[k - 1] ?? [0, largest];
      // What lies outside of all that is possible stays outside.
      first.low[k] = Math.min(low, largest + 1);
      first.high[k] = Math.max(high, -1);
    }
    this.chosen = new Array<number>(trials + 1).fill(0);
    this.ranges = this.chosen.map(() => [Number.POSITIVE_INFINITY, 0]);
  }

  run(): FoundHistograms {
    if (this.isFeasible(this.trials, this.tasks)) this.choosePlace(this.trials, this.tasks);
    const { count, ended, listed, steps } = this;
    const ranges = ended === 'all' && count > 0 ? this.ranges : null;
    return { count, ended, listed, ranges, steps };
  }

  private of(c: number, k: number): number {
    return this.choose[c]?.[k] ?? 0;
  }

  /** Tries every number of tasks at a place, of those that are left. */
  private choosePlace(place: number, left: number): void {
    const { low, high } = this.rests[place] as Rest;
    if (place === 1) {
      this.note(Math.max(0, low[1] as number), Math.min(left, high[1] as number), left);
      return;
    }
    let most = Math.min(left, high[place] as number);
    for (let k = 1; k < place; k++) most = Math.min(most, Math.floor((high[k] as number) / this.of(place, k)));
    for (let tasks = Math.max(0, low[place] as number); tasks <= most && this.ended === 'all'; tasks++) {
      if (this.steps++ >= this.limits.steps) {
        this.ended = 'steps';
        return;
      }
      const below = this.rests[place - 1] as Rest;
      for (let k = 1; k < place; k++) {
        const taken = this.of(place, k) * tasks;
        below.low[k] = (low[k] as number) - taken;
        below.high[k] = (high[k] as number) - taken;
      }
      if (!this.isFeasible(place - 1, left - tasks)) continue;
      this.chosen[place] = tasks;
      this.choosePlace(place - 1, left - tasks);
    }
  }

  /** Counts the histograms that differ in their first two places only. */
  private note(low: number, high: number, left: number): void {
    if (high < low) return;
    this.count += high - low + 1;
    for (let tasks = low; tasks <= high && this.listed.length < this.limits.listed; tasks++) {
      this.listed.push([left - tasks, tasks, ...this.chosen.slice(2)]);
    }
    for (const [place, range] of this.ranges.entries()) {
      const [least, most] =
        place === 0
          ? [left - high, left - low]
          : place === 1
            ? [low, high]
            : [this.chosen[place] ?? 0, this.chosen[place] ?? 0];
      range[0] = Math.min(range[0], least);
      range[1] = Math.max(range[1], most);
    }
    if (this.count > this.limits.most) this.ended = 'most';
  }

  /**
   * Narrows what is left for `tasks` tasks with at most `top` successes by pass^k ≥ pass^(k+1) of `top` trials; false:
   * nothing fits. Written for sums: S_(k+1) · (k+1) ≤ S_k · (top − k).
   */
  private isFeasible(top: number, tasks: number): boolean {
    const { low, high } = this.rests[top] as Rest;
    for (let k = 1; k <= top; k++) {
      const before = k === 1 ? tasks : (high[k - 1] as number);
      high[k] = Math.min(high[k] as number, Math.floor((before * (top - k + 1)) / k));
    }
    for (let k = top; k >= 1; k--) {
      const after = k === top ? 0 : Math.ceil(((low[k + 1] as number) * (k + 1)) / (top - k));
      low[k] = Math.max(low[k] as number, after, 0);
      if ((low[k] as number) > (high[k] as number)) return false;
    }
    for (let k = 1; k < top; k++) {
      const before = k === 1 ? tasks : (high[k - 1] as number);
      const after = high[k + 1] as number;
      const twice = 2 * (low[k] as number) * k * (top - k);
      if (before * (top - k + 1) * (top - k) + after * (k + 1) * k < twice) return false;
    }
    return true;
  }
}

/** C(c, k) for all c and k up to `most`, by c; whole and exact up to 32. */
export function binomialCoefficients(most: number): readonly (readonly number[])[] {
  const rows: number[][] = [[1]];
  for (let c = 1; c <= most; c++) {
    const above = rows[c - 1] ?? [];
    rows.push(Array.from({ length: c + 1 }, (_, k) => (above[k - 1] ?? 0) + (above[k] ?? 0)));
  }
  return rows;
}
