import { MAX_CALL, MAX_CALLS, type StrikeCounts } from '../../trial/tally/strike-counts.ts';
import { corrupt, fillNumbers, packNumbers } from './packed-numbers.ts';

/** Counts of strikes as a list of plain values; null where there is nothing to count, as in most scenarios. */
export function packStrikes({ fired, trials, rulings, calls }: StrikeCounts): readonly unknown[] | null {
  if (fired.length + rulings.length + calls.size === 0) return null;
  return [packNumbers(fired), packNumbers(trials), packNumbers(rulings), [...calls].sort()];
}

/** Fills counts of strikes from what `packStrikes` gave; throws `INTEGRITY` for anything else. */
export function unpackStrikes(value: unknown, strikes: StrikeCounts): void {
  if (value === null && strikes.fired.length + strikes.rulings.length === 0) return;
  if (!Array.isArray(value) || value.length !== 4) throw corrupt('strikes is not a list of counts and names');
  const [fired, trials, rulings, calls] = value as readonly unknown[];
  fillNumbers(fired, 'strikes', strikes.fired);
  fillNumbers(trials, 'strikes', strikes.trials);
  fillNumbers(rulings, 'strikes', strikes.rulings);
  if (!Array.isArray(calls) || calls.length > MAX_CALLS) throw corrupt('strikes has no readable names');
  for (const name of calls as readonly unknown[]) {
    if (typeof name !== 'string' || name.length > MAX_CALL) throw corrupt('strikes has no readable names');
    strikes.addCall(name);
  }
}
