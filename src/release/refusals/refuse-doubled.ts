import { PasskError } from '../../errors.ts';
import type { Issue } from '../../types/issue.ts';
import type { Scenario } from '../../types/scenario.ts';
import type { PlannedEvidence } from '../evidence.ts';

/** The format of the JSON reports of passk. */
const PASSK_REPORT = 'passk-report';

/** Throws `INPUT` for finished evidence that is a copy of other evidence: each of its trials would count twice. */
export function refuseCopies(issues: readonly Issue[]): void {
  const copies = issues.filter(({ code }) => code === 'same_bytes' || code === 'same_trials');
  if (copies.length === 0) return;
  throw new PasskError('INPUT', 'A release does not count a trial twice.', {
    hint: 'Leave one of the two out.',
    issues: copies.map((issue) => ({ ...issue, severity: 'error' })),
  });
}

/** Whether finished evidence lacks runs: it was cut off, or stopped early, perhaps for what it gave. */
export function isPartlyRead(issues: readonly Issue[]): boolean {
  return issues.some(({ code }) => code === 'bad_recording' || code === 'part_of_run');
}

/**
 * Throws `INPUT` where a report of a scenario is evidence beside its own trials: they may be the same, or were chosen. `loaded`
 * are the scenarios of this release, recorded ones among them. Runs of other programs may be called anything.
 */
export function refuseDoubled(
  scenarios: readonly Pick<PlannedEvidence, 'name' | 'isRecorded'>[],
  loaded: readonly Pick<Scenario, 'name' | 'subject'>[],
): void {
  const names = scenarios.filter(({ isRecorded }) => isRecorded !== true).map(({ name }) => name);
  const reports = loaded.filter(({ subject }) => subject.kind === 'recording' && subject.format === PASSK_REPORT);
  for (const recorded of scenarios.filter(({ isRecorded }) => isRecorded === true)) {
    const name = names.find((one) => reports.some((report) => recorded.name === `${report.name}: ${one}`));
    if (name === undefined) continue;
    throw new PasskError(
      'INPUT',
      `The scenario "${name}" is tried, and stands in recorded runs ("${recorded.name}").`,
      {
        hint: 'The trials of a scenario come from one place: leave out one of the two.',
      },
    );
  }
}
