import type { SuiteKind } from '../suite-kind.ts';

/** Files with a table `[session]`: tasks for an agent that has tools, a user, and a world that can be checked. */
export const sessionKind: SuiteKind = {
  kind: 'suite',
  type: 'session',
  plural: 'sessions',
  file: 'a file of tasks',
  summary: 'Tasks for an agent with tools and a user, judged by what became of a world.',
  rootKeys: new Set(['session']),
  detects: ({ data }) => Object.hasOwn(data, 'session'),
  open: async () => (await import('./session-verbs.ts')).sessionVerbs,
};
