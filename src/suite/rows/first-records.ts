import type { TrialRecord } from '../../types/record.ts';
import { failuresOf } from '../../types/scenario-report.ts';
import type { FinishedRun } from '../run-suite.ts';

/** The first trials of a scenario in full, with credentials hidden and long texts cut. */
export interface FirstRecords {
  /** The first trial that passed; null: none did. */
  readonly passed: TrialRecord | null;
  /** The first that failed; null: none did. */
  readonly failed: TrialRecord | null;
}

/** By `keyOf` the scenario, its first trials, of a run that keeps `passedRecord`; scenarios that are not judged by records have none. */
export function firstRecords({ plan, report, scenarios }: FinishedRun): ReadonlyMap<string, FirstRecords> {
  const reports = new Map(report.scenarios.map((one) => [keyOf(one), one]));
  return new Map(
    plan.scenarios.flatMap(({ scenario, index }) => {
      const key = keyOf(scenario);
      const text = scenarios[index]?.tally.rows?.passedRecord?.text;
      const one = reports.get(key);
      const failed =
        one === undefined ? undefined : failuresOf(one).find(({ verdict }) => verdict === 'failed')?.record;
      if (text === undefined && failed === undefined) return [];
      // Written by passk, and looked at when it was read.
      const passed = text === undefined ? null : (JSON.parse(text) as TrialRecord);
      return [[key, { passed, failed: failed ?? null }] as const];
    }),
  );
}

/** Names of files do not make a name twice. */
export function keyOf({ name, file }: { readonly name: string; readonly file: string }): string {
  return JSON.stringify([name, file]);
}
