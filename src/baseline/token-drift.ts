import { squaredErrorOfMean } from '../stats/error-of-sums.ts';
import { fisherExact } from '../stats/fisher-exact.ts';
import { sumOf } from '../stats/mean.ts';
import { studentQuantile, studentTwoSided } from '../stats/student-t.ts';
import type { TokenDrift } from '../types/reports/drift.ts';
import { compareToDecimal } from '../values/compare-decimal.ts';
import type { ComparedScenario } from './compared-run.ts';

/** Tokens of two runs compared, but for what depends on the level: correction and status. */
export interface TokenChange extends Pick<TokenDrift, 'before' | 'after' | 'change' | 'interval' | 'p'> {
  /** Changed by more than is tolerated. */
  readonly isBeyond: boolean;
  /** What such a change needs: nothing more, evidence, or more trials than there are. */
  readonly proof: 'certain' | 'tested' | 'impossible';
  /** Of the two means; [] where chance plays no part; null where the trials do not tell. */
  readonly errors: readonly MeanError[] | null;
  /** The smallest p that so few trials have, however alike those of a run are; 0: any; null: chance plays no part. */
  readonly leastP: number | null;
}

export interface TokenChangeOptions {
  readonly tolerance: number;
  /** True: trial i of both runs had the same draws and the same answers, so a single trial of each can be compared. */
  readonly sameDraws: boolean;
  /** True: the same program ran the same trials, or nothing in it is drawn, so that chance plays no part. */
  readonly isCertain: boolean;
}

/**
 * Tokens per trial against the baseline, with Welch's test (1947, Biometrika 34, 28–35), or with Student's of one common
 * spread where that is less sure: few trials that are alike by chance do not show how the tokens of many others spread. Of
 * independent runs p is no smaller than the share of all ways to deal their trials to two runs that part them so, which is
 * 1 / C(m + n, n) (Fisher 1935). A baseline that does not say how its tokens spread is taken to spread as this run's do.
 */
export function tokenChange(
  before: ComparedScenario,
  after: ComparedScenario,
  { tolerance, sameDraws, isCertain }: TokenChangeOptions,
): TokenChange {
  const was = before.tokens;
  const is = after.tokens;
  if (was === null || is === null || was.trials === 0 || is.trials === 0) {
    const shared = { before: meanOf(was), after: meanOf(is), change: null, interval: null, p: null };
    return { ...shared, isBeyond: false, proof: 'impossible', errors: null, leastP: null };
  }
  const errors = errorsOf(was, is);
  const leastP = isCertain ? null : sameDraws ? 0 : leastPOf(was.trials, is.trials);
  const change = tested(was.total / was.trials, is.total / is.trials, { errors, leastP });
  const isBeyond = was.total === 0 ? is.total > 0 : exceeds(was, is, tolerance);
  if (isCertain) return { ...change, p: null, isBeyond, proof: 'certain', errors: [], leastP };
  if (errors !== null) return { ...change, isBeyond, proof: change.p === null ? 'certain' : 'tested', errors, leastP };
  // One trial of a run with other draws may have met another answer.
  return { ...change, isBeyond, proof: sameDraws ? 'certain' : 'impossible', errors: null, leastP };
}

/** Null: this run's trials do not tell their spread. */
function errorsOf(was: Tokens, is: Tokens): readonly MeanError[] | null {
  const [then, now] = [varianceOf(was), varianceOf(is)];
  if (now === null) return null;
  const both = 1 / was.trials + 1 / is.trials;
  if (then === null) return [{ squared: now * both, df: is.trials - 1 }];
  const apart = [
    { squared: then / was.trials, df: was.trials - 1 },
    { squared: now / is.trials, df: is.trials - 1 },
  ];
  const df = was.trials + is.trials - 2;
  const common = (((was.trials - 1) * then + (is.trials - 1) * now) / df) * both;
  // Of equally many trials both are the same, but for rounding.
  return common > (1 + 1e-12) * sumOf(apart.map(({ squared }) => squared)) ? [{ squared: common, df }] : apart;
}

/** Twice the share of all ways to deal these trials to two runs in which one run has all that took most. */
function leastPOf(before: number, after: number): number {
  const parted = fisherExact({ trials: before, passed: before }, { trials: after, passed: 0 });
  return Math.min(1, 2 * (parted?.worse ?? 0));
}

