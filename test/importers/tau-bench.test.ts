import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { tauBench } from '../../src/importers/tau-bench.ts';
import { importAll, sourceAt, sourceOf } from './import-all.ts';

const REAL = fileURLToPath(
  new URL('../../../shared/reference/traces/tau-bench/gpt-4o-airline-4-tasks.json', import.meta.url),
);

describe('tau-bench', () => {
  it.skipIf(!existsSync(REAL))('reads the 16 runs of the published file with calls, results and gold actions', () => {
    const source = sourceAt(REAL);
    expect(tauBench.detects(source, {})).toBe(true);
    const { sets, broken, problems } = importAll(tauBench, source);
    expect([broken, problems]).toEqual([[], []]);
    const runs = sets[''] ?? [];
    const tasks = new Map<string, number>();
    for (const { task, scores } of runs) tasks.set(task, (tasks.get(task) ?? 0) + Number(scores[0]?.value));
    expect(Object.fromEntries(tasks)).toEqual({ 1: 1, 2: 1, 5: 1, 12: 4 });
    expect(runs[0]).toMatchObject({ task: '1', attempt: 0, gold: [{ name: 'cancel_reservation' }] });
    const parts = runs.flatMap(({ messages = [] }) => messages.flatMap((message) => message.parts));
    const [call] = parts.filter(({ kind }) => kind === 'tool_call');
    expect(call).toMatchObject({ name: 'get_user_details', args: { user_id: expect.stringMatching(/_\d+$/) } });
    // One run hit the limit of steps, so that nobody judged it.
    expect(runs.filter(({ ending }) => ending !== undefined)).toMatchObject([{ task: '2', attempt: 1 }]);
  });

  it('costs a broken run itself', () => {
    const whole = { task_id: 3, trial: 1, reward: 1, info: {}, traj: [{ role: 'user', content: 'Hi' }] };
    const text = `[${JSON.stringify(whole)}, {"task_id": 4, "reward": "x", "traj": []}, {"task_id": 5, "re`;
    const { sets, broken, problems } = importAll(tauBench, sourceOf({ 'runs.json': text }));
    expect(sets['']).toMatchObject([{ task: '3', attempt: 1, scores: [{ name: 'reward', value: 1 }] }]);
    expect(broken).toEqual(['It has no "reward".', expect.stringContaining('It is not JSON')]);
    expect(problems).toMatchObject([{ message: 'The file ends in the middle of a value.' }]);
  });
});
