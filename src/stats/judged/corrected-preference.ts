import { assertPairs, tailOf } from '../counts.ts';
import { normalQuantile } from '../normal-quantile.ts';
import type { Agreed } from './corrected-rate.ts';

/** What a judge that compares said, in both orders, and how often it is right. */
export interface JudgedPreference {
  readonly pairs: number;
  readonly better: number;
  readonly worse: number;
  /** Pairs of which people found the one better. */
  readonly onBetter: Agreed;
  /** Pairs of which people found it no better. */
  readonly onOthers: Agreed;
}

export interface CorrectedPreference {
  /** (better − worse) / pairs as people would find it, from −1 to 1. */
  readonly difference: number;
  readonly interval: readonly [number, number];
}

/**
 * The share of pairs in which people would find the candidate better, less those in which they would find it worse. Both
 * shares are corrected as rates are (Rogan and Gladen 1978). A judge that is asked in both orders has the same errors
 * whichever side is the candidate's, so that they cancel but for their size: the difference is the judge's own over
 * sensitivity + specificity − 1. Interval: by the delta method, with one pair added to each kind of disagreement (Bonett and
 * Price 2012), and two labels to each kind (as in `correctedRate`). Null where the judge tells nothing, without pairs, and
 * without labels.
 */
export function correctedPreference(
  { pairs, better, worse, onBetter, onOthers }: JudgedPreference,
  confidence = 0.95,
): CorrectedPreference | null {
  assertPairs(pairs, worse, better);
  if (pairs === 0 || onBetter.items === 0 || onOthers.items === 0) return null;
  const informedness = onBetter.agreed / onBetter.items + onOthers.agreed / onOthers.items - 1;
  const [hits, refusals] = [shrunk(onBetter), shrunk(onOthers)];
  const toldSurely = hits.share + refusals.share - 1;
  if (informedness <= LEAST_TOLD || toldSurely <= LEAST_TOLD) return null;
  const [up, down, all] = [(better + 1) / (pairs + 2), (worse + 1) / (pairs + 2), pairs + 2];
  const centre = (up - down) / toldSurely;
  const ofPairs = (up + down - (up - down) ** 2) / all;
  const error = Math.sqrt(ofPairs + centre ** 2 * (hits.spread + refusals.spread)) / toldSurely;
  const half = -normalQuantile(tailOf(confidence)) * error;
  const difference = clipped((better - worse) / pairs / informedness);
  // Shrinking moves the centre: an interval that leaves its own difference outside says nothing.
  const interval = [
    Math.min(difference, clipped(centre - half)),
    Math.max(difference, clipped(centre + half)),
  ] as const;
  return { difference, interval };
}

/** Of a judge that tells less, rounding alone would decide. */
const LEAST_TOLD = 1e-12;

function shrunk({ items, agreed }: Agreed): { readonly share: number; readonly spread: number } {
  const share = (agreed + 1) / (items + 2);
  return { share, spread: (share * (1 - share)) / (items + 2) };
}

function clipped(difference: number): number {
  return Math.min(1, Math.max(-1, difference));
}
