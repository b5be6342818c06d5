import type { SuiteKind } from '../suite-kind.ts';

/** Files with a table `[recording]`: runs of other programs, with bars and rules of one's own. */
export const recordingKind: SuiteKind = {
  kind: 'suite',
  type: 'recording',
  plural: 'recordings',
  file: 'a recording',
  summary: 'Runs that other programs recorded, with bars and rules laid over them.',
  rootKeys: new Set(['recording']),
  detects: ({ data }) => Object.hasOwn(data, 'recording'),
  open: async () => (await import('./recording-verbs.ts')).recordingVerbs,
};
