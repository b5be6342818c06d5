import { type BootstrapOptions, bootstrapMean } from '../bootstrap.ts';
import { assertNumbers } from '../counts.ts';
import { meanOf } from '../mean.ts';

/** Scores of one task, from 0 to 1 or in any other unit, that two judges gave to two agents. */
export interface FamilyScores {
  /** Of the agent that is of the judge's own family. */
  readonly own: {
    /** By the judge itself. */
    readonly byOwn: number;
    /** By the other judge. */
    readonly byOther: number;
  };
  /** Of the agent of the other family. */
  readonly other: {
    /** By the judge itself. */
    readonly byOwn: number;
    /** By the other judge. */
    readonly byOther: number;
  };
}

/** How far a judge favours its own family. */
export interface FamilyBias {
  /** Tasks that were judged. */
  readonly tasks: number;
  /** How much more the judge gives its own family than the other judge does, beyond what it gives the other family more. */
  readonly difference: number;
  /** Lower and upper bound of the bias. */
  readonly interval: readonly [number, number];
  /** `present`: 0 lies outside the interval; `excluded`: the interval lies within ± margin; else `undecided`. */
  readonly verdict: 'present' | 'excluded' | 'undecided';
}

/**
 * How far a judge favours agents of its own family: the difference of differences, so that a judge who is lenient to all
 * does not look biased. Tasks are drawn again, not scores. Null without tasks. A bias within the margin that is known for
 * sure is `excluded` though 0 may lie outside. Source: release-gate F-15; equivalence: Wellek 2010.
 */
export function familyBias(
  tasks: readonly FamilyScores[],
  { margin = 0.05, ...options }: BootstrapOptions & { readonly margin?: number },
): FamilyBias | null {
  assertNumbers('margin', [margin], 0);
  const differences = tasks.map(({ own, other }) => {
    assertNumbers('score', [own.byOwn, own.byOther, other.byOwn, other.byOther]);
    return own.byOwn - own.byOther - (other.byOwn - other.byOther);
  });
  const difference = meanOf(differences);
  const bootstrapped = bootstrapMean(differences, options);
  if (difference === null || bootstrapped === null) return null;
  const { interval } = bootstrapped;
  return { tasks: tasks.length, difference, interval, verdict: verdictOf(interval, margin) };
}

function verdictOf([low, high]: readonly [number, number], margin: number): FamilyBias['verdict'] {
  if (low >= -margin && high <= margin) return 'excluded';
  return low > 0 || high < 0 ? 'present' : 'undecided';
}
