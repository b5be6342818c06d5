import type { SuiteVerbs } from '../suite-kind.ts';
import { loadSessions } from './load-sessions.ts';
import { sessionsFromObject } from './sessions-from-object.ts';

/** Every task of every agent is a scenario that stands for itself, so that there is nothing to fold. */
export const sessionVerbs: SuiteVerbs = {
  load: loadSessions,
  loadObject: sessionsFromObject,
  notices: () => [],
  barOf: () => null,
  wants: () => [],
  fold: () => ({ results: [] }),
};