/** Exactly: 110 tokens after 100 are 10 % more. */
function exceeds(was: Tokens, is: Tokens, tolerance: number): boolean {
  const before = was.total * is.trials;
  const difference = Math.abs(is.total * was.trials - before);
  if (Math.max(before, difference) > Number.MAX_SAFE_INTEGER) return difference / before > tolerance;
  return compareToDecimal(difference, before, tolerance) > 0;
}

/** The mean over scenarios of tokens per trial, of those whose trials tell how sure theirs is. */
export function suiteTokenChange(changes: readonly TokenChange[], tolerance: number): TokenChange {
  const parts = changes.flatMap(({ before, after, errors, leastP }) =>
    before === null || after === null || errors === null ? [] : [{ before, after, errors, leastP }],
  );
  const count = parts.length;
  if (count === 0) {
    const shared = { before: null, after: null, change: null, interval: null, p: null };
    return { ...shared, isBeyond: false, proof: 'impossible', errors: null, leastP: null };
  }
  const errors = parts.flatMap((part) => part.errors.map(({ squared, df }) => ({ squared: squared / count ** 2, df })));
  const before = parts.reduce((sum, part) => sum + part.before, 0) / count;
  const after = parts.reduce((sum, part) => sum + part.after, 0) / count;
  // Scenarios are dealt anew each for itself.
  const drawn = parts.flatMap(({ leastP: own }) => own ?? []);
  const leastP = drawn.length === 0 ? null : Math.min(1, 2 * drawn.reduce((share, own) => share * (own / 2), 1));
  const change = tested(before, after, { errors, leastP });
  // Means of quotients are rounded: 10 % more is not more than 10 %.
  const isBeyond = change.change === null ? after > 0 : Math.abs(change.change) - tolerance > 1e-12;
  return { ...change, isBeyond, proof: change.p === null ? 'certain' : 'tested', errors, leastP };
}

/** What tokens did at this level. Risen and fallen are by more than is tolerated. */
export function tokenDrift(change: TokenChange, q: number | null, level: number): TokenDrift {
  const { isBeyond, proof, errors: _, leastP: __, ...shared } = change;
  const { before, after } = shared;
  if (before === null || after === null) return { status: 'unknown', ...shared, q };
  if (!isBeyond) return { status: 'within', ...shared, q };
  if (proof === 'impossible') return { status: 'unknown', ...shared, q };
  if (proof === 'tested' && (q === null || q > level)) return { status: 'within', ...shared, q };
  return { status: after > before ? 'risen' : 'fallen', ...shared, q };
}

type Tokens = NonNullable<ComparedScenario['tokens']>;

function meanOf(tokens: Tokens | null): number | null {
  return tokens === null || tokens.trials === 0 ? null : tokens.total / tokens.trials;
}

/** Of a single trial; null where it is not known. */
function varianceOf({ total, squared, trials }: Tokens): number | null {
  const error = squared === null ? null : squaredErrorOfMean({ total, squared, trials });
  return error === null ? null : error * trials;
}

/** One of the means that a difference is put together of. */
export interface MeanError {
  readonly squared: number;
  readonly df: number;
}

function tested(
  before: number,
  after: number,
  { errors, leastP }: Pick<TokenChange, 'errors' | 'leastP'>,
): Pick<TokenDrift, 'before' | 'after' | 'change' | 'interval' | 'p'> {
  const difference = after - before;
  const shared = { before, after, change: before === 0 ? null : after / before - 1 };
  if (errors === null) return { ...shared, interval: null, p: null };
  const variance = sumOf(errors.map(({ squared }) => squared));
  if (variance === 0) {
    // Without any spread trials that might have been others say no more than how many they are.
    if ((leastP ?? 0) > 0) return { ...shared, interval: null, p: difference === 0 ? 1 : leastP };
    return { ...shared, interval: [difference, difference], p: null };
  }
  const df = Math.max(1, variance ** 2 / sumOf(errors.map(({ squared, df: degrees }) => squared ** 2 / degrees)));
  const half = studentQuantile(0.95, df) * Math.sqrt(variance);
  const p = Math.max(leastP ?? 0, studentTwoSided(difference / Math.sqrt(variance), df));
  return { ...shared, interval: [difference - half, difference + half], p };
}
