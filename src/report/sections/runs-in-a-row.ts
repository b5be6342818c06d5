import type { SuiteReport } from '../../types/reports/report.ts';

/** The k of the pass^k that stands beside pass rates. */
export const RUNS_IN_A_ROW = 8;

/** With fewer trials, one failure more or less moves it by more than a quarter. */
const LEAST_TRIALS = 4 * RUNS_IN_A_ROW;

/** From here on the pass rate says as much. */
const ALWAYS = 0.995;

/** The chance that so many runs in a row all succeed; null: too few trials ran, or none. */
export function inARow(listed: readonly { readonly k: number; readonly value: number }[]): number | null {
  if ((listed.at(-1)?.k ?? 0) < LEAST_TRIALS) return null;
  return listed.find(({ k }) => k === RUNS_IN_A_ROW)?.value ?? null;
}

/** The same for the suite, in words; null also where the pass rate says as much. */
export function inARowText({ summary, scenarios }: SuiteReport): string | null {
  const chance = inARow(summary.passHatK);
  if (chance === null || chance >= ALWAYS) return null;
  const whose = scenarios.length < 2 ? '' : ' of a scenario';
  const percent = 100 * chance;
  const share = percent > 0 && percent < 1 ? 'less than 1 %' : `${Math.round(percent)} %`;
  return `${RUNS_IN_A_ROW} runs in a row${whose} succeed ${share} of the time`;
}

/**
 * The 95 % interval of the mean pass rate for more trials of these scenarios, which gates on `suite.pass_rate` have; null:
 * the only scenario has its own, or none is known.
 */
export function meanInterval({ summary, scenarios }: SuiteReport): readonly [number, number] | null {
  return scenarios.length < 2 ? null : (summary.passHatK[0]?.interval ?? null);
}
