import type { JsonObject } from '../../types/json.ts';
import { isJsonArray, isJsonObject } from '../../values/is-json.ts';
import type { SuiteKind } from '../suite-kind.ts';
import { hasOneAgent } from './has-one-agent.ts';

/**
 * Files with a table `[session]`: tasks for an agent that has tools, a user, and a world that can be checked. A file with `[agent]`
 * and what a user wants of it is such a task by itself.
 */
export const sessionKind: SuiteKind = {
  kind: 'suite',
  type: 'session',
  plural: 'sessions',
  file: 'a file of tasks',
  summary: 'Tasks for an agent with tools and a user, judged by what became of a world.',
  rootKeys: new Set(['session']),
  detects: ({ data }) =>
    Object.hasOwn(data, 'session') ||
    (hasTasks(data) && !Object.hasOwn(data, 'workflow')) ||
    (hasOneAgent(data) && hasTaskKey(data)),
  detectsObject: (made) => Object.hasOwn(made, 'agent') && !Object.hasOwn(made, 'workflow'),
  open: async () => (await import('./session-verbs.ts')).sessionVerbs,
};

/** True: a task says what somebody wants; `[session]` may be left out or misspelt, and other programs have tasks, too. */
function hasTasks({ tasks }: JsonObject): boolean {
  return isJsonArray(tasks) && tasks.some((task) => isJsonObject(task) && hasTaskKey(task));
}

function hasTaskKey(table: JsonObject): boolean {
  return TASK_KEYS.some((key) => Object.hasOwn(table, key));
}

const TASK_KEYS = ['user', 'gold', 'expected', 'goals'];
