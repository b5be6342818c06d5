import { wilsonInterval } from '../../stats/wilson.ts';
import type { MeasuredShare, ReliabilityBin } from '../../types/judges/judge-calibration.ts';
import { formatCount } from '../../text/format-number.ts';
import { formatInterval, formatRate } from '../../text/format-rate.ts';

const SCALE = 21;

interface Reliability {
  readonly sensitivity: MeasuredShare;
  readonly specificity: MeasuredShare;
  readonly reliability?: readonly ReliabilityBin[];
}

/** A point of the reliability curve: items of which a judge was about as sure. */
export interface ReliabilityPoint {
  /** Which items these are, in words. */
  readonly name: string;
  /** How sure the judge was that they pass: what their share would be if it was never wrong about that. */
  readonly confidence: number;
  readonly items: number;
  /** Of these, people passed. */
  readonly share: number;
  readonly interval: readonly [number, number];
}

/**
 * The reliability curve of a judge. One of yes and no has two points: what it failed, and what it passed. One that says how
 * sure it is has a point for each bin with an item. Shares of people hold for items as good as the labelled ones: where fewer
 * are good, less of what is passed is.
 */
export function reliabilityPoints({ sensitivity, specificity, reliability }: Reliability): readonly ReliabilityPoint[] {
  if (reliability !== undefined) {
    return reliability.map(({ from, to, confidence, items, share, interval }) => {
      return { name: `${from.toFixed(1)} to ${to.toFixed(1)} sure`, confidence, items, share, interval };
    });
  }
  const passedWrongly = specificity.items - specificity.agreed;
  const failedWrongly = sensitivity.items - sensitivity.agreed;
  return [
    pointOf('it failed', 0, { items: specificity.agreed + failedWrongly, passed: failedWrongly }),
    pointOf('it passed', 1, { items: sensitivity.agreed + passedWrongly, passed: sensitivity.agreed }),
  ].flat();
}

function pointOf(
  name: string,
  confidence: number,
  { items, passed }: { readonly items: number; readonly passed: number },
): readonly ReliabilityPoint[] {
  const interval = wilsonInterval(items, passed);
  return interval === null ? [] : [{ name, confidence, items, share: passed / items, interval }];
}

/** Its points in words, each on a scale from 0 to 1, on which │ is where a judge that is never wrong stands. */
export function reliabilityLines(judge: Reliability): readonly string[] {
  return reliabilityPoints(judge).map(({ name, confidence, items, share, interval }) => {
    const of = judge.reliability === undefined ? `that ${name}` : `of which it was ${name}`;
    const scale = scaleOf(share, interval, confidence);
    return `${scale} of ${formatCount(items)} ${of} people passed ${formatRate(share)} ${formatInterval(interval)}`;
  });
}

function scaleOf(share: number, [low, high]: readonly [number, number], right: number): string {
  const cellOf = (value: number): number => Math.min(SCALE - 1, Math.floor(value * SCALE));
  const cells = Array.from({ length: SCALE }, () => '·');
  for (let at = cellOf(low); at <= cellOf(high); at++) cells[at] = '─';
  cells[cellOf(right)] = '│';
  cells[cellOf(share)] = '█';
  return cells.join('');
}
