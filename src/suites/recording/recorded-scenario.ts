import { bareScenario, NOTHING_EXPECTED } from '../../scenario/bare-scenario.ts';
import type { Scenario } from '../../types/scenario.ts';
import type { RecordingSubject } from '../../types/recording.ts';
import type { FoundRecording } from './found-set.ts';

/** A recorded run is read, not waited for. */
const TIME_LIMIT_MS = 60_000;

/** The scenario of a set of recorded runs, which its source has judged, unless others are to: `judges`. */
export function recordedScenario(
  { name, file, runs, subject }: FoundRecording,
  judges: readonly string[] = [],
): Scenario<RecordingSubject> {
  return {
    ...bareScenario({ name, file, trials: runs, timeoutMs: TIME_LIMIT_MS }),
    // Nobody has said what is enough.
    minPassRate: 0,
    subject,
    expected: { ...NOTHING_EXPECTED, ...(judges.length === 0 ? { claimed: true } : { judges: [...new Set(judges)] }) },
  };
}
