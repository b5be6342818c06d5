import { plural } from '../text/format-number.ts';
import { boundedMeanInterval } from '../stats/bounded-mean-interval.ts';
import { stratifiedRateInterval } from '../stats/stratified-rate-interval.ts';
import type { GateSide } from '../types/reports/gate.ts';
import type { Ends } from './compare.ts';
import { meanValue } from './gate-value.ts';
import { endsOf } from './pass-metric.ts';
import type { NoReading, Reading } from './reading.ts';

/** What one scenario or task adds to a mean, if its trials without a result fail, and if they pass. */
export interface MeanPart {
  readonly low: Ends['named'];
  readonly high: Ends['named'];
  readonly value: number;
  /** Groups of trials behind it; see `stratifiedRateInterval`. */
  readonly groups: number;
}

/** True: the gate asks about these scenarios, not about those like them. */
export function isAboutThese(side: GateSide): boolean {
  return side.kind !== 'point' && side.about === 'these';
}

/** The mean of a rate over scenarios or tasks. */
export function meanOfParts(parts: readonly MeanPart[], side: GateSide, noun: string): Reading | NoReading {
  const count = `mean of ${plural(parts.length, noun)}`;
  if (side.kind === 'point') {
    const value = parts.reduce((sum, part) => sum + part.value, 0) / parts.length;
    const [low, high] = [meanValue(parts.map((part) => part.low)), meanValue(parts.map((part) => part.high))];
    return { value, low: { named: low, other: null }, high: { named: high, other: null }, basis: count };
  }
  const [low, high] = (['low', 'high'] as const).map((end) => boundsOf(parts, end, side));
  if (low === undefined || high === undefined) return { verdict: 'insufficient', why: `has no ${noun}` };
  const basis = side.about === 'these' ? count : `${count}, as a sample of ${noun}s like them`;
  const isSettled = low.named.number === high.named.number;
  return { value: isSettled ? low.named.number : null, low, high, basis };
}

/** The ends never fall as a trial more passes, so unknown trials that fail and that pass bound them. */
function boundsOf(
  parts: readonly MeanPart[],
  end: 'low' | 'high',
  side: Exclude<GateSide, { kind: 'point' }>,
): Ends | undefined {
  const interval =
    side.about === 'these'
      ? stratifiedRateInterval(
          parts.map((part) => ({ value: part[end].number, groups: part.groups })),
          side.level,
        )
      : boundedMeanInterval(
          parts.map((part) => part[end].number),
          side.level,
        );
  return interval === null ? undefined : endsOf(side.kind, interval);
}
