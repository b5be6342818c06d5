import path from 'node:path';
import { isPrice } from '../baseline/price-table.ts';
import type { Baseline } from '../types/baseline.ts';
import { DRIFT_RULES, type DriftRule } from '../types/drift.ts';
import type { ForecastOptions } from '../types/forecast.ts';
import type { Issue } from '../types/issue.ts';

/** What a run is compared with, what later runs are compared with, and what it costs to go on. */
export interface BaselineOptions {
  /** A file of `saveBaseline`, or a JSON report of passk or agentd-conformance, as a path from `cwd`; or a baseline. */
  readonly baseline?: string | Baseline;
  /** Where to write this run as a baseline, also when its gate fails; never when it was stopped early. */
  readonly saveBaseline?: string;
  /** A folder that keeps runs, for `readHistory`; this one is added unless it was stopped early. */
  readonly history?: string;
  /** When a lower pass rate is a regression; default `evidence`. */
  readonly drift?: DriftRule;
  /** Relative rise of tokens per trial that is tolerated; default 0.1. */
  readonly tokenTolerance?: number;
  /**
   * Fall of the suite's mean pass rate that is tolerated: a run fails when it surely fell by more, and is undecided when
   * its trials do not tell. Default: any fall that is more than chance fails.
   */
  readonly driftMargin?: number;
  /** How many runs will be compared with this baseline, this one included: they share one chance of a false alarm; default 1. */
  readonly driftComparisons?: number;
  readonly forecast?: ForecastOptions;
}

export interface ResolvedBaselineOptions {
  /** Paths are absolute. */
  readonly baseline: string | Baseline | null;
  readonly saveBaseline: string | null;
  readonly history: string | null;
  readonly drift: DriftRule;
  readonly tokenTolerance: number;
  readonly driftMargin: number | null;
  readonly driftComparisons: number;
  readonly forecast: ForecastOptions | null;
}

/** The options with every default filled in. */
export function resolveBaselineOptions(options: BaselineOptions, cwd: string): ResolvedBaselineOptions {
  const { baseline = null, saveBaseline, history, forecast = null } = options;
  const { drift = 'evidence', tokenTolerance = 0.1, driftMargin = null, driftComparisons = 1 } = options;
  return {
    baseline: typeof baseline === 'string' ? path.resolve(cwd, baseline) : baseline,
    saveBaseline: saveBaseline === undefined ? null : path.resolve(cwd, saveBaseline),
    history: history === undefined ? null : path.resolve(cwd, history),
    drift,
    tokenTolerance,
    driftMargin,
    driftComparisons,
    forecast,
  };
}

/** Options that cannot be used. */
export function baselineIssues(options: BaselineOptions): readonly Issue[] {
  const { drift, tokenTolerance, driftMargin, driftComparisons, forecast } = options;
  const messages: string[] = [];
  if (drift !== undefined && !DRIFT_RULES.includes(drift)) {
    messages.push(`\`drift\` must be one of ${DRIFT_RULES.join(', ')}, got ${JSON.stringify(drift)}.`);
  }
  if (tokenTolerance !== undefined && !isPrice(tokenTolerance)) {
    messages.push(`\`tokenTolerance\` must be a number from 0, such as 0.1, got ${String(tokenTolerance)}.`);
  }
  if (driftMargin !== undefined && !(driftMargin >= 0 && driftMargin < 1)) {
    messages.push(`\`driftMargin\` must be a number from 0 to below 1, such as 0.02, got ${String(driftMargin)}.`);
  }
  if (driftComparisons !== undefined && !(Number.isSafeInteger(driftComparisons) && driftComparisons >= 1)) {
    messages.push(`\`driftComparisons\` must be a whole number from 1, got ${String(driftComparisons)}.`);
  }
  if (forecast !== undefined) messages.push(...forecastProblems(forecast));
  return messages.map((message) => ({ code: 'bad_option', severity: 'error', message }));
}

function forecastProblems({ runsPerDay, prices }: ForecastOptions): readonly string[] {
  const problems: string[] = [];
  if (runsPerDay.length === 0) problems.push('`forecast.runsPerDay` is empty; give at least one number of runs.');
  for (const runs of runsPerDay) {
    if (!isPrice(runs)) problems.push(`\`forecast.runsPerDay\` must hold numbers from 0, got ${String(runs)}.`);
  }
  const sums = typeof prices === 'number' ? [['prices', prices] as const] : Object.entries(prices ?? {});
  for (const [name, sum] of sums) {
    if (sum !== undefined && !isPrice(sum))
      problems.push(`The price \`${name}\` must be a number from 0, got ${String(sum)}.`);
  }
  return problems;
}
