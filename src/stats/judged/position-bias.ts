import { binomialAtMost } from '../binomial.ts';
import { assertCounts } from '../counts.ts';
import { wilsonInterval } from '../wilson.ts';

/** What a judge said of a pair, seen from one of the two: the candidate. */
export type PairOutcome = 'win' | 'loss' | 'tie';

/** A pair judged in both orders. */
export interface SwappedPair {
  /** The candidate stood first. */
  readonly first: PairOutcome;
  /** The candidate stood second. */
  readonly second: PairOutcome;
}

/** Outcomes of pairs, from the candidate's side. */
export interface PairCounts {
  /** Pairs that the candidate has won. */
  readonly wins: number;
  /** Pairs that it has lost. */
  readonly losses: number;
  /** Pairs without a winner. */
  readonly ties: number;
}

/** How far a judge goes by the order of two answers. */
export interface PositionBias {
  /** Pairs that were judged in both orders. */
  readonly pairs: number;
  /** A win against a tie is a win, a win against a loss a tie. */
  readonly swapped: PairCounts;
  /** Both orders must agree; all other pairs are ties. */
  readonly strict: PairCounts;
  /** Share of pairs with the same outcome in both orders. */
  readonly consistency: number;
  /** Verdicts of single orders that name one of the two, and those among them that name the one that stood first. */
  readonly decisive: number;
  /** Those of `decisive` that name the answer that stood first. */
  readonly firstChosen: number;
  /** firstChosen / decisive with Wilson's interval; null: no verdict was decisive. 0.5 without bias. */
  readonly firstShare: {
    /** firstChosen / decisive. */
    readonly share: number;
    /** Lower and upper bound of that share. */
    readonly interval: readonly [number, number];
  } | null;
  /** Pairs whose verdict followed the place: twice the first, twice the second. */
  readonly twiceFirst: number;
  /** Pairs in which the second was chosen in both orders. */
  readonly twiceSecond: number;
  /** Chance of a split at least as uneven between the two without bias, exact and two-sided; 1: there is no such pair. */
  readonly p: number;
}

/**
 * What both orders together say of each pair, and how far the place of an answer decides. Null without pairs.
 * Source: JudgeBench (Tan and others 2024, arXiv 2410.12784) for the rule; release-gate F-13.
 */
export function positionBias(pairs: readonly SwappedPair[]): PositionBias | null {
  if (pairs.length === 0) return null;
  const count = (holds: (pair: SwappedPair) => boolean): number => pairs.filter(holds).length;
  const wins = count((pair) => swappedOutcome(pair) === 'win');
  const losses = count((pair) => swappedOutcome(pair) === 'loss');
  const agreedWins = count(({ first, second }) => first === 'win' && second === 'win');
  const agreedLosses = count(({ first, second }) => first === 'loss' && second === 'loss');
  const decisive = count(({ first }) => first !== 'tie') + count(({ second }) => second !== 'tie');
  const firstChosen = count(({ first }) => first === 'win') + count(({ second }) => second === 'loss');
  const twiceFirst = count(({ first, second }) => first === 'win' && second === 'loss');
  const twiceSecond = count(({ first, second }) => first === 'loss' && second === 'win');
  const interval = wilsonInterval(decisive, firstChosen);
  return {
    pairs: pairs.length,
    swapped: { wins, losses, ties: pairs.length - wins - losses },
    strict: { wins: agreedWins, losses: agreedLosses, ties: pairs.length - agreedWins - agreedLosses },
    consistency: count(({ first, second }) => first === second) / pairs.length,
    decisive,
    firstChosen,
    firstShare: interval === null ? null : { share: firstChosen / decisive, interval },
    twiceFirst,
    twiceSecond,
    p: unevenness(twiceFirst, twiceSecond),
  };
}

/** What both orders say together. */
export function swappedOutcome({ first, second }: SwappedPair): PairOutcome {
  const score = SCORES[first] + SCORES[second];
  if (score === 0) return 'tie';
  return score > 0 ? 'win' : 'loss';
}

const SCORES: Readonly<Record<PairOutcome, number>> = { win: 1, loss: -1, tie: 0 };

function unevenness(one: number, other: number): number {
  assertCounts(one + other, one);
  return Math.min(1, 2 * binomialAtMost(one + other, 0.5, Math.min(one, other)));
}
