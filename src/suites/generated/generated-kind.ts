import type { SuiteKind } from '../suite-kind.ts';

/** Files with a table `[generate]`: scenarios that a generator makes of a seed, each with what else the file says. */
export const generatedKind: SuiteKind = {
  kind: 'suite',
  type: 'generated',
  plural: 'generated',
  file: 'a generated suite',
  summary: 'Scenarios that a generator makes of a seed and parameters.',
  rootKeys: new Set(['generate']),
  detects: ({ data }) => Object.hasOwn(data, 'generate'),
  open: async () => (await import('./generated-verbs.ts')).generatedVerbs,
};
