import { xoshiro128 } from '../random/xoshiro128.ts';
import { binomialAtMost, logBinomialChance } from './binomial.ts';
import { assertChance, assertCounts, assertNumbers, assertPairs, assertWhole } from './counts.ts';
import { hypergeometric } from './hypergeometric.ts';
import type { Run } from './two-proportions.ts';

/**
 * How two runs of one scenario compare: trial by trial where they had the same draws, else as independent runs; `exact`
 * where chance plays no part.
 */
export type Stratum =
  | {
      readonly kind: 'exact';
      /** After − before of the pass rate. */
      readonly difference: number;
    }
  | {
      readonly kind: 'pairs';
      /** Trials that both runs have. */
      readonly trials: number;
      /** Of these, passed before and not now. */
      readonly lost: number;
      /** Of these, passed now and not before. */
      readonly gained: number;
    }
  | {
      readonly kind: 'runs';
      /** Counts before. */
      readonly before: Run;
      /** Counts now. */
      readonly after: Run;
    };

/** Evidence that the mean pass rate of some scenarios changed. */
export interface StratifiedTest {
  /** Twice the smaller of the one-sided values; at most 1. */
  readonly p: number;
  /** The chance of so large a fall of the mean, or a larger one, if no scenario had changed; and of so large a rise. */
  readonly worse: number;
  /** The chance of so large a rise of the mean, or a larger one, if no scenario had changed. */
  readonly better: number;
  /** `exact`: all pairs have equal weight, so it is McNemar's test of all of them; `sampled`: seeded permutations. */
  readonly method: 'exact' | 'sampled';
}

/** How trials are permuted. */
export interface StratifiedTestOptions {
  /** The seed of every random choice. */
  readonly seed: number;
  /** One-sided level at which it must be able to decide; 0.01 when absent. */
  readonly level?: number;
}

/**
 * Permutation test of "no scenario has changed", stratified by scenario: the two results of a pair are exchanged, and the
 * trials of independent runs dealt anew, always within one scenario. The statistic is the mean over scenarios of the
 * change of the pass rate. Rejects at α by chance at most so often, whatever the rates of the scenarios are and however
 * few there are. Null without a trial. Sources: Fisher 1935; Phipson and Smyth 2010, Stat. Appl. Genet. Mol. Biol. 9:39.
 */
export function stratifiedTest(
  strata: readonly Stratum[],
  { seed, level = 0.01 }: StratifiedTestOptions,
): StratifiedTest | null {
  assertStrata(strata);
  assertChance('level', level);
  assertWhole('seed', seed, 0, Number.MAX_SAFE_INTEGER);
  const drawnStrata = strata.filter(isDrawn);
  if (drawnStrata.length === 0) return null;
  const pairs = drawnStrata.filter((stratum) => stratum.kind === 'pairs');
  if (pairs.length === drawnStrata.length && pairs.every(({ trials }) => trials === pairs[0]?.trials)) {
    return ofPairs(pairs);
  }
  const changes = drawnStrata.map(changeOf).filter(({ chances }) => chances.length > 1);
  const observed = changes.reduce((sum, { observed: own }) => sum + own, 0);
  // Sums that differ by rounding alone are ties.
  const slack = 1e-9 * changes.reduce((sum, { size }) => sum + size, 0);
  const draws = Math.min(MOST_DRAWS, Math.max(USUAL_DRAWS, Math.ceil(DRAWS_PER_LEVEL / level)));
  const random = xoshiro128(seed);
  let below = 0;
  let above = 0;
  for (let i = 0; i < draws; i++) {
    let sum = 0;
    for (const change of changes) sum += change.least + change.step * drawn(change, random.next());
    if (sum <= observed + slack) below++;
    if (sum >= observed - slack) above++;
  }
  return result((1 + below) / (1 + draws), (1 + above) / (1 + draws), 'sampled');
}

/** Throws unless all counts are possible. */
export function assertStrata(strata: readonly Stratum[]): void {
  for (const stratum of strata) {
    if (stratum.kind === 'exact') assertNumbers('difference', [stratum.difference]);
    else if (stratum.kind === 'pairs') assertPairs(stratum.trials, stratum.lost, stratum.gained);
    else for (const { trials, passed } of [stratum.before, stratum.after]) assertCounts(trials, passed);
  }
}

