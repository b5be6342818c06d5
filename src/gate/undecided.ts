import { binomialBetween } from '../stats/binomial.ts';
import type { CountRange } from '../stats/curtailment.ts';
import type { Gate } from '../types/reports/gate.ts';
import { ratesToTell } from './describe-gate.ts';
import { asksWhole } from './gate-scope.ts';
import { countRanges, dependsOnPasses } from './passing-counts.ts';

/** How often a gate on each scenario stays undecided. */
export interface Undecided {
  /** The true pass rate of a workflow that it should let through. */
  readonly rate: number;
  readonly chance: number;
}

/**
 * How often so many trials are too few to tell, for a workflow that the gate should let through: its pass count neither
 * meets the bar nor refutes it. Null where it does not depend on one scenario's passes.
 */
export function undecidedChance(gate: Gate, trials: number): Undecided | null {
  if (!dependsOnPasses(gate) || asksWhole(gate.scope)) return null;
  const rate = ratesToTell(gate, {})?.good;
  if (rate === undefined) return null;
  if ((gate.k ?? 1) > trials) return { rate, chance: 1 };
  const { passing, standing } = countRanges(gate, trials);
  const chance = (range: CountRange | null): number => (range === null ? 0 : binomialBetween(trials, rate, ...range));
  return { rate, chance: Math.max(0, chance(standing) - chance(passing)) };
}
