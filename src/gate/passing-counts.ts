import type { CountRange } from '../stats/curtailment.ts';
import type { Gate } from '../types/reports/gate.ts';
import { compare, type Ends } from './compare.ts';
import { metricNamed } from './gate-metrics.ts';
import type { GateValue } from './gate-value.ts';
import { passMetric } from './pass-metric.ts';

/** True when the gate's answer for one scenario depends on its pass count alone. */
export function dependsOnPasses(gate: Gate): boolean {
  return metricNamed(gate.metric)?.source.from === 'passes';
}

/** Pass counts by what the gate says of them. */
export interface CountRanges {
  /** Those that pass; null: none does. */
  readonly passing: CountRange | null;
  /** Those that do not fail, because they pass or are too thin to tell; null: all fail. */
  readonly standing: CountRange | null;
}

/** The pass counts of one scenario's `trials` that pass the gate; see `countRanges`. */
export function passingCounts(gate: Gate, trials: number): CountRange | null {
  return countRanges(gate, trials).passing;
}

/**
 * What the gate says of each pass count of one scenario's `trials`. Equal answers are in one range, because such metrics
 * never fall as more trials pass; null when none is there, or when k exceeds the trials. Only for gates that depend on
 * passes alone.
 */
export function countRanges(gate: Gate, trials: number): CountRanges {
  const endsOf = (passed: number): Ends | null => passMetric(gate, passed, trials);
  if (endsOf(0) === null) return { passing: null, standing: null };
  const range = (pick: (ends: Ends) => GateValue, pickLast: (ends: Ends) => GateValue): CountRange | null => {
    const claim = (of: (ends: Ends) => GateValue, holds: (value: GateValue, gate: Gate) => boolean): number =>
      lowestCount(trials, (passed) => {
        const ends = endsOf(passed);
        return ends !== null && holds(of(ends), gate);
      });
    const least = claim(pick, reaches);
    const beyond = claim(pickLast, exceeds);
    return least < beyond ? [least, beyond - 1] : null;
  };
  const named = ({ named: value }: Ends): GateValue => value;
  const { side } = gate;
  if (side.kind === 'point') {
    const passing = range(named, named);
    return { passing, standing: passing };
  }
  // A count stands as long as one end of its interval meets the bar: the upper one from below, the lower one from above.
  const upper = (ends: Ends): GateValue => (side.kind === 'upper' ? ends.named : (ends.other ?? ends.named));
  const lower = (ends: Ends): GateValue => (side.kind === 'lower' ? ends.named : (ends.other ?? ends.named));
  return { passing: range(named, named), standing: range(upper, lower) };
}

/** The lowest count from 0 to `trials` for which a claim, once true, stays true; trials + 1 when it never is. */
export function lowestCount(trials: number, claim: (passed: number) => boolean): number {
  let low = 0;
  let high = trials + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (claim(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Not below what the gate lets through. */
function reaches(value: GateValue, { operator, value: bar }: Gate): boolean {
  if (operator === '<' || operator === '<=') return true;
  return compare(value, operator === '>' ? '>' : '>=', bar);
}

/** Above what the gate lets through. */
function exceeds(value: GateValue, { operator, value: bar }: Gate): boolean {
  if (operator === '>' || operator === '>=') return false;
  return compare(value, operator === '<' ? '>=' : '>', bar);
}
