import { judgePasses, type PassCounts } from '../../gate/judge-passes.ts';
import type { Gate } from '../../types/reports/gate.ts';

/** More trials of a scenario than this are nobody's plan. */
const MOST_TRIALS = 2 ** 20;

/** Fewest trials of each scenario with which the gate passes at the rates seen so far, without errors; null: none up to 2^20. */
export function trialsAtRates(gate: Gate, scenarios: readonly PassCounts[]): number | null {
  const rates = scenarios.map(({ trials, passed, errors }) => (trials > errors ? passed / (trials - errors) : 0));
  return fewest(
    scenarios.reduce((most, { trials }) => Math.max(most, trials), 1),
    (trials) =>
      passes(
        gate,
        rates.map((rate) => ({ trials, passed: Math.round(rate * trials), errors: 0 })),
      ),
  );
}

/** The same where every trial passes. */
export function trialsIfAllPass(gate: Gate, scenarios: readonly PassCounts[]): number | null {
  return fewest(1, (trials) =>
    passes(
      gate,
      scenarios.map(() => ({ trials, passed: trials, errors: 0 })),
    ),
  );
}

/**
 * The lowest share of its trials that each scenario must pass for the gate to pass with the trials that were run, errors
 * among those that may fail; null: not even if all pass.
 */
export function shareToPass(gate: Gate, scenarios: readonly PassCounts[]): number | null {
  const most = scenarios.reduce((sum, { trials }) => Math.max(sum, trials), 0);
  const liftedTo = (count: number): boolean =>
    passes(
      gate,
      scenarios.map(({ trials, passed }) => ({
        trials,
        passed: Math.max(passed, Math.ceil((count * trials) / most)),
        errors: 0,
      })),
    );
  if (most === 0 || !liftedTo(most)) return null;
  return firstOf(0, most, liftedTo) / most;
}

/** True: the gate passes with these counts. */
export function passes(gate: Gate, scenarios: readonly PassCounts[]): boolean {
  return judgePasses(gate, scenarios).verdict === 'pass';
}

/**
 * Where more trials begin to suffice, since rounded counts make chances jump a little: the fewest from `from` on for a claim
 * that stays true. Null: none up to `most`.
 */
export function fewest(from: number, suffices: (trials: number) => boolean, most = MOST_TRIALS): number | null {
  let high = from;
  while (!suffices(high)) {
    if (high >= most) return null;
    high = Math.min(most, high * 2);
  }
  return firstOf(from, high, suffices);
}

/** The lowest number from which a claim that holds at `high` holds. */
function firstOf(from: number, high: number, holds: (count: number) => boolean): number {
  let [low, last] = [from, high];
  while (low < last) {
    const middle = Math.floor((low + last) / 2);
    if (holds(middle)) last = middle;
    else low = middle + 1;
  }
  return last;
}
