import type { SuiteVerbs } from '../suite-kind.ts';
import { loadRecordingFile } from './load-recording-file.ts';

/** Every set of recorded runs is a scenario that stands for itself, so that there is nothing to fold. */
export const recordingVerbs: SuiteVerbs = {
  load: loadRecordingFile,
  notices: () => [],
  barOf: () => null,
  wants: () => [],
  fold: () => ({ results: [] }),
};
