import { squaredErrorOfMean } from '../stats/error-of-sums.ts';
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
}

export interface TokenChangeOptions {
  readonly tolerance: number;
  /** True: trial i of both runs had the same draws and the same answers, so a single trial of each can be compared. */
  readonly sameDraws: boolean;
  /** True: the same program ran the same trials, so that chance plays no part. */
  readonly isRepeat: boolean;
}

/**
 * Tokens per trial against the baseline, with Welch's test (1947, Biometrika 34, 28–35). A baseline that does not say
 * how its tokens spread is taken to spread as this run's do.
 */
export function tokenChange(
  before: ComparedScenario,
  after: ComparedScenario,
  { tolerance, sameDraws, isRepeat }: TokenChangeOptions,
): TokenChange {
  const was = before.tokens;
  const is = after.tokens;
  if (was === null || is === null || was.trials === 0 || is.trials === 0) {
    const shared = { before: meanOf(was), after: meanOf(is), change: null, interval: null, p: null };
    return { ...shared, isBeyond: false, proof: 'impossible', errors: null };
  }
  const [now, then] = [varianceOf(is), varianceOf(was) ?? varianceOf(is)];
  const errors =
    now === null || then === null
      ? null
      : [
          { squared: then / was.trials, df: was.trials - 1 },
          { squared: now / is.trials, df: is.trials - 1 },
        ];
  const change = welch(was.total / was.trials, is.total / is.trials, errors);
  const isBeyond = was.total === 0 ? is.total > 0 : exceeds(was, is, tolerance);
  if (isRepeat) return { ...change, p: null, isBeyond, proof: 'certain', errors: [] };
  if (errors !== null) return { ...change, isBeyond, proof: change.p === null ? 'certain' : 'tested', errors };
  // One trial of a run with other draws may have met another answer.
  const proof = sameDraws || was.squared === null ? 'certain' : 'impossible';
  return { ...change, isBeyond, proof, errors: null };
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
  const parts = changes.flatMap(({ before, after, errors }) =>
    before === null || after === null || errors === null ? [] : [{ before, after, errors }],
  );
  const count = parts.length;
  if (count === 0) {
    const shared = { before: null, after: null, change: null, interval: null, p: null };
    return { ...shared, isBeyond: false, proof: 'impossible', errors: null };
  }
  const errors = parts.flatMap((part) => part.errors.map(({ squared, df }) => ({ squared: squared / count ** 2, df })));
  const before = parts.reduce((sum, part) => sum + part.before, 0) / count;
  const after = parts.reduce((sum, part) => sum + part.after, 0) / count;
  const change = welch(before, after, errors);
  // Means of quotients are rounded: 10 % more is not more than 10 %.
  const isBeyond = change.change === null ? after > 0 : Math.abs(change.change) - tolerance > 1e-12;
  return { ...change, isBeyond, proof: change.p === null ? 'certain' : 'tested', errors };
}

/** What tokens did at this level. Risen and fallen are by more than is tolerated. */
export function tokenDrift(change: TokenChange, q: number | null, level: number): TokenDrift {
  const { isBeyond, proof, errors: _, ...shared } = change;
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

function welch(
  before: number,
  after: number,
  errors: readonly MeanError[] | null,
): Pick<TokenDrift, 'before' | 'after' | 'change' | 'interval' | 'p'> {
  const difference = after - before;
  const shared = { before, after, change: before === 0 ? null : after / before - 1 };
  if (errors === null) return { ...shared, interval: null, p: null };
  const variance = errors.reduce((sum, { squared }) => sum + squared, 0);
  if (variance === 0) return { ...shared, interval: [difference, difference], p: null };
  const df = Math.max(
    1,
    variance ** 2 / errors.reduce((sum, { squared, df: degrees }) => sum + squared ** 2 / degrees, 0),
  );
  const half = studentQuantile(0.95, df) * Math.sqrt(variance);
  const p = studentTwoSided(difference / Math.sqrt(variance), df);
  return { ...shared, interval: [difference - half, difference + half], p };
}
