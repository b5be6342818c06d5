import type { KeptRecord } from '../../trial/tally/tally-rows.ts';
import type { TrialRecord } from '../../types/record.ts';
import type { FinishedRun } from '../run-suite.ts';
import { scenarioKey } from '../../values/scenario-key.ts';

/** The first trials of a scenario in full, with credentials hidden and long texts cut. */
export interface FirstRecords {
  /** The first trial that passed; null: none did. */
  readonly passed: TrialRecord | null;
  /** The first that failed; null: none did. */
  readonly failed: TrialRecord | null;
}

/** By `keyOf` the scenario, its first trials, of a run that keeps `firstRecords`; one of which each trial is broken has none. */
export function firstRecords({ plan, scenarios }: FinishedRun): ReadonlyMap<string, FirstRecords> {
  return new Map(
    plan.scenarios.flatMap(({ scenario, index }) => {
      const { passed = null, failed = null } = scenarios[index]?.tally.rows?.firstRecords ?? {};
      if (passed === null && failed === null) return [];
      return [[scenarioKey(scenario), { passed: recordOf(passed), failed: recordOf(failed) }] as const];
    }),
  );
}

function recordOf(written: KeptRecord | null): TrialRecord | null {
  // Written by passk, and looked at when it was read.
  return written && (JSON.parse(written.text) as TrialRecord);
}
