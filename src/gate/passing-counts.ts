import type { Gate } from '../types/gate.ts';
import type { CountRange } from '../stats/curtailment.ts';
import { compare } from './compare.ts';
import { metricNamed } from './gate-metrics.ts';
import { passMetric } from './pass-metric.ts';

/** True when the gate's answer for one scenario depends on its pass count alone. */
export function dependsOnPasses(gate: Gate): boolean {
  return metricNamed(gate.metric)?.source.from === 'passes';
}

/**
 * The pass counts of one scenario's `trials` that pass the gate, all in one range because such metrics never fall as more
 * trials pass; null when none does, or when k exceeds the trials. Only for gates that depend on passes alone.
 */
export function passingCounts(gate: Gate, trials: number): CountRange | null {
  const metricOf = (passed: number): number | null => passMetric(gate, passed, trials);
  if (metricOf(0) === null) return null;
  const least = lowestCount(trials, (passed) => reaches(metricOf(passed) ?? 0, gate));
  const beyond = lowestCount(trials, (passed) => exceeds(metricOf(passed) ?? 0, gate));
  return least < beyond ? [least, beyond - 1] : null;
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
function reaches(value: number, { operator, value: bar }: Gate): boolean {
  if (operator === '<' || operator === '<=') return true;
  return compare(value, operator === '>' ? '>' : '>=', bar);
}

/** Above what the gate lets through. */
function exceeds(value: number, { operator, value: bar }: Gate): boolean {
  if (operator === '>' || operator === '>=') return false;
  return compare(value, operator === '<' ? '>=' : '>', bar);
}
