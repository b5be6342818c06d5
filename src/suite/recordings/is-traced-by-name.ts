import type { RecordingSubject } from '../../types/recording.ts';
import type { Scenario } from '../../types/scenario.ts';

/** Whether one path names all that the trials stand in: a trial's number counts over all sources of its set. */
export function isTracedByName({ file, subject: { sources } }: Scenario<RecordingSubject>): boolean {
  return sources.length <= 1 || sources[0]?.name !== file;
}
