import { MAX_TASK, type TaskCount, TaskCounts } from '../../trial/tally/task-counts.ts';
import { checkedCount, corrupt } from './packed-numbers.ts';

const COUNTS = [
  'passed',
  'failed',
  'broken',
  'lowestTrial',
  'tokens',
  'uncounted',
  'nanoUsd',
  'unpriced',
  'attempts',
  'repeated',
] as const satisfies readonly (keyof TaskCount)[];
/** All but these count trials. */
const MOST: Readonly<Partial<Record<keyof TaskCount, number>>> = {
  tokens: Number.MAX_SAFE_INTEGER,
  nanoUsd: Number.MAX_SAFE_INTEGER,
};
const MOST_TRIALS = 2 ** 32 - 1;
const STRIDE = COUNTS.length + 1;

/**
 * Counts by task as one flat list in the order of their names, and of tasks that are crossed their positions
 * there with row, column and stratum; null: trials have no tasks.
 */
export function packTasks(tasks: TaskCounts | null): readonly unknown[] | null {
  if (tasks === null) return null;
  const entries = [...tasks.entries()].sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    entries.flatMap(([task, count]) => [task, ...COUNTS.map((name) => count[name])]),
    entries.flatMap(([task], at) => {
      const crossing = tasks.crossings.get(task);
      return crossing === undefined ? [] : [at, crossing.row, crossing.column, crossing.stratum];
    }),
  ];
}

/** The counts that `packTasks` packed; throws `INTEGRITY` for anything else. */
export function unpackTasks(value: unknown, hasTasks: boolean): TaskCounts | null {
  if (value === null && !hasTasks) return null;
  const [list, crossings] = Array.isArray(value) ? (value as readonly unknown[]) : [];
  if (!hasTasks || !Array.isArray(list) || list.length % STRIDE !== 0) throw corrupt('tasks is no list of counts');
  const tasks = new TaskCounts();
  let last: string | null = null;
  const names: string[] = [];
  for (let at = 0; at < list.length; at += STRIDE) {
    const task = nameOf(list[at]);
    if (last !== null && task <= last) throw corrupt('tasks is not in order');
    last = task;
    names.push(task);
    const counts = COUNTS.map((name, i) => [name, checkedCount(list[at + 1 + i], 'tasks', MOST[name] ?? MOST_TRIALS)]);
    // Every count has its name.
    tasks.addCount(task, Object.fromEntries(counts) as unknown as TaskCount);
  }
  fillCrossings(crossings, names, tasks);
  return tasks;
}

function fillCrossings(value: unknown, names: readonly string[], { crossings }: TaskCounts): void {
  if (!Array.isArray(value) || value.length % 4 !== 0) throw corrupt('tasks is no list of counts');
  const list = value as readonly unknown[];
  for (let at = 0; at < list.length; at += 4) {
    const [position, row, column, stratum] = list.slice(at, at + 4);
    const task = names[checkedCount(position, 'tasks', names.length - 1)];
    if (task === undefined || crossings.has(task)) throw corrupt('tasks has no readable name');
    crossings.set(task, { row: nameOf(row), column: nameOf(column), stratum: nameOf(stratum) });
  }
}

function nameOf(value: unknown): string {
  if (typeof value === 'string' && value.length <= MAX_TASK) return value;
  throw corrupt('tasks has no readable name');
}