const USUAL_DRAWS = 10_000;
const MOST_DRAWS = 1_000_000;
const DRAWS_PER_LEVEL = 100;

function ofPairs(pairs: readonly Extract<Stratum, { kind: 'pairs' }>[]): StratifiedTest {
  const lost = pairs.reduce((sum, pair) => sum + pair.lost, 0);
  const gained = pairs.reduce((sum, pair) => sum + pair.gained, 0);
  const apart = lost + gained;
  return result(binomialAtMost(apart, 0.5, gained), binomialAtMost(apart, 0.5, lost), 'exact');
}

function result(worse: number, better: number, method: StratifiedTest['method']): StratifiedTest {
  return { p: Math.min(1, 2 * Math.min(worse, better)), worse, better, method };
}

type Drawn = Exclude<Stratum, { kind: 'exact' }>;

/** True: chance plays a part in it. */
function isDrawn(stratum: Stratum): stratum is Drawn {
  if (stratum.kind === 'runs') return stratum.before.trials > 0 && stratum.after.trials > 0;
  return stratum.kind === 'pairs' && stratum.trials > 0;
}

/** The change of one scenario's pass rate had chance alone decided: `least` + `step` · i, with these chances. */
interface Change {
  readonly observed: number;
  readonly least: number;
  readonly step: number;
  /** The largest change, up or down. */
  readonly size: number;
  /** Of i or less, as parts of 2^32, ascending; the last is 2^32. */
  readonly chances: Float64Array;
  /** By the highest eight bits of a draw, the first i that a draw beginning with them may give. */
  readonly starts: Uint32Array;
}

function changeOf(stratum: Drawn): Change {
  if (stratum.kind === 'pairs') {
    const { trials, lost, gained } = stratum;
    const apart = lost + gained;
    const window = windowOf(0, apart, Math.floor(apart / 2), (count) => logBinomialChance(apart, 0.5, count));
    return {
      observed: (gained - lost) / trials,
      least: (2 * window.least - apart) / trials,
      step: 2 / trials,
      size: apart / trials,
      chances: window.chances,
      starts: startsIn(window.chances),
    };
  }
  const { before, after } = stratum;
  const passed = before.passed + after.passed;
  const { least, most, mode, log } = hypergeometric(before.trials, after.trials, passed);
  const window = windowOf(least, most, mode, log);
  const changeAt = (count: number): number => count / after.trials - (passed - count) / before.trials;
  return {
    observed: changeAt(after.passed),
    least: changeAt(window.least),
    step: 1 / before.trials + 1 / after.trials,
    size: 1,
    chances: window.chances,
    starts: startsIn(window.chances),
  };
}

/** The counts that a 32-bit draw can meet, and their chances added up. */
function windowOf(
  least: number,
  most: number,
  mode: number,
  log: (count: number) => number,
): { readonly least: number; readonly chances: Float64Array } {
  const floor = log(mode) - UNSEEN;
  let low = mode;
  let high = mode;
  while (low > least && log(low - 1) > floor) low--;
  while (high < most && log(high + 1) > floor) high++;
  const chances = new Float64Array(high - low + 1);
  let sum = 0;
  for (let i = 0; i < chances.length; i++) {
    sum += Math.exp(log(low + i));
    chances[i] = sum;
  }
  for (let i = 0; i < chances.length; i++) chances[i] = ((chances[i] as number) / sum) * 0x100000000;
  return { least: low, chances };
}

/** exp of minus this is far below 2^-32. */
const UNSEEN = 30;

/** For each value of the highest eight bits of a draw, the place of the smallest draw that begins with it. */
function startsIn(chances: Float64Array): Uint32Array {
  const starts = new Uint32Array(256);
  let at = 0;
  for (let high = 0; high < starts.length; high++) {
    while (high * 0x1000000 >= (chances[at] as number)) at++;
    starts[high] = at;
  }
  return starts;
}

/** The first place whose chance exceeds the 32-bit draw. */
function drawn({ chances, starts }: Change, draw: number): number {
  let at = starts[draw >>> 24] as number;
  while (draw >= (chances[at] as number)) at++;
  return at;
}
