import type { Gate } from '../types/gate.ts';
import { type CountRange, curtailed, type SoFar } from '../stats/curtailment.ts';
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
  const least = lowest(trials, (passed) => reaches(metricOf(passed) ?? 0, gate));
  const beyond = lowest(trials, (passed) => exceeds(metricOf(passed) ?? 0, gate));
  return least < beyond ? [least, beyond - 1] : null;
}

/**
 * The verdict of one scenario that no trial to come can change: the same as after all trials. Null while one can, and
 * for gates that do not depend on passes alone.
 */
export function curtailGate(gate: Gate, soFar: SoFar): 'pass' | 'fail' | null {
  if (!dependsOnPasses(gate) || gate.scope.kind === 'suite' || (gate.k ?? 1) > soFar.trials) return null;
  return curtailed(soFar, passingCounts(gate, soFar.trials));
}

/** The lowest count from 0 to `trials` for which a claim, once true, stays true; trials + 1 when it never is. */
function lowest(trials: number, claim: (passed: number) => boolean): number {
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
